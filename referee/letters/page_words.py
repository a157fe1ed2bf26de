"""What templates of the referee's own letters call: how values are told within a sentence
(moments, lengths of time, lines, lists, names, the parts of an answer), rows of tables, and the
words for entries and complaints."""

import re
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from functools import cache
from typing import Any, TypeAlias, TypedDict
from zoneinfo import ZoneInfo

import jinja2
from markupsafe import Markup, escape

from referee.club.events import EventAnnounced, Proposed
from referee.club.standings import counted
from referee.core.game import AnyGame, View
from referee.core.seam import foresees, headings
from referee.core.texts.speech import Speech, called, few, plain, short
from referee.core.value import Complaint, Demand, Line, RuleText
from referee.language.interpret import beyond_courtesy
from referee.language.sentences import words_of
from referee.match import events as ev
from referee.match.events import Entry
from referee.match.match import Match, OpenRound
from referee.match.timing import telling

When = Callable[[datetime | None], str]


def clock_in(zone: str | None, fallback: str) -> When:
    """How a moment is told: in the person's zone where known, with UTC beside it."""
    own = ZoneInfo(zone or fallback)

    def when(at: datetime | None) -> str:
        if at is None:
            return "no deadline"
        local = at.astimezone(own)
        told = f"{local:%A} {local.day} {local:%B %Y, %H:%M} {local.tzname()}"
        if local.utcoffset():
            utc = at.astimezone(UTC)
            day = "" if utc.date() == local.date() else f" on {utc.day} {utc:%B}"
            told += f" ({utc:%H:%M} UTC{day})"
        return told

    return when


def moment_in(at: datetime, zone: str | None, fallback: str) -> str:
    """A moment in a subject, in the person's zone where known: "Tue 13 Jan 16:00"."""
    local = at.astimezone(ZoneInfo(zone or fallback))
    return f"{local:%a} {local.day} {local:%b %H:%M}"


def span(length: timedelta | int) -> str:
    """A length of time (a whole number is seconds) in words: "2 weeks", "1 day 12 hours"."""
    seconds, parts = length if isinstance(length, int) else int(length.total_seconds()), list[str]()
    weeks = (("week", 604800),) if seconds and seconds % 604800 == 0 else ()
    for unit, size in (*weeks, ("day", 86400), ("hour", 3600), ("minute", 60), ("second", 1)):
        count, seconds = divmod(seconds, size)
        if count:
            parts.append(f"{count} {unit}" if count == 1 else f"{count} {unit}s")
    return " ".join(parts[:2]) or "no time"


# --- filters of templates -------------------------------------------------------------------------------------------

_BESIDE = re.compile(r"(?:Player|Round|Cycle): \d+$")


def numbered(lines: Sequence[Line]) -> str:
    """Lines by their numbers: "line 4", "lines 3, 5 and 7 to 16"."""
    runs: list[list[int]] = []
    for number in sorted({line.number for line in lines}):
        if runs and number == runs[-1][-1] + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    words = [word for run in runs for word in ([f"{run[0]} to {run[-1]}"] if len(run) > 2 else map(str, run))]
    return f"line{'s' if len(lines) > 1 else ''} {listed(words)}"


def orders_said(answer: Speech) -> Speech:
    """The lines of an answer without those that say whose and of when it is, as a subject does."""
    return Speech("\n".join(line for line in answer.text.splitlines() if not _BESIDE.match(line)))


_SEAT = re.compile(r"player \d+", re.IGNORECASE)
_NUMBERED = re.compile(r"(.*?)\s*(\d+)")
_PLAIN = {"ply": "move", "shown ply": "shown move"}  # of a label, in plain words


def staged(words: str, label: str) -> str:
    """The words for an answer with the stage of the match that the label names, if it names one."""
    stages: list[str] = []
    for part in re.split(r" / |, ", label):
        found = _NUMBERED.fullmatch(part)
        if found is None or _SEAT.fullmatch(part):
            continue
        of, number = _PLAIN.get(found[1].lower(), found[1].lower()), found[2]
        if not words.lower().endswith(of):
            stages.append(f"{of} {number}")
        elif number != "1":
            stages.append(f"no. {number}")
    return f"{words} ({', '.join(stages)})" if stages else words


