"""`digest`: one letter a day of all that can wait, what its reader owes first; for all matches or for one. What ends
soon after it is asked for at once, and nobody's right to object passes meanwhile."""

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from tests.world import Sent, World

ANN, BEN, CLEO = "ann@a.example", "ben@b.example", "cleo@c.example"
NAMES = {ANN: "Ann Archer", BEN: "Ben Baker", CLEO: "Cleo Carter"}
SIX = 6  # o'clock
IN_PLAY = Path(__file__).parents[1] / "games/fourplay/in_play.json"


class Club:
    """Ann and Ben play two matches of Morris, and one of Go with Cleo; Ann begins everywhere. Ben wants digests."""

    def __init__(self, folder: Path, said: str = "digest on", **options: str) -> None:
        self.world, self.at = World(folder), datetime(2026, 3, 1, 12, tzinfo=UTC)
        two, three = ([f"{NAMES[a]} <{a}>" for a in some] for some in ((ANN, BEN), (ANN, BEN, CLEO)))
        for number in (1, 2):
            self.world.open("morris", two, starter="1", **(options if number == 1 else {}))
        self.world.open("multigo", three, board="9x9")
        self.step()
        self.told = self.send(BEN, said)

    def step(self, hours: int = 0) -> list[Sent]:
        self.at += timedelta(hours=hours)
        return self.world.passed(self.at.isoformat())

    def send(self, who: str, subject: str, body: str = "", **more: str) -> list[Sent]:
        self.at += timedelta(minutes=1)
        self.world.mail(f"{NAMES[who]} <{who}>", subject, body, self.at.isoformat(), **more)
        return self.step()

    def move(self, match: str, at: str) -> list[Sent]:
        return self.send(ANN, f"Move [{match}]", f"Move: {at}")

    def at_six(self) -> list[Sent]:
        """What leaves at the next hour of digests."""
        self.at = self.at.replace(hour=SIX, minute=0) + timedelta(days=1)
        return [letter for letter in self.step() if letter.to == BEN]


def to_ben(letters: list[Sent]) -> list[str]:
    return [letter.kind for letter in letters if letter.to == BEN]


def test_duties_wait_too_and_stand_first_by_when_they_end(tmp_path: Path) -> None:
    club = Club(tmp_path)
    assert "once a day" in club.told[0].words
    got = [
        *club.move("multigo-1", "E5"), *club.step(1), *club.move("morris-2", "a7"),
        *club.move("morris-1", "a7"),
    ]  # fmt: skip
    assert club.world.run("say", "morris-1", "Good evening", "--now", club.at.isoformat()).status == 0
    assert not to_ben([*got, *club.step()])
    (digest,) = club.at_six()
    assert digest.kind == "digest"
    assert digest.subject == "3 to answer: multigo-1, morris-2, morris-1"
    owed = digest.text.partition("Below")[0]
    assert owed.index("multigo-1 (Go)") < owed.index("morris-2") < owed.index("morris-1")
    assert (
        digest.text.index("[multigo-1] Go")
        < digest.text.index("[morris-2]")
        < digest.text.index("[morris-1]")
    )
    assert digest.text.index("[morris-1]") < digest.text.index("> Good evening")
    assert "digest off multigo-1" in digest.words
    assert not club.at_six()


def test_each_duty_is_answered_under_its_match(tmp_path: Path) -> None:
    club = Club(tmp_path)
    club.move("morris-1", "a7")
    club.move("multigo-1", "E5")
    (digest,) = club.at_six()
    to, told = str(digest.message["Reply-To"]), digest.message["Message-ID"]
    letters = club.send(BEN, f"Re: {digest.subject} [multigo-1]", "Move: C3", to=to, reply_to=told)
    assert to_ben(letters) == ["receipt"]
    address = next(word for word in digest.text.split() if word.startswith("collector+")).rstrip(",.")
    letters = club.send(BEN, "[morris-1]", "Move: d7", to=address)
    assert to_ben(letters) == ["receipt"]


