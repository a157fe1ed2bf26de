"""What an order to the desk says: the arguments of the command line, or the words of a mail, made
into what is to be done, with all that is wrong with them. Nothing is done here."""

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, NamedTuple, TypeVar
from zoneinfo import ZoneInfo

from referee.base.errors import WrongUsage
from referee.core.options import duration
from referee.core.texts.bounded import whole
from referee.core.value import FreeText, Value
from referee.match import commands as do
from referee.match import events as ev
from referee.match.arguments import entrant, given, instant
from referee.match.commands import MatchCommand
from referee.moderation.verbs import MOST, TELLING, VERBS, Argument
from referee.offices.register import NewMatch

T = TypeVar("T")
Known = Callable[[str], str | None]  # the name of the match that a word names, whatever its case

PARKED = re.compile(r"letter-(\d{1,9})")  # how a letter is named that may have left
_OUTCOMES = ("called-off", "drawn", "won")
_MOST_WHY = 2000


class Given(NamedTuple):
    """What is said already: by the item of the desk's letter that a number names, or by brackets in the subject."""

    match: str | None = None
    seat: int | None = None
    which: str = ""


NOTHING = Given()


class Amending(NamedTuple):
    """What `amend` asks for: options as typed, and whether the game's data are taken anew."""

    options: Mapping[str, str]
    data: bool


class Addresses(NamedTuple):
    """What `address` and `handover` ask for: who has the new address had the old one; or comes to
    the desk instead, or `beside` those who are there; or leaves it (`off`)."""

    old: str
    new: str
    beside: bool = False
    off: bool = False


class DeskOrder(Value):
    """One order to the desk. `faults` are all that is wrong with it; where there are none and it is about matches, it
    has a `command`. `said` is the command line's word of what was done, `written` the order as it was understood."""

    verb: str
    match: str | None = None
    every: bool = False  # about all matches in which time runs
    which: str = ""  # a mail's number, a match whose search is held, or `all`
    command: MatchCommand | Amending | NewMatch | Addresses | None = None
    check: bool = False
    moderator: bool = False
    why: FreeText = ""
    said: str = ""
    written: str = ""
    faults: tuple[str, ...] = ()
    unsure: bool = False  # it may ask for a dry run: it is done once its writer has said OK
    line: FreeText = ""  # of a mail, that gave it

    @property
    def acts(self) -> bool:
        """Whether it would change anything."""
        return self.verb not in TELLING and not self.check and not self.unsure


def order_of(verb: str, said: Mapping[str, Any]) -> DeskOrder:
    """The order that the arguments of the command line give. Raises WrongUsage."""
    order = _Making(verb, said, said.get("match")).order(check=bool(said.get("check")))
    if order.faults:
        raise WrongUsage(*dict.fromkeys(order.faults))
    return order


def read_order(
    line: str, known: Known, zone: str, given: Given = NOTHING, *, body: str = "", check: bool = False
) -> DeskOrder:
    """The order in a line of a mail that begins with a verb. `body` are the words of the mail below
    it: the reason, or what is to be said; a moment without offset is one of the `zone`.

    A reason in quotation marks ends with them, any other with its line. What asks for a dry run
    among words that may be the reason, or what is to be said, leaves in doubt whether it is one."""
    bare = line.rstrip(_ASKING)
    ending = line[len(bare) :] if line[len(bare) :].strip() else ""
    words = _Words(verb_of(line), known, given, ZoneInfo(zone))
    words.take(_tokens(bare if ending else line)[1:], ending)
    words.finish(line, body)
    order = words.order(check=check or words.check)
    if (order.check or words.unsure) and words.kind.of != "match" and words.kind.does != "tells":
        at_once = "without a question mark, or --check, it is done at once."
        return replace(order, faults=(*order.faults, f"There is no dry run of {order.verb}: {at_once}"))
    return replace(order, unsure=words.unsure)


