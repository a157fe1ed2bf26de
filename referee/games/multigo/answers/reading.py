"""A mail's lines to an action, with every complaint about their wording."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from referee.core.complaint import Complaint, Line
from referee.core.game import Demand, Reading
from referee.games.multigo import actions as act
from referee.games.multigo.answers.notation import (
    Entry,
    colour_of,
    condition_in,
    counts_in,
    orders_of,
    points_in,
    says,
    words_in,
)
from referee.games.multigo.board.points import LETTERS
from referee.games.multigo.owing import demanded, owes
from referee.games.multigo.state import State, name_of, tallied

Parsed = tuple[act.Action | None, list[Complaint]]

KINDS = ("Move", "Take", "Dead", "Ally", "Condition", "Prefer", "Resign", "Press", "Comment")
_MEANT = (  # the first whose key is there is what the mail means
    ("resign", "Resign"), ("move", "Move"), ("pass", "Move"), ("take", "Take"), ("dead", "Dead"),
    ("ally", "Ally"), ("if", "Condition"), ("then", "Condition"), ("withdraw", "Condition"),
    ("prefer", "Prefer"), ("press", "Press"), ("comment", "Comment"),
)  # fmt: skip
_KEYS_OF = {
    "Move": {"move", "pass", "prefer", "comment"},
    "Take": {"take", "prefer", "comment"},
    "Dead": {"dead", "comment"},
    "Ally": {"ally", "comment"},
    "Condition": {"if", "then", "withdraw"},
    "Prefer": {"prefer"},
    "Resign": {"resign", "comment"},
    "Press": {"press"},
    "Comment": {"comment"},
}


def aimed(state: State, seat: int, heading: str, lines: Sequence[Line]) -> Demand:
    """The demand the keys of the mail name; without any, what its heading names."""
    _, entries, _ = orders_of(lines)
    keys = {entry.key for entry in entries if entry.value or entry.key in ("resign", "pass", "withdraw")}
    keys = keys or {entry.key for entry in entries}
    meant = next((kind for key, kind in _MEANT if key in keys), None)
    if meant is None:
        owed = [kind for kind in KINDS if owes(state, seat, kind)]
        meant = owed[0] if heading == "Move" and owed else heading
    return demanded(state, seat, meant)


def read(state: State, demand: Demand, lines: Sequence[Line]) -> Reading[act.Action]:
    """What the mail says in answer to the demand."""
    block, entries, strange = orders_of(lines)
    complaints = [Complaint("not_understood", "2.7", line) for line in strange]
    complaints += [Complaint("doubtful", "2.7", line) for line in block.doubtful]
    allowed = _KEYS_OF[demand.kind]
    foreign = [
        entry
        for entry in entries
        if entry.key not in allowed and (entry.value or entry.key in ("pass", "resign"))
    ]
    complaints += [
        Complaint("foreign_line", "2.7", entry.line, {"key": entry.key.capitalize(), "kind": demand.kind})
        for entry in foreign
    ]
    mine = tuple(entry for entry in entries if entry.key in allowed)
    action, more = _READERS[demand.kind](state, mine)
    orders = sorted((*block.orders, *block.doubtful), key=lambda line: line.number)
    return Reading(action, (*complaints, *more), block.courtesy, tuple(orders))


def _comment(entries: Sequence[Entry], key: str = "comment") -> str:
    return "\n".join(entry.value for entry in entries if entry.key == key and entry.value)


def _the(entries: Sequence[Entry], *keys: str) -> tuple[Entry | None, list[Complaint]]:
    """The one entry of those keys that says something; more than one, or none, is a complaint."""
    found = [entry for entry in entries if entry.key in keys and (entry.value or entry.key == "pass")]
    if not found:
        blank = next((entry.line for entry in entries if entry.key in keys), None)
        return None, [Complaint("nothing_said", "2.7", blank, {"key": keys[0].capitalize()})]
    extra = [Complaint("said_twice", "2.7", entry.line, {"key": keys[0].capitalize()}) for entry in found[1:]]
    return found[0], extra


def _points(state: State, entry: Entry) -> tuple[tuple[str, ...] | None, list[Complaint]]:
    """The board's points that an entry names; None with complaints where any is none."""
    names = points_in(entry.value)
    if names is None:
        return None, [Complaint("no_points", "2.7", entry.line, {"text": entry.value})]
    faults = [fault for name in names if (fault := point_fault(state, name, entry.line))]
    return (None if faults else names), faults


def point_fault(state: State, name: str, line: Line | None = None) -> Complaint | None:
    """What is wrong with a point's name on this board."""
    if name == act.PASS or state.points.index(name) is not None:
        return None
    if name.startswith("I"):
        return Complaint("column_i", "2.7", line, {"point": name})
    last = LETTERS[state.width - 1]
    return Complaint("no_such_point", "2.7", line, {"point": name, "column": last, "row": state.height})


def _prefer(state: State, entries: Sequence[Entry]) -> tuple[tuple[int, ...], list[Complaint]]:
    """The colours of the last order of preference (an empty line says nothing)."""
    colours: tuple[int, ...] = ()
    complaints: list[Complaint] = []
    for entry in entries:
        if entry.key == "prefer" and entry.value:
            found, faults = _colours(state, entry)
            colours = tuple(dict.fromkeys(found))
            complaints += faults
    return colours, complaints


def _colours(state: State, entry: Entry) -> tuple[list[int], list[Complaint]]:
    found: list[int] = []
    complaints: list[Complaint] = []
    for word in words_in(entry.value):
        colour = colour_of(word, state.law.players)
        if colour is None:
            complaints.append(_no_colour(state, word, entry.line))
        else:
            found.append(colour)
    return found, complaints


