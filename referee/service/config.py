"""The configuration: TOML to frozen settings; every mistake is reported at once, with its line and remedy. How one is
written, for a provider's mailbox, for several workers; and how far one lets a forger go."""

import difflib
import json
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Literal
from urllib.parse import quote

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from referee.base import shipped
from referee.base.errors import RefereeError
from referee.base.settings import Need, Opens, SendersSection, Settings
from referee.base.shipped import BadFile, text_of
from referee.core.texts.bounded import BadData, read_toml
from referee.core.value import Value
from referee.transport.urls import courier_from_url, folder_of, mailbox_from_url


class BadConfiguration(RefereeError):
    """The configuration can't be used; the arguments are its faults, one line each."""


def _store_from_url(url: str) -> None:
    if not url.startswith(("sqlite:///", "postgresql://", "postgresql+psycopg://")):
        raise ValueError(
            f"{url.partition(':')[0]!r} is no store the referee knows. Write sqlite:///FILE or "
            "postgresql+psycopg://USER@HOST/DATABASE."
        )


# What opens an address says what is wrong with it.
_OPENS: Opens = {"mailbox": mailbox_from_url, "courier": courier_from_url, "store": _store_from_url}


class Located(Value):
    """A configuration and the folder that its relative paths start from."""

    settings: Settings
    folder: Path
    warnings: tuple[str, ...] = ()  # what it names that is gone, and was of no use

    def at_work(self) -> dict[str, str]:
        """What the service says at its start: what it reads, sends by and goes by, without the name of who logs in."""
        s = self.settings
        named = {"reads": s.mailbox.url, "sends_by": s.courier.url, "store": s.store.url}
        return {
            **{what: _place(url) for what, url in named.items()},
            "every": str(s.poll.every),
            **({"site": s.site.folder} if s.site.folder else {}),
            **({"heartbeat": s.poll.heartbeat} if s.poll.heartbeat else {}),
        }

    @property
    def maildirs(self) -> list[Path]:
        """Where mails come in and letters go out, where that is no server."""
        urls = (self.settings.mailbox.url, self.settings.courier.url)
        return [folder_of(url, self.folder) for url in urls if url.startswith("maildir:")]


def _place(url: str) -> str:
    scheme, mark, rest = url.partition("://")
    return f"{scheme}{mark}{rest.rpartition('@')[2]}" if mark else url


def read_configuration(path: Path) -> Located:
    """The configuration in a file. Raises BadConfiguration with every fault."""
    try:
        table = read_toml(text := text_of(path))
    except FileNotFoundError:
        raise BadConfiguration(f"{path}: there is no such file; `referee init` writes one") from None
    except BadFile as error:
        raise BadConfiguration(str(error)) from None
    except OSError as error:
        raise BadConfiguration(f"{path}: it can't be read: {error}") from None
    except BadData as error:
        raise BadConfiguration(f"{path}: {error}") from None
    warnings = tuple(
        f"{path}:{_line_of(text, keys)}: {'.'.join(keys)} says nothing any more: {why}. Delete it."
        for keys, why in list(_without_gone(table))
    )
    try:
        settings = Settings.model_validate(table, context=_OPENS)
    except ValidationError as error:
        faults = sorted(_fault(path, text, _otherwise(table), detail) for detail in error.errors())
        raise BadConfiguration(*(words for _, words in faults)) from None
    if settings.engine.kind != "inline" and settings.store.url.startswith("sqlite"):
        raise BadConfiguration(
            f"{path}:{_line_of(text, ['engine', 'kind'])}: engine.kind: several workers need PostgreSQL, and [store] "
            'url is a file of SQLite. Write postgresql+psycopg://USER@HOST/DATABASE there, or kind = "inline" here.'
        )
    s, trusted = settings.senders, settings.mailbox.trusted_authserv
    for key in ("need", "speaker", "collector", "moderator"):
        if getattr(s, key) == "vouched" and not trusted:
            raise BadConfiguration(
                f"{path}:{_line_of(text, ['senders', key])}: senders.{key}: {_NOBODY_VOUCHES}: {_otherwise(table)}"
            )
    return Located(settings, path.resolve().parent, warnings)


