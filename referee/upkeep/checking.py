"""The store held against its ledgers. A match's ledger is the truth; what else the store keeps of
the match is made from it, must say the same, and can be made anew. Another version of the program: what it would judge
otherwise is found out before it changes anything."""

import json
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from typing import Any, Literal

import sqlalchemy as sa

from referee.base import shipped
from referee.base.logs import Log
from referee.core.game import AnyGame
from referee.core.texts.addresses import address_key
from referee.core.value import Value
from referee.letters.letter import Recipient
from referee.match import events as ev
from referee.match.chain import seal
from referee.match.events import Entry
from referee.match.match import Match, fold, thaw, written_by
from referee.match.record.public import public_record
from referee.match.record.verifying import verified
from referee.offices.register import addresses, facts_of
from referee.service.wiring import Referee
from referee.store.club import reply_tokens
from referee.store.engine import Again, connect, pair, upgrading
from referee.store.matches import BadLedger, StoredMatch, ledger, matches, seats
from referee.store.post import inbox, outbox, sheets
from referee.store.sql import Unit
from referee.store.tables import as_indexed

log = Log("referee.upkeep")
_LOST = "only a backup has it: `referee restore`"
_MENDED = "`referee check --mend` writes it anew"
_COMPARED = ("game", "status", "phase", "opened_at", "lapses_at", "computes", "vacant", "table")


class Mismatch(Value):
    """What is wrong with a match, or with the store (match None), and how it is put right."""

    match: str | None
    words: str
    remedy: str = _LOST

    @property
    def mendable(self) -> bool:
        """Whether the ledger tells what it should be."""
        return self.remedy == _MENDED


def checked(referee: Referee, *, mend: bool = False) -> tuple[int, list[Mismatch]]:
    """How many matches there are, and everything that is wrong. Each match is looked at, and
    mended, in a transaction of its own: a desk at work waits for one at most."""
    with referee.store.transaction() as unit:
        names = unit.names()
        faults = [*_of_all(unit)]
    for name in names:
        with referee.store.transaction() as unit:
            found, truth = _match_faults(referee, unit, name)
            if mend and truth is not None and any(fault.mendable for fault in found):
                write_anew(referee, unit, truth)
            faults += found
    return len(names), faults


def _of_all(unit: Unit) -> Iterator[Mismatch]:
    """What SQLite finds wrong with its file (PostgreSQL keeps watch itself); rows of nothing."""
    ours = unit.connection.dialect.name == "sqlite"
    for words in unit.column(sa.text("PRAGMA quick_check")) if ours else ():
        if words != "ok":
            yield Mismatch(None, f"the database's file is damaged: {words}")
    for table in (ledger, seats, reply_tokens, inbox, outbox):
        strange = sa.and_(table.c.match.is_not(None), table.c.match.not_in(sa.select(matches.c.name)))
        for match in unit.column(sa.select(table.c.match).distinct().where(strange)):
            yield Mismatch(None, f"{table.name} has rows of {match!r}, and there is no such match")
    bare = sa.select(sa.func.count()).where(outbox.c.sheet.not_in(sa.select(sheets.c.digest)))
    if count := unit.value(bare):
        yield Mismatch(None, f"{count} letters have lost their words")


def _match_faults(referee: Referee, unit: Unit, name: str) -> tuple[list[Mismatch], Match | None]:
    """What is wrong, and the match as its ledger tells it, where it can be read."""
    row = unit.match(name)
    assert row is not None
    if row.game not in referee.games:
        return [Mismatch(name, f"there is no game {row.game!r} here", "install it again")], None
    history, truth, fault = folded(referee, unit, name)
    if truth is None:
        return [Mismatch(name, fault)], None
    broken = [Mismatch(name, words) for words in _broken(referee, row, truth, history)]
    told = (f"{words} not what its ledger tells" for words in _stale(referee, unit, row, truth))
    return [*broken, *(Mismatch(name, words, _MENDED) for words in told)], None if broken else truth


