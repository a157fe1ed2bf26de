"""Players find each other by mail: a match is proposed, everybody named is asked, it opens with the last Yes."""

import json
import re
from datetime import datetime, timedelta
from email.utils import parseaddr
from pathlib import Path

import pytest

from tests.club.company import NAMES, Company, address
from tests.upkeep.club import sql
from tests.world import Sent, kinds

ANN, BEN, CLEO, DORA, EMIL = NAMES[:5]
STRANGER = "Zed Zeller"


@pytest.fixture
def company(tmp_path: Path) -> Company:
    return Company(tmp_path)


def matches(company: Company) -> dict[str, dict[str, object]]:
    return {row["match"]: row for row in json.loads(company.world.run("list", "--json").out)}


def test_everybody_named_is_asked_and_the_last_yes_opens_the_match(company: Company) -> None:
    letters = company.propose(ANN, "multigo", f"With: {address(BEN)}, {address(CLEO)}", "Option: board=9x9")
    assert kinds(letters) == {"proposal": [address(BEN), address(CLEO)], "receipt": [address(ANN)]}
    assert set(matches(company)) == {"buttons-1", "buttons-2"}
    letters = company.reply(company.to(BEN, "proposal"), "Yes please")
    assert kinds(letters) == {"receipt": [address(BEN)], "status": [address(ANN)]}
    letters = company.reply(company.to(CLEO, "proposal"), "Yes")
    assert sorted(x.to for x in letters if x.kind == "opened") == sorted(map(address, (ANN, BEN, CLEO)))
    row = matches(company)["multigo-1"]
    assert sorted(seat["name"] for seat in row["seats"]) == [ANN, BEN, CLEO]
    assert row["status"] == "open"


def test_a_form_filled_in_inside_the_quote_counts(company: Company) -> None:
    (form,) = company.send(ANN, "propose morris")
    block = form.text[form.text.index("Game: morris") :].strip()
    filled = block.replace("With:", f"With: {address(BEN)}", 1)
    quoted = "On Sunday I wrote:\n" + "\n".join(f"> {line}" for line in filled.splitlines())
    letters = company.reply(form, quoted)
    assert kinds(letters)["proposal"] == [address(BEN)]
    unchanged = "\n".join(f"> {line}" for line in block.splitlines())
    assert set(kinds(company.reply(form, f"On Sunday I wrote:\n{unchanged}"))) == {"help"}


def test_whom_the_subject_names_stands_in_the_form(company: Company) -> None:
    (form,) = company.send(ANN, f"propose morris with {address(BEN)}, {address(CLEO)} open")
    assert f"With: {address(BEN)}, {address(CLEO)}" in form.text
    assert kinds(company.reply(form, f"Game: morris\nWith: {address(BEN)}"))["proposal"] == [address(BEN)]


def test_every_fault_is_told_at_once_and_the_form_comes_back(company: Company) -> None:
    letters = company.propose(
        ANN, "morris", "With: Ben Baker", "Open: many", "Option: bord=3", "Wiht: x@y.example", f"With: {address(ANN)}"
    )  # fmt: skip
    assert kinds(letters) == {"refusal": [address(ANN)]}
    text = letters[0].words
    for fault in ("Line 1", "Line 2", "Line 4", "You play yourself"):
        assert fault in text
    assert "Game: morris" in letters[0].text
    assert "bord" in company.propose(ANN, "morris", f"With: {address(BEN)}", "Option: bord=3")[0].words


def test_a_bare_from_proposes_nothing_before_its_owner_has_said_yes(company: Company) -> None:
    body = f"With: {address(BEN)}"
    letters = company.send(ANN, "propose morris", body)
    assert kinds(letters) == {"challenge": [address(ANN)]}
    letters = company.reply(letters[0], "Yes")
    assert kinds(letters) == {"proposal": [address(BEN)], "receipt": [address(ANN)]}


def test_a_stranger_proposes_nothing_and_learns_nothing(company: Company) -> None:
    letters = company.send(STRANGER, "propose morris", f"With: {address(BEN)}")
    told = [letter for letter in letters if letter.kind != "alarm"]
    assert told[0].kind == "help"
    assert "Nobody waits for an opponent at Nine Men's Morris here" in told[0].words
    assert BEN.split()[0] not in told[0].words, "whom he names is nobody's business but theirs"
    assert not [x for x in company.letters if x.to == address(BEN) and x.kind == "proposal"]


