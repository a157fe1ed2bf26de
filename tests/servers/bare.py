"""A Debian machine to spend: the files of this one, over which whatever is written lies in memory, with a network and
processes of its own. Root sets accounts and servers up there as a guide says, and nothing of it is left."""

import shlex
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.servers.ground import IS_ROOT, PATIENCE, ground, program

ROOT = Path(__file__).parents[2]
# Whose files the programs of the tests are: seen there too, where they lie on file systems of their own.
OURS = sorted({str(ROOT), sys.prefix, sys.base_prefix})
_SET_UP = r"""
set -e
PATH=$PATH:/usr/sbin:/sbin
base=$1; shift
mount -t tmpfs tmpfs "$base"
mkdir "$base/upper" "$base/work" "$base/root"
mount -t overlay overlay -o "lowerdir=/,upperdir=$base/upper,workdir=$base/work" "$base/root"
root=$base/root
mount -t proc proc "$root/proc"
mount --rbind /dev "$root/dev"
for place in "$@"; do
    [ -n "$(ls -A "$root$place" 2>/dev/null)" ] || { mkdir -p "$root$place"; mount --rbind "$place" "$root$place"; }
    while [ "$place" != / ]; do place=$(dirname "$place"); chmod a+x "$root$place"; done
done
rm -rf "$root"/tmp/* "$root"/run/dovecot "$root"/var/spool/postfix/pid/*
ip link set lo up
echo ready
exec sleep infinity
"""


@dataclass
class Bare:
    pid: int
    root: Path

    def run(
        self, command: str, account: str = "root", at: str = "", environment: dict[str, str] | None = None
    ) -> subprocess.CompletedProcess[str]:
        """A script in the shell of the account, from its home, or from that folder."""
        words = "".join(
            f"export {name}={shlex.quote(value)}\n" for name, value in (environment or {}).items()
        )
        script = f"set -e\n{words}{f'cd {shlex.quote(at)}' if at else ''}\n{command}\n"
        inside = ["nsenter", "--target", str(self.pid), "--mount", "--net", "--pid", "--ipc"]
        shell = [program("chroot"), str(self.root), "su", "-", account, "-s", "/bin/bash", "-c", script]
        return subprocess.run(
            [*inside, *shell], capture_output=True, text=True, check=False, timeout=PATIENCE
        )

    def sure(self, command: str, account: str = "root", at: str = "") -> str:
        ran = self.run(command, account, at)
        assert ran.returncode == 0, f"{command}\n{ran.stdout}{ran.stderr}"
        return ran.stdout

    def path(self, inside: str) -> Path:
        """A path of that machine as it is found from here."""
        return Path(f"/proc/{self.pid}/root") / str(self.root / inside.lstrip("/")).lstrip("/")


@contextmanager
def bare_machine() -> Iterator[Bare]:
    """For the length of the block, where this machine lets one be made."""
    if not IS_ROOT:
        pytest.skip("a machine to spend is made by root alone: what needs it was left out")
    with ground() as base:
        own = "setpriv --pdeathsig KILL unshare --mount --net --pid --ipc --fork --kill-child --propagation private"
        command = [*own.split(), "bash", "-c", _SET_UP, "bash", str(base), *OURS]
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
            assert process.stdout is not None
            assert process.stderr is not None
            try:
                if process.stdout.readline() != "ready\n":
                    process.kill()
                    pytest.skip(f"no machine to spend can be made here: {process.stderr.read().strip()}")
                children = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
                yield Bare(int(children[0]), base / "root")
            finally:
                process.kill()
