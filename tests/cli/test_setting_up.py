"""`init`, `doctor`, `games`, and what is wrong with a configuration."""

import os
import re
import time
import tomllib
from pathlib import Path

import pytest

from referee.games import found
from tests.cli.company import buttons, plain_words
from tests.world import START, World

BAD = """\
[referee]
timezone = "Mars"
nam = "Ref"
[offices]
speaker = "nobody"
[mailbox]
url = "pigeon:roof"
[courier]
url = "smtp://me:secret@host:25"
[store]
url = "mysql://host/db"
[poll]
every = "0s"
[reminders]
before = ["2d", "soon"]
[roof]
of = "tin"
"""


def test_init_writes_a_commented_configuration_that_works_at_once(tmp_path: Path) -> None:
    world = World(tmp_path / "games")
    written = (tmp_path / "games/referee.toml").read_text()
    assert written.count("#") > 20
    facts = tomllib.loads(written)
    assert facts["mailbox"]["url"] == "maildir:mail/in"
    assert facts["courier"]["url"] == "maildir:mail/out"
    for folder in ("mail/in/new", "mail/in/cur", "mail/in/tmp", "mail/out/new"):
        assert (tmp_path / "games" / folder).is_dir()
    assert world.run("doctor").status == 0
    buttons(world)


def test_init_overwrites_nothing(tmp_path: Path) -> None:
    world = World(tmp_path)
    (tmp_path / "referee.toml").write_text("# mine\n")
    assert "left as it is" in plain_words(world.run("init", str(tmp_path), config=False))
    assert (tmp_path / "referee.toml").read_text() == "# mine\n"


def test_every_fault_of_a_configuration_is_named_at_once_with_its_line(tmp_path: Path) -> None:
    world = World(tmp_path, BAD)
    said = plain_words(world.run("list"), lines=9).splitlines()
    for line, (number, words) in zip(
        said,
        [
            (2, "timezone: must be a time zone"),
            (3, "there is no referee.nam; did you mean name?"),
            (5, "offices.speaker: must be a mail address"),
            (7, "'pigeon:roof'"),
            (9, "courier.url: The address at host:25 holds a password"),
            (11, "'mysql' is no store"),
            (13, "must be 1s or longer"),
            (15, "must be a span of time"),
            (16, "there is no roof"),
        ],
        strict=True,
    ):
        assert f"referee.toml:{number}: " in line, line
        assert words in line, line
    assert "secret" not in "\n".join(said)


def test_a_command_that_there_is_not_is_named_with_those_there_are(tmp_path: Path) -> None:
    world = World(tmp_path, '[senders]\ncommands = { adress = "confirm" }\n')
    said = plain_words(world.run("list"))
    assert "referee.toml:2: senders.commands: there is no command adress; did you mean address?" in said
    assert "order" in said
    world = World(tmp_path / "other", '[senders]\ncommands = { order = "token" }\n')
    from referee.service.config import read_configuration

    settings = read_configuration(tmp_path / "other" / "referee.toml").settings
    assert settings.senders.commands["order"] == "token"
    assert settings.senders.commands["address"] == "confirm", "what is not named stays as it is"


def test_what_is_not_toml_is_said_with_its_place(tmp_path: Path) -> None:
    world = World(tmp_path, "[referee\n")
    assert "line 1" in plain_words(world.run("step"))


def test_doctor_is_content_with_what_init_made(world: World) -> None:
    *words, last = world.run("doctor").out.splitlines()
    assert last == "All is well: configuration, store, mailbox and courier."
    assert all(line.startswith("senders: ") for line in words)
    facts = world.run("doctor", "--json").json
    assert facts.pop("senders") == [line.removeprefix("senders: ") for line in words]
    assert facts == {
        "well": True,
        "faults": [],
        "put_aside": [],
        "stuck": [],
        "notes": [],
        "waiting": {},
        "undelivered": [],
    }


def test_doctor_names_every_part_that_is_unwell_and_the_remedy(tmp_path: Path) -> None:
    config = '[mailbox]\nurl = "imap://me@127.0.0.1:1/INBOX"\n[courier]\nurl = "smtp://127.0.0.1:1"\n'
    world = World(tmp_path, config + '[store]\nurl = "postgresql+psycopg://me@127.0.0.1:1/games"\n')
    ran = world.run("doctor", "--json")
    assert ran.status == 1
    assert ran.json["well"] is False
    assert {fault["part"] for fault in ran.json["faults"]} == {"store", "mailbox", "courier", "offices"}
    for part in ("store", "mailbox", "courier"):
        assert f"Check [{part}] url" in world.run("doctor").out
    assert "connection" in plain_words(world.run("list"))


