"""The tables. Moments are stored as ISO 8601 text in UTC, of one width, so that they sort and can be read."""

from __future__ import annotations

import hashlib
from datetime import UTC, datetime

import sqlalchemy as sa


class Moment(sa.types.TypeDecorator[datetime]):
    """An aware datetime, to the microsecond, as text."""

    impl = sa.String(27)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: sa.Dialect) -> str | None:
        return None if value is None else f"{value.astimezone(UTC).isoformat('T', 'microseconds')[:26]}Z"

    def process_result_value(self, value: str | None, dialect: sa.Dialect) -> datetime | None:
        return None if value is None else datetime.fromisoformat(value)


class Foreign(sa.types.TypeDecorator[str]):
    """Text that came from outside, whatever is in it: what a database would not take (NUL, lone surrogates) is
    written as escapes, and an index over it never sees more than `LONGEST` characters."""

    impl = sa.Text
    cache_ok = True
    LONGEST = 250

    def __init__(self, *, indexed: bool = False) -> None:
        super().__init__()
        self._longest = self.LONGEST if indexed else None

    def process_bind_param(self, value: str | None, dialect: sa.Dialect) -> str | None:
        return None if value is None else _storable(value, self._longest)


def _storable(text: str, longest: int | None) -> str:
    """The text as every database takes it; one that is too long ends in the digest of the whole."""
    plain = text.encode("utf-8", "backslashreplace").decode().replace("\x00", "\\x00")
    if longest is None or len(plain) <= longest:
        return plain
    return f"{plain[: longest - 64]}{hashlib.sha256(plain.encode()).hexdigest()}"


def as_indexed(text: str) -> str:
    """What an indexed column of foreign text holds of it: to find it among rows again."""
    return _storable(text, Foreign.LONGEST)


metadata = sa.MetaData()


def _table(name: str, *parts: sa.schema.SchemaItem) -> sa.Table:
    return sa.Table(name, metadata, *parts)


matches = _table(
    "matches",
    sa.Column("name", sa.String(80), primary_key=True),
    sa.Column("game", sa.String(40), nullable=False),
    sa.Column("status", sa.String(10), nullable=False),
    sa.Column("phase", sa.Text, nullable=False),
    sa.Column("version", sa.Integer, nullable=False),
    sa.Column("opened_at", Moment, nullable=False),
    sa.Column("stamp", sa.String(80), nullable=False),
    sa.Column("state", sa.Text, nullable=False),  # a cache: the ledger is the truth
    sa.Column("lapses_at", Moment, index=True),
    sa.Column("reminds_at", Moment, index=True),
    sa.Column("computes", sa.Boolean, nullable=False, default=False, index=True),
    sa.Column("vacant", sa.Boolean, nullable=False, default=False, server_default=sa.false(), index=True),
    sa.Column("table", Foreign(indexed=True)),  # with which others it is compared when all have ended
    sa.Column("facts", sa.Text),  # how it stands in public: a cache, with what it was made by
    sa.Index("matches_compared", "game", "table"),
)

ledger = _table(
    "ledger",
    sa.Column("match", sa.ForeignKey("matches.name"), primary_key=True),
    sa.Column("version", sa.Integer, primary_key=True),
    sa.Column("position", sa.Integer, nullable=False),
    sa.Column("cause", sa.Integer, nullable=False),
    sa.Column("at", Moment, nullable=False),
    sa.Column("since", Moment),  # when the stimulus happened, where that was before the pass
    sa.Column("public", sa.Boolean, nullable=False),
    sa.Column("kind", sa.String(40), nullable=False),
    sa.Column("body", sa.Text, nullable=False),
)

seats = _table(
    "seats",
    sa.Column("match", sa.ForeignKey("matches.name"), primary_key=True),
    sa.Column("address", Foreign(indexed=True), primary_key=True),
    sa.Column("seat", sa.Integer, primary_key=True),
    sa.Index("seats_by_address", "address"),
)

former_seats = _table(  # the addresses of those who sat there before
    "former_seats",
    sa.Column("match", sa.ForeignKey("matches.name"), primary_key=True),
    sa.Column("address", Foreign(indexed=True), primary_key=True),
    sa.Index("former_seats_by_address", "address"),
)

stuck = _table(  # the referee's own answer was not found in this version of the match
    "stuck",
    sa.Column("match", sa.ForeignKey("matches.name"), primary_key=True),
    sa.Column("version", sa.Integer, nullable=False),
)

