"""A record's file, read and verified."""

from __future__ import annotations

from pathlib import Path

from referee.base import shipped
from referee.base.errors import CannotDo
from referee.core.texts.bounded import BadData, read_json
from referee.games import found
from referee.match.record.text import HEAD as TEXT_HEAD
from referee.match.record.verifying import verified
from referee.offices.register.facts import Facts

# What the values of a text that is no record of ours make the checks raise, wherever they look.
NO_RECORD = (
    ValueError,
    LookupError,
    TypeError,
    AttributeError,
    ArithmeticError,
    AssertionError,
    RecursionError,
)
IS_TEXT = (
    "this is a record as text, which has no chain: verify the one that `record MATCH --format json` writes"
)


def record_of(file: Path) -> tuple[Facts, tuple[str, ...]]:
    """A record (empty where it is none), and what is wrong with it; without faults it verifies. Raises
    CannotDo where the file can't be read, OSError where there is none."""
    try:
        text = shipped.text_of(file, shipped.LARGEST_RECORD)
        if text.startswith(TEXT_HEAD):
            return {}, (IS_TEXT,)
        told = read_json(text)
        game = found().get(told.get("game"))
        return told, verified(told, game, shipped.game_options(game.slug) if game else None)
    except shipped.BadFile as error:
        raise CannotDo(str(error)) from None
    except BadData as error:
        return {}, (f"this is no record: {error}",)
    except NO_RECORD as error:
        words = " ".join(str(error).split())
        return {}, (f"this is no record: {type(error).__name__} {words}"[:300],)
