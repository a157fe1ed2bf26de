"""What is kept of a mail that held a pass phrase once it is settled: who wrote what, and not the phrase."""

from __future__ import annotations

from referee.offices.ports.mail import Mail

_NOTE = "(The rest of this mail was not kept: it held a pass phrase.)"


def without_phrases(mail: Mail) -> bytes:
    """The mail's head and its writer's own words; they are without the lines that held a phrase, as all readers behind
    the post see them. Quotes, attachments and other copies of the text are gone."""
    head = {
        "From": f"{mail.sender_name} <{mail.sender}>".strip(),
        "Subject": mail.subject,
        "Message-ID": mail.message_id or "",
        "References": " ".join(mail.references),
        "Content-Type": "text/plain; charset=utf-8",
        "Content-Transfer-Encoding": "8bit",
    }
    fields = [f"{name}: {' '.join(value.split())}" for name, value in head.items() if value]
    text = "\r\n".join([*fields, "", *(line.text for line in mail.own), "", _NOTE, ""])
    return text.encode("utf-8", "backslashreplace")
