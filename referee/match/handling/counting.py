"""What follows when an answer counts: what the game makes of it, a reveal that it completes, a ruling it asks for."""

from __future__ import annotations

from typing import Any

from referee.core import seam
from referee.core.owing import LAPSED, Demand, Lapse
from referee.match import commands as do
from referee.match import events as ev
from referee.match.fold import fold
from referee.match.handling.rewinding import answers_in, opening_of, ruled, still_in_force
from referee.match.handling.silence import mind_silence
from referee.match.ledger import LedgerWriter
from referee.match.match import OpenRound, outstanding

_HOUSE = "house"


def counts(
    ledger: LedgerWriter,
    demand: Demand,
    action: Any,
    kept: Any,
    text: str,
    told: type[ev.Answered] = ev.Answered,
) -> None:
    """An open answer counts: what follows from the action, and the answer as it is kept. It is public, `told` as what
    it is, unless nothing of it is, or all that follows is somebody's own business."""
    match, game = ledger.match, ledger.game
    r = match.round_of(demand)
    happenings = seam.resolve(game, match.inner, {demand: action})
    secret = bool(happenings) and all(game.secret_to(h) is not None for h in happenings)
    public = not secret and seam.public(game, demand, action) is not None
    answered = told if public else ev.AnsweredInPrivate
    ledger.write(answered(r.label if r else "", demand, game.actions_codec.encode(kept), text))
    ledger.happen(happenings)
    ledger.settle()
    _reveal_complete(ledger)
    if (disputed := game.objection(action)) is not None:
        _rejudge(ledger, disputed)


def reveal(ledger: LedgerWriter, r: OpenRound) -> None:
    """Open the seals of a round, publish what proves them, and let the game resolve the answers."""
    match, game = ledger.match, ledger.game
    opened: list[ev.Unsealed] = []
    answers: dict[Demand, Any | Lapse] = {}
    for demand in r.demands:
        answer = r.answer_of(demand)
        answers[demand] = game.actions_codec.decode(answer.action) if answer else LAPSED
        if answer and answer.seal:
            nonce = ledger.keys.nonce(match.name, r.label, r.opened, demand)
            opened.append(ev.Unsealed(demand, answer.text, nonce, answer.seal))
    missing = outstanding(match, r)
    happenings = seam.resolve(game, match.inner, answers)
    ledger.write(ev.RoundRevealed(r.label, tuple(opened), missing, r.opened))
    ledger.happen(happenings)
    mind_silence(ledger, missing)
    ledger.settle()


def _reveal_complete(ledger: LedgerWriter) -> None:
    """A sealed round whose last silent seat has just left is complete."""
    for r in ledger.match.rounds:
        if r.sealed and not outstanding(ledger.match, r):
            reveal(ledger, r)
            return


def _rejudge(ledger: LedgerWriter, label: str) -> None:
    """An objection: the recorded turn is judged again by the rules as amended since (611)."""
    history = ledger.history()
    opening = opening_of(history, label)
    answers = answers_in(history, opening) if opening else []
    if not answers:
        return
    answer = answers[0].event
    assert isinstance(answer, ev.Answered)
    before = answers[0].version - 1
    then = fold(lambda _: ledger.game, history[:before]).standing
    assert then is not None
    for happening in still_in_force(ledger.game, then.state, history, before):
        then = then.after(happening)
    action = ledger.game.actions_codec.decode(answer.action)
    rules = dict.fromkeys(fault.rule for fault in then.check(answer.demand, action))
    refusing = ["a house rule" if clause == _HOUSE else f"rule {clause}" for clause in rules]
    against = f"judged again, it goes against {' and '.join(refusing)}."
    why = against if refusing else "judged again, it keeps to the rules."
    ruled(ledger, do.Rule(label, legal=not refusing, why=why))
