"""Contract, 'Mail in': what the referee can answer itself it answers question by question; words that are no order and
no command bring a few lines, and are passed on to all where their writer agrees; help as a whole comes to who asks for
it and to strangers, and is half as long as it was."""

from pathlib import Path

import pytest

from tests.understood.scenes import Scene, played, stamp
from tests.world import START, Sent, World, kinds

ANN, BEN = "ann@example.org", "ben@example.org"
THREE = ["Ann <ann@example.org>", "Ben <ben@example.org>", "Cleo <cleo@example.org>"]
WAS = 8424  # signs of the help letter to a player of one match of Go, before


@pytest.fixture
def go(tmp_path: Path) -> Scene:
    return played("go", tmp_path / "go")


@pytest.fixture
def turn(tmp_path: Path) -> Scene:
    return played("turn", tmp_path / "turn")


def told(scene: Scene, who: str, words: str, answers: str = "due") -> Sent:
    before = scene.ledger()
    scene.world.reply(scene.letter(answers, who), words, stamp(scene.now))
    (letter,) = (x for x in scene.passed(scene.now)[1] if x.to == who)
    assert scene.ledger() == before
    assert letter.kind in ("status", "preview")
    assert len(letter.text.splitlines()) <= 26
    return letter


@pytest.mark.parametrize(
    "words", ["When is my move due?", "how long do I have?", "Bis wann?", "Quand dois-je jouer ?"]
)
def test_until_when_comes_first(go: Scene, words: str) -> None:
    letter = told(go, ANN, words)
    assert "is still due by Sunday 8 March 2026" in letter.words.partition("holds no order")[0]


def test_whose_turn_it_is(go: Scene) -> None:
    assert "It is your turn." in told(go, ANN, "Whose turn is it? I lost track...").words
    letter = told(go, BEN, "whose turn is it, please?", "receipt")
    assert "It is not your turn. The match waits for Ann Archer (Player 1)." in letter.words


def test_which_subject(go: Scene) -> None:
    assert "Go: Move / Player 1 [multigo-1]" in told(go, ANN, "Which subject do I have to use?").text


def test_what_players_hold(go: Scene, turn: Scene) -> None:
    assert "Prisoners held" in told(go, ANN, "How many points do I have?").text
    letter = told(turn, "hugo@example.org", "What is my army worth?")
    assert "The pieces that you own have a value of 72; you have 80 F$." in letter.words


def test_two_questions_have_two_answers_and_others_none(go: Scene) -> None:
    both = told(go, ANN, "Whose turn is it? And which subject must I use?").words
    assert "It is your turn." in both
    assert "You need no subject" in both
    assert "It is your turn." not in told(go, ANN, "How is the weather in Hamburg?").words


@pytest.mark.parametrize(
    "words", ["why did you play F2???", "Not E5!", "I would never play D5 here, would you?"]
)
def test_talk_about_a_move_is_shown_as_what_was_not_taken_for_an_order(go: Scene, words: str) -> None:
    letter = told(go, ANN, words)
    assert f"> {words}" in letter.text
    assert "I took no order from this" in letter.words
    assert "the moderator" in letter.words


def test_words_go_to_all_where_their_writer_says_tell(turn: Scene) -> None:
    hugo = "hugo@example.org"
    letter = told(turn, hugo, "Greetings from rainy Hamburg!\nWhat an army!")
    assert "Reply with the word TELL" in letter.words
    turn.world.reply(letter, "OK", stamp(turn.now))  # which is no word for it
    assert "press" not in kinds(turn.passed(turn.now)[1])
    turn.world.reply(letter, "Tell.", stamp(turn.now))
    _, letters = turn.passed(turn.now)
    assert set(kinds(letters)) == {"receipt", "press"}
    assert (len(kinds(letters)["press"]), hugo in kinds(letters)["press"]) == (
        3,
        False,
    )  # the writer has a receipt
    assert all("> Greetings from rainy Hamburg!" in x.text for x in letters)


def test_friendly_words_beside_an_order_are_passed_on_by_tell(turn: Scene) -> None:
    order = "Neutron: h8-h15\nKing: o10-o11\n\nGreetings from rainy Hamburg!"
    turn.world.reply(turn.letter("due", "hugo@example.org"), order, stamp(turn.now))
    (letter,) = (x for x in turn.passed(turn.now)[1] if x.kind == "receipt")
    assert "Reply with the word TELL" in letter.words
    turn.world.reply(letter, "TELL", stamp(turn.now))
    told_all = [x for x in turn.passed(turn.now)[1] if x.kind == "press"]
    assert len(told_all) == 3
    assert all("> Greetings from rainy Hamburg!" in x.text and "h8-h15" not in x.text for x in told_all)


