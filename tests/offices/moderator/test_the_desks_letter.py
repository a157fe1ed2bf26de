"""The desk's letter: what it numbers, what a reply by its numbers does, who sees what of it."""

import re
from pathlib import Path

from tests.offices.moderator.test_orders_by_mail import AT, MIA, MO, Desk
from tests.world import ANN, BEN, DAILY, Sent

LATER = "2026-03-03T12:00:00Z"
SPAM = {"X-Spam-Flag": "YES"}


def held(desk: Desk, sender: str = ANN, words: str = "Hello there", at: str = AT) -> None:
    desk.send(sender, f"A strange subject [{desk.match}]", words, at, headers=SPAM)


def numbers(letter: Sent) -> dict[str, str]:
    """What the letter numbers: the number of each entry by the words that begin it."""
    return {
        found[2]: found[1] for found in re.finditer(r"^(\d+)\. (\w+ \d+|[\w-]+:)", letter.text, re.MULTILINE)
    }


def test_the_letter_numbers_what_waits_and_a_reply_settles_it(desk: Desk) -> None:
    held(desk)
    held(desk, BEN, "And me")
    letter = desk.desk()
    assert numbers(letter) == {"Mail 1": "1", "Mail 2": "2"}
    for words in ("A strange subject", "Hello there", ANN, "1 release", "2 reject because"):
        assert words in letter.text, words
    _, letters = desk.reply(letter, "1 release\n2 reject because it is spam\n\nThanks!", LATER)
    (receipt,) = [x for x in letters if x.to == MO]
    assert receipt.kind == "receipt"
    assert any(x.to == BEN and "it is spam" in x.text for x in letters)
    assert desk.world.run("desk", "--json", "--now", LATER).json["held"] == []


def test_numbers_belong_to_their_letter(desk: Desk) -> None:
    held(desk)
    held(desk, BEN, "And me")
    first = desk.desk()
    desk.reply(first, "1 reject because it is spam", AT)
    second = desk.desk(LATER)
    assert numbers(second) == {"Mail 2": "1"}
    _, letters = desk.reply(first, "1 reject because I say so again", LATER)
    (told,) = [x for x in letters if x.to == MO]
    assert (told.kind, "Mail 1 was settled since" in told.text) == ("refusal", True)
    assert [x["id"] for x in desk.world.run("desk", "--json", "--now", LATER).json["held"]] == [2]
    _, letters = desk.reply(second, "9 release", LATER)
    assert "has no number 9" in letters[0].text


def test_a_number_behind_the_word_is_asked_about_and_several_go_in_one_line(desk: Desk) -> None:
    held(desk)
    desk.send(ANN, "Hello", "May I use another program?", AT)
    held(desk, BEN, "And me")
    letter = desk.desk()
    assert numbers(letter) == {"Mail 1": "1", "Mail 3": "2", "Mail 2": "3"}
    _, letters = desk.reply(letter, "1 reject because ...\n3 answer ...", AT)
    assert [x.kind for x in letters] == ["refusal"], "the letter's own dots say nothing"
    _, letters = desk.reply(letter, "release 2", AT)
    assert "Write the letter's number first" in letters[0].words
    _, letters = desk.reply(letter, "1, 2 reject because it is spam", LATER)
    assert [x.kind for x in letters if x.to == MO] == ["receipt"]
    assert desk.world.run("desk", "--json", "--now", LATER).json["held"] == []


def test_two_moderators_answer_the_same_item(desk: Desk) -> None:
    held(desk)
    mine, hers = desk.desk(), desk.desk(sender=MIA)
    _, letters = desk.reply(mine, "1 reject because spam", LATER)
    assert [x.kind for x in letters if x.to == MO] == ["receipt"]
    rejected = [x for x in letters if x.to == ANN]
    _, letters = desk.reply(hers, "1 release", LATER)
    assert [(x.kind, x.to) for x in letters] == [("refusal", MIA)]
    assert "settled since" in letters[0].text
    assert len(rejected) == 1
    _, letters = desk.reply(mine, "1 mail", LATER, sender=MIA)
    assert [(x.kind, x.to) for x in letters] == [("refusal", MIA)]


