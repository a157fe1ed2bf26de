"""What the words of a mail mean to their match: the answers to what its seat may send now, as its game reads them
(contract, 'Mail in': words decide, headings help), what they say in advance, and drafts.

A draft is what a seat answers before it is asked: kept, filled into the letter that then asks for
it, and sent by its seat's word alone. It counts for nothing and changes nothing that anybody else
sees: it is a private entry. It is the newest only, for the next round that asks its seat for such
an answer, and ends with that round, a rewind, or another person in the seat.
"""

import re
from dataclasses import replace
from itertools import islice
from typing import Any

from referee.core import seam
from referee.core.answers import AHEAD, PARTS, Body, Form, Party, Reading
from referee.core.orders.keyed import bare, keyed, unsaid
from referee.core.seam import Expecting, Standing
from referee.core.value import Complaint, Demand, FreeText, Line, Value, gathered
from referee.language.hearing import Vocabulary, spoken_in
from referee.language.interpret import interpret, lone_verb
from referee.language.sentences import Sentence, sentences, words_of
from referee.match.ahead import Foreseen, alone, foreseen, in_prose, parted
from referee.match.match import Match

_BESIDE = frozenset(("resign", "offer"))  # groups of what answers nothing that is owed
_DISCARDS = re.compile(r"discard|(?:discard|drop) (?:my |the )?draft")


def understood(match: Match, seat: int, kind: str, body: Body) -> tuple[Demand, Reading[Any]]:
    """Which demand a mail means under a heading of that kind, and what it says to it: once for each state of the match,
    whoever asks."""
    key = (match.name, match.version, seat, kind)
    return body.kept(key, lambda: _understood(match, seat, kind, body))


def _understood(match: Match, seat: int, kind: str, body: Body) -> tuple[Demand, Reading[Any]]:
    assert match.standing is not None
    conditions, others = parted(match, body.lines)
    withdrawn = frozenset(line.number for line in withdrawals(body))
    others = tuple(line for line in others if line.number not in withdrawn)
    rest = Body(others, body.hints) if len(others) < len(body.lines) else body
    about = match.standing.game.answers[0].kind if conditions and kind == AHEAD else kind
    demand, reading = interpret(match.standing, seat, about, rest, match.party(seat), people_of(match))
    if not conditions:
        return _supposing(match, seat, kind, rest) or (demand, reading)
    if not reading.orders_in(others):
        return Demand(AHEAD, seat), alone(match, seat, conditions, reading.courtesy)
    ahead = ahead_in(match, seat, body, demand, reading)
    complaints, orders = (*reading.complaints, *ahead.complaints), (*reading.orders, *conditions)
    return demand, replace(reading, complaints=complaints, orders=orders)


def _supposing(match: Match, seat: int, kind: str, body: Body) -> tuple[Demand, Reading[Any]] | None:
    """What a mail says with conditions in prose: it is asked about, and they in the notation."""
    (lines, supposed), standing = in_prose(match, body), match.standing
    if not supposed or standing is None:
        return None
    demand, reading = understood(match, seat, kind, Body(lines, body.hints))
    why = tuple(dict.fromkeys(supposed.values()))
    if not reading.orders:
        found = foreseen(match, seat, Body.of("\n".join(supposed)).lines)
        asked: Reading[Any] = Reading(None, (), reading.courtesy, body.lines)
        asked = replace(asked, choices=(found.text,), doubts=why)
        return None if found.complaints else (Demand(AHEAD, seat), asked)
    if reading.action is None or reading.complaints or not ahead_in(match, seat, body, demand, reading).lines:
        return None
    text = seam.write(standing.game, standing.state, demand, reading.action)
    return demand, replace(reading, choices=reading.choices or (text,), doubts=(*reading.doubts, *why))


def ahead_in(match: Match, seat: int, body: Body, demand: Demand, reading: Reading[Any]) -> Foreseen:
    """What a mail says beside an answer for what may come after it; in prose, where all of it may come."""
    conditions, _ = parted(match, body.lines)
    if conditions:
        return foreseen(match, seat, conditions, (demand, reading.action))
    supposed = Body.of("\n".join(in_prose(match, body)[1])).lines
    found = foreseen(match, seat, supposed, (demand, reading.action)) if supposed else Foreseen()
    return Foreseen() if found.complaints else found


def discards(body: Body) -> tuple[Line, ...]:
    """The lines that say that a draft is to be dropped, and nothing else."""
    return tuple(line for line in body.lines if _DISCARDS.fullmatch(bare(line.text)))


