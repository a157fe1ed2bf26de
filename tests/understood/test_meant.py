"""Each outcome is what it says, by mails of which nobody doubts what becomes of them."""

from pathlib import Path

import pytest

from tests.understood.mails import WrittenMail
from tests.understood.meant import Judge
from tests.understood.scenes import played

PREVIEW = "Subject: Preview: Go: Move / Player 1 [multigo-1]"
ANSWERS = "X-Answers: due"


@pytest.fixture(scope="module")
def judge(tmp_path_factory: pytest.TempPathFactory) -> Judge:
    folder = tmp_path_factory.mktemp("go")
    return Judge(played("go", folder / "scene"), folder)


@pytest.mark.parametrize(
    ("field", "meant", "order", "said", "outcome"),
    [
        (ANSWERS, "counts", "Move: E5", "Move: E5", "understood"),
        (ANSWERS, "counts", "Move: D5", "Move: E5", "wrong"),
        (ANSWERS, "nothing", "", "Move: E5", "wrong"),
        (PREVIEW, "counts", "Move: E5", "Move: E5", "asked"),
        (PREVIEW, "counts", "Move: D5", "Move: E5", "misasked"),
        (PREVIEW, "asked", "Move: E5", "Move: E5", "understood"),
        (ANSWERS, "counts", "Move: E5", "To the moderator: I can't see the board.", "handed"),
        (ANSWERS, "handed", "", "To the moderator: I can't see the board.", "understood"),
        (ANSWERS, "counts", "Move: E5", "Move: Z99", "bounced"),
    ],
)
def test_what_a_mail_comes_to(
    judge: Judge, tmp_path: Path, field: str, meant: str, order: str, said: str, outcome: str
) -> None:
    path = tmp_path / "mail.eml"
    head = f"From: Ann Archer <ann@example.org>\n{field}\nX-Meant: {meant}\nX-Order: {order}\n"
    path.write_text(f"{head}\n{said}\n", encoding="utf-8")
    assert judge.judged(WrittenMail(path)).outcome == outcome
