"""Each stimulus is a function of its own: taken one by one, each by a process that knows nothing of the others, they do
what a pass of the desk does, row for row and letter for letter."""

from datetime import datetime

import pytest

from referee.offices.passes import Batch, Counts
from referee.way.loop import OneRow
from tests.offices.desk.test_exactly_once import SCRIPT
from tests.offices.stage import Stage, plain


def never() -> bool:
    return False


def taken(stage: Stage, now: datetime, before: Batch) -> Batch:
    """The next stimulus, by a process of its own."""
    with stage.referee() as referee:
        with referee.store.transaction() as unit:
            clock = unit.clock()
        row = OneRow(now, clock.watermark, clock.watermark, isolates=False, size=1)
        before.reached = clock.reached
        return next(referee.stimuli.take_all(row, before))


def one_by_one(stage: Stage, now: datetime) -> None:
    """What a pass does, without a desk."""
    with stage.referee() as referee, referee.store.transaction() as unit:
        unit.set_clock(referee.stimuli.tell_desk(unit, unit.clock(), now, Counts())._replace(last_pass=now))
    with stage.referee() as referee:
        referee.archivist.keep_all(now, Counts(), never)
    with stage.referee() as referee, referee.store.transaction() as unit:
        unit.set_clock(unit.clock()._replace(watermark=now))
    searching = True
    while searching:
        batch = Batch()
        while batch.more:
            batch = taken(stage, now, batch)
        with stage.referee() as referee:
            searching = referee.stimuli.search(now, Counts())
    with stage.referee() as referee, referee.store.transaction() as unit:
        clock = unit.clock()
        assert clock.watermark is not None
        unit.set_clock(clock._replace(reached=max(clock.watermark, clock.reached or clock.watermark)))
        referee.stimuli.remind(unit, batch.delayed, clock.watermark, now, Counts())
    with stage.referee() as referee:
        referee.archivist.file(Counts())
    with stage.referee() as referee:
        referee.stimuli.deliver(now, Counts(), never)


def test_stimuli_taken_one_by_one_do_what_a_pass_does(
    stage: Stage, tmp_path_factory: pytest.TempPathFactory
) -> None:
    name = stage.open("fourplay")
    for act in SCRIPT:
        now = act(stage, name)
        twin = stage.copied(tmp_path_factory.mktemp("twin") / act.__name__)
        stage.step(now)
        one_by_one(twin, now)
        letters = [{p.message_id: plain(p.raw) for p in one.sent} for one in (twin, stage)]
        assert letters[0] == letters[1], act.__name__
        assert twin.mails == stage.mails
        ours, theirs = twin.rows(), stage.rows()
        for table in ours:
            assert ours[table] == theirs[table], (act.__name__, table)
