"""What bytes from outside are put to, a target each: a mail, own words for each game, a subject, a mail to the desk, a
record, a configuration. Each raises what is wrong: an error that nobody catches, a law broken."""

import json
import tempfile
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, Final, get_args

from referee.base import shipped
from referee.base.errors import UNFORESEEN
from referee.base.settings import LimitsSection
from referee.core import seam
from referee.core.answers import Body
from referee.core.value import Line
from referee.games import found
from referee.language.words import known_anywhere
from referee.mail.read.subject import read_subject
from referee.match import commands as do
from referee.match import events as ev
from referee.match.decide import decide
from referee.match.record.public import public_record, record_json
from referee.match.record.verifying import verified
from referee.moderation.orders import is_order, read_order
from referee.moderation.verbs import VERBS
from referee.service.config import BadConfiguration, read_configuration
from referee.way.limits import excess
from tests.attacks.heavy_texts import reader
from tests.laws.walks import KEYS, KINDS, Walk, steps
from tests.mail.mutation import CORPUS, SPLINTERS
from tests.mail.test_totality import use_everything

LIMITS: Final = LimitsSection()
PLACES: Final = (0, 3, 9)  # answers of a walk before which its match is looked at
LONGEST: Final = 20_000  # bytes of an input
MATCHES: Final = {"m1": "m1", "2nd": "2nd", "spring": "spring"}


class Broken(AssertionError):
    """A law that does not hold for an input."""


def law(holds: object, said: str) -> None:
    """Raises Broken."""
    if not holds:
        raise Broken(said)


@dataclass(frozen=True)
class Target:
    """What is done with an input, so many `times`; what inputs may begin from, and words that are put together."""

    run: Callable[[bytes], None]
    seeds: Callable[[], list[bytes]]
    words: Callable[[], list[bytes]]
    times: int = 1


def _text(data: bytes) -> str:
    return data.decode("utf-8", "replace")


def _lines(text: str) -> tuple[Line, ...]:
    return tuple(Line(number, line) for number, line in enumerate(text.splitlines(), 1))


# --- a mail -------------------------------------------------------------------------------------------------------


def read_mail(data: bytes) -> None:
    """Any bytes are a mail, always the same one."""
    use_everything(data)
    told = reader()
    law(told.identify(data, addressed=True) == told.identify(data, addressed=True), "identified otherwise")
    law(told.read(data) == told.read(data), "read otherwise")


# --- own words ----------------------------------------------------------------------------------------------------


@cache
def scenes() -> tuple[tuple[Walk, int, str, str], ...]:
    """A match of each kind at some places: whose words they are, under which heading, what a player would say."""

    def taken(kind: str) -> Iterator[tuple[Walk, int, str, str]]:
        for place, step in enumerate(steps(kind, seed=11, most=max(PLACES) + 1)):
            if place in PLACES:
                walk = step.walk
                then = Walk(walk.game, walk.match, list(walk.entries), walk.now)
                yield then, step.demand.seat, step.demand.kind, step.text

    return tuple(scene for kind in KINDS for scene in taken(kind))


def read_words(data: bytes) -> None:
    """Whatever a seat says, it has a verdict, always the same; what counts is what its own lines say."""
    walk, seat, kind, _ = scenes()[int.from_bytes(data[:2], "big") % len(scenes())]
    lines = _lines(_text(data[2:]))
    if excess(lines, LIMITS):
        return
    said = [decided(walk, seat, kind, lines) for _ in range(2)]
    law(said[0] == said[1], "judged otherwise the second time")
    verdict, answers = said[0]
    law(isinstance(verdict, get_args(do.Verdict)), "no verdict")
    if isinstance(verdict, do.Accepted) and len(answers) == 1 and verdict.text:
        again, counted = decided(walk, seat, answers[0][0].kind, _lines(verdict.text))
        law(isinstance(again, do.Accepted), f"its own lines do not count: {verdict.text!r}")
        law(counted == answers, f"its own lines say something else: {verdict.text!r}")
    for text in verdict.choices if isinstance(verdict, do.Asked) else ():
        law(text.strip(), "nothing is offered")


def decided(
    walk: Walk, seat: int, kind: str, lines: tuple[Line, ...]
) -> tuple[do.Verdict, list[tuple[Any, str]]]:
    """The verdict, and what was answered."""
    submit = do.Submit(seat, kind, Body(lines), walk.now)
    decision = decide(walk.game, walk.match, submit, walk.now, KEYS, lambda: walk.entries)
    given = [
        e.event for e in decision.entries if isinstance(e.event, ev.Answered) and e.event.demand.seat == seat
    ]
    return decision.verdict, [(a.demand, json.dumps(a.action, sort_keys=True, default=str)) for a in given]


