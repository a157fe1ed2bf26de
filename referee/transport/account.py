"""A mail server and what opens it: a password, or OAuth 2.0 tokens, which a command of the moderator's prints."""

import ipaddress
import os
import re
import shlex
import subprocess
from base64 import b64decode
from collections.abc import Callable, Iterator
from dataclasses import field
from pathlib import Path
from typing import Literal

from referee.base.errors import RefereeError
from referee.core.value import Value

Security = Literal["tls", "starttls", "plain"]
"""Encrypted from the first byte; encrypted on demand, or not used at all; in the clear."""
PATIENT_WITH_COMMANDS = 30.0  # seconds a command may take
NO_TOKENS = "the server takes no tokens (neither OAUTHBEARER nor XOAUTH2): a password is needed"
NO_PASSWORDS = (
    "; it takes no passwords any more: token_command (OAuth 2.0) instead of one lets the referee in"
)
REACHED = "the password, and that the server can be reached."
_NO_BASIC = re.compile(r"basic ?auth", re.IGNORECASE)
_ENCODED = re.compile(r"[A-Za-z0-9+/_-]{4,}")
_TOKEN = re.compile(r"[!-~]+")  # RFC 6750 allows less; what could end or split a line is none


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
    """What the command under that key prints. Of the command itself only its program is ever told:
    what stands behind it may be the secret."""
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
    """Access tokens by a command. The one at hand serves every connection until a server refuses
    it: only then is the command asked again, so that it may ask far away."""

    def __init__(self, command: str, folder: Path = Path()) -> None:
        self._command = command
        self._folder = folder
        self.at_hand = ""

    def log_in(self, by: Callable[[str], object], refusals: type[Exception]) -> None:
        """Log in by the token at hand; where that is refused by another one, if the command has
        another. Raises what `by` raises, and BadAddress."""
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


def without_secrets(words: str, password: str, tokens: Tokens | None) -> str:
    """A server's words on why it refused, without what we logged in with, should it repeat that as it is or in base64,
    and without anything long and encoded."""
    told, hidden = words, [each for each in (password, tokens.at_hand if tokens else "") if each]
    for word in (*hidden, *_ENCODED.findall(words)):
        whole = len(word) - (len(word) % 4 == 1)
        plain = word.encode() if word in hidden else b64decode(f"{word[:whole]}==", altchars=b"-_")
        if len(word) >= 40 or any(each.encode() in plain for each in hidden):
            told = told.replace(word, "...")
    return told + (NO_PASSWORDS if _NO_BASIC.search(words) else "")


class Account(Value):
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

    def faults(self, section: str, scheme: str) -> Iterator[str]:
        """What is wrong with the way in, as that section has it; `scheme` is that of its server's address."""
        if self.security == "plain" and not is_loopback(self.host):
            yield f"The password of {self} travels in the clear. Use {scheme}s:// or {scheme}+starttls://."
        if not self.password and self.tokens is None:
            yield (
                f"There is no password for {self}. Name the environment variable that holds it under the key "
                f"`password_env` beside [{section}] url, or a command that prints it under `password_command` (one "
                "that prints OAuth tokens under `token_command`)."
            )


def is_loopback(host: str) -> bool:
    """Whether the server is on this machine: judged by its name alone, nothing is looked up."""
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False
