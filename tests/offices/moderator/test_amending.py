"""Rules amended while a match runs: what may change, what is asked for again, and what an objection then comes to
(611, part 5 of the rules page)."""

import json
from itertools import count
from pathlib import Path

import pytest

from referee.base import shipped
from tests.games.fourplay.cycle import ALL, PEOPLE, Cycle
from tests.games.fourplay.cycle import cycle as cycle  # the fixture
from tests.match.reading_records import read_back, read_text_record
from tests.world import Ran, World, in_public, kinds

LATER = "2026-03-02T00:00:00Z"
WHY = "942 was copied wrongly"
BOARD = {
    "pieces": [
        {"square": home, "piece": "King", "player": seat, "mascot": False}
        for seat, home in {1: "o15", 2: "a15", 3: "a1", 4: "o1"}.items()
    ]
    + [
        {"square": "h8", "piece": "Neutron", "player": None, "mascot": False},
        {"square": "k11", "piece": "Quadrunner", "player": 1, "mascot": False},
    ]
}
STRAIGHT, SLANTING = "Neutron: h8-h15\nQuadrunner: k11-k12", "Neutron: h8-h15\nQuadrunner: k11-l12"
OBJECTION = "Round: 1\nTurn of Player: 1\nReason: a Quadrunner does not move so"


def quadrunner(folder: Path, vectors: str) -> None:
    """A catalogue of the moderator's own, in which the Quadrunner moves differently."""
    text = shipped.read("config", "fourplay/pieces.toml")
    before = 'moves = [{ by = "leap", vectors = [[1, 0]] }]'
    start = text.index('name = "Quadrunner"')
    (folder / "config/fourplay").mkdir(parents=True, exist_ok=True)
    own = text[:start] + text[start:].replace(
        before, f'moves = [{{ by = "leap", vectors = [{vectors}] }}]', 1
    )
    (folder / "config/fourplay/pieces.toml").write_text(own, encoding="utf-8")


@pytest.fixture
def played(tmp_path: Path) -> World:
    """Player 1 has moved the Quadrunner straight, as the catalogue then had it; Player 2 is to move."""
    world = World(tmp_path)
    (tmp_path / "board.json").write_text(json.dumps(BOARD), encoding="utf-8")
    world.open("fourplay", PEOPLE, position=str(tmp_path / "board.json"))
    world.step()
    turn(world, 1, STRAIGHT)
    assert world.step(LATER)["accepted"] == 1
    world.new_letters()
    return world


_seconds = count()


def fresh() -> str:
    """A Date no mail has had yet, on the day of judging: the same words under the same Date are a resend."""
    return f"2026-03-02T00:{next(_seconds) // 60 % 60:02d}:{next(_seconds) % 60:02d}Z"


def turn(world: World, seat: int, body: str, heading: str = "Turn") -> None:
    """A mail of the seat, to be judged at the next step."""
    name = next(s["name"] for s in world.show("fourplay-1")["seats"] if s["number"] == seat)
    sender = next(person.split(";")[0] for person in PEOPLE if person.startswith(name))
    world.mail(sender, f"Fourplay: {heading} / Player {seat}", body, LATER, date=fresh())


def amend(world: World, *arguments: str) -> Ran:
    return world.run("amend", "fourplay-1", *arguments, "--why", WHY, "--now", LATER)


def square_of(world: World, piece: str) -> str:
    pieces = world.show("fourplay-1")["position"]["pieces"]
    return str(next(p["square"] for p in pieces if p["piece"] == piece))


def test_611_an_objection_is_judged_by_the_rules_as_amended_and_they_survive_the_rewind(
    played: World,
) -> None:
    quadrunner(played.folder, "[1, 1]")
    assert amend(played, "--data").status == 0
    told = played.passed(LATER)
    assert kinds(told) == {"announcement": ALL}
    words = told[0].words
    assert WHY in words
    assert "Quadrunner: its moves." in words
    assert square_of(played, "Quadrunner") == "k12"  # what was decided stands

    turn(played, 2, OBJECTION, "Objection")
    letters = played.passed(LATER)
    assert in_public(letters) == ALL
    told = next(letter for letter in letters if letter.kind == "rewound")
    assert "judged again, it goes against rule 942." in told.words
    shown = played.show("fourplay-1")
    assert (shown["due"][0]["seat"], square_of(played, "Quadrunner")) == (1, "k11")

    turn(played, 1, STRAIGHT)
    assert played.step(LATER)["refused"] == 1
    turn(played, 1, SLANTING)
    assert played.step(LATER)["accepted"] == 1
    assert square_of(played, "Quadrunner") == "l12"
    played.new_letters()
    turn(played, 2, OBJECTION, "Objection")
    (told, *_) = [letter for letter in played.passed(LATER) if letter.position]
    assert "it was legal and stands" in told.words


