"""Who would get a match's letters is asked first, so that nobody can wish them for somebody else."""

from __future__ import annotations

from tests.offices.table import Table, vouched
from tests.way.test_senders import STRANGER, trusting
from tests.world import kinds

WATCHER = "w@elsewhere.example"


def test_nobody_can_wish_a_matchs_letters_for_somebody_else(table: Table) -> None:
    counts, letters = table.send(f"W <{WATCHER}>", f"observe {table.match}", "", "2026-03-01T12:30:00Z")
    assert counts["held"] == 1
    assert kinds(letters) == {"challenge": [WATCHER]}
    assert table.match in letters[0].text
    table.world.run("say", table.match, "one", "--now", "2026-03-01T13:00:00Z")
    _, public = table.step("2026-03-01T13:00:00Z")
    assert WATCHER not in {x.to for x in public}, "unconfirmed, he gets nothing"
    _, answer = table.reply(letters[0], "yes", "2026-03-01T13:30:00Z", sender=STRANGER)
    assert kinds(answer) == {}, "somebody else's word is none"
    table.reply(letters[0], "yes", "2026-03-01T14:00:00Z")
    table.world.run("say", table.match, "two", "--now", "2026-03-01T15:00:00Z")
    _, public = table.step("2026-03-01T15:00:00Z")
    assert WATCHER in {x.to for x in public}


def test_a_wish_denied_is_thrown_away(table: Table) -> None:
    _, letters = table.send(f"W <{WATCHER}>", f"observe {table.match}", "", "2026-03-01T12:30:00Z")
    counts, answer = table.reply(letters[0], "No, thank you", "2026-03-01T13:00:00Z")
    assert (counts["discarded"], answer) == (1, [])
    counts, answer = table.reply(letters[0], "Yes", "2026-03-01T14:00:00Z")
    assert (counts["discarded"], answer) == (1, [])


def test_a_wish_that_the_moderator_lets_pass_is_granted(table: Table) -> None:
    table.send(f"W <{WATCHER}>", f"observe {table.match}", "", "2026-03-01T12:30:00Z")
    assert table.world.run("release", "all", "--why", "a friend", "--now", "2026-03-01T13:00:00Z").status == 0
    _, letters = table.step("2026-03-01T13:00:00Z")
    assert kinds(letters) == {"receipt": [WATCHER]}


def test_a_wish_that_a_trusted_server_vouches_for_is_granted_at_once(table: Table) -> None:
    trusting(table)
    _, letters = table.send(
        f"W <{WATCHER}>",
        f"observe {table.match}",
        "",
        "2026-03-01T12:30:00Z",
        headers=vouched("elsewhere.example"),
    )
    assert kinds(letters) == {"receipt": [WATCHER]}
