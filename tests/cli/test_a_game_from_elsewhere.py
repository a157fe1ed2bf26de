"""A game that another distribution brings is played like any other: that of `docs/dev/a-game.md`, installed by pip."""

import ast
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from referee.base.brought import BadGame
from referee.games import Games
from tests.cli.company import carried_out
from tests.servers.ground import PATIENCE

ROOT = Path(__file__).parents[2]
START = "from referee.cli import program; program()"
BIDDING = "docs/bidding/referee_bidding"
MORRIS = "referee/games/morris"
ENTRY = "[referee.games]\n{slug} = {package}\n"


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where pip has put `docs/bidding`."""
    target = tmp_path_factory.mktemp("elsewhere")
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps"]
    where = ["--no-build-isolation", "--target", str(target), str(ROOT / "docs/bidding")]
    subprocess.run([*pip, *where], check=True)
    return target


def environment(installed: Path) -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": f"{installed}{os.pathsep}{ROOT}"}


def python(installed: Path, folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command, env = [sys.executable, *arguments], environment(installed)
    return subprocess.run(
        command, cwd=folder, env=env, capture_output=True, text=True, timeout=PATIENCE, check=False
    )


def test_it_is_opened_shown_kept_secret_rehearsed_and_verified_like_any_other(
    installed: Path, tmp_path: Path
) -> None:
    people = ("--seat", "Ann <ann@example.org>", "--seat", "Ben <ben@example.org>")
    _, games, name, told, *_ = carried_out(
        sys.executable, tmp_path, environment(installed),
        ("init", "."), ("games", "--json"), ("open", "bidding", *people, "--option", "lots=2"),
        ("show", "bidding-1", "--json"), ("rehearse", "bidding", "--seed", "5", "--keep", "kept"),
        ("verify", "kept/records/bidding-1.json"),
    )  # fmt: skip
    assert "bidding" in [row["game"] for row in json.loads(games)]
    shown = json.loads(told)
    assert (name, shown["position"]) == ("bidding-1\n", {"lot": 1, "coins": [20, 20], "points": [0, 0]})
    assert [due["demand"] for due in shown["due"]] == ["Bid", "Bid"]


def test_the_laws_hold_for_it(installed: Path) -> None:
    chosen = ["-m", "pytest", "-q", "-p", "no:cacheprovider", "-m", "not soak", "-k", "bidding"]
    ran = python(installed, ROOT, *chosen, "tests/laws", "tests/rehearsal/test_every_game.py")
    assert ran.returncode == 0, ran.stdout[-3000:]
    assert int(ran.stdout.split(" passed")[0].split()[-1]) >= 20, ran.stdout


def test_the_page_shows_the_code_that_is_installed() -> None:
    page = (ROOT / "docs/dev/a-game.md").read_text(encoding="utf-8")
    code = {path: lines_of(path) for game in (BIDDING, MORRIS) for path in (ROOT / game).glob("*.py")}
    every = "\n".join("\n".join(lines) for lines in code.values())
    shown = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    assert len(shown) == 4
    for block in shown:
        assert "\n".join(line.strip() for line in block.splitlines() if line.strip()) in every, block
    told = re.search(r"rules and judging, (\d+) lines of code", page)
    assert int(told[1]) == len(code[ROOT / BIDDING / "game.py"]) <= 150


def lines_of(path: Path) -> list[str]:
    return [line.strip() for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]


@pytest.mark.parametrize(
    ("slug", "code", "said"),
    [
        ("broken", "raise LookupError('what is missing')", "can't be loaded from broken_game (LookupError"),
        ("Odd-Name", "TITLES = ('Odd',)", "is no name for a game"),
        ("other", "TITLES = ('Morris',)", "two games are called 'morris'"),
    ],
)
def test_one_that_can_not_be_used_is_told_in_a_line(slug: str, code: str, said: str, tmp_path: Path) -> None:
    package = tmp_path / "broken_game"
    package.mkdir()
    (package / "__init__.py").write_text(code)
    facts = tmp_path / "broken_game-1.0.dist-info"
    facts.mkdir()
    (facts / "METADATA").write_text("Metadata-Version: 2.1\nName: broken-game\nVersion: 1.0\n")
    (facts / "entry_points.txt").write_text(ENTRY.format(slug=slug, package="broken_game"))
    ran = python(tmp_path, tmp_path, "-c", START, "games")
    assert ran.returncode == 1, ran.stdout
    assert said in ran.stderr
    assert "Traceback" not in ran.stderr
    assert len(ran.stderr.splitlines()) == 1


def test_a_game_of_this_program_is_nobody_elses() -> None:
    assert type(Games()["morris"]).__module__ == "referee.games.morris.game"
    assert BadGame.__doc__


@pytest.mark.parametrize("game", [BIDDING, MORRIS])
def test_a_plain_game_needs_at_most_five_names_of_the_kit(game: str) -> None:
    nodes = [node for file in (ROOT / game).glob("*.py") for node in ast.walk(ast.parse(file.read_text()))]
    kit = [
        node for node in nodes if isinstance(node, ast.ImportFrom) and "core.orders" in (node.module or "")
    ]
    names = {name.name for node in kit for name in node.names}
    assert 0 < len(names) <= 5, names
