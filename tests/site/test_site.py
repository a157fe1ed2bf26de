"""The archive's pages: what is in them, that they are safe, and that nothing is made twice."""

import json
import os
import re
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path, PurePosixPath
from urllib.parse import unquote
from xml.etree.ElementTree import Element, fromstring

from icalendar import Calendar

from referee.base import shipped
from referee.base.settings import Offices, Settings
from referee.core.diagram import Diagram, Mark, Token
from referee.core.game import Branch
from referee.draw import draw_svg
from referee.draw.svg import FLAT, PAINTS
from referee.match.chain import Keys
from referee.offices.moderator import ClubRecord
from referee.site.folder import Folder
from referee.site.front import Front, read_index, write_index
from referee.site.pages import Deadline, GamePage, Sitter, Summary, Turn
from referee.site.publish import write_match

START = datetime(2031, 5, 3, 14, 5, tzinfo=UTC)
X = "{http://www.w3.org/1999/xhtml}"
ATOM = "{http://www.w3.org/2005/Atom}"
HOSTILE = "</pre><script>alert('x')</script>&\"\u202eevil\x00\x1b"


def place_of(name: str, site: str, collector: str) -> Offices:
    settings = {"referee": {"name": name}, "site": {"url": site}, "offices": {"collector": collector}}
    return Offices(Settings.model_validate(settings))


URL = place_of("Referee", "https://games.example/", "collector@games.example")


def board(square: str = "a1") -> Diagram:
    return Diagram(
        "After it",
        tuple("ab"),
        tuple("21"),
        tokens=(Token(square, "K", "King"),),
        marks=(Mark(square, "to"),),
    )


