"""What stops a mail that takes too long, whatever no count foresaw: the one thing here that hangs on a clock.

It raises `Overrun` in the thread that judges: by an alarm signal in the main thread, which reaches into a running
regular expression too, and by an asynchronous exception in any other. It counts the thread's own computing time, so
that a slow disk, a busy machine or a database that waits is no mail's fault; and it never strikes while the store is at
work, so that what it stops can be rolled back.
"""

from __future__ import annotations

import ctypes
import signal
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from types import FrameType, TracebackType
from typing import Any

from referee.offices.ports.tools import Overrun

_AGAIN = 0.1  # seconds until it looks again where it could not strike
# Where it never strikes: what holds a connection, a lock or a half-read module would be left in pieces.
_STORE = ("sqlalchemy", "psycopg", "psycopg_binary", "sqlite3", "referee.store")
_LOCKS_AND_IMPORTS = ("threading", "logging", "structlog", "importlib", "_frozen_importlib")
_SPARED = (__name__, *_STORE, *_LOCKS_AND_IMPORTS)


class Watchdog:
    """Watches over what is done in its `with over():`. `seconds` of computing, then Overrun; 0 for no watch at all."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds

    def over(self) -> AbstractContextManager[None]:
        """A watch over the block that follows, in this thread."""
        if not self._seconds:
            return nullcontext()
        caller = sys._getframe(1)
        if threading.current_thread() is threading.main_thread():
            return _Alarm(self._seconds, caller)
        return _Sitter(self._seconds, caller)


def _may_strike(at: FrameType | None, guarded: FrameType) -> bool:
    """Whether the thread that stands there is within the guarded block, and in nothing that must not be stopped."""
    while at is not None and at is not guarded:
        name = str(at.f_globals.get("__name__", ""))
        if name.startswith(_SPARED):
            return False
        at = at.f_back
    return at is guarded


class _Alarm(AbstractContextManager[None]):
    """In the main thread. An alarm that somebody else has set goes on afterwards."""

    def __init__(self, seconds: float, guarded: FrameType) -> None:
        self._seconds = seconds
        self._guarded: FrameType | None = guarded
        self._before: Any = None
        self._other = 0.0
        self._since = 0.0
        self._began = 0.0

    def __enter__(self) -> None:
        self._began, self._since = time.thread_time(), time.monotonic()
        self._before = signal.signal(signal.SIGALRM, self._struck)
        self._other = signal.setitimer(signal.ITIMER_REAL, self._seconds, _AGAIN)[0]

    def _struck(self, number: int, frame: FrameType | None) -> None:
        if self._guarded is None or time.thread_time() - self._began < self._seconds:
            return
        if _may_strike(frame, self._guarded):
            raise Overrun(self._seconds)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._guarded = None
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, self._before)
        if self._other:
            left = self._other - (time.monotonic() - self._since)
            signal.setitimer(signal.ITIMER_REAL, max(left, 0.001))


class _Sitter(AbstractContextManager[None]):
    """In any other thread: the onlooker strikes for it."""

    def __init__(self, seconds: float, guarded: FrameType) -> None:
        self._seconds = seconds
        self._guarded: FrameType | None = guarded
        self._thread = threading.get_ident()
        self._clock = time.pthread_getcpuclockid(self._thread)
        self._began = 0.0
        self.due = 0.0  # when it is looked at next, by the monotonic clock

    def __enter__(self) -> None:
        self._began = time.clock_gettime(self._clock)
        self.due = time.monotonic() + self._seconds
        _ONLOOKER.look_at(self)

    def strike(self) -> None:
        """Stop the block if it has taken too long, and if it may be stopped where it stands."""
        self.due = time.monotonic() + _AGAIN
        late = time.clock_gettime(self._clock) - self._began >= self._seconds
        guarded = self._guarded
        if late and guarded is not None and _may_strike(sys._current_frames().get(self._thread), guarded):
            _raise_in(self._thread, Overrun)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with _ONLOOKER.look_away(self):
            self._guarded = None
            _raise_in(self._thread, None)  # what was raised and has not arrived never does


class _Onlooker:
    """The one thread of a process that looks on. It sleeps until the first of what it has seen is due: a block that
    ends in time never wakes it."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._watched: set[_Sitter] = set()
        self._wakes = float("inf")
        self._thread: threading.Thread | None = None

    def look_at(self, sitter: _Sitter) -> None:
        with self._changed:
            self._watched.add(sitter)
            if self._thread is None or not self._thread.is_alive():
                self._thread = threading.Thread(target=self._watch, daemon=True, name="watchdog")
                self._thread.start()
            elif sitter.due < self._wakes:
                self._changed.notify()

    @contextmanager
    def look_away(self, sitter: _Sitter) -> Iterator[None]:
        """Nobody strikes within, nor afterwards."""
        with self._changed:
            self._watched.discard(sitter)
            yield

    def _watch(self) -> None:
        with self._changed:
            while True:
                now = time.monotonic()
                for sitter in self._watched:
                    if sitter.due <= now:
                        sitter.strike()
                self._wakes = min((sitter.due for sitter in self._watched), default=float("inf"))
                pause = None if self._wakes == float("inf") else max(0.0, self._wakes - time.monotonic())
                self._changed.wait(pause)


_ONLOOKER = _Onlooker()


def _raise_in(thread: int, error: type[BaseException] | None) -> None:
    """Raise it in that thread as soon as it runs Python again; None takes back what has not been raised yet."""
    ctypes.pythonapi.PyThreadState_SetAsyncExc(
        ctypes.c_ulong(thread), ctypes.py_object(error) if error is not None else None
    )
