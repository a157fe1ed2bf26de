"""The seating of a match follows from its draw, a seal is what anyone makes of its parts, and what the referee derives
from its secret is the HMAC-SHA256 that everybody knows."""

import hashlib
import hmac
import random
from datetime import UTC, datetime

import pytest

from referee.core.chance import Chance
from referee.core.value import Demand
from referee.match import events as ev
from referee.match.chain import SEAL_RECIPE, Keys, commitment, seal
from tests.laws.walks import begin


def test_600_the_seating_of_a_match_follows_from_its_transcript() -> None:
    walk = begin("fourplay", 7)
    begun = next(e.event for e in walk.entries if isinstance(e.event, ev.MatchBegun))
    opened = walk.entries[0].event
    assert isinstance(opened, ev.MatchOpened)
    assert commitment(begun.seed) == opened.commitment
    again = Chance(begun.seed)
    for drawn in begun.transcript:
        assert again.below(drawn.bound, drawn.purpose) == drawn.result
    assert sorted(begun.seating) == [1, 2, 3, 4]


def test_the_printed_recipe_gives_the_seal(capsys) -> None:  # type: ignore[no-untyped-def]
    demand = Demand("Purchase", 2)
    nonce = Keys(b"secret of a test").nonce("m", "Initial Purchase", 9, demand)
    facts = {"match": "m", "label": "Initial Purchase", "opened": 9, "seat": 2, "kind": "Purchase", "about": "",
             "text": "10 Pawn\nMascot: Pawn", "nonce": nonce}  # fmt: skip
    exec(SEAL_RECIPE, dict(facts))
    assert capsys.readouterr().out.strip() == seal(
        nonce, "m", "Initial Purchase", 9, demand, "10 Pawn\nMascot: Pawn"
    )


def test_seals_differ_by_match_round_seat_and_text() -> None:
    keys = Keys(b"secret of a test")
    made = {
        seal(keys.nonce(match, label, opened, demand), match, label, opened, demand, text)
        for match in ("a", "b")
        for label in ("Round 1", "Round 2")
        for opened in (1, 2)
        for demand in (Demand("Move", 1), Demand("Move", 2), Demand("Ally", 1), Demand("Move", 1, "x"))
        for text in ("Pass", "Move: C3")
    }
    assert len(made) == 2 * 2 * 2 * 4 * 2


@pytest.mark.parametrize("length", [1, 16, 32, 63, 64, 65, 200])
def test_what_is_derived_is_an_hmac(length: int) -> None:
    drawn = random.Random(length)
    keys = Keys(drawn.randbytes(length))
    for size in (0, 1, 55, 64, 500):
        parts = [drawn.choice("aé\x1f\n") * size, "other"]
        message = "\x1f".join(("letter", *(part.replace("\x1f", "\x1f\x1f") for part in parts)))
        known = hmac.new(keys.secret, message.encode(), hashlib.sha256).hexdigest()
        assert [keys.derive("letter", *parts) for _ in range(2)] == [known, known]


def test_what_is_derived_stays_what_stands_in_letters_and_calendars_of_older_versions() -> None:
    keys, ann, demand = Keys(b"secret of a test"), "ann@example.org", Demand("Move", 1)
    tokens = keys.reply_token("m", 1, 2), keys.invitation_token("p", ann), keys.stop_token("m", ann)
    known = (
        keys.player("Ann", ann),
        str(keys.number("x")),
        keys.calendar("Ann"),
        keys.seed("m"),
        keys.salt("m", 3, "x"),
    )
    made = (
        *tokens,
        keys.desk_token(ann, datetime(2026, 3, 2, tzinfo=UTC)),
        *known,
        keys.nonce("m", "1", 2, demand),
    )
    assert hashlib.sha256(" ".join(made).encode()).hexdigest()[:16] == "6a0762b9f74552a8"
