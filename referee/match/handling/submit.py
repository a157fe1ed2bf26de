"""Judging an answer: every complaint, or the entry that makes it count."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from datetime import datetime, timedelta
from difflib import get_close_matches
from math import ceil
from typing import Any

from referee.core import seam
from referee.core.answers import AHEAD, Body, Form, Reading
from referee.core.orders.keyed import TALK, keyed, left_out, unsaid
from referee.core.value import Complaint, Demand, Line, fault, gathered, masked
from referee.language.interpret import lone_verb
from referee.language.sentences import words_of
from referee.language.words import denies_all, in_our_keys
from referee.match import commands as do
from referee.match import events as ev
from referee.match.ahead import Foreseen, turn_of
from referee.match.chain import seal
from referee.match.handling.counting import answered_himself, counts, keep, reveal_complete, void
from referee.match.ledger import LedgerWriter
from referee.match.match import Match, OpenRound, PastRound, awaits_solver
from referee.match.meanings import Meaning, ahead_in, early, spoken, understood, withdrawals

_HOUSE = "house"
_SECOND = timedelta(seconds=1)
_DAY = timedelta(days=1)
# Orders by themselves.
_LONE = frozenset(("pass", "offer", "accept", "decline", "resign", "leave", "claim", "undo"))
_NEAR = 0.75  # what is less like a key of the game was never meant for it
_FEW_WORDS = 4  # of a line without a key: with a place among them it is no talk


def submit(ledger: LedgerWriter, command: do.Submit) -> do.Verdict:
    """An answer to what is due or open; refused with all complaints, or taken, with what follows."""
    match = ledger.match
    if match.status != "open":  # in time for the very deadline whose lapse ended the match, or for none
        ended = match.status == "ended"
        missed = _gone_by(reversed(match.past), command, in_time=True) if ended else None
        code = {"filling": "not_begun", "paused": "paused"}.get(match.status, "over")
        missing = match.seats - len(match.roster)
        return do.Refused(None, (missed or fault(code, _HOUSE, match=match.name, missing=missing),))
    if awaits_solver(match):
        return do.Waiting()
    demand, reading = understood(match, command.seat, command.kind, command.body)
    if demand.kind == AHEAD:
        return _in_advance(ledger, command, demand, reading)
    if (r := match.round_of(demand)) is not None:
        if (other := meant_for_another(match, r, command)) is not None:
            return do.Refused(demand, (other,))
        if r.answers == "first" and (answer := r.answer_of(demand)) is not None:  # 604.D, 605.C
            return do.Ignored(r.label, demand, answer.text)
    if (late := _late(ledger, demand, command)) is not None:
        return do.Refused(demand, (late,))
    if (draft := _early(ledger, demand, command)) is not None:
        ledger.write(ev.DraftKept(draft.demand, draft.text))
        return do.Kept(draft.demand, draft.text, draft.complaints, draft.reading.courtesy)
    checked = ledger.standing.faults(demand, reading)
    stated = _stated(ledger, command, demand)
    beside = (*_words_beside(command.body, reading), *_lone(command.body, reading))
    checked = (*checked, *_one_too_many(ledger, command, demand, reading))
    if reading.choices and not (stated or beside or checked or reading.complaints):
        plain, lost = _unguessed(ledger, command, demand, command.body, reading)
        if not lost:
            return _asked(ledger, command, demand, reading)
        reading = plain
    if stated or beside or reading.complaints or checked or reading.action is None:
        of_orders = (*reading.complaints, *checked)
        # where a mail holds words only (an excuse, a greeting), nothing of what an order would have
        # had to hold is missed one by one
        worded = not reading.orders and all(complaint.line is None for complaint in of_orders)
        if worded and len(gathered(of_orders)) > 1:
            of_orders = (Complaint("no_orders", _HOUSE),)
        found = (*stated, *beside, *of_orders)
        return _refused(ledger, command, demand, reading, found, not stated and not beside)
    ahead = ahead_in(match, command.seat, command.body, demand, reading)
    accepted = _accept(ledger, demand, command.body, reading)
    notated = {*reading.orders} - {*reading.worded}  # whose words may be the rules' own
    own = [line for line in command.body.lines if line not in notated]
    language = spoken(match, Body(own, command.body.hints)) if command.proved else ""
    if language and language != match.languages.get(command.seat):
        ledger.write(ev.LanguageHeard(command.seat, language))
    if ahead.branches:
        keep(ledger, command.seat, ahead.branches, beside=True)
        return replace(accepted, ahead=ahead.text, tree=ahead.tree)
    if (one := ledger.match.ahead_of(command.seat)) is not None:
        return replace(accepted, void=answered_himself(ledger, one, demand, reading.action))
    return accepted


# --- in advance -----------------------------------------------------------------------------------


def _in_advance(
    ledger: LedgerWriter, command: do.Submit, demand: Demand, reading: Reading[Foreseen]
) -> do.Verdict:
    """A conditional turn alone: it is kept, and nobody else learns of it."""
    found, beside = reading.understood or Foreseen(), _words_beside(command.body, reading)
    if reading.choices and not beside:
        return do.Asked(demand, reading.choices, reading.choices[0], reading.courtesy, reading.doubts)
    if not (beside or reading.complaints):
        keep(ledger, command.seat, found.branches, beside=False)
        return do.Accepted("", demand, found.text, None, reading.courtesy, found.text, found.tree)
    told = gathered((*beside, *reading.complaints))
    if not found.lines:
        return do.Refused(None, told, reading.courtesy)
    turn, lines = turn_of(ledger.match, command.seat), found.lines
    if turn is not None:
        demand = turn[1]
        own = seam.form(ledger.game, ledger.match.inner, demand, ledger.match.party(command.seat))
        lines = (*own.text.splitlines(), *lines)
    form = Form("\n".join(lines))
    blank = turn is not None
    return do.Refused(demand, told, reading.courtesy, form, blank, _judged(ledger, command, form.text))


def _early(ledger: LedgerWriter, demand: Demand, command: do.Submit) -> Meaning | None:
    """The answer, where it is none that the seat may give now, and one that it may be asked for
    next. In which round it is due is for the letter to say that asks for it."""
    if demand in ledger.standing.may_answer(command.seat):
        return None
    found = early(ledger.match, command.seat, command.kind, command.body)
    if found is None or command.stated.get("seat", command.seat) != command.seat:
        return None
    return None if _words_beside(command.body, found.reading) else found


def _asked(ledger: LedgerWriter, command: do.Submit, demand: Demand, reading: Reading[Any]) -> do.Asked:
    """What is in doubt is its writer's to settle; of a single choice he gets the form. What he says
    in advance stands below each."""
    match, form = ledger.match, ""
    ahead = ahead_in(match, command.seat, command.body, demand, reading).lines
    choices = tuple("\n".join((one, *ahead)) for one in reading.choices)
    if reading.action is not None:
        form = seam.filled_in(ledger.game, match.inner, demand, match.party(demand.seat), reading.action)
        form = "\n".join((form, *ahead))
    return do.Asked(demand, choices, form, reading.courtesy, reading.doubts)


def _lone(body: Body, reading: Reading[Any]) -> Iterator[Complaint]:
    """Words that stand alone on a line, and order something by themselves, beside another order."""
    ordering = {line.number for line in reading.orders}
    for line in body.lines if ordering else ():
        short = len(line.text) < 100 and len(line.text.split()) <= _FEW_WORDS
        if short and line.number not in ordering and lone_verb(line.text, body.hints) in _LONE:
            yield _not_understood(line)


def _not_understood(line: Line) -> Complaint:
    return Complaint("not_understood", _HOUSE, line, {"text": line.text.strip()})


def _unguessed(
    ledger: LedgerWriter, command: do.Submit, demand: Demand, body: Body, asked: Reading[Any]
) -> tuple[Reading[Any], bool]:
    """What a mail that would be asked about says without a guess, and all that is wrong with it; and whether lines try
    to order something of which what is asked about says nothing: no word sends it without them."""
    keys = [key.casefold() for key in (*TALK, *seam.headings(ledger.game))]
    shown = _asked(ledger, command, demand, asked)
    reading = seam.read(ledger.game, ledger.match.inner, demand, body, ledger.match.party(demand.seat))
    ordering, lost = {line.number for line in (*asked.orders, *asked.worded)}, list[Complaint]()
    own = {line.number: line for line in body.lines}
    lines = [Line(number, in_our_keys(ledger.game.slug, line.text)) for number, line in own.items()]
    for line in unsaid(shown.form or "\n".join(shown.choices), lines):
        key, value = keyed(line.text)
        near = get_close_matches(key, keys, 1, _NEAR) or any(map(str.isdigit, value or ""))
        if value and denies_all(words_of(value)):
            continue  # "Draw: no"
        if line.number not in ordering and (near if value else len(line.text.split()) <= _FEW_WORDS):
            wrong = (one for fault in reading.complaints for one in fault.each)
            told = [one for one in wrong if one.line and one.line.number == line.number]
            lost += told or [_not_understood(own[line.number])]
    told_of = (*lost, *reading.complaints, *ledger.standing.faults(demand, reading))
    return replace(reading, complaints=told_of or tuple(map(_not_understood, reading.courtesy))), bool(lost)


def _one_too_many(
    ledger: LedgerWriter, command: do.Submit, demand: Demand, reading: Reading[Any]
) -> tuple[Complaint, ...]:
    """An answer that may cost the referee a search, where the match has had a day's measure of them: counted are those
    that were accepted, whatever became of them and whether or not they were set back. It names when there is room."""
    game, most, moment = ledger.game, command.searches, command.since or command.arrived
    if reading.action is None or most is None:
        return ()
    state = ledger.match.inner
    part = seam.answer_of(game, demand.kind).searched(state, reading.action)
    if part is None:
        return ()
    given = [(entry.since or entry.at, entry.event) for entry in ledger.history()]
    answers = [(at, e) for at, e in given if isinstance(e, ev.Answered) and at > moment - _DAY]
    kinds = ((at, seam.answer_of(game, e.demand.kind), e.action) for at, e in answers)
    found = [at for at, kind, stored in kinds if kind.searched(state, game.actions_codec.decode(stored))]
    if len(found) < most:
        return ()
    until = sorted(found)[-most] + _DAY if most else moment + _DAY
    facts = {"most": most, "until": until}
    return (Complaint("searches_spent", _HOUSE, reading.lines.get(part), facts, part=part),)


def _refused(
    ledger: LedgerWriter,
    command: do.Submit,
    demand: Demand,
    reading: Reading[Any],
    complaints: tuple[Complaint, ...],
    mendable: bool,
) -> do.Refused:
    """The mail's faults, and those that its mended form would still have: the form is judged as it would be if it
    came back as it stands. `mendable` is whether a form can mend all that is wrong."""
    match, game, party = ledger.match, ledger.game, ledger.match.party(command.seat)
    told = gathered(complaints or (Complaint("no_orders", _HOUSE),))
    if demand not in ledger.standing.may_answer(command.seat):
        return do.Refused(demand, told, reading.courtesy)
    mended = seam.form(game, match.inner, demand, party, reading)
    if lines := ahead_in(match, command.seat, command.body, demand, reading).lines:
        mended = replace(mended, text="\n".join((mended.text, *lines)))
    told_of = {x.number for x in command.body.lines for one in mended.chosen if x.text.strip() in one}
    told_of |= {line.number for line in (*mended.held, *reading.worded)}
    lost = (line for line in unsaid(mended.text, command.body.lines) if line.number not in told_of)
    mended = replace(mended, chosen=(*mended.chosen, *left_out(lost, "")))
    unmended = _judged(ledger, command, mended.text)
    empty = bool(unmended) and mended.text == seam.form(game, match.inner, demand, party).text
    blank = not reading.orders or empty  # no form that an OK may send as it stands
    return do.Refused(demand, told, reading.courtesy, mended, blank, unmended, mendable)


def _judged(ledger: LedgerWriter, command: do.Submit, text: str) -> tuple[Complaint, ...]:
    """Everything wrong with a form that comes back as it stands."""
    body = Body.of(text)
    match = ledger.match
    demand, reading = understood(match, command.seat, command.kind, body)
    beside = (*_words_beside(body, reading), *_lone(body, reading))
    checked = ledger.standing.faults(demand, reading)
    if reading.choices and not (beside or checked or reading.complaints):
        reading, _ = _unguessed(ledger, command, demand, body, reading)
    found = (*beside, *reading.complaints)
    if reading.action is None or demand.kind == AHEAD:
        return found or (() if reading.action is not None else (Complaint("no_orders", _HOUSE),))
    return (*found, *checked, *_one_too_many(ledger, command, demand, reading))


def withdraw(ledger: LedgerWriter, command: do.Withdraw) -> do.Verdict:
    """A sealed answer taken back: only in rounds whose answers are replaceable (604.D, 605.C refuse it)."""
    sealed = [r for r in ledger.match.rounds if r.sealed]
    mine = [(r, a) for r in sealed for a in r.answered if a.demand.seat == command.seat]
    one = ledger.match.ahead_of(command.seat)
    if command.draft or not (mine or one):
        draft = ledger.match.drafts.get(command.seat)
        if draft is None:
            return do.Refused(None, (fault("nothing_to_withdraw", _HOUSE, sealed=bool(sealed)),))
        ledger.write(ev.DraftDropped(command.seat))
        return do.Discarded(draft.demand, draft.text)
    if one is not None and not mine:  # at any time, also while it waits out its delay
        return do.Withdrawn("", Demand(AHEAD, command.seat), void(ledger, one, "withdrawn"))
    r, answer = mine[0]
    if (other := meant_for_another(ledger.match, r, command)) is not None:
        return do.Refused(answer.demand, (other,))
    due = r.due_for(command.seat)
    if command.arrived is not None and due is not None and command.arrived > due and not r.holds:
        return do.Refused(answer.demand, (_too_late("late", r.label, due, command.arrived),))
    if r.answers == "first":
        return do.Refused(answer.demand, (fault("first_answer_stands", _HOUSE, label=r.label),))
    ledger.write(ev.AnswerWithdrawn(r.label, answer.demand))
    return do.Withdrawn(r.label, answer.demand, answer.text)


def _accept(ledger: LedgerWriter, demand: Demand, body: Body, reading: Reading[Any]) -> do.Accepted:
    match, game, action, courtesy = ledger.match, ledger.game, masked(reading.action), reading.courtesy
    r = match.round_of(demand)
    label = r.label if r else ""
    shown = seam.public(game, demand, action)
    text = seam.write(game, match.inner, demand, shown if shown is not None else action)
    if r and r.sealed:
        nonce = ledger.keys.nonce(match.name, label, r.opened, demand)
        mark = seal(nonce, match.name, label, r.opened, demand, text)
        ledger.write(ev.Answered(label, demand, game.actions_codec.encode(action), text, True, mark))
        reveal_complete(ledger)
        return do.Accepted(label, demand, text, mark, courtesy)
    kept, said = action, "\n".join([line.text for line in body.lines if line not in reading.courtesy])
    if said.strip("\n") != text.strip("\n"):
        # as its canonical text reads: the record keeps nothing of how the sender had put it
        again = seam.read(game, match.inner, demand, Body.of(text), match.party(demand.seat)).action
        kept = again if again is not None else shown if shown is not None else action
    counts(ledger, demand, action, kept, text)
    return do.Accepted(label, demand, text, None, courtesy)


def _words_beside(body: Body, reading: Reading[Any]) -> tuple[Complaint, ...]:
    """`Withdraw` beside an order: neither is guessed at, and neither is dropped in silence."""
    words = withdrawals(body)
    ordering = bool(words) and reading.orders_in(line for line in body.lines if line not in words)
    return tuple(Complaint("withdraw_beside", _HOUSE, line) for line in words if ordering)


def meant_for_another(match: Match, r: OpenRound, command: do.Submit | do.Withdraw) -> Complaint | None:
    """Why what a mail says can't be meant for the round: it replies to a letter about earlier ones
    (late, where its seat had not answered there), or came before the round was there. A letter
    about the round itself settles it, whatever the clocks of mail servers say."""
    replied, arrived = command.replies, command.arrived
    if any(name.opened == r.opened for name in replied):
        return None
    if replied:
        name = replied[0]
        code = "round_set_back" if name.label == r.label else "round_is_over"
        answered = fault(code, _HOUSE, label=name.label, now=r.label)
        return _gone_by((p for p in match.past if p.opened == name.opened), command, r.label) or answered
    # mail servers keep arrivals in whole seconds, rounded down: such a mail may have come up to a second later
    if arrived is None or arrived >= (r.begun if arrived.microsecond else r.begun.replace(microsecond=0)):
        return None
    early = fault("before_its_round", _HOUSE, label=r.label, arrived=arrived, begun=r.begun)
    return _gone_by(reversed(match.past), command, in_time=True) or early


def _gone_by(
    past: Iterable[PastRound], command: do.Submit | do.Withdraw, now: str = "", *, in_time: bool = False
) -> Complaint | None:
    """Of a mail for a round gone by that its seat had not answered: it was late, or was seen too late."""
    arrived, seat = command.arrived, command.seat
    for one in past:
        due, until = one.due_for(seat), one.closes_for(seat)
        missed = any(d.seat == seat for d in one.missing)
        if missed and arrived and due and until and (arrived <= until or not in_time):
            return _too_late("seen_too_late" if arrived <= until else "late", one.label, due, arrived, now)
    return None


def _late(ledger: LedgerWriter, demand: Demand, command: do.Submit) -> Complaint | None:
    """Whether the answer missed its deadline: its own in a round still open, or that of the last
    one gone by that asked for it. A reply to a letter about another round is none to that."""
    match = ledger.match
    if (r := match.round_of(demand)) is not None:
        due = r.due_for(demand.seat)
        until = due if r.answer_of(demand) else match.closes_for(r, demand.seat)  # grace is for the silent
        if due is None or until is None or command.arrived <= until or r.holds:
            return None
        return _too_late("late", r.label, due, command.arrived)
    if demand in ledger.standing.open_to(demand.seat):
        return None
    last = next((past.opened for past in reversed(match.past) if demand in past.demands), None)
    if command.replies and last not in {name.opened for name in command.replies}:
        return None
    return _gone_by((p for p in match.past if p.opened == last and demand in p.missing), command)


def _too_late(code: str, label: str, due: datetime, arrived: datetime, now: str = "") -> Complaint:
    """`now` names the round that is owed instead, where another one is."""
    return fault(code, _HOUSE, label=label, due=due, later=ceil((arrived - due) / _SECOND), now=now)


def _stated(ledger: LedgerWriter, command: do.Submit, demand: Demand) -> tuple[Complaint, ...]:
    """What the subject states beside the heading must be true."""
    found: list[Complaint] = []
    if (seat := command.stated.get("seat", command.seat)) != command.seat:
        found.append(fault("wrong_seat", _HOUSE, stated=seat, seat=command.seat))
    for word in ("round", "cycle"):
        stated, now = command.stated.get(word), ledger.standing.view(None).position.get(word)
        if None not in (stated, now) and stated != now:
            found.append(fault("wrong_round", _HOUSE, word=word, stated=stated, now=now))
    return tuple(found)
