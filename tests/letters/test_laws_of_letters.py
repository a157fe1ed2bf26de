"""What holds of every letter of every match, each law below.

A refusal says nothing twice: what the mail's mended form would still lack is told only where it is something else.
Legal answers of walked matches are spoilt, and what the refusal says of each is read; a Mascot, which a form can hold
without a square, a name or both, is left out in every way.
"""

import html
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from email import message_from_bytes, policy
from email.message import EmailMessage
from itertools import chain
from pathlib import Path

import pytest

from referee.base import shipped
from referee.core import seam
from referee.core.answers import Body
from referee.core.chance import RECIPE
from referee.core.value import Demand
from referee.letters.rendering import Renderer
from referee.match.chain import SEAL_RECIPE
from referee.match.commands import Refused
from tests import memory as stage
from tests.attacks.test_thanks_that_order import GAMES, opened
from tests.laws.test_refusals import cases, judged
from tests.laws.walks import KINDS, Walk, steps
from tests.letters.plain import in_text
from tests.letters.test_goldens import file_of, kept_files
from tests.letters.transcript import SECRET, transcript
from tests.memory import NOON, Stage, answer_text, owing, subject_of
from tests.sampling import one_in
from tests.world import sent

PAGE = "{{ parts.faults(verdict) }}"
MASCOTS = (
    "", "Mascot:", "Mascot: Archer", "Mascot: d12", "Mascot: King b2", "Mascot: Pawn b2 b3", "Mascot: none",
)  # fmt: skip


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Renderer:
    folder = tmp_path_factory.mktemp("templates")
    (folder / "faults.j2").write_text(PAGE, encoding="utf-8")
    (folder / "duty.j2").write_text(DUTY, encoding="utf-8")
    return Renderer([folder, *shipped.folders("templates", Path("nowhere"))])


def told(pages: Renderer, walk: Walk, demand: Demand, kind: str, mail: str) -> list[str]:
    """What a refusal of the mail says is wrong, each without its number; nothing where it is accepted."""
    verdict = judged(walk, demand.seat, kind, mail)
    if not isinstance(verdict, Refused):
        return []
    context = {"verdict": verdict, "game": walk.game, "match": walk.match, "referee": None}
    page = in_text(pages, "faults.j2", context)
    return [re.sub(r"^\d+\. ", "", " ".join(part.split())) for part in page.split("\n\n") if part.strip()]


def mascots() -> Iterator[tuple[Walk, Demand, str]]:
    """Purchases and setups with and without all that may be said of a Mascot, and of a King beside it."""
    for step in steps("fourplay", 1, 9):
        if step.demand.kind in ("Purchase", "Setup"):
            walk, party = step.walk, step.walk.match.party(step.demand.seat)
            filled = seam.filled_in(walk.game, walk.match.inner, step.demand, party, step.action)
            for line in MASCOTS:
                changed = re.sub(r"(?m)^Mascot:.*$", line, filled)
                for other in (changed, re.sub(r"(?m)^(King|\d+ \w+).*$", "", changed, count=1)):
                    yield walk, step.demand, other


def check(said: list[str]) -> None:
    bare = [re.sub(r" \(.*", "", words) for words in said if not re.search(r"\bLine \d|In the form", words)]
    doubled = [words for words, times in Counter(bare).items() if times > 1]
    assert not doubled, said


def test_of_a_mascot_everything_is_said_once(pages: Renderer) -> None:
    read = 0
    for walk, demand, mail in mascots():
        said = told(pages, walk, demand, demand.kind, mail)
        assert sum("square of your Mascot is missing" in words for words in said) <= 1, said
        check(said)
        read += bool(said)
    print(f"{read} refusals")
    assert read > 50


@pytest.mark.one_in(5)
@pytest.mark.parametrize("kind", KINDS)
def test_a_refusal_says_nothing_twice(kind: str, pages: Renderer) -> None:
    for walk, demand, heading, mail in cases(kind, 5, 8, 3):
        check(told(pages, walk, demand, heading, mail))


# -----------------------------------------------------------------------------------------------------------------
# An example in a letter is an order that its reader could send: it is read, and is wrong at most in what it tells
# beside the move. A whole walk of every kind of match is gone through, and every example of every duty is sent.

