"""Records with invented, missing, changed and misplaced facts, whose chain was made anew by one who knows the recipe.

`verify` must name a fault of each, unless what the forger tells is another match that may have been played as well. Of
that it can know nothing; the chain's heads that letters told do. These are the classes (`nobody_knows`), and no others:

- *cut off*: the record of the same match at an earlier moment, behind a whole stimulus;
- *declared*: what the opening says by itself (names, data and options that nothing hung on);
- *decided*: a whole stimulus more, less, elsewhere or another: what a person may have done just so (a decision of the
  moderator with its reason and its dates, words, an answer that the rules allow) with all that follows from it;
- *hour*: when it was done, where nothing was due by it;
- *private*: what was never told: how often the player of a private puzzle took a move back, from which of its two ends
  they moved where the rules allow both and the board is the same, how many positions a solver looked at, which of
  several right solutions it found;
- *the same*: a field left out that says what is taken for granted, as older programs did;
- *taken over*: what had happened in another match, whose record tells it.

No event of a game, no opening, closing or end of a round or a match is among them."""

import itertools
import json
import random
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from referee.base import shipped
from referee.base.errors import UNFORESEEN
from referee.core.game import AnyGame
from referee.match import commands as do
from referee.match import events as ev
from referee.match.chain import BadWords, private_again
from referee.match.record.public import lines_of, public_record, record_json
from referee.match.record.verifying import verified
from tests.laws.walks import KINDS, begin, steps
from tests.match.forging import Forgery, Line, as_read, forgeries, rechained
from tests.match.kept import kept
from tests.match.reading_records import read_back
from tests.servers.ground import PATIENCE

SAMPLED = 250  # forgeries of the ordinary suite
LONGEST = 150  # entries: longer matches show nothing more

DECISIONS = {
    "MatchPaused", "MatchResumed", "DeadlineMoved", "DowntimeAdded", "AbsenceTaken", "Said", "PressSent",
    "EntrantJoined", "EntrantLeft", "EntrantReplaced", "MatchRewound", "TurnRuled", "Amended", "Answered", "Lapsed",
    "RoundRevealed",
}  # fmt: skip
PRIVATE = {("TrailRevealed", "undone"), ("ParPublished", "par"), ("VerdictGiven", "nodes")}


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
    except UNFORESEEN as error:
        return (repr(error),)


def rewritten(lines: list[Line], game: AnyGame) -> dict[str, Any]:
    return {**rechained(lines), "title": game.title}


def nobody_knows(forgery: Forgery, true: list[Line], game: AnyGame) -> str:
    """The class of a forgery that may be true; empty where it can't."""
    told = as_read(rechained(forgery.lines))
    forged = lines_of(told)
    first = [_body(line) for line in forged]
    if first == [_body(line) for line in true[: len(first)]]:
        return "cut off" if "hash" in true[len(first) - 1] else ""
    at = next(i for i, (a, b) in enumerate(itertools.zip_longest(first, map(_body, true))) if a != b)
    line = forged[min(at, len(forged) - 1)]
    start = _start(forged, at)
    if start == 0 and forged[0].get("continues"):
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
    if (forgery.deed, forgery.kind) == ("alter", "TrailRevealed") and _exchanged(line) == _exchanged(
        true[at]
    ):
        return "private"
    return "decided" if start in (at, len(forged)) and line["is"] in DECISIONS else ""


def _body(line: Line) -> Line:
    return {k: v for k, v in line.items() if k not in ("hash", "position")}


def _meant(line: Line, game: AnyGame) -> object:
    """What an entry says, whatever it leaves out."""
    try:
        event = private_again({"position": 0, **_body(line)}).event
        if isinstance(event, ev.Happened):
            return line["at"], game.events_codec.decode(event.event)
        if isinstance(event, ev.Answered):
            return line["at"], game.actions_codec.decode(event.action), replace(event, action={})
    except UNFORESEEN:
        return line
    return line["at"], event


def _exchanged(line: Line) -> object:
    """What a trail says, whichever end of a move was its first."""
    return {**line, "event": {**line["event"], "trail": [sorted(move) for move in line["event"]["trail"]]}}


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
        try:
            record = rewritten(forgery.lines, game)
        except BadWords:
            fates["named"] += 1  # no chain can be made over it
            continue
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
    assert len(kinds) > 100


