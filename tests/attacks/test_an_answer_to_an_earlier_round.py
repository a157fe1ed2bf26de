"""Late is late: what replies to a letter of a round gone by never answers the next one, whatever it holds, and whether
one pass or two read it. Rounds are told apart by their opening, since a rewind uses a label again."""

from datetime import datetime, timedelta
from pathlib import Path

import pytest

from tests.world import Sent, Table, World

GO = [f"P{i} <p{i}@example.org>" for i in (1, 2, 3)]


def day(number: int, time: str = "00:00:00") -> str:
    return f"2026-03-{number:02d}T{time}Z"


def plus(moment: str, minutes: int) -> str:
    return (datetime.fromisoformat(moment) + timedelta(minutes=minutes)).isoformat().replace("+00:00", "Z")


@pytest.fixture
def parallel(tmp_path: Path) -> Table:
    """Three at sealed Go: every round asks all of them the same."""
    return Table(tmp_path, "multigo", GO, board="9x9", order="parallel")


def replied(table: Table, letter: Sent, body: str, at: str, **more: str) -> None:
    """A reply arrives; no pass is made."""
    references = f"{letter.message['References'] or ''} {letter.message['Message-ID']}".strip()
    headers = {"References": references} if more.get("keep", "both") != "in-reply-to" else {}
    direct = letter.message["Message-ID"] if more.get("keep", "both") != "references" else None
    table.world.mail(
        letter.to, more.get("subject") or f"Re: {letter.subject}", body, at, to=letter.message["Reply-To"],
        reply_to=direct, headers=headers,
    )  # fmt: skip


def due_at(table: Table) -> str:
    moment: str = table.world.show(table.match)["due"][0]["due_at"]
    return moment


def first_round_over(table: Table) -> tuple[Sent, str]:
    """The first player has slept through round 1, the others have not; his letter of it, and the time it is now."""
    letter = table.latest("due", table.seats[1])
    end = due_at(table)
    for seat, point in ((2, "C3"), (3, "G7")):
        table.send(
            table.seats[seat],
            table.latest("due", table.seats[seat]).subject,
            f"Move: {point}",
            day(1, "13:00:00"),
        )
    return letter, end


@pytest.mark.one_in(2)
@pytest.mark.parametrize("keep", ["both", "in-reply-to", "references"])
@pytest.mark.parametrize("passes", [1, 2])
def test_a_late_answer_does_not_count_for_the_round_that_its_lateness_opened(
    parallel: Table, passes: int, keep: str
) -> None:
    letter, end = first_round_over(parallel)
    if passes == 2:
        counts, _ = parallel.step(plus(end, 1))
        assert counts["lapsed"] == 1
    replied(parallel, letter, "Move: E5", plus(end, 5), keep=keep)
    counts, letters = parallel.step(plus(end, 10))
    refusal = next(x for x in letters if x.kind == "refusal")
    words = refusal.words
    assert counts["refused"] == 1
    assert 'The time for "Round 1" was over' in words
    assert "5 minutes after that" in words
    assert '"Round 2", which is owed now' in words
    assert refusal.subject.endswith("] Go: Your move is refused")
    assert "E5" not in refusal.form, "a blank form: the stones lie otherwise now"
    board = parallel.world.show(parallel.match, "--moderator")
    assert board["answered"] == []
    parallel.reply(refusal, "Move: E5", plus(end, 20))
    assert [a["seat"] for a in parallel.world.show(parallel.match, "--moderator")["answered"]] == [1]


def test_a_reply_to_any_letter_of_an_earlier_round_answers_that_round(parallel: Table) -> None:
    """The receipt is about round 1 just as the letter that asked for it."""
    first = parallel.seats[1]
    due = parallel.latest("due", first)
    _, letters = parallel.reply(due, "Move: E5", day(1, "13:00:00"))
    receipt = next(x for x in letters if x.kind == "receipt")
    for seat, point in ((2, "C3"), (3, "G7")):
        parallel.reply(parallel.latest("due", parallel.seats[seat]), f"Move: {point}", day(1, "14:00:00"))
    assert parallel.world.show(parallel.match)["position"]["board"][4][4] != "."
    for number, letter in enumerate((receipt, due)):
        counts, letters = parallel.reply(letter, f"Move: {'ABC'[number]}9", day(1, f"15:0{number}:00"))
        assert (counts["answered"], counts["accepted"]) == (1, 0), letter.kind
        (asked,) = letters
        words = asked.words
        assert asked.kind == "preview"
        assert "You answer the letter of Round 1, which is over" in words, letter.kind
        assert "For Round 2 your mail would say" in words
    counts, _ = parallel.reply(asked, "OK", day(1, "16:00:00"))
    assert counts["accepted"] == 1, "it counts from the arrival of the OK"
    revealed = parallel.latest("due", first)
    assert revealed.position is not None, "it tells of the reveal"
    replied(parallel, revealed, "Move: A9", day(1, "16:00:00"), subject=f"Re: {due.subject}")
    counts, _ = parallel.step(day(1, "16:00:00"))
    assert counts["accepted"] == 1, "the letter that told of the reveal is about what is owed since"


