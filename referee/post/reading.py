"""The collector's reader: bytes to what the offices need to know of a mail."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Mapping

from referee.match.match import AnyGame
from referee.offices.mail import Mail, Tag
from referee.post.bounce import read_bounce
from referee.post.identity import content_digest, words_digest
from referee.post.letter import Letter, read_letter
from referee.post.subject import SubjectTag, match_heading, read_subject
from referee.post.triage import triage


class MailReader:
    """Reads mails for games known by title. Total: any bytes give a Mail."""

    def __init__(
        self,
        games: Mapping[str, AnyGame],
        own_addresses: Collection[str],
        trusted_authserv: tuple[str, ...] = (),
    ) -> None:
        self._games = games
        self._own = frozenset(address.lower() for address in own_addresses)
        self._trusted = trusted_authserv
        self._titles = {title: slug for slug, game in games.items() for title in game.titles}

    def read(self, raw: bytes, *, cut: bool = False) -> Mail:
        letter = read_letter(raw, trusted_authserv=self._trusted)
        sorted_out = triage(letter, self._own)
        failed = None
        if sorted_out.disposition == "bounce":
            failed = next((f.address for f in read_bounce(raw).failures), None)
        left_out = tuple((part.what, part.lines) for part in letter.left_out)
        return Mail(
            message_id=letter.message_id,
            references=_references(letter),
            sender=letter.sender.address if letter.sender else None,
            sender_name=letter.sender.name if letter.sender else "",
            subject=letter.subject,
            own=letter.own,
            quoted=letter.quoted,
            left_out=(*left_out, ("what lies beyond the size limit", 0)) if cut else left_out,
            faults=letter.faults,
            evidence=(letter.evidence.kind, letter.evidence.detail),
            tag=self._tag(read_subject(letter.subject, self._titles)),
            disposition=sorted_out.disposition,
            reason=sorted_out.reason,
            words=_words(letter),
            resend=words_digest(letter) if letter.date_text else content_digest(raw),
            automatic=letter.automatic is not None,
            failed_address=failed,
        )

    def identity(self, raw: bytes) -> tuple[str, str | None, str | None]:
        letter = read_letter(raw)
        return content_digest(raw), letter.message_id, letter.sender.address if letter.sender else None

    def _tag(self, tag: SubjectTag) -> Tag:
        kind = match_heading(tag.heading, self._games[tag.game].headings) if tag.game else None
        stated = {"seat": tag.seat, "round": tag.round, "cycle": tag.cycle, "turn_of": tag.turn_of}
        return Tag(
            tag.game, tag.heading, kind, {k: v for k, v in stated.items() if v is not None}, tag.brackets,
            tag.preview, tag.command, tag.argument,
        )  # fmt: skip


def _references(letter: Letter) -> tuple[str, ...]:
    """The thread, oldest first; the mail answered directly comes last."""
    answered = (letter.in_reply_to,) if letter.in_reply_to else ()
    return tuple(dict.fromkeys((*(r for r in letter.references if r not in answered), *answered)))


def _words(letter: Letter) -> str:
    """The digest of what was said, whenever it was said."""
    sender = letter.sender.address if letter.sender else ""
    words = "\n".join((sender, letter.subject, *(line.text.strip() for line in letter.own)))
    return hashlib.sha256(words.encode("utf-8", "surrogatepass")).hexdigest()
