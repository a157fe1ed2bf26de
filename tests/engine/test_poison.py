"""What would stop a single desk stops no worker: a mail that ends the process, a match that can't be folded."""

from pathlib import Path

import pytest
import sqlalchemy as sa

from referee.mail.reader import MailReader
from referee.way import stations
from tests.offices.desk import test_deadly_mails as deadly
from tests.offices.stage import Stage, answer_text, later, owing, subject_of, told

pytestmark = pytest.mark.server


@pytest.fixture
def stage(tmp_path: Path, queue_url: str) -> Stage:
    return Stage(tmp_path, queue_url, kind="procrastinate")


@pytest.mark.one_in(2)
@pytest.mark.parametrize(
    ("where", "what"), [(stations, "judge"), (MailReader, "identify"), (MailReader, "read")]
)
def test_a_deadly_mail_is_put_aside_and_the_queue_goes_on(
    stage: Stage, monkeypatch: pytest.MonkeyPatch, where: object, what: str
) -> None:
    deadly.test_it_is_put_aside_after_a_few_crashes_and_the_queue_goes_on(stage, monkeypatch, where, what)


def test_a_match_that_cant_be_folded_is_put_aside_with_an_alarm_and_holds_up_nobody(stage: Stage) -> None:
    broken, well = (stage.open("multigo", 3, board="9x9") for _ in range(2))
    stage.passed(later())
    mails = []
    for name in (broken, well):
        match = stage.match(name)
        demand = owing(match)[0]
        mails.append(
            (
                match.entrant(demand.seat).addresses[0],
                f"[{name}] {subject_of(match, demand)}",
                answer_text(match, demand),
            )
        )
    engine = sa.create_engine(stage.url)
    with engine.begin() as connection:
        connection.execute(
            sa.text("UPDATE matches SET stamp = 'older', state = '{}' WHERE name = :n"), {"n": broken}
        )
        connection.execute(sa.text("UPDATE ledger SET body = '{}' WHERE match = :n"), {"n": broken})
    for mail in mails:
        stage.write(*mail, later(hours=1))
    counts = stage.step(later(hours=1))
    assert (counts.shunted, counts.accepted, counts.waiting) == (1, 1, 0)
    assert "alarm" in told(stage.new_letters())
    again = stage.step(later(hours=2))
    assert again.facts()["read"] == 0
    engine.dispose()
