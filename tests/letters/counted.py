"""What a match's letters come to for each of its readers: how many there are, of which kinds, and what their lines are.

`python -m tests.letters.counted DIR` counts those that `referee demo` has left in a folder.
"""

import re
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from email import message_from_bytes
from email.utils import parseaddr
from pathlib import Path

from referee.rehearsal.laws import SentLetter, read_letter

_SIGNS = re.compile(r"\S{1,3}(?: \S)? {2,}\S")  # a legend's line: a sign and what it means
_MEANS = re.compile(r"You (?:have|play|are)\b|F\$ of Players|Prisoners:")


@dataclass
class Read:
    """What one address sent and was sent: mails, letters by their kinds, lines by what they are."""

    mails: int = 0
    accepted: int = 0  # answers of theirs, by what the letters say
    letters: Counter[str] = field(default_factory=Counter)
    lines: Counter[str] = field(default_factory=Counter)

    def per_answer(self) -> tuple[float, float]:
        """Letters and lines for each answer of theirs that was accepted."""
        return self.letters.total() / self.accepted, self.lines.total() / self.accepted


def counted(folder: Path) -> dict[str, Read]:
    """By address, from the Maildirs of a finished rehearsal."""
    found: dict[str, Read] = {}
    for path in (folder / "mail/in/cur").iterdir():
        sender = parseaddr(str(message_from_bytes(path.read_bytes())["From"]))[1]
        found.setdefault(sender, Read()).mails += 1
    for letter in (read_letter(path.read_bytes()) for path in (folder / "mail/out/new").iterdir()):
        read = found.setdefault(letter.recipient, Read())
        read.letters[letter.notice] += 1
        read.accepted += "and is accepted. I read it so:" in " ".join(letter.text.split())
        read.lines.update(_parts(letter))
    return found


def _parts(letter: SentLetter) -> Iterator[str]:
    """What each line of a letter belongs to."""
    text = letter.text.strip()
    form = letter.form if letter.notice in ("due", "refusal", "reminder") else ""
    for block in text.removesuffix(form).split("\n\n"):
        lines = block.splitlines()
        part = "words"
        if len(lines) > 4 and lines[0].split() == lines[-1].split():
            part = "board"
        elif all(_SIGNS.match(line) for line in lines[:3]) and len(lines) > 2:
            part = "legend"
        elif any(line.startswith("> ") for line in lines):
            part = "events"
        elif lines and _MEANS.match(lines[0]):
            part = "means"
        yield from (part for _ in range(len(lines) + 1))
    yield from ("form" for _ in form.splitlines())


if __name__ == "__main__":
    for address, read in sorted(counted(Path(sys.argv[1])).items()):
        each = "{:.2f} letters and {:.1f} lines each".format(*read.per_answer()) if read.accepted else ""
        print(f"{address}: {read.mails} mails, {read.accepted} accepted; {each}")
        print("  ", dict(read.letters), dict(read.lines))