# --- what it comes to ---------------------------------------------------------------------------------------------


class _Making:
    """Makes an order of what was `said`, by the argument's name: a text, a number, several of them, or whether a flag
    stands. A mail's has a `zone`."""

    def __init__(
        self, verb: str, said: Mapping[str, Any], match: str | None, zone: ZoneInfo | None = None
    ) -> None:
        self.verb, self.kind, self.said, self.match, self.zone = verb, VERBS[verb], {**said}, match, zone
        self.faults: list[str] = []

    @property
    def why(self) -> str:
        return " ".join((self.said.get("why") or "").split())

    def unless(self, fits: object, fault: str) -> None:
        """What is wrong where that is not so."""
        self.faults += [] if fits else [fault]

    def must(self, fits: object, say: str) -> None:
        self.unless(fits, f"It must say {say}.")

    def order(self, *, check: bool) -> DeskOrder:
        command, why, said = self.command(), self.why, self.said
        told = self.kind.does != "touches" or check or _says(why)
        self.unless(told, "It needs a reason: behind --why, or in the body of a mail.")
        long = f"The reason has {len(why)} letters; {_MOST_WHY} are the most."
        self.unless(self.zone is None or len(why) <= _MOST_WHY, long)
        words = self.done(command), self.written(), tuple(self.faults)
        about = self.verb, self.match, bool(said.get("all")), self.text("which")
        return DeskOrder(*about, command, check, bool(said.get("moderator")), why, *words)

    def text(self, name: str) -> str:
        return str(self.said.get(name) or "")

    def command(self) -> MatchCommand | Amending | NewMatch | Addresses | None:
        seat: int = self.said.get("number") or 0
        match self.verb:
            case "open":
                people = filter(None, (self.read(entrant, who) for who in self.said.get("seat") or ()))
                options = self.read(given, self.said.get("option") or ()) or {}
                game = self.needed("game", "which game: open GAME").lower()
                vacant: int = (self.said.get("vacant") or [0])[-1]
                name, beacon = self.text("name") or None, self.text("beacon") or None
                return NewMatch(game, tuple(people), options, (), {}, vacant, name, beacon=beacon)
            case _ if self.kind.addresses:
                flags = [bool(self.said.get(name)) for name in Addresses._fields[2:]]
                self.must(sum(flags) + bool(self.text("from")) < 2, "either --from, or --beside, or --off")
                for each in self.kind.addresses:
                    self.needed(each.name, f"which address: {self.kind.form}")
                return Addresses(self.text("old") or self.text("from"), self.text("new"), *flags)
            case "extend":
                place, by, until = self.said.get("seat"), self.text("by"), self.text("until")
                self.of_all(place is not None or until, "All matches are extended by a span, for all seats.")
                when = "until when (--until 2026-03-01T18:00Z)"
                self.must(bool(by) != bool(until), f"either by how much (--by 2d) or {when}")
                span = self.read(duration, by) if by else None
                self.must(span is None or span, "by how much more: no time at all is none")
                moment = self.read(instant, until.replace(" ", "T", 1), self.zone) if until else None
                return do.Extend(self.why, place, span, moment)
            case "pause":
                return ev.MatchPaused(self.why)
            case "resume":
                return ev.MatchResumed(self.why)
            case "rewind":
                what = "where it goes back to: a round such as Round 3 / Player 2, or a public position"
                to = self.needed("to", what)
                number = whole(to.strip())
                return do.Rewind(to if number is None else number, self.why)
            case "rule":
                illegal = self.said.get("illegal")
                self.must(illegal is not None, "either --legal or --illegal")
                turn = self.needed("turn", "the turn: such as Round 3 / Player 2")
                return ev.TurnRuled(turn, not illegal, self.why, reopened=False)
            case "amend":
                given_, data = self.said.get("option") or (), bool(self.said.get("data"))
                self.must(given_ or data, "what is amended: --option name=value, or --data")
                return Amending(self.read(given, given_) or {}, data)
            case "replace":
                who = self.needed("person", 'who: "Name <address>"')
                person = self.read(entrant, who) if who else None
                return ev.EntrantReplaced(seat, person, self.why) if person else None
            case "substitute":
                who = self.text("person")
                self.must(bool(who) != bool(self.said.get("off")), 'either "Name <address>", or --off')
                person = self.read(entrant, who) if who else None
                return ev.SubstituteNamed(seat, person) if person else ev.SubstituteDropped(seat)
            case "vacate":
                return ev.SeatVacated(seat, self.why)
            case "say":
                text, alone = self.text("text"), self.said.get("seat") or 0
                # at the command line the first word is the match's place
                if self.said.get("all") and not text and self.zone is None:
                    text, self.match = self.match or "", None
                self.unless(_says(text), "There are no words: behind the match, or in the body of a mail.")
                self.of_all(alone, "All matches are told, without a seat.")
                return ev.SaidToOne(alone, text) if alone else ev.Said(text)
            case "end":
                how, winners = self.text("as"), tuple(sorted({*(self.said.get("winner") or ())}))
                if self.zone:  # at the command line the match says so
                    self.must(how in _OUTCOMES, "how it ends: as called-off, drawn or won")
                    self.must(how != "won" or winners, "who has won: winner 2")
                return ev.MatchStopped(how, winners, self.why)
            case "show" if self.zone and self.said.get("as"):
                self.faults.append("What a seat alone may see goes to that seat by mail, and to nobody else.")
        return None

    def of_all(self, beside: object, fault: str) -> None:
        """It is about one match, or about all and nothing `beside`."""
        one, every = self.match is not None, bool(self.said.get("all"))
        self.unless(one or every or self.zone, "It names no match.")
        self.unless(not (one and every), "It names a match, and all of them: which is meant?")
        self.unless(not (every and beside), fault)

    def read(self, reader: Callable[..., T], *given: Any) -> T | None:
        """What that makes of it; what is wrong with it is a fault."""
        try:
            return reader(*given)
        except (ValueError, WrongUsage) as error:
            self.faults.append(f"{error}.")
        return None

    def needed(self, name: str, what: str) -> str:
        self.must(self.text(name), what)
        return self.text(name)

    def done(self, command: MatchCommand | Amending | NewMatch | Addresses | None) -> str:
        """What was done, in the command line's words."""
        if isinstance(command, ev.SubstituteDropped):
            return f"Player {command.seat} has no substitute"
        name = command.entrant.name if isinstance(command, ev.EntrantReplaced | ev.SubstituteNamed) else ""
        ruling = "illegal" if self.said.get("illegal") else "legal"
        how = self.text("as").replace("-", " ")
        return self.kind.said.format(**{**self.said, "name": name, "ruling": ruling, "how": how})

    def written(self) -> str:
        """The order as it was understood, in the command line's words, but for what asks for a dry run."""
        words = [self.verb, *([self.match] if self.match else [])]
        for each in self.kind.arguments:
            value = self.why if each.name == "why" else self.said.get(each.name)
            if each.kind == "flag" and each.name != "check":
                flag = each.name if value else each.off if value is False else ""
                words += [f"--{flag}"] if flag else []
            elif each.name != "match" and value and each.kind != "flag":
                for one in value if each.many else (value,):
                    shown = f'"{one}"' if " " in str(one) else str(one)
                    words += [shown] if each.place else [f"--{each.name}", shown]
        return " ".join(words)


