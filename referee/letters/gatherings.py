"""Letters of gatherings, which are proposals and events: whether one will play, what became of it,
who meets whom and how all stand. Each reader has a reply address of their own."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import datetime

from referee.club.events import Guest
from referee.club.proposal import Proposal
from referee.club.tournament import Tournament
from referee.core.texts.addresses import address_key
from referee.letters.letter import Letter, Measure, Recipient
from referee.letters.speaker import Speaker, plain_name
from referee.match.chain import Keys

_NEWS = {
    "joined": "one more plays",
    "left": "one plays no more",
    "declined": "a seat is free",
    "withdrawn": "the proposal is withdrawn",
    "expired": "too few said Yes, nothing came of it",
    "renewed": "its time is not over after all",
}


def proposer_bucket(keys: Keys, proposer: str) -> str:
    """With which others a letter to somebody named is counted: those of the same proposer."""
    return f"proposed by {keys.derive('proposer', address_key(proposer))[:20]}"


def invitation(speaker: Speaker, proposal: Proposal, address: str, now: datetime, *, named: bool) -> Letter:
    """To somebody who is named, or wishes a seat: will you play?"""
    told, who = {"proposal": proposal, "named": named}, plain_name(proposal.by) or "a player"
    about, guest = f"{who} asks, will you play?", Guest("", address)
    letter = _letter(speaker, "proposal", proposal, guest, now, about, told)
    return replace(letter, measure=Measure(bucket=proposer_bucket(speaker.keys, proposal.by.address)))


def told(
    speaker: Speaker, p: Proposal, topic: str, to: Iterable[Guest], now: datetime, who: Guest | None = None
) -> list[Letter]:
    """To those who play: what has become of the proposal."""
    facts, key = {"proposal": p, "topic": topic, "who": who}, (topic, str(p.version))
    return [_letter(speaker, "proposal_news", p, guest, now, _NEWS[topic], facts, key) for guest in to]


def entry_question(speaker: Speaker, t: Tournament, guest: Guest, now: datetime, instead: str) -> Letter:
    """To somebody who is entered in an event: will you play? In whose place, if another's."""
    facts, key = {"event": t, "before": t.guests[instead] if instead else None}, ("asked", str(t.version))
    return _letter(speaker, "event_entry", t, guest, now, "a place for you, will you play?", facts, key)


def news(speaker: Speaker, t: Tournament, player: str, now: datetime) -> Letter:
    """To a player, when a round has begun or the last one is over: whom they meet, how the round
    before went, how all stand."""
    last = t.rounds[-1] if t.rounds else None
    ended = t.status == "ended"
    about = "the last round is played, it is over" if ended or last is None else f"round {last.number} begins"
    table = next((x for x in last.tables if player in x.players), None) if last and not ended else None
    bye = last is not None and not ended and player in last.byes
    standings = t.standings()
    place = next(n for n, row in enumerate(standings, 1) if row.player == player)
    facts = {"event": t, "player": player, "table": table, "bye": bye, "last": last}
    facts |= {"place": place, "standings": standings}
    return _letter(speaker, "event_news", t, t.guests[player], now, about, facts, (about,))


def _letter(
    speaker: Speaker,
    kind: str,
    gathering: Proposal | Tournament,
    to: Guest,
    now: datetime,
    about: str,
    facts: Mapping[str, object],
    key: tuple[str, ...] = (),
) -> Letter:
    """`key` tells it from its reader's others, which stand in the thread of the one without."""
    game, root = speaker.games[gathering.made.game], ("gathering", gathering.name, to.address)
    reader = Recipient(to.address, to.name, None, to.zone)
    subject = speaker.titled(gathering.name, game.slug, about)
    told = {"made": gathering.made, "game": game, "help": speaker.pages.help(game.slug), **facts}
    told["usual"] = speaker.setup(game).options.values
    below, head = root if key else (), {"token": speaker.keys.invitation_token(gathering.name, to.address)}
    return speaker.letter(kind, reader, subject, (*root, *key), now, told=told, below=below, head=head)
