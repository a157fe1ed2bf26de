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

from __future__ import annotations

import ctypes
import fcntl
import json
import mmap
import os
import select
import signal
import struct
import sys
import threading
import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
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
log = Log("referee.supervisor")

ends_at = float("inf")  # when, by the monotonic clock, this process undoes what it has in hand


def end_soon() -> None:
    """The process is to end: called from the handlers of signals. Without a supervisor it takes its time."""
    global ends_at
    if slate is not None:
        ends_at = min(ends_at, time.monotonic() + _GRACE)


slate: Slate | None = None  # of this process, where it has a supervisor
wanted = False  # whether this process may fork: it is the program itself, and not a part of another


class Slate:
    """What a process at work tells its supervisor, in memory that both share and no crash takes away."""

    def __init__(self) -> None:
        self._memory = mmap.mmap(-1, 2 * _ROOM)
        self.crashed: frozenset[str] = frozenset()  # the mails over which earlier processes died
        self.counted_before: Mapping[str, int] = {}  # what earlier processes had done when they died

    @property
    def claimed(self) -> list[str]:
        """The mails that are being looked at."""
        return list(self._read(0))

    @claimed.setter
    def claimed(self, mails: Collection[str]) -> None:
        self._write(0, list(mails))

    @property
    def counts(self) -> Mapping[str, int]:
        """What has been done, and is committed, by all processes so far."""
        return dict(self._read(_ROOM))

    def begin(self) -> None:
        """A new process takes over."""
        self.claimed, self.counted_before = [], self.counts

    def count(self, counts: Mapping[str, int]) -> None:
        """What this process has done so far."""
        before = self.counted_before
        self._write(_ROOM, {name: count + before.get(name, 0) for name, count in counts.items()})

    def _read(self, at: int) -> Any:
        size = int.from_bytes(self._memory[at : at + 4], "big")
        try:
            return json.loads(self._memory[at + 4 : at + 4 + size])
        except ValueError:  # nothing was ever written, or it was killed while it wrote
            return ()

    def _write(self, at: int, what: object) -> None:
        written = json.dumps(what).encode()[: _ROOM - 4]
        self._memory[at : at + 4 + len(written)] = len(written).to_bytes(4, "big") + written


def supervised(*, lasting: bool = False, jobs: int = 1, forgive: Callable[[Sequence[str]], None]) -> None:
    """Come back in a process of its own (in each of `jobs`), and in another whenever one died over a mail. `lasting`:
    whenever one died at all. The process that was called never comes back: it exits with the status of the other.

    `forgive` is called with the mails that were in hand when they were killed after SIGTERM."""
    if wanted:
        _Supervisor(lasting, jobs, forgive).supervise()


