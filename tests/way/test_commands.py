"""What may be asked in a subject: each command does what its letter says, and nothing else."""

from pathlib import Path
from typing import get_args

import pytest

from referee.base.settings import WEIGHED, Command
from referee.mail.read.subject import COMMANDS
from referee.way.commands import TABLE
from tests.way.test_senders import trusting
from tests.world import ANN, BEN, START, Sent, Table, World, kinds, vouched

AT, WATCHER = "2026-03-02T00:00:00Z", "w@elsewhere.example"
FOUR = [*(f"{n} <{n.split()[0].lower()}@example.org>" for n in ("Ann Archer", "Ben Baker", "Cleo Carter"))]


@pytest.fixture
def three(tmp_path: Path) -> Table:
    """Three at parallel Go, where moves are sealed and players may talk."""
    return Table(tmp_path, "multigo", FOUR, board="9x9", order="parallel", press="on")


def test_help_is_short_begins_with_what_is_owed_and_names_every_command(table: Table) -> None:
    _, letters = table.send(ANN, "help", "", AT)
    assert kinds(letters) == {"help": [ANN]}
    text = letters[0].text
    assert len(text.splitlines()) <= 25
    owed = " ".join(text.split("\n\n")[1].split())
    assert owed.startswith(f"- {table.match} (Buttons): your turn") == (table.mover == ANN), text
    for command in TABLE.keys() - {"help"}:
        assert command in text
    _, letters = table.send(ANN, "help commands", "", AT)
    for command in TABLE:
        assert command in letters[0].text


def test_status_tells_what_is_owed_and_who_is_waited_for(table: Table) -> None:
    for reader in (ANN, BEN):
        _, letters = table.send(reader, "status", "", AT)
        text = letters[0].words
        assert letters[0].kind == "status"
        assert table.match in text
        assert ("You owe your " in text) == (reader == table.mover)
        assert ("The match waits for" in text) == (reader == table.other)


def test_games_board_and_record_are_told(table: Table) -> None:
    _, letters = table.send(ANN, "games", "", AT)
    assert "Fourplay" in letters[0].text
    _, letters = table.send(ANN, f"board {table.match}", "", "2026-03-02T00:01:00Z")
    assert letters[0].kind == "status"
    _, letters = table.send(ANN, f"record {table.match}", "", "2026-03-02T00:02:00Z")
    assert f"{table.match}.json" in [p.get_filename() for p in letters[0].message.walk()]


def test_every_letter_is_of_a_kind_that_the_contract_names(table: Table) -> None:
    known = {
        "receipt", "refusal", "ignored", "preview", "help", "opened", "due", "announcement", "reminder", "lapsed",
        "rewound", "extended", "ended", "status", "record", "challenge", "press", "digest", "alarm",
    }  # fmt: skip
    for number, subject in enumerate(
        ("games", "board", f"observe {table.match}", "timezone Asia/Tokyo", "timezone Nowhere", "format text",
         "format gold", "vacation soon", "press", "renew", "digest on")
    ):  # fmt: skip
        table.send(ANN, subject, "", f"2026-03-02T00:{number:02d}:00Z")
    assert {letter.kind for letter in table.letters} <= known


# --- absences ---------------------------------------------------------------------------------------------------


def test_an_absence_is_told_to_all_and_moves_the_deadline_to_its_end(table: Table) -> None:
    due = table.world.show(table.match)["due"][0]["due_at"]
    first, last = "2026-03-02", f"{due[:8]}{int(due[8:10]) + 2:02d}"
    counts, letters = table.send(
        table.mover, f"vacation {first}..{last} [{table.match}]", "", "2026-03-01T12:30:00Z"
    )
    assert counts["answered"] == 1
    assert kinds(letters)["extended"] == sorted({*table.seats.values()} - {table.mover})
    public = next(x for x in letters if x.kind == "extended" and x.to == table.other)
    assert "is away from" in public.words
    (receipt,) = [x for x in letters if x.to == table.mover]
    assert receipt.kind == "receipt", "one letter, with the new deadline for the calendar too"
    assert "is now due by" in receipt.words
    assert "text/calendar" in receipt.message.as_string()
    moved = table.world.show(table.match)["due"][0]["due_at"]
    assert moved > due
    assert moved[:10] in (last, f"{due[:8]}{int(last[8:10]) + 1:02d}")


def test_an_absence_moves_deadlines_that_open_in_it_and_no_others(table: Table) -> None:
    now = "2026-03-01T13:00:00Z"
    table.send(table.other, "vacation 2026-03-02..2026-03-25", "", now)
    assert table.world.show(table.match)["due"][0]["due_at"] < "2026-03-20", "the mover's own deadline stays"
    mover, other = table.mover, table.other
    for hour in range(14, 20):
        due = table.world.show(table.match)["due"]
        if due[0]["seat"] == table.seat(other):
            break
        table.send(
            mover, table.latest("due", mover).subject, table.orders(mover), f"2026-03-01T{hour}:00:00Z"
        )
    due = table.world.show(table.match)["due"][0]
    assert due["seat"] == table.seat(other)
    assert due["due_at"][:10] in ("2026-03-25", "2026-03-26")
    asked = table.latest("due", other)
    assert "26 March 2026" in asked.words or "25 March 2026" in asked.words


