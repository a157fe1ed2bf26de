"""Players who are away or silent: substitutes, open seats, and word to whoever has lost one."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

from tests.offices.clock.test_options_of_every_match import (
    DAY,
    OPENED,
    answer,
    at,
    desk,
    due,
    table,
    verifies,
)
from tests.world import Sent, Table, kinds

EVE = "eve@example.org"
HOUR = timedelta(hours=1)


def named(made: Table, who: str, moment: datetime, subject: str = "") -> list[Sent]:
    """A player names Eve, whom he proves to be by a Yes of his own, and she says Yes; the letters of that."""
    made.world.mail(who, subject or f"substitute Eve Eliot <{EVE}> [{made.match}]", "", at(moment))
    found = made.step(at(moment))[1]
    for letter in [x for x in found if x.kind == "challenge" and x.to == who]:
        made.world.reply(letter, "Yes", at(moment))
        found += made.step(at(moment))[1]
    (asked,) = [x for x in found if x.kind == "challenge" and x.to == EVE]
    assert "names you as a substitute" in asked.words
    made.world.reply(asked, "Yes", at(moment + timedelta(minutes=1)))
    return found + made.step(at(moment + timedelta(minutes=1)))[1]


def name_of(made: Table, seat: int) -> str:
    return next(s["name"] for s in made.world.show(made.match)["seats"] if s["number"] == seat)


def test_a_substitute_is_asked_and_stands_in_from_the_first_day_of_an_absence_to_its_end(
    tmp_path: Path,
) -> None:
    made = table(tmp_path, move_deadline="3d")
    mover, player = made.turn, made.mover
    was, first = name_of(made, mover), due(made)
    letters = named(made, player, OPENED + HOUR)
    assert any(
        x.kind == "receipt" and x.to == player and "Eve Eliot is your substitute" in x.words for x in letters
    )
    assert any("Eve Eliot is named as the substitute" in x.words and x.to == made.other for x in letters)
    assert not any(EVE in x.text for x in letters if x.to == made.other), "nobody else learns the address"
    made.send(player, f"vacation 2026-03-06 to 2026-03-08 [{made.match}]", "", at(OPENED + 2 * HOUR))
    assert due(made) == first, "she plays: no deadline moves"
    assert name_of(made, mover) == was
    fresh = made.step(at(OPENED + DAY + 14 * HOUR))[1]  # the 6th
    assert name_of(made, mover) == "Eve Eliot"
    assert {x.kind for x in fresh if x.to == EVE} >= {"due", "status"}
    assert any("stands in for you" in x.words for x in fresh if x.to == player)
    made.seats[mover] = EVE
    answer(made, mover, OPENED + DAY + 15 * HOUR)
    assert made.world.show(made.match)["due"][0]["seat"] != mover
    fresh = made.step(at(datetime(2026, 3, 9, 1, tzinfo=UTC)))[1]
    assert name_of(made, mover) == was
    assert any("is back and plays" in x.words for x in fresh if x.to == EVE)
    assert any(x.kind == "status" for x in fresh if x.to == player)
    verifies(made)


def test_a_no_names_nobody_and_is_told_to_whoever_asked(tmp_path: Path) -> None:
    made = table(tmp_path)
    made.world.mail(made.mover, f"substitute Eve Eliot <{EVE}> {made.match}", "", at(OPENED + HOUR))
    found = made.step(at(OPENED + HOUR))[1]
    for letter in [x for x in found if x.kind == "challenge" and x.to == made.mover]:
        made.world.reply(letter, "Yes", at(OPENED + HOUR))
        found += made.step(at(OPENED + HOUR))[1]
    (asked,) = [x for x in found if x.kind == "challenge" and x.to == EVE]
    made.world.reply(asked, "No", at(OPENED + 2 * HOUR))
    fresh = made.step(at(OPENED + 2 * HOUR))[1]
    assert any("has answered No" in x.words for x in fresh if x.to == made.mover)
    made.send(made.mover, f"vacation 2026-03-06 to 2026-03-08 [{made.match}]", "", at(OPENED + 3 * HOUR))
    assert due(made) > OPENED + 2 * DAY, "without one the deadline moves"


def test_whose_an_address_is_shows_in_nothing_that_the_asker_hears(tmp_path: Path) -> None:
    heard = []
    for folder, address in (("a", EVE), ("b", "ben@example.org")):
        made = table(tmp_path / folder)
        asker = "ann@example.org"
        made.world.mail(asker, f"substitute Zoe Zimmer <{address}> [{made.match}]", "", at(OPENED + HOUR))
        found = made.step(at(OPENED + HOUR))[1]
        for letter in [x for x in found if x.kind == "challenge" and x.to == asker]:
            made.world.reply(letter, "Yes", at(OPENED + HOUR))
            found += made.step(at(OPENED + HOUR))[1]
        assert [x.to for x in found if x.kind == "challenge" and x.to != asker] == (
            [EVE] if address == EVE else []
        )
        heard.append([x.words.replace(address, "...") for x in found if x.to == asker])
    assert heard[0] == heard[1]


def test_a_forged_from_names_nobody(tmp_path: Path) -> None:
    made = table(tmp_path)
    made.world.mail(
        made.mover, f"substitute Mal <mal@elsewhere.example> [{made.match}]", "", at(OPENED + HOUR)
    )
    letters = made.step(at(OPENED + HOUR))[1]
    assert kinds(letters) == {"challenge": [made.mover]}


def test_the_moderator_names_one_who_takes_the_seat_when_it_is_vacated(tmp_path: Path) -> None:
    made = table(tmp_path)
    mover, player = made.turn, made.mover
    desk(made, OPENED, "substitute", mover, f"Eve Eliot <{EVE}>; Asia/Tokyo")
    twice = made.world.run(
        "replace", made.match, str(3 - mover), f"Eve Eliot <{EVE}>", "--why", "x", "--now", at(OPENED)
    )
    assert (twice.status, "has a place there already (Player" in twice.err) == (1, True)
    made.step(at(OPENED))
    desk(made, OPENED + HOUR, "vacate", mover, why="no word")
    fresh = made.step(at(OPENED + HOUR))[1]
    assert (name_of(made, mover), made.world.show(made.match)["vacant"]) == ("Eve Eliot", [])
    (told,) = [x for x in fresh if x.to == player]
    assert (told.kind, "no word" in told.words, "Eve Eliot's from now on" in told.words) == (
        "status",
        True,
        True,
    )
    assert any(x.kind == "due" for x in fresh if x.to == EVE)
    verifies(made)


def test_a_seat_that_falls_open_by_silence_is_its_substitutes(tmp_path: Path) -> None:
    made = table(tmp_path, "multigo", board="9x9", miss="1", compensation="none")
    player = made.seats[1]
    desk(made, OPENED, "substitute", "1", f"Eve Eliot <{EVE}>")
    fresh = made.step(at(OPENED + 2 * DAY + HOUR))[1]
    assert (name_of(made, 1), made.world.show(made.match)["vacant"]) == ("Eve Eliot", [])
    assert "alarm" not in kinds(fresh), "no seat is vacant"
    assert any("your seat" in x.subject for x in fresh if x.to == player)
    verifies(made)


def test_a_substitute_can_be_dropped(tmp_path: Path) -> None:
    made = table(tmp_path)
    named(made, made.mover, OPENED + HOUR)
    made.world.mail(made.mover, f"substitute off [{made.match}]", "", at(OPENED + 2 * HOUR))
    found = made.step(at(OPENED + 2 * HOUR))[1]
    for letter in [x for x in found if x.kind == "challenge"]:
        made.world.reply(letter, "Yes", at(OPENED + 2 * HOUR))
        made.step(at(OPENED + 2 * HOUR))
    desk(made, OPENED + 3 * HOUR, "vacate", made.turn)
    assert made.world.show(made.match)["vacant"] == [made.turn]
    verifies(made)


def test_whoever_is_vacated_or_replaced_is_told_why_and_what_he_can_do(tmp_path: Path) -> None:
    made = table(tmp_path)
    player, other = made.mover, made.other
    desk(made, OPENED + HOUR, "vacate", made.turn, why="no word for weeks")
    fresh = made.step(at(OPENED + HOUR))[1]
    (told,) = [x for x in fresh if x.to == player]
    assert told.kind == "status"
    said = told.words
    assert "vacant from now on" in said
    assert "no word for weeks" in said
    assert f'"join {made.match}" takes it again' in said
    desk(made, OPENED + 2 * HOUR, "replace", 3 - made.turn, f"Eve <{EVE}>", why="ill")
    (told,) = [x for x in made.step(at(OPENED + 2 * HOUR))[1] if x.to == other]
    assert "Eve's from now on" in told.words
    desk(made, OPENED + 3 * HOUR, "replace", 3 - made.turn, "Eve <eve@new.example>")
    assert not [x for x in made.step(at(OPENED + 3 * HOUR))[1] if x.to == EVE], (
        "another address is no other person"
    )
    verifies(made)


def test_an_absence_binds_deadlines_that_a_resume_an_outage_or_an_extension_sets(tmp_path: Path) -> None:
    made = table(tmp_path / "first")
    made.send(made.mover, f"vacation 2026-03-08 to 2026-03-10 [{made.match}]", "", at(OPENED))
    end = datetime(2026, 3, 11, tzinfo=UTC) - (HOUR if made.mover == "ann@example.org" else 0 * HOUR)
    assert due(made) == OPENED + 2 * DAY
    for number, how in enumerate(("extend", "pause", "outage", "rewind")):
        other = made.copied(tmp_path / str(number))
        world = other.world
        if how == "extend":
            world.run("extend", made.match, "--by", "2d", "--why", "x", "--now", at(OPENED + HOUR))
        elif how == "pause":
            world.run("pause", made.match, "--why", "x", "--now", at(OPENED + HOUR))
            world.run("resume", made.match, "--why", "x", "--now", at(OPENED + 2 * DAY))
        elif how == "outage":
            world.configure('cron = ""', 'cron = "10m"')
            other.step(at(OPENED + HOUR))
            other.step(at(OPENED + 2 * DAY))
        else:
            label = f"Round 1 / Player {made.turn}"
            world.do("rewind", made.match, "--to", label, "--why", "x", "--now", at(OPENED + 2 * DAY))
        assert due(other) == end, how
        verifies(other)
