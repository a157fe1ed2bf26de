"""Seats that are left, shown in every list, joined after a Yes, given away by the moderator: by mail, in every game."""

import json
from pathlib import Path

import pytest

from tests.world import START, Sent, Table, World, kinds, orders

PEOPLE = ("Ann Archer", "Ben Baker", "Cleo Carter", "Dan Draper")
MODERATOR = "moderator@referee.localhost"
EVE, FINN = "Eve Eliot <eve@example.org>", "Finn Fisher <finn@example.org>"


def address(name: str) -> str:
    return f"{name.split()[0].lower()}@example.org"


def seats(*names: str) -> list[str]:
    return [part for name in names for part in ("--seat", f"{name} <{address(name)}>")]


class Round(Table):
    """A table whose players leave it."""

    def __init__(self, folder: Path, game: str, players: int = 4, **options: str) -> None:
        super().__init__(folder, game, [f"{name} <{address(name)}>" for name in PEOPLE[:players]], **options)

    def pass_at(self, now: str) -> list[Sent]:
        return self.step(now)[1]

    def name_of(self, seat: int) -> str:
        return next(s["name"] for s in self.world.show(self.match)["seats"] if s["number"] == seat)

    def say(self, seat: int, subject: str, body: str, at: str) -> list[Sent]:
        """A mail of the seat's player to the reply address of his last letter: surely his."""
        to = address(self.name_of(seat))
        letter = next(x for x in reversed(self.letters) if x.to == to and "+" in x.message["Reply-To"])
        return self.send(f"{self.name_of(seat)} <{to}>", subject, body, at, to=letter.message["Reply-To"])[1]

    def leave(self, seat: int, at: str) -> list[Sent]:
        return self.say(seat, f"resign {self.match}", "", at)

    def answer(self, seat: int, at: str) -> list[Sent]:
        """The seat's legal answer to what it owes, by the game's own suggestion."""
        return self.say(seat, f"[{self.match}]", orders(self.world, self.match, seat), at)

    def join(self, sender: str, at: str, subject: str = "") -> list[Sent]:
        fresh = self.world.join(self.match, sender, at, subject)
        self.letters += fresh
        return fresh

    @property
    def vacant(self) -> list[int]:
        found: list[int] = self.world.show(self.match)["vacant"]
        return found


@pytest.fixture
def fourplay(tmp_path: Path) -> Round:
    return Round(tmp_path, "fourplay")


def test_104_a_seat_left_before_play_shows_in_every_list(fourplay: Round, tmp_path: Path) -> None:
    world, match, gone = fourplay.world, fourplay.match, fourplay.name_of(2)
    letters = fourplay.leave(2, "2026-03-02T12:00:00Z")
    assert kinds(letters)["alarm"] == [MODERATOR]
    alarm = next(x for x in letters if x.kind == "alarm")
    assert gone in alarm.text
    assert f"referee replace {match} 2" in alarm.words
    told = next(x for x in letters if x.kind == "announcement")
    assert f'"join {match}"' in told.words
    assert "\n  vacant: Player 2\n" in world.run("list").out
    assert [row["vacant"] for row in json.loads(world.run("list", "--json").out)] == [[2]]
    assert "vacant: Player 2" in world.run("show", match).out
    assert fourplay.vacant == [2]
    for subject in ("games", "help"):
        (answer,) = world.sends("somebody@elsewhere.example", subject, "", "2026-03-02T13:00:00Z")
        assert f"join {match}" in answer.text, subject
    world.mail(f"Ann <{address('Ann')}>", "status", "", "2026-03-02T14:00:00Z")
    (status,) = fourplay.pass_at("2026-03-02T14:00:00Z")
    assert f"Vacant: {gone} (Player 2)" in status.words
    world.run("site", str(tmp_path / "site"))
    assert f"join {match}" in (tmp_path / "site/index.html").read_text()  # under "A seat is free"
    assert "Vacant: Player 2" in (tmp_path / f"site/matches/{match}/index.html").read_text()


