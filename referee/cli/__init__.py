"""The command line: thin. It reads arguments, calls an office, prints facts."""

import gc
import os
import sys
from contextlib import suppress

_YOUNG = 200_000  # objects made, until the collector looks through the youngest; services set their own
_LATER = 75  # EX_TEMPFAIL: whoever handed a mail in keeps it, and tries again


def program() -> None:
    """The command `referee`: in a process of its own, which may begin again after a mail ended it."""
    from referee.base import logs
    from referee.service import supervisor

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
    try:
        from referee.cli.app import status

        sys.exit(status(arguments))
    except BaseException as leaving:
        words = sys.argv[1:] if arguments is None else arguments
        if not _hands_in(words) or (isinstance(leaving, SystemExit) and leaving.code == 0):
            raise
        if not isinstance(leaving, SystemExit):
            with suppress(OSError):  # nobody reads it
                sys.excepthook(type(leaving), leaving, leaving.__traceback__)
        raise SystemExit(_LATER) from None
    finally:
        gc.freeze()


def _hands_in(words: list[str]) -> bool:
    """Whether the command is `deliver`, however wrong the rest is: else the mail server sends a player's mail back."""
    told = zip(["", *words], words, strict=False)
    named = [word for before, word in told if before != "--config" and word[:1] != "-"]
    return (named or words[-1:])[:1] == ["deliver"]  # or what was taken for the file's name
