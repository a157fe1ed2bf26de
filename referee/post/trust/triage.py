"""What becomes of a mail before anyone looks for orders in it. One rule, one function; the table is below."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import Literal

from referee.post.reading.address import without_detail
from referee.post.reading.mail import UNREADABLE, Letter

Disposition = Literal["read", "discard", "hold", "bounce"]


@dataclass(frozen=True, slots=True)
class Triage:
    """`read`: a person's mail. `discard`: nobody's, it is never answered. `hold`: the moderator must look.
    `bounce`: a letter of ours did not arrive. `reason` is for the moderator and the log."""

    disposition: Disposition
    reason: str
    suspect: bool = False  # in doubt is who sent it, not how it is written


Rule = Callable[[Letter, frozenset[str]], Triage | None]


def unreadable(letter: Letter, own: frozenset[str]) -> Triage | None:
    """The reader itself stumbled: the moderator looks."""
    why = next((fault for fault in letter.faults if fault.startswith(UNREADABLE)), None)
    return Triage("hold", why) if why else None


def own_letter(letter: Letter, own: frozenset[str]) -> Triage | None:
    """A letter of ours, or of another referee: only referees set these fields."""
    name = next((name for name, _ in letter.headers.fields if name.startswith("x-referee-")), None)
    return Triage("discard", f"a letter of a referee came here ({name})") if name else None


def own_sender(letter: Letter, own: frozenset[str]) -> Triage | None:
    """A mail that says it is from one of our own offices."""
    address = letter.sender.address.lower() if letter.sender else ""
    if address in own or without_detail(address) in own:
        return Triage("discard", "the mail says it is from our own address")
    return None


def delivery_report(letter: Letter, own: frozenset[str]) -> Triage | None:
    """A report by RFC 3464, or a mailer's own wording of one. A return receipt is none."""
    kind = (letter.headers.first("content-type") or "").lower()
    if letter.content_type == "multipart/report" and "disposition-notification" not in kind:
        return Triage("bounce", "a report on a letter that did not arrive")
    if letter.headers.first("x-failed-recipients"):
        return Triage("bounce", "a mailer's notice that a letter did not arrive")
    local = letter.sender.address.lower().partition("@")[0] if letter.sender else ""
    if local in (
        "mailer-daemon",
        "postmaster",
        "mail-daemon",
        "mailerdaemon",
        "maildelivery",
    ) and _speaks_of_failure(letter):
        return Triage("bounce", "a mailer's notice that a letter did not arrive")
    return None


def _speaks_of_failure(letter: Letter) -> bool:
    subject = letter.subject.lower()
    return any(
        words in subject
        for words in (
            "undeliver",
            "delivery",
            "failure",
            "returned",
            "returning",
            "bounce",
            "unzustellbar",
            "non remis",
            "failed",
        )
    )


def from_a_daemon(letter: Letter, own: frozenset[str]) -> Triage | None:
    """Mail programs and addresses that take no answer."""
    local = letter.sender.address.lower().partition("@")[0] if letter.sender else ""
    plain = local.replace("-", "").replace("_", "").replace(".", "")
    if plain in (
        "mailerdaemon",
        "noreply",
        "donotreply",
        "nobody",
        "listserv",
        "majordomo",
        "newsletter",
        "bounce",
        "bounces",
    ):
        return Triage("discard", f"from {local}, which is no person")
    return None


def null_return_path(letter: Letter, own: frozenset[str]) -> Triage | None:
    """An empty return path (RFC 5321, 4.5.5) marks notices of every kind; they must not be answered."""
    if (letter.headers.first("return-path") or "").replace(" ", "") == "<>":
        return Triage("discard", "sent with an empty return path: a program's notice")
    return None


def automatic(letter: Letter, own: frozenset[str]) -> Triage | None:
    """RFC 3834: answers by programs."""
    return Triage("discard", f"sent by a program: {letter.automatic}") if letter.automatic else None


def bulk(letter: Letter, own: frozenset[str]) -> Triage | None:
    """Advertising and notices. A mailing list's fields alone are not enough: a player may write through a list, and
    lists mark all they carry, some as bulk. One that can be left but not written to, or bulk from no list, is."""
    fields = letter.headers
    precedence = (fields.first("precedence") or "").strip().lower()
    through_list = bool(fields.any_of("list-post", "list-id", "x-mailman-version", "x-beenthere"))
    if precedence == "junk" or (precedence == "bulk" and not through_list):
        return Triage("discard", f"bulk mail (Precedence: {precedence})")
    advertising = fields.any_of(
        "x-campaign",
        "x-campaignid",
        "x-mailchimp-id",
        "feedback-id",
        "x-csa-complaints",
        "list-unsubscribe-post",
    )
    if advertising and fields.any_of("list-unsubscribe") and not fields.any_of("list-post"):
        return Triage("discard", f"advertising ({advertising})")
    return None


def marked_as_spam(letter: Letter, own: frozenset[str]) -> Triage | None:
    """A filter may be wrong about a player: the moderator looks."""
    if (letter.headers.first("x-spam-flag") or "").strip().lower() in ("yes", "true"):
        return Triage("hold", "the mail server marked it as spam", suspect=True)
    return None


def no_mail(letter: Letter, own: frozenset[str]) -> Triage | None:
    """Bytes that are no mail at all."""
    if not letter.headers.fields and not letter.own:
        return Triage("discard", "this is no mail")
    return None


def sender_unclear(letter: Letter, own: frozenset[str]) -> Triage | None:
    """Without a certain sender there is nobody to answer, and perhaps somebody to deceive."""
    if letter.sender is None:
        why = next((fault for fault in letter.faults if "From" in fault), "the sender cannot be told")
        return Triage("hold", why)
    return None


# The first rule that has something to say decides.
RULES: tuple[Rule, ...] = (
    unreadable,
    no_mail,
    own_letter,
    own_sender,
    delivery_report,
    automatic,
    from_a_daemon,
    null_return_path,
    bulk,
    sender_unclear,
    marked_as_spam,
)


def triage(letter: Letter, own_addresses: Collection[str]) -> Triage:
    """Where the mail goes. `own_addresses` are those of the offices."""
    own = frozenset(address.lower() for address in own_addresses)
    return next((found for rule in RULES if (found := rule(letter, own))), Triage("read", "a person's mail"))
