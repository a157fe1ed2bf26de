"""A complaint in words: what is wrong, what would mend it, and of faults that are not alike each with its lines."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

import jinja2
from markupsafe import Markup

from referee.core.complaint import Complaint, Line, RuleText
from referee.core.texts import speech as theirs
from referee.post.writing.environment import Folders
from referee.post.writing.moments import When
from referee.post.writing.page_words import Context, Worded, abridged

compiled = cache(jinja2.Environment.from_string)  # compiling a sentence takes longer than a whole page


class Wordings:
    """The sentences for complaints by their code, a game's own before the referee's (`complaints.toml`)."""

    def __init__(self, folders: Folders) -> None:
        self._read = cache(lambda game: folders.table(f"{game}/complaints.toml"))

    def codes(self, game: str) -> frozenset[str]:
        return frozenset(self._read(game))

    def worded(self, environment: jinja2.Environment, complaint: Complaint, game: str, when: When) -> Worded:
        """The words of a complaint: what is wrong (`says`), what would mend it (`mend`); moments as `when` tells them.
        Of like faults on several lines: the words for all of them (`all_says`, `all_mend`, given `each` with the facts
        of every one), else `cases`, the words of each with its lines."""
        words = self._read(game).get(complaint.code) or self._read("referee")[complaint.code]
        if complaint.also and "all_says" in words:
            several = {"rule": complaint.rule, "each": [dict(one.facts) for one in complaint.each]}
            says, mend = (_spoken(environment, words, part, several) for part in ("all_says", "all_mend"))
            return {"says": says, "mend": mend, "cases": []}
        told: dict[tuple[Markup, Markup], list[Line]] = {}
        for one in complaint.each:
            facts = {"line": one.line, "rule": one.rule, "when": when, **one.facts}
            both = _spoken(environment, words, "says", facts), _spoken(environment, words, "mend", facts)
            told.setdefault(both, []).extend(one.lines)
        mends = list(dict.fromkeys(mend for _, mend in told))
        cases: list[dict[str, object]] = [
            {"says": says, "mend": mend if len(mends) > 1 else "", "lines": lines}
            for (says, mend), lines in told.items()
        ]
        says = Markup(" ").join(says for says, _ in told)
        return {"says": says, "mend": Markup(" ").join(mends), "cases": cases if len(told) > 1 else []}


def _spoken(environment: jinja2.Environment, words: Mapping[str, str], part: str, facts: Context) -> Markup:
    line = facts.get("line")
    of_line = line.text if isinstance(line, Line) else ""
    shown = {name: _shown(fact, of_line) for name, fact in facts.items()}
    spoken = compiled(environment, words.get(part, "")).render(shown)
    return Markup(" ".join(spoken.split()))  # what was escaped in it is escaped once


def _shown(fact: object, line: str) -> object:
    """A fact of a complaint as its sentence shows it: a sender's words, those of the line at fault above all, without
    what could pass for ours, and no longer than a letter shows them."""
    if not isinstance(fact, str) or isinstance(fact, RuleText):
        return fact
    told = fact.strip().casefold()
    return theirs.short(fact) if told and told in line.casefold() else abridged(theirs.plain(fact))
