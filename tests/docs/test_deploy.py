"""What a machine is told to run, a container's file and systemd's units: read by their own checkers where these are
found, and held against the program everywhere."""

import getpass
import json
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from referee.cli.app import COMMANDS
from tests.docs.guide import GUIDES, shown

ROOT = Path(__file__).parents[2]
DEPLOY = ROOT / "docs" / "deploy"
DOCKERFILE = DEPLOY / "Dockerfile"
UNITS = sorted(path.name for path in DEPLOY.iterdir() if path.suffix in (".service", ".timer"))
PROGRAM = "/home/club/referee/bin/referee"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())


def instructions() -> list[tuple[str, str]]:
    """Of the Dockerfile: each with what stands behind it."""
    text = re.sub(r"(?m)^#.*\n", "", DOCKERFILE.read_text()).replace("\\\n", " ")
    return [
        (word, rest.strip()) for word, _, rest in (line.partition(" ") for line in text.splitlines()) if word
    ]


def test_the_container_is_built_from_what_is_there_and_runs_a_command_that_there_is() -> None:
    found = instructions()
    ignored = (DEPLOY / "Dockerfile.dockerignore").read_text().splitlines()
    for word, rest in found:
        if word == "COPY" and not rest.startswith("--from"):
            *sources, _ = rest.split()
            for source in sources:
                assert (ROOT / source).exists(), source
                assert f"!{source}" in ignored, source
        if word == "FROM":
            version = re.findall(r"python:3\.(\d+)", rest)
            assert version, rest
            assert int(version[0]) >= int(PROJECT["project"]["requires-python"].removeprefix(">=3."))
    said = dict(found)
    assert json.loads(said["ENTRYPOINT"]) == list(PROJECT["project"]["scripts"])
    assert json.loads(said["CMD"])[0] in COMMANDS
    assert json.loads(said["HEALTHCHECK"].partition("CMD ")[2])[1] in COMMANDS
    assert said["USER"] != "root"
    assert f"{PROJECT['project']['name']}[workers]" in said["RUN"]


def test_the_container_s_file_passes_its_own_checker() -> None:
    if hadolint := shutil.which("hadolint"):
        checked = [hadolint, "--ignore", "DL3008", "--ignore", "DL3013", str(DOCKERFILE)]
    elif subprocess.run(["docker", "buildx", "version"], capture_output=True, check=False).returncode == 0:
        checked = ["docker", "build", "--check", "--file", str(DOCKERFILE), str(ROOT)]
    else:
        pytest.skip(
            "neither hadolint nor docker with buildx is here: the Dockerfile was read by our own eyes alone"
        )
    ran = subprocess.run(checked, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, f"{ran.stdout}{ran.stderr}"


@pytest.mark.parametrize("name", UNITS)
def test_a_unit_runs_a_command_that_there_is_and_passes_systemd_s_own_checker(
    name: str, tmp_path: Path
) -> None:
    text = (DEPLOY / name).read_text()
    for started in re.findall(r"(?m)^ExecStart=(.*)$", text):
        program, *words = started.split()
        assert program == PROGRAM
        assert words[0] in COMMANDS
    checker = shutil.which("systemd-analyze")
    if checker is None:
        pytest.skip("systemd-analyze is not here: the units were read by our own eyes alone")
    for other in UNITS:  # a timer names its service
        unit = (DEPLOY / other).read_text().replace(PROGRAM, sys.executable)
        (tmp_path / other).write_text(
            unit.replace("User=club", f"User={getpass.getuser()}").replace("/home/club/games", "/tmp")
        )
    file = name.replace("@.", "@1.")
    if file != name:
        (tmp_path / name).rename(tmp_path / file)
    ran = subprocess.run(
        [checker, "verify", "--man=no", str(tmp_path / file)], capture_output=True, text=True, check=False
    )
    said = [line for line in ran.stderr.splitlines() if str(tmp_path) in line or name in line]
    assert (ran.returncode, said) == (0, []), ran.stderr


def test_the_guide_s_unit_is_the_one_that_is_shipped() -> None:
    (unit,) = (block.text for block in shown(GUIDES / "mail-server.md") if block.kind == "ini")
    assert unit == (DEPLOY / "referee.service").read_text()