@jinja2.pass_context
def name_of(context: Mapping[str, Any], seat: int) -> str:
    """A seat's name, in a chain of filters."""
    return str(context["name"](seat))


def name_of_in(seat: int, match: Match) -> str:
    """A seat's name in a match; none of whoever had it before it was vacated."""
    if seat in match.vacated:
        return f"Player {seat}"
    return called(match.entrant(seat).name, seat if match.seating else None)


def listed(entries: Sequence[object], last: str = "and") -> str:
    """ "a, b and c"."""
    words = [str(entry) for entry in entries]
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} {last} {words[-1]}" if words else ""


FILTERS = (span, numbered, listed, name_of, name_of_in, orders_said, called, counted, headings)
Context: TypeAlias = Mapping[str, Any]  # what a template is rendered with, by name

SHARED = "referee/kit"  # the words for what is the same in several games
_QUOTED = re.compile(r'"(.*)"', re.DOTALL)
LONGEST_OPTION = 60  # characters of an option that a letter shows
LONGEST_SHOWN = 300  # characters of a mail's line that a letter shows


def abridged(text: str) -> str:
    """A sender's words as a letter shows them back: the beginning of a long line."""
    text = text.strip()
    return text if len(text) <= LONGEST_SHOWN else f"{text[:LONGEST_SHOWN].rstrip()}..."


class Worded(TypedDict):
    """A complaint in words: what is wrong, what would mend it, and of faults that are not alike each with its lines."""

    says: str
    mend: str
    cases: list[dict[str, object]]


_compiled = cache(jinja2.Environment.from_string)  # to compile one takes longer than a whole page


def filled_in(spoken_by: jinja2.Environment, sentence: str, facts: Context) -> Markup:
    """One sentence of a template's; what was escaped in it is escaped once."""
    return Markup(" ".join(_compiled(spoken_by, sentence).render(facts).split()))


Tables = Callable[[str], Mapping[str, Any]]  # reads a TOML file of the templates


def _shown(fact: object, line: str) -> object:
    """A fact of a complaint as its sentence shows it: a sender's words, those of the line at fault
    above all, without what could pass for ours, and no longer than a letter shows them."""
    if not isinstance(fact, str) or isinstance(fact, RuleText):
        return fact
    told = fact.strip().casefold()
    return short(fact) if told and told in line.casefold() else abridged(plain(fact))


