"""Words to a person: what goes to a moderator, what is asked first, what goes to nobody; and how he answers."""

from pathlib import Path

import pytest

from tests.offices.moderator.test_orders_by_mail import AT, MIA, MO, Desk
from tests.way.test_senders import trusting
from tests.world import ANN, BEN, Sent, vouched

WORDS = "May I use another mail program?\nMine is ann.private@example.net these days."


def asked(desk: Desk, words: str = WORDS, at: str = AT, sender: str = ANN) -> list[Sent]:
    return desk.send(sender, "A question", words, at)[1]


def test_words_go_to_the_moderator_and_his_answer_comes_back_with_nobodys_address(desk: Desk) -> None:
    letters = asked(desk)
    (told,) = [x for x in letters if x.to == ANN]
    (question,) = [x for x in letters if x.kind == "question"]
    assert question.to == MO
    assert "May I use another mail program?" in question.text
    for address in (ANN, BEN, "ann.private"):
        assert address not in question.message.as_string()
    assert "went to the moderator" in told.words
    _, letters = desk.reply(question, "Yes, any. Mine is mo@example.net.", AT)
    (back,) = [x for x in letters if x.to == ANN]
    assert back.kind == "press"
    assert "Yes, any." in back.text
    assert MO not in back.message.as_string()
    assert "mo@example.net" not in back.message.as_string()
    assert [x.kind for x in letters if x.to == MO] == ["receipt"]
    assert BEN not in {x.to for x in letters}


def test_the_desk_has_it_until_it_is_answered(desk: Desk) -> None:
    (question,) = [x for x in asked(desk) if x.kind == "question"]
    (entry,) = desk.world.run("desk", "--json", "--now", AT).json["questions"]
    assert (entry["from"], entry["match"], entry["subject"]) == (ANN, desk.match, "A question")
    assert entry["command"] == f"referee say {desk.match} --seat {desk.seat(ANN)} TEXT"
    desk.reply(question, "Yes.", AT)
    assert desk.world.run("desk", "--json", "--now", AT).json["questions"] == []
    _, letters = desk.reply(question, "Once more: yes.", AT)
    assert "answered since" in letters[0].words
    assert ANN not in {x.to for x in letters}


def test_say_to_the_seat_answers_it_too(desk: Desk) -> None:
    asked(desk)
    desk.world.do("say", desk.match, "Yes", "--seat", str(desk.seat(ANN)), "--now", AT)
    assert desk.world.run("desk", "--json", "--now", AT).json["questions"] == []


@pytest.mark.parametrize(
    "words", ["Thanks!", "Many thanks and good luck!", "Danke!", "ok", "Nice move!", "", "Yes."]
)
def test_thanks_alone_go_to_nobody(desk: Desk, words: str) -> None:
    due = desk.latest("due", desk.mover)
    _, letters = desk.reply(due, words, AT)
    assert not [x for x in letters if x.kind == "question"]


def test_never_to_a_moderator_who_plays_there(desk: Desk) -> None:
    desk.world.at_desk(BEN, MIA)
    assert [x.to for x in asked(desk) if x.kind == "question"] == [MIA]
    desk.world.at_desk(BEN)
    (told,) = asked(desk, "And may I use a third one?")
    assert told.to == ANN
    assert "plays in this match too" in told.words


def test_a_forged_answer_of_the_moderator_is_asked_about(desk: Desk) -> None:
    (question,) = [x for x in asked(desk) if x.kind == "question"]
    _, letters = desk.send(
        MO, f"Re: {question.subject}", "No, never.", AT, reply_to=question.message["Message-ID"]
    )
    assert [(x.kind, x.to) for x in letters] == [("challenge", MO)]


def test_there_is_a_measure(desk: Desk) -> None:
    desk.world.configure("questions_a_day = 10", "questions_a_day = 2")
    found = [asked(desk, f"A question of mine, the {n}th of them?") for n in ("one", "two", "three")]
    assert [[x.kind for x in letters].count("question") for letters in found] == [1, 1, 0]


def test_while_sealed_answers_are_owed_the_sender_is_asked_first(tmp_path: Path) -> None:
    desk = Desk(tmp_path, "multigo", order="parallel")
    assert desk.world.show(desk.match)["due"]
    letters = asked(desk)
    assert [(x.kind, x.to) for x in letters] == [("preview", ANN)]
    assert "the moderator will read" in letters[0].words
    assert desk.world.run("desk", "--json", "--now", AT).json["questions"] == []
    _, letters = desk.reply(letters[0], "OK", AT)
    (question,) = [x for x in letters if x.kind == "question"]
    assert "May I use another mail program?" in question.text
    assert question.to == MO
    (entry,) = desk.world.run("desk", "--json", "--now", AT).json["questions"]
    assert entry["sealed"]
    assert "subject" not in entry


