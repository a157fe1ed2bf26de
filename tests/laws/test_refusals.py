"""Law 6 over generated faulty answers, for every game: a refusal names all that is wrong, its form keeps every order.

Legal answers of walked matches are spoilt in many ways at once. Whatever is refused brings a form; the form sent back
as it stands is accepted, or refused for nothing that was not named; where the refusal says that nothing is left to
mend, it is accepted; what the seat had written and the game could read is found in it.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import chain, count, islice

import pytest

from referee.base import shipped
from referee.core import seam
from referee.core.answers import Body
from referee.core.chance import Chance
from referee.core.value import Demand, Line
from referee.games.fourplay.board.catalogue import SPECIAL
from referee.match import commands as do
from referee.match.commands import Accepted, Asked, Ignored, Refused, Verdict
from referee.match.decide import decide
from referee.rehearsal.players import seeded
from tests.laws.walks import KEYS, KINDS, LAWS, Walk, heading_kind, lines_of, steps
from tests.sampling import long

FOR_SALE = {piece["name"] for piece in shipped.game_data("fourplay")["pieces"]["piece"]} - set(SPECIAL)
Spoiling = Callable[[list[str], Chance], list[str]]


def _some(lines: list[str], chance: Chance) -> int:
    """The place of a line that holds an order, if there is one."""
    places = [i for i, line in enumerate(lines) if line.strip()] or [0]
    return places[chance.below(len(places), "which line")]


def _dropped(lines: list[str], chance: Chance) -> list[str]:
    at = _some(lines, chance)
    return [*lines[:at], *lines[at + 1 :]] or [""]


def _doubled(lines: list[str], chance: Chance) -> list[str]:
    at = _some(lines, chance)
    return [*lines[: at + 1], *lines[at:]]


def _swapped(lines: list[str], chance: Chance) -> list[str]:
    one, two = _some(lines, chance), _some(lines, chance)
    lines = list(lines)
    lines[one], lines[two] = lines[two], lines[one]
    return lines


def _in_line(pattern: str, given: tuple[str, ...]) -> Spoiling:
    """One thing of a line exchanged for another."""

    def spoil(lines: list[str], chance: Chance) -> list[str]:
        places = [i for i, line in enumerate(lines) if re.search(pattern, line)]
        if not places:
            return lines
        at = places[chance.below(len(places), "line")]
        found = list(re.finditer(pattern, lines[at]))
        one = found[chance.below(len(found), "place")]
        new = given[chance.below(len(given), "new")]
        return [*lines[:at], lines[at][: one.start()] + new + lines[at][one.end() :], *lines[at + 1 :]]

    return spoil


def _everywhere(pattern: str, new: str) -> Spoiling:
    def spoil(lines: list[str], chance: Chance) -> list[str]:
        return [re.sub(pattern, new, line) for line in lines]

    return spoil


def _added(lines: list[str], chance: Chance) -> list[str]:
    extra = (
        "Pass", "Resign", "Move: d4", "Move: a1-b2", "Move: Ra1Bb1", "Place: 3 b2", "Offer: draw", "Accept: draw",
        "Claim: 4", "Take: 2 white", "Prefer: blue, red", "Dead: C3", "Pawn: i10-h10", "h8-h15", "j10-j7",
        "5 Cannon, 22 F$ each, value 3 each", "3 Unicorn", "1 King, 0 F$ each, value 0 each", "Purchase: 1 Pawn, 8 F$",
        "Mascot: Zombie", "Zombie: m12", "Goal: four", "Undo", "what is this line?", "Ally: white", "Then: E5",
        "If White D4 then E4", "Colours: green", "Edge: up", "Demonstrate: 3", "Comment: good luck",
    )  # fmt: skip
    at = chance.below(len(lines) + 1, "where")
    return [*lines[:at], extra[chance.below(len(extra), "what")], *lines[at:]]


SPOILINGS: tuple[Spoiling, ...] = (
    _dropped,
    _doubled,
    _swapped,
    _added,
    _in_line(r"\b[A-Za-z]\d{1,2}\b", ("a1", "h8", "T19", "z99", "c3", "i10")),
    _in_line(r"\b\d+\b", ("0", "1", "2", "5", "12", "99", "-3", "2.5")),
    _in_line(r"\b[A-Z][a-z]{3,}\b", ("Pwan", "Unicorn", "King", "Canon", "Archr")),
    _in_line(r":", (";", "", ": ...")),
    _in_line(r"^\w+:", ("Nmae:", "Mvoe:", "Total:")),
    _everywhere(r", \d+ F\$ each, value \d+ each", ""),
    _everywhere(r"\d+ F\$", "1 F$"),
    _everywhere(r"^Name:.*|^Player:.*|^Email:.*", ""),
)


def spoilt(text: str, chance: Chance) -> str:
    """The answer with one fault or several."""
    lines = text.splitlines()
    for _ in range(1 + chance.below(3, "how many")):
        whole = lines
        while lines == whole:  # of what a spoiling seeks there may be none in this answer
            lines = SPOILINGS[chance.below(len(SPOILINGS), "which")](whole, chance)
    return "\n".join(lines)


def judged(walk: Walk, seat: int, kind: str, text: str) -> Verdict:
    """What the match says to it, nothing recorded."""
    entries = list(walk.entries)
    submit = do.Submit(seat, kind, Body.of(text), walk.now)
    return decide(walk.game, walk.match, submit, walk.now, KEYS, lambda: entries).verdict


def named(verdict: Refused) -> set[tuple[str, str, str]]:
    return {one.fault for complaint in verdict.named for one in complaint.each}


def check_law_6(walk: Walk, demand: Demand, kind: str, bad: str) -> bool:
    """Whether the answer was refused, so that there was something to look at."""
    verdict = judged(walk, demand.seat, kind, bad)
    if not isinstance(verdict, Refused):
        return False
    assert verdict.complaints, bad
    codes = [(complaint.code, complaint.rule) for complaint in verdict.complaints]
    assert len(codes) == len(set(codes)), (bad, codes)  # like faults are one complaint
    if verdict.mended is None:
        assert verdict.demand not in walk.match.standing.may_answer(demand.seat)
        return True
    form = verdict.mended.text
    again = judged(walk, demand.seat, kind, form)
    if isinstance(again, Refused | Asked):  # what is left of it may be one thing that it can mean
        told = named(again) if isinstance(again, Refused) else set()
        assert told <= named(verdict), (bad, form, told - named(verdict))
        assert not verdict.ready, (bad, form)
    else:
        assert isinstance(again, Accepted | Ignored), (bad, form, again)
        assert verdict.unmended == (), (bad, form)
    for order in readable(walk.game.slug, verdict, bad):
        assert order in _bare(form), (bad, form, order)
    missed = lost_of_lists(verdict, bad, form)
    assert not missed, (bad, form, missed)
    return True


# --- what can be read ------------------------------------------------------------------------------------------------


def readable(slug: str, verdict: Refused, bad: str) -> Iterator[str]:
    """The ends of moves, the points and the pieces that stand well written on lines of their own among the orders."""
    about = _unreadable(verdict)
    if verdict.demand is None or verdict.demand.kind in (
        "Resign",
        "Comment",
        "Objection",
        "Purchase",
        "Setup",
        "Ready",
    ):
        return
    for line in lines_of(bad):
        found = re.search(LAWS[slug]["readable"], line.text.strip())
        if found and line.number not in about and line.text.strip() not in _courtesy(verdict):
            yield from (_bare(part) for part in found.groups() if part)


_LOT = re.compile(r"(?P<count>\d{1,3}) (?P<piece>[A-Z][A-Za-z ]+?)(?:, .*)?")
_PLACED = re.compile(r"(?P<piece>[A-Z][A-Za-z ]+): (?P<squares>[a-o]\d{1,2}(?:, [a-o]\d{1,2})*)")
_MASCOT = re.compile(r"Mascot: [A-Z][A-Za-z ]+ (?P<square>[a-o]\d{1,2})")


def lost_of_lists(verdict: Refused, bad: str, form: str) -> list[str]:
    """What a Purchase or a Setup says well and its form does not: a lot, in the number bought in all; a square."""
    if verdict.demand is None or verdict.demand.kind not in ("Purchase", "Setup"):
        return []
    skipped, courtesy = _unreadable(verdict), _courtesy(verdict)
    told = [
        x.text.strip() for x in lines_of(bad) if x.number not in skipped and x.text.strip() not in courtesy
    ]
    rows = [line.strip() for line in form.splitlines()]
    return _lots_lost(told, rows) if verdict.demand.kind == "Purchase" else _squares_lost(told, rows)


def _lots_lost(told: list[str], rows: list[str]) -> list[str]:
    said, kept = (Counter[str]() for _ in range(2))
    for lines, counted in ((told, said), (rows, kept)):
        for line in lines:
            if found := _LOT.fullmatch(line):
                counted[found["piece"]] += int(found["count"])
    return [f"{n} {piece}" for piece, n in said.items() if piece in FOR_SALE and n and kept[piece] < n]


def _squares_lost(told: list[str], rows: list[str]) -> list[str]:
    missed = []
    for line in told:
        if found := _PLACED.fullmatch(line):
            known = found["piece"] in FOR_SALE | set(SPECIAL)  # else another stands there in its place
            there = [row for row in rows if not known or row.startswith(f"{found['piece']}: ")]
            squares = {square for row in there for square in re.findall(r"[a-o]\d{1,2}", row)}
            missed += [
                f"{found['piece']} {square}"
                for square in found["squares"].split(", ")
                if square not in squares
            ]
        elif found := _MASCOT.fullmatch(line):
            there = [row for row in rows if row.startswith("Mascot: ")]
            missed += [] if any(found["square"] in row.split() for row in there) else [line]
    return missed


def _unreadable(verdict: Refused) -> set[int]:
    """The lines of which nothing could be kept."""
    told = [one for c in verdict.complaints for one in c.each]
    return {one.line.number for one in told if one.line is not None and _lost(one.code)}


def _lost(code: str) -> bool:
    """Faults for which there is nothing that could be kept: the line has no place in the game or the answer."""
    return code in (
        *(
            "not_understood",
            "foreign_line",
            "no_choices",
            "move_unclear",
            "key_unknown",
            "ahead_sealed",
            "ahead_not_here",
        ),
        *(
            "neutron_short",
            "neutron_stuck",
            "turn_is_over",
            "two_only",
            "solo_only",
            "no_purchase_now",
            "after_the_end",
        ),
        *("no_mascot_off", "no_neutron", "not_beside"),
    )


def _courtesy(verdict: Refused) -> set[str]:
    return {line.text.strip() for line in verdict.courtesy}


def _bare(text: str) -> str:
    return re.sub(r"[\s,]+", " ", text).casefold()


# --- the law -------------------------------------------------------------------------------------------------------


def cases(kind: str, seed: int, most: int, each: int) -> Iterator[tuple[Walk, Demand, str, str]]:
    """Spoilt answers of a walk: of what is owed, and of what is open beside it. Where it is over before so many steps,
    another one follows."""
    walks = (steps(kind, seed + 10_000 * walk, most) for walk in count())
    for number, step in enumerate(islice(chain.from_iterable(walks), most)):
        walk = step.walk
        chance = seeded("spoilt", kind, seed, number)
        beside = walk.game.open_to(walk.match.inner, step.demand.seat)
        for demand in (step.demand, *beside):
            action = step.action
            if demand is not step.demand:
                action = seam.suggest(walk.game, walk.match.inner, demand, chance)
            party = walk.match.party(demand.seat)
            for text in (
                seam.filled_in(walk.game, walk.match.inner, demand, party, action),
                seam.write(walk.game, walk.match.inner, demand, action),
            ):
                for _ in range(each):
                    yield walk, demand, heading_kind(walk.game, demand), spoilt(text, chance)


def run(kind: str, seed: int, most: int, each: int) -> int:
    return sum(check_law_6(*case) for case in cases(kind, seed, most, each))


@pytest.mark.one_in(2)
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(  # past the third long seed almost no other fault is met
    ("seed", "most", "each"), [(1, 14, 1), *long((1, 14, 3), *((seed, 60, 12) for seed in range(10, 14)))]
)
def test_law_6_a_refusal_names_all_and_its_form_keeps_all(kind: str, seed: int, most: int, each: int) -> None:
    assert run(kind, seed, most, each) > (100 if most == 60 else 0)


EXCUSES = (
    "Hello, how are you?",
    "sorry, I am away until Friday",
    "Dear all,\n\nI can't answer before the weekend: too much work.\nHope that is fine with everybody!\n\nCheers",
    "Thanks for the reminder. I will look at it tonight and send something tomorrow.",
)


@pytest.mark.one_in(3)
@pytest.mark.parametrize("kind", KINDS)
def test_law_6_a_mail_without_orders_brings_one_sentence_and_a_form_and_offers_nothing(kind: str) -> None:
    for step in steps(kind, 3, 6):
        for words in EXCUSES:
            verdict = judged(step.walk, step.demand.seat, heading_kind(step.walk.game, step.demand), words)
            assert isinstance(verdict, Refused)
            assert not verdict.ready
            assert verdict.mended is not None
            assert verdict.blank
            assert [c.lines for c in verdict.complaints] == [()], (words, verdict.complaints)


def test_like_faults_are_one_complaint_with_its_lines() -> None:
    step = next(s for s in steps("fourplay", 1) if s.demand.kind == "Purchase")
    party = step.walk.match.party(step.demand.seat)
    form = seam.filled_in(step.walk.game, step.walk.match.inner, step.demand, party, step.action)
    text = re.sub(r", \d+ F\$ each, value \d+ each", "", form)
    verdict = judged(step.walk, step.demand.seat, "Purchase", text)
    assert isinstance(verdict, Refused)
    assert [complaint.code for complaint in verdict.complaints] == ["price_missing", "value_missing"]
    lots = [line.number for line in lines_of(text) if re.match(r"\d+ [A-Z]", line.text)]
    assert [line.number for line in verdict.complaints[0].lines] == lots
    assert verdict.ready
    assert verdict.mended.text == form


def test_a_line_that_is_told_twice_for_one_fault_is_told_once() -> None:
    from referee.core.value import Complaint, gathered

    line = Line(4, "x")
    assert gathered([Complaint("a", "1", line), Complaint("a", "1", line)]) == (Complaint("a", "1", line),)