# --- the words of a mail ------------------------------------------------------------------------------------------

_WHY = frozenset(("why", "because", "reason"))
_CHECK = frozenset(("check", "preview"))
_TOKEN = re.compile(r'(?:"[^"]*"|[^\s"])+')
_QUOTES = str.maketrans(dict.fromkeys("“”„«»″", '"'))
_DASHES = re.compile(r"[-‐-―−]{1,2}(?=[A-Za-z])")  # mail programs make one long dash of two
CHECKS = re.compile(rf"{_DASHES.pattern}(?:check|preview)\W*", re.IGNORECASE)
_HIDDEN = re.compile(rf"{CHECKS.pattern}(?!\w)", re.IGNORECASE)  # whatever it is stuck to
_ASKING = "?？؟ "  # question marks that end a line
_QUOTED = re.compile(r'"[^"]*"')


def verb_of(line: str) -> str:
    """The verb that a line begins with; empty where it is none."""
    first = re.match(r"\W{0,3}([a-z]+)(?![\w'-])", line, re.IGNORECASE)
    return first[1].lower() if first and first[1].lower() in VERBS else ""


def is_order(line: str, known: Known, given: Given = NOTHING) -> bool:
    """Whether a line is an order to the desk by its shape, and not a sentence that begins with such a word."""
    verb, words = verb_of(line), _tokens(line.rstrip(_ASKING))[1:]
    bare = not words and not given.match
    if bare or verb in ("", "desk", "list"):
        return bare and verb in ("desk", "list")
    if verb == "rule" and not {"legal", "illegal", "turn"} & {_bare(word) for word in words}:
        return False  # how the rules are asked for
    first = _bare(words[0]) if words else ""
    if places := VERBS[verb].addresses:  # of two one alone is a player's word
        return sum("@" in word for word in words) >= len(places)
    if verb == "open":
        return len(words) == 1 or any(word.startswith("--") or "@" in word or "=" in word for word in words)
    if verb == "substitute" and not any(_seat_number(word) for word in words):
        return False  # a player's, of his own seat
    if VERBS[verb].of == "mail":
        number = PARKED.fullmatch(first) is not None or first.isdecimal() or first == "all"
        return number or (bool(words) and known(_plain(words[0])) is not None)
    named = given.match is not None or any(known(_plain(word)) for word in words[:3])
    return named or words[0].startswith("--") or (verb == "extend" and first == "all")


