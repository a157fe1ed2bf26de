"""Second readers of what mail servers write, as plain as can be: one character, one line at a time, and nothing of the
program's. They are slow and know no leniency; what the referee believes, they must believe too."""

import re
from dataclasses import dataclass

_ATOM = re.compile(r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~.@-]+")
_KEY = re.compile(r"[A-Za-z0-9!#$%&'*+?^_`{|}~-]+(?:\.[A-Za-z0-9!#$%&'*+?^_`{|}~-]+)*")
_HOST = re.compile(r"[a-z0-9_-]+(\.[a-z0-9_-]+)+")


@dataclass(frozen=True)
class Piece:
    """A quoted string, a run of plain characters, or one sign of the grammar."""

    kind: str
    text: str


def pieces(value: str) -> list[Piece] | None:
    """The field without comments and blanks (RFC 5322, 3.2); None where a quote or a comment never ends."""
    found: list[Piece] = []
    at, depth = 0, 0
    while at < len(value):
        sign = value[at]
        if depth:
            depth += {"(": 1, ")": -1}.get(sign, 0)
            at += 2 if sign == "\\" else 1
        elif sign == "(":
            depth, at = 1, at + 1
        elif sign in " \t\r\n":
            found.append(Piece(" ", " "))
            at += 1
        elif sign == '"':
            text, at = "", at + 1
            while at < len(value) and value[at] != '"':
                text += value[at]
                if value[at] == "\\":
                    at += 1
                    text += value[at : at + 1]
                at += 1
            if at >= len(value):
                return None
            found.append(Piece("quoted", text))
            at += 1
        elif plain := _ATOM.match(value, at):
            found.append(Piece("plain", plain[0]))
            at = plain.end()
        elif sign == ";":
            found.append(Piece(";", ";"))
            at += 1
        else:
            return None
    return None if depth else found


def results(value: str) -> tuple[str, list[tuple[str, str, dict[str, set[str]]]]] | None:
    """The server and its results: method, value, and by property the domains that it names ("" where it names none).
    None where anything at all is not as RFC 8601, 2.2 has it."""
    read = pieces(value)
    if read is None:
        return None
    parts: list[list[Piece]] = [[]]
    for piece in read:
        if piece.kind == ";":
            parts.append([])
        else:
            parts[-1].append(piece)
    head = [p for p in parts[0] if p.kind != " "]
    if not head or len(head) > 2 or any(p.kind != "plain" for p in head) or len(parts) < 2:
        return None
    if len(head) == 2 and head[1].text != "1":
        return None
    server = head[0].text.lower()
    if len(parts) == 2 and [p.text.lower() for p in parts[1] if p.kind == "plain"] == ["none"]:
        return server, []
    found = []
    for part in parts[1:]:
        one = _result(part)
        if one is None:
            return None
        found.append(one)
    return server, found


def _result(part: list[Piece]) -> tuple[str, str, dict[str, set[str]]] | None:
    """`method[/version] = value [reason = value] *(ptype.property = value)`; blanks may stand around every sign."""
    words: list[list[Piece]] = []  # each: what stands without a blank in it
    for piece in part:
        if piece.kind == " ":
            words.append([])
        elif words:
            words[-1].append(piece)
        else:
            words.append([piece])
    flat = [word for word in words if word]
    pairs = _pairs(flat)
    if not pairs:
        return None
    (method, verdict), *rest = pairs
    name = re.fullmatch(r"([a-z][a-z0-9-]*)(/\d+)?", method.lower())
    if name is None or len(verdict) != 1 or not re.fullmatch(r"[A-Za-z][A-Za-z0-9-]*", verdict[0].text):
        return None
    properties: dict[str, set[str]] = {}
    for key, said in rest:
        if key.lower() == "reason":
            if properties:
                return None
            continue
        if not re.fullmatch(r"(smtp|header|body|policy)\.[A-Za-z0-9!#$%&'*+?^_`{|}~.-]+", key, re.IGNORECASE):
            return None
        properties.setdefault(key.lower(), set()).add(_domain(said))
    return name[1], verdict[0].text.lower(), properties


