"""A forger of From, and what the operator is told of him: by `init`, which asks whose mailbox it is, and by `doctor`,
which says what the setting lets him do and whether the mail server vouches for anybody."""

import os
import pty
import select
import subprocess
import sys
import time
import tomllib
from pathlib import Path
from typing import Any

import pytest

from referee.base.settings import MailboxSection, SendersSection, Settings
from referee.mail.sender.authentication import vouching
from referee.service.config import forger, providers, read_configuration
from tests.servers.ground import PATIENCE
from tests.world import Table, World, kinds

AT = "2026-03-02T00:00:00Z"


# --- init ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", [name for name, one in providers().items() if one.needs("USER")])
@pytest.mark.parametrize(
    "told", [(), ("--user", "ref@example.org"), ("--user", "ref@example.org", "--host", "mx.example.net")]
)
def test_init_for_a_provider_writes_what_it_supports(
    tmp_path: Path, name: str, told: tuple[str, ...]
) -> None:
    tmp_path = tmp_path / "games"
    World(tmp_path.parent).do("init", str(tmp_path), "--provider", name, *told, config=False)
    text = (tmp_path / "referee.toml").read_text()
    settings = read_configuration(tmp_path / "referee.toml").settings
    known = providers()[name]
    trusting = bool(settings.mailbox.trusted_authserv)
    assert settings.senders.need == ("vouched" if trusting else "token")
    assert known.title in text
    assert text.count("#") > 20, "it keeps its comments"
    hosted = known.needs("HOST") and "--host" not in told
    assert settings.mailbox.url.startswith("maildir:" if not told or hosted else "imaps://ref%40example.org@")
    assert settings.courier.url.startswith("maildir:" if not told or hosted else "smtp")
    assert ('# url = "imaps://' in text) == (not told or hosted)
    if name == "own":
        assert settings.mailbox.trusted_authserv == (("mx.example.net",) if "--host" in told else ())
    else:
        assert settings.mailbox.trusted_authserv == tuple(known.trusted_authserv)


def test_a_mail_server_on_this_machine_needs_no_user_and_no_password(tmp_path: Path) -> None:
    told = ("--provider", "local", "--address", "club@mail.test", "--moderator", "mo@home.test")
    ran = World(tmp_path / "a").run("init", str(tmp_path / "games"), *told, config=False)
    assert (ran.status, "Still to be filled in" in ran.out) == (0, False)
    settings = read_configuration(tmp_path / "games" / "referee.toml").settings
    assert settings.senders.need == "token", "nobody vouches for senders"
    assert (settings.mailbox.url, settings.courier.url) == ("maildir:mail/in", "smtp://localhost:25")
    assert {settings.offices.speaker, settings.offices.collector} == {"club@mail.test"}
    assert (tmp_path / "games/mail/in/new").is_dir()
    bare = World(tmp_path / "b").run("init", str(tmp_path / "c"), "--provider", "local", config=False)
    assert bare.out.count("Still to be filled in: [offices]") == 2


def test_init_without_a_terminal_asks_nothing_and_writes_the_default(tmp_path: Path) -> None:
    World(tmp_path)
    assert read_configuration(tmp_path / "referee.toml").settings == Settings()
    other = tmp_path / "other"
    assert World.run(World(tmp_path), "init", str(other), "--provider", "none", config=False).status == 0
    assert (other / "referee.toml").read_text() == (tmp_path / "referee.toml").read_text()


def test_init_refuses_a_provider_it_does_not_know_and_a_host_that_is_none(tmp_path: Path) -> None:
    world = World(tmp_path)
    ran = world.run("init", str(tmp_path / "a"), "--provider", "pigeon", config=False)
    assert ran.status == 2
    assert "gmail" in ran.err
    ran = world.run("init", str(tmp_path / "b"), "--provider", "own", "--host", 'x"]\n[store]', config=False)
    assert ran.status == 2
    assert not (tmp_path / "b" / "referee.toml").exists()


def test_a_user_name_of_any_signs_stays_within_the_address(tmp_path: Path) -> None:
    world = World(tmp_path)
    odd = 'a"b\\c\n[store]@x/y'
    world.do("init", str(tmp_path / "a"), "--provider", "gmail", "--user", odd, config=False)
    settings = read_configuration(tmp_path / "a" / "referee.toml").settings
    assert settings.mailbox.url.endswith("@imap.gmail.com/INBOX")


@pytest.mark.one_in(3)
@pytest.mark.parametrize(
    ("answers", "need", "trusted"),
    [
        (["own", "ref", "mx.example.net", "ref@example.net", ""], "vouched", ["mx.example.net"]),
        (["gmail", "", "ann@example.org"], "vouched", ["mx.google.com"]),
        (["local", "club@example.net", "mo@example.net"], "token", None),
        ([""], "address", None),
    ],
)
def test_init_asks_at_a_terminal(
    tmp_path: Path, answers: list[str], need: str, trusted: list[str] | None
) -> None:
    ours, theirs = pty.openpty()
    command = [
        sys.executable,
        "-c",
        "from referee.cli import program; program()",
        "init",
        str(tmp_path / "games"),
    ]
    running = subprocess.Popen(command, stdin=theirs, stdout=theirs, stderr=theirs, close_fds=True)
    os.close(theirs)
    said = b""
    os.write(ours, "".join(f"{answer}\n" for answer in answers).encode())
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        if not select.select([ours], [], [], 0.5)[0]:
            if running.poll() is not None:
                break
            continue
        try:
            said += os.read(ours, 4096)
        except OSError:  # the other end is closed
            break
    assert running.wait(PATIENCE) == 0, said
    os.close(ours)
    assert b"Whose mailbox" in said
    written = tomllib.loads((tmp_path / "games/referee.toml").read_text())
    assert written["senders"]["need"] == need
    assert written["mailbox"].get("trusted_authserv") == trusted


