"""Nobody takes another's address: a new one is asked for its own yes, one that is somebody's stays his, and what is set
holds for whoever set it and for nobody else."""

from pathlib import Path
from typing import Any

import pytest

from tests.way.test_loops import minute
from tests.way.test_senders import VOUCHED, trusting
from tests.world import ANN, Sent, Table, kinds

MALLORY, OTHER = "mallory@example.org", "olaf@example.org"
FREE = "new@elsewhere.example"


class Two(Table):
    """Ann's match, and another one in which Mallory plays."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.theirs = self.world.open("buttons", [f"Mallory <{MALLORY}>", f"Olaf <{OTHER}>"])
        self.step()
        self.minute = 0

    def say(self, sender: str, subject: str, body: str = "", **more: Any) -> list[Sent]:
        self.minute += 1
        return self.send(sender, subject, body, minute(self.minute), **more)[1]

    def yes(self, letter: Sent, words: str = "Yes") -> list[Sent]:
        self.minute += 1
        return self.reply(letter, words, minute(self.minute))[1]

    def token(self, address: str) -> str:
        letters = [x for x in self.letters if x.to == address and "+" in (x.message["Reply-To"] or "")]
        return str(letters[-1].message["Reply-To"])

    def orders_of_ann(self, sender: str = "", **more: Any) -> tuple[dict[str, Any], list[Sent]]:
        """The orders of the player on turn in Ann's match."""
        self.minute += 1
        subject = self.latest("due", self.mover).subject
        return self.send(sender or self.mover, subject, self.orders(self.mover), minute(self.minute), **more)


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> Two:
    return Two(tmp_path_factory.mktemp("two"))


@pytest.fixture
def two(begun: Two, tmp_path: Path) -> Two:
    return begun.copied(tmp_path / "two")


def confirmed(letters: list[Sent], two: Two) -> list[Sent]:
    """Everybody who is asked says Yes, as long as somebody is."""
    told = list(letters)
    for letter in (x for x in letters if x.kind == "challenge"):
        told += confirmed(two.yes(letter), two)
    return told


def asked_for(two: Two, new: str, by: str = MALLORY, **more: Any) -> list[Sent]:
    """The player asks for the address and says Yes to every question that comes to himself."""
    letters = two.say(by, f"address {new}", **more)
    told = list(letters)
    for letter in (x for x in letters if x.kind == "challenge" and x.to == by):
        told += two.yes(letter)
    return told


# --- an address that is somebody's ------------------------------------------------------------------------------


def test_who_asks_hears_the_same_whether_the_address_is_free_or_somebodys(begun: Two, tmp_path: Path) -> None:
    told = []
    for new in (FREE, ANN):
        two = begun.copied(tmp_path / new)
        letters = asked_for(two, new) + two.say(MALLORY, "status")
        told.append([(x.kind, x.subject, x.message.as_string()) for x in letters if x.to == MALLORY])
    assert len(told[0]) == len(told[1]) == 3
    for free, taken in zip(*told, strict=True):
        assert free[0] == taken[0]
        assert free[1].replace(FREE, "ADDRESS") == taken[1].replace(ANN, "ADDRESS")
    texts = []
    for new in (FREE, ANN):
        two = begun.copied(tmp_path / f"texts {new}")
        letters = [x for x in asked_for(two, new) if x.to == MALLORY]
        texts.append([x.words.replace(new, "ADDRESS") for x in letters])
    assert texts[0] == texts[1]


@pytest.mark.parametrize("proved", [False, True], ids=["by a bare address", "by a reply address"])
def test_an_address_of_another_match_stays_its_owners(two: Two, proved: bool) -> None:
    letters = asked_for(two, ANN, **({"to": two.token(MALLORY)} if proved else {}))
    assert ANN not in {x.to for x in letters}, "he is not even asked"
    two.say(MALLORY, "format text")
    counts, letters = two.orders_of_ann(ANN) if two.mover == ANN else (None, [])
    letters += two.say(ANN, "status")
    mine = [x for x in letters if x.to == ANN]
    assert "challenge" not in kinds(mine), "his mails are not held"
    assert all("Mallory" not in x.text and two.theirs not in x.text for x in mine)
    assert counts is None or counts["accepted"] == 1
    assert all(x.message.get_content_type() != "text/plain" for x in mine)


@pytest.mark.parametrize("need", ["vouched", "token", "confirm"])
def test_nor_is_it_taken_under_a_stricter_need(two: Two, need: str) -> None:
    two.world.configure('need = "address"', f'need = "{need}"')
    trusting(two)
    asked_for(two, two.mover, headers=VOUCHED)
    assert two.orders_of_ann()[0]["accepted"] == 0


