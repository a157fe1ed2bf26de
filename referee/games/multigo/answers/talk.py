"""Words between players, and the last word of one who leaves."""

from __future__ import annotations

from typing import TypeVar

from referee.core.chance import Chance
from referee.core.complaint import Complaint
from referee.core.orders.talk import Resign
from referee.core.owing import Demand
from referee.games.multigo import events as ev
from referee.games.multigo.actions import Comment, Press
from referee.games.multigo.answers.answer import GoAnswer
from referee.games.multigo.answers.forms import written
from referee.games.multigo.answers.reading import Said
from referee.games.multigo.folding import Told
from referee.games.multigo.play.leaving import resign
from referee.games.multigo.state import State


class ResignAnswer(GoAnswer[Resign]):
    """The seat leaves the match (G24)."""

    kind = "Resign"
    headings = ("Resign",)
    actions = (Resign,)
    fits = frozenset({"resign", "comment"})
    begins = "Resign"

    def said(self, mail: Said) -> Resign | None:
        if not mail.of("resign"):
            mail.complain("nothing_said", "2.7", key="Resign")
            return None
        return Resign(mail.words())

    def write(self, state: State, demand: Demand, action: Resign) -> str:
        return written(("Resign",), action.comment)

    def act(self, record: Told, seat: int, action: Resign) -> None:
        resign(record, seat, "mail", action.comment)

    def suggest(self, state: State, demand: Demand, chance: Chance) -> Resign:
        return Resign()


W = TypeVar("W", Comment, Press)


class Spoken(GoAnswer[W]):
    """Words to all players; `actions` is the one class that says them."""

    def said(self, mail: Said) -> W | None:
        (action,) = self.actions
        words = mail.words(self.kind.lower())
        if not words:
            mail.complain("nothing_said", "2.7", key=self.kind)
        return action(words) if words else None

    def write(self, state: State, demand: Demand, action: W) -> str:
        return written((), action.text, self.kind)


class CommentAnswer(Spoken[Comment]):
    """Words that belong to no move."""

    kind = "Comment"
    headings = ("Comment",)
    actions = (Comment,)
    fits = frozenset({"comment"})
    begins = "Comment:"

    def act(self, record: Told, seat: int, action: Comment) -> None:
        record.tell(ev.Commented(seat, action.text))

    def suggest(self, state: State, demand: Demand, chance: Chance) -> Comment:
        return Comment("A good game so far.")


class PressAnswer(Spoken[Press]):
    """A message to all players, where the match allows it (G25)."""

    kind = "Press"
    headings = ("Press",)
    actions = (Press,)
    fits = frozenset({"press"})
    begins = "Press:"

    def not_now(self, state: State, demand: Demand) -> Complaint:
        return Complaint("no_press", "G25")

    def act(self, record: Told, seat: int, action: Press) -> None:
        record.tell(ev.PressRelayed(seat, action.text))

    def suggest(self, state: State, demand: Demand, chance: Chance) -> Press:
        return Press("Shall we look at the corner together?")
