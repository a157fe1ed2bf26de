"""The options of a match: declared as data, those of a game in `config/SLUG/options.toml`, those of
every match in `config/match.toml`; given by name, checked all at once."""

import difflib
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import fields
from datetime import date, timedelta
from typing import Any, Literal, TypeVar, get_type_hints

from referee.core.value import Value

Kind = Literal["choice", "count", "duration", "size", "text", "file", "hour", "days", "spans", "zone"]
Amending = Literal["", "later", "again"]
R = TypeVar("R")

_UNITS = {"s": 1, "m": 60, "h": 3600, "d": 86400, "w": 604800}
_DURATION = re.compile(r"(?:\d{1,9}[smhdw]){1,9}|0")
LONGEST = timedelta(days=3660)  # of a span that anybody names, and between now and a moment that is asked for
_MOST_PARTS = 400  # of a list
WEEKDAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_WEEKDAY = re.compile(r"(?:mon|tue(?:s)?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?s?")


class OptionSpec(Value):
    """One option: its default in canonical text, what it may be, the rule it belongs to, a line of help.

    `amend`: whether the moderator may change it while a match runs. `later`: it holds for what opens from then on;
    `again`: sealed answers were judged by it, so those of an open round are asked for again; empty: never.
    """

    name: str
    kind: Kind
    default: str
    help: str
    rule: str = ""
    choices: tuple[str, ...] = ()
    least: int | None = None
    most: int | None = None
    amend: Amending = ""

    def allowed(self) -> str:
        """What may be given, in words."""
        bounds = f" from {self.least if self.least is not None else '..'}" if self.least is not None else ""
        bounds += f" to {self.most}" if self.most is not None else ""
        also = f" or {', '.join(self.choices)}" if self.choices and self.kind != "choice" else ""
        return {
            "choice": ", ".join(self.choices),
            "count": f"a whole number{bounds}{also}",
            "duration": f"a time such as 7d, 48h or 1d12h up to {LONGEST.days}d{also}",
            "hour": f"an hour of the day such as 20:00{also}",
            "days": f"days of the week and dates such as sat,sun,2026-12-25{also}",
            "spans": f"times such as 2d,12h up to {LONGEST.days}d{also}",
            "zone": f"a time zone such as Europe/Berlin{also}",
            "size": f"columns x rows, such as 9x9{bounds}{also}",
            "text": "text",
            "file": "the path of a file",
        }[self.kind]

    def canonical(self, given: str) -> str | None:
        """The given value in canonical text, or None where it is not allowed."""
        value = given if self.kind in ("text", "file") else given.strip().lower()
        if self.kind in ("text", "file") or value in self.choices:
            return value
        if self.kind == "count" and re.fullmatch(r"[+-]?\d{1,18}", value):
            return str(int(value)) if self._within(int(value)) else None
        if self.kind in ("days", "spans"):
            parts = [self._part(part) for part in value.split(",")]
            known = list(dict.fromkeys(part for part in parts if part))
            never = None in parts or set(WEEKDAYS) <= set(known)
            return None if never else ",".join(sorted(known, key=_place))
        if self.kind == "hour" and (at := re.fullmatch(r"(\d|[01]\d|2[0-3]):([0-5]\d)", value)):
            return f"{at[1]:0>2}:{at[2]}"
        if self.kind == "zone" and re.fullmatch(r"\w[\w+-]*(?:/\w[\w+-]*)*", value, re.ASCII):
            return given.strip()
        if self.kind == "duration":
            return _span(value)
        if self.kind == "size" and (sides := re.fullmatch(r"(\d{1,3})\s*[x×]\s*(\d{1,3})", value)):
            width, height = int(sides[1]), int(sides[2])
            return f"{width}x{height}" if self._within(width) and self._within(height) else None
        return None

    def wrong(self, given: str) -> str:
        """What of a value that is not possible is wrong: of a list each part that is, else all of it."""
        parts = [part.strip() for part in given.split(",")] if self.kind in ("days", "spans") else []
        odd = [part for part in parts[:_MOST_PARTS] if self._part(part.lower()) is None]
        return ", ".join(map(repr, odd)) if len(parts) > 1 and odd else repr(given)

    def _part(self, text: str) -> str | None:
        """A part of a list in canonical text."""
        text = text.strip()
        if self.kind == "spans":
            return text if _span(text) and duration(text) else None
        if _WEEKDAY.fullmatch(text):
            return text[:3]
        try:
            return str(date.fromisoformat(text)) if len(text) == 10 else None
        except ValueError:
            return None

    def _within(self, number: int) -> bool:
        return (self.least is None or number >= self.least) and (self.most is None or number <= self.most)


