"""`step` and `read`: counts, the clock, and mails looked at without effect."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.company import FOUR, buttons, plain_words
from tests.world import START, World

VERDICTS = ("accepted", "refused", "ignored", "answered", "discarded", "held", "shunted", "waiting")
READING = {
    "file", "disposition", "sender", "evidence", "subject", "match", "seat", "demand", "text", "left_out", "complaints",
    "answer", "readings",
}  # fmt: skip
ANN, BEN = FOUR[0].partition(";")[0], FOUR[1]
GOOD = b"""From: Ann Archer <ann@example.org>
To: collector@referee.localhost
Subject: Buttons: Move / Player 1
Message-ID: <read@players.example>

Place: B1 at a1

> an old line
-- 
Ann
"""  # noqa: W291 - a signature begins so


def test_the_counts_are_exactly_the_contracts_and_add_up(world: World) -> None:
    name = buttons(world)
    move = f"Buttons: Move / Player 1 [{name}]"
    world.mail(ANN, move, "Place: B1 at z9", "2026-03-01T12:00:01Z")
    raw = world.mail(ANN, move, "Place: B1 at a1", "2026-03-01T12:00:02Z").read_bytes()
    world.raw(raw, "2026-03-01T12:00:03Z")
    world.mail(BEN, "status", "How do I stand?", "2026-03-01T12:00:04Z")
    world.raw(b"From: robot@example.org\nAuto-Submitted: auto-replied\nSubject: away\n\nAway.\n", START)
    world.raw(b"no mail at all", "2026-03-01T12:00:06Z")
    counts = world.step("2026-03-01T13:00:00Z")
    assert set(counts) == {"read", *VERDICTS, "lapsed", "sent"}
    assert counts["read"] == sum(counts[verdict] for verdict in VERDICTS) == 6
    assert {v: counts[v] for v in VERDICTS} == {
        "accepted": 1, "refused": 1, "ignored": 1, "answered": 1, "discarded": 1, "held": 1, "shunted": 0, "waiting": 0,
    }  # fmt: skip
    assert counts["sent"] == len(world.new_letters())


def test_a_clock_before_the_last_pass_is_refused(world: World) -> None:
    world.step("2026-03-02T12:00:00Z")
    assert "before it" in plain_words(world.run("step", "--now", START, "--json"))
    assert world.step("2026-03-02T12:00:00Z")["read"] == 0


def test_a_mail_dated_after_the_clock_waits(world: World) -> None:
    name = buttons(world)
    world.mail(ANN, f"Buttons: Move / Player 1 [{name}]", "Place: B1 at a1", "2026-03-05T12:00:00Z")
    assert world.step("2026-03-04T12:00:00Z")["accepted"] == 0
    assert world.step("2026-03-05T12:00:00Z")["accepted"] == 1


def test_a_step_without_json_is_one_line_of_counts(world: World) -> None:
    ran = world.run("step", "--now", START)
    assert ran.out.count("\n") == 1
    assert ran.out.startswith("read 0, accepted 0, ")


@pytest.fixture
def mails(world: World) -> tuple[Path, Path]:
    good, strange = world.folder / "good.eml", world.folder / "strange.eml"
    good.write_bytes(GOOD)
    strange.write_bytes(b"\x00\xff\xfe not a mail")
    return good, strange


def test_one_file_is_one_object_with_the_contracts_fields(world: World, mails: tuple[Path, Path]) -> None:
    name = buttons(world)
    ran = world.run("read", str(mails[0]), "--as-of", START, "--json")
    assert (ran.status, ran.err) == (0, "")
    reading = ran.json
    assert set(reading) == READING
    assert (reading["file"], reading["disposition"], reading["answer"]) == (
        str(mails[0]),
        "accepted",
        "receipt",
    )
    assert (reading["match"], reading["seat"], reading["demand"]) == (name, 1, "Move")
    assert reading["text"].strip() == "Place: B1 at a1"
    assert {part["what"] for part in reading["left_out"]} == {"quoted text", "signature"}
    assert reading["complaints"] == []
    assert [sorted(one) for one in reading["readings"]] == [["demand", "sure", "text"]]


def test_several_files_are_a_list_in_their_order_and_no_mail_at_all_is_no_failure(
    world: World, mails: tuple[Path, Path]
) -> None:
    buttons(world)
    ran = world.run("read", str(mails[1]), str(mails[0]), "--as-of", START, "--json")
    assert ran.status == 0
    assert [reading["file"] for reading in ran.json] == [str(mails[1]), str(mails[0])]
    assert all(set(reading) == READING for reading in ran.json)
    assert ran.json[0]["disposition"] in ("held", "discarded")


def test_reading_records_nothing(world: World, mails: tuple[Path, Path]) -> None:
    name = buttons(world)
    before = (world.show(name), world.run("record", name).out)
    for _ in range(2):
        assert world.run("read", str(mails[0]), "--as-of", START).status == 0
    assert (world.show(name), world.run("record", name).out) == before
    assert world.step()["sent"] == 0


def test_what_would_be_refused_is_said_with_every_reason(world: World) -> None:
    buttons(world)
    file = world.folder / "bad.eml"
    file.write_bytes(GOOD.replace(b"B1 at a1", b"B9 at z9"))
    reading = world.run("read", str(file), "--as-of", START, "--json").json
    assert (reading["disposition"], reading["answer"]) == ("refused", "refusal")
    assert reading["complaints"]
    for complaint in reading["complaints"]:
        assert complaint["rule"]
        assert complaint["says"]
    text = world.run("read", str(file), "--as-of", START).out
    assert reading["complaints"][0]["says"] in text


def test_a_file_that_is_not_there_is_said(world: World) -> None:
    assert "nowhere.eml" in plain_words(world.run("read", "nowhere.eml"))
