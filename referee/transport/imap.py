"""The IMAP mailbox: mails by UID in batches, arrival by INTERNALDATE, filed by what the server can
do.

Settled mails go by the first of the server's abilities that works: MOVE into `Referee/Done`,
`Refused` or `Held`; mark as below, COPY (never again what is marked: it may have been copied when
the line broke), then delete the original by its UID (only with UIDPLUS, else a plain EXPUNGE would
take other people's deletions along); the keywords `$RefereeDone`, `$RefereeRefused`,
`$RefereeHeld` where the folder keeps keywords; and last `\\Seen` and `\\Answered` together, since
reading alone must not settle a mail. A held mail left in the folder is `\\Flagged` too. Unfiled is
therefore: not deleted, none of the three keywords, and, where the folder keeps no keywords, not
both seen and answered.
"""

import contextlib
import imaplib
import selectors
import socket
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any, Final, TypeAlias

from imapclient import IMAPClient, SocketTimeout
from imapclient.exceptions import LoginError

from referee.base import ports
from referee.base.errors import UNFORESEEN
from referee.base.ports import Arrival, Filing, Known, MailboxTrouble, Withheld, WorthKnowing
from referee.core.value import Value
from referee.transport import server
from referee.transport.account import NO_TOKENS, REACHED, Account, without_secrets
from referee.transport.server import Allowance, BackOff, OverlongAnswer, Wrapping

MailFacts: TypeAlias = tuple[int, datetime, int]
"""UID, arrival, size in bytes."""
Response: TypeAlias = tuple[object, ...]
"""One answer of the server to nobody's command: (7, b"EXISTS"), (b"BYE", b"shutting down")."""

BROKEN = (imaplib.IMAP4.error, OSError, EOFError, MemoryError, *UNFORESEEN)
"""What imapclient raises for a refusal, a cut line, a time-out, or an answer that it can't parse or that nothing could
hold."""
# bytes of what holds no mail: a little more than the longest line that the library takes
LONGEST_ANSWER = 1_100_000
LONGEST_NEWS = 8 * 1024  # bytes told within one IDLE
PATIENCE = 10  # times the read time-out: no answer takes longer, however slowly it comes
MOST_WORDS = 300  # characters of an error that are told: a library may put a whole answer into it


class Selection(Value):
    """The folder as the server selected it: UIDVALIDITY, UIDNEXT (0 where it says none), flags it keeps for good."""

    validity: int
    next_uid: int
    lasting: tuple[bytes, ...]


class Endless(MailboxTrouble):
    """What the server says has no end that could be waited for."""


def words(error: BaseException) -> str:
    """The server's or the system's words for what went wrong, on one line."""
    text = error.args[0] if len(error.args) == 1 else str(error)
    if isinstance(text, bytes):
        text = text[: 4 * MOST_WORDS].decode("utf-8", "replace")
    told = " ".join(str(text)[: 2 * MOST_WORDS].split())[:MOST_WORDS]
    return (told or type(error).__name__).rstrip(".") + server.certificate_hint(error)


def connect(account: Account, allowance: Allowance) -> IMAPClient:
    """A client that is logged in, and takes no more than is allowed. Raises one of BROKEN."""
    timeout = SocketTimeout(connect=account.connect_timeout, read=account.timeout)
    encrypted = None if account.security == "plain" else server.tls_context(account.ca)
    first = Wrapping(allowance, encrypted if account.security == "tls" else None)
    client = IMAPClient(account.host, account.port, ssl=True, ssl_context=first, timeout=timeout)
    try:
        client.normalise_times = False  # else INTERNALDATE comes naive, in the machine's own zone
        keep_alive(client.socket())
        if account.security == "starttls":
            client.ssl = False  # what it has got is not encrypted yet
            client.starttls(Wrapping(allowance, encrypted))
        log_in(client, account)
    except BROKEN:
        hang_up(client)
        raise
    return client


