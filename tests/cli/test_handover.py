"""The desk is handed over by command: the configuration says who moderates, and nothing else of it changes."""

from __future__ import annotations

from tests.world import World

MIA = "mia@example.org"


def test_the_desk_goes_to_another_and_one_more_sits_beside_him(world: World) -> None:
    path = world.folder / "referee.toml"
    before = path.read_text()
    ran = world.run("handover", MIA)
    assert ran.status == 0, ran.err
    assert "mia@example.org" in ran.out
    changed = [x for x, y in zip(before.splitlines(), path.read_text().splitlines(), strict=True) if x != y]
    assert len(changed) == 1
    assert world.run("handover", "max@example.org", "--beside").status == 0
    assert 'moderator = "mia@example.org"' in path.read_text()
    assert 'moderators = ["max@example.org"]' in path.read_text()
    assert world.run("handover", "moe@example.org", "--from", "max@example.org").status == 0
    assert 'moderators = ["moe@example.org"]' in path.read_text()


def test_what_can_not_be_handed_over(world: World) -> None:
    path = world.folder / "referee.toml"
    before = path.read_text()
    for arguments in (
        ("collector@referee.localhost",),
        ("moderator@referee.localhost",),
        (MIA, "--from", "nobody@example.org"),
        ("no address",),
    ):
        assert world.run("handover", *arguments).status == 1, arguments
        assert path.read_text() == before


def test_a_configuration_without_the_section_gets_one(world: World) -> None:
    path = world.folder / "referee.toml"
    path.write_text('[mailbox]\nurl = "maildir:mail/in"\n')
    assert world.run("handover", MIA).status == 0
    assert world.run("handover", "max@example.org", "--beside").status == 0
    assert world.run("handover", "moe@example.org").out.startswith(
        "At the desk: moe@example.org, max@example.org."
    )
