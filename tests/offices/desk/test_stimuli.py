"""Each stimulus is a function of its own: taken one by one, each by a process that knows nothing of the others, they do
what a pass of the desk does, row for row and letter for letter."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

import pytest

from referee.offices.passes import Counts
from referee.offices.ports.store import Unit
from referee.offices.stimuli import Stimuli
from tests.offices.desk.test_exactly_once import SCRIPT
from tests.offices.stage import Stage, plain


def never() -> bool:
    return False


def by_itself(stage: Stage, take: Callable[[Stimuli, Unit], object]) -> object:
    """One stimulus in a transaction of its own, by a process of its own."""
    with stage.referee() as referee:
        stimuli = referee.desk.stimuli
        with referee.store.transaction() as unit:
            return take(stimuli, unit)


def begin(now: datetime) -> Callable[[Stimuli, Unit], object]:
    def take(stimuli: Stimuli, unit: Unit) -> None:
        unit.set_clock(unit.clock()._replace(last_pass=now))

    return take


def next_one(
    now: datetime, read: datetime, waiting: set[int], beyond: set[str], delayed: set[str]
) -> Callable[[Stimuli, Unit], object]:
    """Take the next mail or deadline in time order; whether there was one."""

    def take(stimuli: Stimuli, unit: Unit) -> bool:
        mail, lapse = unit.next_mail(now, waiting), unit.next_lapse(read, beyond | delayed)
        reached = unit.clock().reached
        if mail is not None and (lapse is None or mail.arrived <= lapse[1]):
            settled = stimuli.judge(unit, mail, now, reached)
            if settled is None:
                waiting.add(mail.id)
            else:
                delayed.discard(settled.match or "")
            at = mail.arrived if reached is None else max(mail.arrived, reached)
            unit.set_clock(unit.clock()._replace(reached=at))
        elif lapse is not None:
            ruling = stimuli.lapse(unit, lapse[0], now, reached, Counts())
            if ruling != "ruled":
                (delayed if ruling == "delayed" else beyond).add(lapse[0])
        return mail is not None or lapse is not None

    return take


def one_by_one(stage: Stage, now: datetime) -> None:
    """What a pass does, without a desk."""
    by_itself(stage, begin(now))
    with stage.referee() as referee:
        read = referee.desk.stimuli.receive(now, Counts(), never, careful=False)
    searching = True
    while searching:
        waiting: set[int] = set()
        beyond: set[str] = set()
        delayed: set[str] = set()
        while by_itself(stage, next_one(now, read, waiting, beyond, delayed)):
            pass
        with stage.referee() as referee:
            searching = referee.desk.stimuli.search(now, Counts())

    def end(stimuli: Stimuli, unit: Unit) -> None:
        clock = unit.clock()
        unit.set_clock(clock._replace(reached=max(read, clock.reached or read)))
        stimuli.remind(unit, delayed, read, now, Counts())

    by_itself(stage, end)
    with stage.referee() as referee:
        referee.desk.stimuli.archivist.file(Counts())
    with stage.referee() as referee:
        referee.desk.stimuli.deliver(now, Counts(), never)


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
