"""What most games know beside their turns: to resign, to offer a draw and to accept it, to comment.
What follows from it is the game's to say."""

from collections.abc import Mapping
from typing import Any, ClassVar, Final, TypeVar

from referee.core.answers import Binds, GivesUpSeat, Part, Reading
from referee.core.chance import Chance
from referee.core.duel import commented
from referee.core.orders.keyed import NOTHING, UNREAD, KeyedAnswer, Sheet, comment_lines
from referee.core.value import Demand, E, FreeText, Recorder, S, Value


class Resign(Value, GivesUpSeat):
    comment: FreeText = ""


class OfferDraw(Value):
    """An offer sent after one's turn, while it is the opponent's."""

    comment: FreeText = ""


class AcceptDraw(Value, Binds):
    comment: FreeText = ""


class SendComment(Value):
    text: FreeText


def beside_turns(*turns: str) -> Mapping[str, str]:
    """What orders mean (`KeyedAnswer.means`) in a game whose turns, the answers to "Move", hold these."""
    move = dict.fromkeys((*turns, UNREAD), "Move")
    return {"resign": "Resign", **move, "offer": "Offer", "comment": "Comment", NOTHING: "Move"}


OFFER: Final = Part("Offer: draw", (("what", "draw"),), "offer")
ACCEPT: Final = Part("Accept: draw", (("what", "draw"),), "accept")


R = TypeVar("R")  # a game's resignation, made of a comment
W = TypeVar("W")  # its words to the others, made of a text


class SaidAlone(KeyedAnswer[S, E, R]):
    """An answer that its one line says. `actions` is the one class that says it, made of a comment."""

    def understood(self, state: S, demand: Demand, sheet: Sheet[Any]) -> Reading[R]:
        return self.reading(sheet, self.actions[0](sheet.comment), self.misplaced(sheet))

    def write(self, state: S, demand: Demand, action: Any) -> str:
        return self.written([self.begins], action.comment)

    def suggest(self, state: S, demand: Demand, chance: Chance) -> R:
        said: R = self.actions[0]()
        return said


class Resignation(SaidAlone[S, E, R]):
    """A seat given up by the word `Resign`."""

    kind = "Resign"
    begins = "Resign"
    fits = frozenset({"resign"})
    parts = (Part("Resign", (), "resign"),)


class DrawOffer(SaidAlone[S, E, OfferDraw]):
    """A draw offered while it is the opponent's turn."""

    kind = "Offer"
    begins = "Offer: draw"
    fits = frozenset({"offer"})
    parts = (OFFER,)


class Remark(KeyedAnswer[S, E, W]):
    """Words to the others, at any time, behind a key that is the kind's name. `actions` is the one
    class that says them."""

    kind = "Comment"
    sample: ClassVar[str] = "A comment."  # what a seeded player says

    def understood(self, state: S, demand: Demand, sheet: Sheet[Any]) -> Reading[W]:
        words = "\n".join(entry.value for entry in sheet.of(self.kind.lower()))
        return self.reading(sheet, self.actions[0](words) if words else None, self.misplaced(sheet))

    def blank(self, state: S, seat: int) -> tuple[str, ...]:
        return ()

    def write(self, state: S, demand: Demand, action: Any) -> str:
        return "\n".join(comment_lines(action.text, self.kind))

    def act(self, record: Recorder[Any, Any], seat: int, action: Any) -> None:
        """They are relayed."""
        record.tell(*commented(seat, action.text))

    def suggest(self, state: S, demand: Demand, chance: Chance) -> W:
        words: W = self.actions[0](self.sample)
        return words
