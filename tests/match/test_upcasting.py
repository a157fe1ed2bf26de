"""What is stored is never rewritten: chains cover what was first written."""

import json
from dataclasses import replace

import pytest

from referee.match import events as ev
from referee.match.chain import private_again, public_form
from referee.match.events import Entry
from referee.match.fold import fold
from referee.match.record.public import lines_of, public_record, read_back, record_json
from referee.match.record.text import read_text_record, text_record
from referee.match.record.verifying import verified
from tests.laws.walks import KINDS, begin, steps
from tests.match.forging import as_read
from tests.match.kept import Kept, kept


def shorter(entry: Entry) -> Entry:
    """The entry as it was written before the latest fields were there, whose defaults say the same."""
    body = entry.body
    for kind, name in (("MatchOpened", "beacon"), ("Answered", "sealed"), ("Answered", "seal")):
        if body["is"] == kind and not body[name]:
            del body[name]
    return replace(entry, written=body)


def aged(entry: Entry) -> Entry:
    """The entry as no program has ever written it: numbers as texts, and something that today's no longer knows."""
    body = shorter(entry).body
    if "opened" in body:
        body["opened"] = str(body["opened"])
    body["once_said"] = ["and no longer", {"known": True}]
    event = ev.CODEC.decode(body)
    assert event == entry.event
    return replace(entry, event=event, written=body)


@pytest.mark.parametrize("kind", KINDS)
def test_chain_and_record_cover_the_bytes_as_first_written(kind: str) -> None:
    """Two ledgers of the same events in different shapes have different heads, each its own: in the fold, in the record
    as data and as text, and read back from either."""
    walk = begin(kind, 5)
    for each in steps(kind, 5, 12):
        walk = each.walk
    game = walk.game
    old = [aged(entry) for entry in walk.entries]
    assert old == walk.entries, "today they mean the same"
    match = fold(lambda _: game, old)
    assert match.head != walk.match.head
    assert replace(match, head="") == replace(walk.match, head="")
    record = json.loads(record_json(public_record(game, old)))
    assert record["head"] == match.head
    assert read_back(game, record).head == match.head
    assert [line["once_said"] for line in lines_of(record)]
    assert read_text_record(game, text_record(game, old)).head == match.head


@pytest.mark.parametrize("kind", KINDS)
def test_what_has_a_default_may_be_left_out_and_nothing_may_be_added(kind: str) -> None:
    walk = begin(kind, 5)
    for each in steps(kind, 5, 12):
        walk = each.walk
    older = as_read(public_record(walk.game, [shorter(entry) for entry in walk.entries]))
    assert older["head"] != walk.match.head
    assert verified(older, walk.game) == ()
    assert verified(as_read(public_record(walk.game, [aged(entry) for entry in walk.entries])), walk.game)


@pytest.mark.parametrize("one", kept(), ids=lambda one: one.name)
def test_a_kept_entry_is_published_as_it_was_written(one: Kept) -> None:
    for entry, body in zip(one.entries, one.bodies, strict=True):
        assert entry.body == body
        if entry.public:
            form = public_form(entry)
            same = form.keys() - {"roster", "entrant", "position", "at"}
            assert {name: form[name] for name in same} == {name: body[name] for name in same}
            assert public_form(private_again(form)) == form


def test_no_address_is_published_of_any_shape() -> None:
    for one in kept():
        for entry in one.entries:
            if entry.public:
                assert "addresses" not in json.dumps(
                    {k: v for k, v in public_form(entry).items() if k != "data"}
                )
