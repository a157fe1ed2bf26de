"""Who fills a measure, and whom it silences: nobody who proves less silences somebody who proves more, no kind of mail
another kind, no stranger a player. What is over a measure is told once."""

from collections import Counter
from pathlib import Path

import pytest

from tests.attacks.conftest import SERVER
from tests.way.test_loops import MODERATOR, minute
from tests.world import START, Sent, Table, World, kinds, vouched

VICTIM = "vic@elsewhere.example"
JOINER = "June Jolly <june@elsewhere.example>"
DENIED = {"Authentication-Results": f"{SERVER}; dmarc=fail header.from=example.org"}
SPAM = {"X-Spam-Flag": "YES"}
LATER = "2026-03-02T09:00:00Z"


def vacant(world: World) -> str:
    opened = world.run(
        "open", "buttons", "--seat", "Cleo <cleo@example.org>", "--vacant", "1", "--now", START
    )
    return opened.out.strip()


def to(letters: list[Sent], address: str) -> list[Sent]:
    return [letter for letter in letters if letter.to == address]


def test_strangers_questions_silence_no_wish_and_the_moderator_is_told_once(table: Table) -> None:
    match = vacant(table.world)
    table.world.configure("strangers_in_all = 200 ", "strangers_in_all = 20 ")
    table.step(START)
    for number in range(23):
        table.world.mail(f"s{number}@elsewhere.example", "help", f"please {number}", minute(number, 1))
    _, letters = table.step(LATER)
    assert kinds(letters)["help"] == sorted(f"s{number}@elsewhere.example" for number in range(20))
    (crowd,) = to(letters, MODERATOR)
    assert "20 questions of people who play nowhere here" in crowd.words
    _, letters = table.send(table.mover, "status", "", minute(0, 10))
    assert kinds(letters) == {"status": [table.mover]}, "strangers use up nothing that players have"
    _, letters = table.send(JOINER, f"join {match}", "", minute(1, 10))
    assert kinds(letters) == {"challenge": ["june@elsewhere.example"]}
    counts, letters = table.reply(letters[0], "Yes", minute(2, 10))
    assert counts["accepted"] == 1
    _, letters = table.send("Wanda <w@elsewhere.example>", f"join {match}", "", minute(3, 10))
    assert kinds(letters)["help"] == ["w@elsewhere.example"], "what is open; the match itself is full"
    assert {x.to for x in letters} <= {"w@elsewhere.example", MODERATOR}


def test_a_stranger_who_asked_for_help_may_join_in_the_same_thread(table: Table) -> None:
    match = vacant(table.world)
    _, letters = table.send(JOINER, "help", "", minute(1, 1))
    asked = next(x for x in letters if x.kind == "help")
    _, letters = table.send(
        JOINER, f"join {match}", "", minute(2, 1), reply_to=asked.message["Message-ID"],
        headers={"References": f"{asked.message['References']} {asked.message['Message-ID']}"},
    )  # fmt: skip
    assert kinds(letters) == {"challenge": ["june@elsewhere.example"]}


def test_wishes_in_somebodys_name_bring_him_one_question(table: Table) -> None:
    matches = [vacant(table.world) for _ in range(4)]
    table.step(START)
    subjects = [f"{wish} {match}" for wish in ("join", "observe") for match in (*matches, table.match)]
    for number in range(60):
        table.world.mail(VICTIM, subjects[number % len(subjects)], f"please {number}", minute(number, 1))
    _, letters = table.step(LATER)
    assert len([x for x in to(letters, VICTIM) if x.kind == "challenge"]) == 1
    assert len(to(letters, VICTIM)) <= 7, "the others say why nothing comes of it"
    question = next(x for x in letters if x.kind == "challenge")
    table.reply(question, "Yes", minute(1, 10))
    _, letters = table.send(VICTIM, f"join {matches[3]}", "and this", minute(2, 10))
    assert kinds(letters) == {"challenge": [VICTIM]}, "his Yes leaves room for another"


def test_nobody_observes_but_by_his_own_yes_and_a_match_has_so_many_observers(table: Table) -> None:
    watchers = [f"w{number}@elsewhere.example" for number in range(40)]
    for number, watcher in enumerate(watchers):
        table.world.mail(watcher, f"observe {table.match}", "", minute(number, 1))
    _, questions = table.step(LATER)
    assert kinds(questions) == {"challenge": sorted(watchers)}
    due = table.latest("due", table.mover)
    table.turn, mover = table.seat(table.other), table.mover
    _, letters = table.reply(due, table.orders(mover), minute(1, 10))
    assert {x.to for x in letters} == set(table.seats.values()), "unconfirmed, none of them gets anything"
    for question in questions:
        table.world.reply(question, "Yes", minute(2, 10))
    _, letters = table.step(minute(3, 10))
    told = kinds(letters)
    assert (len(told["receipt"]), len(told["help"])) == (20, 20)
    assert "as many observers as it may have, 20" in next(x for x in letters if x.kind == "help").words
    table.world.run("say", table.match, "A word.", "--now", minute(4, 10))
    _, letters = table.step(minute(4, 10))
    assert len([x for x in letters if x.kind == "announcement"]) == 22


