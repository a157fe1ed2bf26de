"""What a mail says to its match: as what kind of answer it is taken, and which of its lines count."""

from __future__ import annotations

from typing import Final

from referee.core.complaint import Complaint, LeftOut, Line
from referee.core.game import AnyGame
from referee.core.replacing import replace
from referee.core.texts.addresses import address_key
from referee.match.match import RoundName
from referee.match.meanings import discards, understood, withdrawals
from referee.offices.incoming.case import Case
from referee.offices.incoming.routing import Route
from referee.offices.outgoing.letters import ABSENCE, ADDRESS, PRESS, decoded
from referee.offices.ports.mail import Mail
from referee.store.outbox import LetterStore, OutgoingLetter

PASTED: Final = "my own letter, pasted"  # what is left out of a mail that holds one
COPY: Final = "HTML copy"  # what says the same as the words that are read
_SIGNED: Final = 8  # lines that a signature has at most
VERDICTS: Final = (
    "refusal",
    "receipt",
    "ignored",
    "preview",
)  # a later one of these has taken an offer's place
_ASKING: Final = ("due", "reminder")

Taken = tuple[str, tuple[Line, ...]]  # the kind of answer that a mail is taken for, and its lines


def rounds_answered(at: Route, replied: OutgoingLetter | None) -> tuple[RoundName, ...]:
    """The rounds that the letter was about which a mail of the seat replies to; none where it is no such reply."""
    if replied is None or replied.match != at.match.name or replied.seat != at.seat:
        return ()
    return decoded(replied).reply.rounds


def asked_kind(game: AnyGame, at: Route, case: Case) -> str:
    """What kind of answer a mail means: the heading's; under a subject without one, what the seat owes, and of
    several things the one that the answered letter asked for."""
    if case.mail.tag.kind is not None:
        return case.mail.tag.kind
    mine = [(r, d) for r, d in at.match.due if d.seat == at.seat]
    about = {name.opened for name in rounds_answered(at, case.replied)}
    kinds = [*(d.kind for r, d in mine if r.opened in about), *(d.kind for _, d in mine)]
    return kinds[0] if kinds else game.answers[0].kind


def order_in(
    game: AnyGame, at: Route, case: Case, own: tuple[Line, ...], some: tuple[Line, ...] | None = None
) -> bool:
    """Whether the sender's own words hold an order for the match, by its own reading of them; `some`: whether any of
    those lines is one."""
    if at.match.inner is None:
        return True
    _, reading = understood(at.match, at.seat, asked_kind(game, at, case), case.body(own))
    return reading.orders_in(own if some is None else some)


def talk_in(game: AnyGame, at: Route, case: Case) -> tuple[Line, ...]:
    """The lines that look like orders and only ask or deny, of a mail that holds no others."""
    if at.match.inner is None:
        return ()
    return understood(at.match, at.seat, asked_kind(game, at, case), case.body(case.mail.own))[1].talk


def agreed_command(case: Case) -> Case:
    """The case of an OK to the offer to pass words on, to tell of an absence, or to ask a further address: as by the
    command for that."""
    replied = case.replied
    offers = decoded(replied).reply.offers if replied is not None else ()
    named = offers[0].heading if len(offers) == 1 else ""
    if replied is None or not consents(case.mail) or named not in (PRESS, ADDRESS, ABSENCE):
        return case
    own = tuple(Line(number, text) for number, text in enumerate(offers[0].form.splitlines(), 1))
    argument = (replied.match or "") if named == PRESS else offers[0].form
    tag = replace(case.mail.tag, command=named, argument=argument, kind=None)
    mail = replace(case.mail, own=own, tag=tag, agrees="")
    asked = named == ADDRESS and case.proof.registered and not case.proof.refuted
    if (
        asked and address_key(case.sender.address) == replied.recipient
    ):  # it answers by a keyed id, like a challenge
        return replace(case, mail=mail, proof=replace(case.proof, owned=True))
    return replace(case, mail=mail)


def orders_by_itself(game: AnyGame, at: Route, case: Case) -> bool:
    """Whether a mail whose lines hold no order gives one all the same: by a word that takes an answer or a draft back,
    or by its heading, where that is not our letter's own subject come back. Above a quote it may be that, if nothing
    says which letter the mail answers."""
    body = case.body(case.mail.own)
    if withdrawals(body) or (discards(body) and at.seat in at.match.drafts):
        return True
    if case.mail.tag.kind is None or case.repeats or (case.replied is None and holds_more(case.mail)):
        return False
    return understood(at.match, at.seat, case.mail.tag.kind, case.body(case.mail.own))[1].action is not None


