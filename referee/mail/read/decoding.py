"""Bytes to text, however badly they were encoded, and text to the plain characters that orders are written in."""

import binascii
import codecs
import quopri
import re
import unicodedata
from functools import lru_cache

_SIXTY_FOUR = re.compile(rb"[A-Za-z0-9+/=\s]*")
# What undeclared quoted-printable shows: long lines that end in a soft break, the bytes of a UTF-8 character, or
# blanks kept at line ends; and no equals sign that is not part of an escape.
_SOFT_BREAK = re.compile(rb"^[^\r\n]{59,75}=\r?$", re.MULTILINE)
_CHARACTER = re.compile(rb"=(?:C[2-9A-F]|D[0-9A-F]|E[0-9A-F]=[89AB][0-9A-F])=[89AB][0-9A-F]")
_KEPT_BLANK = re.compile(rb"=20\r?$", re.MULTILINE)
_NO_ESCAPE = re.compile(rb"=(?![0-9A-F]{2}|[ \t]*\r?(?:\n|\Z))")


def undo(payload: bytes, declared: str) -> bytes:
    """The bytes that were sent. `declared` goes by what it contains ('"Base64";' is base64)."""
    name = declared.lower()
    if "base64" in name:
        return _base64(payload)
    if "quoted" in name or name.strip() == "qp":
        return quopri.decodestring(re.sub(rb"=[ \t]+(?=\r?\n)", b"=", payload))
    if "uu" in name:
        return _uu(payload)
    return payload


def is_quoted_printable(payload: bytes) -> bool:
    """Whether a text is quoted-printable though nothing declares it, as gateways and copied sources leave it."""
    if _NO_ESCAPE.search(payload):
        return False
    blanks, breaks = len(_KEPT_BLANK.findall(payload)), len(_SOFT_BREAK.findall(payload))
    return breaks > 0 or blanks >= 2 or _CHARACTER.search(payload) is not None


def _base64(payload: bytes) -> bytes:
    """Decodes the lines that are base64, without blanks between words; what a gateway wrote plainly below them is kept
    as it stands."""
    lines = payload.splitlines(keepends=True)
    coded = 0
    while coded < len(lines) and _SIXTY_FOUR.fullmatch(lines[coded]) and b" " not in lines[coded].strip():
        coded += 1
    tail = b"".join(lines[coded:])
    return b"".join(map(_quads, re.split(rb"(?<==)(?!=)", b"".join(lines[:coded])))) + (
        b"\n" + tail if tail else b""
    )


def _quads(coded: bytes) -> bytes:
    """One run of base64 up to its padding; a last quantum that was cut off gives the bytes it still holds."""
    letters = re.sub(rb"[^A-Za-z0-9+/]", b"", coded)
    if len(letters) % 4 == 1:
        letters = letters[:-1]
    return binascii.a2b_base64(letters + b"=" * (-len(letters) % 4))


def _uu(payload: bytes) -> bytes:
    begin = re.search(rb"^begin [0-7]{3,4} [^\n]*\n", payload, re.MULTILINE)
    if not begin:
        return payload
    out = []
    for line in payload[begin.end() :].splitlines():
        if line.strip() in (b"end", b"`", b""):
            break
        try:
            out.append(binascii.a2b_uu(line))
        except binascii.Error:
            break
    return b"".join(out)


# Codecs that Python offers but no mail may ask for: slow on long input, or no charset at all.
_REFUSED = frozenset({"idna", "punycode", "undefined", "unicode-escape", "raw-unicode-escape"})

# Names seen in mails that Python does not know, and names whose superset is what the sender really used.
_ALIASES = {
    name: codec
    for codec, names in {
        "utf-8": "us-ascii ascii ansi-x3.4-1968 utf8mb4 unicode-1-1-utf-8",
        "cp1252": "iso-8859-1 latin-1 latin1 l1 ansi x-ansi windows-1252http-equivcontent-type",
        "cp1254": "iso-8859-9",
        "cp874": "iso-8859-11 tis-620 windows-874",
        "iso-8859-8": "iso-8859-8-i",
        "iso-8859-6": "iso-8859-6-i",
        "gb18030": "gb2312 gbk x-gbk",
        "hz": "hz",
        "cp932": "shift-jis sjis x-sjis windows-31j",
        "iso2022_jp_2": "iso-2022-jp",
        "cp949": "ks-c-5601-1987 euc-kr",
        "big5hkscs": "big5",
        "mac-roman": "x-mac-roman macintosh",
    }.items()
    for name in names.split()
}

