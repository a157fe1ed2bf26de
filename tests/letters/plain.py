"""Templates and their macros in the forms of a letter."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from referee.post.writing.layout import Forms, HtmlPage, TextPage
from referee.post.writing.rendering import Renderer

FORMS = Forms(TextPage(), HtmlPage())


def spoken(pages: Renderer, medium: str, template: str, macro: str, *given: Any) -> str:
    """What a macro says, as "text" or as HTML."""
    module: Any = pages._letters.get_template(f"{template}.j2").module
    text, html = FORMS.of(getattr(module, macro)(*given))
    return text if medium == "text" else html


def in_text(pages: Renderer, template: str, context: Mapping[str, Any]) -> str:
    return FORMS.of(pages.part(template, context))[0]
