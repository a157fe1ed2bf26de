"""What `doctor` looks at besides store, mailbox and courier, which examine themselves."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import sqlalchemy as sa

from referee.base.errors import RefereeError
from referee.base.ports import WorthKnowing
from referee.base.private import exposed
from referee.core.texts.addresses import address_key
from referee.mail.sender.authentication import unproved, vouching
from referee.match.chain import stamp
from referee.offices.clock import doubt
from referee.service import configuring
from referee.service.config import Configuration
from referee.service.heartbeat import Heartbeat
from referee.service.wiring import STORE_TROUBLE, Referee, secret_of
from referee.store.engine import WrongEncoding
from referee.upkeep.probe import replies_lost

_EXAMPLES = re.compile(r"(?i)[@.]example\.(?:org|com|net)$|\.(?:example|invalid)$")  # RFC 2606, RFC 6761
_NEWEST = 20  # mails that show what the mail server says of senders


def placeholders(settings: Configuration, at_desk: Sequence[str]) -> Iterator[str]:
    """What still stands in the configuration as an example or as `init` left it, though it would be
    used; of moderators those who are at the desk."""
    s, o = settings, settings.offices
    named = {"speaker": (o.speaker,), "collector": (o.collector,), "moderator": at_desk, "also": o.also}
    real = not (s.mailbox.url.startswith("maildir:") and s.courier.url.startswith("maildir:"))
    for key, addresses in named.items():
        for address in addresses:
            if _EXAMPLES.search(address):
                yield f"[offices] {key}: {address} is an example's address, at which nobody is. Write your own."
            elif real and address.endswith("@referee.localhost"):
                yield (
                    f"[offices] {key}: {address} is what `init` writes for trying things out; no letter comes from "
                    "there or gets there. Write your own."
                )
    for server in s.mailbox.trusted_authserv:
        if server in ("HOST", "mx.example.org"):
            yield f'[mailbox] trusted_authserv: "{server}" is an example. Name your own mail server, or none.'
    for key, url in {"mailbox": s.mailbox.url, "courier": s.courier.url}.items():
        if re.search(r"//USER@|[@/]HOST\b|[@.]example\.(?:org|com|net)\b", url):
            yield f"[{key}] url: {url} is an example. Write your user name and the name of your mail server."
    if re.search(r"[/.]example\.(?:org|com|net)\b", s.site.url):
        yield f'[site] url: {s.site.url} is an example, to which letters link. Write your own, or "".'


def picture_missing(referee: Referee) -> Iterator[str]:
    """The club's picture, where the archive is built without the one that the configuration names."""
    if (own := referee.settings.site.picture) and referee.picture is None:
        yield f'[site] picture: {own} is no file that can be read. Put it beside the configuration, or write "".'


def offices_apart(settings: Configuration) -> Iterator[str]:
    """Whether speaker and collector can be told apart, where that matters, and from reply addresses."""
    o, s = settings.offices, settings.senders
    for key, address in (("speaker", o.speaker), ("collector", o.collector)):
        if s.tokens and "+" in address.rpartition("@")[0]:
            yield (
                f"[offices] {key}: {address} has a +, and what stands behind it is for reply addresses. Write it "
                "without, or set tokens = false under [senders]."
            )
    if address_key(o.speaker) == address_key(o.collector):
        one = f"[offices] speaker and collector are one address, {o.speaker}"
        if s.speaker not in (None, s.collector):
            yield f"{one}: what [senders] speaker says holds for no mail. Say it of the collector."
        yield WorthKnowing(f"{one}: mails to it count as the collector's.")


def at_the_desk(referee: Referee) -> Iterator[str]:
    """Every difference between who is at the desk and whom the file names: it only began it."""
    begun, now = ({*map(address_key, some)} for some in (referee.offices.begun, referee.offices.at_desk))
    for one in sorted(now - begun):
        yield WorthKnowing(f"{one} is at the desk, and the file does not name it.")
    for one in sorted(begun - now):
        brings = f"`referee handover {one} --beside` brings it there."
        yield WorthKnowing(f"{one} stands in the file, and is not at the desk. {brings}")


def exposed_files(referee: Referee) -> Iterator[str]:
    """Which files and folders of the referee's other accounts of the machine can get at."""
    s, folder = referee.settings, referee.located.folder
    files: list[Path] = [folder / secret_of(s.store.url)]
    if s.store.url.startswith("sqlite"):
        path = folder / (sa.make_url(s.store.url).database or "referee.db")
        files += [path, *(Path(f"{path}{end}") for end in ("-wal", "-shm", "-journal", ".lock"))]
    return exposed(files, referee.located.maildirs)


def colliding(referee: Referee) -> Iterator[str]:
    """Whether the moderator's address is the referee's own, and which seats have one that can't be a player's."""
    offices = referee.offices
    yield from filter(None, [offices.collision])
    for match in (match for match in referee.moderator.matches() if match.status != "ended"):
        for seat, address in ((n, a) for n in match.numbers for a in match.entrant(n).addresses):
            if why := offices.hindrance(address):
                remedy = (
                    f'`referee replace {match.name} {seat} "Name <address>"` gives the seat another address.'
                )
                yield f"{match.name}, seat {seat}: {address} can't be a player's: {why}. {remedy}"