class PageWords:
    """The vocabulary of one page, which is rendered with `context`."""

    def __init__(self, spoken_by: jinja2.Environment, tables: Tables, context: dict[str, Any]) -> None:
        self._spoken_by = spoken_by
        self._tables = tables
        self._context = context
        self._told: dict[int, str] = {}  # by version: what an answer says hangs on what follows
        self._macros: dict[str, Any] = {}  # of other templates, made once a page

    def by_name(self) -> Context:
        """Everything here by the name under which templates call it."""
        names = (name for name in vars(PageWords) if not name.startswith("_") and name != "by_name")
        return {name: getattr(self, name) for name in names}

    def speak(self, where: str, macro: str, *given: object, missing: str | None = None) -> str:
        """What another template's macro says, or that of several games; `missing` where there is none of that name."""
        for each in (where, SHARED):
            if each not in self._macros:
                self._macros[each] = self._spoken_by.get_template(f"{each}.j2").make_module(self._context)
            if hasattr(self._macros[each], macro):
                spoken: Markup = getattr(self._macros[each], macro)(*given)
                return spoken
        if missing is None:
            raise jinja2.UndefinedError(f"{where}.j2 has no macro {macro}")
        return missing

    def tell(self, entry: Entry) -> str:
        """What an entry says in words; nothing where it needs none, or where the game's own words hold it already."""
        if (told := self._told.get(entry.version)) is None:
            answered, ahead = (isinstance(entry.event, kind) for kind in (ev.Answered, ev.AnsweredAhead))
            following = (e for e in (self._context["entries"] if answered else ()) if e.cause == entry.cause)
            happened = (e for e in following if isinstance(e.event, ev.Happened))
            by_game = any(str(self.tell(e)).strip() for e in happened)
            told = "" if by_game and not ahead else self.entry_says(entry, *((by_game,) if ahead else ()))
            self._told[entry.version] = told
        return told

    def tell_lapse(self, entry: Entry) -> str:
        """An entry in a letter about a deadline: of a reveal only who was missing; the rest has its own letter."""
        revealed = isinstance(entry.event, ev.RoundRevealed)
        return self.entry_says(entry, macro="RoundMissed") if revealed else self.tell(entry)

    def entry_says(
        self, entry: Entry, *more: object, macro: str = "{}", view: str = "public", missing: str | None = None
    ) -> str:
        """What the macro for an entry says, which is called like its event or the game's: by the `view` of the one
        seat that may know of a secret one; or what proves it (`{}Proof`), what is its reader's own (`{}Yours`)."""
        name, event = self._context["name"], entry.event
        if isinstance(event, ev.Happened):
            happened, where = self._context["happened"](entry), f"{self._context['game'].slug}/happenings"
            called = macro.format(type(happened).__name__)
            return self.speak(where, called, happened, self._context[view], name, missing=missing)
        match, when = self._context["match"], self._context["when"]
        called = macro.format(type(event).__name__)
        return self.speak("referee/happenings", called, event, match, name, when, *more, missing=missing)

    def worded(
        self, complaints: Sequence[Complaint], told: Sequence[Complaint] = ()
    ) -> list[dict[str, object]]:
        """Each complaint with its words, its rule as cited, its lines; what says the same as an
        earlier one, or as one of those `told`, of the same line or of none, is left out."""
        game: AnyGame | None = self._context["game"]
        slug = game.slug if game else "referee"
        found: dict[str, list[dict[str, object]]] = {}
        for number, c in enumerate((*told, *complaints)):
            said = self.complaint_in_words(c, slug)
            rule = "house rule" if c.rule == "house" else c.rule if " " in c.rule else f"rule {c.rule}"
            words = {**said, "rule": rule if c.rule else "", "lines": c.lines}
            alike, place = found.setdefault(str(words["says"]), []), {line.text for line in c.lines}
            others: list[Any] = [other["lines"] for other in alike]
            if not any(not lines or not place or {x.text for x in lines} == place for lines in others):
                alike.append({**words, "new": number >= len(told)})
        return [words for alike in found.values() for words in alike if words["new"]]

    def complaint_in_words(self, complaint: Complaint, slug: str) -> Worded:
        """The words of a complaint, a game's own before the referee's (`complaints.toml`): what is wrong (`says`), what
        would mend it (`mend`). Of like faults on several lines: the words for all of them (`all_says`, `all_mend`,
        given `each` with the facts of every one), else `cases`, of each its words and lines."""
        own: Mapping[str, str] | None = self._tables(f"{slug}/complaints.toml").get(complaint.code)
        words = own or self._tables("referee/complaints.toml")[complaint.code]

        def spoken(part: str, facts: Context, line: str = "") -> Markup:
            shown = {name: _shown(fact, line) for name, fact in facts.items()}
            return filled_in(self._spoken_by, words.get(part, ""), shown)

        if complaint.also and "all_says" in words:
            several = {"rule": complaint.rule, "each": [dict(one.facts) for one in complaint.each]}
            return {"says": spoken("all_says", several), "mend": spoken("all_mend", several), "cases": []}
        told: dict[tuple[Markup, Markup], list[Line]] = {}
        for one in complaint.each:
            facts = {"line": one.line, "rule": one.rule, "when": self._context["when"], **one.facts}
            of_line = one.line.text if one.line else ""
            both = spoken("says", facts, of_line), spoken("mend", facts, of_line)
            told.setdefault(both, []).extend(one.lines)
        mends = list(dict.fromkeys(mend for _, mend in told))
        cases: list[dict[str, object]] = [
            {"says": says, "mend": mend if len(mends) > 1 else "", "lines": lines}
            for (says, mend), lines in told.items()
        ]
        says = Markup(" ").join(says for says, _ in told)
        return {"says": says, "mend": Markup(" ").join(mends), "cases": cases if len(told) > 1 else []}

    foresees = staticmethod(foresees)

    def beyond_courtesy(self, lines: Sequence[Line]) -> list[Line]:
        """The lines that say more than a greeting and a name: only they may have been meant as orders."""
        reader = self._context["reader"]
        own = frozenset(words_of(reader.name)) if reader else frozenset[str]()
        game: AnyGame | None = self._context["game"]
        return list(beyond_courtesy(lines, own, game.slug if game else "", behind=True))

    @staticmethod
    def numbered_lines(lines: Sequence[Line]) -> Speech:
        told = [f"Line {line.number}: {abridged(line.text)}" for line in lines if line.text.strip()]
        return Speech("\n".join(told[:12]))

    @staticmethod
    def quoted_lines(lines: Sequence[Line]) -> Speech:
        return Speech("\n".join(abridged(line.text) for line in lines))

    @staticmethod
    def chosen_sentences(sentences: Sequence[str]) -> list[str]:
        """What mending chose; what it quotes of the mail ends at its last quotation mark."""
        return [_QUOTED.sub(lambda said: few(Speech(said[1])), sentence) for sentence in sentences]

    def task(self, label: str, demand: Demand, game: AnyGame | None = None) -> str:
        """What is owed, as people call it: "turn (round 3)", "Initial Purchase". What of a round's
        label says no more than the words for the answer, or who gives it, is left out."""
        slug = (game or self._context["game"]).slug
        words: str = self._context["helps"](slug).get("duties", {}).get(demand.kind, demand.kind)
        return staged(words, label)

    def stands(self, match: Match, view: View | None, game: AnyGame) -> str:
        """How far a match is, as a sentence: the phase where there are words for it."""
        if view is None:
            return "Players are still missing."
        if match.status == "ended":
            return "The match is over."
        words: str = self._context["helps"](game.slug).get("phases", {}).get(view.phase, "")
        told = "; ".join(filter(None, (words, "the match is paused" if match.status == "paused" else "")))
        return f"{told[:1].upper()}{told[1:]}." if told else ""

    def task_called(self, label: str) -> str:
        """What is owed in the round of that label, if it is still open; else the label."""
        match: Match = self._context["match"]
        r = match.round(label)
        return self.task(label, r.demands[0]) if r else f'"{label}"'

    def tasks(
        self, owes: Sequence[tuple[OpenRound, Demand]], game: AnyGame | None = None
    ) -> list[dict[str, object]]:
        """What is owed, those together who owe the same until the same moment: `what`, `who`
        (names, the reader as "you"), `until`."""
        name, reader = self._context["name"], self._context.get("reader")
        found: dict[tuple[str, datetime | None], list[str]] = {}
        for r, d in owes:
            who = "you" if reader and reader.seat == d.seat else name(d.seat)
            found.setdefault((self.task(r.label, d, game), r.due_for(d.seat)), []).append(who)
        return [
            {"what": what, "who": list(dict.fromkeys(who)), "until": until}
            for (what, until), who in found.items()
        ]

    def option_sentences(
        self, match: Match | Proposed | EventAnnounced, usual: Mapping[str, str] | None = None
    ) -> list[str]:
        """The options of a match, or of what is to be one, as sentences; those that change nothing
        in it have none, but where they are not the `usual` ones."""
        sentences: Mapping[str, str] = self._context["help"].get("options", {})
        options = {name: match.options.get(name, "") for name in sentences}
        seats = match.size if isinstance(match, EventAnnounced) else match.seats
        facts = {"seats": seats, **options}
        said = {
            name: filled_in(self._spoken_by, text, {**facts, "value": options[name]})
            for name, text in sentences.items()
            if name in match.options
        }
        for name, value in (usual or {}).items():
            if not said.get(name) and (chosen := match.options.get(name, value)) != value:
                words = f"The option {name} is {escape(chosen)}; usually it is {value or 'empty'}."
                said[name] = Markup(words)
        return [sentence for sentence in said.values() if sentence]

    @staticmethod
    def option_line(match: Match) -> str:
        """The options as `referee open` takes them; of long texts (a position) only that there are some."""
        told = ((key, value) for key, value in telling(match.options).items() if value)
        return ", ".join(f"{key}={v if len(v) <= LONGEST_OPTION else '...'}" for key, v in told)

    @staticmethod
    def names(people: Sequence[Any]) -> str:
        """Persons by name, in a row."""
        return listed([called(person.name) for person in people])

    @staticmethod
    def moved_by_rule(event: ev.DeadlineMoved) -> str:
        """Why the deadline moved, where no moderator moved it."""
        return event.why if event.why in (ev.AWAY, ev.BY_THE_CLOCK) else ""
