"""Requests by which players find each other: what is proposed and played, a proposal, a rematch, a seat of one, and
that it is taken back."""

from __future__ import annotations

from referee.club import terms as club_terms
from referee.club.events import Guest
from referee.club.proposal import Proposal
from referee.club.terms import ProposalTerms
from referee.core.complaint import Line
from referee.core.game import AnyGame
from referee.core.options import OptionSpec
from referee.core.texts.addresses import address_key
from referee.match.names import name_fault
from referee.offices.club.proposals import Wish
from referee.offices.incoming.case import Case, Settled
from referee.offices.incoming.requests.programme import withdraw_entry
from referee.offices.incoming.requests.request import Request, Requests, name_given
from referee.offices.incoming.requests.telling import game_beginning, games
from referee.offices.outgoing.letters import Meant, decoded
from referee.offices.outgoing.replies import answer

_LISTED = 40  # matches that a letter shows


def listing(requests: Requests, request: Request) -> Settled:
    """What is being formed, where a seat is free, what is being played."""
    unit = request.unit
    running = [requests.matches.outline(unit, name) for name in unit.running(_LISTED)]
    context = {
        "forming": requests.proposals.forming(unit),
        "running": [m for m in running if m.known],
        "open_seats": requests.open_seats(unit),
    }
    letter = answer(requests.speaker, "list", request.to, context)
    return request.case.settled("answered", "list", letter)


# --- proposing ------------------------------------------------------------------------------------------------------


def propose(requests: Requests, request: Request) -> Settled:
    """A match is proposed by the keyed lines of the mail; without any a form comes, with faults the form filled in."""
    told = terms(request.case)
    game = game_beginning(requests, request.argument or told.game)
    if game is None:
        return games(requests, request)
    specs = [spec for spec in requests.proposals.openings.rules(game)[0] if spec.kind != "file"]
    if told.empty:
        return _form(requests, request, game, specs, told, ())
    by = _member(requests, request)
    wish = Wish(game, told.named, told.open or 0, told.options)
    faults = (*told.faults, *_unmailable(requests, game, told))
    faults += requests.proposals.faults(request.unit, wish, by)
    if faults:
        return _form(requests, request, game, specs, told, faults)
    return _proposed(requests, request, by, wish)


def rematch(requests: Requests, request: Request) -> Settled | None:
    """The same people are asked to the same match once more; each has the seat behind his last one."""
    match = requests.match_shown(request)
    if match is None:
        return None
    mine = [at.seat for at in request.seats if at.match.name == match.name]
    if match.status != "ended" or not mine:
        return requests.done(request, "rematch", good=False, wanted=match, seated=bool(mine))
    by, wish = requests.proposals.rematch(match, mine[0])
    if faults := requests.proposals.faults(request.unit, wish, by):
        return requests.done(request, "rematch_faults", good=False, faults=faults)
    return _proposed(requests, request, by, wish)


def _proposed(requests: Requests, request: Request, by: Guest, wish: Wish) -> Settled:
    proposal = requests.proposals.propose(request.unit, by, wish, request.now)
    reason, title = f"proposes {proposal.name}", wish.game.title
    return requests.done(request, "proposed", accepted=reason, proposal=proposal, title=title)


def _form(
    requests: Requests,
    request: Request,
    game: AnyGame,
    specs: list[OptionSpec],
    told: ProposalTerms,
    faults: tuple[str, ...],
) -> Settled:
    form = club_terms.form(game.slug, specs, told)
    club = requests.settings.club
    context = {
        "about": game,
        "faults": faults,
        "form": form,
        "expires": club.expires,
        "seats": _seats(requests, game),
    }
    kind = "proposal_refused" if faults else "proposal_form"
    meant = Meant(asks="proposal")
    letter = answer(requests.speaker, kind, request.to, context, reply=meant)
    return request.case.settled("refused" if faults else "answered", f"{kind}: {game.slug}", letter)


def _seats(requests: Requests, game: AnyGame) -> list[int]:
    """How many may play by the usual options."""
    return sorted(game.seats(requests.speaker.setup(game).options))


def terms(case: Case) -> ProposalTerms:
    """What the mail proposes: its own words, or the form inside the quote of our letter where that was filled in."""
    own = club_terms.read(case.mail.own)
    inside = club_terms.read(case.mail.quoted) if own.empty and answers_form(case) else own
    return own if inside.empty or inside == form_answered(case) else inside


