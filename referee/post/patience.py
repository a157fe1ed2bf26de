"""How long to leave a server alone after it failed."""

from __future__ import annotations

import time
from dataclasses import dataclass, field


@dataclass(slots=True)
class Patience:
    """Back-off between connections, in seconds: none after the first failure, then `first`, doubled up to `most`.
    A connection that held for `steady` seconds wipes the slate. Lives in memory only: a restart tries at once."""

    first: float = 1.0
    most: float = 60.0
    steady: float = 60.0
    failures: int = 0
    _since: float = field(default_factory=time.monotonic)
    _reached: float | None = None

    def reached(self) -> None:
        """The server answered; the connection's life begins."""
        self._reached = time.monotonic()

    def served(self) -> None:
        """The server did what it is for: what went before is forgiven."""
        self.failures = 0

    def failed(self) -> None:
        """The connection broke, or none came about."""
        now = time.monotonic()
        held = self._reached is not None and now - self._reached >= self.steady
        self.failures = 1 if held else self.failures + 1
        self._since, self._reached = now, None

    def left(self) -> float:
        """Seconds to wait before the next try; 0 when it may be made now."""
        if self.failures < 2:
            return 0.0
        pause = min(self.most, self.first * 2.0 ** min(self.failures - 2, 30))
        return max(0.0, self._since + pause - time.monotonic())