def _without_gone(table: dict[str, Any]) -> Iterator[tuple[list[str], str]]:
    """Takes out of the table what `init` of 0.2.0 wrote of things that are gone: each by its keys, with the reason."""
    senders, courier = table.get("senders"), table.get("courier")
    commands = senders.get("commands") if isinstance(senders, dict) else None
    if isinstance(senders, dict) and senders.get("dkim") is False:
        del senders["dkim"]
        yield ["senders", "dkim"], "the referee checks no DKIM signatures itself"
    for name in ("phrase", "key"):
        if isinstance(commands, dict) and commands.pop(name, None) is not None:
            yield ["senders", "commands", name], "pass phrases and OpenPGP are gone"
    if isinstance(courier, dict) and courier.pop("connections", None) is not None:
        yield ["courier", "connections"], "letters leave over one connection"


def _otherwise(table: dict[str, Any]) -> str:
    """What does without the word of a mail server; without tokens no reply to a letter can."""
    senders = table.get("senders")
    bare = isinstance(senders, dict) and senders.get("tokens") is False
    need, so = ("confirm", "owners are asked") if bare else ("token", "replies to letters count")
    servers = "name the server that writes them in trusted_authserv under [mailbox]"
    return f'{servers}, or write need = "{need}" under [senders], so that {so}.'


_NOBODY_VOUCHES = '"vouched" is what a mail server says in Authentication-Results'
_GONE = "the referee checks no DKIM signatures itself any more, but believes Authentication-Results"
_RENAMED = {"limits.grace": "limits.held_wait"}  # `grace` is an option of matches


def _fault(path: Path, text: str, otherwise: str, detail: ErrorDetails) -> tuple[int, str]:
    """One fault: its line; the file, the line, the key, what is wrong, what would mend it."""
    keys = [part for part in detail["loc"] if isinstance(part, str)]  # numbers are places in lists
    line = _line_of(text, keys)
    name = ".".join(keys)
    if name == "senders.dkim":
        return line, f"{path}:{line}: {name}: {_GONE}: {otherwise} Then delete this line."
    if detail["type"] == "extra_forbidden" and (new := _RENAMED.get(name)):
        return line, f"{path}:{line}: {name} is called {new} now; write {new.rpartition('.')[2]} there."
    if detail["type"] == "extra_forbidden":
        of: Any = Settings.model_fields[keys[0]].annotation if keys[1:] else Settings
        known = list(getattr(of, "model_fields", ()))
        near = difflib.get_close_matches(keys[-1], known, n=1)
        hint = f"; did you mean {near[0]}?" if near else "."
        return line, f"{path}:{line}: there is no {name}{hint} There are: {', '.join(known)}"
    words = detail["msg"].removeprefix("Value error, ")
    if keys[-1] == "url":
        return line, f"{path}:{line}: {name}: {words}"  # what stands there, but no password
    there = repr(detail["input"])
    there = there if len(there) <= 100 else f"{there[:97]}..."
    return line, f"{path}:{line}: {name}: {words[:1].lower()}{words[1:]} (it is {there})"


def _line_of(text: str, keys: list[str]) -> int:
    """The line of a key in its section; the section's line, or 1, where it can't be found."""
    section, found, sought = "", 1, {keys[0]: keys[1:], "": keys[:1]}
    for number, line in enumerate(text.splitlines(), 1):
        if match := re.match(r"\s*\[\s*([^\]]+?)\s*\]", line):
            section = match[1]
            found = number if section == keys[0] else found
        elif (key := re.match(r"\s*\"?([\w-]+)\"?\s*=", line)) and key[1] in sought.get(section, ()):
            return number
    return found


# --- how one is written ---------------------------------------------------------------------------------------------

NONE = "none"
_LADDER = ("address", "vouched", "token", "confirm")
_HOST = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?")
_ADDRESS = re.compile(r"[^\s@<>,;:\"\\]+@[A-Za-z0-9.-]+")


