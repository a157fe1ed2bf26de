"""A player names his substitute: who is asked, at his own address, before it counts."""

from __future__ import annotations

import re

from referee.core.texts.words import without_addresses
from referee.match import commands as do
from referee.match.commands import Impossible
from referee.match.events import Entrant
from referee.match.handling.seating import called_others, unfit_name
from referee.match.match import held_by, substitute_of
from referee.offices.incoming.case import Settled
from referee.offices.incoming.requests.request import Request, Requests
from referee.offices.incoming.requests.wishes import mail_address
from referee.offices.incoming.routing import Route, Unrouted

_OFF = frozenset({"off", "none", "no", "nobody"})
_BUCKET = ": a substitute"
_ADDRESS = re.compile(r"<?[^\s<>]+@[^\s<>]+>?")


def name_substitute(requests: Requests, request: Request) -> Settled | None:
    """Somebody plays on where the sender's seat falls vacant, and stands in while he is away; or nobody any more. What
    the sender hears does not hang on whose the address is: else he could learn who writes from where."""
    at = requests.place(request)
    if isinstance(at, Unrouted):
        return requests.help(request, at.why, at)
    said = _words(request, at)
    if said.casefold() in _OFF:
        verdict = requests.carry_out(request, at.match, do.DropSubstitute(at.seat)).verdict
        why = verdict.why if isinstance(verdict, Impossible) else ""
        topic = "substitute_refused" if why else "substitute_dropped"
        return requests.done(request, topic, good=not why, at=at, why=why)
    address = mail_address(request.argument)
    if address is None or (why := requests.offices.hindrance(address)):
        return requests.done(request, "substitute_refused", good=False, at=at, why=why if address else "")
    name = " ".join(without_addresses(_ADDRESS.sub(" ", said)).split()) or address.partition("@")[0]
    person = Entrant(name, (address,))
    others = [p.name for seat, p in at.match.substitutes.items() if seat != at.seat]
    if (unfit := unfit_name(person, [*called_others(at.match), *others])) is not None:
        return requests.done(request, "substitute_refused", good=False, at=at, why=unfit.why)
    if not request.case.kept.agreed:
        return _asked(requests, request, at, person, address)
    verdict = requests.carry_out(request, at.match, do.NameSubstitute(at.seat, person)).verdict
    why = verdict.why if isinstance(verdict, Impossible) else ""
    topic = "substitute_refused" if why else "substitute"
    return requests.done(request, topic, good=not why, at=at, person=person, why=why)


def _words(request: Request, at: Route) -> str:
    """What the subject says beside the match's name."""
    words = re.split(r"[\s\[\]:,/\"]+", request.argument)
    return " ".join(word for word in words if word and word.casefold() != at.match.name.casefold())


def _asked(requests: Requests, request: Request, at: Route, person: Entrant, address: str) -> Settled:
    """He is, unless he has a seat there."""
    bucket, question = f"{at.match.name}/{at.seat}{_BUCKET}", None
    if not (held_by(at.match, address) or substitute_of(at.match, address)):
        question = requests.further.asked(request.case, at, address, bucket, _BUCKET, "substitute")
    reason = "the substitute that it names is asked"
    return requests.waits(request, "substitute_asked", reason, question, at=at, person=person, new=address)
