"""Whole matches of every game, with mistakes, questions, repeated deliveries and silence among the mails; hours, days
off, grace, misses, substitutes and outages; a moderator who works by mail alone: a desk and an engine that read the
same mails write the same letters, match by match, byte for byte; and the same ledgers."""

from collections import defaultdict
from datetime import datetime, timedelta
from email import message_from_bytes
from itertools import count
from pathlib import Path

import pytest

from referee.match import events as ev
from referee.match.events import Entrant
from tests.laws.walks import KINDS
from tests.memory import NOON, PEOPLE, Stage, answer_text, later, owing, plain, subject_of
from tests.offices.desk.test_drafts_are_private import MATCHES as DRAFTING
from tests.offices.desk.test_drafts_are_private import SEAT, draft_of, foreseen
from tests.world import sent

pytestmark = pytest.mark.server
STEPS, ALL_STEPS = 4, 120
CLOCKS = {"hour": "20:00", "days_off": "sun", "grace": "1d", "reminders": "1d,6h", "miss": "1"}
OUTAGE = timedelta(minutes=30)
EVE = Entrant("Eve Eliot", ("eve@elsewhere.example",))
MO = "moderator@referee.localhost"


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


def are_alike(stages: tuple[Stage, Stage]) -> None:
    ours, theirs = (letters_by_match(stage) for stage in stages)
    assert ours.keys() == theirs.keys()
    for match in ours:
        assert ours[match] == theirs[match], match
    ours_rows, theirs_rows = (stage.rows() for stage in stages)
    assert ours_rows["ledger"] == theirs_rows["ledger"]
    assert ours_rows["people"] == theirs_rows["people"]


def play(stages: tuple[Stage, Stage], names: list[str], steps: int) -> None:
    now = later()
    for number in range(steps):
        now += timedelta(hours=5) if number % 6 else timedelta(days=16)  # deadlines pass
        post_a_round(stages, names, number, now - timedelta(hours=1))
        counts = [stage.step(now).facts() for stage in stages]
        assert counts[0] == counts[1], number
        if all(stages[0].match(name).status == "ended" for name in names):
            break
    are_alike(stages)


def opened(stage: Stage, kind: str, number: int = 1, **more: str) -> list[str]:
    game, seats, options = KINDS[kind]
    return [stage.open(game, seats, NOON, **options, **more) for _ in range(number)]


@pytest.fixture
def stages(queue_url: str, tmp_path: Path) -> tuple[Stage, Stage]:
    """A desk, and an engine on PostgreSQL."""
    for part in ("desk", "engine"):
        (tmp_path / part).mkdir()
    return Stage(tmp_path / "desk"), Stage(tmp_path / "engine", queue_url, kind="procrastinate")


@pytest.mark.one_in(2)
@pytest.mark.parametrize("half", [0, 1])
def test_a_bar_of_every_game_is_the_same_with_both_engines(stages: tuple[Stage, Stage], half: int) -> None:
    """The same four people at a table of each kind of every game, half of them in one mailbox."""
    for stage in stages:
        names = [name for kind in [*KINDS][half::2] for name in opened(stage, kind, 1)]
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
    are_alike(stages)


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
    are_alike(stages)


@pytest.mark.one_in(2)
@pytest.mark.parametrize("half", [1, 0])
def test_the_clocks_of_every_game_are_the_same_with_both_engines(
    stages: tuple[Stage, Stage], half: int
) -> None:
    some = [kind for kind in KINDS if "solo" not in kind][half::2]
    for stage in stages:
        names = [name for kind in some for name in opened(stage, kind, **CLOCKS)]
    now = later()
    for number in range(8):
        now += timedelta(hours=26) if number % 3 else timedelta(days=9)
        for name in names:
            match = stages[0].match(name)
            for turn, demand in enumerate(owing(match)):
                if (number + turn + len(name)) % 3:
                    sender = match.entrant(demand.seat).addresses[0]
                    subject = f"{subject_of(match, demand)} [{name}]"
                    both(
                        stages, sender, subject, answer_text(match, demand, number), now - timedelta(hours=1)
                    )
        if number == 2:
            for stage in stages:
                stage.desk(names[0], ev.SubstituteNamed(1, EVE), now - timedelta(hours=2))
            both(
                stages, "ann@example.org", "vacation 2026-03-16 to 2026-03-20", "", now - timedelta(minutes=9)
            )
        counts = [stage.step(now, outage=OUTAGE if number > 4 else None).facts() for stage in stages]
        assert counts[0]["lapsed"] == counts[1]["lapsed"], number
    are_alike(stages)
    kinds = {row["kind"] for row in stages[0].rows()["ledger"]}
    assert {"GraceBegun", "DowntimeAdded"} <= kinds, "both were tried"


# --- a moderator's mail, and a club's ---------------------------------------------------------------------------------


