"""The package holds all it needs: it runs from any folder, without the repository."""

import json
import os
import re
import subprocess
import sys
import sysconfig
import tomllib
import venv
import zipfile
from pathlib import Path

import pytest

from referee import __version__
from tests.cli.company import FOUR, carried_out, seats
from tests.cli.test_open import USUAL
from tests.sampling import one_in
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


def played(place: Path, folder: Path) -> None:
    """Every command that reads the package's own files, from a folder that has nothing to do with them."""
    folder.mkdir()
    python = place / "bin/python"
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
    opened = [
        ("open", game, *seats(*FOUR[:people]), "--now", START) for game, people in sorted(USUAL.items())
    ]
    _, games, *names, step, record = carried_out(
        python, folder, environment,
        ("init", "."), ("games", "--json"), *opened, ("step", "--now", START, "--json"), ("record", "fourplay-1"),
    )  # fmt: skip
    assert [row["game"] for row in json.loads(games)] == sorted(USUAL)
    assert names == [f"{game}-1\n" for game in sorted(USUAL)]
    assert json.loads(step)["sent"] >= sum(USUAL.values())
    assert any(b"image/png" in letter.read_bytes() for letter in (folder / "mail/out/new").iterdir())
    (folder / "record.json").write_text(record)
    *_, said = carried_out(
        python, folder, environment, ("verify", "record.json"), ("site", "site"), ("doctor",)
    )
    assert (folder / "site/index.html").is_file()
    assert "mailbox and courier work" in said
    program = [str(place / "bin/referee"), "--version"]
    done = subprocess.run(program, cwd=folder, env=environment, capture_output=True, text=True, check=True)
    assert done.stdout == f"referee {__version__}\n"


@pytest.mark.parametrize("kind", one_in(2, ["wheel", "sdist"]))
def test_the_built_file_is_installed_and_a_match_is_played_with_it(
    kind: str, wheel: Path, tmp_path: Path
) -> None:
    """By pip, into an environment of its own; what it depends on is taken from the tests' own."""
    file = wheel if kind == "wheel" else build("sdist", ROOT, tmp_path / "dist")
    assert re.fullmatch(r"pbm_referee-\d+\.\d+\.\d+(-py3-none-any\.whl|\.tar\.gz)", file.name)
    place = tmp_path / "environment"
    venv.create(place)
    (packages,) = place.glob("lib/python*/site-packages")
    (packages / "others.pth").write_text(f"{sysconfig.get_path('purelib')}\n")
    pip = [sys.executable, "-m", "pip", "--python", str(place / "bin/python"), "--disable-pip-version-check"]
    install = [*pip, "install", "--quiet", "--no-deps", "--no-index", "--no-build-isolation", str(file)]
    subprocess.run(install, cwd=tmp_path, check=True, capture_output=True)
    where = subprocess.run(
        [str(place / "bin/python"), "-c", "import referee; print(referee.__file__)"],
        capture_output=True, text=True, check=True, cwd=tmp_path,
    )  # fmt: skip
    assert where.stdout.startswith(str(packages))
    played(place, tmp_path / "games")


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
    played(place, tmp_path / "games")


def test_whoever_is_told_to_install_it_is_told_its_own_name() -> None:
    """Another package of the index may have the command's name."""
    name = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["name"]
    files = [
        ROOT / "README.md",
        *(p for part in ("docs", "referee", *SHIPPED) for p in (ROOT / part).rglob("*")),
    ]
    texts = (
        p.read_text(encoding="utf-8", errors="replace") for p in files if p.is_file() and p.suffix != ".pyc"
    )
    told = re.findall(
        r"install [^\n]*?\"?(?<![./])\b([\w-]+)\[workers\]|\b([A-Za-z_]+)-[*\d][^\s/]*\.whl", "\n".join(texts)
    )
    named = {one or other for one, other in told}
    assert len(told) > 5
    assert named <= {name, name.replace("-", "_")}
