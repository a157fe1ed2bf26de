"""What stops a mail that takes too long, whatever no count foresaw: the one thing here that hangs on a clock.

It raises `Overrun` in the thread that judges: by an alarm signal in the main thread, which reaches into a running
regular expression too, and by an asynchronous exception in any other. It counts the thread's own computing time, so
that a slow disk, a busy machine or a database that waits is no mail's fault; and it never strikes while the store is at
work, so that what it stops can be rolled back.

Where that does not reach, in a library's own machine code, a fuse ends the whole process after twice the time, if a
supervisor is there to go on: the system counts, and needs nothing of Python for it.
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

from referee.base.ports import Overrun, Stopped
from referee.engine import supervisor
from referee.engine.supervisor import Slate

_AGAIN = 0.1  # seconds until it looks again where it could not strike
_LAST = 2.0  # times the seconds: what computes so long ends the process
# Where it never strikes: what holds a connection, a lock or a half-read module would be left in pieces.
_STORE = ("sqlalchemy", "psycopg", "psycopg_binary", "sqlite3", "referee.store")
_LOCKS_AND_IMPORTS = ("threading", "logging", "structlog", "importlib", "_frozen_importlib")
_SPARED = (__name__, *_STORE, *_LOCKS_AND_IMPORTS)


def _hasten() -> None:
    """The process is to end: what is watched over is looked at when its time is up."""
    if _Alarm.set is not None:
        signal.setitimer(signal.ITIMER_REAL, max(0.001, supervisor.ends_at - time.monotonic()), _AGAIN)
    _ONLOOKER.hurry()


class Watchdog:
    """Watches over what is done in its `with over():`. `seconds` of computing, then Overrun; 0 for no watch at all.
    `slate`: where a supervisor reads which mails are in hand."""

    def __init__(self, seconds: float, slate: Slate | None = None) -> None:
        self._seconds = seconds
        self._fuse = _Fuse(slate, _LAST * seconds) if slate is not None and seconds else None

    def over(self, mail: str = "") -> AbstractContextManager[None]:
        """A watch over the block that follows, in this thread: a look at that mail (its uid)."""
        if not self._seconds:
            return nullcontext()
        caller = sys._getframe(1)
        main = threading.current_thread() is threading.main_thread()
        watch = (_Alarm if main else _Sitter)(self._seconds, caller)
        return watch if self._fuse is None else _Both(watch, self._fuse, mail)


class _Both(AbstractContextManager[None]):
    """A watch, and a fuse that burns beside it."""

    def __init__(self, watch: AbstractContextManager[None], fuse: _Fuse, mail: str) -> None:
        self._watch, self._fuse, self._mail = watch, fuse, mail

    def __enter__(self) -> None:
        self._fuse.light(self._mail)
        self._watch.__enter__()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            self._watch.__exit__(kind, error, trace)
        finally:
            self._fuse.put_out(self._mail)


class _SignalEvent(ctypes.Structure):
    """POSIX `struct sigevent`, as Linux lays it out."""

    _fields_ = (
        ("value", ctypes.c_void_p),
        ("signal", ctypes.c_int),
        ("notify", ctypes.c_int),  # 0: send the signal to the process
        ("rest", ctypes.c_byte * 48),
    )


class _Span(ctypes.Structure):
    """POSIX `struct itimerspec`: how often again, and when first; both in seconds and nanoseconds."""

    _fields_ = (
        ("again", ctypes.c_long),
        ("again_part", ctypes.c_long),
        ("first", ctypes.c_long),
        ("first_part", ctypes.c_long),
    )


class _Fuse:
    """Has the system end the process (SIGPROF, which nobody here handles) once a thread has computed for `seconds`
    between `light` and `put_out`. One timer a thread; where the system knows none for threads, its timer of the
    process serves the main thread alone."""

    def __init__(self, slate: Slate, seconds: float) -> None:
        self._slate = slate
        self._seconds = seconds
        self._claimed: list[str] = []
        self._lock = threading.Lock()
        self._own = threading.local()
        self._system = ctypes.CDLL(None)

    def light(self, mail: str) -> None:
        with self._lock:
            self._claimed.append(mail)
            self._slate.claimed = self._claimed
        self._set(self._seconds)

    def put_out(self, mail: str) -> None:
        self._set(0.0)
        with self._lock:
            self._claimed.remove(mail)
            self._slate.claimed = self._claimed

    def _set(self, seconds: float) -> None:
        if not hasattr(self._system, "timer_create"):
            if threading.current_thread() is threading.main_thread():
                signal.setitimer(signal.ITIMER_PROF, seconds)
            return
        span = _Span(first=int(seconds), first_part=int(seconds % 1 * 1e9))
        if self._system.timer_settime(self._timer(), 0, ctypes.byref(span), None):
            raise OSError("the computing time of a thread can't be watched")

    def _timer(self) -> ctypes.c_void_p:
        """This thread's, made when it is first needed; the system takes it away with the thread's process."""
        timer: ctypes.c_void_p | None = getattr(self._own, "timer", None)
        if timer is None:
            timer = self._own.timer = ctypes.c_void_p()
            clock = time.pthread_getcpuclockid(threading.get_ident())
            event = _SignalEvent(signal=signal.SIGPROF)
            if self._system.timer_create(clock, ctypes.byref(event), ctypes.byref(timer)):
                raise OSError("the computing time of a thread can't be watched")
        return timer


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

    set: _Alarm | None = None

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
        _Alarm.set = self
        until = min(self._seconds, max(0.001, supervisor.ends_at - self._since))
        self._other = signal.setitimer(signal.ITIMER_REAL, until, _AGAIN)[0]

    def _struck(self, number: int, frame: FrameType | None) -> None:
        ends = time.monotonic() >= supervisor.ends_at
        late = time.thread_time() - self._began >= self._seconds
        if self._guarded is not None and (ends or late) and _may_strike(frame, self._guarded):
            raise Stopped if ends else Overrun(self._seconds)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._guarded = _Alarm.set = None
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
        self.due = min(time.monotonic() + self._seconds, supervisor.ends_at)
        _ONLOOKER.look_at(self)

    def strike(self) -> None:
        """Stop the block if it has taken too long, and if it may be stopped where it stands."""
        self.due = time.monotonic() + _AGAIN
        ends = time.monotonic() >= supervisor.ends_at
        late = time.clock_gettime(self._clock) - self._began >= self._seconds
        guarded = self._guarded
        if guarded is None or not (ends or late):
            return
        if _may_strike(sys._current_frames().get(self._thread), guarded):
            _raise_in(self._thread, Stopped if ends else Overrun)

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

    def hurry(self) -> None:
        """All that is watched is due when the process is to end."""
        with self._changed:
            for sitter in self._watched:
                sitter.due = min(sitter.due, supervisor.ends_at)
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
supervisor.when_ending.append(_hasten)


def _raise_in(thread: int, error: type[BaseException] | None) -> None:
    """Raise it in that thread as soon as it runs Python again; None takes back what has not been raised yet."""
    ctypes.pythonapi.PyThreadState_SetAsyncExc(
        ctypes.c_ulong(thread), ctypes.py_object(error) if error is not None else None
    )
