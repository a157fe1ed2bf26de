"""Loops die out, limits hold, duplicates have one effect, and letters that do not arrive are noticed."""

import email
from email.message import EmailMessage
from email.policy import default
from pathlib import Path

import pytest

from tests.world import Sent, Table, World, kinds

MODERATOR = "moderator@referee.localhost"


def minute(number: int, hour: int = 0) -> str:
    return f"2026-03-02T{hour + number // 60:02d}:{number % 60:02d}:00Z"


# --- loops ------------------------------------------------------------------------------------------------------


def forwarded(letters: list[Sent], into: World, at: str, *, bare: bool) -> int:
    """Letters of one referee to the other arrive there; `bare`: a gateway has cut all that tells what they are."""
    count = 0
    for letter in letters:
        if not letter.to.endswith(into.host):
            continue
        message: EmailMessage = email.message_from_bytes(letter.message.as_bytes(), policy=default)
        for name in [n for n in message if bare and n.lower().startswith(("x-referee", "auto-", "list-"))]:
            del message[name]
        into.raw(message.as_bytes(), at)
        count += 1
    return count


class Office(World):
    """A referee at a host of its own."""

    def __init__(self, folder: Path, host: str) -> None:
        folder.mkdir()
        self.host = host
        super().__init__(folder)
        path = folder / "referee.toml"
        path.write_text(path.read_text().replace("referee.localhost", host))


@pytest.mark.parametrize("bare", [False, True])
def test_two_referees_that_write_to_each_other_fall_silent(tmp_path: Path, bare: bool) -> None:
    one, two = Office(tmp_path / "one", "one.example"), Office(tmp_path / "two", "two.example")
    for world, other in ((one, two), (two, one)):
        world.open("buttons", [f"Robot <collector@{other.host}>", "Ann <ann@example.org>"])
        world.step()
    exchanged = []
    waiting = {one.host: one.new_letters(), two.host: two.new_letters()}
    for number in range(24):
        at = minute(number * 5)
        crossed = forwarded(waiting[one.host], two, at, bare=bare) + forwarded(
            waiting[two.host], one, at, bare=bare
        )
        exchanged.append(crossed)
        for world in (one, two):
            world.step(at)
            waiting[world.host] = world.new_letters()
    assert exchanged[0] > 0
    assert exchanged[-8:] == [0] * 8
    assert sum(exchanged) < 40


def test_mail_of_our_own_offices_with_any_reply_address_is_not_answered(table: Table) -> None:
    for number, sender in enumerate(("collector@referee.localhost", "collector+0123abcd@referee.localhost")):
        counts, letters = table.send(sender, "help", "", minute(number))
        assert counts["discarded"] == 1
        assert letters == []


def test_an_automatic_mail_is_never_answered(table: Table) -> None:
    due = table.latest("due", table.mover)
    for number, headers in enumerate(
        (
            {"Auto-Submitted": "auto-replied"},
            {"X-Autoreply": "yes"},
            {"Precedence": "auto_reply"},
            {"Return-Path": "<>", "Auto-Submitted": "auto-generated"},
        )
    ):
        subject = f"Re: {due.subject}"
        counts, letters = table.send(
            table.mover, subject, f"I am away {number}", minute(number), headers=headers
        )
        assert counts["discarded"] == 1, headers
        assert letters == []


def test_a_stranger_has_one_answer_a_thread_and_day_and_five_in_all(table: Table) -> None:
    stranger = "who@elsewhere.example"
    for number in range(3):
        table.world.mail(
            stranger, "hello?", f"words {number}", minute(number), message_id=f"<t{number}@x>",
            reply_to="<t0@x>" if number else None, headers={"References": "<t0@x>"} if number else None,
        )  # fmt: skip
    counts, letters = table.step(minute(5))
    assert kinds(letters) == {"help": [stranger]}
    assert (counts["answered"], counts["discarded"]) == (1, 2)
    for number in range(10):
        table.world.mail(stranger, f"new {number}", f"more {number}", minute(10 + number))
    counts, letters = table.step(minute(30))
    assert len(letters) == 4
    texts = [letter.words for letter in letters]
    assert sum("this is the last letter" in text for text in texts) == 1, "the fifth answers nothing"
    _, letters = table.send(stranger, "again", "next day", "2026-03-03T12:00:00Z")
    assert len(letters) == 1


