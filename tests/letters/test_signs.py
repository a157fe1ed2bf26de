"""A sign that HTML writes otherwise stands in a letter as its writer wrote it: plainly in the text, escaped once in
the HTML. Answers of every kind of match are spoilt with such signs, and every letter that follows is read."""

import html
import re
from collections.abc import Iterator
from datetime import timedelta
from email import message_from_bytes, policy
from email.message import EmailMessage
from pathlib import Path

import pytest

from tests.laws.walks import KINDS
from tests.offices.stage import NOON, Stage, answer_text, owing, subject_of
from tests.sampling import one_in

ENTITY = re.compile(r"&(?:#\w+|amp|lt|gt|quot|apos);")
SIGNS = ('"', "'", "<", ">", "&", '"Move: D4" & <b>', "Ann's")


def spoilt(answer: str) -> Iterator[str]:
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
    for body in spoilt(answer_text(match, demand)):
        at += timedelta(minutes=5)
        stage.write(f"{person.name} <{person.addresses[0]}>", f"{subject_of(match, demand)}?", body, at)
        mails += 1
    stage.step(at)
    for parcel in stage.new_letters():
        text, page = bodies(parcel.raw)
        assert not ENTITY.search(text), text
        assert not ENTITY.search(html.unescape(page)), page
    print(f"{kind}: {mails} mails")