people = _table(
    "people",
    sa.Column("address", Foreign(indexed=True), primary_key=True),
    sa.Column("medium", sa.String(8), nullable=False),  # both, text, html
    sa.Column("digest", sa.Boolean, nullable=False),
    sa.Column("apart", sa.Text, nullable=False, default="", server_default=""),  # where it is otherwise
    sa.Column("failing", Moment),  # since when letters do not arrive
    sa.Column("note", Foreign()),
    sa.Column("owner", Foreign(indexed=True)),  # the address that has proved this one to be its own
    # a pass phrase or a key was kept for it by 0.2.0
    sa.Column("guarded", sa.Boolean, nullable=False, default=False, server_default=sa.false()),
    sa.Index("people_by_owner", "owner"),
)

reply_tokens = _table(
    "reply_tokens",
    sa.Column("token", sa.String(40), primary_key=True),
    sa.Column("match", sa.ForeignKey("matches.name"), nullable=False, index=True),
    sa.Column("seat", sa.Integer, nullable=False),
)

inbox = _table(
    "inbox",
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("uid", Foreign(indexed=True), nullable=False),
    sa.Column("identity", sa.String(64), nullable=False, unique=True),
    sa.Column("arrived", Moment, nullable=False),
    sa.Column("size", sa.Integer, nullable=False),
    sa.Column("cut", sa.Boolean, nullable=False),
    sa.Column("raw", sa.LargeBinary, nullable=False),
    sa.Column("message_id", Foreign(indexed=True)),
    sa.Column("sender", Foreign(indexed=True)),
    sa.Column("words", sa.String(64)),  # digest of the sender's own words
    sa.Column("resend", sa.String(64)),  # the same with the mail's own Date
    sa.Column("verdict", sa.String(12)),
    sa.Column("reason", Foreign()),
    sa.Column("match", sa.String(80)),
    sa.Column("seat", sa.Integer),
    sa.Column("settled_at", Moment),  # the clock of the pass that settled it
    sa.Column("filed", sa.Boolean, nullable=False, default=False),
    sa.Column("released", sa.Boolean, nullable=False, default=False),
    sa.Column("confirmed", sa.Boolean, nullable=False, default=False, server_default=sa.false()),
    sa.Column("signature", sa.String(64), index=True),  # digest of the signature that proves it
    sa.Column("strength", sa.Integer),  # how much it proved when it was settled
    sa.Column("agreed", sa.Boolean, nullable=False, default=False, server_default=sa.false()),
    # with which others it is judged one after another, where several workers judge: a match's name, or whose it is
    sa.Column("ordering_key", Foreign(indexed=True), key="key"),
    # it waits for the referee's own answer: what others wait for must not be held up by it
    sa.Column("waits", sa.Boolean, nullable=False, default=False, server_default=sa.false()),
    sa.Index("inbox_open", "verdict", "arrived", "id"),
    sa.Index("inbox_keys", "key", "verdict", "arrived"),
    sa.Index("inbox_unfiled", "filed", "verdict"),
    sa.Index("inbox_words", "words"),
    sa.Index("inbox_resend", "resend"),
    sa.Index("inbox_uid", "uid"),
    sa.Index("inbox_message_id", "message_id"),
)

claims = _table(  # mails (by uid) that a pass after a broken one was looking at when it ended; how often
    "claims",
    sa.Column("uid", Foreign(indexed=True), primary_key=True),
    sa.Column("times", sa.Integer, nullable=False),
)

# Of matches that several workers look after: up to when all that befell one is judged.
match_clocks = _table(
    "match_clocks",
    sa.Column("match", sa.ForeignKey("matches.name"), primary_key=True),
    sa.Column("reached", Moment, nullable=False),
)

outages = _table(  # the referee's own outages, of each match that has not been given the time back yet
    "outages",
    sa.Column("match", sa.ForeignKey("matches.name"), primary_key=True),
    sa.Column("since", Moment, primary_key=True),
    sa.Column("seconds", sa.Integer, nullable=False),
)

# The words of letters, each once however many letters hold it, under the digest of its content.
sheets = _table(
    "sheets",
    sa.Column("digest", sa.String(64), primary_key=True),
    sa.Column("content", sa.Text, nullable=False),
)

