"""Who plays nowhere here and writes in plain words: they are told what is open with what to reply, in
all three settings; nothing of them is registered or shown before their own Yes and, where that is
asked for, the moderator's."""

import os
import re
import tempfile
from collections import defaultdict
from datetime import timedelta
from functools import cache
from pathlib import Path

import pytest

from tests.club.company import Company, address
from tests.way.strangers import EVENT, MAILS, OWN, PROPOSAL, SEAT, WATCH, Asked
from tests.way.strangers_in_words import INVENTED, LATER, Phrases, mails
from tests.world import _FOLDERS, Sent

DESK = "moderator@referee.localhost"
ROSE = "Rose Reed <rose@reed.example>"
DENIED = {"Authentication-Results": "mx.example.org; dmarc=fail header.from=reed.example"}


class Club(Company):
    """With a seat, a proposal, an event and a match that may be watched (`full`), or with nothing open at all."""

    def __init__(self, folder: Path, setting: str = "ask", *, full: bool = True) -> None:
        self.__dict__.update(opened(os.environ.get("REFEREE_SECRET"), full).copied(folder).__dict__)
        self.world.configure('strangers = "ask"', f'strangers = "{setting}"')

    def writes(self, subject: str, words: str = "", who: str = ROSE, **more: str) -> list[Sent]:
        self.at += timedelta(minutes=1)
        self.world.mail(who, subject, words, self.at.isoformat(), **more)
        return self.step(timedelta(0))

    def held(self) -> list[str]:
        """Whose mails wait at the desk."""
        return [entry["from"] for entry in self.world.run("desk", "--json").json["held"]]

    def players(self) -> str:
        """Everything that anybody may read of who plays."""
        told = [self.world.run("list", "--json").out, self.world.run("event", "show", "autumn", "--json").out]
        (listed,) = [x for x in self.writes("list", who="Sam <sam@s.example>") if x.to == "sam@s.example"]
        return "\n".join((*told, listed.text))


@cache
def opened(secret: str | None, full: bool) -> Company:
    """What is open, made once a process."""
    company = Company(Path(tempfile.mkdtemp(dir=_FOLDERS.name)), known=2 if full else 0)
    if full:
        seat, rules = (
            ("--seat", "Cleo <c@c.example>"),
            ("--game", "morris", "--kind", "swiss", "--rounds", "3"),
        )
        company.world.do("open", "morris", "--vacant", "1", *seat, "--now", company.at.isoformat())
        company.world.do("event", "new", "autumn", *rules)
        company.step()
        company.propose("Ann Archer", "multigo", "Open: 1")
    return company


def to_rose(letters: list[Sent]) -> Sent:
    (letter,) = [x for x in letters if x.to == "rose@reed.example"]
    return letter


def taken(letter: Sent) -> list[str]:
    """What the letter says may be taken, a line each."""
    return [" ".join(row.split()) for row in re.findall(r"^- (.*(?:\n  .*)*)", letter.text, re.MULTILINE)]


@pytest.mark.one_in(4)
@pytest.mark.parametrize("full", [True, False], ids=["full", "empty"])
@pytest.mark.parametrize("setting", ["ask", "join", "off"])
def test_forty_mails_of_strangers(setting: str, full: bool, tmp_path: Path) -> None:
    club = Club(tmp_path, setting, full=full)
    before = club.world.run("list", "--json").out
    for number, asked in enumerate(MAILS):
        who = f"Rose Reed <rose{number}@reed.example>"
        club.world.mail(who, asked.subject, asked.words, club.at.isoformat())
    answers: defaultdict[str, list[Sent]] = defaultdict(list)
    for letter in club.step():
        answers[letter.to].append(letter)
    held = club.held()
    for number, asked in enumerate(MAILS):
        (letter,) = answers[f"rose{number}@reed.example"]
        assert letter.kind == "help"
        assert len(letter.text.splitlines()) <= 25, asked
        assert (letter.to in held) == (asked.begins and setting == "ask"), asked
        _shows_what_fits(letter, asked, setting, full=full)
    assert club.world.run("list", "--json").out == before
    assert "Rose" not in before + club.world.run("event", "show", "autumn", "--json").out


WISHED = {"play": SEAT, "go": PROPOSAL, "event": EVENT, "watch": WATCH, "quit": ""}


