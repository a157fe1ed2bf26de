"""The archive in a real browser: the replay by links, keys, slider and play; the search; what players wrote stays text;
everybody can use it."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import pytest
from playwright.sync_api import Browser, Page, expect

from referee.site.serving import Serving
from tests.sampling import one_in
from tests.servers.chromium import checked_page, inaccessible
from tests.servers.ground import at_work
from tests.world import START, World

pytestmark = pytest.mark.server

Screen = tuple[int, Literal["light", "dark"]]
SCREENS: list[list[Screen]] = [[(375, "dark"), (1200, "light")], [(375, "light"), (1200, "dark")]]
SPELL = "<img src=x onerror=window.hit=1><script>window.hit=1</script>\"'><svg onload=window.hit=1>&lt;b&gt;"
NAME = '"\' onmouseover=window.hit=1 x=" {{7*7}} &lt'
PEOPLE = [f"{NAME} <ann@example.org>", "Ben Baker <ben@example.org>", "Cleo Carter <cleo@example.org>"]
TURNS = 8


@dataclass(frozen=True)
class Site:
    address: str
    match: str
    folder: Path

    def turn(self, name: str) -> str:
        return f"{self.address}matches/{self.match}/{name}.html"

    @property
    def numbers(self) -> list[int]:
        home = self.folder / "matches" / self.match
        return sorted(int(p.stem) for p in home.glob("[0-9]*.html"))


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """Matches of every game, with players whose names and words are markup, shown by the server."""
    world = World(tmp_path_factory.mktemp("world"))
    match = world.open("multigo", PEOPLE, board="9x9")
    for number in range(TURNS):
        seat = number % 3 + 1
        sender = PEOPLE[seat - 1]
        world.mail(
            sender, f"Go: Move / Player {seat} [{match}]", f"Move: {'ABCDEFGH'[number]}{1 + number % 9}"
        )
        world.step(START)
    world.mail(PEOPLE[1], f"press {match}", f"Look: {SPELL}\n\n{SPELL}")
    world.run("say", match, SPELL, "--now", START)
    world.open("buttons", [*PEOPLE[1:]], starter="1", now=START)
    world.open("onepiece", [*PEOPLE[1:]], now=START)
    world.open("fourplay", [*PEOPLE, "Dan <dan@example.org>"], now=START)
    world.run("open", "multigo", "--seat", PEOPLE[1], "--vacant", "2", "--now", START)
    world.passed(START)
    world.join("multigo-2", '"<img src=x onerror=window.hit=1>" <eve@example.org>', START)
    folder = world.folder / "site"
    assert world.run("site", str(folder)).status == 0
    server = Serving({"": folder})
    with server, at_work(server):
        yield Site(server.address, match, folder)


@pytest.fixture
def page(chromium: Browser) -> Iterator[Page]:
    """A page whose complaints - errors, broken policies, requests that lead away - are the test's."""
    context = chromium.new_context()
    found: list[str] = []
    page = context.new_page()
    page.on("pageerror", lambda error: found.append(f"error: {error}"))
    page.on("console", lambda said: found.append(said.text) if said.type in ("error", "warning") else None)
    page.on(
        "request",
        lambda r: None if r.url.startswith(("http://127.0.0.1", "data:", "file:")) else found.append(r.url),
    )
    page.on("dialog", lambda dialog: found.append(f"dialog: {dialog.message}"))
    yield page
    context.close()
    assert found == []


def test_links_alone_lead_through_the_match(chromium: Browser, site: Site) -> None:
    context = chromium.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{site.address}matches/{site.match}/index.html")
    page.get_by_role("link", name="Replay from the first turn").click()
    page.wait_for_url(site.turn(str(site.numbers[0])))
    for number in site.numbers[1:]:
        page.get_by_role("link", name="Next", exact=False).first.click()
        page.wait_for_url(site.turn(str(number)))  # and until all that it shows is there
        assert page.locator("section.now img").evaluate("i => i.complete && i.naturalWidth > 100")
    assert page.locator("a[rel=next]").count() == 0
    page.locator("a[rel=prev]").click()
    page.wait_for_url(site.turn(str(site.numbers[-2])))
    page.locator("a[rel=last]").click()
    page.wait_for_url(site.turn("last"))
    page.locator("a[rel=first]").click()
    page.wait_for_url(site.turn(str(site.numbers[0])))
    assert page.locator("input[type=range]").count() == 0
    context.close()


def test_arrow_keys_step(page: Page, site: Site) -> None:
    page.goto(site.turn(str(site.numbers[2])))
    for key, number in (("ArrowRight", 3), ("ArrowLeft", 2), ("End", -1), ("Home", 0), ("ArrowLeft", 0)):
        page.keyboard.press(key)
        page.wait_for_url(site.turn(str(site.numbers[number])))


