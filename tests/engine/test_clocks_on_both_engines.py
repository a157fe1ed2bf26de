"""Hours, days off, grace, misses, substitutes and outages: a desk and an engine that read the same mails write the same
letters, byte for byte, and the same ledgers; a crash between changes nothing."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

from referee.match import events as ev
from referee.match.events import Entrant
from tests.engine.test_both_engines import both, letters_by_match
from tests.laws.walks import KINDS
from tests.memory import Crash, FailurePlan, PlannedFailure
from tests.offices.stage import NOON, Stage, answer_text, later, owing, subject_of

CLOCKS = {"hour": "20:00", "days_off": "sun", "grace": "1d", "reminders": "1d,6h", "miss": "1"}
OUTAGE = timedelta(minutes=30)
EVE = Entrant("Eve Eliot", ("eve@elsewhere.example",))


def names_at(stage: Stage, kinds: list[str]) -> list[str]:
    names = []
    for kind in kinds:
        game, seats, options = KINDS[kind]
        names.append(stage.open(game, seats, NOON, **{**options, **CLOCKS}))
    return names


@pytest.mark.server
def test_the_clocks_of_every_game_are_the_same_with_both_engines(queue_url: str, tmp_path: Path) -> None:
    for part in ("desk", "engine"):
        (tmp_path / part).mkdir()
    stages = Stage(tmp_path / "desk"), Stage(tmp_path / "engine", queue_url, kind="procrastinate")
    kinds = [kind for kind in KINDS if "solo" not in kind]
    for stage in stages:
        names = names_at(stage, kinds)
    now, begun = later(), [0, 0]
    for number in range(8):
        now += timedelta(hours=26) if number % 3 else timedelta(days=9)
        for name in names:
            match = stages[0].match(name)
            for turn, demand in enumerate(owing(match)):
                if (number + turn + len(name)) % 3:
                    sender = match.entrant(demand.seat).addresses[0]
                    subject = f"{subject_of(match, demand)} [{name}]"
                    both(
                        stages, sender, subject, answer_text(match, demand, number), now - timedelta(hours=1)
                    )
        if number == 2:
            for stage in stages:
                stage.desk(names[0], ev.SubstituteNamed(1, EVE), now - timedelta(hours=2))
            both(
                stages, "ann@example.org", "vacation 2026-03-16 to 2026-03-20", "", now - timedelta(minutes=9)
            )
        counts = [stage.step(now, outage=OUTAGE if number > 4 else None).facts() for stage in stages]
        assert counts[0]["lapsed"] == counts[1]["lapsed"], number
    ours, theirs = (letters_by_match(stage) for stage in stages)
    for match in names:
        assert ours[match] == theirs[match], match
    ledgers = [stage.rows()["ledger"] for stage in stages]
    assert ledgers[0] == ledgers[1]
    for row in ledgers[0]:
        begun[0] += row["kind"] == "GraceBegun"
        begun[1] += row["kind"] == "DowntimeAdded"
    assert min(begun) > 0, "both were tried"


@pytest.mark.one_in(2)
@pytest.mark.parametrize("operation", ["write", "commit"])
def test_a_crash_between_changes_nothing_of_grace_misses_and_takeovers(
    tmp_path: Path, operation: str
) -> None:
    (tmp_path / "once").mkdir()
    once = Stage(tmp_path / "once")
    (name,) = names_at(once, ["go sequential"])
    once.desk(name, ev.SubstituteNamed(1, EVE), NOON)
    once.step(later())
    late = once.match(name).rounds[0].due_at
    assert late is not None
    moments = [late + timedelta(hours=1), late + timedelta(days=1, hours=1)]
    plain = once.copied(tmp_path / "plain")
    for moment in moments:
        plain.step(moment)
    wanted = plain.rows()["ledger"]
    kinds = {row["kind"] for row in wanted}
    assert {"GraceBegun", "Lapsed", "EntrantReplaced"} <= kinds
    crashes = 0
    for nth in range(1, 40, 1 if operation == "commit" else 4):
        hit = once.copied(tmp_path / f"{operation}{nth}")
        for moment in moments:
            try:
                hit.step(moment, FailurePlan.of([PlannedFailure(operation, nth, "before")]))
            except Crash:
                crashes += 1
                hit.step(moment)
        assert hit.rows()["ledger"] == wanted, nth
        assert letters_by_match(hit)[name] == letters_by_match(plain)[name], nth
    assert crashes > 5
