"""The configuration: TOML to frozen settings; every mistake is reported at once, with its line and remedy."""

import difflib
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from referee.base.errors import RefereeError
from referee.base.settings import Opens, Settings
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
        return line, f"{path}:{line}: {name}: {words}"  # which says what stands there, but no password
    there = repr(detail["input"])
    there = there if len(there) <= 100 else f"{there[:97]}..."
    return line, f"{path}:{line}: {name}: {words[:1].lower()}{words[1:]} (it is {there})"


def _line_of(text: str, keys: list[str]) -> int:
    """The line of a key in its section; the section's line, or 1, where it can't be found."""
    section, found = "", 1
    for number, line in enumerate(text.splitlines(), 1):
        if match := re.match(r"\s*\[\s*([^\]]+?)\s*\]", line):
            section = match[1]
            found = number if section == keys[0] else found
        elif (key := re.match(r"\s*\"?([\w-]+)\"?\s*=", line)) is not None and (
            key[1] in (keys[1:] if section == keys[0] else () if section else keys[:1])
        ):
            return number
    return found
