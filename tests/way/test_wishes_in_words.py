"""What is asked of the desk in a player's own words: answered at once where it only asks, shown as a command where
something would change; in nine languages, by rows of a table."""

from pathlib import Path

import pytest

from tests.world import ANN, Sent, Table

AT, LATER = "2026-03-01T12:30:00Z", "2026-03-01T13:00:00Z"
# Topic, and how it is asked, language by language.
ASKED = """
status: Wer ist dran? | Bis wann muss ich antworten?
record: Kann ich alle Züge bisher haben?
rules: Wo finde ich die Regeln? | Was passiert, wenn alle passen?
board: Zeige mir bitte das Brett.
help: Was kann ich hier alles schicken?
status: Whose turn is it? | When is my move due? | Who are we waiting for?
record: Could I have all the moves so far? | The record, please | I'd like to get the record.
rules: Where are the rules? | What happens if everybody passes?
board: Please show me the board. | Can I see the position? | I want to see the board.
help: What can I send you?
status: ¿A quién le toca? | ¿Hasta cuándo tengo tiempo?
record: ¿Me mandas todas las jugadas?
rules: ¿Dónde están las reglas? | ¿Qué pasa si los dos pasan?
board: ¿Puedo ver el tablero? | Quiero ver el tablero.
help: ¿Qué puedo enviar?
status: C'est à qui ? | Jusqu'à quand dois-je répondre ?
record: Puis-je avoir tous les coups ?
rules: Quelles sont les règles ? | Que se passe-t-il si on passe ?
board: Puis-je voir le plateau ?
help: Que puis-je envoyer ?
status: A chi tocca? | Quando scade?
record: Posso avere tutte le mosse?
rules: Dove sono le regole? | Cosa succede se passano tutti?
board: Posso vedere la scacchiera?
help: Che cosa posso inviare?
status: Wie is er aan de beurt? | Wanneer moet ik antwoorden?
record: Mag ik alle zetten hebben? | Stuur me de zetten.
rules: Waar staan de regels? | Wat gebeurt er als iedereen past?
board: Kan ik het bord zien? | Ik wil het bord zien.
help: Wat kan ik allemaal sturen?
status: Czyja kolej? | Do kiedy mam odpowiedzieć?
record: Czy mogę dostać wszystkie ruchy? | Przyślij mi zapis partii.
rules: Gdzie są zasady?
board: Jak wygląda plansza?
help: Co mogę wysyłać?
status: Quem joga agora? | Quando termina o prazo?
record: Posso ter os lances todos?
rules: Onde estão as regras? | O que acontece se todos passam?
board: Posso ver o tabuleiro?
help: O que posso enviar?
status: Vems tur är det? | När måste jag svara?
record: Kan jag få alla drag?
rules: Var finns reglerna? | Vad händer om alla passar?
board: Kan jag se brädet?
help: Vad kan jag skicka?
"""
KINDS = {"status": "status", "record": "record", "rules": "help", "board": "status", "help": "help"}
QUESTIONS = [
    (topic, text)
    for topic, _, texts in (row.partition(": ") for row in ASKED.strip().splitlines())
    for text in texts.split(" | ")
]
AWAY = {
    "de": "Ich bin vom 10. bis 14. März im Urlaub.",
    "en": "I'm away 10-14 March, sorry!",
    "es": "Estoy de vacaciones del 10 al 14 de marzo.",
    "fr": "Je suis en vacances du 10 au 14 mars.",
    "it": "Sono in vacanza dal 10 al 14 marzo.",
    "nl": "Ik ben van 10 tot 14 maart op vakantie.",
    "pl": "Od 10 do 14 marca jestem na urlopie.",
    "pt": "Estou de férias de 10 a 14 março.",
    "sv": "Jag är bortrest 10-14 mars.",
}
ZONES = {
    "de": ("Ich wohne jetzt in Wien.", "Europe/Vienna"),
    "en": ("I live in New York now.", "America/New_York"),
    "es": ("Ahora vivo en Londres.", "Europe/London"),
    "fr": ("J'habite maintenant à Londres.", "Europe/London"),
    "it": ("Adesso abito a Varsavia.", "Europe/Warsaw"),
    "nl": ("Ik woon nu in Wenen.", "Europe/Vienna"),
    "pl": ("Mieszkam teraz w Warszawa.", "Europe/Warsaw"),
    "pt": ("Agora moro em Tóquio.", "Asia/Tokyo"),
    "sv": ("Nu bor jag i Wien.", "Europe/Vienna"),
}


