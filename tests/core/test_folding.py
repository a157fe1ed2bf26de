"""What a resolve tells is what the fold makes of it, event by event."""

from __future__ import annotations

from dataclasses import dataclass

from referee.core.folding import Recorder


@dataclass(frozen=True)
class Added:
    number: int


@dataclass(frozen=True)
class Doubled:
    pass


@dataclass(frozen=True)
class Remarked:
    words: str


def fold(state: int, event: Added | Doubled | Remarked) -> int:
    match event:
        case Added(number):
            return state + number
        case Doubled():
            return 2 * state
        case Remarked():
            return state


def test_each_event_changes_the_state_as_its_class_says() -> None:
    recorder = Recorder(fold, 1)
    recorder.tell(Added(2))
    assert recorder.state == 3
    recorder.tell(Doubled(), Remarked("well"), Added(1))
    assert recorder.state == 7
    assert recorder.events == [Added(2), Doubled(), Remarked("well"), Added(1)]
