"""Reports that a letter did not arrive (RFC 3464), written by people whom it would suit.

A true one names the Message-ID of a letter of ours to the very address it is about; nobody but that letter's reader,
and the servers on its way, has seen it.
"""

import random
from pathlib import Path

import pytest

from tests.attacks import naive
from tests.world import ANN, BEN, Sent, Table, kinds

AT = "2026-03-02T00:00:00Z"
MODERATOR = "moderator@referee.localhost"
SECOND = "second@other.example"


def report(
    *blocks: str, named: str = "", head: str = "", number: int = 0, prose: str = "It could not be delivered."
) -> bytes:
    """A delivery report with these recipient blocks; `named` is the Message-ID of the letter that came back."""
    copy = f"--b\r\nContent-Type: text/rfc822-headers\r\n\r\nMessage-ID: {named}\r\n\r\n" if named else ""
    status = "\r\n".join(blocks)
    return (
        f"{head}From: MAILER-DAEMON@mx.example\r\nTo: speaker@referee.localhost\r\nSubject: Undelivered Mail\r\n"
        f"Date: Mon, 02 Mar 2026 00:00:00 +0000\r\nMessage-ID: <dsn{number}@mx.example>\r\nMIME-Version: 1.0\r\n"
        'Content-Type: multipart/report; report-type=delivery-status; boundary="b"\r\n\r\n'
        f"--b\r\nContent-Type: text/plain\r\n\r\n{prose}\r\n"
        f"--b\r\nContent-Type: message/delivery-status\r\n\r\nReporting-MTA: dns; mx.example\r\n\r\n{status}\r\n"
        f"{copy}--b--\r\n"
    ).encode()


def gone(address: str, original: str = "", status: str = "5.1.1") -> str:
    before = f"Original-Recipient: rfc822; {original}\r\n" if original else ""
    told = f"Diagnostic-Code: smtp; 550 {status} user unknown\r\n"
    return f"{before}Final-Recipient: rfc822; {address}\r\nAction: failed\r\nStatus: {status}\r\n{told}"


def letter_to(table: Table, address: str) -> Sent:
    return [x for x in table.letters if x.to == address][-1]


def id_of(letter: Sent) -> str:
    return str(letter.message["Message-ID"])


def failing(table: Table) -> set[str]:
    return {one["address"] for one in table.world.show(table.match, "--moderator")["failing"]}


def nothing_follows(table: Table, raw: bytes) -> None:
    """Thrown away: no address is marked, no letter goes anywhere, nobody is alarmed."""
    table.world.raw(raw, AT)
    counts, letters = table.step(AT)
    assert counts["discarded"] == 1
    assert letters == [], kinds(letters)
    assert failing(table) == set()


def test_a_report_without_a_letter_of_ours_changes_nothing(table: Table) -> None:
    nothing_follows(table, report(gone(BEN)))


@pytest.mark.parametrize("where", ["the copy", "the references", "the prose", "many"])
def test_a_player_who_quotes_his_own_letter_marks_nobody_elses_address(table: Table, where: str) -> None:
    own = id_of(letter_to(table, ANN))
    forged = {
        "the copy": report(gone(BEN), named=own),
        "the references": report(gone(BEN), head=f"In-Reply-To: {own}\r\nReferences: {own}\r\n"),
        "the prose": report(gone(BEN), prose=f"This letter:\r\n\r\nMessage-ID: {own}\r\nTo: {BEN}\r\n"),
        "many": report(gone(BEN), prose="".join(f"Message-ID: {id_of(x)}\r\n" for x in table.letters if x.to == ANN)),
    }[where]  # fmt: skip
    nothing_follows(table, forged)


def test_ones_own_address_beside_anothers_marks_ones_own_alone(table: Table) -> None:
    own = id_of(letter_to(table, ANN))
    table.world.raw(report(gone(BEN), gone(ANN), named=own), AT)
    _, letters = table.step(AT)
    assert failing(table) == {ANN}
    assert kinds(letters) == {"alarm": [MODERATOR]}


