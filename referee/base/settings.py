"""The settings of the offices, as the configuration's sections hold them. Every limit and every default stands here,
and only here; `referee.service.config` reads them from the file."""

import difflib
import re
from collections.abc import Callable, Mapping
from datetime import timedelta
from typing import Annotated, Any, Literal, get_args
from urllib.parse import urlencode
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError, available_timezones

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    ValidationInfo,
    field_validator,
)

from referee.core.options import LONGEST, duration
from referee.core.texts.addresses import address_key, unpostable, without_detail
from referee.core.texts.naming import clause_id, file_name

# What a subject may ask of an office.
Command = Literal[
    "help", "status", "games", "rules", "syntax", "pieces", "record", "board", "withdraw", "discard", "resign",
    "preview", "join", "observe", "stop", "timezone", "vacation", "press", "renew", "address", "format", "digest",
    "list", "propose", "options", "rematch", "event", "rating", "ratings", "listing", "substitute", "receipt",
]  # fmt: skip
_SIZE = r"(?i)(\d+)\s*(b|kb|mb)?"  # patterns are compiled where something is compared with them
_ADDRESS = r"[^\s@<>,;:\"]+@[^\s@<>,;:\"]+"


def _span(value: object) -> object:
    if isinstance(value, str):
        try:
            return duration(value.strip())
        except ValueError:
            raise ValueError(f"must be a span of time such as 1m, 48h or 7d, up to {LONGEST.days}d") from None
    return value


def _bytes(value: object) -> object:
    if isinstance(value, str) and (match := re.fullmatch(_SIZE, value.strip())):
        return int(match[1]) * {"b": 1, "kb": 1000, "mb": 1_000_000}[(match[2] or "b").lower()]
    return value


_MOST = 1_000_000_000
Span = Annotated[timedelta, BeforeValidator(_span), Field(ge=timedelta(0), le=LONGEST)]
Bytes = Annotated[int, BeforeValidator(_bytes), Field(gt=0, le=_MOST)]
Count = Annotated[int, Field(ge=1, le=_MOST)]
CountOrNone = Annotated[int, Field(ge=0, le=_MOST)]


def is_zone(name: str) -> bool:
    """Whether the tz database has a zone of that name. `available_timezones` says the same, but
    looks through all files of the database for it, which takes longer than an idle pass."""
    if name.partition("/")[0] in ("posix", "right", "posixrules"):
        return False  # the same zones once more, and with leap seconds
    try:
        ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return False
    return True


class Section(BaseModel):
    """A section of the file: what it does not know is a mistake. pydantic builds the whole file's
    checks in one, when they are first needed, and none for a section alone."""

    model_config = ConfigDict(extra="forbid", frozen=True, defer_build=True)


def _zone(value: str) -> str:
    if not is_zone(value):
        near = difflib.get_close_matches(value, available_timezones(), n=2)
        meant = f"; did you mean {near[0]}?" if near else ""
        raise ValueError(f"must be a time zone such as Europe/Berlin{meant}")
    return value


class RefereeSection(Section):
    """[referee]"""

    name: Annotated[str, Field(min_length=1, max_length=60)] = "Referee"
    timezone: Annotated[str, AfterValidator(_zone)] = "UTC"


def _posted(value: str | tuple[str, ...]) -> str | tuple[str, ...]:
    for each in (value,) if isinstance(value, str) else value:
        if not re.fullmatch(_ADDRESS, each):
            raise ValueError("must be a mail address such as referee@example.org")
    return value


def _page(url: str) -> str:
    whole = url.startswith("https://") and "{token}" in url and url.isprintable() and " " not in url
    if url and not whole:
        raise ValueError("an address that begins with https:// and holds {token} is wanted")
    return url


Address = Annotated[str, AfterValidator(_posted)]
Addresses = Annotated[tuple[str, ...], AfterValidator(_posted)]


class OfficesSection(Section):
    """[offices]: `moderators` are further people at the desk, `also` further addresses that the
    mailbox takes; `unsubscribe` is an operator's page for RFC 8058, with {token} in it."""

    speaker: Address = "speaker@referee.localhost"
    collector: Address = "collector@referee.localhost"
    moderator: Address = "moderator@referee.localhost"
    moderators: Addresses = ()
    also: Addresses = ()
    unsubscribe: Annotated[str, AfterValidator(_page)] = ""


