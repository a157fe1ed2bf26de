"""How players find each other: a proposal, a rematch, a seat of one, and that it is taken back;
what is said to an invitation, which counts only from the address that was asked, at the reply
address of its letter. And events: a moderator's words for them, and the answers of who is entered."""

import re
import shlex
from dataclasses import replace

from referee.base.errors import CannotDo, WrongUsage
from referee.club import terms as club_terms
from referee.club.events import Guest
from referee.club.proposal import Proposal
from referee.club.terms import ProposalTerms
from referee.core.game import AnyGame
from referee.core.options import OptionSpec
from referee.core.texts.addresses import address_key
from referee.core.texts.bounded import whole
from referee.core.value import Line
from referee.letters.letter import Meant
from referee.letters.replies import from_desk
from referee.match.arguments import given
from referee.match.names import name_fault
from referee.moderation.orders import CHECKS
from referee.offices.club import Announcement, WishedMatch
from referee.offices.register import People
from referee.store.club import Invitation
from referee.way import requests
from referee.way.case import Case, Settled

_QUOTES = str.maketrans(dict.fromkeys("“”„«»″", '"'))


def event(case: Case) -> Settled | None:
    """The command line's words: `new NAME --game GAME --kind KIND`, `enter NAME "Name <address>"` (more of them on
    lines of the body), `start`, `show`, `leave NAME ADDRESS`, `replace NAME ADDRESS "Name <address>"`."""
    try:
        what, name, *rest = shlex.split(case.argument.translate(_QUOTES))
    except ValueError:
        return None
    try:
        done = _event_ordered(case, what.lower(), name, rest)
    except (CannotDo, WrongUsage) as error:
        told = case.done("event_fault", good=False, faults=error.reasons)
        done = replace(told, disposition="refused", reason="an event: not done")
    if done is None or done.reason.startswith("event ") or not case.proof.moderates:
        return done
    # a moderator may go on from there
    return replace(done, letters=tuple(from_desk(case.room.speaker, letter) for letter in done.letters))


def _event_ordered(case: Case, what: str, name: str, rest: list[str]) -> Settled | None:
    events, unit = case.room.tournaments, case.unit
    if what == "show":
        return case.told("event_shown", f"event {name}", event=events.load(unit, name))
    if any(CHECKS.fullmatch(word) for word in (name, *rest)):
        raise CannotDo(f"There is no dry run of event {what}: without --check it is done at once.")
    lines, asked, who = [line.text.strip() for line in case.mail.own], Announcement(), rest
    match what:
        case "new":
            asked, who = _announcement(rest, lines), []
            told = '{0} is announced. Enter people with the subject "event enter {0}".'
        case "enter":
            named = rest if all("@" in word for word in rest) else [" ".join(rest)]
            who = [*named, *(line for line in lines if "@" in line)]
            if not who:
                how = 'write "Name <address>" behind it, or one on each line of the mail.'
                raise CannotDo(f"Nobody is named: {how}")
            told = f"{'The player is' if len(who) == 1 else f'All {len(who)} are'} asked, and in with a Yes."
        case "start":
            told = "{0} has started with {1} players; all of them are told."
        case "leave":
            t = events.load(unit, name)
            if (player := t.player(rest[0]) if rest else None) is None:
                raise CannotDo(f"Nobody with that address plays in {t.name}.")
            told = f"{t.guests[player].name} plays no more in {t.name}."
        case "replace":
            if len(rest) < 2:
                how = 'event replace NAME old@example.org "Name <new@example.org>"'
                raise CannotDo(f"It is written so: {how}")
            who, told = [rest[0], " ".join(rest[1:])], "The player is asked, and in with a Yes."
        case _:
            return None
    t = events.carried_out(unit, what, name, who, asked)
    told = told.replace("{0}", t.name).replace("{1}", str(len(t.order)))
    return case.done("event_done", accepted=told, words=told)


