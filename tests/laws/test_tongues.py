"""The players' languages: every word means one thing, in all languages and beside the words of every game; courtesy in
each of the eight languages stays courtesy, and a key in any of them says what ours says."""

from __future__ import annotations

import pytest

from referee.core import seam
from referee.core.answers import Body
from referee.core.complaint import Line
from referee.core.orders import meaning
from referee.core.seam import answer_of, headings
from referee.games import found
from referee.post.reading.languages import tongues
from referee.post.reading.languages.gist import gist
from referee.post.subject import COMMANDS
from tests.laws.test_bare_words import GAMES, Owed, owed
from tests.laws.walks import steps
from tests.sampling import one_in

ALONE = {
    "pass": "Passe|Ich passe|Je passe|Paso|Passo|Ik pas|Eu passo|Pasuję|Jag passar|passe 😊|Je passe, merci|"
    "Ich passe, danke!|Paso, gracias|Passo, grazie|Ik pas, bedankt|Passo, obrigado|Pasuję, dzięki|Jag passar, tack|"
    "I pass this time|Pas",
    "resign": "Ich gebe auf|J'abandonne|Me rindo|Mi arrendo|Ik geef op|Desisto|Poddaję się|Jag ger upp|"
    "resigning, sorry|Ich gebe auf, sorry",
    "yes": "Ja|Oui|Sí|Sì|Sim|Tak|Yes|ja, danke|Oui, merci",
    "no": "Nein|Non|No|Nee|Não|Nie|Nej",
    "ok": "OK|Okay|Einverstanden|D'accord|Vale|Va bene|Akkoord|De acordo|Zgoda|OK, thank you!",
    "withdraw": "Zurückziehen|Retirer|Ritiro|Intrekken|Wycofuję|Withdraw, please",
    "undo": "Rückgängig|Annuler|Deshacer|Annulla|Desfazer|Cofnij|Ångra",
}  # fmt: skip
COURTESY = """
Guter Zug!|Schöner Zug, Ben.|Ich passe auf|Ich passe auf dich auf!|Ich gebe auf dich acht|Ja, das war ein Spiel|Na ja|
Der Zug war zu spät|Ein guter Zug|Bis zum nächsten Zug|Ich gebe nicht auf|Nein, so ein Pech|Passt schon|
Das passt mir gut|
pas encore|Pas mal !|Je passe le bonjour|Je passe te voir demain|Beau coup !|Un coup de maître|Tout à coup il pleut|
Je n'abandonne pas|Oui, il fait beau|Non merci, pas de café|Passe une bonne soirée|Passe le bonjour à Ben|
Buena jugada|Paso por tu casa mañana|Un paso adelante|Vale la pena|No me rindo|Sí que llueve|No pasa nada|
Bella mossa|A ogni passo un rischio|Passo a trovarti domani|Non abbandono|Sì, fa freddo|Va bene il tempo da voi?|
Mooie zet|Pas op|Pas goed op jezelf|Dat komt van pas|Ik pas op de kinderen|Ik geef niet op|Ja, het regent|Nee hoor|
Boa jogada|Passo por aí amanhã|Um bom lance|Não desisto|Sim, está frio|Passe bem|
Dobry ruch|Nie pasuje mi to|Pas bezpieczeństwa|Nie poddaję się|Tak, pada deszcz|Ruch na drogach był duży|Tak trzymać|
Bra drag|Det passar bra|Jag passar barnen|Ett drag i taget|Jag ger inte upp|Ja, det snöar|Det drar här|
I pass on the greetings|Passing by, I saw your house|You will pass the exam|No idea|Yes, it rains|OK, so much for today
"""


def sayings(text: str) -> list[tuple[str, bool]]:
    return [(s.text, s.alone) for s in gist((Line(1, text),), "Ann Archer", "ann@example.org").sayings]


@pytest.mark.parametrize("meant", ALONE)
def test_a_lone_word_means_what_ours_means(meant: str) -> None:
    for text in ALONE[meant].split("|"):
        assert sayings(text) == [(meant, True)], text


