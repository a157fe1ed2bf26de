"""A moderator's orders by mail: what each does, who may give them, and what is asked first."""

from pathlib import Path

import pytest

from tests.world import ANN, BEN, Sent, Table

MO, MIA = "moderator@referee.localhost", "mia@example.org"
AT = "2026-03-02T12:00:00Z"


class Desk(Table):
    """A table, and a moderator who has got a letter of his: he knows his reply address."""

    def __init__(self, folder: Path, game: str = "buttons", **options: str) -> None:
        super().__init__(folder, game, **options)
        self.known: dict[str, str] = {}
        self.world.at_desk(MO, MIA)

    def asks(self, subject: str, body: str = "", at: str = AT, sender: str = MO) -> list[Sent]:
        """A fresh mail, from a bare From."""
        return self.send(sender, subject, body, at)[1]

    def desk(self, at: str = AT, sender: str = MO) -> Sent:
        (letter,) = [
            x for x in self.asks("desk", at=at, sender=sender) if x.to == sender and x.message["In-Reply-To"]
        ]
        return letter

    def orders(self, subject: str, body: str = "", at: str = AT, sender: str = MO) -> list[Sent]:  # type: ignore[override]
        """A mail with a subject of his own to his reply address."""
        if sender not in self.known:
            self.known[sender] = self.desk(at, sender).message["Reply-To"]
        where = self.known[sender]
        return self.send(sender, subject, body, at, to=where)[1]

    def done(self, subject: str, body: str = "", at: str = AT, kind: str = "receipt") -> str:
        """What the receipt says."""
        letters = [x for x in self.orders(subject, body, at) if x.to == MO]
        assert [x.kind for x in letters] == [kind], [x.text for x in letters]
        return letters[0].words

    def due(self) -> str:
        return str(self.world.show(self.match)["due"][0]["due_at"])


def test_extend_by_mail_moves_the_deadline_tells_all_and_names_what_undoes_it(desk: Desk) -> None:
    before = desk.due()
    letters = desk.orders(f"extend {desk.match} by 2d", "Ann is travelling.\n\nRegards\nMo")
    assert {x.to for x in letters if x.kind == "extended"} == {ANN, BEN}
    (receipt,) = [x for x in letters if x.to == MO]
    assert receipt.kind == "receipt"
    assert f"extend {desk.match} --until {before}" in receipt.text
    assert "Ann is travelling" in next(x for x in letters if x.to == ANN).text
    assert "Regards" not in next(x for x in letters if x.to == ANN).text
    assert desk.due() == "2026-03-10T12:00:00Z"
    desk.done(f"extend {desk.match} --until {before}", "a slip")
    assert desk.due() == before


def test_a_bare_from_is_asked_first_and_nothing_is_done_before_the_yes(desk: Desk) -> None:
    before = desk.due()
    (asked,) = desk.asks(f"extend {desk.match} by 2d", "Ann is ill")
    assert (asked.kind, asked.to) == ("challenge", MO)
    assert desk.due() == before
    _, letters = desk.reply(asked, "Yes", AT)
    assert sorted(x.kind for x in letters if x.to == MO) == ["receipt"]
    assert desk.due() == "2026-03-10T12:00:00Z"
    _, letters = desk.reply(asked, "Yes!", AT)
    assert [x.kind for x in letters] == ["receipt"]
    assert desk.due() == "2026-03-10T12:00:00Z", "a second Yes changes nothing"


def test_a_no_throws_the_order_away(desk: Desk) -> None:
    (asked,) = desk.asks(f"end {desk.match} as drawn", "they agreed")
    _, letters = desk.reply(asked, "No", AT)
    assert [(x.kind, x.to) for x in letters] == [("receipt", MO)]
    desk.reply(asked, "Yes", AT)
    assert desk.world.show(desk.match)["status"] == "open"


def test_anothers_reply_address_is_no_proof(desk: Desk) -> None:
    mine, hers = desk.desk(), desk.desk(sender=MIA)
    assert mine.message["Reply-To"] != hers.message["Reply-To"]
    _, letters = desk.send(MIA, f"pause {desk.match}", "why not", AT, to=mine.message["Reply-To"])
    assert [x.kind for x in letters] == ["challenge"]
    seats = desk.latest("due", desk.mover).message["Reply-To"]
    _, letters = desk.send(MO, f"pause {desk.match}", "why not", AT, to=seats)
    assert [(x.kind, x.to) for x in letters] == [("challenge", MO)]
    assert desk.world.show(desk.match)["status"] == "open"


@pytest.mark.parametrize(
    "subject",
    ["extend {} by 2d", "pause {}", "end {} as drawn", "say {} hello", "vacate {} 2", "release 1", "desk"],
)
def test_a_player_is_told_that_only_the_moderator_may(desk: Desk, subject: str) -> None:
    before = desk.world.show(desk.match)
    _, (told,) = desk.send(ANN, subject.format(desk.match), "please", AT)
    assert (told.kind, told.to) == ("refusal", ANN)
    assert "only the moderator" in told.words
    assert desk.world.show(desk.match) == before