# What undeclared 8-bit text is tried as after UTF-8, with the characters that then fill it, and what in those words
# betrays another charset: a final sigma within a word, a capital behind a small letter.
_LEGACY: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("cp1253", re.compile("[α-ωάέήίόύώϊϋΐΰ]")),
    ("cp1251", re.compile("[а-яё]")),
    ("koi8-r", re.compile("[а-яё]")),
    ("cp932", re.compile("[\u3040-\u30ff\u4e00-\u9fff]")),
    ("gb18030", re.compile("[\u4e00-\u9fff]")),
    ("cp949", re.compile("[\uac00-\ud7a3]")),
)
_MARKS = {codecs.BOM_UTF8: "utf-8", codecs.BOM_UTF16_LE: "utf-16", codecs.BOM_UTF16_BE: "utf-16"}
_BETRAYED = re.compile("ς[α-ωάέήίόύώ]|[а-яё][А-ЯЁ]")
_HIGH = re.compile("[^\x00-\x7f]")
_HIGH_RUN = re.compile(rb"[\x80-\xff]+")


def decode(raw: bytes, declared: str | None = None) -> tuple[str, str | None]:
    """The text of `raw` and, where it is not what was declared, what was done instead.

    The order: a byte order mark, the declared charset (a Western one gives way to well-formed UTF-8), UTF-8,
    ISO-2022-JP by its escapes, the usual legacy charsets by the letters they would give, windows-1252, latin-1.
    """
    for mark, codec in _MARKS.items():
        if raw.startswith(mark) and (marked := raw.decode(codec, "replace").removeprefix("\ufeff")):
            return marked, None
    name = _codec(declared)
    text = _strictly(raw, name) if name else None
    if text is not None and (name not in ("cp1252", "cp1254") or raw.isascii()):
        return text, None
    if (better := _strictly(raw, "utf-8")) is not None and b"\x1b$" not in raw:
        return better, None if name in ("utf-8", "cp1252", "cp1254") or not declared else _said(
            declared, "UTF-8"
        )
    if text is not None:
        return text, None
    return _guessed(raw, declared)


def _codec(declared: str | None) -> str | None:
    """The name of the codec for a declared charset, or None where there is none."""
    if not declared or len(declared) > 60:
        return None
    name = re.sub(r"[^a-z0-9.+-]", "", declared.lower().replace("_", "-").split("*")[0])
    name = _ALIASES.get(name, name)
    try:
        found = codecs.lookup(name).name
    except (LookupError, ValueError):
        return None
    return None if found.replace("_", "-") in _REFUSED else _ALIASES.get(found, found)


def _strictly(raw: bytes, name: str) -> str | None:
    try:
        return raw.decode(name)
    except (UnicodeError, LookupError, ValueError):  # LookupError: a codec that is not one for text
        return None


def _guessed(raw: bytes, declared: str | None) -> tuple[str, str | None]:
    if b"\x1b$" in raw and (text := _strictly(raw, "iso2022_jp_2")) is not None:
        return text, _said(declared, "ISO-2022-JP")
    mended = raw.decode("utf-8", "replace")  # where four of five of its characters beyond ASCII are whole
    if mended and len(_HIGH.findall(mended)) >= 5 * mended.count("\ufffd"):
        return mended, "some characters of the text are broken; read as UTF-8"
    for name, letters in _LEGACY if not _is_western(raw[:20_000]) else ():
        text = _strictly(raw[:20_000], name) or ""
        high = len(_HIGH.findall(text))
        if high >= 6 and len(letters.findall(text)) >= 0.85 * high and not _BETRAYED.search(text):
            return raw.decode(name, "replace"), _said(declared, name)
    if (text := _strictly(raw, "cp1252")) is not None:
        return text, _said(declared, "windows-1252")
    return raw.decode("latin-1"), _said(declared, "latin-1")


def _is_western(raw: bytes) -> bool:
    """Whether the bytes above ASCII stand one by one between ASCII letters, as in Western languages; in words of
    another script they come in runs, but for kana, which Shift-JIS begins with bytes that no Western text has."""
    runs = _HIGH_RUN.findall(raw)
    kana = sum(run[0] in (0x81, 0x82, 0x83) for run in runs)
    return sum(len(run) == 1 for run in runs) > 0.6 * len(runs) and kana < 0.3 * len(runs)


