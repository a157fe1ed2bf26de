"""The guides to play, and to the desk, show what is: their commands are carried out, their mails sent, and what comes
is compared."""

import re
import shlex
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from referee.cli.app import COMMANDS
from referee.games import found
from referee.mail.read.subject import COMMANDS as BY_MAIL
from referee.moderation.verbs import VERBS
from referee.way.orders import SHELL
from tests.docs.guide import GUIDES, Shown, missing, shown
from tests.world import START, Sent, World

PAGES = [*sorted(GUIDES.glob("playing*.md")), GUIDES / "desk.md", GUIDES / "tournaments.md"]
MODERATOR = "moderator@referee.localhost"


@pytest.fixture(autouse=True)
def one_secret(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REFEREE_SECRET", "a secret for guides")


class Reader:
    """Does what a page shows, an hour for each thing."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.now = datetime.fromisoformat(START)
        self.letters: list[Sent] = []
        self.said = ""

    def follow(self, block: Shown) -> None:
        match block.kind:
            case "sh":
                for line in block.text.splitlines():
                    self._command(line)
            case "mail":
                self._send(block)
            case "letter":
                self._compare(block)
            case "output":
                part = missing(block, self.said)
                assert not part, f"line {block.line}: {part!r} is not in\n\n{self.said}"

    def _command(self, line: str) -> None:
        name, *words = shlex.split(line, comments=True)
        assert name == "referee", line
        ran = self.world.do(*words, "--now", self.now.isoformat())
        self.said = ran.out
        self._pass()

    def _send(self, block: Shown) -> None:
        fields, body = block.fields
        at, subject = self.now.isoformat(), fields["Subject"]
        answered = [
            letter
            for letter in self.letters
            if letter.to in fields["From"] and f"Re: {letter.subject}" == subject
        ]
        if answered:
            self.world.reply(answered[-1], body, at, fields["From"])
        else:
            assert not subject.startswith("Re:"), f"line {block.line}: there is no such letter"
            self.world.mail(fields["From"], subject, body, at)
        self._pass()

    def _pass(self) -> None:
        self.letters += self.world.passed(self.now.isoformat())
        self.now += timedelta(hours=1)

    def _compare(self, block: Shown) -> None:
        """With the newest letter of that Notice to that reader."""
        kind, _, who = block.about.partition(" to ")
        to = MODERATOR if who == "Mo" else f"{who.lower()}@example.org"
        got = [letter for letter in self.letters if (letter.kind, letter.to) == (kind, to)]
        assert got, f"line {block.line}: no {block.about}, but {[(x.kind, x.to) for x in self.letters[-9:]]}"
        said = f"Subject: {got[-1].subject}\n\n{got[-1].text}"
        part = missing(block, said)
        assert not part, f"line {block.line}: {part!r} is not in\n\n{said}"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_what_the_guide_shows_is_what_happens(page: Path, tmp_path: Path) -> None:
    reader = Reader(World(tmp_path))
    blocks = list(shown(page))
    assert {"sh", "mail", "letter"} <= {block.kind for block in blocks}
    for block in blocks:
        reader.follow(block)
    mails = sum(block.kind == "mail" for block in blocks)
    assert len(reader.letters) >= mails, "whoever writes gets a letter"


def test_what_can_be_commanded_can_be_mailed_but_for_what_the_page_says_is_the_shell_s() -> None:
    page = (GUIDES / "desk.md").read_text()
    told = page.partition("the shell's are ")[2].partition(", and the options")[0]
    assert set(re.findall(r"`(\w+)`", told)) == SHELL
    assert set(COMMANDS) - SHELL <= VERBS.keys() | set(BY_MAIL.values()), "an alias of another does not do"


def test_every_game_has_its_page() -> None:
    for slug in set(found()) - {"bidding"}:
        page = GUIDES / f"playing-{slug}.md"
        assert page in PAGES, slug
        assert f"](playing-{slug}.md)" in (GUIDES / "playing.md").read_text()