@pytest.mark.one_in(6)
@pytest.mark.parametrize("phrases", [INVENTED, LATER], ids=["invented", "later"])
@pytest.mark.parametrize("setting", ["ask", "join", "off"])
def test_in_nine_languages(setting: str, phrases: Phrases, tmp_path: Path) -> None:
    """The first thing offered is what was wished, whatever the subject; who wants no mails is offered nothing."""
    club, told = Club(tmp_path, setting), list(mails(phrases))
    for number, (_, _, subject, words) in enumerate(told):
        club.world.mail(f"Rose Reed <rose{number}@reed.example>", subject, words, club.at.isoformat())
    answers, held = {x.to: x for x in club.step()}, club.held()
    for number, (wish, _, *said) in enumerate(told):
        letter = answers[f"rose{number}@reed.example"]
        begins = wish not in ("watch", "quit")
        _shows_what_fits(letter, Asked("", " ".join(said), WISHED[wish], begins), setting, full=True)
        assert len(letter.text.splitlines()) <= 25, said
        assert (letter.to in held) == (begins and setting == "ask"), said


@pytest.mark.parametrize(
    "words",
    [
        "Laissez-moi tranquille.", "Dość tych maili.", "Haal mij van de lijst.",
        "My son gets your letters at night.",
    ],
)  # fmt: skip
def test_what_nobody_could_read_is_answered_as_if_it_were_to_end(words: str, tmp_path: Path) -> None:
    """Whoever wants no mails, in words that are not known, reads that there will be none, and whom to ask."""
    text = to_rose(Club(tmp_path).writes("Hello", words)).words
    assert "do not reply: nothing more comes, and you stand on no list here." in text
    assert f"ask the moderator, a person: {DESK}." in text


@pytest.mark.parametrize(
    "words", ["Jag hörde att ni saknar folk till go för flera", "Il manque du monde pour le go à plusieurs"]
)
def test_a_word_of_one_language_is_a_title_in_another(words: str, tmp_path: Path) -> None:
    assert PROPOSAL in taken(to_rose(Club(tmp_path).writes("Hello", words)))[0]


def test_of_a_game_that_is_played_and_named_the_letters_may_be_had(tmp_path: Path) -> None:
    doors = taken(to_rose(Club(tmp_path).writes("Buttons", "Kann man da Mäuschen spielen?")))
    assert "observe buttons-1" in doors[-1]
    assert OWN.format("Buttons") in doors[0]


def _shows_what_fits(letter: Sent, asked: Asked, setting: str, *, full: bool) -> None:
    doors, text = taken(letter), letter.words
    if setting == "off" or not asked.first:
        assert not doors, asked
        assert ("answers to your own mails" in text) == (not asked.first), asked
    elif full:
        assert asked.first in doors[0], (asked, letter.text)
    else:
        assert all("of your own" in door for door in doors), (asked, letter.text)
        assert doors, asked
    if doors:
        assert ("the one word Yes" if len(doors) == 1 else "the number") in text, asked


@pytest.mark.parametrize(
    ("words", "reply", "where"),
    [
        ("I'd like to play Morris", "1", "morris-1"),
        ("I'd like to play Morris", "Yes as Rose Reed\n\n-- \nRose", "morris-1"),
        ("Ich würde gern Morris spielen", "Ja, gern!", "morris-1"),
        ("I'd like to play Morris", "morris-1, please", "morris-1"),
        ("Anybody for a game of Go?", "Yes, please!", "multigo-1"),
        ("How do I join the Swiss?", "number 1 as Rose Reed", "autumn"),
        ("Is Fourplay played here?", "Yes I would love to", "proposal-2"),
    ],
)
@pytest.mark.one_in(5)
@pytest.mark.parametrize("first", ["Yes", "moderator", "neither"])
def test_a_reply_takes_it_once_the_moderator_has_said_yes(
    words: str, reply: str, where: str, first: str, tmp_path: Path
) -> None:
    club = Club(tmp_path, "join" if first == "neither" else "ask")
    letters = club.writes("Hello", words)
    told = to_rose(letters)
    if first == "moderator":
        alarm = next(x for x in letters if x.kind == "alarm")
        told = to_rose([*club.reply(alarm, "1"), *club.step()])
        assert "The moderator says Yes" in told.text
    club.reply(told, reply, ROSE)
    if first == "Yes":
        assert "Rose" not in club.players()
        assert club.held() == ["rose@reed.example"], "one item, whatever she wrote before"
        desk = club.writes("desk", who=DESK)
        (waiting,) = [x for x in desk if x.to == DESK and "The number alone" in x.words]
        number = re.search(r"^(\d+)\. Mail", waiting.text, re.MULTILINE)
        club.reply(waiting, number[1], DESK)
        club.step()
    assert not club.held()
    public = club.players()
    assert "Rose Reed" in public
    assert where in public
    assert "reed.example" not in public