@pytest.fixture
def table(tmp_path: Path) -> Table:
    return Table(tmp_path, "multigo", board="9x9", press="on")


def asked(table: Table, text: str, at: str = AT) -> list[Sent]:
    """The letters that answer a reply to a letter of the seat whose turn it is."""
    counts, letters = table.reply(table.latest("due", table.mover), text, at)
    assert counts["accepted"] == counts["held"] == 0
    assert {x.to for x in letters} == {table.mover}, "nobody else hears of it"
    return letters


def test_a_question_is_answered_at_once(table: Table) -> None:
    """All of them in replies to one letter, each answered by itself; nobody else hears of it."""
    table.world.configure("equal_questions_a_day = 5 ", "equal_questions_a_day = 99 ")
    due = table.latest("due", table.mover)
    where = {"to": due.message["Reply-To"], "reply_to": due.message["Message-ID"]}
    for number, (_, text) in enumerate(QUESTIONS):
        table.world.mail(due.to, f"Re: {due.subject}", text, AT, message_id=f"<{number}@q>", **where)
    counts, letters = table.step(AT)
    assert (counts["accepted"], counts["held"], {x.to for x in letters}) == (0, 0, {table.mover})
    told = sorted((int(x.message["In-Reply-To"].strip("<>").split("@")[0]), x.kind) for x in letters)
    assert told == [(number, KINDS[topic]) for number, (topic, _) in enumerate(QUESTIONS)]


@pytest.mark.one_in(2)
@pytest.mark.parametrize("language", AWAY)
def test_days_away_are_noted_by_ok(language: str, table: Table) -> None:
    (letter,) = asked(table, AWAY[language])
    assert letter.kind == "preview"
    assert "10 March" in letter.text
    _, letters = table.reply(letter, "OK", LATER)
    told = {(x.to, x.kind): x.words for x in letters}
    assert set(told) == {(table.mover, "receipt"), (table.other, "announcement")}, "each is told once"
    assert "you are away from" in told[table.mover, "receipt"]
    assert "is away from" in told[table.other, "announcement"]
    assert all("10 March" in said or "9 March" in said for said in told.values())


def test_anothers_absence_is_not_the_writers(table: Table) -> None:
    name = next(p for p in table.people if table.other in p).split()[0]
    _, letters = table.reply(table.latest("due", table.mover), f"{name} is away until Friday.", AT)
    assert not any("wish" in x.subject for x in letters)
    (letter,) = asked(table, f"{name}, I am away until Friday.", LATER)
    assert "wish" in letter.subject


@pytest.mark.parametrize("language", ZONES)
def test_a_zone_is_set_by_ok(language: str, table: Table) -> None:
    text, zone = ZONES[language]
    (letter,) = asked(table, text)
    assert (letter.kind, f"timezone {zone}" in letter.text) == ("preview", True)
    _, (receipt,) = table.reply(letter, "OK", LATER)
    assert (receipt.kind, zone in receipt.text) == ("receipt", True)


@pytest.mark.parametrize(
    ("text", "command"),
    [
        ("Please send me plain text only.", "format text"),
        ("No HTML please!", "format text"),
        ("One digest a day is enough for me.", "digest on"),
        ("Please stop sending me so many mails.", "digest on"),
        ("My new address is ann.archer@example.net", "address ann.archer@example.net"),
        ("@Ben: that was a nice one!", "press"),
        ("@Ann: that was a nice one!", "press"),
    ],
)
def test_what_would_change_something_is_asked_with_its_command(text: str, command: str, table: Table) -> None:
    if text.startswith("@Ann" if table.mover == ANN else "@Ben"):
        pytest.skip("nobody writes to himself")
    letters = asked(table, text)
    assert [x.kind for x in letters] == ["preview"]
    assert command in letters[0].words
    counts, _ = table.reply(letters[0], "OK", LATER)
    assert counts["refused"] == counts["shunted"] == 0