def answers() -> list[bytes]:
    """What players say, each before its scene's number."""
    numbered = enumerate(scenes())
    return [number.to_bytes(2, "big") + text.encode() for number, (*_, text) in numbered]


def words_of_answers() -> list[bytes]:
    keys = {f"{key}: " for game in found().values() for key in seam.headings(game)}
    values = {word for *_, text in scenes() for word in text.split()}
    signs = {"\n", ", ", ". ", "? ", "! ", "> ", "\u2013", "(", ")", "\u200b", "9" * 30}
    return [word.encode() for word in sorted({*known_anywhere(), *keys, *values, *signs})]


# --- subjects, the desk, configurations ---------------------------------------------------------------------------


def read_a_subject(data: bytes) -> None:
    """A subject is read, always to the same tag."""
    text = " ".join(_text(data).split())
    tag = read_subject(text, found().titles)
    law(tag == read_subject(text, found().titles), "read otherwise")


def subjects() -> list[bytes]:
    said = [f"Re: [{slug}-1] {title}: Move / Player 2" for title, slug in found().titles.items()]
    told = ["Fwd: AW: [list] Preview Go: Move / Player 3?", "join spring", "help", "status multigo-1"]
    return [text.encode() for text in (*said, *told)]


def read_an_order(data: bytes) -> None:
    """An order to the desk has its faults or a command, never both, and always the same."""
    line, _, body = _text(data).partition("\n")
    line = line[:1000]

    def known(word: str) -> str | None:
        return MATCHES.get(word.lower())

    is_order(line, known)
    if line.split() and line.split()[0].lower() in VERBS:
        order = read_order(line, known, "Europe/Berlin", body=body)
        law(order == read_order(line, known, "Europe/Berlin", body=body), "read otherwise")
        law(not order.faults or not order.acts or order.faults, "no faults")


def orders() -> list[bytes]:
    told = [f'{verb} m1 --seat 2 --by 3d --why "a reason" --check' for verb in VERBS]
    more = [
        'say m1 "hello?" --seat 2',
        "extend all by 2d because of rain",
        "rule m1 --turn 'Round 3' --illegal?",
    ]
    return [text.encode() for text in (*told, *more, "open multigo Ann <a@example.org> board=9x9\nfor fun")]


def read_settings(data: bytes) -> None:
    """A configuration is read, or every fault is named."""
    with tempfile.NamedTemporaryFile(suffix=".toml") as file:
        file.write(data)
        file.flush()
        try:
            read_configuration(Path(file.name))
        except BadConfiguration as error:
            law(str(error).strip(), "a fault without words")


@lru_cache
def settings() -> list[bytes]:
    return [shipped.read("config", "referee.toml").encode()]


# --- records ------------------------------------------------------------------------------------------------------


def verify(data: bytes) -> None:
    """A record that was changed anywhere is well as it was, or has faults that are told; nothing else is raised than
    what says that it is none."""
    try:
        told = json.loads(data)
        game = found().get(told.get("game"))
        options = shipped.game_options(game.slug) if game else None
        faults = verified(told, game, options)
    except (*UNFORESEEN, UnicodeDecodeError):
        return
    law(all(fault.strip() for fault in faults), "a fault without words")
    law(faults or told in [json.loads(record) for record in records()], "another record verifies")


@cache
def records() -> list[bytes]:
    walks = {walk.game.slug: walk for walk, *_ in scenes()}
    return [record_json(public_record(walk.game, walk.entries)).encode() for walk in walks.values()]


def _splinters(*words: str) -> Callable[[], list[bytes]]:
    return lambda: [word.encode() for word in words]


TARGETS: Mapping[str, Target] = {
    "mail": Target(read_mail, lambda: CORPUS, lambda: list(SPLINTERS)),
    "words": Target(read_words, answers, words_of_answers, times=2),
    "subject": Target(
        read_a_subject,
        subjects,
        _splinters("Re: ", "[", "]", " / Player ", "Preview ", "?", "\u3000", *MATCHES),
    ),
    "desk": Target(
        read_an_order,
        orders,
        _splinters(*VERBS, "--why", "--check", "--to", "2026-13-01", "99999999w", '"', "\u201c", *MATCHES),
    ),
    "settings": Target(
        read_settings,
        settings,
        _splinters(
            "[", "]", "=", "true", '"1m"', "\n", "imaps://", "9" * 30, "1e999", "2026-13-01", "\\u0000"
        ),
    ),
    "record": Target(
        verify, records, _splinters("{", "}", "null", "1e999", '"hash"', "[]", "-1", '"', "9" * 30, "true")
    ),
}
