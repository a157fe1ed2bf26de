"""What `doctor` looks at besides store, mailbox and courier, which examine themselves."""

import re
import secrets
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from email.message import EmailMessage
from pathlib import Path

from referee.base.errors import RefereeError
from referee.base.ports import Courier, Mailbox, MailboxTrouble, Parcel, WorthKnowing, hand_over
from referee.base.private import exposed
from referee.base.settings import Offices, Settings
from referee.core.texts.addresses import address_key
from referee.mail.read.head import read_head
from referee.mail.sender.authentication import spoken, topmost, unproved, vouching
from referee.match.chain import stamp
from referee.offices.clock import doubt
from referee.service import config
from referee.service.wiring import STORE_TROUBLE, Referee
from referee.store.engine import WrongEncoding

_EXAMPLES = re.compile(r"(?i)[@.]example\.(?:org|com|net)$|\.(?:example|invalid)$")  # RFC 2606, RFC 6761
_NEWEST = 20  # mails that show what the mail server says of senders


def placeholders(settings: Settings, at_desk: Sequence[str]) -> Iterator[str]:
    """What still stands in the configuration as an example or as `init` left it, though it would be
    used; of moderators those who are at the desk."""
    s, o = settings, settings.offices
    begun = (o.speaker, o.collector, *o.also, o.moderator, *o.moderators)
    named = {"speaker": (o.speaker,), "collector": (o.collector,), "moderator": at_desk, "also": o.also}
    real = not (s.mailbox.url.startswith("maildir:") and s.courier.url.startswith("maildir:"))
    for key, addresses in named.items():
        for address in addresses:
            if _EXAMPLES.search(address):
                of = f"[offices] {key}" if address in begun else "At the desk"
                mend = "Write your own." if address in begun else "`referee handover` gives the desk away."
                yield f"{of}: {address} is an example's address, at which nobody is. {mend}"
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


def offices_apart(settings: Settings) -> Iterator[str]:
    """Whether speaker and collector are told apart, where it matters, and from reply addresses."""
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
    """Which files and folders of the referee's other accounts of the machine can get at; and the club's picture, where
    the archive is built without the one that the configuration names."""
    path, endings = referee.store_file, ("", "-wal", "-shm", "-journal", ".lock")
    files = [Path(f"{path}{end}") for end in endings] if path is not None else []
    yield from exposed([referee.secret_path, *files], referee.located.maildirs)
    if (own := referee.settings.site.picture) and referee.picture is None:
        yield f'[site] picture: {own} is no file that can be read. Put it beside the configuration, or write "".'


def colliding(referee: Referee) -> Iterator[str]:
    """Whether the moderator's address is the referee's own, and which seats have one that can't be a player's."""
    offices = referee.offices
    yield from filter(None, [offices.collision])
    for m in (match for match in referee.moderator.matches() if match.status != "ended"):
        for seat, address in ((n, a) for n in m.numbers for a in m.entrant(n).addresses):
            if why := offices.hindrance(address):
                mend = f'`referee replace {m.name} {seat} "Name <address>"` gives the seat another address.'
                yield f"{m.name}, seat {seat}: {address} can't be a player's: {why}. {mend}"


def clock_faults(referee: Referee) -> Iterator[str]:
    """Whether the machine's clock is doubted, or passes have run ahead of it."""
    with referee.store.transaction() as unit:
        clock, here = unit.clock(), unit.by_its_clock(doubt.reading()).at
    known = doubt.witness_of(clock)
    if known and clock.last_pass and (known.doubt or clock.last_pass > here + doubt.TOLERANCE):
        why = known.doubt or f"the last pass was at {stamp(clock.last_pass)}"
        mend = "`referee clock --right` if it is right, " if clock.last_pass <= here + doubt.TOLERANCE else ""
        mend += "`referee clock --back` if passes ran ahead of the true time."
        yield f"The machine's clock is doubted, and deadlines wait: {why}. {mend}"


def vouched_for(referee: Referee) -> Iterator[str]:
    """Whether the mail server says who sent a mail, and why signed ones prove nothing. Of mails
    that come by Maildir only where a server is trusted to say so."""
    s = referee.settings.mailbox
    if s.url.startswith("maildir:") and not s.trusted_authserv:
        return
    with referee.store.transaction() as unit:
        raws = unit.newest(_NEWEST)
    senders = referee.settings.senders
    strict = config.order_need(senders) in ("token", "confirm")
    stricter = "" if strict else "token" if senders.tokens else "confirm"
    faults, notes = vouching(raws, s.trusted_authserv, stricter)
    takes = {address.lower() for address in (*referee.offices.addresses, *referee.offices.also)}
    causes = unproved(raws, s.trusted_authserv, takes) if s.trusted_authserv else ()
    yield from (*faults, *map(WorthKnowing, (*notes, *causes)))


# --- whether replies find their way: a letter to one of our reply addresses goes out and must come in again. It also
# says, in the name of the server that is trusted to say so, that a domain was vouched for: nobody may believe that

_SLICE = 1.0  # seconds
_LARGEST = 100_000  # bytes