class Provider(Value):
    """What `config/providers.toml` says of one."""

    name: str
    title: str
    mailbox: str
    courier: str
    trusted_authserv: Sequence[str]
    tokens: bool
    note: str

    def needs(self, what: Literal["HOST", "USER"]) -> bool:
        """Whether the name of the mail server, or of the mailbox's user, must be told."""
        return what in self.mailbox


def providers() -> dict[str, Provider]:
    """The providers known, by name. Raises BadFile."""
    try:
        table = read_toml(shipped.read("config", "providers.toml"))
        return {name: Provider(name, **row) for name, row in table.items()}
    except (BadData, TypeError) as error:
        raise shipped.BadFile(f"config/providers.toml: {error}") from None


class NewMailbox(Value):
    """What whoever sets a referee up has said of its mailbox, "" where nothing: the provider's
    name, the user there, the mail server, the mailbox's own address, the moderator's."""

    provider: str = ""
    user: str = ""
    host: str = ""
    address: str = ""
    moderator: str = ""

    @property
    def found(self) -> Provider | None:
        """None: mails come by Maildir, for trying things out."""
        return providers().get(self.provider)

    @property
    def mailbox(self) -> str:
        """Its address, as far as it is known."""
        return self.address or (self.user if _ADDRESS.fullmatch(self.user) else "")

    def reaches(self, provider: Provider) -> bool:
        """Whether enough was said to reach the mailbox."""
        return bool(self.user or not provider.needs("USER")) and bool(self.host or not provider.needs("HOST"))

    def faults(self) -> tuple[str, ...]:
        """What can't be so, in plain words."""
        names = (*providers(), NONE)
        odd = (a for a in (self.address, self.moderator) if a and not _ADDRESS.fullmatch(a))
        wrong = [f"{address!r} is no mail address" for address in odd]
        if self.provider and self.provider not in names:
            wrong.append(f"there is no provider {self.provider!r}. There are: {', '.join(names)}")
        if self.host and not _HOST.fullmatch(self.host):
            wrong.append(f"{self.host!r} is no name of a mail server such as mx.example.org")
        return tuple(wrong)

    def left(self) -> Iterator[str]:
        """What is to be filled in by hand."""
        provider = self.found
        if provider is None:
            return
        note = f" {provider.note}" if provider.note else ""
        if not self.reaches(provider):
            yield (
                "[mailbox] url and [courier] url: your user name and mail server. The lines with # show how; each "
                "takes the place of the Maildir below it."
            )
        if provider.needs("USER"):
            keys = "[mailbox] and [courier] password_env, password_command or token_command"
            yield f"{keys}: how the referee logs in.{note}"
        if not self.mailbox:
            yield "[offices] speaker and collector: the mailbox's mail address."
        if not self.moderator:
            yield "[offices] moderator: your own mail address, where alarms go. The referee's will not do."

    def written(self, text: str) -> str:
        """The commented configuration: for a provider's mailbox a mail counts where it is vouched
        for, or answers a letter. Without a user (or a host that is needed) mails go on to come by
        Maildir, and how it would be stands in a comment."""
        provider, box = self.found, self.mailbox
        own = {"speaker": box, "collector": box, "moderator": self.moderator}
        instead = {f"{key} = ": f'{key} = "{address}"' for key, address in own.items() if address}
        if provider is not None:
            names = {"USER": quote(self.user, safe="") or "USER", "HOST": self.host or "HOST"}
            for box, pattern in (("in", provider.mailbox), ("out", provider.courier)):
                url = re.sub("|".join(names), lambda name: names[name[0]], f'url = "{pattern}"')
                here = f'url = "maildir:mail/{box}"'
                instead[here] = url if self.reaches(provider) else f"# {url}\n{here}"
            told = (self.host if name == "HOST" else name for name in provider.trusted_authserv)
            if trusted := [*filter(None, told)]:
                instead["# trusted_authserv"] = f"trusted_authserv = {json.dumps(trusted)}"
            need = "vouched" if trusted else "token" if provider.tokens else "confirm"
            instead |= {'need = "address"': f'need = "{need}"'}
            instead |= {} if provider.tokens else {"tokens = true": "tokens = false"}
            notes = (f"# {said}\n" for said in (f"For {provider.title}.", provider.note) if said)
            text = text.replace("\n", "\n" + "".join(notes), 1)
        for start, line in instead.items():
            text = _put(text, start, line)
        return text