def log_in(client: IMAPClient, account: Account) -> None:
    """By a token or by a password. Raises LoginError, whose words hold neither, whatever the server says."""
    user, password = account.user, account.password
    plain = user.isascii() and password.isascii() and not set(user) & set(' "\\(){%*')

    def by_token(token: str) -> None:
        """By what the server knows: RFC 7628, or what was in use before it."""
        if client.has_capability("AUTH=OAUTHBEARER"):
            client.oauthbearer_login(user, token)
        elif client.has_capability("AUTH=XOAUTH2"):
            client.oauth2_login(user, token)
        else:
            raise ValueError(NO_TOKENS)

    try:
        if account.tokens is not None:
            account.tokens.log_in(by_token, LoginError)
        elif plain or not client.has_capability("AUTH=PLAIN"):
            client.login(user, password)
        else:  # LOGIN takes plain ASCII words only
            client.plain_login(user, password)
    except LoginError as error:
        raise LoginError(without_secrets(words(error), password, account.tokens)) from None


def keep_alive(line: socket.socket) -> None:
    """Let the system notice a line that went dead in silence, and send small commands at once."""
    line.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    line.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    for name, value in (("TCP_KEEPIDLE", 60), ("TCP_KEEPINTVL", 15), ("TCP_KEEPCNT", 4)):
        if hasattr(socket, name):
            line.setsockopt(socket.IPPROTO_TCP, getattr(socket, name), value)


def hang_up(client: IMAPClient) -> None:
    with contextlib.suppress(*BROKEN):
        client.shutdown()


FOLDERS: Final[Mapping[Filing, str]] = {"done": "Done", "refused": "Refused", "held": "Held"}
KEYWORDS: Final[Mapping[Filing, bytes]] = {
    "done": b"$RefereeDone",
    "refused": b"$RefereeRefused",
    "held": b"$RefereeHeld",
}
AT_ONCE = 500  # UIDs in one command: well below the line length every server takes


def keeps_keywords(selection: Selection) -> bool:
    """Whether the folder, as selected, keeps keywords of ours for good."""
    return b"\\*" in selection.lasting or all(word in selection.lasting for word in KEYWORDS.values())


def can_take_away(client: IMAPClient) -> bool:
    """Whether the server can put a mail into another folder without touching the rest."""
    return bool(client.has_capability("MOVE") or client.has_capability("UIDPLUS"))


def obeyed(order: Callable[[], object]) -> bool:
    """Whether the server does it, and does not refuse."""
    try:
        order()
    except imaplib.IMAP4.abort:
        raise
    except imaplib.IMAP4.error:
        return False
    return True


def move(client: IMAPClient, uids: Sequence[int], target: str) -> None:
    if client.has_capability("MOVE"):
        client.move(uids, target)
    else:
        client.copy(uids, target)
        client.add_flags(uids, [rb"\Deleted"], silent=True)
        client.uid_expunge(uids)


def mark(client: IMAPClient, selection: Selection, uids: Sequence[int], filing: Filing) -> None:
    flags = [KEYWORDS[filing]] if keeps_keywords(selection) else [rb"\Seen", rb"\Answered"]
    if filing == "held":
        flags.append(rb"\Flagged")
    client.add_flags(uids, flags, silent=True)


def folder_names(client: IMAPClient) -> dict[str, str]:
    """`Referee/Done` and the like, in the server's own spelling of its hierarchy."""
    prefix, separator = "", "/"
    personal = client.namespace().personal if client.has_capability("NAMESPACE") else None
    if personal:
        prefix, separator = personal[0]
    else:
        listed = client.list_folders("", "")
        if listed and listed[0][1]:
            separator = listed[0][1].decode("ascii")
    return {filing: f"{prefix}Referee{separator or '-'}{name}" for filing, name in FOLDERS.items()}


LONGEST_IDLE = 60.0  # seconds; then the folder is looked at: what came as IDLE began may be unheard
SHORTEST_PAUSE = 0.2  # between two tries to connect while waiting
NEWS_PAUSE = 1.0  # seconds from one news to the next: a server may speak of mail for ever
HIGHEST_UID = 2**32 - 1
EARLIEST = datetime(1990, 1, 1, tzinfo=UTC)  # before it no server had the time to tell
FURTHEST = timedelta(days=3650)  # ahead of this machine's clock: beyond it a date is none
AHEAD = timedelta(days=1)  # of this machine's clock: worth a word by `doctor`