def turns(count: int) -> tuple[Turn, ...]:
    """Each at public position 2n; every third leaves another board."""
    squares = ("a1", "b1", "a2", "b2")
    return tuple(
        Turn(2 * n, START + timedelta(hours=n), f"Round {n}", f"Turn {n}.", "", board(squares[n // 3 % 4]))
        for n in range(1, count + 1)
    )


def summary(name: str = "fp-1", count: int = 3, **changes: object) -> Summary:
    facts: dict[str, object] = {
        "name": name, "game": "fourplay", "title": "Fourplay", "status": "open", "opened": START,
        "updated": START + timedelta(hours=count), "position": 2 * count, "turns": count, "heading": f"Round {count}",
        "people": (Sitter(1, "Ann Archer", "aaaa"), Sitter(2, "Bob Bender", "bbbb")), "seats": 2,
        "deadlines": (
            Deadline(2, "Turn", "Round 9", START + timedelta(days=30)), Deadline(1, "Offer", "Round 9", None),
        ),
    }  # fmt: skip
    return Summary(**(facts | changes))  # type: ignore[arg-type]


def folder_at(into: Path, place: Offices = URL, picture: Path | None = None) -> Folder:
    return Folder(into, place, picture, shipped.folders("templates"))


def written(into: Path, count: int = 3, place: Offices = URL, **changes: object) -> Summary:
    """One match, from nothing."""
    told = summary(count=count, **changes)
    write_match(folder_at(into, place), told, turns(count))
    return told


GAME = GamePage("fourplay", "Fourplay", "Chess for four.", "Rules.", (("King", "One step.", (board(),)),))


def front(
    into: Path,
    *summaries: Summary,
    place: Offices = URL,
    changed: Sequence[str] = (),
    picture: Path | None = None,
) -> None:
    """Of a club in which nothing goes on; all of it, or what hangs on the matches that have `changed`."""
    around = Front(folder_at(into, place, picture), Keys(b"a secret"), ClubRecord(), summaries)
    around.write(set(changed) or {s.name for s in summaries}, [GAME], not changed)


def files(folder: Path) -> dict[str, bytes]:
    return {p.relative_to(folder).as_posix(): p.read_bytes() for p in folder.rglob("*") if p.is_file()}


def page(folder: Path, name: str) -> Element:
    """A page is well-formed XML as well as HTML."""
    return fromstring((folder / name).read_text(encoding="utf-8"))


def text_of(element: Element) -> str:
    return " ".join("".join(element.itertext()).split())


def links_of(root: Element) -> Iterator[str]:
    for element in root.iter():
        for name in ("href", "src"):
            if (target := element.get(name)) and not target.startswith(("data:", "mailto:")):
                yield target


# --- the replay --------------------------------------------------------------------------------------------------


def test_a_match_is_a_book_with_a_page_for_each_position(tmp_path: Path) -> None:
    written(tmp_path, 7)
    home = tmp_path / "matches/fp-1"
    assert {p.name for p in home.glob("*.html")} == {
        "index.html",
        "last.html",
        *(f"{2 * n}.html" for n in range(1, 8)),
    }
    root = page(home, "6.html")
    rel = {a.get("rel"): a.get("href") for a in root.iter(X + "a") if a.get("rel")}
    assert rel == {"first": "2.html", "prev": "4.html", "next": "8.html", "last": "last.html"}
    (current,) = [a for a in root.iter(X + "a") if a.get("aria-current")]
    assert (current.get("href"), current.text) == ("6.html", "Round 3")
    listed = [a.get("href") for ol in root.iter(X + "ol") for a in ol.iter(X + "a")]
    assert listed == [f"{2 * n}.html" for n in range(1, 8)]  # oldest first
    assert "Turn 3." in text_of(root)
    last = page(home, "last.html")
    assert {a.get("rel") for a in last.iter(X + "a") if a.get("rel")} == {"first", "prev"}
    assert "Turn 7." in text_of(last)


def test_a_board_is_drawn_once_and_every_page_shows_the_one_that_stood(tmp_path: Path) -> None:
    written(tmp_path, 7)
    home = tmp_path / "matches/fp-1"
    assert {p.name for p in (home / "boards").iterdir()} == {"2.svg", "6.svg", "12.svg"}
    boards = [next(page(home, f"{2 * n}.html").iter(X + "figure")).find(X + "img") for n in range(1, 8)]
    shown = [image.get("src") for image in boards if image is not None]
    assert shown == [f"boards/{b}.svg" for b in (2, 2, 6, 6, 6, 12, 12)]
    image = boards[1]
    assert (image.get("alt") or "").startswith("King: ")


def test_one_more_turn_writes_the_same_bytes_as_all_anew_and_touches_no_equal_page(tmp_path: Path) -> None:
    for into, count in ((tmp_path / "grown", 51), (tmp_path / "new", 52)):
        written(into, count)
    before = {path: path.stat().st_mtime_ns for path in (tmp_path / "grown").rglob("*.html")}
    written(tmp_path / "grown", 52)
    assert files(tmp_path / "grown") == files(tmp_path / "new")
    touched = {p.name for p, at in before.items() if p.stat().st_mtime_ns != at}
    assert touched == {"index.html", "last.html", "102.html"}


def test_a_long_match_keeps_its_pages_small(tmp_path: Path) -> None:
    written(tmp_path, 1200)
    assert max(len(content) for name, content in files(tmp_path).items() if name.endswith(".html")) < 200_000


def test_words_beyond_all_measure_are_left_to_the_record(tmp_path: Path) -> None:
    long = (Turn(1, START, "One", "x" * 300_000, "", board()),)
    write_match(folder_at(tmp_path), summary(count=1), long)
    assert max(map(len, files(tmp_path).values())) < 200_000
    assert "they stand in the record" in text_of(page(tmp_path, "matches/fp-1/1.html"))


def test_a_proof_is_stepped_through(tmp_path: Path) -> None:
    step = ("Ply 3: a piece", board("b2"))
    turn = replace(turns(1)[0], steps=(step, step))
    write_match(folder_at(tmp_path), summary(count=1), (turn,))
    root = page(tmp_path, "matches/fp-1/2.html")
    assert [s.text for s in root.iter(X + "summary")][1:] == ["Ply 3: a piece"] * 2
    assert (tmp_path / "matches/fp-1/boards/2-2.svg").is_file()


def test_a_whole_proof_is_a_tree_on_a_page_of_its_own(tmp_path: Path) -> None:
    tree = Branch("Red can win", (Branch("To a: b.", (Branch("To c: d."),)), Branch(HOSTILE)))
    turn = replace(turns(1)[0], proofs=(tree, tree))
    home = tmp_path / "matches/fp-1"
    write_match(folder_at(tmp_path), summary(count=1), (turn,))
    assert "2-proof.html" in {a.get("href") for a in page(home, "2.html").iter(X + "a")}
    root = page(home, "2-proof.html")
    assert [s.text for s in root.iter(X + "summary")] == ["Red can win", "To a: b."] * 2
    assert [d.get("open") for d in root.iter(X + "details")] == ["open", None] * 2
    assert b"<script>" not in (home / "2-proof.html").read_bytes()
    written(tmp_path)
    assert not (home / "2-proof.html").exists()


def test_what_an_earlier_build_left_is_taken_away(tmp_path: Path) -> None:
    written(tmp_path)
    for stray in ("boards/999.svg", "999.html"):
        (tmp_path / "matches/fp-1" / stray).write_text("old")
    written(tmp_path)
    assert not list(tmp_path.rglob("999.*"))


# --- what stands around it ---------------------------------------------------------------------------------------


def test_every_link_leads_somewhere(tmp_path: Path) -> None:
    told = [
        written(tmp_path, 30), written(tmp_path, 1, name="Ünïcode / ..", status="ended", winners=(1,)),
        written(tmp_path, 2, name="free", vacant="1 of 2 seats", join="join free", status="filling"),
    ]  # fmt: skip
    front(tmp_path, *told)
    write_index(folder_at(tmp_path), told, {s.name for s in told})
    found = files(tmp_path)
    checked = 0
    for name in [n for n in found if n.endswith(".html")]:
        for target in links_of(page(tmp_path, name)):
            checked += 1
            if target.startswith(URL.site):
                there = target.removeprefix(URL.site)
            else:
                assert not re.match(r"[a-z]+:|/", target), target
                path = unquote(target).partition("#")[0]
                there = os.path.normpath(PurePosixPath(name).parent / path) if path else name
            assert there in found, (name, target)
    assert checked > 300


def test_the_front_explains_itself_and_says_where_a_seat_is_free(tmp_path: Path) -> None:
    free = summary("free", status="filling", vacant="1 of 2 seats", join="join free")
    front(tmp_path, summary(), free, summary("old", status="ended", winners=(1,), outcome="Won by Ann."))
    said = text_of(page(tmp_path, "index.html"))
    for words in ("Games played by mail", "A seat is free", "1 of 2 seats", "join free", "Won by Ann."):
        assert words in said
    hrefs = [a.get("href") for a in page(tmp_path, "index.html").iter(X + "a")]
    assert "mailto:collector@games.example?subject=join%20free" in hrefs


def test_the_front_opens_with_boards_whose_turn_it_is_and_since_when(tmp_path: Path) -> None:
    due = (Deadline(2, "Turn", "Round 9", START + timedelta(days=30), START + timedelta(days=2)),)
    running = summary(deadlines=due, board=6)
    old = summary("old", status="ended", winners=(1,), outcome="Won by Ann.", board=2)
    front(tmp_path, running, old, summary("free", status="filling", vacant="1 of 2 seats", join="join free"))
    root = page(tmp_path, "index.html")
    heads = [text_of(h) for h in root.iter(X + "h2")]
    assert heads[:3] == ["Being played", "Last results", "Play along"]
    boards = [
        next(ul.iter(X + "img")).get("src") for ul in root.iter(X + "ul") if ul.get("class") == "boards"
    ]
    assert boards == ["matches/fp-1/boards/6.svg", "matches/old/boards/2.svg"]
    times = [t.get("datetime") for t in root.iter(X + "time")]
    assert "It is the turn of Bob Bender since 5 May 2031, 14:05 UTC, until" in text_of(root)
    assert times[:2] == ["2031-05-05T14:05:00Z", "2031-06-02T14:05:00Z"]


def test_every_colour_of_a_board_s_ground_has_one_for_the_night(tmp_path: Path) -> None:
    file = shipped.folders("templates")[0] / "site/night.toml"
    night = tomllib.loads(file.read_text(encoding="utf-8"))
    tokens = {colour for paint in PAINTS.values() for colour in (paint.fill, paint.ink, paint.edge)}
    assert set(night) >= set(FLAT) - tokens
    folder_at(tmp_path).board("board.svg", board())
    drawn = (tmp_path / "board.svg").read_text()
    assert drawn.count("<style>") == 1
    assert re.sub("<style>.*</style>", "", drawn) == draw_svg(board())


def test_what_is_shared_is_shown_with_a_card(tmp_path: Path) -> None:
    """Open Graph, with a picture that any service can show, where the world sees the archive."""
    told = written(tmp_path)
    front(tmp_path, replace(told, board=6))
    cards = {}
    for name in ("index.html", "matches/fp-1/index.html", "matches/fp-1/last.html", "ratings.html"):
        root = page(tmp_path, name)
        cards[name] = {
            m.get("property"): m.get("content") for m in root.iter(X + "meta") if m.get("property")
        }
        assert all(cards[name].values())
        picture = str(cards[name]["og:image"]).removeprefix(URL.site)
        assert (tmp_path / picture).is_file(), name
    assert cards["index.html"]["og:image"] == f"{URL.site}matches/fp-1/card.png"
    assert (tmp_path / "matches/fp-1/card.png").read_bytes().startswith(b"\x89PNG")
    assert cards["matches/fp-1/index.html"]["og:description"] == (
        "Fourplay: Ann Archer, Bob Bender. Bob Bender and Ann Archer to answer"
    )
    assert cards["matches/fp-1/last.html"]["og:url"] == f"{URL.site}matches/fp-1/last.html"


def test_a_club_has_its_own_picture(tmp_path: Path) -> None:
    own = tmp_path / "Club.PNG"
    own.write_bytes(b"\x89PNG of the club")
    place = place_of("The Thursday Club", URL.site, URL.collector)
    front(tmp_path / "site", summary(), place=place, picture=own)
    assert (tmp_path / "site/picture.png").read_bytes() == own.read_bytes()
    root = page(tmp_path / "site", "index.html")
    assert next(root.iter(X + "main")).find(f".//{X}img[@src='picture.png']") is not None
    assert "The Thursday Club" in text_of(next(root.iter(X + "h1")))


def test_a_match_has_its_moves_by_whom_and_when_beside_its_board(tmp_path: Path) -> None:
    moves = ("d2", "a7", "d2-d3 x a7")
    told = tuple(
        replace(turn, by=("Ann", "Ben")[n % 2], move=move)
        for n, (turn, move) in enumerate(zip(turns(3), moves, strict=True))
    )
    write_match(folder_at(tmp_path), summary(), told)
    for name in ("index.html", "4.html"):
        (listed,) = [
            s for s in page(tmp_path, f"matches/fp-1/{name}").iter(X + "section") if s.get("class") == "turns"
        ]
        rows = [text_of(li) for li in listed.iter(X + "li")]
        assert rows == ["d2 Ann, 3 May 2031", "a7 Ben, 3 May 2031", "d2-d3 x a7 Ann, 3 May 2031 last"]


def test_a_player_has_a_page_with_results_and_a_calendar_nobody_finds(tmp_path: Path) -> None:
    won = summary("old", status="ended", winners=(1,))
    front(tmp_path, summary(), won)
    said = text_of(page(tmp_path, "players/aaaa.html"))
    assert "2 matches" in said
    assert "RunningWon" in said
    found = files(tmp_path)
    secret = Keys(b"a secret").calendar("bbbb")
    events = Calendar.from_ical(found[f"calendars/{secret}.ics"]).walk("VEVENT")
    assert [e["SUMMARY"] for e in events] == ["Fourplay [fp-1]: Turn by Bob Bender"]
    assert not any(secret.encode() in content for content in found.values())


def test_feeds_are_atom_with_whole_links_and_only_where_the_address_is_known(tmp_path: Path) -> None:
    front(tmp_path / "a", written(tmp_path / "a", 2))
    front(tmp_path / "b", written(tmp_path / "b", 3))
    ids = []
    for at in ("a", "b"):
        for name in ("feed.atom", "matches/fp-1/feed.atom"):
            feed = page(tmp_path / at, name)
            for link in feed.iter(ATOM + "link"):
                assert (link.get("href") or "").startswith(URL.site)
            for element in (feed, *feed.iter(ATOM + "entry")):
                assert all(element.findtext(ATOM + required) for required in ("id", "title", "updated"))
        ids.append([e.findtext(ATOM + "id") for e in feed.iter(ATOM + "entry")])
    assert ids[1][1:] == ids[0]
    plain = place_of("Referee", "", "collector@games.example")
    front(tmp_path / "b", written(tmp_path / "b", 3, plain), place=plain)
    assert not list((tmp_path / "b").rglob("*.atom"))


def test_a_moved_deadline_keeps_its_uid(tmp_path: Path) -> None:
    moved = (Deadline(2, "Turn", "Round 9", START + timedelta(days=33)),)
    written(tmp_path / "a")
    written(tmp_path / "b", deadlines=moved)
    before, after = (
        Calendar.from_ical((tmp_path / at / "matches/fp-1/deadlines.ics").read_bytes()).walk("VEVENT")
        for at in ("a", "b")
    )
    assert after[0].decoded("DTSTART") == START + timedelta(days=33)
    assert before[0]["UID"] == after[0]["UID"]


def test_lists_are_paged_and_a_full_page_stays(tmp_path: Path) -> None:
    many = [summary(f"m-{n}", opened=START + timedelta(days=n)) for n in range(130)]
    front(tmp_path, *many)
    full = (tmp_path / "matches/page-1.html").stat().st_mtime_ns
    front(tmp_path, *many, summary("new"), changed=["new"])
    assert (tmp_path / "matches/page-1.html").stat().st_mtime_ns == full
    assert "m-49" in text_of(page(tmp_path, "matches/page-1.html"))
    assert "new" in text_of(page(tmp_path, "matches/page-3.html"))
    assert max(len(c) for n, c in files(tmp_path).items() if n.endswith(".html")) < 200_000


def test_the_index_is_read_back_and_a_broken_one_made_again(tmp_path: Path) -> None:
    told = [summary(f"m-{n}") for n in range(250)]
    write_index(folder_at(tmp_path), told, {s.name for s in told})
    assert len(list((tmp_path / "index").iterdir())) == 4
    assert read_index(folder_at(tmp_path))["m-249"] == summary("m-249")
    before, _, rows = (tmp_path / "index/2.js").read_text().partition("=[")
    assert before.startswith("(window.index")
    assert json.loads(f"[{rows.rstrip().removesuffix(';')}")[0]["ending"] == "running"
    whole = (tmp_path / "index/0.js").read_bytes()
    for broken in (b"[{}]", b"{", b"null", b'[{"name": 3}]', b"\xff", whole[:-9]):
        (tmp_path / "index/0.js").write_bytes(broken)
        assert "m-1" not in read_index(folder_at(tmp_path))


# --- safe --------------------------------------------------------------------------------------------------------


def test_no_page_holds_script_or_style_of_its_own_and_every_one_says_so(tmp_path: Path) -> None:
    front(tmp_path, written(tmp_path))
    policy = (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
        "base-uri 'none'; form-action 'none'"
    )
    for name, content in files(tmp_path).items():
        if name.endswith(".html"):
            root = page(tmp_path, name)
            (meta,) = [m for m in root.iter(X + "meta") if m.get("http-equiv")]
            assert meta.get("content") == policy
            scripts = [s for s in root.iter(X + "script") if s.get("type") != "application/json"]
            assert all(not (s.text or "").strip() and s.get("src") for s in scripts)
            assert not re.search(rb"\son\w+=|\sstyle=|<style|javascript:", content)


def test_nothing_anybody_wrote_becomes_markup_or_leaves_its_folder(tmp_path: Path) -> None:
    told = summary(
        HOSTILE, title=HOSTILE, outcome=HOSTILE, heading=HOSTILE, vacant=HOSTILE, join=HOSTILE,
        people=(Sitter(1, HOSTILE, "aaaa"),), deadlines=(Deadline(1, HOSTILE, HOSTILE, START),),
    )  # fmt: skip
    turn = Turn(1, START, HOSTILE, HOSTILE, HOSTILE, Diagram(HOSTILE, ("a",), ("1",)))
    folder = folder_at(tmp_path / "site", place_of(HOSTILE, "https://games.example/", "c@games.example"))
    records = ((HOSTILE, b""), ("..", b""), ("", b"x"))
    write_match(folder, told, (turn,), rules=(HOSTILE,), records=records)
    front(tmp_path / "site", told, place=folder.offices)
    write_index(folder, [told], {HOSTILE})
    assert [p.name for p in tmp_path.iterdir()] == ["site"]
    for name, content in files(tmp_path / "site").items():
        assert re.fullmatch(r"[a-z0-9_./-]+", name)
        if name.endswith((".html", ".atom", ".svg")):
            root = fromstring(content.decode())
            assert not [e for e in root.iter() if e.tag.endswith("script") and (e.text or "").strip()]
        if name.endswith((".json", "turns.js")) or name.startswith("index/"):
            assert b"<" not in content
        if name.endswith((".html", ".atom", ".svg", ".ics", ".js", ".json")):
            assert not {"\x00", "\x1b", "\u202e"} & set(content.decode())
