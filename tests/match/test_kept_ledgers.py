"""Ledgers that released programs wrote still say what they said: the same standings, heads, seals and records; and the
matches go on (law 2). What is kept, and how more is added: `kept.py`."""

import hashlib
import hmac
import json
import re
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from referee.core import seam
from referee.core.answers import Body
from referee.core.chance import Chance, given_seed
from referee.match import commands as do
from referee.match import events as ev
from referee.match.chain import Keys
from referee.match.commands import Accepted
from referee.match.decide import decide
from referee.match.match import Match, fold, freeze, outstanding, thaw, written_by
from referee.match.record.public import lines_of, public_record
from referee.match.record.text import text_record
from referee.match.record.verifying import verified
from referee.store.matches import ledger
from referee.store.matches import matches as matches_table
from referee.store.sql import Store
from tests.laws.walks import heading_kind
from tests.laws.walks import lines_of as lines_in
from tests.match.kept import Kept, kept, matches, standing
from tests.match.reading_records import read_back, read_text_record

KEPT = kept()
PLY = re.compile(r"(?<=after )(p)ly(?= \d)|^(P)ly(?= \d+:)")


def test_every_kind_of_event_is_kept_in_some_shape() -> None:
    """Of the match, and of every game but what is listed here until a ledger shows it."""
    events = [(one.game, entry.event) for one in KEPT for entry in one.entries]
    assert {kind.__name__ for kind in set(ev.KINDS) - {type(event) for _, event in events}} == NOT_KEPT
    for game in {one.game.slug: one.game for one in KEPT}.values():
        told = [e.event for of, e in events if of.slug == game.slug and isinstance(e, ev.Happened)]
        kept_kinds = {type(game.events_codec.decode(event)) for event in told}
        assert {kind.__name__ for kind in set(game.happenings) - kept_kinds} == NOT_SHOWN[game.slug]


# Of the match: they came after 0.2.0.
NOT_KEPT = {
    "AheadKept", "AnsweredAhead", "CameBack", "ClockTurnedBack", "DraftDropped", "DraftKept",
    "GraceBegun", "LanguageHeard", "PressKept", "ReminderVoided",
    "MatchStopped", "SaidToOne", "SeatOffered", "SeatVacated", "SeatsReaddressed", "StoodIn",
    "SubstituteDropped", "SubstituteNamed",
}  # fmt: skip
NOT_SHOWN: dict[str, set[str]] = {
    "buttons": {"DrawAgreed", "GivenUp", "MoveUndone", "PassForced", "PositionSet", "TableClosed"},
    "fourplay": {"PiecePromoted", "WaitingBegun"},
    "morris": {"Commented", "DrawOffered"},
    "multigo": {"AlliesDeclared", "CaptureShared", "Commented", "PlanLapsed", "PlayAdjourned", "PreferKept"},
    "onepiece": {
        "Commented", "DrawAccepted", "DrawOffered", "EvidenceAsked", "GameDrawn", "PositionSet", "SeatOpened",
    },
}  # fmt: skip


@pytest.fixture(scope="module", params=KEPT, ids=lambda one: one.name)
def one(request: pytest.FixtureRequest) -> Kept:
    found_: Kept = request.param
    return found_


@pytest.fixture(scope="module")
def folded(one: Kept) -> list[Match]:
    """The match after each entry of its ledger."""
    return [match for _, match in matches(one.game, one.entries)]


def test_it_folds_to_what_the_match_was_for_everybody_and_for_each_seat(
    one: Kept, folded: list[Match]
) -> None:
    for then in one.facts["standing"]:
        assert standing(one.game, folded[then["version"] - 1]) == said_today(then)


def said_today(then: Any) -> Any:
    """What was kept of a standing, in the words in which views say it today: a placement is a move, no ply."""
    if isinstance(then, dict):
        return {key: said_today(value) for key, value in then.items()}
    if isinstance(then, list):
        return [said_today(value) for value in then]
    return PLY.sub(lambda said: "move" if said[1] else "Move", then) if isinstance(then, str) else then


def test_its_chain_stands_where_letters_said_it_stood(one: Kept, folded: list[Match]) -> None:
    stood = {match.position: match.head for match in folded}
    for position, head in one.facts["heads"]:
        assert stood[position][:16] == head