@pytest.mark.parametrize(
    ("told", "left"),
    [
        ((), ["[mailbox] url", "password_command", "[offices] speaker and collector", "[offices] moderator"]),
        (("--user", "club@mail.test"), ["password_command", "[offices] moderator"]),
        (
            ("--user", "club", "--address", "club@mail.test", "--moderator", "ann@mail.test"),
            ["password_command"],
        ),
    ],
)
def test_init_for_a_provider_says_what_it_wrote_and_what_is_still_to_be_filled_in(
    tmp_path: Path, told: tuple[str, ...], left: list[str]
) -> None:
    folder = tmp_path / "games"
    ran = World.run(World(tmp_path), "init", str(folder), "--provider", "gmail", *told, config=False)
    first, *rest = ran.out.splitlines()
    still = [line for line in rest if line.startswith("Still to be filled in: ")]
    assert len(still) == len(left)
    assert all(words in line for words, line in zip(left, still, strict=True))
    facts = tomllib.loads((folder / "referee.toml").read_text())
    assert facts["mailbox"]["url"].split("@")[-1] in first.replace(str(folder / "mail"), "maildir:mail")
    assert (folder / "mail").exists() == (not told), "a Maildir only where one is used"
    if told:
        assert {facts["offices"][name] for name in ("speaker", "collector")} == {"club@mail.test"}
        assert facts["offices"]["moderator"] == (
            told[-1] if "--moderator" in told else "moderator@referee.localhost"
        )


def test_init_refuses_what_is_no_address(tmp_path: Path) -> None:
    for option in ("--address", "--moderator"):
        ran = World.run(World(tmp_path), "init", str(tmp_path / "a"), option, 'x"@y', config=False)
        assert (ran.status, "is no mail address" in ran.err) == (2, True)
        assert not (tmp_path / "a").exists()


@pytest.mark.parametrize(
    ("line", "fault"),
    [
        ('moderator = "ann@example.org"', "moderator: ann@example.org is an example's"),
        ('also = ["x@lists.example.com"]', "also: x@lists.example.com is an example's"),
        ('speaker = "club+speaker@games.test"', "speaker: club+speaker@games.test has a +"),
        ('moderator = "collector@referee.localhost"', "is the speaker's or the collector's"),
    ],
)
def test_doctor_names_what_was_left_as_it_was_or_collides(tmp_path: Path, line: str, fault: str) -> None:
    ran = World(tmp_path, f"[offices]\n{line}\n").run("doctor")
    assert ran.status == 1
    assert fault in ran.out
    assert "All is well" not in ran.out


def test_doctor_names_the_defaults_of_a_trial_beside_a_real_server(tmp_path: Path) -> None:
    said = World(tmp_path, '[courier]\nurl = "smtp://127.0.0.1:1"\n').run("doctor").out
    for key in ("speaker", "collector", "moderator"):
        assert f"[offices] {key}: {key}@referee.localhost is what `init` writes" in said


def test_doctor_says_that_two_offices_are_one_and_calls_it_a_fault_where_it_matters(tmp_path: Path) -> None:
    one = '[offices]\nspeaker = "club@games.test"\ncollector = "Club@games.test"\n'
    ran = World(tmp_path / "a", one).run("doctor", "--json")
    assert (ran.status, ran.json["well"]) == (0, True)
    assert "are one address" in ran.json["notes"][0]["note"]
    ran = World(tmp_path / "b", one + '[senders]\nspeaker = "token"\n').run("doctor", "--json")
    assert ran.status == 1
    assert "[senders] speaker says holds for no mail" in ran.json["faults"][0]["fault"]


def test_doctor_reads_the_age_of_the_heartbeat_that_every_pass_touches(tmp_path: Path) -> None:
    world = World(tmp_path, '[poll]\nheartbeat = "alive"\n')
    assert "No pass has touched" in world.run("doctor").out
    world.step()
    assert (tmp_path / "alive").stat().st_mode & 0o777 == 0o600
    ran = world.run("doctor")
    assert (ran.status, "The last pass touched" in ran.out) == (0, True)
    long_ago = time.time() - 3600
    os.utime(tmp_path / "alive", (long_ago, long_ago))
    ran = world.run("doctor")
    assert ran.status == 1
    assert "heartbeat: The last pass touched" in ran.out
    assert "1:00:0" in ran.out


def test_doctor_tells_nothing_of_a_mail_about_a_match_in_which_the_moderator_sits(world: World) -> None:
    world.open("morris", ["Mo <moderator@referee.localhost>", "Ben <ben@players.test>"])
    world.mail(
        "Ben <ben@players.test>", "Morris: Move / Player 2", "Move: d4", headers={"X-Spam-Flag": "YES"}
    )
    assert world.step()["held"] == 1
    said = world.run("doctor").out
    (number,) = re.findall(
        r"held mail no. (\d+)\n", said
    )  # one that counts nothing, and names it all the same
    assert "ben@players.test" not in said
    assert world.run("reject", number, "--why", "spam").status == 0


