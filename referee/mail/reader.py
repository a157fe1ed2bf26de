"""The collector's reader: bytes to what the offices need to know of a mail."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from hashlib import sha256

from referee.core.answers import NO_HINTS, Hints
from referee.core.game import AnyGame
from referee.core.orders.keyed import keyed, states
from referee.core.seam import headings
from referee.core.texts.addresses import address_key, detail_of, without_detail
from referee.core.value import LeftOut, Line
from referee.language.sentences import words_of
from referee.language.wishes import NO_WISHES, wishes
from referee.mail.mail import Identified, Mail, Tag
from referee.mail.read import head as fields
from referee.mail.read.mail import read_mail
from referee.mail.read.parsing import parse_head
from referee.mail.read.quoting import language_of
from referee.mail.read.subject import added, match_heading, read_subject
from referee.mail.sender.authentication import weigh
from referee.mail.sender.consent import agreement, consent
from referee.mail.sender.triage import content_digest, read_bounce, triage, words_digest

_PHRASE = re.compile(
    r"[\s>*•-]*(?:old\s|new\s)?pass[\s_-]*phrase\s*(?:is\s*)?[:=\uff1a]\s*\S.*", re.IGNORECASE
)
_PHRASE_IN_SUBJECT = re.compile(r"(?:pass[\s_-]*)?phrase\b\W*\w.*", re.IGNORECASE)


class MailReader:
    """Reads mails for games known by title, of which `titles` has the slugs. Total: any bytes give a Mail.
    `own_addresses` are those of speaker, collector and moderator, `also` further ones that the mailbox takes."""

    def __init__(
        self,
        games: Mapping[str, AnyGame],
        titles: Mapping[str, str],
        own_addresses: Sequence[str],
        trusted_authserv: tuple[str, ...] = (),
        also: Sequence[str] = (),
    ) -> None:
        self._games = games
        self._titles = titles
        own_addresses = tuple(map(address_key, own_addresses))
        self._own = frozenset(own_addresses)
        self._mailbox = frozenset((*own_addresses[:2], *map(address_key, also)))  # the moderator is a person
        self._trusted = trusted_authserv
        self._offices = dict(zip(own_addresses, ("speaker", "collector", "moderator"), strict=False))

    def identify(self, raw: bytes, *, addressed: bool = False) -> Identified:
        """By its fields alone; `addressed`: also where it goes."""
        message = parse_head(raw)
        headers = fields.headers_of(message)
        sender, _ = fields.read_sender(headers.every("from"))
        servers = frozenset(map(str.lower, self._trusted))
        found = Identified(
            content_digest(raw, headers, servers),
            fields.one_id(headers.first("message-id")),
            sender.address if sender else None,
        )
        if not addressed:
            return found
        head = fields.head_of(message, headers, raw)
        tag = _silenced(self._tag(head.subject))
        return found._replace(references=head.references, tag=tag, tokens=self._tokens(head))

    def read(self, raw: bytes, *, cut: bool = False) -> Mail:
        """All of it; `cut`: what lies beyond the size limit is not there."""
        whole = read_mail(raw)
        sorted_out = triage(whole, self._mailbox)
        mail, tag, stated = _without_phrases(whole, self._tag(whole.subject))
        address, name = (mail.sender.address, mail.sender.name) if mail.sender else ("", "")
        called = words_of(f"{name} {re.sub(r'[._+-]', ' ', address.partition('@')[0])}")
        quotes = (language_of(part.said) for part in mail.left_out if part.what == "quoted text")
        hints = Hints(frozenset(filter(str.isalpha, called)), next(quotes, "")) if mail.sender else NO_HINTS
        whose = address_key(address)
        said = "\n".join((whose, mail.subject, *(line.text.strip() for line in mail.own)))
        left_out = mail.left_out
        left_out += (LeftOut("the pass phrase", stated),) if stated else ()
        left_out += (LeftOut("what lies beyond the size limit"),) if cut else ()
        # nothing is said where there is nothing but values behind the game's headings
        known = headings(self._games[tag.game]) if tag.kind is not None and tag.game is not None else {}
        lines = [line.text for line in mail.own if line.text.strip()]
        stating = lines and all(states(text) and match_heading(keyed(text)[0], known) for text in lines)
        says = mail.sender is not None and not stating
        named = (self._offices.get(without_detail(address)) for address in mail.recipients)
        return Mail(
            message_id=mail.message_id,
            references=mail.references,
            sender=mail.sender.address if mail.sender else None,
            whose=whose,
            sender_name=name,
            subject=mail.subject,
            own=mail.own,
            quoted=mail.quoted,
            left_out=left_out,
            faults=mail.faults,
            evidence=weigh(mail, self._trusted, self._own | self._mailbox),
            tag=tag,
            triage=sorted_out,
            words=sha256(said.encode("utf-8", "surrogatepass")).hexdigest(),
            resend=words_digest(mail) if mail.date_text else content_digest(raw, whole.headers),
            written=mail.date,
            automatic=mail.program is not None,
            bounce=read_bounce(mail.parts) if sorted_out.disposition == "bounce" else None,
            office=next(filter(None, named), "collector"),
            tokens=self._tokens(mail),
            secret=stated > 0,
            agrees=agreement(mail.own, name, address) if says else "",
            consent=consent(mail.own, name, address) if says else "neither",
            claimed=fields.loose_addresses(fields.all_values(raw, b"from")) if mail.twice else None,
            attached=mail.attached,
            hints=hints,
            wishes=wishes(mail.own, mail.subject, hints.own) if says else NO_WISHES,
        )

    def _tokens(self, mail: fields.ParsedMail) -> tuple[str, ...]:
        """The reply tokens among the recipients' addresses."""
        ours = (a for a in mail.recipients if without_detail(a) in self._own)
        return tuple(dict.fromkeys(token for a in ours if (token := detail_of(a))))

    def added(self, subject: str, ours: str) -> Tag | None:
        """What a mail's subject says beside that of a letter of ours, as programs, lists and gateways leave it; None
        where it does not repeat that."""
        beside = added(subject, ours, self._titles)
        return None if beside is None else self._tag(beside)

    def _tag(self, subject: str) -> Tag:
        tag = read_subject(subject, self._titles)
        if tag.game is None:
            return tag
        return replace(tag, kind=match_heading(tag.heading, headings(self._games[tag.game])))


