"""Conditional turns change who writes when, and nothing else: a match played with them has the same record as one in
which every move came by a mail of its own, but for what says so and for the times."""

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest

from referee.base import shipped
from referee.core import seam
from referee.core.answers import Body
from referee.core.seam import Standing
from referee.core.value import Demand
from referee.games import found
from referee.language.sentences import words_of
from referee.match import commands as do
from referee.match import events as ev
from referee.match.ahead import turn_of
from referee.match.commands import Accepted, Asked, Done, Refused, Withdrawn
from referee.match.decide import decide
from referee.match.events import Entrant
from referee.match.match import fold, freeze, thaw
from referee.match.notices import notices
from referee.match.record.public import lines_of, public_record
from referee.match.record.text import text_record
from referee.match.record.verifying import verified
from referee.rehearsal.players import seeded
from tests.laws.walks import KEYS, KINDS, Walk, begin
from tests.match.forging import as_read
from tests.match.reading_records import read_text_record
from tests.sampling import one_in

ABLE = {
    kind: given
    for kind, given in KINDS.items()
    if seam.foresees(found()[given[0]]) and given[2].get("order") != "parallel"
}
DEPTH = 3


def meant(standing: Standing, demand: Demand, seed: int) -> Any:
    """What the seat plays there, whether it says so now or has said so before: drawn from the position."""
    chance = seeded("ahead", seed, demand, repr(standing.view(None).position))
    return seam.suggest(standing.game, standing.state, demand, chance)


def after(standing: Standing, demand: Demand, action: Any) -> Standing:
    for event in seam.resolve(standing.game, standing.state, {demand: action}):
        standing = standing.after(event)
    return standing


def owed(standing: Standing) -> Demand | None:
    """The one move that is owed; None where something else is."""
    owing = [d for r in standing.due for d in r.demands]
    one = owing[0] if len(owing) == 1 else None
    return one if one is not None and seam.foreseeable(standing.game, one) else None


def course(standing: Standing, seed: int) -> Iterator[tuple[Demand, str]]:
    """The moves to come, as far as each follows the other."""
    while (demand := owed(standing)) is not None:
        action = meant(standing, demand, seed)
        answer = seam.answer_of(standing.game, demand.kind)
        move = answer.foreseen(standing.state, action)
        if move is None:
            return
        yield demand, seam.write(standing.game, standing.state, demand, move).replace("\n", " ")
        standing = after(standing, demand, move)


def planned(walk: Walk, demand: Demand, action: Any, seed: int) -> str:
    """What the seat says beside its move: the moves that the others will make, each with its own answer. Where others
    move in between, what the one right before it plays is what it waits for."""
    assert walk.match.standing is not None
    line, steps, last = "", 0, None
    for each, text in course(after(walk.match.standing, demand, action), seed):
        if each.seat != demand.seat:
            last = (each.seat, text)
        elif last is None:
            break
        else:
            line += f"{', if' if line else 'If'} Player {last[0]}: {last[1]}, then {text}"
            steps, last = steps + 1, None
            if steps == DEPTH:
                break
    return line


def played(kind: str, seed: int, turns: int, *, ahead: bool) -> tuple[Walk, int]:
    """A match, and how many mails it took."""
    wide = {"board": "13x13", "position": ""} if kind.startswith("go") else {}
    walk, mails = begin(kind, seed, **wide), 0
    for _ in range(turns * 3):
        made = sum(isinstance(e.event, ev.Answered) and e.public for e in walk.entries)
        standing = walk.match.standing
        if walk.match.status == "ended" or made >= turns or standing is None:
            break
        demand = next((d for r in standing.due for d in r.demands), None)
        assert demand is not None
        action = meant(standing, demand, seed)
        own = seam.filled_in(walk.game, walk.match.inner, demand, walk.match.party(demand.seat), action)
        plan = planned(walk, demand, action, seed) if ahead and owed(standing) else ""
        walk.now += timedelta(minutes=1)
        body = Body.of(f"{own}\n{plan}" if plan else own)
        verdict = walk.do(do.Submit(demand.seat, demand.kind, body, walk.now)).verdict
        assert isinstance(verdict, Accepted), (body.lines, verdict)
        mails += 1
    return walk, mails


def told(walk: Walk) -> list[Any]:
    """Everything public in its order, without times, and whether or not it was said in advance."""
    found: list[Any] = []
    for entry in walk.entries:
        if entry.public:
            body = {k: v for k, v in entry.body.items() if k not in ("due_at", "salts")}
            found.append({**body, "is": body["is"].replace("AnsweredAhead", "Answered"), "n": entry.position})
    return found


