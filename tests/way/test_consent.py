"""Contract, 'Mail in': OK alone sends the form of the newest refusal in which nothing was left to mend; once, in the
same round, on the evidence an order needs, and never where mending had to choose."""

import json
import re
from datetime import timedelta

import pytest

from referee.base.ports import Parcel
from referee.core.value import Demand
from referee.match import commands as do
from referee.match.match import Match
from tests.memory import NOON, Stage, answer_text, later, owing, subject_of

# An answer with a fault that the rules alone decide how to mend.
MENDABLE = {"multigo": ("Play: D4\nPlay: D4", "Move: D4"), "buttons": ("Place: W1 a1", "Place: 1 a1")}


class Seat:
    """A player who writes to the referee, and what comes back."""

    def __init__(self, stage: Stage, name: str) -> None:
        self.stage, self.name = stage, name
        self.at = NOON

    @property
    def match(self) -> Match:
        return self.stage.match(self.name)

    @property
    def demand(self) -> Demand:
        return owing(self.match)[0]

    def sends(self, body: str, to: Parcel | None = None, *, subject: str = "", sender: str = "") -> Parcel:
        """The letter that answers a mail; a reply quotes the letter it answers."""
        self.at += timedelta(minutes=5)
        person = self.match.entrant(self.demand.seat)
        headers = {"In_Reply_To": to.message_id} if to else {}
        quote = "\n".join(f"> {line}" for line in text_of(to).splitlines()) if to else ""
        mail = f"{body}\n\nOn Sunday the referee wrote:\n{quote}\n" if to else body
        self.stage.new_letters()
        self.stage.write(
            sender or f"{person.name} <{person.addresses[0]}>",
            subject or subject_of(self.match, self.demand), mail, self.at, **headers,
        )  # fmt: skip
        return next(p for p in self.stage.passed(self.at) if answers(p))


def answers(parcel: Parcel) -> bool:
    return notice(parcel) in ("receipt", "refusal", "ignored", "preview", "help", "status", "challenge")


def notice(parcel: Parcel) -> str:
    found = re.search(rb"^X-Referee-Notice: (\S+)", parcel.raw, re.M)
    return found[1].decode() if found else ""


def text_of(parcel: Parcel) -> str:
    import email
    import email.policy

    message = email.message_from_bytes(parcel.raw, policy=email.policy.default)
    part = message.get_body(("plain",))
    return str(part.get_content())


@pytest.fixture(params=sorted(MENDABLE))
def seat(stage: Stage, request: pytest.FixtureRequest) -> Seat:
    game = str(request.param)
    given = {"board": "9x9"} if game == "multigo" else {"starter": "1"}
    return Seat(stage, stage.begun(game, 2 if game == "buttons" else 3, **given))


def faulty(seat: Seat) -> str:
    if seat.match.game == "buttons":
        other = "W" if seat.demand.seat == 1 else "B"
        return f"Place: {other}1 a1"
    return MENDABLE["multigo"][0]


def test_ok_sends_the_form_that_has_nothing_left_to_mend(seat: Seat) -> None:
    before = seat.demand
    refusal = seat.sends(faulty(seat))
    assert notice(refusal) == "refusal"
    words = " ".join(text_of(refusal).split())
    assert "nothing is left to mend" in words
    assert "Reply with the word OK and nothing else to send it so" in words
    receipt = seat.sends("OK", refusal)
    assert notice(receipt) == "receipt", text_of(receipt)
    assert seat.demand != before


@pytest.mark.one_in(6)
@pytest.mark.parametrize(
    "word",
    [
        "ok", "Ok.", "YES", "yes!", " OK \n\n", "OK, thanks", "Ja, bitte!", "Yes please",
        "\N{THUMBS UP SIGN}", "okay\n\nAnn",
    ],
)  # fmt: skip
def test_the_word_in_any_dress(seat: Seat, word: str) -> None:
    assert notice(seat.sends(word, seat.sends(faulty(seat)))) == "receipt"


