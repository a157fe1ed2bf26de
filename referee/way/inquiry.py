"""What the referee would make of a mail: everything is judged for real, then undone."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from referee.base.ports import Overrun, TimeLimit
from referee.base.settings import Settings
from referee.letters.rendering import Renderer
from referee.mail.mail import Mail, MailReading
from referee.match.commands import Refused
from referee.offices.register.matches import Matches
from referee.store.engine import Again, again
from referee.store.inbox import KeptMail
from referee.store.sql import Store
from referee.way.case import Settled
from referee.way.collector import Collector
from referee.way.words.weighing import Weighed, readings


class _Undone(Exception):
    """Carries what would come of the mail out of a transaction that must leave no trace."""

    def __init__(self, settled: Settled | None, weighed: tuple[Weighed, ...], proof: str) -> None:
        self.found = settled, weighed, proof


@dataclass(frozen=True, slots=True)
class Inquiry:
    """Reads a mail as the collector would at a given time; the store is as before afterwards."""

    store: Store
    reader: MailReading
    collector: Collector
    matches: Matches
    pages: Renderer
    settings: Settings
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
        cut = len(raw) > self.settings.mailbox.largest
        kept_bytes = raw[: self.settings.mailbox.largest]
        mail = self.reader.read(kept_bytes, cut=cut)
        kept = KeptMail(
            id=0,
            uid="",
            identity="",
            arrived=at,
            size=len(raw),
            cut=cut,
            raw=kept_bytes,
            message_id=mail.message_id,
            sender=mail.sender,
            released=False,
            verdict=None,
            reason=None,
            match=None,
            seat=None,
        )
        settled, weighed, proof = self._settled(kept, mail, at)
        mail = (settled.mail if settled else None) or mail
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
            "readings": [{"demand": r.demand, "text": r.text, "sure": r.sure} for r in weighed],
            "answer": answer,
        }

    @again
    def _settled(
        self, kept: KeptMail, mail: Mail, at: datetime
    ) -> tuple[Settled | None, tuple[Weighed, ...], str]:
        """What the collector would do, what it weighed, and on what evidence."""
        try:
            with self.store.transaction() as unit:
                proof = self.collector.evidence(unit, kept, mail)
                settled = self.collector.judge(unit, kept, mail, at)
                case = settled.case if settled else None
                weighed = readings(case) if case else ()
                raise _Undone(settled, weighed, proof)
        except _Undone as undone:
            return undone.found
        except Again:
            raise
        except Exception as error:  # noqa: BLE001 - the desk would put the mail aside and go on
            return Settled("shunted", type(error).__name__), (), "not judged"
        finally:
            self.matches.forget()

    def _complaints(self, settled: Settled | None) -> list[dict[str, object]]:
        if settled is None or not isinstance(settled.verdict, Refused):
            return []
        with self.store.transaction() as unit:
            game = self.matches.load(unit, settled.match or "").game
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
