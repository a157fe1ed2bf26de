"""A referee of one's own for a test: a folder, the real command line, players' mails in, letters out."""

from __future__ import annotations

import email
import json
import os
import shutil
import tempfile
from base64 import b64encode
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager, redirect_stderr, redirect_stdout
from copy import copy
from dataclasses import dataclass
from datetime import UTC, datetime
from email.message import EmailMessage
from email.policy import compat32, default
from functools import cache, cached_property
from io import StringIO
from pathlib import Path
from typing import Any, Self

from referee.cli.app import status
from referee.core import seam
from referee.games import found
from referee.match.match import outstanding
from referee.rehearsal.players import seeded
from referee.service.config import read_configuration
from referee.service.wiring import Referee, running
from tests.empty_store import put_tables

START = "2026-03-01T12:00:00Z"
DAILY = "What waits at the desk"


_FOLDERS = tempfile.TemporaryDirectory(dir=os.environ.get("PYTEST_DEBUG_TEMPROOT"))


@dataclass(frozen=True)
class Ran:
    """What a command did."""

    status: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


@dataclass(frozen=True)
class Sent:
    """A letter that left; what is asked of it is looked up in its message."""

    message: EmailMessage

    @property
    def kind(self) -> str:
        return str(self.message["X-Referee-Notice"])

    @property
    def to(self) -> str:
        return str(self.message["Delivered-To"])

    @property
    def subject(self) -> str:
        return str(self.message["Subject"])

    @property
    def match(self) -> str | None:
        found = self.message["X-Referee-Match"]
        return None if found is None else str(found)

    @property
    def position(self) -> int | None:
        position = self.message["X-Referee-Position"]
        return int(position) if position else None

    @cached_property
    def text(self) -> str:
        body = self.message.get_body(("plain", "html"))
        assert body is not None
        content: str = body.get_content()
        return content

    @cached_property
    def words(self) -> str:
        """The text on one line."""
        return " ".join(self.text.split())

    @property
    def form(self) -> str:
        """The last block that begins with `Name:`, or the last paragraph."""
        blocks = [b for b in self.text.strip().split("\n\n") if b.strip()]
        starts = [i for i, b in enumerate(blocks) if b.startswith("Name:")]
        return "\n\n".join(blocks[starts[-1] :] if starts else blocks[-1:])


