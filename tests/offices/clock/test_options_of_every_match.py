"""Clocks as data: what the options of every match do, by the outer contract alone."""

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from tests.world import Sent, Table, World, kinds

DAY = timedelta(days=1)
OPENED = datetime(2026, 3, 4, 12, tzinfo=UTC)  # a Wednesday


def at(moment: datetime) -> str:
    return moment.isoformat().replace("+00:00", "Z")


def due(table: Table, seat: int | None = None) -> datetime:
    found = [d for d in table.world.show(table.match)["due"] if seat in (None, d["seat"])]
    return datetime.fromisoformat(found[0]["due_at"])


def table(folder: Path, game: str = "morris", zone: str = "UTC", **options: str) -> Table:
    """A match that is opened on a Wednesday noon; turns have two days."""
    made = Table.__new__(Table)
    made.world = World(folder)
    made.world.configure('timezone = "UTC"', f'timezone = "{zone}"')
    people = ["Ann Archer <ann@example.org>; Europe/Berlin", "Ben Baker <ben@example.org>"]
    if game in ("multigo", "fourplay"):
        people += ["Cleo Carter <cleo@example.org>", "Dan Draper <dan@example.org>"]
    more = {} if game == "fourplay" else {"move_deadline": "2d"}
    made.match = made.world.open(game, people, at(OPENED), seed=1, **{**more, **options})
    made.people, made.letters = people, []
    made.step(at(OPENED))
    addresses = {p.split(" <")[0]: p.split("<")[1].split(">")[0] for p in people}
    made.seats = {s["number"]: addresses[s["name"]] for s in made.world.show(made.match)["seats"]}
    made.turn = made.world.show(made.match)["due"][0]["seat"]
    return made


def answer(made: Table, seat: int, moment: datetime) -> list[Sent]:
    """The seat's own next answer, by mail."""
    owed = made.world.show(made.match)["due"]
    demand = next(d["demand"] for d in owed if d["seat"] == seat)
    title = {"morris": "Morris", "multigo": "Go", "fourplay": "Fourplay"}[made.match.partition("-")[0]]
    made.send(
        made.seats[seat],
        f"{title}: {demand} / Player {seat} [{made.match}]",
        made.orders(made.seats[seat]),
        at(moment),
    )
    return made.letters


def desk(made: Table, moment: datetime, verb: str, *words: object, why: str = "a wish") -> None:
    """What the moderator orders of the match."""
    made.world.do(verb, made.match, *map(str, words), "--why", why, "--now", at(moment))


def amend(made: Table, moment: datetime, **options: str) -> None:
    chosen = [part for name, value in options.items() for part in ("--option", f"{name}={value}")]
    desk(made, moment, "amend", *chosen)


def verifies(made: Table) -> None:
    made.world.verifies(made.match)
    assert made.world.run("check").status == 0


# --- hours and days off ---------------------------------------------------------------------------------------------


def test_a_deadline_ends_at_the_hour_of_the_referees_zone_and_is_told_in_the_players(tmp_path: Path) -> None:
    made = table(tmp_path, zone="America/New_York", hour="20:00", days_off="fri,sat,2026-03-09")
    # Wednesday noon and two days that count: Wednesday, Thursday, Sunday to 7 a.m. there; Sunday, 20:00 (summer time)
    assert due(made) == datetime(2026, 3, 9, 0, tzinfo=UTC)
    for reader, told in (("ann@example.org", "01:00"), ("ben@example.org", "20:00")):
        if made.seats[made.turn] == reader:
            assert told in made.latest("due", reader).words
    verifies(made)


