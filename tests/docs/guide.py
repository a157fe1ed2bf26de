"""A guide, read as what it shows: commands, files, mails that players send and letters that they get."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

GUIDES = Path(__file__).parents[2] / "docs" / "guides"
LEFT_OUT = "[...]"  # a line of its own in a letter or in what a command says
_FENCE = re.compile(r"^```(\S+)[ ]?(.*?)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True, slots=True)
class Shown:
    """A fenced block: its language (`sh`, `output`, `mail`, `letter`, `toml` ..), what stands behind that, its text and
    its line in the page."""

    kind: str
    about: str
    text: str
    line: int

    @property
    def parts(self) -> list[str]:
        """What is shown, between what is left out."""
        parts = (part.strip("\n") for part in re.split(rf"(?m)^{re.escape(LEFT_OUT)}$", self.text))
        return [part for part in parts if part.strip()]

    @property
    def fields(self) -> tuple[dict[str, str], str]:
        """Of a mail: its fields and its body."""
        head, _, body = self.text.partition("\n\n")
        return dict(line.split(": ", 1) for line in head.splitlines()), body


def shown(page: Path) -> Iterator[Shown]:
    text = page.read_text(encoding="utf-8")
    for found in _FENCE.finditer(text):
        yield Shown(found[1], found[2], found[3], text.count("\n", 0, found.start()) + 1)


def missing(block: Shown, said: str) -> str:
    """The first part of the block that does not stand in what was said, behind those before it; else empty."""
    at = 0
    lines = "\n".join(line.rstrip() for line in said.splitlines())
    for part in block.parts:
        found = lines.find(part, at)
        if found < 0:
            return part
        at = found + len(part)
    return ""
