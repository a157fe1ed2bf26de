"""The laws of a running match, looked at after every pass of a rehearsal, from outside: mails,
letters (read from the outgoing Maildir as their readers' programs would), ledger."""

import email
import json
import os
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from email import message_from_bytes
from email.message import Message
from email.utils import getaddresses
from functools import partial
from itertools import groupby
from operator import getitem
from pathlib import Path

from referee.core.answers import Body
from referee.core.game import AnyGame
from referee.core.value import Demand, Line, Value
from referee.match import commands as do
from referee.match.commands import Refused
from referee.match.decide import decide
from referee.match.events import Entry
from referee.match.match import UNOPENED, Match, applied, fold, freeze, outstanding, thaw
from referee.match.record.public import entries_of, public_record, record_json
from referee.match.record.verifying import verified
from referee.rehearsal.players import Sending, heading_kind
from referee.service.wiring import Referee

_CONTENT_ID = re.compile(rb"(?m)^Content-ID: <([^>]+)>")


class SentLetter(Value):
    """One letter as it left: `head` are its header lines as one text, `to` the addresses it names,
    `text` and `page` its plain and HTML parts, `pictures` the Content-IDs of what is inside."""

    recipient: str
    to: tuple[str, ...]
    notice: str
    match: str | None
    position: int | None
    message_id: str
    answers: str | None
    head: str
    text: str
    page: str
    pictures: tuple[str, ...]

    @property
    def form(self) -> str:
        """What a `due` letter or a refusal ends with: the last block that starts with `Name:`, else the last one."""
        blocks = [block for block in self.text.strip().split("\n\n") if block.strip()]
        starts = [i for i, block in enumerate(blocks) if block.startswith("Name:")]
        return "\n\n".join(blocks[starts[-1] if starts else -1 :])


