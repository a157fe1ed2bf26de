"""The README's pictures, a letter and a page, are of this version: they are made here, and `--rewrite-goldens` keeps
them."""

import base64
import io
import re
from pathlib import Path

import pytest
from PIL import Image, ImageChops, ImageStat
from playwright.sync_api import Browser

from tests.world import Sent, World

ROOT = Path(__file__).parents[2]
PICTURES = ROOT / "docs" / "pictures"
PEOPLE = ("Ann Archer <ann@example.org>; Europe/Berlin", "Ben Baker <ben@example.org>; America/New_York")
MOVES = ("d6", "f4", "b4", "d2", "f6", "b6", "g4")
AS_IT_WAS = 25  # of 255, between a picture that is kept and one made now: other fonts, not other pages
SIZES = {"letter": (720, 1040), "page": (1000, 1040)}


def document(letter: Sent) -> str:
    """The letter as a mail program shows it, its board in it."""
    body = letter.message.get_body(("html",))
    assert body is not None
    pictures = {
        str(part["Content-ID"]).strip("<>"): part for part in letter.message.walk() if part["Content-ID"]
    }

    def found(cid: re.Match[str]) -> str:
        part = pictures[cid[1]]
        return f"data:{part.get_content_type()};base64,{base64.b64encode(part.get_content()).decode()}"

    return re.sub(r"cid:([^\"']+)", found, body.get_content())


@pytest.fixture(scope="module")
def shown(tmp_path_factory: pytest.TempPathFactory, chromium: Browser) -> dict[str, bytes]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("REFEREE_SECRET", "a secret for pictures")
        world = World(tmp_path_factory.mktemp("pictures"))
        name = world.open("morris", PEOPLE, starter="1")
        world.step()
        for turn, move in enumerate(MOVES):
            at = f"2026-03-{2 + turn:02d}T18:00:00Z"
            person = PEOPLE[turn % 2].partition(";")[0]
            world.mail(person, f"Nine Men's Morris: Move / Player {1 + turn % 2} [{name}]", move, at)
            assert world.step(at)["accepted"] == 1, move
        due = [letter for letter in world.new_letters() if letter.kind == "due"]
        assert world.run("site", str(world.folder / "site")).status == 0
        letter = world.folder / "letter.html"
        letter.write_text(document(due[-1]), encoding="utf-8")
    pages = {"letter": letter, "page": world.folder / f"site/matches/{name}/index.html"}
    taken = {}
    for what, place in pages.items():
        width, height = SIZES[what]
        page = chromium.new_page(viewport={"width": width, "height": height}, color_scheme="light")
        page.goto(place.as_uri())
        taken[what] = page.screenshot()
        page.close()
    return taken


@pytest.mark.server
@pytest.mark.parametrize("what", sorted(SIZES))
def test_the_readme_s_picture_is_of_this_version(
    what: str, shown: dict[str, bytes], request: pytest.FixtureRequest
) -> None:
    kept = PICTURES / f"{what}.png"
    now = Image.open(io.BytesIO(shown[what])).convert("RGB")
    if request.config.getoption("--rewrite-goldens"):
        now.quantize(128).save(kept, optimize=True)
    before = Image.open(kept).convert("RGB")
    assert before.size == now.size == SIZES[what]
    assert f"](docs/pictures/{what}.png)" in (ROOT / "README.md").read_text(encoding="utf-8")
    assert max(ImageStat.Stat(now).stddev) > 20, "something is on it"
    apart = ImageStat.Stat(ImageChops.difference(before, now)).mean
    assert max(apart) < AS_IT_WAS, f"{apart}: pytest --rewrite-goldens {Path(__file__).name} makes it anew"
