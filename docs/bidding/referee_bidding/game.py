"""Sealed bids for two. The rules B1 to B4 stand in `templates/bidding/rules.j2`."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Any

from referee.core.answers import Named, Part, Reading, Said, pointed_at
from referee.core.chance import Chance
from referee.core.duel import BOTH, shared
from referee.core.game import Game, Opening, Outcome, Setup, View
from referee.core.options import Options
from referee.core.orders.keyed import KeyedAnswer, Sheet, SheetEntry, Wording, small
from referee.core.value import Complaint, Demand, Lapse, Line, Recorder, Round
from referee_bidding import TITLES


@dataclass(frozen=True, slots=True)
class SaleOpened:
    coins: int = 0
    lots: int = 0
    window: timedelta = timedelta()


@dataclass(frozen=True, slots=True)
class ReserveLeft:  # a secret: nobody but its player knows of it
    seat: int
    coins: int


@dataclass(frozen=True, slots=True)
class LotSold:  # `late` are seats whose reserve was bid for them (B4)
    bids: tuple[int, int]
    late: tuple[int, ...]


Event = SaleOpened | ReserveLeft | LotSold


@dataclass(frozen=True, slots=True)
class State:
    """`lot` is the number of the lot on sale, and its worth; `coins`, `points` and `reserve` (0: none) are by seat."""

    rules: SaleOpened = SaleOpened()
    lot: int = 1
    coins: tuple[int, ...] = (0, 0)
    points: tuple[int, ...] = (0, 0)
    reserve: tuple[int, ...] = (0, 0)


def fold(s: State, e: Event) -> State:
    match e:
        case SaleOpened(coins):
            return State(e, coins=(coins, coins))
        case ReserveLeft(seat, coins):
            return replace(s, reserve=tuple(coins if of == seat else s.reserve[of - 1] for of in BOTH))
        case LotSold(bids):
            won = (s.lot * (bids[0] > bids[1]), s.lot * (bids[1] > bids[0]))
            left, points = zip(*((s.coins[i] - bids[i], s.points[i] + won[i]) for i in (0, 1)), strict=True)
            return State(s.rules, s.lot + 1, left, points)


@dataclass(frozen=True, slots=True)
class Coins:
    coins: int


def _valued(order: str, value: str, line: Line) -> Iterable[SheetEntry[Any] | Complaint]:
    low = small(value)
    number = low.removesuffix("s").removesuffix("coin").strip()
    if number.isascii() and number.isdigit() and len(number) < 7:
        yield SheetEntry(order, int(number), line)
    else:
        yield Complaint("no_number", "B2", line, {"given": low})


NOTATION = Wording(
    keys="bid, bids | reserve, reserves",
    valued=_valued,
    rule="B2",
)
MEANS = {"bid": "Bid", "reserve": "Reserve"}  # of both in one mail the first decides


class Bid(KeyedAnswer[State, Event, Coins]):
    kind, begins = "Bid", "Bid:"
    notation, means, group = NOTATION, MEANS, "play"

    def understood(self, state: State, demand: Demand, sheet: Sheet[Any]) -> Reading[Coins]:
        wrong = [Complaint("one_bid", "B2", entry.line) for entry in sheet.entries[1:]]
        bid = Coins(sheet.entries[0].value) if sheet.entries else None
        return self.reading(sheet, bid, wrong, sheet.line("bid", "reserve", part="coins"))

    def possible(self, state: State, demand: Demand, said: Said, named: Named) -> Iterator[Part]:
        most = -1 if said else state.coins[demand.seat - 1]
        bids = (Part(f"{self.begins} {n}", (("coins", str(n)),), self.group) for n in range(most + 1))
        return pointed_at(bids, named)

    def check(self, state: State, demand: Demand, action: Coins) -> Iterable[Complaint]:
        if action.coins > (left := state.coins[demand.seat - 1]):
            yield Complaint("too_much", "B1", facts={"coins": action.coins, "left": left}, part="coins")

    def write(self, state: State, demand: Demand, action: Coins) -> str:
        return f"{self.begins} {action.coins}"

    def again(self, entry: SheetEntry[Any]) -> str:
        return f"{entry.order.capitalize()}: {entry.value}"

    def follow(self, record: Recorder[State, Event], answers: Mapping[Demand, Coins | Lapse]) -> None:
        state = record.state
        said = {demand.seat: answer for demand, answer in answers.items()}
        late = tuple(seat for seat in BOTH if isinstance(said[seat], Lapse))
        bids = [state.reserve[seat - 1] if isinstance(a := said[seat], Lapse) else a.coins for seat in BOTH]
        record.tell(LotSold((bids[0], bids[1]), late))

    def suggest(self, state: State, demand: Demand, chance: Chance) -> Coins:
        return Coins(chance.below(state.coins[demand.seat - 1] // 2 + 1, "how much"))


class Reserve(Bid):
    kind, begins, group = "Reserve", "Reserve:", "reserve"

    def follow(self, record: Recorder[State, Event], answers: Mapping[Demand, Coins | Lapse]) -> None:
        record.tell(*(ReserveLeft(d.seat, a.coins) for d, a in answers.items() if isinstance(a, Coins)))

    def public(self, action: Coins) -> None:
        return None


class Bidding(Game[State, Event]):
    slug, titles, answers, evolve = "bidding", TITLES, (Bid(), Reserve()), staticmethod(fold)

    def seats(self, options: Options) -> tuple[int, ...]:
        return (2,)

    def opening(self, setup: Setup, chance: Chance) -> Opening[Event]:
        o = setup.options
        return Opening(BOTH, (SaleOpened(o.count("coins"), o.count("lots"), o.duration("window")),))

    def due(self, state: State) -> tuple[Round, ...]:
        bids = tuple(Demand("Bid", seat) for seat in BOTH)
        sale = Round(f"Lot {state.lot}", bids, state.rules.window, sealed=True, answers="last")
        return (sale,) if state.lot <= state.rules.lots else ()

    def open_to(self, state: State, seat: int) -> tuple[Demand, ...]:
        return (Demand("Reserve", seat),) if self.due(state) and seat in BOTH else ()

    def view(self, state: State, seat: int | None) -> View:
        position = {"lot": state.lot, "coins": list(state.coins), "points": list(state.points)}
        phase = "Sale" if self.due(state) else "Ended"
        return View(phase, position, facts={**position, "rules": state.rules})

    def outcome(self, state: State) -> Outcome | None:
        best = tuple(seat for seat in BOTH if state.points[seat - 1] == max(state.points))
        return None if self.due(state) else shared(best if len(best) == 1 else (), "All lots are sold.")

    def secret_to(self, event: Event) -> int | None:
        return event.seat if isinstance(event, ReserveLeft) else None


GAME = Bidding()