def withdrawals(body: Body) -> tuple[Line, ...]:
    """The lines that say `withdraw` and nothing else, in whatever language."""
    return tuple(line for line in body.lines if lone_verb(line.text, body.hints) == "withdraw")


def spoken(match: Match, body: Body) -> str:
    """The language that a mail's words are in, but for what stands behind keys; "" where they don't tell."""
    said = sentences(line for line in body.lines if keyed(line.text)[1] is None)
    others = frozenset(word for name in people_of(match).values() for word in words_of(name))
    vocabulary = Vocabulary(match.game, {}, body.hints.own, others)
    found = spoken_in(Sentence([clause for one in said for clause in one.clauses]), vocabulary)
    return found[0].code if found else ""


def people_of(match: Match) -> dict[int, str]:
    """The names of its players, by their seats."""
    return {seat: match.entrant(seat).name for seat in match.numbers if match.roster}


# --- one answer -----------------------------------------------------------------------------------


class Meaning(Value):
    """One answer that lines may be meant as. `text` are its canonical lines once it was judged and
    found whole: nothing is wrong with it, and it would count; `form` also says whose it is. Of one
    that its seat may be asked for next `text` are lines that say it, and `complaints` what is known
    to be wrong with it."""

    demand: Demand
    reading: Reading[Any]
    text: FreeText = ""
    complaints: tuple[Complaint, ...] = ()
    form: FreeText = ""

    @property
    def clean(self) -> bool:
        """Whether it says an answer, leaves no doubt, and holds nothing not understood."""
        said = self.reading
        return said.action is not None and not (said.complaints or said.choices) and bool(said.orders)


def meaning_of(match: Match, seat: int, kind: str, body: Body) -> Meaning | None:
    """The one answer that the words say to their match, under a heading of that kind or none: as it
    has it, whatever may be wrong with that; else as the only other thing owed that it fits; else as
    what may be owed next. None where they say none, or leave a doubt."""
    if match.standing is None or match.status != "open":
        return None
    headed = Meaning(*understood(match, seat, kind, body))
    owing = dict.fromkeys(d for _, d in match.due if d.seat == seat)
    if headed.clean and (headed.demand in owing or judged(match, headed)):
        return headed
    others = [Meaning(*understood(match, seat, d.kind, body)) for d in owing if d != headed.demand]
    fitting = {meaning.demand: meaning for meaning in others if judged(match, meaning)}
    if not fitting and not headed.reading.choices:
        return _early_in(match, seat, kind, body)
    return next(iter(fitting.values())) if len(fitting) == 1 else None


def meanings_of(match: Match, seat: int, kind: str, body: Body) -> tuple[Meaning, ...]:
    """The one answer that the words say, or those between which they leave a doubt."""
    if (found := meaning_of(match, seat, kind, body)) is not None:
        return (found,)
    if match.standing is None or match.status != "open":
        return ()
    choices = understood(match, seat, kind, body)[1].choices
    said = (meaning_of(match, seat, kind, Body.of(line)) for line in choices)
    return tuple(meaning for meaning in said if meaning is not None)


def judged(match: Match, meaning: Meaning | None) -> Meaning | None:
    """The meaning with its canonical lines; None where there is none, or anything is wrong with it."""
    standing = match.standing
    if standing is None or meaning is None or not meaning.clean:
        return None
    if meaning.demand.kind == AHEAD:
        text = meaning.reading.understood.text
        return replace(meaning, text=text, form=text)
    demand, action = meaning.demand, meaning.reading.action
    if standing.check(demand, action):
        return None
    text = seam.write(standing.game, match.inner, demand, action)
    form = seam.filled_in(standing.game, match.inner, demand, match.party(demand.seat), action)
    return replace(meaning, text=text, form=form)


def offhand(match: Match, seat: int) -> tuple[Meaning, ...]:
    """The answers of a seat that owes one which words alone say, none that gives up the seat: to pass,
    none, a colour, to accept a draw. A short mail of which nothing is understood may mean one."""
    if match.standing is None or not any(owed.seat == seat for _, owed in match.due):
        return ()
    found, game = list[Meaning](), match.standing.game
    for demand in match.standing.may_answer(seat):
        parts = seam.answer_of(game, demand.kind).possible(match.inner, demand, (), ())
        for part in (one for one in islice(parts, PARTS) if not re.search(r"\d", one.line)):
            said = understood(match, seat, demand.kind, Body.of(part.line))
            if part.group not in _BESIDE and (whole := judged(match, Meaning(*said))) is not None:
                found.append(whole)
    return tuple(found)


# --- before it is asked for -----------------------------------------------------------------------