@pytest.mark.one_in(2)
@pytest.mark.parametrize("kind", ABLE)
@pytest.mark.parametrize("seed", one_in(2, [1, 2]))
def test_a_match_with_them_has_the_same_record_as_one_without(kind: str, seed: int) -> None:
    go = kind.startswith("go")
    with_them, few = played(kind, seed, 60 if go else 40, ahead=True)
    without, many = played(kind, seed, 60 if go else 40, ahead=False)
    ahead = sum(isinstance(e.event, ev.AnsweredAhead) for e in with_them.entries)
    shared = min(len(told(with_them)), len(told(without)))
    print(kind, seed, "mails", few, "instead of", many, "ahead", ahead)
    assert told(with_them)[:shared] == told(without)[:shared]
    assert ahead > 3
    assert not go or 3 * few <= many
    for walk in (with_them, without):
        record = as_read(public_record(walk.game, walk.entries))
        assert verified(record, walk.game, shipped.game_options(walk.game.slug)) == ()
        assert "AheadKept" not in str(lines_of(record))
        text = text_record(walk.game, walk.entries, None)
        assert text.count(" conditional ") == (ahead if walk is with_them else 0)
        assert read_text_record(walk.game, text).head == walk.match.head
        assert fold(lambda _: walk.game, walk.entries) == walk.match  # noqa: B023
        assert thaw(walk.game, freeze(walk.game, walk.match)) == walk.match


# --- what becomes of them -------------------------------------------------------------------------------------------


def sent(walk: Walk, seat: int, text: str, kind: str = "Move") -> Any:
    walk.now += timedelta(minutes=1)
    return walk.do(do.Submit(seat, kind, Body.of(text), walk.now)).verdict


def codes(verdict: Any) -> list[str]:
    assert isinstance(verdict, Refused), verdict
    return [complaint.code for complaint in verdict.complaints]


def nine_men(**more: str) -> Walk:
    return begin("nine men", 1, starter="1", **more)


def news_of(walk: Walk, count: int, seat: int) -> list[str]:
    """Why, of what the seat is told of its conditional turn by the last entries."""
    fresh = tuple(walk.entries[count:])
    told = [n for n in notices(walk.match, walk.match, fresh) if n.seats == (seat,)]
    return [e.event.why for n in told for e in n.entries if isinstance(e.event, ev.AheadKept)]


def test_a_tree_is_read_by_number_name_colour_and_pronoun() -> None:
    for whose in (
        "Player 2:",
        "player 2 plays",
        "2:",
        "Person 2:",
        "black",
        "Black plays",
        "he plays",
        "my opponent:",
        "",
    ):
        walk = nine_men()
        verdict = sent(walk, 1, f"Move: d7\nIf {whose} g7, then d6, if a7, then a4; if he moves b6 then f4")
        assert isinstance(verdict, Accepted), (whose, verdict)
        assert verdict.ahead.count("Player 2:") == 3
        sent(walk, 2, "Move: g7")
        assert walk.match.inner.at("d6") == 1


def test_the_canonical_lines_are_read_as_the_same_tree() -> None:
    walk = nine_men()
    text = "Move: d7\nIf 2: g7, then d6, if 2: a7, then a4\nIf 2: g7, then d6, if 2: b6, then f4\nIf anything else: g1"
    first = sent(walk, 1, text)
    kept = walk.match.ahead_of(1)
    assert isinstance(first, Accepted)
    assert kept is not None
    again = sent(walk, 1, first.ahead)
    assert isinstance(again, Accepted)
    assert again.ahead == first.ahead
    assert walk.match.ahead_of(1) == kept
    assert [len(kept.branches), len(kept.branches[0].then)] == [2, 2]


def test_what_is_wrong_with_a_line_is_told() -> None:
    walk = nine_men()
    assert codes(sent(walk, 1, "If Player 2: g7, then d6")) == ["ahead_your_turn"]
    assert codes(sent(walk, 1, "Move: d7\nIf Player 2: d7, then d6")) == ["ahead_cannot_come"]
    assert codes(sent(walk, 1, "Move: d7\nIf Player 2: g7, then g7")) == ["occupied"]
    assert codes(sent(walk, 1, "Move: d7\nIf Player 2: g7, then d7")) == ["occupied"]
    assert codes(sent(walk, 1, "Move: d7\nIf Player 1: g7, then d6")) == ["ahead_own"]
    assert codes(sent(walk, 1, "Move: d7\nIf Player 5: g7, then d6")) == ["ahead_whose"]
    assert codes(sent(walk, 1, "Move: d7\nIf Player 2: z9, then d6"))
    assert codes(sent(walk, 1, "Move: d7\nIf Player 2: g7"))
    sent(walk, 1, "Move: d7")
    assert isinstance(sent(walk, 1, "If Player 2: g7, then d6"), Accepted)
    assert turn_of(walk.match, 1) is None


