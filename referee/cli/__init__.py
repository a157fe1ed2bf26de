"""The command line: thin. It reads arguments, calls an office, prints facts."""

import gc
import os

_YOUNG = 200_000  # objects made, until the collector looks through the youngest; what lasts sets its own


def program() -> None:
    """The command `referee`: in a process of its own, which may begin again after a mail has ended it."""
    from referee.base import logs
    from referee.engine import supervisor

    supervisor.wanted = True
    logs.guard()
    main()


def main(arguments: list[str] | None = None) -> None:
    """A command, in this process. Nearly all that a start makes is there to stay, so the collector looks through it a
    few times and not hundreds of times, which were a twentieth of what a command costs. Nor need pydantic look through
    whatever is installed for plugins of its own. At its end there is nothing left to look through: that took a tenth of
    a second after a pass over 200 mails, while whoever had called waited."""
    gc.set_threshold(_YOUNG)
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "1")
    from referee.cli import app

    try:
        app.main(arguments)
    finally:
        gc.freeze()


__all__ = ["main", "program"]
