"""`step`: its counts."""

from tests.cli.company import FOUR, buttons
from tests.world import START, World

VERDICTS = ("accepted", "refused", "ignored", "answered", "discarded", "held", "shunted", "waiting")
ANN, BEN = FOUR[0].partition(";")[0], FOUR[1]


def test_the_counts_are_exactly_the_contracts_and_add_up(world: World) -> None:
    name = buttons(world)
    move = f"Buttons: Move / Player 1 [{name}]"
    world.mail(ANN, move, "Place: B1 at z9", "2026-03-01T12:00:01Z")
    raw = world.mail(ANN, move, "Place: B1 at a1", "2026-03-01T12:00:02Z").read_bytes()
    world.raw(raw, "2026-03-01T12:00:03Z")
    world.mail(BEN, "status", "How do I stand?", "2026-03-01T12:00:04Z")
    world.raw(b"From: robot@example.org\nAuto-Submitted: auto-replied\nSubject: away\n\nAway.\n", START)
    world.raw(b"no mail at all", "2026-03-01T12:00:06Z")
    counts = world.step("2026-03-01T13:00:00Z")
    assert set(counts) == {"read", *VERDICTS, "lapsed", "sent"}
    assert counts["read"] == sum(counts[verdict] for verdict in VERDICTS) == 6
    assert {v: counts[v] for v in VERDICTS} == {
        "accepted": 1, "refused": 1, "ignored": 1, "answered": 1, "discarded": 1, "held": 1, "shunted": 0, "waiting": 0,
    }  # fmt: skip
    assert counts["sent"] == len(world.new_letters())


def test_a_step_without_json_is_one_line_of_counts(world: World) -> None:
    ran = world.run("step", "--now", START)
    assert ran.out.count("\n") == 1
    assert ran.out.startswith("read 0, accepted 0, ")