def _tokens(line: str) -> list[str]:
    """The words of a line; what stands in quotation marks is one."""
    line = re.sub(r"^\W{0,3}", "", line.translate(_QUOTES)).replace('" "', '"  "')
    return [re.sub(rf"\A{_DASHES.pattern}", "--", word) for word in _TOKEN.findall(line)]


def _plain(word: str) -> str:
    return word.replace('"', "").strip("[](),;:!").rstrip(".")


def _bare(word: str) -> str:
    return _plain(word).lstrip("-").lower()


def _seat_number(word: str) -> int | None:
    plain = _plain(word).lstrip("#")
    return int(plain) if plain.isdecimal() and len(plain) < 4 else None


class _Words(_Making):
    """Sorts the words of an order into what its verb takes."""

    def __init__(self, verb: str, known: Known, given: Given, zone: ZoneInfo) -> None:
        super().__init__(verb, {}, given.match, zone)
        self.known, self.given, self.slots, self.flags = known, given, self.kind.slots, self.kind.flags
        self.loose: list[str] = []
        self.named = self.check = self.unsure = False

    # --- word by word

    def take(self, words: list[str], ending: str) -> None:
        """`ending` are the question marks behind the line."""
        slot: Argument | None = None
        within = ""  # "why" or "text": the words without quotation marks that go on to the end of the line
        while words:
            word = words.pop(0)
            bare = self._option(word, words, person=slot is not None and slot.name == "person")
            value = word.partition("=")[2] if word.startswith("--") else ""
            if bare in _WHY:
                within, slot = self._phrase("why", [value, *words] if value else [*words], words), None
            elif bare in _CHECK:
                self.check = True
            elif bare in self.flags:
                self.said[bare], slot = True, None
            elif bare:
                slot = self._put(self.slots[bare], value) if value else self.slots[bare]
            elif self._names_match(word):
                slot = slot if slot is not None and slot.kind == "text" else None
            elif self.verb == "open" and "@" in word:
                slot = self._put(self.slots["seat"], word)
            elif slot is not None:
                slot = self._put(slot, word)
            elif self.verb == "say" and (self.match is not None or "all" in self.said):
                within = self._phrase("text", [word, *words], words)
            else:
                self.loose.append(word)
        if within:
            self.said[within] += ending
        self.unsure |= within == "why" and bool(ending)
        self.check |= not within and bool(ending)

    def _option(self, word: str, behind: list[str], *, person: bool = False) -> str:
        """The name of an option, with dashes or without; what stands in quotation marks is none, a
        person has names, and what is said may begin with any word."""
        dashed = word.startswith("--")
        name, sure = word.partition("=")[0] if dashed else word, dashed or self.verb != "say"
        bare = "" if '"' in name else _bare(name)
        if bare in _WHY:
            return bare if sure else ""
        if bare in _CHECK or (sure and bare in {*self.flags, *self.slots}):
            return bare if dashed or not person else ""
        return bare if bare in self.slots and behind and _seat_number(behind[0]) and not person else ""

    def _phrase(self, name: str, said: list[str], words: list[str]) -> str:
        """Takes a reason, or what is to be said up to its reason, from the words: alone what stands in quotation marks;
        its name where it goes on to the line's end."""
        quoted = bool(said) and _QUOTED.fullmatch(said[0]) is not None
        if quoted and (len(said) == 1 or said[1].startswith("--") or self._option(said[1], said[2:])):
            self.said[name], words[:] = said[0][1:-1], said[1:]
            return ""
        reasons = (n for n, each in enumerate(said) if name == "text" and each.startswith("--why"))
        end = next(reasons, len(said))
        dashed = (_bare(each) for each in said[:end] if each.startswith("--"))
        self.unsure |= any(name == "why" or each in _CHECK for each in dashed)
        self.said[name], words[:] = " ".join(said[:end]), said[end:]
        return "" if words else name

    def _put(self, slot: Argument, word: str) -> Argument | None:
        """A word into what takes it; what takes the next one."""
        value = _seat_number(word) if slot.kind == "number" else word
        if value is None:
            self.loose.append(word)
            return None
        self.said[slot.name] = [*self.said.get(slot.name, ()), value]
        return slot if slot.many is isinstance(value, int) else None

    def _names_match(self, word: str) -> bool:
        fits = self.kind.of == "match" and not self.named and '"' not in word
        found = self.known(_plain(word)) if fits else None
        if found is None:
            return False
        if self.match is not None and found != self.match:
            self.faults.append(f"This is about {self.match}, and the line names {found}.")
        self.named, self.match = True, found
        return True

    # --- all of them

    def finish(self, line: str, body: str) -> None:
        """What has no name goes where the verb takes such; the body's words are the reason, where the line gives none,
        or what is to be said, or the seats and options of a new match, each on a line."""
        if self.verb == "open":
            for below in body.translate(_QUOTES).replace(" --", "\n--").splitlines():
                self._below(below.strip())
            body = ""
        named, places = [word for word in self.loose if "@" in word], self.kind.addresses
        for each, word in zip(places, named, strict=False):
            self.said[each.name] = [_plain(word).strip("<>")]
            self.loose.remove(word)
        if self.verb == "rule":
            legal, illegal = self.said.pop("legal", False), self.said.get("illegal", False)
            self.said["illegal"] = illegal if legal != illegal else None
        if self.kind.of == "match" and self.match is None and "all" not in self.said:
            word = next((word for word in self.loose if not _plain(word).isdecimal()), "")
            if word:
                self.loose.remove(word)
            none = f"There is no match {_plain(word)!r}; the subject list shows them." if word else ""
            self.faults.append(none or "It names no match.")
        for each in self.kind.takes:
            if each.name == "which":
                self._which(each)
            elif each.kind == "number" and not each.many and self.verb not in ("show", "open"):
                self._seat(each)
            elif each.kind == "text" and (each.loose or each in places or each in self.slots.values()):
                self._several(each)
        shells = [f"--{each.name}" for each in self.kind.takes if each.shells]
        elsewhere = f"is the shell's: `referee {self.verb}` on the machine takes it."
        for word, plain in ((word, _plain(word)) for word in self.loose):
            unknown = f"I don't understand {plain!r} there."
            self.faults.append(f"{plain} {elsewhere}" if word in shells else unknown)
        if self.verb == "say":
            self.said["text"] = "\n\n".join(filter(None, (self.said.get("text", ""), body.strip())))
            return
        self.said["why"] = self.said.get("why") or body
        outside = _QUOTED.sub(" ", f"{line}\n{body}".translate(_QUOTES))
        self.unsure |= not self.check and _HIDDEN.search(outside) is not None

    def _below(self, line: str) -> None:
        """A line of a new match's mail: what its first word names, a player, or an option of the game."""
        said = re.fullmatch(r"(--)?(\w+)( *[:=] *| +)(.+)", line)
        dashes, name, mark, value = said.groups() if said else ("", "", "", "")
        if name.lower() in self.slots and (dashes or mark.strip() or " " not in value or "@" in value):
            self._put(self.slots[name.lower()], value)
        elif "@" in line or dashes:
            self.loose.append(f"--{name}" if dashes else re.sub(r"^\w+: +", "", line))
        elif "=" in mark or (mark.strip() and " " not in value):
            self.loose.append(f"{name}={value}")

    def _which(self, argument: Argument) -> None:
        single, letter = argument.most == MOST, argument.kind != "number"
        said, self.loose = [_plain(word).lstrip("#") for word in self.loose], []
        which = self.given.which
        if not which or (said and said[0] != which):
            which = (self.known(said[0]) or said[0]) if said else ""
            if self.given.which:
                self.faults.append(f"This is about mail {self.given.which}, and the line names {which}.")
        mail = whole(which) is not None or (letter and PARKED.fullmatch(which))
        fits = which and len(which) <= 80 and (mail or not single)
        self.must(fits, "which mail, by its number" + ("" if single else ", or all"))
        self.loose, self.said["which"] = said[1:], which

    def _seat(self, argument: Argument) -> None:
        said, needed = self.said.pop(argument.name, []), argument.needed
        numbers = [word for word in self.loose if _seat_number(word) is not None]
        if needed and not said and numbers:
            self.loose.remove(numbers[0])
            said = [_seat_number(numbers[0])]
        about = f"This is about Player {self.given.seat}, and the line names Player {[*said, 0][0]}."
        self.unless(not said or self.given.seat in (None, said[0]), about)
        self.must(said or not needed or self.given.seat is not None, "which player: player 2")
        self.loose += map(str, said[1:])
        self.said[argument.name] = said[0] if said else self.given.seat

    def _several(self, argument: Argument) -> None:
        """The words of a text, or of several."""
        name, said = argument.name, self.said.get(argument.name, [])
        if argument.loose and (argument.many or not said):
            fits = [word for word in self.loose if self._fits(name, word)]
            self.loose = [word for word in self.loose if word not in fits]
            said = [*said, *fits]
        said = [word.replace('"', "") for word in said]
        one = ("" if name == "by" else " ").join(said).strip(" ,;:.!()[]")
        self.said[name] = [word.rstrip(",;") for word in said] if argument.many else one

    def _fits(self, name: str, word: str) -> bool:
        if name == "by":
            return word[:1].isdecimal() and not self.said.get("until")
        if self.verb == "open":
            kind = "seat" if "@" in word else "option" if "=" in word else "game"
            return kind == name and not word.startswith("--")
        return name != "option" or "=" in word


def _says(text: str) -> bool:
    """Whether there are words in it, and not but the dots that stand for them."""
    return re.search(r"\w", text) is not None
