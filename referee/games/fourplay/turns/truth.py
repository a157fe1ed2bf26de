"""What a line brings about, what it states, and where the two differ (610.c, 610.d, part 4).

A `Truth` is what really happens; its `statement` is what a line says of it in full. What is stated must be true. What
must be stated (610.b, 610.c) is missed unless statements are lenient; what should be (610.d) where they are full. The
owner of what is captured or destroyed need never be named: its square tells it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal, TypeAlias

from referee.core.complaint import Line
from referee.games.fourplay.state import KING
from referee.games.fourplay.turns.actions import Claim, in_order

Fault = tuple[str, str, Mapping[str, Any]]  # code, rule, facts
Misstated = tuple[
    str, str, Mapping[str, Any], Line | None
]  # the same, with the line of a statement of its own

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
    promoted: str = ""
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
    for kind in _SIMPLE:
        found += _simple(kind, stated, truth, statements)
    found += _king(stated, truth)
    found += [*_gem(stated, truth, mover, strict), *_destroyed(stated, truth, strict)]
    found += _received(stated, truth, statements == "full")
    found += [("board_is_odd", "610.b", {}, claim.line) for claim in stated if claim.kind == "board_even"]
    return tuple(found)


_SIMPLE: Final = (
    "mascot_returned",
    "mascot_named",
    "mascot_captured",
    "promoted",
    "neutron_returned",
    "neutron_caught",
)


def fits(stated: Sequence[Claim], captures: Sequence[Taken]) -> bool:
    """Whether the captures stated are those that a move would make, as far as they say (ruling 3)."""
    claims = [claim for claim in stated if claim.kind == "capture"]
    left, wrong = _matched(claims, captures)
    kings = [taken for taken in left if taken.piece == KING]
    if any(claim.kind == "king_captured" for claim in stated) and len(kings) == 1:
        left = [taken for taken in left if taken.piece != KING]
    return not left and not wrong


# --- captures ----------------------------------------------------------------------------------------------------


def _agrees(claim: Claim, taken: Taken) -> bool:
    return (
        claim.piece == taken.piece and claim.player in (0, taken.owner) and claim.square in ("", taken.square)
    )


def _matched(claims: Iterable[Claim], captures: Iterable[Taken]) -> tuple[list[Taken], list[Claim]]:
    """The captures that no claim states and the claims that state none; the more exact claims choose first."""
    left, wrong = list(captures), []
    for claim in sorted(claims, key=lambda c: (not c.square, not c.player)):
        match = next((taken for taken in left if _agrees(claim, taken)), None)
        if match is None:
            wrong.append(claim)
        else:
            left.remove(match)
    return left, wrong


def _captures(stated: Sequence[Claim], truth: Truth, strict: bool) -> Iterable[Misstated]:
    claims = [claim for claim in stated if claim.kind == "capture"]
    left, wrong = _matched(claims, truth.captures)
    for claim in wrong:
        said = {"piece": claim.piece, "player": claim.player, "square": claim.square}
        if left:
            taken = left.pop(0)
            yield "capture_false", "610.c", {**said, "really": _said(taken)}, claim.line
        else:
            yield "capture_none", "610.c", said, claim.line
    named = any(claim.kind == "king_captured" for claim in stated)
    kings = [taken for taken in left if taken.piece == KING]
    if named and len(kings) == 1:
        left = [taken for taken in left if taken.piece != KING]
    if strict:
        yield from (("capture_missing", "610.c", _said(taken), None) for taken in left)


def _said(taken: Taken) -> dict[str, Any]:
    return {"piece": taken.piece, "player": taken.owner, "square": taken.square}


def _king(stated: Sequence[Claim], truth: Truth) -> Iterable[Misstated]:
    claims = [claim for claim in stated if claim.kind == "king_captured"]
    if claims and not any(taken.piece == KING for taken in truth.captures):
        yield "king_captured_false", "610.d", {}, claims[0].line


# --- the rest ----------------------------------------------------------------------------------------------------


def _aggression(stated: Sequence[Claim], truth: Truth, strict: bool) -> Iterable[Misstated]:
    said = {claim.player: claim.line for claim in stated if claim.kind == "aggressive"}
    for player in sorted(set(said) - set(truth.aggressive)):
        yield "aggressive_false", "610.c", {"player": player}, said[player]
    for player in truth.aggressive if strict else ():
        if player not in said:
            captured = any(taken.owner == player for taken in truth.captures)
            yield "aggressive_missing", "610.c", {"player": player, "captured": captured}, None


def _simple(kind: str, stated: Sequence[Claim], truth: Truth, statements: Statements) -> Iterable[Misstated]:
    """Statements that are either true or not."""
    claims = [claim for claim in stated if claim.kind == kind]
    true = {
        "mascot_returned": truth.mascot_returned,
        "mascot_named": truth.mascot_named,
        "mascot_captured": any(taken.mascot for taken in truth.captures),
        "promoted": bool(truth.promoted),
        "neutron_returned": truth.gem is not None,
        "neutron_caught": truth.gem is not None,
    }[kind]
    if claims and not true:
        yield f"{kind}_false", _RULES[kind], {"piece": claims[0].piece}, claims[0].line
    elif any(claim.piece not in ("", truth.promoted) for claim in claims):
        yield "promoted_false", "961", {"piece": claims[0].piece, "really": truth.promoted}, claims[0].line
    if true and not claims and statements in _NEEDED.get(kind, ()):
        yield f"{kind}_missing", _RULES[kind], {"piece": truth.promoted}, None


_NEEDED: Final[Mapping[str, tuple[Statements, ...]]] = {
    "mascot_returned": ("strict", "full"),
    "neutron_returned": ("strict", "full"),
    "mascot_captured": ("full",),
    "promoted": ("full",),
}


def _gem(stated: Sequence[Claim], truth: Truth, mover: int, strict: bool) -> Iterable[Misstated]:
    """One Gem, to the player whose quadrant it is; "received" claims it for the mover (610.b)."""
    claims = [claim for claim in stated if claim.kind == "gem"]
    for claim in claims:
        player = claim.player or mover
        if truth.gem is None:
            yield "gem_none", "905", {"player": player}, claim.line
        elif player != truth.gem:
            yield "gem_false", "905", {"player": player, "really": truth.gem}, claim.line
        elif claim.amount != 1:
            yield "gem_count", "905", {"count": claim.amount}, claim.line
    if truth.gem is not None and not claims and strict:
        yield "gem_missing", "610.b", {"player": truth.gem}, None


def _destroyed(stated: Sequence[Claim], truth: Truth, strict: bool) -> Iterable[Misstated]:
    """At most one piece can be destroyed, so its owner need not be named."""
    claims = [claim for claim in stated if claim.kind == "destroyed"]
    taken = truth.destroyed
    for claim in claims:
        said = {"piece": claim.piece, "player": claim.player}
        if taken is None:
            yield "destroyed_none", "905", said, claim.line
        elif claim.piece != taken.piece or claim.player not in (0, taken.owner):
            yield "destroyed_false", "905", {**said, "really": _said(taken)}, claim.line
    if taken is not None and not claims and strict:
        yield "destroyed_missing", "610.b", _said(taken), None


def _received(stated: Sequence[Claim], truth: Truth, needed: bool) -> Iterable[Misstated]:
    claims = [claim for claim in stated if claim.kind == "received"]
    said = sum(claim.amount for claim in claims)
    if claims and said != truth.received:
        yield "received_false", "610.d", {"stated": said, "amount": truth.received}, claims[0].line
    elif not claims and truth.received and needed:
        yield "received_missing", "610.d", {"amount": truth.received}, None