class _Supervisor:
    def __init__(self, lasting: bool, jobs: int, forgive: Callable[[Sequence[str]], None]) -> None:
        self._lasting = lasting
        self._forgive = forgive
        self._slates = [Slate() for _ in range(jobs)]
        self._at_work: dict[int, Slate] = {}
        self._lines: dict[int, int] = {}  # what each holds the other end of, as long as this process lives
        self._stopping = False
        self._killed = False

    def supervise(self) -> None:
        """Comes back in the processes at work alone."""
        for number in _SIGNALS:
            signal.signal(number, self._stop)
        for one in self._slates:
            if self._begun(one):
                return
        status = 0
        while self._at_work:
            pid, ended = os.wait()
            one = self._at_work.pop(pid)
            os.close(self._lines.pop(pid))
            code = os.waitstatus_to_exitcode(ended)
            if self._goes_on(one, code):
                if self._begun(one):
                    return
            else:
                status = max(status, self._status(one, code))
        signal.setitimer(signal.ITIMER_REAL, 0)  # nobody is left to kill, and whoever ends hears no alarm
        sys.exit(status)

    def _begun(self, one: Slate) -> bool:
        """Another process for what stands on the slate; whether this is it."""
        one.crashed |= frozenset(one.claimed)
        one.begin()
        sys.stdout.flush()
        signal.pthread_sigmask(signal.SIG_BLOCK, _SIGNALS)
        theirs, ours = os.pipe()
        pid = os.fork()
        if pid:
            self._at_work[pid], self._lines[pid] = one, ours
            os.close(theirs)
        else:
            for number in _SIGNALS:
                signal.signal(number, signal.SIG_DFL)
            signal.signal(signal.SIGINT, signal.default_int_handler)
            for line in (ours, *self._lines.values()):
                os.close(line)
            _end_with(theirs)
            global slate
            slate = one
        signal.pthread_sigmask(signal.SIG_UNBLOCK, _SIGNALS)
        return not pid

    def _goes_on(self, one: Slate, code: int) -> bool:
        """Whether a process that ended so is followed by another."""
        if code >= 0 or self._stopping:
            return False
        if one.claimed:
            log.warning("a mail ended the process", mails=one.claimed, signal=-code)
        elif self._lasting:
            log.warning("the process ended", signal=-code)
            time.sleep(_PAUSE)
        return not self._stopping and bool(one.claimed or self._lasting)

    def _status(self, one: Slate, code: int) -> int:
        if code >= 0:
            return code
        if self._stopping:
            if self._killed and one.claimed:
                self._forgive(one.claimed)
            return 0 if self._lasting else 1
        sys.stderr.write(f"referee: the process at work was ended by {signal.Signals(-code).name}\n")
        return 1

    def _stop(self, number: int, frame: FrameType | None) -> None:
        """Hand on the wish to stop, once, and see that it is met."""
        if not self._stopping:
            self._stopping = True
            signal.signal(signal.SIGALRM, self._kill)
            signal.setitimer(signal.ITIMER_REAL, _LAST_WORD)
        self._send(signal.SIGTERM)

    def _kill(self, number: int, frame: FrameType | None) -> None:
        self._killed = True
        self._send(signal.SIGKILL)

    def _send(self, number: int) -> None:
        for pid in self._at_work:
            with suppress(ProcessLookupError):  # it has just ended
                os.kill(pid, number)


def _end_with(line: int) -> None:
    """Where the system can see to it, what works ends when its supervisor is gone: it lets go of
    the line's other end, and SIGIO, which nobody here handles, ends the process wherever it is."""
    fcntl.fcntl(line, fcntl.F_SETOWN, os.getpid())
    fcntl.fcntl(line, fcntl.F_SETFL, fcntl.fcntl(line, fcntl.F_GETFL) | os.O_ASYNC)
    if select.select([line], [], [], 0)[0]:  # it was gone before
        os._exit(1)


# --- the watchdog --------------------------------------------------------------------------------------------------

_LOOK = 0.1  # seconds until it looks again where nothing was late, or where it could not strike
_LAST = 2.0  # times the seconds: what computes so long ends the process
# Where it never strikes: what holds a connection, a lock or a half-read module would be left in pieces.
_STORE = ("sqlalchemy", "psycopg", "psycopg_binary", "sqlite3", "referee.store")
_LOCKS_AND_IMPORTS = ("threading", "logging", "structlog", "importlib", "_frozen_importlib", "contextlib")
_SPARED = (__name__, *_STORE, *_LOCKS_AND_IMPORTS)


class Watchdog:
    """Watches over what is done in its `with over():`. `seconds` of computing, then Overrun; 0 for
    no watch at all. `slate`: where a supervisor reads which mails are in hand."""

    def __init__(self, seconds: float, slate: Slate | None = None) -> None:
        self._seconds = seconds
        self._fuse = _Fuse(slate, _LAST * seconds) if slate is not None and seconds else None

    def over(self, mail: str = "") -> AbstractContextManager[None]:
        """A watch over the block that follows, in this thread: a look at that mail (its uid)."""
        return self._watching(mail, sys._getframe(1)) if self._seconds else nullcontext()

    @contextmanager
    def _watching(self, mail: str, guarded: FrameType) -> Iterator[None]:
        main = threading.current_thread() is threading.main_thread()
        fuse: AbstractContextManager[None] = self._fuse.lit(mail) if self._fuse else nullcontext()
        with fuse, _alarm(self._seconds, guarded) if main else nullcontext():
            yield


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


class _Fuse:
    """Has the system end the process (SIGPROF, which nobody here handles) once a thread has
    computed for `seconds` while it is `lit`. One timer a thread; where the system knows none for
    threads, its timer of the process serves the main thread alone."""

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
            # POSIX `struct sigevent`, as Linux lays it out
            event = struct.pack("Pii48x", 0, signal.SIGPROF, 0)
            if self._system.timer_create(clock, event, ctypes.byref(timer)):
                raise OSError("the computing time of a thread can't be watched")
        return timer
