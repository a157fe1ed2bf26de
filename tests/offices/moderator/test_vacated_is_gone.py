"""After `vacate` no list names the old player as playing: not `show`, not the list by mail, no letter, no page."""

from __future__ import annotations

from pathlib import Path

from tests.offices.moderator.test_vacancies import EVE, Round


def test_nobody_is_listed_on_a_vacated_seat(tmp_path: Path) -> None:
    table = Round(tmp_path, "multigo", 3, board="9x9")
    gone, stays = table.name_of(2), table.name_of(1)
    assert table.world.run("vacate", table.match, "2", "--why", "Ben is ill").status == 0
    table.pass_at("2026-03-02T12:00:00Z")
    shown = table.world.run("show", table.match).out
    assert stays in shown
    assert gone not in shown
    assert gone not in table.world.run("list").out
    table.world.mail(EVE, "list", "", "2026-03-02T13:00:00Z")
    told = [x.text for x in table.pass_at("2026-03-02T13:00:00Z")]
    assert any("Being played" in text and stays in text for text in told), told
    assert not any(gone in text for text in told)
    player = f"{stays} <{stays.split()[0].lower()}@example.org>"
    for subject, body in (("status", ""), ("Go: Move / Player 1", "Move: D4"), ("status", "And now?")):
        table.world.mail(player, subject, body, "2026-03-02T14:00:00Z")
        letters = table.pass_at("2026-03-02T14:00:00Z")
        assert letters
        assert not any(gone in letter.text for letter in letters)
    table.world.run("site", str(tmp_path / "site"))
    for page in ("index.html", f"matches/{table.match}/index.html"):
        text = (tmp_path / "site" / page).read_text()
        assert f">{stays}</a>" in text
        assert f">{gone}</a>" not in text
