"""What the referee would make of a mail: everything is judged for real, then undone."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from referee.base.ports import Overrun, TimeLimit
from referee.core import seam
from referee.core.answers import Body
from referee.letters.rendering import Renderer
from referee.mail.mail import Mail
from referee.match.commands import Refused
from referee.match.meanings import judged, meaning_of, understood
from referee.store.engine import Again, again
from referee.store.inbox import KeptMail
from referee.store.sql import Store
from referee.way.case import Case, Settled, proof_of
from referee.way.stations import Collector


class _Undone(Exception):
    """Carries what would come of the mail out of a transaction that must leave no trace."""

    def __init__(self, settled: Settled | None, found: tuple[Candidate, ...], proof: str) -> None:
        self.found = settled, found, proof


@dataclass(frozen=True, slots=True)
class Inquiry:
    """Reads a mail as the collector would at a given time; the store is as before afterwards."""

    store: Store
    collector: Collector
    pages: Renderer
    limit: TimeLimit

    def read(self, raw: bytes, at: datetime, name: str = "") -> dict[str, object]:
        """The contract's facts of a mail that arrives at that time, and which is called so here."""
        try:
            with self.limit.over(name):
                return self._read(raw, at)
        except Overrun as late:
            return self.given_up(late)

    @staticmethod
    def given_up(reason: BaseException) -> dict[str, object]:
        """The facts of a mail that can't be looked at."""
        facts = {"disposition": "shunted", "reason": str(reason), "sender": None, "evidence": "not judged"}
        facts |= {"subject": "", "match": None, "seat": None, "demand": None, "text": ""}
        left_out = [{"what": "the whole mail", "lines": 0}]
        return {**facts, "left_out": left_out, "complaints": [], "readings": [], "answer": None}

    def _read(self, raw: bytes, at: datetime) -> dict[str, object]:
        largest = self.collector.room.settings.mailbox.largest
        cut, kept_bytes = len(raw) > largest, raw[:largest]
        mail = self.collector.room.reader.read(kept_bytes, cut=cut)
        kept = KeptMail(0, "", "", at, len(raw), cut, kept_bytes, mail.message_id, mail.sender)
        settled, found, proof = self._settled(kept, mail, at)
        mail = settled.case.mail if settled and settled.case else mail
        letter = settled.letters[0] if settled and settled.letters else None
        answer = letter.kind if letter and letter.kind != "alarm" else None
        said = mail.evidence
        server = f"{said.kind}: {said.detail}" if said.detail else said.kind
        return {
            "disposition": settled.disposition if settled else "waiting",
            "reason": settled.reason if settled else "the referee's own answer must come first",
            "sender": mail.sender,
            "evidence": f"{proof}; {server}",
            "subject": mail.subject,
            "match": settled.match if settled else None,
            "seat": settled.seat or None if settled else None,
            "demand": settled.demand if settled else None,
            "text": "\n".join(line.text for line in mail.own),
            "left_out": [{"what": part.what, "lines": part.lines} for part in mail.left_out],
            "complaints": self._complaints(settled),
            "readings": [{"demand": r.demand, "text": r.text, "sure": r.sure} for r in found],
            "answer": answer,
        }

    @again
    def _settled(
        self, kept: KeptMail, mail: Mail, at: datetime
    ) -> tuple[Settled | None, tuple[Candidate, ...], str]:
        """What the collector would do, what it weighed, and on what evidence."""
        try:
            with self.store.transaction() as unit:
                proof = proof_of(self.collector.room, unit, kept, mail).evidence
                settled = self.collector.judge(unit, kept, mail, at)
                case = settled.case if settled else None
                found = candidates(case) if case else ()
                raise _Undone(settled, found, proof)
        except _Undone as undone:
            return undone.found
        except Again:
            raise
        except Exception as error:  # noqa: BLE001 - the desk would put the mail aside and go on
            return Settled("shunted", type(error).__name__), (), "not judged"
        finally:
            self.collector.room.matches.forget()

    def _complaints(self, settled: Settled | None) -> list[dict[str, object]]:
        if settled is None or not isinstance(settled.verdict, Refused):
            return []
        with self.store.transaction() as unit:
            game = self.collector.room.matches.load(unit, settled.match or "").game
        return [
            {
                "code": c.code,
                "rule": c.rule,
                "line": {"number": c.line.number, "text": c.line.text} if c.line else None,
                "lines": [{"number": line.number, "text": line.text} for line in c.lines],
                "of": of,
                **{part: words[part] for part in ("says", "mend")},
            }
            for of, told in (("mail", settled.verdict.complaints), ("form", settled.verdict.further))
            for c in told
            for words in (self.pages.wording(c, game),)
        ]


# --- what was weighed ---------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Candidate:
    """An answer, in canonical lines where it could count, else as it was written; `sure`: it would, and the words leave
    no doubt of it."""

    demand: str
    text: str
    sure: bool


def candidates(case: Case) -> tuple[Candidate, ...]:
    """Every answer that the words of a mail to a seat, or a form that came with them, may be; each once, what is sure
    of it first."""
    match = case.place.match
    if match.standing is None or match.status != "open":
        return ()
    found: dict[tuple[str, str], Candidate] = {}
    for one in sorted(_all(case), key=lambda one: not one.sure):
        found.setdefault((one.demand, one.text), one)
    return tuple(found.values())


def _all(case: Case) -> Iterator[Candidate]:
    at, order, number, offers = case.place, case.order, case.number, case.meant.offers
    kind = (order.kind if order else None) or case.kind
    if order is None and (case.mail.agrees or number) and not case.form:
        for offer in offers[number - 1 : number] if number else offers:
            yield from _said(case, offer.heading, Body.of(offer.form))
        return
    for meaning in case.doubt:
        yield Candidate(meaning.demand.kind, meaning.text, sure=False)
    if order is not None and order.lines is not None:
        yield from _said(case, kind, case.body(order.lines))
        return
    owed = [d.kind for _, d in at.match.due if d.seat == at.seat]
    for each in dict.fromkeys((kind, *owed)):
        yield from _said(case, each, case.body(case.mail.own))
    if case.form:
        yield from _said(case, kind, case.body(case.form))


def _said(case: Case, kind: str, body: Body) -> Iterator[Candidate]:
    """What lines say under a heading of that kind."""
    at, sure = case.place, not case.doubt
    demand, reading = understood(at.match, at.seat, kind, body)
    if (whole := judged(at.match, meaning_of(at.match, at.seat, kind, body))) is not None:
        yield Candidate(whole.demand.kind, whole.text, sure)
    elif reading.choices:
        yield from (Candidate(demand.kind, choice, sure=False) for choice in reading.choices)
    elif reading.action is not None and reading.orders:
        standing = at.match.standing
        if standing is not None and not standing.check(demand, reading.action):
            text = seam.write(standing.game, at.match.inner, demand, reading.action)
        else:
            text = "\n".join(line.text for line in reading.orders)
        yield Candidate(demand.kind, text, sure=False)
