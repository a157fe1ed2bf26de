"""Names: which ones a seat may have. A letter shows a name beside its seat's number, in our own
sentences: so it must be nobody else's, nor ours, and hold nothing but a name."""

import re
import unicodedata
from collections.abc import Iterable

from referee.core.value import holds_address

LONGEST = 60  # characters

# Scripts that are written side by side (UTS #39, "highly restrictive"); all others stand alone. An
# ideograph's name begins with CJK.
_TOGETHER = (
    frozenset(("LATIN", "CJK", "HIRAGANA", "KATAKANA")),
    frozenset(("LATIN", "CJK", "BOPOMOFO")),
    frozenset(("LATIN", "CJK", "HANGUL")),
)
_SAME = {"IDEOGRAPHIC": "CJK", "KATAKANA-HIRAGANA": "KATAKANA", "VERTICAL": "CJK"}
_NO_SCRIPT = frozenset(("MODIFIER", "COMBINING"))
_UNSEEN = frozenset(("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"))

# Signs that look like Latin letters or each other, in small letters without marks: each before the one it is taken for.
_PAIRS = (
    "аaвbеeєeіlкkмmнhоoрpсcԁdтtуyхxһhԛqѕsԝwјjгrпnьb"  # Cyrillic
    "αaβbγyεeηnιlκkμmνvοoρpτtυuχxωw"  # Greek
    "0o1lilıl|lɡgз3"
)
_CAPITALS = str.maketrans("АВЕІЈКМНОРСТУХЅΑΒΕΖΗΙΚΜΝΟΡΤΥΧ", "ABEIJKMHOPCTYXSABEZHIKMNOPTYX")
_ALIKE = str.maketrans(dict(zip(_PAIRS[::2], _PAIRS[1::2], strict=True)))
# Whoever calls himself so speaks for us.
_OURS = frozenset(("referee", "moderator", "collector", "postmaster"))
_OFFICES = _OURS | {"speaker", "observer", "observers", "all", "everybody", "everyone", "nobody", "players"}
_BESIDE = frozenset(("the", "a", "your", "our", "my", "this", "of", "match", "game", "to", "and", "office"))
_SEAT = re.compile(r"\b(?:player|seat)s?\b[\W_]*(?:n[or]\b)?[\W_]*\d+|^\W*(?:the )?(?:player|seat)\W*$")


def name_fault(name: str, others: Iterable[str] = ()) -> str:
    """Why nobody can play under that name beside the others, as the end of a sentence with what to
    write instead; empty where he can."""
    if any(unicodedata.category(sign) in _UNSEEN for sign in name):
        return "it holds signs that can't be seen; write letters, blanks and hyphens only"
    if holds_address(name) or "//" in name:
        return "it holds an address, which nobody is shown; write the name alone"
    plain = unicodedata.normalize("NFKC", name)
    if not looks_of(name):
        return "it has no letter or digit; write a name that can be read aloud"
    if len(plain) > LONGEST:
        return f"it is longer than {LONGEST} characters; write a shorter one"
    begins = (unicodedata.name(sign, "").partition(" ")[0] for sign in plain if sign.isalpha())
    scripts = {_SAME.get(script, script) for script in begins if script and script not in _NO_SCRIPT}
    if len(scripts) > 1 and not any(scripts <= known for known in _TOGETHER):
        mixed = " and ".join(sorted(script.capitalize() for script in scripts))
        return f"it mixes letters of several scripts ({mixed}), of which some look alike; write it in one"
    if _is_ours(plain):
        return "it could be taken for a seat or an office of the referee; write a person's name"
    if any(looks_of(other) == looks_of(name) for other in others):
        return (
            "somebody else in this match has it, or one that looks like it; add a word, such as a second name"
        )
    return ""


def looks_of(name: str) -> str:
    """What is the same for all names that look alike: without case, marks, blanks and punctuation,
    and with one letter for those of all scripts that can't be told apart at a glance."""
    capitals = unicodedata.normalize("NFKC", name).translate(_CAPITALS)
    plain = unicodedata.normalize("NFKD", capitals.casefold())
    bare = "".join(sign for sign in plain if sign.isalnum() or sign == "|").translate(_ALIKE)
    return bare.replace("rn", "m").replace("vv", "w")


def _is_ours(plain: str) -> bool:
    bare = unicodedata.normalize("NFKD", plain.casefold())
    spoken = " ".join("".join(s for s in bare if not unicodedata.combining(s)).split())
    words = [looks_of(word) for word in re.split(r"[\W_]+", spoken) if word]
    ours, offices, beside = (set(map(looks_of, some)) for some in (_OURS, _OFFICES, _BESIDE))
    left = [word for word in words if word not in beside]
    alone = "".join(words) in offices or (bool(left) and offices.issuperset(left))
    seated = _SEAT.search(spoken) or re.fullmatch(r"(?:the)?(?:player|seat)s?[\dlo]*", "".join(words))
    return alone or not ours.isdisjoint(words) or seated is not None
