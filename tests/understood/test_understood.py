"""Is a player understood as a friend who keeps the book would understand him? Mails as players write them answer the
true letters of matches under way; what becomes of each is compared with what its writer meant. No mail counts as
something that its writer did not mean, and no fewer are understood than `standing/` says."""

from pathlib import Path
from zlib import crc32

import pytest

from tests.understood.mails import WrittenMail, mails_of
from tests.understood.scenes import HERE
from tests.understood.standing import HISTORY, KNOWN, SCENES, outcomes

EVERY = 64  # of how many mails one is sent where only a sample is
ALWAYS = frozenset(("ready/002-i-m-ready", "setup-refused-twice/003-sorry-king-on-k1-and-dollarman-o"))
_BETTER = ("wrong", "misasked", "handed", "bounced", "asked", "understood")


def sampled(scene: str) -> list[WrittenMail]:
    """Some, and of what an OK sends and a sentence amends one each."""
    return [one for one in mails_of(scene) if one.name in ALWAYS or crc32(one.name.encode()) % EVERY == 0]


def judged(scene: str, folder: Path, mails: list[WrittenMail]) -> None:
    before, found = KNOWN.recorded(scene), outcomes(scene, folder, mails)
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
    assert sorted(written) == sorted(name for scene in SCENES for name in KNOWN.recorded(scene))
    assert {path.name for path in (HERE / "mails").iterdir()} == set(SCENES)


def test_the_score_never_falls_from_one_day_to_the_next() -> None:
    """Of what is understood or well asked; and what counts though it was not meant never rises."""
    days: dict[str, list[dict[str, int]]] = {}
    for line in HISTORY.read_text(encoding="utf-8").splitlines():
        if not line.startswith("#"):
            head, _, told = line.partition(": ")
            score = {outcome: int(number) for number, outcome in map(str.split, told.split(", "))}
            days.setdefault(" ".join(head.split()[1:-2]), []).append(score)
    for scores in days.values():
        good = [score["understood"] + score["asked"] for score in scores]
        assert good == sorted(good)
        bad = [score["wrong"] for score in scores]
        assert bad == sorted(bad, reverse=True)
