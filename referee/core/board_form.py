"""What a page needs so that an answer can be given by clicking on the board: a capability of a game."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol, runtime_checkable

from referee.core.diagram import Diagram


@dataclass(frozen=True, slots=True)
class BoardForm:
    """Public facts for the game's own script, `templates/SLUG/form.js`: JSON values only. `boards` are boards to click
    on beside that of the public view, by names that the script knows."""

    facts: Mapping[str, Any]
    boards: Mapping[str, Diagram] = field(default_factory=dict)


@runtime_checkable
class ClickableBoard(Protocol):
    """A game whose answers can be clicked. Without it, or without a script, players fill in the form as text."""

    def board_form(self, state: Any) -> BoardForm:
        """What its script needs for everything that any seat may send now. `state` is the fold of the public events
        alone; nothing of it may cost more than a few hundredths of a second, as each change of a match asks for it."""
        ...
