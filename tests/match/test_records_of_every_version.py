"""A record is for ever: what older programs wrote, each thing said once, is verified and read; today's says all."""

import copy
import json
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from referee.base.errors import UNFORESEEN
from referee.core.game import AnyGame
from referee.draw import draw_text
from referee.games import found
from referee.match import events as ev
from referee.match.match import UNOPENED, applied, fold
from referee.match.record import public
from referee.match.record.public import entries_of, lines_of, public_record, record_json
from referee.match.record.text import HEAD, text_record
from referee.match.record.verifying import verified
from tests.laws.walks import KINDS, Walk, begin, steps
from tests.match.reading_records import read_text_record

KEPT = sorted(Path(__file__).with_name("records").glob("*.json"))


def kept(file: Path) -> dict[str, Any]:
    record: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    return record


def walked(kind: str, most: int = 30) -> Walk:
    walk = begin(kind, 3)
    for step in steps(kind, 3, most):
        walk = step.walk
    return walk


def test_every_version_and_every_kind_of_match_is_kept() -> None:
    """Of every game that had been released when a version was written; a newer game keeps its own once it is."""
    names = {file.stem for file in KEPT}
    for version in {name.partition("_")[0] for name in names}:
        games = {kept(file)["game"] for file in KEPT if file.stem.startswith(f"{version}_")}
        assert games >= {"fourplay", "multigo", "onepiece", "buttons", "morris"}
        for kind, (slug, *_) in KINDS.items():
            assert slug not in games or f"{version}_{kind.replace(' ', '_')}" in names, kind


@pytest.mark.parametrize("file", KEPT, ids=lambda file: file.stem)
def test_a_kept_record_verifies_and_its_chain_is_made_again_to_the_same_head(file: Path) -> None:
    record = kept(file)
    game = found()[record["game"]]
    assert verified(record, game) == ()
    assert fold(lambda _: game, entries_of(record)).head == record["head"]


@pytest.mark.one_in(2)
@pytest.mark.parametrize("kind", KINDS)
def test_the_hash_stands_wherever_a_letter_told_it(kind: str) -> None:
    walk = walked(kind)
    told = {
        line["position"]: line["hash"]
        for line in lines_of(public_record(walk.game, walk.entries))
        if "hash" in line
    }
    match = UNOPENED
    for index, entry in enumerate(walk.entries):
        match = applied(walk.game, match, entry, lambda: walk.entries)
        ends = index + 1 == len(walk.entries) or walk.entries[index + 1].cause != entry.cause
        if ends and entry.public:
            assert told[match.position] == match.head


@pytest.mark.parametrize("kind", ["buttons", "go sequential"])
def test_no_change_of_anything_that_a_record_says_goes_unseen(kind: str) -> None:
    walk = walked(kind, 6)
    none_goes_unseen(json.loads(record_json(public_record(walk.game, walk.entries))), walk.game)


@pytest.mark.one_in(2)
@pytest.mark.parametrize("stem", ["3_buttons", "3_go_parallel"])
def test_nor_does_one_of_a_record_that_says_each_thing_once(stem: str) -> None:
    record = kept(KEPT[0].with_name(f"{stem}.json"))
    assert "usual" in record
    none_goes_unseen(record, found()[record["game"]])
    more = {**record, "usual": {**record["usual"], "Peace": {"for": "ever"}}}
    assert _noticed(more, found()[record["game"]]), "a table that says more than it must"


def none_goes_unseen(record: dict[str, Any], game: AnyGame) -> None:
    """Every value in the table and in the entries, changed one by one."""
    places = [*_leaves(record.get("usual", {}), ("usual",)), *_leaves(record["entries"][:20], ("entries",))]
    assert len(places) > 50
    for place in places:
        forged = copy.deepcopy(record)
        inner: Any = forged
        for key in place[:-1]:
            inner = inner[key]
        inner[place[-1]] = f"{inner[place[-1]]}x" if isinstance(inner[place[-1]], str) else 987654
        with suppress(public.NoRecord):  # of which nobody makes lines, nor anything else
            if lines_of(forged) != lines_of(record):
                assert _noticed(forged, game), place


