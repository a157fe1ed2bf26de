"""What a line brings about, what it states, and where the two differ (610.c, 610.d, part 4).

An `Effect` is what really happens; its `statement` is what a line says of it in full. What is
stated must be true. What must be stated (610.b, 610.c) is missed unless statements are lenient;
what should be (610.d) where they are full. The owner of what is captured or destroyed need never be
named: its square tells it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from referee.core.complaint import Complaint
from referee.games.fourplay.actions import Claim, ClaimKind, in_order
from referee.games.fourplay.state import KING

Said: TypeAlias = tuple[int, Claim]  # a claim with its place among those of its line
Statements: TypeAlias = Literal["strict", "full", "lenient"]


@dataclass(frozen=True, slots=True)
class Taken:
    """A piece that a line captures or destroys."""

    id: int
    piece: str
    owner: int
    square: str
    mascot: bool = False

    @property
    def facts(self) -> dict[str, object]:
        return {"piece": self.piece, "player": self.owner, "square": self.square}


@dataclass(frozen=True, slots=True)
class Effect:
    """What a line brings about. `where` asks for the captured pieces' squares in the statement (a
    shot); `gem` is the player who gets one, and then the Neutron returned to the centre."""

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

    def happened(self, kind: ClaimKind) -> bool:
        """Whether a statement that is either true or not is true."""
        if kind in ("neutron_returned", "neutron_caught"):
            return self.gem is not None
        if kind in ("mascot_captured", "king_captured"):
            king = kind == "king_captured"
            return any(taken.piece == KING if king else taken.mascot for taken in self.captures)
        if kind == "promoted":
            return bool(self.becomes)
        return self.mascot_returned if kind == "mascot_returned" else self.mascot_named


def statement(effect: Effect) -> tuple[Claim, ...]:
    """The claims that say all of an effect, in canonical order. A promotion is stated only where it must be."""
    claims = [Claim("mascot_returned")] if effect.mascot_returned else []
    if effect.mascot_named:
        claims.append(Claim("mascot_named"))
    if effect.not_mascot:
        claims.append(Claim("not_mascot"))
    if effect.promoted and effect.in_full:
        claims.append(Claim("promoted", effect.promoted))
    for taken in effect.captures:
        claims.append(Claim("capture", taken.piece, taken.owner, taken.square if effect.where else ""))
    if any(taken.mascot for taken in effect.captures):
        claims.append(Claim("mascot_captured"))
    claims += [Claim("aggressive", player=player) for player in effect.aggressive]
    if effect.gem is not None:
        claims += [Claim("gem", player=effect.gem, amount=1), Claim("neutron_returned")]
    if effect.destroyed is not None:
        claims.append(Claim("destroyed", effect.destroyed.piece, effect.destroyed.owner))
    if effect.received:
        claims.append(Claim("received", amount=effect.received))
    return in_order(claims)


# Statements that are either true or not: the clause, and under which option each must be made.
_SIMPLE: Final[Mapping[ClaimKind, tuple[str, tuple[Statements, ...]]]] = {
    "mascot_returned": ("610.d", ("strict", "full")),
    "mascot_named": ("605.E", ()),
    "mascot_captured": ("610.d", ("full",)),
    "promoted": ("961", ("full",)),
    "neutron_returned": ("610.b", ("strict", "full")),
    "neutron_caught": ("610.b", ()),
    "king_captured": ("610.d", ()),
}


def faults(
    stated: Sequence[Claim], effect: Effect, mover: int, statements: Statements
) -> Iterator[Complaint]:
    """Every false statement, a complaint of that claim, and every one that is missing though it
    must be there. What is misstated is not also missing."""
    strict = statements != "lenient"
    yield from _captures(stated, effect, strict)
    yield from _aggression(stated, effect, strict)
    for kind, (rule, needed) in _SIMPLE.items():
        yield from _simple(kind, rule, _said(stated, kind), effect, statements in needed)
    yield from _gem(stated, effect, mover, strict)
    yield from _destroyed(stated, effect, strict)
    sums = _said(stated, "received")
    said = sum(claim.amount for _, claim in sums)
    if sums and said != effect.received:
        yield _false("received_false", "610.d", sums[0][0], stated=said, amount=effect.received)
    elif not sums and effect.received and statements == "full":
        yield Complaint("received_missing", "610.d", facts={"amount": effect.received})
    yield from (_false("board_is_odd", "610.b", place) for place, _ in _said(stated, "board_even"))


def _said(stated: Sequence[Claim], kind: ClaimKind) -> list[Said]:
    return [(place, claim) for place, claim in enumerate(stated) if claim.kind == kind]


def _false(code: str, rule: str, place: int, **facts: object) -> Complaint:
    return Complaint(code, rule, facts=facts, part=f"claims.{place}")


def fits(stated: Sequence[Claim], captures: Sequence[Taken]) -> bool:
    """Whether the captures stated are those that a move would make, as far as they say (ruling 3)."""
    left, wrong = _matched(_said(stated, "capture"), captures)
    return not _beside_the_king(stated, left) and not wrong


def _matched(claims: Iterable[Said], captures: Iterable[Taken]) -> tuple[list[Taken], list[Said]]:
    """The captures that no claim states and the claims that state none; the more exact claims choose first."""
    left, wrong = list(captures), []
    for place, claim in sorted(claims, key=lambda said: (not said[1].square, not said[1].player)):
        for taken in left:
            where = claim.player in (0, taken.owner) and claim.square in ("", taken.square)
            if claim.piece == taken.piece and where:
                left.remove(taken)
                break
        else:
            wrong.append((place, claim))
    return left, wrong


def _beside_the_king(stated: Sequence[Claim], left: list[Taken]) -> list[Taken]:
    """What is still unstated where `King captured` states the capture of the only King among it."""
    kings = [taken for taken in left if taken.piece == KING]
    told = len(kings) == 1 and _said(stated, "king_captured")
    return [taken for taken in left if taken.piece != KING] if told else left


def _captures(stated: Sequence[Claim], effect: Effect, strict: bool) -> Iterator[Complaint]:
    left, wrong = _matched(_said(stated, "capture"), effect.captures)
    for place, claim in wrong:
        said = {"piece": claim.piece, "player": claim.player, "square": claim.square}
        if left:
            yield _false("capture_false", "610.c", place, **said, really=left.pop(0).facts)
        else:
            yield _false("capture_none", "610.c", place, **said)
    for taken in _beside_the_king(stated, left) if strict else ():
        yield Complaint("capture_missing", "610.c", facts=taken.facts)


def _aggression(stated: Sequence[Claim], effect: Effect, strict: bool) -> Iterator[Complaint]:
    said = {claim.player: place for place, claim in _said(stated, "aggressive")}
    for player in sorted(set(said) - set(effect.aggressive)):
        yield _false("aggressive_false", "610.c", said[player], player=player)
    for player in effect.aggressive if strict else ():
        if player not in said:
            captured = any(taken.owner == player for taken in effect.captures)
            yield Complaint("aggressive_missing", "610.c", facts={"player": player, "captured": captured})


def _simple(
    kind: ClaimKind, rule: str, claims: Sequence[Said], effect: Effect, needed: bool
) -> Iterator[Complaint]:
    happened = effect.happened(kind)
    if claims and not happened:
        yield _false(f"{kind}_false", rule, claims[0][0], piece=claims[0][1].piece)
    elif any(claim.piece not in ("", effect.becomes) for _, claim in claims):
        yield _false("promoted_false", "961", claims[0][0], piece=claims[0][1].piece, really=effect.becomes)
    elif not claims and needed and (effect.promoted if kind == "promoted" else happened):
        yield Complaint(f"{kind}_missing", rule, facts={"piece": effect.promoted})


def _gem(stated: Sequence[Claim], effect: Effect, mover: int, strict: bool) -> Iterator[Complaint]:
    """One Gem, to the player whose quadrant it is; "received" claims it for the mover (610.b)."""
    claims = _said(stated, "gem")
    for place, claim in claims:
        player = claim.player or mover
        if effect.gem is None:
            yield _false("gem_none", "905", place, player=player)
        elif player != effect.gem:
            yield _false("gem_false", "905", place, player=player, really=effect.gem)
        elif claim.amount != 1:
            yield _false("gem_count", "905", place, count=claim.amount)
    if effect.gem is not None and not claims and strict:
        yield Complaint("gem_missing", "610.b", facts={"player": effect.gem})


def _destroyed(stated: Sequence[Claim], effect: Effect, strict: bool) -> Iterator[Complaint]:
    """At most one piece can be destroyed, so its owner need not be named."""
    claims, taken = _said(stated, "destroyed"), effect.destroyed
    for place, claim in claims:
        if taken is None:
            yield _false("destroyed_none", "905", place, piece=claim.piece, player=claim.player)
        elif claim.piece != taken.piece or claim.player not in (0, taken.owner):
            said = {"piece": claim.piece, "player": claim.player}
            yield _false("destroyed_false", "905", place, **said, really=taken.facts)
    if taken is not None and not claims and strict:
        yield Complaint("destroyed_missing", "610.b", facts=taken.facts)