def test_to_the_moderator_below_any_answer_sends_that_mail_on(desk: Desk) -> None:
    _, letters = desk.send(desk.mover, f"Buttons: Move / Player {desk.turn}", "Is e17 a square?", AT)
    (told,) = letters
    _, letters = desk.reply(told, "To the moderator, please.", AT)
    (question,) = [x for x in letters if x.kind == "question"]
    assert "Is e17 a square?" in question.text


def test_words_about_no_match_in_particular_go_to_him_too(desk: Desk) -> None:
    desk.world.open("buttons", desk.people)
    desk.step(AT)
    letters = asked(desk, "Is the club closed on Sunday?")
    (question,) = [x for x in letters if x.kind == "question"]
    (told,) = [x for x in letters if x.to == ANN]
    assert (told.kind, "went to the moderator" in told.words) == ("status", True)
    _, letters = desk.reply(question, "We do.", AT)
    assert [x.to for x in letters if x.kind == "press"] == [ANN]
    letters = asked(desk, "Place: B1 at a1", at="2026-03-02T13:00:00Z")
    assert ANN in {
        x.to for x in letters
    }  # an order goes to no person: it counts where it fits, or she is asked
    assert MO not in {x.to for x in letters}


def test_a_match_that_is_over_still_has_a_moderator(desk: Desk) -> None:
    desk.world.run("end", desk.match, "--as", "drawn", "--why", "agreed", "--now", AT)
    desk.step(AT)
    assert [x.kind for x in asked(desk) if x.to == MO] == ["question"]
    letters = asked(desk, "Shall we have a rematch, all of us?")
    assert [(x.kind, x.to) for x in letters] == [("preview", ANN)], (
        "what the referee can do itself it asks about"
    )


def test_a_stranger_gets_no_moderator(desk: Desk) -> None:
    letters = asked(desk, sender="eve@example.org")
    assert not [x for x in letters if x.kind == "question"]


def test_a_question_mark_behind_his_subject_sends_nothing(desk: Desk) -> None:
    (question,) = [x for x in asked(desk) if x.kind == "question"]
    where, named = question.message["Reply-To"], question.message["Message-ID"]
    _, letters = desk.send(MO, f"Re: {question.subject}?", "Yes.", AT, to=where, reply_to=named)
    assert [(x.kind, x.to) for x in letters] == [("preview", MO)]
    assert len(desk.world.run("desk", "--json", "--now", AT).json["questions"]) == 1


SAID = (
    ("A question", "Who may see my address?"),
    ("Complaint", "I think that the last ruling was wrong."),
    ("Fourplay: question", "I don't understand why my purchase was refused."),
    ("Help!", "Ben writes nasty things to me. Please do something about it."),
    ("Rules question", "Is it allowed to ask a friend for advice?"),
    ("status of my complaint", "You never answered my complaint about Ben."),
    ("", "When does the next tournament start?"),
)


@pytest.mark.one_in(8)
@pytest.mark.parametrize("games", [1, 2, 3])
@pytest.mark.parametrize(("subject", "words"), SAID)
def test_a_proved_question_that_names_no_match_reaches_the_moderator(
    desk: Desk, subject: str, words: str, games: int
) -> None:
    """From one address in one match, in several, and where an answer is owed under seal."""
    trusting(desk)
    desk.world.configure("questions_a_day = 10", "questions_a_day = 2")
    for game in ("morris", "fourplay")[: games - 1]:
        more = [] if game == "morris" else ["C <c@c.example>", "D <d@d.example>"]
        desk.world.open(game, [f"A <{ANN}>", f"B <{BEN}>", *more], AT)
    desk.step(AT)
    domain = ANN.partition("@")[2]
    for number in range(3):
        proof = vouched(domain, f"signature {number}".encode())
        _, letters = desk.send(ANN, subject, f"{words} {'Please! ' * number}", AT, headers=proof)
        asked_of = [x for x in letters if x.kind == "question"]
        assert [x.to for x in asked_of] == [MO] * (number < 2), [x.text for x in letters]
        told = " ".join(" ".join(x.text for x in letters if x.to == ANN).split())
        assert ("went to the moderator, a person" in told) == (number < 2), told
        assert ("these went to nobody" in told) == (number == 2), told


@pytest.mark.parametrize("proof", ["token", "vouched"])
def test_a_proved_desk_command_is_answered_however_often(desk: Desk, proof: str) -> None:
    trusting(desk)
    for number in range(12):
        more = vouched(MO.partition("@")[2], str(number).encode()) if proof == "vouched" else None
        at = f"2026-03-02T10:{number:02}:00Z"
        if proof == "vouched":
            _, letters = desk.send(MO, "desk", "", at, headers=more)
        else:
            letters = desk.orders("desk", "", at)
        assert [x.kind for x in letters if x.to == MO] == ["status"], number


@pytest.mark.parametrize("why", ["typo", "Thanks", "Sorry", "ok", "Mo", "a slip, sorry", "Please"])
def test_a_reason_is_whatever_stands_in_the_body(desk: Desk, why: str) -> None:
    assert desk.orders(f"pause {desk.match}", why)
    assert why in desk.world.run("record", desk.match).out
