"""One kind of answer: what a game says of it. The other half of the seam (`core/game.py`)."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from typing import Any, ClassVar, Final, Generic, TypeAlias, TypeVar, cast, get_args

from referee.core.chance import Chance
from referee.core.value import Complaint, Demand, E, Lapse, Line, Recorder, S, Value

A = TypeVar("A")  # the actions of this kind of answer: frozen dataclasses that hold nothing of the mail
T = TypeVar("T")
Said: TypeAlias = Sequence[str]  # lines of a form that stand for what a mail has said already
Named: TypeAlias = Collection[str]  # what the rest of it names, in small letters
A_co = TypeVar("A_co", covariant=True)


class Party(Value):
    """What the referee knows of the sender, for games whose forms ask who one is (604.B)."""

    name: str
    number: int
    addresses: tuple[str, ...] = ()


class Hints(Value):
    """What is known of a mail's words from elsewhere: the words of its sender's name, in small
    letters; the language he writes in, as far as that was seen before ("" where not)."""

    own: frozenset[str] = frozenset()
    language: str = ""


NO_HINTS: Final = Hints()


class Body:
    """The sender's own lines, read once: what a game's reader makes of them is kept for whoever asks next."""

    def __init__(self, lines: Sequence[Line], hints: Hints = NO_HINTS) -> None:
        self.lines = tuple(lines)
        self.hints = hints
        self._read: dict[Hashable, object] = {}

    @classmethod
    def of(cls, text: str) -> "Body":
        """The lines of a form, or of an answer in canonical text."""
        return cls(tuple(Line(number, words) for number, words in enumerate(text.splitlines(), 1)))

    def once(self, reader: Callable[[tuple[Line, ...]], T]) -> T:
        """What the reader makes of the lines. It must be one that lasts (a function of a module), total and pure."""
        return self.kept(reader, lambda: reader(self.lines))

    def kept(self, key: Hashable, make: Callable[[], T]) -> T:
        """What was made of the lines under a key, which must tell all else that it hangs on."""
        if key not in self._read:
            self._read[key] = make()
        return cast(T, self._read[key])


class Reading(Value, Generic[A_co]):
    """What was understood of an answer. `action` may stand beside complaints, so that `check` can add its own.

    `lines` are, beside the action, the lines that say its parts: the keys are paths ("steps.2"), whose spelling is the
    game's own. `orders` are the lines taken as orders, well said or not; `courtesy` what was taken as words to people.
    `understood` is what the game made of the lines on its way to the action: a refused answer is mended from that, and
    its lines are never read again. `choices`: where its sender is to be asked what he means, each possible answer as
    lines of the form; of a single one the `action` is it; `doubts` are the words that made it unsure. `talk`: sentences
    that look like orders and only ask or deny; the mail holds no others. `worded`: lines of whose words the action says
    all, or that were taken back. `addresses`: what its sender states as an address of his, and no registered one."""

    action: A_co | None
    complaints: tuple[Complaint, ...] = ()
    courtesy: tuple[Line, ...] = ()
    orders: tuple[Line, ...] = ()
    lines: Mapping[str, Line] = field(default_factory=dict)
    understood: Any = field(default=None, repr=False, compare=False)
    choices: tuple[str, ...] = ()
    doubts: tuple[str, ...] = ()
    talk: tuple[Line, ...] = ()
    worded: tuple[Line, ...] = ()
    addresses: tuple[str, ...] = ()

    def orders_in(self, lines: Iterable[Line]) -> bool:
        """Whether any of these lines of the mail is an order or tries to be one; courtesy alone is none."""
        courteous = {line.number for line in self.courtesy} - {line.number for line in self.orders}
        faulty = {c.line.number for c in self.complaints if c.line is not None}
        tried = (line.number for line in lines if line.text.strip())
        return any(number in faulty or number not in courteous for number in tried)


class Part(Value):
    """One thing that a seat may say now: the `line` of the form that says it, and what it names, each as a role and a
    value in small letters ("to", "g7"); a role may stand there more than once, with each way to name it. `group` is the
    class of verbs that says it: "play" for whatever is played, put, taken or chosen, others for what is done beside
    that; "state" where its line states more than a mail would name, which is only asked about."""

    line: str
    slots: tuple[tuple[str, str], ...] = ()
    group: str = "play"

    @property
    def values(self) -> frozenset[str]:
        return frozenset(value for _, value in self.slots)

    @property
    def roles(self) -> frozenset[str]:
        return frozenset(role for role, _ in self.slots)


PARTS: Final = 256  # that are looked at of one answer
FEW: Final = 12  # so many parts are told whatever a mail names


def pointed_at(parts: Iterable[Part], named: Named) -> Iterator[Part]:
    """Of more than `FEW` parts those that share a value with what a mail names, or have none, in
    their order; where even they are too many, those that share most."""
    found = list(parts)
    if len(found) > FEW:
        found = [one for one in found if not one.slots or not one.values.isdisjoint(named)]
    if len(found) > PARTS:
        found.sort(key=lambda part: -len({role for role, value in part.slots if value in named}))
    yield from found[:PARTS]


class Form(Value):
    """A form to fill in and send back, in plain lines. `chosen` says, a sentence each, what mending had to choose in
    the sender's place, what it left out because nobody could read it among that: only where nothing was chosen may he
    send the form by a mere word. `held` are lines of his that it holds in other words than his."""

    text: str
    chosen: tuple[str, ...] = ()
    held: tuple[Line, ...] = ()


class Answer(ABC, Generic[S, E, A]):
    """One kind of answer: its words in a mail, what is wrong with it, and what follows from it.

    A value without state. Whether it is owed or open to its sender, whether the action is of this
    kind and whether it has too many lines is checked for all kinds at once (`core/seam.py`).
    """

    kind: ClassVar[str]  # the kind of the demands it answers
    headings: ClassVar[tuple[str, ...]] = ()  # under which it is sent; the first is shown
    # every class of action it may say: those of its A, where they are named
    actions: ClassVar[tuple[type, ...]]
    mailed: ClassVar[bool] = True  # whether a mail may say it
    in_own_words: ClassVar[bool] = False  # whether a rule gives the very words: others are but offered for OK
    foreseeable: ClassVar[bool] = False  # conditional turns may wait for it, and give it
    parts: ClassVar[tuple[Part, ...]] = ()  # what may be said of it however the match stands, one of a key
    closing: ClassVar[tuple[str, ...]] = ()  # the line for words with which a form ends, where it has one

    def __init_subclass__(cls) -> None:
        """Its heading is its kind, if it does not name any."""
        super().__init_subclass__()
        if "kind" in vars(cls) and "headings" not in vars(cls) and cls.mailed:
            cls.headings = (cls.kind,)
        given = map(get_args, vars(cls).get("__orig_bases__", ()) if "actions" not in vars(cls) else ())
        for *_, action in (args for args in given if len(args) in (1, 3)):  # [S, E, A], or what is left of it
            if not isinstance(action, TypeVar):
                cls.actions = get_args(action) or (action,)

    def aim(self, state: S, seat: int, heading: str, body: Body) -> Demand | None:
        """The demand of this kind that a mail means, by the kind its heading names and its lines; None where it means
        another. The first answer of a game that aims takes the mail; where none does, the one of the heading."""
        return None

    def possible(self, state: S, demand: Demand, said: Said, named: Named) -> Iterator[Part]:
        """What may be said beside the lines `said` of the same answer, in a fixed order: of more
        than `FEW` those that share a value with `named`. Legal as far as it is cheaply known; what
        is wrong with the whole is `check`'s. It never looks at sealed answers."""
        return iter(() if any(part.line in said for part in self.parts) else self.parts)

    def named(self, state: S) -> Collection[str]:
        """The words, in small letters, by which people name what such an answer is about, beside
        its places and numbers: pieces, colours."""
        return ()

    @abstractmethod
    def read(self, state: S, demand: Demand, body: Body, party: Party) -> Reading[A]:
        """The game's notation: the sender's own lines to an action. Never raises, whatever the lines."""

    def untimely(self, state: S, demand: Demand) -> Complaint:
        """Why the demand is none that its seat may answer now: not its turn, not this phase, done already."""
        return Complaint("not_now", "house", facts={"demand": demand.kind})

    def check(self, state: S, demand: Demand, action: A) -> Iterable[Complaint]:
        """*All* complaints, each naming the part of the action it is about; never sees another
        seat's sealed answer. None means that `resolve` succeeds (law 1)."""
        return ()

    @abstractmethod
    def write(self, state: S, demand: Demand, action: A) -> str:
        """The action in canonical text: sealed, revealed and recorded as such. `read` gives it back (law 8)."""

    def form(self, state: S, demand: Demand, party: Party, draft: Reading[A] | None = None) -> Form:
        """A form to fill in and send back; of a draft without orders (an action alone) that answer
        filled in (law 8), of a mail's reading the answer mended."""
        if draft is None:
            form = Form("\n".join([*self.blank(state, demand.seat), *self.closing]))
        elif draft.action is not None and not draft.orders and not draft.complaints:
            form = Form(self.filled_in(state, demand, draft.action))
        else:
            form = self.mended(state, demand, draft)
        head = list(self.head(state, party, draft.action if draft else None))
        return replace(form, text="\n".join([*head, *([form.text] if form.text else [])])) if head else form

    def head(self, state: S, party: Party, action: A | None) -> Iterable[str]:
        """The lines that say who sends the form."""
        return ()

    def blank(self, state: S, seat: int) -> Iterable[str]:
        """The lines to fill in."""
        return ()

    def filled_in(self, state: S, demand: Demand, action: A) -> str:
        """The form with an answer filled in."""
        return self.write(state, demand, action)

    def mended(self, state: S, demand: Demand, draft: Reading[A]) -> Form:
        """A faulty answer as a form: what the rules alone decide is put right, every readable order is kept (one that
        can't stand as its sender wrote it, so that it is refused for the same reason again), what is missing is left to
        fill in. Accepted once the named faults are mended (law 6)."""
        return Form("\n".join(self.blank(state, demand.seat)))

    @abstractmethod
    def suggest(self, state: S, demand: Demand, chance: Chance) -> A:
        """An answer a seeded player might give: always passes `check`, and matches played so come
        to an end. For rehearsals and laws only."""

    def binds(self, action: A) -> bool:
        """Whether the action gives something up or binds: it counts from the form's own line or its lone word alone."""
        return isinstance(action, Binds)

    def searched(self, state: S, action: A) -> str | None:
        """The part of the action that may cost the referee a search of its own, now or later (a
        claim that it must judge); None where there is none. A match takes so many a day."""
        return None

    def foreseen(self, state: S, action: A) -> A | None:
        """The action without all that is no part of the move (a comment): of two that are the same
        move the same, so that a conditional turn knows what it waits for. None where it is more
        than a move (an offer, a claim), or none on any board."""
        return action

    def public(self, action: A) -> A | None:
        """The part of an action that all may see once it counts: a standing order sent beside a move is left out;
        None where nothing of it is public. What is sealed and recorded is `write` of this part."""
        return action

    # --- what follows: told to a recorder, fact by fact ----------------------------------------------------------

    def follow(self, record: Recorder[S, E], answers: Mapping[Demand, A | Lapse]) -> None:
        """What follows at once. A sealed round is resolved whole: here it may look at all of it."""
        for demand, answer in answers.items():
            if isinstance(answer, Lapse):
                self.lapse(record, demand)
            else:
                self.act(record, demand.seat, answer)

    def act(self, record: Recorder[S, E], seat: int, action: A) -> None:
        """What follows from one answer alone."""

    def lapse(self, record: Recorder[S, E], demand: Demand) -> None:
        """What follows where none came in time."""
        raise TypeError(f"{demand.kind} can't lapse")

    def settle(self, record: Recorder[S, E]) -> None:
        """What the referee does by itself after any answer."""


