"""What a line brings about, what it states, and where the two differ (610.c, 610.d, part 4).

A `Truth` is what really happens; its `statement` is what a line says of it in full. What is stated must be true. What
must be stated (610.b, 610.c) is missed unless statements are lenient; what should be (610.d) where they are full. The
owner of what is captured or destroyed need never be named: its square tells it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal, NamedTuple, TypeAlias

from referee.games.fourplay.actions import Claim, ClaimKind, in_order
from referee.games.fourplay.state import KING

Said: TypeAlias = tuple[int, Claim]  # a claim with its place among those of its line


class Misstated(NamedTuple):
    """A statement that is false, or missing: a complaint of the claim at that place, or of the line as a whole."""

    code: str
    rule: str
    facts: Mapping[str, object]
    claim: int | None = None


_RULES: Final = {
    "mascot_returned": "610.d",
    "mascot_named": "605.E",
    "capture": "610.c",
    "king_captured": "610.d",
    "mascot_captured": "610.d",
    "promoted": "961",
    "aggressive": "610.c",
    "neutron_caught": "610.b",
    "gem": "610.b",
    "neutron_returned": "610.b",
    "destroyed": "610.b",
    "received": "610.d",
    "board_even": "610.b",
}


@dataclass(frozen=True, slots=True)
class Taken:
    """A piece that a line captures or destroys."""

    id: int
    piece: str
    owner: int
    square: str
    mascot: bool = False


@dataclass(frozen=True, slots=True)
class Truth:
    """What a line brings about. `where` asks for the captured pieces' squares in the statement (a shot);
    `gem` is the player who gets one, and then the Neutron returned to the centre."""

    captures: tuple[Taken, ...] = ()
    where: bool = False
    becomes: str = ""  # what a piece that turns into its victim is after it, be it what it was (961)
    promoted: str = ""  # the same where it is another kind than before
    in_full: bool = False  # a promotion is stated too (610.d)
    aggressive: tuple[int, ...] = ()
    received: int = 0
    gem: int | None = None
    destroyed: Taken | None = None
    mascot_returned: bool = False
    not_mascot: bool = False  # it would have been, had the line not said that it is not
    mascot_named: bool = False  # the piece put on the board is the Mascot from now on (605.E)


Statements: TypeAlias = Literal["strict", "full", "lenient"]


def statement(truth: Truth) -> tuple[Claim, ...]:
    """The claims that say the whole truth, in canonical order. A promotion is stated only where it must be."""
    claims = [Claim("mascot_returned")] if truth.mascot_returned else []
    if truth.mascot_named:
        claims.append(Claim("mascot_named"))
    if truth.not_mascot:
        claims.append(Claim("not_mascot"))
    if truth.promoted and truth.in_full:
        claims.append(Claim("promoted", truth.promoted))
    for taken in truth.captures:
        claims.append(Claim("capture", taken.piece, taken.owner, taken.square if truth.where else ""))
    if any(taken.mascot for taken in truth.captures):
        claims.append(Claim("mascot_captured"))
    claims += [Claim("aggressive", player=player) for player in truth.aggressive]
    if truth.gem is not None:
        claims += [Claim("gem", player=truth.gem, amount=1), Claim("neutron_returned")]
    if truth.destroyed is not None:
        claims.append(Claim("destroyed", truth.destroyed.piece, truth.destroyed.owner))
    if truth.received:
        claims.append(Claim("received", amount=truth.received))
    return in_order(claims)


def faults(
    stated: Sequence[Claim], truth: Truth, mover: int, statements: Statements
) -> tuple[Misstated, ...]:
    """Every false statement, and every one that is missing though it must be there. What is misstated is not also
    missing."""
    strict = statements != "lenient"
    found = [*_captures(stated, truth, strict), *_aggression(stated, truth, strict)]
    found += _simple(stated, truth, statements)
    found += _king(stated, truth)
    found += [*_gem(stated, truth, mover, strict), *_destroyed(stated, truth, strict)]
    found += _received(stated, truth, statements == "full")
    found += [Misstated("board_is_odd", "610.b", {}, place) for place, _ in _said(stated, "board_even")]
    return tuple(found)


def _said(stated: Sequence[Claim], kind: ClaimKind) -> list[Said]:
    return [(place, claim) for place, claim in enumerate(stated) if claim.kind == kind]


def fits(stated: Sequence[Claim], captures: Sequence[Taken]) -> bool:
    """Whether the captures stated are those that a move would make, as far as they say (ruling 3)."""
    left, wrong = _matched(_said(stated, "capture"), captures)
    return not _beside_the_king(stated, left) and not wrong


# --- captures ----------------------------------------------------------------------------------------------------


def _agrees(claim: Claim, taken: Taken) -> bool:
    same_place = claim.player in (0, taken.owner) and claim.square in ("", taken.square)
    return claim.piece == taken.piece and same_place


def _matched(claims: Iterable[Said], captures: Iterable[Taken]) -> tuple[list[Taken], list[Said]]:
    """The captures that no claim states and the claims that state none; the more exact claims choose first."""
    left, wrong = list(captures), []
    for place, claim in sorted(claims, key=lambda said: (not said[1].square, not said[1].player)):
        match = next((taken for taken in left if _agrees(claim, taken)), None)
        if match is None:
            wrong.append((place, claim))
        else:
            left.remove(match)
    return left, wrong


def _beside_the_king(stated: Sequence[Claim], left: list[Taken]) -> list[Taken]:
    """What is still unstated where `King captured` states the capture of the only King among it."""
    kings = [taken for taken in left if taken.piece == KING]
    told = len(kings) == 1 and _said(stated, "king_captured")
    return [taken for taken in left if taken.piece != KING] if told else left


def _captures(stated: Sequence[Claim], truth: Truth, strict: bool) -> Iterable[Misstated]:
    left, wrong = _matched(_said(stated, "capture"), truth.captures)
    for place, claim in wrong:
        said = {"piece": claim.piece, "player": claim.player, "square": claim.square}
        if left:
            yield Misstated("capture_false", "610.c", {**said, "really": _facts(left.pop(0))}, place)
        else:
            yield Misstated("capture_none", "610.c", said, place)
    for taken in _beside_the_king(stated, left) if strict else ():
        yield Misstated("capture_missing", "610.c", _facts(taken))


def _facts(taken: Taken) -> dict[str, object]:
    return {"piece": taken.piece, "player": taken.owner, "square": taken.square}


def _king(stated: Sequence[Claim], truth: Truth) -> Iterable[Misstated]:
    claims = _said(stated, "king_captured")
    if claims and not any(taken.piece == KING for taken in truth.captures):
        yield Misstated("king_captured_false", "610.d", {}, claims[0][0])


# --- the rest ----------------------------------------------------------------------------------------------------


def _aggression(stated: Sequence[Claim], truth: Truth, strict: bool) -> Iterable[Misstated]:
    said = {claim.player: place for place, claim in _said(stated, "aggressive")}
    for player in sorted(set(said) - set(truth.aggressive)):
        yield Misstated("aggressive_false", "610.c", {"player": player}, said[player])
    for player in truth.aggressive if strict else ():
        if player not in said:
            captured = any(taken.owner == player for taken in truth.captures)
            yield Misstated("aggressive_missing", "610.c", {"player": player, "captured": captured})


def _simple(stated: Sequence[Claim], truth: Truth, statements: Statements) -> Iterable[Misstated]:
    """Statements that are either true or not."""
    really: dict[ClaimKind, bool] = {
        "mascot_returned": truth.mascot_returned,
        "mascot_named": truth.mascot_named,
        "mascot_captured": any(taken.mascot for taken in truth.captures),
        "promoted": bool(truth.becomes),
        "neutron_returned": truth.gem is not None,
        "neutron_caught": truth.gem is not None,
    }
    needed = {**really, "promoted": bool(truth.promoted)}  # that it stays what it was need not be said
    for kind, true in really.items():
        claims = _said(stated, kind)
        if claims and not true:
            place, first = claims[0]
            yield Misstated(f"{kind}_false", _RULES[kind], {"piece": first.piece}, place)
        elif any(claim.piece not in ("", truth.becomes) for _, claim in claims):
            place, first = claims[0]
            facts = {"piece": first.piece, "really": truth.becomes}
            yield Misstated("promoted_false", "961", facts, place)
        elif not claims and needed[kind] and statements in _NEEDED.get(kind, ()):
            yield Misstated(f"{kind}_missing", _RULES[kind], {"piece": truth.promoted})


_NEEDED: Final[Mapping[str, tuple[Statements, ...]]] = {
    "mascot_returned": ("strict", "full"),
    "neutron_returned": ("strict", "full"),
    "mascot_captured": ("full",),
    "promoted": ("full",),
}


def _gem(stated: Sequence[Claim], truth: Truth, mover: int, strict: bool) -> Iterable[Misstated]:
    """One Gem, to the player whose quadrant it is; "received" claims it for the mover (610.b)."""
    claims = _said(stated, "gem")
    for place, claim in claims:
        player = claim.player or mover
        if truth.gem is None:
            yield Misstated("gem_none", "905", {"player": player}, place)
        elif player != truth.gem:
            yield Misstated("gem_false", "905", {"player": player, "really": truth.gem}, place)
        elif claim.amount != 1:
            yield Misstated("gem_count", "905", {"count": claim.amount}, place)
    if truth.gem is not None and not claims and strict:
        yield Misstated("gem_missing", "610.b", {"player": truth.gem})


def _destroyed(stated: Sequence[Claim], truth: Truth, strict: bool) -> Iterable[Misstated]:
    """At most one piece can be destroyed, so its owner need not be named."""
    claims = _said(stated, "destroyed")
    taken = truth.destroyed
    for place, claim in claims:
        said = {"piece": claim.piece, "player": claim.player}
        if taken is None:
            yield Misstated("destroyed_none", "905", said, place)
        elif claim.piece != taken.piece or claim.player not in (0, taken.owner):
            yield Misstated("destroyed_false", "905", {**said, "really": _facts(taken)}, place)
    if taken is not None and not claims and strict:
        yield Misstated("destroyed_missing", "610.b", _facts(taken))


def _received(stated: Sequence[Claim], truth: Truth, needed: bool) -> Iterable[Misstated]:
    claims = _said(stated, "received")
    said = sum(claim.amount for _, claim in claims)
    if claims and said != truth.received:
        yield Misstated("received_false", "610.d", {"stated": said, "amount": truth.received}, claims[0][0])
    elif not claims and truth.received and needed:
        yield Misstated("received_missing", "610.d", {"amount": truth.received})
