"""A flood drowns nobody else's letter: strangers, each player, what proves itself and what does not, and every kind of
the moderator's alarms have measures of their own, counted in the outbox."""

from pathlib import Path

import pytest

from tests.attacks.test_delivery_reports import gone, id_of, report
from tests.way.test_loops import MODERATOR, minute
from tests.world import PEOPLE, Sent, Table, kinds

TENTH = {"answers_a_day": (100, 10), "press_a_day": (50, 5)}


def weight(letters: list[Sent], to: str) -> int:
    return sum(len(x.message.as_bytes()) for x in letters if x.to == to)


def flood(table: Table, sender: str, subject: str, bodies: list[str], hour: int = 1) -> None:
    for number, body in enumerate(bodies):
        at = f"2026-03-02T{hour:02d}:{number // 60 % 60:02d}:{number % 60:02d}Z"
        table.world.mail(sender, subject, body, at)


@pytest.fixture
def table(tmp_path: Path) -> Table:
    """Measures a tenth of what they are, so that few mails fill them."""
    return tenth(Table(tmp_path))


def tenth(table: Table) -> Table:
    for name, (usual, here) in TENTH.items():
        table.world.configure(f"{name} = {usual} ", f"{name} = {here} ")
    return table


def test_a_players_questions_silence_no_stranger_and_are_answered_a_few_times(table: Table) -> None:
    flood(table, table.mover, f"record {table.match}", [f"please {n}" for n in range(9)])
    _, letters = table.step("2026-03-02T02:00:00Z")
    assert kinds(letters) == {"record": [table.mover] * 5, "help": [table.mover]}
    told = next(x for x in letters if x.kind == "help").words
    assert f'You have asked "record {table.match}" 5 times' in told
    counts, letters = table.send("who@elsewhere.example", "hello", "who are you?", "2026-03-02T02:01:00Z")
    assert kinds(letters) == {"help": ["who@elsewhere.example"]}
    _, letters = table.send(table.mover, "status", "", "2026-03-02T02:02:00Z")
    assert kinds(letters) == {"status": [table.mover]}, "another question"
    _, letters = table.send(table.other, f"record {table.match}", "me too", "2026-03-02T02:03:00Z")
    assert kinds(letters) == {"record": [table.other]}, "another player"
    _, letters = table.send(table.mover, f"record {table.match}", "tomorrow", "2026-03-03T03:00:00Z")
    assert kinds(letters) == {"record": [table.mover]}
    assert counts["answered"] == 1


def test_a_flood_of_small_forged_mails_brings_its_victim_little(table: Table) -> None:
    subject = table.latest("due", table.mover).subject
    flood(table, table.mover, subject, [f"Move: z{n} {n}" for n in range(20)])
    _, letters = table.step("2026-03-02T05:00:00Z")
    assert len([x for x in letters if x.kind == "refusal" and x.to == table.mover]) == 10
    assert weight(letters, table.mover) < 150_000
    enough = [x for x in letters if x.kind == "help"]
    assert len(enough) == 1
    assert "orders that I can accept count" in enough[0].words


def test_what_proves_itself_is_not_counted_with_what_anybody_can_write(table: Table) -> None:
    due = table.latest("due", table.mover)
    flood(table, table.mover, due.subject, [f"Move: z{n} {n}" for n in range(12)])
    table.step("2026-03-02T05:00:00Z")
    _, letters = table.reply(due, "Move: z99", "2026-03-02T06:00:00Z")
    assert kinds(letters) == {"refusal": [table.mover]}, "it went to the reply address"
    counts, letters = table.send(table.mover, due.subject, table.orders(table.mover), "2026-03-02T07:00:00Z")
    assert counts["accepted"] == 1
    assert "receipt" in kinds(letters), "what counts is always answered"


def test_a_flood_of_words_to_others_ends_and_refused_words_are_not_echoed(table: Table) -> None:
    words = "blah " * 3000
    flood(table, table.mover, f"press {table.match}", [f"{n} {words}" for n in range(10)])
    _, letters = table.step("2026-03-02T05:00:00Z")
    got = [x for x in letters if x.kind == "press" and x.to == table.other]
    assert len(got) == 5
    assert len([x for x in letters if x.kind == "help"]) == 1
    assert weight(letters, table.other) < 300_000
    _, letters = table.send(table.other, f"press {table.match}", "blah " * 4000, "2026-03-02T06:00:00Z")
    assert kinds(letters) == {"refusal": [table.other]}
    assert "blah blah" not in letters[0].text
    assert "Send them in parts" in letters[0].text
    _, letters = table.send(table.other, f"press {table.match} / Player 9", "secret " * 900, minute(1, 7))
    assert "secret secret" not in letters[0].text, "sent to nobody, and not sent back"


def test_one_kind_of_alarm_never_mutes_another(table: Table) -> None:
    """Sixty doubtful mails; then a letter of ours truly comes back."""
    for number in range(60):
        table.world.mail(
            table.mover, f"hello {number}", "words", minute(number, 1), headers={"X-Spam-Flag": "YES"}
        )
    _, letters = table.step("2026-03-02T05:00:00Z")
    held = [x for x in letters if x.kind == "alarm"]
    assert len(held) == 21, "twenty, and one that says that there are more"
    assert "There have been 20 alarms of this kind (mails held)" in held[-1].words or any(
        "There have been 20 alarms" in x.words for x in held
    )
    due = table.latest("due", table.mover)
    table.world.raw(report(gone(table.mover), named=id_of(due)), minute(10, 5))
    _, letters = table.step("2026-03-02T06:00:00Z")
    alarms = [x for x in letters if x.kind == "alarm"]
    assert [x.to for x in alarms] == [MODERATOR]
    assert "did not arrive" in alarms[0].text
    _, letters = table.step("2026-03-03T06:00:00Z")
    summary = [x for x in letters if x.kind == "alarm"]
    assert len(summary) == 1
    assert "40 more alarms" in summary[0].words
    assert "referee doctor" in summary[0].words
    _, letters = table.step("2026-03-04T06:00:00Z")
    assert not [x for x in letters if x.kind == "alarm"], "told once"