def test_a_reply_sent_twice_has_one_effect(desk: Desk) -> None:
    """Once more with another Date: what was late is late no more."""
    late = "2026-03-09T12:00:00Z"
    where = desk.latest("due", desk.mover).message[
        "Reply-To"
    ]  # what proves itself and is held delays the deadline
    desk.send(desk.mover, "Odd", "Hello there", "2026-03-08T11:00:00Z", headers=SPAM, to=where)
    desk.step("2026-03-08T13:00:00Z")
    letter = desk.desk(late)
    (number,) = (n for words, n in numbers(letter).items() if words == f"{desk.match}:")
    assert "due since Sunday 8 March" in letter.words
    for date in (late, "2026-03-09T13:00:00Z"):
        desk.reply(letter, f"{number} extend 3d because Ann is ill", date)
        assert desk.due() == "2026-03-11T12:00:00Z"
    assert "settled since" in desk.letters[-1].text


def test_a_vacant_seat_by_number(desk: Desk) -> None:
    desk.orders(f"vacate {desk.match} 2", "nobody there")
    letter = desk.desk(LATER)
    (number,) = numbers(letter).values()
    _, letters = desk.reply(
        letter, f'{number} replace "Eve Eden <eve@example.org>" because she wants to', LATER
    )
    assert [x.kind for x in letters if x.to == MO] == ["receipt"], letters[0].text
    assert desk.world.show(desk.match)["seats"][1]["name"] == "Eve Eden"


def test_a_paused_match_by_number(desk: Desk) -> None:
    desk.orders(f"pause {desk.match}", "holidays")
    letter = desk.desk(LATER)
    (number,) = numbers(letter).values()
    desk.reply(letter, f"{number} resume because they are over", LATER)
    assert desk.world.show(desk.match)["status"] == "open"


def test_words_to_him_are_answered_by_number(desk: Desk) -> None:
    desk.send(ANN, "Hello", "May I use another program?", AT)
    letter = desk.desk(LATER)
    (number,) = numbers(letter).values()
    _, letters = desk.reply(letter, f"{number} answer Yes, any you like.", LATER)
    assert any(x.to == ANN and "Yes, any you like." in x.text for x in letters)
    assert desk.world.run("desk", "--json", "--now", LATER).json["questions"] == []


def test_a_forged_reply_by_numbers_is_asked_about(desk: Desk) -> None:
    held(desk)
    letter = desk.desk()
    _, letters = desk.send(
        MO, f"Re: {letter.subject}", "1 release", AT, reply_to=letter.message["Message-ID"]
    )
    assert [(x.kind, x.to) for x in letters] == [("challenge", MO)]
    _, letters = desk.reply(letters[0], "Yes", AT)
    assert [x.kind for x in letters if x.to == MO] == ["receipt"]


def daily(desk: Desk, at: str) -> list[Sent]:
    """The daily letters of a pass."""
    desk.world.step(at)
    return [letter for letter in desk.world.new_letters(daily=True) if letter.subject == DAILY]


def test_it_comes_daily_if_anything_waits(desk: Desk) -> None:
    held(desk)
    assert daily(desk, "2026-03-03T05:59:00Z") == []
    mine, hers = sorted(daily(desk, "2026-03-03T06:01:00Z"), key=lambda x: x.to, reverse=True)
    assert (mine.to, hers.to) == (MO, MIA)
    assert (mine.kind, numbers(mine)) == ("status", {"Mail 1": "1"})
    assert daily(desk, "2026-03-03T09:00:00Z") == []
    desk.reply(mine, "1 reject because spam", "2026-03-03T10:00:00Z")
    assert daily(desk, "2026-03-04T07:00:00Z") == []


