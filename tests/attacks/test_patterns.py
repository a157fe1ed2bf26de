"""No pattern takes a time that doubles with each sign more, whatever stands there: texts are made of
each pattern's own parts, one of them repeated, with an end that does not fit."""

import importlib
import pkgutil
import random
import re
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import islice
from re import _parser  # type: ignore[attr-defined]
from types import FrameType, ModuleType
from typing import Any

import pytest

import referee

FEW = 40  # times a part is put: enough where each more doubles the time
MOMENT = 2  # seconds for a text of a line or two
ENDS = ("", "\0", "zzz", "!", "\n ", "1")


def modules() -> Iterator[ModuleType]:
    for found in pkgutil.walk_packages(referee.__path__, "referee."):
        if not found.name.endswith("__main__") and ".migrations" not in found.name:
            yield importlib.import_module(found.name)


def patterns() -> dict[str, re.Pattern[str]]:
    """Each pattern of text that a module or a class holds, by itself or among others."""
    seen: dict[str, re.Pattern[str]] = {}

    def look(value: object, name: str, depth: int) -> None:
        if isinstance(value, re.Pattern):
            if isinstance(value.pattern, str):
                seen.setdefault(value.pattern, value)
        elif depth and isinstance(value, dict):
            for key, one in value.items():
                look(one, f"{name}.{key}", depth - 1)
        elif depth and isinstance(value, tuple | list | set | frozenset):
            for one in value:
                look(one, name, depth - 1)
        elif depth and isinstance(value, type) and value.__module__.startswith("referee"):
            look(dict(vars(value)), name, depth - 1)
        elif depth and hasattr(value, "__dataclass_fields__") and not isinstance(value, type):
            look({key: getattr(value, key, None) for key in value.__dataclass_fields__}, name, depth - 1)

    for module in modules():
        look(dict(vars(module)), module.__name__, 4)
    return seen


class Maker:
    """Texts that parts of a pattern match; the repeat of that number is taken often."""

    def __init__(self, pattern: re.Pattern[str], chance: random.Random) -> None:
        self._chance, self._flags = chance, pattern.flags
        self._tree = _parser.parse(pattern.pattern, pattern.flags)
        self.repeats = 0
        self._often, self._count = -1, 0
        self.made()

    def made(self, often: int = -1, count: int = 0) -> str:
        self._often, self._count, self.repeats = often, count, 0
        return self._of(self._tree)

    def _of(self, tree: Any) -> str:
        return "".join(self._one(str(op), value) for op, value in tree)

    def _one(self, op: str, value: Any) -> str:
        chance = self._chance
        if op == "LITERAL":
            return chr(value)
        if op == "NOT_LITERAL":
            return "a" if value != ord("a") else "b"
        if op == "ANY":
            return chance.choice("a1 -")
        if op == "IN":
            return self._of_class(value)
        if op == "BRANCH":
            return self._of(chance.choice(value[1]))
        if op == "SUBPATTERN":
            return self._of(value[-1])
        if op == "ATOMIC_GROUP":
            return self._of(value)
        if op in ("MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT"):
            least, most, inner = value
            number, self.repeats = self.repeats, self.repeats + 1
            times = min(int(most), max(int(least), self._count)) if number == self._often else int(least)
            if number != self._often and least == 0 and int(most) and chance.random() < 0.5:
                times = 1
            return "".join(self._of(inner) for _ in range(times))
        return ""  # what only looks on

    def _of_class(self, value: Any) -> str:
        named = {"CATEGORY_DIGIT": "1", "CATEGORY_SPACE": " ", "CATEGORY_WORD": "a1"}
        negated = str(value[0][0]) == "NEGATE"
        fitting = [
            sign
            for sign in "a1 zA-.,:;>x_/\"'(é\n\t@=#"
            if any(_holds(each, sign) for each in value) != negated
        ]
        own = [chr(v) for op, v in value if str(op) == "LITERAL"] if not negated else []
        own += [chr(v[0]) for op, v in value if str(op) == "RANGE"] if not negated else []
        own += [named.get(str(v), "")[:1] for op, v in value if str(op) == "CATEGORY"] if not negated else []
        return self._chance.choice([sign for sign in (*own, *fitting) if sign] or ["a"])


def _holds(part: Any, sign: str) -> bool:
    op, value = str(part[0]), part[1]
    if op == "LITERAL":
        return ord(sign) == value
    if op == "RANGE":
        return bool(value[0] <= ord(sign) <= value[1])
    if op == "CATEGORY":
        kind = str(value).removeprefix("CATEGORY_").removeprefix("NOT_")
        said = {"DIGIT": sign.isdigit(), "SPACE": sign.isspace(), "WORD": sign.isalnum() or sign == "_"}[kind]
        return said != ("NOT_" in str(value))
    return False


class Late(Exception):
    """The pattern is still at work."""


@contextmanager
def at_most(seconds: int) -> Iterator[None]:
    """Raises Late; the pattern is stopped in its midst. Computing time alone counts."""

    def struck(number: int, frame: FrameType | None) -> None:
        raise Late

    before = signal.signal(signal.SIGPROF, struck)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def texts(pattern: re.Pattern[str], chance: random.Random) -> Iterator[str]:
    """Each repeat of the pattern taken often, before each end. (What grows with a power of the length alone is looked
    for where mails are read as a whole.)"""
    maker = Maker(pattern, chance)
    for number in range(maker.repeats):
        for _ in range(3):
            begun = maker.made(number, FEW)
            yield from (f"{begun}{end}" for end in ENDS)


def slow(pattern: re.Pattern[str]) -> str | None:
    """A text that the pattern takes too long for."""
    ways: tuple[Callable[[str], object], ...] = (pattern.fullmatch, pattern.match, pattern.search)
    for text in texts(pattern, random.Random(7)):
        for way in ways:
            try:
                with at_most(MOMENT):
                    way(text)
            except Late:
                return f"{way.__name__} of {text[:80]!r} ({len(text)} signs)"
    return None


def test_an_ambiguous_pattern_is_found() -> None:
    """The check itself: digits that may be parted in many ways."""
    assert slow(re.compile(r"(?:\d{1,3})(?:[-x]*[a-z]{0,2}\d{1,3})*")) is not None
    assert slow(re.compile(r"\d{1,3}+(?:[-x]*+[a-z]{0,2}+\d{1,3}+)*+")) is None


@pytest.mark.parametrize("every", [3, pytest.param(1, marks=pytest.mark.soak)])
def test_no_pattern_takes_more_than_a_moment(every: int) -> None:
    found = patterns()
    assert len(found) > 100
    some = islice(found.items(), 0, None, every)
    wrong = {text: said for text, pattern in some if (said := slow(pattern)) is not None}
    assert not wrong
