"""A request - a command in a subject - and what every kind of request needs: the match it names, its sender's seats, a
short letter about what was done."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from types import MappingProxyType

from referee.core.game import AnyGame
from referee.core.replacing import replace
from referee.match.chain.sealing import Keys
from referee.match.commands import MatchCommand
from referee.match.decide import Decision
from referee.match.match import Former, Match, last_held
from referee.offices.club.proposals import Proposals
from referee.offices.club.tournaments import Tournaments
from referee.offices.decisions import Decisions
from referee.offices.incoming.case import Case, Settled
from referee.offices.incoming.requests.further import Addresses
from referee.offices.incoming.routing import Route, Unrouted, named_match, seat_meant
from referee.offices.incoming.senders import Senders
from referee.offices.outgoing.letters import AnsweredMail, Letter
from referee.offices.outgoing.replies import answer
from referee.offices.outgoing.speaker import Speaker
from referee.offices.ports.mail import Signatures
from referee.offices.register.matches import Matches, Unfoldable
from referee.offices.settings import Offices, Settings
from referee.store.sql import Unit

_AS = re.compile(r"\b[aA][sS]\s+([^\Wa-z\d_].*)$")  # a name begins with a capital, where its script has them
# Why a player's mail came to nothing, told in a few lines; help as a whole is for who asks for it, and for strangers.
_ASTRAY = frozenset(
    ("no_seat", "which_match", "which_seat", "unknown_heading", "nothing_asked", "unknown_command")
)
NO_FACTS: Mapping[str, object] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Request:
    """A command, and whom to answer. `seats` are those its sender may speak for."""

    case: Case
    to: AnsweredMail
    seats: tuple[Route, ...] = ()

    @property
    def unit(self) -> Unit:
        return self.case.unit

    @property
    def now(self) -> datetime:
        return self.case.now

    @property
    def arrived(self) -> datetime:
        """When it began to count."""
        return self.case.since or self.case.kept.arrived

    @property
    def command(self) -> str:
        return self.case.mail.tag.command or ""

    @property
    def argument(self) -> str:
        return self.case.mail.tag.argument.strip()


@dataclass(frozen=True, slots=True)
class Requests:
    """What requests are dealt with by: each kind is a function of this and of the request."""

    matches: Matches
    decisions: Decisions
    speaker: Speaker
    games: Mapping[str, AnyGame]
    keys: Keys
    offices: Offices
    settings: Settings
    senders: Senders
    further: Addresses
    proposals: Proposals
    tournaments: Tournaments
    signatures: Signatures | None = None

    # --- what it is about ----------------------------------------------------------------------------------------

    def named(self, request: Request) -> Match | None:
        """The match that a bracket, a word of the argument or the answered letter names; only the outline of one that
        can't be folded."""
        replied = request.case.replied
        answered = (replied.match,) if replied and replied.match else ()
        name = named_match(request.unit, request.case.mail.tag, *answered)
        return None if name is None else self.matches.outline(request.unit, name)

    def readable(self, match: Match) -> Match:
        """The match. Raises Unfoldable where there is but the outline: the mail waits until it can be read."""
        if not match.known:
            raise Unfoldable(f"{match.name}: the mail waits until its ledger can be folded")
        return match

    def match_shown(self, request: Request) -> Match | None:
        """The match that a request to show one names; without a name the sender's only one."""
        names = {r.match.name for r in request.seats}
        match = self.named(request) or (request.seats[0].match if len(names) == 1 else None)
        return self.readable(match) if match else None

    def places(self, request: Request) -> tuple[Route, ...]:
        """The sender's seats that the request is for: those of the match it names, else all in matches not ended. Those
        of matches that can't be folded are left out where there are others; else it raises Unfoldable."""
        meant = self._meant(request)
        known = tuple(r for r in meant if r.match.known)
        if meant and not known:
            self.readable(meant[0].match)
        return known

    def _meant(self, request: Request) -> tuple[Route, ...]:
        named = self.named(request)
        if named is not None:
            return tuple(r for r in request.seats if r.match.name == named.name)
        return tuple(r for r in request.seats if r.match.status != "ended")

    def place(self, request: Request) -> Route | Unrouted[Route]:
        """The one seat the request is for; which one, where one of the matches can't be folded, is not guessed."""
        meant, case = self._meant(request), request.case
        return seat_meant(meant, case.mail, case.replied) if meant else Unrouted("no_seat", request.seats)

    # --- what is done --------------------------------------------------------------------------------------------

    def carry_out(self, request: Request, match: Match, command: MatchCommand) -> Decision:
        """What the command does to the match, as it stands now."""
        cause = f"mail {request.to.identity} {type(command).__name__}"
        match = self.matches.load(request.unit, match.name)
        return self.decisions.carry_out(request.unit, match, command, request.now, cause)

    def further_question(self, request: Request) -> Letter | None:
        """The question to the further address that a mail asks for, where it is to be asked."""
        places = self.places(request)
        new = self.further.wanted(request.argument, request.case.mail.sender, places)
        if new is None or not places:
            return None
        return self.further.question(request.case, places, new, request.to.address)

    # --- what is told --------------------------------------------------------------------------------------------

    def done(
        self, request: Request, topic: str, *, good: bool = True, accepted: str = "", **facts: object
    ) -> Settled:
        """A short letter that says what was done, or why not; `accepted`: as what the mail counts."""
        context = {"topic": topic, "good": good, **facts}
        letter = answer(self.speaker, "done" if good else "not_done", request.to, context)
        if accepted:
            return request.case.settled("accepted", accepted, letter)
        return request.case.settled("answered", topic if good else f"{topic}: not done", letter)

    def waits(
        self, request: Request, topic: str, reason: str, question: Letter | None, **facts: object
    ) -> Settled:
        """Held until whoever the question goes to has answered; its sender is told so, and answered once more then."""
        first = replace(request.to, identity=f"{request.to.identity} asked")
        told = answer(self.speaker, "done", first, {"topic": topic, "good": True, **facts})
        return request.case.settled("held", reason, told, *([question] if question else []), seat=0)

    def help(
        self,
        request: Request,
        why: str = "",
        unrouted: Unrouted[Route] | None = None,
        facts: Mapping[str, object] = NO_FACTS,
    ) -> Settled:
        """The letter on how to write to the referee; `why` it is sent, if not because it was asked for, and the facts
        that this needs."""
        why = why or ("asked" if request.command == "help" else "unknown_command")
        letter = self.help_letter(
            request, why, unrouted or Unrouted("nothing_asked", request.seats), facts=facts
        )
        reason = "help" if why == "asked" else f"help: {why} ({request.command})"
        return request.case.settled("answered", reason, letter)

    def help_letter(
        self,
        request: Request,
        why: str,
        unrouted: Unrouted[Route],
        former: Sequence[tuple[Match, Former]] = (),
        at: Route | None = None,
        facts: Mapping[str, object] = NO_FACTS,
    ) -> Letter:
        """It, written for a seat where one is given; `former` are the seats that the sender had."""
        context = {
            "mail": request.case.mail,
            "unrouted": unrouted,
            "why": why,
            "former": former,
            "open_seats": self.open_seats(request.unit),
            "most_observers": self.settings.limits.observers,
            "passed": "",
            "moderates": request.case.proof.moderates,
            **facts,
        }
        match, seat = (at.match, at.seat) if at else (None, None)
        kind = "astray" if why in _ASTRAY and unrouted.seats else "help"
        return answer(self.speaker, kind, request.to, {**context, "topic": kind}, match, seat)

    def open_seats(self, unit: Unit) -> list[list[str]]:
        """The matches with a vacant seat: name, game, and the subject that takes it."""
        vacant = [self.matches.outline(unit, name) for name, _ in unit.vacant()]
        return [[m.name, self.games[m.game].title, f"join {m.name}"] for m in vacant if m.known]

    def former(self, unit: Unit, address: str) -> list[tuple[Match, Former]]:
        """The seats that the address had and that are another's now."""
        matches = [self.matches.outline(unit, name) for name in unit.left_by(address)]
        found = ((match, last_held(match, address)) for match in matches)
        return [(match, seat) for match, seat in found if seat is not None]


def name_given(request: Request) -> str:
    """The name that the sender gives himself: in the subject ("join m1 as Ann Archer"), as his mail's sender, or, where
    he gives none, as the beginning of his address."""
    stated = _AS.search(request.argument)
    given = stated[1] if stated else request.to.name
    return " ".join(given.split()) or request.to.address.partition("@")[0]
