"""An SMTP courier in a process of its own. There it waits for the server, and nobody who computes keeps it from
answering the server at once; two threads of one process would take turns over every word.

The process is spawned, as the solver's is, and lives as long as the courier it belongs to. It ends when its parent is
gone: the letter in hand is then its last.
"""

from __future__ import annotations

import multiprocessing
import signal
import threading
from collections.abc import Iterable, Iterator
from dataclasses import replace
from multiprocessing.connection import Connection
from queue import Empty, SimpleQueue

from referee.logs import Log
from referee.offices.ports.transport import Delivery, HandedOver, Parcel
from referee.post.carrying.smtp import SmtpCourier
from referee.post.carrying.smtp_session import SmtpAccount, own_name

log = Log("referee.courier")
_SPAWN = multiprocessing.get_context("spawn")
_PATIENCE = 10.0  # seconds for a process to leave by itself
_GONE = Delivery("later", "The process that hands letters over is gone.", tried=False)


class SmtpPorter:
    """Our end of it, as a Porter."""

    def __init__(self, account: SmtpAccount) -> None:
        self._account = account
        self._process: multiprocessing.process.BaseProcess | None = None
        self._line: Connection | None = None
        self._given: dict[str, None] = {}

    @property
    def pid(self) -> int | None:
        """Of the process, where there is one."""
        return self._process.pid if self._process is not None else None

    def give(self, parcels: Iterable[Parcel]) -> None:
        given = list(parcels)
        self._given.update((parcel.message_id, None) for parcel in given)
        try:
            line = self._running()
            for parcel in given:
                line.send(parcel)
        except OSError as error:
            self._died(error)

    def settled(self) -> list[HandedOver]:
        found: list[HandedOver] = []
        try:
            while self._line is not None and self._line.poll():
                found.append(self._line.recv())
        except (EOFError, OSError) as error:
            self._died(error)
        return self._counted(found)

    def halt(self) -> list[HandedOver]:
        found: list[HandedOver] = []
        try:
            if self._line is not None:
                self._line.send(None)
                while (word := self._line.recv()) is not None:
                    found.append(word)
        except (EOFError, OSError) as error:
            self._died(error)
        except BaseException:
            self._let_go()
            raise
        found = self._counted(found)
        self._given.clear()
        return found

    def close(self) -> None:
        line, self._line = self._line, None
        if line is not None:
            line.close()
        if self._process is not None:
            self._process.join(_PATIENCE)
        self._let_go()

    def _counted(self, found: list[HandedOver]) -> list[HandedOver]:
        """What was given to a process that is gone, and may have left, comes back as well."""
        for message_id, _ in found:
            self._given.pop(message_id, None)
        if self._line is None:
            found += [(message_id, _GONE) for message_id in self._given]
            self._given.clear()
        return found

    def _running(self) -> Connection:
        if self._line is None:
            account = replace(self._account, greeting=self._account.greeting or own_name())
            self._line, theirs = _SPAWN.Pipe()
            with theirs:
                process = _SPAWN.Process(target=_serve, args=(theirs, account), name="porter", daemon=True)
                process.start()
            self._process = process
        return self._line

    def _died(self, error: Exception) -> None:
        log.warning("porter died", how=type(error).__name__)
        self._let_go()

    def _let_go(self) -> None:
        process, line = self._process, self._line
        self._process = self._line = None
        if line is not None:
            line.close()
        if process is not None:
            process.kill()
            process.join()


def _serve(line: Connection, account: SmtpAccount) -> None:
    """The process. An interrupt is its parent's affair; whoever would end it waits for the letter in hand."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    work = _Work(line, SmtpCourier(account))
    signal.signal(signal.SIGTERM, lambda number, frame: work.leave())
    threading.Thread(target=work.listen, daemon=True, name="listener").start()
    work.serve()


class _Work:
    """What the process does. Its parent sends parcels, and None for: no more of them; that is answered with None, once
    the letter in hand is done with and the others are dropped. Whatever became of one is sent back at once."""

    def __init__(self, line: Connection, courier: SmtpCourier) -> None:
        self._line = line
        self._courier = courier
        self._given: SimpleQueue[Parcel | None] = SimpleQueue()
        self._halted = False  # what is given is dropped, until the parent has been answered
        self._leaving = False

    def listen(self) -> None:
        """In a thread: so the parent never waits for room in the pipe."""
        try:
            while True:
                given = self._line.recv()
                if given is None:
                    self._halted = True
                self._given.put(given)
        except (EOFError, OSError):
            self.leave()

    def leave(self) -> None:
        self._leaving = True
        self._given.put(None)

    def serve(self) -> None:
        given = self._given.get()
        while not self._leaving:
            if given is None:
                self._halted = False
                self._say(None)
                given = self._given.get()
            elif self._halted:
                given = self._given.get()
            else:
                given = self._carry(given)
        self._courier.close()

    def _carry(self, first: Parcel) -> Parcel | None:
        """Hand over what there is; what was given besides."""
        after: list[Parcel | None] = []

        def drawn() -> Iterator[Parcel]:
            given: Parcel | None = first
            while given is not None and not (self._halted or self._leaving):
                yield given
                try:
                    given = self._given.get_nowait()
                except Empty:
                    return
            after.append(given)

        self._courier.carry(drawn(), self._settled)
        return after[0] if after else self._given.get()

    def _settled(self, parcel: Parcel, delivery: Delivery) -> None:
        if not delivery.tried:
            self._halted = True
        self._say((parcel.message_id, delivery))

    def _say(self, word: HandedOver | None) -> None:
        try:
            self._line.send(word)
        except OSError:
            self.leave()
