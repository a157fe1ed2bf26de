"""What the command line opens, names and says to all, a moderator's mail does too; and what stays the shell's."""

import pytest

from referee.cli.app import COMMANDS
from referee.mail.read.subject import COMMANDS as PLAYERS
from referee.moderation.verbs import VERBS
from referee.way.orders import SHELL
from tests.offices.moderator.test_orders_by_mail import AT, MO, Desk
from tests.world import ANN, BEN, Sent

EVE = '"Eve Eden <eve@example.org>"'
PAIR = "Cleo <cleo@example.org>; Europe/Berlin\nDan <dan@example.org>\n"


def matches(desk: Desk) -> list[str]:
    return [match["match"] for match in desk.world.run("list", "--json").json]


def confirmed(desk: Desk, subject: str, body: str = "") -> list[Sent]:
    """What comes of a mail that proves nothing: he is asked, and nothing is done before his Yes."""
    before = desk.world.run("list", "--json").out, desk.world.show(desk.match)
    (asked,) = desk.asks(subject, body)
    assert (asked.kind, asked.to) == ("challenge", MO)
    assert (desk.world.run("list", "--json").out, desk.world.show(desk.match)) == before
    return desk.reply(asked, "Yes", AT)[1]


def refused(desk: Desk, subject: str, body: str = "") -> str:
    return desk.done(subject, body, kind="refusal")


# --- open --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("subject", "body"),
    [
        ("open morris --name m9 --option starter=1", PAIR),
        ('open morris "Cleo <cleo@example.org>" --seat "Dan <dan@example.org>" name m9', "Regards\nMo"),
        ("open morris starter=2", f"{PAIR}--name m9"),
        (
            "open morris",
            'name: m9\n--seat "Cleo <cleo@example.org>" --seat "Dan <dan@example.org>"\nstarter: 2',
        ),
        ("Open Morris --name=m9", f"Hello\n\n{PAIR}\nOption: starter=2\n\nRegards\nMo"),
    ],
)
def test_a_match_is_opened(desk: Desk, subject: str, body: str) -> None:
    letters = desk.orders(subject, body)
    (receipt,) = [x for x in letters if x.to == MO]
    assert (receipt.kind, "end m9 --as called-off" in receipt.text) == ("receipt", True), receipt.text
    assert {x.to for x in letters} >= {"cleo@example.org", "dan@example.org"}
    assert [seat["name"] for seat in desk.world.show("m9")["seats"]] == ["Cleo", "Dan"]
    desk.done("end m9 --as called-off", "a slip")
    assert desk.world.show("m9")["status"] == "ended"


def test_a_match_is_opened_with_free_seats_and_a_name_of_the_games(desk: Desk) -> None:
    assert "morris-1" in desk.done('open morris --seat "Cleo <cleo@example.org>" --vacant 1')
    assert desk.world.show("morris-1")["vacant"]


def test_a_bare_from_opens_nothing_before_its_yes(desk: Desk) -> None:
    letters = confirmed(desk, "open morris --name m9", PAIR)
    assert "receipt" in [x.kind for x in letters if x.to == MO]
    assert "m9" in matches(desk)


@pytest.mark.parametrize(
    ("subject", "body", "fault"),
    [
        ("open chess", PAIR, "no game 'chess'"),
        ("open morris", "", "played by 2"),
        ("open morris --option starter=9", PAIR, "starter"),
        ("open morris --seat Cleo", "", "names nobody"),
        ("open morris --record m1.json", PAIR, "--record is the shell's"),
        ("open morris", f"{PAIR}--record m1.json", "--record is the shell's"),
        ("open morris", f"{PAIR}starter = 9", "starter"),
        ("open morris --check", PAIR, "no dry run of open"),
        ("open morris?", PAIR, "no dry run of open"),
        ("Preview: open morris", PAIR, "no dry run of open"),
    ],
)
def test_what_opens_nothing(desk: Desk, subject: str, body: str, fault: str) -> None:
    before = matches(desk)
    assert fault in refused(desk, subject, body)
    assert matches(desk) == before


def test_only_the_moderator_opens_and_a_sentence_is_no_order(desk: Desk) -> None:
    _, (told,) = desk.send(ANN, "open morris", PAIR, AT)
    assert (told.kind, "only the moderator" in told.words) == ("refusal", True)
    _, letters = desk.send(BEN, "open question", "just so", AT)
    assert all("only the moderator" not in x.words for x in letters)
    assert matches(desk) == [desk.match]


def test_no_file_of_the_machine_is_read(desk: Desk) -> None:
    told = refused(desk, "open fourplay --option position=/etc/passwd", PAIR)
    assert ("root:" in told, "position is a file" in told) == (False, True)
    assert 'open GAME --seat "Name <address>"' in refused(desk, "open morris --seat Cleo")
    assert matches(desk) == [desk.match]


# --- substitute --------------------------------------------------------------------------------------------------


