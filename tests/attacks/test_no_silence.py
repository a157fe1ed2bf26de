"""Whoever sits at a table is never met with silence: his mail gets a letter, or the moderator hears of it. What says
for itself that a program wrote it may be thrown away; and no loop comes of any of it."""

from itertools import combinations, product
from pathlib import Path

import pytest

from tests.attacks.test_addresses import mail
from tests.sampling import long
from tests.way.test_loops import minute
from tests.world import Sent, Table, World, kinds

AT, LATER = "2026-03-02T00:00:00Z", "2026-03-02T01:00:00Z"
MODERATOR, COLLECTOR = "moderator@referee.localhost", "collector@referee.localhost"
SPEAKER = "speaker@referee.localhost"

# --- a moderator who plays --------------------------------------------------------------------------------------------


@pytest.fixture
def playing(tmp_path: Path) -> Table:
    return Table(tmp_path, people=[f"Mod <{MODERATOR.title()}>", "Ben <ben@example.org>"])


def test_a_moderator_plays_under_his_own_address(playing: Table) -> None:
    for number in range(4):
        mover = playing.world.show(playing.match)["due"][0]["seat"]
        address = playing.seats[mover]
        counts, letters = playing.send(
            address, playing.latest("due", address).subject, playing.orders(address), minute(number)
        )
        assert counts["accepted"] == 1
        assert address in {letter.to for letter in letters}
    _, letters = playing.send(MODERATOR, "status", "", LATER)
    assert kinds(letters) == {"status": [MODERATOR.title()]}


def test_a_moderator_may_join_by_mail_and_is_answered_before(tmp_path: Path) -> None:
    world = World(tmp_path)
    world.run("open", "buttons", "--seat", "Ann <ann@example.org>", "--vacant", "1")
    world.passed(AT)
    assert kinds(world.sends(MODERATOR, "help", "", AT)) == {"help": [MODERATOR]}
    world.join("buttons-1", f"Mod Moss <{MODERATOR}>", AT)
    assert world.show("buttons-1")["status"] == "open"


# --- every field that says that nobody should read a mail -------------------------------------------------------------

FIELDS = {
    "null return path": "Return-Path: <>",
    "bulk": "Precedence: bulk",
    "junk": "Precedence: junk",
    "list": "Precedence: list\r\nList-Id: <players.example.org>",
    "advertising": "Feedback-ID: x\r\nList-Unsubscribe: <mailto:off@example.org>",
    "a referee's": "X-Referee-Match: other-1",
    "spam": "X-Spam-Flag: YES",
    "failed recipients": "X-Failed-Recipients: who@elsewhere.example",
    "suppress": "X-Auto-Response-Suppress: All",
    "automatic": "Auto-Submitted: auto-replied",
    "auto-reply": "X-Autoreply: yes",
    "auto precedence": "Precedence: auto_reply",
    "receipt": "Content-Type: multipart/report; report-type=disposition-notification; boundary=b",
    "report": "Content-Type: multipart/report; report-type=delivery-status; boundary=b",
}
BY_A_PROGRAM = {"automatic", "auto-reply", "auto precedence", "receipt", "report"}
SUBJECTS = ("status", "Undelivered Mail Returned to Sender", "Out of office")
SEATS = ("ann", "noreply", "postmaster", "bounces", "mailer-daemon", "nobody")


def absent(fields: tuple[str, ...], subject: str) -> bool:
    """An absence notice, by its subject and a field that only such carry beside it."""
    return subject == SUBJECTS[2] and bool({"null return path", "bulk", "junk", "suppress"} & set(fields))


@pytest.mark.parametrize("every", [7, *long(1)])
def test_no_mail_of_a_seat_ends_in_silence(tmp_path: Path, every: int) -> None:
    """None and each of the fields, under each subject, from each name; from one of these also any two of them."""
    world = World(tmp_path)
    world.configure("alarms_a_day = 20", "alarms_a_day = 5000")
    world.configure("answers_a_day = 100", "answers_a_day = 5000")
    for name in SEATS:
        world.open("buttons", [f"One <{name}@example.org>", "Ben <ben@example.org>"])
    world.passed(AT)
    few, all_ = (tuple(f for n in range(most) for f in combinations(FIELDS, n)) for most in (2, 3))
    chosen = {name: all_ if name == "postmaster" else few for name in SEATS}
    cases = [(n, s, f) for n, s in product(SEATS, SUBJECTS) for f in chosen[n]]
    made = dict(enumerate(cases[::every]))
    for number, (name, subject, fields) in made.items():
        head = "".join(f"{FIELDS[field]}\r\n" for field in fields).encode()
        world.raw(head + mail(f"{name}@example.org", subject, number, f"Words no. {number}"), AT)
    counts = world.step(LATER)
    answered = about(world.new_letters())
    silent = [
        case
        for number, case in made.items()
        if f"<odd-{number}@players.example>" not in answered
        and not BY_A_PROGRAM & set(case[2])
        and not absent(case[2], case[1])
    ]
    print(f"{len(made)} mails, {len(answered)} with a letter or an alarm, {counts['discarded']} by programs")
    assert silent == []
    assert 100 < every * counts["discarded"] < len(cases) - 150


