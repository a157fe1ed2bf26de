"""Contract, 'Mail in': nothing is left out. Of a legal answer one line is garbled, as fingers do it. A form that its
sender may then send by a mere word, of a refusal or of a question, holds every line that he wrote behind a key, or with
a square in it, as it was meant or as it stands; else his word alone does not send it."""

import re
from collections.abc import Iterator
from difflib import get_close_matches
from itertools import chain, count, islice

import pytest

from referee.core import seam
from referee.core.answers import Form
from referee.core.chance import Chance
from referee.core.orders.keyed import unsaid
from referee.match.commands import Asked, Refused, Verdict
from referee.rehearsal.players import heading_kind, seeded
from tests.laws.test_refusals import judged
from tests.laws.walks import KINDS, Walk, lines_of, steps
from tests.sampling import long

_NAMES = re.compile(r"(?!comment|press)[\w ]+:|.*\b[a-z]\d{1,2}\b", re.IGNORECASE)
_BESIDE = ("Offer: draw", "Prefer: blue, red", "Then: d4")  # in games that know them


def garbled(line: str, chance: Chance) -> str:
    """A slip of the fingers: a sign too few, too many, turned round, another; words that belong to nothing."""
    at = chance.below(len(line), "where")
    put = "xq7 "[chance.below(4, "what")]
    ways = (
        line[:at] + line[at + 1 :],
        line[:at] + line[at] + line[at:],
        line[:at] + line[at + 1 : at + 2] + line[at] + line[at + 2 :],
        line[:at] + put + line[at + 1 :],
        line[:at] + put + line[at:],
        line.replace(":", ("", " -", ";", "=")[chance.below(4, "colon")], 1),
        line + (" ?", " 11", " e111", " ...", " or so")[chance.below(5, "behind")],
        line.replace(" ", " the ", 1),
    )
    return ways[chance.below(len(ways), "how")]


def cases(kind: str, seed: int, most: int) -> Iterator[tuple[Walk, int, str, list[str], list[str]]]:
    """The match, the seat, the heading, what was meant, and the mail."""
    walks = (steps(kind, seed + 10_000 * walk, most) for walk in count())
    for number, step in enumerate(islice(chain.from_iterable(walks), most)):
        walk, seat = step.walk, step.demand.seat
        chance, bare = (seeded("left out", kind, seed, number, *more) for more in ((), ("bare",)))
        for demand in dict.fromkeys((step.demand, *walk.match.standing.may_answer(seat))):
            action = step.action
            if demand != step.demand:
                action = seam.suggest(walk.game, walk.match.inner, demand, chance)
            party = walk.match.party(seat)
            lines = seam.filled_in(walk.game, walk.match.inner, demand, party, action).splitlines()
            ways = [(lines, chance), *(([*lines, beside], chance) for beside in _BESIDE)]
            ways.append(([line.removeprefix("Move: ") for line in lines], bare))
            for meant, slip in ways:
                at = slip.below(len(meant), "which line") if meant else 0
                if meant and meant[at].strip():
                    bad = [*meant[:at], garbled(meant[at], slip), *meant[at + 1 :]]
                    yield walk, seat, heading_kind(walk.game, demand), meant, bad


def flat(text: str) -> str:
    return re.sub(r"\W+", "", text).casefold()


@pytest.mark.one_in(3)
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("seed", "most"), [(1, 5), *long((1, 40), (2, 40))])
def test_what_a_word_sends_holds_every_line_of_the_mail(kind: str, seed: int, most: int) -> None:
    refused, offered, missed = 0, 0, []
    for walk, seat, heading, meant, bad in cases(kind, seed, most):
        verdict = judged(walk, seat, heading, "\n".join(bad))
        refused += isinstance(verdict, Refused)
        for form in forms(verdict):
            offered += 1
            for right, wrong in zip(meant, bad, strict=True):
                held = flat(right) in flat(form) or flat(wrong) in flat(form) or shown(wrong, form, verdict)
                if _NAMES.match(wrong) and not held and not of_another_game(walk, wrong, verdict):
                    missed.append((wrong, bad, form))
    print(f"{kind}: {refused} refused, {offered} forms offered")
    assert refused
    assert not missed


