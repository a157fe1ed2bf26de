"""What follows when an answer counts: what the game makes of it, a reveal that it completes, a
ruling it asks for. And when none comes: after so many missed deadlines in a row others may take the
seat; where nobody ever played, and nobody comes, the match is called off.

What becomes of conditional turns: they count as soon as their owner's turn has come and a condition is true, wait out
the match's delay first, or are void. Nothing is half played: a step counts whole, as an answer of its owner."""

from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from typing import Any

from referee.core import seam
from referee.core.value import LAPSED, REFEREE, Demand, Lapse
from referee.match import events as ev
from referee.match.ahead import ANYTHING, turn_of, written
from referee.match.handling.rewinding import answers_in, in_force, opening_of, ruled, still_in_force
from referee.match.ledger import LedgerWriter
from referee.match.match import Match, OpenRound, fold, outstanding
from referee.match.timing import OPTIONS

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
    for happening in still_in_force(ledger, then.state, history, before):
        then = then.after(happening)
    action = ledger.game.actions_codec.decode(answer.action)
    rules = dict.fromkeys(fault.rule for fault in then.check(answer.demand, action))
    refusing = ["a house rule" if clause == _HOUSE else f"rule {clause}" for clause in rules]
    against = f"judged again, it goes against {' and '.join(refusing)}."
    why = against if refusing else "judged again, it keeps to the rules."
    ruled(ledger, ev.TurnRuled(label, not refusing, why, reopened=False))


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
            call_off(ledger, seat)
            return


def call_off(ledger: LedgerWriter, seat: int) -> None:
    reason = f"Player {seat} never came to play, and nobody took the seat. The match is called off."
    ledger.write(ev.MatchEnded((), {}, reason))


# --- conditional turns ----------------------------------------------------------------------------


def follow(ledger: LedgerWriter) -> None:
    """What a stimulus means for conditional turns: those it makes void (another past, other rules,
    another person there), and those whose turn has come, one by one, as if their owners wrote now."""
    for event in [entry.event for entry in ledger.entries]:
        match event:
            case ev.MatchRewound():
                _void_all(ledger, "rewound")
            case ev.Amended(data=data, changes=changes) if data or {c.name for c in changes} - {*OPTIONS}:
                _void_all(ledger, "amended")
            case ev.EntrantReplaced() | ev.SeatVacated() | ev.StoodIn() | ev.CameBack():
                _void_all(ledger, "replaced", event.seat)
    while ledger.match.status == "open":
        turns = ((one, turn_of(ledger.match, one.seat)) for one in ledger.match.ahead)
        fresh = ((one, *turn) for one, turn in turns if turn is not None and one.label != turn[0].label)
        if (found := next(fresh, None)) is None:
            return
        _come(ledger, *found)


def _come(ledger: LedgerWriter, one: ev.AheadKept, r: OpenRound, demand: Demand) -> None:
    """The owner's turn has come: a step whose condition has come true counts at once, or at a
    moment of the match's delay that nobody can foresee."""
    heard, most = one.heard, ledger.match.timing.delay
    plain = {} not in heard.values()  # what is more than a move (an offer came with it) is nobody's condition
    able = [b for b in one.branches if (plain if b.seat == ANYTHING else heard.get(b.seat) == b.trigger)]
    chosen = next((branch for branch in able if _legal(ledger, demand, branch)), None)
    if chosen is None:
        void(ledger, one, "impossible" if able else "other")
    elif not most:
        _play(ledger, chosen, demand)
    else:
        drawn = int(ledger.keys.nonce(ledger.match.name, f"delay {r.label}", r.opened, demand)[:12], 16)
        at = ledger.now + timedelta(seconds=1 + drawn % max(1, int(most.total_seconds())))
        index = one.branches.index(chosen)
        ledger.write(ev.AheadKept(one.seat, one.branches, "waits", heard, r.label, index, at))


