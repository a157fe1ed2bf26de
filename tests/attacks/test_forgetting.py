"""A person can be forgotten: names and words leave a record for good, and it still verifies; nobody can use that to
change what it says, and nobody can try what a forgotten text may have been."""

import copy
import hashlib
import json
from collections import Counter
from datetime import timedelta
from typing import Any

import pytest

from referee.base import shipped
from referee.core import seam
from referee.core.answers import Body
from referee.core.chance import Chance
from referee.match import commands as do
from referee.match import events as ev
from referee.match.chain import forgotten, hash_of, in_place
from referee.match.events import Entrant
from referee.match.match import outstanding
from referee.match.record.public import lines_of, public_record, record_json
from referee.match.record.text import text_record
from referee.match.record.verifying import verified
from referee.rehearsal.players import heading_kind
from tests.laws.walks import KINDS, NOW, Walk, begin, steps
from tests.laws.walks import lines_of as lines_in
from tests.match.forging import as_read, rechained
from tests.match.reading_records import read_back, read_text_record
from tests.sampling import one_in

SAID = "You will not see this coming"


def talked(kind: str) -> Walk:
    """A match with everybody's words in it: a player's beside his order and alone, the moderator's, new players'."""
    walk = begin(kind, 5)
    for step in steps(kind, 5, 14):
        walk = step.walk
    for number in range(4):
        owing = [d for r in walk.match.rounds if not r.sealed for d in outstanding(walk.match, r) if d.seat]
        for demand in owing[:1]:
            action = seam.suggest(walk.game, walk.match.inner, demand, Chance(f"{number:064x}"))
            form = seam.filled_in(walk.game, walk.match.inner, demand, walk.match.party(demand.seat), action)
            body = Body(lines_in(f"{form.removesuffix('Comment:').rstrip()}\nComment: {SAID} {number}"))
            walk.now += timedelta(minutes=1)
            walk.do(do.Submit(demand.seat, heading_kind(walk.game, demand), body, walk.now))
    if walk.match.status == "open":
        walk.now += timedelta(hours=1)
        walk.do(ev.Said(f"{SAID}, says the moderator"))
        walk.do(ev.MatchPaused(f"{SAID}, so wait"))
        walk.do(ev.MatchResumed(f"{SAID}, so go on"))
        for seat in walk.match.numbers[:2]:
            person = Entrant(f"New Person {seat}", (f"new{seat}@example.org",))
            walk.do(ev.EntrantReplaced(seat, person, f"{SAID}, so leave"))
        walk.do(do.SendPress(1, (), f"{SAID}, all of you", beside_sealed=True))
    return walk


def record_of(walk: Walk) -> dict[str, Any]:
    return as_read(public_record(walk.game, walk.entries))


def with_lines(record: dict[str, Any], lines: list[dict[str, Any]]) -> dict[str, Any]:
    return {**record, "entries": lines}


def without_words(line: dict[str, Any]) -> dict[str, Any]:
    return forgotten(line, line["salts"]) if "salts" in line else line


def faults(record: dict[str, Any], walk: Walk) -> tuple[str, ...]:
    return verified(as_read(record), walk.game, shipped.game_options(walk.game.slug))


@pytest.mark.one_in(2)
@pytest.mark.parametrize("kind", one_in(6, KINDS))
def test_every_name_and_text_can_be_taken_out_and_head_and_match_stay(kind: str) -> None:
    walk = talked(kind)
    record = record_of(walk)
    assert faults(record, walk) == ()
    lines = lines_of(record)
    cases: Counter[str] = Counter()
    for place in lines[0]["salts"]:
        assert faults(with_lines(record, [forgotten(lines[0], [place]), *lines[1:]]), walk) == (), place
    start = 0
    for end in [i for i, line in enumerate(lines, 1) if "hash" in line]:
        cases.update(line["is"] for line in lines[start:end] if "salts" in line)
        once = [*lines[:start], *map(without_words, lines[start:end]), *lines[end:]]
        assert faults(with_lines(record, once), walk) == (), lines[start:end]
        start = end
    bare = [*map(without_words, lines)]
    record_without = as_read(with_lines(record, bare))
    assert faults(record_without, walk) == ()
    assert record_without["head"] == record["head"] == walk.match.head
    assert read_back(walk.game, record_without).head == walk.match.head
    text = record_json(record_without)
    assert SAID not in text.replace(json.dumps([a for line in bare for a in line.get("answers", ())]), "")
    assert "Person" not in text
    assert '"salts"' not in text
    print(kind, sum(cases.values()), dict(cases))
    assert cases["MatchOpened"] == 1
    if walk.match.status == "open":
        assert cases["Said"] == 1
        assert cases["EntrantReplaced"] == min(2, walk.match.seats)