def test_611_a_rewind_to_before_an_amendment_keeps_it_however_often(played: World) -> None:
    quadrunner(played.folder, "[1, 1]")
    amend(played, "--data")
    for body in (SLANTING, SLANTING):
        back = ("rewind", "fourplay-1", "--to", "Round 1 / Player 1", "--why", "again", "--now", LATER)
        assert played.run(*back).status == 0
        turn(played, 1, body)
        assert played.step(LATER)["accepted"] == 1
    assert square_of(played, "Quadrunner") == "l12"


def test_609_the_records_of_an_amended_match_verify_and_read_back(played: World) -> None:
    quadrunner(played.folder, "[1, 1]")
    amend(played, "--data", "--option", "cycles=2", "--option", "turn_window=5d")
    turn(played, 2, OBJECTION, "Objection")
    played.step(LATER)
    turn(played, 1, SLANTING)
    played.step(LATER)
    file = played.folder / "record.json"
    file.write_text(played.run("record", "fourplay-1").out, encoding="utf-8")
    assert played.run("verify", str(file)).status == 0
    text = played.run("record", "fourplay-1", "--format", "text").out
    from referee.games import found

    game = found()["fourplay"]
    public = played.show("fourplay-1")["position"]
    for match in (read_back(game, json.loads(file.read_text())), read_text_record(game, text)):
        assert dict(game.view(match.inner, None).position) == public
        assert match.options["cycles"] == "2"


def test_a_window_is_amended_for_what_opens_later_and_no_open_deadline_moves(played: World) -> None:
    before = played.show("fourplay-1")["due"]
    assert amend(played, "--option", "turn_window=3d", "--option", "cycles=2").status == 0
    assert played.show("fourplay-1")["due"] == before
    words = played.passed(LATER)[0].words
    assert "turn_window 7d 3d" in words
    assert "cycles 1 2" in words
    turn(played, 2, "Neutron: h15-h1\nPass")
    played.step(LATER)
    due = played.show("fourplay-1")["due"][0]
    assert (due["seat"], due["due_at"]) == (3, "2026-03-05T00:00:00Z")
    rewound = played.run(
        "rewind", "fourplay-1", "--to", "Round 1 / Player 2", "--why", "again", "--now", LATER
    )
    assert rewound.status == 0  # rounds keep the names they had before there were two cycles


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--option", "position=x"), ["position is fixed since the match was opened", "turn_window"]),
        (
            ("--option", "turn_window=soon", "--option", "budgte=1"),
            ["turn_window = 'soon' is not possible", "did you mean budget"],
        ),
        (("--option", "turn_window=7d"), ["those are its rules already"]),
        (("--data",), ["those are its rules already"]),
    ],
)
def test_what_can_not_be_amended_is_refused_with_every_fault(
    played: World, arguments: tuple[str, ...], words: list[str]
) -> None:
    ran = amend(played, *arguments)
    assert ran.status == 1
    for word in words:
        assert word in ran.err
    assert played.passed(LATER) == []


def test_a_bad_catalogue_and_a_piece_taken_away_are_refused(played: World) -> None:
    quadrunner(played.folder, "[1, 1], [99, 0]")
    refused = amend(played, "--data").err
    assert "Quadrunner" in refused
    assert ".." not in refused
    own = played.folder / "config/fourplay/pieces.toml"
    text = shipped.read("config", "fourplay/pieces.toml")
    start = text.index("[[piece]]", text.index('name = "Killer Tomato"') - 40)
    own.write_text(text[:start] + text[text.index("[[piece]]", start + 9) :], encoding="utf-8")
    ran = amend(played, "--data")
    assert (ran.status, "Killer Tomato" in ran.err) == (1, True)


