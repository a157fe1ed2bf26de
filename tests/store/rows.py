"""Rows to put into a store: what a test does not care about has a value that fits."""

from datetime import UTC, datetime, timedelta

from referee.match import events as ev
from referee.match.events import Entry
from referee.store.matches import StoredMatch
from referee.store.post import KeptMail, OutgoingLetter
from referee.store.sql import Store, Unit

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)


def later(**span: float) -> datetime:
    return NOON + timedelta(**span)


def mail(
    name: str, arrived: datetime = NOON, uid: str | None = None, sender: str = "ann@example.org"
) -> KeptMail:
    """A mail that differs from all of another name."""
    raw = f"mail {name}".encode()
    identity = name.encode().hex().ljust(64, "0")
    return KeptMail(0, uid or f"uid-{name}", identity, arrived, len(raw), False, raw, f"<{name}@x>", sender)


def kept(store: Store, *mails: KeptMail) -> list[KeptMail]:
    """Keep the mails; their rows, in the order in which they would be judged."""
    with store.transaction() as unit:
        for each in mails:
            unit.keep(each)
    return waiting(store)


def waiting(store: Store, until: datetime = NOON + timedelta(days=9999)) -> list[KeptMail]:
    """The open mails, in the order in which they would be judged."""
    found: list[KeptMail] = []
    with store.transaction() as unit:
        while (each := unit.next_mail(until, [m.id for m in found])) is not None:
            found.append(each)
    return found


def row(name: str = "m-1", **changed: object) -> StoredMatch:
    """A match's row."""
    whole = StoredMatch(
        name, "fourplay", "open", "purchase", 1, NOON, "1.fourplay.1", "{}", None, None, computes=False
    )
    return whole._replace(**changed)


def said(version: int, text: str = "hello") -> Entry:
    return Entry(version, version, version, NOON, ev.Said(text), True)


def letter(name: str, at: datetime = NOON, **changed: object) -> OutgoingLetter:
    whole = OutgoingLetter(f"<{name}@r>", at, "due", "m-1", 1, "ann@example.org", None, None, f"body {name}")
    return whole._replace(**changed)


def opened(unit: Unit, name: str = "m-1", **changed: object) -> None:
    """A match with one entry in its ledger."""
    unit.save(row(name, **changed), [said(1)])