class Options(Value):
    """The resolved options of a match: every declared name has a canonical value."""

    values: Mapping[str, str]

    def text(self, name: str) -> str:
        return self.values[name]

    def flag(self, name: str) -> bool:
        """True where the option is `on`."""
        return self.values[name] in ("on", "true")

    def count(self, name: str) -> int:
        """0 where a word ("off", "random") stands in the place of a number."""
        text = self.values[name]
        return 0 if text[:1].isalpha() else int(text)

    def size(self, name: str) -> tuple[int, int]:
        """Columns and rows."""
        width, _, height = self.values[name].partition("x")
        return int(width), int(height)

    def duration(self, name: str) -> timedelta:
        return duration(self.values[name])

    def window(self, name: str) -> timedelta | None:
        """None where the option is `none`."""
        return None if self.values[name] == "none" else self.duration(name)


_READ: Mapping[Any, Callable[[Options, str], Any]] = {
    bool: Options.flag,
    int: Options.count,
    timedelta: Options.duration,
}


def typed(kind: type[R], options: Options, **meant: Any) -> R:
    """The rules of a match as a value of their own class: each field is the option of its name,
    read as what the field is, but for those that are `meant` otherwise."""
    read = {
        name: _READ.get(hint, Options.text)
        for name, hint in get_type_hints(kind).items()
        if name not in meant
    }
    return kind(**{name: reader(options, name) for name, reader in read.items()}, **meant)


def _span(text: str) -> str | None:
    """The text, where it names a span of time."""
    try:
        return text if duration(text) is not None else None
    except ValueError:
        return None


def _place(part: str) -> tuple[int, float, str]:
    """Where a part of a list stands: days of the week, then dates; long spans before short ones."""
    if part in WEEKDAYS:
        return 0, WEEKDAYS.index(part), ""
    return (1, 0, part) if "-" in part else (2, -duration(part).total_seconds(), part)


def duration(text: str) -> timedelta:
    """The span that `7d`, `48h`, `1d12h` or `0` names, up to LONGEST; ValueError for anything else."""
    seconds = sum(int(n) * _UNITS[u] for n, u in re.findall(r"(\d{1,9})([smhdw])", text))
    if not _DURATION.fullmatch(text) or seconds > LONGEST.total_seconds():
        raise ValueError(f"{text[:40]!r} is no span of time such as 7d or 48h, up to {LONGEST.days}d")
    return timedelta(seconds=seconds)


def declared(
    table: Mapping[str, Mapping[str, Any]], defaults: Mapping[str, Any] | None = None
) -> tuple[OptionSpec, ...]:
    """The specs that `[options.NAME]` tables declare, with other `defaults` than theirs where such are given."""
    known = {field.name for field in fields(OptionSpec)}

    def spec(name: str, row: Mapping[str, Any]) -> OptionSpec:
        default = str((defaults or {}).get(name, row["default"]))
        read = {"name": name, "default": default, "choices": tuple(map(str, row.get("choices", ())))}
        return OptionSpec(**{key: row[key] for key in known & row.keys()} | read)

    return tuple(spec(name, row) for name, row in table.items())


def resolved(specs: Iterable[OptionSpec], given: Mapping[str, str]) -> tuple[Options, tuple[str, ...]]:
    """Every declared option with its given or default value, and every fault of what was given, in words."""
    known = {spec.name: spec for spec in specs}
    values = {name: spec.default for name, spec in known.items()}
    faults: list[str] = []
    for name, text in given.items():
        if (spec := known.get(name)) is None:
            near = difflib.get_close_matches(name, known, n=3)
            hint = f"; did you mean {' or '.join(near)}?" if near else "."
            faults.append(f"There is no option {name!r}{hint} There are: {', '.join(known)}.")
        elif (value := spec.canonical(text)) is None:
            faults.append(f"{name} = {spec.wrong(text)} is not possible; it may be {spec.allowed()}.")
        else:
            values[name] = value
    return Options(values), tuple(faults)
