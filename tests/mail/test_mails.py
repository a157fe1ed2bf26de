"""Every mail in `letters` and `rough` is read as the file beside it says. The mails are named by what is odd about
them; a key that a file does not state is not compared."""

import tomllib
from pathlib import Path
from typing import Any

import pytest

from referee.mail.read.head import ParsedMail
from referee.mail.read.mail import read_mail
from referee.mail.read.subject import read_subject
from referee.mail.sender.triage import triage

HERE = Path(__file__).parent
MAILS = sorted([*(HERE / "letters").glob("*.eml"), *(HERE / "rough").glob("*.eml")])
TITLES = {
    "Fourplay": "fourplay",
    "Go": "multigo",
    "One Piece For Two": "onepiece",
    "1P42": "onepiece",
    "Buttons": "buttons",
}
OFFICES = ("speaker@referee.example", "collector@referee.example", "moderator@referee.example")


def seen(letter: ParsedMail) -> dict[str, Any]:
    """A letter in the words of the files."""
    return {
        "disposition": triage(letter, OFFICES).disposition,
        "sender": letter.sender.address if letter.sender else "",
        "called": letter.sender.name if letter.sender else "",
        "subject": letter.subject,
        "own": "\n".join(line.text for line in letter.own),
        "quoted": "\n".join(line.text for line in letter.quoted),
        "left_out": [f"{one.what}: {one.lines}" if one.lines else one.what for one in letter.left_out],
        "faults": list(letter.faults),
        "automatic": letter.program or "",
        "message_id": letter.message_id or "",
        "references": list(letter.references),
        "recipients": list(letter.recipients),
        "date": letter.date.isoformat() if letter.date else "",
    }


@pytest.mark.parametrize("mail", MAILS, ids=lambda mail: mail.stem)
def test_a_mail_is_read_as_the_file_beside_it_says(mail: Path) -> None:
    wanted = tomllib.loads(mail.with_suffix(".toml").read_text(encoding="utf-8"))
    letter = read_mail(mail.read_bytes())
    tag = wanted.pop("tag", None)
    del wanted["odd"]
    found = seen(letter)
    assert {key: found[key] for key in wanted} == wanted
    if tag is not None:
        read = read_subject(letter.subject, TITLES)
        said = {**{key: getattr(read, key, None) for key in tag}, **read.stated}
        assert {key: _plain(said[key]) for key in tag} == tag


def _plain(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value


def test_every_mail_says_what_is_odd_about_it_and_stands_beside_its_reading() -> None:
    stated = sorted([*(HERE / "letters").glob("*.toml"), *(HERE / "rough").glob("*.toml")])
    assert [path.with_suffix(".eml") for path in stated] == MAILS
    assert all(tomllib.loads(path.read_text(encoding="utf-8"))["odd"] for path in stated)
    assert len(MAILS) >= 120
