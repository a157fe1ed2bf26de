"""A match whose ledger can't be folded is put aside with an alarm, and holds up nobody."""

import json
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from referee.mail.mail import Triage
from referee.mail.reader import MailReader
from tests.attacks.test_delivery_reports import gone, id_of, report
from tests.cli.company import ANN_AND_BEN, FOUR, open_with, plain_words, seats
from tests.sampling import one_in
from tests.world import START, Sent, World, kinds

AT, LATE = "2026-03-02T12:00:00Z", "2026-03-20T12:00:00Z"


BROKEN = ("an entry is no JSON", "an event is unknown", "the fold stumbles")
ANY = (*BROKEN, "no such game")
of_a_known_game = pytest.mark.parametrize("world", one_in(3, BROKEN), indirect=True)
ANN, BEN = ANN_AND_BEN
UNREADABLE = "[broken] The ledger can't be read"


def unnamed(letter: Sent) -> str:
    """Its subject without the game's title, which nobody knows of a game that is none."""
    return letter.subject.replace("Buttons: ", "")


@pytest.fixture(scope="module")
def two_matches(tmp_path_factory: pytest.TempPathFactory) -> World:
    """Two matches of Ann and Ben, `broken` and `sound`; to be copied."""
    world = World(tmp_path_factory.mktemp("two matches"))
    for name in ("broken", "sound"):
        given = (*seats(*FOUR[:2]), "--option", "starter=1", "--name", name, "--seed", "1")
        assert open_with(world, "buttons", *given).status == 0
    world.step(START)
    return world


def spoil(world: World, how: str, name: str = "broken") -> None:
    """Break the match's ledger, and the cached state with it."""
    store = sa.create_engine(f"sqlite:///{world.folder / 'referee.db'}")
    with store.begin() as line:
        line.execute(sa.text(f"UPDATE matches SET stamp = 'older', state = '{{}}' WHERE name = '{name}'"))
        first = f"match = '{name}' AND version = 1"
        match how:
            case "an entry is no JSON":
                line.execute(sa.text(f"UPDATE ledger SET body = '{{' WHERE {first}"))
            case "an event is unknown":
                line.execute(sa.text(f'UPDATE ledger SET body = \'{{"is": "Novelty"}}\' WHERE {first}'))
            case "the fold stumbles":
                line.execute(sa.text(f"DELETE FROM ledger WHERE {first}"))
            case "no such game":
                line.execute(sa.text(f"UPDATE matches SET game = 'tiddlywinks' WHERE name = '{name}'"))
    store.dispose()


def told_to_store(world: World, words: str) -> None:
    store = sa.create_engine(f"sqlite:///{world.folder / 'referee.db'}")
    with store.begin() as line:
        line.execute(sa.text(words))
    store.dispose()


@pytest.fixture
def pair(two_matches: World, tmp_path: Path) -> World:
    """Two matches of Ann and Ben; nobody has looked at the letters."""
    return two_matches.copied(tmp_path)


@pytest.fixture(params=one_in(6, ANY))
def how(request: pytest.FixtureRequest) -> str:
    """In which of several ways the ledger of the first is to be broken."""
    return str(request.param)


@pytest.fixture(params=one_in(6, ANY))
def world(request: pytest.FixtureRequest, pair: World) -> World:
    """The ledger of the first is broken in one of these."""
    pair.new_letters()
    spoil(pair, request.param)
    return pair


def told(world: World, now: str) -> tuple[dict[str, int], list[Sent]]:
    ran = world.do("step", "--now", now, "--json")
    return ran.json, world.new_letters()


def test_other_matches_are_played_and_the_moderator_is_told_once(world: World) -> None:
    world.mail(ANN_AND_BEN[0], "Buttons: Move / Player 1 [sound]", "Place: B1 at a1", AT)
    counts, letters = told(world, AT)
    assert counts["accepted"] == 1, (counts, letters[0].text)
    counts, letters = told(world, LATE)  # both deadlines and all reminders are past
    assert counts["lapsed"] >= 1
    alarms = [x for x in letters if x.kind == "alarm"]
    assert [unnamed(x) for x in alarms] == [UNREADABLE], kinds(letters)
    assert "put aside" in alarms[0].text
    _, letters = told(world, "2026-03-28T12:00:00Z")
    assert not [x for x in letters if x.kind == "alarm"]


