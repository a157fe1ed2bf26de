"""Taking a seat that is not one's own to take, and seeing what its first player had kept to himself."""

from pathlib import Path

from tests.offices.moderator.test_vacancies import EVE, FINN, PEOPLE, Round, address, seats
from tests.world import START, World


def words(*texts: str) -> str:
    return " ".join(" ".join(texts).split())


def test_a_forged_join_gives_a_seat_to_nobody(tmp_path: Path) -> None:
    """In Eve's name Mal writes: she is asked, and neither silence nor Mal's Yes nor a second forgery seats her."""
    table = Round(tmp_path, "fourplay")
    table.leave(2, "2026-03-02T12:00:00Z")
    for day in range(3, 6):
        table.world.mail(EVE, f"join {table.match}", f"no. {day}", f"2026-03-0{day}T01:00:00Z")
        asked = table.pass_at(f"2026-03-0{day}T01:00:00Z")
        assert ("challenge", "eve@example.org") in [(x.kind, x.to) for x in asked], "once a day"
        question = next(x for x in asked if x.kind == "challenge")
        table.world.reply(question, "Yes", f"2026-03-0{day}T01:30:00Z", sender="Mal <mal@elsewhere.example>")
        table.pass_at(f"2026-03-0{day}T01:30:00Z")
    table.world.mail(
        EVE, f"join {table.match}", "Yes", "2026-03-06T05:00:00Z", reply_to="<guessed@referee.localhost>"
    )
    table.pass_at("2026-03-06T05:00:00Z")
    assert table.vacant == [2]


def test_the_successor_never_sees_the_sealed_purchase(tmp_path: Path) -> None:
    """Fourplay: replaced after his purchase had come; the new player owes his own, and no letter of his, nor any answer
    to whatever he tries, holds what the first one had bought."""
    table = Round(tmp_path, "fourplay")
    for seat in (1, 2, 3, 4):
        table.answer(seat, "2026-03-02T12:00:00Z")
    table.answer(2, "2026-03-03T12:00:00Z")
    receipt = next(x for x in reversed(table.letters) if x.kind == "receipt")
    bought = [line for line in receipt.text.splitlines() if "F$ each" in line]
    assert bought
    table.world.run("replace", table.match, "2", EVE, "--why", "ill", "--now", "2026-03-04T12:00:00Z")
    letters = table.pass_at("2026-03-04T12:00:00Z")
    title = "Fourplay: Initial Purchase of Pieces / Player 2"
    for hour, (subject, body) in enumerate(
        [("status", ""), (f"withdraw {table.match}", ""), (title, "Withdraw"), (f"{title}?", "10 Pawn"),
         (f"record {table.match}", ""), (f"board {table.match}", ""), (title, "Purchases:\n1 Pawn, 8 F$ each")]
    ):  # fmt: skip
        letters += table.say(2, subject, body, f"2026-03-05T{hour + 10}:00:00Z")
    hers = words(*(x.message.as_string() for x in letters if x.to == "eve@example.org"))
    assert not [line for line in bought if words(line) in hers]
    assert table.answer(2, "2026-03-06T12:00:00Z")[0].kind == "receipt"


def test_the_successor_in_parallel_go_owes_a_move_of_his_own(tmp_path: Path) -> None:
    table = Round(tmp_path, "multigo", 3, board="9x9", order="parallel")
    table.say(1, f"Go: Move / Player 1 [{table.match}]", "Move: E5", "2026-03-02T12:00:00Z")
    table.say(2, f"Go: Move / Player 2 [{table.match}]", "Move: C3", "2026-03-02T13:00:00Z")
    table.world.run("replace", table.match, "1", EVE, "--why", "ill", "--now", "2026-03-02T14:00:00Z")
    letters = table.pass_at("2026-03-02T14:00:00Z")
    letters += table.say(1, "status", "", "2026-03-02T15:00:00Z")
    letters += table.say(1, f"withdraw {table.match}", "", "2026-03-02T16:00:00Z")
    letters += table.say(1, f"Go: Move / Player 1 [{table.match}]?", "Move: A1", "2026-03-02T17:00:00Z")
    hers = [x for x in letters if x.to == "eve@example.org"]
    assert "Move: E5" not in words(*(x.text for x in hers))
    assert not any("your answer is here" in words(x.text) for x in hers)
    table.say(3, f"Go: Move / Player 3 [{table.match}]", "Move: G7", "2026-03-03T12:00:00Z")
    assert table.world.show(table.match)["position"]["board"] == ["." * 9] * 9, "her answer is still out"
    table.say(1, f"Go: Move / Player 1 [{table.match}]", "Move: A1", "2026-03-03T13:00:00Z")
    board = table.world.show(table.match)["position"]["board"]
    assert (board[8][0], board[4][4]) == ("B", ".")