DUTY = '{{ speak(game.slug ~ "/demands", demand.kind, demand, view, false) }}'
EXAMPLE = re.compile(r'(?:example|such as|as in) "(Move: [^"]+)"')
BESIDE = {"nine men": {"no_mill"}, "nine men short": {"no_mill"}}  # it says what to write if there is a mill


def wrong_with(walk: Walk, seat: int, example: str) -> set[str]:
    """The codes of what is wrong with the example, sent as it stands."""
    body = Body.of(example)
    demand = walk.match.standing.aimed(seat, "Move", body)
    reading = seam.read(walk.game, walk.match.inner, demand, body, walk.match.party(seat))
    found = {c.code for c in (*reading.complaints, *walk.match.standing.faults(demand, reading))}
    return found | ({"nothing_read"} if reading.action is None else set())


@pytest.mark.one_in(2)
@pytest.mark.parametrize("kind", [kind for kind in KINDS if not kind.startswith("fourplay")])
def test_every_example_can_be_sent(kind: str, pages: Renderer) -> None:
    sent = 0
    for step in chain(steps(kind, 2, 25), steps(kind, 3, 25)):
        walk, demand = step.walk, step.demand
        if demand.kind == "Move":
            view = walk.game.view(walk.match.inner, demand.seat)
            context = {"game": walk.game, "match": walk.match, "demand": demand, "view": view}
            words = " ".join(in_text(pages, "duty.j2", context).split())
            for example in EXAMPLE.findall(words):
                assert wrong_with(walk, demand.seat, example) <= BESIDE.get(kind, set()), (example, words)
                points = re.findall(r"\b[a-z]\d+\b", example)
                assert len(set(points)) == len(points), example  # nobody takes the man he has just put there
                sent += 1
    print(f"{kind}: {sent} examples")


# -----------------------------------------------------------------------------------------------------------------
# A letter that is a receipt and tells what all are told says an order once: what the public words repeat of it does
# not stand above them too. Whole matches of every game are played at the desk, with a comment now and then.

ANSWERS = {"fourplay": 16}


@pytest.mark.one_in(4)
@pytest.mark.parametrize("kind", GAMES)
def test_an_order_stands_in_a_receipt_once(tmp_path: Path, kind: str) -> None:
    club, read = opened(tmp_path, kind, 8), 0
    for number in range(ANSWERS.get(kind, 6)):
        if not owing(club.match):
            break
        demand = owing(club.match)[0]
        r = club.match.round_of(demand)
        sealed = r is not None and r.sealed  # a reveal has the same lines of several
        order = answer_text(club.match, demand, number)
        if number % 2 and "Comment:" not in order:
            order += f"\nComment: this is my answer number {number}"
        seen = len(club.letters.get(demand.seat, []))
        club.mail(demand.seat, subject_of(club.match, demand), order)
        club.step()
        for letter in club.letters[demand.seat][seen:]:
            if "and is accepted" in letter.words:
                told = letter.text.partition("Reply with this form")[0].splitlines()
                lines = Counter(line for line in told if line.startswith("> ") and len(line) > 8)
                assert sealed or not [line for line, times in lines.items() if times > 1], letter.text
                read += 1
    assert read


# --- what is sealed is told as sealed only while it is -----------------------------------------------------------


SEALED = "nobody sees it before the reveal"
OPENED = "as the last one that was missing it is opened"


