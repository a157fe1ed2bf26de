"""A player names his substitute: who is asked, at his own address, before it counts."""

from __future__ import annotations

import re
from datetime import timedelta

from referee.core.replacing import replace
from referee.core.texts.addresses import address_key
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
from referee.offices.outgoing.letters import Letter
from referee.offices.outgoing.questions import address_question

_OFF = frozenset({"off", "none", "no", "nobody"})
_DAY = timedelta(days=1)
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
    # the mail is answered once more later
    first = replace(request.to, identity=f"{request.to.identity} asked")
    told = requests.done(replace(request, to=first), "substitute_asked", at=at, person=person, new=address)
    question = _question(requests, request, at, address)
    letters = (*told.letters, *((question,) if question else ()))
    return request.case.settled("held", "the substitute that it names is asked", *letters, seat=0)


def _question(requests: Requests, request: Request, at: Route, address: str) -> Letter | None:
    """None where he has a seat there, or he or the player has had enough of such letters within a day."""
    unit, since = request.unit, request.now - _DAY
    if held_by(at.match, address) or substitute_of(at.match, address):
        return None
    bucket = f"{at.match.name}/{at.seat}{_BUCKET}"
    unit.hold("person", address_key(address))
    unit.hold("bucket", bucket)
    asked = max(unit.bucket_since(bucket, since), unit.bucket_since(_BUCKET, since, address))
    identity = request.case.kept.identity
    letter = address_question(
        requests.speaker, at.match, at.seat, address, identity, request.now, bucket, "substitute"
    )
    known = unit.letter(letter.head.message_id) is not None
    return letter if asked < requests.settings.senders.challenges_a_day and not known else None