class ImapMailbox:
    """An IMAP folder as a Mailbox: its connection, and what is known of its server. Every method raises MailboxTrouble
    and nothing else. Nothing is marked seen by reading. Between calls the connection stays in IDLE where the server
    has it, so that `wait` may be called in short slices at no cost."""

    def __init__(self, account: Account, back_off: BackOff | None = None) -> None:
        self.account = account
        self.back_off = back_off or BackOff()
        self.selection: Selection | None = None  # the folder as last selected on this connection
        self.folders: dict[str, str] = {}  # of ours, as this connection's server spells them
        self.idle_since: float | None = None
        self.allowance = Allowance(LONGEST_ANSWER, PATIENCE * account.timeout)
        self._client: IMAPClient | None = None
        self._seen: tuple[int, int] | None = None  # UIDVALIDITY and UIDNEXT already told of
        self._told = float("-inf")  # when news was last told, by the monotonic clock

    def fetch(self, known: Known, largest: int) -> Iterator[Sequence[Arrival]]:
        selection = self.selected()
        validity = selection.validity
        with self.talking() as client:
            found = find_unfiled(client, selection)
        handles = {handle_of(validity, uid): uid for uid in found}
        strange = [handles[uid] for uid in ports.unknown(list(handles), known)]
        with self.talking() as client:
            facts = find_arrivals(client, strange, largest)
        missing = {uid: datetime.now(UTC) for uid in strange}
        missing |= {uid: arrived for uid, arrived, _ in facts}
        for batch in ports.batches(facts, lambda each: min(each[2], largest + 1)):
            for given in self._bodies(validity, batch, largest):
                for arrival in given:
                    missing.pop(handles[arrival.uid])
                yield given
        self._seen = (validity, selection.next_uid)
        still: list[int] = []
        if missing:  # what has vanished meanwhile is no trouble, what the server still lists is
            selection = self.selected()
            self._stays(validity)
            with self.talking() as client:
                still = [uid for uid in find_unfiled(client, selection) if uid in missing]
        if still:
            some = ", ".join(map(str, still[:5])) + (" ..." if len(still) > 5 else "")
            raise Withheld(
                f"The server of {self.account} can't give out {len(still)} of its mails (UID {some}) in "
                f"{self.account.folder}, or not to an end: put them into another folder there.",
                max(missing[uid] for uid in still),
            )

    def file(self, filings: Sequence[tuple[str, Filing]]) -> None:
        known = self.selection if filings else None
        numbers = [uid_of(uid, known.validity) for uid, _ in filings] if known else []
        # others, which came later and were read on another line, the server would pass over without a word
        if known and all(number is not None and number < known.next_uid for number in numbers):
            with contextlib.suppress(MailboxTrouble):  # of a dead line what it filed may be filed again
                self._put_away(known, filings)
                return
        if filings:
            self._put_away(self.selected(), filings)

    def _put_away(self, selection: Selection, filings: Sequence[tuple[str, Filing]]) -> None:
        mine: dict[Filing, list[int]] = {}
        for uid, filing in filings:
            # a handle from before the server renumbered its mails names nothing any more
            if (number := uid_of(uid, selection.validity)) is not None:
                mine.setdefault(filing, []).append(number)
        with self.talking() as client:
            for filing, numbers in mine.items():
                for start in range(0, len(numbers), AT_ONCE):
                    self._put_some(client, selection, numbers[start : start + AT_ONCE], filing)

    def _put_some(self, client: IMAPClient, selection: Selection, some: list[int], filing: Filing) -> None:
        """They stay, and are marked, where the server refuses: no such folder and none may be made,
        no room, no right."""
        if client.has_capability("UIDPLUS") and not client.has_capability("MOVE"):
            ours = {word.lower() for word in KEYWORDS.values()}
            said = {uid: {flag.lower() for flag in flags} for uid, flags in client.get_flags(some).items()}
            known = {uid for uid, f in said.items() if ours & f or {rb"\seen", rb"\answered"} <= f}
            some = [uid for uid in some if uid not in known]
            if some:
                mark(client, selection, some, filing)
        if some and can_take_away(client):
            if not self.folders:
                self.folders.update(folder_names(client))
            target = self.folders[filing]
            moving = partial(move, client, some, target)
            if obeyed(moving) or (obeyed(partial(client.create_folder, target)) and obeyed(moving)):
                return
        if some:
            mark(client, selection, some, filing)

    def recall(self, known: Known, since: datetime) -> int:
        """By the day: what of it was known is known again by its identity when it is read."""
        day = (since - timedelta(days=1)).date()
        back = 0  # what was put into our folders comes back under new UIDs
        with self.talking() as client:
            for folder in filter(client.folder_exists, folder_names(client).values()):
                client.select_folder(folder)
                found = client.search(["UNDELETED", "SINCE", day])
                for start in range(0, len(found), AT_ONCE):
                    some = found[start : start + AT_ONCE]
                    if not client.has_capability("MOVE"):
                        client.remove_flags(some, [*KEYWORDS.values(), rb"\Answered"], silent=True)
                    back += len(some) * obeyed(partial(move, client, some, self.account.folder))
        selection = self.selected()
        keywords, marks = keeps_keywords(selection), [["SEEN", "ANSWERED"]]
        if keywords:
            marks = [["KEYWORD", word.decode()] for word in KEYWORDS.values()]
        with self.talking() as client:
            found = {uid for mark in marks for uid in client.search(["UNDELETED", "SINCE", day, *mark])}
            handles = {handle_of(selection.validity, uid): uid for uid in sorted(found)}
            again = [handles[uid] for uid in ports.unknown(list(handles), known)]
            if again:  # what was set, and nothing else: to name a keyword would make it one of the folder's
                flags = [*KEYWORDS.values()] if keywords else [rb"\Seen", rb"\Answered"]
                client.remove_flags(again, flags, silent=True)
        return back + len(again)

    def wait(self, seconds: float) -> bool:
        """True also when the line broke while listening: mail may have come unseen. News is told once, so that an
        ear that never fetches does not hear the same mail for ever, and what comes close behind it a moment later."""
        end = time.monotonic() + seconds
        quiet = self._told + NEWS_PAUSE
        time.sleep(max(0.0, min(quiet, end) - time.monotonic()))
        heard, ended = False, quiet > end
        while not (heard or ended):
            listening = self._client is not None
            try:
                heard, ended = self._listen(end), True
            except MailboxTrouble:
                heard, left = listening, end - time.monotonic()
                pause = 0.0 if heard else max(self.back_off.left(), SHORTEST_PAUSE)
                time.sleep(max(0.0, min(left, pause)))
                ended = left <= pause
        if heard:
            self._told = time.monotonic()
        return heard

    def examine(self) -> tuple[str, ...]:
        faults = [*self.account.faults("mailbox", "imap")]
        try:
            faults += self._faults()
        except MailboxTrouble as trouble:
            faults.append(f"{str(trouble).rstrip('.')}. Check [mailbox] url, {REACHED}")
        return tuple(faults)

    def _bodies(self, validity: int, batch: Sequence[MailFacts], largest: int) -> Iterator[Sequence[Arrival]]:
        """The mails of the batch that the server gives out; one by one where together they are far
        longer than it said."""
        self._stays(validity)
        most = 2 * sum(min(size, largest + 1) for _, _, size in batch) + LONGEST_ANSWER
        try:
            with self.talking(most) as client:
                # one more than is kept, whatever size the server says it has
                raws = fetch_bodies(client, [uid for uid, _, _ in batch], f"BODY.PEEK[]<0.{largest + 1}>")
        except Endless:
            if len(batch) > 1:
                for each in batch:
                    yield from self._bodies(validity, [each], largest)
            return
        given = ((uid, at, size, raws[uid]) for uid, at, size in batch if uid in raws)
        yield tuple(
            Arrival(
                *(handle_of(validity, uid), at, raw[:largest]),
                *((max(size, len(raw)), True) if len(raw) > largest else (len(raw), False)),
            )
            for uid, at, size, raw in given
        )

    def _stays(self, validity: int) -> None:
        selection = self.selection or self.selected()
        if selection.validity != validity:
            raise MailboxTrouble(
                "The server renumbered its mails while they were read; the next pass starts anew."
            )

    def _listen(self, end: float) -> bool:
        """By IDLE, where there is one. An empty answer is how the library shows a closed line."""
        while True:
            left = end - time.monotonic()
            if self.idle_since is None:
                before, selection = self._seen, self.selected()
                self._seen = (selection.validity, selection.next_uid)
                if before != self._seen:  # mail came since the last fetch or question
                    return True
                with self.talking(LONGEST_NEWS) as client:
                    if client.has_capability("IDLE"):
                        client.idle()
                        self.idle_since = time.monotonic()
                if self.idle_since is None:
                    time.sleep(max(0.0, end - time.monotonic()))
                    return False
            if left <= 0:
                return False
            answer = self.overheard(min(left, LONGEST_IDLE))
            if any(len(line) > 1 and line[1] in (b"EXISTS", b"RECENT") for line in answer or ()):
                return True
            parting = answer == [] or any(line and line[0] == b"BYE" for line in answer or ())
            if parting or time.monotonic() - self.idle_since >= LONGEST_IDLE:
                with self.talking():
                    """Leaving IDLE proves the line alive; a dead one raises."""

    def _faults(self) -> Iterator[str]:
        account, selection = self.account, self.selected()
        with self.talking() as client:
            if not can_take_away(client):
                yield WorthKnowing(
                    f"The server of {account} has neither MOVE nor UIDPLUS, so settled mails stay in "
                    f"{account.folder}, {'by keyword' if keeps_keywords(selection) else 'seen and answered'}. "
                    "They are read once all the same."
                )
            found = find_unfiled(client, selection)
            readable = fetch_bodies(client, found, "BODY.PEEK[]<0.1>")
            late = [each for each in find_arrivals(client, found, 0) if each[1] > datetime.now(UTC) + AHEAD]
        for uid, arrived, _ in late:
            yield (
                f"Mail {uid} of {account.folder} arrives on {arrived:%Y-%m-%d} only, says the server of {account}: it "
                "waits until then. Set that machine's clock."
            )
        for uid in found:
            if uid not in readable:
                yield f"The server of {account} can't give out mail {uid} of {account.folder}. Look at it there."

    # --- the connection: made, checked, put to IDLE, lost, made again --------------------------------------------

    @contextlib.contextmanager
    def talking(self, most: int = LONGEST_ANSWER, *, idling: bool = False) -> Iterator[IMAPClient]:
        """The client, connected and out of IDLE, unless it is to stay in it; whatever goes wrong
        inside drops the connection. No answer may be longer than `most` bytes."""
        client = self._client or self._connect()
        try:
            if self.idle_since is not None and not idling:
                self.idle_since = None
                client.idle_done()
            self.allowance.most = most
            yield client
        except MailboxTrouble:
            self.drop()
            raise
        except OverlongAnswer as error:
            self.drop(failed=False)
            raise Endless(f"The mailbox of {self.account} broke off: {words(error)}") from error
        except BROKEN as error:
            self.drop()
            raise MailboxTrouble(f"The mailbox of {self.account} broke off: {words(error)}") from error

    def selected(self) -> Selection:
        """Select the folder anew. A connection found dead is replaced once, at once: servers hang up on idlers."""
        if self._client is not None:
            with contextlib.suppress(MailboxTrouble):
                return self._select()
        return self._select()

    def overheard(self, seconds: float) -> list[Response] | None:
        """What the server said while in IDLE; None where it kept silent for so many seconds, nothing where the line is
        closed or what came can't be understood. What came in the same breath as its go-ahead is not among it: that
        lies in the library's buffer, which is read with the next words."""
        with self.talking(LONGEST_NEWS, idling=True) as client, selectors.DefaultSelector() as selector:
            selector.register(client.socket(), selectors.EVENT_READ)
            return list(client.idle_check(timeout=0)) if selector.select(seconds) else None

    def drop(self, *, failed: bool = True) -> None:
        """Forget the connection without ceremony, and count it as a failure, if it is one."""
        client, self._client = self._client, None
        self.selection = self.idle_since = None
        self.folders.clear()
        if client is not None:
            hang_up(client)
            if failed:
                self.back_off.failed()

    def close(self) -> None:
        if (client := self._client) is not None:
            with contextlib.suppress(*BROKEN):
                if self.idle_since is not None:
                    client.idle_done()
                client.logout()
            self.drop(failed=False)

    def _select(self) -> Selection:
        with self.talking() as client:
            self.selection = None
            answer = client.select_folder(self.account.folder)
            validity = answer.get(b"UIDVALIDITY")
            if not isinstance(validity, int):
                raise MailboxTrouble(f"The server of {self.account} gives no UIDVALIDITY for its folder.")
            lasting = tuple(answer.get(b"PERMANENTFLAGS", ()))
            self.selection = Selection(validity, int(answer.get(b"UIDNEXT", 0)), lasting)
            return self.selection

    def _connect(self) -> IMAPClient:
        left = self.back_off.left()
        if left > 0:
            raise MailboxTrouble(f"The mailbox of {self.account} failed; the next try is in {left:.0f} s.")
        try:
            self.allowance.most = LONGEST_ANSWER
            client = self._client = connect(self.account, self.allowance)
        except BROKEN as error:
            self.back_off.failed()
            raise MailboxTrouble(f"The mailbox of {self.account} can't be opened: {words(error)}") from error
        self.back_off.reached()
        return client