@pytest.mark.one_in(3)
@pytest.mark.parametrize("kind", ["go, in parallel", "fourplay"])
@pytest.mark.parametrize("of_their", [0, 1], ids=["first address", "other address"])
def test_a_receipt_says_sealed_only_while_it_is(
    tmp_path: Path, kind: str, of_their: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    people = [replace(p, addresses=(p.addresses[0], f"other.{p.addresses[0]}")) for p in stage.PEOPLE]
    monkeypatch.setattr(stage, "PEOPLE", tuple(people))
    club, waited, revealed = opened(tmp_path, kind, 5), 0, 0
    for number in range(6):
        r = club.match.rounds[0]
        for each in owing(club.match):
            person = club.match.entrant(each.seat)
            sender, text = person.addresses[of_their], answer_text(club.match, each, number)
            club.stage.write(f"{person.name} <{sender}>", subject_of(club.match, each), text, club.at)
            club.stage.new_letters()
            fresh = [x for x in club.stage.passed(club.at) if x.recipient == sender]
            letters = [sent(x.raw.replace(b"\r\n", b"\n")).words for x in fresh]
            receipts = [words for words in letters if "and is accepted" in words]
            waits = any((o.label, o.opened) == (r.label, r.opened) for o in club.match.rounds)
            assert len(receipts) == 1
            assert (SEALED in receipts[0]) == (r.sealed and waits), receipts
            assert (OPENED in receipts[0]) == (r.sealed and not waits), receipts
            waited += r.sealed and waits
            revealed += r.sealed and not waits
    assert waited
    assert revealed


# -----------------------------------------------------------------------------------------------------------------
# A sign that HTML writes otherwise stands in a letter as its writer wrote it: plainly in the text, escaped once in
# the HTML. Answers of every kind of match are spoilt with such signs, and every letter that follows is read.

ENTITY = re.compile(r"&(?:#\w+|amp|lt|gt|quot|apos);")
SIGNS = ('"', "'", "<", ">", "&", '"Move: D4" & <b>', "Ann's")


def with_signs(answer: str) -> Iterator[str]:
    """The answer with such signs in what follows its keys, and as lines of their own."""
    for sign in SIGNS:
        yield re.sub(r"(?m)^(\w[\w ]*): *(.*)$", rf"\1: {sign}\2{sign}", answer)
        yield f'{answer}\nMove: {sign}c3{sign}\n{sign}Pawn: a1{sign}\n"Comment: it{sign}s me"'
        yield f"{answer}\n{sign}{answer}{sign}"


def bodies(raw: bytes) -> tuple[str, str]:
    """Plain text and HTML of a letter."""
    message = message_from_bytes(raw, policy=policy.default)
    assert isinstance(message, EmailMessage)
    plain, rich = message.get_body(("plain",)), message.get_body(("html",))
    assert plain is not None
    return plain.get_content(), rich.get_content()


@pytest.mark.one_in(2)
@pytest.mark.parametrize("kind", one_in(2, KINDS))
def test_no_entity_is_seen_in_a_letter(kind: str, tmp_path: Path) -> None:
    game, seats, options = KINDS[kind]
    stage = Stage(tmp_path)
    name = stage.open(game, seats, **options)
    stage.step(NOON)
    match = stage.match(name)
    demand = owing(match)[0]
    person = match.entrant(demand.seat)
    mails, at = 0, NOON
    for body in with_signs(answer_text(match, demand)):
        at += timedelta(minutes=5)
        stage.write(f"{person.name} <{person.addresses[0]}>", f"{subject_of(match, demand)}?", body, at)
        mails += 1
    stage.step(at)
    for parcel in stage.new_letters():
        text, page = bodies(parcel.raw)
        assert not ENTITY.search(text), text
        assert not ENTITY.search(html.unescape(page)), page
    print(f"{kind}: {mails} mails")


# -----------------------------------------------------------------------------------------------------------------
# 80 columns hold a letter: no line of any letter's text is longer, whatever the game, the board and what is marked.
# Let be as long as they are: addresses of pages, hashes and Message-IDs (they are copied whole), the recipes (code
# that is run), a player's own words (they are quoted as they came), and revealed answers (their seals are made of
# these very lines).

COLUMNS = 80
_CODE = frozenset((*RECIPE.splitlines(), *SEAL_RECIPE.splitlines()))
_WHOLE = re.compile(r"https?://|\b[0-9a-f]{32,}\b|<\S+@\S+>")
_REVEALED = re.compile(r'"[^"]*" is closed, and the answers are opened\.')


def wide_lines(told: str) -> Iterator[str]:
    """The lines of a transcript's letters that are too long and may not be."""
    for page in re.split(r"(?m)^={20} ", told):
        mail, *letters = page.split("-" * 20 + " a letter\n")
        written = {line.strip() for line in mail.splitlines()}
        for letter in letters:
            body = letter.partition("\n\n")[2]
            revealed = bool(_REVEALED.search(body))
            for line in body.splitlines():
                if len(line) <= COLUMNS or line in _CODE or line.strip() in written or _WHOLE.search(line):
                    continue
                if not (revealed and re.match(r"\w[\w ]*: ", line)):
                    yield line


@pytest.mark.parametrize("kind", KINDS)
def test_80_columns_hold_the_letters_that_were_kept(kind: str) -> None:
    if not file_of(kind).exists():
        pytest.skip("no golden letters yet")
    assert not list(wide_lines(file_of(kind).read_text(encoding="utf-8")))


@pytest.mark.one_in(4)
@pytest.mark.parametrize("seed", [11, 12])
@pytest.mark.parametrize("kind", one_in(3, KINDS))
def test_80_columns_hold_the_letters_of_any_match(
    kind: str, seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("REFEREE_SECRET", SECRET)
    told, _ = transcript(kind, tmp_path, mails=10, seed=seed)
    assert not list(wide_lines(told))


def test_a_line_that_is_too_long_would_be_found() -> None:
    page = f"==================== a mail\n{'-' * 20} a letter\nSubject: x\n\n{'word ' * 20}\n"
    assert len(list(wide_lines(page))) == 1


# -----------------------------------------------------------------------------------------------------------------
# Letters are in plain words: sentences short enough to be read once, hardly a long word, none of the trade's own.

WORDS_A_SENTENCE, LONGEST = 13, 42
EASE = 80  # of Flesch: 80 and more is easy, 60 to 70 plain
OF_THE_TRADE = re.compile(r"\b(ply|plies|counts? as|no deadline waits)\b", re.IGNORECASE)
TEMPLATES = Path(__file__).parents[2] / "templates"

_PLAIN = re.compile(r"[A-Z][^\n]*(?:\n[^\n]+)*")  # a paragraph begins so
_LAID_OUT = re.compile(r"^(?:[>|\d ]| *-)|  +|^\S+:(?: \S+)*$|^X-|^-{3}|^={3}", re.MULTILINE)
_SENTENCE = re.compile(r"(?<=[.!?])\s+")
_WORD = re.compile(r"[A-Za-z']+")


def letters_of(file: Path) -> Iterator[str]:
    """The words of the letters in a file, without mails, boards, tables, forms, quotes."""
    for part in re.split(r"(?m)^(?:-{20}|={20}) ", file.read_text(encoding="utf-8")):
        head, _, body = part.partition("\n\n")
        if "X-Referee-Notice" in head:
            paragraphs = (block for block in body.split("\n\n") if _PLAIN.fullmatch(block.strip()))
            yield "\n\n".join(block for block in paragraphs if not _LAID_OUT.search(block))


def sentences(text: str) -> list[list[str]]:
    said = (_WORD.findall(one) for block in text.split("\n\n") for one in _SENTENCE.split(block))
    return [words for words in said if words]


def syllables(word: str) -> int:
    """About as many as there are groups of vowels, without a silent e."""
    groups = len(re.findall(r"[aeiouy]+", word.lower().removesuffix("e")))
    return max(groups, 1)


def ease(said: list[list[str]]) -> float:
    words = [word for sentence in said for word in sentence]
    return 206.835 - 1.015 * len(words) / len(said) - 84.6 * sum(map(syllables, words)) / len(words)


@pytest.mark.parametrize("file", kept_files(), ids=lambda file: file.stem)
def test_letters_are_read_once_and_understood(file: Path) -> None:
    said = [sentence for text in letters_of(file) for sentence in sentences(text)]
    assert len(said) > 100
    longest = max(said, key=len)
    assert len(longest) <= LONGEST, " ".join(longest)
    assert sum(map(len, said)) / len(said) <= WORDS_A_SENTENCE
    assert ease(said) >= EASE


def test_no_letter_speaks_the_trade_s_words() -> None:
    for file in kept_files():
        for text in letters_of(file):
            assert not OF_THE_TRADE.search(text), text
    for path in sorted(
        (*TEMPLATES.rglob("*.j2"), *TEMPLATES.rglob("complaints.toml"), *TEMPLATES.rglob("help.toml"))
    ):
        words = re.sub(r"\{[{%#].*?[}%#]\}", " ", path.read_text(encoding="utf-8"), flags=re.DOTALL)
        found = OF_THE_TRADE.search(words)
        assert found is None, (path.name, words[found.start() - 60 : found.end() + 60])
