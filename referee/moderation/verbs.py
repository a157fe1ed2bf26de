"""The desk's verbs: one table makes the command line with its help, what a moderator's mail may
say, and the words of the answer. What an order's words come to stands in `orders`, and how it is
done in `acts`. `referee --help` reads it, so nothing is loaded for it."""

from collections.abc import Mapping
from typing import Literal, NamedTuple

MOST = 999_999_999  # of a number that is given: whatever keeps it has room for it
MOST_SEED = 10**18 - 1


class Argument(NamedTuple):
    """What an order takes: a word or several, behind an option of that name, whose dashes a mail
    may leave away, or in their `place`; or a flag. A mail may give it any of the `other` names,
    and where it is `loose` none; what is the `shells` it can't give."""

    name: str
    metavar: str = ""
    help: str = ""
    kind: Literal["text", "number", "flag"] = "text"
    place: bool = False
    needed: bool = False
    many: bool = False  # it may be given more than once
    most: int = 99  # of a number
    least: int = 1
    off: str = ""  # the flag that says the contrary
    other: tuple[str, ...] = ()
    loose: bool = False
    shells: bool = False


class Verb(NamedTuple):
    """An order of a kind. What `tells` needs no evidence; what `touches` players needs a reason,
    which they are told. What was done is said so at the command line (`said`) and by mail
    (`done`); `form` stands behind the match where a mail is told how it is written."""

    help: str
    of: Literal["desk", "match", "mail"]
    does: Literal["tells", "touches", "acts"]
    takes: tuple[Argument, ...]
    said: str = ""
    done: str = ""
    form: str = ""

    @property
    def arguments(self) -> tuple[Argument, ...]:
        """All that it takes, in the order of its help."""
        match = (MATCH,) if self.of == "match" and _ANY_MATCH not in self.takes else ()
        trial = (CHECK,) if self.of == "match" and self.does != "tells" else ()
        more = () if JSON in self.takes else (WHY, NOW) if self.does != "tells" else (JSON,)
        return *match, *self.takes, *trial, *more

    @property
    def addresses(self) -> list[Argument]:
        """Those in whose place a bare address stands."""
        return [each for each in self.takes if each.place and each.metavar == _ADDRESS]

    @property
    def flags(self) -> frozenset[str]:
        """Those that a mail may name."""
        flags = (each for each in self.takes if each.kind == "flag" and each != JSON)
        return frozenset(name for each in flags for name in (each.name, each.off) if name)

    @property
    def slots(self) -> Mapping[str, Argument]:
        """By each name that a mail may give it, what stands behind a name; the reason apart."""
        inner = [each for each in self.takes if each.kind != "flag" and each != NOW and not each.shells]
        named = {each.name: each for each in inner if not each.place}
        return named | {name: each for each in inner for name in each.other}


MATCH = Argument("match", "MATCH", "The match's name: see `referee list`.", place=True, needed=True)
_ADDRESS = "ADDRESS"
_OLD = Argument("old", _ADDRESS, "The address that is lost.", place=True, needed=True)
_NEW = Argument("new", _ADDRESS, "The new one, which is asked.", place=True, needed=True)
_MODERATOR = Argument("new", _ADDRESS, "The moderator who takes over.", place=True, needed=True)
_LEAVES = Argument("from", _ADDRESS, "Who hands over; else the first.")
_BESIDE = Argument("beside", help="Nobody leaves: there is one moderator more.", kind="flag")
_AWAY = Argument("off", help="ADDRESS leaves the desk at once, and nobody comes instead.", kind="flag")
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
_ZONED, _BY_WORD = "The zone may be left away.", ("with", "by", "to")
_PERSON = Argument("person", _NAMED, _ZONED, place=True, needed=True, other=_BY_WORD, loose=True)
_DEPUTY = _PERSON._replace(help="", needed=False)
_OFF = Argument("off", help="Nobody any more.", kind="flag")
_TEXT = Argument("text", "TEXT", "What to say.", place=True)
_SAID = (_ANY_MATCH, _TEXT, _SEAT, Argument("all", help="To every match that goes on.", kind="flag"))
_HOW = Argument("as", "HOW", "called-off, drawn or won.", needed=True)
_WINNER = Argument("winner", "N", "Who has won; as often as needed.", "number", many=True)
_SEEN_AS = Argument("as", "N", "What this seat may see.", "number", other=("seat", "player"))
_PRIVATE = Argument("moderator", help="Also who has answered (never what).", kind="flag")
MAIL = Argument("which", "ID", "The mail's number.", "number", place=True, needed=True, most=MOST, loose=True)
_LETTER = "The mail's number; or a letter that may have left, such as letter-7."
_SETTLED = MAIL._replace(kind="text", help=_LETTER)
_IDS = "The mail's number, as alarms and `doctor` tell it; a match whose own answer the referee did not find; or `all`."
_WHICH = Argument("which", "ID", _IDS, place=True, needed=True, loose=True)
CHECK = Argument("check", help="Only tell what would be; nothing is changed.", kind="flag")
WHY = Argument("why", "TEXT", "Why; it goes into the record and to the players.")
NOW = Argument("now", "TIME", "The clock: ISO 8601 with offset or Z. Without it, the machine's.")
JSON = Argument("json", help="One JSON document on standard output, nothing else.", kind="flag")
_SEATED = "Once for each player; the zone, such as Europe/Berlin, may be left away."
_VACANT = "So many seats more, to be joined by mail."
_SEEDED = "Draw the match's chance from this number; the opening letter says so."
_BEACON = "A public value, named beforehand, mixed into the draw."
_RECORD = "Go on from another match's record (JSON): its options, data and seats."
_AT = "The public position to go on from; the record's last without it."
_OPENED = (
    Argument("game", "GAME", "The game: see `referee games`.", place=True, needed=True, loose=True),
    Argument("seat", _NAMED, _SEATED, many=True, loose=True),
    Argument("vacant", "N", _VACANT, "number", least=0),
    Argument("name", "NAME", "The match's name; GAME-1, GAME-2 ... without it."),
    OPTION,
    Argument("seed", "N", _SEEDED, "number", least=-MOST_SEED, most=MOST_SEED, shells=True),
    Argument("beacon", "TEXT", _BEACON),
    Argument("record", "FILE", _RECORD, shells=True),
    Argument("at", "N", _AT, "number", least=0, most=MOST, shells=True),
    NOW,
    JSON,
)