def handle_of(validity: int, uid: int) -> str:
    return f"imap:{validity}:{uid}"


def uid_of(uid: str, validity: int) -> int | None:
    kind, _, rest = uid.partition(":")
    era, _, number = rest.partition(":")
    return int(number) if kind == "imap" and era == str(validity) and number.isdigit() else None


def find_unfiled(client: IMAPClient, selection: Selection) -> list[int]:
    """The UIDs of the unfiled mails, each once; what can't be a UID is none."""
    criteria = ["UNDELETED", *(f"UNKEYWORD {word.decode()}" for word in KEYWORDS.values())]
    if not keeps_keywords(selection):
        criteria.append("NOT (SEEN ANSWERED)")
    return sorted({uid for uid in client.search(" ".join(criteria)) if 0 < uid <= HIGHEST_UID})


def find_arrivals(client: IMAPClient, uids: Sequence[int], largest: int) -> list[MailFacts]:
    """Oldest first, on a tie by UID; a mail of which the server says nothing is left out. It
    arrived now where it has no date, and is `largest` where it has no size."""
    now = datetime.now(UTC)
    found: list[MailFacts] = []
    for uid, facts in ask_of_each(client, uids, ["INTERNALDATE", "RFC822.SIZE"]).items():
        size = facts.get(b"RFC822.SIZE")
        said = isinstance(size, int) and size >= 0
        found.append((uid, moment(facts.get(b"INTERNALDATE"), now), size if said else largest))
    return sorted(found, key=lambda each: (each[1], each[0]))