class World:
    """One folder with a configuration, driven through the outer contract alone."""

    def __init__(self, folder: Path, config: str | None = None, *, tables: bool = True) -> None:
        self.folder = folder
        self._mails = 0
        self._seen: set[str] = set()
        if not (folder / "referee.toml").exists():
            shutil.copytree(_initialised(), folder, dirs_exist_ok=True)
            if tables:
                put_tables(folder / "referee.db")
        if config is not None:
            (folder / "referee.toml").write_text(config, encoding="utf-8")

    def copied(self, folder: Path) -> World:
        """The same world once more, in another folder, which does not exist or is empty."""
        shutil.copytree(self.folder, folder, dirs_exist_ok=True)
        other = World(folder)
        other._mails, other._seen = self._mails, set(self._seen)
        return other

    def configure(self, old: str, new: str) -> None:
        """Change a line of the configuration."""
        path = self.folder / "referee.toml"
        text = path.read_text(encoding="utf-8")
        assert old in text, old
        path.write_text(text.replace(old, new), encoding="utf-8")

    def run(self, *arguments: str, config: bool = True) -> Ran:
        """A command line, in this process."""
        before = ["--config", str(self.folder / "referee.toml")] if config else []
        out, err = StringIO(), StringIO()
        with redirect_stdout(out), redirect_stderr(err):
            code = status([*before, *arguments])
        return Ran(code, out.getvalue(), err.getvalue())

    def do(self, *arguments: str, config: bool = True) -> Ran:
        """A command line that must be carried out."""
        ran = self.run(*arguments, config=config)
        assert ran.status == 0, ran.err + ran.out
        return ran

    def referee(self) -> AbstractContextManager[Referee]:
        """What the commands work with, for who looks behind them."""
        return running(read_configuration(self.folder / "referee.toml"))

    def at_desk(self, *addresses: str) -> None:
        """These moderate from now on; no letter tells of it."""
        with self.referee() as referee, referee.store.transaction() as unit:
            unit.seat_moderators(addresses)

    def open(
        self, game: str, people: Sequence[str], now: str = START, seed: int | None = None, **options: str
    ) -> str:
        """Open a match for people given as `Name <address>`; its name."""
        seats = [part for person in people for part in ("--seat", person)]
        chosen = [part for key, value in options.items() for part in ("--option", f"{key}={value}")]
        drawn = ("--seed", str(seed)) if seed is not None else ()
        ran = self.run("open", game, *seats, *chosen, *drawn, "--now", now)
        assert ran.status == 0, ran.err
        return ran.out.strip()

    def mail(self, sender: str, subject: str, body: str, at: str = START, **head: Any) -> Path:
        """Put a mail into the mailbox, arriving at that moment."""
        message = self.message(sender, subject, at, **head)
        message.set_content(body)
        return self.raw(message.as_bytes(), at)

    def message(
        self,
        sender: str,
        subject: str,
        at: str = START,
        *,
        message_id: str | None = None,
        date: str | None = None,
        reply_to: str | None = None,
        to: str = "collector@referee.localhost",
        headers: Mapping[str, str] | None = None,
    ) -> EmailMessage:
        """A mail without its words."""
        self._mails += 1
        message = EmailMessage()
        message["From"] = sender
        message["To"] = to
        message["Subject"] = subject
        message["Date"] = datetime.fromisoformat(date or at)
        message["Message-ID"] = message_id or f"<mail-{self._mails}@players.example>"
        if reply_to:
            message["In-Reply-To"] = reply_to
        for name, value in (headers or {}).items():
            message[name] = value
        return message

    def raw(self, raw: bytes, at: str = START) -> Path:
        """The same for bytes of any kind. A service that is at work sees the mail whole, with its time, or not yet."""
        self._mails += 1
        draft = self.folder / "mail/in/tmp" / f"m{self._mails:06d}"
        draft.write_bytes(raw)
        moment = datetime.fromisoformat(at).astimezone(UTC).timestamp()
        os.utime(draft, (moment, moment))
        return draft.rename(self.folder / "mail/in/new" / draft.name)

    def step(self, now: str = START) -> dict[str, Any]:
        """One pass; its counts."""
        ran = self.run("step", "--now", now, "--json")
        assert ran.status == 0, ran.err
        counts: dict[str, Any] = ran.json
        return counts

    def passed(self, now: str = START) -> list[Sent]:
        """One pass; the letters since this was last asked."""
        self.step(now)
        return self.new_letters()

    def sends(self, sender: str, subject: str, body: str, at: str = START, **more: Any) -> list[Sent]:
        """A mail, and the letters of the pass that finds it."""
        self.mail(sender, subject, body, at, **more)
        return self.passed(at)

    def replies(self, letter: Sent, words: str, at: str, sender: str | None = None) -> list[Sent]:
        """The same of a reply."""
        self.reply(letter, words, at, sender)
        return self.passed(at)

    def new_letters(self, *, daily: bool = False) -> list[Sent]:
        """The letters that left since this was last asked, in no order but their kinds'. The desk's `daily` letter
        comes with whatever pass is the first of a day: only who asks for it gets it."""
        folder = self.folder / "mail/out/new"
        fresh = sorted(p for p in folder.iterdir() if p.name not in self._seen) if folder.exists() else []
        self._seen |= {p.name for p in fresh}
        letters = [sent(p.read_bytes()) for p in fresh]
        return [letter for letter in letters if daily or letter.subject != DAILY]

    def reply(self, letter: Sent, words: str, at: str, sender: str | None = None) -> Path:
        """What a mail program makes of Reply: subject, address for replies, thread."""
        return self.mail(
            sender or letter.to, f"Re: {letter.subject}", words, at, to=letter.message["Reply-To"],
            reply_to=letter.message["Message-ID"],
        )  # fmt: skip

    def join(self, match: str, sender: str, at: str, subject: str = "") -> list[Sent]:
        """Somebody asks for a vacant seat and says Yes to the question that follows; the letters of the second pass."""
        return self.mail_and_yes(sender, subject or f"join {match}", "", at)

    def mail_and_yes(self, sender: str, subject: str, body: str, at: str = START) -> list[Sent]:
        """A mail whose sender is asked whether it is his (a seat is taken or given up), and his Yes; the letters of
        the second pass."""
        (asked,) = [x for x in self.sends(sender, subject, body, at) if x.kind == "challenge"]
        return self.replies(asked, "Yes", at)

    def verifies(self, match: str) -> None:
        """The match's record, read without the referee, is found sound."""
        file = self.folder / "record.json"
        file.write_text(self.do("record", match).out, encoding="utf-8")
        self.do("verify", str(file), config=False)

    def show(self, match: str, *arguments: str) -> dict[str, Any]:
        facts: dict[str, Any] = self.run("show", match, "--json", *arguments).json
        return facts


@cache
def _initialised() -> Path:
    """What `init` leaves, made once a process."""
    folder = Path(_FOLDERS.name) / "initialised"
    with redirect_stdout(StringIO()):
        assert status(["init", str(folder)]) == 0
    return folder


def sent(raw: bytes) -> Sent:
    """Taken apart by the old policy, which takes a tenth of the time; its headers are read by the new one."""
    message = email.message_from_bytes(raw, _class=EmailMessage, policy=compat32)
    assert isinstance(message, EmailMessage)
    for part in message.walk():
        part.policy = default
    return Sent(message)


def in_public(letters: Sequence[Sent]) -> list[str]:
    """Who was told what all are told, once for each of those letters: by a public letter, or in one of his own."""
    return sorted(letter.to for letter in letters if letter.position is not None)