def test_the_same_words_a_third_time_in_a_day_are_held_and_the_moderator_told_once(table: Table) -> None:
    verdicts = []
    for number in range(5):
        counts, letters = table.send(table.mover, "status", "", minute(number))
        verdicts.append((counts["answered"], counts["held"], sorted(kinds(letters))))
    told = [(1, 0, ["status"]), (1, 0, ["status"]), (0, 1, ["alarm"]), (0, 1, []), (0, 1, [])]
    assert verdicts == told
    counts, _ = table.send(table.mover, "status", "", "2026-03-03T12:00:00Z")
    assert counts["answered"] == 1


def test_the_same_orders_a_third_time_are_held_whether_or_not_the_first_counted(table: Table) -> None:
    subject, orders = table.latest("due", table.mover).subject, table.orders(table.mover)
    verdicts = []
    for number in range(3):
        counts, _ = table.send(table.mover, subject, orders, minute(number))
        verdicts.append(next(word for word in ("accepted", "answered", "held") if counts[word]))
    assert verdicts == ["accepted", "answered", "held"], "the second comes too soon: a draft"


def test_three_passes_in_a_quick_game_are_no_loop(tmp_path: Path) -> None:
    go = Table(tmp_path, "multigo", board="9x9")
    for number, move in enumerate(["Pass", "Move: D4", "Pass", "Move: E5", "Pass"]):
        mover = go.seats[number % 2 + 1]
        counts, _ = go.send(mover, go.latest("due", mover).subject, move, minute(number))
        assert counts["accepted"] == 1, number


# --- duplicates -------------------------------------------------------------------------------------------------


def test_the_same_mail_under_a_new_id_is_ignored_and_the_answer_says_which_counted(table: Table) -> None:
    subject, orders = table.latest("due", table.mover).subject, table.orders(table.mover)
    for number in range(2):
        table.world.mail(
            table.mover, subject, orders, minute(number), message_id=f"<copy{number}@x>", date=minute(0)
        )
    counts, letters = table.step(minute(9))
    assert (counts["accepted"], counts["ignored"]) == (1, 1)
    ignored = next(x for x in letters if x.kind == "ignored")
    assert "That one counted" in ignored.words
    assert "00:00 UTC" in ignored.text or "01:00 CET" in ignored.text


def test_arrival_decides_whatever_the_date_says_and_however_mails_lie(tmp_path: Path) -> None:
    """Of two sealed answers the later arrival holds, though its Date is earlier and its file lay first."""
    people = [f"P{i} <p{i}@example.org>" for i in (1, 2, 3)]
    three = Table(tmp_path, "multigo", people, board="9x9", order="parallel")
    sender = three.seats[1]
    subject = three.latest("due", sender).subject
    form = three.orders(sender)
    key = next(line for line in form.splitlines() if ":" in line).partition(":")[0]
    three.world.mail(sender, subject, f"{key}: C3", minute(30), date="2020-01-01T00:00:00Z")
    three.world.mail(sender, subject, f"{key}: G7", minute(10), date="2030-01-01T00:00:00Z")
    counts, letters = three.step(minute(40))
    assert counts["accepted"] == 2, [x.text for x in letters]
    receipts = {("00:10" in x.text, "00:30" in x.text): x.text for x in letters if x.kind == "receipt"}
    assert "G7" in receipts[True, False]
    assert "C3" in receipts[False, True]
    _, letters = three.send(sender, f"withdraw {three.match}", "", minute(50))
    assert "taken back" in letters[0].text
    for other in (2, 3):
        address = three.seats[other]
        three.world.mail(address, three.latest("due", address).subject, three.orders(address), minute(52))
    three.world.mail(sender, subject, f"{key}: C3", minute(53), date="2010-01-01T00:00:00Z")
    _, letters = three.step(minute(55))
    assert "C3" in next(x for x in letters if x.position).text


def test_a_mail_that_came_in_time_and_was_seen_too_late_is_refused_and_the_moderator_told(
    table: Table,
) -> None:
    due = table.world.show(table.match)["due"][0]["due_at"]
    subject, orders = f"Buttons: Move / Player {table.turn} [{table.match}]", table.orders(table.mover)
    assert subject in table.latest("due", table.mover).text, "that of a fresh mail"
    later = due[:8] + f"{int(due[8:10]) + 1:02d}" + due[10:]
    counts, _ = table.step(later)
    assert counts["lapsed"] == 1
    table.world.mail(table.mover, subject, orders, due)
    counts, letters = table.step(later)
    assert counts["refused"] == 1
    assert "in time" in next(x for x in letters if x.kind == "refusal").text
    assert kinds(letters)["alarm"] == [MODERATOR]
