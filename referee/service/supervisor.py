"""The supervisor: the process that was called, where a command is to outlive a mail that ends its
process. It forks the one that works, waits for it, and computes nothing itself.

A mail can keep a process in a library's own machine code, where nothing that Python does reaches
it. So the process at work has the system end it by computing time, and tells on a slate, which
both see, which mails it has in hand. What died over a mail is done again by another process, which
isolates each mail, counts crashes and puts such a mail aside; so this comes to an end. After
SIGTERM what does not end by itself is killed, and no mail is to blame.

The watchdog stops a mail that takes too long, whatever no count foresaw: the one thing here that
hangs on a clock. It raises `Overrun` in the main thread, which judges, by an alarm signal that
reaches into a running regular expression too. It counts the thread's own computing time, so that a
slow disk, a busy machine or a database that waits is no mail's fault; and it never strikes while
the store is at work, so that what it stops can be rolled back. Where that does not reach, in
machine code or in another thread, a fuse ends the whole process after twice the time."""

import ctypes
import json
import mmap
import os
import signal
import struct
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from types import FrameType
from typing import Any

from referee.base.logs import Log
from referee.base.ports import Overrun, Stopped

_ROOM = 1 << 16  # bytes of each of the slate's halves
_LAST_WORD = 1.5  # seconds from SIGTERM until what is still at work is killed
_PAUSE = 1.0  # seconds before a process that died over no mail is followed by another
_SIGNALS = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)
_GRACE = 0.8  # seconds of these that a look at a mail may take before it is undone
_SYSTEM = ctypes.CDLL(None)
_PARENT_DEATH_SIGNAL = 1  # Linux, `prctl`
log = Log("referee.supervisor")

ends_at = float("inf")  # when, by the monotonic clock, this process undoes what it has in hand


def at_the_end(*calls: Callable[[], object]) -> None:
    """Have these called once SIGTERM or SIGINT says that the process is to end. Without a supervisor it takes its
    time; with one what takes long is undone."""

    def ends(number: int, frame: FrameType | None) -> None:
        global ends_at
        if slate is not None:
            ends_at = min(ends_at, time.monotonic() + _GRACE)
        for call in calls:
            call()

    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, ends)


class Slate:
    """What a process at work tells its supervisor, in memory that both share, beyond crashes."""

    def __init__(self) -> None:
        self._memory = mmap.mmap(-1, 2 * _ROOM)
        self.crashed: frozenset[str] = frozenset()  # the mails over which earlier processes died
        self.counted_before: Mapping[str, int] = {}  # what earlier ones had done when they died

    @property
    def claimed(self) -> list[str]:
        """The mails that are being looked at."""
        return list(self._read(0))

    @claimed.setter
    def claimed(self, mails: list[str]) -> None:
        self._write(0, mails)

    def begin(self) -> None:
        """A new process takes over."""
        self.crashed |= frozenset(self.claimed)
        self.claimed, self.counted_before = [], self._read(_ROOM)

    def count(self, counts: Mapping[str, int]) -> None:
        """What this process has done so far, and committed."""
        before = self.counted_before
        self._write(_ROOM, {name: count + before.get(name, 0) for name, count in counts.items()})

    def _read(self, at: int) -> Any:
        size = int.from_bytes(self._memory[at : at + 4], "big")
        try:
            return json.loads(self._memory[at + 4 : at + 4 + size])
        except ValueError:  # nothing was ever written, or it was killed while it wrote
            return {}

    def _write(self, at: int, what: object) -> None:
        written = json.dumps(what).encode()[: _ROOM - 4]
        self._memory[at : at + 4 + len(written)] = len(written).to_bytes(4, "big") + written


slate: Slate | None = None  # of this process, where it has a supervisor
wanted = False  # whether this process may fork: it is the program itself, and not a part of another


def supervised(*, lasting: bool = False, jobs: int = 1, forgive: Callable[[Sequence[str]], None]) -> None:
    """Come back in a process of its own (in each of `jobs`), and in another whenever one died over a mail. `lasting`:
    whenever one died at all. The process that was called never comes back: it exits with the status of the other.

    `forgive` is called with the mails that were in hand when they were killed after SIGTERM."""
    if wanted:
        _Supervisor(lasting, forgive).supervise(jobs)