def test_a_sentence_that_begins_like_an_order_is_none(desk: Desk) -> None:
    for subject in ("say hello", "end of the year", "mail lost?", "show me the board", f"rules {desk.match}"):
        _, letters = desk.send(ANN, subject, "just so", AT)
        assert all("only the moderator" not in x.words for x in letters), subject


def test_without_a_reason_nothing_is_done_and_all_that_is_wrong_is_named(desk: Desk) -> None:
    before = desk.due()
    (told,) = [x for x in desk.orders(f"extend {desk.match} by soon until never") if x.to == MO]
    text = told.words
    assert told.kind == "refusal"
    for fault in ("either by how much", "no span of time", "no moment", "needs a reason"):
        assert fault in text, fault
    assert desk.due() == before
    _, letters = desk.reply(told, f"extend {desk.match} by 2d because Ann is ill", AT)
    assert "receipt" in [x.kind for x in letters if x.to == MO]
    assert desk.due() == "2026-03-10T12:00:00Z"


def test_each_order_by_mail(desk: Desk) -> None:
    name = desk.match
    assert "No letter 9 is parked" in desk.done("release letter-9", kind="refusal")
    assert "No letter 9 is parked" in desk.done("reject letter-9", "it arrived", kind="refusal")
    assert "by its number." in desk.done("reject all", "it arrived", kind="refusal")
    assert "paused" in desk.done(f"pause {name}", "holidays")
    assert f"pause {name}" in desk.done(f"resume {name}", "over")
    letters = desk.orders(f"say {name}", "The next round is at Ann's.\n\nBring a cake.")
    assert {x.to for x in letters if x.kind == "announcement"} == {ANN, BEN}
    letters = desk.orders(f"say {name} --seat 1", "For you alone")
    assert [x.to for x in letters if x.kind == "press"] == [desk.seats[1]]
    assert "No command undoes it" in desk.done(f"say {name} once more")
    desk.send(desk.mover, f"Buttons: Move / Player {desk.turn} [{name}]", "Place: B1 at a1", AT)
    moved = desk.world.show(name)
    for subject in (f'rewind {name} to "Round 1 / Player {desk.turn}" --check', f"end {name} as drawn?"):
        assert "Nothing is changed" in desk.done(subject, "", kind="preview")
    assert desk.world.show(name) == moved
    assert "rewound" in desk.done(f"rewind {name} to Round 1 / Player {desk.turn}", "a slip")
    assert f"rewind {name} --to" in desk.done(f"end {name} as won winner 2", "Ann gives up")
    assert desk.world.show(name)["outcome"]["winners"] == [2]


def test_replace_and_vacate_by_mail(desk: Desk) -> None:
    name = desk.match
    said = desk.done(f'replace {name} 2 "Eve Eden <eve@example.org>"', "Ben has left")
    assert f'replace {name} 2 "' in said
    assert desk.world.show(name)["seats"][1]["name"] == "Eve Eden"
    desk.done(f"vacate {name} player 2", "nobody there")
    assert desk.world.show(name)["vacant"] == [2]


def test_list_and_show_tell_what_is_the_moderators(desk: Desk) -> None:
    (told,) = desk.asks("list")
    assert (told.kind, desk.match in told.text) == ("status", True)
    (told,) = desk.asks(f"show {desk.match} --moderator")
    assert ANN in told.text
    assert BEN in told.text
    (told,) = desk.asks(f"show {desk.match}")
    assert ANN not in told.text


def test_extend_all_by_mail(desk: Desk) -> None:
    other = desk.world.open("buttons", desk.people)
    before = {name: desk.world.show(name)["due"][0]["due_at"] for name in (desk.match, other)}
    desk.done("extend all by 3d", "the club's holiday")
    after = {name: desk.world.show(name)["due"][0]["due_at"] for name in (desk.match, other)}
    assert all(before[name] < after[name] for name in before)


def test_a_moderator_who_writes_something_else_is_told_what_he_may_order(desk: Desk) -> None:
    (told,) = desk.asks("What now?", "I do not know what to do.")
    assert (told.kind, "rewind MATCH" in told.text) == ("refusal", True)
    (told,) = desk.asks("help")
    assert "rewind MATCH" in told.text
    (told,) = desk.send(ANN, "help", "", AT)[1]
    assert "rewind MATCH" not in told.text


def test_a_moderator_who_plays_plays(tmp_path: Path) -> None:
    """His orders to the game are a player's; his words from a bare From to the desk are asked about."""
    desk = Desk(tmp_path)
    desk.world.at_desk(desk.mover, MIA)
    due = desk.latest("due", desk.mover)
    counts, letters = desk.reply(due, Table.orders(desk, desk.mover), AT)
    assert counts["accepted"] == 1, letters[0].text
    _, letters = desk.send(desk.mover, f"extend {desk.match} by 2d", "I am away", AT)
    assert [x.kind for x in letters] == ["challenge"]


def test_too_little_proof_is_a_mistake_of_the_configuration(desk: Desk) -> None:
    desk.world.configure('moderator = "token" }', 'moderator = "address" }')
    ran = desk.world.run("list")
    assert (ran.status, "too little" in ran.err) == (1, True), ran.err