@of_a_known_game
def test_its_mails_are_kept_and_go_to_no_other_match(world: World) -> None:
    world.mail(ANN_AND_BEN[0], "Buttons: Move / Player 1 [broken]", "Place: B1 at a1", AT)
    counts, letters = told(world, AT)
    assert counts["shunted"] == 1, kinds(letters)
    assert world.show("sound")["position"]["board"] == [["..", "..", "..", ".."]] * 4


@of_a_known_game
def test_a_mail_that_may_be_for_either_asks_which(world: World) -> None:
    world.mail(ANN_AND_BEN[0], "Buttons: Move / Player 1", "Place: B1 at a1", AT)
    counts, _ = told(world, AT)
    assert counts["accepted"] == 0
    assert world.show("sound")["position"]["board"] == [["..", "..", "..", ".."]] * 4


def test_commands_say_what_is_wrong_in_one_line_and_the_rest_goes_on(world: World, tmp_path: Path) -> None:
    rows = {row["match"]: row for row in world.run("list", "--json").json}
    assert rows["broken"]["phase"] == "can't be read"
    assert rows["sound"]["due"]
    assert "broken: " in world.run("list").out
    for command in (["show", "broken"], ["record", "broken"], ["say", "broken", "hello", "--now", AT]):
        assert "put aside" in plain_words(world.run(*command))
    assert world.run("site", str(tmp_path / "site")).status == 0
    doctor = world.run("doctor", "--json")
    faults = [f["fault"] for f in json.loads(doctor.out)["faults"] if f["part"] == "matches"]
    assert len(faults) == 1
    assert "broken" in faults[0]


def test_an_outage_is_added_to_the_deadlines_of_the_others(world: World) -> None:

    with world.referee() as referee:
        for moment in ("2026-03-02T00:00:00Z", "2026-03-03T00:00:00Z"):
            referee.desk.step(datetime.fromisoformat(moment), outage=timedelta(hours=1))
    assert world.show("sound")["due"][0]["due_at"] == "2026-03-09T12:00:00Z"


# --- what its players ask for besides --------------------------------------------------------------------------------


@pytest.mark.one_in(5)
@pytest.mark.parametrize(
    "subject",
    [
        "help", "status", "games", "board sound", "record sound", "rules sound", "syntax", "pieces", "board", "rules",
        "timezone Europe/Berlin", "vacation 2026-03-04..2026-03-05", "vacation 2026-03-04..2026-03-05 [sound]",
        "renew", "format text", "digest on", "observe sound", "withdraw", "withdraw [sound]", "resign", "preview",
        "press sound / all", "press", "join sound", "Buttons: Rook / Player 1", "hello",
    ],
)  # fmt: skip
def test_what_a_player_of_both_asks_for_is_answered(world: World, subject: str) -> None:
    world.mail(ANN, subject, "Hello to all", AT)
    counts, letters = told(world, AT)
    assert counts["shunted"] == 0, [x.text for x in letters]
    assert counts["held"] or [x for x in letters if "ann@" in x.to], kinds(letters)


def test_a_further_address_is_hers_in_the_matches_that_can_be_read(world: World) -> None:
    world.mail(ANN, "address ann@work.example.org", "", AT)
    counts, letters = told(world, AT)
    while asked := [x for x in letters if x.kind == "challenge"]:
        assert counts["shunted"] == 0
        for letter in asked:
            world.mail(f"Ann <{letter.to}>", letter.subject, "Yes", AT, reply_to=letter.message["Message-ID"])
        counts, letters = told(world, AT)
    world.mail("Ann <ann@work.example.org>", "Buttons: Move / Player 1 [sound]", "Place: B1 at a1", AT)
    assert told(world, AT)[0]["accepted"] == 1


