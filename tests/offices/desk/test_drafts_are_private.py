"""Contract, 'Mail in': a draft is its seat's own business. Two histories, alike but for the mails of one seat that come
too soon: everything that the other seats, observers and the public can get is compared byte for byte, and what the
moderator is shown; then how it is dropped, and what a crash makes of it."""

import json
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

import pytest

from referee.core import seam
from referee.core.chance import Chance, given_seed
from referee.core.value import Demand
from referee.match.match import Match
from tests.memory import NOON, PEOPLE, answer_text, owing
from tests.offices.desk.test_sealed_means_sealed import Table, differing, public_of
from tests.sampling import one_in
from tests.world import Sent

SEAT = 2
SECRET = "xyzzy"  # a word of the mail that nobody else may meet
# Game, options, seats, how many answers come before the draft.
MATCHES = {
    "morris": ("morris", {"starter": "1"}, 2, 0),
    "fourplay ready": ("fourplay", {}, 4, 0),
    "fourplay purchase": ("fourplay", {}, 4, 4),
    "fourplay play": ("fourplay", {}, 4, 12),
    "go": ("multigo", {"board": "9x9"}, 3, 0),
    "one piece": ("onepiece", {"colours": "red", "edge": "south", "starter": "1"}, 2, 0),
    "buttons": ("buttons", {}, 2, 1),
}


@dataclass(frozen=True)
class Drafting:
    """A match at a point where the seat may send something too soon, or what can't count yet: the mail that does."""

    table: Table
    demand: Demand
    body: str
    date: str | None = None


def opened(kind: str, folder: Path) -> tuple[Table, int]:
    """The match an hour old, and how many answers are to come before the mail."""
    slug, options, seats, most = MATCHES[kind]
    folder.mkdir()
    table = Table(folder)
    people = [f"{p.name} <{p.addresses[0]}>; Europe/Berlin" for p in PEOPLE[:seats]]
    table.name = table.world.open(slug, people, NOON.isoformat(), seed=7, **options)
    table.on(hours=1)
    return table, most


def led_to(kind: str, folder: Path) -> Drafting:
    table, most = opened(kind, folder)
    for answers in range(60):
        with table.match() as match:
            demand = foreseen(match)
            if demand is not None and answers >= most:
                return Drafting(table, demand, draft_of(match, demand))
            table.answer(match, owing(match)[0])
        table.on(minutes=10)
    raise AssertionError(f"{kind}: nothing can come too soon")


def owed_to(kind: str, folder: Path, how: str) -> Drafting:
    """A match in which the seat owes an answer, and a mail of it that counts only once its writer has said more."""
    table, most = opened(kind, folder)
    for answers in range(60):
        with table.match() as match:
            demand = next((d for d in owing(match) if d.seat == SEAT), None)
            later = how != "asked" or any(
                r.begun > match.opened_at for r in match.rounds if demand in r.demands
            )
            if demand is not None and answers >= most and later:
                body = answer_text(match, demand, 1)
                kept = [line for line in body.splitlines() if not line.startswith("Comment:")]
                wrong = ["Moove: q77"] if how == "refused" else []
                early = (NOON + timedelta(minutes=1)).isoformat() if how == "asked" else None
                return Drafting(table, demand, "\n".join([*kept, *wrong, f"Comment: {SECRET}"]), early)
            table.answer(match, owing(match)[0])
        table.on(minutes=10)
    raise AssertionError(f"{kind}: the seat owes nothing")


def foreseen(match: Match) -> Demand | None:
    ahead = match.standing.expected(SEAT) if match.standing else None
    return ahead.demands[0] if ahead else None


def draft_of(match: Match, demand: Demand, seed: int = 1) -> str:
    """A legal answer there, in its form, with a comment."""
    ahead = match.standing.expected(SEAT)
    game, state = match.standing.game, ahead.standing.state
    action = seam.suggest(game, state, demand, Chance(given_seed(seed)))
    form = seam.filled_in(game, state, demand, match.party(SEAT), action)
    kept = [line for line in form.splitlines() if not line.startswith("Comment:")]
    return "\n".join([*kept, f"Comment: {SECRET}"])


def goes_on(start: Drafting, folder: Path, mails: tuple[str, ...]) -> Table:
    """The rest of a history: the seat's own mails, then what all owe, the seat with an answer of another kind."""
    table = start.table.copied(folder)
    for body in mails:
        with table.match() as match:
            table.send(match, start.demand, body, start.date)
        table.on(minutes=1)
    table.now = start.table.now
    table.on(minutes=10)
    for number in range(6):
        with table.match() as match:
            if match.status != "open":
                break
            table.answer(match, owing(match)[0], number)
        table.on(minutes=10)
    with table.match() as match:
        address = match.entrant(1).addresses[0]
    for asked in ("status", "record"):
        subject = f"{asked} [{table.name}]"
        table.world.mail(address, subject, "", table.now.isoformat(), message_id=f"<{asked}@x>")
    table.on(hours=1)
    for command in (["say", table.name, "A word."], ["rewind", table.name, "--to", label(table)]):
        table.world.do(*command, "--why", "a look", "--now", table.now.isoformat())
    table.on(days=40)
    return table


def label(table: Table) -> str:
    with table.match() as match:
        return match.rounds[0].label


