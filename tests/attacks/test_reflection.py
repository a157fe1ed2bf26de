"""Nobody makes a player say what he did not write: a forged mail brings its alleged sender a letter of ours, and what
he answers to that letter - No, thanks, nothing, a quote - orders nothing, whatever the forger put into his subject."""

import json
from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from referee.core import seam
from referee.games import found
from referee.mail.read.phrases import DISOWNS, NO
from referee.mail.read.subject import COMMANDS, read_subject
from tests.attacks.test_resigning_for_another import OPENED
from tests.sampling import one_in
from tests.world import Sent, Table, kinds

EVIL = "evil@elsewhere.example"
MODERATOR = "moderator@referee.localhost"
DENIALS = tuple(dict.fromkeys((*NO, *DISOWNS, "No, that was not me.", "That wasn't me!\n\nAnn")))
EMPTY = (
    "Thanks!", "", "Thank you, all clear.", "What is this?", "> {text}",
    "Hello,\n\nwhat does this mean?\n\nBye\n\n> {text}",
)  # fmt: skip
SUBJECTS = ("Re: {0}", "AW: Re: {0}", "[players] Re: {0}", "Re: {0} (fwd)", "{0}")
NEEDS = ("address", "vouched", "token", "confirm")
TABLES = {
    **{name: opened for name, (opened, _) in OPENED.items()},
    "morris": lambda folder: Table(folder, "morris"),
}
TITLES = {title: game.slug for game in found().values() for title in game.titles}
SAMPLE = 11  # forged mails for each game and each `need`, another part of them each time
START = datetime.fromisoformat("2026-03-02T00:00:00+00:00")


def forged(table: Table) -> list[tuple[str, str]]:
    """Subject and body: every command, by all its names, every heading of the game, in earnest and as dry runs."""
    slug, match = table.world.show(table.match)["game"], table.match
    game, seat = found()[slug], table.turn
    arguments = {
        "address": EVIL, "press": f"{match} / all", "vacation": "2026-04-01..2026-04-10", "timezone": "Asia/Tokyo",
        "format": "text", "digest": "on", "rules": slug, "syntax": slug, "pieces": slug,
    }  # fmt: skip
    names = [f"{name} {arguments.get(command, match)}" for name, command in COMMANDS.items()]
    headings = [f"{game.title}: {heading} / Player {seat} [{match}]" for heading in seam.headings(game)]
    bodies = {"press": "I am a fool, and I resign.", "phrase": "Pass phrase: the forgers own words"}
    earnest = [(subject, bodies.get(subject.split()[0], "Resign")) for subject in (*names, *headings)]
    tried = [(f"{subject}?", body) for subject, body in earnest]
    return [*earnest, *tried, *((f"Preview: {subject}", body) for subject, body in earnest[::3])]


def is_believed(subject: str, need: str) -> bool:
    """Whether a bare From is enough for what the subject asks: nothing is promised against that."""
    tag = read_subject(subject, TITLES)
    asked = ("address", "resign")
    return need == "address" and not tag.preview and tag.command not in asked


class Mirror:
    """A table whose mover is written to in his own name."""

    def __init__(self, folder: Path, name: str, need: str) -> None:
        self.table = TABLES[name](folder)
        world = self.table.world
        world.configure('need = "address"', f'need = "{need}"')
        world.configure('# trusted_authserv = ["mx.example.org"]', 'trusted_authserv = ["mx.example.org"]')
        for limit, usual in (("answers_a_day", 100), ("equal_questions_a_day", 5), ("press_a_day", 50)):
            world.configure(f"{limit} = {usual}", f"{limit} = 10000")
        self.seconds = self.mails = 0

    def at(self) -> str:
        self.seconds += 61
        return (START + timedelta(seconds=self.seconds)).isoformat()

    def facts(self) -> dict[str, Any]:
        """All that others could notice, and who may speak for whom. A mail held for the moderator ordered nothing."""
        shown = self.table.world.run("show", self.table.match, "--moderator", "--json").json
        del shown["held"]
        record = self.table.world.run("record", self.table.match, "--format", "json").out
        return {"shown": shown, "record": record, "people": self.people()}

    def people(self) -> list[Any]:

        with self.table.world.referee() as referee:
            match = referee.moderator.match(self.table.match)
            return [match.roster, match.observers, match.absences]

    def forge(self, mails: Sequence[tuple[str, str]]) -> list[Sent]:
        for subject, body in mails:
            self.table.world.mail(self.table.mover, subject, body, self.at())
            self.mails += 1
        return self.step()

    def answer(self, letter: Sent, words: str, subject: str = "Re: {0}") -> None:
        quoted = "\n> ".join(letter.text.splitlines())
        self.table.world.mail(
            letter.to, subject.format(letter.subject), words.format(text=quoted), self.at(),
            to=letter.message["Reply-To"] or letter.message["From"], reply_to=letter.message["Message-ID"],
        )  # fmt: skip
        self.mails += 1

    def step(self) -> list[Sent]:
        counts, letters = self.table.step(self.at())
        assert counts["accepted"] == counts["shunted"] == 0, counts
        return letters


