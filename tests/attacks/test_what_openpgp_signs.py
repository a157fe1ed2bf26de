"""An OpenPGP signature proves the signed text and nothing beside it: no subject, no thread, no later round.

Somebody has notes that a player has signed, and puts them under subjects of his own.
"""

from __future__ import annotations

from itertools import product
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("pysequoia", reason="the extra referee[openpgp] is not installed")

from tests.offices.incoming.test_openpgp import AT, Player
from tests.offices.table import Table
from tests.world import Sent, kinds


@pytest.fixture
def table(tmp_path: Path) -> Table:
    table = Table(tmp_path)
    table.world.configure('need = "address"', 'need = "token"')
    return table


@pytest.fixture
def player(table: Table) -> Player:
    player = Player(table.mover)
    _, letters = table.send(table.mover, "key", player.public, AT.format(0))
    table.reply(letters[0], "yes", AT.format(0))
    return player


def sent(table: Table, subject: str, body: str, hour: int, **more: Any) -> tuple[dict[str, Any], list[Sent]]:
    return table.send(table.mover, subject, body, AT.format(hour), **more)


NOTES = ("Thanks for the game!", "See you in {match} on Sunday.", "Match: {match}\n\nThanks for the game!")
SUBJECTS = (
    "Buttons: Resign / Player {seat}",
    "Buttons: Resign / Player {seat} [{match}]",
    "resign {match}",
    "press {match} / all",
    "withdraw {match}",
    "renew {match}",
    "vacation 2026-04-01..2026-04-10",
    "format text",
    "timezone Asia/Tokyo",
)


def test_a_signed_note_under_a_forged_subject_does_nothing(table: Table, player: Player) -> None:
    table.world.configure("challenges_a_day = 5", "challenges_a_day = 100")
    before, made = table.world.show(table.match), 0
    for number, (note, subject) in enumerate(product(NOTES, SUBJECTS)):
        values = {"match": table.match, "seat": table.turn}
        body = player.clear(f"{note.format(**values)}\nNo. {number}\n")
        counts, letters = table.send(
            table.mover, subject.format(**values), body, f"2026-03-02T01:{number:02d}:00Z"
        )
        made += 1
        assert counts["held"] == 1, (subject, counts)
        assert kinds(letters) == {"challenge": [table.mover]}, "nobody else has a word of it"
    assert table.world.show(table.match) == before
    print(f"{made} mails")


def test_what_the_signed_text_says_itself_counts(table: Table, player: Player) -> None:
    subject = f"press {table.match} / all"
    counts, letters = sent(table, subject, player.clear(f"Subject: {subject}\n\nGood luck!"), 2)
    assert counts["answered"] == 1
    press = next(letter for letter in letters if letter.kind == "press")
    assert "Good luck!" in press.text
    assert "Subject:" not in press.text
    counts, _ = sent(table, "Buttons: Resign", player.clear(f"Match: {table.match}\n\nResign"), 3)
    assert counts["held"] == 1, "the subject asks what the text does not repeat"
    heading = f"Buttons: Resign / Player {table.turn}"
    counts, letters = sent(table, heading, player.clear(f"{heading} [{table.match}]\n\nFarewell!"), 5)
    assert counts["accepted"] == 1
    assert table.world.show(table.match)["status"] == "ended"


def test_a_protected_header_is_signed(table: Table, player: Player) -> None:
    heading = f"Buttons: Resign / Player {table.turn} [{table.match}]"
    for protected, what in (
        (f"Buttons: Move / Player {table.turn} [{table.match}]", "held"),
        (heading, "accepted"),
    ):
        mail = player.mime("Farewell!", table.mover, heading, protected=protected)
        table.world.raw(mail.as_bytes(), AT.format(2))
        assert table.step(AT.format(2))[0][what] == 1


@pytest.mark.parametrize("named", ["Match: {match}", "[{match}]", "Buttons: Move / Player {seat} [{match}]",
                                   "Subject: Buttons: Move / Player {seat} [{match}]", "match: [{match}]"])  # fmt: skip
