"""Deadlines in calendars, one thread a match, and the way out for observers."""

import base64
from datetime import datetime
from email.message import EmailMessage
from pathlib import Path

import pytest
from icalendar import Calendar

from tests.world import ANN, BEN, Sent, Table, World

AT = "2026-03-02T00:00:00Z"
OBSERVER = "olga@example.net"


class Diary:
    """A calendar that does what the files in letters say, as RFC 5546 has it."""

    def __init__(self) -> None:
        self.entries: dict[str, tuple[int, datetime, str]] = {}
        self.past: dict[str, int] = {}

    def take(self, letter: Sent) -> None:
        for part in letter.message.walk():
            if part.get_content_type() == "text/calendar":
                self._file(part)

    def _file(self, part: EmailMessage) -> None:
        calendar = Calendar.from_ical(part.get_content())
        method = str(calendar["METHOD"])
        assert part.get_param("method") == method
        assert calendar["PRODID"]
        assert str(calendar["VERSION"]) == "2.0"
        for event in calendar.walk("VEVENT"):
            uid, sequence = str(event["UID"]), int(event["SEQUENCE"])
            assert event["DTSTAMP"]
            assert str(event["ORGANIZER"]).startswith("mailto:speaker@")
            known = max(self.entries.get(uid, (-1,))[0], self.past.get(uid, -1))
            assert sequence > known, "what is older or the same would be passed over"
            if method == "CANCEL":
                assert str(event["STATUS"]) == "CANCELLED"
                assert uid in self.entries, "only what stands there can be taken out"
                del self.entries[uid]
                self.past[uid] = sequence
            else:
                self.entries[uid] = (sequence, event.decoded("DTSTART"), str(event["SUMMARY"]))

    @property
    def moments(self) -> list[datetime]:
        return [at for _, at, _ in self.entries.values()]


class Diaries(Table):
    """A table whose players all keep a diary."""

    def __init__(self, folder: Path, *given: object, **options: str) -> None:
        super().__init__(folder, *given, **options)  # type: ignore[arg-type]
        self.diaries: dict[str, Diary] = {}
        self._file(self.letters)

    def step(self, now: str = "2026-03-01T12:00:00Z"):
        counts, fresh = super().step(now)
        self._file(fresh)
        return counts, fresh

    def _file(self, letters: list[Sent]) -> None:
        for letter in sorted(letters, key=lambda x: ["receipt"].count(x.kind)):
            self.diaries.setdefault(letter.to, Diary()).take(letter)

    def owed(self, address: str) -> list[datetime]:
        """What `show` says that the address owes."""
        due = self.world.show(self.match)["due"]
        return [datetime.fromisoformat(d["due_at"]) for d in due if self.seats[d["seat"]] == address]


def moved(table: Diaries, *command: str, now: str = "2026-03-02T12:00:00Z") -> None:
    assert table.world.run(*command, "--why", "a test", "--now", now).status == 0
    table.step(now)


def agree(table: Diaries) -> None:
    for address in table.seats.values():
        assert table.diaries[address].moments == table.owed(address), address


def test_a_deadline_comes_moves_and_goes_in_the_calendar_of_whoever_owes(tmp_path: Path) -> None:
    table = Diaries(tmp_path)
    agree(table)
    (uid,) = table.diaries[table.mover].entries
    assert table.match in table.diaries[table.mover].entries[uid][2]
    moved(table, "extend", table.match, "--by", "3d")
    agree(table)
    assert list(table.diaries[table.mover].entries) == [uid], "it moves, and is not another one"
    moved(table, "pause", table.match, now="2026-03-03T00:00:00Z")
    assert table.diaries[table.mover].entries == {}
    moved(table, "resume", table.match, now="2026-03-05T00:00:00Z")
    agree(table)
    assert list(table.diaries[table.mover].entries) == [uid]
    table.send(
        table.mover,
        table.latest("due", table.mover).subject,
        table.orders(table.mover),
        "2026-03-06T00:00:00Z",
    )
    agree(table)
    assert table.diaries[table.mover].entries == {}
    assert len(table.diaries[table.other].entries) == 1
    moved(
        table,
        "rewind",
        table.match,
        "--to",
        "Round 1 / Player " + str(table.seat(table.mover)),
        now="2026-03-07T00:00:00Z",
    )
    agree(table)
    assert uid not in table.diaries[table.mover].entries, "a round opened anew is another deadline"