def of_moderator(table: Table) -> dict[str, str]:
    """What the moderator is shown; the numbers of mails count those that came."""
    shown = {}
    for command in (["show", table.name, "--json", "--moderator"], ["desk", "--json"]):
        ran = table.world.do(*command)
        shown[command[0]] = ran.out
    return shown


@pytest.mark.parametrize("kind", one_in(7, MATCHES))
def test_a_draft_changes_no_byte_for_anybody_else(kind: str, tmp_path: Path) -> None:
    start = led_to(kind, tmp_path / "start")
    plain = goes_on(start, tmp_path / "plain", ())
    kept = goes_on(start, tmp_path / "kept", (start.body,))
    dropped = goes_on(start, tmp_path / "dropped", (start.body, "discard"))
    told = public_of(plain)
    for table in (kept, dropped):
        mine = letters(table)
        assert any("draft" in letter.text and SECRET in letter.text for letter in mine)
        assert differing(told, public_of(table)) == []
        assert of_moderator(plain) == of_moderator(table)
    assert not any("draft" in letter.text for letter in letters(plain))
    assert SECRET.encode() not in b"".join(told.values())


@pytest.mark.one_in(4)
@pytest.mark.parametrize("how", ["asked", "refused"])
@pytest.mark.parametrize("kind", one_in(4, MATCHES))
def test_what_is_asked_about_or_refused_changes_no_byte_for_anybody_else(
    kind: str, how: str, tmp_path: Path
) -> None:
    """Its writer is answered at once, and says what counts later, as he would have without it."""
    start = owed_to(kind, tmp_path / "start", how)
    plain, tried = goes_on(start, tmp_path / "plain", ()), goes_on(start, tmp_path / "tried", (start.body,))
    told = {letter.kind for letter in letters(tried)} - {letter.kind for letter in letters(plain)}
    assert told & {"refusal", "preview", "challenge"}
    seen = public_of(tried)
    assert differing(public_of(plain), seen) == []
    assert SECRET.encode() not in b"".join(seen.values())


def letters(table: Table) -> list[Sent]:
    """Those of the seat."""
    with table.match() as match:
        own = match.entrant(SEAT).addresses[0]
    return [letter for letter in table.world.new_letters() if letter.to == own]


@pytest.mark.parametrize("kind", ["fourplay ready", "go"])
def test_the_moderator_is_shown_no_word_of_it(kind: str, tmp_path: Path) -> None:
    start = led_to(kind, tmp_path / "start")
    table = start.table
    with table.match() as match:
        table.send(match, start.demand, start.body)
    table.on(minutes=1)
    with table.match() as match:
        assert match.drafts[SEAT].text
    world = table.world
    number = next(n for n in range(1, 60) if _is_it(world.run("mail", str(n), "--json").out))
    told = world.run("mail", str(number)).out + world.run("mail", str(number), "--json").out
    assert SECRET not in told
    assert start.body.splitlines()[-2] not in told
    for command in (["desk"], ["desk", "--json"], ["show", table.name, "--moderator"], ["list", "--json"]):
        assert SECRET not in world.run(*command).out
        assert "raft" not in world.run(*command).out


def _is_it(out: str) -> bool:
    try:
        facts = json.loads(out)
    except ValueError:
        return False
    return "draft" in str(facts.get("why"))


def test_status_names_it_to_its_owner_alone_and_a_later_kind_brings_the_earlier_back(tmp_path: Path) -> None:
    start = led_to("fourplay ready", tmp_path / "start")
    table, world = start.table, start.table.world
    with table.match() as match:
        table.send(match, start.demand, start.body)
        people = [match.entrant(seat).addresses[0] for seat in match.numbers]
    table.on(minutes=1)
    for seat, who in enumerate(people, 1):
        world.mail(who, f"status [{table.name}]", "", table.now.isoformat(), message_id=f"<status-{seat}@x>")
    world.new_letters()
    table.on(minutes=1)
    told = {letter.to: letter.text for letter in world.new_letters() if letter.kind == "status"}
    assert {who for who in people if "raft" in told[who] or SECRET in told[who]} == {people[SEAT - 1]}
    for _ in people:
        with table.match() as match:
            if match.inner.phase != "ready" if hasattr(match.inner, "phase") else not owing(match):
                break
            table.answer(match, owing(match)[0])
        table.on(minutes=1)
    with table.match() as match:
        setup = foreseen(match)
        assert (setup is not None and setup.kind) == "Setup"
        assert match.drafts[SEAT].asked is not None
        table.send(match, setup, draft_of(match, setup))
    world.new_letters()
    table.on(minutes=1)
    (kept,) = [letter for letter in letters(table) if letter.kind == "preview"]
    assert "takes the place of your draft of your initial purchase" in " ".join(kept.text.lower().split())
    assert SECRET in kept.text
    world.mail(
        people[SEAT - 1],
        f"Re: {kept.subject}",
        "OK",
        table.now.isoformat(),
        reply_to=kept.message["Message-ID"],
    )
    table.on(minutes=1)
    assert "receipt" in [letter.kind for letter in letters(table)]
    with table.match() as match:
        assert SEAT not in [demand.seat for demand in owing(match)]
        assert match.drafts[SEAT].demand.kind == "Setup"
