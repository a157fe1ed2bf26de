"""Mails as players write them, a file each. The true letter stands in them by its name, for letters change their words
and these mails never do. Every field that begins with X- is for us and leaves the mail before it is sent.

    X-Answers      the letter answered: its kind, `due/0` the first of it; without it the mail is a fresh one
    X-Match        which match's letter, by number, where there are several
    X-Program      how the letter is quoted (`quoting.PROGRAMS`); X-Language in whose words
    X-Meant        what its writer meant (`meant.py`)
    X-Order        the order in canonical lines, parted by ` | `, or `@name` of one of the scene
    X-Command      the subject that says it
    X-Sent-As      reply, where the order is one to that letter
    X-Settled-By   what answers the question that the mail brings, where that is not OK
"""

import email
import re
from dataclasses import dataclass
from datetime import datetime
from email.message import EmailMessage
from email.policy import default
from functools import cached_property
from pathlib import Path

from tests.understood.quoting import PROGRAMS, Quoted, Words
from tests.understood.scenes import HERE, Scene
from tests.world import Sent

_REPLY = {"outlook": "RE: ", "outlook-web": "RE: ", "german": "AW: ", "polish": "Odp: ", "swedish": "SV: "}


@dataclass(frozen=True)
class WrittenMail:
    """A file of `mails/`."""

    path: Path

    @property
    def name(self) -> str:
        return f"{self.path.parent.name}/{self.path.stem}"

    @cached_property
    def message(self) -> EmailMessage:
        found = email.message_from_bytes(self.path.read_bytes(), policy=default)
        assert isinstance(found, EmailMessage)
        return found

    def field(self, name: str) -> str:
        return str(self.message[name] or "").strip()

    @property
    def meant(self) -> str:
        return self.field("X-Meant")

    @property
    def sender(self) -> str:
        return self.field("From").partition("<")[2].rstrip(">")

    def match(self, scene: Scene) -> str:
        return scene.matches[int(self.field("X-Match") or 0)]

    def letter(self, scene: Scene) -> Sent | None:
        """The letter that it answers."""
        asked = self.field("X-Answers")
        return scene.letter(asked, self.sender, self.match(scene)) if asked else None

    def orders(self, scene: Scene) -> str:
        """What its writer wants done, in canonical lines."""
        order = self.field("X-Order")
        return scene.orders[order[1:]] if order.startswith("@") else order.replace(" | ", "\n")

    def raw(self, scene: Scene) -> bytes:
        """The mail as its writer's program sends it."""
        mail, letter = EmailMessage(), self.letter(scene)
        mail["From"] = self.field("From")
        mail["To"] = str(letter.message["Reply-To"]) if letter else "collector@referee.localhost"
        mail["Subject"] = self._subject(scene, letter)
        mail["Date"] = datetime.fromisoformat(self.field("Date")) if self.field("Date") else scene.now
        mail["Message-ID"] = f"<{self.path.stem}@players.example>"
        if letter is not None:
            mail["In-Reply-To"] = str(letter.message["Message-ID"])
            mail["References"] = (
                f"{letter.message['References'] or ''} {letter.message['Message-ID']}".strip()
            )
        said = re.sub(
            r"\{order ([\w-]+)\}", lambda found: scene.orders[found[1]], str(self.message.get_content())
        )
        if letter is None:
            mail.set_content(said)
        else:
            program = PROGRAMS[self.field("X-Program") or "none"]
            program(mail, Words(said, Quoted.of(letter), self.field("X-Language") or "english"))
        return mail.as_bytes()

    def _subject(self, scene: Scene, letter: Sent | None) -> str:
        if letter is None or "Subject" in self.message:
            return self.field("Subject").replace("multigo-1", scene.matches[0])
        if letter.subject.startswith("Re:"):
            return letter.subject
        prefix = _REPLY.get(self.field("X-Language")) or _REPLY.get(self.field("X-Program")) or "Re: "
        return f"{prefix}{letter.subject}"


def mails_of(scene: str, root: Path = HERE) -> list[WrittenMail]:
    return [WrittenMail(path) for path in sorted((root / "mails" / scene).glob("*.eml"))]