def test_an_absence_beyond_the_days_of_a_match_is_refused(table: Table) -> None:
    _counts, letters = table.send(table.mover, "vacation 2026-03-02..2026-05-02", "", AT)
    assert kinds(letters) == {"refusal": [table.mover]}
    assert "30 days" in letters[0].words
    _, letters = table.send(table.mover, "vacation some day", "", "2026-03-02T01:00:00Z")
    assert "2026-12-24..2027-01-02" in letters[0].words


def test_an_absence_is_said_as_people_say_it_and_shown_back_in_full(table: Table) -> None:
    counts, letters = table.send(table.mover, "vacation 20 March to 2 April", "", AT)
    assert counts["answered"] == 1
    told = next(x.words for x in letters if x.kind == "receipt")
    assert "Friday 20 March 2026, 00:00" in told
    assert "Friday 3 April 2026, 00:00" in told


def test_days_that_can_be_read_in_two_ways_are_asked_about(table: Table) -> None:
    _, letters = table.send(table.mover, "vacation 03/04 - 05/04", "", AT)
    assert kinds(letters) == {"refusal": [table.mover]}
    told = letters[0].words
    assert "vacation 2026-04-03..2026-04-05: from Friday 3 April 2026" in told
    assert "vacation 2026-03-04..2026-05-04: from Wednesday 4 March 2026" in told


def test_the_days_may_stand_in_the_mail_itself(table: Table) -> None:
    _, letters = table.send(table.mover, "Vacation", "24.3.-2.4.", AT)
    assert any("Tuesday 24 March 2026" in x.words for x in letters if x.kind == "receipt")


# --- words between players --------------------------------------------------------------------------------------


def test_words_to_all_hold_no_reply_address_and_no_phrase(table: Table) -> None:
    """Who writes below his letter's head passes on its reply address; and a phrase is one however it is written."""
    own = table.latest("opened", ANN).message["Reply-To"]
    words = f"Hello!\nReply-To: {own}\nPass  phrase: correct horse\nPass phrase is: battery staple\nBye!"
    _counts, letters = table.send(ANN, f"press {table.match}", words, AT)
    got = next(x for x in letters if x.kind == "press" and x.to == BEN)
    assert "collector@referee.localhost" in got.text
    assert "Bye!" in got.text
    for kept in (own.partition("@")[0].partition("+")[2], "correct horse", "battery staple"):
        assert kept not in got.message.as_string()


def test_words_to_one_are_his_alone_and_leave_no_public_trace(tmp_path: Path) -> None:
    three = Table(tmp_path, "multigo", FOUR, board="9x9", press="on")
    before = three.world.run("record", three.match).out
    position = three.world.show(three.match)
    sender, reader = three.seats[1], three.seats[3]
    _, letters = three.send(sender, f"press {three.match} / Player 3", "between us", AT)
    assert kinds(letters) == {"press": [reader], "receipt": [sender]}
    assert three.world.run("record", three.match).out == before
    assert three.world.show(three.match) == position
    _, letters = three.send(sender, "press: Player 2 and Player 3", "to you both", "2026-03-02T01:00:00Z")
    assert kinds(letters)["press"] == sorted([three.seats[2], three.seats[3]])


def test_words_are_passed_on_only_where_the_match_allows_it(tmp_path: Path) -> None:
    three = Table(tmp_path, "multigo", FOUR, board="9x9")
    _counts, letters = three.send(three.seats[1], f"press {three.match} / Player 3", "psst", AT)
    assert kinds(letters) == {"refusal": [three.seats[1]]}
    assert "do not talk" in letters[0].text


def test_words_to_all_wait_while_sealed_answers_are_owed_and_words_to_one_are_refused(three: Table) -> None:
    _, letters = three.send(three.seats[1], f"press {three.match}", "I shall play at E5", AT)
    assert kinds(letters) == {"receipt": [three.seats[1]]}
    assert "reveal" in letters[0].text
    _, letters = three.send(three.seats[1], f"press {three.match} Player 2", "I shall play at E5", AT)
    assert kinds(letters) == {"refusal": [three.seats[1]]}
    assert "sealed" in letters[0].text


def test_words_whose_reader_is_unclear_go_to_nobody(table: Table) -> None:
    _, letters = table.send(ANN, "press: Benjamin", "a secret", AT)
    assert kinds(letters) == {"refusal": [ANN]}
    _, letters = table.send(ANN, f"press [{table.match}] / Player 7", "a secret", "2026-03-02T01:00:00Z")
    assert kinds(letters) == {"refusal": [ANN]}


# --- formats and digests ----------------------------------------------------------------------------------------