def test_two_wishes_are_numbered_and_each_is_granted_by_its_number(table: Table) -> None:
    (letter,) = asked(table, "I live in Vienna now.\n\nI am away from 10 March until 14 March.")
    number = "1" if letter.text.index("Europe/Vienna") > letter.text.index("10 March") else "2"
    _, letters = table.reply(letter, number, LATER)
    assert "announcement" in {x.kind for x in letters}
    _, letters = table.reply(letter, str(3 - int(number)), "2026-03-01T13:30:00Z")
    assert "Europe/Vienna" in letters[0].text


@pytest.mark.parametrize("order", ["D5", "Move: D5"])
def test_an_order_beside_a_wish_counts_and_the_wish_is_asked(order: str, table: Table) -> None:
    counts, letters = table.reply(table.latest("due", table.mover), f"{order}\n\nI'm away 10-14 March.", AT)
    assert counts["accepted"] == 1
    wish = next(x for x in letters if "wish" in x.subject)
    assert wish.to == table.mover
    _, letters = table.reply(wish, "OK", LATER)
    assert "announcement" in {x.kind for x in letters}


def test_an_unproved_question_is_answered_at_the_registered_address_alone(table: Table) -> None:
    _, letters = table.send(f"X <{table.mover}>", "a question", "Whose turn is it?", AT)
    assert [(x.kind, x.to) for x in letters] == [("status", table.mover)]
    _, letters = table.send(
        "Eve <eve@elsewhere.example>", "a question", "Could I have all the moves so far?", LATER
    )
    assert "record" not in {x.kind for x in letters}


@pytest.mark.parametrize(
    "text",
    [
        "Wenn er d7 spielt, antworte ich e7.", "Si juega d7, respondo e7.", "Se gioca d7, gioco e7.",
        "Als hij d7 speelt, speel ik e7.", "Jeśli zagra d7, zagram e7.", "Om han spelar d7, spelar jag e7.",
    ],
)  # fmt: skip
def test_a_condition_in_prose_is_offered_as_one(text: str, table: Table) -> None:
    _, letters = table.reply(table.latest("opened", table.other), text, AT)
    (letter,) = letters
    assert letter.kind == "preview"
    assert "If Player 1: D7, then E7" in letter.text
    _, (receipt,) = table.reply(letter, "OK", LATER)
    assert receipt.kind == "receipt"
    assert f"If Player {table.turn}: D7, then E7" in receipt.text


@pytest.mark.parametrize(
    "text", ["Board and position look bad. D5", "What a board! D5", "I must digest that. D5"]
)
def test_chatter_beside_an_order_brings_no_letter_of_its_own(text: str, table: Table) -> None:
    _, letters = table.reply(table.latest("due", table.mover), text, AT)
    assert len([x for x in letters if x.to == table.mover]) == 1


@pytest.mark.parametrize("text", ["What a mess on the board :-) I need a day or two.", "What a position!"])
def test_an_outcry_is_no_question(text: str, table: Table) -> None:
    _, letters = table.reply(table.latest("due", table.mover), text, AT)
    assert not any("board stands" in x.subject or x.text.count("Go, 9 x 9") for x in letters)


def test_where_more_is_needed_a_question_is_answered_and_a_wish_is_not_granted(table: Table) -> None:
    table.world.configure('need = "address"', 'need = "token"')
    (letter,) = asked(table, "I live in Vienna now.")
    _, letters = table.send(f"X <{table.mover}>", "a question", "Whose turn is it?", AT)
    assert [(x.kind, x.to) for x in letters] == [("status", table.mover)]
    bare = {"to": "collector@referee.localhost", "reply_to": letter.message["Message-ID"]}
    _, letters = table.send(f"X <{table.mover}>", "Re: wish", "OK", LATER, **bare)
    assert [(x.kind, x.to) for x in letters] == [("challenge", table.mover)]
    _, letters = table.reply(letter, "OK", "2026-03-01T14:00:00Z")
    assert [x.kind for x in letters] == ["receipt"]


def test_an_order_is_no_wish(table: Table) -> None:
    for text in (
        "Turn: D5", "I move to D5 now", "D5, until next time", "D5, that is my answer to your board",
        "Pass, by the rules. Whose turn is it then?",
    ):  # fmt: skip
        _, letters = table.reply(table.latest("due", table.mover), text, AT)
        assert not any("wish" in x.subject for x in letters), text
        assert not {"record", "help"} & {x.kind for x in letters}, text
