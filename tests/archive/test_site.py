"""The archive: what is in it, that it is safe, and that nothing is written twice."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path, PurePosixPath
from urllib.parse import unquote
from xml.etree.ElementTree import Element, fromstring

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from icalendar import Calendar
from markupsafe import Markup

from referee import shipped
from referee.archive import Built, Deadline, MatchPage, Posting, Sitter, build_site
from referee.archive.naming import file_name
from referee.core.diagram import Diagram, Mark, Token
from referee.post.rendering import Renderer
from referee.wiring import Drawings

START = datetime(2031, 5, 3, 14, 5, tzinfo=UTC)
X = "{http://www.w3.org/1999/xhtml}"
ATOM = "{http://www.w3.org/2005/Atom}"
HOSTILE = "</pre><script>alert('x')</script>&\"\u202eevil\x00\x1b"


def board(square: str = "a1") -> Diagram:
    return Diagram(
        "After it",
        tuple("ab"),
        tuple("21"),
        tokens=(Token(square, "K", "King"),),
        marks=(Mark(square, "to"),),
    )


def match(name: str = "fp-1", turns: int = 3, **changes: object) -> MatchPage:
    facts: dict[str, object] = {
        "name": name,
        "game": "Fourplay",
        "status": "open",
        "phase": "Play",
        "roster": (Sitter(2, "Bob Bender"), Sitter(1, "Ann Archer")),
        "postings": tuple(
            Posting(
                n, START + timedelta(days=n), Markup(f"<p>Turn {n} was played.</p>"),
                board("a1" if n < 3 else "b2"), f"Round {n}",
            )
            for n in range(1, turns + 1)
        ),
        "deadlines": (
            Deadline(2, "Turn", "Round 4", START + timedelta(days=30)),
            Deadline(1, "Offer", "Round 4", None),
        ),
        "records": (("fp-1.json", b'{"a": 1}'), ("../notes.txt", b"notes")),
    }  # fmt: skip
    return MatchPage(**(facts | changes))  # type: ignore[arg-type]


def files(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()
    }


def page(folder: Path, name: str) -> Element:
    """A page is well-formed XML as well as HTML."""
    return fromstring((folder / name).read_text(encoding="utf-8"))


def text_of(element: Element) -> str:
    return " ".join("".join(element.itertext()).split())


def test_every_match_has_a_page_a_feed_a_calendar_and_its_records(tmp_path: Path) -> None:
    build_site([match()], tmp_path)
    found = files(tmp_path)
    assert {name for name in found if "boards/" not in name} == {
        "index.html", "style.css", "feed.atom", "deadlines.ics", "matches/fp-1/index.html", "matches/fp-1/feed.atom",
        "matches/fp-1/deadlines.ics", "matches/fp-1/records/fp-1.json",
        f"matches/fp-1/records/{file_name('../notes.txt')}",
    }  # fmt: skip
    assert found["matches/fp-1/records/fp-1.json"] == b'{"a": 1}'


def test_a_page_tells_players_phase_deadlines_outcome_and_every_entry(tmp_path: Path) -> None:
    build_site([match(outcome="Ann Archer has won.")], tmp_path)
    root = page(tmp_path, "matches/fp-1/index.html")
    said = text_of(root)
    for words in (
        "Fourplay, Play", "Bob Bender: Turn (Round 4), by 2 June 2031, 14:05 UTC", "Ann Archer: Offer (Round 4)",
        "Ann Archer has won.", "Turn 1 was played.", "Turn 3 was played.",
    ):  # fmt: skip
        assert words in said
    players = [(li.get("value"), li.text) for ol in root.iter(X + "ol") for li in ol]
    assert players == [("1", "Ann Archer"), ("2", "Bob Bender")]
    assert [a.get("id") for a in root.iter(X + "article")] == ["position-3", "position-2", "position-1"]


def test_the_board_stands_inline_and_as_text_and_earlier_ones_once_each(tmp_path: Path) -> None:
    build_site([match()], tmp_path)
    root = page(tmp_path, "matches/fp-1/index.html")
    (svg,) = root.iter("{http://www.w3.org/2000/svg}svg")
    shown = [g.get("data-square") for g in svg.iter() if g.get("data-token")]
    assert shown == ["b2"]
    assert any("2  . [K] 2" in (pre.text or "") or "[K]" in (pre.text or "") for pre in root.iter(X + "pre"))
    images = list(root.iter(X + "img"))
    assert len(images) == 2  # entries 1 and 2 left the same board
    for image in images:
        assert image.get("alt", "").startswith("King: ")
        picture = fromstring((tmp_path / "matches/fp-1" / image.get("src", "")).read_text(encoding="utf-8"))
        assert picture.tag.endswith("svg")


def test_every_link_of_the_site_is_relative_and_leads_somewhere(tmp_path: Path) -> None:
    build_site([match(), match("Ünïcode / ..", 1), match("empty", 0, records=())], tmp_path)
    found = files(tmp_path)
    links = 0
    for name in [n for n in found if n.endswith(".html")]:
        root = page(tmp_path, name)
        for element in root.iter():
            target = element.get("href") or (element.get("src") if element.tag == X + "img" else None)
            if target is None:
                continue
            links += 1
            path, _, fragment = unquote(target).partition("#")
            assert not re.match(r"[a-z]+:|/", target)
            there = name if not path else os.path.normpath(PurePosixPath(name).parent / path)
            assert there in found, (name, target)
            if fragment:
                assert any(e.get("id") == fragment for e in page(tmp_path, there).iter())
    assert links > 20


def test_pages_need_no_script_and_forbid_all(tmp_path: Path) -> None:
    build_site([match()], tmp_path)
    for name, content in files(tmp_path).items():
        if name.endswith(".html"):
            assert b"<script" not in content
            assert not re.search(rb"\son\w+=|\sstyle=|javascript:", content)
            assert b"default-src 'none'; img-src 'self'; style-src 'self'" in content


def test_nothing_anybody_wrote_becomes_markup_or_leaves_its_folder(tmp_path: Path) -> None:
    page_ = match(
        HOSTILE, game=HOSTILE, phase=HOSTILE, outcome=HOSTILE, roster=(Sitter(1, HOSTILE),),
        postings=(Posting(1, START, HOSTILE, Diagram(HOSTILE, ("a",), ("1",)), HOSTILE),),
        deadlines=(Deadline(1, HOSTILE, HOSTILE, START),), records=((HOSTILE, b""), ("..", b""), ("", b"x")),
    )  # fmt: skip
    build_site([page_], tmp_path / "site", HOSTILE)
    assert [p.name for p in tmp_path.iterdir()] == ["site"]
    for name, content in files(tmp_path / "site").items():
        assert re.fullmatch(r"[a-z0-9_./-]+", name)
        if name.endswith((".html", ".atom", ".svg")):
            root = fromstring(content.decode())
            assert not [e for e in root.iter() if e.tag.endswith("script")]
        if name.endswith((".html", ".atom", ".svg", ".ics")):
            assert not {"\x00", "\x1b", "\u202e"} & set(content.decode())


def test_no_address_gets_in_by_itself(tmp_path: Path) -> None:
    build_site([match()], tmp_path)
    for name, content in files(tmp_path).items():
        addresses = set(re.findall(rb"[\w.]+@[\w.]+", content))
        assert all(address.endswith(b"@referee") for address in addresses), (name, addresses)


def test_the_words_of_letters_stand_as_they_are_laid_out_there_in_page_and_feed(tmp_path: Path) -> None:
    renderer = Renderer(shipped.folders("templates"), Drawings())
    layout = renderer._environments["part"].globals["say"]
    told = (
        layout.h("Chances")
        + layout.items(["one", "<two>"])
        + layout.table(["Seat"], [[1]])
        + layout.pre("a\x1b b")
    )
    build_site([match(postings=(Posting(1, START, told),))], tmp_path)
    (article,) = page(tmp_path, "matches/fp-1/index.html").iter(X + "article")
    assert [li.text for li in article.iter(X + "li")] == ["one", "<two>"]
    assert [[cell.text for cell in row] for row in article.iter(X + "tr")] == [["Seat"], ["1"]]
    assert [pre.text for pre in article.iter(X + "pre")] == ["a b"]
    assert [h.text for h in article.iter(X + "h4")] == ["Chances"]
    content = fromstring((tmp_path / "feed.atom").read_text()).find(f".//{ATOM}content")
    assert content is not None
    assert content.get("type") == "html"
    assert "<li>&lt;two&gt;</li>" in (content.text or "")


def test_feeds_are_atom_and_their_ids_stay(tmp_path: Path) -> None:
    build_site([match(turns=2)], tmp_path / "a")
    build_site([match(turns=3)], tmp_path / "b", address="https://games.example")
    old, new = (fromstring((tmp_path / at / "matches/fp-1/feed.atom").read_text()) for at in ("a", "b"))
    ids = [[e.findtext(ATOM + "id") for e in feed.iter(ATOM + "entry")] for feed in (old, new)]
    assert ids[1][1:] == ids[0]
    assert old.findtext(ATOM + "id") == new.findtext(ATOM + "id")
    assert new.findtext(ATOM + "updated") == "2031-05-06T14:05:00Z"
    assert old.find(f"{ATOM}entry/{ATOM}link").get("href") == "../../matches/fp-1/index.html#position-2"  # type: ignore[union-attr]
    link = new.find(f"{ATOM}entry/{ATOM}link")
    assert link is not None
    assert link.get("href") == "https://games.example/matches/fp-1/index.html#position-3"
    for required in ("id", "title", "updated"):
        assert all(
            e.findtext(ATOM + required) for feed in (old, new) for e in (feed, *feed.iter(ATOM + "entry"))
        )


def test_the_calendar_has_the_open_deadlines_and_a_moved_one_keeps_its_uid(tmp_path: Path) -> None:
    moved = match(deadlines=(Deadline(2, "Turn", "Round 4", START + timedelta(days=33)),))
    build_site([match()], tmp_path / "a")
    build_site([moved], tmp_path / "b")
    before, after = (
        list(Calendar.from_ical((tmp_path / at / "deadlines.ics").read_bytes()).walk("VEVENT"))
        for at in ("a", "b")
    )
    assert [e["SUMMARY"] for e in before] == ["Fourplay [fp-1]: Turn by Bob Bender"]
    assert before[0].decoded("DTSTART") == START + timedelta(days=30)
    assert after[0].decoded("DTSTART") == START + timedelta(days=33)
    assert before[0]["UID"] == after[0]["UID"]


def test_what_would_not_change_is_not_written(tmp_path: Path) -> None:
    pages = [match(), match("go-2", 1)]
    build_site(pages, tmp_path)
    before = {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*")}
    assert build_site(pages, tmp_path).written == 0
    assert {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*")} == before


def test_one_more_entry_touches_its_own_match_and_the_front_alone(tmp_path: Path) -> None:
    build_site([match(), match("go-2", 1)], tmp_path)
    before = files(tmp_path)
    build_site([match(turns=4), match("go-2", 1)], tmp_path)
    after = files(tmp_path)
    changed = {name for name in after if after[name] != before.get(name)}
    assert changed == {
        "feed.atom", "matches/fp-1/index.html", "matches/fp-1/feed.atom", "deadlines.ics",
        "matches/fp-1/deadlines.ics",
    }  # fmt: skip


def test_pictures_no_page_shows_any_more_are_taken_away(tmp_path: Path) -> None:
    build_site([match()], tmp_path)
    stray = tmp_path / "matches/fp-1/boards/old.svg"
    stray.write_text("old")
    build_site([match(turns=4)], tmp_path)
    assert not stray.exists()


def test_equal_pages_give_equal_bytes_in_any_process_and_order(tmp_path: Path) -> None:
    pages = [match(), match("go-2", 1), match("b", 2, status="ended")]
    build_site(pages, tmp_path / "a")
    build_site(pages[::-1], tmp_path / "b")
    assert files(tmp_path / "a") == files(tmp_path / "b")
    script = (
        "import sys, pathlib\nsys.path.insert(0, sys.argv[1])\n"
        "import test_site as t\n"
        "t.build_site([t.match(), t.match('go-2', 1), t.match('b', 2, status='ended')], pathlib.Path(sys.argv[2]))\n"
    )
    here = Path(__file__)
    subprocess.run(
        [sys.executable, "-c", script, str(here.parent), str(tmp_path / "c")],
        cwd=here.parents[2], env={"PYTHONHASHSEED": "7", "PATH": "", "TZ": "Asia/Tokyo"}, check=True,
    )  # fmt: skip
    assert files(tmp_path / "c") == files(tmp_path / "a")


def test_an_archive_without_matches_says_so(tmp_path: Path) -> None:
    assert build_site([], tmp_path) == Built(4, 0)
    assert "No match has been opened yet." in text_of(page(tmp_path, "index.html"))


@pytest.mark.parametrize("name", ["fp-1", "a", "match_7", "a.json"])
def test_a_safe_name_is_kept(name: str) -> None:
    assert file_name(name) == name


@given(st.text(max_size=90), st.text(max_size=90))
@settings(max_examples=300)
def test_file_names_are_safe_and_never_shared(first: str, second: str) -> None:
    names = [file_name(text) for text in (first, second)]
    for name in names:
        assert re.fullmatch(r"[a-z0-9_](?:[a-z0-9_.-]*[a-z0-9_])?", name)
        assert ".." not in name
        assert len(name) <= 64
    assert (names[0] == names[1]) == (first == second)


@pytest.mark.parametrize("name", ["..", ".", "con", "NUL.txt", "a/b", "A", "a.", ".a", "a..b", "x" * 300, ""])
def test_a_name_no_folder_could_bear_is_changed(name: str) -> None:
    assert file_name(name) != name
    assert len(file_name(name)) <= 64