def test_the_options_are_among_what_letters_and_games_tell(tmp_path: Path) -> None:
    made = table(tmp_path, hour="20:00", days_off="sat,sun", reminders="12h", grace="1d", miss="2")
    opened = made.latest("opened", "ann@example.org").words
    for sentence in (
        "Deadlines end at 20:00, by the clocks of UTC.",
        "These days do not count towards a deadline: sat, sun.",
        "Whoever has not answered is reminded before the deadline: 12h.",
        "After its deadline an answer still counts for 1 day",
        "After 2 missed deadlines in a row a seat is open to others.",
    ):
        assert sentence in opened
    games = {
        g["game"]: {o["name"]: o["default"] for o in g["options"]}
        for g in json.loads(made.world.run("games", "--json").out)
    }
    assert games["multigo"]["miss"] == games["onepiece"]["miss"] == "3"
    assert {games[g]["miss"] for g in ("fourplay", "buttons", "morris")} == {"0"}
    refused = made.world.run(
        "open", "morris", "--option", "hour=25:00", "--option", "miss=x", "--option", "hours=1"
    )
    assert refused.status == 1
    assert all(word in refused.err for word in ("25:00", "'x'", "hours", "did you mean hour"))


def test_an_amendment_of_hours_and_days_off_reaches_the_deadline_that_runs(tmp_path: Path) -> None:
    made = table(tmp_path)
    assert due(made) == OPENED + 2 * DAY
    amend(made, OPENED + DAY, hour="20:00")
    assert due(made) == OPENED + 2 * DAY + timedelta(hours=8)
    amend(made, OPENED + DAY, days_off="fri,sat")
    assert due(made) == datetime(2026, 3, 8, 20, tzinfo=UTC)
    letters = [x for x in made.step(at(OPENED + DAY))[1] if x.kind == "announcement"]
    assert any("is now Sunday 8 March 2026, 20:00 UTC" in x.words for x in letters)
    assert not any("Deadlines that are running stay as they are" in x.words for x in letters)
    amend(made, OPENED + DAY, hour="none", days_off="none", reminders="1d")
    assert due(made) == datetime(2026, 3, 8, 20, tzinfo=UTC), "no deadline ends sooner"
    assert "Deadlines that are running stay as they are" in made.step(at(OPENED + DAY))[1][0].words
    verifies(made)


@pytest.mark.parametrize("how", ["extend", "pause", "outage", "absence", "until"])
def test_what_moves_a_deadline_moves_it_on_to_the_hour(tmp_path: Path, how: str) -> None:
    made = table(tmp_path, hour="20:00", days_off="sun")
    first = due(made)
    assert first == datetime(2026, 3, 6, 20, tzinfo=UTC)
    if how == "extend":
        desk(made, OPENED, "extend", "--by", "1d12h")
        wanted = datetime(2026, 3, 9, 20, tzinfo=UTC)  # Saturday has but four hours left; Sunday is off
    elif how == "until":
        desk(made, OPENED, "extend", "--until", "2026-03-08T10:00:00Z")
        wanted = datetime(2026, 3, 8, 10, tzinfo=UTC)  # as it is named
    elif how == "pause":
        desk(made, OPENED, "pause")
        desk(made, OPENED + timedelta(hours=3), "resume")
        wanted = datetime(2026, 3, 7, 20, tzinfo=UTC)
    elif how == "outage":
        made.world.configure('cron = ""', 'cron = "10m"')
        made.step(at(OPENED))
        made.step(at(OPENED + timedelta(minutes=40)))
        wanted = datetime(2026, 3, 7, 20, tzinfo=UTC)
    else:
        made.send(made.mover, f"vacation [{made.match}]", "from 6 March 2026 to 7 March 2026", at(OPENED))
        made.send(made.mover, f"vacation 2026-03-06 to 2026-03-07 [{made.match}]", "", at(OPENED))
        wanted = datetime(2026, 3, 9, 20, tzinfo=UTC)
    assert due(made) == wanted
    verifies(made)


# --- reminders ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("reminders", "hours"), [("usual", [24]), ("12h,3h", [36, 45]), ("none", [])])
def test_reminders_come_when_the_match_says(tmp_path: Path, reminders: str, hours: list[int]) -> None:
    made = table(tmp_path, reminders=reminders)
    reminded = []
    for hour in range(1, 48):
        fresh = made.step(at(OPENED + timedelta(hours=hour)))[1]
        reminded += [hour] * len([x for x in fresh if x.kind == "reminder"])
    assert reminded == hours


