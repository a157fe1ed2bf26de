"""`deliver`: exit status 0 once a mail is on the disk, 75 whatever goes wrong; never a part of one in the mailbox."""

import os
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import nullcontext, redirect_stderr, redirect_stdout
from datetime import UTC, datetime
from io import BytesIO, StringIO
from pathlib import Path
from tempfile import TemporaryFile

import pytest

from referee.base.ports import MailboxTrouble
from referee.cli import main
from referee.transport import maildir
from tests.servers.daemon import PROGRAM
from tests.servers.ground import SmallDisk, eventually, small_disk
from tests.world import Ran, World

MAIL = b"From: Ann <ann@example.org>\r\nSubject: Buttons: Move / Player 1\r\n\r\nPlace: B1 at a1\r\n"
ENVELOPE = b"From ann@example.org Sun Mar  1 12:00:00 2026\n"
LARGEST = 100_000_000  # bytes: a hundred times what is read of one


@pytest.fixture
def world(tmp_path: Path) -> World:
    return World(tmp_path, tables=False)


def handed(world: World, *words: str, mail: bytes = MAIL, config: str = "referee.toml") -> Ran:
    """The command line after `--config FILE`, `deliver` where none is given; not in the configuration's folder, since a
    pipe is not either. In this process, whose standard input the mail is meanwhile."""
    command = ["--config", str(world.folder / config), *(words or ("deliver",))]
    terminated, usual = signal.getsignal(signal.SIGTERM), os.dup(0)
    with TemporaryFile() as pipe, redirect_stdout(StringIO()) as out, redirect_stderr(StringIO()) as err:
        pipe.write(mail)
        pipe.seek(0)
        os.dup2(pipe.fileno(), 0)
        try:
            with pytest.raises(SystemExit) as ended:
                main(command)
        finally:
            os.dup2(usual, 0)
            os.close(usual)
            signal.signal(signal.SIGTERM, terminated)
    return Ran(int(ended.value.code or 0), out.getvalue(), err.getvalue())


def arrived(folder: Path) -> list[bytes]:
    return [path.read_bytes() for path in sorted((folder / "new").iterdir())]


def left(folder: Path) -> list[Path]:
    return [path for part in ("tmp", "new", "cur") for path in (folder / part).glob("*")]


def opened(world: World) -> str:
    """A match that begins now, since what is handed in comes now."""
    now = datetime.now(UTC).isoformat()
    name = world.open("buttons", ["Ann <ann@example.org>", "Ben <ben@example.org>"], now, starter="1")
    world.step(now)
    return name


def test_a_mail_is_in_the_mailbox_as_it_came_for_its_owner_alone_with_the_moment_of_its_coming(
    world: World,
) -> None:
    before = time.time() - 0.1  # a file's time is that of the last tick
    assert [handed(world).status for _ in range(3)] == [0, 0, 0]
    box = world.folder / "mail/in"
    assert arrived(box) == [MAIL] * 3
    assert len(left(box)) == 3
    for path in left(box):
        status = path.stat()
        assert status.st_mode & 0o777 == 0o600
        assert before <= status.st_mtime <= time.time()


def test_what_is_handed_in_is_judged_by_the_next_pass(world: World) -> None:
    name = opened(world)
    assert handed(world).status == 0
    assert world.step(datetime.now(UTC).isoformat())["accepted"] == 1
    assert world.show(name)["due"][0]["seat"] == 2
    assert [path.name[-4:] for path in left(world.folder / "mail/in")] == [":2,S"]


@pytest.mark.parametrize(
    ("mail", "kept"),
    [
        (ENVELOPE + MAIL, MAIL),
        (MAIL.replace(b"\r\n", b"\n"), MAIL.replace(b"\r\n", b"\n")),
        (
            MAIL + b"\0\xff" * 700_000,
            MAIL + b"\0\xff" * 700_000,
        ),  # longer than is read: the sender is told so
        (b"no mail at all", b"no mail at all"),
        (b"\n", b"\n"),
    ],
    ids=["with the envelope's line", "plain line ends", "long and odd", "no mail", "an empty line"],
)
def test_every_byte_is_kept_but_the_line_that_the_mail_server_put_before_it(
    world: World, mail: bytes, kept: bytes
) -> None:
    assert handed(world, mail=mail).status == 0
    assert arrived(world.folder / "mail/in") == [kept]