def kinds(letters: Sequence[Sent]) -> dict[str, list[str]]:
    """Who got what: kind of letter to the sorted recipients."""
    found: dict[str, list[str]] = {}
    for letter in letters:
        found.setdefault(letter.kind, []).append(letter.to)
    return {kind: sorted(people) for kind, people in sorted(found.items())}


# --- two at a table --------------------------------------------------------------------------------------------------

ANN, BEN = "ann@example.org", "ben@example.org"
PEOPLE = [f"Ann Archer <{ANN}>; Europe/Berlin", f"Ben Baker <{BEN}>"]


def vouched(domain: str, signature: bytes = b"a signature") -> dict[str, str]:
    """What a mail signed by the domain has, and what a server writes that has checked it."""
    value = b64encode(signature).decode()
    said = f"dkim=pass header.d={domain} header.s=s1 header.b={value[:8]}; dmarc=pass header.from={domain}"
    tags = f"v=1; a=rsa-sha256; d={domain}; s=s1; h=from:to:subject:date; bh=eA==; b={value}"
    return {"Authentication-Results": f"mx.referee.localhost; {said}", "DKIM-Signature": tags}


class Table:
    """A match of buttons and bridges, or of another game; letters so far by reader."""

    def __init__(
        self, folder: Path, game: str = "buttons", people: list[str] | None = None, **options: str
    ) -> None:
        self.people = people or PEOPLE
        if (folder / "referee.toml").exists():  # a world of its own kind
            self.world, self.letters = World(folder), list[Sent]()
            self.match = self.world.open(game, self.people, **options)
            self.step()
            addresses = {p.split(" <")[0]: p.split("<")[1].split(">")[0] for p in self.people}
            shown = self.world.show(self.match)
            self.seats = {s["number"]: addresses[s["name"]] for s in shown["seats"]}
            self.turn = shown["due"][0]["seat"]
        else:
            secret = os.environ.get("REFEREE_SECRET")
            begun = _begun(secret, game, tuple(self.people), tuple(options.items()))
            self.__dict__.update(begun.copied(folder).__dict__)

    def copied(self, folder: Path) -> Self:
        """The same table once more, in another folder."""
        other = copy(self)
        other.world = self.world.copied(folder)
        other.letters, other.seats = list(self.letters), dict(self.seats)
        return other

    @property
    def mover(self) -> str:
        return self.seats[self.turn]

    @property
    def other(self) -> str:
        return next(a for a in self.seats.values() if a != self.mover)

    def seat(self, address: str) -> int:
        return next(n for n, a in self.seats.items() if a == address)

    def step(self, now: str = START) -> tuple[dict[str, Any], list[Sent]]:
        counts = self.world.step(now)
        fresh = self.world.new_letters()
        self.letters += fresh
        return counts, fresh

    def latest(self, kind: str, to: str) -> Sent:
        return [x for x in self.letters if x.kind == kind and x.to == to][-1]

    def send(
        self, sender: str, subject: str, body: str, at: str, **more: Any
    ) -> tuple[dict[str, Any], list[Sent]]:
        """A mail arrives, and a pass is made."""
        self.world.mail(sender, subject, body, at, **more)
        return self.step(at)

    def reply(self, letter: Sent, body: str, at: str, sender: str | None = None, **more: Any):
        """What a mail program makes of Reply: subject, address for replies, thread."""
        subject = letter.subject if letter.subject.startswith("Re:") else f"Re: {letter.subject}"
        headers = {
            "References": f"{letter.message['References'] or ''} {letter.message['Message-ID']}".strip()
        }
        return self.send(
            sender or letter.to, subject, body, at, to=letter.message["Reply-To"],
            reply_to=letter.message["Message-ID"], headers=headers, **more,
        )  # fmt: skip

    def watch(self, watcher: str, at: str) -> list[Sent]:
        """Somebody asks for the match's letters and says Yes to the question that follows; the letters after it."""
        letters = self.world.mail_and_yes(watcher, f"observe {self.match}", "", at)
        self.letters += letters
        return letters

    def orders(self, address: str) -> str:
        """A legal answer to what the address owes."""
        return orders(self.world, self.match, self.seat(address))


@cache
def _begun(
    secret: str | None, game: str, people: tuple[str, ...], options: tuple[tuple[str, str], ...]
) -> Table:
    """That match after its first pass: made once a process, and copied by whoever plays it."""
    world = World(Path(tempfile.mkdtemp(dir=_FOLDERS.name)))
    return Table(world.folder, game, list(people), **dict(options))


def orders(world: World, name: str, seat: int) -> str:
    """A legal answer to what the seat owes, by the game's own suggestion, in a filled-in form."""
    with world.referee() as referee:
        match = referee.moderator.match(name)
        game = found()[match.game]
        demand = next(d for r in match.rounds for d in outstanding(match, r) if d.seat == seat)
        action = seam.suggest(game, match.inner, demand, seeded("orders", match.version))
        return seam.filled_in(game, match.inner, demand, match.party(seat), action)