def test_a_token_beside_a_password_is_refused_with_its_line(tmp_path: Path) -> None:
    for section in ("mailbox", "courier"):
        world = World(tmp_path / section, f'[{section}]\npassword_env = "A"\ntoken_command = "b c"\n')
        assert f"referee.toml:3: {section}.token_command: a mail server takes" in plain_words(
            world.run("list")
        )


# --- games -------------------------------------------------------------------------------------------------------


def test_games_lists_every_game_with_options_and_defaults(world: World) -> None:
    facts = world.run("games", "--json").json
    assert [row["game"] for row in facts] == list(found())
    for row in facts:
        assert row["titles"]
        assert row["headings"]
        for option in row["options"]:
            assert set(option) == {"name", "default", "allowed", "help", "rule", "amend"}
            assert option["help"]
    text = world.run("games").out
    for row in facts:
        for option in row["options"]:
            assert f"  {option['name']} = " in text


def test_games_needs_no_configuration(tmp_path: Path) -> None:
    world = World(tmp_path)
    (tmp_path / "referee.toml").unlink()
    assert world.run("games", "--json").status == 0


def test_one_game_alone(world: World) -> None:
    assert [row["game"] for row in world.run("games", "multigo", "--json").json] == ["multigo"]
    assert "fourplay" in plain_words(world.run("games", "chess"))


@pytest.mark.parametrize("piece", ["Cannon", "Pawn"])
def test_a_fourplay_piece_is_drawn_on_an_empty_board_and_in_an_example(world: World, piece: str) -> None:
    ran = world.do("games", "fourplay", "--piece", piece)
    for where in ("on an empty board", "in an example"):
        drawn = ran.out.partition(where)[2]
        assert "may go there" in drawn
        assert "'.'" in drawn or "> .<" in drawn
    assert "may capture there" in drawn


def test_a_piece_that_is_none_is_said(world: World) -> None:
    assert "Unicorn" in plain_words(world.run("games", "fourplay", "--piece", "Unicorn"))
    assert "no pieces" in plain_words(world.run("games", "multigo", "--piece", "Stone"))


def test_a_moderators_own_files_come_first_and_bad_ones_are_named(world: World) -> None:
    (world.folder / "config/buttons").mkdir(parents=True)
    (world.folder / "config/buttons/options.toml").write_text("[options.mode\n")
    assert "config/buttons/options.toml" in plain_words(world.run("games"))
    assert "config/buttons/options.toml" in plain_words(
        world.run("open", "buttons", "--seat", "Ann <ann@example.org>", "--now", START)
    )
    (world.folder / "config/buttons/options.toml").write_text("[options.mode]\n")
    assert "config/buttons/options.toml" in plain_words(world.run("games"))


def test_an_unset_variable_of_a_password_is_named_by_every_command(world: World) -> None:
    server = 'url = "imaps://me@localhost:1/INBOX"\npassword_env = "NOT_SET_HERE"'
    world.configure('url = "maildir:mail/in"', server)
    for command in ("doctor", "step", "run"):
        ran = world.run(command)
        assert ran.status == 1, command
        assert "NOT_SET_HERE" in ran.out + ran.err
        assert "password_env" in ran.out + ran.err
        assert "Traceback" not in ran.out + ran.err
        assert "All is well" not in ran.out


def test_a_server_without_any_password_names_the_keys_for_it(world: World) -> None:
    world.configure('url = "maildir:mail/in"', 'url = "imaps://me@localhost:1/INBOX"')
    world.configure('url = "maildir:mail/out"', 'url = "smtps://me@localhost:1"')
    ran = world.run("doctor")
    assert ran.status == 1
    for part in ("mailbox", "courier"):
        said = next(line for line in ran.out.splitlines() if line.startswith(f"{part}: There is no password"))
        assert "`password_env`" in said
        assert "`password_command`" in said


def test_doctor_with_something_that_waits_does_not_end_with_all_is_well(world: World) -> None:
    raw = b"From: a@example.org, b@example.org\nSubject: join nobody\nMessage-ID: <1@example.org>\n\nHello\n"
    world.raw(raw)
    assert world.step()["held"] == 1
    ran = world.do("doctor")
    assert world.run("doctor", "--json").json["put_aside"] == [1]
    assert "held mail no. 1" in ran.out
    assert "All is well" not in ran.out
    assert ran.out.splitlines()[-1].endswith(
        "1 thing waits for you (held 1); `referee desk` has the commands."
    )