def test_a_duty_that_is_all_there_is_leaves_as_it_is(tmp_path: Path) -> None:
    club = Club(tmp_path)
    assert not to_ben(club.move("morris-1", "a7"))
    (due,) = club.at_six()
    assert due.kind == "due"
    club.at += timedelta(minutes=1)
    club.world.reply(due, "Move: d7", club.at.isoformat())
    assert to_ben(club.step()) == ["receipt"]


def test_what_ends_soon_after_the_digest_is_asked_for_at_once(tmp_path: Path) -> None:
    club = Club(tmp_path, move_deadline="20h")
    assert to_ben(club.move("morris-1", "a7")) == ["due"]
    assert not to_ben(club.move("morris-2", "a7"))


def test_what_was_answered_meanwhile_is_asked_for_no_more_but_told(tmp_path: Path) -> None:
    club = Club(tmp_path)
    club.move("morris-1", "a7")
    club.move("morris-2", "a7")
    club.send(BEN, "Move [morris-1]", "Move: d7")
    (digest,) = club.at_six()
    owed, _, below = digest.text.partition("Below")
    assert "morris-1" not in owed
    assert below.count("Reply with this form") == 1
    assert below.count("placed a man on a7") == 2


@pytest.mark.parametrize(
    ("said", "waits"),
    [
        (("digest on morris-1",), {"morris-1"}),
        (("digest on", "digest off [morris-2]"), {"morris-1", "multigo-1"}),
        (("digest morris-1", "digest off morris-1"), set()),
        (("digest on morris-1", "digest on"), {"morris-1", "morris-2", "multigo-1"}),
    ],
)
def test_a_switch_for_one_match(said: tuple[str, ...], waits: set[str], tmp_path: Path) -> None:
    club = Club(tmp_path, said[0])
    for one in said[1:]:
        (told,) = club.send(BEN, one)
        assert told.kind == "receipt"
        assert ("of morris" in told.words) == ("morris" in one)
    letters = [*club.move("morris-1", "a7"), *club.move("morris-2", "a7"), *club.move("multigo-1", "E5")]
    assert {str(x.match) for x in letters if x.to == BEN} == {"morris-1", "morris-2", "multigo-1"} - waits
    (status,) = [x for x in club.send(BEN, "status") if x.to == BEN]
    assert ("once a day" in status.words) == bool(waits)


def test_a_match_that_nobody_knows_changes_nothing(tmp_path: Path) -> None:
    club = Club(tmp_path)
    (told,) = club.send(BEN, "digest off m9")
    assert told.kind == "refusal"
    assert not to_ben(club.move("morris-1", "a7"))


def test_who_may_object_and_is_asked_no_more_waits_for_nothing(tmp_path: Path) -> None:
    """Fourplay, 611: whoever has no King hears of each turn at once, and can object before the player's next."""
    world, people = World(tmp_path), [f"P{n} <p{n}@x.example>" for n in (1, 2, 3, 4)]
    shown = json.loads(IN_PLAY.read_text(encoding="utf-8"))
    shown["pieces"] = [p for p in shown["pieces"] if (p["piece"], p["player"]) != ("King", 3)]
    (tmp_path / "position.json").write_text(json.dumps(shown), encoding="utf-8")
    match = world.open("fourplay", people, position=str(tmp_path / "position.json"))
    world.step()
    by_seat = {
        s["number"]: f"{s['name']} <{s['name'].lower()}@x.example>" for s in world.show(match)["seats"]
    }
    for seat in (3, 4):
        world.mail(by_seat[seat], "digest on", "")
    world.passed()
    (due,) = world.show(match)["due"]
    assert due["seat"] not in (3, 4)
    world.mail(
        by_seat[due["seat"]], f"Fourplay: Turn / Player {due['seat']} [{match}]", "Neutron: h8-h15\nPass"
    )
    assert world.step()["accepted"] == 1
    told = {letter.to for letter in world.new_letters()}
    assert by_seat[3][4:-1] in told
    assert by_seat[4][4:-1] not in told
