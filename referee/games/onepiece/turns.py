"""How a match is opened, and from game to game: who begins, colours and edge, the series, the tournament (3.2, 4.1); a
turn and all that follows from it (3.3, 3.4, 4.2): what is owed, claims judged and paid (4.3, 4.4), seats left."""

from collections.abc import Collection, Iterator
from dataclasses import replace
from datetime import timedelta
from fractions import Fraction
from typing import Literal

from referee.core.chance import Chance
from referee.core.duel import commented
from referee.core.game import Expected, Outcome, Setup
from referee.core.options import Options, typed
from referee.core.value import REFEREE, Complaint, Demand, Round, fault
from referee.games.onepiece import board
from referee.games.onepiece import events as ev
from referee.games.onepiece import notation as do
from referee.games.onepiece.events import ORDERS, Claim, Law, Record, State, Win, fold

BOTH = ("Colours", "Edge")


def choices(state: State) -> tuple[Demand, ...]:
    """3.2: the player who begins chooses his colour, the next one the edge."""
    found = [] if state.colours else [Demand("Colours", state.first)]
    return (*found, *([] if state.edge else [Demand("Edge", state.mover_of(2))]))


def set_up(record: Record, defaults: Collection[str] = ()) -> None:
    """Take colours and edge from the options; by default those named, and what players who have
    left would choose. Play begins once both are known."""
    law = record.state.law
    for demand in choices(record.state):
        given = law.colours if demand.kind == "Colours" else law.edge
        how: ev.Chosen = "option" if given else "default"
        if how == "option" or demand.kind in defaults or demand.seat in record.state.gone:
            if demand.kind == "Colours":
                record.tell(ev.ColoursChosen(demand.seat, law.colours or "red", how))
            else:
                record.tell(ev.EdgeChosen(demand.seat, law.edge or "south", how))
    if not choices(record.state):
        record.tell(ev.PlayBegun(reds(record.state)))


def reds(state: State) -> tuple[bool, ...]:
    """Who plays red. In a tournament seat 1 keeps its colour and its partner of the game shares it (4.1)."""
    if state.red:
        chooser, colour = 1, state.colour_of(1)
    else:
        chooser, colour = state.first, state.colours or "red"
    place = state.order.index(chooser)
    return tuple((state.order.index(seat) - place) % 2 == (colour != "red") for seat in state.seats)


def next_game(record: Record) -> None:
    """After a game: the end of the match, or the next game."""
    state = record.state
    if (decided := _decided(state)) is not None:
        record.tell(decided)
        return
    order = state.order
    if state.law.tournament and state.law.pairing == "rotate":
        order = ORDERS[state.game % len(ORDERS)]
    # Two players: the loser, after a draw the other one (3.2). Four: the player of the losing colour whose turn would
    # have come next; without a winner the seat after the last starter (4.1).
    win = state.win
    starter = next_of(state, board.other(win.colour), win.ply + 1) if win else state.mover_of(2)
    record.tell(ev.GameBegun(state.game + 1, starter, order))
    set_up(record)


def next_of(state: State, colour: board.Colour, ply: int) -> int:
    """The seat of that colour that moves first from that ply on."""
    return next(s for p in (ply, ply + 1) if state.colour_of(s := state.mover_of(p)) == colour)


def _decided(state: State) -> ev.MatchDecided | None:
    if state.law.tournament:
        return champion(state)
    if state.game < state.law.games:
        return None
    most = max(state.points)
    if min(state.points) == most:
        return ev.MatchDecided((), "the game is drawn" if state.law.games == 1 else "the series is level")
    winners = tuple(seat for seat in state.active if state.points[seat - 1] == most)
    won = "the game is won" if state.law.games == 1 else "the series is won"
    return ev.MatchDecided(winners, won)


def champion(state: State) -> ev.MatchDecided | None:
    """4.1: the target reached, and far enough ahead of all still in the tournament."""
    law = state.law
    points = {seat: state.points[seat - 1] for seat in state.active}
    most = max(points.values())
    leaders = tuple(seat for seat in points if points[seat] == most)
    second = max((p for seat, p in points.items() if seat != leaders[0]), default=most - law.lead)
    if most >= law.target and most - second >= law.lead:
        return ev.MatchDecided(leaders, f"{most} points are enough")
    return None


