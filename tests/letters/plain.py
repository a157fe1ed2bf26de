"""Templates and their macros in the forms of a letter."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from referee.base import shipped
from referee.core.game import AnyGame, View
from referee.core.value import Complaint, Demand
from referee.letters.page_words import SHARED
from referee.letters.rendering import Forms, HtmlPage, Renderer, TextPage

FORMS = Forms(TextPage(), HtmlPage())
PAGES = Renderer(shipped.folders("templates"))
PUBLIC: Mapping[str, Any] = {"seat": None, "mine": "", "entries": (), "happened": lambda entry: None}


def spoken(pages: Renderer, medium: str, template: str, macro: str, *given: Any) -> str:
    """What a macro says, as "text" or as HTML."""
    modules = [pages._letters.get_template(f"{each}.j2").make_module(PUBLIC) for each in (template, SHARED)]
    said: Any = next(getattr(module, macro) for module in modules if hasattr(module, macro))
    text, html = FORMS.of(said(*given))
    return text if medium == "text" else html


def in_text(pages: Renderer, template: str, context: Mapping[str, Any]) -> str:
    return FORMS.of(pages.part(template, context))[0]


def has_macro(pages: Renderer, where: str, macro: str) -> bool:
    modules = (pages._letters.get_template(f"{each}.j2").make_module(PUBLIC) for each in (where, SHARED))
    return any(hasattr(module, macro) for module in modules)


def named_like_classes(game: str, page: str) -> frozenset[str]:
    """Which words a page of a game has for events or kinds of answers."""
    template, found = f"{game}/{page}.j2", PAGES._letters
    text = Path(str(found.get_template(template).filename)).read_text(encoding="utf-8")
    return frozenset(re.findall(r"{%-? macro ([A-Z]\w*)\(", text))


def complaint_codes(pages: Renderer, game: str) -> frozenset[str]:
    """Those that a game's table has words for."""
    return frozenset(pages._table(f"{game}/complaints.toml"))


# --- what every letter's words keep to (law 7) -----------------------------------------------------------------------


def name(seat: int) -> str:
    return f"Ann <u>Archer</u> (Player {seat})"


def check_complaint(complaint: Complaint, game: str) -> None:
    """It can be read aloud, and says what is wrong and how to mend it in sentences."""
    words = PAGES.wording(complaint, game)
    assert re.fullmatch(r"\S.*[.!?:]\"?", words["says"], re.DOTALL), words
    assert re.fullmatch(r"([A-Z\"'`].*[.!?:`]\"?)?", words["mend"], re.DOTALL), words
    said, line = words["says"] + words["mend"], complaint.line.text if complaint.line else ""
    assert not re.search(r"[{}]|  |\(\)", said), words
    assert "None" in line or not re.search(r"\bNone\b", said), words  # a sender may call a piece so


def told(game: AnyGame, event: Any, view: View) -> str:
    """What an event's words are, after a look at both forms."""
    return _tidy(game, f"{game.slug}/happenings", type(event).__name__, event, view, name)


def asked(game: AnyGame, demand: Demand, view: View, first: bool) -> str:
    """What is said to whoever owes an answer."""
    words = _tidy(game, f"{game.slug}/demands", demand.kind, demand, view, first)
    assert words.strip(), demand
    return words


def _tidy(game: AnyGame, template: str, macro: str, *given: Any) -> str:
    """No sentence runs into the next, no sign stands behind a blank, and names are no markup."""
    text, html = (spoken(PAGES, medium, template, macro, *given) for medium in ("text", "part"))
    assert bool(text.strip()) == bool(html.strip()), (text, html)
    assert "<u>" not in html, html
    prose = re.sub(r"(?m)^ *\d+ .*$|^[^a-z]*$", "", re.sub(r"\d{3,}", "0", text))
    assert not re.search(r"[a-z][.;][A-Z]| [.,;:](?!\S)|,[a-z]|\bNone\b|\(\)|\.\.(?!\.)", prose), text
    return text
