"""What is said is read by `referee read`, many mails a call, which records nothing. What passes the firewall is told:
where an order counts that was not given, or another than was; and where one is refused that was given in lines of its
own, whatever stands beside it. `python -m tests.firewall.wall [SCENE ...]` tells all."""

from __future__ import annotations

import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from email.message import EmailMessage
from pathlib import Path
from typing import Any

from tests.firewall.saying import Order, Said, orders, sayings
from tests.understood.scenes import Plays, Scene, stamp

REFUSED = "refused"
_WORDS = ("comment:", "remark:")  # lines of an answer that are words to the others
FIRST = 25  # signs of a sentence by which it is known in a letter, where it may be cut
_AT_ONCE = 400  # mails a call


@dataclass(frozen=True)
class Passed:
    """A mail by which something counts that it does not say."""

    order: Order
    said: Said
    counted: str

    def __str__(self) -> str:
        return f"{self.order.scene}: {self.said.kind} ({self.said.language}): {self.said.text!r} -> {self.counted!r}"


@dataclass(frozen=True)
class Wall:
    """The duty of one seat in a scene, under way."""

    order: Order
    scene: Scene

    @classmethod
    def of(cls, order: Order, plays: Plays) -> Wall:
        return cls(order, plays.scene(order.scene))

    @property
    def lines(self) -> str:
        return self.order.lines(self.scene)

    def sayings(self) -> list[Said]:
        return [*sayings(self.order, self.lines)]

    def passed(self, sayings: Sequence[Said]) -> tuple[list[Passed], int]:
        """What counts though it was not given, and how many orders counted that were."""
        (plain,) = self.counted([self.lines])
        assert plain, f"{self.order}: the order itself does not count"
        found, good = list[Passed](), 0
        for said, counted in zip(sayings, self.counted([said.text for said in sayings]), strict=True):
            if said.given and counted == plain:
                good += 1
            elif counted and (counted != REFUSED or (said.given and "in line" not in said.kind)):
                found.append(Passed(self.order, said, counted))
        return found, good

    def untold(self, said: Said, folder: Path) -> str:
        """What is told to the sender of a mail whose order counts, where what is said beside it is not in it."""
        scene = self.scene.copied(folder)
        scene.world.raw(self._mail(said.text, "told"), stamp(scene.now))
        _, letters = scene.passed(scene.now)
        told = " ".join(x.text for x in letters if x.to == f"{self.order.who}@example.org")
        return "" if _squashed(said.beside)[:FIRST] in _squashed(told) else told

    def counted(self, texts: Sequence[str]) -> list[str]:
        """What would count by each of these mails; nothing where nothing does."""
        return [
            reading
            for start in range(0, len(texts), _AT_ONCE)
            for reading in self._read(texts[start : start + _AT_ONCE])
        ]

    def _read(self, texts: Sequence[str]) -> Iterator[str]:
        with tempfile.TemporaryDirectory() as folder:
            files = [Path(folder) / f"{number}.eml" for number in range(len(texts) + 1)]
            for file, text in zip(files, ["", *texts], strict=True):  # two at least: a single one is no list
                file.write_bytes(self._mail(text, file.stem))
            ran = self.scene.world.do("read", *map(str, files), "--as-of", stamp(self.scene.now), "--json")
            yield from map(_counts, ran.json[1:])

    def _mail(self, text: str, name: str) -> bytes:
        letter, mail = self.scene.letter("due", f"{self.order.who}@example.org"), EmailMessage()
        mail["From"] = letter.to
        mail["To"] = str(letter.message["Reply-To"])
        mail["Subject"] = f"Re: {letter.subject}"
        mail["Date"] = self.scene.now
        mail["Message-ID"] = f"<{name}@players.example>"
        mail["In-Reply-To"] = str(letter.message["Message-ID"])
        mail.set_content(text)
        return mail.as_bytes()


def _squashed(text: str) -> str:
    return "".join(filter(str.isalnum, text)).lower()


def _counts(reading: dict[str, Any]) -> str:
    if reading["disposition"] != "accepted":
        return REFUSED if reading["disposition"] == REFUSED else ""
    if reading["demand"] is None:
        return f"a wish: {reading['answer']}"
    text = next((one["text"] for one in reading["readings"] if one["demand"] == reading["demand"]), "")
    lines = [line for line in text.splitlines() if line.strip() and not line.lower().startswith(_WORDS)]
    return "\n".join([f"{reading['demand']}:", *lines])


def main(scenes: Sequence[str]) -> None:
    found: list[Passed] = []
    with tempfile.TemporaryDirectory() as folder:
        plays = Plays(Path(folder))
        for order in orders():
            if scenes and order.scene not in scenes:
                continue
            wall = Wall.of(order, plays)
            said = wall.sayings()
            passed, good = wall.passed(said)
            given = sum(1 for one in said if one.given)
            print(
                f"{order.scene:10} {len(said):5} mails, {len(passed):4} pass; of {given:4} plain orders {good:4} count",
                flush=True,
            )
            found += passed
    for kind, number in Counter(passed.said.kind for passed in found).most_common():
        print(f"{number:5} {kind}")
    for passed in found:
        print(passed)


if __name__ == "__main__":
    main(sys.argv[1:])
