"""What goes wrong and is no player's doing: exceptions under one root, whose docstrings are their
messages. (What a player does wrong is a `Complaint`, a value.)"""

import traceback

# What values that nobody foresaw make any code raise, ours or a library's, that looks at them.
UNFORESEEN = (
    *(LookupError, ValueError, TypeError, AttributeError),
    *(AssertionError, ArithmeticError, RecursionError),
)


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


def outlined(error: BaseException) -> str:
    """What may be told of an error to whoever looks after the program: its kind, and its words
    where they are ours, the system's or a database's that does not answer. Those of any other, and
    what was asked for at the desk, may quote a mail, which may be sealed."""
    kind, cause = type(error).__name__, getattr(error, "orig", None) or error
    answers_not = any(each.__name__ == "OperationalError" for each in type(cause).__mro__)
    ours = type(error).__module__.startswith("referee.") and not isinstance(error, CannotDo | WrongUsage)
    if ours or answers_not:
        return f"{kind}: {cause}"
    return f"{kind}: {error.strerror}" if isinstance(error, OSError) and error.strerror else kind


def traced(error: BaseException) -> str:
    """Where it was raised, and what led to it before that, each `outlined`."""
    before = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    earlier = f"{traced(before)}\n\n" if before is not None else ""
    where = "".join(traceback.format_tb(error.__traceback__))
    return f"{earlier}Traceback (most recent call last):\n{where}{outlined(error)}"
