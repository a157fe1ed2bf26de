"""Declarations of readiness (601.B), with the Office's name and colours (500); leaving before play
(104); objections to earlier turns (611)."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Final

from referee.core.answers import Form, GivesUpSeat, Named, Part, Party, Reading, Said
from referee.core.chance import Chance
from referee.core.orders.keyed import bare, comment_lines, left_out, unsaid
from referee.core.value import Complaint, Demand, FreeText, Line, Value, fault
from referee.games.fourplay.board.catalogue import Catalogue
from referee.games.fourplay.cycles import last_made, latest, left, resigned, turn_label
from referee.games.fourplay.forms import fields
from referee.games.fourplay.forms.fields import RESIGNATIONS, SLOT, empty, folded, numbers_in, tidied, whole
from referee.games.fourplay.state import SEATS, ObjectionRaised, PurchaseBegun, ReadyDeclared, Record, State

DECLARATION: Final = "I am ready for battle. Let the Games begin!"

OFFICE: Final = fields.Field("Office, office name, name of office, my office")
COLOURS: Final = fields.Field("Colours, colors, colour, color, main colours, main colors, my colours")
TRIM: Final = fields.Field("Trim, trim colours, trim colors, trim colour, trim color")

_RULE: Final = "601.B"
_WORDS: Final = "".join(folded(word) for word in DECLARATION.split())

# The declaration's two sentences, folded, and what people make of them. Both must be there, in their order.
_READY: Final = (
    r"(?:(?:iam|im|weare)(?:all|now)?|(?<!not)(?<!nt)(?<!un)(?<!never)(?<!nearly)(?<!almost)(?<!yet))"
    r"ready(?:for(?:the)?(?:battles?|games?|war|play))?"
)
_BEGIN: Final = r"letthe(?:games?|battles?)(?:begin|start|commence)"
_TRIMMED: Final = re.compile(
    r"\b(?:trimmed|with trim|trim)\b(?: colou?rs?)?(?: (?:of|in|with))?:?", re.IGNORECASE
)
_PART: Final = re.compile(f"{_READY}|{_BEGIN}")
_WHOLE: Final = re.compile(f"{_READY}(?:and|so|now)?{_BEGIN}")


class Declare(Value):
    """Readiness for battle (601.B); the Office's name and colours (500) where given."""

    office: FreeText = ""
    colours: tuple[FreeText, ...] = ()
    trim: tuple[FreeText, ...] = ()
    comment: FreeText = ""


class Ready(fields.FieldForm[Declare]):
    """601.B: once the last of the four has declared, the Initial Purchase begins."""

    kind = "Ready"
    in_own_words = True  # 601.B
    parts = (Part(DECLARATION, (), "ready"),)
    clause = "601"
    keys = fields.Keys("500", (OFFICE, COLOURS, TRIM, fields.COMMENT))

    def begins(self, text: str, catalogue: Catalogue) -> bool:
        """A key, be it without a colon, the declaration or one of its two sentences."""
        first, _, rest = tidied(text).partition(" ")
        keyed = self.keys.begin(text) or (bool(rest) and self.keys.begin(f"{first}:"))
        return keyed or bool(_PART.search(folded(tidied(text))))

    def stated(self, state: State, seat: int, said: fields.Filled) -> Declare:
        """The declaration, wherever it stands in the mail; quotes, case, punctuation and line ends do not matter."""
        if not _WHOLE.search(folded("".join(tidied(line.text) for line in said.all_lines))):
            said.complain("declaration_missing", None, _RULE, declaration=DECLARATION)
        office, colours = said.text(OFFICE, "office"), said.text(COLOURS, "colours")
        trim = said.text(TRIM, "colours")
        for entry in said.sheet.of(""):
            told = _PART.search(folded(tidied(entry.line.text))) or folded(entry.value) in _WORDS
            said.complaints += () if told else (self.doubt(entry.line),)
        said.complaints += said.sheet.complaints
        main, _, beside = _TRIMMED.sub("\n", colours, count=1).partition("\n")
        trimmed = _colours(beside) + _colours(trim)
        return Declare(office.strip(" \"'"), _colours(main), trimmed, said.sheet.comment)

    def check(self, state: State, demand: Demand, action: Declare) -> Iterable[Complaint]:
        """500: the Office's name and the set of its colours are nobody else's; one or two main
        colours, at most two of trim. Both may be left out."""
        mine = {*action.colours, *action.trim}
        for player in (other for other in state.players if other.seat != demand.seat):
            if action.office and folded(action.office) == folded(player.office):
                yield fault("office_taken", "500", "office", office=action.office, by=player.seat)
            if mine and mine == {*player.colours, *player.trim}:
                yield fault("colours_taken", "500", "colours", colours=sorted(mine), by=player.seat)
        if len(action.colours) > 2 or len(action.trim) > 2 or (action.trim and not action.colours):
            yield fault("colours_count", "500", "colours", main=list(action.colours), trim=list(action.trim))
        if len(action.office) > 60 or any(len(colour) > 30 for colour in (*action.colours, *action.trim)):
            yield fault("too_long", "house", "office" if action.office else "colours")

    def write(self, state: State, demand: Demand, action: Declare) -> str:
        values = (action.office, ", ".join(action.colours), ", ".join(action.trim))
        palette = zip((OFFICE, COLOURS, TRIM), values, strict=True)
        said = [f"{field.name}: {value}" for field, value in palette if value]
        return "\n".join([DECLARATION, *said, *comment_lines(action.comment)])

    def blank(self, state: State, seat: int) -> list[str]:
        return [DECLARATION]

    def mended(self, state: State, demand: Demand, draft: Reading[Declare]) -> Form:
        """The declaration, with the Office and the colours as they were said: another choice is their owner's."""
        said: fields.Filled = draft.understood
        lines = said.again(OFFICE, COLOURS, TRIM)
        stated = {line.partition(":")[0] for line in lines}
        meant = {
            c.line: c.facts["near"]
            for c in draft.complaints
            if c.code == "key_unknown" and c.line is not None and c.facts["near"] not in stated
        }
        taken = [f"{near}: {line.text.partition(':')[2].strip()}" for line, near in meant.items()]
        chosen = tuple(f'I read "{line.text.strip()}" as `{near}:`.' for line, near in meant.items())
        unread = ("not_understood", "key_unknown")
        chosen += left_out(c.line for c in draft.complaints if c.code in unread and c.line not in meant)
        return said.form([DECLARATION, *lines, *taken], chosen)

    def act(self, record: Record, seat: int, action: Declare) -> None:
        record.tell(ReadyDeclared(seat, action.office, action.colours, action.trim, action.comment))
        if all(player.ready and not player.left for player in record.state.players):
            record.tell(PurchaseBegun(record.state.cycle, 1))

    def suggest(self, state: State, demand: Demand, chance: Chance) -> Declare:
        """A declaration, now and then with the name of an Office."""
        return Declare(office=f"Office {demand.seat}" if chance.below(2, "office") else "")


