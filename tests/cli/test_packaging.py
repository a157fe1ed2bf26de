"""The package holds all it needs: it runs from any folder, without the repository."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import venv
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.cli.company import FOUR, seats
from tests.cli.test_open import USUAL
from tests.world import START

ROOT = Path(__file__).parents[2]
SHIPPED = ("templates", "config")


def build(kind: str, source: Path, into: Path) -> Path:
    """A wheel or an sdist of the sources; needs no network."""
    command = [sys.executable, "-m", "hatchling", "build", "-t", kind, "-d", str(into)]
    subprocess.run(command, cwd=source, check=True, capture_output=True)
    (built,) = into.glob("*.whl" if kind == "wheel" else "*.tar.gz")
    return built


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build("wheel", ROOT, tmp_path_factory.mktemp("wheel"))


def names_in(wheel: Path) -> set[str]:
    with zipfile.ZipFile(wheel) as archive:
        return set(archive.namelist())


def test_templates_configuration_and_migrations_are_in_the_wheel(wheel: Path) -> None:
    packed = names_in(wheel)
    for what in SHIPPED:
        for path in (ROOT / what).rglob("*"):
            if path.is_file() and "__pycache__" not in path.parts:
                assert f"referee/_shipped/{path.relative_to(ROOT)}" in packed, path
    for path in (ROOT / "referee").rglob("*"):
        if path.is_file() and path.suffix != ".pyc":
            assert str(path.relative_to(ROOT)) in packed, path
    assert any(name.endswith("licenses/LICENSE") for name in packed)


def test_nothing_but_the_package_is_in_the_wheel(wheel: Path) -> None:
    tops = {name.partition("/")[0] for name in names_in(wheel)}
    assert tops == {"referee", next(top for top in tops if top.endswith(".dist-info"))}


Run = Callable[..., str]


def as_processes(program: str, folder: Path) -> Run:
    """Each command a process of the installed program."""
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}

    def run(*arguments: str) -> str:
        done = subprocess.run(
            [program, *arguments], cwd=folder, capture_output=True, text=True, check=False, env=environment
        )
        assert (done.returncode, done.stderr) == (0, ""), arguments
        return done.stdout

    return run


DRIVER = """
import io, json, sys
from contextlib import redirect_stdout
from referee.cli.app import status
for line in sys.stdin:
    with redirect_stdout(io.StringIO()) as said:
        code = status(json.loads(line))
    print(json.dumps([code, said.getvalue()]), flush=True)
"""


@contextmanager
def as_one_process(place: Path, folder: Path) -> Iterator[Run]:
    """All commands in one process of the package that lies at that place: a start takes long."""
    environment = {**os.environ, "PYTHONPATH": str(place)}
    process = subprocess.Popen(
        [sys.executable, "-c", DRIVER], cwd=folder, text=True, env=environment,
        stdin=subprocess.PIPE, stdout=subprocess.PIPE,
    )  # fmt: skip
    with process:
        assert process.stdin is not None
        assert process.stdout is not None
        into, out_of = process.stdin, process.stdout

        def run(*arguments: str) -> str:
            into.write(json.dumps(arguments) + "\n")
            into.flush()
            code, said = json.loads(out_of.readline())
            assert code == 0, arguments
            return str(said)

        yield run


def played(run: Run, folder: Path) -> None:
    """Every command that reads the package's own files, from a folder that has nothing to do with them."""
    run("init", ".")
    known: list[dict[str, Any]] = json.loads(run("games", "--json"))
    assert [row["game"] for row in known] == sorted(USUAL)
    for game, people in USUAL.items():
        assert run("open", game, *seats(*FOUR[:people]), "--now", START) == f"{game}-1\n"
    assert json.loads(run("step", "--now", START, "--json"))["sent"] >= sum(USUAL.values())
    letters = list((folder / "mail/out/new").iterdir())
    assert any(b"image/png" in letter.read_bytes() for letter in letters)
    (folder / "record.json").write_text(run("record", "fourplay-1"))
    run("verify", "record.json")
    run("site", "site")
    assert (folder / "site/index.html").is_file()
    assert "mailbox and courier work" in run("doctor")


def test_the_wheel_runs_from_another_folder(wheel: Path, tmp_path: Path) -> None:
    place = tmp_path / "installed"
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(place)
    environment = {**os.environ, "PYTHONPATH": str(place)}
    where = subprocess.run(
        [sys.executable, "-c", "import referee; print(referee.__file__)"],
        capture_output=True, text=True, check=True, env=environment, cwd=tmp_path,
    )  # fmt: skip
    assert where.stdout.startswith(str(place))
    (tmp_path / "games").mkdir()
    with as_one_process(place, tmp_path / "games") as run:
        played(run, tmp_path / "games")


@pytest.mark.soak
@pytest.mark.parametrize("kind", ["clone", "sdist"])
def test_pip_installs_it_into_a_fresh_environment(kind: str, tmp_path: Path) -> None:
    """With nothing but what the package declares: the tools of the tests are not there."""
    source = str(tmp_path / "clone")
    subprocess.run(["git", "clone", "--quiet", str(ROOT), source], check=True)
    if kind == "sdist":
        source = str(build("sdist", Path(source), tmp_path / "dist"))
    place = tmp_path / "environment"
    venv.create(place, with_pip=True)
    install = [str(place / "bin/python"), "-m", "pip", "install", "--quiet", source]
    subprocess.run(install, cwd=tmp_path, check=True, capture_output=True)
    (tmp_path / "games").mkdir()
    played(as_processes(str(place / "bin/referee"), tmp_path / "games"), tmp_path / "games")
