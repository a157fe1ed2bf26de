"""The IMAP mailbox: mails by UID in batches, arrival by INTERNALDATE, filed by what the server can do."""

from __future__ import annotations

import imaplib
import time
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime

from imapclient import IMAPClient

from referee.offices.ports.transport import Arrival, Filing, Known, MailboxTrouble, unknown
from referee.post.carrying.imap_filing import AT_ONCE, can_take_away, keeps_keywords, put_away, unfiled
from referee.post.carrying.imap_session import ImapAccount, ImapSession, Response, Selection
from referee.post.servers import BackOff, is_loopback

BATCH = 100  # mails in one fetch
BATCH_BYTES = 16 * 1024 * 1024
LONGEST_IDLE = 9 * 60.0  # seconds; servers may hang up after 29 minutes, middle boxes after ten
SHORTEST_PAUSE = 0.2  # between two tries to connect while waiting
CLOCK_GRAIN = 0.05  # how much sooner than asked a poll may come back


class ImapMailbox:
    """An IMAP folder as a Mailbox. Nothing is marked seen by reading. Between calls the connection stays in IDLE
    where the server has it, so that `wait` may be called in short slices at no cost."""

    def __init__(self, account: ImapAccount, back_off: BackOff | None = None) -> None:
        self._session = ImapSession(account, back_off or BackOff())
        self._seen: tuple[int, int] | None = None  # UIDVALIDITY and UIDNEXT already told of

    @property
    def account(self) -> ImapAccount:
        return self._session.account

    def fetch(self, known: Known, largest: int) -> Iterator[Sequence[Arrival]]:
        selection = self._session.selected()
        validity = selection.validity
        with self._session.talking() as client:
            found = client.search(unfiled(selection))
        handles = {handle(validity, uid): uid for uid in found}
        strange = unknown(list(handles), known)
        with self._session.talking() as client:
            facts = arrivals(client, [handles[uid] for uid in strange])
        for batch in batches(facts, largest):
            yield self._bodies(validity, batch, largest)
        self._seen = (validity, selection.next_uid)

    def file(self, filings: Sequence[tuple[str, Filing]]) -> None:
        if not filings:
            return
        selection = self._session.selection
        if selection is None or not _in_view(selection, filings):
            self._put_away(self._session.selected(), filings)
            return
        try:
            self._put_away(selection, filings)
        except MailboxTrouble:  # the line had died since; what was filed on it may be filed again
            self._put_away(self._session.selected(), filings)

    def _put_away(self, selection: Selection, filings: Sequence[tuple[str, Filing]]) -> None:
        mine: dict[Filing, list[int]] = {}
        for uid, filing in filings:
            # a handle from before the server renumbered its mails names nothing any more
            number = number_of(uid, selection.validity)
            if number is not None:
                mine.setdefault(filing, []).append(number)
        with self._session.talking() as client:
            for filing, numbers in mine.items():
                put_away(client, selection, numbers, filing, self._session.folders)

    def wait(self, seconds: float) -> bool:
        """True also when the line broke while listening: mail may have come unseen. News is told once, so that an
        ear that never fetches does not hear the same mail for ever."""
        end = time.monotonic() + seconds
        while True:
            listening = self._session.connected
            try:
                return self._listen(end)
            except MailboxTrouble:
                if listening:
                    return True
            left = end - time.monotonic()
            pause = max(self._session.back_off.left(), SHORTEST_PAUSE)
            time.sleep(max(0.0, min(left, pause)))
            if left <= pause:
                return False

    def examine(self) -> tuple[str, ...]:
        faults: list[str] = []
        try:
            faults += self._faults()
        except MailboxTrouble as trouble:
            faults.append(
                f"{str(trouble).rstrip('.')}. Check [mailbox] url, the password, and that the server can be reached."
            )
        return tuple(faults)

    def close(self) -> None:
        self._session.close()

    def _bodies(self, validity: int, batch: Sequence[MailFacts], largest: int) -> Sequence[Arrival]:
        if self._session.validity is None:
            self._session.selected()
        if self._session.validity != validity:
            raise MailboxTrouble(
                "The server renumbered its mails while they were read; the next pass starts anew."
            )
        with self._session.talking() as client:
            whole = [uid for uid, _, size in batch if size <= largest]
            large = [uid for uid, _, size in batch if size > largest]
            raws = {
                **bodies(client, whole, "BODY.PEEK[]"),
                **bodies(client, large, f"BODY.PEEK[]<0.{largest}>"),
            }
        return tuple(
            Arrival(
                handle(validity, uid),
                arrived,
                raws[uid][:largest],
                max(size, len(raws[uid])) if size > largest else len(raws[uid]),
                cut=size > largest or len(raws[uid]) > largest,
            )
            for uid, arrived, size in batch
            if uid in raws
        )

    def _listen(self, end: float) -> bool:
        session = self._session
        while True:
            left = end - time.monotonic()
            if session.idle_since is None:
                if self._missed(session.selected()):
                    return True
                with session.talking() as client:
                    idles = client.has_capability("IDLE")
                if not idles:
                    time.sleep(max(0.0, end - time.monotonic()))
                    return False
                session.idle()
                if tells_of_mail(session.overheard(0, at_once=True)):
                    return True
            if left <= 0:
                return False
            if self._heard(min(left, LONGEST_IDLE)):
                return True

    def _heard(self, seconds: float) -> bool:
        """One stretch of IDLE. An empty answer before its time is how the library shows a closed line."""
        session = self._session
        started = time.monotonic()
        answer = session.overheard(seconds)
        if tells_of_mail(answer):
            return True
        early = time.monotonic() - started < seconds - CLOCK_GRAIN
        stale = session.idle_since is not None and time.monotonic() - session.idle_since >= LONGEST_IDLE
        if (early and not answer) or says_goodbye(answer) or stale:
            with session.talking():
                """Leaving IDLE proves the line alive; a dead one raises."""
        return False

    def _missed(self, selection: Selection) -> bool:
        """Whether mail came since the last fetch, or since this was last asked."""
        before, self._seen = self._seen, (selection.validity, selection.next_uid)
        return before != self._seen

    def _faults(self) -> Iterator[str]:
        account = self.account
        if account.security == "plain" and not is_loopback(account.host):
            yield f"The password of {account} travels in the clear. Use imaps:// or imap+starttls://."
        if not account.password:
            yield (
                f"There is no password for {account}. Name the environment variable that holds it under the key "
                "`password_env` beside [mailbox] url, or a command that prints it under `password_command`."
            )
        selection = self._session.selected()
        with self._session.talking() as client:
            if not can_take_away(client):
                yield (
                    f"The server of {account} has neither MOVE nor UIDPLUS, so settled mails stay in "
                    f"{account.folder}, {'by keyword' if keeps_keywords(selection) else 'seen and answered'}. "
                    "Nothing to mend, if that will do."
                )
            found = client.search(unfiled(selection))
            readable = bodies(client, found, "BODY.PEEK[]<0.1>")
        for uid in found:
            if uid not in readable:
                yield f"The server of {account} can't give out mail {uid} of {account.folder}. Look at it there."