def test_a_mail_that_names_letters_of_both_rounds_answers_the_one_it_replies_to(parallel: Table) -> None:
    letter, end = first_round_over(parallel)
    parallel.step(plus(end, 1))
    now = parallel.latest("due", parallel.seats[1])
    old_id, new_id = letter.message["Message-ID"], now.message["Message-ID"]
    for number, (direct, chain, verdict) in enumerate(
        ((old_id, f"{new_id} {old_id}", "refused"), (new_id, f"{old_id} {new_id}", "accepted"),
         (None, f"{new_id} {old_id}", "refused"), ("<unknown@x>", f"{old_id} {new_id}", "accepted"))
    ):  # fmt: skip
        counts, _ = parallel.send(
            parallel.seats[1], f"Re: {now.subject}", f"Move: {'ABCD'[number]}9", plus(end, 5 + number),
            reply_to=direct, headers={"References": chain},
        )  # fmt: skip
        assert counts[verdict] == 1, number


def test_withdraw_in_a_reply_to_an_earlier_round_takes_back_nothing_of_the_next(parallel: Table) -> None:
    letter, end = first_round_over(parallel)
    parallel.step(plus(end, 1))
    first = parallel.seats[1]
    parallel.reply(parallel.latest("due", first), "Move: E5", plus(end, 2))
    counts, letters = parallel.reply(letter, "Withdraw", plus(end, 3))
    assert (counts["accepted"], counts["refused"]) == (0, 1), letters[0].text
    assert [a["seat"] for a in parallel.world.show(parallel.match, "--moderator")["answered"]] == [1]


def test_resigning_in_a_reply_to_an_old_letter_is_no_answer_to_a_round(parallel: Table) -> None:
    letter, end = first_round_over(parallel)
    parallel.step(plus(end, 1))
    counts, letters = parallel.reply(letter, "Resign", plus(end, 3))
    assert counts["refused"] == 0, [x.text for x in letters]


def test_a_preview_in_reply_to_an_old_letter_says_so_too(parallel: Table) -> None:
    letter, end = first_round_over(parallel)
    parallel.step(plus(end, 1))
    replied(parallel, letter, "Move: E5", plus(end, 3), subject=f"Re: {letter.subject}?")
    counts, letters = parallel.step(plus(end, 3))
    assert counts["answered"] == 1
    assert 'The time for "Round 1" was over' in letters[0].words


def test_after_a_rewind_the_letters_of_the_void_round_answer_nothing(parallel: Table) -> None:
    """The same label, another opening."""
    first = parallel.seats[1]
    void = parallel.latest("due", first)
    parallel.world.do(
        "rewind", parallel.match, "--to", "Round 1", "--why", "a wrong board", "--now", day(1, "13:00:00")
    )
    parallel.step(day(1, "13:01:00"))
    counts, letters = parallel.reply(void, "Move: E5", day(1, "14:00:00"))
    assert (counts["answered"], counts["accepted"]) == (1, 0)
    assert "You answer the letter of Round 1, which is over" in letters[0].words
    counts, _ = parallel.reply(letters[0], "Move: E5", day(1, "15:00:00"))
    assert counts["accepted"] == 1


def test_a_mail_from_before_a_rewind_that_is_read_after_it_answers_nothing(parallel: Table) -> None:
    first = parallel.seats[1]
    parallel.world.mail(first, parallel.latest("due", first).subject, "Move: E5", day(1, "12:30:00"))
    parallel.world.run(
        "rewind", parallel.match, "--to", "Round 1", "--why", "a wrong board", "--now", day(1, "13:00:00")
    )
    counts, letters = parallel.step(day(1, "13:01:00"))
    assert (counts["answered"], counts["accepted"]) == (1, 0)
    asked = next(x for x in letters if x.kind == "preview")
    assert "Your mail was written before Round 1 began" in asked.words
    counts, _ = parallel.reply(asked, "Move: E5", day(1, "14:00:00"))
    assert counts["accepted"] == 1


def test_mails_of_a_whole_round_and_the_next_in_one_pass_count_each_for_its_own(parallel: Table) -> None:
    """A round opens when the last answer arrived, not when the pass that read it ran."""
    subjects = {n: parallel.latest("due", parallel.seats[n]).subject for n in (1, 2, 3)}
    for minute, (seat, point) in enumerate(
        ((1, "C3"), (2, "G7"), (3, "E5"), (1, "C4"), (2, "G6"), (3, "E6"))
    ):
        parallel.world.mail(
            parallel.seats[seat], subjects[seat], f"Move: {point}", day(1, f"13:0{minute}:00")
        )
    counts, _ = parallel.step(day(1, "20:00:00"))
    assert (counts["accepted"], counts["refused"]) == (6, 0)
    assert parallel.world.show(parallel.match)["phase"].startswith("round 3")


