"""Letters of events: whether one plays, who meets whom, how all stand."""

from __future__ import annotations

from datetime import datetime

from referee.club.events import Guest
from referee.club.tournament import Tournament
from referee.offices.outgoing.invitations import gathering_letter
from referee.offices.outgoing.letters import Letter
from referee.offices.outgoing.speaker import Speaker


def entry_question(
    speaker: Speaker, t: Tournament, guest: Guest, token: str, now: datetime, instead: str
) -> Letter:
    """To somebody who is entered: will you play? In whose place, where it is another's."""
    key = ("asked", str(t.version))
    before = t.guests[instead] if instead else None
    return gathering_letter(
        speaker, "event_entry", t, guest, token, now, "will you play?", key, event=t, before=before
    )


def news(speaker: Speaker, t: Tournament, player: str, token: str, now: datetime) -> Letter:
    """To a player, when a round has begun or the last one is over: whom he meets, how the round before went, how all
    stand."""
    last = t.rounds[-1] if t.rounds else None
    ended = t.status == "ended"
    about = "it is over" if ended or last is None else f"round {last.number}"
    table = next((x for x in last.tables if player in x.players), None) if last and not ended else None
    bye = last is not None and not ended and player in last.byes
    place = next(n for n, row in enumerate(t.standings(), 1) if row.player == player)
    return gathering_letter(
        speaker, "event_news", t, t.guests[player], token, now, about, (about,),
        event=t, player=player, table=table, bye=bye, last=last, place=place, standings=t.standings(),
    )  # fmt: skip