def _noticed(record: dict[str, Any], game: AnyGame) -> bool:
    try:
        return bool(verified(record, game))
    except UNFORESEEN:
        return True


def _leaves(value: Any, place: tuple[Any, ...]) -> list[tuple[Any, ...]]:
    inner = (
        value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else None
    )
    if inner is None:
        return [place]
    return [leaf for key, below in inner for leaf in _leaves(below, (*place, key))]


def test_a_small_file_does_not_become_a_huge_one() -> None:
    usual = {"A": {f"name{i}": i for i in range(1000)}}
    bomb = {
        "format": public.FORMER,
        "usual": usual,
        "entries": [{"position": 1, "at": "x", "is": "A"}] * 10_000,
        "head": "",
    }
    assert "larger than any match" in verified(bomb, found()["buttons"])[0]


# --- as text -----------------------------------------------------------------------------------------------------


TEXTS = sorted(Path(__file__).with_name("records").glob("*.txt"))


@pytest.mark.parametrize("file", TEXTS, ids=lambda file: file.stem)
def test_a_kept_text_record_reads_back_to_the_head_of_its_chain(file: Path) -> None:
    record = kept(file.with_suffix(".json"))
    again = read_text_record(found()[record["game"]], file.read_text(encoding="utf-8"))
    assert again.head == record["head"]


@pytest.mark.one_in(4)
@pytest.mark.parametrize("kind", KINDS)
def test_609_a_text_record_with_boards_reads_back_and_says_its_data_once_at_the_end(kind: str) -> None:
    walk = walked(kind, 25)
    text = text_record(walk.game, walk.entries, draw_text)
    again = read_text_record(walk.game, text)
    assert again.head == walk.match.head
    body, data = text.split("\n== data\n")
    assert not [line for line in body.splitlines() if line.startswith("{")]
    assert all(line.startswith("{") for line in data.splitlines())
    assert [json.loads(line)["is"] for line in data.splitlines()].count("MatchOpened") == 1
    assert "\n Player 1: Person " in body


@pytest.mark.one_in(3)
@pytest.mark.parametrize("kind", KINDS)
def test_what_is_for_the_eye_changes_nothing(kind: str) -> None:
    walk = walked(kind, 25)
    bare = [
        line
        for line in text_record(walk.game, walk.entries, draw_text).splitlines()
        if line.strip() and not line.startswith(" ")
    ]
    assert read_text_record(walk.game, "\n".join(bare)).head == walk.match.head
    assert read_text_record(walk.game, text_record(walk.game, walk.entries)).head == walk.match.head


def test_a_board_stands_at_the_start_and_after_every_reveal_that_changed_it() -> None:
    walk = walked("go parallel", 40)
    blocks = text_record(walk.game, walk.entries, draw_text).split("\n== ")
    assert "A B C D E F G H J" in " ".join(blocks[1].split())
    last = ""
    for block in blocks[2:-1]:
        if " revealed " in block.splitlines()[0]:
            board = "\n".join(
                line for line in block.splitlines() if line[:1] == " " and line[1:3].strip().isdigit()
            )
            assert board or "Move: " not in block
            assert board != last or not board
            last = board or last


def test_2_7_the_text_record_of_go_notes_captures_as_the_rules_page_does() -> None:
    walk = walked("go sequential", 60)
    text = text_record(walk.game, walk.entries)
    assert "\n 1. B " in text
    told = [e.event.event for e in walk.entries if isinstance(e.event, ev.Happened)]
    captures = sum(1 for event in told if event["is"] == "StonePlaced" and event["removed"])
    noted = [
        line for line in text.splitlines() if line.startswith(" ") and " x" in line and line[1].isdigit()
    ]
    assert len(noted) == captures


@pytest.mark.parametrize("label", ["", "0", "9 to 3", "1 to 99999999999", "one"])
def test_a_text_record_that_names_no_entries_is_refused(label: str) -> None:
    with pytest.raises(public.NoRecord):
        read_text_record(found()["buttons"], f"{HEAD}\n== 2026-03-01T12:00:00Z recorded {label}\n== data\n")