def test_a_letter_is_not_led_to_the_forgers_second_address(table: Table) -> None:
    """The thief has a seat himself; what he can do to his own letters, he can't do to the other's."""
    _, letters = table.send(ANN, f"address {SECOND}", "", "2026-03-01T20:00:00Z")
    for challenge in [x for x in letters if x.kind == "challenge"]:
        table.reply(challenge, "Yes", "2026-03-01T20:01:00Z")
    nothing_follows(table, report(gone(BEN), named=id_of(letter_to(table, ANN))))


def test_an_id_of_another_match_or_of_nobody_proves_nothing(table: Table) -> None:
    other = table.world.open("buttons", ["Eve <eve@evil.example>", "Dan <dan@example.org>"])
    table.step()
    theirs = id_of(letter_to(table, "eve@evil.example"))
    assert other != table.match
    for number, named in enumerate(
        (theirs, theirs.upper(), theirs.strip("<>"), "<>", "<1@mx>", f"<{'a' * 800}@mx>")
    ):
        nothing_follows(table, report(gone(BEN), named=named, number=number))


def test_a_mailers_own_words_prove_as_little(table: Table) -> None:
    own = id_of(letter_to(table, ANN))
    raw = (
        f"From: mailer-daemon@mx.example\r\nTo: speaker@referee.localhost\r\nSubject: failure notice\r\n"
        f"X-Failed-Recipients: {BEN}\r\nMessage-ID: <q@mx.example>\r\nIn-Reply-To: {own}\r\n\r\n"
        f"<{BEN}>: 550 5.1.1 no such user\r\n\r\nMessage-ID: {own}\r\n"
    ).encode()
    nothing_follows(table, raw)


def test_sixty_forged_reports_ring_no_alarm(table: Table) -> None:
    for number in range(60):
        table.world.raw(report(gone(f"p{number}@example.org"), gone(BEN), number=number), AT)
    counts, letters = table.step(AT)
    assert counts["discarded"] == 60
    assert letters == []
    assert failing(table) == set()


@pytest.mark.parametrize("seed", range(3))
def test_only_what_a_naive_reader_finds_proved_marks_an_address(tmp_path: Path, seed: int) -> None:
    """A heap of reports, true and forged, cut and mixed at will; a true one is now and then among them."""
    chance = random.Random(f"reports {seed}")
    table = Table(tmp_path)
    ids = {address: [id_of(x) for x in table.letters if x.to == address] for address in (ANN, BEN)}
    # Ann forges: what she knows are the letters to herself; a true report on Ben's comes in one run only
    known = [*ids[ANN], "<guess@referee.localhost>", ""] + (ids[BEN] if seed == 2 else [])
    bits = (
        BEN, ANN, "\r\n", "\r\n\r\n", "Action: failed\r\n", f"Final-Recipient: rfc822; {BEN}\r\n",
        "Message-ID: ", "--b", ";", "<", ">",
    )  # fmt: skip
    due: set[str] = set()
    allowed: set[str] = set()
    for number in range(120):
        blocks = [
            gone(chance.choice((BEN, ANN, "x@example.org")), chance.choice(("", "", ANN, BEN)))
            for _ in range(chance.randrange(1, 4))
        ]
        text = report(*blocks, named=chance.choice(known), number=number).decode()
        cuts = chance.choice((0, 1, 2, 4))
        for _ in range(cuts):
            at = chance.randrange(len(text))
            text = text[:at] + chance.choice(bits) + text[at + chance.randrange(2) :]
        proved = {address for address, named in ids.items() if any(one in text for one in named)}
        allowed |= {address for address in proved if address in text}
        due |= {
            address
            for address in proved
            if not cuts and any(address in x for x in naive.failed(text.encode()))
        }
        table.world.raw(text.encode(), AT)
    _, letters = table.step(AT)
    assert due
    assert due <= failing(table) <= allowed
    assert (BEN in allowed) == (seed == 2)
    assert set(kinds(letters)) <= {"alarm", "help"}
    assert len([x for x in letters if x.kind == "alarm" and "did not arrive" in x.subject]) <= len(allowed)