Opens = Mapping[str, Callable[[str], object]]  # by section what opens its address, or says why not


class _Secret(Section):
    """How one logs in; its address is opened by what the file is read with."""

    password_env: str | None = None
    password_command: str | None = None
    ca: str | None = None

    @field_validator("url", check_fields=False)
    @classmethod
    def known(cls, value: str, info: ValidationInfo) -> str:
        if info.context:
            info.context[cls.__name__.removesuffix("Section").lower()](value)
        return value


class _Login(_Secret):
    """To a mail server also by a token."""

    token_command: str | None = None

    @field_validator("token_command")
    @classmethod
    def alone(cls, value: str | None, info: ValidationInfo) -> str | None:
        if value and (info.data.get("password_env") or info.data.get("password_command")):
            raise ValueError("a mail server takes a token or a password, not both: leave one of them away")
        return value


class MailboxSection(_Login):
    """[mailbox]: `largest` is in bytes."""

    largest: Bytes = 1_000_000
    url: str = "maildir:mail/in"
    trusted_authserv: tuple[str, ...] = ()


class CourierSection(_Login):
    """[courier]: `batch` letters leave before they are marked in one commit; `smtputf8` tells that the mail server, and
    those behind it, take names beyond ASCII before the @ (RFC 6531)."""

    batch: Annotated[int, Field(ge=1, le=1000)] = 20
    smtputf8: bool = False
    url: str = "maildir:mail/out"


class StoreSection(_Secret):
    """[store]"""

    url: str = "sqlite:///referee.db"


def _positive(span: timedelta) -> timedelta:
    if span < timedelta(seconds=1):
        raise ValueError("must be 1s or longer")
    return span


class PollSection(Section):
    """[poll]: `cron` is how often another clock calls `step`, 0 where nobody can say; `heartbeat`
    is a file that every pass touches."""

    every: Annotated[Span, AfterValidator(_positive)] = timedelta(minutes=1)
    cron: Annotated[Span, BeforeValidator(lambda value: "0" if value == "" else value)] = timedelta(0)
    heartbeat: str = ""

    @property
    def silence(self) -> timedelta:
        """How long of a service that is at work nothing may be heard."""
        return max(10 * self.every, timedelta(minutes=10))

    @property
    def outage(self) -> timedelta | None:
        """How long a silence between two passes is no mere delay: three that were expected; None where none are."""
        return 3 * self.cron or None


class EngineSection(Section):
    """[engine]: one desk (inline), or several workers on one PostgreSQL."""

    kind: Literal["inline", "procrastinate"] = "inline"


class RemindersSection(Section):
    """[reminders]: halfway, each span of `before` ahead of the deadline, and without one every `again`."""

    halfway: bool = True
    before: tuple[Span, ...] = (timedelta(days=2), timedelta(days=1))
    again: Annotated[Span, Field(ge=timedelta(hours=1))] = timedelta(days=7)


class LimitsSection(Section):
    """[limits]. `held_wait` is how long a deadline waits for a held mail; `strangers_a_day` how many answers an unknown
    address gets in a day (to questions, and as many to wishes), `strangers_in_all` all of them together to questions;
    `observers` how many a match may have, `searches_a_day` how many claims that the solver may have to judge, each with
    `solver_nodes` at most; `alarms_a_day` how many alarms of a kind the moderator gets. Of one player: `answers_a_day`
    that are no receipts, `pictures_a_day` of them with boards, `equal_questions_a_day` of one question, `press_a_day`
    mails of words to others, `questions_a_day` of words to the moderator; `largest_press` and
    `largest_letter` are in bytes.

    What one mail may hold: `lines` that say something, `tokens` (words, numbers and signs), `orders` (whatever may be
    one); and of how many `complaints` its answer speaks one by one. `seconds` is for the watchdog alone: no verdict
    hangs on it but that the mail is put aside."""

    held_wait: Span = timedelta(hours=48)
    strangers_a_day: CountOrNone = 5
    strangers_in_all: CountOrNone = 200
    answers_a_day: Count = 100
    pictures_a_day: CountOrNone = 25
    equal_questions_a_day: Count = 5
    press_a_day: CountOrNone = 50
    questions_a_day: CountOrNone = 10
    largest_press: Bytes = 16_000
    largest_letter: Annotated[int, BeforeValidator(_bytes), Field(ge=20_000, le=_MOST)] = 500_000
    observers: CountOrNone = 20
    alarms_a_day: Count = 20
    solver_nodes: Count = 50_000_000
    searches_a_day: Count = 10
    absence_days: Annotated[int, Field(ge=0, le=LONGEST.days)] = 30
    digest_hour: Annotated[int, Field(ge=0, le=23)] = 6
    lines: Count = 1000
    tokens: Count = 5000
    orders: Count = 1000
    complaints: Count = 100
    seconds: Annotated[float, Field(ge=1, le=120)] = 30.0

    @property
    def absence(self) -> timedelta:
        return timedelta(days=self.absence_days)