def test_a_players_from_alone_wishes_no_letters_for_him(table: Table) -> None:
    other = table.world.open("buttons", ["Cleo <cleo@example.org>", "Dora <dora@example.org>"])
    table.step(START)
    _, letters = table.send(table.mover, f"observe {other}", "", minute(1, 1))
    assert kinds(letters) == {"challenge": [table.mover]}
    reply_to = table.latest("opened", table.mover).message["Reply-To"]
    _, letters = table.send(table.mover, f"observe {other}", "now", minute(2, 1), to=reply_to)
    assert kinds(letters) == {"receipt": [table.mover]}, "his reply address proves more"


@pytest.mark.parametrize("need", ["address", "vouched"])
def test_denied_mails_in_a_players_name_bring_him_one_letter_a_day(wary: Table, need: str) -> None:
    wary.world.configure('need = "vouched"', f'need = "{need}"')
    due = wary.latest("due", wary.mover)
    subjects = ["status", f"record {wary.match}", due.subject, f"{due.subject}?", "help", "resign", "substitute off",
                f"press {wary.match}", f"observe {wary.match}", "hello", f"address {VICTIM}"]  # fmt: skip
    for number in range(33):
        subject = subjects[number % len(subjects)]
        wary.world.mail(wary.mover, subject, f"Move: z{number}", minute(number, 1), headers=DENIED)
    _, letters = wary.step(LATER)
    assert kinds(to(letters, wary.mover)) == {"challenge": [wary.mover]}
    assert to(letters, VICTIM) == []
    assert len(to(letters, MODERATOR)) == 1
    _, letters = wary.send(wary.mover, "status", "it is me", minute(1, 10), headers=vouched("example.org"))
    assert kinds(letters) == {"status": [wary.mover]}
    _, letters = wary.send(wary.mover, "resign", "it is me", minute(2, 10))
    assert kinds(letters) == {"challenge": [wary.mover]}, "what nobody denies is counted apart"


def test_strangers_and_forgers_mute_no_alarm_of_a_player(table: Table) -> None:
    for number in range(60):
        sender = f"s{number}@elsewhere.example" if number % 2 else table.mover
        table.world.mail(sender, "hello", f"buy {number}", minute(number, 1), headers=SPAM)
    _, letters = table.step(LATER)
    assert len(to(letters, MODERATOR)) == 42, "of either kind twenty, and one that says so"
    _, letters = table.send(table.other, "hello", "it is me", minute(1, 10), headers=SPAM)
    assert kinds(letters) == {"alarm": [MODERATOR]}, "another player's"
    reply_to = table.latest("opened", table.mover).message["Reply-To"]
    _, letters = table.send(table.mover, "hello", "it is me", minute(2, 10), to=reply_to, headers=SPAM)
    assert kinds(letters) == {"alarm": [MODERATOR]}, "what proves more than those in his name"


@pytest.mark.parametrize(("named", "told"), [(True, {"challenge": 5}), (False, {"refusal": 10})])
def test_a_flood_of_one_question_to_a_player_silences_no_other(
    table: Table, named: bool, told: dict[str, int]
) -> None:
    """Ten mails that would take his substitute from him, or find none to take; then his own resignation."""
    if named:
        own = table.latest("due", table.mover).message["Reply-To"]
        _, letters = table.send(
            table.mover, f"substitute Eve Eliot <eve@example.org> {table.match}", "", START, to=own
        )
        (asked,) = to(letters, "eve@example.org")
        _, letters = table.reply(asked, "Yes", minute(0, 0))
        assert kinds(letters)["receipt"] == [table.mover, "eve@example.org"]
    for number in range(10):
        table.world.mail(table.mover, "substitute off", f"words {number}", minute(number, 1))
    _, letters = table.step(LATER)
    assert Counter(x.kind for x in to(letters, table.mover)) == told
    _, letters = table.send(table.mover, "resign", "", minute(1, 10))
    assert kinds(letters) == {"challenge": [table.mover]}


def test_an_observer_can_always_stop(table: Table, tmp_path: Path) -> None:
    table.world.configure("strangers_in_all = 200 ", "strangers_in_all = 20 ")
    table.watch("Wim <w@elsewhere.example>", START)
    for number in range(21):
        table.world.mail(f"s{number}@elsewhere.example", "help", f"please {number}", minute(number, 1))
    for number in range(8):
        table.world.mail("w@elsewhere.example", f"hello {number}", f"what {number}", minute(number, 6))
    table.step(LATER)
    table.send("w@elsewhere.example", f"stop {table.match}", "", minute(1, 10))
    table.world.run("say", table.match, "A word.", "--now", minute(2, 10))
    _, letters = table.step(minute(2, 10))
    assert {x.to for x in letters} == set(table.seats.values())
