"""The configuration: TOML to frozen settings; every mistake is reported at once, with its line and remedy."""

from __future__ import annotations

import difflib
import re
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Annotated, Any, Literal
from zoneinfo import available_timezones

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError, field_validator

from referee.core.bounded import BadData, read_toml
from referee.core.options import duration
from referee.offices.incoming.measures import Measures
from referee.offices.settings import CONFIRMED
from referee.post.carrying.transports import courier_from_url, mailbox_from_url
from referee.post.commands import COMMANDS
from referee.shipped import BadFile, text_of

_SIZE = re.compile(r"(\d+)\s*(b|kb|mb)?", re.IGNORECASE)
WEIGHED = frozenset(
    {"order", *(command for command, _ in COMMANDS.values())}
)  # what `[senders] commands` may name
_ADDRESS = re.compile(r"[^\s@<>,;:\"]+@[^\s@<>,;:\"]+")


class BadConfiguration(Exception):
    """The configuration can't be used; the arguments are its faults, one line each."""


def _span(value: Any) -> Any:
    if isinstance(value, str):
        try:
            return duration(value.strip())
        except ValueError:
            raise ValueError("must be a span of time such as 1m, 48h or 7d") from None
    return value


def _bytes(value: Any) -> Any:
    if isinstance(value, str) and (match := _SIZE.fullmatch(value.strip())):
        return int(match[1]) * {"b": 1, "kb": 1000, "mb": 1_000_000}[(match[2] or "b").lower()]
    return value


def _address(value: str) -> str:
    if not _ADDRESS.fullmatch(value):
        raise ValueError("must be a mail address such as referee@example.org")
    return value


Span = Annotated[timedelta, BeforeValidator(_span)]
Bytes = Annotated[int, BeforeValidator(_bytes), Field(gt=0)]


Count = Annotated[int, Field(ge=1)]
_MEASURES = Measures()


