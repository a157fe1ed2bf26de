"""A careless or lying IMAP server: what it says of one mail stops no other, nothing is read without an end, none counts
twice, and what it keeps to itself is told."""

from __future__ import annotations

import threading
import time
import tracemalloc
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import product
from pathlib import Path

import pytest

from referee.base.ports import Arrival, MailboxTrouble, Withheld
from referee.match.events import MatchPaused, MatchResumed
from referee.offices.passes import Counts
from referee.service.wiring import Referee
from referee.store.sql import Clock
from referee.transport import imap
from referee.transport.account import Account
from referee.transport.imap import LONGEST_ANSWER, ImapMailbox, Response
from referee.transport.server import BackOff
from tests.memory import Stage, owing
from tests.servers.ground import PATIENCE
from tests.servers.lying import Listed, Lying, Words, for_ever, lying
from tests.transport.mailboxes import everything, mail

LARGEST = 20_000
NOON = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)


SILENCE = 2.0  # seconds after which a server is taken for silent: one that is at work is far quicker
OPENED: list[ImapMailbox] = []


@pytest.fixture(autouse=True)
def _closed() -> Iterator[None]:
    yield
    while OPENED:
        OPENED.pop().drop()  # a farewell would wait for its answer


def opened(server: Lying, patience: float = PATIENCE) -> ImapMailbox:
    account = Account(
        "127.0.0.1", server.port, "plain", "ann", "word", timeout=patience, connect_timeout=patience
    )
    OPENED.append(ImapMailbox(account, BackOff(0, 0)))
    return OPENED[-1]


def tried(mailbox: ImapMailbox) -> tuple[list[Arrival], MailboxTrouble | None]:
    """What a pass gets, and the trouble that ends it."""
    found: list[Arrival] = []
    try:
        for batch in mailbox.fetch(lambda uids: (), LARGEST):
            found += batch
    except MailboxTrouble as trouble:
        return found, trouble
    return found, None


def three() -> list[Listed]:
    return [Listed(number, mail(number)) for number in (1, 2, 3)]


def of(*numbers: int) -> list[bytes]:
    return [mail(number) for number in numbers]


# What it says of one mail.

DATES = {
    "absent": None,
    "malformed": "yesterday at noon",
    "empty": "",
    "thirty-first-of-february": "31-Feb-2026 12:00:00 +0000",
    "the-beginning-of-time": "01-Jan-1970 00:00:00 +0000",
    "the-last-year": "31-Dec-9999 23:59:59 -1400",
    "a-year-of-five-digits": "01-Jan-20260 00:00:00 +0000",
    "a-zone-of-four-days": "01-Mar-2026 12:00:00 +9999",
}


@pytest.mark.parametrize("date", DATES.values(), ids=DATES.keys())
def test_a_date_that_is_none_means_now_and_stops_no_other_mail(date: str | None) -> None:
    mails = three()
    mails[1].date = date
    before = datetime.now(UTC).replace(microsecond=0)
    with lying(*mails) as server:
        found, trouble = tried(opened(server))
    assert trouble is None
    assert sorted(arrival.raw for arrival in found) == of(1, 2, 3)
    by_raw = {arrival.raw: arrival.arrived for arrival in found}
    assert by_raw[mail(1)] == by_raw[mail(3)] == NOON
    assert before <= by_raw[mail(2)] <= datetime.now(UTC)


def test_a_date_without_a_zone_is_universal_time() -> None:
    with lying(Listed(1, mail(1), date="01-Mar-2026 12:00:00 -0000")) as server:
        ((arrival,), _) = tried(opened(server))
    assert arrival.arrived == NOON


def test_doctor_names_a_mail_of_the_future() -> None:
    ahead = datetime.now(UTC).replace(year=datetime.now(UTC).year + 2, day=1)
    with lying(Listed(1, mail(1), date=f"{ahead:%d-%b-%Y %H:%M:%S} +0000"), Listed(2, mail(2))) as server:
        faults = opened(server).examine()
    assert [f"{ahead:%Y-%m-%d}" in fault for fault in faults] == [True]


SIZES = {"absent": None, "nought": "0", "one": "1", "negative": "-5", "words": "many", "huge": str(10**30)}


