"""What the archive's pages are made of: public facts, as values. Addresses, seals and secrets have no place here."""

from dataclasses import asdict
from datetime import datetime
from typing import Any

from pydantic import TypeAdapter

from referee.club.standings import Finished
from referee.core.diagram import Diagram
from referee.core.game import BoardForm, Branch
from referee.core.texts.naming import file_name
from referee.core.value import Value
from referee.letters.page_words import listed


class Sitter(Value):
    """Who sits where: a name for all to see, never an address. `player` tells persons of one name
    apart; `left` whoever has given the seat to another."""

    seat: int
    name: str
    player: str = ""
    left: bool = False


class Deadline(Value):
    """What is publicly owed, and since when. `due_at` (aware) is None where no clock runs."""

    seat: int
    demand: str
    label: str
    due_at: datetime | None
    since: datetime | None = None


class Summary(Value):
    """A match in the archive's lists, as it was when its pages were written last. `made` says by what they were."""

    name: str
    game: str  # the slug: "fourplay"
    title: str  # "Fourplay"
    status: str
    opened: datetime
    updated: datetime
    position: int  # the public one
    turns: int  # how many were made
    heading: str  # of the last of them
    people: tuple[Sitter, ...]
    outcome: str = ""
    winners: tuple[int, ...] = ()
    seats: int = 0
    vacant: str = ""  # which seats one may join, in words
    join: str = ""  # the subject that takes one
    deadlines: tuple[Deadline, ...] = ()
    board: int = 0  # the public position whose board it shows; 0 where there is none
    made: str = ""
    finished: Finished | None = None  # what it came to, where it counts

    @property
    def sitters(self) -> tuple[Sitter, ...]:
        return tuple(sitter for sitter in self.people if not sitter.left)

    @property
    def next_due(self) -> datetime | None:
        """When the first open deadline is."""
        return min((d.due_at for d in self.deadlines if d.due_at is not None), default=None)

    @property
    def awaited(self) -> str:
        """Whose turn it is."""
        return listed([*dict.fromkeys(self.sitter(d.seat) for d in self.deadlines)])

    @property
    def since(self) -> datetime | None:
        """Since when."""
        return min((d.since for d in self.deadlines if d.since is not None), default=None)

    @property
    def stands(self) -> str:
        """How it stands, in a few words."""
        if self.status in ("ended", "paused") or not self.deadlines:
            return self.outcome or self.status.capitalize()
        return f"{self.awaited} to {'move' if len(self.deadlines) == 1 else 'answer'}"

    @property
    def ending(self) -> str:
        """How it stands, in a word: running, won, draw or unsolved."""
        if self.status != "ended":
            return "running"
        return "won" if self.winners else "unsolved" if self.seats == 1 else "draw"

    def sitter(self, seat: int) -> str:
        return next((s.name for s in self.sitters if s.seat == seat), f"Player {seat}")

    def fate(self, sitter: Sitter) -> str:
        """What the match came to for one of its players."""
        if sitter.left:
            return "left"
        if self.status != "ended":
            return "running"
        if self.winners:
            return "won" if sitter.seat in self.winners else "lost"
        return "not solved" if self.seats == 1 else "drawn"

    def facts(self) -> dict[str, Any]:
        """As a file of the index holds it, with how it stands, and its folder; `summaries_from` reads them."""
        return {**asdict(self), "ending": self.ending, "stands": self.stands, "folder": file_name(self.name)}


# Of their facts; a ValueError where they are none.
summaries_from = TypeAdapter(tuple[Summary, ...]).validate_python


class Turn(Value):
    """One public stimulus: its public position, when, its heading. What a page of the replay shows
    of it is there only where the page is to be written: what happened in the words of the letters
    (HTML where it is Markup), how the match stands after it, the board, the line of a proof, and
    the whole proof as trees."""

    number: int
    at: datetime
    heading: str
    told: str = ""
    standing: str = ""
    diagram: Diagram | None = None
    steps: tuple[tuple[str, Diagram], ...] = ()  # boards to be stepped through, each with its words
    proofs: tuple[Branch, ...] = ()
    by: str = ""  # who answered
    move: str = ""  # in the game's notation; "" of what has none
    count: int = 0  # how many turns were made with it
    played: bool = True  # whether it is one of them; else something befell the match between two

    @property
    def called(self) -> str:
        return self.heading or f"Position {self.number}"

    @property
    def line(self) -> str:
        """What stands of it in a list of moves."""
        return self.move or self.called

    @property
    def place(self) -> str:
        """Where it stands among the turns."""
        before = "Turn" if self.played else "After turn" if self.count else "Before the first turn"
        return f"{before} {self.count}".removesuffix(" 0")


class FormPage(Value):
    """Everything that may be sent now, and how it can be clicked. `senders` are the seats by number and name, each with
    what it may send (`asks`), what it owes first; `board` is the board of the public view; `clicked` are a game's
    facts, None where it has no script and text alone serves; `closed` says why nothing can be sent."""

    senders: tuple[dict[str, Any], ...] = ()
    board: Diagram | None = None
    clicked: BoardForm | None = None
    closed: str = ""


class GamePage(Value):
    """A game for whoever does not know it: what it is in a few sentences, its rules (HTML where
    Markup), its pieces, and its rules by number, each in a sentence."""

    slug: str
    title: str
    about: str
    rules: str
    pieces: tuple[tuple[str, str, tuple[Diagram, ...]], ...] = ()  # name, moves in words, pictures
    clauses: tuple[tuple[str, str], ...] = ()
    contents: tuple[tuple[str, str], ...] = ()  # headings of the rules, each with its id
