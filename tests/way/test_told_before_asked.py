"""Where a mail proves too little for what it asks, its faults are told first, to the registered address
alone; and who is asked reads what was understood, ten lines at most, with no address that anybody could
have written, about no match that has nothing to do with it."""

from pathlib import Path

import pytest

from tests.way.test_senders import trusting
from tests.world import ANN, BEN, Table, kinds, vouched

AT = "2026-03-02T12:00:00Z"
FAULTY = (
    ("Buttons: Move [{m}]", "Place: nothing at nowhere"),
    ("Buttons: Move [{m}]", "Place: B1 at z9"),
    ("address nobody", ""),
    ("substitute nobody [{m}]", ""),
    ("press {m}", ""),
    ("vacation some day", ""),
    ("timezone Mars/Base", ""),
    ("rematch {m}", ""),
    ("rematch nosuchmatch", ""),
    ("propose morris", "Open: 1\nOption: flying=maybe"),
    ("propose morris", "Open: 7"),
    ("withdraw {m}", ""),
)
FAIR = (
    ("vacation 5 March to 8 March", "vacation 5 March to 8 March"),
    ("timezone Europe/Berlin", "timezone Europe/Berlin"),
    ("digest on", "digest on"),
    ("propose morris", "Open: 1"),
    ("renew", "renew"),
)


@pytest.fixture
def table(tmp_path: Path) -> Table:
    table = Table(tmp_path)
    table.world.configure('need = "address"', 'need = "token"')
    return table


@pytest.mark.parametrize(("subject", "words"), FAULTY)
def test_a_fault_is_told_before_anybody_is_asked_and_nobody_else(
    table: Table, subject: str, words: str
) -> None:
    """A stranger reads the same whatever a player's mail would bring, and learns of nobody."""
    player = table.mover
    before = table.world.run("show", table.match, "--json").out
    counts, letters = table.send(player, subject.format(m=table.match), words, AT)
    assert [x.to for x in letters] == [player]
    assert letters[0].kind in ("refusal", "status"), letters[0].text
    assert counts["held"] == 0
    assert table.world.run("show", table.match, "--json").out == before
    _, letters = table.send("eve@elsewhere.example", subject.format(m=table.match), words, AT)
    assert {x.to for x in letters} <= {"eve@elsewhere.example", "moderator@referee.localhost"}
    assert not [x.text for x in letters if ANN in x.text or BEN in x.text]


@pytest.mark.parametrize(("subject", "understood"), FAIR)
def test_what_is_about_no_match_names_none(table: Table, subject: str, understood: str) -> None:
    words = "Open: 1" if subject.startswith("propose") else ""
    _, (asked,) = table.send(ANN, subject, words, AT)
    assert asked.kind == "challenge"
    assert understood in asked.text
    assert table.match not in asked.message.as_string().replace(asked.message["References"] or "-", "")
    counts, letters = table.reply(asked, "Yes", AT)
    assert counts["answered"] + counts["accepted"] == 2
    assert ANN in {x.to for x in letters}


def test_a_no_to_it_renews_the_reply_addresses_and_tells_the_moderator(table: Table) -> None:
    _, (asked,) = table.send(ANN, "timezone Europe/Berlin", "", AT)
    _, letters = table.reply(asked, "No", AT)
    assert set(kinds(letters)) == {"receipt", "alarm"}


def test_the_match_that_a_command_names_is_asked_about(table: Table) -> None:
    other = table.world.open("buttons", table.people)
    table.step(AT)
    for match in (table.match, other):
        _, (asked,) = table.send(ANN, f"renew {match}", "", AT)
        assert asked.match == match


def test_ten_lines_and_no_address_of_whoever_wrote_it(table: Table) -> None:
    words = "\n".join(f"word {n} spam{n}@evil.example" for n in range(30))
    _, (asked,) = table.send(ANN, f"press {table.match} spam@evil.example", words, AT)
    if asked.kind == "challenge":
        assert "evil.example" not in asked.text
        assert "word 8" in asked.text
        assert "word 9" not in asked.text
    trusting(table)
    table.world.configure('need = "token"', 'need = "confirm"')
    proof = vouched(ANN.partition("@")[2])
    _, (proved,) = table.send(ANN, f"press {table.match}", words, AT, headers=proof)
    assert "spam8@evil.example" in proved.text, "who proves more than a From reads the addresses"
    assert "spam10@evil.example" not in proved.text


@pytest.mark.one_in(2)
@pytest.mark.parametrize(
    "order",
    [
        'rewind {m} to "Round 9 / Player 1"', "end {m} as won winner 7", "resume {m}", "vacate {m} 5",
        "rule {m} turn 99 illegal", 'replace {m} 9 "New <new@example.net>"',
        'substitute {m} 9 "New <new@example.net>"', "extend {m} --until 2020-01-01T00:00Z",
        "extend {m} --seat 9 --by 2d", "extend {m} --by 4000d",
    ],
)  # fmt: skip
def test_what_public_facts_forbid_the_desk_is_told_before_the_moderator_proves_anything(
    table: Table, order: str
) -> None:
    """A fair one is asked about, as before; so is one against which an address of somebody may stand."""
    desk, reason = "moderator@referee.localhost", "because it is so"
    before = table.world.run("show", table.match, "--json").out
    counts, (told,) = table.send(desk, order.format(m=table.match), reason, AT)
    assert (told.kind, told.to, counts["held"]) == ("refusal", desk, 0), told.text
    for fair in (
        f"pause {table.match}",
        f"extend {table.match} by 2d",
        f'replace {table.match} 1 "New <{BEN}>"',
    ):
        _, (asked,) = table.send(desk, fair, reason, AT)
        assert asked.kind == "challenge", asked.text
    assert table.world.run("show", table.match, "--json").out == before
