"""`serve`: the files of its folders to this machine, and nothing else to anybody."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from http.client import HTTPConnection
from pathlib import Path

import pytest

from referee.site.serving import HERE, Serving
from tests.servers.ground import PATIENCE, at_work, free_ports
from tests.world import World


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Serving]:
    for name, words in (
        ("site/index.html", "front"), ("site/a/index.html", "inside"), ("site/.hidden", "secret"),
        ("site/.git/config", "secret"), ("letters/index.html", "letters"), ("secret", "secret"),
    ):  # fmt: skip
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(words)
    (tmp_path / "site/link").symlink_to(tmp_path / "secret")
    (tmp_path / "site/up").symlink_to(tmp_path)
    (tmp_path / "site/empty").mkdir()
    serving = Serving({"": tmp_path / "site", "letters": tmp_path / "letters"})
    with serving, at_work(serving):
        yield serving


def got(server: Serving, target: str, method: str = "GET", host: str | None = None) -> tuple[int, str]:
    connection = HTTPConnection(HERE, server.server_address[1], timeout=PATIENCE)
    connection.putrequest(method, target, skip_host=True)
    connection.putheader("Host", host or f"{HERE}:{server.server_address[1]}")
    connection.endheaders()
    answer = connection.getresponse()
    body = answer.read().decode()
    connection.close()
    return answer.status, body


@pytest.mark.parametrize(
    ("target", "words"),
    [
        ("/", "front"),
        ("/index.html", "front"),
        ("/a/", "inside"),
        ("/a/index.html?x=1", "inside"),
        ("/letters/", "letters"),
    ],
)
def test_files_and_fronts_are_shown(server: Serving, target: str, words: str) -> None:
    assert got(server, target) == (200, words)
    assert got(server, target, "HEAD") == (200, "")


def test_a_folder_without_its_slash_leads_to_it(server: Serving) -> None:
    assert got(server, "/a")[0] == 301


@pytest.mark.parametrize(
    "target",
    [
        "/../secret", "/%2e%2e/secret", "/a/../../secret", "/a/..%2f..%2fsecret", "/..\\secret", "/%5c..%5csecret",
        "/.hidden", "/.git/config", "/link", "/up/secret", "/letters/../secret", "/letters/%2e%2e/secret", "//secret",
        "/empty/", "/empty", "/\x00".replace("\x00", "%00"), "/%ff%fe", "/" + "a" * 5000, "/" + "a/" * 400, "secret",
        "/C:/secret", "/letters//etc/passwd",
    ],
)  # fmt: skip
def test_nothing_else_is(server: Serving, target: str) -> None:
    status, body = got(server, target)
    assert status in (400, 404), target
    assert "secret" not in body.replace(target, "")


@pytest.mark.parametrize("host", ["games.example", "127.0.0.1.example", "localhost.example:80", "[::1]"])
def test_who_calls_it_by_another_name_gets_nothing(server: Serving, host: str) -> None:
    """A page of the world that has its name point here must not read letters through a browser on this machine."""
    assert got(server, "/", host=host)[0] == 421


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "OPTIONS", "TRACE"])
def test_nothing_can_be_sent_to_it(server: Serving, method: str) -> None:
    assert got(server, "/", method)[0] in (405, 501)


def test_it_listens_to_this_machine_alone(server: Serving) -> None:
    assert server.socket.getsockname()[0] == "127.0.0.1"


def test_the_command_shows_the_archive_until_it_is_stopped(tmp_path: Path) -> None:
    world = World(tmp_path)
    name = world.open("buttons", ["Ann <ann@example.org>", "Ben <ben@example.org>"])
    (port,) = free_ports(1)
    program = str(Path(sys.executable).with_name("referee"))
    command = [program, "--config", str(tmp_path / "referee.toml"), "serve", "--port", str(port)]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, text=True, env={**os.environ, "PYTHONUNBUFFERED": "1"}
    ) as process:
        assert f"http://127.0.0.1:{port}/" in process.stdout.readline()
        connection = HTTPConnection(HERE, port, timeout=PATIENCE)
        connection.request("GET", f"/matches/{name}/index.html")
        assert name in connection.getresponse().read().decode()
        connection.close()
        process.send_signal(signal.SIGTERM)
        assert process.wait(PATIENCE) == 0
    assert not (tmp_path / "site").exists()
