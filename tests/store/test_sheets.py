"""The words of letters: kept once for all who read the same, whole for each."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest
import sqlalchemy as sa

from referee.core.diagram import Diagram, Token
from referee.letters.letter import BOARD, Head, Letter, LetterPage, Meant, decoded, outgoing
from referee.store.post import sheets
from referee.store.sql import Store
from tests.store.rows import NOON, letter

DRAWN = Diagram("A board", ("a", "b"), ("2", "1"), tokens=(Token("a1", "K", "a King", "red", owner="2"),))
HEAD = Head(
    "speaker", "speaker", "ann@example.org", "Ann", "Hello", "<1@referee>", datetime(2026, 3, 1, tzinfo=UTC),
    references=("<0@referee>",), token="ab12cd34",
)  # fmt: skip
SHEET = LetterPage(
    "Hello <Ann>\n", f"<p {BOARD}>Hello</p>", DRAWN, (("m-1.json", "application/json", '{"a": 1}'),)
)
WHOLE = Letter("announcement", HEAD, SHEET, "m-1", 1, 7, "1f" * 32, Meant("Move:"), waits=True)


def under(message_id: str, letter: Letter = WHOLE) -> Letter:
    return replace(letter, head=replace(letter.head, message_id=message_id))


def rows_of(store: Store) -> list[str]:
    with store.transaction() as unit:
        return list(unit.connection.execute(sa.select(sheets.c.content)).scalars())


def test_letters_with_the_same_words_share_a_sheet_and_come_back_whole(store: Store) -> None:
    others = [under(f"<{n}@referee>", WHOLE.to(f"p{n}@example.org")) for n in range(2, 6)]
    other_words = under("<9@referee>", replace(WHOLE, page=replace(SHEET, text="Other words\n")))
    with store.transaction() as unit:
        unit.send(*map(outgoing, [WHOLE, *others[:2]]))
        unit.send(*map(outgoing, [*others[2:], other_words]))
    assert len(rows_of(store)) == 2
    with store.transaction() as unit:
        assert [decoded(row) for row in unit.unsent(NOON, 20)] == [WHOLE, *others, other_words]
        assert [decoded(row) for row in unit.letters(match="m-1")] == [WHOLE, *others, other_words]
        kept = unit.letter("<9@referee>")
        assert kept is not None
        assert decoded(kept) == other_words
    assert not any("example.org" in content or "ab12cd34" in content for content in rows_of(store))


def test_of_a_board_that_a_letter_does_not_show_nothing_is_kept(store: Store) -> None:
    with store.transaction() as unit:
        unit.send(outgoing(replace(WHOLE, page=replace(SHEET, html="<p>Hello</p>"))))
        assert [decoded(row).page.diagram for row in unit.unsent(NOON, 20)] == [None]
    assert not any("a King" in content for content in rows_of(store))


def test_letters_for_a_digest_and_letters_sent_again_keep_their_words(store: Store) -> None:
    with store.transaction() as unit:
        unit.send(outgoing(WHOLE), gathered=True)
        assert [decoded(row) for row in unit.take_gathered("ann@example.org")] == [WHOLE]
        unit.redirect(outgoing(WHOLE.to("ann@elsewhere.example")))
        (again,) = unit.unsent(NOON, 20)
        assert decoded(again) == WHOLE.to("ann@elsewhere.example")
        assert again.recipient == "ann@elsewhere.example"


@pytest.mark.parametrize(
    "name", ["ann@example.org", "ANN@Example.org", "a" * 300 + "@example.org", "nul\x00@x"]
)
def test_persons_are_found_together_as_they_are_alone(store: Store, name: str) -> None:
    with store.transaction() as unit:
        unit.remember(unit.person(name)._replace(digest=True))
        both = unit.persons([name, "nobody@example.org", name])
        assert both == {name: unit.person(name), "nobody@example.org": unit.person("nobody@example.org")}


def test_the_first_of_several_threads_is_found_at_once(store: Store) -> None:
    with store.transaction() as unit:
        unit.send(letter("root"), letter("b", thread="<elsewhere@r>", recipient="ben@example.org"))
        unit.send(letter("told", thread="<other@r>"), gathered=True)
        threads = [
            ("ann@example.org", "<root@r>"), ("ben@example.org", "<elsewhere@r>"), ("ben@example.org", "<root@r>"),
            ("ann@example.org", "<other@r>"), ("ann@example.org", "<root@r>"),
        ]  # fmt: skip
        assert unit.first_of_threads(threads) == {
            ("ann@example.org", "<root@r>"): "<root@r>", ("ben@example.org", "<elsewhere@r>"): "<b@r>",
        }  # fmt: skip
        assert unit.first_of_threads([]) == {}
