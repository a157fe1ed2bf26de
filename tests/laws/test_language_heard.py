"""Which language a seat writes is heard of answers that count in mails that prove whose they are, and known to nobody:
no public entry, record, view, position or time tells whether it was heard. By it the seat's next words are read where
they don't tell; who takes the seat is read by none."""

from datetime import timedelta
from itertools import islice
from pathlib import Path

import pytest

from referee.core.answers import Body
from referee.match import commands as do
from referee.match import events as ev
from referee.match.commands import Accepted
from referee.match.events import Entrant
from referee.match.match import fold, freeze, thaw
from referee.match.record.public import public_record
from referee.match.record.verifying import verified
from referee.rehearsal.players import heading_kind
from tests.laws.walks import KINDS, Walk, begin, steps
from tests.world import Table

THANKS = {
    "de": "Danke, und bis zum nächsten Mal, das ist mein Zug.",
    "fr": "Merci, c'est à vous pour la suite, je crois.",
}


def answers(kind: str, proved: bool, most: int = 6) -> Walk:
    """A walk in which every answer stands above words of German."""
    walk = None
    for step in islice(steps(kind, 2, most), most):
        walk = Walk(step.walk.game, step.walk.match, list(step.walk.entries), step.walk.now)
        body = Body.of(f"{step.text}\n\n{THANKS['de']}")
        heading = heading_kind(walk.game, step.demand)
        walk.do(do.Submit(step.demand.seat, heading, body, walk.now, proved=proved))
    assert walk is not None
    return walk


def heard(walk: Walk) -> list[tuple[int, str]]:
    return [(e.event.seat, e.event.language) for e in walk.entries if isinstance(e.event, ev.LanguageHeard)]


def sent(walk: Walk, seat: int, move: str, words: str, proved: bool = True) -> None:
    walk.now += timedelta(minutes=1)
    body = Body.of(f"Move: {move}\n\n{words}")
    assert isinstance(walk.do(do.Submit(seat, "Move", body, walk.now, proved=proved)).verdict, Accepted)


@pytest.mark.one_in(4)
@pytest.mark.parametrize("kind", KINDS)
def test_nobody_can_tell_whether_it_was_heard(kind: str) -> None:
    with_it, without = answers(kind, proved=True), answers(kind, proved=False)
    assert not heard(without)
    assert len(with_it.entries) == len(without.entries) + len(heard(with_it))
    for game, match in ((with_it.game, with_it.match), (without.game, without.match)):
        assert thaw(game, freeze(game, match)) == match
    assert fold(lambda _: with_it.game, with_it.entries) == with_it.match
    assert with_it.match.head == without.match.head
    assert with_it.match.position == without.match.position
    assert with_it.match.due == without.match.due
    told = public_record(with_it.game, with_it.entries)
    assert told == public_record(without.game, without.entries)
    assert verified(told, with_it.game) == ()
    assert not any(e.public for e in with_it.entries if isinstance(e.event, ev.LanguageHeard))


def test_it_is_written_where_it_changes_and_never_of_a_mail_that_proves_nothing() -> None:
    walk = begin("nine men", 1, starter="1")
    sent(walk, 1, "a7", THANKS["de"], proved=False)
    sent(walk, 2, "g7", "")
    sent(walk, 1, "d7", THANKS["de"])
    sent(walk, 2, "g1", THANKS["fr"])
    assert heard(walk) == [(1, "de"), (2, "fr")]
    sent(walk, 1, "a1", THANKS["de"])
    sent(walk, 2, "d6", THANKS["de"])
    sent(walk, 1, "g4", THANKS["fr"], proved=False)
    assert heard(walk) == [(1, "de"), (2, "fr"), (2, "de")]
    assert walk.match.languages == {1: "de", 2: "de"}


def test_what_stands_behind_keys_tells_nothing() -> None:
    walk = begin("nine men", 1, starter="1")
    sent(walk, 1, "a7", f"Comment: {THANKS['fr']}")
    assert heard(walk) == []


def test_who_takes_the_seat_is_heard_anew() -> None:
    walk = begin("nine men", 1, starter="1")
    sent(walk, 1, "a7", THANKS["de"])
    walk.do(ev.EntrantReplaced(1, Entrant("Eve Eden", ("eve@example.org",)), "gone"))
    assert walk.match.languages == {}


def test_words_that_do_not_tell_are_read_in_the_language_of_the_last_answer_that_counted(
    tmp_path: Path,
) -> None:
    """ "Nehme flugs C3" orders in German; of a seat that has written none it is asked about."""
    table = Table(tmp_path, "morris")
    first, other = table.mover, table.other
    for mover, word in (
        (first, "a7. Danke, und bis zum nächsten Mal, das ist mein Zug."),
        (other, "Move: g7"),
    ):
        counts, _ = table.reply(table.latest("due", mover), word, "2026-03-01T12:10:00Z")
        assert counts["accepted"] == 1
    counts, letters = table.reply(table.latest("due", first), "Nehme flugs c3", "2026-03-01T12:20:00Z")
    assert counts["accepted"] == 1, [x.text for x in letters]
    counts, letters = table.reply(table.latest("due", other), "Nehme flugs c4", "2026-03-01T12:30:00Z")
    assert [x.kind for x in letters if x.to == other] == ["preview"], [x.text for x in letters]
    public = table.world.run("show", table.match, "--json").out + table.world.run("record", table.match).out
    assert "language" not in public.casefold()


@pytest.mark.parametrize(
    ("line", "counts"),
    [
        ("Am Montag, 2. März 2026 um 12:00 schrieb Referee:", 1),
        ("On Monday, 2 March 2026, the Referee wrote:", 0),
    ],
)
def test_of_a_seat_that_has_written_none_the_line_above_the_quote_tells(
    line: str, counts: int, tmp_path: Path
) -> None:
    table = Table(tmp_path, "morris")
    due = table.latest("due", table.mover)
    quote = "\n".join(f"> {row}" for row in due.text.splitlines())
    found, letters = table.reply(due, f"Nehme flugs c3\n\n{line}\n{quote}", "2026-03-01T12:10:00Z")
    assert found["accepted"] == counts, [x.text for x in letters]