def test_who_is_away_gets_the_later_date(tmp_path: Path) -> None:
    table = Diaries(tmp_path)
    table.send(table.mover, "vacation 2026-03-05..2026-03-12", "", AT)
    agree(table)


def test_a_lapse_and_the_end_leave_no_entry_behind(tmp_path: Path) -> None:
    table = Diaries(tmp_path)
    table.step("2026-03-20T00:00:00Z")
    assert [diary.entries for diary in table.diaries.values()] == [{}, {}]


def test_a_sealed_answer_is_done_in_its_writers_calendar_and_back_when_taken_back(tmp_path: Path) -> None:
    people = [f"P{i} <p{i}@example.org>" for i in (1, 2, 3)]
    table = Diaries(tmp_path, "multigo", people, board="9x9", order="parallel")
    agree(table)
    one = table.seats[1]
    subject = table.latest("due", one).subject
    _, letters = table.send(one, subject, "Move: E5", AT)
    assert {x.to for x in letters} == {one}
    assert table.diaries[one].entries == {}
    table.send(one, subject, "Withdraw", "2026-03-02T01:00:00Z")
    assert len(table.diaries[one].entries) == 1
    for hour, (seat, move) in enumerate({1: "E5", 2: "C3", 3: "G7"}.items(), 2):
        table.send(
            table.seats[seat],
            f"Go: Move / Player {seat} [{table.match}]",
            f"Move: {move}",
            f"2026-03-02T0{hour}:00:00Z",
        )
    agree(table)


@pytest.mark.parametrize("medium", ["text", "html", "both"])
def test_the_entry_comes_in_every_format(medium: str, tmp_path: Path) -> None:
    table = Diaries(tmp_path)
    table.send(table.other, f"format {medium}", "", AT)
    table.send(
        table.mover,
        table.latest("due", table.mover).subject,
        table.orders(table.mover),
        "2026-03-02T01:00:00Z",
    )
    assert len(table.diaries[table.other].entries) == 1
    if medium == "both":
        assert table.latest("due", table.other).message.get_content_type() == "multipart/alternative"


# --- threads ------------------------------------------------------------------------------------------------------


def test_every_letter_of_a_match_hangs_on_one_that_its_reader_has(tmp_path: Path) -> None:
    table = Table(tmp_path)
    table.watch(OBSERVER, AT)
    for day in (3, 4):
        table.turn = table.world.show(table.match)["due"][0]["seat"]
        due = table.latest("due", table.mover)
        table.reply(due, table.orders(table.mover), f"2026-03-0{day}T00:00:00Z")
    for reader in (ANN, BEN, OBSERVER):
        mine = [x.message for x in table.letters if x.to == reader and x.match == table.match]
        ids = [m["Message-ID"] for m in mine]
        indexes = {m["Thread-Index"] for m in mine}
        assert len(indexes) == 1
        assert len(base64.b64decode(indexes.pop())) == 22
        told = [m for m in mine if m["Auto-Submitted"] == "auto-generated"]
        first = min(told, key=lambda m: (m["Date"].datetime, m["In-Reply-To"] is not None))
        for m in told:
            if m is not first:
                assert m["In-Reply-To"] in ids, (reader, m["Subject"])
                assert m["In-Reply-To"] == m["References"].split()[-1]
    assert {m["Thread-Topic"] for m in mine} == {table.match}


def test_an_answer_hangs_on_the_mail_it_answers(tmp_path: Path) -> None:
    table = Table(tmp_path)
    table.send(table.mover, f"status {table.match}", "", AT, message_id="<mine@players.example>")
    letter = table.letters[-1].message
    assert letter["In-Reply-To"] == "<mine@players.example>"
    assert letter["References"].split()[-1] == "<mine@players.example>"


