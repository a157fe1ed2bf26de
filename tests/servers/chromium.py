"""A headless Chromium, one for a module; every test takes a fresh context of it. And a checker of accessibility."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Literal

from playwright.sync_api import Browser, Page, expect, sync_playwright

from tests.servers.ground import PATIENCE, program

_PATIENCE = PATIENCE * 1000  # as Playwright counts
_QUIET = (
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
)  # fmt: skip


@contextmanager
def running_chromium() -> Iterator[Browser]:
    """The system's own, as Debian packages it: nothing is downloaded."""
    path = program("chromium")
    expect.set_options(timeout=_PATIENCE)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=_QUIET, timeout=_PATIENCE)
        browser.on("context", lambda context: context.set_default_timeout(_PATIENCE))
        try:
            yield browser
        finally:
            browser.close()


_AXE = Path(__file__).parents[1] / "site/axe/axe.min.js"
_ONLY_FAULTS = "{resultTypes: ['violations'], selectors: false}"  # the same faults, the rest not written out


@contextmanager
def checked_page(chromium: Browser, width: int, scheme: Literal["light", "dark"]) -> Iterator[Page]:
    """A page in which the checker is loaded before anything else, whatever the page itself would let in."""
    context = chromium.new_context(
        viewport={"width": width, "height": 800}, color_scheme=scheme, bypass_csp=True
    )
    context.add_init_script(path=_AXE)
    yield context.new_page()
    context.close()


def inaccessible(page: Page) -> list[Any]:
    """What the checker finds on a page: each rule that is broken, with the elements that break it."""
    words = f"axe.run({_ONLY_FAULTS}).then(r => r.violations.map(v => [v.id, v.nodes.map(n => n.html)]))"
    found: list[Any] = page.evaluate(words)
    return found


_UNFIT = r"""() => {
  const found = [];
  const page = document.documentElement;
  if (page.scrollWidth > page.clientWidth) found.push(`the page is ${page.scrollWidth} wide of ${page.clientWidth}`);
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const range = document.createRange();
  for (let node; (node = walker.nextNode()); ) {
    const at = node.parentElement;
    if (!at.checkVisibility() || at.closest("script, style, textarea, select, svg")) continue;
    for (const word of node.data.matchAll(/[\p{L}\p{N}]+/gu)) {
      range.setStart(node, word.index);
      range.setEnd(node, word.index + word[0].length);
      const parts = [...range.getClientRects()].filter((part) => part.width > 0.5);
      if (new Set(parts.map((part) => Math.round(part.top))).size < 2) continue;
      const width = parts.reduce((sum, part) => sum + part.width, 0);
      const box = at.clientWidth ? at : at.parentElement;
      const room = at.closest("th, td") ? page.clientWidth : box.clientWidth;
      if (width < room * 0.98) found.push(`${at.tagName}: ${word[0]}`);
    }
  }
  for (const table of document.querySelectorAll(":not(.grid) > table, .wide")) {
    const moved = table.clientWidth && table.scrollWidth > table.clientWidth + 1;
    if (moved) found.push(`a table is moved sideways: ${table.innerText.slice(0, 60)}`);
  }
  return found;
}"""


def unfit(page: Page) -> list[str]:
    """What does not fit a page's width: the page itself, a table, a word broken over two lines that has room on one."""
    found: list[str] = page.evaluate(_UNFIT)
    return found
