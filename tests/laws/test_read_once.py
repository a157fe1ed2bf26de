"""A refused answer is mended from what was understood of it (`Reading.understood`): its lines are not read again."""

import pytest

from referee.core import seam
from referee.core.answers import Body
from referee.core.orders import keyed
from tests.laws.walks import KINDS, lines_of, steps


def _read_again(*_: object) -> None:
    raise AssertionError("the lines are read a second time")


@pytest.mark.parametrize("kind", KINDS)
def test_a_form_is_mended_without_reading_the_mail_again(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    mended = 0
    for step in steps(kind, most=12):
        walk, demand = step.walk, step.demand
        game, state, party = walk.game, walk.match.inner, walk.match.party(demand.seat)
        form = seam.filled_in(game, state, demand, party, step.action)
        for wrong in (f"{form}\nThe first of these pieces wins", form.replace(": ", ": x"), "Comment: well"):
            read = seam.read(game, state, demand, Body(lines_of(wrong)), party)
            with monkeypatch.context() as patched:
                patched.setattr(keyed, "Sheet", _read_again)
                assert seam.form(game, state, demand, party, read).text
            mended += bool(read.orders)
    print(f"{mended} answers mended")
    assert mended
