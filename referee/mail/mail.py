"""A mail as whoever judges it sees it: what was understood, whom it is from, what triage thinks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from datetime import datetime
from typing import TYPE_CHECKING, Literal, NamedTuple

from referee.core.value import Value

if TYPE_CHECKING:
    from referee.core.answers import Hints
    from referee.core.value import FreeText, LeftOut, Line
    from referee.language.wishes import Wishes


Triaged = Literal["read", "discard", "hold", "bounce"]
Consent = Literal["yes", "no", "neither"]
Agreement = Literal["", "words", "reaction"]
ARMOUR = "an OpenPGP signature"  # what is left out of signed words


class Tag(Value):
    """What a subject says. `game` is a slug; `kind` the demand kind its heading names, `heading` its words;
    `stated` numbers beside it (seat, round, cycle, turn); `brackets` bracketed words, one of which may name the
    match; `preview` asks for a dry run; `command` with its `argument` is for the office itself; `text` is all of it,
    without prefixes, brackets and the `ending`: the question marks that ask for the dry run, where no word does."""

    game: str | None = None
    heading: FreeText = ""
    kind: str | None = None
    stated: Mapping[str, int] = field(default_factory=dict)
    brackets: tuple[str, ...] = ()
    preview: bool = False
    command: str | None = None
    argument: FreeText = ""
    text: FreeText = ""
    ending: str = ""


class Identified(NamedTuple):
    """What a mail's fields say before it is kept: a `digest` that makes it the same mail as another, its Message-ID and
    its sender's address. If that was asked, what tells where it goes: the letters that it answers, what its subject
    says, the reply addresses that it was written to."""

    digest: str
    message_id: str | None
    sender: str | None
    references: tuple[str, ...] = ()
    tag: Tag | None = None
    tokens: tuple[str, ...] = ()


class Triage(Value):
    """What becomes of a mail before anyone looks for orders in it."""

    # read: a person's; discard: nobody's, never answered; hold: for the moderator; bounce: a letter of ours came back
    disposition: Triaged
    reason: str  # for the moderator and the log
    suspect: bool = False  # in doubt is who sent it, not how it is written


class Evidence(Value):
    """What a trusted server says of a mail's sender."""

    # aligned: it vouches for the domain of From; failed: it says the mail is not from there; none: nothing that counts
    kind: Literal["aligned", "failed", "none"]
    detail: str  # why, for letters and logs
    signature: str = ""  # the digest of the signature that proves it


class Failure(Value):
    """One recipient, by all the addresses that the report gives him: the one that was written to, and the one that
    the letter was passed on to. `status` is RFC 3463's, like 5.1.1, or ''; `permanent` when it will not work later
    either."""

    addresses: tuple[str, ...]
    status: str
    permanent: bool
    note: str


class Bounce(Value):
    """The failures a report tells, and the Message-IDs that it names: one of them is of the letter that came back. Who
    wrote the report, nobody knows: it is worth what these ids prove."""

    failures: tuple[Failure, ...]
    letter_ids: tuple[str, ...]


class Mail(Value):
    """Everything the collector needs of a mail. No line with a pass phrase is in `own`, `quoted` or `left_out`."""

    message_id: str | None
    references: tuple[str, ...]
    sender: str | None
    whose: str  # by which its address is compared with others; empty where there is none
    sender_name: FreeText
    subject: FreeText
    own: tuple[Line, ...]
    quoted: tuple[Line, ...]
    left_out: tuple[LeftOut, ...]
    faults: tuple[str, ...]
    evidence: Evidence
    tag: Tag
    triage: Triage
    words: str  # the digest of sender, subject and own words
    resend: str  # the same with the mail's own Date
    automatic: bool
    hints: Hints = field(compare=False, repr=False)  # by which its words are read
    wishes: Wishes  # what it asks of the desk in other words than a command's
    written: datetime | None = None  # its own Date
    bounce: Bounce | None = None
    office: str = "collector"  # to which it was written
    tokens: tuple[str, ...] = ()  # of reply addresses it was written to
    secret: bool = False  # whether it stated a pass phrase, which players once had
    agrees: Agreement = ""  # whether it is OK and no more: in words, or by the sign of a reaction
    consent: Consent = "neither"  # what it says to a question of ours: only a plain Yes or No is one
    # of a mail with two of a field that may stand once: the addresses of every From
    claimed: tuple[str, ...] | None = None
    # the last of its own words, where they are those of a text attachment beside words, and what that is called
    attached: tuple[tuple[Line, ...], str] | None = None
