"""What of a part of an answer a mail's words name: its roles, each slot once."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Final

from referee.core.answers import Part
from referee.language.hearing import Mention

WHOLE: Final = 3  # roles of a part: who names so many means it, whatever stands between them
BINDING: Final = frozenset(("accept", "claim", "resign", "leave", "state"))
SAYS: Final[Mapping[str, frozenset[str]]] = dict.fromkeys(
    ("play", "state"), frozenset(("play", "take", "join"))
)
WORDLESS: Final = frozenset(("play", "state", "offer", "accept", "claim"))  # said by a value alone
ORDERING: Final = BINDING | WORDLESS - {"state"} | {"take", "pass", "decline", "ready", "undo"}
POINT: Final = re.compile(r"[a-z]\d")
PLACE: Final = re.compile(r"[a-z]\d{1,2}")


def values_of(mentions: Iterable[Mention]) -> tuple[str, ...]:
    """What they name, in their order."""
    return tuple(dict.fromkeys(v for mention in mentions for v in (*mention.values, *mention.pieces)))


def joined(mentions: Sequence[Mention]) -> tuple[str, ...]:
    """What they name, and what a letter and a number beside it name together; behind a piece's letter too ("Nb4")."""
    pairs = pairwise(values_of((one,)) for one in mentions)
    joined = (a + b for these, those in pairs for a in these for b in those)
    led = (value[1:] for value in values_of(mentions))
    return (*values_of(mentions), *filter(PLACE.fullmatch, (*joined, *led)))


def says(verbs: frozenset[str], part: Part) -> bool:
    """Whether these verbs say the part; no verb at all, what a value alone may say."""
    return bool(verbs & SAYS.get(part.group, frozenset((part.group,)))) if verbs else part.group in WORDLESS


def roles_of(part: Part, mentions: Sequence[Mention]) -> list[str] | None:
    """The roles of a part that the mentions name, one after another, each slot once; None where one names none. "Red
    h7" may be "rh7", where "black 3" is no "b3"."""
    sides, values = part.roles, part.values
    pairs = ((a.values[0], b.values[0]) for a, b in pairwise(mentions) if a.values[0] in sides)
    for side, point in pairs:
        halves = {value[0] for value in values if value[1:] == point}
        if halves and side[0] not in halves:
            return None  # "red on a5" is no "ba5"
    apart, joined = _roles_in(part, mentions, join=False), _roles_in(part, mentions, join=True)
    return joined if apart is None or (joined and len(joined) > len(apart)) else apart


def _roles_in(part: Part, mentions: Sequence[Mention], *, join: bool) -> list[str] | None:
    roles, free = list[str](), list(part.slots)
    points = [value for mention in mentions for value in mention.values if len(value) > 1]
    passed = list[Mention]()
    for at, mention in enumerate(mentions):
        if mention in passed or all(of_points(value, points) for value in mention.values):
            continue  # "on g: red on g1"
        after = mentions[at + 1 : at + 2]
        whole = {
            f"{word[0]}{v}" for one in after for v in one.values for word in mention.values if word.isalpha()
        }
        if join and (joined := next((slot for slot in free if slot[1] in whole), None)):
            role, value = joined
            free = [slot for slot in free if slot not in (joined, (role, value[1:]))]
            alone = [next((s for s in free if s[1] in one.values), joined) for one in (mention, *after)]
            roles += [role, *(of for of, _ in alone)]  # "red on e" names the column too
            free = [slot for slot in free if slot not in alone]
            passed += after
            continue
        for values in ((mention.values,), tuple((piece,) for piece in mention.pieces)):
            rest, taken = list(free), list[tuple[str, str]]()
            for one in values:
                taken += [slot for slot in rest if slot[1] in one][:1]
                rest = [slot for slot in free if slot not in taken]
            if values and len(taken) == len(values):
                break
        else:
            if mention.values[0].isalpha() and any(mention.values == one.values for one in mentions[:at]):
                continue  # a side that is said again
            return None
        roles += [role for role, _ in taken]
        free = rest
    return roles


def of_points(letter: str, points: Iterable[str]) -> bool:
    """Whether some of the points stand in a column."""
    return letter.isalpha() and any(point[:1] == letter and point[1:].isdigit() for point in points)


def named_of(part: Part, mentions: Sequence[Mention], led: Container[Mention]) -> tuple[int, ...]:
    """How many roles of a part some mentions name, and how many of these; how well they stand in its order, and how
    far apart. () where these are too few to tell it from others: of one role a point, or what is `led` to."""
    values = part.values
    pieces = {piece for value in values if PLACE.fullmatch(value) for piece in (value[:1], value[1:])}
    found: tuple[int, ...] = ()
    for said in (values, values | pieces) if part.group in SAYS else ():
        at = [n for n, m in enumerate(mentions) if not said.isdisjoint(values_of((m,)))]
        named = [mentions[n] for n in at]
        letters = {m.values[0] for m in mentions if len(m.values[0]) == 1 and m.values[0].isalpha()}
        pointed = any(m in led or any(map(POINT.match, m.values)) for m in named)
        whole = pointed or letters <= set(values_of(named))  # else of columns not all
        roles = (roles_of(part, named) or []) if whole else []
        if len(roles) > 1 or (roles and pointed):
            turned = "to" in roles and "from" in roles[roles.index("to") :]
            found = max(found, (len({*roles}), len(roles), not turned, at[0] - at[-1]))
    return found
