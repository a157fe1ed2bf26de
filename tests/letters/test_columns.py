"""80 columns hold a letter: no line of any letter's text is longer, whatever the game, the board and what is marked.

Let be as long as they are: addresses of pages, hashes and Message-IDs (they are copied whole), the recipes (code that
is run), a player's own words (they are quoted as they came), and revealed answers (their seals are made of these very
lines).
"""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from referee.core.chance import RECIPE
from referee.match.chain import SEAL_RECIPE
from tests.laws.walks import KINDS
from tests.letters.test_goldens import file_of
from tests.letters.transcript import SECRET, transcript
from tests.sampling import one_in

COLUMNS = 80
_CODE = frozenset((*RECIPE.splitlines(), *SEAL_RECIPE.splitlines()))
_WHOLE = re.compile(r"https?://|\b[0-9a-f]{32,}\b|<\S+@\S+>")
_REVEALED = re.compile(r'"[^"]*" is closed, and the answers are opened\.')


def wide_lines(told: str) -> Iterator[str]:
    """The lines of a transcript's letters that are too long and may not be."""
    for page in re.split(r"(?m)^={20} ", told):
        mail, *letters = page.split("-" * 20 + " a letter\n")
        written = {line.strip() for line in mail.splitlines()}
        for letter in letters:
            body = letter.partition("\n\n")[2]
            revealed = bool(_REVEALED.search(body))
            for line in body.splitlines():
                if len(line) <= COLUMNS or line in _CODE or line.strip() in written or _WHOLE.search(line):
                    continue
                if not (revealed and re.match(r"\w[\w ]*: ", line)):
                    yield line


@pytest.mark.parametrize("kind", KINDS)
def test_80_columns_hold_the_letters_that_were_kept(kind: str) -> None:
    if not file_of(kind).exists():
        pytest.skip("no golden letters yet")
    assert not list(wide_lines(file_of(kind).read_text(encoding="utf-8")))


@pytest.mark.one_in(4)
@pytest.mark.parametrize("seed", [11, 12])
@pytest.mark.parametrize("kind", one_in(3, KINDS))
def test_80_columns_hold_the_letters_of_any_match(
    kind: str, seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("REFEREE_SECRET", SECRET)
    told, _ = transcript(kind, tmp_path, mails=10, seed=seed)
    assert not list(wide_lines(told))


def test_a_line_that_is_too_long_would_be_found() -> None:
    page = f"==================== a mail\n{'-' * 20} a letter\nSubject: x\n\n{'word ' * 20}\n"
    assert len(list(wide_lines(page))) == 1
