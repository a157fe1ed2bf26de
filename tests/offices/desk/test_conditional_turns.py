"""Conditional turns by mail: nobody learns of one before it is used, whatever happens; on every store. (That kills
between its condition and its play change nothing: `test_exactly_once.py`.)"""

from datetime import timedelta
from email import message_from_bytes
from email.policy import default
from pathlib import Path

from referee.match import commands as do
from referee.match import events as ev
from referee.match.match import Match
from tests.memory import NOON, PEOPLE, Stage, kind_of, later, plain, told
from tests.offices.desk.test_sealed_means_sealed import WATCHER, Table, differing, public_of
from tests.world import World

ANN, BEN = (f"{person.name} <{person.addresses[0]}>" for person in PEOPLE[:2])
TURN = "Nine Men's Morris: Move / Player {}"


def morris(folder: Path, url: str = "sqlite:///referee.db", **options: str) -> tuple[Stage, str]:
    folder.mkdir(exist_ok=True)
    stage = Stage(folder, url)
    name = stage.open("morris", 2, starter="1", **options)
    stage.passed(later())
    return stage, name


def words(raw: bytes) -> str:
    part = message_from_bytes(raw, policy=default).get_body(("plain",))
    return " ".join(part.get_content().split())


def how_it_stands(stage: Stage, name: str) -> tuple[str, int]:
    match: Match = stage.match(name)
    return match.inner.key, match.position


# --- what is told ----------------------------------------------------------------------------------------------------


def test_from_the_mail_to_the_play(store_url: str, tmp_path: Path) -> None:
    stage, name = morris(tmp_path, store_url)
    stage.write(ANN, TURN.format(1), "Move: d7\n\nIf Ben: g7, then g4, if a7, then a4\n", later(minutes=1))
    letters = {parcel.recipient: words(parcel.raw) for parcel in stage.passed(later(minutes=2))}
    assert "If Player 2: g7, then g4 If Player 2: a7, then a4" in letters["ann@example.org"]
    assert "onditional" not in letters["ben@example.org"]
    stage.write(BEN, TURN.format(2), "g7", later(minutes=3))
    letters = {parcel.recipient: words(parcel.raw) for parcel in stage.passed(later(minutes=4))}
    assert set(letters) == {"ann@example.org", "ben@example.org"}
    assert "by a conditional turn" in letters["ben@example.org"]
    assert letters["ann@example.org"].count("our conditional turn has answered for you") == 1
    assert "conditional turn said" not in letters["ann@example.org"]  # once is enough
    assert "Your turn (round 2)" in letters["ben@example.org"]
    stage.write(ANN, f"status [{name}]", "", later(minutes=5))
    assert "If Player 2: a7, then a4" in words(stage.passed(later(minutes=6))[0].raw)
    stage.write(BEN, TURN.format(2), "f6", later(minutes=7))
    fresh = stage.passed(later(minutes=8))
    assert told(fresh) == {"due": ["ann@example.org"], "receipt": ["ben@example.org"]}
    due = words(next(parcel.raw for parcel in fresh if kind_of(parcel) == "due"))
    assert "all of it is void: > If Player 2: a7, then a4" in due


def test_withdraw_and_a_new_one(tmp_path: Path) -> None:
    stage, name = morris(tmp_path)
    stage.write(ANN, TURN.format(1), "Move: d7\nIf Ben: g7, then g4", later(minutes=1))
    stage.write(ANN, "Re: received", "Withdraw", later(minutes=2))
    stage.write(ANN, "Re: received", "Hello,\n\nIf Ben: f6, then f4\n\nAnn", later(minutes=3))
    assert [kind for kind in map(kind_of, stage.passed(later(minutes=4))) if kind != "due"] == ["receipt"] * 3
    one = stage.match(name).ahead_of(1)
    assert [branch.said for branch in one.branches] == ["f6"]
    stage.write(ANN, "Re: received", "Withdraw\nIf Ben: f6, then f4", later(minutes=5))
    assert stage.step(later(minutes=6)).refused == 1
    stage.write(ANN, "Re: received", "Withdraw", later(minutes=7))
    stage.write(ANN, f"withdraw [{name}]", "", later(minutes=8))
    counts = stage.step(later(minutes=9))
    assert (counts.accepted, counts.refused) == (1, 1)
    assert stage.match(name).ahead == ()


def test_a_rewind_is_told_with_what_is_void(tmp_path: Path) -> None:
    stage, name = morris(tmp_path)
    stage.write(ANN, TURN.format(1), "Move: d7\nIf Ben: g7, then g4", later(minutes=1))
    stage.passed(later(minutes=2))
    stage.desk(name, do.Amend({"quiet": "60"}, None, False, "agreed"), later(minutes=3))
    letters = [(p.recipient, kind_of(p), words(p.raw)) for p in stage.passed(later(minutes=4))]
    assert [(who, kind) for who, kind, _ in letters] == [
        ("ben@example.org", "announcement"), ("ann@example.org", "status"),
    ]  # fmt: skip
    assert "your conditional turn is void" in letters[1][2]
    assert "agreed" in letters[1][2]


