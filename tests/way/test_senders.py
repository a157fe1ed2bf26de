"""Who sent it: enough is done, weak is asked about, none is refused and told nothing."""

import base64
import sqlite3
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from tests.world import Table, kinds, vouched

DENIED = {"Authentication-Results": "mx.referee.localhost; dmarc=fail header.from=example.org"}
VOUCHED = vouched("example.org")
STRANGER = "Mallory <mallory@evil.example>"


def trusting(table: Table) -> None:
    table.world.configure(
        '# trusted_authserv = ["mx.example.org"]', 'trusted_authserv = ["mx.referee.localhost"]'
    )


def test_a_reply_address_is_opaque_and_of_one_seat(table: Table) -> None:
    replies = {letter.to: letter.message["Reply-To"] for letter in table.letters if letter.kind == "opened"}
    assert len(set(replies.values())) == 2
    for address in replies.values():
        local, _, host = address.partition("@")
        assert local.startswith("collector+")
        assert host == "referee.localhost"
        assert len(local) > 20
        assert "ann" not in local
        assert table.match not in local


def test_a_doubtful_order_that_proves_something_once_confirmed_counts_from_its_own_arrival(
    table: Table,
) -> None:
    """Confirmed after the deadline: it still counts, since the mail itself came in time, and to the seat's own reply
    address. A mail whose From alone names the seat delays nothing."""
    trusting(table)
    due = datetime.fromisoformat(table.world.show(table.match)["due"][0]["due_at"])
    asked, orders = table.latest("due", table.mover), table.orders(table.mover)
    to = asked.message["Reply-To"]
    counts, letters = table.send("me@phone.example", asked.subject, orders, due.isoformat(), to=to)
    assert counts["held"] == 1
    later = (due + timedelta(hours=40)).isoformat()
    challenge = next(x for x in letters if x.kind == "challenge")
    counts, answers = table.reply(challenge, "yes, mine", later)
    assert (counts["answered"], counts["accepted"], counts["lapsed"]) == (1, 1, 0), [x.text for x in answers]
    receipt = next(x for x in answers if x.kind == "receipt")
    assert receipt.to == table.mover
    assert "me@phone.example" not in {x.to for x in answers}


def test_a_program_answering_a_challenge_confirms_nothing(table: Table) -> None:
    trusting(table)
    subject = table.latest("due", table.mover).subject
    _, letters = table.send(
        table.mover, subject, table.orders(table.mover), "2026-03-02T00:00:00Z", headers=DENIED
    )
    challenge = letters[0]
    table.world.mail(
        table.mover, f"Out of office: {challenge.subject}", "I am away.", "2026-03-02T00:01:00Z",
        reply_to=challenge.message["Message-ID"], headers={"Auto-Submitted": "auto-replied"},
    )  # fmt: skip
    counts, letters = table.step("2026-03-02T00:01:00Z")
    assert (counts["discarded"], counts["accepted"]) == (1, 0)
    assert letters == []


def test_a_stolen_reply_address_orders_nothing_and_tells_the_thief_nothing(table: Table) -> None:
    """A letter quoted in a public list shows its reply address; who uses it from elsewhere gets no answer at all."""
    due = table.latest("due", table.mover)
    orders = table.orders(table.mover)
    counts, letters = table.send(
        STRANGER, due.subject, orders, "2026-03-02T00:00:00Z", to=due.message["Reply-To"]
    )
    assert counts["held"] == 1
    assert kinds(letters) == {"challenge": [table.mover]}
    assert table.world.show(table.match)["due"][0]["seat"] == table.turn
    counts, letters = table.reply(letters[0], "No.", "2026-03-02T01:00:00Z")
    assert table.world.show(table.match)["due"][0]["seat"] == table.turn
    counts, letters = table.send(
        STRANGER, due.subject, orders + " ", "2026-03-02T02:00:00Z", to=due.message["Reply-To"]
    )
    assert kinds(letters) == {"help": ["mallory@evil.example"]}, (
        "the stolen address is worth nothing any more"
    )
    assert table.match not in letters[0].text
    assert "Ann" not in letters[0].text
    assert "Ben" not in letters[0].text


def test_renew_makes_earlier_reply_addresses_worthless(table: Table) -> None:
    old = table.latest("due", table.mover).message["Reply-To"]
    _, letters = table.send(table.mover, f"renew {table.match}", "", "2026-03-02T00:00:00Z")
    assert kinds(letters) == {"receipt": [table.mover]}
    _, letters = table.send(STRANGER, "hello", "there", "2026-03-02T01:00:00Z", to=old)
    assert kinds(letters) == {"help": ["mallory@evil.example"]}


