"""What is doubtful, before two workers at the same moment: a forged copy and the proved original, two answers to one
question, two who take one seat. It comes to what one order or the other comes to, row for row, letter for letter, and
every mail has its letter; nobody waits for ever."""

from __future__ import annotations

from dataclasses import replace
from email import message_from_bytes
from hashlib import sha256
from pathlib import Path

import pytest

from referee.base.errors import CannotDo
from referee.match import events as ev
from referee.match.events import Entrant
from referee.store.inbox import inbox
from tests.offices.desk.test_side_by_side import (
    ANN,
    Deed,
    Office,
    Pair,
    World,
    all_in,
    judging,
    later,
    opened,
    posted,
    yes_to,
)
from tests.offices.stage import owing
from tests.offices.table import vouched
from tests.sampling import one_in
from tests.servers.postgres import Postgres

pytestmark = pytest.mark.server
SERVER = "mx.referee.localhost"
SAMPLE = 4  # statements of each pair, drawn from all that it has


def under(raw: bytes, sender: str) -> bytes:
    """The mail, signed, with a trusted server's word for its sender on top."""
    head = vouched(sender.rpartition("@")[2], sha256(raw).digest())
    return "".join(f"{name}: {value}\n" for name, value in head.items()).encode() + raw


def answer(office: Office, match: str, *, proved: tuple[bool, ...], own_id: bool = False) -> list[int]:
    """The mover's answer, so often, each with a proof or without; nobody has judged them."""
    found = office.referee.moderator.match(match)
    demand = owing(found)[0]
    raw = office.stage.answer(found, demand, later(hours=1))
    office.stage.mails.clear()
    for number, is_proved in enumerate(proved):
        copy = raw
        if own_id and number:
            old = message_from_bytes(raw)["Message-ID"].encode()
            copy = raw.replace(old, b"<another@players.example>")
        sender = found.entrant(demand.seat).addresses[0]
        office.stage.deliver(under(copy, sender) if is_proved else copy, later(hours=1))
    office.receive()
    return office.numbers()


def judging_all(number: int) -> Deed:
    """The mail, and what it has confirmed."""

    def judged(office: Office) -> None:
        office.judge(number, later(hours=1))
        for other in office.numbers():
            office.judge(other, later(hours=1))

    return judged


def a_forged_copy_and_the_proved_original(office: Office) -> tuple[Deed, Deed]:
    first, second = answer(office, opened(office, "buttons"), proved=(False, True))
    return judging(first), judging(second)


def a_forged_copy_of_another_message_id_and_the_original(office: Office) -> tuple[Deed, Deed]:
    first, second = answer(office, opened(office, "buttons"), proved=(True, False), own_id=True)
    return judging(first), judging(second)


def the_owners_yes_and_the_proved_original(office: Office) -> tuple[Deed, Deed]:
    held, proved = answer(office, opened(office, "buttons"), proved=(False, True))
    office.judge(held, later(hours=1))
    yes_to(office, ANN)
    office.receive()
    (yes,) = (number for number in office.numbers() if number != proved)
    return judging_all(yes), judging_all(proved)


def two_answers_to_one_question(office: Office) -> tuple[Deed, Deed]:
    opened(office, "buttons")
    office.stage.write(ANN, "substitute off", "please", later(hours=1))
    office.judge_all(later(hours=1))
    yes_to(office, ANN)
    yes_to(office, ANN)
    office.receive()
    first, second = office.numbers()
    return judging_all(first), judging_all(second)


def the_owners_yes_and_the_moderators_release(office: Office) -> tuple[Deed, Deed]:
    opened(office, "buttons")
    office.stage.write(ANN, "substitute off", "please", later(hours=1))
    office.judge_all(later(hours=1))
    yes_to(office, ANN)
    office.receive()
    (number,) = office.numbers()

    def released(office: Office) -> None:
        office.referee.moderator.act(lambda unit: office.referee.parts.acts.release(unit, "all", "release"))
        for other in office.numbers():
            office.judge(other, later(hours=1))

    return judging_all(number), released


def replacing(match: str, seat: int, who: str) -> Deed:
    entrant = Entrant(who.title(), (f"{who}@example.org",))

    def replaced(office: Office) -> None:
        try:
            office.referee.command(match, ev.EntrantReplaced(seat, entrant, "because"), later(hours=1), "-")
        except CannotDo:
            return

    return replaced


def two_replacements_of_one_seat(office: Office) -> tuple[Deed, Deed]:
    match = opened(office, "buttons")
    return replacing(match, 1, "eve"), replacing(match, 1, "finn")