def replies_lost(
    courier: Courier,
    mailbox: Mailbox,
    offices: Offices,
    trusted: tuple[str, ...] = (),
    *,
    needed: bool = False,
    patience: float = 20.0,
) -> tuple[str, ...]:
    """For `doctor`: the fault, in plain words with its remedy; empty when the letter came back,
    which takes seconds. `needed`: nothing counts but what comes to such addresses. The letter is
    put away where it arrives; if it comes later, triage throws it away."""
    remedy = "let it take everything for collector+anything"
    remedy += "." if needed else ", or set tokens = false under [senders]."
    address = offices.address("collector", f"probe{secrets.token_hex(8)}")
    message_id = f"<{secrets.token_hex(16)}@{address.rpartition('@')[2]}>"
    somebody = f"{secrets.token_hex(8)}.example.org"
    # what the trusted servers would write of a mail from that domain, in their own names
    forged = tuple(f"{name}; dmarc=pass header.from={somebody}" for name in trusted)
    parcel = Parcel(offices.collector, address, message_id, _letter(offices, address, message_id, forged))
    before: set[str] = set()

    def noted(uids: Sequence[str]) -> Sequence[str]:
        before.update(uids)
        return uids  # nothing of what is there is fetched

    try:
        list(mailbox.fetch(noted, _LARGEST))
        delivery = hand_over(courier, parcel)
        if delivery.fate == "never":
            return (f"The mail server refuses letters to reply addresses ({delivery.note}): {remedy}",)
        if delivery.fate == "later":
            return (f"A letter to a reply address could not be sent: {delivery.note}",)
        if (came := _arrived(mailbox, message_id, before, patience)) is not None:
            return _believed(came, somebody, trusted)
    except MailboxTrouble as trouble:
        return (f"Whether replies arrive could not be seen: {trouble}",)
    waited = f"did not come into the mailbox within {patience:.0f} seconds"
    return (f"A letter to the reply address {address} {waited}. If the mail server is not slow, {remedy}",)


def _believed(raw: bytes, domain: str, trusted: tuple[str, ...]) -> tuple[str, ...]:
    """The fault, where the letter came in with the word of a server that never gave it."""
    said = spoken(tuple(topmost(read_head(raw).headers, {name.casefold() for name in trusted})))
    if not any(one.value == "pass" and one.domain("header.from") == domain for one in said):
        return ()
    return (
        f"A letter that says itself, in the name of {' or '.join(trusted)}, who sent it, came in as if that "
        "server had said so: whoever can send by this way may write in anybody's name. Let the mail server remove "
        "such Authentication-Results from what it is given (RFC 8601, section 5); or trust none, and "
        'write need = "token" under [senders].',
    )


def _arrived(mailbox: Mailbox, message_id: str, before: set[str], patience: float) -> bytes | None:
    """The letter as it came in; None where it did not."""
    end = time.monotonic() + patience
    while time.monotonic() < end:
        for batch in mailbox.fetch(before.intersection, _LARGEST):
            for arrival in batch:
                before.add(arrival.uid)
                if message_id.encode() in arrival.raw:
                    mailbox.file([(arrival.uid, "done")])
                    return arrival.raw
        mailbox.wait(_SLICE)
    return None


def _letter(offices: Offices, address: str, message_id: str, forged: tuple[str, ...]) -> bytes:
    letter = EmailMessage()
    for told in forged:
        letter["Authentication-Results"] = told
    letter["From"], letter["To"] = offices.collector, address
    letter["Subject"], letter["Message-ID"] = "Do replies arrive?", message_id
    letter["Auto-Submitted"], letter["X-Referee-Notice"] = "auto-generated", "probe"
    letter.set_content("The referee's doctor sent this to see whether it arrives. It may be deleted.\n")
    return letter.as_bytes()


@dataclass
class Findings:
    """What is wrong and what is worth knowing, each by the part it is about. Nothing can be asked
    of a store that is `broken`."""

    faults: list[tuple[str, str]] = field(default_factory=list)
    notes: list[tuple[str, str]] = field(default_factory=list)
    health: dict[str, object] = field(default_factory=dict)  # of an engine
    broken: bool = False

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

    def engine() -> Iterable[str]:
        if s.engine.kind == "inline":
            return ()
        from referee.service import keyed

        assert isinstance(referee.store, keyed.KeyedStore)
        referee.store.secret()
        found.health, told = keyed.examined(referee.store)
        return told

    looked("store", lambda: referee.store.examine())
    found.broken |= any("does not answer" in fault for _, fault in found.faults)
    looked("matches", lambda: referee.moderator.unfoldable(), stored=True)
    looked("offices", lambda: placeholders(s, referee.offices.at_desk))
    looked("offices", lambda: at_the_desk(referee), stored=True)
    looked("offices", lambda: offices_apart(s))
    looked("mailbox", lambda: referee.mailbox.examine())
    looked("courier", lambda: referee.courier.examine())
    looked("engine", engine, stored=True)
    looked("files", lambda: exposed_files(referee))
    looked("addresses", lambda: colliding(referee), stored=True)
    looked("clock", lambda: clock_faults(referee), stored=True)
    adrift = "Letters may have left, or not: `referee desk` lists each, with what sends it or gives it up."
    looked("letters", lambda: [adrift] * bool(referee.moderator.look(lambda u: u.parked())), stored=True)
    looked("heartbeat", referee.last_beat)
    looked("senders", lambda: vouched_for(referee), stored=True)
    asked = s.senders.tokens and not s.courier.url.startswith("maildir:")  # a real server
    if asked and not {"mailbox", "courier"} & {part for part, _ in found.faults}:  # a reply would look lost
        trusted, needed = s.mailbox.trusted_authserv, config.order_need(s.senders) == "token"
        box, courier, offices = referee.mailbox, referee.courier, referee.offices
        looked("replies", lambda: replies_lost(courier, box, offices, trusted, needed=needed), stored=True)
    return found