outbox = _table(
    "outbox",
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("message_id", sa.String(255), nullable=False, unique=True),
    sa.Column("at", Moment, nullable=False),
    sa.Column("kind", sa.String(20), nullable=False),
    sa.Column("match", sa.String(80)),
    sa.Column("seat", sa.Integer),
    sa.Column("recipient", Foreign(indexed=True), nullable=False),  # as addresses are compared
    sa.Column("answers", Foreign(indexed=True)),  # the Message-ID it answers
    sa.Column("thread", Foreign(indexed=True)),  # the first Message-ID of that thread
    sa.Column("body", sa.Text, nullable=False),  # the letter, encoded, without what stands in its sheet
    sa.Column("sheet", sa.String(64), nullable=False),
    # unsent, sent, failed, parked (nobody knows whether it was), gathered (for a digest), told (by one)
    sa.Column("state", sa.String(8), nullable=False),
    sa.Column("attempts", sa.Integer, nullable=False, default=0),
    # how often it was handed over with nobody knowing yet, or ever, what became of it: written before
    sa.Column("handed", sa.Integer, nullable=False, default=0, server_default="0"),
    sa.Column("next_try", Moment),
    sa.Column("note", Foreign()),
    sa.Column("sent_at", Moment),
    sa.Column("quota", sa.String(10)),  # whose measure it counts in; none for most letters
    sa.Column("topic", Foreign(indexed=True)),
    sa.Column("bucket", sa.String(120)),  # of a challenge: with which others it is counted
    sa.Index("outbox_buckets", "bucket", "at"),
    sa.Index("outbox_unsent", "state", "next_try"),
    sa.Index("outbox_at", "at"),
    sa.Index("outbox_answers", "recipient", "thread", "at"),
    sa.Index("outbox_strangers", "quota", "at"),
    sa.Index("outbox_quotas", "quota", "recipient", "at"),
    sa.Index("outbox_topics", "quota", "recipient", "topic", "at"),
    sa.Index("outbox_seat", "match", "seat", "kind"),
)

gatherings = _table(  # proposals and events of the club
    "gatherings",
    sa.Column("name", sa.String(80), primary_key=True),
    sa.Column("kind", sa.String(10), nullable=False),  # proposal, event
    sa.Column("game", sa.String(40), nullable=False),
    sa.Column("status", sa.String(10), nullable=False, index=True),
    sa.Column("version", sa.Integer, nullable=False),
    sa.Column("opened_at", Moment, nullable=False),
    sa.Column("wakes_at", Moment, index=True),  # when it expires, or is to be looked at
)

club_ledger = _table(
    "club_ledger",
    sa.Column("gathering", sa.ForeignKey("gatherings.name"), primary_key=True),
    sa.Column("version", sa.Integer, primary_key=True),
    sa.Column("at", Moment, nullable=False),
    sa.Column("kind", sa.String(40), nullable=False),
    sa.Column("body", sa.Text, nullable=False),
)

invitations = _table(  # who is asked to a gathering, by the token of his own reply address
    "invitations",
    sa.Column("token", sa.String(40), primary_key=True),
    sa.Column("gathering", sa.ForeignKey("gatherings.name"), nullable=False, index=True),
    sa.Column("address", Foreign(indexed=True), nullable=False),
    sa.Column("agreed", sa.Boolean, nullable=False, default=False, server_default=sa.false()),
    sa.Index("invitations_by_address", "address"),
)

moderators = _table(  # who is at the desk, in their order
    "moderators",
    sa.Column("address", Foreign(indexed=True), primary_key=True),
    sa.Column("place", sa.Integer, nullable=False),
)

never_again = _table(  # who wishes to be asked no more, and by whom
    "never_again",
    sa.Column("address", Foreign(indexed=True), primary_key=True),
    sa.Column("proposer", Foreign(indexed=True), primary_key=True),
)

club_wishes = _table(  # who wishes to stay unrated, or on no list
    "club_wishes",
    sa.Column("address", Foreign(indexed=True), primary_key=True),
    sa.Column("rated", sa.Boolean, nullable=False),
    sa.Column("listed", sa.Boolean, nullable=False),
)

event_matches = _table(
    "event_matches",
    sa.Column("match", sa.ForeignKey("matches.name"), primary_key=True),
    sa.Column("gathering", sa.ForeignKey("gatherings.name"), nullable=False, index=True),
)

withheld = _table(  # alarms that were not sent, because their kind had used up its day
    "withheld",
    sa.Column("topic", sa.String(40), primary_key=True),
    sa.Column("since", Moment, nullable=False),
    sa.Column("number", sa.Integer, nullable=False),
)

clock = _table(
    "clock",
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("last_pass", Moment),
    sa.Column("watermark", Moment),
    sa.Column("heartbeat", Moment),
    sa.Column("reached", Moment),  # the latest stimulus that was judged
    sa.Column("desk_at", Moment),  # when the desk was looked through for the daily letter
    sa.Column("witness", sa.Text),  # what is known of the machine's clock
    sa.Column("under_way", sa.Boolean, nullable=False, default=False, server_default=sa.false()),
)
