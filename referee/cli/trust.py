"""How far a mail's From is believed: the configuration for a provider's mailbox, and what one lets a forger do."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

from referee import shipped
from referee.config import Configuration
from referee.core.texts.bounded import BadData, read_toml
from referee.offices.settings import Need

NONE = "none"
_HOST = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?")


@dataclass(frozen=True, slots=True)
class Provider:
    """What `config/providers.toml` says of one."""

    name: str
    title: str
    mailbox: str
    courier: str
    trusted_authserv: tuple[str, ...]
    dkim: bool
    tokens: bool
    note: str

    @property
    def needs_host(self) -> bool:
        """Whether the name of the mail server must be told."""
        return "HOST" in self.mailbox


def providers(beside: Path | None = None) -> dict[str, Provider]:
    """The providers known, by name. Raises BadFile."""
    try:
        table = read_toml(shipped.read("config", "providers.toml", beside))
        rows = {
            name: {**row, "trusted_authserv": tuple(row["trusted_authserv"])} for name, row in table.items()
        }
        return {name: Provider(name=name, **row) for name, row in rows.items()}
    except (BadData, KeyError, TypeError, AttributeError) as error:
        raise shipped.BadFile(f"config/providers.toml: {error}") from None


def is_host(text: str) -> bool:
    """Whether it is the name of a mail server, and nothing that a file could be made to say besides."""
    return _HOST.fullmatch(text) is not None


def written_for(text: str, provider: Provider, user: str = "", host: str = "") -> str:
    """The commented configuration, for a mailbox of that provider: a mail counts where it is vouched for. Without a
    user (or a host that is needed) mails go on to come by Maildir, and how it would be stands in a comment."""
    trusted = [
        host if name == "HOST" else name for name in provider.trusted_authserv if host or name != "HOST"
    ]
    lines = text.splitlines()

    def put(start: str, line: str) -> None:
        at = next(number for number, old in enumerate(lines) if old.startswith(start))
        comment = re.search(r"\s+#.*$", lines[at].removeprefix("# "))
        lines[at] = f"{line}{comment[0] if comment else ''}"

    for start, pattern in (
        ('url = "maildir:mail/in"', provider.mailbox),
        ('url = "maildir:mail/out"', provider.courier),
    ):
        url = pattern.replace("USER", quote(user, safe="") or "USER").replace("HOST", host or "HOST")
        if user and (host or not provider.needs_host):
            put(start, f'url = "{url}"')
        else:
            lines.insert(next(n for n, old in enumerate(lines) if old.startswith(start)), f'# url = "{url}"')
    if trusted:
        put(
            "# trusted_authserv",
            f"trusted_authserv = [{', '.join(f'{chr(34)}{name}{chr(34)}' for name in trusted)}]",
        )
    put('need = "address"', 'need = "vouched"')
    if provider.dkim:
        put("dkim = false", "dkim = true")
    if not provider.tokens:
        put("tokens = true", "tokens = false")
    head = [f"# For {provider.title}.", *([f"# {provider.note}"] if provider.note else [])]
    return "\n".join([lines[0], *head, *lines[1:]]) + "\n"


def forger(settings: Configuration) -> Iterator[str]:
    """What the setting lets somebody do who writes a player's address into From, in plain words; then what is weighed
    in another way."""
    s = settings.senders
    yield _allowed(s.need, settings.mailbox.trusted_authserv, s.dkim, s.tokens)
    offices = {"speaker": s.speaker, "collector": s.collector, "moderator": s.moderator}
    apart = {f"mails to the {office}": need for office, need in offices.items() if need is not None}
    apart |= {f"`{command}`": need for command, need in s.commands.items()}
    for need in sorted({need for need in apart.values() if need != s.need}):
        yield f'Weighed by need = "{need}": {", ".join(what for what, own in apart.items() if own == need)}.'


def _allowed(need: Need, servers: tuple[str, ...], dkim: bool, tokens: bool) -> str:
    """What the general need comes to."""
    named = " or ".join(servers)
    asked = "Any other mail is held, and the owner of the address is asked."
    if need == "address" and not servers:
        return (
            "A forger of From can play for any player whose address he knows: From is believed, and no mail server is "
            'trusted to deny it (need = "address"). Among friends that may do; otherwise set need under [senders].'
        )
    if need == "address":
        return (
            f"A forger of From can play for any player whose address he knows, where {named} does not say that the "
            'mail is forged (need = "address"). With need = "vouched" under [senders] it would have to vouch for it.'
        )
    if need == "vouched" and (servers or dkim):
        signed = ["a DKIM signature of the player's domain"] if dkim else []
        by = " or ".join([*([named] if servers else []), *signed])
        reply = ", and one that replies to a letter of ours at its reply address" if tokens else ""
        return (
            f"A forger of From gets nothing: a mail counts that {by} vouches for{reply}. One who has the same mail "
            f"provider as the player is held off by that provider alone. {asked}"
        )
    if need in ("vouched", "token") and tokens:
        return (
            "A forger of From gets nothing unless he has seen a letter to the player: only a mail counts that replies "
            f'to one, at its reply address (need = "{need}"). {asked}'
        )
    if need in ("vouched", "token"):
        vouch = "name your mail server in trusted_authserv, or set dkim = true"
        remedy = vouch if need == "vouched" else "set tokens = true"
        nobody = f'A forger of From gets nothing, but no mail counts by itself either (need = "{need}")'
        return f"{nobody}: {remedy}. {asked}"
    if need == "phrase":
        return f"A forger of From gets nothing without the player's pass phrase or OpenPGP key. {asked}"
    return "A forger of From gets nothing: every mail is held, and the owner of the address is asked."
