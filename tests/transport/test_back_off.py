"""How long a server is left alone that failed: within bounds, and forgiven."""

from referee.transport.server import BackOff


def test_patience_grows_from_nothing_to_its_bound_and_forgives() -> None:
    back_off = BackOff(first=10, most=35)
    pauses = []
    for _ in range(6):
        back_off.failed()
        pauses.append(round(back_off.left()))
    assert pauses == [0, 10, 20, 35, 35, 35]
    back_off.served()
    assert back_off.left() == 0
    back_off.failed()
    assert back_off.left() == 0


def test_a_connection_that_held_wipes_the_slate_and_one_that_did_not_adds_to_it() -> None:
    steady, hasty = BackOff(first=10, steady=0), BackOff(first=10, steady=1000)
    for back_off in (steady, hasty):
        for _ in range(3):
            back_off.reached()
            back_off.failed()
    assert steady.left() == 0
    assert hasty.left() > 0