_OPENS = "Open a match; the letters go out at the next step."
_WRITTEN = 'GAME --seat "Name <address>" --seat "Name <address>"'
_LATER = (_ANY_MATCH, _EVERY, _SEAT, _BY, _UNTIL)
_ENDED = "End a match: called off, drawn or won."
_VACATED = "Take a seat from its player; others may join."
_NOBODYS = "the seat of Player {number} is vacant"
_SHOWN = "One match: phase, who owes what until when, board."
_RESUMED = "Let a paused match go on; the time of the pause is added to every deadline."
_REWOUND = "Set the game back; what came later is void."
_RULED = "Rule on an earlier turn; an illegal one within the Statute of Limitations is rewound."
_IS_RULED = "{turn} ruled {ruling}"
_AMENDED = "Change options or data of a running match; `games` shows which options may change."
_GIVEN = 'Give a seat to another person ("Name <address>; Zone").'
_IS_NOW = "Player {number} is {name}"
_DEPUTED = "Name who plays on when a seat falls vacant, and stands in while its player is away."
_DEPUTIES = (_NUMBER, _DEPUTY, _OFF)
_STANDS_BY = "{name} is the substitute of Player {number}"
_LOST = "Let a player whose address is lost go by a new one everywhere, once that has said Yes."
_HANDED = "Hand the desk over: to another moderator, or to one more; or take it from one."
_REJECTED = "Settle a held or shunted mail without effect; its sender is told why. A letter leaves no more."
_WAITING = "Everything that waits for a person, with the commands that settle it."
_KEPT = "A kept mail. What may hold a sealed answer is not shown before its reveal."
_RELEASED = "Let a held mail (its number, or `all`) be judged; or a held search (its match) be tried again."
_LET_IN = "The name of a proposal: those whom it names and nobody knows here are asked."
_UNSHUNTED = "Judge a shunted mail (its number, or `all`) once more; or try a held search (its match) again."
_COMING = (_MODERATOR, _LEAVES, _BESIDE, _AWAY)

VERBS: Mapping[str, Verb] = {
    "list": Verb("All matches.", "desk", "tells", ()),
    "open": Verb(_OPENS, "desk", "acts", _OPENED, "", "opened", _WRITTEN),
    "show": Verb(_SHOWN, "match", "tells", (_SEEN_AS, _PRIVATE)),
    "extend": Verb("Move a deadline.", "match", "touches", _LATER, "extended", "new deadlines", "by 2d"),
    "pause": Verb("Stop a match's clock.", "match", "touches", (), "paused", "paused"),
    "resume": Verb(_RESUMED, "match", "touches", (), "resumed", "it goes on"),
    "rewind": Verb(_REWOUND, "match", "touches", (_TO,), "rewound to {to}", "rewound", 'to "ROUND"'),
    "rule": Verb(_RULED, "match", "touches", (_TURN, _RULING), _IS_RULED, "ruled", 'turn "TURN" illegal'),
    "amend": Verb(_AMENDED, "match", "touches", (OPTION, _DATA), "amended", "amended"),
    "replace": Verb(_GIVEN, "match", "touches", (_NUMBER, _PERSON), _IS_NOW, "the seat is somebody else's"),
    "say": Verb("Tell all players and observers something.", "match", "acts", _SAID, "said", "said"),
    "end": Verb(_ENDED, "match", "touches", (_HOW, _WINNER), "{how}", "ended", "as called-off"),
    "vacate": Verb(_VACATED, "match", "touches", (_NUMBER,), _NOBODYS, "the seat is vacant"),
    "substitute": Verb(_DEPUTED, "match", "acts", _DEPUTIES, _STANDS_BY, "", '2 "Name <address>"'),
    "address": Verb(_LOST, "desk", "touches", (_OLD, _NEW), "", "asked", "old@example.org new@example.org"),
    "handover": Verb(_HANDED, "desk", "acts", _COMING, "", "handed over", "new@example.org"),
    "reject": Verb(_REJECTED, "mail", "touches", (_SETTLED,)),
    "desk": Verb(_WAITING, "desk", "tells", (JSON, NOW)),
    "mail": Verb(_KEPT, "mail", "tells", (MAIL,)),
    "release": Verb(f"{_RELEASED}\n\n{_LET_IN}", "mail", "acts", (_WHICH,)),
    "unshunt": Verb(_UNSHUNTED, "mail", "acts", (_WHICH,)),
}
TELLING = frozenset(name for name, verb in VERBS.items() if verb.does == "tells")