def shown(line: str, form: str, verdict: Verdict) -> bool:
    """Whether what is asked about says the line in other words: all its squares, its signs in another order; an empty
    key says nothing."""
    if not isinstance(verdict, Asked) or line.rstrip().endswith(":"):
        return line.rstrip().endswith(":")
    squares = re.findall(r"\b[a-z]\d{1,2}\b", line)
    if squares:
        return all(square in form.lower() for square in squares)
    said = {word.casefold() for doubt in verdict.doubts for word in re.findall(r"\w+", doubt)}
    if said and said.union(re.findall(r"\w+", form.casefold())).issuperset(
        re.findall(r"\w+", line.casefold())
    ):
        return True  # the letter names what it leaves out as its doubt
    if len(verdict.choices) > 1:  # each of them says its own part of it
        rows, named = (
            re.findall(r"\w+", form.casefold()),
            re.findall(r"\w{4,}", line.partition(":")[2].casefold()),
        )
        return all(get_close_matches(word, rows, 1, 0.75) for word in named)
    return any(sorted(flat(line)) == sorted(flat(row)) for row in form.splitlines())


def of_another_game(walk: Walk, line: str, verdict: Verdict) -> bool:
    """Whether the line stands behind a key that the game does not know, names no place, and is told as left out."""
    keys = [heading.casefold() for heading in seam.headings(walk.game)]
    key = line.partition(":")[0].strip().casefold()
    told = isinstance(verdict, Asked) and line in [one.text for one in verdict.courtesy]
    return told and not get_close_matches(key, keys, 1, 0.75) and not any(map(str.isdigit, line))


def forms(verdict: Verdict) -> tuple[str, ...]:
    """What a word sends; of several that a number picks from, all of them."""
    match verdict:
        case Refused(mended=Form(text=text)) if verdict.ready:
            return (text,)
        case Asked(choices=choices, form=form):
            return (form or "\n".join(choices),)
    return ()


def test_a_line_that_a_form_has_no_place_for_is_told_and_keeps_it_from_being_sent_by_a_word() -> None:
    """Nobody chooses prisoners in this match."""
    step = next(steps("go sequential", 1))
    verdict = judged(step.walk, step.demand.seat, "Move", "Move: D4\nPrefer: blue, red")
    assert isinstance(verdict, Refused)
    assert verdict.mended.text.splitlines()[0] == "Move: D4"
    assert verdict.mended.chosen == ('I left out "Prefer: blue, red".',)
    assert not verdict.ready


@pytest.mark.parametrize(
    ("form", "lines", "lost"),
    [
        ("Move: D4", "move : d4.", ""),
        ("Move: D4", "Seal: d4", ""),
        ("Move: D4", "Mvoe: d4", ""),
        ("Move: D4", "d4", ""),
        ("Move: D4", "Move: d44", ""),  # put right, or as it stands: the faults tell
        ("Move: D4", "Move: D4|Then: D4", "Then: D4"),
        ("Move: D4", "Move D4|Then: D4", "Then: D4"),
        ("Move: D4", "Move: D4|and e5 behind it", "and e5 behind it"),
        ("Move: D4|Comment:", "Move: D4|Comment: hello|good luck to all", ""),
        ("Neutron: h8-h15", "Neutron: h8-h15|Jester: e9-e111", "Jester: e9-e111"),
        ("7 Pawn, 8 F$ each", "7 Pawn, 8 F$ each|6 Jester, 8 F$ each", "6 Jester, 8 F$ each"),
        ("Zombie: a1|Snake: ...", "Zombie: a1|Snake: b2 11", "Snake: b2 11"),
        ("Snake: a1-a2|King: b2", "Snake: a1-a2|Snake: a4-a5|King: b2", "Snake: a4-a5"),
        ("Pawn: a7, b4, e7", "Pawn: a7, b4|Pawn: e7", ""),  # two lines of one
    ],
)
def test_what_a_form_says_of_a_line(form: str, lines: str, lost: str) -> None:
    found = unsaid(form.replace("|", "\n"), lines_of(lines.replace("|", "\n")))
    assert "|".join(line.text for line in found) == lost
