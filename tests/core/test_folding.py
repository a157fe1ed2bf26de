"""What a resolve tells is what the fold makes of it, event by event."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from referee.core.folding import Fold, Recorder


@dataclass(frozen=True)
class Added:
    number: int


@dataclass(frozen=True)
class Doubled:
    pass


@dataclass(frozen=True)
class Remarked:
    words: str


FOLD = Fold[int]()
FOLD.telling(Remarked)


@FOLD.on(Added)
def _added(state: int, event: Added) -> int:
    return state + event.number


@FOLD.on(Doubled)
def _doubled(state: int, event: Doubled) -> int:
    return 2 * state


def test_each_event_changes_the_state_as_its_class_says() -> None:
    recorder = Recorder(FOLD, 1)
    recorder.tell(Added(2))
    assert recorder.state == 3
    recorder.tell(Doubled(), Remarked("well"), Added(1))
    assert recorder.state == 7
    assert recorder.events == [Added(2), Doubled(), Remarked("well"), Added(1)]


def test_an_event_that_nobody_folds_is_an_error_of_the_program() -> None:
    assert FOLD.kinds == {Added, Doubled, Remarked}
    with pytest.raises(KeyError):
        FOLD(1, "what happened")
