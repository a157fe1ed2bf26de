"""What is stored is never rewritten: of older entries something may be missing, and nothing may be added."""

import json
from dataclasses import replace

import pytest

from referee.match import events as ev
from referee.match.chain import public_form
from referee.match.events import Entry
from referee.match.record.public import public_record
from referee.match.record.verifying import verified
from tests.laws.walks import KINDS, begin, steps
from tests.match.forging import as_read
from tests.match.kept import kept


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
def test_what_has_a_default_may_be_left_out_and_nothing_may_be_added(kind: str) -> None:
    walk = begin(kind, 5)
    for each in steps(kind, 5, 12):
        walk = each.walk
    older = as_read(public_record(walk.game, [shorter(entry) for entry in walk.entries]))
    assert older["head"] != walk.match.head
    assert verified(older, walk.game) == ()
    assert verified(as_read(public_record(walk.game, [aged(entry) for entry in walk.entries])), walk.game)


def test_no_address_is_published_of_any_shape() -> None:
    for one in kept():
        for entry in one.entries:
            if entry.public:
                assert "addresses" not in json.dumps(
                    {k: v for k, v in public_form(entry).items() if k != "data"}
                )
