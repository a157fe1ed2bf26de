"""A private Postfix that hands everything for example.test to Dovecot by LMTP."""

import os
import re
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from string import Template

from tests.servers.dovecot import Dovecot
from tests.servers.ground import (
    IS_ROOT,
    PATIENCE,
    eventually,
    free_ports,
    ground,
    left_out,
    listens,
    program,
    run,
)

MAIN = Template("""
compatibility_level = 3.6
queue_directory = $root/q
data_directory = $root/data
command_directory = $commands
daemon_directory = $daemons
maillog_file = $root/mail.log
maillog_file_prefixes = $root
inet_interfaces = 127.0.0.1
inet_protocols = ipv4
myhostname = mail.example.test
mydestination =
mynetworks = 127.0.0.0/8
virtual_mailbox_domains = example.test
virtual_mailbox_maps = static:x
virtual_transport = lmtp:inet:127.0.0.1:$lmtp
default_transport = error:no outside mail
relay_transport = error:no outside mail
smtpd_recipient_restrictions = check_recipient_access regexp:$root/etc/access,permit_mynetworks,reject
smtpd_peername_lookup = no
smtp_dns_support_level = disabled
alias_maps =
alias_database =
local_recipient_maps =
recipient_delimiter = +
message_size_limit = 1000000
queue_run_delay = 1s
in_flow_delay = 0
minimal_backoff_time = 1s
maximal_backoff_time = 2s
smtpd_tls_cert_file = $cert
smtpd_tls_key_file = $key
smtpd_tls_security_level = may
smtpd_sasl_type = dovecot
smtpd_sasl_path = inet:127.0.0.1:$auth
smtpd_tls_loglevel = 0
""")

MASTER = Template("""
127.0.0.1:$smtp inet n - n - - smtpd
127.0.0.1:$submission inet n - n - - smtpd
  -o smtpd_tls_security_level=encrypt
  -o smtpd_sasl_auth_enable=yes
  -o smtpd_tls_auth_only=yes
  -o smtpd_recipient_restrictions=permit_sasl_authenticated,reject
127.0.0.1:$smtps inet n - n - - smtpd
  -o smtpd_tls_wrappermode=yes
  -o smtpd_sasl_auth_enable=yes
  -o smtpd_sasl_mechanism_filter=!oauthbearer,static:rest
  -o smtpd_recipient_restrictions=permit_sasl_authenticated,reject
pickup unix n - n 60 1 pickup
cleanup unix n - n - 0 cleanup
qmgr unix n - n 2 1 qmgr
rewrite unix - - n - - trivial-rewrite
bounce unix - - n - 0 bounce
defer unix - - n - 0 bounce
trace unix - - n - 0 bounce
proxymap unix - - n - - proxymap
error unix - - n - - error
retry unix - - n - - error
discard unix - - n - - discard
lmtp unix - - n - - lmtp
anvil unix - - n - 1 anvil
scache unix - - n - 1 scache
tlsmgr unix - - n 1000? 1 tlsmgr
postlog unix-dgram n - n - 1 postlogd
""")

ACCESS = """\
/^nobody@/ 550 No such player
/^busy@/ 450 Come back later
/^strict[+]/ 550 No such player
/^lossy[+]/ DISCARD
"""
"""Every address exists, except that `nobody` is refused for good and `busy` for now; `strict` takes no extensions,
and what is sent to an extension of `lossy` vanishes."""


@dataclass
class Postfix:
    """`smtp` takes mail from this machine as it is; `submission` (STARTTLS) and `smtps` want a password
    or a token, by OAUTHBEARER there and by XOAUTH2 here."""

    root: Path
    smtp: int
    submission: int
    smtps: int
    certificate: Path

    def start(self) -> None:
        run(program("postfix"), "-c", self.root / "etc", "start")
        ports = (self.smtp, self.submission, self.smtps)
        eventually(lambda: all(listens(port) for port in ports), f"Postfix answers; its log: {self.log()}")

    def stop(self) -> None:
        subprocess.run(
            [program("postfix"), "-c", str(self.root / "etc"), "stop"],
            capture_output=True,
            check=False,
            timeout=PATIENCE,
        )
        eventually(lambda: not listens(self.smtp), "Postfix is gone")

    def idle(self) -> bool:
        """Whether whatever was taken has left."""
        taken, left = (
            set(re.findall(rf"qmgr\[\d+\]: (\w+): {said}", self.log())) for said in ("from=", "removed")
        )
        return taken <= left

    def log(self) -> str:
        log = self.root / "mail.log"
        return log.read_text() if log.exists() else ""


@contextmanager
def running_postfix(dovecot: Dovecot) -> Iterator[Postfix]:
    postfix = program("postfix")
    if not IS_ROOT:
        left_out("Postfix starts only as root: what needs it was left out")
    with ground() as root:
        server = Postfix(root, *free_ports(3), certificate=dovecot.certificate)
        lay_out(server, dovecot, Path(postfix).parent)
        server.start()
        try:
            yield server
        finally:
            server.stop()


def lay_out(server: Postfix, dovecot: Dovecot, commands: Path) -> None:
    for part in ("etc", "q", "data"):
        (server.root / part).mkdir()
    run("chown", "postfix", server.root / "data")
    daemons = run(commands / "postconf", "-d", "-h", "daemon_directory").strip()
    main = MAIN.substitute(
        root=server.root,
        commands=commands,
        daemons=daemons,
        lmtp=dovecot.lmtp,
        auth=dovecot.auth,
        cert=dovecot.certificate,
        key=dovecot.root / "key.pem",
    )
    (server.root / "etc" / "main.cf").write_text(main)
    master = MASTER.substitute(smtp=server.smtp, submission=server.submission, smtps=server.smtps)
    (server.root / "etc" / "master.cf").write_text(master)
    (server.root / "etc" / "access").write_text(ACCESS)
    for file in (server.root / "etc").iterdir():
        os.utime(
            file, (0, 0)
        )  # Postfix waits two seconds over one that has just changed: it may be half written
