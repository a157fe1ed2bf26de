"""What becomes of a mail before anyone looks for orders in it."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

from referee.core.texts.addresses import address_key, without_detail
from referee.offices.ports.mail import Triage
from referee.post.reading.head import ParsedMail
from referee.post.reading.languages.phrases import FAILURES
from referee.post.reading.mail import UNREADABLE

_MAILERS = re.compile(r"mailer-daemon|postmaster|mail-daemon|mailerdaemon|maildelivery")
_NOBODY = re.compile(r"mailerdaemon|noreply|donotreply|nobody|listserv|majordomo|newsletter|bounces?")
_CAMPAIGNS = [
    "x-campaign",
    "x-campaignid",
    "x-mailchimp-id",
    "feedback-id",
    "x-csa-complaints",
    "list-unsubscribe-post",
]


def rulings(mail: ParsedMail, own: Collection[str]) -> Iterator[Triage]:
    """What each rule has to say of the mail, the one that counts most first. `own` as for `triage`."""
    headers, address = mail.headers, mail.sender.address if mail.sender else ""
    local = address.lower().partition("@")[0]
    if why := next((fault for fault in mail.faults if fault.startswith(UNREADABLE)), ""):
        yield Triage("hold", why)  # the reader itself stumbled: the moderator looks
    if mail.empty:
        yield Triage("discard", "this is no mail")
    if name := next((name for name, _ in headers.fields if name.startswith("x-referee-")), ""):
        yield Triage("discard", f"a letter of a referee came here ({name})")  # only referees set these fields
    if address_key(address) in own or without_detail(address) in own:  # an answer would be the next one
        yield Triage("discard", "the mail says it is from our own address")
    # a report by RFC 3464, or a mailer's own wording of one; a return receipt is none
    kind = headers.said("content-type")
    if mail.content_type == "multipart/report" and "disposition-notification" not in kind:
        yield Triage("bounce", "a report on a letter that did not arrive")
    failed = _MAILERS.fullmatch(local) and any(words in mail.subject.lower() for words in FAILURES)
    if headers.first("x-failed-recipients") or failed:
        yield Triage("bounce", "a mailer's notice that a letter did not arrive")
    if mail.program:  # RFC 3834
        yield Triage("discard", f"sent by a program: {mail.program}")
    if _NOBODY.fullmatch(local.replace("-", "").replace("_", "").replace(".", "")):
        yield Triage("discard", f"from {local}, which is no person")
    if headers.said("return-path").replace(" ", "") == "<>":  # RFC 5321, 4.5.5
        yield Triage("discard", "sent with an empty return path: a program's notice")
    # A mailing list's fields alone are not enough: a player may write through a list, and lists mark all they carry,
    # some as bulk. One that can be left but not written to, or bulk from no list, is.
    precedence = headers.said("precedence")
    through_list = headers.any_of("list-post", "list-id", "x-mailman-version", "x-beenthere")
    advertising = headers.any_of(*_CAMPAIGNS)
    if precedence == "junk" or (precedence == "bulk" and not through_list):
        yield Triage("discard", f"bulk mail (Precedence: {precedence})")
    if advertising and headers.any_of("list-unsubscribe") and not headers.any_of("list-post"):
        yield Triage("discard", f"advertising ({advertising})")
    if (
        mail.twice
    ):  # who checks a signature takes the lowest of several equal fields, who reads the mail the topmost
        yield Triage("hold", f"it has more than one {' and one '.join(mail.twice)}", suspect=True)
    if mail.sender is None:  # there is nobody to answer, and perhaps somebody to deceive
        yield Triage("hold", next((f for f in mail.faults if "From" in f), "the sender cannot be told"))
    if headers.said("x-spam-flag") in ("yes", "true"):  # it may be wrong about a player
        yield Triage("hold", "the mail server marked it as spam", suspect=True)


def triage(mail: ParsedMail, own_addresses: Collection[str]) -> Triage:
    """Where the mail goes; by its fields alone where no more of it has been read. `own_addresses` are those whose mail
    comes here."""
    own = frozenset(map(address_key, own_addresses))
    return next(rulings(mail, own), Triage("read", "a person's mail"))