def test_a_seat_is_joined_only_after_a_yes_and_whoever_joins_is_welcomed(fourplay: Round) -> None:
    world, match, gone = fourplay.world, fourplay.match, fourplay.name_of(3)
    fourplay.leave(3, "2026-03-02T12:00:00Z")
    world.mail(EVE, f"join {match}", "I would like to play.", "2026-03-03T12:00:00Z")
    assert kinds(fourplay.pass_at("2026-03-03T12:00:00Z")) == {"challenge": ["eve@example.org"]}
    assert fourplay.vacant == [3]
    world.reply(fourplay.letters[-1], "Yes", "2026-03-04T12:00:00Z")
    letters = fourplay.pass_at("2026-03-04T12:00:00Z")
    mine = [x for x in letters if x.to == "eve@example.org"]
    assert sorted(x.kind for x in mine) == ["due", "receipt", "status"]
    assert (fourplay.vacant, fourplay.name_of(3)) == ([], "Eve Eliot")
    welcome = next(x for x in mine if x.kind == "status")
    words = welcome.words
    assert "You are Player 3" in words
    assert all(name in words for name in PEOPLE if name != gone)
    assert "Neutron Gems" in words
    assert f'"rules {match}"' in words
    (record,) = [p for p in welcome.message.walk() if p.get_content_type() == "application/json"]
    assert record.get_filename() == f"{match}.json"
    assert not any(x.kind == "alarm" for x in letters)


def test_of_two_joiners_the_first_to_say_yes_has_the_seat(fourplay: Round) -> None:
    world, match = fourplay.world, fourplay.match
    fourplay.leave(4, "2026-03-02T12:00:00Z")
    world.mail(EVE, f"join {match}", "", "2026-03-03T12:00:00Z")
    world.mail(FINN, f"join {match}", "", "2026-03-03T12:01:00Z")
    asked = {x.to: x for x in fourplay.pass_at("2026-03-03T12:01:00Z")}
    world.reply(asked["finn@example.org"], "Yes", "2026-03-03T13:00:00Z")
    world.reply(asked["eve@example.org"], "Yes", "2026-03-03T13:01:00Z")
    letters = fourplay.pass_at("2026-03-03T13:01:00Z")
    assert (fourplay.name_of(4), fourplay.vacant) == ("Finn Fisher", [])
    (refused,) = [x for x in letters if x.to == "eve@example.org"]
    assert refused.kind == "help"
    assert "There is no vacant seat in that match" in refused.text


def test_a_seat_that_the_moderator_gives_away_is_no_joiners_any_more(fourplay: Round) -> None:
    world, match = fourplay.world, fourplay.match
    fourplay.leave(4, "2026-03-02T12:00:00Z")
    world.mail(EVE, f"join {match}", "", "2026-03-03T12:00:00Z")
    (asked,) = fourplay.pass_at("2026-03-03T12:00:00Z")
    world.do("replace", match, "4", FINN, "--why", "a friend", "--now", "2026-03-03T13:00:00Z")
    letters = fourplay.pass_at("2026-03-03T13:00:00Z")
    assert {"due", "status"} == {x.kind for x in letters if x.to == "finn@example.org"}
    world.reply(asked, "Yes", "2026-03-03T14:00:00Z")
    (refused,) = fourplay.pass_at("2026-03-03T14:00:00Z")
    assert (refused.kind, fourplay.name_of(4)) == ("help", "Finn Fisher")


def test_nobody_holds_two_seats_of_a_match(fourplay: Round) -> None:
    world, match = fourplay.world, fourplay.match
    fourplay.leave(2, "2026-03-02T12:00:00Z")
    ann = f"Ann Archer <{address('Ann')}>" if fourplay.name_of(2) != "Ann Archer" else "Ben <ben@example.org>"
    world.mail(ann, f"join {match}", "", "2026-03-03T12:00:00Z")
    (answer,) = fourplay.pass_at("2026-03-03T12:00:00Z")
    assert (answer.kind, fourplay.vacant) == ("help", [2])
    assert "You have a seat in that match already" in answer.text
    other = address(fourplay.name_of(3)).upper()
    refused = world.run(
        "replace", match, "2", f"Again <{other}>", "--why", "x", "--now", "2026-03-03T13:00:00Z"
    )
    assert (refused.status, "nobody holds two seats" in refused.err) == (1, True)
    twice = world.run("open", "buttons", *seats("Ann Archer", "Ann Archer"), "--now", "2026-03-03T13:00:00Z")
    assert (twice.status, "nobody holds two seats" in twice.err) == (1, True)


def test_whoever_left_may_come_back_to_the_seat_while_it_is_vacant(fourplay: Round) -> None:
    gone = fourplay.name_of(2)
    fourplay.leave(2, "2026-03-02T12:00:00Z")
    fourplay.join(f"{gone} <{address(gone)}>", "2026-03-03T12:00:00Z")
    assert (fourplay.vacant, fourplay.name_of(2)) == ([], gone)