def early(match: Match, seat: int, kind: str, body: Body) -> Meaning | None:
    """What the lines say to what the seat may be asked for next, under a heading of that kind; None
    where that is nothing, or leaves a doubt."""
    ahead = match.standing.expected(seat) if match.standing is not None else None
    if ahead is None or _of_another_kind(match, seat, kind, body, ahead):
        return None
    party, standing = match.party(seat), ahead.standing
    demand, reading = interpret(standing, seat, kind, body, party, people_of(match), ahead=True)
    if demand not in ahead.demands or reading.action is None or not reading.orders:
        return None
    game, state = standing.game, standing.state
    wrong = (*reading.complaints, *(standing.faults(demand, reading) if ahead.known else ()))
    if not wrong:
        shown = seam.filled_in(game, state, demand, party, reading.action) if ahead.known else ""
        return Meaning(demand, reading, shown or seam.write(game, state, demand, reading.action))
    # the form of an answer with faults, where it can be looked at as if it were owed, says something, and nothing had
    # to be chosen in its sender's place
    form = seam.form(game, state, demand, party, reading) if ahead.known else Form("")
    if form.chosen or form.text in ("", seam.form(game, state, demand, party).text):
        return None
    return Meaning(demand, reading, form.text, gathered(wrong))


def _early_in(match: Match, seat: int, kind: str, body: Body) -> Meaning | None:
    """The same under that heading, or as the only answer that the lines fit whatever stands above them."""
    headed = early(match, seat, kind, body)
    ahead = None if headed or match.standing is None else match.standing.expected(seat)
    if ahead is None or _of_another_kind(match, seat, kind, body, ahead):
        return headed
    fitting = [one for demand in ahead.demands if (one := early(match, seat, demand.kind, body))]
    return fitting[0] if len(fitting) == 1 else None


def _of_another_kind(match: Match, seat: int, kind: str, body: Body, ahead: Expecting) -> bool:
    """Whether the lines say, whole and beyond doubt, what the seat will not be asked for next:
    under that heading, or in the notation of what it was asked for before. Of what is not owed a
    game does not tell all faults: its form must hold every line, too."""
    coming = {demand.kind for demand in ahead.demands}
    said = Meaning(*understood(match, seat, kind, body))
    if said.clean and said.demand.kind not in coming:
        return True
    game, party = ahead.standing.game, match.party(seat)
    for past in (Demand(other, seat) for other, of in match.met if of == seat and other not in coming):
        reading = seam.read(game, match.inner, past, body, party)
        if Meaning(past, reading).clean:
            form = seam.filled_in(game, match.inner, past, party, reading.action)
            if not any(unsaid(form, body.lines)):
                return True
    return False


# --- asked for ------------------------------------------------------------------------------------


class Drafted(Value):
    """A draft as the letter shows it that asks for it: what is wrong with it now, and its form, filled in and mended
    where it can be; what is `left` to put right there, and what was chosen in mending."""

    form: FreeText
    complaints: tuple[Complaint, ...] = ()
    left: tuple[Complaint, ...] = ()
    chosen: tuple[str, ...] = ()

    @property
    def whole(self) -> bool:
        """Whether its seat's word alone may send the form."""
        return not self.left and not self.chosen


def drafted(match: Match, demand: Demand) -> Drafted | None:
    """The seat's draft of an answer that is owed now, checked again; None where there is none, or it says none."""
    draft, r, standing = match.drafts.get(demand.seat), match.round_of(demand), match.standing
    if draft is None or r is None or standing is None or draft.asked != r.opened:
        return None
    reading, wrong = _read_again(standing, match.party(demand.seat), demand, draft.text)
    if reading is None or reading.action is None:
        return None
    party, game = match.party(demand.seat), standing.game
    if not wrong:
        return Drafted(seam.filled_in(game, standing.state, demand, party, reading.action))
    mended = seam.form(game, standing.state, demand, party, reading)
    again, left = _read_again(standing, party, demand, mended.text)
    if again is None or again.action is None:
        left = left or wrong
    return Drafted(mended.text, wrong, left, mended.chosen)


def _read_again(
    standing: Standing, party: Party, demand: Demand, text: str
) -> tuple[Reading[Any] | None, tuple[Complaint, ...]]:
    """What lines say to the demand, and all that is wrong with it; no reading where they say something else."""
    meant, reading = interpret(standing, demand.seat, demand.kind, Body.of(text), party)
    if meant != demand or reading.choices:
        return None, ()
    return reading, gathered((*reading.complaints, *standing.faults(demand, reading)))
