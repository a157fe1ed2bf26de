"""The configuration: TOML to frozen settings; every mistake is reported at once, with its line and remedy."""

import difflib
import re
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

from referee.core.bounded import BadData, read_toml
from referee.offices.sections import Held, NotPlain, Section, is_section, judged, taken
from referee.offices.settings import InSection, OutSection, Settings, Span
from referee.post.carrying.transports import courier_from_url, mailbox_from_url
from referee.shipped import BadFile, text_of

if TYPE_CHECKING:
    from pydantic_core import ErrorDetails


class BadConfiguration(Exception):
    """The configuration can't be used; the arguments are its faults, one line each."""


def _mailbox(url: str) -> None:
    mailbox_from_url(url)


def _courier(url: str) -> None:
    courier_from_url(url)


def _store(url: str) -> None:
    if not url.startswith(("sqlite:///", "postgresql://", "postgresql+psycopg://")):
        raise ValueError(
            f"{url.partition(':')[0]!r} is no store the referee knows. Write sqlite:///FILE or postgresql+psycopg://USER@HOST/DATABASE."
        )


def _often(every: timedelta) -> None:
    if every < timedelta(seconds=1):
        raise ValueError("must be 1s or longer")


class _Secret(Section):
    password_env: str | None = None
    password_command: str | None = None
    ca: str | None = None


class MailboxSection(InSection, _Secret):
    url: Annotated[str, Held(_mailbox)] = "maildir:mail/in"
    trusted_authserv: tuple[str, ...] = ()


class CourierSection(OutSection, _Secret):
    url: Annotated[str, Held(_courier)] = "maildir:mail/out"


class StoreSection(_Secret):
    url: Annotated[str, Held(_store)] = "sqlite:///referee.db"


class PollSection(Section):
    every: Annotated[Span, Held(_often)] = timedelta(minutes=1)


class EngineSection(Section):
    """[engine]: one desk (inline), or several workers on one PostgreSQL."""

    kind: Literal["inline", "procrastinate"] = "inline"


class Configuration(Settings):
    """The whole file: what the offices are told, and where mail and data are."""

    mailbox: MailboxSection = MailboxSection()
    courier: CourierSection = CourierSection()
    store: StoreSection = StoreSection()
    poll: PollSection = PollSection()
    engine: EngineSection = EngineSection()


@dataclass(frozen=True, slots=True)
class Located:
    """A configuration and the folder that its relative paths start from."""

    settings: Configuration
    folder: Path


def read_configuration(path: Path) -> Located:
    """The configuration in a file. Raises BadConfiguration with every fault."""
    try:
        text = text_of(path)
    except FileNotFoundError:
        raise BadConfiguration(f"{path}: there is no such file; `referee init` writes one") from None
    except BadFile as error:
        raise BadConfiguration(str(error)) from None
    except OSError as error:
        raise BadConfiguration(f"{path}: it can't be read: {error}") from None
    try:
        table = read_toml(text)
    except BadData as error:
        raise BadConfiguration(f"{path}: {error}") from None
    settings = _settings(path, text, table)
    if settings.engine.kind != "inline" and settings.store.url.startswith("sqlite"):
        line = _line_of(text, ["engine", "kind"])
        raise BadConfiguration(
            f"{path}:{line}: engine.kind: several workers need PostgreSQL, and [store] url is a file of SQLite. Write "
            'postgresql+psycopg://USER@HOST/DATABASE there, or kind = "inline" here.'
        )
    return Located(settings, path.resolve().parent)


def _settings(path: Path, text: str, table: object) -> Configuration:
    try:
        return taken(Configuration, table)
    except NotPlain:
        from pydantic import ValidationError
    try:
        return judged(Configuration, table)
    except ValidationError as error:
        faults = sorted(_fault(path, text, detail) for detail in error.errors())
        raise BadConfiguration(*(words for _, words in faults)) from None


def _fault(path: Path, text: str, detail: "ErrorDetails") -> tuple[int, str]:
    """One fault: its line; the file, the line, the key, what is wrong, what would mend it."""
    where = [str(part) for part in detail["loc"]]
    keys = [part for part in where if not part.isdigit()]
    line = _line_of(text, keys)
    name = ".".join(keys)
    if detail["type"] == "extra_forbidden":
        known = _known(keys[:-1])
        near = difflib.get_close_matches(keys[-1], known, n=1)
        hint = f"; did you mean {near[0]}?" if near else "."
        return line, f"{path}:{line}: there is no {name}{hint} There are: {', '.join(known)}"
    words = detail["msg"].removeprefix("Value error, ")
    if keys[-1] == "url":
        return line, f"{path}:{line}: {name}: {words}"  # which says what stands there, but no password
    return line, f"{path}:{line}: {name}: {words[:1].lower()}{words[1:]} (it is {_shown(detail['input'])})"


def _shown(value: object) -> str:
    """What stands there, cut where it is long."""
    words = repr(value)
    return words if len(words) <= 100 else f"{words[:97]}..."


def _known(section: list[str]) -> list[str]:
    if not section:
        return list(Configuration.kinds)
    kind = Configuration.kinds[section[0]]
    return list(kind.kinds) if is_section(kind) else []


def _line_of(text: str, keys: list[str]) -> int:
    """The line of a key in its section; the section's line, or 1, where it can't be found."""
    section, found = "", 1
    for number, line in enumerate(text.splitlines(), 1):
        if match := re.match(r"\s*\[\s*([^\]]+?)\s*\]", line):
            section = match[1]
            found = number if section == keys[0] else found
        elif (section, _key(line)) in ((keys[0], keys[-1]), ("", keys[0])):
            return number
    return found


def _key(line: str) -> str | None:
    """The key that a line sets."""
    found = re.match(r"\s*\"?([\w-]+)\"?\s*=", line)
    return found[1] if found else None
