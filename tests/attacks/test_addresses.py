"""Addresses that look alike, or become alike where a program is careless about letters: each is one person's alone.

The pairs are made from Unicode's own tables: whatever folds, small-cases or normalises to a letter or two of ASCII,
before the @ and behind it.
"""

import email
import random
import sys
import unicodedata
from collections.abc import Iterator
from email.policy import default
from functools import cache
from pathlib import Path

import pytest

from referee.core.texts.addresses import address_key, ascii_domain, normal_address, posted
from referee.mail.read.head import read_sender
from tests.servers.curt import curt
from tests.world import Sent, Table, World, kinds

AT = "2026-03-02T00:00:00Z"
LATER = "2026-03-02T01:00:00Z"


@cache
def alike() -> tuple[tuple[str, str], ...]:
    """Each sign beyond ASCII of which some mapping makes letters of ASCII, with these."""
    found = {}
    for sign in map(chr, range(128, sys.maxunicode + 1)):
        made = (
            sign.casefold(),
            sign.lower(),
            sign.upper().lower(),
            unicodedata.normalize("NFKC", sign).casefold(),
        )
        for plain in made:
            if plain.isascii() and plain.isalpha():
                found[sign, plain] = None
    return tuple(found)


def spellings() -> Iterator[tuple[str, str]]:
    """Two spellings that some mapping takes for one."""
    for sign, plain in alike():
        yield f"b{sign}x@example.org", f"b{plain}x@example.org"
        yield f"anna@b{sign}x.example", f"anna@b{plain}x.example"
        yield f"anna@b{sign}x.example", f"anna@B{plain.upper()}x.example"
    for word in ("straße", "faß", "βόλος", "نامه\u200cای", "ශ්\u200dරී"):  # what IDNA 2003 made others of
        yield f"anna@{word}.example", f"anna@{word.encode('idna').decode()}.example"


def test_no_two_spellings_that_differ_are_one_person() -> None:
    pairs = list(spellings())
    for one, other in pairs:
        assert address_key(one) != address_key(other), (one, other)
        assert posted(one) != posted(other), (one, other)
        assert not address_key(one).rpartition("@")[0].isascii() or one.rpartition("@")[0].isascii()
        read = [read_sender((address,))[0] for address in (one, other)]
        assert read[0] is None or read[1] is None or read[0].address != read[1].address
    print(f"{len(pairs)} pairs of addresses, {len(alike())} signs")
    assert len(pairs) > 3000


@pytest.mark.parametrize(
    "spelt",
    [
        "anna@bücher.example", "anna@BÜCHER.example", "Anna@xn--bcher-kva.example",
        "ANNA@XN--BCHER-KVA.Example.",
    ],
)  # fmt: skip
def test_a_label_and_u_label_of_a_domain_are_one(spelt: str) -> None:
    assert address_key(spelt) == "anna@xn--bcher-kva.example"
    assert normal_address(spelt) == f"{spelt[:4]}@xn--bcher-kva.example"
    assert address_key(posted(spelt)) == address_key(spelt)
    assert posted(spelt).isascii()


@pytest.mark.parametrize(
    "domain",
    ["xn--", "xn--ascii-", "xn--\u00e9", "xn--99999999999", "\u00ad.example", "a\u0300b\u0000.example"],
)
def test_what_is_no_domain_stays_as_it_is(domain: str) -> None:
    assert ascii_domain(domain) == domain


def test_long_domains_are_not_looked_at() -> None:
    """The library's work grows with the square of a label: none longer than a label can be is given to it."""
    long = "ü" * 64
    assert ascii_domain(f"{long}.example") == f"{long}.example"
    assert ascii_domain("ü." * 100_000) == ("ü." * 100_000).removesuffix(".")
    assert normal_address(f"anna@{'ü' * 400}") is None


