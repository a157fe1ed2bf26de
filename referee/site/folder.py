"""The folder of the archive: whole files or none, the same bytes left alone, pages made by
templates (how texts and moments are put on them), open deadlines as an iCalendar file."""

import hashlib
import json
import os
import re
import tomllib
import unicodedata
import uuid
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path
from urllib.parse import quote

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from referee.base.settings import Offices
from referee.base.shipped import program
from referee.core.diagram import Diagram
from referee.core.texts.naming import clause_id, file_name
from referee.draw import describe, draw_svg, draw_text, picture_key, picture_size
from referee.letters.calendars import calendar_of
from referee.site.pages import Summary

# Marks and overrides of writing direction: they would turn the words of the page around them.
_TURNING = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
_UNFIT = frozenset(("Cc", "Cs", "Cn", "Co"))
_ODD = re.compile(r"[^ -~\n\t]")


def seemly(text: str) -> str:
    """The text without characters that XML forbids, that cannot be seen, or that turn what stands around them."""
    return _ODD.sub(lambda c: "" if unicodedata.category(c[0]) in _UNFIT or c[0] in _TURNING else c[0], text)


def moment(at: datetime) -> str:
    """For people: "3 May 2031, 14:05 UTC"."""
    return f"{day(at)}, {at.astimezone(UTC):%H:%M} UTC"


def stamp(at: datetime) -> str:
    """For machines: RFC 3339 in UTC."""
    return at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def day(at: datetime) -> str:
    """For people: "3 May 2031"."""
    at = at.astimezone(UTC)
    return f"{at.day} {at:%B %Y}"


def told_time(at: datetime | None) -> str:
    """For the words of letters on pages: the reader's script shows it in their zone."""
    if at is None:
        return "no deadline"
    return Markup('<time datetime="{}">{}</time>').format(stamp(at), moment(at))


def mailto(address: str, subject: str, body: str = "") -> str:
    """A link that opens a mail (RFC 6068)."""
    local, _, host = address.rpartition("@")
    fields = f"?subject={quote(subject, safe='')}"
    if body:
        fields += f"&body={quote(body.replace(chr(10), chr(13) + chr(10)), safe='')}"
    return f"mailto:{quote(local, safe='+')}@{quote(host, safe='.')}{fields}"


def pages_from(templates: Sequence[Path], **known: object) -> Environment:
    """The templates of pages, which all know these values: everything escaped, nothing undefined,
    and what a page can't hold left out."""
    environment = Environment(
        loader=FileSystemLoader([str(folder) for folder in templates]),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        # words without what XML forbids; what is HTML already stays so
        finalize=lambda value: type(value)(seemly(value)) if isinstance(value, str) else value,
    )
    environment.filters.update(moment=moment, stamp=stamp, day=day, file_name=file_name, clause_id=clause_id)
    environment.globals.update(known)
    return environment


def calendar(
    title: str, matches: Iterable[Summary], wanted: Callable[[Summary, int], bool] = lambda match, seat: True
) -> bytes:
    """All deadlines of the matches' seats that are wanted, by time. A deadline that moves keeps its
    UID, so that calendars move it too."""
    each = {match.name: match for match in matches}.values()
    owed = ((d, m) for m in each for d in m.deadlines if wanted(m, d.seat))
    found = [(d.due_at, m.name, d.seat, d.demand, d.label, m) for d, m in owed if d.due_at is not None]
    rows = []
    for due_at, name, seat, demand, label, match in sorted(found, key=lambda row: row[:4]):
        who, what = match.sitter(seat), "\x1f".join((name, label, str(seat), demand))
        rows.append(
            {
                "uid": f"{hashlib.sha256(what.encode()).hexdigest()[:32]}@referee",
                "dtstamp": match.updated.astimezone(UTC),
                "dtstart": due_at.astimezone(UTC),
                "summary": seemly(f"{match.title} [{name}]: {demand} by {who}"),
                "description": seemly(f"{label}: {who} (Player {seat}) owes {demand}."),
            }
        )
    return calendar_of({"method": "PUBLISH", "x-wr-calname": seemly(title)}, rows)