def test_a_weeks_mails_that_are_judged_at_once_have_each_day_its_measure(table: Table) -> None:
    """After an outage, or a restore: whoever asked thrice a day is answered thrice a day."""
    for number in range(18):
        table.world.mail(
            table.mover, "status", f"{number}", f"2026-03-0{2 + number // 3}T0{number % 3}:00:00Z"
        )
    _, letters = table.step("2026-03-08T00:00:00Z")
    assert len([x for x in letters if x.kind == "status"]) == 18
    _, letters = table.send(table.mover, "status", "", "2026-03-08T00:01:00Z")
    assert kinds(letters) == {"status": [table.mover]}


def test_so_have_the_questions_whether_a_mail_is_its_owners(tmp_path: Path) -> None:
    table = Table(tmp_path, people=PEOPLE)
    table.world.configure('need = "address"', 'need = "confirm"')
    subject = table.latest("due", table.mover).subject
    orders = table.orders(table.mover)
    for day, count in ((2, 3), (3, 9), (4, 3)):
        for number in range(count):
            at = f"2026-03-0{day}T{4 * day + number:02}:00:00Z"
            table.world.mail(table.mover, subject, f"{orders}\nComment: {number} {day}", at)
    counts, letters = table.step("2026-03-05T00:00:00Z")
    assert kinds(letters)["challenge"] == [table.mover] * (3 + 5 + 3)
    assert counts["held"] == 15


def test_limits_are_the_configurations_and_a_letter_keeps_to_its_size(tmp_path: Path) -> None:
    table = Table(tmp_path, people=PEOPLE)
    table.world.configure("equal_questions_a_day = 5 ", "equal_questions_a_day = 2 ")
    table.world.configure('largest_letter = "500kB"', 'largest_letter = "20kB"')
    flood(table, table.mover, f"record {table.match}", [f"please {n}" for n in range(5)])
    _, letters = table.step("2026-03-02T02:00:00Z")
    records = [x for x in letters if x.kind == "record"]
    assert len(records) == 2
    assert all(len(x.message.as_bytes()) < 60_000 for x in records)
    subject = table.latest("due", table.mover).subject
    orders = "\n".join(f"Move: z{n}" for n in range(150))
    _, letters = table.send(table.mover, subject, orders, "2026-03-02T03:00:00Z")
    (refusal,) = letters
    assert len(refusal.text) < 20_000
    assert (
        refusal.text.rstrip().endswith(table.latest("due", table.mover).form.splitlines()[-1])
        or "Move:" in refusal.form
    )


@pytest.mark.one_in(2)
@pytest.mark.parametrize(
    ("game", "title", "bodies"),
    [
        ("buttons", "Buttons and bridges", ["Comment: {n}"]),
        ("onepiece", "One Piece For Two", ["Offer: draw", "Comment: {n}"]),
        ("multigo", "Multiplayer Go", ["Comment: {n}"]),
    ],
)
def test_a_flood_of_what_nobody_waits_for_ends_like_one_of_words(
    tmp_path: Path, game: str, title: str, bodies: list[str]
) -> None:
    """Comments and offers count, and all others are told of each; an answer that is owed is none of them."""
    table = tenth(
        Table(tmp_path, game, [*PEOPLE, "Cleo <cleo@example.org>"] if game == "multigo" else PEOPLE)
    )
    subject = f"{title}: Move / Player {table.turn}"
    flood(table, table.mover, subject, [bodies[n % len(bodies)].format(n=n) for n in range(12)])
    _, letters = table.step("2026-03-02T05:00:00Z")
    told = [x for x in letters if x.kind == "announcement" and x.to == table.other]
    assert len(told) <= 5
    assert weight(letters, table.other) < 200_000
    assert len([x for x in letters if x.kind == "help"]) <= 1
    counts, _ = table.send(table.mover, subject, table.orders(table.mover), "2026-03-02T06:00:00Z")
    assert counts["accepted"] == 1
    reply_to = table.latest("opened", table.mover).message["Reply-To"]
    counts, _ = table.send(table.mover, subject, "Comment: I am myself", minute(1, 7), to=reply_to)
    assert counts["accepted"] == 1, "what proves itself is counted apart"


def test_the_same_absence_is_told_once(table: Table) -> None:
    flood(table, table.mover, "vacation 2026-03-05..2026-03-06", [f"away {n}" for n in range(10)])
    _, letters = table.step("2026-03-02T05:00:00Z")
    told = [x for x in letters if x.kind in ("announcement", "extended") and x.to == table.other]
    assert len(told) == 1
    assert any("You have said so already" in x.words for x in letters) or any(
        "you have said so already" in x.words for x in letters
    )


def test_forged_copies_of_a_players_words_make_no_loop_of_his_own(table: Table) -> None:
    reply_to = table.latest("opened", table.mover).message["Reply-To"]
    for subject in ("status", f"record {table.match}", f"vacation [{table.match}] 2026-03-05..2026-03-06"):
        flood(table, table.mover, subject, ["please"] * 4)
    table.step("2026-03-02T05:00:00Z")
    for number, subject in enumerate(("status", f"record {table.match}")):
        counts, letters = table.send(table.mover, subject, "please", minute(number, 6), to=reply_to)
        assert (counts["held"], len(letters)) == (0, 1), subject