def test_a_mail_too_long_to_be_read_is_answered_not_kept_from_the_referee(world: World) -> None:
    opened(world)
    assert handed(world, mail=MAIL + b"x" * 1_100_000).status == 0
    world.new_letters()
    assert any(
        "I read none above" in letter.text
        for letter in world.passed(datetime.now(UTC).isoformat())
        if letter.to == "ann@example.org"
    )


URL = 'url = "maildir:mail/in"'
BAD = {
    "imap": 'url = "imaps://ann@mail.example.test/INBOX"',
    "unknown key": f"bogus = 1\n{URL}",
    "no TOML": URL[:-1],
}


def damaged(world: World, damage: str) -> None:
    """A folder of the Maildir that is not there, or a file in its place; or a configuration."""
    if damage in BAD:
        world.configure(URL, BAD[damage])
    elif damage:
        what, part = damage.split()
        (world.folder / "mail/in" / part).rmdir()
        if what == "blocked":
            (world.folder / "mail/in" / part).write_text("a file")


@pytest.mark.parametrize(
    ("damage", "words", "mail", "said"),
    [
        ("", ["deliver"], b"", "There is no mail"),
        ("", ["deliver"], ENVELOPE, "There is no mail"),
        ("", ["deliver", "--bogus"], MAIL, "No such option"),
        ("", ["--bogus", "deliver"], MAIL, "No such option"),
        ("", ["deliver", "ann@example.org"], MAIL, "unexpected extra argument"),
        ("", ["--config", "nowhere.toml", "deliver"], MAIL, "there is no such file"),
        ("", ["--config", "deliver"], MAIL, "Missing command"),
        ("", ["--config", ".", "deliver"], MAIL, "can't be read"),
        ("imap", ["deliver"], MAIL, "is no Maildir"),
        ("unknown key", ["deliver"], MAIL, "there is no mailbox.bogus"),
        ("no TOML", ["deliver"], MAIL, "referee.toml"),
        ("no new", ["deliver"], MAIL, "No such file or directory"),
        ("blocked new", ["deliver"], MAIL, "Not a directory"),
        ("blocked tmp", ["deliver"], MAIL, "Not a directory"),
    ],
)
def test_whatever_fails_ends_with_75_and_a_reason_and_leaves_nothing(
    world: World, damage: str, words: list[str], mail: bytes, said: str
) -> None:
    damaged(world, damage)
    ran = handed(world, *words, mail=mail)
    assert (ran.status, ran.out) == (75, "")
    assert said in ran.err
    assert not any(
        path.is_file() for path in (world.folder / "mail/in").rglob("*") if path.name not in "new tmp"
    )


def test_of_other_commands_the_exit_status_is_what_it_was(world: World) -> None:
    said = (("--bogus", "step"), ("show", "deliver"), ("deliver", "--help"))
    assert [handed(world, *words).status for words in said] == [2, 1, 0]


@pytest.mark.one_in(2)
@pytest.mark.parametrize("closed", [0, 1, 2, 12])
def test_with_closed_streams_it_is_the_mail_that_counts(world: World, closed: int) -> None:
    shut = " ".join(f"{number}>&-" for number in str(closed))
    command = f'exec "$@" {shut if closed else "<&-"}'
    ran = subprocess.run(
        ["sh", "-c", command, "sh", *PROGRAM, "--config", str(world.folder / "referee.toml"), "deliver"],
        input=MAIL,
        capture_output=True,
        check=False,
    )
    assert ran.returncode == (0 if closed else 75)
    assert arrived(world.folder / "mail/in") == ([MAIL] if closed else [])