def moment(date: object, now: datetime) -> datetime:
    """When a mail arrived; `now` where its date is none."""
    if not isinstance(date, datetime):
        return now
    try:
        arrived = date.astimezone(UTC) if date.tzinfo else date.replace(tzinfo=UTC)
    except (OverflowError, ValueError):
        return now
    return arrived if EARLIEST <= arrived <= now + FURTHEST else now


def fetch_bodies(client: IMAPClient, uids: Sequence[int], part: str) -> dict[int, bytes]:
    """The bytes of each mail the server will give."""
    found: dict[int, bytes] = {}
    for uid, facts in ask_of_each(client, uids, [part]).items():
        raw = next((value for key, value in facts.items() if key.startswith(b"BODY[]")), None)
        if isinstance(raw, bytes):
            found[uid] = raw
    return found


def ask_of_each(client: IMAPClient, uids: Sequence[int], parts: Sequence[str]) -> dict[int, Any]:
    """What the server says of each mail; one of which it can't say it, or not in words that can be
    read, must not stop the others."""
    found: dict[int, Any] = {}
    for start in range(0, len(uids), AT_ONCE):
        some = uids[start : start + AT_ONCE]
        try:
            found.update(client.fetch(some, parts))
        except (imaplib.IMAP4.abort, OSError, EOFError, MemoryError):
            raise
        except BROKEN:  # a refusal, or an answer read to its end that says nothing
            if len(some) > 1:
                half = len(some) // 2
                found.update(ask_of_each(client, some[:half], parts))
                found.update(ask_of_each(client, some[half:], parts))
    return found
