"""Whether a record is true: all that it holds is under its chain, or made anew from what is, or refused.

What a verified record proves, and what nobody can know from it, stands in docs/threats.md.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from referee.core.codec import JsonDict
from referee.core.game import AnyGame
from referee.core.options import OptionSpec
from referee.match.chain.hashes import canonical, hash_of, private_again
from referee.match.record import compact
from referee.match.record.public import CHAIN_RECIPE, RECIPES, NoRecord, Record, lines_of
from referee.match.record.rejudging import judging_faults
from referee.match.record.stimuli import Stimulus
from referee.match.timing import BEFORE

_MOST_ENTRIES = 100_000  # ten times what the longest match has


def verified(
    record: Record, game: AnyGame | None, options: Sequence[OptionSpec] | None = None
) -> tuple[str, ...]:
    """What is wrong with a record; empty where all is as it should be. Needs no secret and no database, only the game,
    and of the options what it declares, where they are to be looked at. Raises, of what is no record at all, what its
    values make the checks raise."""
    try:
        lines = lines_of(record)
    except (NoRecord, compact.TooMuch) as error:
        return (str(error),)
    if game is None:
        return (f"no game {str(record.get('game'))[:40]!r} is known here, by whose rules it could be judged",)
    if not 0 < len(lines) <= _MOST_ENTRIES:
        return (f"it has {len(lines)} entries; a match has 1 to {_MOST_ENTRIES}",)
    faults = (
        *_chain_faults(record, lines),
        *_frame_faults(record, lines, game),
        *(() if options is None else _option_faults(lines, {spec.name: spec for spec in options})),
    )
    return faults or judging_faults(game, [_body(line) for line in lines], _stimuli(lines))


def _body(line: JsonDict) -> JsonDict:
    return {name: value for name, value in line.items() if name != "hash"}


def _chain_faults(record: Record, lines: Sequence[JsonDict]) -> list[str]:
    faults, head = [], ""
    for index, line in enumerate(lines, 1):
        head = hash_of(head, _body(line))
        if line.get("hash", head) != head:
            faults.append(f"entry {index} does not fit the chain: something in it or before it was changed")
            head = str(line.get("hash", ""))
        if line.get("position") != index:
            faults.append(f"entry {index} is numbered {line.get('position')}")
    if record.get("head") != head:
        faults.append("the chain's head is not that of its last entry")
    return faults


def _frame_faults(record: Record, lines: Sequence[JsonDict], game: AnyGame) -> list[str]:
    """What stands round the entries says what they say, and nothing else."""
    first = lines[0]
    old = record.get("format") == compact.FORMAT
    expected = {
        "format": record.get("format"),
        "match": first.get("match"),
        "game": first.get("game"),
        "title": record.get("title") if record.get("title") in game.titles else game.title,
        **({"usual": compact.usual_of([_body(line) for line in lines])} if old else {}),
        "entries": record.get("entries"),
        "head": record.get("head"),
        "how_to_check": {**RECIPES, "chain": f"{compact.HOW_TO_SPELL}{CHAIN_RECIPE}"} if old else RECIPES,
    }
    odd = [name for name in expected if canonical(record.get(name)) != canonical(expected[name])]
    more = [str(name)[:40] for name in record if name not in expected]
    return [
        *(f"what it says of {name!r} is not what follows from its entries" for name in odd),
        *(f"no record says anything of {name!r}" for name in more[:3]),
    ]


def _option_faults(lines: Sequence[JsonDict], declared: Mapping[str, OptionSpec]) -> Iterator[str]:
    """Only what the game declares can be given, and only as it is kept."""
    for index, line in enumerate(lines, 1):
        if line["is"] in ("MatchOpened", "Amended"):
            for name, value in line["options"].items():
                spec = declared.get(BEFORE.get(name, name))
                if spec is None or spec.canonical(value) != value:
                    yield f"entry {index}: there is no option {name[:40]}={value[:40]}"


def _stimuli(lines: Sequence[JsonDict]) -> list[Stimulus]:
    """Where the hash stands a stimulus ends, and at the end, whether it stands there or not."""
    entries = [private_again(_body(line)) for line in lines]
    ends = [index for index, line in enumerate(lines, 1) if "hash" in line or index == len(lines)]
    return [Stimulus(entries, start, end) for start, end in zip([0, *ends], ends, strict=False)]