def test_her_status_says_what_can_not_be_read_and_the_moderator_knows(world: World) -> None:
    world.mail(ANN, "status", "", AT)
    letters = told(world, AT)[1]
    (letter,) = [x for x in letters if x.kind == "status"]
    words = letter.words
    assert "down of broken can't be read at the moment" in words
    assert "sound (" in words
    assert [unnamed(x) for x in letters if x.kind == "alarm"] == [UNREADABLE]
    world.mail(ANN, "status broken", "", AT)
    (letter,) = told(world, AT)[1]  # the moderator is told once
    assert "can't be read" in letter.words


@pytest.mark.one_in(3)
@pytest.mark.parametrize("subject", ["board broken", "record broken", "rules broken", "join broken", "observe broken",
                                     "stop broken", "renew [broken]", "vacation 2026-03-04..2026-03-05 [broken]",
                                     "withdraw [broken]", "press broken / all", "resign [broken]"])  # fmt: skip
def test_what_is_asked_of_it_alone_waits_until_it_can_be_read(world: World, subject: str) -> None:
    before = world.show("sound")
    world.mail(ANN, subject, "Hello to all", AT)
    counts, letters = told(world, AT)
    assert counts["shunted"] + counts["answered"] == 1, (counts, kinds(letters))
    assert world.show("sound") == before


def test_strangers_and_observers_are_answered(world: World) -> None:
    for number, subject in enumerate(("help", "games", "board sound", "observe sound", "nonsense")):
        world.mail(f"Eve <eve{number}@example.net>", subject, "Hello", AT)
    counts, letters = told(world, AT)
    assert counts["shunted"] == 0, [x.text for x in letters if x.kind == "alarm"]
    assert counts["answered"] + counts["held"] == 5, counts


# --- every other place at which it is loaded -------------------------------------------------------------------------


def test_its_vacant_seat_keeps_nobody_from_an_answer(tmp_path: Path, how: str) -> None:
    world = World(tmp_path)
    for name in ("broken", "sound"):
        ran = open_with(world, "buttons", *seats(FOUR[0]), "--vacant", "1", "--name", name, "--seed", "1")
        assert ran.status == 0, ran.err
    world.passed(START)
    spoil(world, how)
    world.mail("Eve <eve@example.net>", "games", "", AT)
    world.mail("Fay <fay@example.net>", "What is this?", "", AT)
    world.mail(ANN, "status", "", AT)
    world.mail(ANN, "resign [sound]", "", AT)
    counts, letters = told(world, AT)
    assert counts["shunted"] == 0, [x.text for x in letters if x.kind == "alarm"]
    texts = {x.to: x.text for x in letters}
    assert "join sound" in texts["eve@example.net"]
    assert "join broken" not in texts["eve@example.net"]
    world.mail("Gus <gus@example.net>", "join broken", "", AT)
    counts, _ = told(world, AT)
    assert counts["shunted"] == 1


def test_letters_of_it_that_come_back_or_can_not_leave_are_dealt_with(pair: World, how: str) -> None:
    (letter, *_) = [x for x in pair.new_letters() if "ann@" in x.to and x.match == "broken"]
    spoil(pair, how)
    pair.raw(report(gone("ann@example.org"), named=id_of(letter)), AT)
    counts, letters = told(pair, AT)
    assert counts["shunted"] == 0, [x.text for x in letters]
    (alarm,) = [x for x in letters if "did not arrive" in x.subject]
    assert "ann@example.org" in alarm.subject


def test_a_digest_that_tells_of_it_leaves(pair: World, how: str) -> None:
    pair.mail(BEN, "digest on", "", START)
    pair.step(START)
    assert pair.run("say", "broken", "A word to all.", "--now", "2026-03-01T13:00:00Z").status == 0
    pair.new_letters()
    spoil(pair, how)
    _, letters = told(pair, AT)
    assert [x.to for x in letters if x.kind == "digest"] == ["ben@example.org"], kinds(letters)