def heard_by(letters: Sequence[Sent], mirror: Mirror) -> None:
    """Nobody but the alleged sender and the moderator gets a letter; a further address is asked at most."""
    for letter in letters:
        asked = letter.to == EVIL and letter.kind == "challenge"
        assert letter.to in (mirror.table.mover, MODERATOR) or asked, (letter.kind, letter.to, letter.subject)


def parts(name: str, need: str, mails: Sequence[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    """Of the forged mails those for this game and `need`: together all of them."""
    stride = max(1, len(mails) // SAMPLE)
    first = (list(TABLES).index(name) * len(NEEDS) + NEEDS.index(need)) % stride
    yield from mails[first::stride]


@pytest.mark.one_in(4)
@pytest.mark.parametrize("need", NEEDS)
@pytest.mark.parametrize("name", one_in(6, TABLES))
def test_no_answer_to_what_a_forged_mail_brings_orders_anything(tmp_path: Path, name: str, need: str) -> None:
    mirror = Mirror(tmp_path, name, need)
    before = mirror.facts()
    mails = [mail for mail in forged(mirror.table) if not is_believed(mail[0], need)]
    letters = mirror.forge(list(parts(name, need, mails)))
    heard_by(letters, mirror)
    assert mirror.facts() == before, "the forged mails themselves"
    for letter in [x for x in letters if x.to == EVIL]:
        mirror.answer(letter, "Yes")
    mirror.step()
    number = NEEDS.index(need) + len(NEEDS) * list(TABLES).index(name)
    for letter in [x for x in letters if x.to == mirror.table.mover]:
        for words in (
            EMPTY[number % len(EMPTY)],
            DENIALS[number % len(DENIALS)],
            DENIALS[-number % len(DENIALS)],
        ):
            number += 7
            mirror.answer(letter, words, SUBJECTS[number % len(SUBJECTS)])
    answers = mirror.step()
    heard_by(answers, mirror)
    assert mirror.facts() == before, "the answers"
    print(f"{name}, need {need}: {mirror.mails} mails, {len(letters)} letters answered")


@pytest.mark.one_in(4)
@pytest.mark.parametrize("name", TABLES)
def test_our_subjects_order_nothing_and_repeat_nothing(tmp_path: Path, name: str) -> None:
    """Whatever is forged, and however the subject of the letter comes back: cut short, or with no thread at all."""
    mirror = Mirror(tmp_path, name, "address")
    mails = [
        (f"{subject} XYZZY", body)
        for subject, body in forged(mirror.table)
        if not is_believed(subject, "address")
    ]
    letters = mirror.forge(mails[::9])
    assert len(letters) > len(mails) // 30
    cases = 0
    for letter in {x.subject: x for x in letters}.values():
        assert "XYZZY" not in letter.subject
        for end in range(1, len(letter.subject) + 1):
            tag = read_subject(f"Re: {letter.subject[:end]}", TITLES)
            assert (tag.command, tag.heading.casefold() == "resign") == (None, False), letter.subject[:end]
            cases += 1
    print(f"{name}: {mirror.mails} mails, {cases} subjects")


@pytest.fixture
def mirror(tmp_path: Path) -> Mirror:
    return Mirror(tmp_path, "buttons", "address")


@pytest.mark.one_in(4)
@pytest.mark.parametrize("words", DENIALS[::9])
def test_a_denial_is_noted_and_the_moderator_told_once_a_day(mirror: Mirror, words: str) -> None:
    (preview,) = mirror.forge([(f"resign {mirror.table.match}?", "Resign")])
    assert preview.kind == "preview"
    mirror.answer(preview, words)
    letters = mirror.step()
    assert kinds(letters) == {"alarm": [MODERATOR], "help": [mirror.table.mover]}
    assert "noted" in next(x.text for x in letters if x.kind == "help")
    mirror.answer(preview, f"Hello\n\n{words}")
    assert kinds(mirror.step()) == {"help": [mirror.table.mover]}


def test_a_denial_below_the_word_of_a_wished_address_throws_the_wish_away(mirror: Mirror) -> None:
    """A mail that asks for a further address is held until that one has said Yes: whoever it speaks for can stop it by
    an answer to any letter about it."""
    token = mirror.table.latest("due", mirror.table.mover).message["Reply-To"]
    world = mirror.table.world
    world.configure('address = "confirm"', 'address = "token"')
    world.mail(mirror.table.mover, f"address {EVIL}", "", mirror.at(), to=token)
    letters = mirror.step()
    told = next(x for x in letters if x.to == mirror.table.mover)
    mirror.answer(told, "No, that was not me.")
    assert "thrown away" in next(x for x in mirror.step() if x.to == mirror.table.mover).text
    mirror.answer(next(x for x in letters if x.to == EVIL), "Yes")
    mirror.step()
    assert EVIL not in json.dumps(mirror.people(), default=str)


def test_a_new_subject_is_the_senders_own_word(mirror: Mirror) -> None:
    _, letters = mirror.table.send(mirror.table.mover, f"status {mirror.table.match}", "", mirror.at())
    (status,) = letters
    assert "status" not in status.subject
    mirror.answer(status, "", f"record {mirror.table.match}")
    assert kinds(mirror.step()) == {"record": [mirror.table.mover]}


def test_what_has_counted_is_said_not_to_be_undone(mirror: Mirror) -> None:
    table = mirror.table
    subject = table.latest("due", table.mover).subject
    counts, letters = table.send(table.mover, subject, table.orders(table.mover), mirror.at())
    assert counts["accepted"] == 1
    receipt = next(x for x in letters if x.kind == "receipt")
    before = mirror.facts()
    mirror.answer(receipt, "Not me!")
    (noted,) = [x for x in mirror.step() if x.to == table.mover]
    assert "not undone by itself" in noted.words
    assert mirror.facts() == before


def test_a_dry_run_is_weighed_like_what_it_tries(mirror: Mirror) -> None:
    mirror.table.world.configure('need = "address"', 'need = "vouched"')
    table = mirror.table
    due, fair = table.latest("due", table.mover), table.orders(table.mover)
    for subject in (f"{due.subject}?", f"Preview: {due.subject}"):
        letters = mirror.forge([(subject, fair)])
        assert kinds(letters) == {"challenge": [table.mover]}, subject
        letters = mirror.forge([(subject, "Move: nonsense")])
        assert kinds(letters) == {"preview": [table.mover]}, "a fault is told before anybody is asked"
    letters = mirror.forge([(due.subject, "Place: 1 a1\n" * 3000)])
    assert "challenge" in kinds(letters) or kinds(letters) == {"alarm": [MODERATOR]}


@pytest.mark.parametrize(
    "command", ["press {0} / all", "vacation 2026-04-01..2026-04-10", "renew {0}", "digest on"]
)
def test_what_has_no_dry_run_does_nothing_as_one(mirror: Mirror, command: str) -> None:
    before = mirror.facts()
    letters = mirror.forge([(command.format(mirror.table.match) + "?", "words")])
    assert kinds(letters) == {"refusal": [mirror.table.mover]}
    assert mirror.facts() == before


def test_a_no_to_somebody_elses_words_is_his_own_under_a_subject_of_its_own(mirror: Mirror) -> None:
    """Players answer one another: what is passed on under a subject of its own is no denial."""
    table = mirror.table
    _, letters = table.send(table.other, f"press {table.match}", "Shall we call it a draw?", mirror.at())
    said = next(x for x in letters if x.kind == "press" and x.to == table.mover)
    mirror.answer(said, "No.", f"press {table.match}")
    assert "press" in kinds(mirror.step())
