"""A match at the seam alone: mails in, complaints or events out, every value through JSON on its way."""

from __future__ import annotations

from referee.core import seam
from referee.core.game import Setup
from referee.core.seam import Standing
from referee.core.value import LAPSED, REFEREE, Demand
from referee.games.onepiece.game import GAME
from tests.games.at_the_seam import AtTheSeam, chosen

E3 = "Ra1Bb1 Rb2Bb3 Rf1Bg1 Rc2Bc1 Rd2Bd1 Rc3Bd3 Re2Be1"
E5 = (
    "Rc1Bd1 Re1Be2 Rd3Bd2 Rf1Bf2 Rc2Bc3 Rc4Bc5 Rg1Bh1 Re4Be3 Rd4Bd5 Rg2Bg3 "
    "Ra1Ba2 Re6Be5 Rh3Bh2 Rg4Bg5 Rh4Bh5 Rd6Bd7 Ra4Ba3 Rg6Bh6 Rh7Bg7 Re8Be7"
)
E6 = "Rd1Be1 Rd3Bd2 Rc1Bb1 Re3Be2 Rf1Bf2 Ra1Ba2 Rb2Bc2"
K2 = "Re1Be2 Rc1Bd1 Rb1Ba1 Rc3Bc2 Rg2Bg1 Rh1Bh2 Re4Be3 Rg3Bh3 Rf2Bf1"
# Red begins; after ply 9 red forces a win at exactly ply 13 (found by search among drawn positions).
EXACT4 = "Rh2Bh1 Rf1Bg1 Rd1Be1 Rf3Bf2 Rg3Bg2 Rc2Bc1 Re2Bd2 Rh3Bh4 Rf4Bg4"


def set_up(seats: int, **given: str) -> Setup:
    return Setup(chosen("onepiece", given), {}, seats)


class Table(AtTheSeam):
    """One match."""

    game = GAME
    wordless = frozenset({"GameBegun", "LawAmended"})

    def __init__(self, seats: int = 2, draw: int = 1, **given: str) -> None:
        super().__init__(set_up(seats, **given), draw)

    @property
    def owed(self) -> list[tuple[str, int]]:
        return [(demand.kind, demand.seat) for demand in self.owing()]

    @property
    def board(self) -> list[str]:
        return list(GAME.view(self.state, None).position["board"])

    @property
    def goes_on(self) -> bool:
        return GAME.outcome(self.state) is None

    @property
    def ending(self) -> tuple[tuple[int, ...], dict[int, str]]:
        """Who won, and what each has got."""
        outcome = GAME.outcome(self.state)
        return outcome.winners, {seat: str(points) for seat, points in outcome.points.items()}

    def act(self, step: str) -> None:
        """Also plies, by whoever is to move: "Rd1Be1 Ra1Ba2"."""
        if step[:1].isdigit() or step == "lapse":
            super().act(step)
        else:
            self.play(step)

    def owing(self) -> tuple[Demand, ...]:
        return tuple(d for r in GAME.due(self.state) for d in r.demands)

    def lapse(self, label: str | None = None) -> None:
        """The deadline of all that is owed."""
        self.happen(seam.resolve(GAME, self.state, dict.fromkeys(self.owing(), LAPSED)))

    def rule(self, nodes: int = 50_000_000) -> None:
        """The referee's own answer, where one is owed."""
        (demand,) = self.owing()
        assert demand.seat == REFEREE
        action = GAME.compute(self.state, demand, nodes)
        assert not Standing(GAME, self.state).check(demand, action)
        self.answer(demand, action)

    def play(self, text: str) -> Table:
        """Plies by whoever is to move, parted by spaces."""
        for word in text.split():
            complaints = self.mail(self.state.mover, f"Move: {word}")
            assert not complaints, (word, complaints)
        return self

    def codes(self, seat: int, text: str, heading: str = "Move") -> list[str]:
        """The codes of the complaints about a mail that must be refused."""
        codes = super().codes(seat, text, heading)
        assert codes, f"{text!r} was accepted"
        return codes


def two(**given: str) -> Table:
    """Two players; player 1 begins and is red, unless the options say otherwise."""
    return Table(2, **{"starter": "1", "colours": "red", "edge": "south", **given})


def four(**given: str) -> Table:
    """The tournament: players 1 and 3 are red."""
    return Table(4, **{"colours": "red", "edge": "south", **given})