# --- what doctor says of the setting --------------------------------------------------------------------------------


def said(need: str, trusted: tuple[str, ...] = (), **senders: Any) -> str:
    settings = Settings(
        senders=SendersSection(need=need, **senders), mailbox=MailboxSection(trusted_authserv=trusted)
    )
    return " ".join(forger(settings))


@pytest.mark.parametrize(
    ("words", "has"),
    [
        (said("address"), ["can play for any player", "no mail server is trusted"]),
        (said("address", ("mx.example.net",)), ["can play for any player", "mx.example.net does not say"]),
        (said("vouched", ("mx.example.net",)), ["gets nothing", "mx.example.net vouches", "reply address"]),
        (said("token"), ["gets nothing unless he has seen a letter"]),
        (said("token", tokens=False), ["no mail counts by itself", 'without tokens is "confirm"']),
        (said("confirm"), ["every mail is held"]),
        (said("vouched", ("mx",), commands={"order": "address"}), ['need = "address": `order`']),
        (said("address", collector="token"), ['need = "token": mails to the collector']),
    ],
)
def test_doctor_says_in_plain_words_what_a_forger_could_do(words: str, has: list[str]) -> None:
    for part in has:
        assert part in words


def test_what_doctor_says_of_a_forger_is_so(table: Table) -> None:
    """Under the default, and under one that is stricter: the same forged mail."""
    assert "can play for any player" in table.world.run("doctor").out
    facts = table.world.run("doctor", "--json").json
    assert "can play for any player" in facts["senders"][0]
    assert facts["well"] is True
    due = table.latest("due", table.mover)
    counts, _ = table.send(table.mover, due.subject, table.orders(table.mover), AT)
    assert counts["accepted"] == 1
    table.world.configure('need = "address"', 'need = "token"')
    assert "gets nothing" in table.world.run("doctor").out
    table.turn = table.world.show(table.match)["due"][0]["seat"]
    due = table.latest("due", table.mover)
    counts, letters = table.send(table.mover, due.subject, table.orders(table.mover), "2026-03-02T01:00:00Z")
    assert counts["held"] == 1
    assert kinds(letters) == {"challenge": [table.mover]}


# --- whether the server vouches -------------------------------------------------------------------------------------


def raw(*fields: str) -> bytes:
    head = "".join(f"Authentication-Results: {field}\n" for field in fields)
    return f"{head}From: ann@example.org\nSubject: x\n\nMove: c3\n".encode()


def test_a_trusted_server_that_says_nothing_is_a_fault_with_its_remedy() -> None:
    for raws, why in (
        ([raw()] * 3, "no Authentication-Results at all"),
        ([raw("mx.other.example; dmarc=pass header.from=example.org")], "a word of mx.other.example"),
        ([raw("mx.example.net; dkim=pass x-bits=2048")], "does not keep to the grammar"),
        (
            [raw("mx.other.example; none", "mx.example.net; dmarc=pass header.from=example.org")],
            "a word of mx.other.example",
        ),
    ):
        (fault,), notes = vouching(raws, ("mx.example.net",))
        assert why in fault
        assert 'need = "token"' in fault
        assert notes == ()


def test_a_trusted_server_that_speaks_is_well() -> None:
    good = raw("mx.example.net; dmarc=fail header.from=example.org")
    faults, (note,) = vouching([good, raw(), good], ("MX.example.net",))
    assert faults == ()
    assert note.startswith("Of the newest 3 mails 2 came")


def test_where_none_is_trusted_the_server_that_speaks_is_named() -> None:
    faults, (note,) = vouching([raw("mx.example.net; none"), raw()], ())
    assert faults == ()
    assert 'trusted_authserv = ["mx.example.net"]' in note
    faults, (note,) = vouching([raw()], ())
    assert (faults, 'need = "token"' in note) == ((), True)
    assert vouching([], ("mx.example.net",))[0] == ()


def test_doctor_looks_at_the_mails_that_have_come(wary: Table) -> None:
    assert "No mail has come yet" in wary.world.run("doctor").out
    wary.send("Stranger <s@elsewhere.example>", "help", "", AT)
    ran = wary.world.run("doctor", "--json")
    assert ran.status == 1
    (fault,) = ran.json["faults"]
    assert fault["part"] == "senders"
    assert "no Authentication-Results at all" in fault["fault"]
    said = {"Authentication-Results": "mx.referee.localhost; dmarc=none header.from=elsewhere.example"}
    wary.send("other@elsewhere.example", "help", "", "2026-03-02T00:01:00Z", headers=said)
    ran = wary.world.do("doctor", "--json")
    assert any("Of the newest 2 mails 1 came with a word" in note for note in ran.json["senders"])