def _no_colour(state: State, word: str, line: Line) -> Complaint:
    names = ", ".join(name_of(seat) for seat in range(1, state.law.players + 1))
    return Complaint("no_colour", "2.1", line, {"text": word, "colours": names})


def _read_move(state: State, entries: Sequence[Entry]) -> Parsed:
    prefer, complaints = _prefer(state, entries)
    entry, missing = _the(entries, "move", "pass")
    complaints += missing
    if entry is None:
        return None, complaints
    if entry.key == "pass" or says(entry.value, "pass", "passes"):
        return act.Move((), prefer, _comment(entries)), complaints
    points, faults = _points(state, entry)
    complaints += faults
    return (None if points is None else act.Move(points, prefer, _comment(entries))), complaints


def _read_take(state: State, entries: Sequence[Entry]) -> Parsed:
    prefer, complaints = _prefer(state, entries)
    entry, missing = _the(entries, "take")
    complaints += missing
    if entry is None:
        return None, complaints
    items = counts_in(entry.value)
    if items is None:
        return None, [*complaints, Complaint("no_counts", "2.5", entry.line, {"text": entry.value})]
    numbers = [0] * state.law.players
    for number, word in items:
        colour = colour_of(word, state.law.players)
        if colour is None:
            complaints.append(_no_colour(state, word, entry.line))
        else:
            numbers[colour - 1] += number
    stones = tuple(act.Count(colour, number) for colour, number in enumerate(numbers, 1) if number)
    return act.Take(stones, prefer, _comment(entries)), complaints


def _read_dead(state: State, entries: Sequence[Entry]) -> Parsed:
    entry, complaints = _the(entries, "dead")
    if entry is None:
        return None, complaints
    if says(entry.value, "none", "nothing", "no"):
        return act.Dead((), _comment(entries)), complaints
    points, faults = _points(state, entry)
    if points is None:
        return None, complaints + faults
    return act.Dead(tuple(dict.fromkeys(points)), _comment(entries)), complaints + faults


def _read_ally(state: State, entries: Sequence[Entry]) -> Parsed:
    entry, complaints = _the(entries, "ally")
    if entry is None:
        return None, complaints
    if says(entry.value, "none", "nobody", "no one", "no"):
        return act.Ally((), _comment(entries)), complaints
    seats, faults = _colours(state, entry)
    return (None if faults else act.Ally(tuple(sorted(set(seats))), _comment(entries))), complaints + faults


def _read_prefer(state: State, entries: Sequence[Entry]) -> Parsed:
    colours, complaints = _prefer(state, entries)
    if not colours and not complaints:
        complaints = [Complaint("nothing_said", "2.5", None, {"key": "Prefer"})]
    return (act.Prefer(colours) if colours else None), complaints


def _read_plan(state: State, entries: Sequence[Entry]) -> Parsed:
    complaints: list[Complaint] = []
    conditions: list[act.Condition] = []
    orders = [entry for entry in entries if entry.key != "withdraw" and entry.value]
    withdrawals = [entry for entry in entries if entry.key == "withdraw"]
    if withdrawals and not orders:
        return act.Plan(), complaints
    complaints += [
        Complaint("foreign_line", "2.7", w.line, {"key": "Withdraw", "kind": "Condition"})
        for w in withdrawals
    ]
    if not orders:
        complaints.append(Complaint("nothing_said", "2.7", None, {"key": "Then"}))
    for entry in orders:
        condition, faults = _condition(state, entry)
        complaints += faults
        conditions += [condition] if condition and not faults else []
    return (act.Plan(tuple(conditions)) if conditions else None), complaints


def _condition(state: State, entry: Entry) -> tuple[act.Condition | None, list[Complaint]]:
    if entry.key == "then":
        if says(entry.value, "pass"):
            return act.Condition(0, "", act.PASS), []
        points, faults = _points(state, entry)
        if points is not None and len(points) != 1:
            return None, [Complaint("one_reply", "2.7", entry.line)]
        return (act.Condition(0, "", points[0]) if points else None), faults
    parts = condition_in(entry.value)
    if parts is None:
        return None, [Complaint("no_condition", "2.7", entry.line)]
    word, trigger, reply = parts
    colour = colour_of(word, state.law.players)
    faults = [] if colour else [_no_colour(state, word, entry.line)]
    faults += [fault for name in (trigger, reply) if (fault := point_fault(state, name, entry.line))]
    return act.Condition(colour or 0, trigger, reply), faults


def _read_words(kind: Callable[[str], act.Action], key: str) -> Callable[[State, Sequence[Entry]], Parsed]:
    def reader(state: State, entries: Sequence[Entry]) -> Parsed:
        text = _comment(entries, key)
        if text:
            return kind(text), []
        return None, [Complaint("nothing_said", "2.7", None, {"key": key.capitalize()})]

    return reader


def _read_resign(state: State, entries: Sequence[Entry]) -> Parsed:
    if any(entry.key == "resign" for entry in entries):
        return act.Resign(_comment(entries)), []
    return None, [Complaint("nothing_said", "2.7", None, {"key": "Resign"})]


_READERS: dict[str, Callable[[State, Sequence[Entry]], Parsed]] = {
    "Move": _read_move,
    "Take": _read_take,
    "Dead": _read_dead,
    "Ally": _read_ally,
    "Prefer": _read_prefer,
    "Condition": _read_plan,
    "Resign": _read_resign,
    "Comment": _read_words(act.Comment, "comment"),
    "Press": _read_words(act.Press, "press"),
}


def numbers(state: State, take: act.Take) -> tuple[int, ...]:
    """A choice as numbers by colour."""
    return tallied(take.stones, state.law.players)
