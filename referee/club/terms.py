"""What a mail proposes, in keyed lines: with whom, how many seats for all, by which options; and the form for it."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from referee.core.complaint import Line
from referee.core.options import OptionSpec
from referee.core.texts.addresses import address_key

MOST = 50  # people that one proposal names
_KEYED = re.compile(r"[\s>*•-]*(with|open|option|game)\s*[:：]\s*(.*)", re.IGNORECASE)
_NEAR = re.compile(r"\s*([A-Za-z]{3,9})\s*[:：]\s*\S")
_ADDRESS = re.compile(r"[^\s@<>,;:\"()\[\]]+@[^\s@<>,;:\"()\[\]]+")
_KEYS = ("with", "open", "option", "game")


@dataclass(frozen=True, slots=True)
class ProposalTerms:
    """What was read: the addresses, each once; how many open seats (None: nothing is said); options
    as they were typed; and every fault, in words, with its line."""

    named: tuple[str, ...] = ()
    open: int | None = None
    options: Mapping[str, str] = field(default_factory=dict)
    game: str = ""
    faults: tuple[str, ...] = ()

    @property
    def empty(self) -> bool:
        return not (self.named or self.open is not None or self.options or self.faults)


def read(lines: Sequence[Line]) -> ProposalTerms:
    """The terms in a mail's own words. Lines without a key are courtesy, unless they look like a key misspelt."""
    named: dict[str, str] = {}
    options: dict[str, str] = {}
    faults: list[str] = []
    seats: int | None = None
    game = last = ""
    for line in lines:
        found = _KEYED.fullmatch(line.text.strip())
        goes_on = found is None and last == "with" and _ADDRESS.search(line.text) is not None
        if found is None and not goes_on:
            faults += _misspelt(line)
            last = ""
            continue
        key, value = ("with", line.text.strip()) if found is None else (found[1].lower(), found[2].strip())
        last = key
        if key == "game":
            game = value
        elif key == "with":
            told = _ADDRESS.findall(value)
            named.update((address_key(address), address) for address in told)
            faults += _left_over(line, value, told)
        elif key == "open" and value:
            if re.fullmatch(r"\d{1,2}", value):
                seats = int(value)
            else:
                faults.append(f'Line {line.number}: "Open" takes a number of seats, such as "Open: 2".')
        elif key == "option" and value:
            name, equals, chosen = (part.strip() for part in value.partition("="))
            such = f"{name}=VALUE" if re.fullmatch(r"[a-z_]{1,20}", name) else "board=9x9"
            if equals:
                options[name.lower()] = chosen
            else:
                said = f'an option is written with its value, such as "Option: {such}".'
                faults.append(f"Line {line.number}: {said}")
    if len(named) > MOST:
        faults.append(f"No more than {MOST} people can be named.")
    return ProposalTerms(tuple(named.values()), seats, options, game, tuple(faults))


def _misspelt(line: Line) -> list[str]:
    key = _NEAR.match(line.text)
    near = difflib.get_close_matches(key[1].lower(), _KEYS, n=1, cutoff=0.7) if key else []
    return [f'Line {line.number}: there is no such key; did you mean "{one.capitalize()}:"?' for one in near]


def _left_over(line: Line, value: str, told: Iterable[str]) -> list[str]:
    """Whoever is named without an address that can be read."""
    people = [part for part in re.split(r"[,;]", value) if part.strip()]
    missing = [part for part in people if not _ADDRESS.search(part)]
    if not missing and len(people) >= len(list(told)):
        return []
    return [f'Line {line.number}: after "With:" stand mail addresses, with commas between them.']


def form(game: str, specs: Sequence[OptionSpec], terms: ProposalTerms) -> str:
    """The form, filled in as far as the terms go; each option is explained above its line."""
    lines = [f"Game: {game}", f"With: {', '.join(terms.named)}".rstrip()]
    lines.append(f"Open: {'' if terms.open is None else terms.open}".rstrip())
    for spec in specs:
        value = terms.options.get(spec.name, spec.default)
        about = f"({spec.name}: {spec.help.rstrip('.')}. It may be {spec.allowed()}.)"
        lines += [about, f"Option: {spec.name}={value}"]
    return "\n".join(lines)
