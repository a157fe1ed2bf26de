"""The letters of a match as pages to open: each answer beside its mail, the words of a letter
beside its HTML. Private: they hold what was written in confidence, are for their owner alone, and
are never part of the public archive.

What people wrote stands on the pages as text. The HTML of a letter, which the referee wrote itself,
is shown in a frame that may run nothing, load nothing and leave nowhere."""

from base64 import b64encode
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from referee.base.private import private_folder, write_private
from referee.core.texts.addresses import address_key
from referee.core.texts.naming import file_name
from referee.draw import draw_svg
from referee.letters.letter import BOARD, Letter, decoded
from referee.match.match import Match
from referee.site.folder import pages_from
from referee.store.post import KeptMail, OutgoingLetter
from referee.store.sql import Unit

POLICY = (
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; "
    "frame-src 'self'"
)


class Written(NamedTuple):
    """A letter, the mail it answers, if any, and its own file."""

    letter: Letter
    mail: KeptMail | None
    page: str


class Shelf(NamedTuple):
    """One reader's letters, the oldest first. `seat` is None for an observer or a stranger."""

    reader: str
    seat: int | None
    address: str
    page: str
    letters: tuple[Written, ...]


def shelves(unit: Unit, match: str, seat: int | None = None) -> tuple[Shelf, ...]:
    """The letters of a match, or of one seat of it, by reader; the seats in their order, then everybody else."""
    by_reader: dict[tuple[int, str], list[OutgoingLetter]] = defaultdict(list)
    for row in unit.letters(match=match, seat=seat):
        by_reader[row.seat or 0, row.recipient if not row.seat else ""].append(row)
    found = []
    for number, key in enumerate(sorted(by_reader, key=lambda key: (key[0] == 0, key)), 1):
        letters, (seat, _) = [(row, decoded(row)) for row in by_reader[key]], key
        head, name = letters[-1][1].head, f"player-{seat}" if seat else f"other-{number}"
        written = tuple(
            Written(letter, _answered(unit, row), f"{name}/{index:04d}-{file_name(letter.kind)}.html")
            for index, (row, letter) in enumerate(letters, 1)
        )
        reader = head.recipient_name or head.recipient
        found.append(Shelf(reader, seat or None, head.recipient, f"{name}.html", written))
    return tuple(found)


def _answered(unit: Unit, row: OutgoingLetter) -> KeptMail | None:
    """The mail that a letter answers. Its sender chose the Message-ID: of several mails with it, the reader's own."""
    mails = unit.mails_called(row.answers) if row.answers is not None else []
    own = [mail for mail in mails if mail.sender == address_key(row.recipient)]
    return next(iter(own or mails), None)


def write_letters(found: Sequence[Shelf], match: str, into: Path, templates: Sequence[Path]) -> Path:
    """Write the pages; the one to open. Files and new folders are their owner's alone."""
    environment = pages_from(templates, policy=POLICY)

    def put(page: str, template: str, **shown: object) -> None:
        filled = environment.get_template(f"letterbox/{template}.html").render(match=match, **shown)
        _put(into / page, filled)

    private_folder(into)
    for shelf in found:
        private_folder(into / Path(shelf.page).stem)
        around = zip((None, *shelf.letters), shelf.letters, (*shelf.letters[1:], None), strict=False)
        for before, written, after in around:
            page, beside = written.letter.page, {"before": before, "after": after}
            inside = page.html  # a document of its own, its board within it
            if page.diagram is not None and BOARD in inside:
                picture = b64encode(draw_svg(page.diagram).encode()).decode()
                inside = inside.replace(BOARD, f'src="data:image/svg+xml;base64,{picture}"')
            put(written.page, "letter", shelf=shelf, written=written, inside=inside, here="../", **beside)
        put(shelf.page, "list", shelf=shelf, here="")
    put("index.html", "readers", shelves=found, here="")
    return into / "index.html"


def write_front(
    into: Path,
    title: str,
    parts: Sequence[tuple[str, str, str]],
    templates: Sequence[Path],
    played: Sequence[Match] = (),
) -> Path:
    """One page to begin from: what there is to see (link, name, sentence), or matches, with the last one's board."""
    page = pages_from(templates, policy=POLICY).get_template("letterbox/front.html")
    boards = f"site/matches/{file_name(played[-1].name)}/boards/[0-9]*.svg" if played else ".svg"
    last = max(into.glob(boards), key=lambda path: int(path.stem.partition("-")[0]), default=None)
    board = last.read_text("utf-8") if last else ""
    _put(into / "index.html", page.render(title=title, parts=parts, played=played, board=board))
    return into / "index.html"


def _put(path: Path, text: str) -> None:
    """The file, for its owner alone, also where it stood open before."""
    path.unlink(missing_ok=True)
    write_private(path, text)