@pytest.mark.parametrize("size", SIZES.values(), ids=SIZES.keys())
@pytest.mark.parametrize("partial", [True, False], ids=["as-asked", "whole"])
def test_no_more_of_a_mail_is_kept_than_the_largest_whatever_its_size_is_said_to_be(
    size: str | None, partial: bool
) -> None:
    mails = three()
    mails[1] = Listed(2, mail(2, 2 * LARGEST), size=size)
    mails[2].size = size
    with lying(*mails, partial=partial) as server:
        found, trouble = tried(opened(server))
    assert trouble is None
    assert [arrival.raw for arrival in found] == [mail(1), mail(2, 2 * LARGEST)[:LARGEST], mail(3)]
    assert [arrival.cut for arrival in found] == [False, True, False]
    assert [arrival.size > LARGEST for arrival in found] == [False, True, False]


@pytest.mark.parametrize("count", [1, 3])
def test_of_a_mail_that_is_far_larger_than_said_and_comes_whole_little_is_read(count: int) -> None:
    """It is told of; the others come, whatever stands between them."""
    mails = three()
    huge = 8 * LONGEST_ANSWER
    for number in range(count):
        mails.insert(2 * number + 1, Listed(10 + number, mail(10, huge), size="100"))
    with lying(*mails, partial=False) as server:
        tracemalloc.start()
        found, trouble = tried(opened(server))
        _, most = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        assert server.given < huge * (count + 2)
    assert [arrival.raw for arrival in found] == of(1, 2, 3)
    assert isinstance(trouble, Withheld)
    assert f"can't give out {count} of its mails" in str(trouble)
    assert count > 1 or most < 4 * huge  # the server's own copies among it


def test_a_hundred_small_mails_that_are_larger_than_said_are_read_one_by_one() -> None:
    mails = [Listed(n, mail(n, LARGEST - 1_000), size="10") for n in range(1, 121)]
    with lying(*mails) as server:
        found, trouble = tried(opened(server))
    assert trouble is None
    assert [arrival.raw for arrival in found] == [each.raw for each in mails]


def withheld(server: Lying, command: bytes) -> bytes | None:
    """Of the second mail nothing is given out."""
    if b"BODY" not in command.upper():
        return None
    said = [server.fetched(each, command.upper()) for each in server.mails if each.uid != 2]
    return b"".join(said)


STRANGE: dict[str, tuple[str, Words]] = {
    "uids-twice": ("UID SEARCH", lambda server, _: b"* SEARCH 1 1 2 3 2 3\r\n"),
    "uids-going-down": ("UID SEARCH", lambda server, _: b"* SEARCH 3 2 1\r\n"),
    "uid-nought": ("UID SEARCH", lambda server, _: b"* SEARCH 0 1 2 3\r\n"),
    "huge-uids": ("UID SEARCH", lambda server, _: b"* SEARCH 1 2 3 99999999999999999999999\r\n"),
    "a-negative-uid-at-the-end": ("UID SEARCH", lambda server, _: b"* SEARCH 1 2 3 -4\r\n"),
    "a-word-at-the-end": ("UID SEARCH", lambda server, _: b"* SEARCH 1 2 3 four\r\n"),
    "mails-not-asked-for": (
        "UID FETCH",
        lambda server, c: (
            server.usual(c)
            + b"* 9 FETCH (UID 9 BODY[] {3}\r\nabc)\r\n"
            + b"* 8 FETCH (UID 8 INTERNALDATE NIL)\r\n"
        ),
    ),
    "flags-of-others": (
        "UID FETCH",
        lambda server, c: b"* 1 FETCH (FLAGS (\\Seen))\r\n" + server.usual(c) + b"* 2 FETCH (FLAGS ())\r\n",
    ),
    "noise": ("UID FETCH", lambda server, c: b"* 5 EXISTS\r\n* OK hm\r\n* 1 EXPUNGE\r\n" + server.usual(c)),
}


@pytest.mark.parametrize(("verb", "words"), STRANGE.values(), ids=STRANGE.keys())
def test_what_is_strange_and_can_be_understood_is_read_each_mail_once(verb: str, words: Words) -> None:
    with lying(*three(), says={verb: words}) as server:
        found, trouble = tried(opened(server))
    assert sorted(arrival.raw for arrival in found) == of(1, 2, 3)
    assert trouble is None


def broken(part: bytes, other: bytes) -> Words:
    """Wherever the second mail is told of, these words stand in the place of those."""

    def words(server: Lying, command: bytes) -> bytes:
        usual = server.usual(command)
        if b"UID 2" not in usual:
            return usual
        before, middle, after = usual.partition(b"* 2 FETCH")
        return before + middle + after.replace(part, other, 1)

    return words


