"""The guide to a mail server of one's own is followed word by word, on a Debian machine to spend: its commands by the
accounts it names, its files where it says, real Postfix and Dovecot at the ports that it says."""

import configparser
import email
import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from email.message import EmailMessage
from email.policy import default
from pathlib import Path

import pytest

from tests.docs.guide import GUIDES, Shown, missing, shown
from tests.servers.bare import ROOT, Bare, bare_machine
from tests.servers.ground import eventually, program
from tests.servers.stream import SECRET

PAGE = GUIDES / "mail-server.md"
REFEREE = f"""\
#!{sys.executable}
import sys
sys.path.insert(0, "{ROOT}")
from referee.cli import program
program()
"""
# What the world is besides: a name server's answer, a certificate, a relay that takes what goes out, one that sends.
WORLD = """
echo "127.0.0.1 mail.example.test" >> /etc/hosts
cp /usr/share/postfix/main.cf.debian /etc/postfix/main.cf
cp /etc/postfix/master.cf.proto /etc/postfix/master.cf
postconf -e "relayhost=[127.0.0.1]:2525" maillog_file=/var/log/postfix.log "mynetworks=127.0.0.0/8" inet_protocols=ipv4
place=/etc/letsencrypt/live/mail.example.test
mkdir -p $place /srv/sent
openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=mail.example.test -keyout $place/privkey.pem \
    -out $place/fullchain.pem -addext subjectAltName=DNS:mail.example.test 2>&1
cp $place/fullchain.pem /etc/dovecot/private/dovecot.pem
cp $place/privkey.pem /etc/dovecot/private/dovecot.key
chmod a+rx /etc/letsencrypt /etc/letsencrypt/live
chown nobody /srv/sent
newaliases
postfix start
cd /srv/sent
smtp-sink -u nobody -d "%M." 127.0.0.1:2525 100 </dev/null >/dev/null 2>&1 &
"""
SEND = """
import smtplib, sys
with smtplib.SMTP("mail.example.test") as line:
    line.sendmail(sys.argv[1], [sys.argv[2]], sys.stdin.buffer.read())
"""


