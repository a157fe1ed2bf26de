"""Letters that do not arrive: the address is marked, the next one is used, the moderator told; nothing stalls."""

import pytest

from referee.base.ports import Delivery, Parcel
from tests.attacks.test_delivery_reports import gone, id_of, report
from tests.memory import NOON, PEOPLE, MemoryCourier, Stage, kind_of, later, owing, told
from tests.way.test_loops import minute
from tests.world import ANN, BEN, Table, kinds, sent

AT = "2026-03-02T00:00:00Z"
MODERATOR = "moderator@referee.localhost"
SECOND = "second@other.example"


def came_back(table: Table, address: str, status: str = "5.1.1", number: int = 0) -> bytes:
    """The report on the newest letter to the address."""
    return report(
        gone(address, status=status),
        named=id_of([x for x in table.letters if x.to == address][-1]),
        number=number,
    )


def test_a_bounce_marks_the_address_and_the_moderator_and_the_player_learn_it(table: Table) -> None:
    table.world.raw(came_back(table, BEN), AT)
    counts, letters = table.step(AT)
    assert counts["discarded"] == 1
    assert kinds(letters) == {"alarm": [MODERATOR]}
    assert table.match in letters[0].text
    failing = table.world.show(table.match, "--moderator")["failing"]
    assert [(f["seat"], f["address"]) for f in failing] == [(table.seat(BEN), BEN)]
    assert "user unknown" in failing[0]["why"]
    assert BEN in table.world.run("show", table.match, "--moderator").out
    assert "failing" not in table.world.show(table.match)
    assert BEN not in table.world.run("show", table.match).out
    # one command for all that is theirs, wherever they play
    assert f"referee address {BEN} NEW --why TEXT" in table.world.run("desk").out


def test_a_bounce_for_now_marks_nothing(table: Table) -> None:
    table.world.raw(came_back(table, BEN, "4.2.2"), AT)
    _, letters = table.step(AT)
    assert kinds(letters) == {"alarm": [MODERATOR]}
    assert table.world.show(table.match, "--moderator")["failing"] == []


def test_an_address_that_answers_a_letter_of_ours_is_alive(table: Table) -> None:
    table.world.raw(came_back(table, BEN), AT)
    table.step(AT)
    _, letters = table.reply(
        table.latest("opened", BEN), "Here I am again, my server was broken.", minute(30)
    )
    assert kinds(letters) == {"status": [BEN], "question": [MODERATOR]}
    assert table.world.show(table.match, "--moderator")["failing"] == []


def test_a_from_alone_brings_no_address_back_to_life(table: Table) -> None:
    table.world.raw(came_back(table, BEN), AT)
    table.step(AT)
    _, letters = table.send(BEN, "status", "", minute(30))
    assert kinds(letters) == {"status": [BEN]}
    assert [f["address"] for f in table.world.show(table.match, "--moderator")["failing"]] == [BEN]


def test_status_from_a_second_address_tells_that_the_first_fails(table: Table) -> None:
    went(table, ANN, "second@other.example", AT)
    table.send(BEN, f"press {table.match}", "Are you there?", minute(1))
    table.world.raw(came_back(table, "second@other.example"), minute(2))
    table.step(minute(2))
    _, letters = table.send(ANN, "status", "", minute(3))
    assert "have not arrived since" in letters[0].words


# --- the next address -------------------------------------------------------------------------------------------


@pytest.fixture
def two_homes(table: Table) -> Table:
    """The player on turn was at a second address for a while, and is back: from there mails count still."""
    went(table, table.mover, SECOND, "2026-03-01T20:00:00Z")
    went(table, SECOND, table.mover, "2026-03-01T20:01:00Z")
    return table


def went(table: Table, old: str, new: str, at: str) -> None:
    """A player has a new address, asked about at both."""
    _, letters = table.send(old, f"address {new}", "", at)
    while asked := [x for x in letters if x.kind == "challenge"]:
        _, letters = table.reply(asked[0], "yes", at)


def test_a_letter_that_came_back_goes_to_the_next_address_under_its_own_id(two_homes: Table) -> None:
    due = two_homes.latest("due", two_homes.mover)
    two_homes.world.raw(report(gone(two_homes.mover), named=id_of(due)), AT)
    _, letters = two_homes.step(AT)
    assert kinds(letters) == {"alarm": [MODERATOR], "due": [SECOND]}
    again = next(x for x in letters if x.kind == "due")
    assert again.message["Message-ID"] == due.message["Message-ID"]
    assert again.text == due.text
    assert SECOND in next(x for x in letters if x.kind == "alarm").text
    two_homes.world.raw(report(gone(SECOND), named=id_of(due), number=2), minute(1))
    _, letters = two_homes.step(minute(1))
    assert letters == [], "both fail: nothing goes round and round, and it is one alarm a day"


def test_later_letters_go_to_the_next_address_until_the_first_writes_again(two_homes: Table) -> None:
    first, other = two_homes.mover, two_homes.other
    two_homes.world.raw(came_back(two_homes, first), AT)
    two_homes.step(AT)
    _, letters = two_homes.send(other, f"press {two_homes.match}", "Are you there?", minute(1))
    assert kinds(letters)["press"] == [SECOND]
    reply_to = two_homes.latest("due", first).message["Reply-To"]
    two_homes.send(first, "status", "", minute(2), to=reply_to)
    _, letters = two_homes.send(other, f"press {two_homes.match}", "Welcome back!", minute(3))
    assert kinds(letters)["press"] == [first]


def test_a_player_with_one_address_is_written_to_there_all_the_same(table: Table) -> None:
    table.world.raw(came_back(table, table.mover), AT)
    table.step(AT)
    _, letters = table.send(table.other, f"press {table.match}", "Are you there?", minute(1))
    assert kinds(letters)["press"] == [table.mover]


