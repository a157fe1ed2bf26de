"""Numbers, spans and moments are bounded where they are read: whatever is written, it is taken within the bound, or the
answer names it. No number is so large that a command ends in anything but a line."""

import re
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st
from typer.main import get_command

from referee.base import shipped
from referee.base.errors import WrongUsage
from referee.base.settings import Settings
from referee.cli.app import COMMANDS, app
from referee.core.options import LONGEST, duration
from referee.games import found
from referee.match import commands as do
from referee.match import events as ev
from referee.match.arguments import FIRST, LAST, instant
from referee.moderation.orders import read_order
from referee.moderation.verbs import VERBS
from referee.service.config import BadConfiguration, read_configuration
from tests.cli.company import buttons
from tests.world import World

NUMBERS = st.one_of(
    st.integers(-(10**30), 10**30).map(str),
    st.sampled_from(["0", "-1", "1e9", "²", "٣", "9" * 30, "9" * 5000, "99999", "1_0", "+7"]),
)
UNITS = st.sampled_from(["d", "w", "s", "h", "m", " weeks", " days", ""])
SPANS = st.one_of(
    st.lists(st.tuples(NUMBERS, UNITS), max_size=3).map(lambda parts: "".join(n + unit for n, unit in parts)),
    st.sampled_from(["0", "0d", "0h0m", "000w", "1s"]),
)
MOMENTS = st.one_of(
    st.datetimes().map(lambda at: at.isoformat() + "Z"),
    st.builds("{}-{}-{}T00:00:00{}".format, NUMBERS, NUMBERS, NUMBERS, st.sampled_from(["Z", "+23:59", ""])),
    st.sampled_from(["0001-01-01T00:00:00+23:00", "9999-12-31T23:59:59-23:00", "-1"]),
)


@pytest.mark.parametrize("name", COMMANDS)
def test_every_number_of_every_command_has_a_least_and_a_most(name: str) -> None:
    program: Any = get_command(app)
    for parameter in program.get_command(None, name).params:
        if "int" in str(parameter.type_descriptor.annotation):
            assert None not in (parameter.min, parameter.max), parameter.name


@given(SPANS)
def test_a_span_is_within_ten_years_or_the_answer_names_the_bound(text: str) -> None:
    try:
        span = duration(text)
    except ValueError as error:
        assert f"up to {LONGEST.days}d" in str(error)  # noqa: PT017
    else:
        assert timedelta() <= span <= LONGEST


@given(MOMENTS)
def test_a_moment_lies_where_any_calendar_can_count_from_it(text: str) -> None:
    try:
        at = instant(text)
    except WrongUsage as error:
        assert len(str(error)) < 200  # noqa: PT017
    else:
        assert FIRST <= at <= LAST
        assert at + LONGEST < datetime.max.replace(tzinfo=UTC)


@given(
    st.sampled_from(sorted(VERBS)),
    st.lists(
        st.one_of(
            NUMBERS, SPANS, MOMENTS,
            st.sampled_from(["m2", "by", "until", "to", "player", "seat", "winner", "won", "--as", "all", "legal"]),
        ),
        max_size=6,
    ),
)  # fmt: skip
def test_an_order_by_mail_is_bounded_or_faulty(verb: str, words: list[str]) -> None:
    order = read_order(
        " ".join([verb, *words]), lambda word: "m2" if word == "m2" else None, "UTC", body="because"
    )
    if order.faults:
        return
    assert len(order.which) < 81
    match order.command:
        case do.Extend(_, seat, by, until):
            assert by is None or timedelta() < by <= LONGEST
            assert until is None or FIRST <= until <= LAST
            assert seat is None or seat < 1000
        case do.Rewind(to):
            assert not isinstance(to, int) or to < 10**9
        case ev.MatchStopped(_, winners):
            assert all(seat < 1000 for seat in winners)


