"""Whether the engine is well: its tables, who is at work, what waits and for how long, whether the clocks agree."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import sqlalchemy as sa

from referee.base.ports import WorthKnowing
from referee.service.keyed import KeyedStore, installed, newest
from referee.store.engine import WORKERS_NUMBER
from referee.store.tables import inbox, outbox

_PATIENCE = timedelta(minutes=10)  # in which whatever waits should have been taken
_APART = timedelta(seconds=30)  # of this machine's clock from the database's, which is told
_OFTEN = 3  # times that a key may have been taken without an end before that is told

_AT_WORK = sa.text(
    "SELECT count(DISTINCT pid) FROM pg_locks WHERE locktype = 'advisory' AND granted AND mode = 'ShareLock'"
    " AND objid = :workers AND database = (SELECT oid FROM pg_database WHERE datname = current_database())"
)
_MAILS = sa.select(sa.literal("mails"), sa.func.count(), sa.func.min(inbox.c.arrived)).where(
    inbox.c.verdict.is_(None), ~inbox.c.waits, inbox.c.arrived <= sa.bindparam("now")
)
_LETTERS = sa.select(sa.literal("letters"), sa.func.count(), sa.func.min(outbox.c.at)).where(
    outbox.c.state == "unsent", outbox.c.next_try.is_(None)
)
_STUMBLING = sa.text("SELECT uid, times FROM claims WHERE uid LIKE 'key %' AND times >= :often ORDER BY uid")


def examined(store: KeyedStore) -> tuple[dict[str, Any], list[str]]:
    """How the engine is: the facts as `doctor --json` prints them (spans in seconds), and what is
    wrong, each with its remedy, or worth knowing. Raises what the database raises."""
    with store.transaction() as unit:
        ask = unit.connection.execute
        now, here = unit.moment(), datetime.now(UTC)
        rows = [tuple(row) for row in (*ask(_MAILS, {"now": now}), *ask(_LETTERS)) if row[1]]
        stumbling = [
            f"Of what waits under `{row.uid.partition(' ')[2]}` no worker came to an end, {row.times} times"
            for row in ask(_STUMBLING, {"often": _OFTEN})
        ]
        at_work = int(ask(_AT_WORK, {"workers": WORKERS_NUMBER}).scalar_one())
        tables = installed(unit.connection)
    waiting = {what: number for what, number, _ in rows}
    oldest, apart = now - min(since for _, _, since in rows) if rows else None, here - now
    facts = {
        "workers": at_work,
        "waiting": waiting,
        "oldest": None if oldest is None else round(oldest.total_seconds()),
        "stumbling": stumbling,
        "apart": round(apart.total_seconds(), 1),
        "tables": tables,
    }
    queued, told = [f"{number} {what}" for what, number in waiting.items()], list[str]()
    if tables is not None and tables > newest():
        told.append(
            f"The queue's tables are of a newer procrastinate ({tables}) than the one installed here "
            f'({newest()}): pip install --upgrade "pbm-referee[workers]" on this machine.'
        )
    if oldest is not None and oldest > _PATIENCE:
        remedy = "look into the workers' logs, or start more" if at_work else "start `referee worker`"
        minutes = round(oldest / timedelta(minutes=1))
        told.append(f"{' and '.join(queued)} wait, the oldest for {minutes} minutes: {remedy}.")
    told += (f"{words}. It is tried again; look into the workers' logs." for words in stumbling)
    if abs(apart) > _APART:
        ahead = "ahead of" if apart > timedelta() else "behind"
        told.append(
            f"This machine's clock is {abs(apart).total_seconds():.0f} seconds {ahead} the database's. "
            "Workers go by the database's, but commands at the desk by this one: set it by NTP."
        )
    are = {0: "no worker is", 1: "one worker is"}.get(at_work, f"{at_work} workers are")
    return facts, [*told, WorthKnowing(f"{are} at work; waiting: {', '.join(queued) or 'nothing'}.")]
