"""What `doctor` looks at besides store, mailbox and courier, which examine themselves."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import sqlalchemy as sa

from referee.post.carrying.probe import ReplyProbe
from referee.post.carrying.transports import folder_of
from referee.post.trust.authentication import unproved, vouching
from referee.private import exposed
from referee.wiring import Referee, secret_of

if TYPE_CHECKING:
    from referee.engine.health import Health

_NEWEST = 20  # mails that show what the mail server says of senders


def exposed_files(referee: Referee) -> tuple[str, ...]:
    """Which files and folders of the referee's other accounts of the machine can get at."""
    s, folder = referee.settings, referee.located.folder
    files: list[Path] = [folder / secret_of(s.store.url)]
    if s.store.url.startswith("sqlite"):
        path = folder / (sa.make_url(s.store.url).database or "referee.db")
        files += [path, *(Path(f"{path}{end}") for end in ("-wal", "-shm", "-journal", ".lock"))]
    urls = (s.mailbox.url, s.courier.url)
    folders = [folder_of(url, folder) for url in urls if url.startswith("maildir:")]
    return tuple(exposed(files, folders))


def engine_health(referee: Referee) -> Health | None:
    """How the engine is, where there is one."""
    if referee.settings.engine.kind == "inline":
        return None
    from referee.engine.health import examined
    from referee.engine.store import KeyedStore

    assert isinstance(referee.store, KeyedStore)
    referee.store.secret()
    return examined(referee.store)


def colliding(referee: Referee) -> tuple[str, ...]:
    """Whether the moderator's address is the referee's own, and which seats have one that can't be a player's."""
    offices = referee.offices
    matches = [match for match in referee.moderator.matches() if match.status != "ended"]
    return (
        *filter(None, [offices.collision]),
        *(
            f"{match.name}, seat {seat}: {address} can't be a player's: {why}. "
            f'`referee replace {match.name} {seat} "Name <address>"` gives the seat another address.'
            for match in matches
            for seat in match.numbers
            for address in match.entrant(seat).addresses
            if (why := offices.hindrance(address))
        ),
    )


def vouched_for(referee: Referee) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Whether the mail server says who sent a mail, and why signed ones prove nothing; the faults, and what is worth
    knowing. Of mails that come by Maildir only where a server is trusted to say so, or signatures are checked here."""
    s, own_look = referee.settings.mailbox, referee.settings.senders.dkim
    silent = s.url.startswith("maildir:") and not s.trusted_authserv
    if silent and not own_look:
        return (), ()
    with referee.store.transaction() as unit:
        raws = unit.newest(_NEWEST)
    faults, notes = ((), ()) if silent else vouching(raws, s.trusted_authserv)
    takes = {address.lower() for address in (*referee.offices.addresses, *referee.offices.also)}
    trusting = own_look or bool(s.trusted_authserv)
    causes = unproved(raws, s.trusted_authserv, takes, own_look=own_look) if trusting else ()
    return faults, (*notes, *causes)


def replies_lost(referee: Referee) -> tuple[str, ...]:
    """Whether letters to reply addresses arrive. Only real servers can be asked."""
    s = referee.settings
    local = any(url.startswith("maildir:") for url in (s.mailbox.url, s.courier.url))
    if local or not s.senders.tokens:
        return ()
    trusted = s.mailbox.trusted_authserv
    return ReplyProbe(referee.courier, referee.mailbox, referee.offices, trusted=trusted).examine()