def test_an_answer_that_the_referee_owes_there_keeps_no_other_waiting(pair: World, how: str) -> None:
    pair.new_letters()
    told_to_store(
        pair, "UPDATE matches SET computes = 1"
    )  # `sound` owes none: a row may say what is so no more
    spoil(pair, how)
    pair.mail(ANN, "Buttons: Move / Player 1 [sound]", "Place: B1 at a1", AT)
    counts, _ = told(pair, AT)
    assert counts["accepted"] == 1


def test_the_archive_grows_without_it(pair: World, how: str) -> None:
    pair.configure('folder = ""', 'folder = "site"')
    spoil(pair, how)
    pair.mail(ANN, "Buttons: Move / Player 1 [sound]", "Place: B1 at a1", AT)
    counts, _ = told(pair, AT)
    assert counts["accepted"] == 1
    assert not counts.get("trouble"), counts
    assert (pair.folder / "site/matches/sound").is_dir()
    pair.mail(BEN, "Buttons: Move / Player 2 [sound]", "Place: W1 at d4", AT)
    counts, _ = told(pair, AT)
    assert not counts.get("trouble"), counts


def test_a_table_is_compared_without_it(tmp_path: Path, how: str) -> None:
    world = World(tmp_path)
    options = [
        x for o in ("mode=solo", "goal=two", "table=week", "move_deadline=2d") for x in ("--option", o)
    ]
    for name, person in (("first", FOUR[0]), ("broken", FOUR[1]), ("third", FOUR[2])):
        ran = open_with(world, "buttons", *seats(person), *options, "--name", name, "--seed", "1")
        assert ran.status == 0, ran.err
    world.passed(START)
    spoil(world, how)
    counts, letters = told(world, LATE)
    assert counts["lapsed"] >= 2
    assert [unnamed(x) for x in letters if x.kind == "alarm"] == [UNREADABLE]
    tables = [x for x in letters if "Ann Archer" in x.text and "Cleo Carter" in x.text]
    assert sorted(x.to for x in tables) == ["ann@example.org", "cleo@example.org"], kinds(letters)


def test_what_waited_for_a_yes_about_it_waits_on(pair: World, how: str) -> None:
    pair.new_letters()
    (asked,) = [x for x in pair.sends(ANN, "resign [broken]", "", START) if x.kind == "challenge"]
    spoil(pair, how)
    pair.mail(ANN, asked.subject, "Yes", AT, reply_to=asked.message["Message-ID"])
    pair.mail(BEN, "status", "", AT)
    counts, letters = told(pair, AT)
    assert counts["shunted"] == 1
    assert [x.kind for x in letters if x.to == "ben@example.org"] == ["status"], kinds(letters)


def test_a_deadline_that_waited_for_a_mail_there_is_told_of_once(
    pair: World, how: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Both deadlines wait for a held mail; one match breaks within the grace."""
    pair.new_letters()
    read = MailReader.read

    def doubtful(self: MailReader, raw: bytes, **given: Any) -> object:
        mail = read(self, raw, **given)
        return replace(mail, triage=Triage("hold", "doubtful")) if b"X-Doubtful" in raw else mail

    monkeypatch.setattr(MailReader, "read", doubtful)
    for name in ("broken", "sound"):
        pair.mail(
            ANN, f"Buttons: Move / Player 1 [{name}]", "Place: B1 at a1", AT, headers={"X-Doubtful": "yes"}
        )
    counts, _ = told(pair, AT)
    assert counts["held"] == 2
    due = pair.show("sound")["due"][0]["due_at"]
    minute = datetime.fromisoformat(due) + timedelta(minutes=1)
    spoil(pair, how)
    _, letters = told(pair, minute.isoformat())
    subjects = [unnamed(x) for x in letters if x.kind == "alarm"]
    assert "[sound] A deadline waits for a mail" in subjects
    assert subjects.count(UNREADABLE) == 1