@pytest.mark.parametrize("words", ["I got a letter and do not know why", "Diese Mail verstehe ich nicht"])
def test_who_does_not_know_why_a_letter_came_is_told_what_this_is_and_offered_nothing(
    words: str, tmp_path: Path
) -> None:
    letter = to_rose(Club(tmp_path).writes("What is this?", words))
    assert not taken(letter)
    text = letter.words
    assert all(
        told in text
        for told in ("a program that moderates", "Never again", f"the moderator, a person: {DESK}")
    )


def test_the_moderator_says_no_once(tmp_path: Path) -> None:
    club = Club(tmp_path)
    letters = club.writes("Hello", "I'd like to play Morris")
    alarm = next(x for x in letters if x.kind == "alarm")
    assert "I'd like to play Morris" in alarm.text
    answer = club.reply(alarm, "1 reject because we are full")
    assert "we are full" in to_rose(answer).text
    assert not [x for x in club.reply(to_rose(letters), "1", ROSE) if x.to == "rose@reed.example"]
    assert not club.held()
    assert "Rose" not in club.players()


def test_no_ends_it_and_somebody_elses_yes_is_none(tmp_path: Path) -> None:
    club = Club(tmp_path)
    told = to_rose(club.writes("Hello", "I'd like to play Morris"))
    club.reply(told, "1", "Mallory <m@evil.example>")
    assert "Mallory" not in club.players()
    club.reply(told, "No, thanks", ROSE)
    assert "rose@reed.example" not in club.held()


def test_who_plays_by_then_is_answered_a_no_to_what_was_open(tmp_path: Path) -> None:
    club = Club(tmp_path, "join")
    told = to_rose(club.writes("Hello", "I'd like to play Morris"))
    club.reply(told, "1", ROSE)
    assert "Rose" in club.players()
    assert [x for x in club.reply(told, "No", ROSE) if x.to == "rose@reed.example"]


def test_whoever_watches_is_asked_nothing_more_and_stops_by_a_word(tmp_path: Path) -> None:
    club = Club(tmp_path)
    told = to_rose(club.writes("Hello", "could I just watch?"))
    assert to_rose(club.reply(told, "1", ROSE)).kind == "receipt"
    club.world.run("say", "buttons-1", "one", "--now", club.at.isoformat())
    assert to_rose(club.step())
    assert "buttons-1" in to_rose(club.writes("Hello", "Stop sending me mails!")).text
    club.world.run("say", "buttons-1", "two", "--now", club.at.isoformat())
    assert not [x for x in club.step() if x.to == "rose@reed.example"]


def test_two_open_proposals_an_address_at_most(tmp_path: Path) -> None:
    club = Club(tmp_path, "join", full=False)
    for title, count in (("Morris", 1), ("Go", 2), ("Buttons", 2)):
        told = to_rose(club.writes(title, f"Who plays {title}?"))
        club.reply(told, "Yes", ROSE)
        (listed,) = club.writes("list", title, who="Sam <sam@s.example>")
        assert listed.text.count("Rose Reed") == count


def test_who_writes_thirty_times_gets_five_answers_and_one_item_at_the_desk(tmp_path: Path) -> None:
    club = Club(tmp_path)
    got: list[Sent] = []
    for number in range(30):
        got += club.writes(f"Hello {number % 15}", f"I'd like to play Morris {number % 15}")
    mine = [x for x in got if x.to == "rose@reed.example"]
    assert len(mine) == 5
    assert "answered 4 mails" in mine[-1].words
    assert [x.kind for x in got if x.to == DESK] == ["alarm"]
    assert club.held() == ["rose@reed.example"]


def test_two_hundred_strangers_in_all(tmp_path: Path) -> None:
    club = Club(tmp_path)
    club.world.configure("strangers_in_all = 200", "strangers_in_all = 6")
    for number in range(20):
        club.world.mail(f"r{number}@reed.example", "Hello", "I'd like to play Morris", club.at.isoformat())
    letters = club.step()
    assert len([x for x in letters if x.to.endswith("reed.example")]) == 6
    assert len(club.held()) == 6