UNREADABLE: dict[str, Words] = {
    "no-body": withheld,
    "a-body-that-is-nil": broken(b"BODY[]<0>", b"BODY[]<0> NIL X"),
    "another-uid": broken(b"UID 2", b"UID 77"),
    "a-uid-of-letters": broken(b"UID 2", b"UID two"),
    "a-list-without-end": broken(b"UID 2", b"UID 2 X ("),
    "a-deep-list": broken(b"UID 2", b"UID 2 X " + b"(" * 5_000),
    "a-quote-without-end": broken(b"UID 2", b'UID 2 X "'),
    "an-odd-number-of-words": broken(b"UID 2", b"UID 2 X"),
}


@pytest.mark.parametrize("words", UNREADABLE.values(), ids=UNREADABLE.keys())
def test_a_mail_that_is_not_given_out_is_told_of_and_all_others_are_read(words: Words) -> None:
    with lying(*three(), says={"UID FETCH": words}) as server:
        mailbox = opened(server)
        found, trouble = tried(mailbox)
        assert sorted(arrival.raw for arrival in found) == of(1, 3)
        assert isinstance(trouble, Withheld)
        assert "(UID 2)" in str(trouble)
        assert len(str(trouble)) < 400
        again, same = tried(mailbox)
        assert (sorted(arrival.raw for arrival in again), str(same)) == (of(1, 3), str(trouble))
        assert server.connections == 1
        assert mailbox.examine()


def test_a_mail_whose_date_can_not_even_be_read_is_told_of() -> None:
    words = broken(b"12:00:00 +0000", b"12:00:00 +99999999999999999999")
    with lying(*three(), says={"UID FETCH": words}) as server:
        found, trouble = tried(opened(server))
    assert sorted(arrival.raw for arrival in found) == of(1, 3)
    assert "(UID 2)" in str(trouble)


def test_one_mail_in_many_that_is_not_given_out_costs_few_commands() -> None:
    mails = [Listed(n, mail(n)) for n in range(1, 101)]
    with lying(*mails, says={"UID FETCH": broken(b"UID 2 ", b"UID two ")}) as server:
        found, trouble = tried(opened(server))
        assert len(found) == 99
        assert isinstance(trouble, Withheld)
        assert server.count(b"UID FETCH") <= 60


# What has no end.


def counting(words: bytes) -> Words:
    return lambda server, command: for_ever(words)


ENDLESS = {
    "noise": b"* OK still looking\r\n" * 1_000,
    "exists": b"* 1 EXISTS\r\n" * 1_000,
    "mails": b"* 1 FETCH (UID 1 FLAGS (\\Seen))\r\n" * 1_000,
    "a-line": b"x" * 65_536,
    "a-literal": b"* 1 FETCH (UID 1 BODY[] {9999999999999}\r\n" + b"x" * 65_536,
    "a-literal-of-gigabytes": b"* 1 FETCH (UID 1 BODY[] {2000000000}\r\n" + b"x" * 65_536,
    "literals": b"* 1 FETCH (UID 1 BODY[] {10000}\r\n" + b"x" * 10_000 + b")\r\n",
    "brackets": b"* 1 FETCH " + b"(" * 900_000 + b"\r\n",
}
VERBS = ["GREETING", "CAPABILITY", "LOGIN", "SELECT", "UID SEARCH", "UID FETCH"]


# every answer in one place, and one of each length in all
HOW_AND_WHERE = [*product(ENDLESS, ["UID FETCH"]), *product(["noise", "a-literal"], VERBS[:-1])]


@pytest.mark.one_in(3)
@pytest.mark.parametrize(("how", "verb"), HOW_AND_WHERE)
def test_an_answer_without_an_end_ends_the_pass_and_little_of_it_is_read(how: str, verb: str) -> None:
    most, measured = 0, how in ("a-line", "a-literal", "literals")
    with lying(*three(), says={verb: counting(ENDLESS[how])}) as server:
        if measured:
            tracemalloc.start()
        found, trouble = tried(opened(server))
        if measured:
            _, most = tracemalloc.get_traced_memory()
            tracemalloc.stop()
        asked = server.connections
    assert found == []
    assert trouble is not None
    assert len(str(trouble)) < 700
    assert most < 10 * LONGEST_ANSWER
    assert asked <= 8


