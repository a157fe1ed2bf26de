"""Whoever sends a player's words first, or his mail without its proof, keeps nothing out; and no proof counts twice.

Copies of one mail come in every order: with a From alone, with the word of a trusted server, to a reply address, with
both; under one Message-ID or each under its own.
"""

import random
from contextlib import suppress
from itertools import permutations
from pathlib import Path

import pytest

from tests.attacks.conftest import SERVER
from tests.mail.trust.signing import Malformed, by_server, signed
from tests.sampling import one_in
from tests.world import Table, kinds, vouched

STRENGTHS = {"From": 1, "vouched": 2, "token": 4, "vouched and token": 4}
ENOUGH = {"address": 1, "vouched": 2, "token": 3}
ORDERS = [order for size in (2, 3) for order in permutations(STRENGTHS, size)]
SAMPLE = 6


def at(day: int, hour: int = 0) -> str:
    return f"2026-03-{day:02d}T{hour:02d}:00:00Z"


def deliver(table: Table, day: int, order: tuple[str, ...], *, one_id: bool) -> list[tuple[str, bool]]:
    """The copies of a player's next answer, one a pass: what became of each, and whether he had a letter about it."""
    due, orders, mover = table.latest("due", table.mover), table.orders(table.mover), table.mover
    seen = []
    for number, level in enumerate(order):
        token = "token" in level
        counts, letters = table.send(
            mover, due.subject, orders, at(day, number + 1), date=at(day),
            message_id=f"<{day}-{0 if one_id else number}@example.org>",
            to=due.message["Reply-To"] if token else "collector@referee.localhost",
            headers=vouched("example.org", f"the signature of day {day}".encode()) if "vouched" in level else {},
        )  # fmt: skip
        (what,) = (what for what in ("accepted", "held", "ignored") if counts[what])
        seen.append((what, any(letter.to == mover for letter in letters)))
    table.turn = table.world.show(table.match)["due"][0]["seat"]
    return seen


def expected(order: tuple[str, ...], enough: int, *, one_id: bool) -> list[tuple[str, bool]]:
    """The first that is enough counts, and nothing after it; before it every one that proves more is asked about. A
    letter is spared where a Message-ID comes again with no more than it had."""
    found: list[tuple[str, bool]] = []
    for number, level in enumerate(order):
        before = [STRENGTHS[one] for one in order[:number]]
        more = STRENGTHS[level] > max(before, default=0)
        if max(before, default=0) >= enough:
            found.append(("ignored", more or not one_id))
        elif not more:
            found.append(("ignored", not one_id))
        else:
            found.append(("accepted" if STRENGTHS[level] >= enough else "held", True))
    return found


@pytest.mark.one_in(3)
@pytest.mark.parametrize("one_id", [True, False], ids=["one Message-ID", "each its own"])
@pytest.mark.parametrize("need", one_in(2, ENOUGH))
def test_of_copies_in_any_order_the_first_that_proves_enough_counts(
    table: Table, need: str, one_id: bool
) -> None:
    table.world.configure('# trusted_authserv = ["mx.example.org"]', f'trusted_authserv = ["{SERVER}"]')
    table.world.configure('need = "address"', f'need = "{need}"')
    chosen = [
        order
        for order in random.Random(f"{need} {one_id}").sample(ORDERS, SAMPLE)
        if max(STRENGTHS[one] for one in order) >= ENOUGH[need]
    ]
    for day, order in enumerate(chosen, 2):
        assert deliver(table, day, order, one_id=one_id) == expected(order, ENOUGH[need], one_id=one_id), (
            order
        )
    print(f"{sum(map(len, chosen))} mails, {len(chosen)} answers")


def test_what_counted_by_a_stronger_copy_is_not_counted_again_when_the_weaker_is_confirmed(
    wary: Table,
) -> None:
    due, orders, mover = wary.latest("due", wary.mover), wary.orders(wary.mover), wary.mover
    _, asked = wary.send(mover, due.subject, orders, at(2, 1), date=at(2))
    assert kinds(asked) == {"challenge": [mover]}
    counts, _ = wary.send(mover, due.subject, orders, at(2, 2), date=at(2), headers=vouched("example.org"))
    assert counts["accepted"] == 1
    counts, letters = wary.reply(asked[0], "Yes", at(2, 3))
    assert (counts["accepted"], counts["ignored"]) == (0, 1)
    assert "That one counted" in letters[-1].words


def test_a_released_mail_counts_though_its_signature_has_come_with_it_before(wary: Table) -> None:
    due, orders, mover = wary.latest("due", wary.mover), wary.orders(wary.mover), wary.mover
    headers = {**vouched("example.org"), "X-Spam-Flag": "YES"}
    counts, _ = wary.send(mover, due.subject, orders, at(2, 1), headers=headers)
    assert counts["held"] == 1
    assert wary.world.run("release", "all", "--why", "no spam", "--now", at(2, 2)).status == 0
    assert wary.step(at(2, 2))[0]["accepted"] == 1


# --- replays of a mail that was signed ---------------------------------------------------------------------------


def order_of(table: Table, to: str = "collector@referee.localhost") -> bytes:
    subject, body = table.latest("due", table.mover).subject, table.orders(table.mover).replace("\n", "\r\n")
    head = (
        f"From: {table.mover}\r\nTo: {to}\r\nSubject: {subject}\r\nDate: Mon, 02 Mar 2026 00:00:00 +0000\r\n"
    )
    return f"{head}Message-ID: <1@example.org>\r\n\r\n{body}".encode()


