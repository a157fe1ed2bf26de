"""The ear: a thread that hears of mail, so that it is read at once and not by the clock alone."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from referee.base.logs import Log
from referee.base.ports import Mailbox
from referee.service.wiring import Referee

_SLICE = 1.0  # seconds it listens at once, so that it hears of the end
LONGEST_PAUSE = 300.0  # seconds before what fails again and again is tried once more
log = Log("referee.ear")


@contextmanager
def listening(referee: Referee, over: threading.Event, ring: Callable[[], None]) -> Iterator[None]:
    """Rings whenever mail has come, until the block ends or it is `over`; it listens again once `ring` comes back."""
    maildir = referee.settings.mailbox.url.startswith("maildir:")
    ears = referee.mailbox if maildir else referee.another_mailbox()
    ear = threading.Thread(target=_listen, args=(ears, over, ring), daemon=True, name="ear")
    ear.start()
    try:
        yield
    finally:
        over.set()
        if not maildir:
            ear.join(2 * _SLICE)
            ears.close()


def _listen(ears: Mailbox, over: threading.Event, ring: Callable[[], None]) -> None:
    deaf = 0
    while not over.is_set():
        try:
            if ears.wait(_SLICE):
                ring()
            deaf = 0
        except Exception:  # without an ear mail is read by the clock alone: it goes on listening
            if not deaf:
                log.exception("ear")
            deaf += 1
            over.wait(min(_SLICE * 2**deaf, LONGEST_PAUSE))
