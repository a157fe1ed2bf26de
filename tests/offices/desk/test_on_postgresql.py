"""A pass on PostgreSQL whose connection breaks."""

from collections import Counter
from pathlib import Path

import pytest
import sqlalchemy as sa

from tests.memory import FailurePlan
from tests.offices.stage import Stage, later, owing, told
from tests.store.test_one_pass_at_a_time import cut_off

pytestmark = pytest.mark.server


class Severing(FailurePlan):
    """Nothing fails as planned, but at the nth write the server drops all connections."""

    def __init__(self, url: str, nth: int) -> None:
        super().__init__()
        self._url = url
        self._nth = nth

    def begin(self, operation: str) -> None:
        super().begin(operation)
        if (operation, self.counts[operation]) == ("write", self._nth):
            cut_off(self._url)


@pytest.mark.one_in(2)
@pytest.mark.parametrize("nth", [2, 5, 9, 14])
def test_a_pass_whose_connection_breaks_stops_and_the_next_one_goes_on(
    store_url: str, tmp_path: Path, nth: int
) -> None:
    """It shunts no mail for it, and writes nothing once its lock is gone."""
    stage = Stage(tmp_path, store_url)
    name = stage.open("fourplay")
    stage.passed(later())
    for demand in owing(stage.match(name))[:2]:
        stage.answer(stage.match(name), demand, later(hours=1))
    with pytest.raises(sa.exc.SQLAlchemyError):
        stage.step(later(hours=1), Severing(store_url, nth))
    counts = stage.step(later(hours=1))
    assert counts.shunted == 0
    rows = stage.rows()["inbox"]
    assert [row["verdict"] for row in rows] == ["accepted", "accepted"]
    letters = stage.new_letters()
    assert len(told(letters)["receipt"]) == 2
    assert set(Counter(parcel.message_id for parcel in letters).values()) == {1}
    assert "alarm" not in told(letters)
