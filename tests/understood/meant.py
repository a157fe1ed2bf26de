"""What a mail came to beside what its writer meant. A mail means one of these:

counts      the order counts; the ledger is that of the same order sent in canonical lines
asked       the order is shown, checked, and asked about; OK, or what settles it, makes it count
mended      what the rules want besides is missing; a letter, a refusal too, shows the whole, and OK makes it count
draft       the order is kept for later and shown; nothing counts yet
preview     the order is judged, shown, and not recorded
leaves      he would give up his seat: whether he means it is asked, unless the mail proves that it is he
amended     the rest of the form is still wanted; what the mail says stands in it
nothing     nothing counts, and a few lines say so
told KIND   a letter of that kind
handed      it is for a person: the moderator has it

and it came to one of these:

understood  what was meant
asked       well asked: the OK or the number that a letter offers, sent, brings what was meant
misasked    that OK or number does something else
handed      the moderator was asked, and nothing was offered
bounced     neither: a refusal, a help, or a letter that says that nothing was found
wrong       something counts that was not meant
"""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from typing import Any, Literal, get_args

from tests.understood.mails import WrittenMail
from tests.understood.scenes import Scene, stamp
from tests.world import Sent

Entry = tuple[str, Any]
Outcome = Literal["understood", "asked", "misasked", "handed", "bounced", "wrong"]
OUTCOMES: tuple[Outcome, ...] = get_args(Outcome)
FEW = 30  # lines of a short answer, with its greeting and its signature
_TITLES = {
    "multigo": "Go", "onepiece": "One Piece For Two", "buttons": "Buttons", "morris": "Nine Men's Morris",
    "fourplay": "Fourplay",
}  # fmt: skip
_HEADINGS = {
    "Ready": "Ready",
    "Purchase": "Initial Purchase of Pieces",
    "Setup": "Initial Setup of Pieces",
    "Turn": "Turn",
}
_SHORT = frozenset(("status", "receipt", "ignored", "preview", "announcement"))
_ORDERED = frozenset(("counts", "asked", "mended"))  # an order is meant
_MEANINGS = _ORDERED | {"draft", "preview", "leaves", "amended", "nothing", "told", "handed"}
_OFFERING = frozenset(("challenge", "preview", "refusal", "status"))
_KNOWN = {"rules": "help"}
_KNOWLEDGE = re.compile(r"(?m)^\W{0,3}(\d): ")
_CHOICE = re.compile(r"(?m)^\W{0,3}(\d)\.(?=\s)")


class Unplayable(Exception):
    """What stands at the head of a mail fits no letter of the scene, or what it means does not count there."""


@dataclass(frozen=True)
class Judged:
    """What a mail came to, and the letters that it brought, those of its OK too."""

    outcome: Outcome
    letters: tuple[Sent, ...]

    @property
    def handed(self) -> bool:
        """Whether the moderator was told."""
        return _to_a_person(self.letters)


def _to_a_person(letters: Iterable[Sent]) -> bool:
    return any(x.kind in ("question", "alarm") for x in letters)


def _squashed(text: str) -> str:
    return "".join(text.replace(",", "").split()).lower()


def _since(before: Sequence[Entry], after: Sequence[Entry]) -> list[Entry]:
    """What was written down of each match since then."""
    stood = Counter(match for match, _ in before)
    said = Counter[str]()
    found = list[Entry]()
    for match, entry in after:
        said[match] += 1
        found += [(match, entry)] if said[match] > stood[match] else []
    return found


def _left(counted: list[Any]) -> bool:
    said = counted[0][1]
    steps = said.get("action", {}).get("steps", [{}])
    if steps and steps[-1].get("kind") == "give up":
        return True  # of a puzzle that one plays alone
    return said.get("demand", {}).get("kind") == "Resign" or said.get("action", {}).get("is") == "Leave"


