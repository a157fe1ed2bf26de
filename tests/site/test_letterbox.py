"""`referee letters`: what was written in a match as private pages; nothing a player wrote becomes markup."""

import html
import json
import os
import re
import stat
import subprocess
import sys
import urllib.error
import urllib.request
from email import message_from_bytes
from html.parser import HTMLParser
from pathlib import Path

import pytest

from referee.match.record.public import public_record, record_json
from tests.cli.company import FOUR, buttons, purchase
from tests.laws.walks import begin
from tests.sampling import long
from tests.servers.ground import PATIENCE
from tests.world import World

HOSTILE = '</pre></iframe><script>alert(1)</script><img src="https://spy.example/x.png" onerror="alert(2)">&lt;b&gt;'


@pytest.fixture
def world(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> World:
    monkeypatch.setenv("REFEREE_SECRET", "a secret for tests only, the same in all of them")
    return World(tmp_path)


class Seen(HTMLParser):
    """The elements of a page, with the text inside `pre`."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.pre: list[str] = []
        self._inside = False
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag == "pre":
            self.pre.append("")
            self._inside = True

    def handle_endtag(self, tag: str) -> None:
        self._inside = self._inside and tag != "pre"

    def handle_data(self, data: str) -> None:
        if self._inside:
            self.pre[-1] += data

    def frames(self) -> list[dict[str, str | None]]:
        return [attrs for tag, attrs in self.tags if tag == "iframe"]


def played(world: World) -> str:
    """A move, and a mail full of markup that is refused."""
    name = buttons(world)
    world.mail("Ann Archer <ann@example.org>", f"Buttons: Move / Player 1 [{name}]", "Place: B1 at a1")
    world.mail(
        "Ben Baker <ben@example.org>",
        f"Buttons: Move / Player 2 [{name}]",
        f"{HOSTILE}\nPlace: zz9 {HOSTILE}",
    )
    world.step()
    return name


def pages(folder: Path) -> dict[str, str]:
    return {str(p.relative_to(folder)): p.read_text(encoding="utf-8") for p in sorted(folder.rglob("*.html"))}


def test_every_letter_of_a_match_has_a_page_with_its_words_and_its_html(world: World, tmp_path: Path) -> None:
    name = played(world)
    ran = world.run("letters", name, str(tmp_path / "L"))
    assert (ran.status, ran.err) == (0, "")
    letters = [p for p in pages(tmp_path / "L") if "/" in p]
    sent = len(list((world.folder / "mail/out/new").iterdir()))
    assert len(letters) == sent
    assert f"{sent} letters" in ran.out
    for page in letters:
        seen = Seen(pages(tmp_path / "L")[page])
        (frame,) = seen.frames()
        assert frame["sandbox"] in ("", None)
        assert "sandbox" in frame
        assert "<html" in (frame["srcdoc"] or "")


def test_each_answer_stands_beside_its_mail(world: World, tmp_path: Path) -> None:
    name = played(world)
    world.run("letters", name, str(tmp_path / "L"))
    (receipt,) = [text for page, text in pages(tmp_path / "L").items() if "receipt" in page]
    assert any("From: Ann Archer <ann@example.org>" in block for block in Seen(receipt).pre)
    assert "The mail that it answers" in receipt


def test_nothing_that_a_player_wrote_becomes_markup(world: World, tmp_path: Path) -> None:
    name = played(world)
    world.run("letters", name, str(tmp_path / "L"))
    found = pages(tmp_path / "L")
    assert any("refusal" in page for page in found)
    for page, text in found.items():
        seen = Seen(text)
        assert not {tag for tag, _ in seen.tags} & {"script", "img", "object", "embed", "form", "link"}, page
        policy = [
            a["content"]
            for t, a in seen.tags
            if t == "meta" and a.get("http-equiv") == "Content-Security-Policy"
        ]
        assert len(policy) == 1
        assert "default-src 'none'" in (policy[0] or "")
        assert "script-src" not in (policy[0] or "")
        for frame in seen.frames():
            inner = Seen(frame["srcdoc"] or "")
            assert "script" not in {tag for tag, _ in inner.tags}
            assert all(
                (a.get("src") or "").startswith("data:image/svg+xml;") for t, a in inner.tags if t == "img"
            )


def test_one_seats_letters_alone(world: World, tmp_path: Path) -> None:
    name = played(world)
    assert world.run("letters", name, "--seat", "1", str(tmp_path / "L")).status == 0
    whole = "".join(pages(tmp_path / "L").values())
    assert "ann@example.org" in whole
    assert "ben@example.org" not in whole
    assert not (tmp_path / "L/player-2").exists()
    ran = world.run("letters", name, "--seat", "7", str(tmp_path / "M"))
    assert ran.status == 1
    assert "no seat 7" in ran.err
    assert not (tmp_path / "M").exists()


def test_the_pages_are_for_their_owner_alone_also_where_they_stood_open(world: World, tmp_path: Path) -> None:
    name = played(world)
    before = os.umask(0)
    try:
        for _ in range(2):
            world.run("letters", name, str(tmp_path / "L"))
            for path in [tmp_path / "L", *(tmp_path / "L").rglob("*")]:
                assert stat.S_IMODE(path.stat().st_mode) == (0o700 if path.is_dir() else 0o600), path
            (tmp_path / "L/index.html").chmod(0o644)
    finally:
        os.umask(before)


def test_equal_ledgers_give_equal_pages(world: World, tmp_path: Path) -> None:
    name = played(world)
    for folder in ("L", "M"):
        world.run("letters", name, str(tmp_path / folder))
    assert pages(tmp_path / "L") == pages(tmp_path / "M")


def test_letters_never_lie_in_the_public_site(world: World, tmp_path: Path) -> None:
    name = played(world)
    world.run("site", str(tmp_path / "site"))
    for inside in ("site", "site/letters"):
        ran = world.run("letters", name, str(tmp_path / inside))
        assert ran.status == 1
        assert "public" in ran.err
    assert not (tmp_path / "site/letters").exists()


def test_sealed_answers_stay_with_their_seats(world: World, tmp_path: Path) -> None:
    """The letters of one seat tell nothing of what another has sealed."""
    name = purchase(world)
    world.mail(
        FOUR[0].partition(";")[0], "Fourplay: Initial Purchase of Pieces / Player 1", "1 Zebra of mine"
    )
    world.step()
    own = next(seat["number"] for seat in world.show(name)["seats"] if seat["name"] == "Ann Archer")
    for seat in (1, 2, 3, 4):
        world.run("letters", name, "--seat", str(seat), str(tmp_path / str(seat)))
        assert ("Zebra" in "".join(pages(tmp_path / str(seat)).values())) is (seat == own)


# --- what is public holds nothing of it --------------------------------------------------------------------------


def test_no_page_of_the_site_holds_anything_that_is_a_letters_own(tmp_path: Path) -> None:
    """After a whole rehearsed match: no address, no reply token, no Message-ID, no way to unsubscribe."""
    kept = tmp_path / "kept"
    ran = World(tmp_path / "w").do("rehearse", "buttons", "--seed", "5", "--keep", str(kept), config=False)
    assert ran.out.splitlines()[-1].endswith((kept / "index.html").resolve().as_uri())
    secrets = set()
    for file in (kept / "mail/out/new").iterdir():
        message = message_from_bytes(file.read_bytes())
        secrets |= set(re.findall(r"<[^<>@ ]+@[^<>@ ]+>", str(message["Message-ID"])))
        secrets |= set(re.findall(r"collector\+([A-Za-z0-9_-]+)@", str(message["Reply-To"])))
        secrets |= {str(message["Delivered-To"]), str(message["List-Unsubscribe"] or message["Delivered-To"])}
    for file in (kept / "mail/in").rglob("*"):
        if file.is_file():
            secrets.add(str(message_from_bytes(file.read_bytes())["Message-ID"]))
    assert len(secrets) > 40
    public = [p for p in (kept / "site").rglob("*") if p.is_file()]
    assert len(public) > 10
    for page in public:
        text = page.read_text(encoding="utf-8", errors="replace")
        plain = html.unescape(text)
        assert not [
            secret for secret in secrets if secret in text or secret in plain or secret.strip("<>") in plain
        ], page
    front = (kept / "index.html").read_text(encoding="utf-8")
    for link in re.findall(r'href="([^"]+)"', front):
        assert (kept / link).is_file(), link
    assert not list((kept / "site").rglob("letters*"))


# --- archives of records, and what is served ---------------------------------------------------------------------


@pytest.mark.parametrize("every", [4, *long(1)])
def test_a_record_of_any_version_opens_as_an_archived_match(world: World, tmp_path: Path, every: int) -> None:
    records = Path(__file__).parents[1] / "match/records"
    for file in sorted(records.glob("*.json"))[::every]:
        site = tmp_path / file.stem
        ran = world.run("site", str(site), "--record", str(file))
        assert (ran.status, ran.err) == (0, ""), file
        name = json.loads(file.read_text(encoding="utf-8"))["match"]
        assert len(list((site / "matches" / name).glob("*.html"))) > 2
    assert world.run("list").out.startswith("There are no matches")


def test_a_record_that_does_not_verify_is_not_archived(world: World, tmp_path: Path) -> None:
    file = tmp_path / "record.json"
    walk = begin("buttons")
    file.write_text(record_json(public_record(walk.game, walk.entries)).replace("Person 1", "Person 9"))
    ran = world.run("site", str(tmp_path / "site"), "--record", str(file))
    assert ran.status == 1
    assert "does not verify" in ran.err
    assert not (tmp_path / "site").exists()


def test_serve_shows_site_and_letters_on_this_machine_the_letters_at_an_address_nobody_guesses(
    world: World,
) -> None:
    name = played(world)
    program = "from referee.cli import program; program()"
    command = [
        sys.executable,
        "-c",
        program,
        "--config",
        str(world.folder / "referee.toml"),
        "serve",
        "--port",
        "0",
    ]
    environment = {**os.environ, "PYTHONUNBUFFERED": "1"}
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as server:
        try:
            assert server.stdout is not None
            site, letters = (server.stdout.readline().split()[0] for _ in range(2))
            assert site.startswith("http://127.0.0.1:")
            assert letters.startswith(f"{site}letters-")
            assert name in _page(site)
            assert f"{name}/index.html" in _page(letters)
            assert "Letters of" in _page(f"{letters}{name}/")
            assert "ann@example.org" not in _page(site)
            with pytest.raises(urllib.error.HTTPError):
                _page(f"{site}letters/")
        finally:
            server.terminate()


def _page(address: str) -> str:
    with urllib.request.build_opener(urllib.request.ProxyHandler({})).open(
        address, timeout=PATIENCE
    ) as answer:
        text: str = answer.read().decode()
        return text