def _colours(text: str) -> tuple[str, ...]:
    words = () if empty(text) else re.split(r"[,;/+&]|\b(?:and|with|on)\b", text.lower())
    colours = (" ".join(word.split()).strip(" .\"'()") for word in words)
    return tuple(dict.fromkeys(filter(None, colours)))


# --- leaving, resigning ----------------------------------------------------------------------------------------------


class Leave(Value, GivesUpSeat):
    """Leaving before play (104), resigning in play."""

    comment: FreeText = ""


class Resign(fields.Sent[Leave]):
    """Giving up one's seat before play and between cycles (104), one's King in play (part 6)."""

    kind = "Resign"
    clause = "104"
    parts = (Part("Resign", (), "resign"),)

    def parse(self, state: State, seat: int, lines: Sequence[Line], party: Party) -> Reading[Leave]:
        return parse_leave(state, lines, party)

    def write(self, state: State, demand: Demand, action: Leave) -> str:
        return leave_text(action)

    def blank(self, state: State, seat: int) -> list[str]:
        return [leave_text(Leave())]

    def mended(self, state: State, demand: Demand, draft: Reading[Leave]) -> Form:
        """A resignation, without what was written beside it."""
        return Form(leave_text(draft.action or Leave()), left_out(c.line for c in draft.complaints))

    def act(self, record: Record, seat: int, action: Leave) -> None:
        leave = resigned if record.state.phase == "play" else left
        record.tell(*leave(record.state, seat, action.comment))

    def suggest(self, state: State, demand: Demand, chance: Chance) -> Leave:
        return Leave()


_LINES: Final = fields.Keys(
    "104", (fields.COMMENT, *(fields.Field(field.written) for field in fields.HEADER))
)


def parse_leave(state: State, lines: Sequence[Line], party: Party) -> Reading[Leave]:
    """The subject says it all; a `Comment:` line goes to everybody, other words are courtesy, but
    no order is: who leaves and moves at once may mean either."""
    entries = [_LINES.of(line) for line in lines]
    words = [entry.line for entry in entries if not entry.order and bare(entry.line.text) not in RESIGNATIONS]
    beside = tuple(unsaid("", words))
    complaints = tuple(Complaint("beside_leaving", "104", line) for line in beside)
    comment = "\n".join(entry.value for entry in entries if entry.order == "comment" and entry.value)
    courtesy = tuple(line for line in words if line not in beside)
    orders = tuple(line for line in lines if line.text.strip() and line not in courtesy)
    return Reading(Leave(comment), complaints, courtesy, orders)


def leave_text(leave: Leave) -> str:
    return "\n".join(["Resign", *comment_lines(leave.comment)])


# --- objecting -------------------------------------------------------------------------------------------------------

ROUND: Final = fields.Field("Round, round number", fields.NUMBER)
CYCLE: Final = fields.Field("Cycle, cycle number", fields.NUMBER)
OFFENDER: Final = fields.Field("Turn of Player, turn of, player, player number, offender", fields.NUMBER)
REASON: Final = fields.Field("Reason, because, why, grounds, comment")


