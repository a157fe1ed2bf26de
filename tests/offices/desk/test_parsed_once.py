"""A mail is parsed once by each process that handles it: its fields when it is kept, all of it when it is judged, and
never again; and no more is measured or asked of it twice."""

import random
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from email.parser import BytesHeaderParser, BytesParser
from pathlib import Path
from typing import Any

import pytest

from referee.mail.read import head as head_module
from referee.mail.read.head import ParsedMail, read_head
from referee.mail.read.mail import read_mail
from referee.way import answers, limits, stations
from tests.mail.mutation import CORPUS, mutated
from tests.world import World

SIGNED = (
    "-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA512\n\nMove: D4\n-----BEGIN PGP SIGNATURE-----\n\nabc\n"
)
ODD_HEADS = tuple(  # where one reader may take the fields to end, and another not
    end.join(
        (b"From: ann@example.org", between, b"From: eve@evil.example", b"Subject: help", b"", b"hello", b"")
    )
    for end in (b"\n", b"\r\n", b"\r", b"\n\r", b"\r\r\n")
    for between in (
        b"", b" ", b"\t", b"\r", b" \r", b"\r ", b"\x0b", b"\x0c", b"no field", b"X: y\r", b"\x00", b"--b",
    )
)  # fmt: skip
Parsed = Counter[tuple[str, str]]  # a mail's mark, and how it was parsed


def marked(raw: bytes, number: int) -> bytes:
    return f"X-Mark: m{number}m\n".encode() + raw


@contextmanager
def counting(monkeypatch: pytest.MonkeyPatch) -> Iterator[Parsed]:
    """Every time that the library is given a mail to parse."""
    found: Parsed = Counter()
    honest = BytesParser.parsebytes

    def parsebytes(self: BytesParser, text: Any, headersonly: bool = False) -> Any:
        head = bytes(text[:40])
        if head.startswith(b"X-Mark: "):
            how = "fields" if isinstance(self, BytesHeaderParser) or headersonly else "whole"
            found[head.split()[1].decode(), how] += 1
        return honest(self, text, headersonly)

    with monkeypatch.context() as patched:
        patched.setattr(BytesParser, "parsebytes", parsebytes)
        yield found


def kinds_of_mails(world: World, match: str) -> Iterator[bytes]:
    """Beside the corpus: what two players of a match and others may send."""
    ann, ben = "Ann <ann@example.org>", "ben@example.org"
    head = f"Subject: Go: Move / Player 1 [{match}]\nDate: Sun, 01 Mar 2026 12:00:00 +0000\n"
    for number, (sender, fields, body) in enumerate(
        (
            (ann, head, "Move: D4"),
            (ben, head.replace("Player 1", "Player 2"), "Move: zz"),
            (ann, head.partition("\n")[0] + "\n", "Move: E5"),  # without a Date
            (ann, f"From: {ben}\n{head}", "Move: E5"),
            (ann, "Subject: status\n", ""),
            (ann, "Subject: phrase a quiet house by the sea\n", ""),
            (
                ann,
                "Subject: key\n",
                "-----BEGIN PGP PUBLIC KEY BLOCK-----\n\nabc\n-----END PGP PUBLIC KEY BLOCK-----",
            ),
            (ann, head, f"{SIGNED}-----END PGP SIGNATURE-----"),
            (ben, "Subject: vacation 2026-03-14..2026-03-20\n", ""),
            (ann, f"Subject: press {match}\n", "Well met"),
            (ann, f"Subject: resign [{match}]\n", ""),
            ("carl@example.org", f"Subject: observe {match}\n", ""),
            (
                "MAILER-DAEMON@mx.example",
                "X-Failed-Recipients: ann@example.org\nSubject: Undelivered\n",
                "gone",
            ),
            ("dan@example.org", "Auto-Submitted: auto-replied\nSubject: away\n", "I am away"),
        )
    ):
        yield f"From: {sender}\nTo: collector@referee.localhost\nMessage-ID: <k{number}@x>\n{fields}\n{body}\n".encode()
    signed = f'Content-Type: multipart/signed; boundary="b"\nFrom: {ann}\nMessage-ID: <s@x>\n{head}\n'
    armour = "-----BEGIN PGP SIGNATURE-----\n\nabc\n-----END PGP SIGNATURE-----"
    part = f"Content-Type: application/pgp-signature\n\n{armour}\n"
    yield f"{signed}\n--b\nContent-Type: text/plain\n\nMove: D4\n--b\n{part}--b--\n".encode()
    (letter, *_) = [letter for letter in world.new_letters() if letter.to == "ann@example.org"]
    answer = f"In-Reply-To: {letter.message['Message-ID']}\n{head}\n"
    quoted = "\n".join(f"> {line}" for line in letter.text.splitlines())
    yield f"From: {ann}\nMessage-ID: <q@x>\n{answer}\nMove: E5\n\n{quoted}\n".encode()


