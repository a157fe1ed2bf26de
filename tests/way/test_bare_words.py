"""Contract, 'Mail in': bare words by mail. What is sure counts; what is doubtful is a preview whose form OK sends, and
two are named; giving up the seat is asked about as ever; nothing but a value alone changes anything."""

from pathlib import Path

import pytest

from tests.memory import Stage
from tests.way.test_consent import Seat, notice, text_of

GO = ("multigo", 3, {"board": "9x9"})
MORRIS = ("morris", 2, {})
BUTTONS = ("buttons", 2, {"starter": "1"})


@pytest.fixture
def go(stage: Stage) -> Seat:
    return opened(stage, *GO)


def opened(stage: Stage, game: str, seats: int, options: dict[str, str]) -> Seat:
    return Seat(stage, stage.begun(game, seats, **options))


@pytest.mark.one_in(3)
@pytest.mark.parametrize(("game", "words"), [
    (GO, "E5"), (GO, "Hi all,\n\nc3 please 😊\n\nCheers,\nAnn"), (GO, "pass 😊"), (GO, "Je joue d4. Merci !"),
    (GO, "Zug: D5"), (GO, "Mein Zug:\n\nD5\n\nGruß"), (GO, "Passo, grazie"),
    (MORRIS, "I play d6."), (MORRIS, "Coup : a1"),
    (BUTTONS, "3 at c3 please"), (BUTTONS, "Jag spelar 3 c3, tack"),
])  # fmt: skip
def test_a_bare_value_counts(stage: Stage, game: tuple[str, int, dict[str, str]], words: str) -> None:
    seat = opened(stage, *game)
    before = seat.demand
    receipt = seat.sends(words)
    assert notice(receipt) == "receipt", text_of(receipt)
    assert seat.demand != before


@pytest.mark.one_in(2)
@pytest.mark.parametrize(
    "words", ["D5?", "maybe d5", "I think D5", "5D", "d.5", "d5 - no idea whether that is clever"]
)
def test_a_doubtful_one_is_offered_and_ok_sends_it(go: Seat, words: str) -> None:
    before = go.match.version
    asked = go.sends(words)
    assert notice(asked) == "preview"
    assert text_of(asked).rstrip().endswith("Move: D5")
    assert go.match.version == before
    receipt = go.sends("OK", asked)
    assert notice(receipt) == "receipt", text_of(receipt)
    assert "Move: D5" in text_of(receipt)


def test_the_offer_is_void_once_something_else_counts(go: Seat) -> None:
    asked = go.sends("D5?")
    stage, name = go.stage, go.name
    assert notice(go.sends("Move: E5")) == "receipt"
    person = stage.match(name).entrant(1)
    stage.new_letters()
    stage.write(f"{person.name} <{person.addresses[0]}>", "Re:", "OK", go.at, In_Reply_To=asked.message_id)
    assert all("Move: D5" not in text_of(p) for p in stage.passed(go.at) if notice(p) == "receipt")


@pytest.mark.parametrize(
    "words", ["D5 or E5?", "d5\n\nor maybe e5", "D5 oder E5", "either D5 or E5, what now?"]
)
def test_two_are_named_and_ok_sends_neither(go: Seat, words: str) -> None:
    before = go.match.version
    asked = go.sends(words)
    assert notice(asked) == "preview"
    assert [line for line in text_of(asked).splitlines() if line.startswith("> Move")] == [
        "> Move: D5",
        "> Move: E5",
    ]
    assert notice(go.sends("OK", asked)) != "receipt"
    assert go.match.version == before
    assert notice(go.sends("E5", asked)) == "receipt"


@pytest.mark.parametrize(("number", "counts"), [("2", "Move: E5"), ("1.", "Move: D5"), ("3", ""), ("0", "")])
def test_of_two_a_number_picks_one(go: Seat, number: str, counts: str) -> None:
    before = go.match.version
    letter = go.sends(number, go.sends("D5 or E5?"))
    assert (notice(letter) == "receipt") is bool(counts), text_of(letter)
    assert counts in text_of(letter)
    assert (go.match.version > before) is bool(counts)


@pytest.mark.parametrize("words", [
    "I would never play D5", "why not D5?", "nice D5!", "your D5 surprised me", "I expected E5", "I'll play after d4",
    "Ich passe auf", "pas encore", "Guter Zug!",
])  # fmt: skip
def test_words_about_a_value_change_nothing(go: Seat, words: str) -> None:
    before = go.match.version
    letter = go.sends(words)
    assert notice(letter) in ("refusal", "status", "preview")
    assert go.match.version == before


@pytest.mark.parametrize("words", [
    "resigning, sorry", "I resign. Good game!", "Ich gebe auf", "J'abandonne.",
    "Sorry, I have to drop out. Please find someone else for my seat.", "Ich gebe meinen Platz ab.",
    "Je laisse ma place à quelqu'un d'autre.", "Dejo mi sitio a otro, lo siento.", "Mi ritiro dalla partita.",
    "Ik stop met dit spel.", "Oddaję swoje miejsce komuś innemu.", "Vou sair do jogo.", "Jag drar mig ur spelet.",
])  # fmt: skip
def test_a_resignation_in_bare_words_is_asked_about(go: Seat, words: str) -> None:
    before = go.match.version
    letter = go.sends(words)
    assert notice(letter) == "preview", text_of(letter)
    assert go.match.version == before


def test_a_heading_that_says_something_else_leaves_a_doubt(go: Seat) -> None:
    assert notice(go.sends("D5", subject="Go: Comment / Player 1")) == "preview"


def test_what_is_wrong_with_a_bare_value_is_said_of_the_line_as_it_was_written(go: Seat) -> None:
    refusal = go.sends("Hello,\n\nI play z9, thanks\n\nAnn")
    assert notice(refusal) == "refusal"
    assert "I play z9, thanks" in text_of(refusal)
    assert "Move: z9" not in text_of(refusal).partition("Here is")[0]


def test_read_foresees_it(stage: Stage, tmp_path: Path) -> None:
    seat = opened(stage, *GO)
    raw = stage.write("Ann Archer <ann@example.org>", "Go: Move / Player 1", "D5?", seat.at)
    with stage.referee() as referee:
        facts = referee.inquiry.read(raw, seat.at)
    assert facts["disposition"] == "answered"
    assert facts["answer"] == "preview"


@pytest.mark.parametrize(
    "words", ["Withdraw", "Zurückziehen", "Je retire mon coup", "Wycofuję ruch\n\nPozdrawiam"]
)
def test_a_sealed_answer_is_taken_back_in_the_players_languages(stage: Stage, words: str) -> None:
    seat = opened(stage, "multigo", 3, {"board": "9x9", "order": "parallel"})
    person = seat.match.entrant(1)
    own = f"{person.name} <{person.addresses[0]}>"
    assert notice(seat.sends("Zug: D5", sender=own, subject="Go: Move / Player 1")) == "receipt"
    assert any(r.answered for r in seat.match.rounds)
    assert notice(seat.sends(words, sender=own, subject="Go: Move / Player 1")) == "receipt"
    assert not any(r.answered for r in seat.match.rounds)