def about(letters: list[Sent]) -> set[str]:
    """The Message-IDs of the mails that letters answer, or of which an alarm speaks."""
    answered = {str(letter.message["In-Reply-To"]) for letter in letters if letter.kind != "alarm"}
    return answered | {
        word
        for letter in letters
        if letter.kind == "alarm"
        for word in letter.text.split()
        if word[:5] == "<odd-"
    }


def test_what_is_held_so_counts_when_it_is_released(tmp_path: Path) -> None:
    table = Table(tmp_path, people=["One <noreply@example.org>", "Two <bounces@example.org>"])
    counts, letters = table.send(
        table.mover, table.latest("due", table.mover).subject, table.orders(table.mover), AT
    )
    assert counts["held"] == 1
    assert kinds(letters) == {"alarm": [MODERATOR]}
    assert table.world.run("release", "all").status == 0
    counts, _ = table.step(LATER)
    assert counts["accepted"] == 1


def test_a_strangers_are_still_thrown_away(tmp_path: Path) -> None:
    table = Table(tmp_path)
    for number, field in enumerate(("null return path", "bulk", "junk", "advertising", "a referee's")):
        table.world.raw(
            FIELDS[field].encode() + b"\r\n" + mail("who@elsewhere.example", "status", number), AT
        )
    counts, letters = table.step(AT)
    assert (counts["discarded"], letters) == (5, [])


def test_a_program_that_answers_alarms_at_a_moderators_seat_is_no_loop(playing: Table) -> None:
    """It answers every letter, alarms about its own answers too, and sends them so that nobody reads them."""
    waiting, rounds = playing.letters, []
    for number in range(12):
        for index, letter in enumerate(x for x in waiting if x.to.lower() == MODERATOR):
            raw = mail(MODERATOR, f"Re: {letter.subject}", number * 50 + index, f"Ticket {number}.{index}")
            playing.world.raw(b"Return-Path: <>\r\n" + raw, minute(number))
        _, waiting = playing.step(minute(number))
        rounds.append(len(waiting))
    assert rounds[0] == 1
    assert sum(rounds) == 1


def test_a_player_who_answers_anothers_question_is_told_so(tmp_path: Path) -> None:
    table = Table(tmp_path)
    _, letters = table.send(table.mover, f"Resign [{table.match}]", "", AT)
    (asked,) = letters
    _, letters = table.reply(asked, "Yes", LATER, sender=table.other)
    assert kinds(letters) == {"receipt": [table.other]}
    assert "another address" in letters[0].text
    assert table.world.show(table.match)["status"] == "open"


def test_a_second_yes_to_a_wish_is_answered(tmp_path: Path) -> None:
    world = World(tmp_path)
    world.run("open", "buttons", "--seat", "Ann <ann@example.org>", "--vacant", "1")
    (asked,) = [
        letter
        for letter in world.sends("cleo@example.org", "join buttons-1", "", AT)
        if letter.kind == "challenge"
    ]
    world.replies(asked, "Yes", AT)
    assert kinds(world.replies(asked, "Yes, please", LATER)) == {"receipt": ["cleo@example.org"]}


# --- addresses that collide -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "address", [SPEAKER, COLLECTOR.upper(), "collector+ann@referee.localhost", "SPEAKER@Referee.Localhost."]
)
def test_nobody_sits_under_the_referees_own_address(tmp_path: Path, address: str) -> None:
    table = Table(tmp_path)
    for command in (
        ("open", "buttons", "--seat", f"A <{address}>", "--seat", "B <b@example.org>"),
        ("replace", table.match, "1", f"A <{address}>", "--why", "he asked"),
    ):
        ran = table.world.run(*command)
        assert ran.status == 1
        assert "the referee's own" in ran.err


@pytest.mark.parametrize("later", [False, True])
def test_a_moderator_who_is_the_collector_is_told(later: bool, tmp_path: Path) -> None:
    world = World(tmp_path)
    people = ["--seat", "Ann <ann@example.org>", "--seat", "Ben <ben@example.org>"]
    if not later:
        world.configure(MODERATOR, COLLECTOR)
    else:
        assert world.run("open", "buttons", *people).err == ""
        assert "addresses:" not in world.run("doctor").out
    if (
        later
    ):  # who is at the desk stands in the store by now: only the other office's address can run into it
        world.configure(COLLECTOR, MODERATOR)
    ran = world.do("open", "buttons", *people)
    assert "moderator's address" in ran.err
    assert "addresses: The moderator's address" in world.run("doctor").out
    assert "`referee handover ADDRESS`" in ran.err
    assert world.run("handover", "mod@example.org", "--why", "a person's").status == 0
    assert world.run("open", "buttons", *people).err == ""
    assert "addresses:" not in world.run("doctor").out


def test_a_seat_that_the_configuration_has_run_into_is_told_of_and_not_met_with_silence(
    tmp_path: Path,
) -> None:
    table = Table(tmp_path)
    table.world.configure(COLLECTOR, table.mover)
    assert f"{table.mover} can't be a player's" in table.world.run("doctor").out
    counts, letters = table.send(table.mover, "status", "", AT, to=SPEAKER)
    assert counts["held"] == 1
    assert kinds(letters) == {"alarm": [MODERATOR]}