def test_the_text_names_its_match_in_any_of_these_ways(table: Table, player: Player, named: str) -> None:
    words = named.format(match=table.match, seat=table.turn)
    body = player.clear(f"{words}\n\n{table.orders(table.mover)}")
    assert sent(table, f"Buttons: Move / Player {table.turn}", body, 2)[0]["accepted"] == 1


@pytest.mark.parametrize("named", ["", "Match: {match}0", "Match: x{match}", "Match: morris-1"])
def test_a_text_that_names_no_match_proves_nothing_and_the_answer_says_why(
    table: Table, player: Player, named: str
) -> None:
    body = player.clear(f"{named.format(match=table.match)}\n\n{table.orders(table.mover)}")
    assert sent(table, f"Buttons: Move / Player {table.turn}", body, 2)[0]["held"] == 1
    table.world.configure('need = "token"', 'need = "address"')
    counts, letters = sent(table, f"Buttons: Move / Player {table.turn}", body + "\n", 3)
    assert counts["accepted"] == 1
    receipt = next(letter for letter in letters if letter.kind == "receipt")
    assert "the signed text does not name the match" in " ".join(receipt.text.split())


def test_what_was_signed_before_its_round_opened_answers_nothing(table: Table, player: Player) -> None:
    """Signed today, long before a match of 2099."""
    later = "2099-03-01T12:0{}:00Z"
    match = table.world.open("buttons", table.people, later.format(0))
    table.step(later.format(0))
    old = player.clear(f"Match: {match}\n\nMove: c3\n")
    counts, letters = table.send(table.mover, f"Buttons: Move [{match}]", old, later.format(1))
    assert (counts["held"], kinds(letters)) == (1, {"challenge": [table.mover]})
    table.world.configure('need = "token"', 'need = "address"')
    _, letters = table.send(table.mover, f"Buttons: Move [{match}]", old + "\n", later.format(2))
    said = " ".join(" ".join(letter.text.split()) for letter in letters if letter.to == table.mover)
    assert "it was made before this round opened" in said


def test_a_signed_ok_orders_nothing_since_the_letter_it_points_to_is_not_signed(
    table: Table, player: Player
) -> None:
    due = table.latest("due", table.mover)
    to_it = {"to": "collector@referee.localhost", "reply_to": due.message["Message-ID"]}
    counts, _ = sent(table, f"Re: {due.subject}", player.clear(f"Match: {table.match}\n\nOK"), 2, **to_it)
    assert (counts["accepted"], counts["held"]) == (0, 1)


def test_an_unsigned_quote_below_a_signed_block_orders_nothing(table: Table, player: Player) -> None:
    due = table.latest("due", table.mover)
    form = "\n".join(f"> {line}" for line in table.orders(table.mover).splitlines())
    body = player.clear(f"Match: {table.match}\n\nHere it is.")
    to_it = {"to": "collector@referee.localhost", "reply_to": due.message["Message-ID"]}
    counts, _ = sent(table, f"Re: {due.subject}", f"{body}\n\nOn Monday, I wrote:\n{form}\n", 2, **to_it)
    assert counts["accepted"] == 0


def test_a_signature_packed_anew_is_the_same_signature(table: Table, player: Player) -> None:
    """Armour, its comments and what of the packet is not protected anybody can change."""
    body = player.clear(f"Match: {table.match}\n\nMove: z99-z98")
    assert sent(table, f"Buttons: Move / Player {table.turn}", body, 2)[0]["refused"] == 1
    anew = body.replace(
        "-----BEGIN PGP SIGNATURE-----\n", "-----BEGIN PGP SIGNATURE-----\nComment: packed by eve\n"
    )
    assert anew != body
    assert sent(table, f"Buttons: Move / Player {table.turn}", anew, 3)[0]["ignored"] == 1
