"""The closed classes of words, a file a language: how many there are, and that each says one thing. A list that grows
with the mails that were not understood would be a memory again, and no language."""

import tomllib
from collections.abc import Iterator
from importlib.resources import files
from typing import Any

import pytest

from referee.base import shipped
from referee.games import found
from referee.language.words import in_our_keys

LANGUAGES = ["de", "en", "es", "fr", "it", "nl", "pl", "pt", "sv"]
CLASSES = (
    "first other small with against for and or but not if later back sorry drop past refer judge what courtesy yes "
    "no ok numerals verbs letters keys wishes"
)
VERBS = "play take pass offer accept decline resign claim join watch ask leave withdraw undo ready away"
KEYS = "move name comment pass offer accept claim"
WISHES = (
    "turn due subject worth receipt record board rules help away zone digest stop text address rematch tell since "
    "until next this tomorrow"
)
MOST_FORMS, MOST_BYTES = 180, 25_000  # without the words of wishes to the desk, which order nothing
MOST_WISHES, MOST_WISHES_BYTES = 50, 6_500
FOLDER = files("referee.language") / "words"
BYTES = {file.name.removesuffix(".toml"): file.read_bytes() for file in FOLDER.iterdir()}
WORDS: dict[str, dict[str, Any]] = {
    language: tomllib.loads(text.decode()) for language, text in BYTES.items()
}

each_language = pytest.mark.parametrize("language", LANGUAGES)


def forms(language: str) -> Iterator[tuple[str, str]]:
    """Every form, with its class; what stands before a colon is known by that, and may be any word."""
    for name, value in WORDS[language].items():
        if name == "verbs":
            yield from ((form, verb) for verb, those in value.items() for form in those)
        elif name in ("numerals", "letters"):
            each = value if name == "numerals" else value.values()
            yield from ((form, name) for those in each for form in those)
        elif name not in ("keys", "wishes"):
            yield from ((form, name) for form in value)


def test_nine_languages_within_their_bytes() -> None:
    assert sorted(WORDS) == LANGUAGES
    wishes = [len(text[text.index(b"[wishes]") :]) for text in BYTES.values()]
    assert sum(wishes) <= MOST_WISHES_BYTES
    assert sum(map(len, BYTES.values())) - sum(wishes) <= MOST_BYTES


@each_language
def test_every_class_is_there_and_no_other(language: str) -> None:
    words = WORDS[language]
    assert list(words) == CLASSES.split()
    assert list(words["verbs"]) == VERBS.split()
    assert [key for key in KEYS.split() if key in words["keys"]] == list(words["keys"])
    assert [name for name in words["wishes"] if name not in ("html", "weekend", "one")] == WISHES.split()
    assert len(words["numerals"]) == 21
    assert all(words["numerals"][2:])
    assert bool(words["numerals"][0]) == (language == "en")
    assert list(words["letters"]) == sorted(set(words["letters"]) & set("abcdefghijklmnopqrst"))


@each_language
def test_the_forms_are_few(language: str) -> None:
    counted = [form for form, name in forms(language) if name not in ("numerals", "letters")]
    assert len(counted) + sum(map(len, WORDS[language]["keys"].values())) <= MOST_FORMS
    assert sum(map(len, WORDS[language]["wishes"].values())) <= MOST_WISHES


@each_language
def test_a_form_is_one_word_or_a_pair_in_small_letters(language: str) -> None:
    keys = [form for name in ("keys", "wishes") for those in WORDS[language][name].values() for form in those]
    for form in [*keys, *(form for form, _ in forms(language))]:
        assert form == form.lower()
        assert 1 <= len(form.split("_")) <= 2
        assert all(word.isalpha() for word in form.split("_")), form


@each_language
def test_a_word_is_of_one_class(language: str) -> None:
    words = [form for form, _ in forms(language)]
    assert len(words) == len(set(words)), {form for form in words if words.count(form) > 1}


@pytest.mark.parametrize(
    ("game", "written", "ours"),
    [
        ("fourplay", "Maskotka: wąż", "Mascot: snake"),
        ("fourplay", "Spieler: 4", "Player: 4"),
        ("fourplay", "König: k1", "King: k1"),
        ("onepiece", "Bordo: ovest", "Edge: west"),
    ],
)
def test_a_line_under_a_key_of_another_language_stands_under_ours(game: str, written: str, ours: str) -> None:
    assert in_our_keys(game, written) == ours


@pytest.mark.parametrize("slug", found())
def test_a_games_words_are_single_small_ones_and_name_the_same_in_all_languages(slug: str) -> None:
    """How many there may be: `tests/lint/budget.toml`. What Go and Fourplay name differs, for the words they share."""
    folder = next(at for each in shipped.folders("templates") if (at := each / slug).is_dir())
    told = [tomllib.loads(file.read_text(encoding="utf-8")) for file in sorted(folder.glob("words.*.toml"))]
    assert {tuple(words) for words in told} <= {("values", "things", "keys")}
    assert len(told) in (0, len(LANGUAGES))
    forms = [
        form for words in told for section in words.values() for those in section.values() for form in those
    ]
    assert [form for form in forms if form != form.lower() or " " in form] == []
    named = {frozenset(words["values"]) for words in told}
    assert len(named) <= 1 or slug in ("fourplay", "multigo")