def _said(declared: str | None, taken: str) -> str:
    if not declared:
        return f"no charset was declared; read as {taken}"
    return f"the text is not in the declared charset {tidy(declared)[:40]}; read as {taken}"


def _table() -> dict[int, str | None]:
    """What `tidy` does to single characters."""
    table: dict[int, str | None] = {}
    for code in (*range(0x20), *range(0x7F, 0xA0), *range(0xD800, 0xE000)):
        table[code] = None  # controls and halves of characters
    for code in (0x00AD, 0x034F, 0x061C, 0x180E, 0x200B, 0x200E, 0x200F, *range(0x202A, 0x202F)):
        table[code] = None  # zero-width characters, soft hyphen, marks of writing direction
    for code in (*range(0x2060, 0x2070), 0xFEFF, 0xFFF9, 0xFFFA, 0xFFFB, *range(0xFE00, 0xFE10)):
        table[code] = None
    for code in (0x00A0, 0x1680, *range(0x2000, 0x200B), 0x202F, 0x205F, 0x3000, 0x2800):
        table[code] = " "
    for code in (*range(0x2010, 0x2016), 0x2043, 0x2212, 0xFE58, 0xFE63, 0xFF0D):
        table[code] = "-"
    table |= dict.fromkeys(map(ord, "‘’‚‛′‵`´ʹʼ"), "'") | dict.fromkeys(map(ord, "“”„‟″‶"), '"')
    for code in (*range(0xFF01, 0xFF5F), *range(0x1D400, 0x1D800)):  # full-width and mathematical letters
        plain = unicodedata.normalize("NFKC", chr(code))
        if plain.isascii() and code not in table:
            table[code] = plain
    for zero in (0x0660, 0x06F0, 0x0966, 0x09E6, 0x0E50):  # Arabic, Persian, Devanagari, Bengali, Thai digits
        table |= {zero + digit: str(digit) for digit in range(10)}
    ends = dict.fromkeys((0x0A, 0x0B, 0x0C, 0x85, 0x2028, 0x2029), "\n")
    return table | ends | {0x09: "\t", 0x2026: "..."}


_PLAIN = _table()
_JOINERS = re.compile("(?<![^\x00-\x7f])[\u200c\u200d]|[\u200c\u200d](?![^\x00-\x7f])")
MOST_MARKS = 30  # that stand on one letter, as in the Stream-Safe Text Format (UAX #15, 13)
_PERHAPS_MARKS = re.compile(  # the two letters among them stand for marks (NFKC)
    f"(?:[^\\w\x00-\x7f]|[\uff9e\uff9f]){{{MOST_MARKS + 1},}}"
)


def tidy(text: str) -> str:
    """The one place where characters are made plain, for bodies and headers alike.

    Every space becomes a blank (tabs stay), every dash and minus a hyphen, typographic and leaning quotes the
    straight ones, full-width and mathematical letters and signs ASCII, the digits of five more scripts ours,
    an ellipsis three dots; zero-width characters, marks of direction, controls and lone surrogates go. Line ends
    become line feeds, letters with accents one character (NFC). Words in any script stay as they were written; of
    more marks on one letter than any language has the first ones.
    """
    text = text.replace("\r\n", "\n").replace("\r", "\n").translate(_PLAIN)
    return unicodedata.normalize("NFC", _PERHAPS_MARKS.sub(_bounded, _JOINERS.sub("", text)))


def _bounded(run: re.Match[str]) -> str:
    """With no more than MOST_MARKS marks in a row: to bring them into their order, which every normal form does, takes
    the square of their number."""
    kept: list[str] = []
    marks = 0
    for sign in run[0]:
        if _is_mark(sign):
            marks += 1
        elif unicodedata.category(sign)[0] not in "MC":  # what is not seen parts nothing: games leave it out
            marks = 0
        if marks <= MOST_MARKS or not _is_mark(sign):
            kept.append(sign)
    return "".join(kept)


@lru_cache(4096)
def _is_mark(sign: str) -> bool:
    """Whether what it stands for begins with a mark; a few signs are none themselves and stand for two."""
    return unicodedata.combining(unicodedata.normalize("NFKD", sign)[0]) > 0
