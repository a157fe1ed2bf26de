"""How the mails stand. `make understood` plays every corpus and prints its score; `make understood WITH="..."` as told:

    --corpus NAME    only that one: `known` (words were chosen on it), `kept_back`, or a folder of `unseen/`
    --from FOLDER    a corpus that lies elsewhere, `mails/SCENE/*.eml` like the others; `scenes/` too, where it has some
    --only SCENE     its mails of that scene; given again, of that one too
    --sample N       every Nth of its mails
    --show           what each mail says that is not understood, and what was answered
    --write          the standing is written down: of `known` a file a scene, of others `standing.txt` beside `mails/`
    --keep           its score is added to `history.txt`

A mail that stands otherwise than written down, and is not understood, is told in a line; so is one that is left out,
since what stands at its head fits no letter, or what it means does not count there."""

import argparse
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from tests.understood.mails import WrittenMail, mails_of
from tests.understood.meant import OUTCOMES, Judge, Judged, Outcome, Unplayable
from tests.understood.scenes import HERE, KEPT_BACK, Plays

SCENES = sorted(path.stem for path in (HERE / "scenes").glob("*.toml"))
HISTORY = HERE / "history.txt"


@dataclass(frozen=True)
class Corpus:
    """Mails by scene, and how they stood when that was last written down."""

    name: str
    root: Path

    @property
    def scenes(self) -> list[str]:
        return sorted(path.name for path in (self.root / "mails").iterdir() if path.is_dir())

    def mails(self, scene: str) -> list[WrittenMail]:
        return mails_of(scene, self.root)

    def recorded(self, scene: str) -> dict[str, str]:
        """The outcome of each mail of a scene as it was last written down."""
        path = self._standing(scene)
        lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
        stood = {name: outcome for outcome, name in map(str.split, lines)}
        return {name: outcome for name, outcome in stood.items() if name.startswith(f"{scene}/")}

    def record(self, found: Mapping[str, Judged]) -> None:
        """All its mails were sent."""
        files: dict[Path, list[str]] = {}
        for name, judged in sorted(found.items()):
            line = f"{judged.outcome:10} {name}\n"
            files.setdefault(self._standing(name.partition("/")[0]), []).append(line)
        for path, lines in files.items():
            path.parent.mkdir(exist_ok=True)
            path.write_text("".join(lines), encoding="utf-8")

    def _standing(self, scene: str) -> Path:
        return self.root / (f"standing/{scene}.txt" if self.name == "known" else "standing.txt")


KNOWN = Corpus("known", HERE)


def corpora() -> list[Corpus]:
    unseen = sorted(path.parent for path in (HERE / "unseen").glob("*/mails"))
    return [KNOWN, Corpus("kept_back", KEPT_BACK), *(Corpus(path.name, path) for path in unseen)]


def outcomes(scene: str, folder: Path, mails: Sequence[WrittenMail]) -> dict[str, Outcome]:
    """What becomes of mails of a scene."""
    with judging(scene, Plays(folder / "plays")) as judge:
        return {mail.name: judge.judged(mail).outcome for mail in mails}


@contextmanager
def judging(scene: str, plays: Plays) -> Iterator[Judge]:
    """Whoever judges mails of a scene; the copies that were made for them are gone then."""
    played = plays.scene(scene)
    with tempfile.TemporaryDirectory(dir=plays.folder) as folder:
        yield Judge(played, Path(folder))


def score(found: Mapping[str, Judged]) -> str:
    counted = Counter(judged.outcome for judged in found.values())
    return f"{len(found)} mails: " + ", ".join(f"{counted[outcome]} {outcome}" for outcome in OUTCOMES)