def test_capitals_make_no_other_person_of_a_stranger(tmp_path: Path) -> None:
    """Five answers in a day, however his address is spelt; each goes to it as he spelt it."""
    table = Table(tmp_path)
    name = "whoever"
    for number in range(14):
        spelt = f"{name[: number % 7]}{name[number % 7 :].upper()}@elsewhere.example"
        table.world.mail(spelt, f"hello {number}", f"words {number}", f"2026-03-02T00:{number:02d}:00Z")
    _, letters = table.step(LATER)
    assert len(letters) == 5
    assert {letter.to for letter in letters} == {
        f"{name[:cut]}{name[cut:].upper()}@elsewhere.example" for cut in range(5)
    }


# --- at the table -----------------------------------------------------------------------------------------------------

PAIRS = [
    ("anna@straße.example", "anna@strasse.example"),
    ("anna@faß.example", "anna@xn--fass-example.example"),
    ("boß@example.org", "boss@example.org"),
    ("\u212aim@example.org", "kim@example.org"),
    ("fi\u017fh@example.org", "fish@example.org"),
    ("\ufb01n@example.org", "fin@example.org"),
    ("\uff41nn@example.org", "ann@example.org"),
    ("\u0130da@example.org", "ida@example.org"),
]


def to(letters: list[Sent]) -> set[str]:
    return {letter.to for letter in letters}


def test_whatever_two_are_seated_each_hears_of_his_own_seat(tmp_path: Path) -> None:
    """A sample of all pairs; a pair is refused when its match is opened, or is two persons."""
    world, refused, seated = World(tmp_path), 0, 0
    for number, (one, other) in enumerate(random.Random(21).sample(list(spellings()), 40)):
        people = [f"Uno <{one}>", f"Duo <{other}>"]
        ran = world.run(
            "open", "buttons", "--name", f"pair-{number}", *(w for p in people for w in ("--seat", p))
        )
        if ran.status:
            assert "can't be registered" in ran.err
            refused += 1
            continue
        world.passed(AT)
        for address in (one, other):
            world.raw(mail(address, f"status pair-{number}", number * 2 + (address == one)), AT)
        told = [s for s in world.passed(AT) if s.kind == "status"]
        assert sorted(s.to for s in told) == sorted({posted(one), posted(other)})
        seated += 1
    print(f"{seated} pairs seated, {refused} refused")
    assert seated > 10
    assert refused > 10


@pytest.mark.one_in(2)
@pytest.mark.parametrize(("one", "other"), PAIRS)
def test_two_at_one_table_are_two_in_every_respect(tmp_path: Path, one: str, other: str) -> None:
    """What one asks for comes to him; what he gives up is his; a reply address is of one seat."""
    table = Table(tmp_path, people=[f"Uno <{one}>", f"Duo <{other}>"])
    due = next(s for s in table.letters if s.kind == "due")
    assert to(table.letters) == {posted(one), posted(other)}
    assert len({s.message["Reply-To"] for s in table.letters if s.message["Reply-To"]}) == 2
    for number, address in enumerate((one, other)):
        table.world.raw(mail(address, "status", number), AT)
        _, letters = table.step(AT)
        (status,) = [s for s in letters if s.kind == "status"]
        assert status.to == posted(address)
        assert f"Player {table.seat(address)}" in status.text
    table.world.raw(mail(other, f"Resign [{table.match}]", 5), AT)
    _, letters = table.step(AT)
    assert kinds(letters) == {"challenge": [posted(other)]}
    assert table.world.show(table.match)["status"] == "open"
    assert due.match == table.match


def mail(sender: str, subject: str, number: int, body: str = "") -> bytes:
    """As a mail program that sends letters beyond ASCII as they are (RFC 6532)."""
    head = (
        f"From: {sender}\r\nTo: collector@referee.localhost\r\nSubject: {subject}\r\nDate: Mon, 02 Mar 2026 00:00:00"
        f" +0000\r\nMessage-ID: <odd-{number}@players.example>\r\n\r\n"
    )
    return f"{head}{body}\r\n".encode()


