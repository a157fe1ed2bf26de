"""What of a mail is a letter of ours come back, quoted, pasted or attached, as it was sent or with
a form filled in; and what of it was left out. An unchanged letter orders nothing, whichever it is
and however it comes.

Mail programs wrap, mark, convert and trim what they quote, so lines are compared without blanks,
punctuation and line ends, in the letter's order.
"""

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from html import unescape
from itertools import accumulate, pairwise
from typing import Final, NamedTuple

from referee.core.orders.keyed import keyed
from referee.core.value import LeftOut, Line, Value
from referee.letters.letter import NO_REPLY, Letter, Meant, decoded, recalled
from referee.mail.mail import Mail
from referee.mail.read.rows import rows_of_html
from referee.way.case import Case

_COPIES = 4  # of a letter in a mail, and other letters between them, that are looked at
_LONG = 20  # letters and digits of a row that is known for the letter's wherever a line of it was wrapped
_LINK = re.compile(r"<(?:mailto:|https?:)[^<>\s]{0,1000}>|\[(?:cid:[^\]\s]{0,200}\]|image:)")
_NO_SIGN = re.compile(r"[^0-9a-z=^+]+")
_WIDE = re.compile("[\uff01-\uff5e]")  # ASCII as East Asian keyboards write it


def folded(text: str) -> str:
    """A line's letters, digits and the signs that orders hang on. What is beyond ASCII is left out
    on both sides: it is what mail programs spoil first."""
    text = _LINK.sub("", text)
    text = unescape(text) if "&" in text else text
    return _NO_SIGN.sub("", _WIDE.sub(lambda sign: chr(ord(sign[0]) - 0xFEE0), text).lower())


class MailLine(NamedTuple):
    """A line of a mail as it is looked for in letters: its words folded, and the key before its colon."""

    line: Line
    words: str
    key: str | None

    @property
    def long(self) -> bool:
        return len(self.words) >= _LONG


class AsSent:
    """A letter's words in one run. `edges` are where its lines begin and end in it, `form` where its form begins (0
    where it shows none), whose `keys` are those, `orders` from where to where it repeats its reader's own orders."""

    def __init__(self, lines: Sequence[str], meant: Meant = NO_REPLY) -> None:
        parts = [folded(line) for line in lines]
        self.run, self.edges, self.keys = "".join(parts), {0, *accumulate(map(len, parts))}, _keys(meant.form)
        bare, said = folded(meant.form), folded(meant.orders)
        self.form = max(self.run.rfind(bare), 0) if bare else 0
        begun = max(self.run.find(said), 0)
        self.orders = range(begun, begun + len(said))

    def tells(self, row: MailLine) -> bool:
        """Whether a row says enough to be known for the letter's by itself, and is none like a line of its form."""
        return row.long and row.key not in self.keys

    def places(self, rows: Sequence[MailLine], *, often: bool = False) -> dict[Line, int]:
        """The lines that are the letter's, and where they stand in the run; one that says nothing is everybody's.
        `often`: also of a letter that came back more than once, or beside another one that says some of the same: what
        one look leaves over is looked at again, from its first long row on."""
        found = self._looked(rows)
        for _ in range(_COPIES - 1 if often else 0):
            over = [row for row in rows if row.words and row.line not in found]
            known = (n for n, row in enumerate(over) if self.tells(row) and row.words in self.run)
            if (first := next(known, None)) is None:
                break
            found |= self._looked(over[first:])
        return found | {row.line: -1 for row in rows if not row.words}

    def _looked(self, rows: Sequence[MailLine]) -> dict[Line, int]:
        """Long rows are found first, as many as follow one another: the head of a quoted mail may read like a line far
        below. What is short, or like a line of the form, only where it goes on between them, or as whole lines: an
        edited line may read like an example elsewhere in the letter."""
        known = [self.tells(row) for row in rows]
        found = [(n, self.run.find(row.words)) for n, row in enumerate(rows) if known[n]]
        places = dict.fromkeys(range(len(rows)), -1) | dict(_rising([one for one in found if one[1] >= 0]))
        ceilings, ceiling = [0] * len(rows), len(self.run)
        for n in reversed(range(len(rows))):
            ceilings[n] = ceiling
            ceiling = places[n] if places[n] >= 0 else ceiling
        low = 0
        for n, row in enumerate(rows):
            if places[n] < 0 and row.words:
                find = self.run.find if known[n] else self._between
                places[n] = find(row.words, low, ceilings[n])
            if places[n] >= 0:
                low = places[n] + len(row.words)
        # but for rows that end within a line of the letter which the next row does not go on with:
        # something was taken out there
        said, whole = [n for n, row in enumerate(rows) if row.words], dict[Line, int]()
        for n, below in zip(said, [*said[1:], None], strict=True):
            end = places[n] + len(rows[n].words)
            goes_on = below is not None and places[below] == end
            if places[n] >= 0 and (end in self.edges or goes_on):
                whole[rows[n].line] = places[n]
        return whole

    def _between(self, words: str, low: int, high: int) -> int:
        """Where the words go on at `low`, or end at `high`, or are whole lines between the two; -1 where nowhere."""
        if low + len(words) <= high and self.run.startswith(words, low):
            return low
        last = high - len(words)
        if low <= last and high < len(self.run) and self.run.startswith(words, last):
            return last
        at = self.run.find(words, low, high)
        while at >= 0 and not (at in self.edges and at + len(words) in self.edges):
            at = self.run.find(words, at + 1, high)
        return at