def test_of_several_vacant_seats_the_one_that_is_named_is_taken(fourplay: Round) -> None:
    fourplay.leave(2, "2026-03-02T12:00:00Z")
    fourplay.leave(4, "2026-03-02T13:00:00Z")
    assert fourplay.vacant == [2, 4]
    fourplay.join(EVE, "2026-03-03T12:00:00Z", f"join {fourplay.match} / Player 4")
    assert (fourplay.name_of(4), fourplay.vacant) == ("Eve Eliot", [2])
    fourplay.world.mail(FINN, f"join {fourplay.match} / Player 3", "", "2026-03-04T12:00:00Z")
    (answer,) = fourplay.pass_at("2026-03-04T12:00:00Z")
    assert "The seat that your mail names is not vacant" in answer.words
    fourplay.join(FINN, "2026-03-05T12:00:00Z")
    assert fourplay.name_of(2) == "Finn Fisher"


def test_104_in_purchase_and_setup_the_phase_begins_again_when_the_seat_is_joined(fourplay: Round) -> None:
    for seat in (1, 2, 3, 4):
        fourplay.answer(seat, "2026-03-02T12:00:00Z")
    for day, phase, gone, newcomer in ((3, "Purchase", 2, EVE), (5, "Setup", 3, FINN)):
        fourplay.answer(1, f"2026-03-{day:02}T12:00:00Z")
        fourplay.leave(gone, f"2026-03-{day:02}T13:00:00Z")
        assert (fourplay.world.show(fourplay.match)["due"], fourplay.vacant) == ([], [gone])
        fourplay.join(newcomer, f"2026-03-{day:02}T14:00:00Z")
        owed = fourplay.world.show(fourplay.match)["due"]
        assert [(d["seat"], d["demand"]) for d in owed] == [(n, phase) for n in (1, 2, 3, 4)]
        for seat in (1, 2, 3, 4):
            fourplay.answer(seat, f"2026-03-{day + 1:02}T12:00:00Z")
    assert [d["demand"] for d in fourplay.world.show(fourplay.match)["due"]] == ["Turn"]


def test_in_play_a_seat_is_given_to_another_who_goes_on_with_it(fourplay: Round) -> None:
    for day in (2, 3, 4):
        for seat in (1, 2, 3, 4):
            fourplay.answer(seat, f"2026-03-{day:02}T12:00:00Z")
    fourplay.world.run("replace", fourplay.match, "1", EVE, "--why", "ill", "--now", "2026-03-05T12:00:00Z")
    letters = [x for x in fourplay.pass_at("2026-03-05T12:00:00Z") if x.to == "eve@example.org"]
    assert {x.kind for x in letters} == {"due", "status"}
    fourplay.answer(1, "2026-03-05T13:00:00Z")
    assert fourplay.world.show(fourplay.match)["due"][0]["seat"] != 1


def test_a_tournament_seat_that_resigned_is_joined_and_plays_again(tmp_path: Path) -> None:
    table = Round(tmp_path, "onepiece", 4)
    while (due := table.world.show(table.match)["due"])[0]["demand"] != "Move":
        table.answer(due[0]["seat"], "2026-03-02T12:00:00Z")
    gone = due[0]["seat"]
    letters = table.leave(gone, "2026-03-03T12:00:00Z")
    assert (table.vacant, kinds(letters)["alarm"]) == ([gone], [MODERATOR])
    assert table.world.show(table.match)["due"][0]["seat"] != gone
    letters = table.join(EVE, "2026-03-04T12:00:00Z")
    assert (table.vacant, table.name_of(gone)) == ([], "Eve Eliot")
    welcome = next(x for x in letters if x.kind == "status")
    assert "Points" in welcome.text
    for day in range(5, 15):
        seat = table.world.show(table.match)["due"][0]["seat"]
        if seat == gone:
            break
        table.answer(seat, f"2026-03-{day:02}T12:00:00Z")
    assert seat == gone


def test_a_go_seat_that_has_been_silent_for_too_long_is_joined(tmp_path: Path) -> None:
    table = Round(tmp_path, "multigo", 3, board="9x9", miss="1", move_deadline="1d")
    letters = table.pass_at("2026-03-03T12:00:00Z")
    assert (table.vacant, kinds(letters)["alarm"]) == ([1], [MODERATOR])
    letters = table.join(EVE, "2026-03-03T13:00:00Z")
    assert (table.vacant, table.name_of(1)) == ([], "Eve Eliot")
    assert "Prisoners held" in next(x for x in letters if x.kind == "status").text


