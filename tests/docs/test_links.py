"""Every page that another one names is there, and where it is told to be."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
_LINK = re.compile(r"\]\((?!https?:|mailto:)([^)#\s]*)(?:#([^)\s]+))?\)")
_NAMED = re.compile(r"`((?:docs|tests|referee|templates|config)/[\w./-]+\.(?:md|toml|py|cff))`")


def anchors(page: Path) -> set[str]:
    heads = re.findall(r"(?m)^#+ (.+)$", page.read_text(encoding="utf-8"))
    return {re.sub(r"[^\w\- ]", "", head.lower()).replace(" ", "-") for head in heads}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_page_and_chapter_that_is_linked_to_is_there(page: Path) -> None:
    text = re.sub(r"(?ms)^```.*?^```$", "", page.read_text(encoding="utf-8"))
    for path, chapter in _LINK.findall(text):
        target = (page.parent / path) if path else page
        assert target.exists(), path
        if chapter:
            assert chapter in anchors(target), f"{path}#{chapter}"
    if page.name not in ("CHANGELOG.md", "decisions.md"):  # which tell of what is gone
        for path in _NAMED.findall(text):
            assert (ROOT / path).exists(), path