def folded(referee: Referee, unit: Unit, name: str) -> tuple[list[Entry], Match | None, str]:
    """A match's ledger, and the match as that tells it; or why it can't."""
    try:
        history = unit.history(name)
        return history, fold(referee.games.__getitem__, history), ""
    except Again:
        return [], None, "its ledger ends before or behind what its row tells"
    except BadLedger as error:
        return [], None, str(error)
    except Exception as error:  # noqa: BLE001 - a damaged ledger, or a new version, may make the fold do anything
        return [], None, f"its ledger can't be folded ({type(error).__name__})"


def _broken(referee: Referee, row: StoredMatch, truth: Match, history: Sequence[Entry]) -> Iterator[str]:
    """What is wrong with the ledger itself, as far as anything beside it tells."""
    position, cause = 0, 0
    for entry in history:
        position += entry.public
        cause = cause if entry.cause == cause else entry.version
        expected = (position, cause, not ev.inherently_secret(entry.event))
        if (entry.position, entry.cause, entry.public) != expected:
            yield f"entry {entry.version} of its ledger is out of order"
    cached = _cached(referee, row)
    if cached is not None and cached.version == truth.version and cached.head != truth.head:
        yield "its ledger was changed: its chain does not stand where it stood"
    opened: dict[str, int] = {}
    for entry in history:
        match entry.event:
            case ev.RoundOpened(label=label):
                opened[label] = entry.position
            case ev.Answered(label=label, demand=demand, text=text, seal=str(given)):
                nonce = referee.parts.keys.nonce(truth.name, label, opened[label], demand)
                if seal(nonce, truth.name, label, opened[label], demand, text) != given:
                    why = "it was changed, or the secret is another"
                    yield f"entry {entry.version} is not under its seal: {why}"


def _stale(referee: Referee, unit: Unit, row: StoredMatch, truth: Match) -> Iterator[str]:
    """What the store keeps of a match that is not so."""
    made = referee.parts.matches.row(truth, truth.opened_at)
    odd = [name for name in _COMPARED if getattr(row, name) != getattr(made, name)]
    if odd:
        yield f"its row ({', '.join(odd)}) is"
    if row.stamp == made.stamp and _cached(referee, row) != truth:
        yield "its cached state is"
    for kept in unit.summaries([truth.name]):
        old, new = (json.loads(facts or "{}") for facts in (kept.facts, made.facts))
        if old and new and old["by"] == new["by"] and old["facts"] != new["facts"]:
            yield "how it stands in public is"
    held = {(seat, as_indexed(address_key(address))) for seat, address in addresses(truth)[0]}
    sat = sa.select(seats.c.seat, seats.c.address).where(seats.c.match == truth.name)
    if set(unit.all(pair, sat)) != held:
        yield "the addresses of its seats are"
    known = sa.select(reply_tokens.c.seat, reply_tokens.c.token).where(reply_tokens.c.match == truth.name)
    if set(unit.all(pair, known)) != set(referee.parts.decisions.tokens(truth)):
        yield "its addresses for replies are"


def _cached(referee: Referee, row: StoredMatch) -> Match | None:
    """The match as its row's cached state has it; None where that can't be read, or is another program's."""
    game = referee.games[row.game]
    try:
        return thaw(game, row.state) if row.stamp == written_by(game) else None
    except Exception:  # noqa: BLE001 - one that can't be read is none
        return None


def write_anew(referee: Referee, unit: Unit, truth: Match) -> None:
    """All that the store keeps of the match, from its ledger."""
    fresh = referee.parts.matches.row(truth, datetime.now(truth.opened_at.tzinfo))
    unit.change(sa.update(matches).where(matches.c.name == truth.name).values(**fresh._asdict()))
    unit.seat_addresses(truth.name, *addresses(truth))
    unit.reply_tokens(truth.name, referee.parts.decisions.tokens(truth))


# --- by another version of the program ------------------------------------------------------------------------------


class Difference(Value):
    """What this version sees otherwise in a match: an event that no longer follows, a verdict that would be another, or
    how the match stands. Behind the first event that does not follow nothing can be judged."""

    match: str
    what: Literal["event", "verdict", "standing"]
    words: str