def _legal(ledger: LedgerWriter, demand: Demand, branch: ev.AheadBranch) -> bool:
    return not ledger.standing.check(demand, ledger.game.actions_codec.decode(branch.reply))


def _play(ledger: LedgerWriter, branch: ev.AheadBranch, demand: Demand) -> None:
    """A stimulus of its own: what follows stands in the record as it would after a mail."""
    ledger.begin_stimulus()
    action = ledger.game.actions_codec.decode(branch.reply)
    text = seam.write(ledger.game, ledger.match.inner, demand, action)
    counts(ledger, demand, action, action, text, ev.AnsweredAhead)
    ledger.write(ev.AheadKept(demand.seat, branch.then, "played"))


def next_to_count(match: Match) -> tuple[datetime, ev.AheadKept, Demand] | None:
    """The conditional turn whose delay ends first, and when: no later than its deadline, which never passes it by."""
    found = []
    for one in match.ahead if match.status == "open" else ():
        turn = turn_of(match, one.seat)
        if one.plays_at is not None and turn is not None and turn[0].label == one.label:
            due = turn[0].due_for(one.seat)
            found.append((min(one.plays_at, due) if due else one.plays_at, one, turn[1]))
    return min(found, key=lambda each: (each[0], each[1].seat), default=None)


def play_waiting(ledger: LedgerWriter, one: ev.AheadKept, demand: Demand) -> None:
    """Its delay is over. What nobody but the owner or the moderator could have changed meanwhile made it void then."""
    branch = one.branches[one.chosen]
    if _legal(ledger, demand, branch):
        _play(ledger, branch, demand)
    else:
        void(ledger, one, "impossible")


def keep(ledger: LedgerWriter, seat: int, branches: tuple[ev.AheadBranch, ...], *, beside: bool) -> None:
    """It takes the place of the one before. Sent `beside` an answer of one's own it waits for what
    comes after that; else the others' last moves since one's own may be what it waits for."""
    heard = {} if beside else _last_moves(ledger, seat)
    ledger.write(ev.AheadKept(seat, branches, "sent", heard))


def _last_moves(ledger: LedgerWriter, seat: int) -> dict[int, Any]:
    game, state = ledger.game, ledger.match.inner
    heard: dict[int, Any] = {}
    for entry in reversed(in_force(ledger.history())):
        event = entry.event
        if not entry.public or not isinstance(event, ev.Answered) or not event.label:
            continue
        answer = seam.answer_of(game, event.demand.kind)
        if not answer.foreseeable or event.demand.seat in heard:
            continue
        if event.demand.seat == seat:
            break
        move = answer.foreseen(state, game.actions_codec.decode(event.action))
        heard[event.demand.seat] = {} if move is None else game.actions_codec.encode(move)
    return heard


def answered_himself(ledger: LedgerWriter, one: ev.AheadKept, demand: Demand, action: Any) -> str:
    """The owner has moved himself: the very move that was to count goes on with what stands behind
    it, any other makes all of it void, of which the lines are given back."""
    answer = seam.answer_of(ledger.game, demand.kind)
    if not answer.foreseeable:
        return ""
    move = answer.foreseen(ledger.match.inner, action)
    branch = one.branches[one.chosen] if one.plays_at is not None else None
    if branch is not None and move is not None and ledger.game.actions_codec.encode(move) == branch.reply:
        ledger.write(ev.AheadKept(demand.seat, branch.then, "played"))
        return ""
    return void(ledger, one, "own")


def void(ledger: LedgerWriter, one: ev.AheadKept, why: ev.AheadWhy) -> str:
    """None of it counts any more; its lines are given back."""
    lines = "\n".join(written(one.branches))
    ledger.write(ev.AheadKept(one.seat, (), why, what=lines))
    return lines


def _void_all(ledger: LedgerWriter, why: ev.AheadWhy, seat: int | None = None) -> None:
    for one in ledger.match.ahead:
        if seat in (None, one.seat):
            void(ledger, one, why)