class SentLetters:
    """A folder of letters; each is looked at once."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._seen: set[str] = self._names()

    def fresh(self) -> list[SentLetter]:
        """The letters that have left since this was last asked."""
        new = self._names() - self._seen
        self._seen |= new
        return [read_letter((self._folder / name).read_bytes()) for name in sorted(new)]

    def _names(self) -> set[str]:
        return set(os.listdir(self._folder)) if self._folder.exists() else set()


def read_letter(raw: bytes) -> SentLetter:
    """Pictures come last in a letter and are its bulk: only their ids are looked at."""
    message = email.message_from_bytes(raw.partition(b"\nContent-Type: image/")[0])
    position = message["X-Referee-Position"]
    return SentLetter(
        recipient=str(message["Delivered-To"]),
        to=tuple(address for _, address in getaddresses(message.get_all("To", []))),
        notice=str(message["X-Referee-Notice"]),
        match=message["X-Referee-Match"],
        position=None if position is None else int(position),
        message_id=str(message["Message-ID"]),
        answers=message["In-Reply-To"],
        head="\n".join(f"{name}: {value}" for name, value in message.items()),
        text=_part(message, "text/plain"),
        page=_part(message, "text/html"),
        pictures=tuple(found.decode() for found in _CONTENT_ID.findall(raw)),
    )


def _part(message: Message, kind: str) -> str:
    """The decoded words of the first part of a kind; empty where there is none."""
    parts = (part.get_payload(decode=True) for part in message.walk() if part.get_content_type() == kind)
    return next((part.decode() for part in parts if isinstance(part, bytes)), "")


# Where a form leaves something to fill in: dots, or a key with nothing behind it (a comment is never missed).
_GAP = re.compile(r"\.\.\.|^(?!Comment\b)[^:\n]+:[ \t]*$", re.MULTILINE)
_PICTURE = re.compile(r"cid:([^\"'> ]+)")
_VERDICTS = {"receipt", "refusal", "ignored", "preview", "help"}
_NEWS_ENDS = re.compile(r"^(?:Once the match goes on|Next come)", re.MULTILINE)
_SENTENCE = re.compile(r"(?<=[.:!?])\s+(?=[A-Z])|\s*\bComment:\s*")
_TO_ALL = {"announcement", "opened", "lapsed", "rewound", "extended", "ended"}
_DAY = timedelta(days=1)
_LEDGER_EVERY = 8  # passes between two comparisons with the ledger, whose fold goes on
_RECORD_EVERY = 300  # to verify a record is to judge the whole match again


class Passed(Value):
    """One pass: the match before and after, what came in and what left. `by_hand`: the moderator did something."""

    before: Match
    after: Match
    sendings: tuple[Sending, ...]
    letters: tuple[SentLetter, ...]
    now: datetime
    by_hand: bool = False


@dataclass
class Laws:
    """Watches one match. Every fault is a sentence that begins with what was expected."""

    game: AnyGame
    referee: Referee
    name: str

    def __post_init__(self) -> None:
        self._passes, self._mine = 0, UNOPENED
        self._sent = set[tuple[str, str]]()
        self._heard = defaultdict[str, set[str]](set)  # of what happened, by reader
        self._waiting = dict[tuple[str, str], datetime]()  # since when a reader is to be told
        self.counts = Counter[str]()

    def after(self, passed: Passed) -> Iterator[str]:
        """Everything that a pass did wrong."""
        self._passes += 1
        told = self._answers, self._privacy, self._public_letters
        for law in (*told, self._asked, self._sealed, self._forms):
            yield from law(passed)
        if thaw(self.game, freeze(self.game, passed.after)) != passed.after:
            yield "the cache gives another match"
        if self._passes % _LEDGER_EVERY == 0:
            yield from self._ledger(passed.after, self._history())
        if self._passes % _RECORD_EVERY == 0:
            yield from self._record(passed.after, record_json(public_record(self.game, self._history())))

    def at_the_end(self, match: Match, history: Sequence[Entry], record: str) -> Iterator[str]:
        """The whole ledger, and the record made from it."""
        yield from self._ledger(match, history)
        yield from self._record(match, record)

    # --- letters -------------------------------------------------------------------------------------------------

    @staticmethod
    def _answers(passed: Passed) -> Iterator[str]:
        """One answer to each mail, to its sender alone; none to a second delivery under one Message-ID."""
        wanted: dict[str, list[Sending]] = {}
        for sending in passed.sendings:
            wanted.setdefault(sending.message_id, []).append(sending)
        for message_id, sendings in wanted.items():
            got = [x for x in passed.letters if x.notice in (*_VERDICTS, "due") and x.answers == message_id]
            answer = next(s.answer for s in sendings if s.answer != "")
            if len(got) != 1 or answer not in (None, got[0].notice, {"due": "receipt"}.get(got[0].notice)):
                yield f"expected {answer or 'one answer'} to {message_id}, got {[x.notice for x in got]}"
            address = passed.before.entrant(sendings[0].seat).addresses[0]
            if any(letter.recipient != address for letter in got):
                yield f"the answer to {message_id} went to others than its sender"

    def _privacy(self, passed: Passed) -> Iterator[str]:
        """One recipient each, no address of anybody else, no id for two letters of one reader."""
        addresses = {a for m in (passed.before, passed.after) for e in m.roster for a in e.addresses}
        for letter in passed.letters:
            words = "\n".join((letter.head, letter.text, letter.page))
            leaked = [a for a in addresses if a != letter.recipient and a in words]
            if leaked or letter.to != (letter.recipient,):
                yield f"{letter.notice} to {letter.recipient} names {leaked or letter.to}"
            if (letter.message_id, letter.recipient) in self._sent:
                yield f"{letter.notice} to {letter.recipient} has an old Message-ID"
            self._sent.add((letter.message_id, letter.recipient))
            if set(_PICTURE.findall(letter.page)) != set(letter.pictures):
                yield f"{letter.notice} to {letter.recipient}: its pictures are not those its page shows"
            if not letter.text.strip() or not letter.page.strip():
                yield f"{letter.notice} to {letter.recipient} has an empty part"
        self.counts["letters"] += len(passed.letters)

    def _public_letters(self, passed: Passed) -> Iterator[str]:
        """To every seat the same sentences, but that those about its player may be said to them: as public letters, or
        among the words of a letter of its own, for which they may wait a day long. Positions only rise."""
        readers = {p.addresses[0]: p.name for p in map(passed.after.entrant, passed.after.numbers)}
        public: set[tuple[str, str]] = set()
        for letter in passed.letters:
            to_all = letter.notice in _TO_ALL
            if to_all or letter.position is not None:
                self._heard[letter.recipient].update(_sentences(letter.text))
            if to_all and not letter.text.startswith("Hello "):
                said = _sentences(_NEWS_ENDS.split(letter.text)[0])
                public.update((letter.notice, x) for x in said if not (x.endswith(":") or " UTC" in x))
            if to_all and letter.position is None:
                yield f"{letter.notice} has no position"
            if letter.position is not None and not 0 < letter.position <= passed.after.position:
                yield f"{letter.notice} has the position {letter.position} of {passed.after.position}"
            chained = f"X-Referee-Chain: {passed.after.head}" in letter.head
            if letter.position == passed.after.position and not chained:
                yield f"{letter.notice} does not say where the chain stands"
        for reader, name in readers.items():
            heard = self._heard[reader]
            for notice, news in public:
                if name in news:
                    continue
                if notice == "announcement":
                    self._waiting.setdefault((reader, news), passed.now)
                elif news not in heard:
                    yield f"{reader} was not told of the {notice}: {news}"
            for to, news in [waits for waits in self._waiting if waits[0] == reader]:
                if news in heard:
                    del self._waiting[to, news]
                elif passed.now > self._waiting[to, news] + _DAY or passed.after.status == "ended":
                    yield f"{reader} was not told in time: {news}"
        if passed.after.position < passed.before.position or passed.after.version < passed.before.version:
            yield "the position went back"

    def _asked(self, passed: Passed) -> Iterator[str]:
        """Who owes something since this pass has been asked, with a form."""
        old = {(r.label, r.opened) for r in passed.before.rounds}
        for r, demand in passed.after.due:
            if (r.label, r.opened) in old or passed.by_hand or passed.after.status != "open":
                continue
            address = passed.after.entrant(demand.seat).addresses[0]
            if not any(x.notice == "due" and x.recipient == address for x in passed.letters):
                yield f"{address} was not told of {r.label}"

    def _sealed(self, passed: Passed) -> Iterator[str]:
        """A sealed answer changes nothing that anybody else can see until the reveal. A pass without a mail holds none:
        what it sends is the clock's, the moderator's, or the opening's, whose letters leave with the first pass."""
        if not passed.sendings:
            return
        still = {(r.label, r.opened) for r in passed.after.rounds}
        rounds = passed.before.rounds
        if not rounds or any(not r.sealed or (r.label, r.opened) not in still for r in rounds):
            return
        asked = {demand.kind for r in rounds for demand in r.demands}
        if passed.by_hand or any(sending.kind not in asked for sending in passed.sendings):
            return  # an objection, say, is public
        if (passed.before.head, passed.before.position) != (passed.after.head, passed.after.position):
            yield "a sealed answer moved the public chain"
        senders = {passed.before.entrant(s.seat).addresses[0] for s in passed.sendings}
        others = [x for x in passed.letters if x.recipient not in senders and x.notice != "reminder"]
        if others:
            yield f"a sealed answer brought {[x.notice for x in others]} to others"
        for seat in (None, *passed.after.numbers):
            if passed.before.view(seat) != passed.after.view(seat):
                yield f"a sealed answer changed what {seat or 'the public'} sees"

    def _forms(self, passed: Passed) -> Iterator[str]:
        """A refusal ends with a form: sent back as it stands it is accepted, or refused for nothing
        that was not named before; one with gaps waits for what belongs there."""
        owing = {d for r in passed.before.rounds for d in outstanding(passed.before, r)}
        for sending in passed.sendings if not passed.by_hand else ():
            demand = next((d for d in owing if (d.kind, d.seat) == (sending.kind, sending.seat)), None)
            letter = next((x for x in passed.letters if x.answers == sending.message_id), None)
            if demand is None or letter is None or letter.notice != "refusal" or sending.answer != "refusal":
                continue
            self.counts["refusals"] += 1
            if _GAP.search(letter.form):
                self.counts["forms to fill in"] += 1
                continue
            body = message_from_bytes(sending.raw).get_payload(decode=True)
            assert isinstance(body, bytes)
            named = self._faults(passed.before, demand, body.decode(), passed.now)
            if not self._faults(passed.before, demand, letter.form, passed.now) <= named:
                yield f"the form in the refusal of {sending.message_id} is not accepted:\n{letter.form}"

    def _faults(self, match: Match, demand: Demand, text: str, now: datetime) -> set[str]:
        """The kinds of faults that are found in the text as an answer."""
        lines = tuple(Line(i, words) for i, words in enumerate(text.splitlines(), 1))
        command = do.Submit(demand.seat, heading_kind(self.game, demand), Body(lines), now)
        verdict = decide(self.game, match, command, now, self.referee.parts.keys, self._history).verdict
        return {complaint.code for complaint in verdict.named} if isinstance(verdict, Refused) else set()

    # --- ledger and records --------------------------------------------------------------------------------------

    def _history(self) -> list[Entry]:
        return list(self.referee.moderator.history(self.name))

    def _ledger(self, match: Match, entries: Sequence[Entry]) -> Iterator[str]:
        """The live match is the fold of its ledger, versions and positions rise one by one."""
        for index, entry in enumerate(entries[self._mine.version :], self._mine.version):
            expected = (index + 1, (entries[index - 1].position if index else 0) + entry.public)
            if (entry.version, entry.position) != expected:
                yield f"entry {entry.version} at {entry.position}, expected {expected}"
            self._mine = applied(self.game, self._mine, entry, partial(getitem, entries, slice(index)))
        if self._mine != match:
            yield "the ledger folded gives another match"

    def _record(self, match: Match, text: str) -> Iterator[str]:
        """The record is verified, and read back gives the same public position."""
        record = json.loads(text)
        yield from (f"record: {fault}" for fault in verified(record, self.game))
        shown, read = match.view(None), fold(lambda _: self.game, entries_of(record)).view(None)
        if (shown and shown.position) != (read and read.position):
            yield "the record read back gives another position"
        yield from (f"the record names {a}" for e in match.roster for a in e.addresses if a in text)


def _sentences(text: str) -> Iterator[str]:
    """Whatever lines they are broken into, quoted or not."""
    for _, lines in groupby(text.splitlines(), lambda line: (line[:1] == ">", bool(line.strip("> ")))):
        yield from _SENTENCE.split(
            " ".join(word for line in lines for word in line.removeprefix(">").split())
        )