def replies(stage: Stage, who: str, about: str, words: str, at: datetime, subject: str = "") -> None:
    """To the last letter of that kind, or with that in its subject."""
    found = [message_from_bytes(parcel.raw) for parcel in stage.sent if parcel.recipient == who]
    letter = [m for m in found if about == m["X-Referee-Notice"] or about in m["Subject"]][-1]
    named, where = str(letter["Message-ID"]), str(letter["Reply-To"])
    subject = subject or f"Re: {letter['Subject']}"
    stage.write(who, subject, words, at, In_Reply_To=named, References=named, To=where)


def work(stage: Stage) -> dict[str, object]:
    """A day at the desk; how the matches stand after it."""
    one, two = stage.open("buttons", 2), stage.open("multigo", 2, order="parallel")
    stage.step(later())
    stage.write(MO, "desk", "", later(hours=1))
    stage.write("ann@example.org", "Odd", "Something", later(hours=1), X_Spam_Flag="YES")
    stage.write("ben@example.org", f"A question [{one}]", "May I use another program?", later(hours=1))
    stage.step(later(hours=1))
    replies(stage, MO, "status", "holidays", later(hours=2), f"extend {one} by 2d")
    replies(stage, MO, "status", "holidays", later(hours=2, minutes=1), f"pause {two}")
    stage.write(MO, f"say {one}", "Well met", later(hours=2, minutes=2))  # from a bare From
    stage.step(later(hours=2))
    stage.step(later(hours=3))
    replies(stage, MO, "challenge", "Yes", later(hours=4))
    stage.step(later(hours=4))
    replies(stage, MO, "status", "", later(hours=5), "desk")
    stage.step(later(hours=5))
    replies(stage, MO, "status", "1 reject because it is spam\n3 resume because all are back", later(hours=6))
    stage.step(later(hours=6))
    found = {name: stage.match(name) for name in (one, two)}
    return {name: (match.status, match.position, match.head) for name, match in found.items()}


def test_a_moderators_orders_are_carried_out_alike(stages: tuple[Stage, Stage]) -> None:
    one, other = map(work, stages)
    assert one == other
    are_alike(stages)


def club(stage: Stage) -> None:
    """A proposal that is agreed to, an event of two rounds, a proposal of which nothing comes."""
    stage.open("fourplay")
    clock = (later(minutes=number) for number in count(1))
    ann, ben, cleo, dan = addresses = [person.addresses[0] for person in PEOPLE]

    def all_say(about: str, words: str, *people: str, subject: str = "") -> None:
        for who in people:
            replies(stage, who, about, words, next(clock), subject)
        stage.step(next(clock))

    stage.write(ann, "propose multigo", "", next(clock))
    stage.step(next(clock))
    all_say("A form", f"With: {ben}, {cleo}\nOption: board=9x9", ann)
    all_say("will you play", "Yes", ben, cleo)
    stage.write(MO, "event new spring --game morris --kind swiss --rounds 2", "", next(clock))
    stage.step(next(clock))
    all_say("Are these orders yours", "Yes", MO)
    entered = "\n".join(f"{person.name} <{person.addresses[0]}>" for person in PEOPLE)
    all_say("The event is changed", entered, MO, subject="event enter spring")
    all_say("[spring]", "Yes", *addresses)
    all_say("The event is changed", "", MO, subject="event start spring")
    ended = set[str]()
    for _ in range(2):
        for who in addresses:
            found = [message_from_bytes(p.raw) for p in stage.sent if p.recipient == who]
            last = [m for m in found if "morris" in (m["X-Referee-Match"] or "")][-1]
            if (match := last["X-Referee-Match"]) not in ended:
                ended.add(match)
                to = last["Reply-To"].replace("speaker+", "collector+")
                stage.write(who, f"resign [{match}]", "Resign", next(clock), To=to)
        stage.step(next(clock))
    stage.write(dan, "propose morris", "", next(clock))
    stage.step(next(clock))
    all_say("A form", "Open: 1", dan)
    stage.step(next(clock) + timedelta(days=8))
    subjects = [message_from_bytes(parcel.raw)["Subject"] for parcel in stage.sent]
    assert all(any(told in s for s in subjects) for told in ("nothing came of it", "it is over"))


@pytest.mark.soak
def test_a_club_of_workers_writes_what_a_desk_writes(stages: tuple[Stage, Stage]) -> None:
    for stage in stages:
        club(stage)
    are_alike(stages)
    rows = [stage.rows() for stage in stages]
    for table in ("gatherings", "invitations", "event_matches"):
        assert rows[0][table] == rows[1][table], table
    told = [sorted((row["gathering"], row["body"]) for row in each["club_ledger"]) for each in rows]
    assert told[0] == told[1]  # of two matches that end in one pass either may be the first
