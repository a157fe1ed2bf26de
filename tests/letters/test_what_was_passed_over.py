"""Lines that order nothing are named in an answer where they may have been meant; a greeting and a name are not."""

from pathlib import Path

from referee.core.value import Line
from referee.language.interpret import beyond_courtesy
from tests.world import World

ANN = "Ann Archer <ann@example.org>"


def receipt(world: World, name: str, body: str) -> str:
    (letter,) = [
        letter
        for letter in world.sends(ANN, f"Buttons: Move / Player 1 [{name}]", body)
        if letter.kind == "receipt"
    ]
    return letter.text


def opened(world: World) -> str:
    name = world.open("buttons", [ANN, "Ben Baker <ben@example.org>"], starter="1", seed=1)
    world.passed()
    return name


def test_a_greeting_thanks_and_a_name_are_not(tmp_path: Path) -> None:
    world = World(tmp_path)
    text = receipt(world, opened(world), "Hello dear referee,\n\nPlace: 1 a1\n\nThank you!\nBest wishes\nAnn")
    assert "as words" not in text
    assert "Best wishes" not in text


def test_whatever_says_more_is(tmp_path: Path) -> None:
    world = World(tmp_path)
    text = receipt(
        world, opened(world), "Hi Ben, the weather here is dreadful.\n\nPlace: 1 a1\n\nCheers\nAnn"
    )
    assert (
        "I took this line as words, not as orders:\n> Line 1: Hi Ben, the weather here is dreadful.\n" in text
    )
    assert "Cheers" not in text


def test_a_wish_in_any_language_is_courtesy() -> None:
    said = (
        "Thx", "Have a nice weekend!", "Trevlig helg", "Miłego weekendu", "Good luck to all", "Bis bald", "Groetjes",
        "Good evening!", "Guten Abend", "Bonsoir", "Buenas tardes", "Buonasera", "Boa tarde",
        "my orders are below, thanks", "Un abrazo, Ann", "Hasta la próxima", "Hasta luego", "Alla prossima", "LG Ann",
        "Un abbraccio", "liebe Grüße aus Wien", "Bis dann", "Tot ziens", "Vi ses", "Do zobaczenia",
        "Um abraço",
    )  # fmt: skip
    lines = [Line(number, text) for number, text in enumerate(said, 1)]
    assert not beyond_courtesy(lines, frozenset({"ann"}), "morris")
    late = [Line(1, "I'll move d4 at the weekend"), Line(2, "Am Wochenende ziehe ich d4")]
    assert list(beyond_courtesy(late, frozenset({"ann"}), "morris")) == late  # that puts off


def test_behind_an_order_people_take_leave_in_more_words_than_anybody_can_list() -> None:
    said = (
        "Until next time", "A presto!", "see you", "À bientôt !", "Bis denne", "tot snel", "até logo",
        "na razie",
    )  # fmt: skip
    lines = [Line(number, text) for number, text in enumerate(said, 1)]
    assert not beyond_courtesy(lines, frozenset({"ann"}), "morris", behind=True)
    assert beyond_courtesy(lines, frozenset({"ann"}), "morris"), "alone they say something"
    more = (
        "wait", "hold on", "not yet", "maybe later", "tomorrow", "scratch that", "same again", "not that one",
        "resign later", "next time d4", "my mistake", "forget it", "see you on d4", "d4 later",
    )  # fmt: skip
    lines = [Line(number, text) for number, text in enumerate(more, 1)]
    assert list(beyond_courtesy(lines, frozenset({"ann"}), "morris", behind=True)) == lines
