"""From `phrases.toml`: how mail programs introduce quotes and sign letters, how people say Yes and No."""

import tomllib
from importlib.resources import files

_DATA = tomllib.loads(files(__package__).joinpath("phrases.toml").read_text(encoding="utf-8"))

WROTE_IN: dict[str, str] = {verb: language for language, verbs in _DATA["wrote"].items() for verb in verbs}
WROTE: tuple[str, ...] = tuple(sorted(WROTE_IN, key=len, reverse=True))
WROTE_WITHIN: frozenset[str] = frozenset(_DATA["wrote_within"])
STARTS: frozenset[str] = frozenset(_DATA["starts"])
QUOTED_BELOW: frozenset[str] = frozenset(_DATA["quoted_below"])
FORWARDED_BELOW: frozenset[str] = frozenset(_DATA["forwarded_below"])
FORWARDED_BARE: frozenset[str] = frozenset(_DATA["forwarded_bare"])
SENT_FROM: tuple[str, ...] = tuple(_DATA["sent_from"])
SENT_FROM_ENDS: tuple[str, ...] = tuple(_DATA["sent_from_ends"])
LEGAL: tuple[str, ...] = tuple(_DATA["legal"])
YES: tuple[str, ...] = tuple(_DATA["yes"])
NO: tuple[str, ...] = tuple(_DATA["no"])
OWNS: tuple[str, ...] = tuple(_DATA["owns"])
DISOWNS: tuple[str, ...] = tuple(_DATA["disowns"])
AGREES: tuple[str, ...] = tuple(_DATA["agrees"])
AGREES_BESIDE: tuple[str, ...] = tuple(_DATA["agrees_beside"])
POLITE: tuple[str, ...] = tuple(_DATA["polite"])
REPLY_PREFIXES: frozenset[str] = frozenset(_DATA["reply_prefixes"])
NO_WRITERS: frozenset[str] = frozenset(_DATA["no_writers"])
SENT_FROM_MINE: tuple[str, ...] = tuple(f"{words} " for words in _DATA["sent_from_mine"])
LIST_FOOTERS: tuple[str, ...] = tuple(_DATA["list_footers"])
ABSENCES: tuple[str, ...] = tuple(_DATA["absences"])
FAILURES: tuple[str, ...] = tuple(_DATA["failures"])
FIELDS: dict[str, str] = {word: kind for kind, words in _DATA["fields"].items() for word in words}