@pytest.mark.one_in(3)
@pytest.mark.parametrize("subject", ["Re:", "Re: {title}", "Re: {title} [{match}]", "Aw: {title}: Mvoe"])
def test_the_word_under_a_mangled_subject(seat: Seat, subject: str) -> None:
    title = {"multigo": "Go", "buttons": "Buttons"}[seat.match.game]
    refusal = seat.sends(faulty(seat))
    receipt = seat.sends("OK", refusal, subject=subject.format(title=title, match=seat.name))
    assert notice(receipt) == "receipt", text_of(receipt)


@pytest.mark.one_in(4)
@pytest.mark.parametrize("words", ["OK?\nreally", "No", "okay, but later", "not ok", ""])
def test_other_words_send_nothing(seat: Seat, words: str) -> None:
    before = seat.match.version
    assert notice(seat.sends(words, seat.sends(faulty(seat)))) != "receipt"
    assert seat.match.version == before


def test_ok_that_answers_no_refusal_sends_nothing(seat: Seat) -> None:
    seat.sends(faulty(seat))
    alone = seat.sends("OK")
    assert notice(alone) == "refusal"
    assert "does not answer such a letter" in " ".join(text_of(alone).split())


def test_only_the_newest_refusal_and_only_once(seat: Seat) -> None:
    first, second = seat.sends(faulty(seat)), seat.sends(faulty(seat) + "\nComment: again")
    old = seat.sends("OK", first)
    assert notice(old) == "refusal"
    assert "a later mail of yours" in " ".join(text_of(old).split())
    version = seat.match.version
    newest = seat.sends(faulty(seat) + "\nComment: third")
    assert seat.match.version == version
    sender = seat.match.entrant(seat.demand.seat).addresses[0]
    assert notice(seat.sends("Ok!", second)) == "refusal"
    fourth = seat.sends(faulty(seat) + "\nComment: fourth")
    assert notice(seat.sends("Yes.", newest)) == "refusal"
    fifth = seat.sends(faulty(seat) + "\nComment: fifth")
    assert notice(fourth) == "refusal"
    assert notice(seat.sends("YES", fifth)) == "receipt"
    done = seat.match.version
    again = seat.sends("yes", fifth, sender=sender)
    assert notice(again) in ("refusal", "ignored")
    assert seat.match.version == done


def test_ok_after_the_deadline_is_late(seat: Seat) -> None:
    refusal = seat.sends(faulty(seat))
    due = seat.match.rounds[0].due_for(seat.demand.seat)
    if due is None:
        pytest.skip("this game has no deadline")
    version = seat.match.version
    seat.at = due
    late = seat.sends("OK", refusal)
    assert notice(late) == "refusal"
    assert seat.match.version >= version
    assert not any("Answered" in type(r).__name__ for r in seat.match.rounds)


def test_a_rewind_ends_the_offer(seat: Seat) -> None:
    refusal = seat.sends(faulty(seat))
    seat.at += timedelta(minutes=5)
    label = seat.match.rounds[0].label
    seat.stage.desk(seat.name, do.Rewind(label, "because"), seat.at)
    version = seat.match.version
    assert notice(seat.sends("OK", refusal)) == "preview", "asked about, for the round as it is now"
    assert seat.match.version == version


def test_a_preview_of_it_records_nothing_and_read_foresees_it(seat: Seat) -> None:
    refusal = seat.sends(faulty(seat))
    version = seat.match.version
    preview = seat.sends("OK", refusal, subject=f"{subject_of(seat.match, seat.demand)}?")
    assert notice(preview) == "preview"
    assert "your mail would count" in " ".join(text_of(preview).split())
    assert seat.match.version == version
    raw = (
        f"From: {seat.match.entrant(seat.demand.seat).addresses[0]}\r\nTo: collector@referee.localhost\r\n"
        f"Subject: Re: {subject_of(seat.match, seat.demand)}\r\nIn-Reply-To: {refusal.message_id}\r\n"
        "Message-ID: <foreseen@players.example>\r\n\r\nOK\r\n"
    ).encode()
    with seat.stage.referee() as referee:
        facts = referee.inquiry.read(raw, seat.at)
    assert facts["disposition"] == "accepted", json.dumps(facts)
    assert notice(seat.sends("OK", refusal)) == "receipt"


