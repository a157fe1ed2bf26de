"""A backup and a mail server that goes on: what it put away after the backup is read again from its folders, and the
letters that leave once more are those that left, by their Message-IDs."""

import email
import json
import smtplib
from datetime import UTC, datetime
from email.message import EmailMessage
from email.policy import default
from pathlib import Path

import pytest

from tests.memory import answer_text, owing, subject_of
from tests.servers.daemon import Daemon
from tests.servers.dovecot import PASSWORD, Dovecot
from tests.servers.ground import eventually
from tests.servers.postfix import Postfix
from tests.upkeep.conftest import SECRET
from tests.world import World

pytestmark = pytest.mark.server


@pytest.fixture
def world(
    tmp_path: Path, dovecot: Dovecot, postfix: Postfix, mail_user: str, monkeypatch: pytest.MonkeyPatch
) -> World:
    monkeypatch.setenv("REFEREE_IMAP_PASSWORD", PASSWORD)
    config = f"""
[offices]
speaker = "{mail_user}@example.test"
collector = "{mail_user}@example.test"
moderator = "mo-{mail_user}@example.test"
[mailbox]
url = "imap://{mail_user}@127.0.0.1:{dovecot.imap}/INBOX"
password_env = "REFEREE_IMAP_PASSWORD"
[courier]
url = "smtp://127.0.0.1:{postfix.smtp}"
[poll]
every = "1s"
"""
    return World(tmp_path / "first", config)


def plays(world: World, postfix: Postfix, seed: int) -> None:
    """Whoever owes something in any match sends it."""
    with world.referee() as referee:
        for match in referee.moderator.matches():
            for demand in owing(match)[:1]:
                mail = EmailMessage()
                mail["From"] = match.entrant(demand.seat).addresses[0]
                mail["To"] = referee.offices.collector
                mail["Subject"] = f"{subject_of(match, demand)} [{match.name}]"
                mail["Message-ID"] = f"<{match.name}-{match.version}-{seed}@players.test>"
                mail["Date"] = datetime.now(UTC)
                mail.set_content(answer_text(match, demand, seed))
                with smtplib.SMTP("127.0.0.1", postfix.smtp) as line:
                    line.send_message(mail)


def positions(world: World) -> dict[str, int]:
    with world.referee() as referee:
        return {match.name: match.position for match in referee.moderator.matches()}


def ids(dovecot: Dovecot, user: str) -> list[str]:
    """Of the letters that one got, in no order."""
    found = [path for part in ("new", "cur") for path in (dovecot.folder(user) / part).glob("*")]
    return [str(email.message_from_bytes(path.read_bytes(), policy=default)["Message-ID"]) for path in found]


def test_what_the_server_put_away_since_the_backup_is_read_again_and_no_letter_is_another(
    world: World, dovecot: Dovecot, postfix: Postfix, mail_user: str, tmp_path: Path
) -> None:
    people = [f"{name}-{mail_user}" for name in ("ann", "ben")]
    seats = [f"{user.title()} <{user}@example.test>" for user in people]
    now = datetime.now(UTC).isoformat()
    for game, seed in (("morris", 3), ("buttons", 4)):
        world.open(game, seats, now, seed, starter="1")
    service = Daemon(world.folder / "referee.toml", environment={"REFEREE_SECRET": SECRET}).start()
    for seed in range(5):
        before = positions(world)
        plays(world, postfix, seed)
        eventually(
            lambda: all(position > before[name] for name, position in positions(world).items()),  # noqa: B023
            "both turns are judged",
        )
        if seed == 1:
            assert world.run("backup", str(tmp_path / "file")).status == 0, "while it is at work"
    service.kill()
    assert world.run("step").status == 0  # what the kill left half done
    eventually(postfix.idle, "all letters have arrived")
    stood, sent = positions(world), {user: set(ids(dovecot, user)) for user in people}
    ran = world.do("restore", str(tmp_path / "file"), str(tmp_path / "again"), "--json")
    assert ran.json["mails"] == 10, "the server looks by the day; what was known is known again"
    again = World(tmp_path / "again", tables=False)
    assert {user: set(ids(dovecot, user)) for user in people} == sent, "none has left yet"
    counts = json.loads(again.run("step", "--json").out)
    assert (counts["accepted"], counts["ignored"]) == (6, 4), counts
    assert positions(again) == stood
    assert again.run("check").status == 0
    eventually(lambda: len(ids(dovecot, people[0])) > len(sent[people[0]]), "letters leave once more")
    for user in people:
        twice = {name for name in ids(dovecot, user) if name not in sent[user]}
        assert len(twice) <= 4, f"what hangs on the clock of the pass alone: {twice}"
    assert json.loads(again.run("step", "--json").out)["read"] == 0