def one_replacement_twice(office: Office) -> tuple[Deed, Deed]:
    match = opened(office, "buttons")
    return (replacing(match, 1, "eve"),) * 2


def a_replacement_of_either_seat_by_the_same_person(office: Office) -> tuple[Deed, Deed]:
    match = opened(office, "buttons")
    return replacing(match, 1, "eve"), replacing(match, 2, "eve")


def a_replacement_and_a_join(office: Office) -> tuple[Deed, Deed]:
    """By two people: each has the seat he is given."""
    match = opened(office, "buttons", name="room", vacant=1)
    office.stage.write("eve@example.org", f"join {match}", "", later(hours=1))
    office.judge_all(later(hours=1))
    yes_to(office, "eve@example.org")
    office.judge_all(later(hours=1))
    (number,) = office.numbers()
    return judging(number), replacing(match, 1, "finn")


def a_replacement_and_the_answer_of_who_is_replaced(office: Office) -> tuple[Deed, Deed]:
    match = opened(office, "buttons")
    (number,) = answer(office, match, proved=(True,))
    return judging(number), replacing(match, 1, "eve")


def a_resignation_and_a_move(office: Office) -> tuple[Deed, Deed]:
    """Of the same player, both proved."""
    match = opened(office, "multigo", board="9x9", compensation="none")
    (move,) = answer(office, match, proved=(True,))
    raw = office.stage.write(ANN, f"Multiplayer Go: Resign / Player 1 [{match}]", "Resign", later(hours=1))
    last = list(office.stage.mails)[-1]
    office.stage.mails[last] = replace(office.stage.mails[last], raw=under(raw, ANN))
    office.receive()
    (resignation,) = (number for number in office.numbers() if number != move)
    return judging(resignation), judging(move)


def a_forged_resignation_and_the_owners_move(office: Office) -> tuple[Deed, Deed]:
    match = opened(office, "multigo", board="9x9", compensation="none")
    (move,) = answer(office, match, proved=(True,))
    forged = posted(office, (ANN, f"Multiplayer Go: Resign / Player 1 [{match}]", "Resign"))
    (resignation,) = (number for number in forged if number != move)
    return judging(resignation), judging(move)


def the_same_mail_by_two_receivers(office: Office) -> tuple[Deed, Deed]:
    """One of them judges it at once."""
    match = opened(office, "buttons")
    found = office.referee.moderator.match(match)
    office.stage.answer(found, owing(found)[0], later(hours=1))
    mails = dict(office.stage.mails)

    def received(office: Office) -> None:
        office.stage.mails.update(mails)
        office.judge_all(later(hours=1))

    return received, received


NEEDS: dict[Pair, str] = {
    a_forged_copy_and_the_proved_original: "vouched",
    a_forged_copy_of_another_message_id_and_the_original: "vouched",
    the_owners_yes_and_the_proved_original: "vouched",
    two_answers_to_one_question: "address",
    the_owners_yes_and_the_moderators_release: "address",
    two_replacements_of_one_seat: "address",
    one_replacement_twice: "address",
    a_replacement_of_either_seat_by_the_same_person: "address",
    a_replacement_and_a_join: "address",
    a_replacement_and_the_answer_of_who_is_replaced: "vouched",
    a_resignation_and_a_move: "vouched",
    a_forged_resignation_and_the_owners_move: "vouched",
    the_same_mail_by_two_receivers: "address",
}


def tried(pair: Pair, postgres: Postgres, url: str, folder: Path, most: int) -> None:
    world = World(folder, url, {}, {"need": NEEDS[pair]}, trusted=(SERVER,))
    count, allowed = all_in(world, pair, postgres, most)
    verdict = [column.name for column in inbox.c].index("verdict")
    told = [sorted(row[verdict] for row in rows["inbox"]) for rows in allowed]
    print(f"{pair.__name__}: {count} interleavings; one after the other {told[0]} or {told[1]}")
    assert not any("None" in verdicts for verdicts in told)


@pytest.mark.parametrize("pair", one_in(6, NEEDS), ids=lambda pair: pair.__name__)
def test_doubts_at_once_are_as_one_after_the_other(
    pair: Pair, postgres: Postgres, store_url: str, tmp_path: Path
) -> None:
    tried(pair, postgres, store_url, tmp_path, SAMPLE)


@pytest.mark.soak
@pytest.mark.parametrize("pair", NEEDS, ids=lambda pair: pair.__name__)
def test_doubts_at_once_are_as_one_after_the_other_wherever_they_meet(
    pair: Pair, postgres: Postgres, store_url: str, tmp_path: Path
) -> None:
    tried(pair, postgres, store_url, tmp_path, 1000)