def test_a_grace_a_reminder_and_an_absence_hold_whatever_an_amendment_finds(tmp_path: Path) -> None:
    made = table(tmp_path)
    amend(made, OPENED + timedelta(hours=1), reminders="6h", grace="1d", miss="1")
    made.step(at(OPENED + timedelta(hours=2)))
    assert [x.kind for x in made.step(at(OPENED + timedelta(hours=42)))[1]] == ["reminder"]
    fresh = made.step(at(OPENED + timedelta(hours=48, minutes=1)))[1]
    assert "grace" in fresh[0].words


# --- grace ----------------------------------------------------------------------------------------------------------


def test_an_answer_within_the_grace_counts_and_all_are_told_that_it_is_used(tmp_path: Path) -> None:
    made = table(tmp_path, grace="1d")
    late, mover = due(made), made.turn
    assert made.step(at(late))[0]["lapsed"] == 0
    fresh = made.step(at(late + timedelta(seconds=1)))[1]
    assert kinds(fresh)["announcement"] == ["ann@example.org", "ben@example.org"]
    assert f"(Player {mover})" in fresh[0].words
    assert "1 day of grace" in fresh[0].words
    assert due(made) == late, "facts name the deadline without it"
    assert made.step(at(late + timedelta(hours=5)))[1] == [], "it is told once, and no reminder comes"
    answer(made, mover, late + timedelta(hours=23))
    assert made.world.show(made.match)["due"][0]["seat"] != mover
    verifies(made)


def test_a_mail_that_arrived_in_the_grace_counts_whenever_it_is_found(tmp_path: Path) -> None:
    made = table(tmp_path, grace="1d")
    late, mover = due(made), made.turn
    made.world.mail(
        made.mover, f"Morris: Move / Player {mover}", made.orders(made.mover), at(late + timedelta(hours=20))
    )
    counts, _ = made.step(at(late + 3 * DAY))
    assert (counts["accepted"], made.world.show(made.match)["due"][0]["seat"] == mover) == (1, False)
    verifies(made)


def test_behind_the_grace_the_deadline_is_missed_and_an_answer_is_late(tmp_path: Path) -> None:
    made = table(tmp_path, grace="1d", timeout_default="loss")
    late = due(made)
    made.world.mail(
        made.mover,
        f"Morris: Move / Player {made.turn}",
        made.orders(made.mover),
        at(late + DAY + timedelta(seconds=1)),
    )
    counts, _ = made.step(at(late + DAY + timedelta(minutes=1)))
    assert (counts["refused"], made.world.show(made.match)["status"]) == (1, "ended")
    verifies(made)


def test_grace_comes_once_a_round_and_again_in_the_next(tmp_path: Path) -> None:
    made = table(tmp_path, grace="1d")
    late = due(made)
    made.step(at(late + timedelta(hours=1)))
    desk(made, late + timedelta(hours=2), "extend", "--by", "3d")
    fresh = made.step(at(late + 3 * DAY + timedelta(seconds=1)))[1]
    assert not any("of grace" in x.words for x in fresh)
    assert made.world.show(made.match)["status"] == "ended", "the new deadline has none"
    other = table(tmp_path / "other", grace="1d")
    answer(other, other.turn, due(other) + timedelta(hours=1))
    second = other.world.show(other.match)["due"][0]["seat"]
    later = due(other)
    fresh = other.step(at(later + timedelta(seconds=1)))[1]
    assert any("of grace" in x.words and f"(Player {second})" in x.words for x in fresh)