def test_the_slider_shows_boards_and_opens_the_turn_where_it_is_left(page: Page, site: Site) -> None:
    page.goto(site.turn(str(site.numbers[1])))
    slider = page.get_by_label("Turn", exact=True)
    assert slider.get_attribute("max") == str(len(site.numbers))
    picture = page.locator("section.now figure.board img")
    before = picture.get_attribute("src")
    slider.evaluate("s => { s.value = 6; s.dispatchEvent(new Event('input')); }")
    assert picture.get_attribute("src") != before
    assert page.url == site.turn(str(site.numbers[1]))
    slider.evaluate("s => s.dispatchEvent(new Event('change'))")
    page.wait_for_url(site.turn(str(site.numbers[5])))


def test_play_runs_to_the_end_and_stop_opens_the_turn_it_has_reached(page: Page, site: Site) -> None:
    page.clock.install()
    page.goto(site.turn(str(site.numbers[-3])))
    page.get_by_role("button", name="Play").click()
    page.clock.run_for(1000)
    page.get_by_role("button", name="Stop").click()
    page.wait_for_url(site.turn(str(site.numbers[-2])))
    page.get_by_role("button", name="Play").click()
    page.clock.run_for(3000)
    page.wait_for_url(site.turn(str(site.numbers[-1])))


def test_the_search_finds_a_match_by_its_name_and_from_files(page: Page, site: Site) -> None:
    page.goto((site.folder / "search.html").as_uri())
    rows = page.locator("#found tbody tr")
    expect(rows).to_have_count(5)
    page.get_by_label("Match or player").fill(site.match.upper())
    expect(rows).to_have_count(1)
    page.get_by_label("Match or player").fill("fourplay-1")
    expect(rows).to_have_count(1)
    rows.first.get_by_role("link").first.click()
    page.wait_for_url("**/matches/fourplay-1/index.html")


def test_the_front_shows_the_boards_of_running_matches_small(page: Page, site: Site) -> None:
    page.goto((site.folder / "index.html").as_uri())
    boards = page.locator(".boards img")
    shown = [board.get_attribute("alt") for board in boards.all()]
    assert f"The board of {site.match} now" in shown
    assert len(shown) == 3  # a match that is filling, and Fourplay before its setup, have none
    for board in boards.all():
        board.scroll_into_view_if_needed()
        expect(board).to_have_js_property("complete", value=True)
        assert board.evaluate("i => i.naturalWidth > 100 && i.width <= 288")
    boards.first.click()
    page.wait_for_url("**/last.html")


def test_the_search_finds_by_player_game_ending_and_day(page: Page, site: Site) -> None:
    page.goto(f"{site.address}search.html")
    rows = page.locator("#found tbody tr")
    expect(rows).to_have_count(5)
    page.get_by_label("Match or player").fill("cLÉo")
    expect(rows).to_have_count(4)
    page.get_by_label("Game").select_option("buttons")
    expect(rows).to_have_count(1)
    page.get_by_label("Match or player").fill("nobody")
    expect(rows).to_have_count(0)
    page.get_by_label("Match or player").fill("")
    page.get_by_label("Game").select_option("")
    page.get_by_label("Ending").select_option("free")
    expect(rows).to_have_count(1)
    page.get_by_label("Ending").select_option("running")
    page.get_by_label("Last turn from").fill("2026-03-02")
    expect(rows).to_have_count(0)
    page.get_by_label("Last turn from").fill("2026-03-01")
    expect(rows).to_have_count(5)
    rows.first.get_by_role("link").first.click()
    page.wait_for_url("**/matches/*/index.html")


def test_the_search_takes_its_question_from_the_address(page: Page, site: Site) -> None:
    for where in (f"{site.address}search.html", (site.folder / "search.html").as_uri()):
        page.goto(f"{where}?q=cl%C3%A9o&game=buttons")
        expect(page.locator("#found tbody tr")).to_have_count(1)
        expect(page.get_by_label("Match or player")).to_have_value("cléo")
        page.goto(f"{where}?q=%3Cimg%20src%3Dx%20onerror%3Dwindow.hit%3D1%3E&ending=nonsense")
        expect(page.locator("#found tbody tr")).to_have_count(1)
        assert page.evaluate("window.hit") is None
        page.goto(f"{where}?q=buttons%20CLEO")  # words of the game and of a player, in any order
        expect(page.locator("#found tbody tr")).to_have_count(1)