class _Section(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class RefereeSection(_Section):
    name: Annotated[str, Field(min_length=1, max_length=60)] = "Referee"
    timezone: str = "UTC"

    @field_validator("timezone")
    @classmethod
    def known(cls, value: str) -> str:
        if value not in available_timezones():
            near = difflib.get_close_matches(value, available_timezones(), n=2)
            raise ValueError(
                f"must be a time zone such as Europe/Berlin{f'; did you mean {near[0]}?' if near else ''}"
            )
        return value


class OfficesSection(_Section):
    speaker: str = "speaker@referee.localhost"
    collector: str = "collector@referee.localhost"
    moderator: str = "moderator@referee.localhost"
    unsubscribe: str = ""

    @field_validator("unsubscribe")
    @classmethod
    def _page(cls, url: str) -> str:
        if url and not (
            url.startswith("https://") and "{token}" in url and url.isprintable() and " " not in url
        ):
            raise ValueError("an address that begins with https:// and holds {token} is wanted")
        return url

    check = field_validator("speaker", "collector", "moderator")(_address)


class _Secret(_Section):
    password_env: str | None = None
    password_command: str | None = None
    ca: str | None = None


class MailboxSection(_Secret):
    url: str = "maildir:mail/in"
    largest: Bytes = 1_000_000
    trusted_authserv: tuple[str, ...] = ()

    @field_validator("url")
    @classmethod
    def known(cls, value: str) -> str:
        mailbox_from_url(value)
        return value


class CourierSection(_Secret):
    url: str = "maildir:mail/out"
    batch: Annotated[int, Field(ge=1, le=1000)] = 20

    @field_validator("url")
    @classmethod
    def known(cls, value: str) -> str:
        courier_from_url(value)
        return value


class StoreSection(_Secret):
    url: str = "sqlite:///referee.db"

    @field_validator("url")
    @classmethod
    def known(cls, value: str) -> str:
        if not value.startswith(("sqlite:///", "postgresql://", "postgresql+psycopg://")):
            raise ValueError(
                f"{value.partition(':')[0]!r} is no store the referee knows. Write sqlite:///FILE or postgresql+psycopg://USER@HOST/DATABASE."
            )
        return value


class PollSection(_Section):
    every: Span = timedelta(minutes=1)

    @field_validator("every")
    @classmethod
    def positive(cls, value: timedelta) -> timedelta:
        if value < timedelta(seconds=1):
            raise ValueError("must be 1s or longer")
        return value


class RemindersSection(_Section):
    halfway: bool = True
    before: tuple[Span, ...] = (timedelta(days=2), timedelta(days=1))
    again: Span = timedelta(days=7)


class LimitsSection(_Section):
    grace: Span = timedelta(hours=48)
    strangers_a_day: Annotated[int, Field(ge=0)] = 5
    strangers_in_all: Annotated[int, Field(ge=0)] = 200
    answers_a_day: Annotated[int, Field(ge=1)] = 100
    pictures_a_day: Annotated[int, Field(ge=0)] = 25
    equal_questions_a_day: Annotated[int, Field(ge=1)] = 5
    press_a_day: Annotated[int, Field(ge=0)] = 50
    largest_press: Bytes = 16_000
    largest_letter: Annotated[int, BeforeValidator(_bytes), Field(ge=20_000)] = 500_000
    alarms_a_day: Annotated[int, Field(ge=1)] = 20
    solver_nodes: Annotated[int, Field(ge=1)] = 50_000_000
    absence_days: Annotated[int, Field(ge=0)] = 30
    digest_hour: Annotated[int, Field(ge=0, le=23)] = 6
    lines: Count = _MEASURES.lines
    tokens: Count = _MEASURES.tokens
    orders: Count = _MEASURES.orders
    complaints: Count = _MEASURES.complaints
    seconds: Annotated[float, Field(ge=1)] = _MEASURES.seconds

    @property
    def measures(self) -> Measures:
        return Measures(self.lines, self.tokens, self.orders, self.complaints, self.seconds)


Need = Literal["address", "vouched", "token", "phrase", "confirm"]


class SendersSection(_Section):
    need: Need = "address"
    speaker: Need | None = None
    collector: Need | None = None
    moderator: Need | None = None
    commands: Annotated[dict[str, Need], Field(validate_default=True)] = {}
    tokens: bool = True
    dkim: bool = False
    challenges_a_day: Annotated[int, Field(ge=0)] = 5

    @field_validator("commands")
    @classmethod
    def known(cls, value: dict[str, Need]) -> dict[str, Need]:
        """What is given comes before what is so anyhow."""
        unknown = sorted(set(value) - WEIGHED)
        if unknown:
            near = difflib.get_close_matches(unknown[0], WEIGHED, n=1)
            hint = f"; did you mean {near[0]}?" if near else "."
            raise ValueError(
                f"there is no command {unknown[0]}{hint} There are: {', '.join(sorted(WEIGHED))}"
            )
        return {**CONFIRMED, **value}


class PressSection(_Section):
    talk: Literal["on", "public", "off"] = "on"
    beside_sealed: bool = False


class SiteSection(_Section):
    folder: str = ""
    url: str = ""

    @field_validator("url")
    @classmethod
    def _page(cls, url: str) -> str:
        if url and not re.fullmatch(r"https?://[^\s<>\"'?#]+", url):
            raise ValueError("an address such as https://games.example.org/ is wanted, or nothing")
        return url

    @property
    def address(self) -> str:
        """The address with a slash at its end; empty where there is none."""
        return f"{self.url.rstrip('/')}/" if self.url else ""


class Configuration(_Section):
    """The whole file. Sections and keys that are left away have their defaults."""

    referee: RefereeSection = RefereeSection()
    offices: OfficesSection = OfficesSection()
    mailbox: MailboxSection = MailboxSection()
    courier: CourierSection = CourierSection()
    store: StoreSection = StoreSection()
    poll: PollSection = PollSection()
    reminders: RemindersSection = RemindersSection()
    limits: LimitsSection = LimitsSection()
    senders: SendersSection = SendersSection()
    press: PressSection = PressSection()
    site: SiteSection = SiteSection()


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
    try:
        return Located(Configuration.model_validate(table), path.resolve().parent)
    except ValidationError as error:
        faults = sorted(_fault(path, text, detail) for detail in error.errors())
        raise BadConfiguration(*(words for _, words in faults)) from None


def _fault(path: Path, text: str, detail: Any) -> tuple[int, str]:
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


def _shown(value: Any) -> str:
    """What stands there, cut where it is long."""
    words = repr(value)
    return words if len(words) <= 100 else f"{words[:97]}..."


def _known(section: list[str]) -> list[str]:
    fields = Configuration.model_fields
    if not section:
        return list(fields)
    annotation = fields[section[0]].annotation
    return list(annotation.model_fields) if isinstance(annotation, type(BaseModel)) else []


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
