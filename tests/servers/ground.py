"""What every private server of the tests stands on: a folder of its own, free ports, bounded waits, and the rule
for a program that is not there."""

import contextlib
import os
import random
import shutil
import socket
import socketserver
import subprocess
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

PATIENCE = 600.0  # seconds: no machine at work needs as many, so that only a hang is a failure
SYSTEM_PLACES = ("/usr/sbin", "/sbin", "/usr/local/sbin")
_LOWEST_PORT = 10_240
_SLICES = 16  # into which the ports are cut: processes that run tests side by side never take each other's
IS_ROOT = os.geteuid() == 0


def left_out(reason: str) -> None:
    """Skip with a reason that stands in the summary, or fail where servers are required."""
    if os.environ.get("REFEREE_SERVERS") == "required":
        pytest.fail(f"REFEREE_SERVERS=required, but {reason}", pytrace=False)
    pytest.skip(reason)


def program(name: str, places: Sequence[str] = SYSTEM_PLACES) -> str:
    """The full path of a server's program."""
    found = shutil.which(name, path=os.pathsep.join([os.environ.get("PATH", ""), *places]))
    if found is None:
        left_out(f"{name} is not installed: what needs it was left out")
    assert found is not None
    return found


@contextmanager
def ground() -> Iterator[Path]:
    """A folder servers under other users may enter, short enough for their sockets' paths; gone afterwards. Where the
    tests' own folders lie in memory, so does this one."""
    folder = Path(tempfile.mkdtemp(prefix="ref-", dir=os.environ.get("PYTEST_DEBUG_TEMPROOT")))
    folder.chmod(0o755)
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@dataclass(frozen=True)
class SmallDisk:
    """A file system of two megabytes."""

    folder: Path

    def fill(self) -> None:
        with (self.folder / "filler").open("wb", buffering=0) as filler:
            try:
                while True:
                    filler.write(bytes(4096))
            except OSError:
                return

    def make_room(self) -> None:
        (self.folder / "filler").unlink()

    def close(self) -> None:
        """Nobody writes here any more, root included."""
        run("mount", "-o", "remount,ro", self.folder)


@contextmanager
def small_disk(folder: Path) -> Iterator[SmallDisk]:
    """Mounted there for the length of the block, where that may be."""
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=2m", "tmpfs", str(folder)]
    if not IS_ROOT or subprocess.run(mount, capture_output=True, check=False).returncode != 0:
        pytest.skip("no small file system can be mounted here: the full disk was left out")
    try:
        yield SmallDisk(folder)
    finally:
        subprocess.run(["umount", "--lazy", str(folder)], check=True)


_given: set[int] = set()  # ports, by this process


def free_ports(count: int) -> list[int]:
    """Ports nobody listens on now, and this process has not asked for before. None is of those that the system gives to
    outgoing connections: a server that is started again would find its port taken by somebody who tried to reach it."""
    found: list[int] = []
    while len(found) < count:
        port = random.choice(_ports_of_this_process())
        with socket.socket() as line, contextlib.suppress(OSError):
            if port not in _given:
                line.bind(("127.0.0.1", port))
                found.append(port)
                _given.add(port)
    return found


def _ports_of_this_process() -> range:
    mine = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw")) % _SLICES
    return range(_LOWEST_PORT + mine, _lowest_outgoing(), _SLICES)


@contextmanager
def closed_port() -> Iterator[int]:
    """A port at which nobody listens, and nobody can: it is held."""
    with socket.socket() as line:
        line.bind(("127.0.0.1", 0))
        yield int(line.getsockname()[1])


def _lowest_outgoing() -> int:
    try:
        return int(Path("/proc/sys/net/ipv4/ip_local_port_range").read_text().split()[0])
    except FileNotFoundError:
        return 32768


def listens(port: int) -> bool:
    with socket.socket() as line:
        line.settimeout(2)
        return line.connect_ex(("127.0.0.1", port)) == 0


@contextmanager
def at_work(server: socketserver.BaseServer) -> Iterator[None]:
    """It serves in a thread of its own, and stops at once afterwards: left to itself it looks twice a second whether
    it is to stop."""
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.005}, daemon=True)
    thread.start()
    try:
        yield
    finally:
        server.shutdown()
        thread.join()


def eventually(holds: Callable[[], bool], what: str, seconds: float = PATIENCE) -> None:
    """Wait until it holds; a failure only after a time that no machine at work needs."""
    end = time.monotonic() + seconds
    while not holds():
        if time.monotonic() > end:
            raise AssertionError(f"{what}: not within {seconds:.0f} s")
        time.sleep(0.02)


def run(*command: str | Path, timeout: float = PATIENCE) -> str:
    """Run a command to its end; its words if it fails."""
    done = subprocess.run(
        [str(part) for part in command], capture_output=True, text=True, timeout=timeout, check=False
    )
    if done.returncode != 0:
        raise AssertionError(f"{command[0]} failed ({done.returncode}): {done.stdout}{done.stderr}")
    return done.stdout