def test_times_stand_in_the_readers_zone_and_without_scripts_in_utc(chromium: Browser, site: Site) -> None:
    shown = {}
    for scripts in (True, False):
        context = chromium.new_context(java_script_enabled=scripts, timezone_id="Asia/Kathmandu")
        page = context.new_page()
        page.goto(site.turn("last"))
        shown[scripts] = page.locator("p.under time").inner_text(), page.locator("#zone").inner_text()
        context.close()
    assert shown[False] == ("1 March 2026, 12:00 UTC", "Times are UTC.")
    assert shown[True][0] == "1 March 2026, 17:45"
    assert "Kathmandu" in shown[True][1] or "Katmandu" in shown[True][1]


def test_boards_are_dark_for_whoever_prefers_that(page: Page, site: Site) -> None:
    """Of every game; tokens keep their colours, which tell whose they are."""
    names = [p.name for p in (site.folder / "matches").iterdir() if (p / "boards").is_dir()]
    assert len(names) > 2
    schemes: tuple[Literal["light", "dark"], ...] = ("light", "dark")
    for name in names:
        light = []
        for scheme in schemes:
            page.emulate_media(color_scheme=scheme)
            page.goto(f"{site.address}matches/{name}/last.html")
            light += [picture.evaluate(_LIGHT) for picture in page.locator(".now img").all()[:1]]
        assert not light or light[0] > 150 > 110 > light[1], (name, light)


# How light a picture is on the whole, from 0 to 255.
_LIGHT = """async (image) => {
  await image.decode();
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [image.naturalWidth, image.naturalHeight];
  const ground = canvas.getContext("2d");
  ground.drawImage(image, 0, 0);
  const { data } = ground.getImageData(0, 0, canvas.width, canvas.height);
  let sum = 0;
  for (let i = 0; i < data.length; i += 4) sum += data[i] + data[i + 1] + data[i + 2];
  return sum / (data.length / 4) / 3;
}"""


def kinds(site: Site) -> list[str]:
    """One page of every kind, and every page of the hostile match."""
    home = site.folder / "matches"
    others = sorted(p.name for p in home.iterdir() if p.is_dir())
    names = ["index.html", "search.html", "matches/index.html", "matches/page-1.html", "players/index.html"]
    names += [
        "games/index.html",
        *(p.relative_to(site.folder).as_posix() for p in site.folder.glob("games/*.html")),
    ]
    names += [p.relative_to(site.folder).as_posix() for p in sorted(site.folder.glob("players/*.html"))[:3]]
    names += [f"matches/{name}/{page}.html" for name in others for page in ("index", "last", "play")]
    return list(dict.fromkeys(names))


def visit(page: Page, address: str) -> None:
    """Until everything is there: the page of the search alone asks for more once it has loaded."""
    page.goto(address)
    if address.endswith("search.html"):
        page.wait_for_load_state("networkidle")


def test_nothing_that_a_player_wrote_becomes_markup(page: Page, site: Site) -> None:
    everywhere = kinds(site) + [f"matches/{site.match}/{number}.html" for number in site.numbers]
    shown = 0
    for name in everywhere:
        visit(page, site.address + name)
        assert page.evaluate("window.hit") is None, name
        assert page.locator("img[src=x], svg[onload], [onerror], main script").count() == 0, name
        shown += "window.hit=1" in page.locator("body").inner_text()
    assert shown > 8  # it stands there, as text


@pytest.mark.parametrize("screens", one_in(2, SCREENS))
def test_a_checker_of_accessibility_finds_nothing_and_nothing_is_wider_than_the_page(
    screens: list[Screen], chromium: Browser, site: Site
) -> None:
    """On a phone and on a wide screen, by day and by night."""
    with checked_page(chromium, 375, "light") as page:
        for name in kinds(site):
            visit(page, site.address + name)
            for width, scheme in screens:
                page.set_viewport_size({"width": width, "height": 800})
                page.emulate_media(color_scheme=scheme)
                assert page.evaluate("document.documentElement.scrollWidth") <= width, (name, width, scheme)
                assert inaccessible(page) == [], (name, width, scheme)


def test_the_keyboard_alone_reaches_every_control(page: Page, site: Site) -> None:
    page.goto(site.turn(str(site.numbers[3])))
    wanted = page.evaluate(
        "() => [...document.querySelectorAll('a[href], button, input, summary, pre[tabindex]')]"
        ".filter(e => e.checkVisibility()).length"
    )
    reached = set()
    for _ in range(wanted + 5):
        page.keyboard.press("Tab")
        reached.add(
            page.evaluate("() => [...document.querySelectorAll('*')].indexOf(document.activeElement)")
        )
    assert len(reached - {-1}) >= wanted