def _put(text: str, start: str, line: str) -> str:
    """In the place of the first line that begins so, with its comment."""
    return re.sub(
        rf"(?m)^{re.escape(start)}(?:.*?(\s+#.*)|.*)$", lambda old: f"{line}{old[1] or ''}", text, count=1
    )


_WORKERS = """\
# For several workers. Each machine has this file, and the same secret: copy the file that ends in .secret (it is made
# beside this one with the first command), or set REFEREE_SECRET to the same on each. A Maildir and [site] folder are
# read and written by the machine that has them; with IMAP and SMTP the machines need nothing in common but PostgreSQL:
#     createuser --pwprompt referee && createdb --owner referee --encoding UTF8 --template template0 referee
"""


def for_workers(text: str) -> str:
    """The configuration for several workers on one PostgreSQL."""
    database = 'url = "postgresql+psycopg://referee@localhost/referee"    # or sqlite:///FILE for one desk'
    text = re.sub(r'(?m)^url = "sqlite:.*$', database, text)
    text = text.replace('\nkind = "inline"       ', '\nkind = "procrastinate"')
    return text.replace("\n", f"\n{_WORKERS}", 1)


def forger(settings: Settings) -> Iterator[str]:
    """What the setting lets somebody do who writes a player's address into From, in plain words;
    then what is weighed in another way."""
    s = settings.senders
    said = _allowed(order_need(s), settings.mailbox.trusted_authserv, s.tokens)
    if "order" in s.commands:
        said = said.replace("need under [senders]", "order under [senders] commands")
        said = said.replace('need = "vouched" under', 'order = "vouched" under')
    yield said
    offices = {"speaker": s.speaker, "collector": s.collector, "moderator": s.moderator}
    apart = {f"mails to the {office}": need for office, need in offices.items() if need is not None}
    apart |= {f"`{command}`": need for command, need in s.commands.items()}
    for need in sorted({need for need in apart.values() if need != s.need}):
        yield f'Weighed by need = "{need}": {", ".join(what for what, own in apart.items() if own == need)}.'


def order_need(senders: SendersSection) -> Need:
    """What the least sure order to a game needs, by whichever office it comes."""
    return min((senders.needed(office, "order") for office in ("speaker", "collector")), key=_LADDER.index)


def _allowed(need: Need, servers: tuple[str, ...], tokens: bool) -> str:
    """What the general need comes to."""
    named, anybody = " or ".join(servers), "A forger of From can play for any player whose address he knows"
    asked = "Any other mail is held, and the owner of the address is asked."
    nobody = "A forger of From gets nothing"
    if need == "address" and not servers:
        return (
            f'{anybody}: From is believed, and no mail server is trusted to deny it (need = "address"). Among friends '
            "that may do; otherwise set need under [senders]."
        )
    if need == "address":
        return (
            f'{anybody}, where {named} does not say that the mail is forged (need = "address"). With need = "vouched" '
            "under [senders] it would have to vouch for it."
        )
    if need == "vouched":
        reply = ", and one that replies to a letter of ours at its reply address" if tokens else ""
        return (
            f"{nobody}: a mail counts that {named} vouches for{reply}. One who has the same mail provider as the "
            f"player is held off by that provider alone. {asked}"
        )
    if need == "token" and tokens:
        return (
            f"{nobody} unless he has seen a letter to the player: only a mail counts that replies to one, at its reply "
            f'address (need = "token"). {asked}'
        )
    if need == "token":
        return f'{nobody}, but no mail counts by itself either (need = "token" without tokens is "confirm"). {asked}'
    return f"{nobody}: every mail is held, and the owner of the address is asked."
