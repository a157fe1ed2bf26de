"""The configuration: what is not written as declared and yet understood, and every fault of the rest in one answer."""

from datetime import timedelta
from pathlib import Path

import pytest
from pydantic import ValidationError

from referee.base.settings import CONFIRMED, LimitsSection, Settings
from referee.service.config import read_configuration
from tests.world import World


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
    assert settings.limits.tokens == Settings().limits.tokens
    assert settings.senders.commands == CONFIRMED


def test_settings_stay_as_they_are() -> None:
    settings = Settings()
    with pytest.raises(ValidationError, match="frozen"):
        settings.limits.lines = 7
    with pytest.raises(ValidationError, match="word"):
        LimitsSection.model_validate({"word": 7})
    assert settings == Settings()
    assert settings != Settings(limits=LimitsSection(lines=7))


def test_the_old_name_of_how_long_a_deadline_waits_is_told_with_the_new_one(tmp_path: Path) -> None:
    world = World(tmp_path)
    world.configure('held_wait = "48h" ', 'grace = "48h" ')
    ran = world.run("list")
    assert ran.status != 0
    assert "limits.grace is called limits.held_wait now" in ran.err


@pytest.mark.parametrize(("cron", "outage"), [("", None), ("0", None), ("10m", timedelta(minutes=30))])
def test_passes_are_expected_where_cron_says_so(tmp_path: Path, cron: str, outage: timedelta | None) -> None:
    world = World(tmp_path)
    world.configure('cron = ""', f'cron = "{cron}"')
    assert read_configuration(tmp_path / "referee.toml").settings.poll.outage == outage


def test_what_0_2_0_wrote_of_things_that_are_gone_is_a_warning(tmp_path: Path) -> None:
    world = World(tmp_path)
    world.configure('resign = "vouched"', 'phrase = "confirm", key = "confirm", resign = "vouched"')
    world.configure("tokens = true", "tokens = true\ndkim = false")
    world.configure("batch = 20", "connections = 4\nbatch = 20")
    ran = world.do("list")
    own_look, *others, lines = ran.err.splitlines()
    assert "courier.connections says nothing any more: letters leave over one connection" in lines
    assert "senders.dkim says nothing any more" in own_look
    for name, line in zip(("phrase", "key"), others, strict=True):
        assert f"senders.commands.{name} says nothing any more: pass phrases and OpenPGP are gone" in line


@pytest.mark.parametrize(
    ("before", "after", "key"),
    [
        ('need = "address"', 'need = "phrase"', "senders.need: pass phrases and OpenPGP are gone"),
        (
            'moderator = "token"',
            'moderator = "phrase"',
            "senders.commands.moderator: pass phrases and OpenPGP",
        ),
        (
            "tokens = true",
            "tokens = true\ndkim = true",
            "senders.dkim: the referee checks no DKIM signatures",
        ),
        ('need = "address"', 'need = "vouched"', 'senders.need: "vouched" is what a mail server says'),
        ('# collector = "vouched"', 'collector = "vouched"', 'senders.collector: "vouched" is what'),
    ],
)
def test_what_needs_things_that_are_gone_is_refused_in_one_line(
    tmp_path: Path, before: str, after: str, key: str
) -> None:
    world = World(tmp_path)
    world.configure(before, after)
    ran = world.run("list")
    (line,) = ran.err.splitlines()
    assert ran.status == 1
    assert key in line
    assert '"token"' in line
    if "phrase" not in after:  # no advice contradicts a setting
        world.configure("tokens = true", "tokens = false")
        (line,) = world.run("doctor").err.splitlines()
        assert ('"token"' in line, 'need = "confirm"' in line) == (False, True)