def test_sentences_that_begin_with_if_are_no_conditional_turns() -> None:
    """One with a verb that orders, or a number, may hold the move back, and is asked about; the others are told."""
    for words, counts in (
        ("If you have time, then tell me how it stands.", True),
        ("If anything else is needed, write to me.", True),
        ("If he is ill, then give him two more days.", True),
        ("If you like, we can play a second match.", False),
        ("If I am late, then please wait until 5.", False),
    ):
        walk = nine_men()
        verdict = sent(walk, 1, f"Move: d7\n\n{words}")
        assert isinstance(verdict, Accepted) or (isinstance(verdict, Asked) and not counts), (words, verdict)
        assert words in [line.text for line in verdict.courtesy]
        assert isinstance(verdict, Accepted) or verdict.choices == ("Move: d7",)
        assert walk.match.ahead_of(1) is None


@pytest.mark.parametrize("words", [
    "If he answers g7 I'll play d6.", "Wenn Schwarz g7 spielt, antworte ich d6.", "Si Noir joue g7, je réponds d6.",
    "Si juega g7, juego d6.", "Se Nero gioca g7, allora d6.", "Als zwart g7 speelt, dan d6.",
    "Jeśli zagra g7, zagram d6.", "Se ele jogar g7, jogo d6.", "Om han spelar g7 så spelar jag d6.",
])  # fmt: skip
def test_a_condition_in_prose_beside_a_move_is_asked_about_in_the_notation(words: str) -> None:
    walk = nine_men()
    asked = sent(walk, 1, f"d7. {words}")
    assert isinstance(asked, Asked), asked
    assert asked.choices == ("Move: d7\nIf Player 2: g7, then d6",)
    assert set(asked.doubts) <= {*words_of(words)}, "it quotes the mail's own words"
    assert walk.match.ahead_of(1) is None
    assert isinstance(sent(walk, 1, asked.form), Accepted)
    assert walk.match.ahead_of(1) is not None


@pytest.mark.parametrize("words", [
    "Vielleicht spiele ich g7, oder d6.", "Maybe I should have played g7, or d6.", "Wenn ich g7 spiele, folgt d6?",
])  # fmt: skip
def test_who_muses_on_moves_of_their_own_supposes_nothing(words: str) -> None:
    walk = nine_men()
    verdict = sent(walk, 1, f"d7. {words}")
    assert "If " not in "".join(getattr(verdict, "choices", ())), verdict
    assert walk.match.ahead_of(1) is None


def test_another_move_makes_it_void_and_its_owner_is_told() -> None:
    walk = nine_men()
    sent(walk, 1, "Move: d7\nIf Player 2: g7, then d6")
    count = len(walk.entries)
    sent(walk, 2, "Move: a1")
    assert walk.match.ahead == ()
    assert news_of(walk, count, 1) == ["other"]
    assert turn_of(walk.match, 1) is not None


def test_an_offer_beside_the_move_is_more_than_was_foreseen() -> None:
    walk = nine_men()
    sent(walk, 1, "Move: d7\nIf Player 2: g7, then d6\nIf anything else: d6")
    count = len(walk.entries)
    sent(walk, 2, "Move: g7\nOffer: draw")
    assert news_of(walk, count, 1) == ["other"]
    assert walk.match.inner.offer == 2


def test_an_answer_that_is_not_possible_any_more_is_not_played() -> None:
    walk = nine_men()
    sent(walk, 1, "Move: d7\nIf anything else: d6")
    count = len(walk.entries)
    sent(walk, 2, "Move: d6")
    assert news_of(walk, count, 1) == ["impossible"]