# --- the delay --------------------------------------------------------------------------------------------------------


def test_the_delay_is_a_stimulus_of_its_own_and_no_deadline_passes_it(store_url: str, tmp_path: Path) -> None:
    stage, name = morris(tmp_path, store_url, delay="6h", move_deadline="1h")
    stage.write(ANN, TURN.format(1), "Move: d7\nIf Ben: g7, then g4", later(minutes=1))
    stage.write(BEN, TURN.format(2), "Move: g7", later(minutes=2))
    stage.passed(later(minutes=3))
    assert stage.match(name).inner.at("g4") == 0
    stage.step(later(hours=9))
    assert stage.match(name).inner.at("g4") == 1
    assert stage.match(name).status == "open"
    assert told(stage.new_letters()) == {"announcement": ["ann@example.org"], "due": ["ben@example.org"]}
    assert stage.passed(later(hours=9, minutes=1)) == []


def test_the_delay_ends_where_no_deadline_runs(tmp_path: Path) -> None:
    stage, name = morris(tmp_path, delay="6h", move_deadline="none")
    stage.write(ANN, TURN.format(1), "Move: d7\nIf Ben: g7, then g4", later(minutes=1))
    stage.write(BEN, TURN.format(2), "Move: g7", later(minutes=2))
    stage.step(later(minutes=3))
    assert stage.match(name).inner.at("g4") == 0
    stage.step(later(hours=7))
    assert stage.match(name).inner.at("g4") == 1


# --- secrecy ----------------------------------------------------------------------------------------------------------


def table(folder: Path, said: str) -> Table:
    """A match by commands alone, in which Ann has sent a conditional turn beside her move, or none; up to before it is
    used."""
    folder.mkdir()
    made = Table(folder)
    people = [f"{p.name} <{p.addresses[0]}>; Europe/Berlin" for p in PEOPLE[:2]]
    made.name = made.world.open("morris", people, NOON.isoformat(), starter="2")
    made.on(hours=1)
    mail(made.world, made, BEN, "Move: d7", "one")
    made.on(hours=1)
    mail(made.world, made, ANN, f"Move: g7\n{said}", "two")
    made.on(hours=1)
    for subject in ("status", "record", "rules", "board"):
        made.world.mail(
            BEN, f"{subject} [{made.name}]", "", made.now.isoformat(), message_id=f"<{subject}@x>"
        )
    made.world.mail(WATCHER, f"observe [{made.name}]", "", made.now.isoformat(), message_id="<observe@x>")
    made.on(hours=1)
    for command in (["say", made.name, "A word to all."], ["pause", made.name], ["resume", made.name]):
        why = [] if command[0] == "say" else ["--why", "a look at the rules"]
        made.world.do(*command, *why, "--now", made.now.isoformat())
    made.on(days=6)  # reminders fall due on the way
    return made


def mail(world: World, at: Table, sender: str, body: str, number: str) -> None:
    seat = 1 if sender == ANN else 2
    world.mail(sender, TURN.format(seat), body, at.now.isoformat(), message_id=f"<{number}@players.example>")


def seen_by_others(made: Table) -> dict[str, bytes]:
    """Everything that anybody but Ann can get: her letters are left out, and what is shown as to her."""
    ann = f"Delivered-To: {PEOPLE[0].addresses[0]}\n".encode()
    letters = [path.read_bytes() for path in (made.world.folder / "mail/out/new").iterdir()]
    others = sorted(plain(raw) for raw in letters if ann not in raw)
    found = {f"letter {number}": raw for number, raw in enumerate(others)}
    shown = public_of(made).items()
    return found | {key: raw for key, raw in shown if not key.startswith("letter") and "--as 1" not in key}


def test_a_conditional_turn_changes_no_byte_for_anybody_else(tmp_path: Path) -> None:
    one, other = "If Ben: a1, then a4\nIf anything else: d6", "If Ben: b4, then f4"
    none, with_one, with_other = (
        seen_by_others(table(tmp_path / name, said))
        for name, said in (("none", ""), ("one", one), ("other", other))
    )
    assert len(none) > 20
    assert differing(none, with_one) == []
    assert differing(none, with_other) == []


def test_the_ledger_keeps_it_in_private(tmp_path: Path) -> None:
    stage, name = morris(tmp_path)
    stage.write(ANN, TURN.format(1), "Move: d7", later(minutes=1))
    stage.step(later(minutes=2))
    before = how_it_stands(stage, name)
    stage.write(ANN, "If", "If Ben: g7, then g4", later(minutes=3))
    stage.step(later(minutes=2) + timedelta(minutes=2))
    assert how_it_stands(stage, name) == before
    with stage.referee() as referee, referee.store.transaction() as unit:
        last = unit.history(name)[-1]
    assert isinstance(last.event, ev.AheadKept)
    assert not last.public