def holds_more(mail: Mail) -> bool:
    """Whether it holds what may be a letter of ours: quoted, below the mark of a signature, or attached. What stands
    beside words signed by OpenPGP is their signature."""
    left_out = any(part.lines > _SIGNED or part.what.startswith("attach") for part in mail.left_out)
    return bool(mail.quoted) or (left_out and mail.signed is None)


def holds_other_words(mail: Mail) -> bool:
    """Whether words that may be another's came with the sender's own: a letter pasted among them, a form attached."""
    return mail.attached is not None or any(
        part.what.startswith(("attach", PASTED)) for part in mail.left_out
    )


def says_twice(game: AnyGame, at: Route, case: Case) -> bool:
    """Whether the form inside the quote says the same as the sender's own words."""
    kind = asked_kind(game, at, case)
    own, form = (understood(at.match, at.seat, kind, case.body(x)) for x in (case.mail.own, case.form))
    return own[0] == form[0] and own[1].action is not None and own[1].action == form[1].action


# --- attached forms ---------------------------------------------------------------------------------------------


def words_alone(mail: Mail) -> Mail:
    """A mail of words and an attached form, without the form; any other as it is."""
    if mail.attached is None:
        return mail
    lines, name = mail.attached
    attached = frozenset(lines)
    said = tuple(line for line in mail.own if line not in attached)
    return replace(mail, own=said, left_out=(*mail.left_out, LeftOut(name, said=lines)), attached=None)


def as_meant(game: AnyGame, at: Route, case: Case) -> Mail:
    """A mail of words and an attached form: the words alone, where by the game's own rule they hold an order or
    what looks like one; else both."""
    mail, alone = case.mail, words_alone(case.mail)
    return alone if mail.attached is not None and order_in(game, at, case, alone.own) else mail


# --- a word of consent -----------------------------------------------------------------------------------------


def consents(mail: Mail) -> bool:
    """Whether the sender's own words are OK, or Yes, in any of its languages, with nothing beside it but courtesy, or
    the sign that a reaction is."""
    return bool(mail.agrees)


def consented(
    unit: LetterStore, at: Route, replied: OutgoingLetter | None, number: int | None = None
) -> Taken | Complaint:
    """The form that a letter offered whole, which OK sends as if the mail held it (contract, 'Mail in'), or the one of
    several that a number picks; or why nothing is sent."""
    to_it = (at.match.name, at.seat)
    if replied is None or (replied.match, replied.seat) != to_it:
        return _nothing("elsewhere")
    offered = decoded(replied).reply.offers
    if not offered and at.seat in at.match.drafts:
        return _nothing("asked" if at.match.drafts[at.seat].asked is not None else "draft")
    if not offered:
        return _nothing("left" if replied.kind == "refusal" else "elsewhere")
    if (number is None and len(offered) > 1) or (number or 1) > len(offered) or number == 0:
        return _nothing("which")
    chosen = offered[(number or 1) - 1]
    newest = newest_form(unit, at)
    if newest is None or chosen not in decoded(newest).reply.offers:
        return _nothing("superseded")
    if not {RoundName(r.label, r.opened) for r in at.match.rounds}.issuperset(chosen.rounds):
        return _nothing("over")
    lines = tuple(Line(number, words) for number, words in enumerate(chosen.form.splitlines(), 1))
    return chosen.heading, lines


def newest_form(unit: LetterStore, at: Route) -> OutgoingLetter | None:
    """The letter that has shown the seat a form last, or has taken the place of one: the last verdict on its orders, or
    one that asks for an answer with the seat's draft in it."""
    name, seat = at.match.name, at.seat
    newest = unit.newest_letter(name, seat, (*VERDICTS, *_ASKING))
    if newest is not None and newest.kind in _ASKING and not decoded(newest).reply.offers:
        return unit.newest_letter(name, seat, VERDICTS)
    return newest


def answers_form(mail: Mail, replied: OutgoingLetter | None) -> bool:
    """Whether an OK is to be judged: one to a letter that shows a form of the seat's own words, or that says so to
    none. A reaction to any other letter says nothing."""
    if replied is not None and decoded(replied).reply.offers:
        return True
    if mail.agrees == "reaction":
        return False
    return not holds_more(mail) if replied is None else replied.kind in ("refusal", "preview")


def _nothing(why: str) -> Complaint:
    return Complaint("ok_sends_nothing", "house", None, {"why": why})
