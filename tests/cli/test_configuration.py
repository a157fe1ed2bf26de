"""The configuration is read in two ways: as it stands where it is exactly as declared, by pydantic where it is not.
What the first takes, the second takes alike; what the first leaves, the second judges."""

from __future__ import annotations

import subprocess
import sys
import tomllib
from itertools import product
from pathlib import Path

import pytest
from pydantic import ValidationError

from referee.config import BadConfiguration, Configuration, read_configuration
from referee.offices.sections import NotPlain, is_section, judged, taken
from referee.offices.settings import CONFIRMED

VALUES = [
    '"x"', '""', "0", "1", "-1", "5", "24", "23", "20000", "true", "false", "0.5", "1.5", "nan", "inf", '"1d"',
    '"16kB"', '"0b"', '"1w2d"', '"PT5S"', '"30"', '"true"', "[]", '["1d"]', '["x", "y"]', "[1]", "{}", "2020-01-01",
    "12:00:00", '{ address = "confirm" }', '{ order = "token" }', '{ order = "x" }', '{ adress = "token" }', '"UTC"',
    '"Europe/Berlin"', '"posix/UTC"', '"a@b.c"', '"maildir:x"', '"maildir:"', '"sqlite:///x"', '"postgresql://h/d"',
    '"imaps://me@h/I"', '"smtp://h"', '"smtp://a:b@h"', '"on"', '"inline"', '"procrastinate"', '"https://a.b/{token}"',
    '"https://a.b/c"', '"vouched"', "99999999999999999999999999", f'"{"n" * 60}"', f'"{"n" * 61}"', '"99999999999w"',
]  # fmt: skip


@pytest.mark.parametrize("section", Configuration.kinds)
def test_what_is_taken_as_it_stands_is_what_pydantic_makes_of_it(section: str) -> None:
    kind = Configuration.kinds[section]
    assert is_section(kind)
    plain = 0
    for key, value in product((*kind.kinds, "unheard_of"), VALUES):
        table = tomllib.loads(f"[{section}]\n{key} = {value}\n")
        try:
            found = taken(Configuration, table)
        except NotPlain:
            continue
        plain += 1
        assert repr(found) == repr(judged(Configuration, table)), table
    assert plain >= len(kind.kinds), "each key has a value that needs nobody's judgement"


@pytest.mark.parametrize("value", ["1", '"x"', "[]", "true", "[{}]"])
def test_a_section_that_is_no_table_is_none(value: str) -> None:
    table = tomllib.loads(f"limits = {value}\n")
    with pytest.raises(NotPlain):
        taken(Configuration, table)
    with pytest.raises(ValidationError):
        judged(Configuration, table)


def test_what_is_only_understood_is_taken_in_the_end(tmp_path: Path) -> None:
    """Not as declared, but pydantic knows what is meant."""
    file = tmp_path / "referee.toml"
    file.write_text(
        '[limits]\nlines = "30"\nlargest_press = 16000\n[poll]\nevery = 90\n[press]\nbeside_sealed = "yes"\n'
    )
    settings = read_configuration(file).settings
    assert (settings.limits.lines, settings.limits.largest_press) == (30, 16_000)
    assert settings.poll.every.total_seconds() == 90
    assert settings.press.beside_sealed is True
    assert settings.limits.tokens == Configuration().limits.tokens
    assert settings.senders.commands == CONFIRMED


def test_faults_of_every_kind_are_named_together(tmp_path: Path) -> None:
    file = tmp_path / "referee.toml"
    file.write_text('[limits]\nlines = 0\nseconds = "x"\nword = 1\n[press]\ntalk = "of"\n')
    with pytest.raises(BadConfiguration) as caught:
        read_configuration(file)
    limits = ", ".join(Configuration.kinds["limits"].kinds)
    assert [line.removeprefix(str(file)).partition(": there are")[0] for line in caught.value.args] == [
        ":2: limits.lines: input should be greater than or equal to 1 (it is 0)",
        ":3: limits.seconds: input should be a valid number, unable to parse string as a number (it is 'x')",
        f":4: there is no limits.word; did you mean orders? There are: {limits}",
        ":6: press.talk: input should be 'on', 'public' or 'off' (it is 'of')",
    ]


def test_settings_stay_as_they_are() -> None:
    settings = Configuration()
    with pytest.raises(AttributeError):
        settings.limits.lines = 7
    with pytest.raises(TypeError):
        type(settings.limits)(word=7)
    assert settings == Configuration()
    assert settings != Configuration(limits=type(settings.limits)(lines=7))


def test_the_file_that_init_writes_needs_no_judgement(tmp_path: Path) -> None:
    script = (
        "import sys; from pathlib import Path; from referee.config import read_configuration; "
        "read_configuration(Path(sys.argv[1])); print([name for name in sys.modules if 'pydantic' in name])"
    )
    program = [sys.executable, "-c", "from referee.cli import main; main()"]
    subprocess.run([*program, "init", str(tmp_path)], check=True, capture_output=True)
    ran = subprocess.run(
        [sys.executable, "-c", script, str(tmp_path / "referee.toml")],
        check=True,
        capture_output=True,
        text=True,
    )
    assert ran.stdout == "[]\n"