WEIGHED = frozenset(("order", "moderator", *get_args(Command)))  # what `commands` may name


def _known_need(value: object) -> object:
    if value == "phrase":
        raise ValueError(
            'pass phrases and OpenPGP are gone. Write "token" (a reply to a letter of ours) or "confirm" (the owner is '
            "asked each time)."
        )
    return value


Need = Annotated[Literal["address", "vouched", "token", "confirm"], BeforeValidator(_known_need)]

# Commands that could turn trust to somebody else: the owner of the address is asked. Who gives up his seat is asked
# unless his mail proves more than an address: nothing else that a forger can do is beyond repair.
CONFIRMED: Mapping[str, Need] = {
    "address": "confirm",
    "resign": "vouched",
    "substitute": "vouched",
    "moderator": "token",  # what a moderator orders: a reply to their reply address, else they are asked
    "propose": "vouched",
    "rematch": "vouched",
}


class SendersSection(Section):
    """[senders]: how surely it must be known who sends what has an effect: `need` in general, of an
    office and of `commands` ("order" is an answer to a game, "resign" one that gives up the seat)
    in particular. `tokens`: whether replies go to addresses of their own."""

    need: Need = "address"
    speaker: Need | None = None
    collector: Need | None = None
    moderator: Need | None = None
    commands: Annotated[dict[str, Need], Field(validate_default=True)] = {}
    tokens: bool = True
    challenges_a_day: CountOrNone = 5

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
        if value.get("moderator") in ("address", "vouched"):
            raise ValueError(f"moderator = {value['moderator']!r} is too little: token or confirm")
        return {**CONFIRMED, **value}

    def needed(self, office: str, command: str) -> Need:
        """What is needed of a mail to that office with that command."""
        return self.commands.get(command) or getattr(self, office, None) or self.need


class ClubSection(Section):
    """[club]: which `games` players may propose (none named: all), how many `proposals` of one player may wait at a
    time, and when one `expires` that is not full. `strangers`: who plays nowhere here may begin by mail once a
    moderator says Yes ("ask"), by one Yes from their address ("join"), or not at all ("off")."""

    strangers: Literal["ask", "join", "off"] = "ask"
    games: tuple[str, ...] = ()
    proposals: CountOrNone = 3
    expires: Span = timedelta(days=7)


class PressSection(Section):
    """[press]"""

    talk: Literal["on", "public", "off"] = "on"
    beside_sealed: bool = False


def _site(url: str) -> str:
    if url and not re.fullmatch(r"https?://[^\s<>\"'?#]+", url):
        raise ValueError("an address such as https://games.example.org/ is wanted, or nothing")
    return url


class SiteSection(Section):
    """[site]; `picture` is the club's, a file beside the configuration."""

    folder: str = ""
    url: Annotated[str, AfterValidator(_site)] = ""
    picture: Annotated[str, Field(pattern=r"(?i)^$|\.(png|jpe?g|webp|svg)$")] = ""

    @property
    def address(self) -> str:
        """The address with a slash at its end; empty where there is none."""
        return f"{self.url.rstrip('/')}/" if self.url else ""


_AS_DECLARED: Any = Field({}, validate_default=True)  # a section that the file leaves away


class Settings(Section):
    """The whole file: what the offices are told, and where mail and data are. Sections and keys that are left away have
    their defaults."""

    referee: RefereeSection = _AS_DECLARED
    offices: OfficesSection = _AS_DECLARED
    mailbox: MailboxSection = _AS_DECLARED
    courier: CourierSection = _AS_DECLARED
    reminders: RemindersSection = _AS_DECLARED
    limits: LimitsSection = _AS_DECLARED
    senders: SendersSection = _AS_DECLARED
    press: PressSection = _AS_DECLARED
    club: ClubSection = _AS_DECLARED
    site: SiteSection = _AS_DECLARED
    store: StoreSection = _AS_DECLARED
    poll: PollSection = _AS_DECLARED
    engine: EngineSection = _AS_DECLARED