def test_rewinds_amendments_and_another_person_make_it_void() -> None:
    for command, told in (
        (do.Rewind("Round 1 / Player 1", "a slip"), ["rewound"]),
        (do.Amend({"quiet": "60"}, None, False, "agreed"), ["amended"]),
        (ev.EntrantReplaced(1, Entrant("Somebody New", ("new@example.org",)), "he is ill"), []),
    ):
        walk = nine_men()
        sent(walk, 1, "Move: d7\nIf Player 2: g7, then d6")
        count = len(walk.entries)
        assert isinstance(walk.do(command).verdict, Done)
        assert walk.match.ahead == ()
        assert news_of(walk, count, 1) == told
        assert fold(lambda _: walk.game, walk.entries) == walk.match  # noqa: B023


def test_it_may_be_changed_and_taken_back_at_any_time() -> None:
    walk = nine_men()
    sent(walk, 1, "Move: d7\nIf Player 2: g7, then d6")
    assert isinstance(sent(walk, 1, "If Player 2: a7, then a4"), Accepted)
    sent(walk, 2, "Move: g7")
    assert walk.match.inner.at("d6") == 0
    sent(walk, 1, "Move: g4\nIf anything else: a7")
    taken = walk.do(do.Withdraw(1, walk.now)).verdict
    assert isinstance(taken, Withdrawn)
    assert taken.text == "If anything else: a7"
    assert walk.match.ahead == ()
    assert isinstance(walk.do(do.Withdraw(1, walk.now)).verdict, Refused)


# --- the delay --------------------------------------------------------------------------------------------------------


def delayed(**more: str) -> Walk:
    walk = nine_men(**more)
    walk.match.options["delay"] = "6h"
    return walk


def test_it_waits_out_the_delay_and_counts_then() -> None:
    walk = delayed()
    sent(walk, 1, "Move: d7\nIf Player 2: g7, then d6, if Player 2: a1, then a4")
    count = len(walk.entries)
    sent(walk, 2, "Move: g7")
    one = walk.match.ahead_of(1)
    assert one.plays_at is not None
    assert news_of(walk, count, 1) == ["waits"]
    assert walk.now < one.plays_at <= walk.now + timedelta(hours=6)
    walk.do(do.Expire(one.plays_at))
    assert walk.match.inner.at("d6") == 0
    walk.now = one.plays_at + timedelta(seconds=1)
    walk.do(do.Expire(walk.now))
    assert walk.match.inner.at("d6") == 1
    before = len(walk.entries)
    walk.do(do.Expire(walk.now))
    assert len(walk.entries) == before, "a second tick is a no-op"
    sent(walk, 2, "Move: a1")
    assert walk.match.ahead_of(1) is not None


def test_no_deadline_passes_a_seat_whose_answer_waits() -> None:
    walk = delayed(move_deadline="1h")
    sent(walk, 1, "Move: d7\nIf Player 2: g7, then d6")
    sent(walk, 2, "Move: g7")
    walk.now += timedelta(days=3)
    walk.do(do.Expire(walk.now))
    assert walk.match.status == "open"
    assert walk.match.inner.at("d6") == 1


def test_a_move_of_his_own_counts_before_it() -> None:
    for own, kept in (("d6", True), ("g4", False)):
        walk = delayed()
        sent(walk, 1, "Move: d7\nIf Player 2: g7, then d6, if Player 2: a1, then a4")
        sent(walk, 2, "Move: g7")
        verdict = sent(walk, 1, f"Move: {own}")
        assert isinstance(verdict, Accepted)
        assert bool(verdict.void) is not kept
        assert (walk.match.ahead_of(1) is not None) is kept


def test_the_moment_hangs_on_the_referees_secret_alone() -> None:
    found = set()
    for _ in range(2):
        walk = delayed()
        sent(walk, 1, "Move: d7\nIf Player 2: g7, then d6")
        sent(walk, 2, "Move: g7")
        one = walk.match.ahead_of(1)
        found.add(one.plays_at)
    assert len(found) == 1


def test_a_preview_of_one_keeps_nothing() -> None:
    walk = nine_men()
    before = walk.match
    command = do.Submit(1, "Move", Body.of("Move: d7\nIf Player 2: g7, then d6"), walk.now)
    decision = decide(walk.game, walk.match, command, walk.now, KEYS, tuple)
    assert isinstance(decision.verdict, Accepted)
    assert decision.verdict.tree
    assert walk.match is before


def test_games_without_them_say_so() -> None:
    walk = begin("buttons", 1)
    demand = next(d for r in walk.match.rounds for d in r.demands)
    refusal = sent(walk, demand.seat, f"If Player {3 - demand.seat}: a1, then b1", demand.kind)
    assert "ahead_not_here" in codes(refusal)
