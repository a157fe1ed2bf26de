"""What the desk tells is so: each entry appears with its cause, says since when, and goes with what mends it."""

from pathlib import Path
from typing import Any

from tests.offices.moderator.test_orders_by_mail import AT, MO, Desk
from tests.offices.outgoing.test_failing_addresses import came_back
from tests.world import ANN, BEN


def waits(desk: Desk, now: str) -> dict[str, Any]:
    found: dict[str, Any] = desk.world.run("desk", "--json", "--now", now).json
    return found


def test_a_failing_address_is_one_entry_whatever_sits_there_and_goes_with_its_replace(desk: Desk) -> None:
    other = desk.world.open("buttons", desk.people)
    desk.step(AT)
    desk.world.raw(came_back(desk, BEN), AT)
    desk.step(AT)
    (entry,) = waits(desk, AT)["failing"]
    assert (entry["address"], entry["since"]) == (BEN, AT)
    assert sorted(place["match"] for place in entry["seats"]) == sorted((desk.match, other))
    letter = desk.desk("2026-03-02T13:00:00Z")
    assert BEN in letter.text
    assert "user unknown" in letter.text
    words = '1 replace "Ben Baker <new@example.org>" because the old one is dead'
    _, letters = desk.reply(letter, words, "2026-03-02T14:00:00Z")
    assert [x.kind for x in letters if x.to == MO] == ["receipt"]
    places = [p for e in waits(desk, "2026-03-02T14:00:00Z")["failing"] for p in e["seats"]]
    assert [place["match"] for place in places] == [
        m for m in (desk.match, other) if m != entry["seats"][0]["match"]
    ]


def test_a_mail_from_a_clock_ahead_waits_until_then_or_until_it_is_let_in(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    for day in ("2026-03-03", "2027-03-03"):
        desk.world.mail(ANN, "status", day, f"{day}T12:00:00Z")
    desk.step(AT)
    near, far = waits(desk, AT)["held"]
    assert (near["arrived"], far["arrived"]) == ("2026-03-03T12:00:00Z", "2027-03-03T12:00:00Z")
    assert far["why"] == "it waits until the time of its server's clock"
    assert desk.step("2026-03-03T12:00:00Z")[0]["answered"] == 1
    (far,) = waits(desk, AT)["held"]
    assert desk.world.run(*far["command"].split()[1:]).status == 0
    counts, letters = desk.step("2026-03-03T13:00:00Z")
    assert (counts["answered"], counts["waiting"], [x.to for x in letters]) == (1, 0, [ANN])
    assert waits(desk, "2026-03-03T13:00:00Z")["held"] == []


def test_a_moderator_who_plays_is_told_of_no_address_that_fails_there(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    desk.world.at_desk(MO, ANN)
    desk.world.raw(came_back(desk, BEN), AT)
    _, letters = desk.step(AT)
    (mine,) = [x for x in letters if x.to == ANN and x.kind == "alarm"]
    (theirs,) = [x for x in letters if x.to == MO and x.kind == "alarm"]
    assert BEN in theirs.text
    for letter in (mine, desk.desk(sender=ANN)):
        assert BEN not in letter.message.as_string()
        assert "in which you play" in letter.words


def test_a_quiet_match_stalls_after_two_weeks_and_can_be_ended_by_its_number(tmp_path: Path) -> None:
    desk = Desk(tmp_path, move_deadline="60d")
    assert waits(desk, "2026-03-14T12:00:00Z")["stalled"] == []
    (entry,) = waits(desk, "2026-03-16T12:00:00Z")["stalled"]
    assert (entry["match"], "15 days" in entry["why"]) == (desk.match, True)
    desk.step("2026-03-16T12:00:00Z")
    letter = desk.desk("2026-03-16T13:00:00Z")
    desk.reply(letter, "1 end as called-off because nobody plays", "2026-03-16T14:00:00Z")
    assert desk.world.show(desk.match)["status"] == "ended"


def test_next_deadlines_are_told_in_their_order(desk: Desk) -> None:
    other = desk.world.open("buttons", desk.people, now=AT)
    desk.step(AT)
    told = waits(desk, AT)["next"]
    assert [entry["match"] for entry in told] == [desk.match, other]
    assert [entry["due_at"] for entry in told] == sorted(entry["due_at"] for entry in told)


def test_a_mailbox_that_can_not_be_read_is_trouble(desk: Desk) -> None:
    assert waits(desk, AT)["trouble"] == []
    inbox = desk.world.folder / "mail/in"
    inbox.rename(desk.world.folder / "mail/gone")
    (desk.world.folder / "mail/in").write_text("no folder")
    desk.world.run("step", "--now", AT)
    assert any("only" in entry["what"] for entry in waits(desk, AT)["trouble"])