@pytest.mark.one_in(3)
@pytest.mark.parametrize("kind", KINDS)
def test_a_record_in_words_carries_the_salts_and_comes_back_to_the_head(kind: str) -> None:
    walk = talked(kind)
    assert read_text_record(walk.game, text_record(walk.game, walk.entries)).head == walk.match.head


def changed_digests(line: dict[str, Any]) -> list[dict[str, Any]]:
    """What one who can't make the chain anew may try: each keeps the head, or would if it were not looked at."""
    place = next(iter(line["salts"]))
    gone = forgotten(line, [place])
    held = copy.deepcopy(gone)
    held["salts"] = {**held.get("salts", {}), place: "0" * 32}
    del held["forgotten"]
    longer = copy.deepcopy(line)
    longer["salts"][place] = f"{line['salts'][place]}\nand"
    without = {k: v for k, v in line.items() if k != "salts"}
    other = copy.deepcopy(gone)
    other["forgotten"][place] = hashlib.sha256(b"another").hexdigest()
    both = {**line, "forgotten": gone["forgotten"]}
    nowhere = {**gone, "forgotten": {**gone["forgotten"], "nowhere.9": "0" * 64}}
    return [held, longer, without, other, both, nowhere]


@pytest.mark.one_in(2)
@pytest.mark.parametrize("kind", ["buttons", "go sequential", "nine men"])
def test_nothing_else_is_changed_under_that_cover(kind: str) -> None:
    walk = talked(kind)
    record = record_of(walk)
    lines = lines_of(record)
    tried = 0
    for index, line in enumerate(lines):
        for forged in changed_digests(line) if "salts" in line else ():
            told = with_lines(record, [*lines[:index], forged, *lines[index + 1 :]])
            assert _refused(told, walk), forged
            tried += 1
    print(kind, tried)
    assert tried > 5


@pytest.mark.one_in(2)
@pytest.mark.parametrize("kind", ["buttons", "go sequential"])
def test_who_makes_the_chain_anew_can_not_hide_a_fact_as_forgotten_nor_show_words_without_a_salt(
    kind: str,
) -> None:
    walk = talked(kind)
    lines = lines_of(record_of(walk))
    tried = 0
    for index, line in enumerate(lines):
        for place in ("label", "event.is", "event.how", "demand.kind", "action.place"):
            head, _, rest = place.partition(".")
            if head not in line or (rest and rest not in line[head]):
                continue
            forged = copy.deepcopy(line)
            if rest:
                forged[head][rest] = in_place(line["position"])
            else:
                forged[head] = in_place(line["position"])
            forged["forgotten"] = {**forged.get("forgotten", {}), place: "0" * 64}
            told = {**rechained([*lines[:index], forged, *lines[index + 1 :]]), "title": walk.game.title}
            assert _refused(told, walk), (index, place)
            tried += 1
        if "salts" in line:
            bare = {k: v for k, v in line.items() if k != "salts"}
            told = {**rechained([*lines[:index], bare, *lines[index + 1 :]]), "title": walk.game.title}
            assert _refused(told, walk), index
            tried += 1
    print(kind, tried)
    assert tried > 30


def _refused(record: dict[str, Any], walk: Walk) -> bool:
    try:
        return bool(faults(record, walk))
    except ValueError:
        return True


def test_equal_words_have_digests_of_their_own_and_the_secret_makes_the_same_again() -> None:
    first, again = (lines_of(record_of(talked("buttons"))) for _ in range(2))
    assert first == again
    salts = [salt for line in first for salt in line.get("salts", {}).values()]
    assert len(salts) == len(set(salts)) > 5


def test_the_printed_recipe_gives_the_hash() -> None:
    walk = talked("go sequential")
    head = ""
    for line in lines_of(record_of(walk)):
        form = {k: v for k, v in line.items() if k not in ("hash", "salts", "forgotten")}
        words = {}
        for place, salt in line.get("salts", {}).items():
            *steps_, last = [int(step) if step.isdecimal() else step for step in place.split(".")]
            form = copy.deepcopy(form)
            inner: Any = form
            for step in steps_:
                inner = inner[step]
            words[place] = hashlib.sha256(f"{salt}\n{inner[last]}".encode()).hexdigest()
            inner[last] = None
        said = {**form, "words": words} if words else form
        text = json.dumps(said, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
        made = hashlib.sha256(f"{head}\n{text}".encode()).hexdigest()
        assert made == hash_of(head, {k: v for k, v in line.items() if k != "hash"})
        head = made
    assert head == walk.match.head
    assert walk.now > NOW
