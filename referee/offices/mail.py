"""A mail as the collector sees it: what was understood, whom it is from, and what triage thinks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, Protocol

from referee.core.complaint import Line

Disposition = Literal["read", "discard", "hold", "bounce"]


@dataclass(frozen=True, slots=True)
class Tag:
    """What a subject says. `game` is a slug; `kind` the demand kind its heading names, `heading` its words;
    `stated` numbers beside it (seat, round, cycle, turn); `brackets` bracketed words, one of which may name the
    match; `preview` asks for a dry run; `command` with its `argument` is for the office itself."""

    game: str | None = None
    heading: str = ""
    kind: str | None = None
    stated: Mapping[str, int] = field(default_factory=dict)
    brackets: tuple[str, ...] = ()
    preview: bool = False
    command: str | None = None
    argument: str = ""


@dataclass(frozen=True, slots=True)
class Mail:
    """Everything the collector needs of a mail. No line with a pass phrase is in `own` or `quoted`.

    `evidence` is what a trusted server (or a signature) says of the sender: `aligned`, `failed` or `none`, and in words
    why. `words` is the digest of sender, subject and own words,
    `resend` of the same with the mail's own Date."""

    message_id: str | None
    references: tuple[str, ...]
    sender: str | None
    sender_name: str
    subject: str
    own: tuple[Line, ...]
    quoted: tuple[Line, ...]
    left_out: tuple[tuple[str, int], ...]
    faults: tuple[str, ...]
    evidence: tuple[str, str]
    tag: Tag
    disposition: Disposition
    reason: str
    words: str
    resend: str
    automatic: bool
    failed: tuple[
        tuple[str, str, bool], ...
    ] = ()  # of a bounce: addresses, what is said of them, whether for good
    returned: str | None = None  # of a bounce: the Message-ID of the letter that came back
    office: str = "collector"  # to which it was written
    tokens: tuple[str, ...] = ()  # of reply addresses it was written to
    phrases: tuple[
        tuple[str, str], ...
    ] = ()  # pass phrases stated in it: ("", words), ("old", words), ("new", words)


class Reader(Protocol):
    """Bytes to Mail, total: any bytes give a Mail."""

    def read(self, raw: bytes, *, cut: bool = False) -> Mail: ...

    def identity(self, raw: bytes) -> tuple[str, str | None, str | None]:
        """What makes a mail the same mail as another (a digest), its Message-ID and its sender's address."""