def test_a_resignation_that_leaves_nothing_to_join_is_told_to_the_moderator(tmp_path: Path) -> None:
    table = Round(tmp_path, "multigo", 3, board="9x9")
    letters = table.leave(1, "2026-03-02T12:00:00Z")
    alarm = next(x for x in letters if x.kind == "alarm")
    assert "has resigned" in alarm.text
    assert table.vacant == []
    table.world.mail(EVE, f"join {table.match}", "", "2026-03-03T12:00:00Z")
    letters = table.pass_at("2026-03-03T12:00:00Z")
    (answer,) = [x for x in letters if x.to == address(EVE)]
    assert "There is no vacant seat in that match" in answer.text
    assert "a match of Go of your own" in answer.words, "what is open"


def test_whoever_was_replaced_is_told_so_however_many_letters_he_had(fourplay: Round) -> None:
    world, match, old = fourplay.world, fourplay.match, fourplay.name_of(1)
    for hour in range(1, 8):  # more answers than a stranger may have in a day
        world.mail(f"{old} <{address(old)}>", "status", f"no. {hour}", f"2026-03-02T0{hour}:00:00Z")
        fourplay.pass_at(f"2026-03-02T0{hour}:00:00Z")
    due = next(x for x in fourplay.letters if x.kind == "due" and x.to == address(old))
    world.run("replace", match, "1", EVE, "--why", "no word", "--now", "2026-03-02T09:00:00Z")
    fourplay.pass_at("2026-03-02T09:00:00Z")
    world.reply(due, "I am ready for battle. Let the Games begin!", "2026-03-02T10:00:00Z")
    (answer,) = fourplay.pass_at("2026-03-02T10:00:00Z")
    assert (answer.kind, answer.to) == ("help", address(old))
    assert f"Your seat in {match} is Eve Eliot (Player 1)'s since" in answer.words
    world.mail(
        f"{old} <{address(old)}>", f"Fourplay: Turn / Player 1 [{match}]", "Pass", "2026-03-02T11:00:00Z"
    )
    assert kinds(fourplay.pass_at("2026-03-02T11:00:00Z")) == {"help": [address(old)]}
    world.mail(f"{old} <{address(old)}>", "status", "once more", "2026-03-02T12:00:00Z")
    (status,) = fourplay.pass_at("2026-03-02T12:00:00Z")
    assert "is Eve Eliot (Player 1)'s since" in status.words


def test_the_moderator_puts_somebody_into_a_match_that_is_filling(tmp_path: Path) -> None:
    world = World(tmp_path)
    match = world.run("open", "buttons", *seats("Ann Archer"), "--vacant", "1", "--now", START).out.strip()
    assert world.show(match)["vacant"] == [2]
    assert "vacant: 1 seat" in world.run("list").out
    assert world.run("replace", match, "2", EVE, "--why", "a friend", "--now", START).status == 0
    assert (world.show(match)["status"], world.show(match)["vacant"]) == ("open", [])


def test_whoever_joins_a_match_that_is_still_filling_is_welcomed(tmp_path: Path) -> None:
    world = World(tmp_path)
    match = world.run("open", "multigo", *seats("Ann Archer"), "--vacant", "2", "--now", START).out.strip()
    letters = world.join(match, EVE, START)
    mine = {x.kind: x for x in letters if x.to == "eve@example.org"}
    assert set(mine) >= {"receipt", "status"}
    assert "It begins when all seats are taken" in mine["status"].words
    assert "2 of 3 seats are taken" in mine["status"].words


def test_whoever_leaves_a_match_that_is_filling_makes_room_and_speaks_for_nobody(tmp_path: Path) -> None:
    world = World(tmp_path)
    people = seats("Ann Archer", "Ben Baker", "Cleo Carter")
    match = world.run("open", "fourplay", *people, "--vacant", "1", "--now", START).out.strip()
    first = {x.to: x for x in world.passed(START)}
    (asked,) = world.sends("Ann <ann@example.org>", f"resign {match}", "", "2026-03-02T12:00:00Z")
    assert (asked.kind, asked.to) == ("challenge", "ann@example.org")
    letters = kinds(world.replies(asked, "Yes", "2026-03-02T13:00:00Z"))
    assert letters == {
        "alarm": [MODERATOR], "announcement": ["ben@example.org", "cleo@example.org"],
        "receipt": ["ann@example.org"],
    }  # fmt: skip
    assert [s["name"] for s in world.show(match)["seats"]] == ["Ben Baker", "Cleo Carter"]
    assert world.show(match)["vacant"] == [3, 4]
    stranger = "Mal <mal@elsewhere.example>"
    assert not {"ben@example.org", "cleo@example.org"} & {
        x.to
        for x in world.sends(
            stranger,
            f"resign {match}",
            "",
            "2026-03-03T12:00:00Z",
            to=first["ann@example.org"].message["Reply-To"],
        )
    }
    assert len(world.show(match)["seats"]) == 2


