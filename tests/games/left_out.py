"""A legal answer with one line garbled, as fingers do it, and the law that nothing of it is left out in silence: what
counts, what is asked about, what a mere OK would send holds every line behind a key or with a square, or tells it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from referee.core import seam
from referee.core.answers import Body
from referee.core.chance import Chance
from referee.core.orders.keyed import unsaid
from referee.match import commands as do
from referee.match import events as ev
from referee.match.commands import Accepted, Asked, Refused
from referee.match.decide import decide
from tests.laws.walks import KEYS, Walk, lines_of


def slips(line: str, chance: Chance) -> Iterator[str]:
    """A misspelt key, a digit too many, the line cut off, another square; a sign lost or doubled anywhere."""
    key, colon, value = line.partition(":")
    digits = [at for at, sign in enumerate(line) if sign.isdigit()]
    at = chance.below(len(line), "where")
    put = digits[chance.below(len(digits), "which digit")] if digits else at
    letter = chance.below(len(key), "which letter")
    if colon:
        yield f"{key[:letter]}{key[letter + 1 :]}:{value}"
        yield f"{key[:letter]}{key[letter:][1:2]}{key[letter:][:1]}{key[letter:][2:]}:{value}"
        yield f"{key}{';= '[chance.below(3, 'sign')]}{value.strip()}"
    yield line[:put] + line[put] + line[put:]
    yield line[:put] + str(1 + chance.below(8, "row")) + line[put + 1 :]
    yield line[: max(1, at)]
    yield line[:at] + line[at + 1 :]
    yield line[:at] + line[at] + line[at:]


def check(walk: Walk, seat: int, heading: str, meant: Sequence[str], chance: Chance) -> Counter[str]:
    """The law, for every slip in every line; how the mails were judged."""
    seen: Counter[str] = Counter()
    for place, line in enumerate(meant):
        for slip in slips(line, chance):
            mail = [*meant[:place], slip, *meant[place + 1 :]]
            told, form, how = judged(walk, seat, heading, "\n".join(mail))
            unsure = unsaid(form, lines_of("\n".join(mail))) if form is not None else ()
            lost = [x.text for x in unsure if not named(x.text) <= named(f"{form} {told}")]
            assert not lost, (lost, mail, how, form)
            seen[how] += 1
    return seen


def named(text: str) -> set[str]:
    """The cells, numbers and words that a line names behind its key."""
    value = re.sub(r"^[^:;=]*[:;=]", "", text)
    return set(re.findall(r"[a-z]\d+|\d+|[a-z]{4,}", (value or text).lower())) - {"then"}


def judged(walk: Walk, seat: int, heading: str, mail: str) -> tuple[str, str | None, str]:
    """What its letter tells of lines that were passed over; what counts or an OK sends, None for nothing."""
    entries = list(walk.entries)
    submit = do.Submit(seat, heading, Body.of(mail), walk.now)
    decision = decide(walk.game, walk.match, submit, walk.now, KEYS, lambda: entries)
    match decision.verdict:
        case Accepted() as verdict:
            given = [e.event for e in decision.entries if isinstance(e.event, ev.Answered)]
            actions = [(a.demand, walk.game.actions_codec.decode(a.action)) for a in given]
            texts = [seam.write(walk.game, walk.match.inner, demand, action) for demand, action in actions]
            return _lines(verdict.courtesy), "\n".join(texts), "accepted"
        case Asked() as verdict:
            return _lines(verdict.courtesy), verdict.form or None, "asked"
        case Refused() as verdict if verdict.ready and verdict.mended is not None:
            return _lines(verdict.courtesy), verdict.mended.text, "ready"
        case Refused():
            return "", None, "refused"
    raise AssertionError(decision.verdict)


def _lines(lines: Sequence[object]) -> str:
    return "\n".join(str(line) for line in lines)
