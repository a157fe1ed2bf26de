"""What of a mail is a letter of ours come back: its subject, or its words, quoted, pasted or attached, as it was sent
or with a form filled in. An unchanged letter orders nothing, whichever it is and however it comes."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from referee.core.complaint import LeftOut, Line
from referee.core.game import AnyGame
from referee.core.orders.block import keyed
from referee.core.replacing import replace
from referee.offices.incoming.case import Case
from referee.offices.incoming.routing import Route, answered_letter
from referee.offices.incoming.words.as_sent import AsSent, folded, is_long
from referee.offices.incoming.words.lines import COPY, PASTED, order_in, words_alone
from referee.offices.outgoing.letters import Letter, decoded
from referee.offices.ports.mail import UNPROVED, Mail, MailReading

_MOST = 3000  # lines that are compared
_LETTERS = (
    30  # of the seat that are looked at, the newest first, where it is not the answered one that came back
)
_PROSE, _MANY = 6, 10  # words of a line that is worth looking for in the letter answered, and in others
_WORD = re.compile(r"[^\W\d_]{2,}")


@dataclass(frozen=True, slots=True)
class Quotes:
    """Tells a sender's own words, and a form that he filled in inside a quote, from our letters come back."""

    reader: MailReading

    def answering(self, case: Case) -> Case:
        """The case with the letter of ours that its mail answers. A subject that is but that letter's orders nothing:
        it names the match, and what the letter was about."""
        replied = answered_letter(case.unit, case.mail.references)
        if replied is None:
            return case
        ours, mail = decoded(replied).head.subject, case.mail
        if not self.reader.repeats(mail.subject, ours):
            return replace(case, replied=replied)
        trying = mail.tag.preview and not ours.endswith("?")
        tag = replace(mail.tag, command=None, argument="", preview=trying)
        return replace(case, replied=replied, repeats=True, mail=replace(mail, tag=tag))

    def parted(self, game: AnyGame, at: Route, case: Case) -> Case:
        """The case without the lines that are ours among the mail's own, and with the form inside the quote if its
        sender changed or added a line of it."""
        if at.match.inner is None:
            return case
        case = replace(case, mail=self._without_attached(at, case))
        case = replace(case, mail=self._without_pasted(game, at, case))
        return replace(case, form=self._changed_form(game, at, case))

    # --- what was left out -----------------------------------------------------------------------------------------

    def passed_over(self, game: AnyGame, at: Route, case: Case) -> tuple[LeftOut, ...]:
        """What of the mail was left out and has to be named in its answer: what holds a line like an order that is no
        letter's of ours come back; and what nobody looked into, where its sender's own words hold no order."""
        mail = case.mail
        ordered = order_in(game, at, case, mail.own)
        said = sorted({line for part in mail.left_out for line in part.said}, key=_number)[:_MOST]
        ours: set[Line] = set()
        letter = decoded(case.replied) if case.replied and said else None
        for sent in self._as_sent(letter) if letter else ():
            ours.update(_places(sent, said, letter, often=True))
        theirs = {line for line in said if line not in ours and order_in(game, at, case, (line,))}
        if theirs:
            theirs -= self._of_others(at, case, said, ours)
        return tuple(
            part for part in mail.left_out
            if not theirs.isdisjoint(part.said) or not (part.said or part.lines or ordered or part.what == COPY)
        )  # fmt: skip

    # --- a form inside the quote -----------------------------------------------------------------------------------

    def _changed_form(self, game: AnyGame, at: Route, case: Case) -> tuple[Line, ...]:
        """The form inside our own quoted letter, from its first line on, where a line that orders something is neither
        that letter's, nor another's which came back with it, nor of the mail of his own that the sender answers."""
        letter = decoded(case.replied) if case.replied else None
        quoted = tuple(line for line in case.mail.quoted if line.text.strip())
        if letter is None or not letter.reply.form:
            return ()
        first = letter.reply.form.strip().partition("\n")[0]
        starts = [i for i, line in enumerate(quoted) if _begins(line, first)]
        if not starts or len(quoted) > _MOST:
            return quoted[starts[0] :] if starts else ()  # more than is read, and refused as that
        ours: set[Line] = set()
        above: set[Line] = set()
        for sent in self._as_sent(letter):
            places = _places(sent, quoted, letter, often=True)
            ours.update(places)
            above.update(line for line, place in places.items() if place < sent.form)
            if ours.issuperset(quoted):
                break
        start = next((i for i in starts if quoted[i] not in above), len(quoted))
        theirs = quoted[start:]
        if not _ordering(game, at, case, theirs, ours):
            return ()
        ours |= self._of_others(at, case, quoted, ours)
        return theirs if _ordering(game, at, case, theirs, ours) else ()

    def _of_others(self, at: Route, case: Case, quoted: Sequence[Line], ours: set[Line]) -> set[Line]:
        """The lines of other letters that are visibly there too, marked or not, and of a mail of his own that he
        answers."""
        found: set[Line] = set()
        rows = sorted((*quoted, *(line for line in case.mail.own if line.text.strip())), key=_number)
        for letter in self._other_letters(at, case):
            for sent in self._as_sent(letter):
                places = _places(sent, rows, letter, often=True)
                if any(
                    is_long(folded(line.text)) and not _keys([line.text]) for line in places.keys() - ours
                ):
                    found.update(places)
        for mail in self._own_mails(case):
            said = AsSent.of([line.text for line in (*mail.own, *mail.quoted)])
            found.update(_places(said, quoted, None))
        return found

    def _own_mails(self, case: Case) -> Iterator[Mail]:
        """Of its sender, where it is not a letter of ours that the mail answers."""
        answered = case.mail.references[-1:]
        if not answered or (case.replied and case.replied.message_id == answered[0]):
            return
        for kept in case.unit.mails_called(answered[0])[:1]:
            if kept.sender == case.kept.sender and not kept.cut:
                yield self.reader.read(kept.raw, proof=UNPROVED)

    # --- our letter without marks ----------------------------------------------------------------------------------

    def _without_attached(self, at: Route, case: Case) -> Mail:
        """The mail without an attached text in which nothing is the sender's; where nothing says which letter it
        answers, of whichever of the seat's."""
        if case.mail.attached is None:
            return case.mail
        rows = sorted((line for line in case.mail.attached[0] if line.text.strip()), key=_number)
        letters = self._other_letters(at, case) if case.replied is None else (decoded(case.replied),)
        for letter in letters:
            left = set(rows)
            for sent in self._as_sent(letter):
                left -= _places(sent, rows, letter).keys()
            if not left:
                return words_alone(case.mail)
        return case.mail

    def _without_pasted(self, game: AnyGame, at: Route, case: Case) -> Mail:
        """The mail without what of our letter stands unmarked among its own words: the rest of a quoted line, which a
        program wrapped, and a letter pasted whole; of one with a changed form what stands above that."""
        mail = case.mail
        prose = [line for line in mail.own if _words(line) >= _PROSE]
        if not (prose or _may_go_on(mail)) or len(mail.own) + len(mail.quoted) > _MOST:
            return mail
        rows = sorted((line for line in (*mail.own, *mail.quoted) if folded(line.text)), key=_number)
        wrapped: set[Line] = set()
        pasted: set[Line] = set()
        above: set[Line] = set()
        for letter in self._candidates(game, at, case, prose):
            run: set[Line] = set()
            higher: set[Line] = set()
            said = _said_back(letter)
            for sent in self._as_sent(letter):
                places = _places(sent, rows, letter)
                wrapped |= _wrapped(sent, rows, places, mail)
                known = [line for line in prose if line in places and not sent.is_own(places[line])]
                known = [line for line in known if folded(line.text) not in said]
                run |= _run_of(rows, places, known, mail)
                higher.update(line for line in run if places.get(line, sent.form) < sent.form)
            if len(run) > len(pasted):
                pasted, above = run, higher
            if prose and pasted.issuperset(prose):
                break
        mail = _moved(mail, wrapped - pasted)
        first = min((line.number for line in pasted), default=0)
        below = [line for line in mail.own if line not in pasted and line.number > first] if pasted else []
        silent = {
            line for line in below if not any(map(str.isalnum, line.text))
        }  # rulers, marks of empty lines
        new = tuple(line for line in below if line not in silent)
        changed = bool(new) and order_in(game, at, case, mail.own, new)
        return _moved(mail, above if changed else pasted | silent)

    # --- letters ---------------------------------------------------------------------------------------------------

    def _candidates(self, game: AnyGame, at: Route, case: Case, prose: Sequence[Line]) -> Iterator[Letter]:
        """The letter that the mail answers; then, where it holds orders beside long lines, those of the seat's last
        ones that hold such a line too."""
        if case.replied is not None:
            yield decoded(case.replied)
        known = [folded(line.text) for line in prose if _words(line) >= _MANY]
        if case.replied is None and _may_go_on(
            case.mail
        ):  # what a program wrapped is known by what is marked
            known += [folded(line.text) for line in case.mail.quoted if _words(line) >= _PROSE]
        if known and order_in(game, at, case, case.mail.own):
            for letter in self._other_letters(at, case):
                run, said = AsSent.of(letter.page.text.splitlines()).run, _said_back(letter)
                if any(words in run and words not in said for words in known):
                    yield letter

    def _other_letters(self, at: Route, case: Case) -> Iterator[Letter]:
        for row in case.unit.last_letters(at.match.name, at.seat, case.sender.address, _LETTERS):
            if case.replied is None or row.message_id != case.replied.message_id:
                yield decoded(row)

    def _as_sent(self, letter: Letter) -> Iterator[AsSent]:
        """The letter as plain text, and as its HTML reads."""
        yield AsSent.of(letter.page.text.splitlines(), letter.reply.form, letter.reply.orders)
        yield AsSent.of(self.reader.lines_of(letter.page.html), letter.reply.form, letter.reply.orders)


