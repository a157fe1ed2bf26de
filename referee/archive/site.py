"""The site: the same pages give the same bytes, files that would not change are not touched."""

from __future__ import annotations

import hashlib
import os
import uuid
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from referee import shipped
from referee.archive.diary import calendar
from referee.archive.naming import file_name
from referee.archive.pages import MatchPage, Posting
from referee.archive.wording import moment, seemly, stamp
from referee.core.diagram import Diagram
from referee.drawing import describe, draw_svg, draw_text, picture_key, picture_size

NEWEST = 50  # entries in a feed


@dataclass(frozen=True, slots=True)
class Built:
    """What a build did, by files."""

    written: int
    unchanged: int


@dataclass(frozen=True, slots=True)
class Shown:
    """A posting on its page: its board is shown only where it is not the one before."""

    posting: Posting
    picture: str  # a file beside the page, "" where none
    text: str
    words: str
    size: tuple[int, int]


def build_site(
    pages: Sequence[MatchPage],
    into: Path,
    title: str = "Referee",
    address: str = "",
    templates: Sequence[Path] | None = None,
) -> Built:
    """Writes the archive of all matches: an index, feeds, calendars, and a folder for each match.

    `address` is where the site will be seen ("https://games.example/"), for feeds; without it their links are
    relative. A match whose page says it was made from the same facts by the same templates is passed over.
    """
    site = _Site(into, title, address, shipped.folders("templates") if templates is None else templates)
    for page in pages:
        site.match(page)
    site.front(sorted(pages, key=_freshness))
    return Built(site.written, site.unchanged)


def _freshness(page: MatchPage) -> tuple[bool, float, str]:
    """Running matches first, then what changed last."""
    return page.status == "ended", -page.updated.timestamp() if page.updated else 0.0, page.name


class _Site:
    def __init__(self, into: Path, title: str, address: str, templates: Sequence[Path]) -> None:
        self.into = into
        self.written = self.unchanged = 0
        self._environment = _environment(templates)
        self._environment.globals.update(site=title, address=address.rstrip("/") + "/" if address else "")
        self._title = title
        self._maker = _digest(address, title, *_sources(self._environment), *_programs())

    def front(self, pages: Sequence[MatchPage]) -> None:
        newest = sorted(
            ((page, posting) for page in pages for posting in page.postings),
            key=lambda row: (row[1].at, row[0].name, row[1].number),
            reverse=True,
        )
        self._write("style.css", self._render("style.css"))
        self._write("feed.atom", self._render("feed.atom", page=None, postings=newest[:NEWEST], here=""))
        self._write("deadlines.ics", calendar(self._title, pages))
        self._write("index.html", self._render("index.html", pages=pages))

    def match(self, page: MatchPage) -> None:
        """One match's folder. Its page is written last and bears the digest of all that it was made from."""
        folder = f"matches/{file_name(page.name)}"
        made_from = _digest(self._maker, repr(page))
        if self._current(f"{folder}/index.html", made_from):
            self.unchanged += 1
            return
        shown = tuple(self._shown(folder, page))
        for name, content in page.records:
            self._write(f"{folder}/records/{file_name(name)}", content)
        newest = [(page, posting) for posting in reversed(page.postings)][:NEWEST]
        self._write(
            f"{folder}/feed.atom", self._render("feed.atom", page=page, postings=newest, here="../../")
        )
        self._write(f"{folder}/deadlines.ics", calendar(f"{page.game} {page.name}", [page]))
        html = self._render("match.html", page=page, shown=shown[::-1], board=page.board, made_from=made_from)
        self._write(f"{folder}/index.html", html)
        self._tidy(folder, {entry.picture for entry in shown})

    def _tidy(self, folder: str, wanted: Collection[str]) -> None:
        """Pictures that an older program drew are in no page any more."""
        for path in sorted((self.into / folder / "boards").glob("*.svg")):
            if f"boards/{path.name}" not in wanted:
                path.unlink()

    def _shown(self, folder: str, page: MatchPage) -> Iterator[Shown]:
        before: Diagram | None = None
        for posting in page.postings:
            board = posting.diagram
            if board is None or board == before:
                yield Shown(posting, "", "", "", (0, 0))
                continue
            before = board
            name = f"boards/{_digest(self._maker, repr(board))[:20]}.svg"
            if not (self.into / folder / name).exists():  # its name says what is in it
                self._write(f"{folder}/{name}", draw_svg(board).encode())
            yield Shown(posting, name, draw_text(board), describe(board), picture_size(board))

    def _current(self, name: str, made_from: str) -> bool:
        try:
            with (self.into / name).open("rb") as page:
                return made_from.encode() in page.read(1000)
        except FileNotFoundError:
            return False

    def _render(self, template: str, **values: Any) -> bytes:
        return self._environment.get_template(f"site/{template}").render(**values).encode()

    def _write(self, name: str, content: bytes) -> None:
        """The whole file or none of it, and only if it would change."""
        path = self.into / name
        if path.is_file() and path.read_bytes() == content:
            self.unchanged += 1
            return
        path.parent.mkdir(parents=True, exist_ok=True)
        half = path.with_name(f".{path.name}.half")
        half.write_bytes(content)
        os.replace(half, path)
        self.written += 1


def _environment(templates: Sequence[Path]) -> Environment:
    environment = Environment(
        loader=FileSystemLoader([str(folder) for folder in templates]),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        finalize=_seemly,
    )
    environment.filters.update(moment=moment, stamp=stamp, file_name=file_name)
    environment.globals.update(
        draw=lambda board: Markup(draw_svg(board)),
        draw_text=draw_text,
        key=picture_key,
        identity=_identity,
    )
    return environment


def _seemly(value: object) -> object:
    """Words without what XML forbids; what is HTML already stays so."""
    return type(value)(seemly(value)) if isinstance(value, str) else value


def _sources(environment: Environment) -> Iterator[str]:
    assert environment.loader is not None
    for name in ("style.css", "feed.atom", "index.html", "match.html", "frame.html"):
        yield environment.loader.get_source(environment, f"site/{name}")[0]


def _programs() -> Iterator[str]:
    """What draws and writes the pages: when it changes, they are made again."""
    here = Path(__file__).parent
    for folder in (here, here.parent / "drawing"):
        for path in sorted(folder.glob("*.py")):
            yield path.read_text(encoding="utf-8")


def _identity(*parts: object) -> str:
    """A feed's or entry's name for ever: a UUID made from what it is, not from where it lies."""
    return uuid.uuid5(uuid.NAMESPACE_OID, "\x1f".join(("referee", *map(str, parts)))).urn


def _digest(*parts: str) -> str:
    return hashlib.sha256("\x1f".join(parts).encode("utf-8", "surrogatepass")).hexdigest()