def test_the_address_of_the_opponent_stays_his(two: Two) -> None:
    letters = asked_for(two, OTHER)
    assert OTHER not in {x.to for x in letters}
    assert OTHER not in {x.to for x in two.say(MALLORY, "status")}
    assert "Olaf" in two.say(OTHER, "status")[0].text


# --- an address that is free ------------------------------------------------------------------------------------


def test_a_new_address_is_asked_after_the_registered_one_and_speaks_once_it_has_said_yes(two: Two) -> None:
    old = two.mover
    letters = two.say(old, f"address {FREE}")
    assert kinds(letters) == {"challenge": [old]}
    assert FREE not in letters[0].text, "whoever wrote it in another's name has no word of theirs passed on"
    assert "It asks that another address be your address from now on" in letters[0].words
    first = letters[0]
    letters = two.yes(first)
    assert kinds(letters) == {"challenge": [FREE], "receipt": [old]}
    assert kinds(two.yes(first, "Yes!")) == {"receipt": [old]}, "who says it twice is told that it was heard"
    assert two.orders_of_ann(FREE)[0]["accepted"] == 0, "it has not said yes"
    question = next(x for x in letters if x.to == FREE)
    assert old not in question.message.as_string() + question.text, "no address is shown"
    letters = two.yes(question)
    assert kinds(letters) == {"receipt": sorted([old, FREE]), "status": [FREE]}
    counts, letters = two.orders_of_ann(old)
    assert (counts["accepted"], kinds(letters)["receipt"]) == (1, [old]), "the old one may still write"
    assert two.say(two.other, f"press {two.match}", "Well played!")
    assert {x.to for x in two.letters if x.kind == "press"} == {FREE}, "letters go to the new one"
    assert all(FREE not in x.message.as_string() for x in two.letters if x.to not in (old, FREE))


def test_a_forger_who_asks_for_his_own_address_gets_nothing(two: Two) -> None:
    letters = two.say(f"Ann <{two.mover}>", "address mallory@evil.example")
    assert kinds(letters) == {"challenge": [two.mover]}
    assert two.orders_of_ann("mallory@evil.example")[0]["accepted"] == 0
    two.yes(letters[0], "No")
    assert two.orders_of_ann("mallory@evil.example")[0]["accepted"] == 0


def test_nor_does_he_who_says_yes_in_the_players_name(two: Two) -> None:
    """He knows no letter of ours: what he writes answers none, whoever's name he writes under."""
    letters = two.say(two.mover, "address mallory@evil.example")
    two.say(two.mover, f"Re: {letters[0].subject}", "Yes, that was me.")
    two.say("mallory@evil.example", f"Re: {letters[0].subject}", "Yes")
    two.minute += 1
    two.reply(letters[0], "Yes", minute(two.minute), sender="mallory@evil.example")
    assert "mallory@evil.example" not in {x.to for x in two.letters if x.kind == "due"}
    assert two.orders_of_ann("mallory@evil.example")[0]["accepted"] == 0


def test_of_the_addresses_of_a_seat_the_one_where_letters_go_is_asked(two: Two) -> None:
    """Whoever gets hold of an older one takes nothing with it."""
    old = two.mover
    confirmed(two.say(old, f"address {FREE}"), two)
    letters = two.say(old, "address mallory@evil.example")
    assert kinds(letters) == {"challenge": [FREE]}


def test_a_no_of_the_old_address_after_both_have_said_yes_reaches_the_moderator(two: Two) -> None:
    old = two.mover
    first = two.say(old, f"address {FREE}")
    confirmed(two.yes(first[0]), two)
    letters = two.yes(first[0], "No, that was not me.")
    assert kinds(letters) == {"alarm": ["moderator@referee.localhost"], "help": [old]}
    assert old in next(x for x in letters if x.kind == "alarm").text


@pytest.mark.parametrize("words", ["No", "Stop that", ""])
def test_without_its_yes_nothing_changes(two: Two, words: str) -> None:
    letters = asked_for(two, FREE, by=two.mover)
    two.yes(next(x for x in letters if x.to == FREE), words)
    assert two.orders_of_ann(FREE)[0]["accepted"] == 0