def _announcement(rest: list[str], lines: list[str]) -> Announcement:
    """An event as a mail asks for it, options on lines of the body."""
    words = [part for word in rest for part in (word.split("=", 1) if word[:2] == "--" else [word])]
    pairs = list(zip(words[::2], words[1::2], strict=False))
    if len(words) % 2 or not all(flag.startswith("--") for flag, _ in pairs):
        how = "event new NAME --game GAME --kind swiss --rounds 5 --option key=value"
        raise CannotDo(f"It is written so: {how}")
    said, body = dict(pairs), (line.removeprefix("Option:").strip() for line in lines)
    options = [line for line in body if "=" in line and " " not in line]
    options += [value for flag, value in pairs if flag == "--option"]
    if (rounds := whole(said.get("--rounds", "0"))) is None:
        raise CannotDo(f"{said['--rounds']!r} is no number of rounds.")
    return Announcement(said.get("--game", ""), said.get("--kind", ""), rounds, given(options))


_YES_AS = re.compile(r"\s*yes\b[\s,.!-]*(?:as|i am|my name is)\s+(\S.{0,80}?)[.!]?\s*", re.IGNORECASE)
_NEVER = re.compile(r"[\s\"'*]*(?:no\b[\s,.!-]*)?never again[\s\"'*.!]*", re.IGNORECASE)


# --- proposing ------------------------------------------------------------------------------------


def propose(case: Case) -> Settled:
    """A match is proposed by the keyed lines of the mail; without any a form comes, with faults the form filled in."""
    read, proposals = terms(case), case.room.proposals
    game = requests.game_beginning(case, case.argument or read.told.get("game", ""))
    if game is None:
        return requests.games(case)
    specs = proposals.rules(game)[0]
    if read.empty:
        said = ", ".join(word for word in (case.argument or "").replace(",", " ").split() if "@" in word)
        return _form(case, game, specs, club_terms.read([Line(1, f"With: {said}")]), ())
    told, by = club_terms.settled(read, specs), requests.guest(case, requests.name_given(case))
    wish = WishedMatch(game, told.named, told.open or 0, told.options, called=told.told.get("name", ""))
    files = [spec.name for spec in specs if spec.kind == "file"]
    unmailable = (f"{n} is given on the command line alone, as a file." for n in told.options if n in files)
    faults = (*told.faults, *unmailable, *proposals.faults(case.unit, wish, by))
    if faults and not proposals.knows(case.unit, case.mail.whose):
        return case.done("rematch_faults", good=False, faults=faults)
    return _form(case, game, specs, read, faults) if faults else _proposed(case, by, wish)


def rematch(case: Case) -> Settled | None:
    """The same people are asked to the match once more; each moves up a seat."""
    match, proposals = requests.match_shown(case), case.room.proposals
    mine = [at.seat for at in case.speaking if match and at.match.name == match.name]
    if match is None:
        return None
    if match.status != "ended" or not mine:
        return case.done("rematch", good=False, wanted=match, seated=bool(mine))
    by, wish = proposals.rematch(match, mine[0])
    if faults := proposals.faults(case.unit, wish, by):
        return case.done("rematch_faults", good=False, faults=faults)
    return _proposed(case, by, wish)


def _proposed(case: Case, by: Guest, wish: WishedMatch) -> Settled:
    made = case.room.proposals.propose(case.unit, by, wish)
    accepted, title = f"proposes {made.name}", wish.game.title
    return case.done("proposed", accepted=accepted, proposal=made, title=title)


def _form(
    case: Case, game: AnyGame, specs: tuple[OptionSpec, ...], told: ProposalTerms, faults: tuple[str, ...]
) -> Settled:
    kind, room = "proposal_refused" if faults else "proposal_form", case.room
    return case.told(
        kind,
        f"{kind}: {game.slug}",
        reply=Meant(asks="proposal"),
        disposition="refused" if faults else "answered",
        about=game,
        faults=faults,
        form=club_terms.form(game.slug, specs, told),
        expires=room.settings.club.expires,
        sized=club_terms.chosen_by(specs),
        seats=sorted(game.seats(room.speaker.setup(game).options)),  # by the usual options
    )


