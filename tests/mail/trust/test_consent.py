"""A plain Yes confirms, a plain No denies, and everything else is neither, whatever a person may have meant by it."""

import itertools

import pytest

from referee.core.value import Line
from referee.mail.mail import Consent
from referee.mail.read.phrases import DISOWNS, NO, OWNS, POLITE, YES
from referee.mail.sender.consent import agreement, consent

GREETINGS = ("", "Hello,\n\n", "Dear referee,\n", "Hi referee!\n\n", "Hallo,\n", "Guten Tag,\n")
PARTINGS = (
    "", "\n\nAnn", "\nThanks!", "\n\nBest regards,\nAnn Archer", " - thank you", "\n\nViele Grüße\nann",
    " :-)",
)  # fmt: skip
FRAMES = ("{}", "{}.", "{}!", "{}!!!", "*{}*", '"{}"', "- {}", "{} ...")


def said(text: str, name: str = "Ann Archer", address: str = "ann@example.org") -> Consent:
    return consent([Line(i, line) for i, line in enumerate(text.splitlines(), 1)], name, address)


@pytest.mark.parametrize(("words", "what"), [(YES, "yes"), (NO, "no")])
def test_the_word_itself_in_every_language_with_courtesy_around_it(words: tuple[str, ...], what: str) -> None:
    for word, greeting, parting in itertools.product(words, GREETINGS, PARTINGS):
        for spelt in (word, word.upper(), word.capitalize()):
            assert said(f"{greeting}{spelt}{parting}") == what, (greeting, spelt, parting)


@pytest.mark.parametrize("frame", FRAMES)
def test_whatever_marks_stand_around_it(frame: str) -> None:
    assert said(frame.format("Yes")) == "yes"
    assert said(frame.format("No")) == "no"


def test_that_one_did_it_may_be_added_to_a_yes_and_its_contrary_to_a_no() -> None:
    for word, more in itertools.product(YES, OWNS):
        assert said(f"{word}, {more}") == said(f"{word} {more}.") == said(f"{word}.\n{more}!") == "yes", (
            word,
            more,
        )
    for word, more in itertools.product(NO, DISOWNS):
        assert said(f"{word}, {more}") == said(f"{word}.\n{more}!") == "no", (word, more)


def test_yes_and_no_together_are_neither() -> None:
    denials = {said_plainly(phrase) for phrase in DISOWNS}
    for yes, no in itertools.product(YES, NO):
        if said_plainly(f"{no} {yes}") in denials:
            continue  # "nie ja" in Polish
        assert said(f"{yes}, {no}") == said(f"{no} {yes}") == "neither", (yes, no)
    for word, more in [*itertools.product(YES, DISOWNS), *itertools.product(NO, OWNS)]:
        assert said(f"{word}, {more}") == said(f"{more}. {word}") == "neither", (word, more)


def test_without_the_word_itself_nothing_is_a_yes() -> None:
    for phrase in (*OWNS, *POLITE):
        assert said(phrase) == "neither", phrase


def test_that_one_did_not_do_it_is_a_no() -> None:
    for phrase in DISOWNS:
        assert said(phrase) == "no", phrase


def test_no_word_is_yes_and_no() -> None:
    lists = {"yes": YES, "no": NO, "owns": OWNS, "disowns": DISOWNS, "polite": POLITE}
    folded = {name: {said_plainly(p) for p in phrases} for name, phrases in lists.items()}
    for one, other in itertools.combinations(folded, 2):
        assert not folded[one] & folded[other], (one, other)


def said_plainly(phrase: str) -> tuple[str, ...]:
    from referee.mail.sender.consent import _words

    return _words(phrase)


@pytest.mark.parametrize(
    "text",
    [
        "", "   ", "-- \nYes", "--\nYes", "\n\n", "No problem, yes that was me!", "STOP",
        "That was me", "Yes?", "Yes, really?", "no?", "Yes, but not the second line", "Yes, Ben", "yesterday",
        "nothing", "none", "Nobody", "Not yes", "I say yes", "Yes or no", "Yes/No", "Yes no maybe",
        "Yes, someone forged it", "Yes I never wrote that", "No matter what, it is mine", "no problem", "ok",
        "OK!", "okay", "No idea", "No worries",
        "Okay, yes and no", "Y", "N", "1", "👍", "Yes 👎", "I am away until Monday and will answer then.",
        "Ich bin bis zum 12. April nicht im Büro.", "Je suis absent", "Thank you for your mail. We will reply soon.",
        "Yes\nMove: a1", "Yes\nResign", "Yes please stop", "Yes, stop", "unsubscribe", "Who are you?", "What is this?",
        "No, who are you", "Nope, that was me", "Yes, that was not me", "Yes I know but that is not from me",
        "Delivered", "Your message was received", "Yes that mail is mine, the other one is not", "Jo", "na",
        "Yes " * 400, "Ann", "Ann Archer", "Hello", "Thanks", "Yes.\n\nIn reply to your question of yesterday",
    ],
)  # fmt: skip
def test_anything_else_is_neither(text: str) -> None:
    assert said(text) == "neither"


def test_only_the_senders_own_name_may_stand_below() -> None:
    assert said("Yes\nAnn A.") == "neither"
    assert said("Yes\nann", "", "ann.archer@example.org") == "yes"
    assert said("Yes\nBen", "Ann Archer") == "neither"
    assert said("Ann\nYes") == "neither", "a name before it is no courtesy"


@pytest.mark.parametrize("name", ["Yes", "No", "No, yes", "not me"])
def test_what_a_sender_calls_himself_makes_no_answer(name: str) -> None:
    assert said("", name) == "neither"
    assert said("stop", name) == "neither"
    assert said("Yes, no", name) == "neither"


@pytest.mark.parametrize("words", ["OK but", "Ok, aber", "OK, maar dank je", "ok, mais merci", "but ok"])
def test_a_but_agrees_to_nothing(words: str) -> None:
    assert agreement((Line(1, words),)) == ""


@pytest.mark.parametrize(
    "words", ["OK, that is it", "ok, so ist es", "ok, thanks for this", "Ja, das ist so"]
)
def test_words_that_say_nothing_may_stand_round_an_ok(words: str) -> None:
    assert agreement((Line(1, words),)) == "words"