class Objection(Value):
    """An earlier turn said to be illegal, and why (611). `label` is its round's."""

    cycle: int
    round: int
    player: int
    reason: FreeText
    label: str


class Objecting(fields.FieldForm[Objection]):
    """A ruling asked for on an earlier turn; the match rewinds where it was illegal."""

    kind = "Objection"
    clause = "house"
    keys = fields.Keys("611", (fields.NAME, fields.EMAIL, ROUND, CYCLE, OFFENDER, REASON))

    def stated(self, state: State, seat: int, said: fields.Filled) -> Objection | None:
        """`Round:`, `Turn of Player:` and a reason; the cycle is the present one where it is not stated."""
        sheet, keyed = said.sheet, {entry.line.number: entry.line for entry in said.sheet.entries}
        now = latest(state)
        cycle = _number(said, CYCLE, now[0] if now else state.cycle)
        number, player = _number(said, ROUND), _number(said, OFFENDER)
        words = _reasons(said)
        words += [line.text.strip() for line in sheet.orders if line.number not in keyed]
        reason = "\n".join(words) or "\n".join(line.text.strip() for line in sheet.courtesy if keyed)
        if not reason:
            said.complain("reason_missing")
        action = None
        if cycle is not None and number is not None and player is not None and reason:
            action = Objection(cycle, number, player, reason, turn_label(state, (cycle, number, player)))
            said.lines = sheet.line("round", part="round")
        courtesy = sheet.courtesy if words or action is None else ()
        said.sheet = replace(sheet, courtesy=courtesy, orders=tuple(keyed.values()))
        return action

    def check(self, state: State, demand: Demand, action: Objection) -> Iterable[Complaint]:
        """Only a turn that has been made can be objected to."""
        last, moment = last_made(state), (action.cycle, action.round, action.player)
        if last is None or moment > last or min(moment) < 1 or action.player not in SEATS:
            stated = {"cycle": action.cycle, "round": action.round, "player": action.player}
            yield fault("no_such_turn", "611", "round", **stated, cycles=state.rules.cycles)

    def possible(self, state: State, demand: Demand, said: Said, named: Named) -> Iterator[Part]:
        """The numbers of turns that have been made."""
        last, keys = last_made(state), {line.partition(":")[0] for line in said}
        most = {"Cycle": last[0], "Round": max(state.round, last[1]), "Turn of Player": 4} if last else {}
        for key in (key for key in most if key not in keys):
            for number in numbers_in(named):
                if number <= most[key] and str(number) in named:
                    what = ("what", key.lower().split()[-1])
                    yield Part(f"{key}: {number}", (what, ("number", str(number))), "object")

    def write(self, state: State, demand: Demand, action: Objection) -> str:
        head = [f"Cycle: {action.cycle}", f"Round: {action.round}", f"Turn of Player: {action.player}"]
        return "\n".join([*head, *(f"Reason: {words}" for words in action.reason.splitlines())])

    def blank(self, state: State, seat: int) -> list[str]:
        last = last_made(state)
        cycle = last[0] if last else state.cycle
        return [f"Cycle: {cycle}", f"Round: {SLOT}", f"Turn of Player: {SLOT}", f"Reason: {SLOT}"]

    def mended(self, state: State, demand: Demand, draft: Reading[Objection]) -> Form:
        """What was said of the turn, as it was said; the rest is left to fill in."""
        said: fields.Filled = draft.understood
        lines = []
        for field, blank in zip((CYCLE, ROUND, OFFENDER), self.blank(state, demand.seat), strict=False):
            lines += said.again(field) or [blank]
        if not (reason := _reasons(said)) and draft.orders:
            courtesy = [line.text.strip() for line in draft.courtesy]
            reason = courtesy or (draft.action.reason.splitlines() if draft.action else [])
        return Form("\n".join([*lines, *(f"Reason: {words}" for words in reason or [SLOT])]))

    def act(self, record: Record, seat: int, action: Objection) -> None:
        record.tell(ObjectionRaised(seat, action.player, action.cycle, action.round, action.reason))

    def suggest(self, state: State, demand: Demand, chance: Chance) -> Objection:
        """An objection to the last turn made."""
        moment = last_made(state)
        assert moment is not None  # else the demand is not open to anybody
        return Objection(*moment, "Was this turn legal?", turn_label(state, moment))


def _reasons(said: fields.Filled) -> list[str]:
    """The lines of the reason, with its key or without any."""
    return [entry.value for entry in said.sheet.of("reason", "") if not empty(entry.value)]


def _number(said: fields.Filled, field: fields.Field, default: int | None = None) -> int | None:
    """The number on the line of a key."""
    if (entry := said.once(field)) is None:
        if default is None:
            said.complain("objection_lacks", key=field.name)
        return default
    number = whole(re.sub(r"(?i)^(?:round|cycle|player)?\s*#?\s*", "", entry.value.rstrip(" .")))
    if number is None:
        said.complain("number_unread", entry.line, key=field.name, stated=entry.value)
    return number