def test_amend_wants_to_know_what_and_why(played: World) -> None:
    assert played.run("amend", "fourplay-1", "--why", "so").status == 2
    assert played.run("amend", "fourplay-1", "--option", "cycles=2").status == 2


@pytest.mark.parametrize("answered", [0, 2])
def test_604_sealed_lists_are_asked_for_again_whether_or_not_any_has_come(
    cycle: Cycle, answered: int
) -> None:
    cycle.ready()
    for seat in range(1, answered + 1):
        cycle.send(seat, "Initial Purchase of Pieces", cycle.purchase(seat), LATER)
    cycle.step(LATER)
    assert amend(cycle.world, "--option", "budget=700").status == 0
    _, letters = cycle.step(LATER)
    assert kinds(letters) == {"due": ALL}
    words = letters[0].words
    assert "budget 615 700" in words
    assert {d["due_at"] for d in cycle.world.show("fourplay-1")["due"]} == {"2026-03-16T00:00:00Z"}
    for seat in range(1, 5):
        cycle.send(seat, "Initial Purchase of Pieces", cycle.purchase(seat), LATER, date=fresh())
    counts, _ = cycle.step(LATER)
    assert counts["refused"] == 4  # 543 F$ are less than 85 per cent of 700


def test_a_window_amended_while_lists_are_sealed_leaves_them_sealed(cycle: Cycle) -> None:
    cycle.ready()
    cycle.send(1, "Initial Purchase of Pieces", cycle.purchase(1), LATER)
    cycle.step(LATER)
    assert amend(cycle.world, "--option", "turn_window=3d", "--data").status == 0  # the data are as they were
    _, letters = cycle.step(LATER)
    assert kinds(letters) == {"announcement": ALL}
    for seat in (2, 3, 4):
        cycle.send(seat, "Initial Purchase of Pieces", cycle.purchase(seat), LATER)
    cycle.step(LATER)
    assert {d["demand"] for d in cycle.world.show("fourplay-1")["due"]} == {"Setup"}


@pytest.mark.parametrize(
    ("game", "given", "move"),
    [
        ("multigo", {}, "Move: D4"),
        ("buttons", {"starter": "1"}, "Place: B1 at a1"),
        ("onepiece", {"starter": "1", "colours": "red", "edge": "south"}, "Move: Ra1Bb1"),
    ],
)
def test_every_game_takes_another_window_while_it_runs(
    tmp_path: Path, game: str, given: dict[str, str], move: str
) -> None:
    world = World(tmp_path)
    two = ["Ann <ann@example.org>", "Ben <ben@example.org>"]
    name = world.open(game, two, **given)
    world.step()
    world.do("amend", name, "--option", "move_deadline=2d", "--why", "we are quick", "--now", LATER)
    titles = {"multigo": "Go", "buttons": "Buttons", "onepiece": "One Piece For Two"}
    world.mail(two[0], f"{titles[game]}: Move / Player 1", move, LATER)
    assert world.step(LATER)["accepted"] == 1
    assert world.show(name)["due"] == [{"seat": 2, "demand": "Move", "due_at": "2026-03-04T00:00:00Z"}]
    world.run("rewind", name, "--to", "1", "--why", "once more", "--now", LATER)
    world.mail(two[0], f"{titles[game]}: Move / Player 1", move, LATER, date=fresh())
    world.step(LATER)
    assert world.show(name)["due"] == [{"seat": 2, "demand": "Move", "due_at": "2026-03-04T00:00:00Z"}]


def test_a_paused_match_stays_paused_through_a_rewind_and_the_fresh_week_begins_when_it_goes_on(
    played: World,
) -> None:
    def at(command: str, now: str, *more: str) -> None:
        assert played.run(command, "fourplay-1", *more, "--why", WHY, "--now", now).status == 0

    at("pause", LATER)
    at("rewind", "2026-03-03T00:00:00Z", "--to", "Round 1 / Player 1")
    assert played.show("fourplay-1")["status"] == "paused"
    at("resume", "2026-03-09T00:00:00Z")
    assert played.show("fourplay-1")["due"][0]["due_at"] == "2026-03-16T00:00:00Z"
