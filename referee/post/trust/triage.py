"""What becomes of a mail before anyone looks for orders in it. One rule, one function; the tables are below."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection

from referee.core.texts.addresses import address_key, without_detail
from referee.offices.ports.mail import Triage
from referee.post.reading.languages.phrases import FAILURES
from referee.post.reading.mail import UNREADABLE, MailHead

_MAILERS = re.compile(r"mailer-daemon|postmaster|mail-daemon|mailerdaemon|maildelivery")
_NOBODY = re.compile(r"mailerdaemon|noreply|donotreply|nobody|listserv|majordomo|newsletter|bounces?")
_CAMPAIGNS = "x-campaign x-campaignid x-mailchimp-id feedback-id x-csa-complaints list-unsubscribe-post"


def unreadable(mail: MailHead, own: frozenset[str]) -> Triage | None:
    """The reader itself stumbled: the moderator looks."""
    why = next((fault for fault in mail.faults if fault.startswith(UNREADABLE)), None)
    return Triage("hold", why) if why else None


def own_letter(mail: MailHead, own: frozenset[str]) -> Triage | None:
    """A letter of ours, or of another referee: only referees set these fields."""
    name = next((name for name, _ in mail.headers.fields if name.startswith("x-referee-")), None)
    return Triage("discard", f"a letter of a referee came here ({name})") if name else None


def own_sender(mail: MailHead, own: frozenset[str]) -> Triage | None:
    """A mail that says it is from an address whose mail comes here: an answer would be the next one."""
    address = mail.sender.address if mail.sender else ""
    if address_key(address) in own or without_detail(address) in own:
        return Triage("discard", "the mail says it is from our own address")
    return None


def delivery_report(mail: MailHead, own: frozenset[str]) -> Triage | None:
    """A report by RFC 3464, or a mailer's own wording of one. A return receipt is none."""
    kind = (mail.headers.first("content-type") or "").lower()
    if mail.content_type == "multipart/report" and "disposition-notification" not in kind:
        return Triage("bounce", "a report on a letter that did not arrive")
    if mail.headers.first("x-failed-recipients"):
        return Triage("bounce", "a mailer's notice that a letter did not arrive")
    local = mail.sender.address.lower().partition("@")[0] if mail.sender else ""
    if _MAILERS.fullmatch(local) and any(words in mail.subject.lower() for words in FAILURES):
        return Triage("bounce", "a mailer's notice that a letter did not arrive")
    return None


def from_a_daemon(mail: MailHead, own: frozenset[str]) -> Triage | None:
    """Mail programs and addresses that take no answer."""
    local = mail.sender.address.lower().partition("@")[0] if mail.sender else ""
    plain = local.replace("-", "").replace("_", "").replace(".", "")
    if _NOBODY.fullmatch(plain):
        return Triage("discard", f"from {local}, which is no person")
    return None


def null_return_path(mail: MailHead, own: frozenset[str]) -> Triage | None:
    """An empty return path (RFC 5321, 4.5.5) marks notices of every kind; they must not be answered."""
    if (mail.headers.first("return-path") or "").replace(" ", "") == "<>":
        return Triage("discard", "sent with an empty return path: a program's notice")
    return None


def automatic(mail: MailHead, own: frozenset[str]) -> Triage | None:
    """RFC 3834: answers by programs."""
    return Triage("discard", f"sent by a program: {mail.program}") if mail.program else None


def bulk(mail: MailHead, own: frozenset[str]) -> Triage | None:
    """Advertising and notices. A mailing list's fields alone are not enough: a player may write through a list, and
    lists mark all they carry, some as bulk. One that can be left but not written to, or bulk from no list, is."""
    fields = mail.headers
    precedence = (fields.first("precedence") or "").strip().lower()
    through_list = bool(fields.any_of("list-post", "list-id", "x-mailman-version", "x-beenthere"))
    if precedence == "junk" or (precedence == "bulk" and not through_list):
        return Triage("discard", f"bulk mail (Precedence: {precedence})")
    advertising = fields.any_of(*_CAMPAIGNS.split())
    if advertising and fields.any_of("list-unsubscribe") and not fields.any_of("list-post"):
        return Triage("discard", f"advertising ({advertising})")
    return None


def marked_as_spam(mail: MailHead, own: frozenset[str]) -> Triage | None:
    """A filter may be wrong about a player: the moderator looks."""
    if (mail.headers.first("x-spam-flag") or "").strip().lower() in ("yes", "true"):
        return Triage("hold", "the mail server marked it as spam", suspect=True)
    return None


def no_mail(mail: MailHead, own: frozenset[str]) -> Triage | None:
    """Bytes that are no mail at all."""
    return Triage("discard", "this is no mail") if mail.empty else None


def fields_twice(mail: MailHead, own: frozenset[str]) -> Triage | None:
    """Whoever checks a signature takes the lowest of several equal fields, and whoever reads the mail the topmost."""
    if not mail.twice:
        return None
    return Triage("hold", f"it has more than one {' and one '.join(mail.twice)}", suspect=True)


def sender_unclear(mail: MailHead, own: frozenset[str]) -> Triage | None:
    """Without a certain sender there is nobody to answer, and perhaps somebody to deceive."""
    if mail.sender is None:
        why = next((fault for fault in mail.faults if "From" in fault), "the sender cannot be told")
        return Triage("hold", why)
    return None


# The first rule that has something to say decides.
RULES: tuple[Callable[[MailHead, frozenset[str]], Triage | None], ...] = (
    unreadable,
    no_mail,
    own_letter,
    own_sender,
    delivery_report,
    automatic,
    from_a_daemon,
    null_return_path,
    bulk,
    fields_twice,
    sender_unclear,
    marked_as_spam,
)


def triage(mail: MailHead, own_addresses: Collection[str]) -> Triage:
    """Where the mail goes; by its fields alone where no more of it has been read. `own_addresses` are those whose mail
    comes here."""
    own = frozenset(map(address_key, own_addresses))
    return next((found for rule in RULES if (found := rule(mail, own))), Triage("read", "a person's mail"))
