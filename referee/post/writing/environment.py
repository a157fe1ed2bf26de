"""Jinja as templates find it: where they lie, the words they may call beside those of the page, and how somebody's
words come into them."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import jinja2

from referee.core.complaint import Line
from referee.core.texts import speech as theirs
from referee.core.texts.speech import Speech
from referee.core.texts.words import free_text_in
from referee.match.match import Match
from referee.post.writing.layout import Forms
from referee.post.writing.moments import span, time_of

_COMMENT = "Comment: "
_BESIDE = re.compile(rf"(?:Player|Round|Cycle): \d+$|{_COMMENT}")


class Folders:
    """Where templates lie: the first folder that has a file wins."""

    def __init__(self, folders: Sequence[Path]) -> None:
        self._folders = [folder for folder in folders if folder.is_dir()]

    def loader(self) -> jinja2.BaseLoader:
        return jinja2.FileSystemLoader([str(folder) for folder in self._folders])

    def text(self, name: str) -> str:
        for folder in self._folders:
            if (path := folder / name).is_file():
                return path.read_text(encoding="utf-8")
        raise FileNotFoundError(f"no template {name}")

    def table(self, name: str) -> dict[str, Any]:
        return tomllib.loads(self.text(name))


class Marking(jinja2.Environment):
    """Jinja, but for what a dot and an attribute's name mean: a field of free words gives these as `Speech`, which no
    template can print unmarked."""

    def getattr(self, obj: Any, attribute: str) -> Any:
        return _as_speech(obj, attribute, super().getattr(obj, attribute))

    def getitem(self, obj: Any, argument: Any) -> Any:
        return _as_speech(obj, argument, super().getitem(obj, argument))


def _as_speech(obj: Any, name: object, value: Any) -> Any:
    kind: type = type(obj)
    return Speech(value) if isinstance(value, str) and name in free_text_in(kind) else value


def environment(loader: jinja2.BaseLoader, page: Forms) -> jinja2.Environment:
    """Templates that speak `page`'s layout words. They are files of the operator and of games, never a mail's, so that
    nothing is kept from them."""
    made = Marking(
        loader=loader,
        bytecode_cache=_compiled(),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        finalize=_on_its_line,
        lstrip_blocks=True,
        auto_reload=False,  # as complaints and help, which are read once too
    )
    made.globals.update(say=page, called=theirs.called)
    made.filters.update(
        quoted=page.quoted,
        span=span,
        time=time_of,
        numbered=numbered,
        listed=listed,
        name_of=name_of,
        name_of_in=name_of_in,
        orders_alone=orders_alone,
        words_beside=words_beside,
    )
    return made


def _on_its_line(value: Any) -> Any:
    """No value ends the line of a template that it stands in."""
    return value.replace("\n", " ") if type(value) is str else value


def _compiled() -> jinja2.BytecodeCache | None:
    """Where compiled templates are kept between runs: Jinja's own folder of this user, which nobody else may write.
    None where there can't be such a folder."""
    try:
        return jinja2.FileSystemBytecodeCache(pattern="referee_letters_%s.cache")
    except (RuntimeError, OSError):
        return None


# --- filters ----------------------------------------------------------------------------------------------------


def numbered(lines: Sequence[Line]) -> str:
    """Lines by their numbers: "line 4", "lines 3, 5 and 7 to 16"."""
    runs: list[list[int]] = []
    for number in sorted({line.number for line in lines}):
        if runs and number == runs[-1][-1] + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    words = [word for run in runs for word in ([f"{run[0]} to {run[-1]}"] if len(run) > 2 else map(str, run))]
    return f"line{'s' if len(lines) > 1 else ''} {listed(words)}"


def orders_alone(answer: Speech) -> Speech:
    """The lines of an answer without those that say whose and of when it is, as a subject does, and its comment."""
    return Speech("\n".join(line for line in answer.text.splitlines() if not _BESIDE.match(line)))


def words_beside(answer: Speech) -> Speech:
    """The comment of an answer."""
    lines = answer.text.splitlines()
    return Speech("\n".join(line.removeprefix(_COMMENT) for line in lines if line.startswith(_COMMENT)))


@jinja2.pass_context
def name_of(context: Mapping[str, Any], seat: int) -> str:
    """A seat's name, in a chain of filters."""
    return str(context["name"](seat))


def name_of_in(seat: int, match: Match) -> str:
    """A seat's name in a match that is not the letter's own."""
    return theirs.called(match.entrant(seat).name, seat if match.seating else None)


def listed(entries: Sequence[object], last: str = "and") -> str:
    """ "a, b and c"."""
    words = [str(entry) for entry in entries]
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} {last} {words[-1]}" if words else ""