class Upgrade(Value):
    """How many matches were judged, what differs, and what became of the tables; `older` tells that
    there was something to bring up, `done` that it was."""

    matches: int
    differences: tuple[Difference, ...]
    older: bool
    done: bool

    def facts(self) -> dict[str, Any]:
        told = [{"match": d.match, "what": d.what, "difference": d.words} for d in self.differences]
        return {"matches": self.matches, "differences": told, "older": self.older, "upgraded": self.done}

    def sentence(self) -> str:
        why = " --why TEXT" if self.differences else ""
        end = f"nothing is changed. `referee upgrade{why}` brings the store's tables up."
        if self.done:
            end = "the store's tables are of this version now. No command undoes it; a backup does."
        elif not self.older:
            end = "the store's tables are of this version."
        return f"{self.matches} match{'es' if self.matches != 1 else ''} judged again; {end}"


def upgraded(referee: Referee, *, carry_out: bool, all_the_same: bool) -> Upgrade:
    """Judge every match that goes on again, on tables of this version; these stay where nothing differs, or that is
    wanted `all_the_same`. It is one transaction: until it ends nobody sees anything of it, and passes wait."""
    engine = connect(referee.database)
    try:
        with upgrading(engine) as (connection, older):
            unit = Unit(connection, referee.at_desk)
            rows = [row for row in unit.matches() if row.status != "ended"]
            differences = tuple(one for row in rows for one in _differences(referee, unit, row))
            done = older and carry_out and (all_the_same or not differences)
            if older and not done:
                connection.rollback()
    finally:
        engine.dispose()
    if done or (carry_out and not older):
        _tell_guarded(referee)
    log.info("upgrade", matches=len(rows), differences=len(differences), done=done)
    return Upgrade(len(rows), differences, older, done)


def _tell_guarded(referee: Referee) -> None:
    """Those who kept a pass phrase or a key with 0.2.0 learn once, at one of their addresses, what is needed now."""
    parts = referee.parts
    with referee.store.transaction() as unit:
        guarded = {person.address: person for person in unit.guarded()}
        now = unit.clock().last_pass or datetime.now(UTC)
        for address in (a for a, person in guarded.items() if person.owner not in guarded):
            letter = parts.speaker.letter("unguarded", Recipient(address), "", ("unguarded", address), now)
            parts.outbox.post(unit, [letter])


def _differences(referee: Referee, unit: Unit, row: StoredMatch) -> Iterator[Difference]:
    name, game = row.name, referee.games.get(row.game)
    if game is None:
        yield Difference(name, "standing", f"there is no game {row.game!r} in this version")
        return
    history, match, fault = folded(referee, unit, name)
    if match is None:
        yield Difference(name, "event", fault)
        return
    yield from _judged(referee, game, match, history)
    for facts in filter(None, (row.facts for row in unit.summaries([name]))):
        by, old = map(json.loads(facts).__getitem__, ("by", "facts"))
        made = facts_of(match)
        odd = [what for what in made if json.loads(json.dumps(made[what])) != old.get(what)]
        if by[2] == match.version and odd:
            yield Difference(name, "standing", f"another {', another '.join(odd)}")


def _judged(referee: Referee, game: AnyGame, match: Match, history: Sequence[Entry]) -> Iterator[Difference]:
    """What was told of the match, judged again; and what is still sealed, of which only the verdict is told."""
    declared = shipped.game_options(game.slug, referee.located.folder)
    for fault in verified(public_record(game, history), game, declared):
        yield Difference(match.name, "verdict" if "the rules refuse" in fault else "event", fault)
    for r in match.rounds:
        for answer in r.answered if r.sealed else ():
            action, demand = game.actions_codec.decode(answer.action), answer.demand
            if match.standing is not None and match.standing.check(demand, action):
                words = f"the sealed {demand.kind} of Player {demand.seat} would be refused"
                yield Difference(match.name, "verdict", words)
