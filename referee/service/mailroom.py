"""All that reads mails, put together: whoever judges one needs it all."""

from __future__ import annotations

from referee.offices.incoming.case import Mailroom
from referee.offices.incoming.collector import Collector
from referee.offices.outgoing.verdicts import VerdictLetters
from referee.service.means import Means
from referee.service.parts import Parts


def collector(means: Means, parts: Parts) -> Collector:
    return Collector(
        Mailroom(
            reader=means.reader,
            matches=parts.matches,
            decisions=parts.decisions,
            speaker=parts.speaker,
            outbox=parts.outbox,
            letters=VerdictLetters(parts.speaker, means.settings),
            keys=means.keys,
            offices=means.offices,
            settings=means.settings,
            games=means.games,
            proposals=parts.proposals,
            tournaments=parts.tournaments,
            acts=parts.acts,
            tray=parts.tray,
            rules=means.game_options,
            data=means.game_data,
        )
    )
