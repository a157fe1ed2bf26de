"""Proposals and an event, by the same mails, at a desk and with workers' queues: the same letters, byte for byte, and
the same ledgers."""

import email
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from tests.offices.stage import NOON, PEOPLE, Stage, plain

MINUTE = timedelta(minutes=1)
ADDRESSES = [person.addresses[0] for person in PEOPLE[:4]]
ANN, BEN, CLEO, DORA = ADDRESSES
DESK = "moderator@referee.localhost"


class Both:
    """The same mails to both; a reply goes to the address that the last letter to its writer gives."""

    def __init__(self, *stages: Stage) -> None:
        self.stages, self.at = stages, NOON

    def mail(self, sender: str, subject: str, body: str = "", **headers: str) -> None:
        self.at += MINUTE
        for stage in self.stages:
            stage.write(sender, subject, body, self.at, **headers)

    def reply(self, sender: str, about: str, body: str, subject: str = "") -> None:
        letters = [email.message_from_bytes(p.raw) for p in self.stages[0].sent if p.recipient == sender]
        letter = next(x for x in reversed(letters) if about in x["Subject"])
        subject = subject or f"Re: {letter['Subject']}"
        headers = {"To": letter["Reply-To"], "In_Reply_To": letter["Message-ID"]}
        self.mail(sender, subject, body, **headers)

    def step(self, later: timedelta = MINUTE) -> None:
        self.at += later
        for stage in self.stages:
            stage.step(self.at)
        first, *others = ({p.message_id: plain(p.raw) for p in stage.sent} for stage in self.stages)
        assert all(first == other for other in others)


@pytest.mark.server
@pytest.mark.soak
def test_a_club_of_workers_writes_what_a_desk_writes(
    queue_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("REFEREE_SECRET", "a secret for tests only, the same in all of them")
    for part in ("a", "b"):
        (tmp_path / part).mkdir()
    stages = Stage(tmp_path / "a"), Stage(tmp_path / "b", queue_url, kind="procrastinate")
    for stage in stages:
        stage.open("fourplay")
    both = Both(*stages)
    both.mail(ANN, "propose multigo")
    both.step()
    both.reply(ANN, "A form", f"With: {BEN}, {CLEO}\nOption: board=9x9")
    both.step()
    for name in (BEN, CLEO):
        both.reply(name, "will you play", "Yes")
    both.step()
    both.mail(DESK, "event new spring --game morris --kind swiss --rounds 2")
    both.step()
    both.reply(DESK, "Are these orders yours", "Yes")
    both.step()
    people = "\n".join(f"{person.name} <{person.addresses[0]}>" for person in PEOPLE[:4])
    both.reply(DESK, "The event is changed", people, "event enter spring")
    both.step()
    for name in ADDRESSES:
        both.reply(name, "[spring]", "Yes")
    both.step()
    both.reply(DESK, "The event is changed", "", "event start spring")
    both.step()
    ended: set[str] = set()
    for _ in range(2):
        for name in ADDRESSES:
            letters = [email.message_from_bytes(p.raw) for p in stages[0].sent if p.recipient == name]
            mine = [x for x in letters if "morris" in (x["X-Referee-Match"] or "")]
            if (match := mine[-1]["X-Referee-Match"]) not in ended:
                ended.add(match)
                to = mine[-1]["Reply-To"].replace("speaker+", "collector+")
                both.mail(name, f"resign [{match}]", "Resign", To=to)
        both.step()
    both.mail(DORA, "propose morris")
    both.step()
    both.reply(DORA, "A form", "Open: 1")
    both.step()
    both.step(timedelta(days=8))
    assert any("nothing came of it" in email.message_from_bytes(p.raw)["Subject"] for p in stages[0].sent)
    assert any("it is over" in email.message_from_bytes(p.raw)["Subject"] for p in stages[0].sent)
    rows = [stage.rows() for stage in stages]
    for table in ("gatherings", "invitations", "event_matches", "ledger"):
        assert rows[0][table] == rows[1][table], table
    told = [sorted((row["gathering"], row["body"]) for row in each["club_ledger"]) for each in rows]
    assert told[0] == told[1]  # of two matches that end in one pass either may be the first


def test_where_a_proposal_began_it_ends(tmp_path: Path) -> None:
    """The clock that each event of the club is written with is the pass's."""
    stage = Stage(tmp_path)
    stage.open("fourplay")
    both = Both(stage)
    both.mail(ANN, "propose morris")
    both.step()
    both.reply(ANN, "A form", "Open: 1")
    both.step()
    made = both.at
    both.step(timedelta(days=30))
    told: list[datetime] = [row["at"] for row in stage.rows()["club_ledger"]]
    assert told == [made, both.at]