# --- lines beside a letter ---------------------------------------------------------------------------------------


def _places(
    sent: AsSent, lines: Sequence[Line], letter: Letter | None, *, often: bool = False
) -> dict[Line, int]:
    """The lines that are the letter's, and where they stand in it; one that says nothing is everybody's. `often`: also
    of its further copies."""
    keys = _keys(letter.reply.form.splitlines()) if letter else frozenset()
    rows = [folded(line.text) for line in lines]
    look = sent.all_places if often else sent.places
    places = look(rows, [bool(keys & _keys([line.text])) for line in lines])
    found = zip(lines, rows, places, strict=True)
    return {line: place for line, words, place in found if place >= 0 or not words}


def _said_back(letter: Letter) -> str:
    """What the letter repeats of players' words, in one run: who writes the same once more may mean it."""
    return "".join(folded(line) for line in letter.page.text.splitlines() if line.startswith(">"))


def _keys(lines: Sequence[str]) -> frozenset[str]:
    """What stands before the colons of lines with keys."""
    return frozenset(key for key, value in map(keyed, lines) if value is not None)


def _begins(line: Line, first: str) -> bool:
    """Whether a line is where our form begins: its key, whatever now stands behind it."""
    key = _keys([first])
    return key == _keys([line.text]) if key else folded(line.text).startswith(folded(first))


