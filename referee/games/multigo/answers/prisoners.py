"""The choice of prisoners (2.5), and the standing order that makes it needless."""

from __future__ import annotations

from collections.abc import Iterator

from referee.core.chance import Chance
from referee.core.complaint import Complaint
from referee.core.owing import Demand
from referee.core.replacing import replace
from referee.games.multigo import events as ev
from referee.games.multigo.actions import Prefer, Take
from referee.games.multigo.answers.answer import GoAnswer
from referee.games.multigo.answers.forms import preference, stones, written
from referee.games.multigo.answers.notation import colour_of, counts_in
from referee.games.multigo.answers.reading import Said
from referee.games.multigo.board.points import COLOURS
from referee.games.multigo.folding import Told
from referee.games.multigo.play.choices import by_order, chooser, own_too_soon, take, take_usual
from referee.games.multigo.state import State, counts, name_of, tallied


class TakeAnswer(GoAnswer[Take]):
    """A seat's whole share of one shared capture."""

    kind = "Take"
    headings = ("Take",)
    actions = (Take,)
    fits = frozenset({"take", "prefer", "comment"})
    begins = "Take:"
    closing = "Comment:"

    def said(self, mail: Said) -> Take | None:
        prefer = mail.prefer()
        entry = mail.the("take", part="stones")
        if entry is None:
            return None
        items = counts_in(entry.value)
        if items is None:
            mail.complain("no_counts", "2.5", entry.line, text=entry.value)
            return None
        numbers = [0] * mail.state.law.players
        for number, word in items:
            if colour := mail.colour(word, entry.line):
                numbers[colour - 1] += number
        return Take(counts(tuple(numbers)), prefer, mail.words())

    def bare(self, state: State, demand: Demand, text: str) -> tuple[str, ...]:
        """Counts; of a single prisoner the colour alone."""
        colours = [colour_of(word, state.law.players) for _, word in counts_in(text) or ()]
        if colours and None not in colours:
            return (f"Take: {text}",)
        owed = chooser(state)
        single = owed is not None and owed[2] == 1 and text.rstrip("s") in COLOURS
        return (f"Take: 1 {text}",) if single else super().bare(state, demand, text)

    def not_now(self, state: State, demand: Demand) -> Complaint:
        owed = chooser(state)
        waits = name_of(owed[1]) if owed and owed[1] != demand.seat else ""
        return Complaint("nothing_to_take", "2.5", facts={"waits": waits})

    def check(self, state: State, demand: Demand, action: Take) -> Iterator[Complaint]:
        yield from prefer_faults(state, action.prefer)
        owed = chooser(state)
        if owed is None:
            return
        head, seat, share = owed
        wanted = tallied(action.stones, state.law.players)
        for colour, (number, there) in enumerate(zip(wanted, head.pool, strict=True), 1):
            if number > there:
                facts = {"colour": COLOURS[colour - 1], "there": there, "given": number}
                yield Complaint("take_not_there", "2.5", facts=facts, part="stones")
        if sum(wanted) != share:
            facts = {"share": share, "given": sum(wanted)}
            yield Complaint("take_total", "2.5", facts=facts, part="stones")
        elif own_too_soon(head.pool, seat, action.stones, share):
            yield Complaint("take_own", "2.5", facts={"colour": COLOURS[seat - 1]}, part="stones")

    def write(self, state: State, demand: Demand, action: Take) -> str:
        return written((f"Take: {stones(action.stones)}", preference(action.prefer)), action.comment)

    def act(self, record: Told, seat: int, action: Take) -> None:
        if action.prefer:
            record.tell(ev.PreferKept(seat, action.prefer))
        take(record, action.stones, "mail", action.comment)

    def lapse(self, record: Told, demand: Demand) -> None:
        take_usual(record, "deadline")

    def suggest(self, state: State, demand: Demand, chance: Chance) -> Take:
        owed = chooser(state)
        if owed is None:
            raise ValueError("nobody has prisoners to choose")
        head, seat, share = owed
        return Take(by_order(head.pool, seat, share, _colours(state, chance)))

    def public(self, action: Take) -> Take:
        return replace(action, prefer=())


class PreferAnswer(GoAnswer[Prefer]):
    """A standing order, sent at any time; private to its seat."""

    kind = "Prefer"
    headings = ("Prefer",)
    actions = (Prefer,)
    fits = frozenset({"prefer"})
    begins = "Prefer:"

    def said(self, mail: Said) -> Prefer | None:
        before = len(mail.complaints)
        colours = mail.prefer("colours")
        if not colours and len(mail.complaints) == before:
            mail.complain("nothing_said", "2.5", key="Prefer")
        return Prefer(colours) if colours else None

    def not_now(self, state: State, demand: Demand) -> Complaint:
        return Complaint("no_choices", "2.5")

    def write(self, state: State, demand: Demand, action: Prefer) -> str:
        return preference(action.colours)

    def act(self, record: Told, seat: int, action: Prefer) -> None:
        record.tell(ev.PreferKept(seat, action.colours))

    def suggest(self, state: State, demand: Demand, chance: Chance) -> Prefer:
        return Prefer(_colours(state, chance))

    def public(self, action: Prefer) -> None:
        return None


def prefer_faults(state: State, colours: tuple[int, ...]) -> Iterator[Complaint]:
    """An order of preference has a use only where captures are shared."""
    if colours and not state.law.shares:
        yield Complaint("no_choices", "2.5", part="prefer")


def _colours(state: State, chance: Chance) -> tuple[int, ...]:
    return chance.shuffle(tuple(range(1, state.law.players + 1)), "colours")