def _rising(found: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """The longest run of rows whose places follow one another."""
    ends: list[int] = []  # the least place at which a run of that length ends, and the row that does
    last: list[int] = []
    before = [-1] * len(found)
    for number, (_, place) in enumerate(found):
        length = bisect_left(ends, place)
        ends[length : length + 1] = [place]
        last[length : length + 1] = [number]
        before[number] = last[length - 1] if length else -1
    run, at = list[tuple[int, int]](), last[-1] if last else -1
    while at >= 0:
        run.append(found[at])
        at = before[at]
    return run[::-1]


PASTED: Final = "my own letter, pasted"  # what is left out of a mail that holds one
_COPY: Final = "HTML copy"  # what says the same as the words that are read
_MOST: Final = 3000  # lines that are compared
# Letters of the seat that are looked at, the newest first, where it is not the answered one that came back.
_LETTERS: Final = 30
_PROSE, _MANY = 6, 10  # words of a line that is worth looking for in the letter answered, and in others
SHORTEST = _PROSE * 3 - 1  # signs of such a line
_WORD = re.compile(r"[^\W\d_]{2,}")


class Returned(Value):
    """A letter of ours that may have come back; each of its two forms is read when it is first looked at."""

    letter: Letter

    @cached_property
    def text(self) -> AsSent:
        return AsSent(self.letter.page.text.splitlines(), self.letter.reply)

    @cached_property
    def html(self) -> AsSent:
        return AsSent([row.text for row in rows_of_html(self.letter.page.html)[0]], self.letter.reply)

    @property
    def forms(self) -> Iterator[AsSent]:
        """The letter as plain text, and as its HTML reads."""
        yield self.text
        yield self.html

    @cached_property
    def said_back(self) -> str:
        """What it repeats of players' words in one run: who writes the same once more may mean it."""
        lines = self.letter.page.text.splitlines()
        return "".join(folded(line) for line in lines if line.startswith(">"))


class Beside(Value):
    """What a mail's lines are compared with: the letter of ours that it `answered`, and the others."""

    case: Case

    @cached_property
    def answered(self) -> Returned | None:
        return None if self.case.letter is None else self._returned(self.case.letter)

    @cached_property
    def others(self) -> list[Returned]:
        """The last ones of the seat, but for the answered one, the newest first."""
        case, at = self.case, self.case.place
        rows = case.unit.last_letters(at.match.name, at.seat, case.sender.address, _LETTERS)
        answered = case.letter.head.message_id if case.letter else None
        return [self._returned(decoded(row)) for row in rows if row.message_id != answered]

    def _returned(self, letter: Letter) -> Returned:
        keys, mail = self.case.room.keys, self.case.mail
        said = (line.text.lstrip("> ") for line in (*mail.own, *mail.quoted))
        return Returned(replace(letter, page=recalled(letter.page, said, keys)))


def split_quotes(case: Case, ours: Beside) -> Case:
    """The case without the lines that are ours among the mail's own, and with the form inside the
    quote if its sender changed or added a line of it. Of words and an attached form the words
    alone, where by the game's own rule they hold an order or what looks like one; else both."""
    if case.place.match.inner is not None:
        if case.mail.attached is not None and _all_ours(case.mail.attached[0], ours):
            case = replace(case, mail=words_alone(case.mail))
        case = replace(case, mail=_without_pasted(case, ours))
        if case.meant.form and ours.answered is not None:
            case = replace(case, form=_changed_form(case, ours.answered, ours))
    if case.mail.attached is None:
        return case
    alone = words_alone(case.mail)
    return replace(case, mail=alone) if case.orders(alone.own) else case


def words_alone(mail: Mail) -> Mail:
    """A mail of words and an attached form, without the form; any other as it is."""
    if mail.attached is None:
        return mail
    lines, name = mail.attached
    attached = frozenset(lines)
    said = tuple(line for line in mail.own if line not in attached)
    return replace(mail, own=said, left_out=(*mail.left_out, LeftOut(name, said=lines)), attached=None)


# --- what was left out --------------------------------------------------------------------------------------------


def ignored_parts(case: Case, ours: Beside) -> tuple[LeftOut, ...]:
    """What of the mail was left out and has to be named in its answer: what holds a line like an order that is no
    letter's of ours come back; and what nobody looked into, where its sender's own words hold no order."""
    mail = case.mail
    said = _rows({line for part in mail.left_out for line in part.said})[:_MOST]
    forms = ours.answered.forms if said and ours.answered else ()
    known = {line for sent in forms for line in sent.places(said, often=True)}
    theirs = {row.line for row in said if row.line not in known and case.orders((row.line,))}
    theirs -= _of_others(case, said, known, ours) if theirs else set()
    silent = [part for part in mail.left_out if not (part.said or part.lines or part.what == _COPY)]
    silent = [] if silent and case.orders(mail.own) else silent
    return tuple(p for p in mail.left_out if p in silent or not theirs.isdisjoint(p.said))


# --- a form inside the quote -----------------------------------------------------------------------------------


def _changed_form(case: Case, answered: Returned, ours: Beside) -> tuple[Line, ...]:
    """The form inside our own quoted letter, from its first line on, where a line that orders something is neither
    that letter's, nor another's which came back with it, nor of the mail of his own that the sender answers."""
    quoted = tuple(line for line in case.mail.quoted if line.text.strip())
    first = answered.letter.reply.form.strip().partition("\n")[0]
    key, begun = _keys(first), folded(first)  # it begins at its first key, whatever now stands behind that
    begins = (_keys(x.text) == key if key else folded(x.text).startswith(begun) for x in quoted)
    starts = [n for n, so in enumerate(begins) if so]
    if not starts or len(quoted) > _MOST:
        return quoted[starts[0] :] if starts else ()  # more than is read, and refused as that
    rows, known, above = _rows(quoted), set[Line](), set[Line]()
    for sent in answered.forms:
        places = sent.places(rows, often=True)
        known.update(places)
        above.update(line for line, place in places.items() if place < sent.form)
        if known.issuperset(quoted):
            break
    theirs = quoted[next((n for n in starts if quoted[n] not in above), len(quoted)) :]

    def ordering() -> bool:
        """Whether a line of theirs that is not ours orders something, whatever stands around it: a
        line that introduces a quote within the quote does not, though it stands among orders."""
        return any(case.orders((line,)) for line in theirs if line not in known)

    if ordering():
        known |= _of_others(case, rows, known, ours)
    return theirs if ordering() else ()


def _of_others(case: Case, quoted: Sequence[MailLine], known: set[Line], ours: Beside) -> set[Line]:
    """The lines of other letters that are visibly there too, marked or not, and of a mail of his
    own that he answers."""
    found: set[Line] = set()
    rows = sorted((*quoted, *_rows(case.mail.own)), key=lambda row: row.line.number)
    telling = [row for row in rows if row.long and row.key is None and row.line not in known]
    for other in ours.others if telling else ():
        its = [row for row in telling if row.words not in other.said_back]
        for sent in other.forms:
            if any(row.words in sent.run for row in its):
                places = sent.places(rows, often=True)
                found.update(places if any(row.line in places for row in its) else ())
    # a mail of its sender's own, where it is not a letter of ours that the mail answers
    answered, letter = case.mail.references[-1:], case.letter
    if answered and not (letter and letter.head.message_id == answered[0]):
        for kept in case.unit.mails_called(answered[0])[:1]:
            if kept.sender == case.kept.sender and not kept.cut:
                mail = case.room.reader.read(kept.raw)
                found.update(AsSent([line.text for line in (*mail.own, *mail.quoted)]).places(quoted))
    return found


# --- our letter without marks --------------------------------------------------------------------------------------


def _all_ours(attached: Sequence[Line], ours: Beside) -> bool:
    """Whether nothing in an attached text is the sender's; where nothing says which letter the mail
    answers, by any of the seat's."""
    rows = _rows(attached)
    lines = {row.line for row in rows}
    sent = ours.others if ours.answered is None else (ours.answered,)
    return any(lines <= set().union(*(form.places(rows) for form in one.forms)) for one in sent)


def _without_pasted(case: Case, ours: Beside) -> Mail:
    """The mail without what of our letter stands unmarked among its own words: the rest of a quoted line, which a
    program wrapped, and a letter pasted whole; of one with a changed form what stands above that."""
    mail = case.mail
    prose = [line for line in mail.own if _words(line) >= _PROSE]
    if not (prose or _may_go_on(mail)) or len(mail.own) + len(mail.quoted) > _MOST:
        return mail
    rows = [row for row in _rows((*mail.own, *mail.quoted)) if row.words]
    wrapped, pasted, above = set[Line](), set[Line](), set[Line]()
    for one in _candidates(case, prose, ours):
        run, higher = set[Line](), set[Line]()
        for sent in one.forms:
            places = sent.places(rows)
            wrapped |= _wrapped(sent, rows, places, mail)
            known = [line for line in prose if line in places and places[line] not in sent.orders]
            known = [line for line in known if not 0 < sent.form <= places[line]]
            run |= _run_of(rows, places, [x for x in known if folded(x.text) not in one.said_back], mail)
            higher.update(line for line in run if places.get(line, sent.form) < sent.form)
        if len(run) > len(pasted):
            pasted, above = run, higher
        if prose and pasted.issuperset(prose):
            break
    mail = _moved(mail, wrapped - pasted)
    first = min((line.number for line in pasted), default=0)
    below = [line for line in mail.own if line not in pasted and line.number > first] if pasted else []
    silent = {line for line in below if not any(map(str.isalnum, line.text))}  # rulers, marks of empty lines
    new = tuple(line for line in below if line not in silent)
    changed = bool(new) and case.orders(mail.own, new)
    return _moved(mail, above if changed else pasted | silent)


def _candidates(case: Case, prose: Sequence[Line], ours: Beside) -> Iterator[Returned]:
    """The letter that the mail answers; then, where it holds orders beside long lines, those of the
    seat's last ones that hold such a line too."""
    if ours.answered is not None:
        yield ours.answered
    known = [folded(line.text) for line in prose if _words(line) >= _MANY]
    if ours.answered is None and _may_go_on(case.mail):  # what a program wrapped is known by what is marked
        known += [folded(line.text) for line in case.mail.quoted if _words(line) >= _PROSE]
    if known and case.orders(case.mail.own):
        for one in ours.others:
            if any(words in one.text.run and words not in one.said_back for words in known):
                yield one


# --- lines beside a letter ---------------------------------------------------------------------------------------


def _rows(lines: Iterable[Line]) -> list[MailLine]:
    """Those that are not blank, in their order."""
    said = sorted((line for line in lines if line.text.strip()), key=lambda line: line.number)
    read = ((line, *keyed(line.text)) for line in said)
    return [MailLine(line, folded(line.text), None if value is None else key) for line, key, value in read]


def _keys(text: str) -> frozenset[str]:
    """What stands before the colons of lines with keys."""
    return frozenset(key for key, value in map(keyed, text.splitlines()) if value is not None)


def _words(line: Line) -> int:
    return len(_WORD.findall(line.text[:400]))


def _may_go_on(mail: Mail) -> bool:
    """Whether an own line stands directly below a quoted one."""
    below = {line.number + 1 for line in mail.quoted}
    return not below.isdisjoint(line.number for line in mail.own if line.text.strip())


def _wrapped(sent: AsSent, rows: Sequence[MailLine], places: Mapping[Line, int], mail: Mail) -> set[Line]:
    """Own lines that go on directly below a quoted one, in the midst of a line of the letter."""
    found, own = set[Line](), frozenset(mail.own)
    for above, row in pairwise(rows):
        place, follows = places.get(row.line, -1), row.line.number == above.line.number + 1
        below = row.line in own and (above.line not in own or above.line in found)
        if below and follows and place == _end(above, places) > 0 and place not in sent.edges:
            found.add(row.line)
    return found


def _run_of(
    rows: Sequence[MailLine], places: Mapping[Line, int], known: Sequence[Line], mail: Mail
) -> set[Line]:
    """Own lines that are the letter's, from the first one that is `known` for it; above that one
    those that lead up to it."""
    if not known:
        return set()
    own, first = frozenset(mail.own), [row.line for row in rows].index(known[0])
    found = {row.line for row in rows[first:] if row.line in own and row.line in places}
    for above, below in pairwise(reversed(rows[: first + 1])):
        if below.line not in own or places.get(above.line, -1) != _end(below, places):
            break
        found.add(below.line)
    return found


def _end(row: MailLine, places: Mapping[Line, int]) -> int:
    return places[row.line] + len(row.words) if row.line in places else -1


def _moved(mail: Mail, ours: set[Line]) -> Mail:
    """The mail with those of its own lines among the quoted ones."""
    if not ours:
        return mail
    own = tuple(line for line in mail.own if line not in ours)
    quoted = sorted((*mail.quoted, *ours), key=lambda line: line.number)
    pasted = LeftOut(PASTED, len(ours), tuple(sorted(ours, key=lambda line: line.number)))
    return replace(mail, own=own, quoted=tuple(quoted), left_out=(*mail.left_out, pasted))