def _pairs(words: list[list[Piece]]) -> list[tuple[str, list[Piece]]] | None:
    """`key=value`, with blanks allowed around `=`, `.` and `/`."""
    glued: list[list[Piece]] = []
    for word in words:
        open_end = (
            bool(glued) and glued[-1][-1].kind == "plain" and glued[-1][-1].text.endswith(("=", ".", "/"))
        )
        leads = word[0].kind == "plain" and word[0].text.startswith(("=", ".", "/"))
        if glued and (open_end or leads):
            glued[-1] += word
        else:
            glued.append(list(word))
    pairs = []
    for word in glued:
        text, rest = "", list(word)
        while rest and rest[0].kind == "plain" and "=" not in text:
            text += rest.pop(0).text
        key, equals, start = text.partition("=")
        if not equals or not _KEY.fullmatch(key.partition("/")[0]):
            return None
        value = [*([Piece("plain", start)] if start else []), *rest]
        if not value:
            return None
        pairs.append((key, value))
    return pairs


def _domain(value: list[Piece]) -> str:
    """What stands behind the last @ of a value, or all of it; "" where that is no host, or where it is in doubt."""
    text = "".join(piece.text for piece in value if piece.kind == "plain")
    quoted = [piece for piece in value if piece.kind == "quoted"]
    if quoted and len(value) == 1:
        text = quoted[0].text
    elif quoted and not (len(value) == 2 and value[0].kind == "quoted" and text.startswith("@")):
        return ""
    if text.count("@") > 1:
        return ""
    host = text.rpartition("@")[2].lower()
    return host if _HOST.fullmatch(host) else ""


def vouches(fields: list[tuple[str, str]], trusted: str, domain: str) -> bool:
    """Whether the trusted server's fields on top of a mail say that a signature of the domain holds."""
    said: list[tuple[str, str, dict[str, set[str]]]] = []
    for name, value in fields:
        if name.lower() == "received" and said:
            break
        if name.lower() != "authentication-results":
            continue
        read = results(value)
        if read is None or read[0] != trusted:
            break
        methods = {method for method, _, _ in said}
        said += [one for one in read[1] if one[0] not in methods]
    dmarc = [
        (value, properties.get("header.from")) for method, value, properties in said if method == "dmarc"
    ]
    if any(value == "fail" for value, _ in dmarc):
        return False
    for method, value, properties in said:
        if method == "dmarc" and not all(one == "pass" and named == {domain} for one, named in dmarc):
            continue
        key = "header.d" if "header.d" in properties else "header.i"
        if method in ("dkim", "dmarc") and value == "pass" and len(properties.get(key, set())) == 1:
            named_domain = min(properties[key])
            if named_domain and (named_domain == domain or _within(named_domain, domain)):
                return True
    return False


def _within(one: str, other: str) -> bool:
    return one.endswith("." + other) or other.endswith("." + one)


def sender(fields: list[tuple[str, str]]) -> str | None:
    """The one address that From names, however it is looked at; None where there are two, or none."""
    values = [value for name, value in fields if name.lower() == "from"]
    if len(values) != 1:
        return None
    bare, at, depth, quoted = "", 0, 0, False
    value = re.sub(r"=\?[^?\s]+\?[bBqQ]\?[^?]*\?=", "", values[0])
    while at < len(value):
        sign = value[at]
        if sign == "\\" and (quoted or depth):
            at += 2
            continue
        if sign == '"' and not depth:
            quoted = not quoted
        elif not quoted and sign in "()":
            depth += 1 if sign == "(" else -1
        elif not quoted and not depth:
            bare += sign
        at += 1
    inside = re.findall(r"<([^<>]*)>", bare)
    named = inside if "<" in bare or ">" in bare else [bare]
    found = {address.strip().lower().rstrip(".") for address in named}
    return found.pop() if len(found) == 1 else None


def failed(raw: bytes) -> list[set[str]]:
    """The recipients whom a delivery report (RFC 3464) says it failed to reach: of each, the addresses it gives him."""
    text = raw.decode("latin-1").replace("\r\n", "\n")
    found = []
    for block in text.split("\n\n"):
        lines = [line.partition(":") for line in block.split("\n")]
        named = {key.strip().lower(): value.strip() for key, colon, value in lines if colon}
        if named.get("action", "").lower() != "failed":
            continue
        whom = {
            named[key].rpartition(";")[2].strip().lower()
            for key in ("original-recipient", "final-recipient")
            if key in named
        }
        found.append(whom)
    return found