def sealed_letters(folder: Path, answering: int) -> dict[str, list[bytes]]:
    """What everybody but two seats gets when one of these two alone has not answered a sealed round in time."""
    made = table(folder, "fourplay", grace="2d", purchase_window="3d")
    for seat in (1, 2, 3, 4):
        answer(made, seat, OPENED + timedelta(minutes=seat))
    for seat in (1, 2, answering):
        answer(made, seat, OPENED + timedelta(hours=seat))
    late = due(made)
    made.step(at(late + timedelta(minutes=1)))
    facts = made.world.show(made.match)
    assert [d["seat"] for d in facts["due"]] == [1, 2, 3, 4]
    watched = [x for x in made.letters if x.to in (made.seats[1], made.seats[2])]
    told = [
        x
        for x in made.letters
        if "of grace" in x.words and x.to == made.seats[1] and x.kind == "announcement"
    ]
    assert told
    assert not any(f"Player {n}" in told[-1].words.partition("Next comes")[0] for n in (1, 2, 3, 4))
    return {"letters": [x.text.encode() for x in watched], "facts": [json.dumps(facts).encode()]}


def test_in_a_sealed_round_the_use_of_grace_tells_nothing_of_whose_it_is(tmp_path: Path) -> None:
    assert sealed_letters(tmp_path / "a", 3) == sealed_letters(tmp_path / "b", 4)


def test_a_stale_and_a_second_tick_change_nothing_of_a_grace(tmp_path: Path) -> None:
    made = table(tmp_path, grace="1d")
    late = due(made)
    made.step(at(late + timedelta(hours=1)))
    before = made.world.run("record", made.match).out
    for _ in range(2):
        counts, fresh = made.step(at(late + timedelta(hours=1)))
        assert (counts["lapsed"], fresh) == (0, [])
    assert made.world.run("record", made.match).out == before


# --- misses ---------------------------------------------------------------------------------------------------------


def test_after_so_many_misses_in_a_row_a_seat_is_open_to_others(tmp_path: Path) -> None:
    made = table(tmp_path, "multigo", board="9x9", miss="2", compensation="none")
    moment, opened = OPENED, []
    for round_ in range(3):
        for _ in range(4):
            seat = made.world.show(made.match)["due"][0]["seat"]
            moment += 2 * DAY + timedelta(minutes=1) if seat == 1 else timedelta(minutes=1)
            made.step(at(moment)) if seat == 1 else answer(made, seat, moment)
            if made.world.show(made.match)["vacant"]:
                opened.append((round_, seat))
                break
        if opened:
            break
    assert opened == [(1, 1)]
    alarm = next(x for x in made.letters if x.kind == "alarm")
    assert "silent for too long" in alarm.words
    assert made.world.show(made.match)["vacant"] == [1]
    joined = made.world.join(made.match, "Eve Eliot <eve@example.org>", at(moment + timedelta(hours=1)))
    assert "status" in {x.kind for x in joined if x.to == "eve@example.org"}
    assert made.world.show(made.match)["vacant"] == []
    verifies(made)


def test_an_answer_keeps_a_seat_that_is_open_and_begins_the_count_anew(tmp_path: Path) -> None:
    made = table(tmp_path, "fourplay", miss="1", purchase_window="3d", setup_window="3d", turn_window="3d")
    for seat in (1, 2, 3, 4):
        answer(made, seat, OPENED + timedelta(minutes=seat))
    for seat in (1, 2, 3):
        answer(made, seat, OPENED + timedelta(hours=seat))
    moment = OPENED + 4 * DAY
    fresh = made.step(at(moment))[1]
    assert made.world.show(made.match)["vacant"] == [4]
    assert any("so the seat is open to others" in x.words for x in fresh)
    verifies(made)


