"""Words between players, and the last word of one who leaves."""

from __future__ import annotations

from referee.core.complaint import Complaint
from referee.core.orders import talk
from referee.core.owing import Demand
from referee.games.multigo import actions as act
from referee.games.multigo import events as ev
from referee.games.multigo.answers.answer import Words
from referee.games.multigo.folding import Told
from referee.games.multigo.play.leaving import resign
from referee.games.multigo.state import State


class ResignAnswer(talk.Resignation[State, ev.Event, talk.Resign], Words[talk.Resign]):
    """The seat leaves the match (G24)."""

    actions = (talk.Resign,)
    fits = frozenset({"resign", "comment"})

    def act(self, record: Told, seat: int, action: talk.Resign) -> None:
        resign(record, seat, "mail", action.comment)


class CommentAnswer(talk.Remark[State, ev.Event, act.Comment], Words[act.Comment]):
    """Words that belong to no move."""

    actions = (act.Comment,)
    fits = frozenset({"comment"})
    closing = ("Comment:",)
    sample = "A good game so far."

    def act(self, record: Told, seat: int, action: act.Comment) -> None:
        record.tell(ev.Commented(seat, action.text))


class PressAnswer(talk.Remark[State, ev.Event, act.Press], Words[act.Press]):
    """A message to all players, where the match allows it (G25)."""

    kind = "Press"
    headings = ("Press",)
    actions = (act.Press,)
    fits = frozenset({"press"})
    closing = ("Press:",)
    sample = "Shall we look at the corner together?"

    def not_now(self, state: State, demand: Demand) -> Complaint:
        return Complaint("no_press", "G25")

    def act(self, record: Told, seat: int, action: act.Press) -> None:
        record.tell(ev.PressRelayed(seat, action.text))