def test_a_moderator_who_plays_gets_number_and_commands_alone(tmp_path: Path) -> None:
    """Two worlds that differ in what the other player's held mail says: his letters are the same, byte for byte."""
    told = []
    for name, words in (("one", "Move: c3"), ("two", "I shall go to d4, whatever he does")):
        folder = tmp_path / name
        folder.mkdir()
        desk = Desk(folder, "multigo", order="parallel")
        desk.world.at_desk(MO, ANN)
        held(desk, BEN, words)
        alarms = [x for x in desk.letters if x.kind == "alarm" and x.to == ANN]
        letter = desk.desk(sender=ANN)
        (shown,) = [x for x in desk.asks("mail 1", sender=ANN) if x.to == ANN]
        (match,) = [x for x in desk.asks(f"show {desk.match} --moderator", sender=ANN) if x.to == ANN]
        for each in (*alarms, letter, shown, match):
            assert BEN not in each.text
            assert "strange subject" not in each.text
        assert "1 release" in letter.text
        assert alarms
        told.append([x.message.as_string() for x in (*alarms, letter, shown, match)])
    boundaries = re.compile(r"={5,}\d+==")
    one, two = ([boundaries.sub("", text) for text in each] for each in told)
    assert one == two


def test_of_a_sealed_answer_only_sender_match_and_reason(tmp_path: Path) -> None:
    desk = Desk(tmp_path, "multigo", order="parallel")
    held(desk, BEN, "Move: c3")
    letter = desk.desk()
    assert BEN in letter.text
    assert "strange subject" not in letter.text
    assert "c3" not in letter.text
    (shown,) = [x for x in desk.asks("mail 1") if x.to == MO]
    assert "c3" not in shown.text


def told(folder: Path, answered: bool) -> list[str]:
    """All that a moderator is written who plays himself, while the other player has answered under seal, or has not."""
    folder.mkdir()
    desk = Desk(folder, "multigo", order="parallel")
    desk.world.at_desk(MO, ANN)
    before = len(desk.letters)
    due = desk.latest("due", BEN)
    if answered:
        counts, _ = desk.reply(due, "Move: c3", "2026-03-01T13:00:00Z")
        assert counts["accepted"] == 1
    desk.world._mails = 100  # so that their Message-IDs are the same
    desk.send("eve@example.org", "A strange subject", "Hello there", AT, headers=SPAM)
    held(desk, BEN, "Odd")
    letter = desk.desk(sender=ANN)
    numbered = [found[1] for found in re.finditer(r"Mail (\d+)", letter.text)]
    assert len(numbered) == 2
    name = desk.match
    orders = (
        *(f"mail {number}" for number in (*numbered, *range(1, 9))), *(f"release {number}" for number in range(1, 9)),
        f"reject {numbered[0]} because of spam", f"unshunt {numbered[1]}", f"release {numbered[1]} --check", "desk",
        "list", f"show {name} --moderator", f"extend {name} by 2d because Ben is ill", f"extend {name} by 1d --check",
        f"pause {name} because of holidays", f"resume {name} because they are over", f"release {numbered[1]}",
        f'replace {name} {desk.seat(BEN)} "Cid Carter <cid@example.org>" because Ben has left',
        f"vacate {name} {desk.seat(BEN)} because Cid has left", f"amend {name} miss=4 because we agreed",
    )  # fmt: skip
    for hour, subject in enumerate(orders):
        desk.orders(subject, at=f"2026-03-02T{13 + hour // 6}:{hour % 6}0:00Z", sender=ANN)
    opaque = re.compile(r"={5,}\d+==|<[0-9a-f]{40}@")  # keyed hashes
    return [opaque.sub("", x.message.as_string()) for x in desk.letters[before:] if x.to == ANN]


def test_a_moderator_who_plays_learns_nothing_of_who_has_answered_under_seal(tmp_path: Path) -> None:
    """Two worlds that differ in whether the other player has answered: what he is written is the same, byte for byte,
    whatever number he tries and whatever he orders."""
    one, two = told(tmp_path / "one", answered=True), told(tmp_path / "two", answered=False)
    assert len(one) == len(two) > 30
    for mine, theirs in zip(one, two, strict=True):
        assert mine == theirs
