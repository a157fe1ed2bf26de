"""A headless Chromium, one for a module; every test takes a fresh context of it. And a checker of accessibility."""

from __future__ import annotations

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


_AXE = Path(__file__).parents[1] / "archive/axe/axe.min.js"
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
