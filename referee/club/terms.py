"""What a mail proposes, in keyed lines: with whom, how many seats for all, by which options; and the form for it."""

import difflib
import re
from collections.abc import Mapping, Sequence
from dataclasses import field, replace

from referee.core.options import OptionSpec
from referee.core.texts.addresses import address_key
from referee.core.value import Line, Value

MOST = 50  # people that one proposal names
_KEYS = ("with", "open", "option", "game", "size", "pace", "name")
_KEYED = re.compile(rf"[\s>*•-]*({'|'.join(_KEYS)})\s*[:：]\s*(.*)", re.IGNORECASE)
_NEAR = re.compile(r"\s*([A-Za-z]{3,9})\s*[:：]\s*\S")
_ADDRESS = re.compile(r"[^\s@<>,;:\"()\[\]]+@[^\s@<>,;:\"()\[\]]+")
_SPAN = re.compile(r"(\d{1,4})\s*(h|d|w)\w*\b[\s,]*(?:and\s)?", re.IGNORECASE)
_EACH = re.compile(r"\s*(?:[^\W\d]+\s\w+)?[\s.]*", re.IGNORECASE)
_PACES = ("move_deadline", "turn_window")  # options of games: what a move may take


class ProposalTerms(Value):
    """What was read: the addresses, each once; how many open seats (None: nothing is said); options as they were typed;
    what the lines of game, size, pace and name tell; and every fault, in words, with its line."""

    named: tuple[str, ...] = ()
    open: int | None = None
    options: Mapping[str, str] = field(default_factory=dict)
    told: Mapping[str, str] = field(default_factory=dict)
    faults: tuple[str, ...] = ()

    @property
    def empty(self) -> bool:
        beside_game = self.told.keys() - {"game"}
        return not (self.named or self.open is not None or self.options or beside_game or self.faults)


def read(lines: Sequence[Line]) -> ProposalTerms:
    """The terms in a mail's own words. Lines without a key are courtesy, unless they look like a key misspelt."""
    named: dict[str, str] = {}
    options: dict[str, str] = {}
    told: dict[str, str] = {}
    faults: list[str] = []
    last = ""
    for line in lines:
        found = _KEYED.fullmatch(line.text.strip())
        goes_on = found is None and last == "with" and _ADDRESS.search(line.text) is not None
        key, value = (found[1].lower(), found[2]) if found else ("with" if goes_on else "", line.text)
        last, value = key, value.strip()
        if not key:
            faults += _misspelt(line)
        elif key == "with":
            addresses = _ADDRESS.findall(value)
            named.update((address_key(address), address) for address in addresses)
            people = [part for part in re.split(r"[,;]", value) if part.strip()]
            if len(people) < len(addresses) or not all(map(_ADDRESS.search, people)):
                said = 'after "With:" stand mail addresses, with commas between them.'
                faults.append(f"Line {line.number}: {said}")
        elif key == "option" and value:
            name, equals, chosen = (part.strip() for part in value.partition("="))
            such = f"{name}=VALUE" if re.fullmatch(r"[a-z_]{1,20}", name) else "board=9x9"
            if equals:
                options[name.lower()] = chosen
            else:
                said = f'an option is written with its value, such as "Option: {such}".'
                faults.append(f"Line {line.number}: {said}")
        elif key == "open" and value and not re.fullmatch(r"\d{1,2}", value):
            faults.append(f'Line {line.number}: "Open" takes a number of seats, such as "Open: 2".')
        elif value:
            told[key] = value
    if len(named) > MOST:
        faults.append(f"No more than {MOST} people can be named.")
    seats = int(told.pop("open")) if "open" in told else None
    return ProposalTerms(tuple(named.values()), seats, options, told, tuple(faults))


def _misspelt(line: Line) -> list[str]:
    key = _NEAR.match(line.text)
    near = difflib.get_close_matches(key[1].lower(), _KEYS, n=1, cutoff=0.7) if key else []
    return [f'Line {line.number}: there is no such key; did you mean "{one.capitalize()}:"?' for one in near]


def chosen_by(specs: Sequence[OptionSpec]) -> Mapping[str, OptionSpec]:
    """The options that have a line of their own: the board's size, if it may differ, and the pace."""
    kinds = {"size": [s for s in specs if s.kind == "size"], "pace": [s for s in specs if s.name in _PACES]}
    return {key: found[0] for key, found in kinds.items() if found}


def settled(terms: ProposalTerms, specs: Sequence[OptionSpec]) -> ProposalTerms:
    """The terms with the lines of size and pace as the options that they stand for."""
    by, options, faults = chosen_by(specs), dict(terms.options), list(terms.faults)
    for key, said in terms.told.items():
        line = f"{key.capitalize()}:"
        if key in by and by[key].canonical(value := _meant(said)) is None:
            faults.append(f'"{line} {said[:60]}" is not possible; it may be {by[key].allowed()}.')
        elif key in by:
            options.setdefault(by[key].name, value)
        elif key == "size":
            faults.append(f'The board of this game has one size: leave the line "{line}" empty.')
    return replace(terms, options=options, faults=tuple(faults))


def _meant(said: str) -> str:
    """A size or a span as people write it, as options have it."""
    spans = "".join(number + unit.lower() for number, unit in _SPAN.findall(said))
    if spans and _EACH.fullmatch(_SPAN.sub("", said)):
        return spans
    return re.sub(r"\s*[x×*]\s*", "x", f"{said}x{said}" if said.isdecimal() else said.lower())


def form(game: str, specs: Sequence[OptionSpec], terms: ProposalTerms) -> str:
    """The form, filled in as far as the terms go: five lines, and of what else the mail chose a line each."""
    by, told, seats = chosen_by(specs), terms.told, "" if terms.open is None else terms.open
    lines = [f"Game: {game}", f"With: {', '.join(terms.named)}", f"Open: {seats}"]
    lines += [f"{k.capitalize()}: {told.get(k, by[k].default if k in by else '')}" for k in ("size", "pace")]
    lines += [f"Name: {told['name']}"] if "name" in told else []
    lines += [f"Option: {name}={value}" for name, value in terms.options.items()]
    return "\n".join(map(str.rstrip, lines))