def outcome(state: State) -> Outcome | None:
    """Points: of a tournament as scored, of two players one for a game won and a half for one drawn."""
    if state.ended is None:
        return None
    share = Fraction(1) if state.law.tournament else Fraction(1, 2)
    points = {seat: state.points[seat - 1] * share for seat in state.seats}
    winners, reason = state.ended.winners, f"{state.ended.reason[:1].upper()}{state.ended.reason[1:]}."
    if winners and state.win and state.law.games == 1 and not state.law.tournament:
        reason = _HOW.get(state.win.how, reason)  # a single game says how it was won
    return Outcome(winners, points, reason)


_HOW = {
    "four": "Four in a line.",
    "handed over": "Four in a line, made by the opponent.",
    "resigned": "The opponent resigned.",
    "out of time": "The opponent ran out of time.",
}


# --- how a match is opened -----------------------------------------------------------------------------------------


def law_of(options: Options, seats: int) -> Law:
    """The rules that the options give."""
    cols, rows = options.size("grid")
    timeout = options.text("timeout_default")
    return typed(
        Law,
        options,
        seats=seats,
        claiming=options.values.get("tournament") != "off",  # that older records do not hold
        cols=cols,
        rows=rows,
        colours=_asked(options, "colours"),
        edge=_asked(options, "edge"),
        evidence_window=options.duration("evidence_deadline"),
        demonstration_window=options.duration("demonstration_deadline"),
        window=options.duration("move_deadline"),
        timeout=("play" if seats == 4 else "loss") if timeout == "standard" else timeout,
    )


def _asked(options: Options, name: str) -> str:
    return "" if options.text(name) == "ask" else options.text(name)


def faults(setup: Setup) -> tuple[str, ...]:
    """Every reason why no match can be opened so."""
    players = setup.options.text("players")
    if setup.seats not in (2, 4):
        return (f"One Piece For Two takes two players, or four for the tournament, not {setup.seats}.",)
    found: list[str] = []
    if players not in ("seats", str(setup.seats)):
        found.append(f"players = {players}, but there are {setup.seats} seats.")
    law = law_of(setup.options, setup.seats)
    if law.cols * law.rows < 2 * law.pieces + 2:
        found.append(
            f"A grid of {law.cols}x{law.rows} has {law.cols * law.rows} cells; {law.pieces} pieces need "
            f"{2 * law.pieces + 2}, so that one can be moved."
        )
    if law.starter > law.seats:
        found.append(f"starter = {law.starter}, but there are {law.seats} seats.")
    return (*found, *_position(law, setup.options.text("position"))[1]) if not found else tuple(found)


def opened(setup: Setup, chance: Chance) -> tuple[ev.Event, ...]:
    """Rules, starter, the first game, and the position it begins from."""
    law = law_of(setup.options, setup.seats)
    fixed = law.tournament and law.pairing == "fixed"  # seat 1 (4.1)
    starter = ev.StarterDrawn(1 if fixed else law.starter)
    if not starter.seat:
        seat = 1 + chance.below(law.seats, "who begins: 0 is seat 1")
        starter = ev.StarterDrawn(seat, chance.seed, chance.transcript[-1:])
    record = Record(fold, State())
    order = tuple(range(1, law.seats + 1))
    record.tell(ev.LawSet(law), starter, ev.GameBegun(1, starter.seat, order))
    position, _ = _position(law, setup.options.text("position"))
    set_up(record, BOTH if position else ())
    if position:
        record.tell(ev.PositionSet(position))
    return tuple(record.events)