def test_a_pass_phrase_of_before_is_needed_no_more_and_never_shown(table: Table) -> None:
    due = table.latest("due", table.mover)
    words = f"Hello\nPass phrase: correct horse battery staple\n{table.orders(table.mover)}"
    counts, _ = table.send(table.mover, due.subject, words, "2026-03-02T02:00:00Z")
    assert counts["accepted"] == 1
    everything = "".join(x.message.as_string() + x.text for x in table.letters)
    assert "battery staple" not in everything
    assert "battery" not in table.world.run("record", table.match).out
    stored = b"".join(path.read_bytes() for path in table.world.folder.glob("referee.db*"))
    assert b"battery" not in stored, "neither in the mails that are kept, nor in free pages"


@pytest.mark.parametrize("how", ["in the subject", "in base64", "in HTML beside the text"])
def test_of_a_settled_mail_a_pass_phrase_is_not_kept_however_it_came(table: Table, how: str) -> None:
    subject = "phrase correct horse battery staple" if how == "in the subject" else "phrase"
    mail = table.world.message(table.mover, subject, "2026-03-02T00:00:00Z")
    text = "Hello" if how == "in the subject" else "Pass phrase: correct horse battery staple"
    mail.set_content(text, cte="base64" if how == "in base64" else "8bit")
    if how == "in HTML beside the text":
        mail.add_alternative(f"<p>{text}</p>", "html")
    table.world.raw(mail.as_bytes(), "2026-03-02T00:00:00Z")
    _, letters = table.step("2026-03-02T00:00:00Z")
    assert kinds(letters) == {"status": [table.mover]}
    assert "battery" not in letters[0].message.as_string()
    stored = b"".join(path.read_bytes() for path in table.world.folder.glob("referee.db*"))
    assert b"battery" not in stored
    assert base64.b64encode(b"Pass phrase: correct horse")[:30] not in stored


def test_a_mail_that_its_owner_denies_is_thrown_away_whole(table: Table) -> None:
    due = table.latest("due", table.mover)
    _, letters = table.send(
        STRANGER, due.subject, "Forgery!", "2026-03-02T00:00:00Z", to=due.message["Reply-To"]
    )
    assert b"Forgery!" in (table.world.folder / "referee.db").read_bytes()
    table.reply(letters[0], "No", "2026-03-02T01:00:00Z")
    with sqlite3.connect(table.world.folder / "referee.db") as connection:
        assert connection.execute("SELECT raw FROM inbox WHERE reason LIKE '%not his%'").fetchall() == [
            (b"",)
        ]
    connection.close()


def test_a_bracket_that_names_a_match_of_another_game_is_asked_about(tmp_path: Path) -> None:
    table = Table(tmp_path)
    people = ["Ann Archer <ann@example.org>", "Ben <ben@example.org>", "Cleo <cleo@example.org>"]
    go = table.world.open("multigo", people)
    table.step()
    counts, letters = table.send(table.mover, f"Buttons: Move [{go}]", "Place: 1 a1", "2026-03-01T12:30:00Z")
    assert (counts["accepted"], [x.kind for x in letters]) == (0, ["preview"])


@pytest.mark.parametrize("how", ["in the clear", "as a part of its own"])
def test_an_ok_that_is_signed_counts_as_one(table: Table, how: str) -> None:
    """Its signature is nothing of a letter of ours."""
    armour = "-----BEGIN PGP SIGNATURE-----\n\n" + "iQIz\n" * 12 + "-----END PGP SIGNATURE-----\n"
    due = table.latest("due", table.mover)
    _, letters = table.send(table.mover, f"{due.subject}?", table.orders(table.mover), "2026-03-02T00:00:00Z")
    (shown,) = letters
    head = f"From: {table.mover}\nTo: collector@referee.localhost\nSubject: Re: {shown.subject}\n"
    head += f"In-Reply-To: {shown.message['Message-ID']}\nMessage-ID: <ok@x.example>\n"
    body = f"\n-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA512\n\nOK\n{armour}"
    if how != "in the clear":
        part = f"--b\nContent-Type: application/pgp-signature; name=OpenPGP_signature.asc\n\n{armour}"
        body = f'Content-Type: multipart/signed; boundary="b"\n\n--b\nContent-Type: text/plain\n\nOK\n{part}--b--\n'
    table.world.raw(f"{head}{body}".encode(), "2026-03-02T01:00:00Z")
    assert table.step("2026-03-02T01:00:00Z")[0]["accepted"] == 1