def test_an_answer_goes_to_its_sender_whatever_is_known_of_him(two_homes: Table) -> None:
    returned = two_homes.latest("due", two_homes.mover).message["Message-ID"]
    two_homes.world.raw(report(gone(two_homes.mover), named=returned), minute(10))
    two_homes.world.mail(two_homes.mover, "status", "", minute(5))
    _, letters = two_homes.step(minute(10))
    assert kinds(letters)["status"] == [two_homes.mover]


def test_the_moderators_word_on_an_address_counts(two_homes: Table) -> None:
    first, seat = two_homes.mover, two_homes.turn
    two_homes.world.raw(came_back(two_homes, first), AT)
    two_homes.step(AT)
    ran = two_homes.world.run(
        "replace", two_homes.match, str(seat), f"Same Player <{first}>", "--why", "his mailbox works again",
        "--now", minute(1),
    )  # fmt: skip
    assert ran.status == 0, ran.err
    assert two_homes.world.show(two_homes.match, "--moderator")["failing"] == []
    _, letters = two_homes.step(minute(1))
    assert kinds(letters)["due"] == [first]


def test_a_report_on_the_address_behind_a_forwarding_one_marks_the_players(two_homes: Table) -> None:
    due = two_homes.latest("due", two_homes.mover)
    two_homes.world.raw(report(gone("hidden@mailbox.example", two_homes.mover), named=id_of(due)), AT)
    _, letters = two_homes.step(AT)
    assert kinds(letters) == {"alarm": [MODERATOR], "due": [SECOND]}


def test_an_observer_whom_letters_do_not_reach_observes_no_longer(table: Table) -> None:
    watcher = "w@elsewhere.example"
    table.watch(f"W <{watcher}>", AT)
    table.world.run("say", table.match, "one", "--now", minute(2))
    _, letters = table.step(minute(2))
    returned = next(x for x in letters if x.to == watcher)
    table.world.raw(report(gone(watcher), named=id_of(returned)), minute(3))
    _, letters = table.step(minute(3))
    assert "gets no more letters" in letters[0].words
    table.world.run("say", table.match, "two", "--now", minute(4))
    _, letters = table.step(minute(4))
    assert {x.to for x in letters} == {ANN, BEN}


def test_a_letter_that_the_server_refuses_for_good_leaves_at_once_for_the_next_address(stage: Stage) -> None:
    name = stage.open("buttons", seats=2)
    stage.step(NOON)
    seat = owing(stage.match(name))[0].seat
    first = stage.match(name).entrant(seat).addresses[0]
    stage.write(first, f"address {SECOND}", "", later(hours=1))
    stage.step(later(hours=1))
    while asked := [x for x in stage.new_letters() if kind_of(x) == "challenge"]:
        own = {"In_Reply_To": asked[0].message_id}
        stage.write(asked[0].recipient, "Re: yours?", "yes", later(hours=2), **own)
        stage.step(later(hours=2))

    def refusing(parcel: Parcel) -> Delivery:
        return Delivery("never", "550 no such user") if parcel.recipient == SECOND else Delivery("sent")

    other = next(p.addresses[0] for p in PEOPLE[:2] if p.addresses[0] != first)
    stage.write(other, f"press {name}", "Hello?", later(hours=3))
    with stage.referee() as referee:
        assert isinstance(referee.courier, MemoryCourier)
        referee.courier.answer = refusing
        referee.desk.step(later(hours=3))
    letters = stage.new_letters()
    reached = told(letters)
    assert reached["press"] == [first]
    assert reached["alarm"] == [MODERATOR]
    assert len({x.message_id for x in letters}) == len(letters), "one letter, one id"


def test_a_person_whom_letters_do_not_reach_is_one_alarm_a_day_with_what_to_do(two_homes: Table) -> None:
    """By reports, whichever letter and address of theirs they are about, in one pass and in several."""
    first, match = two_homes.mover, two_homes.match
    alarms: list[tuple[str, str]] = []
    for hours, address in ((1, first), (2, SECOND), (26, first), (27, SECOND)):
        at = f"2026-03-0{2 + hours // 24}T{hours % 24:02d}:00:00Z"
        two_homes.world.run("say", match, f"at {hours}", "--now", at)
        two_homes.step(at)
        two_homes.world.raw(came_back(two_homes, address, number=hours), at)
        _, letters = two_homes.step(at)
        alarms += [(at[:10], x.words) for x in letters if x.kind == "alarm"]
    assert [day for day, _ in alarms] == ["2026-03-02", "2026-03-03"]
    assert SECOND in alarms[0][1]
    assert all("you are told no more" in words for _, words in alarms)


def test_letters_that_the_server_refuses_are_one_alarm_too(stage: Stage) -> None:
    name = stage.open("buttons", seats=2)
    stage.step(NOON)
    first, other = (p.addresses[0] for p in PEOPLE[:2])
    stage.new_letters()

    def refusing(parcel: Parcel) -> Delivery:
        return Delivery("never", "550 no such user") if parcel.recipient == first else Delivery("sent")

    for hours in (1, 2, 3):
        stage.write(other, f"press {name}", f"Hello? {hours}", later(hours=hours))
        with stage.referee() as referee:
            assert isinstance(referee.courier, MemoryCourier)
            referee.courier.answer = refusing
            referee.desk.step(later(hours=hours))
    alarms = [x for x in stage.new_letters() if kind_of(x) == "alarm"]
    assert len(alarms) == 1
    (told,) = [text for text in sent(alarms[0].raw).text.split("\n\n") if first in text]
    assert f'"address {first} NEW because ..."' in " ".join(told.split())