def test_conditional_moves_and_preferences_go_with_whoever_made_them(tmp_path: Path) -> None:
    table = Round(tmp_path, "multigo", 3, board="9x9")
    table.say(2, f"Go: Plan / Player 2 [{table.match}]", "If Black E5 then C3", "2026-03-02T12:00:00Z")
    table.world.run("replace", table.match, "2", EVE, "--why", "ill", "--now", "2026-03-02T13:00:00Z")
    letters = table.pass_at("2026-03-02T13:00:00Z") + table.say(2, "board", "", "2026-03-02T14:00:00Z")
    assert "C3" not in words(*(x.text for x in letters if x.to == "eve@example.org"))
    table.say(1, f"Go: Move / Player 1 [{table.match}]", "Move: E5", "2026-03-02T15:00:00Z")
    assert table.world.show(table.match)["due"][0]["seat"] == 2, "no plan plays for the new player"


def test_a_reply_address_of_the_time_before_the_draw_speaks_for_nobody(tmp_path: Path) -> None:
    """On the roster Ann was number 1; the draw gives her another seat, and her old letter's reply address must not be
    that of whoever sits there now."""
    for seed in range(1, 6):
        world = World(tmp_path / str(seed))
        people = seats(*PEOPLE[:3])
        match = world.run(
            "open", "fourplay", *people, "--vacant", "1", "--seed", str(seed), "--now", START
        ).out.strip()
        old = [x.message["Reply-To"] for x in world.passed(START) if x.kind == "opened"]
        assert all("+" in each for each in old)
        world.join(match, FINN, "2026-03-02T12:00:00Z")
        for number, reply_to in enumerate(old):
            at = f"2026-03-03T12:{number:02}:00Z"
            world.mail(
                "Mal <mal@elsewhere.example>", f"resign {match}", "", at, to=reply_to,
            )  # fmt: skip
            world.step(at)
        assert not {x.kind for x in world.new_letters()} & {"challenge", "receipt", "announcement"}
        assert world.show(match)["vacant"] == []


def test_the_first_players_own_proofs_are_worth_nothing_afterwards(tmp_path: Path) -> None:
    """His address, the reply addresses of his letters, and a Yes to a question he was asked before."""
    table = Round(tmp_path, "fourplay")
    old = table.name_of(1)
    due = next(x for x in table.letters if x.kind == "due" and x.to == address(old))
    table.world.mail(f"{old} <{address(old)}>", f"resign {table.match}", "", "2026-03-02T12:00:00Z")
    (asked,) = table.pass_at("2026-03-02T12:00:00Z")
    assert asked.kind == "challenge"
    table.world.run("replace", table.match, "1", EVE, "--why", "ill", "--now", "2026-03-02T13:00:00Z")
    table.pass_at("2026-03-02T13:00:00Z")
    table.world.reply(asked, "Yes", "2026-03-02T14:00:00Z")
    (answer,) = table.pass_at("2026-03-02T14:00:00Z")
    assert (answer.kind, answer.to) == ("help", address(old))
    table.world.mail(
        f"{old} <{address(old)}>", f"Fourplay: Resign / Player 1 [{table.match}]", "Resign", "2026-03-02T15:00:00Z",
        to=due.message["Reply-To"],
    )  # fmt: skip
    table.pass_at("2026-03-02T15:00:00Z")
    assert (table.vacant, table.name_of(1)) == ([], "Eve Eliot")
