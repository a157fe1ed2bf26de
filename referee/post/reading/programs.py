"""What a program is known by that sent a mail by itself: its fields, and nothing else of it (RFC 3834)."""

from __future__ import annotations

from collections.abc import Iterator

from referee.post.reading.headers import Headers
from referee.post.reading.languages.phrases import ABSENCES

_AUTO_REPLIES = "x-autoreply x-autorespond x-autoresponder x-auto-reply x-mail-autoreply x-autoreply-from"
_EXCHANGE_RULES = ("x-ms-exchange-inbox-rules-loop", "x-ms-exchange-generated-message-source")


def signs_of_a_program(headers: Headers) -> Iterator[str]:
    """Each sign that a program has sent the mail, the surest first; none of a person's mail."""

    def said(name: str) -> str:
        return (headers.first(name) or "").strip().lower()

    submitted = said("auto-submitted").split(";")[0].strip()
    if submitted and submitted != "no":  # RFC 3834, 5
        yield f"Auto-Submitted: {submitted[:40]}"
    answering = headers.any_of(
        *_AUTO_REPLIES.split()
    )  # set only by programs that answer for an absent person
    if answering and (headers.first(answering) or "yes").strip().lower() not in ("no", "false", "0"):
        yield f"the field {answering}"
    precedence = said("precedence")
    if precedence.replace("-", "_") == "auto_reply":  # bulk, list and junk say less: see `triage`
        yield "Precedence: auto_reply"
    rules, suppressed = any(map(headers.first, _EXCHANGE_RULES)), headers.first("x-auto-response-suppress")
    unasked = said("return-path") == "<>" or precedence in ("bulk", "junk")
    subject = headers.text("subject")[:200].lower() if rules or suppressed or unasked else ""
    absent = any(words in subject for words in ABSENCES)  # which says nothing by itself
    if absent and rules:
        yield "an Exchange rule's answer"
    elif absent and suppressed:  # by itself it stands on ordinary letters too
        yield "an out-of-office answer of Exchange"
    if absent and unasked:
        yield "a vacation notice"
    kind = (headers.first("content-type") or "").lower()
    if kind.startswith("multipart/report"):
        receipt = "disposition-notification" in kind
        yield "a return receipt" if receipt else "a report on another mail"
