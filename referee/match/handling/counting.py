"""What follows when an answer counts: what the game makes of it, a reveal that it completes, a
ruling it asks for. And when none comes: after so many missed deadlines in a row others may take the
seat; where nobody ever played, and nobody comes, the match is called off."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from referee.core import seam
from referee.core.owing import LAPSED, REFEREE, Demand, Lapse
from referee.match import commands as do
from referee.match import events as ev
from referee.match.fold import fold
from referee.match.handling.rewinding import answers_in, opening_of, ruled, still_in_force
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
    reveal_complete(ledger)
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
    revealed(ledger, r, tuple(opened), answers, outstanding(match, r))


def revealed(
    ledger: LedgerWriter,
    r: OpenRound,
    opened: tuple[ev.Unsealed, ...],
    answers: Mapping[Demand, Any | Lapse],
    missing: tuple[Demand, ...],
) -> None:
    """The reveal told, and what follows from it."""
    happenings = seam.resolve(ledger.game, ledger.match.inner, answers)
    said = (ev.PressSent(words.seat, (), words.text) for words in ledger.match.words)
    for event in (ev.RoundRevealed(r.label, opened, missing, r.opened), *said):
        ledger.write(event)
    ledger.happen(happenings)
    mind_silence(ledger, missing)
    ledger.settle()


def lapsed(ledger: LedgerWriter, label: str, silent: tuple[Demand, ...]) -> None:
    """These of an open round were not answered in time."""
    happenings = seam.resolve(ledger.game, ledger.match.inner, dict.fromkeys(silent, LAPSED))
    ledger.write(ev.Lapsed(label, silent))
    ledger.happen(happenings)
    mind_silence(ledger, silent)
    ledger.settle()


def reveal_complete(ledger: LedgerWriter) -> None:
    """A sealed round is complete whose last silent seat has just answered, or left."""
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


# --- silence --------------------------------------------------------------------------------------


def mind_silence(ledger: LedgerWriter, missing: Iterable[Demand]) -> None:
    """What follows from deadlines that were just missed, by the match's option `miss`. A game to
    which a silent seat means something says so itself, and then names it vacant."""
    most = ledger.match.timing.miss
    for seat in sorted({d.seat for d in missing} - {REFEREE}):
        missed = ledger.match.missed.get(seat, 0)
        if not ledger.standing.due or not most or missed < most:
            continue
        if seat not in ledger.match.vacant:
            told = ledger.game.silent(ledger.match.inner, seat, missed)
            ledger.happen(told)
            if not told:
                ledger.write(ev.SeatOffered(seat, missed))
        elif missed >= 2 * most and seat not in ledger.match.shown:
            _call_off(ledger, seat)
            return


def mind_unheard(ledger: LedgerWriter, seat: int) -> None:
    """Of a player who never answered what has no deadline others may take the seat; if nobody did, that is the end."""
    if seat in ledger.match.vacant:
        _call_off(ledger, seat)
    else:
        ledger.write(ev.SeatOffered(seat, 0))


def _call_off(ledger: LedgerWriter, seat: int) -> None:
    reason = f"Player {seat} never came to play, and nobody took the seat. The match is called off."
    ledger.write(ev.MatchEnded((), {}, reason))