def test_a_preview_offers_its_form_whole_as_a_refusal_does(seat: Seat) -> None:
    preview = seat.sends(faulty(seat), subject=f"{subject_of(seat.match, seat.demand)}?")
    assert notice(preview) == "preview"
    assert "the word OK" in " ".join(text_of(preview).split())
    assert notice(seat.sends("OK", preview)) == "receipt"


def test_nobody_else_can_say_it(seat: Seat) -> None:
    refusal = seat.sends(faulty(seat))
    version = seat.match.version
    others = [n for n in seat.match.numbers if n != seat.demand.seat]
    person = seat.match.entrant(others[0])
    assert notice(seat.sends("OK", refusal, sender=person.addresses[0])) != "receipt"
    assert seat.match.version == version


# --- Fourplay --------------------------------------------------------------------------------------------------------


@pytest.fixture
def purchase(stage: Stage) -> Seat:
    name = stage.begun("fourplay")
    stage.answer_all(name, later(minutes=1))
    seat = Seat(stage, name)
    seat.at = later(hours=1)
    assert seat.demand.kind == "Purchase"
    return seat


def test_604_a_list_without_prices_is_one_ok_away(purchase: Seat) -> None:
    good = answer_text(purchase.match, purchase.demand)
    before = purchase.demand
    refusal = purchase.sends(re.sub(r", \d+ F\$ each, value \d+ each", "", good))
    words = " ".join(text_of(refusal).split())
    assert re.search(r"1\. The prices? .* \(rule 604\.B\)\. Lines \d+ to \d+\.", words), words
    assert "3. " not in words
    assert good in text_of(refusal).replace("\r\n", "\n")
    assert notice(purchase.sends("OK", refusal)) == "receipt"
    assert purchase.demand != before


def test_604_where_mending_took_a_name_for_another_ok_sends_nothing(purchase: Seat) -> None:
    good = answer_text(purchase.match, purchase.demand)
    piece = re.findall(r"^\d+ ([A-Z]\w+),", good, re.M)[0]
    refusal = purchase.sends(good.replace(f" {piece},", f" {piece[0]}{piece[2]}{piece[1]}{piece[3:]},"))
    words = " ".join(text_of(refusal).split())
    assert "In mending your answer I took this on myself" in words
    assert f"for {piece}." in words
    answered = purchase.sends("OK", refusal)
    assert notice(answered) == "refusal"
    assert "to put right or to decide" in " ".join(text_of(answered).split())


def test_law_6_a_list_that_comes_to_too_little_once_mended_is_told_so_at_once(purchase: Seat) -> None:
    head = "\n".join(answer_text(purchase.match, purchase.demand).splitlines()[:3])
    bad = (
        f"{head}\n\nPurchases:\n0 Pawn, 8 F$ each, value 1 each\n4 Cannon, 22 F$ each, value 3 each\n"
        "1 King, 22 F$ each, value 0 each\n\nTotal cost: 110 F$\nTotal value: 12\nMascot: Cannon\n"
    )
    refusal = purchase.sends(bad)
    words = " ".join(text_of(refusal).split())
    for said in (
        "0 is no number of pieces", "King is not for sale", "at least 523 F$", "The total cost is not 110",
    ):  # fmt: skip
        assert said in words, (said, words)
    again = purchase.sends(text_of(refusal)[text_of(refusal).rindex("Name: ") :])
    numbered = re.findall(r"(?m)^\d+\. .*", text_of(again))
    assert len(numbered) == 1, text_of(again)
    assert "at least 523 F$" in " ".join(text_of(again).split())


def test_an_ok_that_cannot_count_brings_the_form_again(seat: Seat) -> None:
    """Of the newest refusal, as it stood there; where nothing was left to mend, OK to this letter sends it."""
    first = seat.sends(faulty(seat))
    newest = seat.sends(faulty(seat) + "\nComment: again")
    version = seat.match.version
    told = seat.sends("OK", first)
    assert notice(told) == "refusal"
    assert "a later mail of yours" in " ".join(text_of(told).split())
    form = text_of(newest).replace("\r", "").strip().rpartition("\n\n")[2]
    assert text_of(told).replace("\r", "").strip().endswith(f"\n\n{form}")
    assert seat.match.version == version
    assert notice(seat.sends("OK", told)) == "receipt"
    assert seat.match.version > version