def test_letters_hold_what_their_reader_wishes(table: Table) -> None:
    table.send(ANN, "format text", "", AT)
    _, letters = table.send(ANN, "status", "", "2026-03-02T01:00:00Z")
    assert letters[0].message.get_content_type() == "text/plain"
    table.send(BEN, "format: HTML only", "", "2026-03-02T02:00:00Z")
    _, letters = table.send(BEN, "board", "", "2026-03-02T03:00:00Z")
    parts = [part.get_content_type() for part in letters[0].message.walk() if not part.is_multipart()]
    assert parts == ["text/html", "image/png"]


# --- joining and watching ---------------------------------------------------------------------------------------


def test_a_vacant_seat_is_joined_and_a_name_breaks_no_header(tmp_path: Path) -> None:
    world = World(tmp_path)
    match = world.run(
        "open", "buttons", "--seat", f"Ann Archer <{ANN}>", "--vacant", "1", "--now", START
    ).out.strip()
    assert world.show(match)["status"] == "filling"
    name = "=?utf-8?q?Eve=0D=0ABcc=3A_evil=40evil=2Eexample?="

    def joins(subject: str) -> list[Sent]:
        world.raw(
            f"From: {name} <eve@example.org>\r\nTo: collector@referee.localhost\r\nSubject: {subject}\r\n"
            f"Date: Mon, 02 Mar 2026 00:00:00 +0000\r\nMessage-ID: <{len(subject)}@x>\r\n\r\nI join.\r\n".encode(),
            AT,
        )
        return [letter for letter in world.passed(AT) if letter.to != ANN]

    letters = joins(f"join {match}")
    assert [x.kind for x in letters] == ["help"]
    assert "it holds an address" in letters[0].words
    letters += joins(f"join {match} as Eve Eliot")
    world.reply(next(letter for letter in letters if letter.kind == "challenge"), "Yes", AT)
    assert world.step(AT)["accepted"] == 1
    letters += world.new_letters()
    assert world.show(match)["status"] == "open"
    for letter in letters:
        assert letter.message["Bcc"] is None
        assert "evil.example" not in letter.message.as_string()
        assert "eve@example.org" not in letter.message.as_string() or letter.to == "eve@example.org"
    assert {s["name"] for s in world.show(match)["seats"]} == {"Ann Archer", "Eve Eliot"}


def test_a_second_ann_is_told_that_she_needs_a_name_of_her_own(tmp_path: Path) -> None:
    world = World(tmp_path)
    match = world.run(
        "open", "buttons", "--seat", f"Ann Archer <{ANN}>", "--vacant", "1", "--now", START
    ).out.strip()
    (told,) = [
        letter
        for letter in world.sends("ann  ARCHER <other@example.org>", f"join {match}", "", AT)
        if letter.to == "other@example.org"
    ]
    assert told.kind == "help"
    assert "somebody else in this match has it" in told.words
    assert world.show(match)["status"] == "filling"


def test_an_observer_gets_public_letters_until_he_stops(table: Table) -> None:
    watcher = WATCHER
    letters = table.watch(f"W <{watcher}>", "2026-03-01T12:30:00Z")
    assert kinds(letters) == {"receipt": [watcher]}
    table.world.run("say", table.match, "one", "--now", "2026-03-01T13:00:00Z")
    _, letters = table.step("2026-03-01T13:00:00Z")
    assert watcher in {x.to for x in letters if x.kind == "announcement"}
    shown = next(x for x in letters if x.to == watcher)
    assert "+" not in shown.message["Reply-To"]
    table.send(f"W <{watcher}>", f"stop {table.match}", "", "2026-03-01T14:00:00Z")
    table.world.run("say", table.match, "two", "--now", "2026-03-01T15:00:00Z")
    _, letters = table.step("2026-03-01T15:00:00Z")
    assert watcher not in {x.to for x in letters}
    assert table.world.run("check").status == 0, "the address that ended the letters is gone with them"


@pytest.mark.parametrize("by", ["the moderator", "a trusted server"])
def test_a_wish_is_granted_by_who_lets_it_pass(table: Table, by: str) -> None:
    trusting(table)
    headers = vouched("elsewhere.example") if by == "a trusted server" else {}
    _, letters = table.send(WATCHER, f"observe {table.match}", "", AT, headers=headers)
    if by == "the moderator":
        assert table.world.run("release", "all", "--why", "a friend", "--now", AT).status == 0
        _, letters = table.step(AT)
    assert kinds(letters) == {"receipt": [WATCHER]}


def test_a_command_in_a_title_is_the_games_own_heading(tmp_path: Path) -> None:
    """`Multiplayer Go: Press` is the game's, not the office's."""
    three = Table(tmp_path, "multigo", FOUR, board="9x9", press="on")
    counts, letters = three.send(
        three.seats[1], f"Multiplayer Go: Press / Player 1 [{three.match}]", "Press: good luck to all", AT
    )
    assert counts["accepted"] == 1, [x.text for x in letters]


def test_every_command_that_a_subject_may_name_is_one_the_offices_know_and_may_be_weighed() -> None:
    named = set(COMMANDS.values())
    assert named == set(get_args(Command)) == set(TABLE)
    assert named < WEIGHED
