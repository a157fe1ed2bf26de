"""What asks for a dry run in an order by mail, wherever it stands: it is one, or it is asked about, or refused where
the order has none; never is the order carried out. And what only looks like it keeps no order from being carried
out."""

import re
from itertools import product
from pathlib import Path

import pytest

from tests.offices.moderator.test_orders_by_mail import AT, MO, Desk
from tests.sampling import one_in
from tests.world import Sent, Table

EVE = '"Eve Eden <eve@example.org>"'
ORDERS = (
    "extend {} by 2d", "extend {0} --by 2d --seat {2}", "extend --all by 3d", "pause {}", "vacate {} 2",
    'rewind {0} to "Round 1 / Player {1}"', "amend {} --option miss=3", "amend {} miss=3", "end {} as drawn",
    "end {} --as won --winner 2", f"replace {{}} 2 {EVE}",
)  # fmt: skip
QUOTED = ('--why "Ann is ill"', 'because "Is Ann ill?"', '--why="Ann is ill"', "--why “Ann is --check ill”")
UNQUOTED = (
    "because Ann is ill", "--why Ann is ill", "--why 'Ann is ill'", 'because "Ann" is ill',
    'why "Ann is ill',
)  # fmt: skip
OPTIONS = ("--check", "—check", "--Check", "--preview", "--check,")


def sure() -> list[tuple[str, str]]:
    """Subjects that ask for a dry run without a doubt, and their bodies."""
    found = []
    for order, why, option in product(ORDERS, ("", *QUOTED), (*OPTIONS, "check", "?", " ?", "??")):
        body = "" if why else "Ann is ill."
        if "?" in option:
            found.append((f"{order} {why}".strip() + option, body))
            continue
        found += [(f"{order} {why} {option}", body), (f"{order} {option} {why}", body)]
        verb, *rest = order.split(" ", 1)
        found.append((" ".join((verb, option, *rest, why)), body))
    found += [(f"{order} {why} [--check]", "Ann is ill") for order, why in product(ORDERS, ("", *QUOTED))]
    found += [(f"Preview: {order} {why}", "Ann is ill") for order, why in product(ORDERS, ("", QUOTED[0]))]
    return found


def unsure() -> list[tuple[str, str]]:
    """Those of which nobody can tell."""
    asks = [*(f" {option}" for option in OPTIONS), "?", " ?", "？", " --seat 1"]
    found = [(f"{order} {why}{ask}", "") for order, why, ask in product(ORDERS, UNQUOTED, asks)]
    below = ("Ann is ill.\n--check", "--check", "Ann is ill --check", "Ann is ill. —check")
    found += [(f"{order} {why}", body) for order, why, body in product(ORDERS, ("", *QUOTED), below)]
    found += [(f"say {{}} Well met{ask}", "") for ask in (" --check", " --preview")]
    # with no space before it, or in brackets
    stuck = ("--check", "—check", "–check", "−−preview", "(--check)", "--check!", ".—check")
    found += [(f"{order} {why}{ask}", "") for order, why, ask in product(ORDERS, (*QUOTED, *UNQUOTED), stuck)]
    found += [(f"{order} --why ‹Ann is ill›{ask}", "") for order, ask in product(ORDERS, stuck)]
    found += [(order, f"Ann is ill{ask}") for order, ask in product(ORDERS, stuck)]
    return found


def done() -> list[tuple[str, str, str]]:
    """Those that ask for nothing of the kind."""
    reasons = (
        '--why "Is Ann ill?"', "because I check all deadlines", '--why "Ann is ill --check"', "",
        '--why "A spell-check—check"',
    )  # fmt: skip
    bodies = (
        "Is Ann ill?", 'Ann has a "--check-up", a checked one',
        "Ann is ill.\n\n-- \nmy program does --check", "Ann is ill.\n\n> pause m2 --check?",
    )  # fmt: skip
    return [*product(("extend {} by 2d", "extend {0} --seat {2} by 2d"), reasons, bodies)]


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    desk = Desk(tmp_path)
    desk.world.configure("answers_a_day = 100 ", "answers_a_day = 9999 ")
    move = f"Buttons: Move / Player {desk.turn} [{desk.match}]"
    desk.send(desk.mover, move, Table.orders(desk, desk.mover), "2026-03-01T13:00:00Z")
    return desk


def told(letters: list[Sent]) -> Sent:
    (letter,) = [x for x in letters if x.to == MO]
    return letter


def stands(desk: Desk) -> object:
    facts = desk.world.show(desk.match)
    return facts, desk.world.run("list", "--json").out


@pytest.mark.parametrize("part", one_in(48, range(48)))
def test_a_dry_run_changes_nothing(desk: Desk, part: int) -> None:
    before = stands(desk)
    for subject, body in sure()[part::48]:
        letters = desk.orders(subject.format(desk.match, desk.turn, 3 - desk.turn), body)
        assert len(letters) == 1, (subject, [x.kind for x in letters])
        assert (letters[0].kind, "Nothing is changed" in letters[0].text) == ("preview", True), (
            subject,
            letters[0].text,
        )
        assert stands(desk) == before, subject


@pytest.mark.parametrize("part", one_in(48, range(48)))
def test_what_may_be_one_waits_for_an_ok(desk: Desk, part: int) -> None:
    before = stands(desk)
    for subject, body in unsure()[part::48]:
        letters = desk.orders(subject.format(desk.match, desk.turn, 3 - desk.turn), body)
        assert len(letters) == 1, (subject, [x.kind for x in letters])
        text = letters[0].words
        assert letters[0].kind == "preview" or "It needs a reason" in text, (subject, text)
        assert "Reply OK" in text or letters[0].kind == "refusal", (subject, text)
        assert stands(desk) == before, subject


