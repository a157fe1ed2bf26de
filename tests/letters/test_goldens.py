"""Golden letters: what every kind of match answers to mails - good, spoilt and doubled ones.

After a change of wording: `pytest tests/letters --rewrite-goldens`, then read the difference before it is kept. Where
a kind has none yet nothing is compared.
"""

import difflib
import re
from pathlib import Path

import pytest

from tests.laws.walks import KINDS
from tests.letters.transcript import MAILS, SECRET, transcript

GAMES = Path(__file__).parents[1] / "games"
LEAST_PAIRS = 150  # mails and their letters, over all games


def file_of(kind: str) -> Path:
    """Where the letters of a kind of match are kept: with the tests of its game."""
    return GAMES / KINDS[kind][0] / "letters" / f"{kind.replace(' ', '_')}.txt"


def kept_files() -> list[Path]:
    return sorted(GAMES.glob("*/letters/*.txt"))


@pytest.mark.parametrize("kind", KINDS)
def test_the_letters_are_those_that_were_read_and_kept(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, rewriting: bool
) -> None:
    monkeypatch.setenv("REFEREE_SECRET", SECRET)
    told, mails = transcript(kind, tmp_path)
    file = file_of(kind)
    if rewriting:
        file.parent.mkdir(exist_ok=True)
        file.write_text(told, encoding="utf-8")
        pytest.skip(f"{file.name} written anew: {mails} mails")
    if not file.exists():
        pytest.skip("no golden letters yet: --rewrite-goldens writes them")
    kept = file.read_text(encoding="utf-8")
    changed = list(
        difflib.unified_diff(kept.splitlines(), told.splitlines(), "kept", "now", lineterm="", n=2)
    )
    assert not changed, "\n".join([*changed[:80], "(--rewrite-goldens keeps what is now)"])


def test_there_are_enough_of_them_and_of_every_kind() -> None:
    files = kept_files()
    if not files:
        pytest.skip("no golden letters yet: --rewrite-goldens writes them")
    assert files == sorted(file_of(kind) for kind in KINDS)
    mails = {file.stem: file.read_text(encoding="utf-8").count(" a mail arrives\n") for file in files}
    assert sum(mails.values()) >= LEAST_PAIRS, mails
    assert max(mails.values()) <= MAILS + 2


def test_goldens_hold_refusals_and_copies_too() -> None:
    files = kept_files()
    if not files:
        pytest.skip("no golden letters yet: --rewrite-goldens writes them")
    text = "\n".join(file.read_text(encoding="utf-8") for file in files)
    for kind in ("receipt", "refusal", "announcement", "due", "opened", "lapsed"):
        assert f"X-Referee-Notice: {kind}\n" in text, kind


def test_a_letter_that_asks_for_something_names_one_subject_for_it() -> None:
    """What is asked for has one subject, said once; the letter's own is news of that match and game, and where the
    rules fix the subject it is the same."""
    for file in kept_files():
        for letter in re.split(r"(?m)^(?:-{20}|={20}) ", file.read_text(encoding="utf-8")):
            if "\nX-Referee-Notice: due\n" not in letter and "\nX-Referee-Notice: refusal\n" not in letter:
                continue
            head, _, body = letter.partition("\n\n")
            named = re.findall(r"(?m)^\S.*: .* / Player \d+(?: / Round \d+ / Cycle \d+)? \[\S+\]$", body)
            assert len(named) <= 1, letter
            assert "subject must read" not in " ".join(body.split())
            if named and "X-Referee-Notice: due" in head:  # where it is asked for the first time
                words, _, match = named[0].rpartition(" ")
                title = words.partition(": ")[0]
                start = words if title == "Fourplay" else f"{title}: "
                assert f"\nSubject: {match} {start}" in head, letter
