"""Failing on cue: at the nth call of a named deed, before or after its effect."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Literal


class Crash(BaseException):
    """The process is gone, as by kill -9. No handler of errors may take this for an error of its own."""


@dataclass(frozen=True, slots=True)
class Cue:
    """At the `nth` call (from 1) of `deed`, `before` or `after` its effect, raise what `fault` makes."""

    deed: str
    nth: int
    when: Literal["before", "after"]
    fault: Callable[[], BaseException] = Crash


@dataclass(slots=True)
class Prompter:
    """Counts deeds and raises what the cues say. Share one among adapters to number their deeds together."""

    cues: tuple[Cue, ...] = ()
    counts: dict[str, int] = field(default_factory=dict)

    @classmethod
    def of(cls, cues: Iterable[Cue]) -> Prompter:
        return cls(tuple(cues))

    def begin(self, deed: str) -> None:
        """The deed is about to take effect."""
        self.counts[deed] = self.counts.get(deed, 0) + 1
        self._raise_if_cued(deed, "before")

    def end(self, deed: str) -> None:
        """The deed has taken effect."""
        self._raise_if_cued(deed, "after")

    def _raise_if_cued(self, deed: str, when: str) -> None:
        for cue in self.cues:
            if (cue.deed, cue.nth, cue.when) == (deed, self.counts[deed], when):
                raise cue.fault()
