"""The desk's verbs: one table makes the command line with its help, what a moderator's mail may say, and the words of
the answer. What an order's words come to stands in `orders`, and how it is done in `acts`. `referee --help` reads it,
so nothing is loaded for it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, NamedTuple

MOST = 999_999_999  # of a number that is given: whatever keeps it has room for it


class Argument(NamedTuple):
    """What an order takes: a word or several, behind an option of that name, whose dashes a mail may leave away, or in
    their `place`; or a flag. A mail may give it any of the `other` names, and where it is `loose` none."""

    name: str
    metavar: str = ""
    help: str = ""
    kind: Literal["text", "number", "flag"] = "text"
    place: bool = False
    needed: bool = False
    many: bool = False  # it may be given more than once
    most: int = 99  # of a number; 1 is the least
    off: str = ""  # the flag that says the contrary
    other: tuple[str, ...] = ()
    loose: bool = False


class Verb(NamedTuple):
    """An order of a kind. What `tells` needs no evidence; what `touches` players needs a reason, which they are told.
    What was done is said so at the command line (`said`) and by mail (`done`); `form` stands behind the match where a
    mail is told how it is written."""

    help: str
    of: Literal["desk", "match", "mail"]
    does: Literal["tells", "touches", "acts"]
    takes: tuple[Argument, ...]
    said: str = ""
    done: str = ""
    form: str = ""
    by_mail: bool = True

    @property
    def arguments(self) -> tuple[Argument, ...]:
        """All that it takes, in the order of its help."""
        match = (MATCH,) if self.of == "match" and _ANY_MATCH not in self.takes else ()
        more = (WHY, NOW) if self.does != "tells" else () if JSON in self.takes else (JSON,)
        return *match, *self.takes, *more

    @property
    def flags(self) -> frozenset[str]:
        """Those that a mail may name."""
        flags = (each for each in self.takes if each.kind == "flag" and each != JSON)
        return frozenset(name for each in flags for name in (each.name, each.off) if name)

    @property
    def slots(self) -> Mapping[str, Argument]:
        """By each name that a mail may give it, what stands behind a name; the reason apart."""
        inner = [each for each in self.takes if each.kind != "flag" and each != NOW]
        named = {each.name: each for each in inner if not each.place}
        return named | {name: each for each in inner for name in each.other}


MATCH = Argument("match", "MATCH", "The match's name: see `referee list`.", place=True, needed=True)
_ANY_MATCH = Argument("match", "MATCH", "The match's name.", place=True)
_EVERY = Argument("all", help="Every match in which time runs.", kind="flag")
_SEAT = Argument("seat", "N", "Only this seat.", "number", other=("player",))
_BY = Argument("by", "SPAN", "Such as 3d or 12h.", loose=True)
_UNTIL = Argument("until", "TIME", "ISO 8601 with offset or Z.")
_WHERE = 'A round such as "Round 3 / Player 2", or a public position.'
_TO = Argument("to", "WHERE", _WHERE, needed=True, loose=True)
_TURN = Argument("turn", "TURN", 'Such as "Round 3 / Player 2".', needed=True, loose=True)
_RULING = Argument("illegal", help="The ruling.", kind="flag", off="legal")
OPTION = Argument("option", "NAME=VALUE", "An option of the game, as often as needed.", many=True, loose=True)
_FILES = "Take the game's data files (such as fourplay/pieces.toml) as they are now."
_DATA = Argument("data", help=_FILES, kind="flag")
_NUMBER = Argument(
    "number", "N", "The seat's number.", "number", True, True, other=("player", "seat"), loose=True
)
_NAMED = '"NAME <ADDRESS>; ZONE"'
_PERSON = Argument(
    "person",
    _NAMED,
    "The zone may be left away.",
    place=True,
    needed=True,
    other=("with", "by", "to"),
    loose=True,
)
_DEPUTY = Argument("person", _NAMED, place=True)
_OFF = Argument("off", help="Nobody any more.", kind="flag")
_TEXT = Argument("text", "TEXT", "What to say.", place=True, needed=True)
_HOW = Argument("as", "HOW", "called-off, drawn or won.", needed=True)
_WINNER = Argument("winner", "N", "Who has won; as often as needed.", "number", many=True)
_SEEN_AS = Argument("as", "N", "What this seat may see.", "number", other=("seat", "player"))
_PRIVATE = Argument("moderator", help="Also who has answered (never what).", kind="flag")
MAIL = Argument("which", "ID", "The mail's number.", "number", place=True, needed=True, most=MOST, loose=True)
_IDS = "The mail's number, as alarms and `doctor` tell it; a match whose own answer the referee did not find; or `all`."
_WHICH = Argument("which", "ID", _IDS, place=True, needed=True, loose=True)
CHECK = Argument("check", help="Only tell what would be; nothing is changed.", kind="flag")
WHY = Argument("why", "TEXT", "Why; it goes into the record and to the players.")
NOW = Argument("now", "TIME", "The clock: ISO 8601 with offset or Z. Without it, the machine's.")
JSON = Argument("json", help="One JSON document on standard output, nothing else.", kind="flag")

VERBS: Mapping[str, Verb] = {
    "list": Verb("All matches.", "desk", "tells", ()),
    "show": Verb(
        "One match: phase, who owes what until when, board.", "match", "tells", (_SEEN_AS, _PRIVATE)
    ),
    "extend": Verb(
        "Move a deadline.",
        "match",
        "touches",
        (_ANY_MATCH, _EVERY, _SEAT, _BY, _UNTIL),
        "extended",
        "new deadlines",
        "by 2d",
    ),
    "pause": Verb("Stop a match's clock.", "match", "touches", (), "paused", "paused"),
    "resume": Verb(
        "Let a paused match go on; the time of the pause is added to every deadline.",
        "match",
        "touches",
        (),
        "resumed",
        "it goes on",
    ),
    "rewind": Verb(
        "Set the game back; what came later is void.",
        "match",
        "touches",
        (_TO, CHECK),
        "rewound to {to}",
        "rewound",
        'to "ROUND"',
    ),
    "rule": Verb(
        "Rule on an earlier turn; an illegal one within the Statute of Limitations is rewound.",
        "match",
        "touches",
        (_TURN, _RULING),
        "{turn} ruled {ruling}",
        "ruled",
        'turn "TURN" illegal',
    ),
    "amend": Verb(
        "Change options or data of a running match; `games` shows which options may change.",
        "match",
        "touches",
        (OPTION, _DATA, CHECK),
        "amended",
        "amended",
    ),
    "replace": Verb(
        'Give a seat to another person ("Name <address>; Zone").',
        "match",
        "touches",
        (_NUMBER, _PERSON),
        "Player {number} is {name}",
        "the seat is somebody else's",
    ),
    "say": Verb("Tell all players and observers something.", "match", "acts", (_TEXT, _SEAT), "said", "said"),
    "end": Verb(
        "End a match: called off, drawn or won.",
        "match",
        "touches",
        (_HOW, _WINNER),
        "{how}",
        "ended",
        "as called-off",
    ),
    "vacate": Verb(
        "Take a seat from its player; others may join.",
        "match",
        "touches",
        (_NUMBER,),
        "the seat of Player {number} is vacant",
        "the seat is vacant",
    ),
    "substitute": Verb(
        "Name who plays on when a seat falls vacant, and stands in while its player is away.",
        "match",
        "acts",
        (_NUMBER, _DEPUTY, _OFF),
        "{name} is the substitute of Player {number}",
        by_mail=False,
    ),
    "reject": Verb(
        "Settle a held or shunted mail without effect; its sender is told why.", "mail", "touches", (MAIL,)
    ),
    "desk": Verb(
        "Everything that waits for a person, with the commands that settle it.", "desk", "tells", (JSON, NOW)
    ),
    "mail": Verb(
        "A kept mail. What may hold a sealed answer is not shown before its reveal.", "mail", "tells", (MAIL,)
    ),
    "release": Verb(
        "Let a held mail (its number, or `all`) be judged; or a held search (its match) be tried again.\n\n"
        "The name of a proposal: those whom it names and nobody knows here are asked.",
        "mail",
        "acts",
        (_WHICH,),
    ),
    "unshunt": Verb(
        "Judge a shunted mail (its number, or `all`) once more; or try a held search (its match) again.",
        "mail",
        "acts",
        (_WHICH,),
    ),
}
MAILED = frozenset(name for name, verb in VERBS.items() if verb.by_mail)
TELLING = frozenset(name for name, verb in VERBS.items() if verb.does == "tells")
