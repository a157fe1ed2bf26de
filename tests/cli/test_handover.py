"""The desk is handed over by command: the store says who moderates, at once and for every process; the configuration
only began it, and `doctor` names every difference."""

from tests.offices.moderator.test_orders_by_mail import AT, BEN, MIA, MO, Desk
from tests.world import Sent, Table, World

MAX = "max@example.org"


def told(letters: list[Sent]) -> dict[str, str]:
    return {x.to: x.subject for x in letters if x.subject.startswith("You are at the desk")}


COME, GONE = "You are at the desk", "You are at the desk no more"


def test_the_desk_goes_to_another_and_one_more_sits_beside_him(table: Table) -> None:
    world, before = table.world, (table.world.folder / "referee.toml").read_text()
    for arguments, at_desk, letters in (
        ((MIA,), [MIA], {MIA: COME, MO: GONE}),
        ((MAX, "--beside"), [MIA, MAX], {MAX: COME}),
        (("moe@example.org", "--from", MAX), [MIA, "moe@example.org"], {"moe@example.org": COME, MAX: GONE}),
        (("moe@example.org", "--off"), [MIA], {"moe@example.org": GONE}),
    ):
        ran = world.run("handover", *arguments, "--now", AT)
        assert (ran.status, ran.out.partition(".\n")[0].partition(". The")[0]) == (
            0,
            f"At the desk: {', '.join(at_desk)}",
        ), ran.err
        assert told(table.step(AT)[1]) == letters
    assert (world.folder / "referee.toml").read_text() == before


def test_what_can_not_be_handed_over(table: Table) -> None:
    for arguments, status in (
        (("collector@referee.localhost",), 1),
        ((MO,), 1),
        ((MIA, "--from", "nobody@example.org"), 1),
        (("no address",), 1),
        ((MO, "--off"), 1),
        ((MIA, "--off"), 1),
        ((MIA, "--off", "--beside"), 2),
    ):
        assert table.world.run("handover", *arguments, "--now", AT).status == status, arguments
    assert told(table.step(AT)[1]) == {}


def test_the_file_counts_until_the_first_match_and_then_begins_no_more(world: World) -> None:
    world.configure("moderators = []", f'moderators = ["{MIA}"]')
    world.step()
    world.configure(f'moderators = ["{MIA}"]', f'moderators = ["{MAX}"]')
    world.open("buttons", ["Ann <ann@example.org>", f"Ben <{BEN}>"])
    world.step()
    world.configure(f'moderators = ["{MAX}"]', f'moderators = ["{MIA}", "moe@example.org"]')
    found = world.run("doctor").out
    assert f"{MAX} is at the desk, and the file does not name" in found
    assert f"At the desk: {MAX} is an example's address" in found  # nothing in the file would change that
    assert f"moderator: {MAX}" not in found
    for address in (MIA, "moe@example.org"):
        assert f"{address} stands in the file, and is not at the desk" in found
    world.mail(MAX, "extend buttons-1 by 2d", "a feast", AT)
    assert sorted(
        (x.kind, x.to)
        for x in world.sends(MIA, "extend buttons-1 by 2d", "a feast", AT)
        if x.to in (MAX, MIA)
    ) == [("challenge", MAX), ("help", MIA)]


def test_by_mail_a_handover_counts_for_the_very_next_mail(tmp_path) -> None:  # type: ignore[no-untyped-def]
    """Both arrive in one pass: what the old moderator orders after it is no order any more."""
    desk = Desk(tmp_path)
    desk.desk()
    where = desk.latest("status", MO).message["Reply-To"]
    desk.world.mail(MO, f"handover {MAX}", "", AT, to=where)
    desk.world.mail(MO, f"extend {desk.match} by 2d", "once more", AT, to=where)
    due = desk.due()
    _, letters = desk.step(AT)
    assert told(letters) == {MAX: COME, MO: GONE}
    assert desk.due() == due
    (receipt,) = [x for x in letters if x.to == MO and x.kind == "receipt"]
    assert MAX in receipt.text
    assert ("handover" in receipt.text, "Whoever is at the desk now" in receipt.text) == (False, True), (
        "not theirs to undo"
    )
    assert desk.orders(f"handover {MO} --from {MIA} --check", sender=MAX)[0].kind == "refusal"
    assert told(desk.orders(f"handover {MO} from {MIA}", sender=MAX)) == {MO: COME, MIA: GONE}


def test_a_bare_from_hands_nothing_over(tmp_path) -> None:  # type: ignore[no-untyped-def]
    desk = Desk(tmp_path)
    assert [(x.kind, x.to) for x in desk.asks(f"handover {MAX}")] == [("challenge", MO)]
    assert [x.kind for x in desk.asks(f"handover {MAX}", sender=BEN)] == ["refusal"]
    desk.step("2026-03-02T13:00:00Z")
    assert MAX not in {x.to for x in desk.letters}