def test_the_heads_are_those_of_the_stored_bytes(one: Kept) -> None:
    """By the printed recipe, over the events as the store has them: no program's shape of an event comes into it."""
    head, heads = "", {}
    for row, body in zip(one.facts["ledger"], one.bodies, strict=True):
        if row["public"]:
            at = row["at"].replace(".000000Z", "Z")
            form = {"position": row["position"], "at": at, **digested(told(body))}
            text = json.dumps(form, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
            head = hashlib.sha256(f"{head}\n{text}".encode()).hexdigest()
            heads[row["position"]] = head
    for position, told_head in one.facts["heads"]:
        assert heads[position][:16] == told_head
    assert json.loads(one.facts["record"])["head"] == head


def digested(body: dict[str, Any]) -> dict[str, Any]:
    """The event with a digest for each name and text of somebody's own."""
    salts = body.pop("salts", {})
    words: dict[str, str] = {}
    body = json.loads(json.dumps(body))
    for place, salt in salts.items():
        *steps, last = [int(step) if step.isdecimal() else step for step in place.split(".")]
        inner: Any = body
        for step in steps:
            inner = inner[step]
        words[place] = hashlib.sha256(f"{salt}\n{inner[last]}".encode()).hexdigest()
        inner[last] = None
    return {**body, "words": words} if words else body


def told(body: dict[str, Any]) -> dict[str, Any]:
    """What of a stored event is public."""
    public = dict(body)
    if body["is"] == "MatchOpened":
        public["roster"] = [{"name": person["name"]} for person in body["roster"]]
    if "entrant" in body:
        public["entrant"] = {"name": body["entrant"]["name"]}
    if body["is"] == "MatchRewound":
        del public["to"]
    return public


def test_its_seals_are_those_of_the_stored_texts(one: Kept) -> None:
    """Also of answers that are still sealed: their nonces are made from the same secret as ever."""
    keys = Keys(one.facts["secret"].encode("latin-1"))
    opened: dict[str, int] = {}
    sealed: list[str] = []
    for row, body in zip(one.facts["ledger"], one.bodies, strict=True):
        if body["is"] == "RoundOpened":
            opened[body["label"]] = row["position"]
        if body["is"] == "Answered" and body["sealed"]:
            entry = ev.CODEC.decode(body)
            nonce = keys.nonce(one.facts["row"]["name"], entry.label, opened[entry.label], entry.demand)
            demand = body["demand"]
            parts = (one.facts["row"]["name"], body["label"], str(opened[body["label"]]), str(demand["seat"]),
                     demand["kind"], demand["about"], body["text"])  # fmt: skip
            made = hmac.new(bytes.fromhex(nonce), "\n".join(parts).encode(), hashlib.sha256).hexdigest()
            assert made == body["seal"]
            sealed.append(made)
    assert set(one.facts["seals"]) <= set(sealed)


@pytest.mark.one_in(2)
def test_its_record_verifies_and_today_says_the_same(one: Kept) -> None:
    record = json.loads(one.facts["record"])
    assert verified(record, one.game) == ()
    assert read_back(one.game, record).head == record["head"]
    again = json.loads(json.dumps(public_record(one.game, one.entries)))
    assert lines_of(again) == lines_of(record)
    assert again["head"] == record["head"]


@pytest.mark.one_in(3)
def test_its_record_as_text_reads_back(one: Kept) -> None:
    head = json.loads(one.facts["record"])["head"]
    assert read_text_record(one.game, one.facts["text"]).head == head
    assert read_text_record(one.game, text_record(one.game, one.entries)).head == head


def test_its_cached_state_is_the_fold_or_is_dropped(one: Kept, folded: list[Match]) -> None:
    row = one.facts["row"]
    if row["stamp"] != written_by(one.game):
        return  # refolded, which is what the other tests look at
    match = folded[-1]
    assert thaw(one.game, row["state"]) == match
    assert json.loads(freeze(one.game, match)) == json.loads(row["state"])


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Store:
    folder: Path = tmp_path_factory.mktemp("kept")
    return Store(f"sqlite:///{folder / 'referee.db'}", folder / "referee.secret")


def test_the_store_reads_it_as_it_was_stored(one: Kept, store: Store) -> None:
    name = one.facts["row"]["name"]
    moments = ("at", "since", "opened_at", "lapses_at", "reminds_at")

    def as_stored(row: Any) -> dict[str, Any]:
        return {k: datetime.fromisoformat(v) if k in moments and v else v for k, v in row.items()}

    with store.transaction() as unit:
        unit.connection.execute(sa.insert(matches_table), as_stored(one.facts["row"]))
        unit.connection.execute(
            sa.insert(ledger), [{"match": name, **as_stored(row)} for row in one.facts["ledger"]]
        )
        assert unit.history(name) == one.entries
        unit.connection.execute(sa.delete(ledger))
        unit.connection.execute(sa.delete(matches_table))


def test_the_match_goes_on(one: Kept, folded: list[Match]) -> None:
    """What is owed is answered, and the ledger that follows folds."""
    game, entries, match = one.game, one.entries, folded[-1]
    if match.status != "open":
        return
    owing = [(r, d) for r in match.rounds for d in outstanding(match, r) if d.seat]
    if not owing:
        return
    r, demand = owing[0]
    action = seam.suggest(game, match.inner, demand, Chance(given_seed(3)))
    lines = lines_in(seam.filled_in(game, match.inner, demand, match.party(demand.seat), action))
    now = entries[-1].at + timedelta(hours=1)
    command = do.Submit(
        demand.seat,
        heading_kind(game, demand),
        Body(lines),
        now if r.due_at is None else min(now, r.due_for(demand.seat) or now),
    )
    decision = decide(game, match, command, now, Keys(one.facts["secret"].encode("latin-1")), lambda: entries)
    assert isinstance(decision.verdict, Accepted)
    assert fold(lambda _: game, [*entries, *decision.entries]) == decision.match