def terms(case: Case) -> ProposalTerms:
    """What the mail proposes: its own words, or the form inside the quote of our letter where that was filled in."""
    own = club_terms.read(case.mail.own)
    inside = club_terms.read(case.mail.quoted) if own.empty and _answers_form(case) else own
    return own if inside.empty or inside == _form_answered(case) else inside


def _answers_form(case: Case) -> bool:
    """Whether the mail answers a form of a proposal that went to its sender."""
    return case.meant.asks == "proposal" and case.from_reader


def _form_answered(case: Case) -> ProposalTerms:
    """What the form of the letter answered says as it was sent."""
    return club_terms.read([Line(n, text) for n, text in enumerate(case.meant.form.splitlines(), 1)])


def proves_itself(case: Case) -> bool:
    """Whether more than an address says whose it is: somebody has let it in, a server or a signature says so, it was
    written to the reply address of his own invitation, or answers a form by the Message-ID, which nobody else knows."""
    if case.passed or case.proof.from_there:
        return True
    invited = filter(None, map(case.unit.invitation, case.mail.tokens))
    own = case.mail.whose
    return not case.proof.refuted and (_answers_form(case) or any(one.address == own for one in invited))


# --- a seat of one --------------------------------------------------------------------------------


def is_event(case: Case, name: str | None) -> bool:
    """Whether a gathering of that name is an event."""
    row = case.unit.gathering(name or "")
    return row is not None and row.kind == "event"


def join_gathering(case: Case, name: str) -> Settled | None:
    """An open seat is taken, or an event entered; whose mail proves no more than an address is
    asked whether it was he."""
    unit, proposals, address = case.unit, case.room.proposals, case.answering.address
    if case.room.offices.hindrance(address):
        return requests.send_help(case, "unwritable")
    if is_event(case, name):
        return _join_event(case, name)
    proposal = proposals.load(unit, name)
    if proves_itself(case):
        return _agreed(case, proposal, address)
    if (no_room := _no_room(case, proposal, address)) is not None:
        return no_room
    wishes = {address_key(address): requests.name_given(case)}
    if proposals.ask(unit, proposal, wishes, named=False).version == proposal.version:
        return case.done("proposal_asked", good=False, proposal=proposal)
    return case.settled("answered", f"its sender is asked whether he wishes to play in {name}")


def _join_event(case: Case, name: str) -> Settled:
    """Who enters it by a mail that is proved his own has said Yes by that."""
    events, unit, address, proof = case.room.tournaments, case.unit, case.answering.address, case.proof
    t, who = events.load(unit, name), requests.guest(case, requests.name_given(case))
    own = case.known and proof.proved and not proof.refuted
    proved = own or case.kept.confirmed or proof.from_there
    try:
        if not (events.open_to(t) or t.player(address)):
            raise CannotDo(f"{t.name} is {t.status}: nobody enters it any more.")
        if proved or t.player(address):
            t = events.admit(unit, t, who)
            return case.done("event_in", accepted=f"plays in {t.name}", event=t)
        if address_key(address) in t.entered:
            return case.done("event_asked", event=t)
        events.enter(unit, t.name, who)
    except CannotDo as error:
        return case.done("event_fault", good=False, faults=error.reasons)
    return case.settled("answered", f"its sender is asked whether he wishes to play in {t.name}")


def _no_room(case: Case, proposal: Proposal, address: str) -> Settled | None:
    """Why the address can't play there; None where it can."""
    if proposal.room_for(address) and not proposal.plays(address):
        return None
    topic = "proposal_seated" if proposal.plays(address) else "proposal_full"
    return case.done(topic, good=False, proposal=proposal)


def _agreed(case: Case, proposal: Proposal, address: str, called: str = "") -> Settled:
    """The Yes of whoever has that address, where there is room, under a name that nobody else there has."""
    if (no_room := _no_room(case, proposal, address)) is not None:
        return no_room
    proposals = case.room.proposals
    stated = proposal.called.get(address_key(address), "")
    known = proposals.member(case.unit, address) or Guest(stated, address)
    guest = replace(known, name=called or known.name or requests.name_given(case))
    if fault := name_fault(guest.name, [other.name for other in proposal.players]):
        return case.done("invitation_name", good=False, fault=fault, proposal=proposal)
    after = proposals.agree(case.unit, proposal, guest)
    return case.done("agreed", accepted=f"plays in {proposal.name}", proposal=after)