def arrives(table: Table, raw: bytes, hour: int) -> dict[str, int]:
    """Past a server that says which signatures hold, where one is trusted to."""
    with suppress(Malformed):
        raw = by_server(raw, SERVER)
    table.world.raw(raw, at(2, hour))
    counts, _ = table.step(at(2, hour))
    return {what: counts[what] for what in ("accepted", "held", "ignored", "discarded") if counts[what]}


REPLAYS = {
    "as it was": lambda raw: raw,
    "under another Message-ID": lambda raw: raw.replace(b"<1@example.org>", b"<2@example.org>"),
    "in another thread": lambda raw: raw.replace(b"\r\n\r\n", b"\r\nReferences: <x@example.org>\r\n\r\n", 1),
    "with further fields": lambda raw: b"X-Mailer: x\r\nReply-To: eve@evil.example\r\n" + raw,
    "read in another way": lambda raw: b"Content-Type: text/html\r\n" + raw,
}


@pytest.mark.parametrize("changed", REPLAYS)
def test_a_signed_mail_that_comes_again_is_that_same_mail(wary: Table, changed: str) -> None:
    raw = signed(order_of(wary))
    assert arrives(wary, raw, 1) == {"accepted": 1}
    version = wary.world.show(wary.match)["due"]
    assert arrives(wary, REPLAYS[changed](raw), 2) == {"ignored": 1}
    assert wary.world.show(wary.match)["due"] == version


UNCOVERED = {
    "under another Date": (
        ["from", "to", "subject"],
        lambda raw: raw.replace(b"02 Mar 2026 00", b"02 Mar 2026 01"),
    ),
    "written to a friend": ([], lambda raw: raw),
    "of which the subject is not signed": (["from", "to", "date"], lambda raw: raw),
}


CAUSES = {
    "under another Date": "example.org does not sign Date",
    "written to a friend": "mine (friend@friend.example). Who sends such a mail is asked. If that is",
    "of which the subject is not signed": "1 of the newest 1 mails proved nothing: example.org does not sign Subject",
}


@pytest.mark.parametrize("which", UNCOVERED)
def test_a_signed_mail_is_no_order_where_it_does_not_cover_one(wary: Table, which: str) -> None:
    fields, changed = UNCOVERED[which]
    to = "friend@friend.example" if which == "written to a friend" else "collector@referee.localhost"
    raw = changed(signed(order_of(wary, to), only=tuple(fields)))
    assert arrives(wary, raw, 1) == {"held": 1}
    (said,) = wary.world.run("doctor", "--json").json["senders"][-1:]
    assert CAUSES[which] in said
    if to.startswith("friend"):
        wary.world.configure("also = []", 'also = ["Friend@friend.example"]')
        assert arrives(wary, raw.replace(b"<1@", b"<2@"), 2) == {"accepted": 1}


def test_doctor_says_why_a_server_that_looked_at_the_way_alone_proves_nothing(wary: Table) -> None:
    said = f"Authentication-Results: {SERVER}; spf=pass smtp.mailfrom=example.org; dmarc=pass header.from=example.org"
    for raw, remedy in (
        (order_of(wary), "since example.org does not sign"),
        (signed(order_of(wary)).replace(b"<1@", b"<2@"), "though the mail is signed"),
    ):
        wary.world.raw(f"{said}\r\n".encode() + raw, at(2, 1))
        wary.step(at(2, 1))
        assert any(remedy in note for note in wary.world.run("doctor", "--json").json["senders"])


# --- two of a field ------------------------------------------------------------------------------------------------

TWICE = {
    "Subject": "Subject: Buttons: Resign\r\n",
    "Date": "Date: Tue, 03 Mar 2026 00:00:00 +0000\r\n",
    "From": "From: eve@evil.example\r\n",
    "Message-ID": "MESSAGE-ID : <9@evil.example>\r\n",
}


@pytest.mark.parametrize("name", TWICE)
def test_of_a_seat_it_is_held_and_of_a_stranger_thrown_away(table: Table, name: str) -> None:
    """With a bare address being enough otherwise."""
    raw = order_of(table)
    assert arrives(table, TWICE[name].encode() + raw, 1) == {"held": 1}
    strange = raw.replace(table.mover.encode(), b"mallory@evil.example")
    assert arrives(table, TWICE[name].encode() + strange, 2) == {"discarded": 1}
    assert arrives(table, raw, 3) == {"accepted": 1}


def test_a_reply_address_makes_it_a_seats(table: Table) -> None:
    to = str(table.latest("due", table.mover).message["Reply-To"])
    raw = order_of(table, to).replace(table.mover.encode(), b"mallory@evil.example")
    assert arrives(table, TWICE["Subject"].encode() + raw, 1) == {"held": 1}


def test_a_copy_of_the_whole_mail_without_its_signature_keeps_nothing_out(wary: Table) -> None:
    raw = order_of(wary)
    assert arrives(wary, raw, 1) == {"held": 1}
    assert arrives(wary, signed(raw), 2) == {"accepted": 1}


def test_a_mail_to_two_is_the_same_in_every_folder(tmp_path: Path) -> None:
    """A second delivery that proves nothing more gets no letter."""
    table = Table(tmp_path)
    raw = order_of(table)
    assert arrives(table, raw, 1) == {"accepted": 1}
    table.world.raw(b"Delivered-To: x@referee.localhost\r\n" + raw, at(2, 2))
    counts, letters = table.step(at(2, 2))
    assert (counts["ignored"], letters) == (1, [])