def _in_view(selection: Selection, filings: Sequence[tuple[str, Filing]]) -> bool:
    """Whether the folder, as it was selected, held all these mails: others, which came later and were read on another
    line, the server would pass over without a word."""
    numbers = [number_of(uid, selection.validity) for uid, _ in filings]
    return all(number is not None and number < selection.next_uid for number in numbers)


MailFacts = tuple[int, datetime, int]
"""UID, arrival, size in bytes."""


def handle(validity: int, uid: int) -> str:
    return f"imap:{validity}:{uid}"


def number_of(uid: str, validity: int) -> int | None:
    kind, _, rest = uid.partition(":")
    era, _, number = rest.partition(":")
    return int(number) if kind == "imap" and era == str(validity) and number.isdigit() else None


def arrivals(client: IMAPClient, uids: Sequence[int]) -> list[MailFacts]:
    """Oldest first, on a tie by UID; a mail that vanished meanwhile is left out."""
    found: list[MailFacts] = []
    for start in range(0, len(uids), AT_ONCE):
        answer = client.fetch(uids[start : start + AT_ONCE], ["INTERNALDATE", "RFC822.SIZE"])
        for uid, facts in answer.items():
            if b"INTERNALDATE" in facts and b"RFC822.SIZE" in facts:
                found.append((uid, facts[b"INTERNALDATE"].astimezone(UTC), int(facts[b"RFC822.SIZE"])))
    return sorted(found, key=lambda each: (each[1], each[0]))


def batches(found: Sequence[MailFacts], largest: int) -> Iterator[Sequence[MailFacts]]:
    batch: list[MailFacts] = []
    weight = 0
    for each in found:
        batch.append(each)
        weight += min(each[2], largest)
        if len(batch) == BATCH or weight >= BATCH_BYTES:
            yield batch
            batch, weight = [], 0
    if batch:
        yield batch


def bodies(client: IMAPClient, uids: Sequence[int], part: str) -> dict[int, bytes]:
    """The bytes of each mail the server will give; one that it can't give out must not stop the others."""
    found: dict[int, bytes] = {}
    for start in range(0, len(uids), AT_ONCE):
        some = uids[start : start + AT_ONCE]
        try:
            answer = client.fetch(some, [part])
        except imaplib.IMAP4.abort:
            raise
        except imaplib.IMAP4.error:
            if len(some) > 1:
                for uid in some:
                    found.update(bodies(client, [uid], part))
            continue
        for uid, facts in answer.items():
            raw = next((value for key, value in facts.items() if key.startswith(b"BODY[]")), None)
            if isinstance(raw, bytes):
                found[uid] = raw
    return found


def tells_of_mail(answer: Sequence[Response]) -> bool:
    return any(len(line) > 1 and line[1] in (b"EXISTS", b"RECENT") for line in answer)


def says_goodbye(answer: Sequence[Response]) -> bool:
    return any(len(line) > 0 and line[0] == b"BYE" for line in answer)
