"""What the referee would make of a mail: everything is judged for real, then undone."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any, Protocol

from referee.core.complaint import Complaint
from referee.match.commands import Refused
from referee.offices.incoming.cases import Judged
from referee.offices.incoming.collector import Collector
from referee.offices.ports.mail import Mail, Reader
from referee.offices.ports.store import KeptMail, Settling, Store
from referee.offices.ports.transport import Overrun, Watch
from referee.offices.registry import Registry
from referee.offices.settings import Settings


class Wording(Protocol):
    """The words of a complaint."""

    def wording(self, complaint: Complaint, game: str) -> Mapping[str, Any]: ...


class _Undone(Exception):
    """Carries the verdict out of a transaction that must leave no trace."""

    def __init__(self, judged: Judged | None, standing: str) -> None:
        self.judged = judged
        self.standing = standing


class Inquiry:
    """Reads a mail as the collector would at a given time; the store is as before afterwards."""

    def __init__(
        self,
        store: Store,
        reader: Reader,
        collector: Collector,
        registry: Registry,
        words: Wording,
        settings: Settings,
        watch: Watch,
    ) -> None:
        self._store = store
        self._reader = reader
        self._collector = collector
        self._registry = registry
        self._words = words
        self._settings = settings
        self._watch = watch

    def read(self, raw: bytes, at: datetime) -> dict[str, Any]:
        """The contract's facts of a mail that arrives at that time."""
        try:
            with self._watch.over():
                return self._read(raw, at)
        except Overrun as late:
            return {
                "disposition": "shunted", "reason": str(late), "sender": None, "evidence": "not judged",
                "subject": "", "match": None, "seat": None, "demand": None, "text": "",
                "left_out": [{"what": "the whole mail", "lines": 0}], "complaints": [], "answer": None,
            }  # fmt: skip

    def _read(self, raw: bytes, at: datetime) -> dict[str, Any]:
        cut = len(raw) > self._settings.mailbox.largest
        kept_bytes = raw[: self._settings.mailbox.largest]
        proof = self._reader.prove(kept_bytes, cut=cut)
        mail = self._reader.read(kept_bytes, cut=cut, proof=proof.words)
        kept = KeptMail(
            0, "", "", at, len(raw), cut, kept_bytes, mail.message_id, mail.sender, False, None, None, None, None,
            proof=proof.words, signature=proof.signature,
        )  # fmt: skip
        judged, standing = self._judged(kept, mail, at)
        mail = (judged.mail if judged else None) or mail
        settling = judged.settling if judged else None
        letter = judged.letters[0] if judged and judged.letters else None
        answer = letter.kind if letter and letter.kind != "alarm" else None
        server = f"{mail.evidence[0]}: {mail.evidence[1]}" if mail.evidence[1] else mail.evidence[0]
        return {
            "disposition": settling.verdict if settling else "waiting",
            "reason": settling.reason if settling else "the referee's own answer must come first",
            "sender": mail.sender,
            "evidence": f"{standing}; {server}",
            "subject": mail.subject,
            "match": settling.match if settling else None,
            "seat": settling.seat or None if settling else None,
            "demand": judged.demand if judged else None,
            "text": "\n".join(line.text for line in mail.own),
            "left_out": [{"what": what, "lines": lines} for what, lines in mail.left_out],
            "complaints": self._complaints(judged),
            "answer": answer,
        }

    def _judged(self, kept: KeptMail, mail: Mail, at: datetime) -> tuple[Judged | None, str]:
        """What the collector would do, and on what evidence."""
        try:
            with self._store.transaction() as unit:
                standing = self._collector.evidence(unit, kept, mail)
                raise _Undone(self._collector.judge(unit, kept, at), standing)
        except _Undone as undone:
            return undone.judged, undone.standing
        except Exception as error:  # noqa: BLE001 - the desk would put the mail aside and go on
            return Judged(Settling("shunted", type(error).__name__)), "not judged"
        finally:
            self._registry.book.forget()

    def _complaints(self, judged: Judged | None) -> list[dict[str, Any]]:
        if judged is None or not isinstance(judged.verdict, Refused):
            return []
        match = self._match_game(judged)
        return [
            {
                "code": c.code,
                "rule": c.rule,
                "line": {"number": c.line.number, "text": c.line.text} if c.line else None,
                "lines": [{"number": line.number, "text": line.text} for line in c.lines],
                "of": of,
                **{part: words[part] for part in ("says", "mend")},
            }
            for of, told in (("mail", judged.verdict.complaints), ("form", judged.verdict.further))
            for c in told
            for words in (self._words.wording(c, match),)
        ]

    def _match_game(self, judged: Judged) -> str:
        with self._store.transaction() as unit:
            return self._registry.book.load(unit, judged.settling.match or "").game
