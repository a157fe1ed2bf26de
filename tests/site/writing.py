"""Forms that write the mail, driven in a real browser: the page of a position, and gestures by mouse or by keyboard.

A gesture is a tuple: ("square", NAME), or one for a control by its id: ("press", ID), ("tick", ID), ("choose", ID,
VALUE), ("pick", ID, VALUE), ("type", ID, TEXT), ("count", ID, NUMBER), ("way", SQUARES). A game tells in
`tests/games/SLUG/clicking.py` by `gestures(kind, text, facts)` how the answer that reads so is clicked; without it, its
form is filled in by hand.
"""

import importlib
import importlib.util
import json
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

from playwright.sync_api import Locator, Page

from referee.base import shipped
from referee.base.settings import Offices, OfficesSection, Settings
from referee.core import seam
from referee.core.game import AnyGame
from referee.core.value import Demand
from referee.match.events import Entry
from referee.match.match import Match
from referee.site.folder import Folder
from referee.site.pages import Summary
from referee.site.publish import form_page, script_of, write_form

OFFICE = "collector@games.example"
Gesture = tuple[Any, ...]
Gestures = Callable[[str, str, dict[str, Any]], Sequence[Gesture]]


def by_lines(turn: Callable[[str, str], Iterable[Gesture]]) -> Gestures:
    """How the lines of an answer are clicked, one after another: `turn` knows those of the game itself, by key and
    value; what most games say beside them is known here."""

    def clicked(kind: str, line: str) -> Iterable[Gesture]:
        key, _, value = line.partition(": ")
        if key == "Comment":
            return [("type", "comment", value)]
        if key in ("Offer", "Accept", "Resign"):
            return [("tick", key.lower())] if kind == "Move" and key != "Resign" else []
        found = [*turn(key, value)]
        assert found, f"{kind}: {line!r} cannot be clicked"
        return found

    return lambda kind, text, facts: [one for line in text.splitlines() for one in clicked(kind, line)]


def clicking(slug: str) -> Gestures | None:
    """How a game's answers are clicked; None where nobody has said."""
    name = f"tests.games.{slug}.clicking"
    if importlib.util.find_spec(name) is None:
        return None
    found: Gestures = importlib.import_module(name).gestures
    return found


def further(slug: str) -> dict[str, tuple[str, int, dict[str, str]]]:
    """Kinds of matches in which a game asks for what it asks for nowhere else; by name, as in `tests.laws.walks`."""
    name = f"tests.games.{slug}.clicking"
    if importlib.util.find_spec(name) is None:
        return {}
    found: dict[str, tuple[str, int, dict[str, str]]] = getattr(importlib.import_module(name), "FURTHER", {})
    return found


def subject_of(game: AnyGame) -> Callable[[Match, Demand], str]:
    def subject(match: Match, demand: Demand) -> str:
        heading = next(
            (h for h, kind in seam.headings(game).items() if kind == demand.kind),
            next(iter(seam.headings(game))),
        )
        return f"{game.title}: {heading} / Player {demand.seat} [{match.name}]"

    return subject


_ARROWS = {"ArrowRight": (1, 0), "ArrowLeft": (-1, 0), "ArrowDown": (0, 1), "ArrowUp": (0, -1)}


class Desk:
    """A folder with the scripts, in which the page of any position is written."""

    def __init__(self, into: Path, templates: Sequence[Path] | None = None) -> None:
        offices = Offices(Settings(offices=OfficesSection(collector=OFFICE)))
        self.folder = Folder(into, offices, None, templates or shipped.folders("templates"))
        for name in ("style.css", "form.js", "times.js", "favicon.svg"):
            self.folder.ships(name, f"site/{name}")

    def write(self, game: AnyGame, match: Match, entries: Sequence[Entry]) -> Path:
        """The page of the match as it stands."""
        home = f"matches/{match.name}"
        scripted = self.folder.ships(script_of(game.slug), f"{game.slug}/form.js")
        at = match.opened_at
        summary = Summary(
            match.name, game.slug, game.title, match.status, at, at, match.position, 1, "", people=()
        )  # fmt: skip
        page = form_page(game, match, entries, subject_of(game), scripted)
        write_form(self.folder, home, summary, page)
        return self.folder.into / home / "play.html"


def facts_of(page: Path) -> dict[str, Any]:
    """What the page tells its scripts."""
    found = re.search(r'id="facts">(.*?)</script>', page.read_text(encoding="utf-8"))
    assert found
    facts: dict[str, Any] = json.loads(found[1])
    return facts