class _Supervisor:
    def __init__(self, lasting: bool, forgive: Callable[[Sequence[str]], None]) -> None:
        self._lasting, self._forgive = lasting, forgive
        self._at_work: dict[int, Slate] = {}
        self._stopping = self._killed = False

    def supervise(self, jobs: int) -> None:
        """Comes back in the processes at work alone."""
        for number in _SIGNALS:
            signal.signal(number, self._stop)
        status = 0
        for one in (Slate() for _ in range(jobs)):
            if self._begun(one):
                return
        while self._at_work:
            pid, ended = os.wait()
            one, code = self._at_work.pop(pid), os.waitstatus_to_exitcode(ended)
            if (ended_with := self._ended(one, code)) is not None:
                status = max(status, ended_with)
            elif self._begun(one):
                return
        signal.setitimer(signal.ITIMER_REAL, 0)  # nobody is left to kill
        sys.exit(status)

    def _begun(self, one: Slate) -> bool:
        """Another process for what stands on the slate; whether this is it."""
        global slate
        one.begin()
        sys.stdout.flush()
        signal.pthread_sigmask(signal.SIG_BLOCK, _SIGNALS)
        parent = os.getpid()
        if pid := os.fork():
            self._at_work[pid] = one
        else:
            for number in _SIGNALS:
                signal.signal(number, signal.SIG_DFL)
            signal.signal(signal.SIGINT, signal.default_int_handler)
            if hasattr(_SYSTEM, "prctl"):  # it is killed when its supervisor is gone
                _SYSTEM.prctl(_PARENT_DEATH_SIGNAL, signal.SIGKILL)
                if os.getppid() != parent:  # it was gone before
                    os._exit(1)
            slate = one
        signal.pthread_sigmask(signal.SIG_UNBLOCK, _SIGNALS)
        return not pid

    def _ended(self, one: Slate, code: int) -> int | None:
        """The exit status of a process; None where it is followed by another."""
        if code >= 0:
            return code
        if self._stopping:
            if self._killed and one.claimed:
                self._forgive(one.claimed)
            return 0 if self._lasting else 1
        if one.claimed:
            log.warning("a mail ended the process", mails=one.claimed, signal=-code)
            return None
        if self._lasting:
            log.warning("the process ended", signal=-code)
            time.sleep(_PAUSE)
            return 0 if self._stopping else None
        sys.stderr.write(f"referee: the process at work was ended by {signal.Signals(-code).name}\n")
        return 1

    def _stop(self, number: int, frame: FrameType | None) -> None:
        """Hand on the wish to stop, once, and see that it is met."""
        if not self._stopping:
            self._stopping = True
            signal.signal(signal.SIGALRM, self._stop)
            signal.setitimer(signal.ITIMER_REAL, _LAST_WORD)
        self._killed |= number == signal.SIGALRM
        for pid in self._at_work:
            with suppress(ProcessLookupError):  # it has just ended
                os.kill(pid, signal.SIGKILL if number == signal.SIGALRM else signal.SIGTERM)


# --- the watchdog --------------------------------------------------------------------------------------------------

_LOOK = 0.1  # seconds until it looks again where nothing was late, or where it could not strike
_LAST = 2.0  # times the seconds: what computes so long ends the process
# Where it never strikes: what holds a connection, a lock, a half-read module would be left in pieces.
_STORE = ("sqlalchemy", "psycopg", "psycopg_binary", "sqlite3", "referee.store")
_LOCKS_AND_IMPORTS = ("threading", "logging", "structlog", "importlib", "_frozen_importlib", "contextlib")
_SPARED = (__name__, *_STORE, *_LOCKS_AND_IMPORTS)


class Watchdog:
    """Watches over what is done in its `with over():`. `seconds` of computing, then Overrun; 0 for
    no watch at all. `slate`: where a supervisor reads which mails are in hand."""

    def __init__(self, seconds: float, slate: Slate | None = None) -> None:
        self._seconds, self._slate = seconds, slate if seconds else None
        self._claimed: list[str] = []
        self._lock, self._own = threading.Lock(), threading.local()

    def over(self, mail: str = "") -> AbstractContextManager[None]:
        """A watch over the block that follows, in this thread: a look at that mail (its uid)."""
        return self._watching(mail, sys._getframe(1))

    @contextmanager
    def _watching(self, mail: str, guarded: FrameType) -> Iterator[None]:
        self._claim(self._claimed.append, mail)
        self._light(_LAST * self._seconds)
        here = self._seconds and threading.current_thread() is threading.main_thread()
        try:
            with _alarm(self._seconds, guarded) if here else nullcontext():
                yield
        finally:
            self._light(0.0)
            self._claim(self._claimed.remove, mail)

    def _claim(self, change: Callable[[str], None], mail: str) -> None:
        with self._lock:
            change(mail)
            if self._slate is not None:
                self._slate.claimed = self._claimed

    def _light(self, seconds: float) -> None:
        """The fuse: the system ends the process (SIGPROF, which nobody here handles) once this thread has computed for
        so long; 0 puts it out. Where the system knows no timer of threads, the process's serves the main one alone."""
        if self._slate is None:
            return
        if not hasattr(_SYSTEM, "timer_create"):
            if threading.current_thread() is threading.main_thread():
                signal.setitimer(signal.ITIMER_PROF, seconds)
            return
        if not hasattr(self._own, "timer"):  # this thread's; the system takes it away
            self._own.timer = ctypes.c_void_p()
            clock = time.pthread_getcpuclockid(threading.get_ident())
            # POSIX `struct sigevent`, as Linux lays it out
            event = struct.pack("Pii48x", 0, signal.SIGPROF, 0)
            if _SYSTEM.timer_create(clock, event, ctypes.byref(self._own.timer)):
                raise OSError("the computing time of a thread can't be watched")
        span = struct.pack("4l", 0, 0, int(seconds), int(seconds % 1 * 1e9))  # POSIX `struct itimerspec`
        _SYSTEM.timer_settime(self._own.timer, 0, span, None)


@contextmanager
def _alarm(seconds: float, guarded: FrameType) -> Iterator[None]:
    """Strikes where the seconds are over, or the process is to end. An alarm that somebody else
    has set goes on afterwards."""
    began, since = time.thread_time(), time.monotonic()

    def struck(number: int, frame: FrameType | None) -> None:
        ends = time.monotonic() >= ends_at
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