def test_one_person_under_two_spellings_has_no_second_seat(tmp_path: Path) -> None:
    world = World(tmp_path)
    ran = world.run(
        "open", "buttons", "--seat", "A <anna@bücher.example>", "--seat", "B <ANNA@xn--bcher-kva.example>"
    )
    assert ran.status == 1
    assert "nobody holds two seats" in ran.err


def by_smtp(world: World, port: int = 9, more: str = "") -> None:
    world.configure('url = "maildir:mail/out"', f'url = "smtp://127.0.0.1:{port}"{more}')


def test_a_real_server_is_told_the_registered_address(tmp_path: Path) -> None:
    """In the envelope and in the letter: the domain as servers know it, the name before the @ as its owner wrote it."""
    world = World(tmp_path)
    with curt() as server:
        by_smtp(world, server.port)
        world.open("buttons", ["Uno <Anna.B@straße.example>", "Duo <anna.b@strasse.example>"])
        world.step(AT)
        opened = [(x.recipient, email.message_from_bytes(x.message)["To"]) for x in server.taken]
        world.raw(mail("ANNA.B@straße.example", "status", 1), LATER)
        world.step(LATER)
        answers = [x.recipient for x in server.taken[len(opened) :]]
    assert {to for to, _ in opened} == {"Anna.B@xn--strae-oqa.example", "anna.b@strasse.example"}
    assert all(to in shown for to, shown in opened)
    assert answers == ["Anna.B@xn--strae-oqa.example"]


@pytest.mark.parametrize(
    "address", ["boß@example.org", "josé@example.org", "anna@\u212ale\u200b.example", "anna@-x.example"]
)
def test_what_the_courier_cannot_address_is_refused_with_words(tmp_path: Path, address: str) -> None:
    world = World(tmp_path)
    match = world.open("buttons", ["Ann <ann@example.org>", "Ben <ben@example.org>"])
    by_smtp(world)
    for command in (
        ("open", "buttons", "--seat", f"A <{address}>", "--seat", "B <b@example.org>"),
        ("replace", match, "1", f"A <{address}>", "--why", "he asked"),
    ):
        ran = world.run(*command)
        assert (ran.status, ran.out) == (1, "")
        assert "can't be registered" in ran.err
        assert address in ran.err


def test_a_server_that_takes_them_lets_them_in(tmp_path: Path) -> None:
    world = World(tmp_path)
    by_smtp(world, more="\nsmtputf8 = true")
    assert world.open("buttons", ["José <josé@example.org>", "Ben <ben@example.org>"])


@pytest.mark.parametrize("subject", ["join buttons-1", "observe buttons-1"])
def test_nobody_joins_or_watches_who_cannot_be_written_to(tmp_path: Path, subject: str) -> None:
    """Said in a letter: this server would even take it, but nobody has said that those behind it do."""
    world = World(tmp_path)
    world.run("open", "buttons", "--seat", "Ann <ann@example.org>", "--vacant", "1")
    with curt() as server:
        by_smtp(world, server.port)
        world.raw(mail("josé@example.org", subject, 1), AT)
        counts = world.step(AT)
        (letter,) = [
            email.message_from_bytes(x.message, policy=default)
            for x in server.taken
            if x.recipient == "josé@example.org"
        ]
    assert counts["answered"] == 1
    assert letter["X-Referee-Notice"] == "help"
    assert "can't register your address" in letter.get_body(("plain",)).get_content()
    assert world.show("buttons-1")["status"] == "filling"


def test_a_further_address_must_be_one_that_can_be_written_to(tmp_path: Path) -> None:
    table = Table(tmp_path)
    with curt() as server:
        by_smtp(table.world, server.port)
        table.world.raw(mail(table.mover, "address josé@example.org", 1), AT)
        table.world.step(AT)
        answer = email.message_from_bytes(server.taken[-1][2], policy=default)
    assert answer["X-Referee-Notice"] == "refusal", "before anybody is asked whose mail it is"
    assert "ASCII letters alone before the @" in answer.get_body(("plain",)).get_content()
