"""Letters of proposals: whether one will play, and what became of it. Each reader has a reply address of his own."""

from __future__ import annotations

from datetime import datetime

from referee.club.events import Guest
from referee.club.proposal import Proposal
from referee.club.tournament import Tournament
from referee.core.replacing import replace
from referee.core.texts.addresses import address_key
from referee.match.chain.sealing import Keys
from referee.offices.outgoing.letters import Letter, Measure, Recipient
from referee.offices.outgoing.speaker import Speaker


def proposer_bucket(keys: Keys, proposer: str) -> str:
    """With which others a letter to somebody named is counted: those of the same proposer."""
    return f"proposed by {keys.derive('proposer', address_key(proposer))[:20]}"


def invitation(
    speaker: Speaker, proposal: Proposal, address: str, token: str, now: datetime, *, named: bool
) -> Letter:
    """To somebody who is named, or wishes a seat: will you play?"""
    letter = gathering_letter(
        speaker,
        "proposal",
        proposal,
        Guest("", address),
        token,
        now,
        "will you play?",
        proposal=proposal,
        named=named,
    )
    return replace(letter, measure=Measure(bucket=proposer_bucket(speaker.keys, proposal.by.address)))


_NEWS = {
    "joined": "one more plays",
    "left": "one plays no more",
    "declined": "a seat is free",
    "withdrawn": "it is withdrawn",
    "expired": "nothing came of it",
}


def told(
    speaker: Speaker,
    proposal: Proposal,
    topic: str,
    reader: Guest,
    token: str,
    now: datetime,
    who: Guest | None,
) -> Letter:
    """To somebody who plays: what has become of the proposal."""
    key = (topic, str(proposal.version))
    return gathering_letter(
        speaker, "proposal_news", proposal, reader, token, now, _NEWS[topic], key,
        proposal=proposal, topic=topic, who=who,
    )  # fmt: skip


def gathering_letter(
    speaker: Speaker,
    kind: str,
    gathering: Proposal | Tournament,
    to: Guest,
    token: str,
    now: datetime,
    about: str,
    key: tuple[str, ...] = (),
    **facts: object,
) -> Letter:
    """A letter about a proposal or an event. `key` tells it from the others to its reader, which stand in the thread of
    the one without."""
    game = speaker.games[gathering.made.game]
    reader = Recipient(to.address, to.name, None, to.zone)
    context = {
        **speaker.context(None, reader),
        "made": gathering.made,
        "game": game,
        "help": speaker.pages.help(game.slug),
        **facts,
    }
    root = speaker.message_id("gathering", gathering.name, to.address)
    letter = speaker.letter(
        kind,
        reader,
        f"[{gathering.name}] {game.title}: {about}",
        speaker.page(kind, context),
        speaker.message_id("gathering", gathering.name, to.address, *key) if key else root,
        now,
        references=(root,) if key else (),
    )
    return replace(letter, head=replace(letter.head, token=token))