@pytest.mark.soak
@pytest.mark.parametrize("slug", ["buttons", "fourplay", "morris", "multigo", "onepiece"])
def test_no_invented_fact_passes_anywhere(
    slug: str, true_records: list[tuple[str, AnyGame, dict[str, Any]]]
) -> None:
    fates, kinds, passed = judged(_all([one for one in true_records if one[1].slug == slug], 3))
    _said(fates, kinds)
    assert passed == []


# --- one by one -------------------------------------------------------------------------------------------------------


def true_record(kind: str, most: int = 12) -> tuple[AnyGame, dict[str, Any]]:
    walk = begin(kind, 5)
    for step in steps(kind, 5, most):
        walk = step.walk
    return walk.game, as_read(public_record(walk.game, walk.entries))


@pytest.mark.one_in(3)
@pytest.mark.parametrize(
    ("kind", "event"),
    [
        ("nine men", {"is": "ManTaken", "seat": 1, "point": "a1"}),
        ("nine men", {"is": "MatchDecided", "winners": [1], "reason": "Player 1 says so."}),
        ("buttons", {"is": "MatchDecided", "winners": [2], "reason": "Player 2 says so."}),
        ("go sequential", {"is": "Resigned", "seat": 1, "how": "mail", "removed": [], "comment": ""}),
        ("go sequential", {"is": "PrisonersTaken", "number": 1, "seat": 1, "stones": [{"colour": 2, "stones": 9}],
                           "lost": [], "how": "prefer", "comment": ""}),
        ("onepiece", {"is": "MatchDecided", "winners": [1], "reason": "Player 1 says so."}),
    ],
)  # fmt: skip
@pytest.mark.parametrize("alone", [True, False])
def test_a_stray_fact_before_the_next_round_is_named(kind: str, event: Line, alone: bool) -> None:
    """Wherever in the match: behind a stimulus by itself, or among what followed from one."""
    game, record = true_record(kind)
    true = lines_of(record)
    assert faults_of(rewritten(true, game), game) == ()
    for index in range(3, len(true), 3):
        before = true[index - 1] if alone else {k: v for k, v in true[index - 1].items() if k != "hash"}
        stray: Line = {"is": "Happened", "at": before["at"], "event": event}
        lines = [*true[: index - 1], {**before, "hash": ""} if alone else before]
        lines += [{**stray, "hash": ""} if alone else stray, *true[index:]]
        assert faults_of(rewritten(lines, game), game), index


@pytest.mark.one_in(6)
@pytest.mark.parametrize("kind", KINDS)
def test_what_breaks_off_within_a_stimulus_is_named(kind: str) -> None:
    game, record = true_record(kind, 4)
    lines = lines_of(record)
    for end in (n for n in range(1, len(lines)) if "hash" not in lines[n - 1]):
        assert faults_of(rewritten(lines[:end], game), game), end


@pytest.mark.parametrize("version", [3, 4])
def test_what_stands_round_the_entries_is_made_from_them_or_refused(version: int) -> None:
    game, record = true_record("go sequential")
    if version == 3:
        record = json.loads((ROOT / "tests/match/records/3_go_sequential.json").read_text(encoding="utf-8"))
    usual, recipes = record.get("usual", {}), record["how_to_check"]
    tables: list[dict[str, Any]] = [{**usual, "Peace": {"made": True}}]
    for some in [*usual][:1]:
        tables += [{**usual, some: {**usual[some], "note": "bribed"}}, {**usual, some: {}}]
    changes: list[dict[str, Any]] = [
        {"title": "Chess"},
        {"title": ""},
        {"match": "another"},
        {"game": "buttons"},
        {"format": "referee record 1"},
        {"head": "0" * 64},
        {"head": ""},
        {"note": "bribed"},
        *({"usual": table} for table in tables),
        {"entries": [*record["entries"][:-1], {**record["entries"][-1], "note": 1}]},
        *({"how_to_check": {**recipes, name: "believe it"}} for name in recipes),
        *({"how_to_check": {k: v for k, v in recipes.items() if k != name}} for name in recipes),
        {"how_to_check": {**recipes, "note": "bribed"}},
    ]
    for change in changes:
        assert faults_of({**record, **change}, game), change
    for name in record:
        assert faults_of({k: v for k, v in record.items() if k != name}, game), name


