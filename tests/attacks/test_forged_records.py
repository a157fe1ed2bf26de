"""Records with invented, missing, changed and misplaced facts, whose chain was made anew by one who knows the recipe.

`verify` must name a fault of each, unless what the forger tells is another match that may have been played as well. Of
that it can know nothing; the chain's heads that letters told do. These are the classes (`nobody_knows`), and no others:

- *cut off*: the record of the same match at an earlier moment;
- *declared*: what the opening says by itself (names, data and options that nothing hung on);
- *decided*: a whole stimulus more, less, elsewhere or another: what a person may have done just so (a decision of the
  moderator with its reason and its dates, words, an answer that the rules allow) with all that follows from it;
- *hour*: when it was done, where nothing was due by it;
- *private*: what was never told: how often the player of a private puzzle took a move back, how many positions a solver
  looked at, which of several right solutions it found;
- *the same*: a field left out that says what is taken for granted, as older programs did;
- *taken over*: what had happened in another match, whose record tells it.

No event of a game, no opening, closing or end of a round or a match is among them."""

from __future__ import annotations

import itertools
import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from referee import shipped
from referee.cli.records import NO_RECORD
from referee.core.game import AnyGame
from referee.match import events as ev
from referee.match.record.chain import private_again
from referee.match.record.public import lines_of, public_record
from referee.match.record.verifying import verified
from tests.laws.walks import KINDS, begin, steps
from tests.match.forging import Forgery, Line, as_read, forgeries, rechained
from tests.match.kept import kept

SAMPLED = 900  # forgeries of the ordinary suite
LONGEST = 150  # entries: longer matches show nothing more

DECISIONS = {
    "MatchPaused", "MatchResumed", "DeadlineMoved", "DowntimeAdded", "AbsenceTaken", "Said", "PressSent",
    "EntrantJoined", "EntrantLeft", "EntrantReplaced", "MatchRewound", "TurnRuled", "Amended", "Answered", "Lapsed",
    "RoundRevealed",
}  # fmt: skip
PRIVATE = {
    ("TrailRevealed", "undone"),
    ("ParPublished", "par"),
    ("VerdictGiven", "nodes"),
}


def records() -> Iterator[tuple[str, AnyGame, dict[str, Any]]]:
    """Matches of every game in each of its kinds, and the kept ones, which show every kind of event there is: rewinds,
    rulings, pauses, amendments, replacements, standing orders, claims with their proofs, draws."""
    for kind in KINDS:
        walk = begin(kind, 5)
        for step in steps(kind, 5, 12):
            walk = step.walk
        yield kind, walk.game, as_read(public_record(walk.game, walk.entries))
    for one in kept():
        record = as_read(public_record(one.game, one.entries))
        if len(record["entries"]) <= LONGEST:
            yield one.name, one.game, record


@pytest.fixture(scope="module")
def true_records() -> list[tuple[str, AnyGame, dict[str, Any]]]:
    return list(records())


def faults_of(record: dict[str, Any], game: AnyGame) -> tuple[str, ...]:
    try:
        return verified(as_read(record), game, shipped.game_options(game.slug))
    except NO_RECORD as error:
        return (repr(error),)


def rewritten(lines: list[Line], game: AnyGame) -> dict[str, Any]:
    return {**rechained(lines), "title": game.title}


def nobody_knows(forgery: Forgery, true: list[Line], game: AnyGame) -> str:
    """The class of a forgery that may be true; empty where it can't."""
    told = as_read(rechained(forgery.lines))
    forged = lines_of(told)
    first = [_body(line) for line in forged]
    if first == [_body(line) for line in true[: len(first)]]:
        return "cut off"
    at = next(i for i, (a, b) in enumerate(itertools.zip_longest(first, map(_body, true))) if a != b)
    line = forged[min(at, len(forged) - 1)]
    start = _start(forged, at)
    if start == 0 and "continues" in forged[0]:
        return "taken over" if line["is"] == "Happened" else "declared" if at == 0 else ""
    if at == 0:
        return "declared"
    if forgery.deed == "alter" and _meant(line, game) == _meant(true[at], game):
        return "the same"
    if forgery.deed == "alter" and forgery.place[0] == "at":
        return "hour" if not _opens(forged, start) else ""
    if forgery.deed == "alter" and (forgery.kind, forgery.place[-1]) in PRIVATE:
        return "private"
    if forgery.deed == "alter" and (forgery.kind, *forgery.place[1:2]) in PRIVATE:
        return "private"
    return "decided" if start in (at, len(forged)) and line["is"] in DECISIONS else ""


