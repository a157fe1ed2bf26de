"""The command line: thin. It reads arguments, calls an office, prints facts."""

import gc

_YOUNG = 50_000  # objects made, until the collector looks through the youngest


def main(arguments: list[str] | None = None) -> None:
    """The program. Nearly all that a start makes is there to stay, so the collector looks through it a few times and
    not hundreds of times, which were a twentieth of what a command costs."""
    gc.set_threshold(_YOUNG)
    from referee.cli import app

    app.main(arguments)


__all__ = ["main"]
