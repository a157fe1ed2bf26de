"""Which adapter an address in the configuration means: a Maildir, or a server of IMAP or SMTP."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final, Literal
from urllib.parse import unquote, urlsplit

from referee.base.ports import Courier, Mailbox
from referee.transport.account import Account, BadAddress, Security
from referee.transport.maildir import MaildirCourier, MaildirMailbox

Schemes = Mapping[str, tuple[Security, int]]  # what an address begins with, and the port where it names none
MAILBOXES: Final[Schemes] = {
    "imaps": ("tls", 993),
    "imap+starttls": ("starttls", 143),
    "imap": ("plain", 143),
}
COURIERS: Final[Schemes] = {"smtps": ("tls", 465), "smtp+starttls": ("starttls", 587), "smtp": ("plain", 25)}
_KNOWN = {
    "mailbox": "maildir:FOLDER, imaps://USER@HOST/INBOX, imap+starttls://USER@HOST/INBOX or imap://USER@HOST/INBOX",
    "courier": "maildir:FOLDER, smtps://HOST, smtp+starttls://USER@HOST:587 or smtp://HOST:25",
}


def mailbox_from_url(url: str, base: Path = Path(), **login: Any) -> Mailbox:
    """The mailbox a `[mailbox] url` names; a relative folder starts from `base`, and a server is opened by the `login`:
    a `password` or `tokens`, and `ca`. Raises BadAddress; connects to nothing."""
    if url.startswith("maildir:"):
        return MaildirMailbox(folder_of(url, base))
    account = _account(url, "mailbox", MAILBOXES, login)
    if not account.user:
        scheme = url.partition(":")[0].lower()
        raise BadAddress(f"{url!r} does not say whose mailbox it is. Write {scheme}://USER@HOST/INBOX.")
    from referee.transport.imap import ImapMailbox

    return ImapMailbox(account)


def courier_from_url(url: str, base: Path = Path(), **login: Any) -> Courier:
    """The courier a `[courier] url` names, as `mailbox_from_url`."""
    if url.startswith("maildir:"):
        return MaildirCourier(folder_of(url, base))
    account = _account(url, "courier", COURIERS, login)
    from referee.transport.smtp import SmtpCourier

    return SmtpCourier(account)


def folder_of(url: str, base: Path) -> Path:
    path = url.removeprefix("maildir:").removeprefix("//")
    if not path:
        raise BadAddress(f"{url!r} names no folder. Write maildir:FOLDER.")
    return base / Path(path).expanduser()


def _account(url: str, kind: Literal["mailbox", "courier"], schemes: Schemes, login: Any) -> Account:
    """A server's address taken apart. A password in it is refused: configuration files get shown around."""
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError as error:
        raise BadAddress(f"{url!r} can't be understood: {error}. Write {_KNOWN[kind]}.") from error
    if not parts.scheme or not parts.hostname:
        raise BadAddress(f"{url!r} names no server. Write {_KNOWN[kind]}.")
    if parts.password is not None:
        address = parts.netloc.rpartition("@")[2]
        raise BadAddress(f"The address at {address} holds a password. Use password_env or password_command.")
    if parts.scheme not in schemes:
        raise BadAddress(f"{url!r} names no kind of {kind} the referee knows. Write {_KNOWN[kind]}.")
    security, usual = schemes[parts.scheme]
    user, folder = unquote(parts.username or ""), unquote(parts.path.strip("/")) or "INBOX"
    return Account(parts.hostname, port or usual, security, user, folder=folder, **login)
