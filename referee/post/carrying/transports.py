"""Which adapter an address in the configuration means."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import SplitResult, unquote, urlsplit

from referee.base.private import private_folder
from referee.offices.ports.transport import Courier, KeepsMails
from referee.post.carrying.credentials import BadAddress, Tokens
from referee.post.carrying.maildir import MaildirCourier, MaildirMailbox

if TYPE_CHECKING:
    from referee.post.servers import Security

MAILBOXES = (
    "maildir:FOLDER, imaps://USER@HOST/INBOX, imap+starttls://USER@HOST/INBOX or imap://USER@HOST/INBOX"
)
COURIERS = "maildir:FOLDER, smtps://HOST, smtp+starttls://USER@HOST:587 or smtp://HOST:25"
IMAP_SECURITY: dict[str, Security] = {
    "imaps": "tls",
    "imap+starttls": "starttls",
    "imap": "plain",
}
SMTP_SECURITY: dict[str, Security] = {"smtps": "tls", "smtp+starttls": "starttls", "smtp": "plain"}


def mailbox_from_url(
    url: str,
    secret: str = "",
    *,
    base: Path = Path(),
    ca: Path | None = None,
    tokens: Tokens | None = None,
) -> KeepsMails:
    """The mailbox a `[mailbox] url` names; relative paths start from `base`. Raises BadAddress; connects to nothing."""
    if url.startswith("maildir:"):
        return MaildirMailbox(folder_of(url, base))
    parts = _server(url, MAILBOXES, IMAP_SECURITY, "mailbox")
    user = unquote(parts.username or "")
    if not user:
        raise BadAddress(f"{url!r} does not say whose mailbox it is. Write {parts.scheme}://USER@HOST/INBOX.")
    from referee.post.carrying.imap import ImapMailbox
    from referee.post.carrying.imap_session import ImapAccount

    account = ImapAccount(
        parts.hostname or "",
        user,
        secret,
        parts.port,
        folder=unquote(parts.path.strip("/")) or "INBOX",
        security=IMAP_SECURITY[parts.scheme],
        ca=None if ca is None else base / ca,
        tokens=tokens,
    )
    return ImapMailbox(account)


def courier_from_url(
    url: str,
    secret: str = "",
    *,
    base: Path = Path(),
    ca: Path | None = None,
    tokens: Tokens | None = None,
    connections: int = 1,
) -> Courier:
    """The courier a `[courier] url` names, as `mailbox_from_url`; it uses so many connections at once at most."""
    if url.startswith("maildir:"):
        return MaildirCourier(folder_of(url, base))
    parts = _server(url, COURIERS, SMTP_SECURITY, "courier")
    from referee.post.carrying.smtp import SmtpAccount, SmtpCourier

    account = SmtpAccount(
        parts.hostname or "",
        parts.port,
        SMTP_SECURITY[parts.scheme],
        unquote(parts.username or ""),
        secret,
        ca=None if ca is None else base / ca,
        tokens=tokens,
    )
    return SmtpCourier(account, connections=connections)


def folder_of(url: str, base: Path) -> Path:
    path = url.removeprefix("maildir:").removeprefix("//")
    if not path:
        raise BadAddress(f"{url!r} names no folder. Write maildir:FOLDER.")
    return base / Path(path).expanduser()


def make_maildirs(base: Path, *urls: str) -> None:
    """The Maildirs among these, whole ones: whoever delivers there needs each part."""
    for url in urls:
        for part in ("tmp", "new", "cur") if url.startswith("maildir:") else ():
            private_folder(folder_of(url, base) / part)


def _server(url: str, known: str, schemes: Mapping[str, Security], kind: str) -> SplitResult:
    """The parts of a server's address. A password in it is refused: configuration files get shown around."""
    try:
        parts = urlsplit(url)
        _ = parts.port
    except ValueError as error:
        raise BadAddress(f"{url!r} can't be understood: {error}. Write {known}.") from error
    if not parts.scheme or not parts.hostname:
        raise BadAddress(f"{url!r} names no server. Write {known}.")
    if parts.password is not None:
        address = parts.netloc.rpartition("@")[2]
        raise BadAddress(f"The address at {address} holds a password. Use password_env or password_command.")
    if parts.scheme not in schemes:
        raise BadAddress(f"{url!r} names no kind of {kind} the referee knows. Write {known}.")
    return parts