def test_611_after_a_rewind_the_seat_is_still_its_new_players(fourplay: Round) -> None:
    for seat in (1, 2, 3, 4):
        fourplay.answer(seat, "2026-03-02T12:00:00Z")
    fourplay.leave(2, "2026-03-03T12:00:00Z")
    left_at = fourplay.letters[-1].position or max(x.position or 0 for x in fourplay.letters)
    fourplay.join(EVE, "2026-03-04T12:00:00Z")
    fourplay.world.do(
        "rewind", fourplay.match, "--to", str(left_at), "--why", "a test", "--now", "2026-03-05T12:00:00Z"
    )
    assert (fourplay.vacant, fourplay.name_of(2)) == ([], "Eve Eliot")
    assert len(fourplay.world.show(fourplay.match)["due"]) == 4


@pytest.mark.parametrize(
    ("game", "players"), [("buttons", 2), ("onepiece", 2), ("multigo", 3), ("fourplay", 4)]
)
def test_the_receipt_of_a_resignation_does_not_call_it_words(game: str, players: int, tmp_path: Path) -> None:
    table = Round(tmp_path, game, players)
    letters = table.say(1, f"resign {table.match}", "It was a real pleasure.", "2026-03-02T12:00:00Z")
    (receipt,) = [x for x in letters if x.kind == "receipt"]
    words = receipt.text.partition("as words")[2]
    assert "a real pleasure" in words
    assert "Resign" not in words
    assert "Resign" in receipt.text


@pytest.mark.parametrize("game", ["buttons", "onepiece"])
def test_a_match_that_ends_says_why_in_a_sentence(game: str, tmp_path: Path) -> None:
    table = Round(tmp_path, game, 2)
    letters = table.leave(1, "2026-03-02T12:00:00Z")
    ended = next(x for x in letters if x.kind == "ended" and table.name_of(1) in x.text.partition(",")[0])
    told = ended.words
    assert told.startswith(
        f"Hello {table.name_of(1)} (Player 1), You resigned: {table.name_of(2)} (Player 2) wins."
    )
    assert told.count("resigned") == told.count("wins") == 1  # an ending is told once
    assert table.world.show(table.match)["outcome"]["reason"] == "The opponent resigned."
    table.world.run("site", str(tmp_path / "site"))
    page = (tmp_path / f"site/matches/{table.match}/index.html").read_text()
    assert f"Won by {table.name_of(2)}. The opponent resigned." in page


def test_nobody_is_listed_on_a_vacated_seat(tmp_path: Path) -> None:
    """After `vacate`: not by `show`, not in the list by mail, in no letter, on no page."""
    table = Round(tmp_path, "multigo", 3, board="9x9")
    gone, stays = table.name_of(2), table.name_of(1)
    assert table.world.run("vacate", table.match, "2", "--why", "Ben is ill").status == 0
    table.pass_at("2026-03-02T12:00:00Z")
    shown = table.world.run("show", table.match).out
    assert stays in shown
    assert gone not in shown
    assert gone not in table.world.run("list").out
    table.world.mail(EVE, "list", "", "2026-03-02T13:00:00Z")
    told = [x.text for x in table.pass_at("2026-03-02T13:00:00Z")]
    assert any("Being played" in text and stays in text for text in told), told
    assert not any(gone in text for text in told)
    player = f"{stays} <{stays.split()[0].lower()}@example.org>"
    for subject, body in (("status", ""), ("Go: Move / Player 1", "Move: D4"), ("status", "And now?")):
        table.world.mail(player, subject, body, "2026-03-02T14:00:00Z")
        letters = table.pass_at("2026-03-02T14:00:00Z")
        assert letters
        assert not any(gone in letter.text for letter in letters)
    table.world.run("site", str(tmp_path / "site"))
    for page in ("index.html", f"matches/{table.match}/index.html"):
        text = (tmp_path / "site" / page).read_text()
        assert f">{stays}</a>" in text
        assert f">{gone}</a>" not in text
