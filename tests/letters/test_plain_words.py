"""Letters are in plain words: sentences short enough to be read once, hardly a long word, none of the trade's own."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.letters.test_goldens import kept_files

WORDS_A_SENTENCE, LONGEST = 13, 42
EASE = 80  # of Flesch: 80 and more is easy, 60 to 70 plain
OF_THE_TRADE = re.compile(r"\b(ply|plies|counts? as|no deadline waits)\b", re.IGNORECASE)
TEMPLATES = Path(__file__).parents[2] / "templates"

_PLAIN = re.compile(r"[A-Z][^\n]*(?:\n[^\n]+)*")  # a paragraph begins so
_LAID_OUT = re.compile(r"^(?:[>|\d ]| *-)|  +|^\S+:(?: \S+)*$|^X-|^-{3}|^={3}", re.MULTILINE)
_SENTENCE = re.compile(r"(?<=[.!?])\s+")
_WORD = re.compile(r"[A-Za-z']+")


def letters_of(file: Path) -> Iterator[str]:
    """The words of the letters in a file, without mails, boards, tables, forms, quotes."""
    for part in re.split(r"(?m)^(?:-{20}|={20}) ", file.read_text(encoding="utf-8")):
        head, _, body = part.partition("\n\n")
        if "X-Referee-Notice" in head:
            paragraphs = (block for block in body.split("\n\n") if _PLAIN.fullmatch(block.strip()))
            yield "\n\n".join(block for block in paragraphs if not _LAID_OUT.search(block))


def sentences(text: str) -> list[list[str]]:
    said = (_WORD.findall(one) for block in text.split("\n\n") for one in _SENTENCE.split(block))
    return [words for words in said if words]


def syllables(word: str) -> int:
    """About as many as there are groups of vowels, without a silent e."""
    groups = len(re.findall(r"[aeiouy]+", word.lower().removesuffix("e")))
    return max(groups, 1)


def ease(said: list[list[str]]) -> float:
    words = [word for sentence in said for word in sentence]
    return 206.835 - 1.015 * len(words) / len(said) - 84.6 * sum(map(syllables, words)) / len(words)


@pytest.mark.parametrize("file", kept_files(), ids=lambda file: file.stem)
def test_letters_are_read_once_and_understood(file: Path) -> None:
    said = [sentence for text in letters_of(file) for sentence in sentences(text)]
    assert len(said) > 100
    longest = max(said, key=len)
    assert len(longest) <= LONGEST, " ".join(longest)
    assert sum(map(len, said)) / len(said) <= WORDS_A_SENTENCE
    assert ease(said) >= EASE


def test_no_letter_speaks_the_trade_s_words() -> None:
    for file in kept_files():
        for text in letters_of(file):
            assert not OF_THE_TRADE.search(text), text
    for path in sorted(
        (*TEMPLATES.rglob("*.j2"), *TEMPLATES.rglob("complaints.toml"), *TEMPLATES.rglob("help.toml"))
    ):
        words = re.sub(r"\{[{%#].*?[}%#]\}", " ", path.read_text(encoding="utf-8"), flags=re.DOTALL)
        found = OF_THE_TRADE.search(words)
        assert found is None, (path.name, words[found.start() - 60 : found.end() + 60])
