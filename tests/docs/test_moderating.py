"""The guide to moderate is followed word by word, in a clean home, with a real Dovecot and a real Postfix: its commands
go to a shell, its lines into the configuration, its mails through the servers; its answers are those that come."""

import configparser
import email
import os
import re
import smtplib
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from datetime import UTC, datetime
from email.message import EmailMessage
from email.policy import default
from pathlib import Path

import pytest

from tests.docs.guide import GUIDES, Shown, missing, shown
from tests.servers.daemon import Daemon
from tests.servers.dovecot import PASSWORD, Dovecot
from tests.servers.ground import eventually
from tests.servers.postfix import Postfix
from tests.servers.stream import SECRET

PAGE = GUIDES / "moderating.md"
_CRON = re.compile(r"(?:[\d*/,-]+ ){5}(.+)")


class Follower:
    """Somebody with a shell who reads the guide from its top. The servers listen at other ports than servers do, under
    a certificate of their own: that is all that is changed for him."""

    def __init__(self, home: Path, dovecot: Dovecot, postfix: Postfix) -> None:
        self.home, self.dovecot, self.postfix = home, dovecot, postfix
        self.at = home
        self.said = ""
        self.seen: set[Path] = set()
        programs = home / "referee" / "bin"
        programs.mkdir(parents=True)
        (programs / "referee").write_text(f"#!{sys.executable}\nfrom referee.cli import program\nprogram()\n")
        (programs / "referee").chmod(0o755)
        self.environment = {
            "HOME": str(home),
            "PATH": f"{programs}:/usr/bin:/bin",
            "PYTHONPATH": str(Path(__file__).parents[2]),
            "REFEREE_SECRET": SECRET,
        }

    def follow(self, block: Shown) -> None:
        match block.kind:
            case "sh":
                self.said = self.shell(block.text)
            case "output":
                part = missing(block, self.said)
                assert not part, f"line {block.line}: {part!r} is not in\n\n{self.said}"
            case "toml":
                self.configure(block)
            case "cron":
                found = _CRON.fullmatch(block.text.strip())
                assert found, block.text
                self.shell(found[1].replace("\\%", "%"))
            case "ini":
                self.serve(block)
            case "mail":
                self.send(block)
            case "letter":
                self.compare(block)
            case "bash":  # of the machine's owner: what it would do here is not ours to do
                subprocess.run(["bash", "-n"], input=block.text, text=True, check=True)

    def shell(self, text: str) -> str:
        where = self.home / ".where"
        script = f"set -e\n{text}\npwd > {where}\n"
        ran = subprocess.run(
            ["bash", "-c", script],
            cwd=self.at,
            env=self.environment,
            capture_output=True,
            text=True,
            check=False,
        )
        assert ran.returncode == 0, f"{text}\n{ran.stdout}{ran.stderr}"
        self.at = Path(where.read_text().strip())
        self._find_the_servers()
        return ran.stdout

    def _find_the_servers(self) -> None:
        file = self.at / "referee.toml"
        text = file.read_text() if file.exists() else ""
        if "mail.example.test" in text:
            text = text.replace("mail.example.test/INBOX", f"127.0.0.1:{self.dovecot.imaps}/INBOX")
            text = text.replace("mail.example.test:587", f"127.0.0.1:{self.postfix.submission}")
            for section in ("[mailbox]", "[courier]"):
                text = re.sub(
                    rf"(?m)^({re.escape(section)}.*)$", rf'\1\nca = "{self.dovecot.certificate}"', text
                )
            file.write_text(text)

    def configure(self, block: Shown) -> None:
        """The lines go into the section, in the place of those that set the same."""
        file = self.at / "referee.toml"
        lines, section = file.read_text().splitlines(), block.about
        start = next(n for n, line in enumerate(lines) if line.startswith(section))
        end = next((n for n in range(start + 1, len(lines)) if lines[n].startswith("[")), len(lines))
        keys = tuple(f"{key} = " for key in tomllib.loads(block.text))
        kept = [line for line in lines[start + 1 : end] if not line.startswith(keys)]
        file.write_text("\n".join([*lines[: start + 1], block.text.rstrip(), *kept, *lines[end:]]) + "\n")

    def serve(self, block: Shown) -> None:
        """The unit says what systemd would start: it is started, works and ends as it is told."""
        unit = configparser.ConfigParser(interpolation=None)
        unit.optionxform = str  # type: ignore[assignment]
        unit.read_string(block.text)
        service = {key: value.replace("%h", str(self.home)) for key, value in unit["Service"].items()}
        program, *words = service["ExecStart"].split()
        assert Path(program).exists()
        assert Path(service["WorkingDirectory"]) == self.at
        with Daemon(self.at / "referee.toml", *words, log="service.log") as daemon:
            eventually(lambda: "event=started" in daemon.log, "it says what it listens to")
            eventually((self.at / "heartbeat").exists, "it is alive")
            assert daemon.terminate() == 0, daemon.log
        assert f"reads=imaps://127.0.0.1:{self.dovecot.imaps}/INBOX" in daemon.log
        assert PASSWORD not in daemon.log

    def send(self, block: Shown) -> None:
        fields, body = block.fields
        address = re.findall(r"<(.+)>", fields["From"])[0]
        begins = fields["Subject"].removeprefix("Re: ").removesuffix("...")  # it ends with a date of today's
        answered = next(letter for letter in self.letters(address) if letter["Subject"].startswith(begins))
        message = EmailMessage()
        for name, value in {**fields, "Subject": f"Re: {answered['Subject']}"}.items():
            message[name] = value
        message["To"], message["In-Reply-To"] = answered["Reply-To"], answered["Message-ID"]
        message["Message-ID"], message["Date"] = "<first@example.test>", datetime.now(UTC)
        message.set_content(body)
        with smtplib.SMTP("127.0.0.1", self.postfix.smtp) as line:
            line.send_message(message)
        eventually(lambda: any(self.letters("club@example.test")), "the mail arrives")

    def letters(self, address: str) -> list[EmailMessage]:
        folder = self.dovecot.folder(address.partition("@")[0])
        found = sorted(path for part in ("new", "cur") for path in (folder / part).glob("*"))
        messages = (email.message_from_bytes(path.read_bytes(), policy=default) for path in found)
        return [message for message in messages if isinstance(message, EmailMessage)]

    def compare(self, block: Shown) -> None:
        address = block.about.removeprefix("to ")

        def texts() -> Iterator[str]:
            for letter in self.letters(address):
                body = letter.get_body(("plain",))
                assert body is not None
                yield f"Subject: {letter['Subject']}\n\n{body.get_content()}"

        eventually(lambda: any(not missing(block, text) for text in texts()), f"line {block.line}", 60)


@pytest.mark.server
def test_the_guide_to_moderate_is_followed_word_by_word(
    tmp_path: Path, dovecot: Dovecot, postfix: Postfix
) -> None:
    follower = Follower(tmp_path, dovecot, postfix)
    blocks = list(shown(PAGE))
    assert {"sh", "output", "toml", "cron", "ini", "mail", "letter", "bash"} == {
        block.kind for block in blocks
    }
    for block in blocks:
        follower.follow(block)
    backups = list(tmp_path.glob("referee-*.backup"))
    assert [path.stat().st_mode & 0o777 for path in backups] == [0o600], "the cron line makes one"
    assert os.stat(tmp_path / "mail.password").st_mode & 0o777 == 0o600