def clock_faults(referee: Referee) -> Iterator[str]:
    """Whether the machine's clock is doubted, or passes have run ahead of it."""
    with referee.store.transaction() as unit:
        clock = unit.clock()
    known, here = doubt.witness_of(clock), doubt.reading().at
    if known and clock.last_pass and (known.doubt or clock.last_pass > here + doubt.TOLERANCE):
        why = known.doubt or f"the last pass was at {stamp(clock.last_pass)}"
        yield (
            f"The machine's clock is doubted, and deadlines wait: {why}. "
            "`referee clock --right` if it is right, `referee clock --back` if passes ran ahead of the true time."
        )


def vouched_for(referee: Referee) -> Iterator[str]:
    """Whether the mail server says who sent a mail, and why signed ones prove nothing. Of mails
    that come by Maildir only where a server is trusted to say so."""
    s = referee.settings.mailbox
    if s.url.startswith("maildir:") and not s.trusted_authserv:
        return
    with referee.store.transaction() as unit:
        raws = unit.newest(_NEWEST)
    senders = referee.settings.senders
    strict = configuring.order_need(senders) in ("token", "confirm")
    stricter = "" if strict else "token" if senders.tokens else "confirm"
    faults, notes = vouching(raws, s.trusted_authserv, stricter)
    takes = {address.lower() for address in (*referee.offices.addresses, *referee.offices.also)}
    causes = unproved(raws, s.trusted_authserv, takes) if s.trusted_authserv else ()
    yield from (*faults, *map(WorthKnowing, (*notes, *causes)))


@dataclass
class Findings:
    """What is wrong and what is worth knowing, each by the part it is about. Nothing can be asked
    of a store that is `broken`."""

    faults: list[tuple[str, str]] = field(default_factory=list)
    notes: list[tuple[str, str]] = field(default_factory=list)
    health: dict[str, object] = field(default_factory=dict)  # of an engine
    broken: bool = False

    def told(self, part: str) -> list[str]:
        """The notes about that part."""
        return [note for about, note in self.notes if about == part]

    def take(self, part: str, told: Iterable[str]) -> None:
        for words in told:
            (self.notes if isinstance(words, WorthKnowing) else self.faults).append((part, str(words)))


def examined(referee: Referee) -> Findings:
    """Everything, the store first: without it the rest of what hangs on it is left out, and nothing is said of that."""
    found, s = Findings(), referee.settings

    def looked(part: str, look: Callable[[], Iterable[str]], *, stored: bool = False) -> None:
        if stored and found.broken:
            return
        try:
            found.take(part, look())
        except STORE_TROUBLE as error:
            words = " ".join(str(getattr(error, "orig", None) or error).split())
            found.take("store", [f"{words} Check [store] url and the password."])
            found.broken = True
        except (ValueError, OSError) as error:
            found.take(part, [str(error)])
            found.broken |= part == "store"
        except RefereeError as error:  # of the store's tables, its secret, or what it needs
            found.take("store" if isinstance(error, WrongEncoding) else "engine", [str(error)])
            found.broken = True

    def store() -> Iterable[str]:
        faults = referee.store.examine()
        found.broken = any("does not answer" in fault for fault in faults)
        return faults

    def engine() -> Iterable[str]:
        if s.engine.kind == "inline":
            return ()
        from referee.service import health
        from referee.service.keyed import KeyedStore

        assert isinstance(referee.store, KeyedStore)
        referee.store.secret()
        found.health, told = health.examined(referee.store)
        return told

    looked("store", store)
    looked("matches", lambda: referee.moderator.unfoldable(), stored=True)
    looked("offices", lambda: placeholders(s, referee.offices.at_desk))
    looked("offices", lambda: at_the_desk(referee), stored=True)
    looked("offices", lambda: offices_apart(s))
    looked("mailbox", lambda: referee.mailbox.examine())
    looked("courier", lambda: referee.courier.examine())
    looked("engine", engine, stored=True)
    looked("files", lambda: exposed_files(referee))
    looked("files", lambda: picture_missing(referee))
    looked("addresses", lambda: colliding(referee), stored=True)
    looked("clock", lambda: clock_faults(referee), stored=True)
    looked("heartbeat", Heartbeat(referee.located).examine)
    looked("senders", lambda: vouched_for(referee), stored=True)
    asked = s.senders.tokens and not s.courier.url.startswith("maildir:")  # only a real server can be
    if asked and not {"mailbox", "courier"} & {part for part, _ in found.faults}:  # a reply would look lost
        trusted, needed = s.mailbox.trusted_authserv, configuring.order_need(s.senders) == "token"
        box, courier, offices = referee.mailbox, referee.courier, referee.offices
        looked("replies", lambda: replies_lost(courier, box, offices, trusted, needed=needed), stored=True)
    return found