@dataclass
class Writer:
    """A player before the page. `keys`: without a mouse."""

    page: Page
    keys: bool = False

    def choose(self, demand: Demand, facts: dict[str, Any]) -> None:
        """Say who one is and what one sends."""
        row = next(i for i, sender in enumerate(facts["senders"]) if sender["seat"] == demand.seat)
        asks = facts["senders"][row]["asks"]
        ask = next(i for i, a in enumerate(asks) if (a["kind"], a["about"]) == (demand.kind, demand.about))
        self.page.locator("#seat").select_option(str(row))
        self.page.locator("#ask").select_option(str(ask))

    def do(self, gestures: Iterable[Gesture]) -> None:
        for gesture in gestures:
            kind, name, *rest = gesture
            if kind == "square":
                self.square(name)
            elif kind == "way":
                self._way(name)
            else:
                control = self.page.locator(f'.choices [data-control="{name}"]')
                getattr(self, f"_{kind}")(control, *rest)

    def square(self, name: str) -> None:
        target = self.page.locator(f'.points [data-square="{name}"]')
        assert target.get_attribute("aria-disabled") == "false", (
            f"{name}: {target.get_attribute('aria-label')}"
        )
        if self.keys:
            self._walk_to(name)
            self.page.keyboard.press("Enter")
        else:
            target.click()

    def _walk_to(self, name: str) -> None:
        """By arrow keys, from where the Tab key enters the board; a key leads to the next square in its direction,
        over whatever is none."""
        self.page.locator('.points [tabindex="0"]').focus()
        at: dict[str, list[int]] = self.page.evaluate("""() => Object.fromEntries(
            [...document.querySelectorAll(".points [data-square]")].map((e) => {
                const r = e.getBoundingClientRect();
                return [e.dataset.square, [Math.round(r.x / r.width), Math.round(r.y / r.height)]];
            }))""")
        here = str(self.page.evaluate("document.activeElement.dataset.square"))
        ways, waiting = {here: list[str]()}, [here]
        while name not in ways:
            here = waiting.pop(0)
            for key, (dx, dy) in _ARROWS.items():
                (x, y), found = at[here], dict[int, str]()
                for other, (ox, oy) in at.items():
                    far = (ox - x) * dx + (oy - y) * dy
                    if far > 0 and ((ox - x) * dy, (oy - y) * dx) == (0, 0):
                        found[far] = other
                if found and (near := found[min(found)]) not in ways:
                    ways[near] = [*ways[here], key]
                    waiting.append(near)
        for key in ways[name]:
            self.page.keyboard.press(key)
        assert self.page.evaluate("document.activeElement.dataset.square") == name

    def _way(self, stated: str) -> None:
        """Of several ways that are offered, the one that has these squares in this order."""
        rows = self.page.locator('.choices [data-control="way"] label')
        if not rows.count():
            return
        wanted = re.compile(".*".join(f"\\b{square}\\b" for square in stated.split("-")))
        row = next(row for row in rows.all() if wanted.search(row.inner_text().partition(",")[0]))
        row.locator("input").press("Space")

    def _press(self, control: Locator) -> None:
        if self.keys:
            control.press("Enter")
        else:
            control.click()

    def _tick(self, control: Locator) -> None:
        if self.keys:
            control.press("Space")
        else:
            control.click()

    def _choose(self, control: Locator, value: str) -> None:
        radio = control.locator(f'input[value="{value}"]')
        if self.keys:
            radio.press("Space")
        else:
            radio.click()

    def _pick(self, control: Locator, value: str) -> None:
        control.select_option(value)

    def _type(self, control: Locator, text: str) -> None:
        control.fill(text)

    def _count(self, control: Locator, number: int) -> None:
        if self.keys:
            control.fill(str(number))
            control.press("Tab")
            return
        more = control.locator("xpath=following-sibling::button")
        for _ in range(number - int(control.input_value())):
            more.click()

    # --- what was written ----------------------------------------------------------------------------------------

    @property
    def text(self) -> str:
        return self.page.locator("#body").input_value()

    @property
    def clickable(self) -> bool:
        """Whether there is anything to click for what is sent; else its form is text alone."""
        return bool(self.page.locator(".choices [data-control], .plan:not([hidden]) .points button").count())

    @property
    def lacks(self) -> list[str]:
        told = self.page.locator("#says li").all_inner_texts()
        return [line for line in told if line.startswith("Still to do")]

    def mail(self) -> tuple[str, str, str]:
        """Address, subject and text of the link that opens a mail; the same as what is shown to copy."""
        link = self.page.locator("#send").get_attribute("href") or ""
        parts = urlsplit(link)
        assert parts.scheme == "mailto"
        fields = parse_qs(parts.query, strict_parsing=True, keep_blank_values=True)
        told = unquote(parts.path), fields["subject"][0], fields["body"][0].replace("\r\n", "\n")
        shown = (self.page.locator("#to").inner_text(), self.page.locator("#subject").inner_text(), self.text)
        assert told == shown
        return told