def test_a_seat_where_nobody_ever_played_ends_the_match_if_nobody_takes_it(tmp_path: Path) -> None:
    made = table(tmp_path, "fourplay", miss="1", purchase_window="3d", setup_window="3d", turn_window="3d")
    for seat in (1, 2, 3, 4):
        answer(made, seat, OPENED + timedelta(minutes=seat))
    desk(made, OPENED + DAY, "replace", "4", "Eve <eve@example.org>")
    for seat in (1, 2, 3):
        answer(made, seat, OPENED + DAY + timedelta(hours=seat))
    made.step(at(OPENED + 5 * DAY))
    assert made.world.show(made.match)["vacant"] == [4]
    told = next(x for x in made.letters if "so the seat is open" in x.words)
    assert "the next deadline is missed too, the match is called off" in told.words
    for seat in (1, 2, 3):
        answer(made, seat, OPENED + 5 * DAY + timedelta(hours=seat))
    made.step(at(OPENED + 9 * DAY))
    facts = made.world.show(made.match)
    assert (facts["status"], facts["outcome"]["winners"]) == ("ended", [])
    assert "never came to play" in facts["outcome"]["reason"]
    verifies(made)


def test_where_no_deadline_runs_a_player_never_heard_of_is_waited_for_two_weeks_and_two_more(
    tmp_path: Path,
) -> None:
    made = table(tmp_path, "fourplay", miss="3")
    for seat in (1, 2, 3):
        answer(made, seat, OPENED + timedelta(minutes=seat))
    made.step(at(OPENED + 14 * DAY))
    assert made.world.show(made.match)["vacant"] == []
    fresh = made.step(at(OPENED + 14 * DAY + timedelta(minutes=5)))[1]
    assert made.world.show(made.match)["vacant"] == [4]
    assert any("within two weeks more, the match is called off" in x.words for x in fresh)
    taken = made.world.copied(tmp_path / "taken")
    taken.join(made.match, "Eve Eliot <eve@example.org>", at(OPENED + 20 * DAY))
    taken.step(at(OPENED + 29 * DAY))
    assert taken.show(made.match)["status"] == "open"
    made.step(at(OPENED + 28 * DAY + timedelta(minutes=5)))
    assert made.world.show(made.match)["status"] == "ended"
    assert "never came to play" in made.world.show(made.match)["outcome"]["reason"]
    verifies(made)
    never = table(tmp_path / "never", "fourplay")
    never.step(at(OPENED + 200 * DAY))
    assert (never.world.show(never.match)["status"], never.world.show(never.match)["vacant"]) == ("open", [])


# --- outages under cron ---------------------------------------------------------------------------------------------


def test_a_gap_of_three_expected_passes_is_given_back_and_told_in_numbers(tmp_path: Path) -> None:
    made = table(tmp_path)
    made.world.configure('cron = ""', 'cron = "10m"')
    made.step(at(OPENED + timedelta(minutes=1)))
    late = due(made)
    made.step(at(OPENED + timedelta(minutes=30)))
    assert due(made) == late, "29 minutes are a delay"
    back = OPENED + timedelta(minutes=30) + 3 * DAY
    counts, fresh = made.step(at(back))
    assert counts["lapsed"] == 0
    assert due(made) == late + 3 * DAY
    assert kinds(fresh)["extended"] == ["ann@example.org", "ben@example.org"]
    assert "3 days (259200 seconds)" in next(x for x in fresh if x.kind == "extended").words
    made.step(at(back + timedelta(minutes=30)))
    assert due(made) == late + 3 * DAY + timedelta(minutes=30), "exactly three"
    verifies(made)


def test_without_cron_no_gap_moves_a_deadline(tmp_path: Path) -> None:
    made = table(tmp_path)
    assert made.step(at(OPENED + 3 * DAY))[0]["lapsed"] == 1


def test_a_match_that_was_opened_in_the_gap_is_given_what_it_lost(tmp_path: Path) -> None:
    made = table(tmp_path)
    made.world.configure('cron = ""', 'cron = "10m"')
    made.step(at(OPENED))
    second = made.world.open("morris", made.people, at(OPENED + DAY), move_deadline="2d")
    made.step(at(OPENED + 3 * DAY))
    assert due(made) == OPENED + 5 * DAY
    assert made.world.show(second)["due"][0]["due_at"] == at(OPENED + 5 * DAY)