def test_one_that_has_got_a_seat_before_its_yes_stays_whose_it_is(two: Two) -> None:
    """Asked while it was free: by then it has a seat of its own, in that very match of Mallory's."""
    question = next(x for x in asked_for(two, FREE) if x.to == FREE)
    seat = next(s["number"] for s in two.world.show(two.theirs)["seats"] if s["name"] == "Olaf")
    two.world.run(
        "replace", two.theirs, str(seat), f"Nora <{FREE}>", "--why", "x", "--now", minute(two.minute)
    )
    letters = two.yes(question)
    refusal = next(x for x in letters if x.kind == "refusal")
    assert (refusal.to, "nothing has changed" in refusal.words) == (MALLORY, True)
    held = {s["seat"]: s["addresses"] for s in two.world.show(two.theirs, "--moderator")["addresses"]}
    assert sorted(held.values()) == [[MALLORY], [FREE]]


def test_who_writes_from_it_already_is_asked_at_both(two: Two) -> None:
    letters = two.say(FREE, "address", to=two.token(two.mover))
    assert kinds(letters) == {"challenge": [two.mover]}
    letters = two.yes(letters[0])
    assert kinds(letters) == {"challenge": [FREE], "receipt": [two.mover]}
    two.yes(next(x for x in letters if x.to == FREE))
    assert two.orders_of_ann(FREE)[0]["accepted"] == 1


def test_a_pending_wish_delays_no_deadline_and_five_a_day_are_enough(two: Two) -> None:
    for number in range(8):
        asked_for(two, f"n{number}@elsewhere.example", by=two.mover)
    asked = [x for x in two.letters if x.kind == "challenge" and x.to.endswith("elsewhere.example")]
    assert len(asked) == 5


# --- what is set -------------------------------------------------------------------------------------------------


def is_text_alone(two: Two, address: str) -> bool:
    (letter,) = two.say(address, "status")
    return letter.message.get_content_type() == "text/plain"


def test_what_is_set_holds_for_the_addresses_that_were_proved(two: Two) -> None:
    old = two.mover
    confirmed(two.say(old, f"address {FREE}"), two)
    two.say(FREE, "format text")
    assert is_text_alone(two, FREE)
    assert is_text_alone(two, old)


def test_what_was_set_before_holds_for_an_address_proved_later(two: Two) -> None:
    two.say(two.mover, "format text")
    confirmed(two.say(two.mover, f"address {FREE}"), two)
    assert is_text_alone(two, FREE)


def test_what_an_older_address_sets_holds_for_itself_alone(two: Two) -> None:
    old = two.mover
    confirmed(two.say(old, f"address {FREE}"), two)
    letters = two.say(old, "timezone Asia/Tokyo")
    assert kinds(letters) == {"refusal": [old]}
    two.say(old, "format text")
    assert kinds(two.say(FREE, "timezone Europe/Rome")) == {"receipt": [FREE]}
    letters = two.say(FREE, "status")
    assert "Tokyo" not in letters[0].text
    assert letters[0].message.get_content_type() != "text/plain"


def test_whom_the_moderator_seats_is_his_own(two: Two) -> None:
    confirmed(two.say(MALLORY, f"address {FREE}"), two)
    seat = two.seat(two.mover)
    two.world.run(
        "replace", two.match, str(seat), f"Nora <{FREE}>", "--why", "swap", "--now", minute(two.minute)
    )
    two.step(minute(two.minute))
    two.say(MALLORY, "format text")
    assert not is_text_alone(two, FREE)


# --- 10.11: what is proved is not counted with what is not -----------------------------------------------------


def test_forged_mails_use_up_no_challenges_of_what_the_player_proves(two: Two) -> None:
    for number in range(9):
        two.say(two.mover, f"address forged{number}@evil.example")
    letters = two.say(two.mover, f"address {FREE}", to=two.token(two.mover))
    assert kinds(letters) == {"challenge": [two.mover]}
    confirmed(letters, two)
    assert two.orders_of_ann(FREE)[0]["accepted"] == 1


def test_nor_do_mails_with_a_stolen_reply_address(two: Two) -> None:
    token = two.token(two.mover)
    for number in range(9):
        two.say("thief@evil.example", f"renew {number}", to=token)
    letters = two.say(two.mover, f"address {FREE}", to=token)
    assert kinds(letters) == {"challenge": [two.mover]}


def test_the_reply_address_of_somebody_forgotten_proves_nothing_once_the_match_has_ended(two: Two) -> None:
    due, gone, token = two.latest("due", two.mover), two.mover, two.token(two.mover)
    words = ("end", two.match, "--as", "drawn", "--why", "over", "--now", minute(1))
    assert two.world.run(*words).status == 0
    two.step(minute(2))
    assert two.world.run("forget", gone, "--yes").status == 0
    counts, _ = two.send(gone, due.subject, "Is it my turn?", minute(3), to=token)
    assert (counts["read"], counts["shunted"]) == (1, 0)
