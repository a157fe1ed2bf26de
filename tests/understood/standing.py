"""How the mails stand: of every scene a file in `standing/`, a line a mail, and in `history.txt` the score of the days
on which it was kept. `python -m tests.understood.standing` plays all of them, prints the score and writes the first;
with `--keep` the second too. With `--kept-back` those of `kept_back/`, whose standing is `kept_back/standing.txt`."""

from __future__ import annotations

import shutil
import sys
import tempfile
from collections import Counter
from datetime import UTC, datetime
from pathlib import Path

from tests.understood.mails import WrittenMail, mails_of
from tests.understood.meant import Judge, Outcome
from tests.understood.scenes import HERE, KEPT_BACK, played

_ORDER: tuple[Outcome, ...] = ("understood", "asked", "bounced", "wrong")
SCENES = sorted(path.stem for path in (HERE / "scenes").glob("*.toml"))


def recorded(scene: str) -> dict[str, str]:
    """The outcome of each mail of a scene as it was last written down."""
    path = HERE / "standing" / f"{scene}.txt"
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    return {name: outcome for outcome, name in map(str.split, lines)}


def outcomes(scene: str, folder: Path, mails: list[WrittenMail]) -> dict[str, Outcome]:
    """What becomes of mails of a scene."""
    judge = Judge(played(scene, folder / "scene"), folder)
    return {mail.name: judge.outcome(mail) for mail in mails}


def score(found: dict[str, Outcome]) -> str:
    counted = Counter(found.values())
    return f"{len(found)} mails: " + ", ".join(f"{counted[outcome]} {outcome}" for outcome in _ORDER)


def tables(found: dict[str, Outcome], mails: dict[str, WrittenMail]) -> list[str]:
    """The score by scene and by what was meant."""
    rows = []
    for title, group in (
        ("scene", lambda mail: mail.path.parent.name),
        ("meant", lambda mail: mail.meant),
        ("program", lambda mail: mail.field("X-Program") or "a fresh mail"),
        ("language", lambda mail: mail.field("X-Language") or "english"),
    ):
        groups = sorted({group(mail) for mail in mails.values()})
        rows += ["", f"{title:22}" + "".join(f"{outcome:>12}" for outcome in _ORDER)]
        for name in groups:
            counted = Counter(found[key] for key, mail in mails.items() if group(mail) == name)
            rows.append(f"{name:22}" + "".join(f"{counted[outcome]:>12}" for outcome in _ORDER))
    return rows


def kept_back() -> None:
    """The score of the mails that were kept back."""
    found: dict[str, Outcome] = {}
    mails: dict[str, WrittenMail] = {}
    for scene in sorted(path.name for path in (KEPT_BACK / "mails").iterdir()):
        folder, written = Path(tempfile.mkdtemp()), mails_of(scene, KEPT_BACK)
        found |= outcomes(scene, folder, written)
        mails |= {mail.name: mail for mail in written}
        shutil.rmtree(folder)
    lines = [f"{outcome:10} {name}" for name, outcome in sorted(found.items())]
    told = [*lines, *tables(found, mails), "", f"{datetime.now(UTC):%Y-%m-%d}  {score(found)}", ""]
    (KEPT_BACK / "standing.txt").write_text("\n".join(told), encoding="utf-8")
    print("\n".join(told))


def main() -> None:
    found: dict[str, Outcome] = {}
    mails: dict[str, WrittenMail] = {}
    for scene in SCENES:
        folder = Path(tempfile.mkdtemp())
        written = mails_of(scene)
        theirs = outcomes(scene, folder, written)
        shutil.rmtree(folder)
        for mail in written:
            mails[mail.name] = mail
            if theirs[mail.name] != (before := recorded(scene).get(mail.name)):
                print(f"{before or 'new':>10} -> {theirs[mail.name]:10} {mail.meant:12} {mail.name}")
        found |= theirs
        lines = [f"{outcome:10} {name}\n" for name, outcome in sorted(theirs.items())]
        (HERE / "standing").mkdir(exist_ok=True)
        (HERE / "standing" / f"{scene}.txt").write_text("".join(lines), encoding="utf-8")
    print("\n".join(tables(found, mails)))
    line = f"{datetime.now(UTC):%Y-%m-%d}  {score(found)}\n"
    print(f"\n{line}", end="")
    if sys.argv[1:] == ["--keep"]:
        with (HERE / "history.txt").open("a", encoding="utf-8") as history:
            history.write(line)


if __name__ == "__main__":
    kept_back() if sys.argv[1:] == ["--kept-back"] else main()