@dataclass
class Judge:
    """Sends the mails of a scene, each to a copy of it."""

    scene: Scene
    folder: Path
    canonical: dict[tuple[str, ...], list[Any]] = field(default_factory=dict)
    copies: int = 0

    def judged(self, mail: WrittenMail) -> Judged:
        scene = self._copy()
        before = scene.ledger()
        kind, _, detail = mail.meant.partition(" ")
        if kind not in _MEANINGS:
            raise Unplayable(f"{mail.name}: X-Meant: {mail.meant}")
        try:
            raw = mail.raw(scene)
        except (IndexError, KeyError) as error:
            raise Unplayable(f"{mail.name}: {error!r}") from error
        letters = self._sent(scene, raw)
        counted = _since(before, scene.ledger())
        theirs = [x for x in letters if x.to == mail.sender]
        if counted:
            meant = mail.meant in ("counts", "leaves") and self._brings(mail, counted)
            return Judged("understood" if meant else "wrong", tuple(letters))
        if kind == "handed":
            as_meant = _to_a_person(letters)
        else:
            as_meant = kind not in _ORDERED and getattr(self, f"_{kind}")(mail, theirs, detail)
        if as_meant:
            return Judged("understood", tuple(letters))
        for asking in (x for x in theirs if x.kind in _OFFERING):
            settles = self._offered(mail, asking)
            brought, told = self._settled(scene, asking, settles) if settles else ([], [])
            if kind == "handed" and not brought and _to_a_person(told):
                return Judged("asked", tuple(letters))
            if kind == "told" and not brought and self._knows(scene, asking, detail):
                return Judged("asked", tuple(letters))
            if brought:
                outcome: Outcome = "asked" if self._brings(mail, brought) else "misasked"
                better = outcome == "asked" and kind in ("asked", "mended", "leaves")
                return Judged("understood" if better else outcome, tuple(letters))
            if settles == "OK" and "it counts" in asking.text:
                return Judged("misasked", tuple(letters))  # it promised to
        return Judged("handed" if _to_a_person(letters) else "bounced", tuple(letters))

    def _offered(self, mail: WrittenMail, asking: Sent) -> str:
        """What settles a letter's question: the number of what was meant, OK, or else its first number."""
        named = mail.field("X-Settled-By")
        if named.startswith("number "):
            before, found, _ = asking.text.rpartition(named.removeprefix("number "))
            return next(reversed(_CHOICE.findall(before)), "1") if found else "1"
        _, *choices = _CHOICE.split(
            asking.text if asking.kind != "refusal" else ""
        )  # there, faults are numbered
        for number, words in zip(choices[::2], choices[1::2], strict=True):
            if mail.orders(self.scene) and self._shown(mail, words):
                return number
        if asking.kind == "challenge" or re.search(r"\bOK\b", asking.text):
            return named or "OK"
        return choices[0] if choices else ""

    def _settled(self, scene: Scene, asking: Sent, settles: str) -> tuple[list[Any], list[Sent]]:
        """What is written down once the letter is answered so, and the letters that leave."""
        before = scene.ledger()
        scene.now += timedelta(minutes=5)
        scene.world.reply(asking, settles, stamp(scene.now))
        _, letters = scene.passed(scene.now)
        return _since(before, scene.ledger()), letters

    def _knows(self, scene: Scene, asking: Sent, wanted: str) -> bool:
        """Whether a number of the letter brings what is wanted to be known."""
        numbers = _KNOWLEDGE.findall(asking.text)
        told = (self._settled(scene, asking, number)[1] for number in numbers)
        return any([x.kind for x in letters] == [_KNOWN.get(wanted, wanted)] for letters in told)

    def _brings(self, mail: WrittenMail, counted: list[Any]) -> bool:
        """Whether that is what was meant."""
        if mail.meant == "leaves":
            return _left(counted)
        return mail.meant in _ORDERED and counted == self._meant(mail)

    def _shows(self, mail: WrittenMail, letter: Sent) -> bool:
        return self._shown(mail, letter.text)

    def _shown(self, mail: WrittenMail, text: str) -> bool:
        lines = mail.orders(self.scene).splitlines()
        return all(_squashed(line).split(":")[-1] in _squashed(text) for line in lines)

    # --- the other meanings --------------------------------------------------------------------------------------

    def _draft(self, mail: WrittenMail, letters: list[Sent], _: str) -> bool:
        return len(letters) == 1 and "draft" in letters[0].text and self._shows(mail, letters[0])

    def _preview(self, mail: WrittenMail, letters: list[Sent], _: str) -> bool:
        return [x.kind for x in letters] == ["preview"] and self._shows(mail, letters[0])

    def _leaves(self, mail: WrittenMail, letters: list[Sent], _: str) -> bool:
        return [x.kind for x in letters] == ["challenge"]

    def _amended(self, mail: WrittenMail, letters: list[Sent], _: str) -> bool:
        if [x.kind for x in letters] != ["refusal"]:
            return False
        form, before = letters[0].form, self.scene.letter("refusal", mail.sender).form
        kept = sum(1 for line in before.splitlines() if _squashed(line) in _squashed(form))
        shown = all(_squashed(line) in _squashed(form) for line in mail.orders(self.scene).splitlines())
        return shown and kept >= len(before.splitlines()) - len(mail.orders(self.scene).splitlines())

    def _nothing(self, mail: WrittenMail, letters: list[Sent], _: str) -> bool:
        asked_again = mail.field("X-Answers") == "challenge" and [x.kind for x in letters] == ["challenge"]
        few = len(letters) == 1 and len(letters[0].text.splitlines()) <= FEW
        return asked_again or (few and letters[0].kind in _SHORT)

    def _told(self, mail: WrittenMail, letters: list[Sent], kind: str) -> bool:
        wanted = {"rules": ("help", "record", "status"), "pieces": ("help", "record", "status")}
        few = kind != "status" or mail.field("X-Answers") == "" or len(letters[0].text.splitlines()) <= FEW
        return len(letters) == 1 and few and letters[0].kind in wanted.get(kind, (kind,))

    # --- the order in canonical lines ------------------------------------------------------------------------------

    def _meant(self, mail: WrittenMail) -> list[Any]:
        """What the order comes to when it is sent as the letters say."""
        key = (
            mail.sender,
            mail.match(self.scene),
            mail.orders(self.scene),
            mail.field("X-Command"),
            mail.field("X-Sent-As"),
        )
        if key not in self.canonical:
            self.canonical[key] = self._sent_canonically(mail)
        return self.canonical[key]

    def _sent_canonically(self, mail: WrittenMail) -> list[Any]:
        scene = self._copy()
        before, sender, letter = scene.ledger(), mail.field("From"), mail.letter(scene)
        if mail.field("X-Command"):
            scene.world.mail(sender, mail.field("X-Command"), "", stamp(scene.now))
        elif mail.field("X-Sent-As") and letter is not None:
            scene.world.reply(letter, mail.orders(scene), stamp(scene.now), sender)
        else:
            scene.world.mail(sender, *self._headed(scene, mail), stamp(scene.now))
        _, letters = scene.passed(scene.now)
        counted = _since(before, scene.ledger())
        if not counted:
            told = "\n".join(x.text for x in letters if x.to == mail.sender)
            raise Unplayable(f"{mail.name}: what it means does not count:\n{mail.orders(scene)}\n\n{told}")
        return counted

    def _headed(self, scene: Scene, mail: WrittenMail) -> tuple[str, str]:
        """The subject and the lines, of a list those above it too that say whose it is (604.B, 605.B)."""
        match = mail.match(scene)
        facts = scene.world.show(match)
        names = {seat["name"]: seat["number"] for seat in facts["seats"]}
        seat = names[mail.field("From").partition(" <")[0]]
        owed = next((due["demand"] for due in facts["due"] if due["seat"] == seat), "")
        lines = mail.orders(scene)
        if owed in ("Purchase", "Setup") and "Name:" not in lines:
            lines = f"Name: {mail.field('From').partition(' <')[0]}\nPlayer: {seat}\nEmail: {mail.sender}\n{lines}"
        return f"{_TITLES[facts['game']]}: {_HEADINGS.get(owed, 'Move')} / Player {seat} [{match}]", lines

    def _sent(self, scene: Scene, raw: bytes) -> list[Sent]:
        scene.world.raw(raw, stamp(scene.now))
        return scene.passed(scene.now)[1]

    def _copy(self) -> Scene:
        self.copies += 1
        return self.scene.copied(self.folder / f"copy-{self.copies}")