@pytest.mark.parametrize(
    ("subject", "body"), [("{} because {}", ""), ("{} because {}", "--check"), ("{}", "{} --check")]
)
def test_an_ok_carries_it_out_once(desk: Desk, subject: str, body: str) -> None:
    order, why = f"extend {desk.match} by 2d", "Ann is ill --check"
    asked = told(desk.orders(subject.format(order, why), body.format("Ann is ill")))
    assert f"extend {desk.match} --by 2d --why" in asked.words
    before = desk.due()
    _, letters = desk.reply(asked, "No", AT)
    assert desk.due() == before
    _, letters = desk.reply(asked, "OK", AT)
    assert [x.kind for x in letters if x.to == MO] == ["receipt"], letters[0].text
    moved = desk.due()
    assert moved > before
    _, letters = desk.reply(asked, "OK, thanks", "2026-03-02T13:00:00Z")
    assert desk.due() == moved


def test_an_ok_from_a_bare_from_is_asked_about(desk: Desk) -> None:
    before = desk.due()
    (asked,) = desk.asks(f"extend {desk.match} by 2d because Ann is ill?")
    assert asked.kind == "preview"
    _, letters = desk.send(MO, f"Re: {asked.subject}", "OK", AT, reply_to=asked.message["Message-ID"])
    assert [(x.kind, x.to) for x in letters] == [("challenge", MO)]
    assert desk.due() == before
    desk.reply(letters[0], "Yes", AT)
    assert desk.due() > before


@pytest.mark.one_in(8)
@pytest.mark.parametrize("verb", ["release", "unshunt", "reject"])
@pytest.mark.parametrize("ask", ["--check", "—check", "?", " ?", "check"])
def test_where_there_is_none_the_order_is_refused(desk: Desk, verb: str, ask: str) -> None:
    desk.send(
        "ann@example.org", f"A strange subject [{desk.match}]", "Hello", AT, headers={"X-Spam-Flag": "YES"}
    )
    held = desk.world.run("desk", "--json", "--now", AT).json["held"]
    letter = desk.desk()
    reason = "spam" if "?" in ask or ask.endswith("-check") or ask == "—check" else '"spam"'
    for line in (f"{verb} 1 {ask}", f'{verb} 1 {ask} because "spam"', f"{verb} 1 because {reason} {ask}"):
        _, letters = desk.reply(letter, f"1 {line.replace(' 1 ', ' ')}", AT)
        assert [x.kind for x in letters] in (["refusal"], []), line
        refused = told(desk.orders(line, ""))
        told_so = "no dry run" in refused.words or "? because" in line
        assert (refused.kind, told_so) == ("refusal", True), refused.text
        assert desk.world.run("desk", "--json", "--now", AT).json["held"] == held


def test_question_marks_at_the_end_of_lines_by_number(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    late = "2026-03-09T12:00:00Z"
    where = desk.latest("due", desk.mover).message["Reply-To"]
    spam = {"X-Spam-Flag": "YES"}
    desk.send(desk.mover, "Odd", "Hello there", "2026-03-08T11:00:00Z", headers=spam, to=where)
    desk.step("2026-03-08T13:00:00Z")
    letter = desk.desk(late)
    (number,) = re.findall(rf"^(\d+)\. {desk.match}:", letter.text, re.MULTILINE)
    before = desk.due()
    for line in (
        "extend 3d?", 'extend 3d because "Ann is ill"?', "extend 3d because Ann is ill?",
        "extend 3d --check because Ann is ill", "extend 3d because Ann is ill --check",
        "extend 3d because Ann is ill\n--check",
    ):  # fmt: skip
        _, letters = desk.reply(letter, f"{number} {line}", late)
        assert [x.kind for x in letters] == ["preview"], (line, letters[0].text)
        assert desk.due() == before, line
    _, letters = desk.reply(letters[0], "OK", late)
    assert "receipt" in [x.kind for x in letters if x.to == MO]
    assert desk.due() == "2026-03-11T12:00:00Z"


@pytest.mark.one_in(3)
@pytest.mark.parametrize("part", range(3))
def test_a_reason_may_ask_and_speak_of_options(desk: Desk, part: int) -> None:
    for subject, why, body in done()[part::3]:
        before = desk.due()
        letters = desk.orders(f"{subject} {why}".format(desk.match, desk.turn, 3 - desk.turn), body)
        assert "receipt" in [x.kind for x in letters if x.to == MO], (subject, why, [x.text for x in letters])
        assert desk.due() > before


def test_what_is_said_may_end_with_a_question_mark(desk: Desk) -> None:
    for subject, body, said in (
        ("say {} Who is in?", "", "Who is in?"), ('say {} "Who is in?"', "", "Who is in?"),
        ("say {}", "Who is in?", "Who is in?"), ("say {} Who is in ??", "", "Who is in ??"),
        ("say {} I check it", "with --check", "I check it"),
    ):  # fmt: skip
        letters = desk.orders(subject.format(desk.match, desk.turn, 3 - desk.turn), body)
        assert [said in x.text for x in letters if x.kind == "announcement"] == [True, True], subject
    for subject, body in (
        ("say {}?", "Who is in?"),
        ('say {} "Who is in"?', ""),
        ('say {} "All in" --check', ""),
        ("say {} --check All in", ""),
    ):
        assert (
            told(desk.orders(subject.format(desk.match, desk.turn, 3 - desk.turn), body)).kind == "preview"
        ), subject
