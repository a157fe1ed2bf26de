"""The lines of a mail to what they order, and back: tolerant of form, strict in meaning (5.5)."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from referee.core.block import Vocabulary, action_block, bare, keyed
from referee.core.complaint import Complaint, Line
from referee.core.orderlike import Terms, words
from referee.games.buttons import actions as do

Order = Literal["move", "place", "goal", "offer", "accept", "comment", "resign", "undo", "give up", "pass"]

KEYS = {
    "move": "move", "moves": "move", "place": "place", "places": "place", "goal": "goal", "goals": "goal",
    "offer": "offer", "offers": "offer", "accept": "accept", "accepts": "accept", "comment": "comment",
    "comments": "comment",
}  # fmt: skip
WORDS = {
    "resign": "resign", "i resign": "resign", "undo": "undo", "give up": "give up", "i give up": "give up",
    "giveup": "give up", "give-up": "give up", "pass": "pass", "i pass": "pass",
}  # fmt: skip

_DASHES = re.compile(r"[‐‑‒–—―−]|(?<!-)-+>|(?<!=)=+>|→|➔|⇒")
_SPACE = r"[a-z]\d{1,2}"
_PATH = re.compile(rf"{_SPACE}(?:\s*(?:-|>|\bto\b|,?\s)\s*{_SPACE})*")
_PLACED = re.compile(
    rf"(?:([bw]|black|white)\s*)?(\d{{1,2}})\s*(?:[@,:-]|\bon\b|\bat\b|\bto\b|\bin\b|\s)\s*({_SPACE})"
)
_GOALS = {"two": "two", "2": "two", "two lines": "two", "2 lines": "two"} | {
    "four": "four", "4": "four", "four lines": "four", "4 lines": "four"
}  # fmt: skip
_SQUARE = re.compile(rf"\b{_SPACE}\b")


@dataclass(frozen=True, slots=True)
class Entry:
    """One thing that a line orders; a line of several moves gives several entries."""

    order: Order
    line: Line
    value: Any = None


@dataclass(frozen=True, slots=True)
class Sheet:
    """A mail as understood: entries in their order, faults of form, the lines taken as courtesy and as orders."""

    entries: tuple[Entry, ...]
    complaints: tuple[Complaint, ...]
    courtesy: tuple[Line, ...]
    orders: tuple[Line, ...] = ()

    def of(self, *orders: Order) -> tuple[Entry, ...]:
        return tuple(entry for entry in self.entries if entry.order in orders)

    @property
    def comment(self) -> str:
        return "\n".join(entry.value for entry in self.of("comment"))


def folded(text: str) -> str:
    """The line with full-width signs, typographic dashes and arrows made plain, and emphasis marks taken off."""
    return _DASHES.sub("-", unicodedata.normalize("NFKC", text)).strip(" \t*_`")


TERMS = Terms(
    keys=frozenset(KEYS) - {"comment", "comments"},
    whole=words("resign undo giveup pass draw accept accepted agreed remis decline declined reject nomove"),
    actions=words("move moves moved place places placed exchange exchanges swap swaps"),
    gestures=words("agree agrees"),
    pieces=words("button buttons"),
    players=words("black white"),
    values=words("two four draw lines"),
    square=re.compile(_SPACE),
    notation=re.compile(r"(?<![a-z\d])[bw][1-9]\d?[a-z]\d(?!\w)"),
)
VOCABULARY = Vocabulary(frozenset(KEYS), frozenset(WORDS), terms=TERMS)


def sheet_of(lines: Sequence[Line]) -> Sheet:
    """Every line of the action block understood, or complained of; total, whatever the lines."""
    own = {line.number: line for line in lines}
    block = action_block((Line(line.number, folded(line.text)) for line in lines), VOCABULARY)
    entries: list[Entry] = []
    complaints: list[Complaint] = []
    for order in block.orders:
        line = own[order.number]
        for found in _entries(order.text, line):
            (entries if isinstance(found, Entry) else complaints).append(found)  # type: ignore[arg-type]
    complaints += [Complaint("unclear", "5.5", own[line.number]) for line in block.doubtful]
    orders = sorted(line.number for line in (*block.orders, *block.doubtful))
    courtesy = tuple(own[line.number] for line in block.courtesy)
    return Sheet(tuple(entries), tuple(complaints), courtesy, tuple(own[number] for number in orders))


def _entries(text: str, line: Line) -> Iterator[Entry | Complaint]:
    key, value = keyed(text)
    order: Any = KEYS.get(key) if value is not None else WORDS.get(bare(text))
    if order is None:
        yield Complaint("not_understood", "5.5", line)
    elif value is None:
        yield Entry(order, line)
    elif order == "comment":
        if said := _said(line.text):
            yield Entry(order, line, said)
    elif low := value.strip(" .!;").lower():
        yield from _valued(order, low, line)


def _said(text: str) -> str:
    """The comment in the sender's own signs."""
    return " ".join(re.split("[:：]", text, maxsplit=1)[1].split())


def _valued(order: Order, low: str, line: Line) -> Iterator[Entry | Complaint]:
    if order == "move":
        for part in re.split(r"\s*(?:;|,|\band\b|\bthen\b)\s*", low):
            yield from _move(part.strip(" ."), line)
    elif order == "place":
        found = _PLACED.fullmatch(low)
        colour = (found[1] or "")[:1].upper() if found else ""
        yield (
            Entry(order, line, (colour, int(found[2]), found[3]))
            if found
            else Complaint("place_unclear", "5.5", line, {"given": low})
        )
    elif order == "goal":
        goal = _GOALS.get(low)
        yield Entry(order, line, goal) if goal else Complaint("goal_unclear", "5.4", line, {"given": low})
    elif low in ("draw", "a draw", "yes"):
        yield Entry(order, line)
    else:
        yield Complaint("only_draw", "5.3", line, {"given": low, "key": order})


def _move(part: str, line: Line) -> Iterator[Entry | Complaint]:
    if not part:
        return
    if part in ("undo", "give up", "pass", "resign"):
        yield Entry(part, line)  # type: ignore[arg-type]
    elif _PATH.fullmatch(part):
        yield Entry("move", line, tuple(_SQUARE.findall(part)))
    else:
        yield Complaint("move_unclear", "5.5", line, {"given": part})


def written(action: do.Action) -> str:
    """The action in canonical text; reading it gives the action back (law 8)."""
    lines: list[str] = []
    match action:
        case do.PlaceButton(value, space, colour):
            lines = [f"Place: {colour}{value} {space}"]
        case do.MoveButton(path):
            lines = [f"Move: {'-'.join(path)}"]
        case do.AcceptDraw():
            lines = ["Accept: draw"]
        case do.PlaySolo(steps, goal):
            lines = [f"Goal: {goal}"] if goal else []
            lines += [f"Move: {'-'.join(s.path)}" if s.kind == "move" else s.kind.capitalize() for s in steps]
        case do.OfferDraw():
            lines = ["Offer: draw"]
        case do.ResignMatch():
            lines = ["Resign"]
        case do.SetPar(par):
            return "no solution found" if par.moves is None else ", ".join("-".join(m) for m in par.solution)
        case do.CloseTable():
            return "the deadline has passed"
    if isinstance(action, do.PlaceButton | do.MoveButton) and action.offer:
        lines.append("Offer: draw")
    said = action.text if isinstance(action, do.SendComment) else getattr(action, "comment", "")
    return "\n".join([*lines, *(f"Comment: {line}" for line in said.splitlines())])