AnyAnswer = Answer[Any, Any, Any]


class OwnAnswer(Answer[S, E, A]):
    """An answer that the referee owes itself (seat 0): no mail says it, and no form asks for it."""

    mailed = False
    told: ClassVar[Any] = None  # what a record says by any words of it, and the clock

    def read(self, state: S, demand: Demand, body: Body, party: Party) -> Reading[A]:
        return Reading(self.told)

    def write(self, state: S, demand: Demand, action: A) -> str:
        return str(action)

    def suggest(self, state: S, demand: Demand, chance: Chance) -> A:
        return cast(A, self.told)


class Binds:
    """An action that gives something up or binds its sender (a draw accepted, a seat given up):
    from a sentence it never counts, it is only asked about."""

    __slots__ = ()


class GivesUpSeat(Binds):
    """An action that gives up its sender's seat, which nothing but a person's word can undo: it counts only from a mail
    that proves more than an address, or once its sender has said Yes to it."""

    __slots__ = ()


AHEAD: Final = "If"  # the kind of what is said in advance (`match/ahead`): no game knows it


class InAdvance(OwnAnswer[Any, Any, Any]):
    """What a mail says in advance. Its lines are no game's: read, checked and kept they are by the match."""

    kind = AHEAD
    headings = ("If", "Plan")
    actions = ()

    def read(self, state: Any, demand: Demand, body: Body, party: Party) -> Reading[Any]:
        return Reading(None, (Complaint("ahead_nothing", "house"),))


IN_ADVANCE: Final = InAdvance()