@pytest.mark.one_in(3)
@pytest.mark.parametrize(
    "words", ["Thanks!", "Hello!", "Thank you.\nHugo", "Good luck!", "Danke!", "Merci !"]
)
def test_pure_courtesy_is_passed_on_to_nobody(turn: Scene, words: str) -> None:
    assert "TELL" not in told(turn, "hugo@example.org", words).words


def test_where_players_do_not_talk_nothing_is_offered_and_tell_sends_nothing(go: Scene) -> None:
    letter = told(go, ANN, "Greetings from rainy Hamburg!")
    assert "TELL" not in letter.words
    go.world.reply(letter, "TELL", stamp(go.now))
    assert "press" not in kinds(go.passed(go.now)[1])


def test_help_is_half_as_long_and_comes_to_who_asks(go: Scene) -> None:
    for sender, subject, kind in (
        ("Ann Archer <ann@example.org>", "help", "help"),
        ("Stranger <who@elsewhere.example>", "What is this?", "help"),
        ("Ann Archer <ann@example.org>", "Fourplay: Turn / Player 1", "status"),
    ):
        go.world.mail(sender, subject, "Hello", stamp(go.now))
        _, (letter,) = go.passed(go.now)
        assert letter.kind == kind, letter.text
        assert len(letter.text) <= (WAS / 2 if kind == "help" else WAS / 8)


def test_words_beside_a_sealed_order_leave_with_the_reveal(tmp_path: Path) -> None:
    world = World(tmp_path)
    match = world.open("multigo", THREE, order="parallel", board="9x9", press="on")
    asked = {letter.to: letter for letter in world.passed(START) if letter.kind == "due"}
    moves = dict(zip(sorted(asked), ("C3", "D4", "E5"), strict=True))
    (receipt,) = world.replies(
        asked["ann@example.org"], f"{moves['ann@example.org']}\n\nGreetings from rainy Hamburg!", START
    )
    assert "with the next reveal? Reply with the word TELL" in receipt.words
    (told,) = world.replies(receipt, "TELL", START)
    assert "with the next reveal" in told.words
    for address in sorted(asked)[1:]:
        assert "press" not in {letter.kind for letter in world.new_letters()}
        world.reply(asked[address], moves[address], START)
        world.step(START)
    heard = {letter.to for letter in world.new_letters() if letter.kind == "press"}
    assert heard == set(sorted(asked)[1:])  # their writer has had a receipt
    (tmp_path / "record.json").write_text(record := world.run("record", match).out, encoding="utf-8")
    assert "Greetings from rainy Hamburg!" in record
    assert world.run("verify", str(tmp_path / "record.json")).status == 0


def test_kept_words_of_a_former_player_reach_who_sits_there_now_under_the_name_of_their_writer(
    tmp_path: Path,
) -> None:
    world = World(tmp_path)
    match = world.open("multigo", THREE, order="parallel", board="9x9", press="on")
    world.step(START)
    world.mail(THREE[1], f"press {match}", "The kettle is on, dear all.", START)
    world.step(START)
    two = str({seat["name"]: seat["number"] for seat in world.show(match)["seats"]}[THREE[1].split(" <")[0]])
    new = "Dora Dunn <dora@example.org>"
    assert world.run("replace", match, two, new, "--why", "moved away", "--now", START).status == 0
    world.passed(START)
    names = {seat["number"]: seat["name"] for seat in world.show(match)["seats"]}
    people = {one.split(" <")[0]: one for one in (*THREE, new)}
    for row, (seat, name) in enumerate(sorted(names.items()), 3):
        world.mail(people[name], f"Go: Move / Player {seat} [{match}]", f"Move: C{row}", START)
    heard = {letter.to: letter for letter in world.passed(START) if letter.kind == "press"}
    assert sorted(heard) == sorted(people[name].partition("<")[2].rstrip(">") for name in names.values())
    for letter in heard.values():
        assert f"{THREE[1].split(' <')[0]} wrote this before the seat changed hands" in " ".join(
            letter.text.split()
        )
        assert "The kettle is on" in letter.text
    world.verifies(match)
