"""Templates and their macros in the forms of a letter."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from referee.base import shipped
from referee.letters.page_words import SHARED
from referee.letters.rendering import Forms, HtmlPage, Renderer, TextPage

KIT = frozenset(
    re.findall(r"{% macro (\w+)", (shipped.folders("templates")[0] / "referee" / "kit.j2").read_text())
)
FORMS = Forms(TextPage(), HtmlPage())


def spoken(pages: Renderer, medium: str, template: str, macro: str, *given: Any) -> str:
    """What a macro says, as "text" or as HTML."""
    modules = [pages._letters.get_template(f"{each}.j2").module for each in (template, SHARED)]
    said: Any = next(getattr(module, macro) for module in modules if hasattr(module, macro))
    text, html = FORMS.of(said(*given))
    return text if medium == "text" else html


def in_text(pages: Renderer, template: str, context: Mapping[str, Any]) -> str:
    return FORMS.of(pages.part(template, context))[0]


def has_macro(pages: Renderer, where: str, macro: str) -> bool:
    modules = (pages._letters.get_template(f"{each}.j2").module for each in (where, SHARED))
    return any(hasattr(module, macro) for module in modules)


def complaint_codes(pages: Renderer, game: str) -> frozenset[str]:
    """Those that a game's table has words for."""
    return frozenset(pages._table(f"{game}/complaints.toml"))