@pytest.mark.parametrize("words", [b"x", b"* OK wait\r\n"])
def test_an_answer_that_drips_for_ever_is_given_up(words: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each word comes within the time-out."""
    monkeypatch.setattr(imap, "PATIENCE", 0.5)
    with lying(*three(), says={"UID SEARCH": lambda server, _: for_ever(words, 0.05)}) as server:
        found, trouble = tried(opened(server, patience=2 * SILENCE))
    assert found == []
    assert "comes to no end" in str(trouble)


def test_a_literal_that_is_shorter_or_longer_than_said_ends_the_pass_or_tells_of_it() -> None:
    for said in (3, 10_000):
        short = broken(b"{%d}" % len(mail(2)), b"{%d}" % said)
        with lying(*three(), says={"UID FETCH": short}) as server:
            found, trouble = tried(opened(server, patience=0.3))
        assert trouble is not None
        assert set(of(1, 3)) >= {arrival.raw for arrival in found}


@pytest.mark.parametrize("verb", VERBS)
def test_a_farewell_in_the_midst_is_trouble_and_loses_nothing(verb: str) -> None:
    with lying(*three(), says={verb: lambda server, _: iter([b"* BYE going down\r\n"])}) as server:
        mailbox = opened(server, patience=SILENCE)
        found, trouble = tried(mailbox)
        assert (found, trouble is None) == ([], False)
        server.says.clear()
        assert len(tried(mailbox)[0]) == 3


def test_a_greeting_that_comes_too_late_is_trouble() -> None:
    given_up = threading.Event()

    def late(server: Lying, command: bytes) -> Iterator[bytes]:
        assert given_up.wait(PATIENCE)
        yield b"* OK at last\r\n"

    with lying(*three(), says={"GREETING": late}) as server:
        _, trouble = tried(opened(server, patience=0.3))
        given_up.set()
        assert "timed out" in str(trouble)


# Filing and listening.


def test_a_move_that_does_nothing_brings_no_mail_twice_to_whoever_knows_it() -> None:
    with lying(*three(), keeps=True) as server:
        mailbox = opened(server)
        read = {arrival.uid: arrival for arrival in everything(mailbox)}
        mailbox.file([(uid, "done") for uid in read])
        assert everything(mailbox, known=lambda uids: read.keys() & uids) == []
        assert server.count(b"UID MOVE") == 1


def waited(server: Lying, seconds: float) -> int:
    """How often a listener is told of mail in that time, who looks each time."""
    mailbox, told = opened(server), 0
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if mailbox.wait(0.5):
            told += 1
            tried(mailbox)
    return told


def growing(server: Lying, command: bytes) -> bytes:
    return server.usual(command).replace(b"[UIDNEXT 4]", b"[UIDNEXT %d]" % (4 + len(server.commands)))


MOODS: dict[str, Callable[[Lying], dict[str, Words]]] = {
    "exists-for-ever": lambda server: {"IDLE": lambda server, _: for_ever(b"* 4 EXISTS\r\n", 0.001)},
    "exists-in-a-flood": lambda server: {"IDLE": counting(b"* 4 EXISTS\r\n" * 1_000)},
    "noise-in-a-flood": lambda server: {"IDLE": counting(b"* OK hm\r\n" * 1_000)},
    "a-line-without-end": lambda server: {"IDLE": counting(b"x" * 65_536)},
    "next-uid-grows": lambda server: {"SELECT": growing},
    "hangs-up": lambda server: {"IDLE": lambda server, _: iter([b"* BYE\r\n"])},
}


def test_a_server_that_speaks_of_mail_for_ever_makes_nobody_spin(monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither hears nor is told more often than a few times a second, nor says much."""
    heard, overheard = Counter[int](), ImapMailbox.overheard

    def counted(session: ImapMailbox, seconds: float) -> list[Response] | None:
        heard[id(session)] += 1
        return overheard(session, seconds)

    monkeypatch.setattr(ImapMailbox, "overheard", counted)
    with ExitStack() as opened_ones, ThreadPoolExecutor(len(MOODS)) as listeners:
        servers = {name: opened_ones.enter_context(lying(*three())) for name in MOODS}
        for name, server in servers.items():
            server.says = MOODS[name](server)
        told = dict(
            zip(MOODS, listeners.map(lambda server: waited(server, 2.5), servers.values()), strict=True)
        )
        assert {name: times for name, times in told.items() if times > 3} == {}
        assert {name for name, server in servers.items() if len(server.commands) > 120} == set()
        assert max(heard.values()) <= 60


def test_mail_of_which_the_server_says_nothing_is_seen_when_the_folder_is_looked_at_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """As when it came while IDLE began."""
    monkeypatch.setattr(imap, "LONGEST_IDLE", 0.3)

    def comes(server: Lying, command: bytes) -> None:
        if len(server.mails) == 3:
            server.mails.append(Listed(4, mail(4)))

    with lying(*three(), says={"IDLE": comes}) as server:
        mailbox = opened(server)
        assert len(everything(mailbox)) == 3
        assert mailbox.wait(PATIENCE) is True
        assert len(everything(mailbox)) == 4


# Passes of the desk.


@pytest.fixture
def table(tmp_path: Path) -> Table:
    return Table(tmp_path)


@dataclass
class Table:
    """A match of Go between two, and its mails on a server that lies."""

    folder: Path

    def __post_init__(self) -> None:
        self.stage = Stage(self.folder)
        self.match = self.stage.open("multigo", 2, board="9x9", compensation="none")
        self.stage.step(NOON)

    def pass_at(self, server: Lying, hours: float) -> Counts:
        with self.stage.referee() as referee:
            referee.__dict__["mailbox"] = opened(server)
            desk = Referee(referee.located, opened(server), referee.given_courier)
            try:
                return desk.desk.step(NOON + timedelta(hours=hours))
            finally:
                desk.close()

    def move(self, uid: int, place: str, hours: float = 1.0, **said: str | None) -> Listed:
        demand = owing(self.stage.match(self.match))[0]
        raw = self.stage.write("ann@example.org", "Multiplayer Go: Move / Player 1", f"Move: {place}", NOON)
        self.stage.mails.clear()
        assert demand.seat == 1
        arrived = NOON + timedelta(hours=hours)
        given: dict[str, str | None] = {"date": f"{arrived:%d-%b-%Y %H:%M:%S} +0000", **said}
        return Listed(uid, raw, **given)


def test_uidvalidity_that_changes_in_each_pass_counts_nothing_twice(table: Table) -> None:
    with lying(table.move(1, "C3"), keeps=True) as server:
        read = [table.pass_at(server, 2).accepted]
        for hours in (3, 4, 5):
            server.validity += 1
            counts = table.pass_at(server, hours)
            read.append(counts.accepted)
    assert read == [1, 0, 0, 0]


@pytest.mark.parametrize(("year", "accepted"), [(1995, 0), (1970, 1)])
def test_a_mail_of_the_far_past_counts_for_no_round_that_opened_later_and_is_answered(
    table: Table, year: int, accepted: int
) -> None:
    """Where the year shows that the server knew no date, the mail came when it was seen."""
    with lying(table.move(1, "C3", date=f"01-Jan-{year} 00:00:00 +0000")) as server:
        before = len(table.stage.sent)
        table.stage.desk(table.match, MatchPaused("a rest"), NOON)
        table.stage.desk(table.match, MatchResumed("enough"), NOON + timedelta(days=3649))
        counts = table.pass_at(server, 24 * 3649)
    assert counts.accepted == accepted
    assert len(table.stage.sent) > before


def test_deadlines_wait_for_a_mail_that_is_not_given_out_but_not_for_ever(table: Table) -> None:
    due = table.stage.match(table.match)
    opened_for = timedelta(days=60)
    with lying(table.move(2, "C3", hours=1), says={"UID FETCH": withheld}) as server:
        counts = table.pass_at(server, 2)
        assert any("can't give out" in words for words in counts.trouble)
        assert clock(table).watermark == NOON  # as the first pass left it
        table.pass_at(server, 60)
        assert clock(table).watermark == NOON + timedelta(hours=60)
        table.pass_at(server, opened_for / timedelta(hours=1))
    assert table.stage.match(table.match).version > due.version


def clock(table: Table) -> Clock:
    with table.stage.referee() as referee, referee.store.transaction() as unit:
        return unit.clock()


def test_the_trouble_of_a_server_is_said_in_the_same_words_each_time(table: Table) -> None:
    with lying(*three(), says={"UID SEARCH": counting(b"* OK " + b"hm" * 5_000 + b"\r\n")}) as server:
        said = [table.pass_at(server, hours).trouble for hours in (2, 3)]
    assert len(said[0]) == 1
    assert [words.split(":")[0] for words in said[0]] == [words.split(":")[0] for words in said[1]]