# --- the way out ------------------------------------------------------------------------------------------------


def way_out(letter: Sent) -> tuple[str, str]:
    """Address and subject of the mail that ends an observer's letters."""
    header = letter.message["List-Unsubscribe"].split("<mailto:")[1].rstrip(">")
    address, _, subject = header.partition("?subject=")
    return address, subject.replace("%20", " ")


def watched(folder: Path) -> tuple[Table, Sent]:
    table = Table(folder)
    table.watch(OBSERVER, AT)
    table.send(
        table.mover,
        table.latest("due", table.mover).subject,
        table.orders(table.mover),
        "2026-03-03T00:00:00Z",
    )
    return table, table.latest("announcement", OBSERVER)


@pytest.mark.one_in(2)
@pytest.mark.parametrize("subject", ["unsubscribe", "stop", "", "Re: hello"])
@pytest.mark.parametrize("automatic", [False, True])
def test_whoever_has_the_address_ends_the_letters_and_nothing_is_asked(
    subject: str, automatic: bool, tmp_path: Path
) -> None:
    table, letter = watched(tmp_path)
    assert letter.message["List-Unsubscribe-Post"] is None
    address, told = way_out(letter)
    assert told == f"stop {table.match}"
    headers = {"Auto-Submitted": "auto-generated"} if automatic else {}
    _, letters = table.send(
        "somebody@mail.example", subject, "", "2026-03-04T00:00:00Z", to=address, headers=headers
    )
    assert [x.to for x in letters] == [OBSERVER], "the observer is told, nobody is asked"
    assert letters[0].kind == "receipt"
    assert "no more letters" in letters[0].subject
    for again in (headers, {"Auto-Submitted": "auto-generated"}):
        counts, letters = table.send(
            "somebody@mail.example",
            subject,
            f"again {again}",
            "2026-03-04T01:00:00Z",
            to=address,
            headers=again,
        )
        assert counts["discarded" if again else "answered"] == 1
        told = [] if again else ["somebody@mail.example"]
        assert [x.to for x in letters] == told, "the address is nobody's by now"
        assert all(table.match not in x.text and OBSERVER not in x.text for x in letters)
    table.turn = table.world.show(table.match)["due"][0]["seat"]
    due = table.latest("due", table.mover)
    _, letters = table.send(table.mover, due.subject, table.orders(table.mover), "2026-03-05T00:00:00Z")
    assert OBSERVER not in {x.to for x in letters}


def test_players_have_no_such_header_and_each_observer_his_own(tmp_path: Path) -> None:
    table, letter = watched(tmp_path)
    assert all(x.message["List-Unsubscribe"] is None for x in table.letters if x.to in (ANN, BEN))
    table.watch("oskar@example.net", "2026-03-04T00:00:00Z")
    table.turn = table.world.show(table.match)["due"][0]["seat"]
    due = table.latest("due", table.mover)
    table.send(table.mover, due.subject, table.orders(table.mover), "2026-03-05T00:00:00Z")
    one, other = (way_out(table.latest("announcement", a))[0] for a in (OBSERVER, "oskar@example.net"))
    assert one == way_out(letter)[0] != other


def test_one_click_only_where_the_operator_has_a_page(tmp_path: Path) -> None:
    world = World(tmp_path)
    world.configure("\n[mailbox] ", '\nunsubscribe = "https://example.org/stop?t={token}"\n\n[mailbox] ')
    _, letter = watched(tmp_path)
    token = way_out(letter)[0].partition("+")[2].partition("@")[0]
    header = letter.message["List-Unsubscribe"]
    assert header.startswith(f"<https://example.org/stop?t={token}>, <mailto:")
    assert letter.message["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"


def test_a_page_without_room_for_the_token_is_refused(tmp_path: Path) -> None:
    world = World(tmp_path)
    world.configure("\n[mailbox] ", '\nunsubscribe = "http://example.org/stop"\n\n[mailbox] ')
    ran = world.run("list")
    assert ran.status == 1
    assert "unsubscribe" in ran.err
