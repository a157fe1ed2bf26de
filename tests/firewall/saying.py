"""Mails that carry the truth about themselves: sentences of nine languages round, before, behind and in the line of an
order, and every order garbled, negated, supposed, asked, told of, put off and taken back. Each says which order it
gives, or that it gives none.

The sentences (`frames/`) are their writers' own. No list of words may take them over: they would hold nothing then.

    idle     say nothing of an order; they may be courtesy, told as left out, or asked about
    doubt    hold the order, `{o}`, and do not give it
    above, below   stand beside an order in lines of its own, and say that it is not given
    binds    would give a seat up, or bind: no sentence does; behind an order it is asked, or told as left out"""

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from tests.understood.scenes import Scene

HERE = Path(__file__).parent
LANGUAGES = tuple(sorted(path.stem for path in (HERE / "frames").glob("*.toml")))
Frames = Mapping[str, Mapping[str, list[str]]]


@dataclass(frozen=True)
class Order:
    """An order that somebody owes in a scene."""

    scene: str
    who: str
    order: str
    value: str = ""  # how a sentence names it; nothing where no sentence can
    other: str = ""

    def lines(self, scene: Scene) -> str:
        return scene.orders[self.order[1:]] if self.of_many_lines else self.order

    @property
    def of_many_lines(self) -> bool:
        """Whether its value is but a line of it: that alone is no order that could count."""
        return self.order.startswith("@")


@dataclass(frozen=True)
class Said:
    """The words of a mail. `given` says whether the order is given by them; another never is. `beside` is what is said
    beside it: where the order counts, it is told as left out."""

    kind: str
    language: str
    text: str
    given: bool
    beside: str = ""


@cache
def orders() -> tuple[Order, ...]:
    told = tomllib.loads((HERE / "cases.toml").read_text(encoding="utf-8"))
    return tuple(Order(**order) for order in told["orders"])


@cache
def frames(language: str) -> Frames:
    return tomllib.loads((HERE / "frames" / f"{language}.toml").read_text(encoding="utf-8"))


def sayings(order: Order, lines: str) -> Iterator[Said]:
    """Everything that is said in a scene."""
    yield from garbled(order)
    for language in LANGUAGES:
        told = frames(language)
        for kind, sentences in told["idle"].items():
            for sentence in sentences:
                yield Said(f"{kind}, alone", language, sentence, False)
                yield from _beside(kind, language, sentence, order, lines)
        for kind, sentences in told["doubt"].items() if order.value else ():
            for sentence in sentences:
                yield Said(kind, language, sentence.format(o=order.value), False)
        for sentence in told["above"]["doubt"]:
            yield Said("doubt, above", language, f"{sentence}\n\n{lines}", False)
            if order.value:
                yield Said("doubt, in line, before", language, f"{sentence} {order.value}", False)
        for sentence in told["below"]["doubt"]:
            yield Said("doubt, below", language, f"{lines}\n\n{sentence}", False)
            if order.value:
                yield Said("doubt, in line", language, f"{order.value}. {sentence}", False)
                yield Said("doubt, in its key's line", language, f"{_keyed(order)}. {sentence}", False)
        for kind, sentences in told["binds"].items():
            for sentence in sentences:
                yield Said(f"binds: {kind}", language, sentence, False)
                yield from _beside(f"binds: {kind}", language, sentence, order, lines)


def _beside(kind: str, language: str, sentence: str, order: Order, lines: str) -> Iterator[Said]:
    """A sentence before, behind, round and in the line of an order."""
    texts = {
        "before": f"{sentence}\n\n{lines}",
        "behind": f"{lines}\n\n{sentence}",
        "round": f"{sentence}\n{lines}\n{sentence}",
    }
    if order.value:
        texts |= {"in line": f"{order.value}. {sentence}", "in line, before": f"{sentence} {order.value}"}
    for place, text in texts.items():
        given = not (place.startswith("in line") and order.of_many_lines)
        yield Said(f"{kind}, {place}", language, text, given, sentence)


def garbled(order: Order) -> Iterator[Said]:
    """What nobody can take for the order, nor for another."""
    value, other = order.value, order.other
    if not value:
        return
    garbles = [
        value[:-1],
        f"{value}{value[-1]}",
        f"{value[0]}{value}",
        f"{value}?",
        f"{value} ... or perhaps not",
        f"not {value}",
        f"~~{value}~~",
    ]
    if other:
        halves = f"{value[: len(value) // 2]} {other[len(other) // 2 :]}?"
        garbles += [f"{value} / {other}", f"{value} or {other}", f"{value} {other}?", halves]
    for garble in garbles:
        yield Said("garbled", "en", garble, False)
        yield Said("garbled, with its key", "en", _keyed(order).replace(value, garble), False)


def _keyed(order: Order) -> str:
    """The order in the form's own line; of a longer one that which is named."""
    return order.value if order.order.startswith("@") else order.order
