"""One connection to an IMAP server: made, checked, put to IDLE, lost, made again.

The library is untyped and its failures are many; here they become one: MailboxTrouble, with the
connection dropped."""

from __future__ import annotations

import contextlib
import imaplib
import selectors
import socket
from collections.abc import Iterator
from typing import TypeAlias

from imapclient import IMAPClient, SocketTimeout
from imapclient.exceptions import LoginError

from referee.base.ports import MailboxTrouble
from referee.core.value import Value
from referee.transport import server
from referee.transport.account import NO_TOKENS, Account, without_secrets
from referee.transport.server import Allowance, BackOff, OverlongAnswer, Wrapping

Response: TypeAlias = tuple[object, ...]
"""One answer of the server to nobody's command: (7, b"EXISTS"), (b"BYE", b"shutting down")."""

BROKEN = (
    *(imaplib.IMAP4.error, OSError, EOFError, ValueError, LookupError, TypeError, AttributeError),
    *(ArithmeticError, RecursionError, MemoryError),
)
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


class ImapSession:
    """The connection and what is known of its server. Every method raises MailboxTrouble and nothing else."""

    def __init__(self, account: Account, back_off: BackOff) -> None:
        self.account = account
        self.back_off = back_off
        self.selection: Selection | None = None  # the folder as last selected on this connection
        self.folders: dict[str, str] = {}  # names of ours, as the server of this connection spells them
        self.idle_since: float | None = None
        self.allowance = Allowance(LONGEST_ANSWER, PATIENCE * account.timeout)
        self._client: IMAPClient | None = None

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


def connect(account: Account, allowance: Allowance) -> IMAPClient:
    """A client that is logged in, and takes no more at once than is allowed. Raises one of BROKEN."""
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
