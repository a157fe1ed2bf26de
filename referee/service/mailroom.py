"""All that reads mails, put together: whoever judges one needs it all."""

from __future__ import annotations

from referee.offices.incoming.collector import Collector
from referee.offices.incoming.commands import CommandGate
from referee.offices.incoming.intake.bounces import Bounces
from referee.offices.incoming.intake.unread import Unread
from referee.offices.incoming.invitations import Invitations
from referee.offices.incoming.measures import Allowances, Loops
from referee.offices.incoming.moderators.carried import DeskOrders
from referee.offices.incoming.moderators.gate import ModeratorsGate
from referee.offices.incoming.moderators.questions import Questions
from referee.offices.incoming.requests.further import Addresses
from referee.offices.incoming.requests.request import Requests
from referee.offices.incoming.senders import Senders
from referee.offices.incoming.to_seat import ToSeat
from referee.offices.incoming.trust.challenges import Challenges
from referee.offices.incoming.trust.doubtful import Doubtful
from referee.offices.incoming.trust.strangers import Strangers
from referee.offices.incoming.words.answers import Answers
from referee.offices.incoming.words.own_words import OwnWords
from referee.offices.incoming.words.quotes import Quotes
from referee.offices.incoming.words.weighing import Weighing
from referee.offices.outgoing.verdicts import VerdictLetters
from referee.post.trust.openpgp import Sequoia
from referee.service.means import Means
from referee.service.parts import Parts


def collector(means: Means, parts: Parts) -> Collector:
    matches, decisions, speaker = parts.matches, parts.decisions, parts.speaker
    reader, keys, offices, settings = means.reader, means.keys, means.offices, means.settings
    signatures = Sequoia() if Sequoia.installed() else None
    senders = Senders(matches, keys, offices, settings, signatures)
    addresses = Addresses(speaker, offices, settings)
    requests = Requests(
        matches, decisions, speaker, means.games, keys, offices, settings, senders, addresses,
        parts.proposals, parts.tournaments, signatures,
    )  # fmt: skip
    challenges = Challenges(reader, matches, decisions, speaker, settings)
    loops, allowances, quotes = Loops(speaker), Allowances(speaker, settings), Quotes(reader)
    letters = VerdictLetters(matches, speaker, settings)
    questions = Questions(reader, speaker, senders, offices, settings)
    answers = Answers(matches, decisions, speaker, letters, allowances, questions, settings)
    words = OwnWords(matches, senders, quotes, answers, settings.limits)
    doubtful = Doubtful(senders, challenges, loops, requests)
    strangers = Strangers(allowances, requests)
    orders = DeskOrders(parts.acts, parts.tray, means.game_options, means.game_data)
    return Collector(
        reader,
        senders,
        Unread(senders, Bounces(matches, decisions, speaker, parts.outbox), loops),
        doubtful,
        quotes,
        challenges,
        loops,
        allowances,
        requests,
        ModeratorsGate(orders, speaker, senders, loops, offices, settings),
        questions,
        CommandGate(requests, doubtful, challenges, loops, allowances, strangers, words),
        Weighing(matches),
        ToSeat(matches, requests, words, doubtful, answers, strangers, questions),
        Invitations(requests),
    )
