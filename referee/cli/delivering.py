"""`deliver`."""

from __future__ import annotations

import signal
from types import FrameType

import typer

from referee.base.errors import CannotDo
from referee.cli.app import located
from referee.cli.command_line import app
from referee.transport.maildir import deliver as hand_in
from referee.transport.urls import folder_of

_TIMES = (
    100  # the largest mail that is read: one so long is kept whole, and answered; a longer one is no mail
)


@app.command()
def deliver(context: typer.Context) -> None:
    """Take one mail on standard input into the mailbox, a Maildir: for the pipes of a mail server.

    The exit status is 0 once the mail is on the disk, and 75 whatever goes wrong: the mail server then keeps it, and
    tries again."""
    signal.signal(signal.SIGTERM, _stop)
    found = located(context)
    mailbox = found.settings.mailbox
    if not mailbox.url.startswith("maildir:"):
        raise CannotDo(
            "[mailbox] url is no Maildir: the referee fetches its mail itself, and nothing can be handed to it. "
            'Write url = "maildir:FOLDER", or leave the mail with the mail server.'
        )
    with open(0, "rb", closefd=False) as mail:
        hand_in(folder_of(mailbox.url, found.folder), mail, _TIMES * mailbox.largest)


def _stop(number: int, frame: FrameType | None) -> None:
    signal.signal(number, signal.SIG_IGN)  # once is enough: the draft is being removed
    raise SystemExit(1)
