"""What stops a mail that takes too long, whatever no count foresaw: the one thing here that hangs on a clock.

It raises `Overrun` in the main thread, which judges, by an alarm signal that reaches into a running regular expression
too. It counts the thread's own computing time, so that a slow disk, a busy machine or a database that waits is no
mail's fault; and it never strikes while the store is at work, so that what it stops can be rolled back.

Where that does not reach, in a library's own machine code or in another thread, a fuse ends the whole process after
twice the time, if a supervisor is there to go on: the system counts, and needs nothing of Python for it.
"""

from __future__ import annotations

import ctypes
import signal
import struct
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from types import FrameType

from referee.base.ports import Overrun, Stopped
from referee.engine import supervisor
from referee.engine.supervisor import Slate

_LOOK = 0.1  # seconds until it looks again where nothing was late, or where it could not strike
_LAST = 2.0  # times the seconds: what computes so long ends the process
# Where it never strikes: what holds a connection, a lock or a half-read module would be left in pieces.
_STORE = ("sqlalchemy", "psycopg", "psycopg_binary", "sqlite3", "referee.store")
_LOCKS_AND_IMPORTS = ("threading", "logging", "structlog", "importlib", "_frozen_importlib", "contextlib")
_SPARED = (__name__, *_STORE, *_LOCKS_AND_IMPORTS)


class Watchdog:
    """Watches over what is done in its `with over():`. `seconds` of computing, then Overrun; 0 for no watch at all.
    `slate`: where a supervisor reads which mails are in hand."""

    def __init__(self, seconds: float, slate: Slate | None = None) -> None:
        self._seconds = seconds
        self._fuse = _Fuse(slate, _LAST * seconds) if slate is not None and seconds else None

    def over(self, mail: str = "") -> AbstractContextManager[None]:
        """A watch over the block that follows, in this thread: a look at that mail (its uid)."""
        return self._watching(mail, sys._getframe(1)) if self._seconds else nullcontext()

    @contextmanager
    def _watching(self, mail: str, guarded: FrameType) -> Iterator[None]:
        main = threading.current_thread() is threading.main_thread()
        with (
            self._fuse.lit(mail) if self._fuse else nullcontext(),
            _alarm(self._seconds, guarded) if main else nullcontext(),
        ):
            yield


@contextmanager
def _alarm(seconds: float, guarded: FrameType) -> Iterator[None]:
    """Strikes where the seconds are over, or the process is to end. An alarm that somebody else has set goes on
    afterwards."""
    began, since = time.thread_time(), time.monotonic()

    def struck(number: int, frame: FrameType | None) -> None:
        ends = time.monotonic() >= supervisor.ends_at
        late = time.thread_time() - began >= seconds
        if (ends or late) and _may_strike(frame, guarded):
            raise Stopped if ends else Overrun(seconds)

    before = signal.signal(signal.SIGALRM, struck)
    other = signal.setitimer(signal.ITIMER_REAL, min(seconds, _LOOK), _LOOK)[0]
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
        if other:
            signal.setitimer(signal.ITIMER_REAL, max(other - (time.monotonic() - since), 0.001))


def _may_strike(at: FrameType | None, guarded: FrameType) -> bool:
    """Whether the thread that stands there is within the guarded block, and in nothing that must not be stopped."""
    while at is not None and at is not guarded:
        if str(at.f_globals.get("__name__", "")).startswith(_SPARED):
            return False
        at = at.f_back
    return at is guarded


class _Fuse:
    """Has the system end the process (SIGPROF, which nobody here handles) once a thread has computed for `seconds`
    while it is `lit`. One timer a thread; where the system knows none for threads, its timer of the process serves the
    main thread alone."""

    def __init__(self, slate: Slate, seconds: float) -> None:
        self._slate = slate
        self._seconds = seconds
        self._claimed: list[str] = []
        self._lock = threading.Lock()
        self._own = threading.local()
        self._system = ctypes.CDLL(None)

    @contextmanager
    def lit(self, mail: str) -> Iterator[None]:
        with self._lock:
            self._claimed.append(mail)
            self._slate.claimed = self._claimed
        self._set(self._seconds)
        try:
            yield
        finally:
            self._set(0.0)
            with self._lock:
                self._claimed.remove(mail)
                self._slate.claimed = self._claimed

    def _set(self, seconds: float) -> None:
        if not hasattr(self._system, "timer_create"):
            if threading.current_thread() is threading.main_thread():
                signal.setitimer(signal.ITIMER_PROF, seconds)
            return
        span = struct.pack("4l", 0, 0, int(seconds), int(seconds % 1 * 1e9))  # POSIX `struct itimerspec`
        if self._system.timer_settime(self._timer(), 0, span, None):
            raise OSError("the computing time of a thread can't be watched")

    def _timer(self) -> ctypes.c_void_p:
        """This thread's, made when it is first needed; the system takes it away with the thread's process."""
        timer: ctypes.c_void_p | None = getattr(self._own, "timer", None)
        if timer is None:
            timer = self._own.timer = ctypes.c_void_p()
            clock = time.pthread_getcpuclockid(threading.get_ident())
            event = struct.pack(
                "Pii48x", 0, signal.SIGPROF, 0
            )  # POSIX `struct sigevent`, as Linux lays it out
            if self._system.timer_create(clock, event, ctypes.byref(timer)):
                raise OSError("the computing time of a thread can't be watched")
        return timer
