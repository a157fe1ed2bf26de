"""What an answer says."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from referee.core.answers import GivesUpSeat
from referee.core.orders.talk import AcceptDraw, OfferDraw, SendComment
from referee.core.texts.words import FreeText
from referee.games.buttons.state import Par


@dataclass(frozen=True, slots=True)
class PlaceButton:
    """A button from the supply; `colour` "" where the sender named the value alone."""

    value: int
    space: str
    colour: str = ""
    offer: bool = False
    comment: FreeText = ""


@dataclass(frozen=True, slots=True)
class MoveButton:
    """From the first space of `path` to its last; more than two name the way."""

    path: tuple[str, ...]
    offer: bool = False
    comment: FreeText = ""


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a solo mail; `path` only for a move."""

    kind: Literal["move", "undo", "give up"]
    path: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PlaySolo:
    """A solo mail: all its steps in order, or none (atomic); `goal` "" where it does not choose one."""

    steps: tuple[Step, ...] = ()
    goal: Literal["", "two", "four"] = ""
    comment: FreeText = ""


@dataclass(frozen=True, slots=True)
class ResignMatch(GivesUpSeat):
    comment: FreeText = ""


@dataclass(frozen=True, slots=True)
class SetPar:
    """The referee's own answer: the solution that the solver found."""

    par: Par


@dataclass(frozen=True, slots=True)
class CloseTable:
    """The referee's own answer to the clock: the deadline of a puzzle for many is over."""


Turn: TypeAlias = PlaceButton | MoveButton | AcceptDraw  # what a turn of the game for two says
Action: TypeAlias = Turn | PlaySolo | OfferDraw | ResignMatch | SendComment | SetPar | CloseTable
