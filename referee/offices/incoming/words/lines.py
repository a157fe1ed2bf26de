"""What a mail says to its match: as what kind of answer it is taken, and which of its lines count."""

from __future__ import annotations

from typing import Final

from referee.core.complaint import Complaint, Line
from referee.core.game import AnyGame
from referee.core.orders.block import bare
from referee.core.replacing import replace
from referee.match.match import RoundName, due_now
from referee.match.submit import understood, withdrawals
from referee.offices.incoming.case import Case
from referee.offices.incoming.routing import Route
from referee.offices.outgoing.letters import decoded
from referee.offices.ports.letters import LetterStore, OutgoingLetter
from referee.offices.ports.mail import Mail

_SIGNED: Final = 8  # lines that a signature has at most
_CONSENT: Final = frozenset(("ok", "yes"))
# By the kind of letter that offers a form: a later one of these has taken its place.
_VERDICTS: Final = ("refusal", "receipt", "ignored")
_AFTER: Final = {"refusal": _VERDICTS, "preview": (*_VERDICTS, "preview")}

Meaning = tuple[str, tuple[Line, ...]]  # the kind of answer that a mail is taken for, and its lines


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
    mine = [(r, d) for r, d in due_now(at.match) if d.seat == at.seat]
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


def orders_by_itself(game: AnyGame, at: Route, case: Case) -> bool:
    """Whether a mail whose lines hold no order gives one all the same: by the one word that takes an answer back, or by
    its heading, where that is not our letter's own subject come back. Above a quote it may be that, if nothing says
    which letter the mail answers."""
    if withdrawals(case.body(case.mail.own)):
        return True
    if case.mail.tag.kind is None or case.repeats or (case.replied is None and holds_more(case.mail)):
        return False
    return understood(at.match, at.seat, case.mail.tag.kind, case.body(case.mail.own))[1].action is not None


def holds_more(mail: Mail) -> bool:
    """Whether it holds what may be a letter of ours: quoted, below the mark of a signature, or attached. What stands
    beside words signed by OpenPGP is their signature."""
    left_out = any(lines > _SIGNED or what.startswith("attach") for what, lines in mail.left_out)
    return bool(mail.quoted) or (left_out and mail.signed is None)


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
    return replace(mail, own=said, left_out=(*mail.left_out, (name, 0)), attached=None)


def as_meant(game: AnyGame, at: Route, case: Case) -> Mail:
    """A mail of words and an attached form: the words alone, where by the game's own rule they hold an order or
    what looks like one; else both."""
    mail, alone = case.mail, words_alone(case.mail)
    return alone if mail.attached is not None and order_in(game, at, case, alone.own) else mail


# --- a word of consent -----------------------------------------------------------------------------------------


def consents(mail: Mail) -> bool:
    """Whether the sender's own words are OK, or Yes, and nothing else."""
    own = [line for line in mail.own if line.text.strip()]
    return len(own) == 1 and bare(own[0].text) in _CONSENT


def consented(unit: LetterStore, at: Route, replied: OutgoingLetter | None) -> Meaning | Complaint:
    """The form of a refusal in which nothing was left to mend, or of a letter that asks whether that is meant, which OK
    sends as if the mail held it (contract, 'Mail in'); or why it sends nothing."""
    to_it = (at.match.name, at.seat)
    if replied is None or replied.kind not in _AFTER or (replied.match, replied.seat) != to_it:
        return _nothing("elsewhere")
    letter = decoded(replied)
    if letter.reply.offered is None:
        return _nothing("left")
    newest = unit.newest_letter(at.match.name, at.seat, _AFTER[replied.kind])
    if newest is None or newest.message_id != replied.message_id:
        return _nothing("superseded")
    if not {RoundName(r.label, r.opened) for r in at.match.rounds}.issuperset(letter.reply.offered.rounds):
        return _nothing("over")
    lines = tuple(Line(number, words) for number, words in enumerate(letter.reply.form.splitlines(), 1))
    return letter.reply.offered.heading, lines


def _nothing(why: str) -> Complaint:
    return Complaint("ok_sends_nothing", "house", None, {"why": why})
