"""The letters of a match as pages to open: each answer beside its mail, the words of a letter beside its HTML. Private:
they hold what was written in confidence, are for their owner alone, and are never part of the public archive.

What people wrote stands on the pages as text. The HTML of a letter, which the referee wrote itself, is shown in a frame
that may run nothing, load nothing and leave nowhere.
"""

from __future__ import annotations

from base64 import b64encode
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from referee.base.private import private_folder, write_private
from referee.core.texts.addresses import address_key
from referee.core.texts.naming import file_name
from referee.draw import draw_svg
from referee.letters.letter import BOARD, Letter, decoded
from referee.match.match import Match
from referee.site.folder import pages_from
from referee.store.inbox import KeptMail
from referee.store.outbox import OutgoingLetter
from referee.store.sql import Unit

SHOWN = 200_000  # bytes of a mail that a page shows
POLICY = (
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; "
    "frame-src 'self'"
)


@dataclass(frozen=True, slots=True)
class Written:
    """A letter, and the mail it answers, if any."""

    letter: Letter
    mail: KeptMail | None
    page: str  # its file

    @property
    def mail_text(self) -> str:
        """The mail as it came, as text."""
        assert self.mail is not None
        return self.mail.raw[:SHOWN].decode("utf-8", "replace").replace("\r\n", "\n")

    @property
    def lines(self) -> int:
        """How long the letter is: a frame that runs nothing can't say it."""
        return self.letter.page.text.count("\n")

    @property
    def mail_cut(self) -> bool:
        return self.mail is not None and len(self.mail.raw) > SHOWN


@dataclass(frozen=True, slots=True)
class Shelf:
    """One reader's letters, the oldest first. `seat` is None for an observer or a stranger."""

    reader: str
    seat: int | None
    address: str
    page: str
    letters: tuple[Written, ...]

    @property
    def newest_first(self) -> tuple[Written, ...]:
        return self.letters[::-1]

    @property
    def latest(self) -> datetime:
        return self.letters[-1].letter.head.at


def shelves(unit: Unit, match: str, seat: int | None = None) -> tuple[Shelf, ...]:
    """The letters of a match, or of one seat of it, by reader; the seats in their order, then everybody else."""
    rows = unit.letters_of(match, seat)
    by_reader: dict[tuple[int, str], list[OutgoingLetter]] = defaultdict(list)
    for row in rows:
        by_reader[row.seat or 0, row.recipient if not row.seat else ""].append(row)
    found = []
    for number, key in enumerate(sorted(by_reader, key=lambda key: (key[0] == 0, key)), 1):
        letters = [(row, decoded(row)) for row in by_reader[key]]
        name = f"player-{key[0]}" if key[0] else f"other-{number}"
        found.append(
            Shelf(
                reader=letters[-1][1].head.recipient_name or letters[-1][1].head.recipient,
                seat=key[0] or None,
                address=letters[-1][1].head.recipient,
                page=f"{name}.html",
                letters=tuple(
                    Written(letter, _answered(unit, row), f"{name}/{index:04d}-{file_name(letter.kind)}.html")
                    for index, (row, letter) in enumerate(letters, 1)
                ),
            )
        )
    return tuple(found)


def _answered(unit: Unit, row: OutgoingLetter) -> KeptMail | None:
    """The mail that a letter answers. Its sender chose the Message-ID: of several mails with it, the reader's own."""
    if row.answers is None:
        return None
    mails = unit.mails_called(row.answers)
    own = [mail for mail in mails if mail.sender == address_key(row.recipient)]
    return next(iter(own or mails), None)


def write_letters(found: Sequence[Shelf], match: str, into: Path, templates: Sequence[Path]) -> Path:
    """Write the pages; the one to open. Files and new folders are their owner's alone."""
    environment = pages_from(templates, policy=POLICY)
    private_folder(into)
    one = environment.get_template("letterbox/letter.html")
    for shelf in found:
        private_folder(into / Path(shelf.page).stem)
    for shelf, before, written, after in _by_time(found):
        page = one.render(
            match=match,
            shelf=shelf,
            written=written,
            before=before,
            after=after,
            inside=_document(written.letter),
            here="../",
        )
        _put(into / written.page, page)
    for shelf in found:
        listed = environment.get_template("letterbox/list.html")
        _put(into / shelf.page, listed.render(match=match, shelf=shelf, here=""))
    first = environment.get_template("letterbox/readers.html")
    _put(into / "index.html", first.render(match=match, shelves=found, here=""))
    return into / "index.html"


def write_front(
    into: Path,
    title: str,
    parts: Sequence[tuple[str, str, str]],
    templates: Sequence[Path],
    played: Sequence[Match] = (),
) -> Path:
    """One page to begin from: what there is to look at, as (link, what it is, a sentence); or matches that were played,
    with the last one's board."""
    page = pages_from(templates, policy=POLICY).get_template("letterbox/front.html")
    view = played[-1].view(None) if played else None
    board = draw_svg(view.diagram) if view and view.diagram else ""
    _put(into / "index.html", page.render(title=title, parts=parts, played=played, board=board))
    return into / "index.html"


def _by_time(found: Sequence[Shelf]) -> list[tuple[Shelf, Written | None, Written, Written | None]]:
    """Every letter between its neighbours on its shelf; in the order in which all were written, so that those with the
    same board come together."""
    rows = [
        (shelf, before, written, after)
        for shelf in found
        for before, written, after in zip(
            [None, *shelf.letters[:-1]], shelf.letters, [*shelf.letters[1:], None], strict=True
        )
    ]
    return sorted(rows, key=lambda row: row[2].letter.head.at)


def _document(letter: Letter) -> str:
    """The HTML of a letter as a document of its own, its board within it."""
    if letter.page.diagram is None or BOARD not in letter.page.html:
        return letter.page.html
    picture = b64encode(draw_svg(letter.page.diagram).encode()).decode()
    return letter.page.html.replace(BOARD, f'src="data:image/svg+xml;base64,{picture}"')


def _put(path: Path, text: str) -> None:
    """The file, for its owner alone, also where it stood open before."""
    path.unlink(missing_ok=True)
    write_private(path, text)
