"""A private Dovecot: IMAP with and without TLS, LMTP, and passwords checked for Postfix."""

import getpass
import grp
import os
import shutil
import signal
import smtplib
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from string import Template

from tests.servers.ground import IS_ROOT, PATIENCE, eventually, free_ports, ground, listens, program, run

PASSWORD = "open-sesame"

CONFIG = Template("""
base_dir = $root/run
state_dir = $root/state
log_path = $root/log
instance_name = referee-$imap
listen = 127.0.0.1
protocols = imap lmtp
ssl = yes
ssl_cert = <$root/cert.pem
ssl_key = <$root/key.pem
disable_plaintext_auth = no
first_valid_uid = 0
first_valid_gid = 0
mail_location = maildir:$root/mail/%n
auth_mechanisms = plain xoauth2 oauthbearer
recipient_delimiter = +
mail_max_userip_connections = 100
auth_failure_delay = 0
mail_fsync = never
$owners
passdb {
  driver = oauth2
  mechanisms = xoauth2 oauthbearer
  args = $root/oauth2.conf
}
passdb {
  driver = static
  mechanisms = plain
  args = password=$password
}
userdb {
  driver = static
  args = uid=$user gid=$group home=$root/mail/%n allow_all_users=yes
}
service imap-login {
  $chroot
  inet_listener imap {
    address = 127.0.0.1
    port = $imap
  }
  inet_listener imaps {
    address = 127.0.0.1
    port = $imaps
    ssl = yes
  }
}
service lmtp {
  inet_listener lmtp {
    address = 127.0.0.1
    port = $lmtp
  }
}
service auth {
  inet_listener {
    address = 127.0.0.1
    port = $auth
  }
}
service anvil {
  $chroot
  unix_listener anvil-auth-penalty {
    mode = 0
  }
}
service stats {
  $chroot
}
namespace inbox {
  inbox = yes
  separator = /
}
protocol lmtp {
  postmaster_address = postmaster@example.test
  hostname = example.test
}
""")

OAUTH2 = Template("""
introspection_mode = post
introspection_url = http://127.0.0.1:$tokens/
username_attribute = username
active_attribute = active
active_value = true
timeout_msecs = 60000
max_idle_time_msecs = 1
""")


@dataclass
class Dovecot:
    """Any user name exists and has the one password, and the tokens that `tests.servers.tokens` knows. Files of
    user `ann` lie in `root/mail/ann`."""

    root: Path
    imap: int
    imaps: int
    lmtp: int
    auth: int
    tokens: int  # where it asks what a token is worth
    _master: subprocess.Popen[bytes] | None = field(default=None, repr=False)

    @property
    def certificate(self) -> Path:
        return self.root / "cert.pem"

    def folder(self, user: str) -> Path:
        return self.root / "mail" / user

    @property
    def pid(self) -> int:
        assert self._master is not None
        return self._master.pid

    def start(self) -> None:
        command = [program("dovecot"), "-F", "-c", str(self.root / "dovecot.conf")]
        self._master = subprocess.Popen(command, process_group=0)
        eventually(
            lambda: all(listens(port) for port in (self.imap, self.imaps, self.lmtp)),
            f"Dovecot answers; its log: {self.log()}",
        )

    def stop(self) -> None:
        """As when the power goes: asked to, it takes seconds to let its clients go. Not to be followed by a start
        before it is gone, which this waits for."""
        master, self._master = self._master, None
        if master is not None:
            os.killpg(master.pid, signal.SIGKILL)
            master.wait(PATIENCE)
            eventually(lambda: not listens(self.imap), "Dovecot is gone")

    def log(self) -> str:
        log = self.root / "log"
        return log.read_text() if log.exists() else ""

    def deliver(self, user: str, raw: bytes) -> None:
        """By LMTP, as a mail server would."""
        with smtplib.LMTP("127.0.0.1", self.lmtp) as line:
            line.sendmail("sender@example.test", [f"{user}@example.test"], raw)

    def forget_index(self, user: str) -> None:
        """Lose what numbers the mails: they are there, but under a new UIDVALIDITY."""
        before = self._validity(user)
        while self._validity(user) == before:  # it is made of the clock's seconds
            time.sleep(0.3)
            for path in self.folder(user).glob("dovecot*"):
                path.unlink(missing_ok=True)

    def _validity(self, user: str) -> str:
        place = "uidvalidity"
        answer = run(
            self._doveadm(), "-c", self.root / "dovecot.conf", "mailbox", "status", "-u", user, place, "INBOX"
        )
        return answer.strip()

    def kick(self, user: str) -> None:
        """Close the user's sessions, those in IDLE too."""
        subprocess.run(
            [self._doveadm(), "-c", str(self.root / "dovecot.conf"), "kick", user],
            capture_output=True,
            check=False,
        )

    def _doveadm(self) -> str:
        return program("doveadm", ("/usr/bin", "/usr/sbin"))


@contextmanager
def running_dovecot() -> Iterator[Dovecot]:
    program("dovecot")
    openssl = program("openssl", ("/usr/bin",))
    with ground() as root:
        server = Dovecot(root, *free_ports(5))
        certify(openssl, root)
        lay_out(server)
        server.start()
        try:
            yield server
        finally:
            server.stop()


def lay_out(server: Dovecot) -> None:
    """As root the mails belong to `mail`; otherwise everything runs as whoever runs the tests."""
    user = "mail" if IS_ROOT else getpass.getuser()
    group = "mail" if IS_ROOT else grp.getgrgid(os.getegid()).gr_name
    owners = "" if IS_ROOT else f"default_internal_user = {user}\ndefault_internal_group = {group}\n"
    owners += "" if IS_ROOT else f"default_login_user = {user}"
    (server.root / "mail").mkdir()
    if IS_ROOT:
        shutil.chown(server.root / "mail", "mail", "mail")
    config = CONFIG.substitute(
        root=server.root,
        imap=server.imap,
        imaps=server.imaps,
        lmtp=server.lmtp,
        auth=server.auth,
        user=user,
        group=group,
        owners=owners,
        chroot="" if IS_ROOT else "chroot =",
        password=PASSWORD,
    )
    (server.root / "dovecot.conf").write_text(config)
    (server.root / "oauth2.conf").write_text(OAUTH2.substitute(tokens=server.tokens))


def certify(openssl: str, root: Path) -> None:
    """A certificate of our own for localhost and 127.0.0.1."""
    names = "subjectAltName=DNS:localhost,IP:127.0.0.1"
    keys = ("-keyout", root / "key.pem", "-out", root / "cert.pem")
    run(
        openssl,
        "req",
        "-x509",
        "-newkey",
        "rsa:2048",
        "-nodes",
        "-days",
        "2",
        "-subj",
        "/CN=localhost",
        "-addext",
        names,
        *keys,
    )