def test_nobody_who_reads_what_it_says_makes_no_failure_a_success(world: World) -> None:
    with open("/dev/full", "wb") as full:
        command = [*PROGRAM, "--config", str(world.folder / "nowhere.toml"), "deliver"]
        assert subprocess.run(command, input=MAIL, stderr=full, check=False).returncode == 75


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[SmallDisk]:
    with small_disk(tmp_path / "small") as disk:
        yield disk


def test_a_full_disk_and_a_read_only_one_keep_the_mail_with_the_mail_server(
    world: World, disk: SmallDisk
) -> None:
    world.configure("maildir:mail/in", "maildir:small/in")
    for part in ("tmp", "new", "cur"):
        (disk.folder / "in" / part).mkdir(parents=True)
    disk.fill()
    full = handed(world, mail=MAIL + b"x" * 10_000)
    assert (full.status, "No space left on device" in full.err) == (75, True)
    assert left(disk.folder / "in") == []
    disk.make_room()
    assert handed(world).status == 0
    disk.close()
    closed = handed(world)
    assert (closed.status, "Read-only file system" in closed.err) == (75, True)
    assert arrived(disk.folder / "in") == [MAIL]


@pytest.mark.parametrize(
    ("number", "status"), [(signal.SIGTERM, 75), (signal.SIGINT, 75), (signal.SIGKILL, -signal.SIGKILL)]
)
def test_killed_in_the_midst_of_a_mail_it_has_delivered_nothing(
    world: World, number: int, status: int
) -> None:
    box = world.folder / "mail/in"
    command = [*PROGRAM, "--config", str(world.folder / "referee.toml"), "deliver"]
    before = signal.getsignal(signal.SIGINT)
    signal.signal(
        signal.SIGINT, signal.default_int_handler
    )  # whoever runs in the background ignores it, and its children
    with subprocess.Popen(command, stdin=subprocess.PIPE, stderr=subprocess.DEVNULL) as process:
        signal.signal(signal.SIGINT, before)
        assert process.stdin is not None
        process.stdin.write(MAIL)
        process.stdin.flush()
        eventually(lambda: any((box / "tmp").iterdir()), "it has begun")
        assert arrived(box) == []
        process.send_signal(number)
        assert process.wait() == status
    assert arrived(box) == []
    assert len(list((box / "tmp").iterdir())) == (number == signal.SIGKILL)


@pytest.mark.parametrize("failing", [None, "tmp", "new"])
def test_it_ends_only_once_content_and_then_name_are_on_the_disk(
    world: World, monkeypatch: pytest.MonkeyPatch, failing: str | None
) -> None:
    box, done, fsync, rename = world.folder / "mail/in", [], os.fsync, os.rename

    def watched(descriptor: int) -> None:
        path = Path(os.readlink(f"/proc/self/fd/{descriptor}"))
        part = "new" if path.name == "new" else path.parent.name
        done.append((f"sync {part}", path.read_bytes() if path.is_file() else b""))
        if part == failing:
            raise OSError(5, "Input/output error")
        fsync(descriptor)

    monkeypatch.setattr(os, "fsync", watched)
    monkeypatch.setattr(os, "rename", lambda *paths: (done.append(("rename", b"")), rename(*paths)))
    with pytest.raises(OSError) if failing else nullcontext():
        maildir.deliver(box, BytesIO(MAIL), LARGEST)
    whole = [("sync tmp", MAIL), ("rename", b""), ("sync new", b"")]
    assert done == (whole[:1] if failing == "tmp" else whole)
    assert arrived(box) == ([] if failing == "tmp" else [MAIL])
    assert list((box / "tmp").iterdir()) == []


def test_what_is_longer_than_any_mail_is_not_taken(world: World) -> None:
    box = world.folder / "mail/in"
    maildir.deliver(box, BytesIO(MAIL), len(MAIL))
    with pytest.raises(MailboxTrouble, match="longer than"):
        maildir.deliver(box, BytesIO(MAIL + b"x"), len(MAIL))
    assert arrived(box) == [MAIL]
    assert len(left(box)) == 1