class Offices:
    """Who writes and where to, as five sections say: the referee's name, its time zone, the addresses of its three
    offices, and `site`, where the public archive is seen, with a slash at its end ("" where it is nowhere)."""

    def __init__(self, settings: Settings, desk: list[str] | None = None) -> None:
        """`desk` tells who moderates by now, where the store has it; `begun` are whom the configuration has there."""
        o, self.name, self.timezone = settings.offices, settings.referee.name, settings.referee.timezone
        self.speaker, self.collector = o.speaker, o.collector
        self.also, self.unsubscribe = o.also, o.unsubscribe
        self.tokens, self.site = settings.senders.tokens, settings.site.address
        # of names before the @
        self.beyond_ascii = settings.courier.smtputf8 or settings.courier.url.startswith("maildir:")
        self.begun, self.desk = (o.moderator, *o.moderators), desk if desk is not None else []

    def page(self, match: str, position: int) -> str:
        """Where the archive shows a public position of a match."""
        return f"{self.site}matches/{file_name(match)}/{position}.html"

    def writing_page(self, match: str, seat: int, address: str) -> str:
        """Where the archive writes a player's mail by clicks on the board. Who he is stands behind
        the "#": the page reads it, and no browser sends it anywhere."""
        known = urlencode({"player": seat, "address": address})
        return f"{self.site}matches/{file_name(match)}/play.html#{known}"

    def rules_page(self, game: str) -> str:
        """Where the archive shows a game's rules."""
        return f"{self.site}games/{game}.html"

    def clause_page(self, game: str, clause: str) -> str:
        """Where a rule stands there by its number."""
        return f"{self.rules_page(game)}#{clause_id(clause)}"

    def calendar(self, name: str) -> str:
        """Where a player's calendar lies, by its secret name."""
        return f"{self.site}calendars/{name}.ics"

    @property
    def addresses(self) -> tuple[str, ...]:
        return (self.speaker, self.collector, self.moderator)

    @property
    def moderator(self) -> str:
        """The first of the moderators."""
        return self.at_desk[0]

    @property
    def at_desk(self) -> tuple[str, ...]:
        """The moderators, each once, the first of them first. Each is a person: he may play."""
        known: dict[str, str] = {}
        for address in self.desk or self.begun:
            known.setdefault(address_key(address), address)
        return tuple(known.values())

    def moderates(self, address: str | None) -> bool:
        """Whether it is a moderator's."""
        return address is not None and address_key(address) in map(address_key, self.at_desk)

    @property
    def mailbox(self) -> tuple[str, ...]:
        """Those whose mail comes to the referee itself; no moderator's is among them."""
        return (self.speaker, self.collector, *self.also)

    def takes(self, address: str) -> bool:
        """Whether a letter to the address would come back here as a mail."""
        own = set(map(address_key, self.mailbox))
        return address_key(address) in own or without_detail(address) in own

    @property
    def collision(self) -> str:
        """What comes of it where the moderator's address is the referee's own, with the remedy; else empty."""
        ours = next(filter(self.takes, self.at_desk), None)
        if ours is None:
            return ""
        return (
            f"The moderator's address, {ours}, is the speaker's or the collector's: alarms and questions "
            "come back here, where nobody reads them, and what is written from it is thrown away. "
            "`referee handover ADDRESS` brings a person to the desk instead."
        )

    def hindrance(self, address: str) -> str:
        """Why nobody can be registered with the address, in a few words; empty if somebody can."""
        if self.takes(address):
            return "it is the referee's own: letters to it would come back as mails"
        if not (self.beyond_ascii or address.rpartition("@")[0].isascii()):
            return (
                "few mail servers take letters beyond ASCII before the @ "
                "(`smtputf8 = true` under [courier] says that yours does)"
            )
        return unpostable(address)

    def address(self, office: str, token: str = "") -> str:
        """The address of an office ("speaker"), with a reply token where one is given: `speaker+TOKEN@host`."""
        plain: str = getattr(self, office)
        local, _, host = plain.rpartition("@")
        return f"{local}+{token}@{host}" if token and self.tokens else plain
