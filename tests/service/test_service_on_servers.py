"""`referee run` between a real Dovecot (IDLE) and a real Postfix: mails go out and in as everywhere, also where several
processes share the mailbox, the courier's server and one PostgreSQL (docs/workers.md)."""

import email
import smtplib
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from email.message import EmailMessage
from email.policy import default
from pathlib import Path

import pytest

from referee.match.match import Match
from tests.memory import answer_text, owing, subject_of
from tests.servers.daemon import Daemon
from tests.servers.dovecot import PASSWORD, Dovecot
from tests.servers.ground import eventually
from tests.servers.postfix import Postfix
from tests.servers.stream import SECRET
from tests.world import World

pytestmark = pytest.mark.server
MOVES = 6
People = tuple[str, ...]  # users of the mail server, the referee's own first


@pytest.fixture(autouse=True)
def secrets(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REFEREE_SECRET", SECRET)
    monkeypatch.setenv("REFEREE_IMAP_PASSWORD", PASSWORD)


class Post:
    """The players' side: mails by SMTP, letters read where Dovecot keeps them."""

    def __init__(self, dovecot: Dovecot, postfix: Postfix) -> None:
        self._dovecot = dovecot
        self._postfix = postfix

    def send(self, sender: str, to: str, subject: str, body: str, message_id: str) -> None:
        message = EmailMessage()
        message["From"], message["To"], message["Subject"] = sender, to, subject
        message["Date"], message["Message-ID"] = datetime.now(UTC), message_id
        message.set_content(body)
        with smtplib.SMTP("127.0.0.1", self._postfix.smtp) as line:
            line.send_message(message)

    def letters(self, user: str) -> list[EmailMessage]:
        found = []
        for part in ("new", "cur"):
            for path in (self._dovecot.folder(user) / part).glob("*"):
                message = email.message_from_bytes(path.read_bytes(), policy=default)
                assert isinstance(message, EmailMessage)
                found.append(message)
        return found

    def kinds(self, user: str) -> list[str]:
        return sorted(str(letter["X-Referee-Notice"]) for letter in self.letters(user))

    def receipts(self, user: str, match: str) -> set[str]:
        """By their Message-IDs, so that one that came twice counts once."""
        return {
            str(letter["Message-ID"])
            for letter in self.letters(user)
            if (letter["X-Referee-Notice"], letter["X-Referee-Match"]) == ("receipt", match)
        }


@pytest.fixture
def post(dovecot: Dovecot, postfix: Postfix) -> Post:
    return Post(dovecot, postfix)


@pytest.fixture(autouse=True)
def told(dovecot: Dovecot, postfix: Postfix) -> Iterator[None]:
    """The servers' side of a failure, shown beside it."""
    before = len(dovecot.log()), len(postfix.log())
    yield
    print(
        "Dovecot:",
        dovecot.log()[before[0] :][-4_000:],
        "Postfix:",
        postfix.log()[before[1] :][-8_000:],
        sep="\n",
    )


@pytest.fixture
def people(mail_user: str) -> People:
    """The referee, and players."""
    return tuple(f"{name}-{mail_user}" for name in ("referee", "ann", "ben", "cleo", "dan"))


@pytest.fixture
def world(tmp_path: Path, dovecot: Dovecot, postfix: Postfix, people: People) -> World:
    referee = people[0]
    return World(
        tmp_path,
        f"""
[offices]
speaker = "{referee}+speaker@example.test"
collector = "{referee}@example.test"
moderator = "moderator-{referee}@example.test"
[mailbox]
url = "imap://{referee}@127.0.0.1:{dovecot.imap}/INBOX"
password_env = "REFEREE_IMAP_PASSWORD"
[courier]
url = "smtp://127.0.0.1:{postfix.smtp}"
[poll]
every = "2s"
""",
    )


def opened(world: World, people: People, game: str = "buttons", seats: int = 2, *options: str) -> str:
    roster = [part for u in people[1 : seats + 1] for part in ("--seat", f"{u.title()} <{u}@example.test>")]
    chosen = [part for option in options for part in ("--option", option)]
    ran = world.do("open", game, *roster, *chosen, "--seed", "7")
    return ran.out.strip()


def match_of(world: World, name: str) -> Match:
    with world.referee() as referee:
        return referee.moderator.match(name)


def plays(post: Post, world: World, name: str, people: People, number: int) -> Callable[[], bool]:
    """The seat that owes something sends it; what must come of it."""
    match = match_of(world, name)
    demand = owing(match)[0]
    address = match.entrant(demand.seat).addresses[0]
    user = address.partition("@")[0]
    before = len(post.receipts(user, name))
    post.send(
        address, f"{people[0]}@example.test", subject_of(match, demand), answer_text(match, demand),
        f"<move-{number}-{name}@{people[1]}.test>",
    )  # fmt: skip
    return lambda: len(post.receipts(user, name)) == before + 1


def test_a_match_is_played_by_mail_over_imap_and_smtp(world: World, post: Post, people: People) -> None:
    name = opened(world, people, "buttons", 2, "starter=1")
    with Daemon(world.folder / "referee.toml") as service:
        eventually(lambda: "due" in post.kinds(people[1]), "the first letters")
        for number in range(MOVES):
            eventually(plays(post, world, name, people, number), f"the receipt of move {number}")
        assert service.terminate() == 0, service.log
    for user in people[1:3]:
        ids = [letter["Message-ID"] for letter in post.letters(user)]
        assert len(set(ids)) == len(ids)
        assert post.kinds(user).count("receipt") == MOVES // 2
    assert "Traceback" not in service.log
