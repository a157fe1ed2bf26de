"""File names that are safe everywhere, and different for different texts."""

import hashlib
import re
import unicodedata

FORMER = "Former player"  # whose name is forgotten
_SAFE = r"[a-z0-9_](?:[a-z0-9_.-]{0,58}[a-z0-9_])?"
_DEVICES = r"(?:con|prn|aux|nul|com\d|lpt\d)(?:\..*)?"


def file_name(text: str) -> str:
    """The text itself where it is a safe name already: lower-case letters, digits, `_`, and `.` or `-` inside.

    Otherwise what is left of it, with a digest, so that two texts never share a file, not even
    where capitals do not count. The ending after the last dot is kept.
    """
    if re.fullmatch(_SAFE, text) and not re.fullmatch(_DEVICES, text) and ".." not in text:
        return text
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode().lower()
    stem, dot, ending = plain.rpartition(".")
    if not (dot and re.fullmatch(r"[a-z0-9]{1,8}", ending)):
        stem, dot, ending = plain, "", ""
    stem = re.sub(r"[^a-z0-9_]+", "-", stem).strip("-")[:40].strip("-")
    digest = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:10]
    return f"{stem}-{digest}{dot}{ending}" if stem else f"{digest}{dot}{ending}"


def clause_id(clause: str) -> str:
    """What a rule is called within a page: "604.F" is "rule-604-f"."""
    return "rule-" + clause.lower().replace(".", "-")


def shown_name(name: str) -> str:
    """A player's name as people read it: of one who is forgotten (`[forgotten 9]`) it tells that, and no more."""
    told = re.fullmatch(r"\[forgotten( \d+)?\]", name)
    return f"{FORMER}{told[1] or ''}" if told else name
