"""Contract, `[senders] need`: how surely a sender must be known holds for every way in which a mail may come to count
or be kept: under a heading or none, by bare words, OK, a sign, as a draft, a part, a form inside a quote. A mail that
only bears a player's address is asked about, and the same from his reply address does what it says."""

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.world import Sent, World

ANN, BEN, CLEO = (
    "Ann Archer <ann@example.org>",
    "Ben Baker <ben@example.org>",
    "Cleo Carter <cleo@example.org>",
)


class Table:
    """Two matches of Morris: Ann is to move in the first, her opponent in the second."""

    def __init__(self, folder: Path) -> None:
        self.world, self.minute = World(folder), 0
        self.world.configure('need = "address"', 'need = "token"')
        self.first = self.world.open("morris", [ANN, BEN], seed=7, starter="1")
        self.second = self.world.open("morris", [ANN, CLEO], seed=7, starter="2")
        self.step()

    @property
    def now(self) -> str:
        return f"2026-03-01T12:{self.minute:02}:00Z"

    def step(self) -> list[Sent]:
        """A pass; the letters to Ann."""
        self.minute += 1
        self.letters = [letter for letter in self.world.passed(self.now) if letter.to == "ann@example.org"]
        return self.letters

    def one(self, kind: str, match: str | None = None) -> Sent:
        return [x for x in self.letters if x.kind == kind and (match is None or x.match == match)][-1]

    def said(self, letter: Sent, words: str, subject: str = "", *, proved: bool = True) -> list[Sent]:
        """Sent to the letter's reply address, or by anybody who knows the letter and her address."""
        to = letter.message["Reply-To"] if proved else "collector@referee.localhost"
        subject, named = subject or f"Re: {letter.subject}", letter.message["Message-ID"]
        self.world.mail(ANN, subject, words, self.now, to=to, reply_to=named)
        return self.step()

    def stands(self) -> list[object]:
        return [
            self.world.show(name, "--moderator")[part]
            for name in (self.first, self.second)
            for part in ("due", "board")
        ]


def _asked(table: Table) -> Sent:
    return table.one("due", table.first)


def _previewed(table: Table) -> Sent:
    asked = _asked(table)
    table.said(asked, "Move: d2", f"{asked.subject}?")
    return table.one("preview")


def _refused(table: Table) -> Sent:
    table.said(_asked(table), "Move: a7 x a7")
    return table.one("refusal")


def _early(table: Table) -> Sent:
    return table.one("opened", table.second)


# Each way: the letter that is answered, the subject where it is another, the words.
WAYS: dict[str, tuple[Callable[[Table], Sent], str, str]] = {
    "a heading": (_asked, "Morris: Move", "Move: d2"),
    "bare words": (_asked, "", "d2 please"),
    "no heading": (_asked, "hello", "Move: d2"),
    "OK": (_previewed, "", "OK, thank you!"),
    "a reaction": (_previewed, "", "\N{THUMBS UP SIGN}"),
    "a part of an answer": (_refused, "", "Move: d2"),
    "a draft": (_early, "", "Move: d2"),
    "a form inside the quote": (_asked, "", "On 1 March 2026 Referee wrote:\n> Move: d2"),
    "in another language": (_asked, "", "Zug: d2"),
    "an absence": (_asked, "vacation 24 December to 2 January", ""),
}


@pytest.mark.one_in(2)
@pytest.mark.parametrize("way", WAYS)
def test_a_mail_that_only_bears_an_address_does_nothing_and_from_the_reply_address_what_it_says(
    tmp_path: Path, way: str
) -> None:
    table = Table(tmp_path)
    letter, subject, words = WAYS[way]
    answered, before = letter(table), table.stands()
    letters = table.said(answered, words, subject, proved=False)
    assert [x.kind for x in letters] in (["challenge"], []), [x.text for x in letters]
    assert table.stands() == before
    assert "raft" not in "".join(x.text for x in letters)
    kinds = [x.kind for x in table.said(answered, words, subject)]
    assert "challenge" not in kinds
    assert kinds