@pytest.fixture(params=["inline", pytest.param("procrastinate", marks=pytest.mark.server)])
def world(request: pytest.FixtureRequest, tmp_path: Path) -> World:
    if request.param == "inline":
        return World(tmp_path)
    url = request.getfixturevalue("queue_url")
    return World(tmp_path, f'[store]\nurl = "{url}"\n[engine]\nkind = "procrastinate"\n', tables=False)


def test_once_in_a_pass_in_read_and_when_it_is_let_in_again(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = world.open("multigo", ["Ann <ann@example.org>", "Ben <ben@example.org>"], seed=1, board="9x9")
    world.step()
    raws = [*kinds_of_mails(world, match), *CORPUS[::16]]
    marks = [f"m{number}m" for number in range(len(raws))]
    files = [str(world.raw(marked(raw, number))) for number, raw in enumerate(raws)]
    with counting(monkeypatch) as parsed:
        world.run("read", *files)
    assert parsed == Counter((mark, "whole") for mark in marks)
    with counting(monkeypatch) as parsed:
        counts = world.step("2026-03-01T13:00:00Z")
    assert parsed == Counter((mark, how) for mark in marks for how in ("fields", "whole"))
    assert counts["read"] == len(raws)
    with counting(monkeypatch) as parsed:
        assert world.run("release", "all").status == 0
    assert not parsed
    with counting(monkeypatch) as parsed:
        released = world.step("2026-03-01T15:00:00Z")
    assert set(parsed.values()) == {1}
    assert {how for _, how in parsed} == {"whole"}
    print(f"{len(raws)} mails, {released['read']} of them let in")


def test_once_too_where_it_stumbles(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    def stumble(*_: object) -> None:
        raise RuntimeError

    world.step()
    world.raw(marked(b"From: ann@example.org\nSubject: help\n\n", 1))
    with counting(monkeypatch) as parsed, monkeypatch.context() as patched:
        patched.setattr(stations, "judge", stumble)
        assert world.step()["shunted"] == 1
    assert parsed == {("m1m", "fields"): 1, ("m1m", "whole"): 1}
    assert world.run("unshunt", "all").status == 0
    with counting(monkeypatch) as parsed:
        assert world.step()["answered"] == 1
    assert parsed == {("m1m", "whole"): 1}


def test_nothing_is_measured_or_asked_twice_of_an_order(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    world = World(tmp_path)
    match = world.open("multigo", ["Ann <ann@example.org>", "Ben <ben@example.org>"], seed=1, board="9x9")
    world.step()
    world.mail("ann@example.org", f"Go: Move / Player 1 [{match}]", "Move: D4", "2026-03-01T12:01:00Z")
    asked: Counter[str] = Counter()
    for module, name in (
        (answers, "excess"),
        (head_module, "signs_of_a_program"),
        (head_module, "doubts_of_head"),
    ):
        honest = getattr(module, name)

        def once(*given: Any, _honest: Any = honest, _name: str = name) -> Any:
            asked[_name] += 1
            return _honest(*given)

        monkeypatch.setattr(module, name, once)
    assert limits.excess is not answers.excess, "it is counted where it is asked"
    assert world.step("2026-03-01T12:02:00Z")["accepted"] == 1
    assert asked == {"excess": 1, "signs_of_a_program": 1, "doubts_of_head": 1}


@pytest.mark.parametrize("mutants", [150, pytest.param(2000, marks=pytest.mark.soak)])
def test_the_fields_read_when_it_is_kept_are_those_read_when_it_is_judged(mutants: int) -> None:
    """A proof that is found by the first reading counts for the sender that the second one finds."""
    chance = random.Random(22)
    raws = [*CORPUS, *(mutated(chance) for _ in range(mutants)), *ODD_HEADS]
    for raw in raws:
        whole, head = read_mail(raw), read_head(raw)
        for name in ParsedMail.__dataclass_fields__:
            if name not in ("faults", "own", "quoted", "left_out", "attached", "parts"):
                assert getattr(head, name) == getattr(whole, name), (name, raw[:2000])
    print(f"{len(raws)} mails")