def test_only_the_reply_address_of_its_own_letter_answers_an_invitation(company: Company) -> None:
    company.propose(ANN, "morris", f"With: {address(BEN)}")
    asked = company.to(BEN, "proposal")
    company.at += timedelta(minutes=1)
    company.world.mail(
        address(BEN), f"Re: {asked.subject}", "Yes", company.at.isoformat(), reply_to=asked.message["Message-ID"]
    )  # fmt: skip
    company.step(timedelta(0))
    assert "morris-1" not in matches(company)
    letters = company.reply(asked, "Yes", address(CLEO))
    assert kinds(letters) == {"refusal": [address(CLEO)]}
    assert "morris-1" not in matches(company)
    company.reply(asked, "Yes")
    assert "morris-1" in matches(company)


def masked(letter: Sent, *names: str) -> str:
    """A letter without what the same letter about another address may have otherwise: nothing but that address."""
    text = letter.text
    for name in names:
        text = text.replace(address(name), "ADDRESS")
    head = [f"{key}: {letter.message[key]}" for key in ("From", "To", "Subject", "Date")]
    return "\n".join([*head, letter.message["X-Referee-Notice"], text])


def test_no_answer_tells_whether_an_address_is_known(tmp_path: Path) -> None:
    """The same proposal with a player, with nobody, and with somebody who wishes never to be asked: the proposer, and
    whoever asks for lists, gets the same letters at the same times, until somebody answers."""
    seen = []
    for name in (CLEO, STRANGER, DORA):
        company = Company(tmp_path / name.split()[0])
        company.propose(ANN, "morris", f"With: {address(DORA)}")
        company.reply(company.to(DORA, "proposal"), "never again")
        company.send(ANN, "withdraw proposal-1", to=company.to(ANN, "status").message["Reply-To"])
        company.step(timedelta(days=2))
        told = company.propose(ANN, "morris", f"With: {address(name)}")
        mine = [x for x in told if x.to == address(ANN)]
        assert bool([x for x in told if x.kind == "proposal"]) == (name == CLEO)
        mine += company.send(STRANGER, "list") + company.send(BEN, "games")
        later = company.step(timedelta(days=8))
        mine += [x for x in later if x.to == address(ANN) and x.kind == "status"]
        seen.append([masked(x, CLEO, STRANGER, DORA) for x in mine])
        assert "nothing comes of it" in seen[-1][-1]
        assert len(seen[-1]) == 4
    assert seen[0] == seen[1] == seen[2]


def test_an_address_unknown_here_is_asked_only_when_the_moderator_says_so(company: Company) -> None:
    letters = company.propose(ANN, "morris", f"With: {address(STRANGER)}")
    assert [x.to for x in letters if x.kind == "proposal"] == []
    assert [x.kind for x in letters if x.to.startswith("moderator@")] == ["alarm"]
    (held,) = json.loads(company.world.run("desk", "--json").out)["held"]
    command = held["command"].removeprefix("referee ").split()
    assert company.world.run(*command, "--now", company.at.isoformat()).status == 0
    (asked,) = company.step()
    assert (asked.kind, asked.to) == ("proposal", address(STRANGER))
    company.reply(asked, "Yes as Zed Zeller")
    assert sorted(s["name"] for s in matches(company)["morris-1"]["seats"]) == [ANN, STRANGER]
    assert json.loads(company.world.run("desk", "--json").out)["held"] == []


def test_one_letter_a_proposer_and_day_and_the_rest_the_day_after(company: Company) -> None:
    company.propose(ANN, "morris", f"With: {address(BEN)}")
    letters = company.propose(ANN, "morris", f"With: {address(BEN)}")
    assert set(kinds(letters)) == {"receipt"}
    assert kinds(company.propose(CLEO, "morris", f"With: {address(BEN)}"))["proposal"] == [address(BEN)]
    later = company.step(timedelta(days=1, minutes=5))
    assert [x.subject for x in later if x.kind == "proposal"] == [company.to(BEN, "proposal").subject]
    assert "proposal-2" in later[0].subject + "".join(x.subject for x in later)


def test_never_again_holds_for_that_proposer_alone(company: Company) -> None:
    company.propose(ANN, "morris", f"With: {address(BEN)}")
    company.reply(company.to(BEN, "proposal"), "No, never again!")
    company.step(timedelta(days=3))
    assert "proposal" not in kinds(company.propose(ANN, "morris", f"With: {address(BEN)}"))
    assert kinds(company.propose(CLEO, "morris", f"With: {address(BEN)}"))["proposal"] == [address(BEN)]