def test_a_substitute_is_named_and_dropped(desk: Desk) -> None:
    name = desk.match
    assert f"substitute {name} 2 --off" in desk.done(f"substitute {name} 2 {EVE}")
    desk.done(f"substitute {name} player 2 off")
    letters = confirmed(desk, f"substitute {name} 2 {EVE}", "Once more")
    assert "receipt" in [x.kind for x in letters if x.to == MO]
    desk.done(f"vacate {name} 2", "Ben has left")
    assert desk.world.show(name)["seats"][1]["name"] == "Eve Eden"


def test_a_dry_run_of_a_substitute_names_none(desk: Desk) -> None:
    name = desk.match
    for ask in (" --check", "?"):
        assert "Nothing is changed" in desk.done(f"substitute {name} 2 {EVE}{ask}", kind="preview")
    desk.done(f"vacate {name} 2", "Ben has left")
    assert desk.world.show(name)["vacant"] == [2]


def test_what_is_wrong_with_a_substitute_is_named(desk: Desk) -> None:
    assert "which player" in refused(desk, f"substitute {desk.match} {EVE}")
    assert "Name <address>" in refused(desk, f"substitute {desk.match} 2")


def test_a_players_own_substitute_is_his_as_ever(desk: Desk) -> None:
    _, letters = desk.send(ANN, f"substitute {desk.match} eve@example.org", "", AT)
    assert all("only the moderator" not in x.words for x in letters)
    assert "eve@example.org" in {x.to for x in letters} | {x.to for x in desk.letters} or letters


# --- say --all ---------------------------------------------------------------------------------------------------


def test_all_matches_are_told(desk: Desk) -> None:
    other = desk.world.open("buttons", desk.people)
    gone = desk.world.open("buttons", desk.people)
    desk.done(f"end {gone} as drawn", "agreed")
    for subject, body in (("say --all", "Well met, all of you."), ("say --all Well met, all of you.", "")):
        letters = desk.orders(subject, body)
        told = sorted((x.match, x.to) for x in letters if x.kind == "announcement" and "Well met" in x.text)
        assert told == sorted((name, to) for name in (desk.match, other) for to in (ANN, BEN))
        (receipt,) = [x for x in letters if x.to == MO]
        assert (receipt.kind, receipt.text.count("said."), receipt.text.count("undoes")) == ("receipt", 1, 1)
    letters = confirmed(desk, "say --all", "Once more.")
    assert len([x for x in letters if x.kind == "announcement"]) == 4


def test_a_dry_run_tells_nobody(desk: Desk) -> None:
    for subject, body in (("say --all?", "Well met"), ('say --all "Well met" --check', "")):
        letters = desk.orders(subject, body)
        assert [(x.kind, x.to) for x in letters] == [("preview", MO)]


def test_what_is_said_to_one_match_may_speak_of_all(desk: Desk) -> None:
    letters = desk.orders(f'say {desk.match} "All is well" all', "")
    letters += desk.orders(f"say {desk.match} all is well", "")
    assert [x for x in letters if x.kind == "announcement" and "all is well" in x.text]
    assert "which is meant" in refused(desk, f"say {desk.match} --all Well met")
    assert "without a seat" in refused(desk, "say --all --seat 1 Well met")


def test_the_command_line_tells_all(desk: Desk) -> None:
    assert desk.world.run("say", "--all", "Well met.", "--now", AT).status == 0
    _, letters = desk.step(AT)
    assert {x.to for x in letters if "Well met." in x.text} == {ANN, BEN}
    assert desk.world.run("say", "--all", "--now", AT).status == 2
    assert desk.world.run("say", desk.match, "--now", AT).status == 2


# --- events ------------------------------------------------------------------------------------------------------


def test_an_event_is_announced_entered_and_started(desk: Desk) -> None:
    new = "event new Cup --game morris --kind round-robin"
    assert "receipt" in [x.kind for x in confirmed(desk, new) if x.to == MO]
    letters = desk.orders("event enter cup", PAIR.replace("; Europe/Berlin", ""))
    for asked in [x for x in letters if x.kind == "proposal"]:
        desk.reply(asked, "Yes", AT)
    for ask in (" --check", " —check", "?", " --preview"):
        assert "dry run" in refused(desk, f"event start cup{ask}")
    assert desk.world.run("event", "show", "cup", "--json").json["status"] == "entry"
    assert "has started" in desk.done("event start cup")
    assert desk.world.run("event", "show", "cup", "--json").json["status"] == "playing"


# --- what stays the shell's --------------------------------------------------------------------------------------


def test_every_command_of_the_command_line_is_by_mail_or_the_shells() -> None:
    assert {name for name in COMMANDS if name not in VERBS and name not in PLAYERS} == set(SHELL)


@pytest.mark.one_in(4)
@pytest.mark.parametrize("name", sorted(SHELL))
def test_the_shells_own_is_told_so(desk: Desk, name: str) -> None:
    told = refused(desk, f"{name} something")
    assert f"`referee {name} --help`" in told, told