def test_courtesy_is_no_lone_word_in_any_language() -> None:
    for text in filter(None, (part.strip() for part in COURTESY.split("|"))):
        assert not [said for said, alone in sayings(text) if alone and said in tongues.ALONE.values()], text


@pytest.mark.one_in(2)
@pytest.mark.parametrize("kind", one_in(2, GAMES))
def test_courtesy_orders_nothing_in_any_game(kind: str) -> None:
    made = 0
    for one in owed(kind):
        for text in filter(None, (part.strip() for part in COURTESY.split("|"))):
            made += 1
            assert one.counts(text) is None, text
            assert not one.read(text)[1].choices, text
            assert one.counts(f"{text}||{one.value}||{text}") in (one.action, None), text
    print(f"{kind}: {made} mails")


def test_no_word_means_two_things() -> None:
    """Neither in two languages, nor as a key and alone, nor beside a command, a heading or a key of a game."""
    meant = {words: {key} for words, key in tongues.KEYS.items()}
    for words, alone in tongues.ALONE.items():
        meant.setdefault(words, set()).add(alone)
    for command in COMMANDS.values():
        if (words := tongues.words_of(command)) in meant:
            meant[words].add(command)
    for game in found().values():
        for heading, kind in headings(game).items():
            if (words := tongues.words_of(heading)) in meant and {heading.lower()} != meant[words]:
                meant[words].add(answer_of(game, kind).kind.lower())
    assert {words: said for words, said in meant.items() if len(said) > 1} == {}


def test_no_key_of_a_game_is_another_word_for_move_or_name() -> None:
    for slug, game in found().items():
        for answer in game.answers:
            known = getattr(getattr(answer, "notation", None), "vocabulary", None)
            for key in known.keys if known else ():
                meant = tongues.KEYS.get(tongues.words_of(key))
                assert meant in (None, "move"), (slug, key, meant)


def test_frames_hold_no_word_that_answers_by_itself() -> None:
    """What leads up to a value, or stands behind it, is none."""
    values = {
        "red",
        "blue",
        "white",
        "black",
        "none",
        "south",
        "north",
        "east",
        "west",
        "two",
        "four",
        "draw",
    }
    for phrase in (
        tongues.BEFORE | tongues.AFTER | tongues.DOUBT_BEFORE | tongues.DOUBT_AFTER | tongues.COURTESY
    ):
        assert not set(phrase) & values, phrase


@pytest.mark.parametrize(
    "key", sorted(" ".join(words) for words, key in tongues.KEYS.items() if key == "move")
)
def test_the_key_of_a_move_in_other_languages(key: str) -> None:
    one: Owed = next(one for one in owed("go sequential") if one.demand.kind == "Move")
    said = f"{key} : {one.value}"
    for text in (said.capitalize(), said, f"Hallo,||{said.upper()}||Ciao", f"{key}:{one.value}"):
        assert one.counts(text) == one.action, text


def test_the_key_of_a_name_in_other_languages_and_the_first_name_alone() -> None:
    """Of the first form that asks for a name."""
    keys = [" ".join(words) for words, key in tongues.KEYS.items() if key == "name"]
    step = next(step for step in steps("fourplay", 1) if step.demand.kind == "Purchase")
    standing, demand, party = step.walk.match.standing, step.demand, step.walk.match.party(step.demand.seat)
    assert standing is not None
    form = seam.filled_in(standing.game, standing.state, demand, party, step.action)

    def read(text: str) -> tuple[object, object]:
        lines = Body.of(text).lines
        body = Body(lines, gist(lines))
        reading = meaning.understood(standing, demand.seat, demand.kind, body, party)[1]
        return reading.action, reading.complaints

    assert read(form)[1] == ()
    assert len(keys) > 10
    for key in keys:
        for said in (party.name, party.name.split()[0], party.name.split()[0].lower()):
            text = form.replace(f"Name: {party.name}", f"{key.capitalize()} : {said}")
            assert text != form
            assert read(text) == read(form), text