_KEPT = "[data-token] *,[data-colour] *"
_SHINE = "drop-shadow(0 0 1px #fff)"
_BLACK = f"[data-colour=black] path{{stroke:#000;filter:{_SHINE} {_SHINE}}}"


class Folder:
    """Writes into one folder of the file system."""

    def __init__(self, into: Path, offices: Offices, picture: Path | None, templates: Sequence[Path]) -> None:
        """`picture` is the club's, where it has one."""
        self.into, self.offices, self.own_picture, self._templates = into, offices, picture, templates
        self._names = set[str]()  # of files as this build has them
        self.emblem = f"picture{picture.suffix.lower()}" if picture else "favicon.svg"  # shows whose it is
        self._environment = pages_from(
            templates, office=offices.collector, site=offices.name, address=offices.site, emblem=self.emblem,
            identity=_identity, describe=describe, draw_text=draw_text, picture_key=picture_key,
            picture_size=picture_size, mailto=mailto,
        )  # fmt: skip

    def page(self, name: str, template: str, **values: object) -> None:
        """A page or feed. `up` leads from its folder to the archive's."""
        up = "../" * name.count("/")
        html = self._environment.get_template(f"site/{template}").render(up=up, here=name, **values)
        self.write(name, html.encode())

    def board(self, name: str, diagram: Diagram) -> None:
        """A picture, which has a dark variant for whoever prefers that: tokens and bridges keep
        their colours, as they are told by them, and so does whose point it is."""
        svg = draw_svg(diagram)
        rules = "".join(
            f'[{what}="{day}"]:not({_KEPT}){{{what}:{night}}}'
            for day, night in self._night.items()
            for what in ("fill", "stroke")
            if f'{what}="{day}"' in svg
        )
        style = f"<style>@media(prefers-color-scheme:dark){{{rules}{_BLACK}}}</style>"
        self.write(name, svg.replace(">", f">{style}", 1).encode())

    @cached_property
    def _night(self) -> Mapping[str, str]:
        return tomllib.loads(self._environment.get_template("site/night.toml").render())

    def ships(self, name: str, source: str) -> bool:
        """Whether there is such a file (style, script) among the templates; it is written as it is, under the name."""
        found = next((path for each in self._templates if (path := each / source).is_file()), None)
        if found is not None:
            self.write(name, found.read_text(encoding="utf-8").encode())
        return found is not None

    def data(self, name: str, value: object, before: str = "", after: str = "\n") -> None:
        """A JSON text, in ASCII, so that it is one in a script too."""
        text = json.dumps(value, default=datetime.isoformat, sort_keys=True, separators=(",", ":"))
        self.write(name, (before + text.replace("<", "\\u003c") + after).encode())

    def write(self, name: str, content: bytes) -> None:
        """The whole file or none of it, and only if it would change."""
        path = self.into / name
        self._names.add(name)
        if path.is_file() and path.read_bytes() == content:
            return
        path.parent.mkdir(parents=True, exist_ok=True)
        half = path.with_name(f".{path.name}.half")
        half.write_bytes(content)
        os.replace(half, path)

    def read(self, name: str) -> bytes | None:
        path = self.into / name
        return path.read_bytes() if path.is_file() else None

    def tidy(self, folder: str, pattern: str, kept: Collection[str] = ()) -> None:
        """Take away what an earlier build left there and this one has not written, but for what is `kept`."""
        for path in sorted((self.into / folder).glob(pattern)):
            name = path.relative_to(self.into).as_posix()
            if name not in self._names and name not in kept and path.is_file():
                path.unlink()


def maker(templates: Sequence[Path], *parts: str) -> str:
    """What makes the pages: when any of it changes, all are made again."""
    files = [path for folder in templates for path in sorted(folder.rglob("*")) if path.is_file()]
    return digest(program(), *parts, *(path.read_text(encoding="utf-8") for path in files))[:16]


def digest(*parts: str) -> str:
    return hashlib.sha256("\x1f".join(parts).encode("utf-8", "surrogatepass")).hexdigest()


def _identity(*parts: object) -> str:
    """A feed's or entry's name for ever: a UUID made from what it is, not from where it lies."""
    return uuid.uuid5(uuid.NAMESPACE_OID, "\x1f".join(("referee", *map(str, parts)))).urn
