"""The command line: thin. It reads arguments, calls an office, prints facts."""

from referee.cli.app import main

__all__ = ["main"]