def answers_form(case: Case) -> bool:
    """Whether the mail answers a form of a proposal that went to its sender."""
    if case.replied is None or decoded(case.replied).reply.asks != "proposal":
        return False
    return address_key(case.replied.recipient) == address_key(case.mail.sender or "")


def form_answered(case: Case) -> ProposalTerms:
    """What the form of the letter answered says as it was sent."""
    form = decoded(case.replied).reply.form if case.replied else ""
    return club_terms.read([Line(n, text) for n, text in enumerate(form.splitlines(), 1)])


def _member(requests: Requests, request: Request) -> Guest:
    found = requests.proposals.members.of(request.unit, request.to.address, request.to.name)
    assert found is not None, "who proposes is known"
    return found


def _unmailable(requests: Requests, game: AnyGame, told: ProposalTerms) -> tuple[str, ...]:
    specs = {spec.name: spec for spec in requests.proposals.openings.rules(game)[0]}
    files = [name for name in told.options if name in specs and specs[name].kind == "file"]
    return tuple(f"{name} is given on the command line alone, as a file." for name in files)


# --- a seat of one --------------------------------------------------------------------------------------------------


def join_proposal(requests: Requests, request: Request, name: str) -> Settled | None:
    """An open seat is taken; whose mail proves no more than an address is asked whether it was he."""
    unit, proposals, address = request.unit, requests.proposals, request.to.address
    row = unit.gathering(name)
    if row is None or row.kind != "proposal":
        return None
    proposal = proposals.load(unit, name)
    if requests.offices.hindrance(address):
        return requests.help(request, "unwritable")
    if proposal.plays(address):
        return requests.done(request, "proposal_seated", good=False, proposal=proposal)
    if not proposal.room_for(address):
        return requests.done(request, "proposal_full", good=False, proposal=proposal)
    if proves_itself(request.case):
        return agreed(requests, request, proposal, address)
    asked = proposals.ask(unit, proposal, address, name_given(request), request.now)
    if asked.version == proposal.version:
        return requests.done(request, "proposal_asked", good=False, proposal=proposal)
    return request.case.settled("answered", f"its sender is asked whether he wishes to play in {name}")


def agreed(
    requests: Requests, request: Request, proposal: Proposal, address: str, called: str = ""
) -> Settled:
    """The Yes of whoever has that address, under a name that nobody else there has."""
    known = requests.proposals.members.of(request.unit, address)
    stated = known.name if known else proposal.called.get(address_key(address), "")
    name = called or stated or name_given(request)
    others = [guest.name for guest in proposal.players]
    if fault := name_fault(name, others):
        return requests.done(request, "invitation_name", good=False, fault=fault, proposal=proposal)
    guest = Guest(name, known.address if known else address, known.zone if known else None)
    after = requests.proposals.agree(request.unit, proposal, guest, request.now)
    return requests.done(request, "agreed", accepted=f"plays in {proposal.name}", proposal=after)


def withdraw_proposal(requests: Requests, request: Request, name: str) -> Settled | None:
    """Its proposer takes it back; whoever else plays gives up his seat."""
    row = request.unit.gathering(name)
    if row is not None and row.kind == "event":
        return withdraw_entry(requests, request, name)
    if row is None:
        return None
    proposal, address = requests.proposals.load(request.unit, name), request.to.address
    if proposal.status != "forming" or not proposal.plays(address):
        return requests.done(request, "proposal_over", good=False, proposal=proposal)
    return left(requests, request, proposal, address)


def left(requests: Requests, request: Request, proposal: Proposal, address: str) -> Settled:
    """The No of somebody; the proposer's ends it."""
    own = address_key(proposal.by.address) == address_key(address)
    requests.proposals.give_up(request.unit, proposal, address, request.now)
    topic, does = ("proposal_withdrawn", "withdraws") if own else ("declined", "does not play in")
    return requests.done(request, topic, accepted=f"{does} {proposal.name}", proposal=proposal)


# --- what proves that a mail is its sender's ------------------------------------------------------------------------


def proves_itself(case: Case) -> bool:
    """Whether more than an address says whose it is: somebody has let it in, a server or a signature says so, it was
    written to the reply address of his own invitation, or answers a form by the Message-ID, which nobody else knows."""
    if case.passed or case.proof.from_there:
        return True
    invited = filter(None, map(case.unit.invitation, case.mail.tokens))
    own = address_key(case.mail.sender or "")
    return not case.proof.refuted and (answers_form(case) or any(one.address == own for one in invited))
