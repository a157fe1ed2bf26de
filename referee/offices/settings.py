"""What the offices are told at start: names, addresses, limits. Values only; `referee.config` reads the file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Literal

from referee.core.naming import file_name
from referee.match.deadlines import Habit
from referee.offices.incoming.measures import Measures


@dataclass(frozen=True, slots=True)
class Offices:
    """The referee's name, its time zone, and the addresses of its three offices."""

    name: str = "Referee"
    timezone: str = "UTC"
    speaker: str = "speaker@referee.localhost"
    collector: str = "collector@referee.localhost"
    moderator: str = "moderator@referee.localhost"
    tokens: bool = True  # whether replies go to addresses of their own
    unsubscribe: str = ""  # an operator's page for RFC 8058, with {token} in it
    site: str = ""  # where the public archive is seen, with a slash at its end; "" where it is nowhere

    def page(self, match: str, position: int) -> str:
        """Where the archive shows a public position of a match."""
        return f"{self.site}matches/{file_name(match)}/{position}.html"

    def rules_page(self, game: str) -> str:
        """Where the archive shows a game's rules."""
        return f"{self.site}games/{game}.html"

    def calendar(self, name: str) -> str:
        """Where a player's calendar lies, by its secret name."""
        return f"{self.site}calendars/{name}.ics"

    @property
    def addresses(self) -> tuple[str, ...]:
        return (self.speaker, self.collector, self.moderator)

    def address(self, office: str, token: str = "") -> str:
        """The address of an office ("speaker"), with a reply token where one is given: `speaker+TOKEN@host`."""
        plain = {"speaker": self.speaker, "collector": self.collector, "moderator": self.moderator}[office]
        local, _, host = plain.rpartition("@")
        return f"{local}+{token}@{host}" if token and self.tokens else plain


Need = Literal["address", "vouched", "token", "phrase", "confirm"]

# Commands that could turn trust to somebody else: the owner of the address is asked. Who gives up his seat is asked
# unless his mail proves more than an address: nothing else that a forger can do is beyond repair.
CONFIRMED: Mapping[str, Need] = {
    "address": "confirm", "phrase": "confirm", "key": "confirm", "resign": "vouched",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Trust:
    """How surely it must be known who sends what has an effect: `need` in general, `offices` and `commands` (of which
    "order" is an answer to a game, "resign" one that gives up the seat) in particular."""

    need: Need = "address"
    offices: Mapping[str, Need] = field(default_factory=dict)
    commands: Mapping[str, Need] = field(default_factory=lambda: CONFIRMED)
    challenges_a_day: int = 5

    def needed(self, office: str, command: str) -> Need:
        """What is needed of a mail to that office with that command."""
        return self.commands.get(command) or self.offices.get(office) or self.need


@dataclass(frozen=True, slots=True)
class Policy:
    """Limits and habits. `largest` is in bytes; `grace` how long a deadline waits for a held mail; `strangers_a_day`
    how many answers an unknown address gets in a day, `strangers_in_all` all of them together; `alarms_a_day` how
    many alarms of a kind the moderator gets. Of one player: `answers_a_day` that are no receipts, `pictures_a_day` of
    them with boards, `equal_questions_a_day` of one question, `press_a_day` mails of words to others; `largest_press`
    and `largest_letter` are in bytes; `measures` how much of one mail is read; `batch` how many letters
    leave before they are marked in one commit."""

    largest: int = 1_000_000
    reminders: Habit = field(default_factory=Habit)
    grace: timedelta = timedelta(hours=48)
    strangers_a_day: int = 5
    strangers_in_all: int = 200
    answers_a_day: int = 100
    pictures_a_day: int = 25
    equal_questions_a_day: int = 5
    press_a_day: int = 50
    largest_press: int = 16_000
    largest_letter: int = 500_000
    alarms_a_day: int = 20
    retry: tuple[timedelta, ...] = field(
        default=(timedelta(minutes=1), timedelta(minutes=5), timedelta(minutes=30), timedelta(hours=2))
    )
    give_up: int = 40
    batch: int = 20
    nodes: int = 50_000_000
    trust: Trust = field(default_factory=Trust)
    absence: timedelta = timedelta(days=30)
    talk: str = "on"
    talk_beside_sealed: bool = False
    digest_hour: int = 6
    measures: Measures = field(default_factory=Measures)