@pytest.mark.one_in(3)
@pytest.mark.parametrize(
    "headers",
    [
        {"Auto-Submitted": "auto-replied"},
        {"Precedence": "bulk", "List-Id": "<games.example.org>"},
        {"List-Unsubscribe": "<mailto:u@e.example>", "List-Id": "<x.example>"},
        {"Feedback-ID": "7:acme"},
        {"List-Unsubscribe": "<mailto:u@e.example>"},
        {"Mailing-List": "list games@e.example; contact games-owner@e.example"},
        {"X-Mailgun-Sid": "WyI0ZjJkZSJd"},
        {"X-SG-EID": "u001.4Ck"},
        {"X-Auto-Response-Suppress": "DR, OOF, AutoReply"},
        DENIED,
    ],
    ids=[
        "auto", "bulk", "list", "campaign", "unsubscribe", "old list", "mailgun", "sendgrid", "suppressed",
        "forged",
    ],
)  # fmt: skip
@pytest.mark.parametrize("setting", ["ask", "join"])
def test_nothing_is_said_to_programs_lists_and_forgers(
    setting: str, headers: dict[str, str], tmp_path: Path
) -> None:
    club = Club(tmp_path, setting)
    old = '# trusted_authserv = ["mx.example.org"]'
    club.world.configure(old, old.removeprefix("# "))
    club.at += timedelta(minutes=1)
    club.world.mail(ROSE, "Hello", "I'd like to play Morris", club.at.isoformat(), headers=headers)
    assert not [x for x in club.step(timedelta(0)) if x.to == "rose@reed.example"]
    assert not club.held()


def test_a_forger_registers_nobody(tmp_path: Path) -> None:
    """Who writes in another's name has no letter of ours to reply to, and the moderator's Yes alone seats nobody."""
    club = Club(tmp_path)
    club.writes("Hello", "I'd like to play Morris")
    club.writes("Re: What you can play here", "1")
    assert not club.world.run("release", "all", "--why", "why not", "--now", club.at.isoformat()).status
    club.step()
    assert "Rose" not in club.players()


def test_a_player_enters_an_event_by_its_name(tmp_path: Path) -> None:
    club = Club(tmp_path)
    ann = address("Ann Archer")
    listed = [x for x in club.send("Ann Archer", "list") if x.to == ann]
    assert "join autumn" in listed[0].text
    asked = [x for x in club.send("Ann Archer", "join autumn") if x.to == ann]
    assert [x.kind for x in asked] == ["proposal"], "a From alone proves nothing"
    assert "Ann" not in club.world.run("event", "show", "autumn", "--json").out
    token = str(next(x for x in club.letters if x.to == ann and x.match == "buttons-1").message["Reply-To"])
    (told,) = club.send("Ann Archer", "join autumn", to=token.replace("speaker+", "collector+"))
    assert told.kind == "receipt"
    assert "Ann Archer" in club.world.run("event", "show", "autumn", "--json").out


def test_who_is_entered_is_told_so_by_help_and_status(tmp_path: Path) -> None:
    """Known by an event that has not begun, and no stranger any more."""
    club = Club(tmp_path)
    assert not club.world.run("event", "enter", "autumn", ROSE, "--now", club.at.isoformat()).status
    (asked,) = [x for x in club.step() if x.to == "rose@reed.example"]
    club.reply(asked, "Yes", ROSE)
    for subject in ("help", "status"):
        told = to_rose(club.writes(subject)).words
        assert "You are in autumn" in told, subject
        assert '"withdraw autumn"' in told, subject
        assert "nothing of you is registered" not in told, subject


def test_who_has_as_many_open_proposals_as_may_be_is_told_which(tmp_path: Path) -> None:
    club = Club(tmp_path, "join", full=False)
    for game in ("Go", "Morris"):
        receipt = club.reply(to_rose(club.writes("Hello", f"Anybody for a game of {game}?")), "Yes", ROSE)
        text = to_rose(receipt).words
        assert "whom you named" not in text, "nobody was"
    told = to_rose(club.writes("Hello", "Anybody for a game of Buttons?")).words
    assert "You are in proposal-" in told
    assert "I do not know your address" not in told


@pytest.mark.parametrize("setting", ["ask", "join"])
def test_a_player_s_order_from_an_address_that_nobody_knows_is_no_wish_to_begin(
    setting: str, tmp_path: Path
) -> None:
    club = Club(tmp_path, setting)
    letters = club.writes("Nine Men's Morris: Move / Player 1 [morris-1]", "Move: d2")
    assert [x.to for x in letters] == ["rose@reed.example"], "the moderator need decide nothing"
    told = letters[0].words
    assert "Write from the address at which my letters reach you" in told
    assert "one word Yes" not in told
    assert not club.held()
