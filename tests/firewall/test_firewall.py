"""Nothing counts that was not said; what would give a seat up, or bind, never counts from a sentence; and every
sentence of one's own words is an order, asked, told as left out, or courtesy."""

from collections.abc import Iterator
from pathlib import Path
from zlib import crc32

import pytest

from tests.firewall.saying import LANGUAGES, Order, Said, frames, orders
from tests.firewall.wall import Wall
from tests.understood.scenes import Plays

EVERY = 48  # of how many mails one is read where only a sample is
TOLD = 400  # and of those whose letters are looked through
ORDERS = [pytest.param(order, id=order.scene) for order in orders()]


@pytest.fixture(scope="module")
def plays(tmp_path_factory: pytest.TempPathFactory) -> Plays:
    return Plays(tmp_path_factory.mktemp("scenes"))


def sampled(sayings: list[Said], every: int) -> list[Said]:
    return [said for said in sayings if crc32(said.text.encode()) % every == 0]


def nothing_passes(wall: Wall, sayings: list[Said]) -> None:
    passed, good = wall.passed(sayings)
    assert not passed, "\n".join(map(str, passed))
    assert 2 * good >= sum(1 for said in sayings if said.given), "a wall that lets nothing through is none"


def all_is_told(wall: Wall, sayings: list[Said], folder: Path) -> None:
    """Of mails whose order counts, all but thanks, which are courtesy."""
    beside = [said for said in sayings if said.beside and not said.kind.startswith("thanks")]
    counted = wall.counted([said.text for said in beside])
    for number, (said, counts) in enumerate(zip(beside, counted, strict=True)):
        if counts:
            told = wall.untold(said, folder / str(number))
            assert not told, f"{said.text!r} counts, and what is beside it is told nowhere:\n{told}"


@pytest.mark.parametrize("order", ORDERS)
def test_some_of_what_is_not_said_does_not_count(order: Order, plays: Plays) -> None:
    wall = Wall.of(order, plays)
    nothing_passes(wall, sampled(wall.sayings(), EVERY))


@pytest.mark.soak
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("order", ORDERS)
def test_nothing_counts_that_is_not_said(order: Order, language: str, plays: Plays) -> None:
    wall = Wall.of(order, plays)
    nothing_passes(wall, [said for said in wall.sayings() if said.language == language])


@pytest.mark.parametrize("order", [order for order in ORDERS if order.id in ("go", "morris")])
def test_some_of_what_is_said_beside_an_order_is_told(order: Order, plays: Plays, tmp_path: Path) -> None:
    wall = Wall.of(order, plays)
    all_is_told(wall, sampled(wall.sayings(), TOLD), tmp_path)


@pytest.mark.soak
@pytest.mark.parametrize("order", ORDERS)
def test_what_is_said_beside_an_order_is_told(order: Order, plays: Plays, tmp_path: Path) -> None:
    wall = Wall.of(order, plays)
    all_is_told(wall, sampled(wall.sayings(), TOLD // 20), tmp_path)


def sentences(language: str) -> Iterator[str]:
    for kinds in frames(language).values():
        for told in kinds.values():
            yield from told


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_sentences_are_many_and_in_no_list_of_words(language: str) -> None:
    """A wall that knows them by heart would hold nothing else."""
    said = [*sentences(language)]
    assert len(set(said)) == len(said) >= 50
    root = Path(__file__).parents[2]
    lists = [*(root / "referee").rglob("*.toml"), *(root / "templates").glob("*/words.*.toml")]
    known = "\n".join(path.read_text(encoding="utf-8") for path in lists).lower()
    assert not [sentence for sentence in said if sentence.strip(".!?:¿¡ ").lower() in known]