def test_nobody_is_shown_before_his_yes_and_no_address_ever(company: Company) -> None:
    company.propose(ANN, "multigo", f"With: {address(BEN)}, {address(STRANGER)}", "Open: 1")
    (listed,) = company.send(DORA, "list")
    assert ANN in listed.text
    assert BEN not in listed.text.partition("Being played")[0]
    company.reply(company.to(BEN, "proposal"), "Yes")
    (listed,) = company.send(DORA, "list")
    assert BEN in listed.text.partition("Being played")[0]
    for letter in company.letters:
        own = {letter.to, *(address for _, address in [parseaddr(letter.message["From"])])}
        shown = set(re.findall(r"[\w.+-]+@[\w-]+\.example", letter.text)) - own
        assert not shown or letter.to.startswith("moderator@"), (letter.text, shown)


def test_an_open_seat_is_taken_by_join_and_a_bare_from_is_asked(company: Company) -> None:
    company.propose(ANN, "morris", "Open: 1")
    letters = company.send(EMIL, "join proposal-1")
    assert kinds(letters) == {"proposal": [address(EMIL)]}
    company.reply(letters[0], "Yes")
    assert sorted(s["name"] for s in matches(company)["morris-1"]["seats"]) == [ANN, EMIL]
    assert kinds(company.send(DORA, "join proposal-1")) == {"refusal": [address(DORA)]}


def test_it_expires_where_it_is_not_full_and_a_late_yes_opens_nothing(company: Company) -> None:
    company.propose(ANN, "multigo", f"With: {address(BEN)}, {address(CLEO)}")
    company.reply(company.to(BEN, "proposal"), "Yes")
    asked = company.to(CLEO, "proposal")
    assert not [
        x
        for x in company.world.passed((company.at + timedelta(days=6)).isoformat())
        if "proposal-1" in x.subject
    ]
    letters = company.step(timedelta(days=7, hours=1))
    assert sorted(x.to for x in letters if "nothing came of it" in x.subject) == sorted(
        map(address, (ANN, BEN))
    )
    assert [x.kind for x in company.reply(asked, "Yes") if x.to == address(CLEO)] == ["refusal"]
    assert "multigo-1" not in matches(company)


def test_a_yes_that_came_in_time_counts_though_it_is_read_late(company: Company) -> None:
    company.propose(ANN, "morris", f"With: {address(BEN)}")
    in_time = company.at + timedelta(days=6, hours=23)
    company.world.reply(company.to(BEN, "proposal"), "Yes", in_time.isoformat())
    company.step(timedelta(days=9))
    assert "morris-1" in matches(company)


def test_each_event_of_it_is_written_with_the_clock_of_its_pass(company: Company) -> None:
    company.propose(ANN, "morris", "Open: 1")
    made = company.at
    company.step(timedelta(days=30))
    written = [
        datetime.fromisoformat(at) for (at,) in sql(company.world.folder, "SELECT at FROM club_ledger")
    ]
    assert written == [made, company.at]


def test_its_proposer_takes_it_back_and_a_player_steps_back(company: Company) -> None:
    company.propose(ANN, "multigo", f"With: {address(BEN)}, {address(CLEO)}")
    company.reply(company.to(BEN, "proposal"), "Yes")
    own = company.to(BEN, "proposal").message["Reply-To"]
    letters = company.send(BEN, "withdraw proposal-1", to=own)
    assert sorted(x.to for x in letters) == sorted(map(address, (ANN, BEN)))
    letters = company.send(ANN, "withdraw proposal-1")
    assert kinds(letters) == {"challenge": [address(ANN)]}
    company.reply(letters[0], "Yes")
    assert [x.kind for x in company.reply(company.to(CLEO, "proposal"), "Yes")] == ["refusal"]


def test_rematch_asks_the_same_people_and_turns_the_seats(company: Company) -> None:
    match = company.matches[0]
    before = {s["number"]: s["name"] for s in company.world.show(match)["seats"]}
    refused = company.send(ANN, f"rematch {match}")
    assert kinds(refused) == {"refusal": [address(ANN)]}, "nothing comes of it: nobody is asked whose it is"
    company.world.do("end", match, "--as", "drawn", "--why", "enough", "--now", company.at.isoformat())
    company.step()
    asked = company.send(BEN, f"rematch {match}")
    assert kinds(asked) == {"challenge": [address(BEN)]}
    company.reply(asked[0], "Yes")
    company.reply(company.to(ANN, "proposal"), "Yes")
    after = {s["number"]: s["name"] for s in company.world.show("buttons-3")["seats"]}
    assert after == {1: before[2], 2: before[1]}


def test_configuration_says_which_games_and_how_many(company: Company) -> None:
    company.world.configure("proposals = 3", 'proposals = 1\ngames = ["morris"]')
    assert "can't be proposed here" in company.propose(ANN, "multigo", "Open: 1")[0].words
    assert "receipt" in kinds(company.propose(ANN, "morris", "Open: 1"))
    refused = company.propose(ANN, "morris", "Open: 1", "Option: flying=off")[0]
    assert "One proposal of yours may wait" in refused.words


