"""Is a player understood as a friend who keeps the book would understand him? Mails as players write them answer the
true letters of matches under way; what becomes of each is compared with what its writer meant. No mail counts as
something that its writer did not mean, and no fewer are understood than `standing/` says."""

from __future__ import annotations

from pathlib import Path
from zlib import crc32

import pytest

from tests.understood.mails import WrittenMail, mails_of
from tests.understood.scenes import HERE
from tests.understood.standing import SCENES, outcomes, recorded

EVERY = 32  # of how many mails one is sent where only a sample is
_BETTER = ("wrong", "bounced", "asked", "understood")


def sampled(scene: str) -> list[WrittenMail]:
    return [mail for mail in mails_of(scene) if crc32(mail.name.encode()) % EVERY == 0]


def judged(scene: str, folder: Path, mails: list[WrittenMail]) -> None:
    before, found = recorded(scene), outcomes(scene, folder, mails)
    wrong = [name for name, outcome in found.items() if outcome == "wrong" != before[name]]
    assert not wrong, f"counted as something that was not meant: {wrong}"
    worse = [name for name, outcome in found.items() if _BETTER.index(outcome) < _BETTER.index(before[name])]
    good = [sum(_BETTER.index(outcome) for outcome in score.values()) for score in (found, before)]
    missed = sum(_BETTER.index(outcome) for name, outcome in before.items() if name not in found)
    assert good[0] + missed >= good[1], f"understood worse than before: {worse}"


@pytest.mark.parametrize("scene", [*filter(sampled, SCENES)])
def test_some_of_the_mails_are_understood_as_before(scene: str, tmp_path: Path) -> None:
    judged(scene, tmp_path, sampled(scene))


@pytest.mark.soak
@pytest.mark.parametrize("scene", SCENES)
def test_every_mail_is_understood_as_before(scene: str, tmp_path: Path) -> None:
    judged(scene, tmp_path, mails_of(scene))


def test_every_mail_of_every_scene_has_its_standing() -> None:
    written = [mail.name for scene in SCENES for mail in mails_of(scene)]
    assert len(written) >= 400
    assert sorted(written) == sorted(name for scene in SCENES for name in recorded(scene))
    assert {path.name for path in (HERE / "mails").iterdir()} == set(SCENES)


def test_the_score_never_falls_from_one_day_to_the_next() -> None:
    """And what was counted though it was not meant never rises."""
    lines = (HERE / "history.txt").read_text(encoding="utf-8").splitlines()
    found = [dict(reversed(part.split()) for part in line.partition(": ")[2].split(", ")) for line in lines]
    shares = [int(score["understood"]) for score in found]
    assert shares == sorted(shares)
    assert [int(score["wrong"]) for score in found] == sorted(
        (int(score["wrong"]) for score in found), reverse=True
    )
