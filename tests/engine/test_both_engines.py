"""Whole matches of every game, with mistakes, questions, repeated deliveries and silence among the mails: a desk and an
engine that read the same mails write the same letters, match by match, byte for byte; and the same ledgers."""

from __future__ import annotations

from collections import defaultdict
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from tests.laws.walks import KINDS
from tests.offices.desk.test_drafts_are_private import MATCHES as DRAFTING
from tests.offices.desk.test_drafts_are_private import SEAT, draft_of, foreseen
from tests.offices.stage import NOON, Stage, answer_text, later, owing, plain, subject_of
from tests.world import sent

pytestmark = pytest.mark.server
STEPS, ALL_STEPS = 4, 120


def letters_by_match(stage: Stage) -> dict[str, dict[str, bytes]]:
    """By match and Message-ID; what is about no match under "". No letter under one Message-ID is two letters."""
    found: dict[str, dict[str, bytes]] = defaultdict(dict)
    for parcel in stage.sent:
        raw = plain(parcel.raw)
        head = raw.partition(b"\n\n")[0]
        named = [line for line in head.splitlines() if line.startswith(b"X-Referee-Match: ")]
        match = named[0].partition(b": ")[2].decode() if named else ""
        assert found[match].setdefault(parcel.message_id, raw) == raw
    return found


def both(
    stages: tuple[Stage, Stage], sender: str, subject: str, body: str, at: datetime, **headers: str
) -> None:
    for stage in stages:
        stage.write(sender, subject, body, at, **headers)


def post_a_round(stages: tuple[Stage, Stage], names: list[str], number: int, at: datetime) -> None:
    """Whoever owes something answers it, but for those who are silent, wrong, curious or sent twice."""
    inline, _ = stages
    for name in names:
        match = inline.match(name)
        for turn, demand in enumerate(owing(match)):
            sender = match.entrant(demand.seat).addresses[0]
            subject = f"{subject_of(match, demand)} [{name}]"
            at += timedelta(seconds=7)
            case = (number * 5 + turn * 3 + len(name)) % 11
            if case == 4:
                continue  # silent, this time
            if case == 7:
                both(stages, sender, subject, f"Move: z{number}\n99 Unicorn", at)
            if case == 8:
                both(stages, sender, f"status [{name}]", f"How do I stand? {number}", at)
            body = answer_text(match, demand, number)
            both(stages, sender, subject, body, at)
            if case == 2:
                both(stages, sender, subject, body, at, Message_ID=f"<mail-{inline.written}@players.example>")


def play(stages: tuple[Stage, Stage], names: list[str], steps: int) -> None:
    now = later()
    for number in range(steps):
        now += timedelta(hours=5) if number % 6 else timedelta(days=16)  # deadlines pass
        post_a_round(stages, names, number, now - timedelta(hours=1))
        counts = [stage.step(now).facts() for stage in stages]
        assert counts[0] == counts[1], number
        if all(stages[0].match(name).status == "ended" for name in names):
            break
    ours, theirs = (letters_by_match(stage) for stage in stages)
    assert ours.keys() == theirs.keys()
    for match in ours:
        assert ours[match] == theirs[match], match
    ours_rows, theirs_rows = (stage.rows() for stage in stages)
    assert ours_rows["ledger"] == theirs_rows["ledger"]
    assert ours_rows["people"] == theirs_rows["people"]


def opened(stage: Stage, kind: str, number: int) -> list[str]:
    game, seats, options = KINDS[kind]
    return [stage.open(game, seats, NOON, **options) for _ in range(number)]


@pytest.fixture
def stages(queue_url: str, tmp_path: Path) -> tuple[Stage, Stage]:
    """A desk, and an engine on PostgreSQL."""
    for part in ("desk", "engine"):
        (tmp_path / part).mkdir()
    return Stage(tmp_path / "desk"), Stage(tmp_path / "engine", queue_url, kind="procrastinate")


def test_a_bar_of_every_game_is_the_same_with_both_engines(stages: tuple[Stage, Stage]) -> None:
    """The same four people at a table of each kind of every game, all in one mailbox."""
    for stage in stages:
        names = [name for kind in KINDS for name in opened(stage, kind, 1)]
    play(stages, names, STEPS)


@pytest.mark.soak
@pytest.mark.parametrize("kind", KINDS)
def test_whole_matches_are_the_same_with_both_engines(kind: str, stages: tuple[Stage, Stage]) -> None:
    for stage in stages:
        names = opened(stage, kind, 4)
    play(stages, names, ALL_STEPS)


def test_words_that_name_no_match_count_with_both_engines(stages: tuple[Stage, Stage]) -> None:
    """In two matches the same two people move in turn, under no heading: what fits in one counts there, in its turn
    among what names its match; what fits in both is asked about."""
    for stage in stages:
        names = [stage.open("morris", 2, NOON, starter=str(n)) for n in (1, 2)]
    ann, ben = (stages[0].match(names[0]).entrant(seat).addresses[0] for seat in (1, 2))
    at = later()
    mails = [
        (ann, "my move", "Move: a7"),  # the first alone waits for Ann
        (ben, f"Morris: Move [{names[0]}]", "Move: d7"),
        (ben, "mine", "g7 please"),  # and the second for Ben
        (ann, "next", "Move: d2"),  # both wait for Ann
    ]
    for second, (who, subject, body) in enumerate(mails):
        both(stages, who, subject, body, at + timedelta(seconds=second))
    at += timedelta(minutes=1)
    counts = [stage.step(at).facts() for stage in stages]
    assert [(count["accepted"], count["answered"]) for count in counts] == [(3, 1), (3, 1)]
    ours, theirs = (letters_by_match(stage) for stage in stages)
    assert ours == theirs
    assert stages[0].rows()["ledger"] == stages[1].rows()["ledger"]


@pytest.mark.parametrize("kind", ["fourplay ready", "morris"])
def test_a_draft_is_kept_shown_and_sent_with_both_engines(kind: str, stages: tuple[Stage, Stage]) -> None:
    """What comes too soon, and the OK that sends it from the letter which then asks for it."""
    slug, options, seats, _ = DRAFTING[kind]
    for stage in stages:
        name = stage.open(slug, seats, NOON, **options)
    inline, at = stages[0], later()
    sender = inline.match(name).entrant(SEAT).addresses[0]
    demand = foreseen(inline.match(name))
    assert demand is not None
    subject = f"{subject_of(inline.match(name), demand)} [{name}]"
    both(stages, sender, subject, draft_of(inline.match(name), demand), at)
    assert [stage.step(at + timedelta(seconds=1)).answered for stage in stages] == [1, 1]
    for owed in owing(inline.match(name)):
        at += timedelta(minutes=1)
        match = inline.match(name)
        body, who = answer_text(match, owed, 1), match.entrant(owed.seat).addresses[0]
        both(stages, who, f"{subject_of(match, owed)} [{name}]", body, at)
    at += timedelta(minutes=1)
    for stage in stages:
        stage.step(at)
    asking = [sent(parcel.raw) for parcel in inline.sent if parcel.recipient == sender][-1]
    assert asking.kind == "due"
    both(stages, sender, f"Re: {asking.subject}", "OK", at, In_Reply_To=str(asking.message["Message-ID"]))
    assert [stage.step(at + timedelta(minutes=1)).accepted for stage in stages] == [1, 1]
    ours, theirs = (letters_by_match(stage) for stage in stages)
    assert ours == theirs
    assert stages[0].rows()["ledger"] == stages[1].rows()["ledger"]
