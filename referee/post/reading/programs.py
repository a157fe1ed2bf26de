"""What a program is known by that sent a mail by itself: its fields, and nothing else of it (RFC 3834)."""

from __future__ import annotations

from collections.abc import Callable

from referee.post.reading.headers import Headers
from referee.post.reading.languages.phrases import ABSENCES

_AUTO_REPLIES = "x-autoreply x-autorespond x-autoresponder x-auto-reply x-mail-autoreply x-autoreply-from"


def auto_submitted(headers: Headers) -> str | None:
    """RFC 3834, 5: anything but "no"."""
    value = (headers.first("auto-submitted") or "").split(";")[0].strip().lower()
    return f"Auto-Submitted: {value[:40]}" if value and value != "no" else None


def auto_reply_field(headers: Headers) -> str | None:
    """Fields that only programs answering for an absent person set."""
    name = headers.any_of(*_AUTO_REPLIES.split())
    if name and (headers.first(name) or "yes").strip().lower() not in ("no", "false", "0"):
        return f"the field {name}"
    return None


def auto_precedence(headers: Headers) -> str | None:
    """Precedence: auto_reply is an answer by a program; bulk, list and junk say less (see `bulk`)."""
    value = (headers.first("precedence") or "").strip().lower().replace("-", "_")
    return "Precedence: auto_reply" if value == "auto_reply" else None


def exchange_auto_reply(headers: Headers) -> str | None:
    """Exchange's out-of-office. X-Auto-Response-Suppress alone asks others not to answer automatically and
    stands on ordinary letters too; with the subject of an absence it is one."""
    if (
        headers.first("x-ms-exchange-inbox-rules-loop")
        or headers.first("x-ms-exchange-generated-message-source")
    ) and _absent(headers):
        return "an Exchange rule's answer"
    suppressed = (headers.first("x-auto-response-suppress") or "").lower()
    return "an out-of-office answer of Exchange" if suppressed and _absent(headers) else None


def vacation_subject(headers: Headers) -> str | None:
    """A subject that speaks of absence counts only beside other evidence: an empty return path, or bulk precedence."""
    empty = (headers.first("return-path") or "").strip() == "<>"
    bulk = (headers.first("precedence") or "").strip().lower() in ("bulk", "junk")
    return "a vacation notice" if (empty or bulk) and _absent(headers) else None


def feedback_report(headers: Headers) -> str | None:
    """Return receipts and abuse reports are written by programs."""
    kind = (headers.first("content-type") or "").lower()
    if kind.startswith("multipart/report"):
        if "disposition-notification" in kind:
            return "a return receipt"
        return "a report on another mail"
    return None


def _absent(headers: Headers) -> bool:
    subject = headers.text("subject")[:200].lower()
    return any(words in subject for words in ABSENCES)


BY_PROGRAMS: tuple[Callable[[Headers], str | None], ...] = (
    auto_submitted,
    auto_reply_field,
    auto_precedence,
    exchange_auto_reply,
    vacation_subject,
    feedback_report,
)


def automatic_reason(headers: Headers) -> str | None:
    """By what a program is known to have sent the mail, or None for a person's mail."""
    return next((reason for rule in BY_PROGRAMS if (reason := rule(headers))), None)