def _ordering(game: AnyGame, at: Route, case: Case, theirs: tuple[Line, ...], ours: set[Line]) -> bool:
    """Whether a line of theirs that is not ours orders something, whatever stands around it: a line that introduces a
    quote within the quote does not, though it stands among orders."""
    return any(order_in(game, at, case, (line,)) for line in theirs if line not in ours)


def _words(line: Line) -> int:
    return len(_WORD.findall(line.text[:400]))


def _may_go_on(mail: Mail) -> bool:
    """Whether an own line stands directly below a quoted one."""
    below = {line.number + 1 for line in mail.quoted}
    return any(line.number in below for line in mail.own if line.text.strip())


def _wrapped(sent: AsSent, rows: Sequence[Line], places: Mapping[Line, int], mail: Mail) -> set[Line]:
    """Own lines that go on directly below a quoted one, in the midst of a line of the letter."""
    found: set[Line] = set()
    own = frozenset(mail.own)
    for above, line in pairwise(rows):
        if line in own and (above not in own or above in found) and line.number == above.number + 1:
            place = places.get(line, -1)
            if place > 0 and place == _end(above, places) and place not in sent.edges:
                found.add(line)
    return found


def _run_of(rows: Sequence[Line], places: Mapping[Line, int], known: Sequence[Line], mail: Mail) -> set[Line]:
    """Own lines that are the letter's, from the first one that is `known` for it; above that one those that lead up to
    it."""
    if not known:
        return set()
    own, first = frozenset(mail.own), rows.index(known[0])
    found = {line for line in rows[first:] if line in own and line in places}
    for above, below in pairwise(reversed(rows[: first + 1])):
        if below not in own or places.get(above, -1) != _end(below, places):
            break
        found.add(below)
    return found


def _end(line: Line, places: Mapping[Line, int]) -> int:
    return places[line] + len(folded(line.text)) if line in places else -1


def _moved(mail: Mail, ours: set[Line]) -> Mail:
    """The mail with those of its own lines among the quoted ones."""
    if not ours:
        return mail
    own = tuple(line for line in mail.own if line not in ours)
    quoted = tuple(sorted((*mail.quoted, *ours), key=_number))
    pasted = LeftOut(PASTED, len(ours), tuple(sorted(ours, key=_number)))
    return replace(mail, own=own, quoted=quoted, left_out=(*mail.left_out, pasted))


def _number(line: Line) -> int:
    return line.number
