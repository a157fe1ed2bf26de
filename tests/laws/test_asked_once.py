"""A match's standing is made once: what a mail or a deadline makes the program ask of a game is asked once of a state,
whoever wants it (who judges, stores, writes letters, keeps calendars)."""

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from referee.base.settings import Settings
from referee.core import seam
from referee.core.answers import Body
from referee.core.game import AnyGame, View
from referee.core.orders import keyed
from referee.games import found
from referee.service.config import Located
from referee.service.wiring import running
from tests.laws.walks import KINDS, lines_of, steps
from tests.letters.transcript import BoundedSolver, Play
from tests.memory import MemoryCourier, MemoryMailbox
from tests.rehearsal.restless import TryingPostman
from tests.sampling import one_in

_MAILS = 24  # of each kind
_ASKED = ("due", "open_to", "view", "outcome")


class Questions:
    """How often each thing was asked of each state (of an event, where it is asked of one)."""

    def __init__(self) -> None:
        self.counts: dict[tuple[str, int], Counter[Any]] = {}
        self.answering = False
        self.held: dict[int, Any] = {}  # what was asked about, kept so that no other gets its number

    def note(self, name: str, about: Any, *more: Any) -> None:
        self.held[id(about)] = about
        self.counts.setdefault((name, id(about)), Counter())[more] += 1

    def of(self, name: str) -> list[tuple[Any, Counter[Any]]]:
        return [
            (self.held[number], counts) for (asked, number), counts in self.counts.items() if asked == name
        ]


@contextmanager
def asked_of(game: AnyGame, questions: Questions) -> Iterator[None]:
    """As long as it lasts every question to the game is noted."""

    def noting(name: str, method: Any) -> Any:
        def asked(self: AnyGame, about: Any, *more: Any) -> Any:
            if questions.answering:  # what a game asks itself is its own business
                return method(about, *more)
            questions.note(name, about, *more)
            questions.answering = True
            try:
                return method(about, *more)
            finally:
                questions.answering = False

        return asked

    with pytest.MonkeyPatch.context() as patched:
        for name in _ASKED:
            patched.setattr(type(game), name, noting(name, getattr(game, name)))
        yield


class Counted(Play):
    """A match whose every pass is counted."""

    questions: Questions

    def step(self, what: str) -> None:
        with asked_of(found()[KINDS[self.kind][0]], self.questions):
            super().step(what)


@pytest.mark.one_in(4)
@pytest.mark.parametrize("kind", one_in(3, KINDS))
def test_nothing_is_asked_of_a_state_twice(kind: str, tmp_path: Path) -> None:
    """Receipts, refusals, previews, reveals and lapses, as they come."""
    located = Located(Settings(), tmp_path)
    mailbox, courier = MemoryMailbox(), MemoryCourier()
    with running(located, given_mailbox=mailbox, given_courier=courier) as referee:
        referee.__dict__["solver"] = BoundedSolver()
        play = Counted(kind, referee, mailbox, courier)
        play.questions = Questions()
        while play.mails < _MAILS and play.name.count("-") < 2:
            if not play.name or play.match.status == "ended":
                play.open()
                play.postman = TryingPostman(found()[KINDS[kind][0]], 7, referee.offices.collector)
            assert play.turn()
    game, questions = found()[KINDS[kind][0]], play.questions
    print(kind, {name: len(questions.of(name)) for name in _ASKED}, "states asked,", play.mails, "mails")
    assert len(questions.of("due")) > 4
    for name in _ASKED:
        often = [counts for _, counts in questions.of(name) if max(counts.values()) > 1]
        assert not often, f"{name} was asked more than once of {len(often)} states: {often[:3]}"
    for state, counts in questions.of("view"):
        others = [seat for (seat,) in counts if seat is not None and not game.sees_more(state, seat)]
        assert not others, f"views of {others}, who see what the public sees"


@pytest.mark.one_in(4)
@pytest.mark.parametrize("kind", KINDS)
def test_whoever_sees_no_more_is_shown_what_the_public_is(kind: str) -> None:
    """`sees_more` says no where the view is the public's, but for what no template can tell apart."""
    for step in steps(kind, seed=3):
        standing = step.walk.match.standing
        game, public = standing.game, standing.view(None)
        for seat in step.walk.match.numbers:
            own = game.view(standing.state, seat)
            if game.sees_more(standing.state, seat):
                assert standing.view(seat) == own
            else:
                assert _plain(own) == _plain(public)


def _plain(view: View) -> View:
    """The view without functions, of which no two are equal."""
    return replace(view, facts={name: fact for name, fact in view.facts.items() if not callable(fact)})


# --- a refused answer is mended from what was understood of it (`Reading.understood`) ----------------------------


def _read_again(*_: object) -> None:
    raise AssertionError("the lines are read a second time")


@pytest.mark.one_in(2)
@pytest.mark.parametrize("kind", KINDS)
def test_a_form_is_mended_without_reading_the_mail_again(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    mended = 0
    for step in steps(kind, most=12):
        walk, demand = step.walk, step.demand
        game, state, party = walk.game, walk.match.inner, walk.match.party(demand.seat)
        form = seam.filled_in(game, state, demand, party, step.action)
        for wrong in (f"{form}\nThe first of these pieces wins", form.replace(": ", ": x"), "Comment: well"):
            read = seam.read(game, state, demand, Body(lines_of(wrong)), party)
            with monkeypatch.context() as patched:
                patched.setattr(keyed, "Sheet", _read_again)
                assert seam.form(game, state, demand, party, read).text
            mended += bool(read.orders)
    print(f"{mended} answers mended")
    assert mended
