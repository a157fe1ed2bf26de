"""What goes wrong and is no player's doing: exceptions under one root, whose docstrings are their messages. (What a
player does wrong is a `Complaint`, a value.)"""

from __future__ import annotations


class RefereeError(Exception):
    """Something went wrong."""

    @property
    def reasons(self) -> tuple[str, ...]:
        """What it was raised with, a line each; else the words of its docstring."""
        return tuple(map(str, self.args)) or (" ".join((type(self).__doc__ or "").split()),)

    def __str__(self) -> str:
        return " ".join(self.reasons)


class CannotDo(RefereeError):
    """What was asked for at the desk can't be done; the arguments say why, one line each."""


class WrongUsage(RefereeError):
    """A command can't be understood; the arguments say why, one line each."""
