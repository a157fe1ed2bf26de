"""Words between players, and the last word of one who leaves."""

from __future__ import annotations

from referee.core.chance import Chance
from referee.core.complaint import Complaint
from referee.core.owing import Demand
from referee.games.multigo import events as ev
from referee.games.multigo.actions import Comment, Press, Resign
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


class CommentAnswer(GoAnswer[Comment]):
    """Words to all that belong to no move."""

    kind = "Comment"
    headings = ("Comment",)
    actions = (Comment,)
    fits = frozenset({"comment"})
    begins = "Comment:"

    def said(self, mail: Said) -> Comment | None:
        words = spoken(mail, "comment")
        return Comment(words) if words else None

    def write(self, state: State, demand: Demand, action: Comment) -> str:
        return written((), action.text)

    def act(self, record: Told, seat: int, action: Comment) -> None:
        record.tell(ev.Commented(seat, action.text))

    def suggest(self, state: State, demand: Demand, chance: Chance) -> Comment:
        return Comment("A good game so far.")


class PressAnswer(GoAnswer[Press]):
    """A message to all players, where the match allows it (G25)."""

    kind = "Press"
    headings = ("Press",)
    actions = (Press,)
    fits = frozenset({"press"})
    begins = "Press:"

    def said(self, mail: Said) -> Press | None:
        words = spoken(mail, "press")
        return Press(words) if words else None

    def not_now(self, state: State, demand: Demand) -> Complaint:
        return Complaint("no_press", "G25")

    def write(self, state: State, demand: Demand, action: Press) -> str:
        return written((), action.text, "Press")

    def act(self, record: Told, seat: int, action: Press) -> None:
        record.tell(ev.PressRelayed(seat, action.text))

    def suggest(self, state: State, demand: Demand, chance: Chance) -> Press:
        return Press("Shall we look at the corner together?")


def spoken(mail: Said, order: str) -> str:
    """What is said, with a complaint where nothing is."""
    words = mail.words(order)
    if not words:
        mail.complain("nothing_said", "2.7", key=order.capitalize())
    return words
