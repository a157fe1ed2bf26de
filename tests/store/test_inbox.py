"""The inbox: every mail once, in the order of arrival, settled with a reason, found again by its words."""

import pytest

from referee.store.sql import Store
from tests.store.rows import NOON, kept, later, mail, opened, waiting


def test_a_mail_kept_twice_is_one_mail_and_its_second_copy_only_waits_to_be_filed(store: Store) -> None:
    with store.transaction() as unit:
        assert unit.keep(mail("a", uid="first"))
        assert not unit.keep(mail("a", uid="second"))
        assert not unit.keep(mail("a", uid="second"))
    assert [m.uid for m in waiting(store)] == ["first"]
    with store.transaction() as unit:
        assert unit.known_uids(["third", "second", "first"]) == {"first", "second"}
        assert unit.known_uids([]) == set()
        many = [f"other {number}" for number in range(2000)]
        assert unit.known_uids([*many, "second", *many]) == {"second"}
        assert unit.unfiled() == [("second", "ignored")]


def test_mails_come_in_order_of_arrival_and_on_a_tie_as_the_mailbox_gave_them(store: Store) -> None:
    same = later(minutes=1)
    kept(
        store,
        mail("late", later(hours=1)),
        mail("b", same, "box:9"),
        mail("a", same, "box:10"),
        mail("first"),
    )
    assert [m.message_id for m in waiting(store)] == ["<first@x>", "<b@x>", "<a@x>", "<late@x>"]


def test_numbers_follow_each_other_whatever_was_undone_in_between(store: Store) -> None:
    kept(store, mail("one"))
    with pytest.raises(RuntimeError, match="undone"), store.transaction() as unit:  # noqa: PT012
        unit.keep(mail("two"))
        raise RuntimeError("undone")
    assert [m.id for m in kept(store, mail("two"), mail("two", uid="copy"), mail("three"))] == [1, 2, 4]


def test_a_settled_mail_is_open_no_more_until_it_is_reopened(store: Store) -> None:
    (found,) = kept(store, mail("a"))
    with store.transaction() as unit:
        unit.settle(found.id, "held", "doubtful", NOON, words="w", resend="r", match="m-1", seat=2)
    assert waiting(store) == []
    with store.transaction() as unit:
        (aside,) = unit.mails(["held", "shunted"])
        assert (aside.verdict, aside.reason, aside.match, aside.seat) == ("held", "doubtful", "m-1", 2)
        assert unit.unfiled() == [(found.uid, "held")]
        unit.filed([(found.uid, "held")])
        assert unit.unfiled() == []
        unit.reopen(found.id, "held", released=True)
    (again,) = waiting(store)
    assert (again.id, again.released, again.verdict) == (found.id, True, None)


def test_more_mails_are_filed_than_fit_one_statement(store: Store) -> None:
    mails = [mail(f"m{i}") for i in range(501)]
    with store.transaction() as unit:
        for number, each in enumerate(mails, 1):
            unit.keep(each)
            unit.settle(number, "accepted", "fine", NOON)
        assert len(unit.unfiled()) == 501
        unit.filed([(each.uid, "accepted") for each in mails])
        assert unit.unfiled() == []


def test_the_same_words_are_found_among_settled_mails_only(store: Store) -> None:
    one, two, other, _ = kept(
        store, mail("1"), mail("2", later(hours=1)), mail("3", later(hours=2)), mail("4", later(hours=3))
    )
    with store.transaction() as unit:
        unit.settle(one.id, "refused", "", NOON, words="words", resend="words+date1")
        unit.settle(two.id, "refused", "", NOON, words="words", resend="words+date2")
        unit.settle(other.id, "refused", "", NOON, words="others", resend="others+date")
        assert [m.id for m in unit.same_words("words", NOON)] == [one.id, two.id]
        assert [m.id for m in unit.same_words("words", later(minutes=1))] == [two.id]
        assert [m.id for m in unit.resends("words+date2")] == [two.id]
        assert unit.same_words("never said", NOON) == []


def test_a_held_mail_holds_up_the_seat_it_is_of_while_it_is_held(store: Store) -> None:
    (found,) = kept(store, mail("a", later(hours=2)))
    with store.transaction() as unit:
        assert not unit.holding_up("m-1", 2, NOON, later(hours=2))
        unit.settle(found.id, "held", "", later(hours=3), match="m-1", seat=2)
        assert [m.seat for m in unit.holding_up("m-1", 2, NOON, later(hours=2))] == [2]
        assert not unit.holding_up("m-1", 2, NOON, later(hours=2, microseconds=-1)), "it came too late"
        assert not unit.holding_up("m-1", 2, later(hours=4), later(hours=9)), (
            "it was held in an earlier round"
        )
        assert not unit.holding_up("m-1", 1, NOON, later(hours=2))
        assert not unit.holding_up("m-2", 2, NOON, later(hours=2))
        unit.reopen(found.id, "held", released=True)
        assert not unit.holding_up("m-1", 2, NOON, later(hours=2))


def test_a_held_mail_whose_seat_is_unknown_counts_for_every_seat_of_its_sender(store: Store) -> None:
    (found,) = kept(store, mail("a", sender="Ann@Example.org"))
    with store.transaction() as unit:
        for name in ("m-1", "m-2"):
            opened(unit, name)
        unit.seat_addresses("m-1", [(1, "ann@example.org"), (2, "ben@example.org")])
        unit.seat_addresses("m-2", [(3, "ANN@example.org")])
        unit.settle(found.id, "shunted", "trace", NOON)
        held = [(m, s) for m in ("m-1", "m-2") for s in (1, 2, 3) if unit.holding_up(m, s, NOON, NOON)]
    assert held == [("m-1", 1), ("m-2", 3)]


@pytest.mark.parametrize("odd", ["nul\x00inside", "lone \udce9 surrogate", "x" * 5000, "é" * 5000, ""])
def test_whatever_a_mail_calls_itself_is_kept(store: Store, odd: str) -> None:
    new = mail("odd")
    for field in ("uid", "message_id", "sender"):
        changed = {"identity": field.encode().hex().ljust(64, "0"), field: odd}
        with store.transaction() as unit:
            assert unit.keep(new._replace(**changed))
    with store.transaction() as unit:
        assert unit.known_uids([odd]) == {odd}
    first = waiting(store)[0]
    with store.transaction() as unit:
        unit.settle(first.id, "shunted", odd, NOON)
        assert len(unit.mails(["shunted"])) == 1


@pytest.mark.parametrize("year", [1, 900, 1969, 9999])
def test_arrivals_of_any_year_come_back_and_sort(store: Store, year: int) -> None:
    odd = NOON.replace(year=year)
    kept(store, mail("odd", odd), mail("now"))
    found = waiting(store, NOON.replace(year=9999))
    assert [m.arrived for m in found] == sorted([odd, NOON])