def tables(found: Mapping[str, Judged], mails: Mapping[str, WrittenMail]) -> Iterator[str]:
    """The score by scene, by what was meant, by program and by language."""
    groups: tuple[tuple[str, Callable[[WrittenMail], str]], ...] = (
        ("scene", lambda mail: mail.path.parent.name),
        ("meant", lambda mail: mail.meant),
        ("program", lambda mail: mail.field("X-Program") or "a fresh mail"),
        ("language", lambda mail: mail.field("X-Language") or "english"),
    )
    for title, group in groups:
        yield from ("", f"{title:22}" + "".join(f"{outcome:>12}" for outcome in OUTCOMES))
        for name in sorted({group(mail) for mail in mails.values()}):
            counted = Counter(found[key].outcome for key, mail in mails.items() if group(mail) == name)
            yield f"{name:22}" + "".join(f"{counted[outcome]:>12}" for outcome in OUTCOMES)


def shown(mail: WrittenMail, judged: Judged) -> str:
    """What it says and means, and what was answered."""
    wants = [mail.meant, *mail.field("X-Order").split(" | ")]
    told = [f"{letter.kind} to {letter.to}:\n\n{letter.text.strip()}" for letter in judged.letters]
    said = str(mail.message.get_content()).strip()
    text = "\n\n".join((f"Meant: {', '.join(filter(None, wants))}", said, *told))
    return "".join(f"    {line}".rstrip() + "\n" for line in text.splitlines())


def told(mail: WrittenMail, judged: Judged, stood: str, show: bool) -> None:
    """A line of what is not understood, or otherwise than before; `show` what it says too."""
    if judged.outcome not in ("understood", stood) or (show and judged.outcome != "understood"):
        print(f"{stood:>10} -> {judged.outcome:10} {mail.meant:12} {mail.name}", flush=True)
        print(shown(mail, judged) if show else "", end="", flush=True)


def played(corpus: Corpus, plays: Plays, given: argparse.Namespace) -> None:
    """A corpus, or what is asked for of it."""
    found: dict[str, Judged] = {}
    mails: dict[str, WrittenMail] = {}
    for scene in corpus.scenes:
        if given.only and scene not in given.only:
            continue
        before = corpus.recorded(scene)
        with judging(scene, plays) as judge:
            for mail in corpus.mails(scene)[:: given.sample]:
                try:
                    judged = judge.judged(mail)
                except Unplayable as fault:
                    print(f"left out: {fault}", flush=True)
                    continue
                found[mail.name], mails[mail.name] = judged, mail
                told(mail, judged, before.get(mail.name, "new"), given.show)
    line = f"{datetime.now(UTC):%Y-%m-%d}  {corpus.name:10} {score(found)}"
    handed = sum(1 for judged in found.values() if judged.handed)
    print("\n".join(tables(found, mails)), f"\n{line} ({handed} came to the moderator too)\n", sep="\n")
    whole = not given.only and given.sample == 1
    if given.write and whole:
        corpus.record(found)
    if given.keep and whole:
        with HISTORY.open("a", encoding="utf-8") as history:
            history.write(f"{line}\n")


def main() -> None:
    asked = argparse.ArgumentParser(prog="make understood", description=__doc__)
    asked.formatter_class = argparse.RawDescriptionHelpFormatter
    asked.add_argument("--corpus", choices=[corpus.name for corpus in corpora()])
    asked.add_argument("--from", dest="folder", type=Path)
    asked.add_argument("--only", action="append", metavar="SCENE")
    asked.add_argument("--sample", type=int, default=1, metavar="N")
    asked.add_argument("--show", action="store_true")
    asked.add_argument("--write", action="store_true")
    asked.add_argument("--keep", action="store_true")
    given = asked.parse_args()
    chosen = [corpus for corpus in corpora() if given.corpus in (None, corpus.name)]
    if given.folder is not None:
        chosen = [Corpus(given.folder.name, given.folder)]
    with tempfile.TemporaryDirectory() as folder:
        for corpus in chosen:
            plays = Plays(Path(folder) / corpus.name, (HERE, KEPT_BACK, corpus.root))
            played(corpus, plays, given)


if __name__ == "__main__":
    main()