def _body(line: Line) -> Line:
    return {k: v for k, v in line.items() if k not in ("hash", "position")}


def _meant(line: Line, game: AnyGame) -> tuple[Any, ...]:
    """What an entry says, whatever it leaves out."""
    event = private_again({"position": 0, **_body(line)}).event
    if isinstance(event, ev.Happened):
        return line["at"], game.events_codec.decode(event.event)
    if isinstance(event, ev.Answered):
        return line["at"], game.actions_codec.decode(event.action), replace(event, action={})
    return line["at"], event


def _start(lines: list[Line], at: int) -> int:
    """The first entry of the stimulus."""
    return next((i + 1 for i in reversed(range(min(at, len(lines)))) if "hash" in lines[i]), 0)


def _opens(lines: list[Line], start: int) -> bool:
    """Whether a deadline hangs on the moment of the stimulus."""
    for line in lines[start:]:
        if line["is"] == "RoundOpened" and line["due_at"]:
            return True
        if "hash" in line:
            break
    return False


def judged(chosen: Iterator[tuple[AnyGame, list[Line], Forgery]]) -> tuple[Counter[str], set[str], list[str]]:
    """How many forgeries there were of each fate, the kinds of them, and those that passed and could not be true."""
    fates: Counter[str] = Counter()
    kinds: set[str] = set()
    passed: list[str] = []
    for game, true, forgery in chosen:
        record = rewritten(forgery.lines, game)
        if lines_of(as_read(record)) == true:
            continue
        kinds.add(f"{game.slug} {forgery.deed} {forgery.kind}")
        if faults_of(record, game):
            fates["named"] += 1
            continue
        fate = nobody_knows(forgery, true, game)
        fates[fate or "passed"] += 1
        if not fate:
            passed.append(f"{game.slug}: {forgery}")
    return fates, kinds, passed


def _all(
    records: list[tuple[str, AnyGame, dict[str, Any]]], most: int, share: float = 1.0
) -> Iterator[tuple[AnyGame, list[Line], Forgery]]:
    chance = random.Random("forged records")
    for _, game, record in records:
        true = lines_of(record)
        for forgery in forgeries(record, most):
            if chance.random() < share:
                yield game, true, forgery


def _said(fates: Counter[str], kinds: set[str]) -> None:
    others = ", ".join(f"{n} {fate}" for fate, n in fates.most_common() if fate != "named")
    print(f"{sum(fates.values())} forgeries of {len(kinds)} kinds: {fates['named']} named; {others}")


def test_no_invented_fact_passes(true_records: list[tuple[str, AnyGame, dict[str, Any]]]) -> None:
    small = [one for one in true_records if len(one[2]["entries"]) <= 60]
    whole = sum(1 for _ in _all(small, 1))
    fates, kinds, passed = judged(_all(small, 1, SAMPLED / whole))
    _said(fates, kinds)
    assert passed == []
    assert fates["named"] > SAMPLED / 2
    assert len(kinds) > 200


@pytest.mark.soak
@pytest.mark.parametrize("slug", ["buttons", "fourplay", "morris", "multigo", "onepiece"])
def test_no_invented_fact_passes_anywhere(
    slug: str, true_records: list[tuple[str, AnyGame, dict[str, Any]]]
) -> None:
    fates, kinds, passed = judged(_all([one for one in true_records if one[1].slug == slug], 3))
    _said(fates, kinds)
    assert passed == []