def _without_phrases(mail: fields.ParsedMail, tag: Tag) -> tuple[fields.ParsedMail, Tag, int]:
    """The mail without its lines that hold a pass phrase, as players had them with 0.2.0, and how many it stated.
    Nothing behind the reader ever sees such a line, nor a phrase that stands in the subject."""
    stated = sum(map(_holds_phrase, mail.own))
    if (told := _silenced(tag)) is not tag:
        stated += 1
        mail, tag = replace(mail, subject="Pass phrase"), told

    def kept(lines: tuple[Line, ...]) -> tuple[Line, ...]:
        return tuple(line for line in lines if not _holds_phrase(line))

    attached = (kept(mail.attached[0]), mail.attached[1]) if mail.attached else None
    left_out = tuple(replace(part, said=kept(part.said)) for part in mail.left_out)
    mail = replace(mail, own=kept(mail.own), quoted=kept(mail.quoted), left_out=left_out, attached=attached)
    return mail, tag, stated


def _silenced(tag: Tag) -> Tag:
    """The same without the pass phrase; the very tag where none stands in the subject."""
    if not _PHRASE_IN_SUBJECT.fullmatch(tag.text):
        return tag
    return replace(tag, argument="", brackets=(), heading="", text="")


def _holds_phrase(line: Line) -> bool:
    """Whether the line states a pass phrase. Blanks at its end are cut, not tried one by one."""
    return _PHRASE.fullmatch(line.text.rstrip()) is not None