class Follower:
    def __init__(self, machine: Bare) -> None:
        self.machine, self.said, self.at = machine, "", "/root"
        self.trust = "export SSL_CERT_FILE=/etc/letsencrypt/live/mail.example.test/fullchain.pem"
        machine.sure(WORLD)

    def follow(self, block: Shown) -> None:
        match block.kind:
            case "sh":
                if block.about == "club" and not self.machine.path("/home/club/referee").exists():
                    self.install()
                self.said = self.shell(block)
            case "output":
                part = missing(block, self.said)
                assert not part, f"line {block.line}: {part!r} is not in\n\n{self.said}"
            case "conf":
                self.machine.path(block.about).write_text(block.text)
                self.machine.sure("doveconf -n >/dev/null; dovecot >/dev/null 2>&1 </dev/null")
            case "toml":
                self.configure(block)
            case "ini":
                self.serve(block)
            case "mail":
                self.send(block)
            case "letter":
                self.find(block)
            case "bash":  # of packages, and of what asks the world
                subprocess.run(["bash", "-n"], input=block.text, text=True, check=True)

    def shell(self, block: Shown) -> str:
        """As one who stays where the last command went."""
        *said, self.at = self.machine.sure(f"{block.text}pwd", block.about, self.at).splitlines()
        return "\n".join(said)

    def install(self) -> None:
        """What pip would have put there."""
        self.at = "/home/club"
        self.machine.sure("mkdir -p referee/bin", "club")
        program = self.machine.path("/home/club/referee/bin/referee")
        program.write_text(REFEREE)
        program.chmod(0o755)
        with self.machine.path("/home/club/.profile").open("a") as profile:
            profile.write(f"PATH=~/referee/bin:$PATH\nexport REFEREE_SECRET='{SECRET}'\n{self.trust}\n")

    def configure(self, block: Shown) -> None:
        file = self.machine.path("/home/club/by-imap/referee.toml")
        text = file.read_text()
        assert tomllib.loads(block.text)
        assert text.count(f"\n{block.about}") == 1
        file.write_text(re.sub(rf"(?m)^({re.escape(block.about)}.*\n)", rf"\g<1>{block.text}", text))

    def serve(self, block: Shown) -> None:
        """The unit says what systemd would start, and as whom: it starts, works, and ends as it is told."""
        unit = configparser.ConfigParser(interpolation=None)
        unit.optionxform = str  # type: ignore[assignment]
        unit.read_string(block.text)
        service = unit["Service"]
        begun = f"cd {service['WorkingDirectory']}; {service['ExecStart']} >~/said 2>&1 &"
        waited = (
            "until grep -q event=started ~/said; do kill -0 $! || exit 1; sleep 0.1; done; kill $!; wait $!"
        )
        self.machine.sure(f"{begun} {waited}", service["User"])

    def letters(self) -> Iterator[EmailMessage]:
        """What has left for the world, oldest first; what the relay wrote before each is left away."""
        for path in sorted(
            self.machine.path("/srv/sent").iterdir(), key=lambda path: path.stat().st_mtime_ns
        ):
            raw = re.sub(rb"\A(?:X-\S+: .*\r?\n)+", b"", path.read_bytes())
            message = email.message_from_bytes(raw, policy=default)
            if isinstance(message, EmailMessage):
                yield message

    def send(self, block: Shown) -> None:
        """The newest letter to its writer is answered, as a mail program does it."""
        fields, body = block.fields
        name = re.findall(r"<(.+)>", fields["From"])[0]
        mine = [one for one in self.letters() if name in str(one["To"]) and one["Reply-To"]]
        asked = next(one for one in reversed(mine) if one["X-Referee-Notice"] == "due")
        assert fields["Subject"].removeprefix("Re: [")[:5] in str(asked["Subject"])
        answer = EmailMessage()
        for field, value in {**fields, "Subject": f"Re: {asked['Subject']}", "To": asked["Reply-To"]}.items():
            answer[field] = value
        answer["In-Reply-To"], answer["Message-ID"] = asked["Message-ID"], f"<{block.line}@friends.test>"
        answer["Date"] = str(asked["Date"])
        answer.set_content(body)
        where = str(asked["Reply-To"])
        script = (
            f"cat > /tmp/send.py <<'END'{SEND}END\npython3 /tmp/send.py {name} '{where}' <<'END'\n{answer}END"
        )
        self.machine.sure(script)
        eventually(lambda: "Mail queue is empty" in self.machine.sure("postqueue -p"), "it is delivered", 60)

    def find(self, block: Shown) -> None:
        address = block.about.removeprefix("to ")

        def texts() -> Iterator[str]:
            for letter in self.letters():
                body = letter.get_body(("plain",))
                if body is not None and address in str(letter["To"]):
                    yield str(body.get_content())

        eventually(lambda: any(not missing(block, text) for text in texts()), f"line {block.line}", 60)


@pytest.mark.server
def test_the_guide_to_a_mail_server_is_followed_word_by_word() -> None:
    for server in ("postfix", "dovecot", "smtp-sink"):
        program(server)
    with bare_machine() as machine:
        follower = Follower(machine)
        for block in shown(PAGE):
            try:
                follower.follow(block)
            except AssertionError as error:
                log = machine.path("/var/log/postfix.log").read_text()[-6000:]
                error.add_note(f"The page, line {block.line}. Postfix says:\n{log}")
                raise


def test_a_pipe_whose_program_is_gone_keeps_the_mail_with_the_mail_server(tmp_path: Path) -> None:
    """As while an upgrade is under way: any other status would send a player's move back."""
    told = PAGE.read_text(encoding="utf-8").partition("## By a pipe")[2]
    (line,) = re.findall(r"^echo .* > ~/\.forward$", told, re.M)
    subprocess.run(["sh", "-c", line], env={**os.environ, "HOME": str(tmp_path)}, check=True)
    piped = (tmp_path / ".forward").read_text().strip().strip('"').removeprefix("|").strip('"')
    assert subprocess.run(["sh", "-c", piped], capture_output=True).returncode == 75