def leave_gathering(case: Case, name: str, address: str, *, asked: bool = False) -> Settled:
    """Somebody plays there no more, or, where they are `asked`, does not; with its proposer a proposal ends."""
    unit, events, proposals = case.unit, case.room.tournaments, case.room.proposals
    if is_event(case, name):
        after = events.leave(unit, events.load(unit, name), address)
        return case.done("event_out", accepted=f"does not play in {after.name}", event=after)
    proposal = proposals.load(unit, name)
    if not asked and (proposal.status != "forming" or not proposal.plays(address)):
        return case.done("proposal_over", good=False, proposal=proposal)
    own = address_key(proposal.by.address) == address_key(address)
    proposals.give_up(unit, proposal, address)
    topic, does = ("proposal_withdrawn", "withdraws") if own else ("declined", "does not play in")
    return case.done(topic, accepted=f"{does} {name}", proposal=proposal)


# --- invitations ----------------------------------------------------------------------------------


def invited(case: Case) -> Case | Settled:
    """What a reply to an invitation does; a form of a proposal that comes back goes on as one; any
    other mail goes on as it is."""
    tag, tokens = case.mail.tag, case.mail.tokens
    if case.meant.asks == "proposal":
        return case if tag.command else case.as_command("propose", _form_answered(case).told.get("game", ""))
    if tag.command and not case.repeats:
        return case
    if case.letter is not None and not case.room.offices.tokens:
        tokens = (case.letter.head.token,)  # its Message-ID is known to nobody else either
    found = next(filter(None, map(case.unit.invitation, tokens)), None)
    return case if found is None else _answered(case, found)


def _answered(case: Case, invited: Invitation) -> Settled:
    proposals, address = case.room.proposals, invited.address
    known = proposals.member(case.unit, address)
    name, zone = (known.name, known.zone) if known else ("", None)
    case = replace(case, reader=replace(case.sender, name=name, zone=zone))
    if case.proof.refuted or case.mail.whose not in People(case.unit).proved_by(address):
        return case.done("invitation_elsewhere", good=False)
    (word, called), events, event = _word(case), case.room.tournaments, is_event(case, invited.gathering)
    if not word:
        asked = (events if event else proposals).load(case.unit, invited.gathering)
        return case.done("invitation_unclear", good=False, proposal=asked)
    if event and word != "yes":
        return leave_gathering(case, invited.gathering, address)
    if event:
        try:
            t = events.load(case.unit, invited.gathering)
            t = events.agree(case.unit, t, address, called)
        except CannotDo as error:
            return case.done("event_fault", good=False, faults=error.reasons)
        return case.done("event_in", accepted=f"plays in {t.name}", event=t)
    proposal = proposals.load(case.unit, invited.gathering)
    if word == "never":
        case.unit.refuse(address, proposal.by.address)
    if proposal.status != "forming":
        topic = "never_again" if word == "never" else "proposal_over"
        return case.done(topic, good=word == "never", proposal=proposal)
    if word == "yes":
        return _agreed(case, proposal, address, called)
    if word == "never" and address_key(proposal.by.address) != address:
        proposals.decline(case.unit, proposal, address)
        reason = f"asks not to be asked by {proposal.name}'s proposer"
        return case.done("never_again", accepted=reason, proposal=proposal)
    return leave_gathering(case, proposal.name, address, asked=True)


def _word(case: Case) -> tuple[str, str]:
    """Yes, No, never, or nothing plain; and the name that a Yes gives."""
    said = next((line.text for line in case.mail.own if line.text.strip()), "")
    if _NEVER.fullmatch(said):
        return "never", ""
    if stated := _YES_AS.fullmatch(said):
        return "yes", " ".join(stated[1].split())
    return case.mail.consent.removeprefix("neither"), ""
