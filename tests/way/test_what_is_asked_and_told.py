"""Contract, 'Mail in': outside the action block each sentence counts, is asked, is told as left out, or is courtesy. A
letter that asks shows what left it open, and until when an answer counts; what is told as left out stands in receipt,
refusal and preview, also where it is the rest of the order's own line."""

import re

import pytest

from tests.memory import Stage
from tests.way.test_bare_words import GO, opened
from tests.way.test_consent import Seat, notice, text_of

LEFT_OUT = "as words, not as orders"


@pytest.fixture
def go(stage: Stage) -> Seat:
    return opened(stage, *GO)


def told(seat: Seat, words: str, **more: str) -> tuple[str, str]:
    """The notice of the letter that answers the words, and its text on one line."""
    letter = seat.sends(words, **more)
    return notice(letter), " ".join(text_of(letter).split())


@pytest.mark.parametrize(
    ("words", "doubts"),
    [
        ("Move: D5\n\nnot yet please", ("not", "yet")),
        ("maybe D5", ("maybe",)),
        ("D5. But don't count it.", ("not",)),
        ("vielleicht D5", ("vielleicht",)),
        ("D5 if that is legal", ("if",)),
    ],
)
def test_what_left_it_open_is_shown_and_until_when_an_answer_counts(
    go: Seat, words: str, doubts: tuple[str, ...]
) -> None:
    before = go.match.version
    kind, text = told(go, words)
    assert kind == "preview", text
    asked = re.search(r"You write (.{1,120}), so I ask before anything counts\.", text)
    assert asked, text
    for doubt in doubts:
        assert f'"{doubt.casefold()}' in asked[1].casefold() or f'{doubt.casefold()}"' in asked[1].casefold()
    assert "is due by Sunday 8 March 2026, 12:00 UTC" in text
    assert text.endswith("Move: D5")
    assert go.match.version == before


def test_several_choices_are_numbered_below_what_left_them_open(go: Seat) -> None:
    before = go.match.version
    kind, text = told(go, "D5 or E5")
    assert kind == "preview", text
    assert 'You write "or", so I ask before anything counts. It may be one of these: 1.' in text
    assert "1. > Move: D5 2. > Move: E5" in text
    assert "is due by Sunday 8 March 2026, 12:00 UTC" in text
    assert go.match.version == before


def test_the_rest_of_an_orders_line_is_told_where_it_is_no_courtesy(go: Seat) -> None:
    kind, text = told(go, "E5. I claim the moon")
    assert kind == "receipt", text
    assert LEFT_OUT in text
    assert "> Line 1: I claim the moon" in text
    kind, text = told(go, "D5. Thanks, and good luck to you all!")
    assert kind == "receipt", text
    assert LEFT_OUT not in text


def test_a_refusal_tells_it_too(go: Seat) -> None:
    kind, text = told(go, "Move: Z9\n\nI claim the moon")
    assert kind == "refusal", text
    assert "> Line 3: I claim the moon" in text


def test_a_preview_tells_it_too(go: Seat) -> None:
    kind, text = told(go, "E5. I claim the moon", subject="Go: Move / Player 1?")
    assert kind == "preview", text
    assert LEFT_OUT in text
    assert "> Line 1: I claim the moon" in text