def test_every_option_that_is_a_number_says_its_bounds() -> None:
    for game in found():
        for spec in shipped.game_options(game, None, "UTC"):
            assert spec.kind != "count" or None not in (spec.least, spec.most), (game, spec.name)
            if spec.kind in ("duration", "spans"):
                assert f"up to {LONGEST.days}d" in spec.allowed()
                assert spec.canonical(f"{LONGEST.days + 1}d") is None


def _numbers() -> list[tuple[str, str]]:
    """Every setting that is a number or a span."""
    said = []
    for section, part in Settings.model_fields.items():
        for name, field in getattr(part.annotation, "model_fields", {}).items():
            kinds = {field.annotation, *get_args(field.annotation)}
            said += [(section, name)] if kinds & {int, float, timedelta} and bool not in kinds else []
    return said


@pytest.mark.parametrize(("section", "name"), _numbers())
@pytest.mark.parametrize(
    "value", ["-1", "1e400", "nan", "9" * 40, '"9999999999999d"', '"4000000d"', '"99999999999999 MB"']
)
def test_no_setting_is_boundless(tmp_path: Path, section: str, name: str, value: str) -> None:
    file = tmp_path / "referee.toml"
    file.write_text(f"[{section}]\n{name} = {value}\n")
    with pytest.raises(BadConfiguration, match=rf"{section}\.{name}"):
        read_configuration(file)
    with suppress(BadConfiguration):
        file.write_text(f"[{section}]\n{name} = 3\n")
        read_configuration(file)


def test_no_command_ends_in_anything_but_a_line_over_a_number(world: World) -> None:
    name = buttons(world)
    for number in ("4000000", "99999999999999999999", "9" * 5000, "-3", "²"):
        for command in (
            ("extend", name, "--by", f"{number}d", "--why", "x"),
            ("extend", name, "--until", f"{number}-01-01T00:00:00Z", "--why", "x"),
            ("extend", name, "--seat", number, "--by", "1d", "--why", "x"),
            ("rewind", name, "--to", number, "--why", "x"),
            ("end", name, "--as", "won", "--winner", number, "--why", "x"),
            ("vacate", name, "--why", "x", "--", number), ("show", name, "--as", number),
            ("mail", "--", number), ("reject", "--why", "x", "--", number), ("release", "--", number),
            ("unshunt", "--", number), ("letters", name, "--seat", number), ("step", "--now", number),
            ("open", "buttons", "--vacant", number), ("open", "buttons", "--option", f"seed={number}"),
            ("event", "new", "cup", "--game", "buttons", "--kind", "swiss", "--rounds", number),
        ):  # fmt: skip
            ran = world.run(*command)
            assert ran.status in (1, 2), (command, ran.out)
            assert len(ran.err) < 800 or number in ran.err, command
            assert "Traceback" not in ran.err


@pytest.mark.parametrize("span", ["0", "0d", "0h0m", "00w"])
@pytest.mark.parametrize("which", ["one", "--all"])
def test_a_deadline_that_moves_by_nothing_is_no_order(world: World, span: str, which: str) -> None:
    """Nobody is told of what is none."""
    name = buttons(world)
    said = ("--why", "x", "--now", "2026-03-01T13:00:00Z")
    ran = world.run("extend", name if which == "one" else which, "--by", span, *said)
    assert (ran.status, "how much more" in ran.err) == (2, True), ran.err
    assert world.passed("2026-03-01T13:10:00Z") == []


def test_a_deadline_moves_no_further_than_ten_years_from_now_however_often(world: World) -> None:
    name = buttons(world)
    said = ("--why", "x", "--now", "2026-03-01T13:00:00Z")
    assert world.run("extend", name, "--by", f"{LONGEST.days - 30}d", *said).status == 0
    for more in (("--by", f"{LONGEST.days}d"), ("--until", "2999-01-01T00:00:00Z")):
        ran = world.run("extend", name, *more, *said)
        assert ran.status == 1
        assert re.search(rf"{LONGEST.days} days", ran.err), ran.err
