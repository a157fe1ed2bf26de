"""What a player can say."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from referee.core.orders.talk import Resign
from referee.core.texts.words import FreeText


@dataclass(frozen=True, slots=True)
class Count:
    """So many stones of a colour (a seat number)."""

    colour: int
    stones: int


@dataclass(frozen=True, slots=True)
class Move:
    """The points in order, none for a pass. With fallbacks, those after the first are tried in turn."""

    points: tuple[str, ...] = ()
    prefer: tuple[int, ...] = ()
    comment: FreeText = ""


@dataclass(frozen=True, slots=True)
class Take:
    """The prisoners chosen from a shared capture."""

    stones: tuple[Count, ...]
    prefer: tuple[int, ...] = ()
    comment: FreeText = ""


@dataclass(frozen=True, slots=True)
class Prefer:
    """A standing order: the colours in which prisoners are taken."""

    colours: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Dead:
    """Stones that name dead chains, none for `Dead: none`."""

    points: tuple[str, ...] = ()
    comment: FreeText = ""


@dataclass(frozen=True, slots=True)
class Ally:
    """All partners' seats, none for `Ally: none`."""

    partners: tuple[int, ...] = ()
    comment: FreeText = ""


@dataclass(frozen=True, slots=True)
class Comment:
    text: FreeText


@dataclass(frozen=True, slots=True)
class Press:
    """A message to all players."""

    text: FreeText


Action: TypeAlias = Move | Take | Prefer | Dead | Ally | Resign | Comment | Press