def test_a_fresh_mail_after_a_lapse_counts_for_what_is_owed_since(parallel: Table) -> None:
    """It replies to no letter: what it answers is told by its arrival alone."""
    _, end = first_round_over(parallel)
    subject = parallel.latest("due", parallel.seats[1]).subject
    parallel.world.mail(parallel.seats[1], subject, "Move: E5", plus(end, 5))
    counts, _ = parallel.step(plus(end, 10))
    assert (counts["lapsed"], counts["accepted"]) == (1, 1)


def test_a_mail_found_late_that_came_before_its_round_was_there_is_not_meant_for_it(parallel: Table) -> None:
    first = parallel.seats[1]
    subject = parallel.latest("due", first).subject
    for seat, point in ((1, "C3"), (2, "G7"), (3, "E5")):
        address = parallel.seats[seat]
        parallel.world.mail(
            address, parallel.latest("due", address).subject, f"Move: {point}", day(1, "13:30:00")
        )
    parallel.step(day(1, "13:40:00"))
    parallel.world.mail(first, subject, "Move: C4", day(1, "13:20:00"))
    counts, letters = parallel.step(day(1, "13:50:00"))
    assert (counts["answered"], counts["accepted"]) == (1, 0), [x.text for x in letters]
    assert "Your mail was written before Round 2 began" in letters[0].words


def test_a_fresh_mail_dated_before_its_round_is_asked_about_and_counts_with_the_ok(parallel: Table) -> None:
    """A changed move that comes just after the reveal is no move of the next round."""
    first = parallel.seats[1]
    subject = parallel.latest("due", first).subject
    for seat, point in ((1, "C3"), (2, "G7"), (3, "E5")):
        address = parallel.seats[seat]
        parallel.reply(parallel.latest("due", address), f"Move: {point}", day(1, f"13:0{seat}:00"))
    parallel.world.mail(first, subject, "Move: C4", day(1, "13:10:00"), date=day(1, "13:02:30"))
    counts, (asked,) = parallel.step(day(1, "13:10:00"))
    assert (counts["answered"], counts["accepted"], asked.kind) == (1, 0, "preview")
    assert parallel.world.show(parallel.match, "--moderator")["answered"] == []
    counts, _ = parallel.reply(asked, "OK", day(1, "13:20:00"))
    assert counts["accepted"] == 1


@pytest.mark.parametrize(
    ("arrived", "counts"),
    [
        ("12:00:00", "accepted"),  # what IMAP says of all that came within this second
        ("12:00:00.750", "accepted"),
        ("12:00:00.250", "answered"),  # asked about
        ("11:59:59", "answered"),
    ],
)
def test_an_arrival_in_whole_seconds_gets_the_benefit_of_the_second(
    tmp_path: Path, arrived: str, counts: str
) -> None:
    world = World(tmp_path)
    world.open("multigo", GO, day(1, "12:00:00.500"), board="9x9")
    due = next(letter for letter in world.passed(day(1, "12:00:00.600")) if letter.kind == "due")
    world.mail(due.to, due.subject, "Move: E5", day(1, arrived))
    done = world.step(day(1, "12:00:10"))
    assert done[counts] == 1, [letter.text for letter in world.new_letters()]


def test_in_turn_by_turn_play_too(tmp_path: Path) -> None:
    """The mover sleeps through his turn; by the time his answer comes, it is his turn again."""
    table = Table(tmp_path, "multigo", GO[:2], board="9x9")
    sleeper, other = table.mover, table.other
    letter, end = table.latest("due", sleeper), due_at(table)
    counts, _ = table.step(plus(end, 1))
    assert counts["lapsed"] == 1
    table.send(other, table.latest("due", other).subject, "Move: C3", plus(end, 2))
    assert table.world.show(table.match)["due"][0]["seat"] == table.seat(sleeper)
    counts, letters = table.reply(letter, "Move: E5", plus(end, 3))
    assert counts["refused"] == 1, [x.text for x in letters]
    assert "was over on" in letters[0].words
    assert table.world.show(table.match)["position"]["board"][4][4] == "."


def test_in_fourplay_the_purchase_is_not_taken_for_the_setup(tmp_path: Path) -> None:
    people = [f"P{i} <p{i}@example.org>" for i in (1, 2, 3, 4)]
    table = Table(tmp_path, "fourplay", people)
    for address in table.seats.values():
        table.reply(table.latest("due", address), table.orders(address), day(2))
    letters = {n: table.latest("due", table.seats[n]) for n in (1, 2, 3, 4)}
    orders = {n: table.orders(table.seats[n]) for n in (1, 2, 3, 4)}
    end = due_at(table)
    for n in (2, 3, 4):
        replied(table, letters[n], orders[n], day(3))
    table.step(day(3))
    replied(table, letters[1], orders[1], plus(end, 5), subject="Re: (no subject)")
    counts, told = table.step(plus(end, 10))
    assert (counts["lapsed"], counts["refused"]) == (1, 1)
    refusal = next(x for x in told if x.kind == "refusal")
    assert "was over on" in refusal.words
