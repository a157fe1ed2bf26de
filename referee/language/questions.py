"""From `questions.toml`: what of how a match stands a mail asks."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable
from importlib.resources import files
from typing import Final

from referee.core.complaint import Line
from referee.language.sentences import words_of

_DATA = tomllib.loads(files(__package__).joinpath("questions.toml").read_text(encoding="utf-8"))
_BEGINS: Final = frozenset(map(words_of, _DATA["begins"]))
_TOPICS: Final = {phrase: topic for topic, said in _DATA["topics"].items() for phrase in map(words_of, said)}
_LONGEST: Final = max(map(len, (*_TOPICS, *_BEGINS)))
_SENTENCES: Final = re.compile(r"(?<=[.!?])\s+")
_MOST: Final = 40  # lines that are looked at
_LONG: Final = 400  # signs of one


def asked(own: Iterable[Line], subject: str) -> tuple[str, ...]:
    """The topics that a mail's sentences ask about, each once, in their order."""
    said = [line.text[:_LONG] for line in own if line.text.strip()][:_MOST]
    found = (
        topic for text in (subject, *said) for sentence in _SENTENCES.split(text) for topic in _of(sentence)
    )
    return tuple(dict.fromkeys(found))


def _of(sentence: str) -> list[str]:
    words = words_of(sentence)
    if not (sentence.rstrip(" )'\"").endswith("?") or any(words[:n] in _BEGINS for n in (1, 2))):
        return []
    parts = (words[i : i + n] for i in range(len(words)) for n in range(1, _LONGEST + 1))
    return [_TOPICS[part] for part in parts if part in _TOPICS]