def _position(law: Law, text: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The plies of a position in canonical text, and why it is none: each legal, and none but wins (3.3, 3.4)."""
    grid = State(law, edge=law.edge).grid
    plies: list[str] = []
    for number, word in enumerate(text.split(), start=1):
        if (ply := do.parsed(grid, word)) is None or any(board.move_faults(grid, ply)):
            why = "can't be read as a move" if ply is None else "is not legal there"
            return tuple(plies), (f"position: ply {number}, {word!r}, {why}.",)
        grid = grid.after(ply)
        plies.append(str(ply))
        if (winner := board.winner_in(grid, ply)) is not None:
            return tuple(plies), (f"position: ply {number}, {word!r}, already wins for {winner}.",)
    if not grid.plies():
        return tuple(plies), ("position: no move is possible in it.",)
    return tuple(plies), ()


# --- claims ----------------------------------------------------------------------------------------------------------


def claim_faults(state: State, n: int, wins: bool) -> Iterator[Complaint]:
    """4.2: even, from 2, not above the maximum, one at a time, and not beside a winning move."""
    law, facts = state.law, {"n": n, "most": state.law.max_claim}
    if not law.tournament:
        yield fault("no_claims_for_two", "4.2", "claim", **facts)
        return
    if n < 2 or n % 2:
        yield fault("odd_claim", "4.2", "claim", **facts)
    elif law.claim_n == "partner_only" and n % 4 == 0:
        yield fault("partner_must_move_last", "4.3", "claim", **facts)
    if n > law.max_claim:
        yield fault("claim_too_large", "4.2", "claim", **facts)
    if state.claims and law.claims == "single":
        first = state.claims[0]
        yield fault("claim_pending", "4.2", "claim", **facts, seat=first.seat, end=first.end)
    elif state.limit is not None and state.ply + n > state.limit:
        yield fault("claim_past_end", "4.2", "claim", **facts, end=state.limit)
    if wins:
        yield fault("claim_beside_win", "4.2", "claim", **facts)


# --- the end of a game -----------------------------------------------------------------------------------------------


def conclude(record: Record, drawn: bool = False) -> None:
    """A game has ended: silent points, claims that came true, then those to be judged."""
    state = record.state
    if not state.law.tournament:
        next_game(record)
        return
    if state.win:
        _pay_silent(record, state.win)
    for claim in state.claims:
        if drawn:
            record.tell(ev.ClaimSettled(claim, "drawn", 0, ()))
        elif state.win and state.colour_of(claim.seat) == state.win.colour:
            record.tell(_came_true(state, claim, state.win))
    if record.state.claims:
        record.tell(ev.JudgingBegun(record.state.claims))
    judge_rest(record)


def judge_rest(record: Record) -> None:
    """Judge what can be judged without asking anybody; once nothing is left to judge, the next game."""
    while record.state.phase == "evidence":
        claim = record.state.judged[0]
        if claim.seat in record.state.gone:
            record.tell(ev.DemonstrationEnded(claim, False, "left"))
        elif not record.state.own_plies(claim):
            record.tell(ev.DemonstrationEnded(claim, False, "lost"))
        else:
            return
        settle(record, claim, upheld=False)
    if record.state.phase not in ("verdict", "demonstration") and not record.state.judged:
        next_game(record)


def settle(record: Record, claim: Claim, upheld: bool, slip: int = 0) -> None:
    """A claim that did not come true: -n for a bluff; upheld +(n+1), but nothing where the ply that let the win go was
    the claimer's own: nobody earns more by spoiling his claim than by winning it."""
    result: Literal["upheld", "own slip", "bluff"] = "upheld" if upheld else "bluff"
    if upheld and slip and record.state.mover_of(slip) == claim.seat:
        record.tell(ev.ClaimSettled(claim, "own slip", claim.n, ()))
        return
    points = claim.n + 1 if upheld else -claim.n
    record.tell(ev.ClaimSettled(claim, result, claim.n, (ev.Payment(claim.seat, points),)))


def _came_true(state: State, claim: Claim, win: Win) -> ev.ClaimSettled:
    """The claimer gets n, the partner n/2; nobody for a ply that the referee played for them. C4: n
    is the smallest even number not below the distance to the win, or the claim itself."""
    near = (win.ply - claim.ply + 1) // 2 * 2
    n = claim.n if state.law.early_win == "claimed" else min(claim.n, near)
    shares = (ev.Payment(claim.seat, n), ev.Payment(state.partner(claim.seat), n // 2))
    unpaid = (win.seat,) if win.ply in state.absent else ()
    payments = tuple(share for share in shares if share.seat not in unpaid)
    withheld = tuple(share.seat for share in shares if share.seat in unpaid)
    return ev.ClaimSettled(claim, "won", n, payments, withheld)


def _pay_silent(record: Record, win: Win) -> None:
    """One point to the winning player where his colour had claimed nothing; for a win handed over,
    to the player of the colour who is next to move."""
    state = record.state
    if any(state.colour_of(claim.seat) == win.colour for claim in state.claims):
        return
    if state.claims and not state.law.pay_winner:
        return
    if state.colour_of(win.seat) == win.colour:
        record.tell(ev.SilentWinPaid(win.seat, 1, withheld=win.ply in state.absent))
    else:
        record.tell(ev.SilentWinPaid(next_of(state, win.colour, win.ply + 1), 1, handed=True))


def no_offer(state: State, seat: int, claiming: bool = False, part: str = "") -> Complaint:
    """Why no draw can be offered: a claim is made or pending, or the seat's own offer stands."""
    claim = claiming or bool(state.claims)
    facts = {"claim": claim, "mine": not claim and state.offer == seat, "phase": state.phase}
    return fault("no_offer_now", "3.4", part, **facts)


# --- what may be shown ---------------------------------------------------------------------------------------------


def beginning_faults(state: State, action: do.BeginDemonstration) -> Iterator[Complaint]:
    """A ply of the claimer's is played otherwise, by a legal move; its part is `demonstrate`."""
    plies = state.own_plies(state.judged[0])
    if action.ply not in plies:
        yield fault("not_a_ply_to_change", "4.4", "demonstrate", ply=action.ply, plies=list(plies))
        return
    grid, move = state.grid_before(action.ply), action.move
    faults = tuple(board.move_faults(grid, move))
    yield from faults
    if not faults:
        if str(move) == state.plies[action.ply - 1]:
            yield fault("nothing_changed", "4.4", "move", ply=action.ply)
        yield from _too_early(state, grid, move, action.ply)


def shown_faults(state: State, seat: int, action: do.MovePiece) -> Iterator[Complaint]:
    """A later move, of the claimer or his opponents; nothing that belongs to a game stands beside it."""
    if action.claim is not None:
        yield fault("no_claim_in_demonstration", "4.4", "claim")
    if action.offer:
        yield no_offer(state, seat, claiming=True, part="offer")
    faults = tuple(board.move_faults(state.shown_grid, action))
    yield from faults
    if not faults and seat == state.judged[0].seat:
        yield from _too_early(state, state.shown_grid, action, state.shown_ply)


def _too_early(state: State, grid: board.Grid, move: board.Ply, ply: int) -> Iterator[Complaint]:
    """In `exact` an own winning move before the ply claimed shows nothing."""
    claim = state.judged[0]
    early = state.law.claim_test == "exact" and ply < claim.end
    if early and board.winner_of(grid, move) == state.colour_of(claim.seat):
        yield fault("wins_too_early", "4.4", "move", ply=ply, end=claim.end)


# --- what follows ----------------------------------------------------------------------------------------------------


def show(record: Record, seat: int, ply: board.Ply, how: ev.How, comment: str = "") -> None:
    """A move of the demonstration, and its end where it decides."""
    number, grid = record.state.shown_ply, record.state.shown_grid.after(ply)
    record.tell(ev.PieceShown(seat, number, str(ply), *board.runs_of(grid, ply), how))
    record.tell(*commented(seat, comment))
    state, claim = record.state, record.state.judged[0]
    if winner := board.winner_in(grid, ply):
        upheld = winner == state.colour_of(claim.seat)
        end(record, upheld, "won" if upheld else "lost")
    elif number >= claim.end:
        end(record, False, "not won")
    elif not grid.plies():
        end(record, False, "stuck")


def end(record: Record, upheld: bool, reason: ev.EndedBy) -> None:
    """A demonstration shows who let the win go too: who made the first ply that it changes (4.3)."""
    claim, demo = record.state.judged[0], record.state.demo
    record.tell(ev.DemonstrationEnded(claim, upheld, reason))
    settle(record, claim, upheld, demo.before + 1 if demo is not None else 0)
    judge_rest(record)


def due(state: State) -> tuple[Round, ...]:
    """At most one open round."""
    law = state.law
    match state.phase:
        case "setup":
            return _round(state, "Setup", choices(state), law.window)
        case "play":
            mover = state.mover
            return _round(state, f"Ply {state.ply} / Player {mover}", (Demand("Move", mover),), law.window)
        case "verdict":
            return _round(state, f"{_claimed(state)} / Verdict", (Demand("Verdict", REFEREE),), None)
        case "evidence":
            demands = (Demand("Evidence", state.judged[0].seat),)
            return _round(state, f"{_claimed(state)} / Evidence", demands, law.evidence_window)
        case "demonstration":
            what = f"{_claimed(state)} / Shown ply {state.shown_ply}"
            return _round(state, what, showing(state), law.demonstration_window)
        case "over":
            return ()


def _round(
    state: State, what: str, demands: tuple[Demand, ...], window: timedelta | None
) -> tuple[Round, ...]:
    """Its label is "Ply 7 / Player 1"; where there is more than one game, "Game 2 / Ply 7 / Player 1"."""
    many = state.law.tournament or state.law.games > 1
    return (Round(f"Game {state.game} / {what}" if many else what, demands, window),)


def _claimed(state: State) -> str:
    return f"Claim of ply {state.judged[0].ply}"


def showing(state: State) -> tuple[Demand, ...]:
    """Who plays the next move of a demonstration: the claimer for his colour, either opponent for theirs (4.4)."""
    claim: Claim = state.judged[0]
    if (state.shown_ply - claim.ply) % 2 == 0:
        return (Demand("Demonstrate", claim.seat),)
    opponents = (s for s in state.active if state.colour_of(s) != state.colour_of(claim.seat))
    return tuple(Demand("Reply", seat) for seat in opponents)


def expects(state: State, seat: int) -> Expected[State] | None:
    """One's own ply."""
    if state.phase != "play" or seat not in state.active:
        return None
    before = state.order.index(seat) - state.ply + 1
    return Expected(replace(state, first=state.order[before % len(state.order)]))


def open_to(state: State, seat: int) -> tuple[Demand, ...]:
    """Offers, acceptance, resignation, words."""
    if state.phase == "over" or seat not in state.active:
        return ()
    found = [Demand("Resign", seat)] if state.phase in ("setup", "play") or state.law.pairs else []
    if not state.law.pairs or state.law.press:
        found.append(Demand("Comment", seat))
    if state.phase == "play" and not state.claims:
        if state.offer != seat and seat not in state.agreed:
            found.append(Demand("Offer", seat))
        if state.offer not in (0, seat) and seat not in state.agreed:
            found.append(Demand("Accept", seat))
    return tuple(found)


# --- neither owed nor open -----------------------------------------------------------------------------------------

# By the kind of answer, while the match goes on.
_UNTIMELY = {
    "Accept": Complaint("no_offer_stands", "3.4"),
    "Comment": Complaint("press_is_off", "C12"),
    "Colours": Complaint("not_yours_to_choose", "3.2"),
    "Edge": Complaint("not_yours_to_choose", "3.2"),
    "Evidence": Complaint("nothing_to_demonstrate", "4.4"),
}


def untimely(state: State, demand: Demand) -> Complaint:
    """Why the answer is neither owed nor open to its seat now."""
    owed = [d for r in due(state) for d in r.demands]
    facts: dict[str, object] = {
        "kind": demand.kind,
        "phase": state.phase,
        "seats": [d.seat for d in owed if d.seat != REFEREE],
    }
    if state.phase == "over":
        return fault("over", "3.4", **facts)
    if demand.kind == "Offer":
        return no_offer(state, demand.seat)
    if demand.kind in _UNTIMELY:
        return replace(_UNTIMELY[demand.kind], facts=facts)
    if demand.seat in state.gone:
        return fault("has_left", "house", **facts)
    if state.phase == "setup":
        return fault("choices_first", "3.2", **facts, kinds=[d.kind for d in owed])
    if state.phase in ("evidence", "demonstration"):
        return fault("being_judged", "4.4", **facts)
    return fault("not_your_turn", "3.3", **facts)


def turn_faults(state: State, seat: int, action: do.MovePiece) -> Iterator[Complaint]:
    """What is wrong with a move, a claim and an offer beside it."""
    faults = tuple(board.move_faults(state.grid, action))
    yield from faults
    if action.claim is not None:
        wins = not faults and board.winner_of(state.grid, action) is not None
        yield from claim_faults(state, action.claim, wins)
    if action.offer and (state.claims or action.claim is not None or state.offer == seat):
        yield no_offer(state, seat, action.claim is not None, part="offer")


def play(record: Record, seat: int, action: do.MovePiece) -> None:
    """A move that has no faults."""
    make(record, seat, action, "mail")
    record.tell(*commented(seat, action.comment))
    if action.claim is not None and record.state.win is None:
        claim = Claim(seat, len(record.state.plies), action.claim)
        record.tell(ev.ClaimMade(claim, record.state.colour_of(seat)))
    if not finish(record) and action.offer:
        record.tell(ev.DrawOffered(seat))


def make(record: Record, seat: int, ply: board.Ply, how: ev.How) -> None:
    """Put the piece down and say what it made; four of one colour only win for that colour, whoever moved (3.4)."""
    state, grid = record.state, record.state.grid.after(ply)
    record.tell(ev.PieceMoved(seat, state.ply, str(ply), *board.runs_of(grid, ply), how))
    if winner := board.winner_in(grid, ply):
        won(record, seat, state.ply, "four" if winner == state.colour_of(seat) else "handed over")


def won(record: Record, seat: int, ply: int, how: ev.WonBy) -> None:
    """What the seat did decides the game: four of its own colour win it, all else wins it for the other colour."""
    state = record.state
    own = state.colour_of(seat)
    colour = own if how == "four" else board.other(own)
    team = tuple(one for one in state.seats if state.colour_of(one) == colour)
    record.tell(ev.GameWon(state.game, colour, team, seat, ply, how, state.pieces))


def finish(record: Record) -> bool:
    """Whether the last ply ended the game; if so all that follows is told."""
    state = record.state
    if state.win:
        conclude(record)
        return True
    if state.limit == len(state.plies):
        record.tell(ev.GameStopped(state.game, len(state.plies), state.pieces))
        conclude(record)
        return True
    if (drawn := _drawn(state)) is not None:
        record.tell(drawn)
        conclude(record, drawn=True)
        return True
    return False


def _drawn(state: State) -> ev.GameDrawn | None:
    """B8, B10; while a claim is pending repetition and the limit of relocations wait (C10)."""
    law = state.law
    if not state.grid.plies():
        return ev.GameDrawn(state.game, "stuck")
    if state.claims:
        return None
    times = state.seen.count(state.seen[-1]) if state.seen else 0
    if law.repetition and times >= law.repetition:
        return ev.GameDrawn(state.game, "repetition", times)
    if law.max_relocations and state.relocations >= law.max_relocations:
        return ev.GameDrawn(state.game, "relocations", state.relocations)
    return None


def go_on(record: Record) -> None:
    """The referee plays at once for those who have left (house)."""
    while record.state.phase == "play" and record.state.mover in record.state.gone:
        play_for(record, record.state.mover, "left")


def play_for(record: Record, seat: int, how: ev.How) -> None:
    """The referee's move for a seat, and what follows."""
    make(record, seat, board.first_safe(record.state.grid, record.state.colour_of(seat)), how)
    finish(record)


# --- what else ends or changes a game ------------------------------------------------------------------------------


def resign(record: Record, seat: int, how: ev.How, comment: str = "") -> None:
    """With two players the game is lost. In pairs the seat is left, and the referee plays for it."""
    state = record.state
    record.tell(ev.PlayerResigned(seat, how), *commented(seat, comment))
    if state.law.pairs:
        state = record.state
        # where one colour's players alone are left, those with the most points of them win
        if len({state.order.index(one) % 2 for one in state.active}) < 2:
            most = max((state.points[one - 1] for one in state.active), default=0)
            leaders = tuple(one for one in state.active if state.points[one - 1] == most)
            record.tell(ev.MatchDecided(leaders, "the others have left"))
        if record.state.phase == "setup":
            set_up(record)
        if (phase := record.state.phase) == "evidence":
            judge_rest(record)
        elif phase == "demonstration" and record.state.judged[0].seat in record.state.gone:
            end(record, False, "left")  # without its claimer a claim is not upheld
        return
    if not state.red:
        set_up(record, BOTH)
    won(record, seat, state.ply, "resigned")
    conclude(record)


def accept(record: Record, seat: int) -> None:
    """The game is drawn once every other player has accepted."""
    record.tell(ev.DrawAccepted(seat))
    state = record.state
    if all(s in (state.offer, *state.agreed) for s in state.active):
        record.tell(ev.GameDrawn(state.game, "agreed"))
        conclude(record, drawn=True)
