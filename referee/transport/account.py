"""What an address in the configuration means, a mailbox or a courier, and what opens it: a password, or OAuth 2.0
tokens, which a command of the moderator's prints."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Literal
from urllib.parse import unquote, urlsplit

from referee.base.errors import RefereeError
from referee.base.ports import Courier, KeepsMails
from referee.base.private import private_folder
from referee.transport.maildir import MaildirCourier, MaildirMailbox

PATIENT_WITH_COMMANDS = 30.0  # seconds a command may take
NO_TOKENS = "the server takes no tokens (neither OAUTHBEARER nor XOAUTH2): a password is needed"
_TOKEN = re.compile(r"[!-~]+")  # RFC 6750 allows less; what could end or split a line is none
_ENCODED = re.compile(r"[A-Za-z0-9+/=_-]{40,}")  # what a server may echo of what we logged in with


class BadAddress(RefereeError, ValueError):
    """The address of a mailbox or courier, or what opens it, can't be understood."""


def secret(env: str | None, command: str | None, folder: Path = Path()) -> str:
    """The password, from the environment variable or the first line the command prints in that folder; empty where
    neither is named. Raises BadAddress, in words that hold nothing of the secret."""
    if env:
        value = os.environ.get(env)
        if value is None:
            raise BadAddress(f"The environment variable {env}, named by password_env, is not set.")
        return value
    return first_line_of("password_command", command, folder) if command else ""


def first_line_of(key: str, command: str, folder: Path) -> str:
    """What the command under that key prints. Of the command itself only its program is ever told: what stands behind
    it may be the secret."""
    try:
        words = shlex.split(command)
        done = subprocess.run(
            words, capture_output=True, text=True, timeout=PATIENT_WITH_COMMANDS, check=False, cwd=folder
        )
    except (OSError, ValueError, IndexError, subprocess.TimeoutExpired) as error:
        raise BadAddress(f"The {key}{_program(command)} can't be run: {type(error).__name__}.") from None
    if done.returncode != 0:
        raise BadAddress(f"The {key}{_program(command)} failed with exit status {done.returncode}.")
    return done.stdout.split("\n", 1)[0].rstrip("\r")


def _program(command: str) -> str:
    first = command.split()
    return f" ({first[0]})" if first else ""


class Tokens:
    """Access tokens by a command. The one at hand serves every connection until a server refuses it: only then is
    the command asked again, so that it may ask far away."""

    def __init__(self, command: str, folder: Path = Path()) -> None:
        self._command = command
        self._folder = folder
        self.at_hand = ""

    def log_in(self, by: Callable[[str], object], refusals: type[Exception]) -> None:
        """Log in by the token at hand; where that is refused by another one, if the command has another. Raises what
        `by` raises, and BadAddress."""
        token = self._instead_of("")
        try:
            by(token)
        except refusals:
            fresh = self._instead_of(token)
            if fresh == token:
                raise
            by(fresh)

    def _instead_of(self, refused: str) -> str:
        if self.at_hand == refused:
            self.at_hand = ""  # should the command fail now, the next asks it again
            token = first_line_of("token_command", self._command, self._folder).strip()
            if not _TOKEN.fullmatch(token):
                raise BadAddress(f"The token_command{_program(self._command)} printed no token.")
            self.at_hand = token
        return self.at_hand


def tokens_by(command: str | None, folder: Path) -> Tokens | None:
    """The tokens of a command, where one is named."""
    return Tokens(command, folder) if command else None


def unsaid(words: str, password: str, tokens: Tokens | None) -> str:
    """A server's words on why it refused, without what we logged in with, should it repeat that."""
    for each in (password, tokens.at_hand if tokens else ""):
        words = words.replace(each, "...") if each else words
    return _ENCODED.sub("...", words)


# --- addresses ----------------------------------------------------------------------------------------------------

Security = Literal["tls", "starttls", "plain"]
"""Encrypted from the first byte; encrypted on demand, or not used at all; in the clear."""
Schemes = Mapping[str, tuple[Security, int]]  # what an address begins with, and the port where it names none
MAILBOXES: Final[Schemes] = {
    "imaps": ("tls", 993),
    "imap+starttls": ("starttls", 143),
    "imap": ("plain", 143),
}
COURIERS: Final[Schemes] = {
    "smtps": ("tls", 465),
    "smtp+starttls": ("starttls", 587),
    "smtp": ("plain", 25),
}
_KNOWN = {
    "mailbox": "maildir:FOLDER, imaps://USER@HOST/INBOX, imap+starttls://USER@HOST/INBOX or imap://USER@HOST/INBOX",
    "courier": "maildir:FOLDER, smtps://HOST, smtp+starttls://USER@HOST:587 or smtp://HOST:25",
}


@dataclass(frozen=True, slots=True)
class Account:
    """A mail server and how to get in: by `tokens`, where there are any; without a `user` nobody logs in. `ca` names a
    file of certificates to trust instead of the system's; `folder` is a mailbox's; times in seconds."""

    host: str
    port: int
    security: Security
    user: str = ""
    password: str = field(default="", repr=False)
    folder: str = "INBOX"
    ca: Path | None = None
    tokens: Tokens | None = field(default=None, repr=False)
    connect_timeout: float = 10.0
    timeout: float = 60.0

    def __str__(self) -> str:
        return f"{self.user} at {self.host}:{self.port}"


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
    account = _account(url, "mailbox", MAILBOXES, secret, base, ca, tokens)
    if not account.user:
        scheme = url.partition(":")[0].lower()
        raise BadAddress(f"{url!r} does not say whose mailbox it is. Write {scheme}://USER@HOST/INBOX.")
    from referee.transport.imap import ImapMailbox

    return ImapMailbox(account)


def courier_from_url(
    url: str,
    secret: str = "",
    *,
    base: Path = Path(),
    ca: Path | None = None,
    tokens: Tokens | None = None,
) -> Courier:
    """The courier a `[courier] url` names, as `mailbox_from_url`."""
    if url.startswith("maildir:"):
        return MaildirCourier(folder_of(url, base))
    account = _account(url, "courier", COURIERS, secret, base, ca, tokens)
    from referee.transport.smtp import SmtpCourier

    return SmtpCourier(account)


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


def _account(
    url: str,
    kind: Literal["mailbox", "courier"],
    schemes: Schemes,
    secret: str,
    base: Path,
    ca: Path | None,
    tokens: Tokens | None,
) -> Account:
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
    return Account(
        host=parts.hostname,
        port=port or usual,
        security=security,
        user=unquote(parts.username or ""),
        password=secret,
        folder=unquote(parts.path.strip("/")) or "INBOX",
        ca=None if ca is None else base / ca,
        tokens=tokens,
    )
