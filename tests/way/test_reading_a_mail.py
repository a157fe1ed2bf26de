"""`referee read`: what is understood, on what evidence, and what the answer would be; nothing is recorded."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.world import Table, kinds

FIELDS = {"disposition", "sender", "evidence", "subject", "match", "seat", "demand", "text", "left_out", "complaints",
          "readings", "answer", "file"}  # fmt: skip
AT = "2026-03-02T00:00:00Z"


def read(table: Table, *mails: Path, at: str = AT) -> Any:
    ran = table.world.do("read", *map(str, mails), "--as-of", at, "--json")
    return json.loads(ran.out)


def aside(table: Table, sender: str, subject: str, body: str, **more: Any) -> Path:
    """A mail that lies beside the mailbox."""
    path = table.world.mail(sender, subject, body, AT, **more)
    kept = table.world.folder / f"{path.name}.eml"
    path.rename(kept)
    return kept


def test_an_order_is_read_judged_and_not_recorded(table: Table) -> None:
    due = table.latest("due", table.mover)
    file = aside(table, table.mover, due.subject, table.orders(table.mover), to=due.message["Reply-To"])
    before = (table.world.show(table.match), table.world.run("record", table.match).out)
    facts = read(table, file)
    assert set(facts) == FIELDS
    assert (facts["disposition"], facts["answer"]) == ("accepted", "receipt")
    assert (facts["match"], facts["seat"], facts["demand"]) == (table.match, table.turn, "Move")
    assert "a registered address" in facts["evidence"]
    assert "a reply address of a letter" in facts["evidence"]
    assert (table.world.show(table.match), table.world.run("record", table.match).out) == before
    assert table.world.step(AT)["read"] == 0


@pytest.mark.parametrize(
    ("words", "sure"),
    [("Place: 1 a1", [True]), ("1 at a1 please", [True]), ("maybe 1 a1?", [False]), ("1 a1 or 2 b2?", [False, False]),
     ("Thanks!", []), ("When is my turn due?", [])],
)  # fmt: skip
def test_what_was_weighed_is_told_and_how_sure_it_is(table: Table, words: str, sure: list[bool]) -> None:
    due = table.latest("due", table.mover)
    facts = read(table, aside(table, table.mover, due.subject, words, to=due.message["Reply-To"]))
    assert [reading["sure"] for reading in facts["readings"]] == sure
    assert all(reading["demand"] == "Move" for reading in facts["readings"])
    assert [reading["text"] for reading in facts["readings"]] == ["Place: 1 a1", "Place: 2 b2"][: len(sure)]


def test_of_an_ok_the_form_is_weighed_that_it_would_send(table: Table) -> None:
    due = table.latest("due", table.mover)
    _, letters = table.send(table.mover, due.subject, "maybe 1 a1?", AT)
    asked = next(x for x in letters if x.kind == "preview")
    file = aside(table, table.mover, f"Re: {asked.subject}", "OK", reply_to=asked.message["Message-ID"])
    facts = read(table, file)
    assert (facts["disposition"], facts["answer"]) == ("accepted", "receipt")
    assert facts["readings"] == [{"demand": "Move", "text": "Place: 1 a1", "sure": True}]


def test_a_refusal_names_its_complaints_with_line_and_words(table: Table) -> None:
    facts = read(table, aside(table, table.mover, table.latest("due", table.mover).subject, "Move: z99-q1"))
    assert (facts["disposition"], facts["answer"]) == ("refused", "refusal")
    assert facts["complaints"][0]["says"]
    assert facts["complaints"][0]["code"]
    assert {"number": 1, "text": "Move: z99-q1"} in [c["line"] for c in facts["complaints"]]


@pytest.mark.parametrize(
    ("sender", "subject", "headers", "expected"),
    [
        ("who@elsewhere.example", "hello", {}, ("answered", "help")),
        ("ann@example.org", "status", {}, ("answered", "status")),
        ("ann@example.org", "address b@other.example", {}, ("held", "challenge")),
        ("ann@example.org", "I am away", {"Auto-Submitted": "auto-replied"}, ("discarded", None)),
        ("MAILER-DAEMON@mx.example", "Undelivered Mail", {}, ("discarded", None)),
        ("ann@example.org", "hello", {"X-Spam-Flag": "YES"}, ("held", None)),
    ],
)
def test_every_disposition_is_told_with_its_answer(
    table: Table, sender: str, subject: str, headers: dict[str, str], expected: tuple[str, str | None]
) -> None:
    facts = read(table, aside(table, sender, subject, "words", headers=headers))
    assert (facts["disposition"], facts["answer"]) == expected
    assert set(facts) == FIELDS


def test_a_stolen_reply_address_is_told_as_such(table: Table) -> None:
    due = table.latest("due", table.mover)
    file = aside(table, "m@evil.example", due.subject, table.orders(table.mover), to=due.message["Reply-To"])
    facts = read(table, file)
    assert (facts["disposition"], facts["answer"]) == ("held", "challenge")
    assert "a reply address of a letter" in facts["evidence"]
    assert "registered" not in facts["evidence"]


def test_a_pass_phrase_is_left_out(table: Table) -> None:
    facts = read(table, aside(table, table.mover, "status", "Hello\nPass phrase: open sesame\nbye\n-- \nAnn"))
    assert "sesame" not in json.dumps(facts)
    assert {"what": "the pass phrase", "lines": 1} in facts["left_out"]
    assert "signature" in [part["what"] for part in facts["left_out"]]


@pytest.mark.parametrize(
    "raw", [b"", b"\x00\xff\x00\xff" * 99, b"no mail at all", b"\n\n\n", b"From: x\n" * 9]
)
def test_a_file_that_is_no_mail_has_a_disposition_and_no_error(table: Table, raw: bytes) -> None:
    file = table.world.folder / "odd.eml"
    file.write_bytes(raw)
    facts = read(table, file)
    assert set(facts) == FIELDS
    assert facts["disposition"] in ("discarded", "held")


def test_several_files_give_a_list_in_their_order_and_a_missing_one_is_said(table: Table) -> None:
    one, two = aside(table, "ann@example.org", "help", ""), aside(table, "ben@example.org", "games", "")
    facts = read(table, two, one)
    assert [f["file"] for f in facts] == [str(two), str(one)]
    assert set(facts[0]) == FIELDS
    ran = table.world.run("read", str(table.world.folder / "none.eml"))
    assert ran.status == 1
    assert ran.err.count("\n") == 1


def test_a_person_reads_it_as_a_page(table: Table) -> None:
    subject = table.latest("due", table.mover).subject
    body = "Hello\nMove: z99-q1\n\nOn 1 March 2026, Referee wrote:\n> Your move?\n"
    file = aside(table, table.mover, subject, body)
    page = table.world.run("read", str(file), "--as-of", AT).out
    assert page.startswith(f"{file}\n  From     {table.mover}\n  Evidence a registered address; ")
    assert f"\n  About    {table.match}, seat {table.turn}, Move\n  Verdict  refused (" in page
    assert "\n  Answer   refusal\n\n  The sender's own words:\n    Hello\n    Move: z99-q1\n" in page
    assert "\n  Left out: quoted text (2 lines).\n\n  What is wrong with it:\n    line 2, rule " in page


def test_what_is_read_is_what_then_happens(table: Table) -> None:
    due = table.latest("due", table.mover)
    path = table.world.mail(table.mover, due.subject, table.orders(table.mover), AT)
    facts = read(table, path)
    counts, letters = table.step(AT)
    assert counts[facts["disposition"]] == 1
    assert facts["answer"] in kinds(letters)
