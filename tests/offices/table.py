"""Two players at a quick game, for tests of what the offices do beside it."""

import os
import tempfile
from base64 import b64encode
from functools import cache
from pathlib import Path
from typing import Any

from referee.core import seam
from tests.world import START, Sent, World

ANN, BEN = "ann@example.org", "ben@example.org"
_FOLDERS = tempfile.TemporaryDirectory(dir=os.environ.get("PYTEST_DEBUG_TEMPROOT"))
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
            self.world, self.match, self.turn = begun.world.copied(folder), begun.match, begun.turn
            self.letters, self.seats = list(begun.letters), dict(begun.seats)

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
    from referee.games import found
    from referee.match.match import outstanding
    from referee.rehearsal.players import seeded
    from referee.service.config import read_configuration
    from referee.service.wiring import running

    with running(read_configuration(world.folder / "referee.toml")) as referee:
        match = referee.moderator.match(name)
        game = found()[match.game]
        demand = next(d for r in match.rounds for d in outstanding(match, r) if d.seat == seat)
        action = seam.suggest(game, match.inner, demand, seeded("orders", match.version))
        return seam.filled_in(game, match.inner, demand, match.party(seat), action)
