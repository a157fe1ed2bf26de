"""Contract, 'What a mail answers': words that fit in several matches are shown with a number each; a number, or the
name of a match in the subject, settles it, and the order need not be sent again."""

from pathlib import Path

import pytest

from tests.world import Sent, World

ANN, BEN, CLEO = (
    "Ann Archer <ann@example.org>",
    "Ben Baker <ben@example.org>",
    "Cleo Carter <cleo@example.org>",
)
ME = "ann@example.org"
MATCHES = {  # each with Ann to move, and an order that fits in both
    "morris": ({"starter": "1"}, "Move: d2"),
    "multigo": ({"board": "9x9", "players": "2"}, "Move: E5"),
}


class Several:
    """Ann is to move in two matches of a game, and has sent an order that names neither."""

    def __init__(self, folder: Path, game: str) -> None:
        options, self.order = MATCHES[game]
        self.world, self.minute = World(folder), 0
        self.names = [self.world.open(game, [ANN, other], seed=7, **options) for other in (BEN, CLEO)]
        self.step()
        self.world.mail(ANN, "my move", self.order, self.now)
        self.counts = self.step()
        (self.asked,) = self.letters()

    @property
    def now(self) -> str:
        return f"2026-03-01T12:{self.minute:02}:00Z"

    def step(self) -> dict[str, int]:
        self.minute += 1
        self.found: list[Sent] = []
        counts: dict[str, int] = self.world.step(self.now)
        self.found = self.world.new_letters()
        return counts

    def letters(self) -> list[Sent]:
        return [x for x in self.found if x.to == ME]

    def due(self, name: str) -> bool:
        return any(due["seat"] == 1 for due in self.world.show(name)["due"])

    def answers(self, body: str, subject: str = "") -> dict[str, int]:
        self.world.mail(
            ANN, subject or f"Re: {self.asked.subject}", body, self.now, reply_to=self.asked.message["Message-ID"]
        )  # fmt: skip
        return self.step()


@pytest.fixture(params=MATCHES)
def several(request: pytest.FixtureRequest, tmp_path: Path) -> Several:
    return Several(tmp_path, request.param)


def test_both_are_named_and_nothing_counts_yet(several: Several) -> None:
    assert (several.counts["answered"], several.asked.kind) == (1, "preview")
    assert all(name in several.asked.text for name in several.names)
    assert "1. " in several.asked.text
    assert "time goes on until then" in several.asked.words
    assert len(several.asked.text.splitlines()) <= 30
    assert all(several.due(name) for name in several.names)


@pytest.mark.one_in(3)
@pytest.mark.parametrize("which", [0, 1])
@pytest.mark.parametrize("form", ["{number}", "{number}.", "No. {number}", "subject"])
def test_a_number_or_a_subject_settles_it(several: Several, which: int, form: str) -> None:
    name = several.names[which]
    if form == "subject":
        counts = several.answers("", f"Re: [{name}]")
    else:
        counts = several.answers(form.format(number=which + 1))
    assert counts["accepted"] == 1, several.letters()[0].text
    assert [several.due(one) for one in several.names] == [one != name for one in several.names]
    assert several.order.partition(": ")[2].lower() in several.letters()[0].text.lower()


def test_it_counts_once_and_not_for_another_round(several: Several) -> None:
    assert several.answers("1")["accepted"] == 1
    assert several.answers("1")["accepted"] == 0
    assert several.answers("2")["accepted"] == 1
    assert several.answers("2")["accepted"] == 0


@pytest.mark.one_in(2)
@pytest.mark.parametrize("body", ["3", "0", "1 or 2?", "Thanks!"])
def test_anything_else_orders_nothing(several: Several, body: str) -> None:
    assert several.answers(body)["accepted"] == 0
    assert all(several.due(name) for name in several.names)


class OneFits:
    """Ann is to move in the first of two matches only."""

    def __init__(self, folder: Path, game: str = "morris") -> None:
        self.world = World(folder)
        self.first = self.world.open(game, [ANN, BEN], seed=7, **MATCHES[game][0])
        self.second = self.world.open("morris", [ANN, CLEO], seed=7, starter="2")
        self.world.passed("2026-03-01T12:01:00Z")

    def write(self, subject: str, body: str) -> tuple[dict[str, int], list[Sent]]:
        self.world.mail(ANN, subject, body, "2026-03-01T12:01:30Z")
        counts: dict[str, int] = self.world.step("2026-03-01T12:02:00Z")
        return counts, [letter for letter in self.world.new_letters() if letter.to == ME]


@pytest.mark.one_in(2)
@pytest.mark.parametrize("subject", ["my move", "", "Morris: Move", "[a list] Hello"])
@pytest.mark.parametrize("body", ["Move: d2", "d2 please", "I play d2.\n\nAnn"])
def test_words_that_fit_in_one_match_count_there(tmp_path: Path, subject: str, body: str) -> None:
    fits = OneFits(tmp_path)
    counts, (letter, *_) = fits.write(subject, body)
    assert counts["accepted"] == 1, letter.text
    assert (letter.match, len(fits.world.show(fits.first)["due"])) == (fits.first, 1)
    assert [due["seat"] for due in fits.world.show(fits.first)["due"]] == [2]
    assert [due["seat"] for due in fits.world.show(fits.second)["due"]] == [2]


def test_the_game_whose_words_they_are_takes_them(tmp_path: Path) -> None:
    fits = OneFits(tmp_path, "multigo")
    counts, letters = fits.write("my move", "E5")
    assert counts["accepted"] == 1, [letter.text for letter in letters]
    assert 1 not in [due["seat"] for due in fits.world.show(fits.first)["due"]]


@pytest.mark.parametrize(
    "subject", ["Morris: Round 1 / Player 2", "Morris: Move / Player 2", "[{second}] Go: Move"]
)
def test_a_subject_that_says_otherwise_is_no_order(tmp_path: Path, subject: str) -> None:
    fits = OneFits(tmp_path)
    counts, _ = fits.write(subject.format(second=fits.second), "Move: d2")
    assert counts["accepted"] == 0
    assert [due["seat"] for due in fits.world.show(fits.first)["due"]] == [1]


def test_what_fits_nowhere_counts_nowhere(tmp_path: Path) -> None:
    fits = OneFits(tmp_path)
    fits.write("my move", "Move: d2")
    counts, (letter, *_) = fits.write("my move", "Move: d2")
    assert counts["accepted"] == 0, letter.text


@pytest.mark.one_in(3)
@pytest.mark.parametrize("title", ["Nine Men's Morris", "Go", "One Piece For Two", "Fourplay", "Buttons"])
def test_a_heading_of_one_game_is_never_asked_of_another(tmp_path: Path, title: str) -> None:
    """Whoever plays twice in one game and in others too is helped, under any game's heading, whatever the words are."""
    world = World(tmp_path)
    for game, people in (("morris", [ANN, BEN]), ("morris", [ANN, CLEO]), ("buttons", [ANN, BEN])):
        world.open(game, people, seed=7)
    world.open("fourplay", [ANN, BEN, CLEO, "Dan Draper <dan@example.org>"])
    world.step("2026-03-01T12:00:00Z")
    for minute, words in enumerate(("Move: z99", "Nothing of that kind.", "Take: a1", "I am ready.")):
        for heading in ("Move", "Turn", "Purchase", "Colours", "Resign"):
            world.mail(ANN, f"{title}: {heading} / Player 1", words, f"2026-03-01T12:{minute:02}:00Z")
    counts = world.step("2026-03-01T13:00:00Z")
    assert (counts["read"], counts["shunted"], counts["waiting"]) == (20, 0, 0)