def test_a_record_of_a_game_that_nobody_knows_is_not_believed() -> None:
    _, record = true_record("buttons")
    assert "known here" in verified({**record, "game": "chess"}, None)[0]


def _widened(lines: list[Line], **changes: Any) -> list[Line]:
    return [{**lines[0], **changes}, *lines[1:]]


ROOT = Path(__file__).parents[2]
HUGE: dict[str, Any] = {
    "seats": lambda lines: _widened(lines, seats=10**8),
    "more digits than seats": lambda lines: _widened(lines, seats=10**4000),
    "continued for many": lambda lines: _widened(
        lines, seats=10**8, continues={"match": "m", "position": 1, "head": "0" * 64}
    ),
    "a roster": lambda lines: _widened(lines, roster=[{"name": "x"}] * 5_000),
    "data": lambda lines: _widened(lines, data={"board": ["x" * 1000] * 2000}),
    "an option": lambda lines: _widened(lines, options={**lines[0]["options"], "values": "1 " * 20_000}),
    "downtime": lambda lines: [
        *lines, {"is": "DowntimeAdded", "at": lines[-1]["at"], "seconds": 10**30, "hash": ""},
    ],
    "an answer": lambda lines: [
        {**line, "text": "Place: B1 a1 " * 100_000} if line["is"] == "Answered" else line for line in lines
    ],
    "rewinds": lambda lines: [
        *lines,
        *[{"is": "MatchRewound", "at": lines[-1]["at"], "back_to": 5, "label": "Round 1 / Player 1", "why": "",
           "seen": False, "hash": ""}] * 5_000,
    ],
}  # fmt: skip


def counted() -> dict[str, tuple[list[str], int, int]]:
    """Of each: its faults, how many calls they took, and how large the record was."""
    game, record = true_record("buttons", 6)
    found = {}
    for what, change in HUGE.items():
        forged = rewritten(change(lines_of(record)), game)
        calls = Counter[str]()

        def count(frame: Any, event: str, _: Any, calls: Counter[str] = calls) -> None:
            calls[event] += event == "call"

        sys.setprofile(count)
        try:
            faults = faults_of(forged, game)
        finally:
            sys.setprofile(None)
        found[what] = list(faults), calls["call"], len(record_json(forged))
    return found


@pytest.fixture(scope="module")
def costs() -> dict[str, tuple[list[str], int, int]]:
    """Counted in a process of its own, in which nothing else stands."""
    code = "import json; from tests.attacks.test_forged_records import counted; print(json.dumps(counted()))"
    ran = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, timeout=PATIENCE, check=True
    )
    told: dict[str, tuple[list[str], int, int]] = json.loads(ran.stdout)
    return told


@pytest.mark.parametrize("what", HUGE)
def test_what_is_larger_than_any_match_is_refused_for_little_work(
    what: str, costs: dict[str, tuple[list[str], int, int]]
) -> None:
    faults, calls, size = costs[what]
    assert faults
    assert all(len(fault) < 300 for fault in faults)
    assert calls < 50_000 + 20 * size


def test_more_entries_than_any_match_has_are_not_even_hashed() -> None:
    game, record = true_record("buttons", 2)
    endless = {**record, "entries": [*record["entries"], *[{"position": 1, "is": "Said"}] * 100_000]}
    assert "a match has 1 to 100000" in faults_of(endless, game)[0]


def test_rewinds_of_rewinds_cost_no_more_than_their_number() -> None:
    """Each goes back to where the one before it had led: folded one within the other they would double every time."""
    walk = begin("buttons", 5)
    for _ in range(40):
        walk.do(do.Rewind(walk.match.position, "once more"))
    record = as_read(public_record(walk.game, walk.entries))
    assert sum(line["is"] == "MatchRewound" for line in lines_of(record)) == 40
    assert faults_of(record, walk.game) == ()
    assert read_back(walk.game, record).head == record["head"]