def test_a_name_that_somebody_has_is_asked_for_anew(company: Company) -> None:
    company.propose(ANN, "multigo", "Open: 2")
    company.world.mail(f"{ANN} <else@where.example>", "join proposal-1", "", company.at.isoformat())
    (asked,) = company.step()
    (refused,) = [x for x in company.reply(asked, "Yes") if x.to == "else@where.example"]
    assert refused.kind == "refusal"
    company.reply(asked, "Yes as Ann Other")
    (listed,) = company.send(DORA, "list")
    assert "Ann Other" in listed.text


def test_the_command_line_proposes_too(company: Company) -> None:
    now = ("--now", company.at.isoformat())
    by = f"{ANN} <{address(ANN)}>"
    wrong = company.world.run(
        "propose", "morris", "--by", by, "--with", address(ANN), "--option", "bord=3", *now
    )
    assert (wrong.status, wrong.err.count("\n")) == (1, 2)
    made = company.world.run("propose", "morris", "--by", by, "--with", address(STRANGER), *now)
    assert (made.status, made.out.strip()) == (0, "proposal-1")
    (asked,) = [x for x in company.step() if x.kind == "proposal"]
    company.reply(asked, "Yes")
    assert "morris-1" in matches(company)
    company.world.run("end", "morris-1", "--as", "drawn", "--why", "enough", "--now", company.at.isoformat())
    assert (
        company.world.run("rematch", "morris-1", "--now", company.at.isoformat()).out.strip() == "proposal-2"
    )


def test_where_the_server_takes_no_tokens_the_message_id_answers(company: Company) -> None:
    company.world.configure("tokens = true", "tokens = false")
    company.propose(ANN, "morris", f"With: {address(BEN)}")
    asked = company.to(BEN, "proposal")
    assert asked.message["Reply-To"] == "collector@referee.localhost"
    company.reply(asked, "Yes")
    assert "morris-1" in matches(company)


def test_a_moderator_proposes_under_a_persons_name_and_needs_nobodys_yes(company: Company) -> None:
    desk = "moderator@referee.localhost"
    company.world.mail(desk, "propose morris", "", company.at.isoformat())
    (form,) = company.step()
    told = company.reply(form, f"With: {address(STRANGER)}", desk)
    assert [x.kind for x in told] == ["refusal"]
    told = company.reply(form, f"With: {address(STRANGER)}\n", f"Mo Mason <{desk}>")
    assert kinds(told) == {"proposal": [address(STRANGER)], "receipt": [desk]}


def test_who_is_asked_reads_the_boards_size_and_the_pace(company: Company) -> None:
    """Also where both are the usual ones."""
    company.propose(ANN, "multigo", f"With: {address(BEN)}")
    words = company.to(BEN, "proposal").words
    assert "The board is 19x19." in words
    assert "A move may take 1 week." in words


def test_a_form_of_five_lines_chooses_board_and_pace_and_options_tells_all_else(company: Company) -> None:
    (form,) = company.send(BEN, "propose multigo")
    block = form.text[form.text.index("Game: multigo") :].strip().splitlines()
    assert block == ["Game: multigo", "With:", "Open:", "Size: 19x19", "Pace: 7d"]
    (told,) = company.send(ANN, "options multigo")
    assert "Option: superko=positional" in told.words
    assert "Option: hour=none" in told.words
    wished = ("Size: 9", "Pace: 3 days a move", "Name: sunday-go", "Option: players=2")
    company.propose(ANN, "multigo", f"With: {address(BEN)}", *wished)
    words = company.to(BEN, "proposal").words
    assert "The board is 9x9." in words
    assert "A move may take 3 days." in words
    assert "The match will be called sunday-go." in words
    assert "The option players is 2; usually it is seats." in words
    company.reply(company.to(BEN, "proposal"), "Yes")
    assert "sunday-go" in matches(company)
    told = company.propose(
        ANN, "multigo", f"With: {address(BEN)}", "Name: sunday-go", "Pace: soon", "Size: huge"
    )
    text = next(x for x in told if x.kind == "refusal").words
    for fault in ("There is a match 'sunday-go' already", '"Pace: soon" is not possible', '"Size: huge"'):
        assert fault in text
    assert "Name: sunday-go" in next(x for x in told if x.kind == "refusal").text
    company.propose(ANN, "fourplay", f"With: {address(CLEO)}", "Open: 2", "Pace: 12 hours")
    assert "A turn may take 12 hours." in company.to(CLEO, "proposal").words
    told = company.propose(ANN, "morris", f"With: {address(BEN)}", "Size: 9x9")
    assert "has one size" in next(x for x in told if x.kind == "refusal").words
