"""The subject tag: `Title: Heading / Player n / Round 3 / Cycle 1`, or a command to the office."""

import re
from collections.abc import Mapping
from itertools import chain

from referee.mail.mail import Tag
from referee.mail.read.decoding import tidy
from referee.mail.read.phrases import REPLY_PREFIXES

LONGEST = 500  # characters of a subject that are read
_EDGES = " ,;:.-\"'«»"

_PREFIX = re.compile(r"([^\W\d_][\w.' -]{0,11}?)\s?(?:[\[(^*]?\d{1,3}[\])]?)?\s?:\s*")
_BRACKET = re.compile(r"\[([^\[\]]{0,100})\]")
# What filters and lists put before a subject besides brackets; emoji, quotes and other signs are no part of it either.
_STAMP = re.compile(
    r"(?:\*{2,}[^*]{1,40}\*{2,}|\{[^{}]{1,60}\}|\((?:fwd?|re)\)|【[^【】]{1,60}】)\s*", re.IGNORECASE
)
_SIGNS = re.compile(r"[^\w\s?\[({*【]+\s*")
_WAS = re.compile(r"\(was:[^()]{0,200}\)?", re.IGNORECASE)
_PREVIEW = re.compile(r"preview\b\s*[:,;-]*\s*", re.IGNORECASE)
_NUMBERS = {
    word: n for n, word in enumerate(("one", "two", "three", "four", "five", "six", "seven", "eight"), 1)
}
_NUMBER = r"(?:no\.?|nr\.?|number|#)?\s*(\d{1,4}|" + "|".join(_NUMBERS) + r")\b"
_SEAT = re.compile(rf"(?:player|seat)[\s:]*{_NUMBER}", re.IGNORECASE)
_TURN_OF = re.compile(
    rf"(?:on |about |against )?(?:the )?turn of (?:player|seat)[\s:]*{_NUMBER}", re.IGNORECASE
)
_WITHIN_A_NAME = re.compile(r"\S-$")
_COUNT = re.compile(rf"(round|cycle)[\s:]*{_NUMBER}", re.IGNORECASE)
_SEAT_AFTER = re.compile(rf"[\s,;:(-]+(?:player|seat)\s*{_NUMBER}\)?", re.IGNORECASE)


def read_subject(text: str, titles: Mapping[str, str]) -> Tag:
    """The tag in a decoded subject, but for the kind that its heading names. `titles` maps every title of every game to
    its slug. Total."""
    known = sorted(titles, key=len, reverse=True)
    text, brackets, preview = _cleared(_one_line(text), known)
    ending = ""
    if text.endswith("?") and text != "?":
        whole, text = text, text.rstrip("? ")
        ending, preview = "" if preview else whole[len(text) :], True
    title, begun = next(((title, end) for title in known if (end := _title(title, text))), ("", 0))
    heading, stated = _parted(text[begun:])
    command, argument = _read_command(heading if title else text)
    return Tag(titles.get(title), heading, None, stated, brackets, preview, command, argument, text, ending)


def added(subject: str, ours: str, titles: Mapping[str, str]) -> str | None:
    """What a subject says beside that of a letter of ours, which it repeats: before it and behind it, prefixes and list
    tags apart. Nothing where it is cut short, or empty; None of a subject of its sender's own."""
    known = sorted(titles, key=len, reverse=True)
    theirs, mine = (_cleared(_one_line(text), known)[0] for text in (subject, ours))
    signs = [(sign, place) for place, text in enumerate(theirs) for sign in _squashed(text)]
    said, wanted = "".join(sign for sign, _ in signs), _squashed(mine)
    if wanted.startswith(said):
        return ""
    at = said.find(wanted) if wanted else -1
    if at < 0:
        return None
    begins, ends = signs[at][1], signs[at + len(wanted) - 1][1] + 1
    return f"{theirs[:begins].strip(_EDGES)} {theirs[ends:].strip(_EDGES)}".strip()


def _one_line(text: str) -> str:
    return " ".join(tidy(text[:LONGEST]).split())


def _cleared(text: str, known: list[str]) -> tuple[str, tuple[str, ...], bool]:
    """The subject without prefixes, brackets and the word Preview; what stood in brackets; whether Preview did."""
    brackets: list[str] = []
    preview = False
    while True:
        if (bracket := _BRACKET.match(text)) and bracket[1].strip():
            brackets.append(bracket[1].strip())
            text = text[bracket.end() :].lstrip(" :-")
        elif (stamp := _STAMP.match(text) or _SIGNS.match(text)) and text[stamp.end() :]:
            text = text[stamp.end() :]
        elif (word := _PREVIEW.match(text)) and text[word.end() :]:
            preview, text = True, text[word.end() :]
        elif (prefix := _PREFIX.match(text)) and _is_prefix(prefix, text, known):
            text = text[prefix.end() :]
        else:
            break
    brackets += [found.strip() for found in _BRACKET.findall(text)]
    text = " ".join(_WAS.sub("", _BRACKET.sub(" ", text)).split())
    return text, tuple(dict.fromkeys(filter(None, brackets))), preview


def _is_prefix(prefix: re.Match[str], text: str, known: list[str]) -> bool:
    word = prefix[1].strip().lower()
    if any(_title(title, text) for title in known) or word.rstrip(".") in COMMANDS:
        return False
    if word.rstrip(".") in REPLY_PREFIXES:
        return True
    rest = _BRACKET.sub("", text[prefix.end() :]).lstrip()
    while (further := _PREFIX.match(rest)) and further[1].strip().lower().rstrip(".") in REPLY_PREFIXES:
        rest = rest[further.end() :]
    return any(_title(title, rest) for title in known)


def _title(title: str, text: str) -> int:
    """Where the title that begins `text`, and the mark after it, end; 0 if it does not stand there. Without a mark
    it counts only where a seat follows, and so behind a hyphen, as names of matches have it (`go-club`)."""
    words = r"[\s_-]*".join(map(re.escape, title.split()))
    found = re.match(rf"{words}\s*([:;-]\s*)?", text, re.IGNORECASE)
    if not found:
        return 0
    if found.end() == len(text):
        return found.end()
    marked = found[1] is not None
    sure = marked and not _WITHIN_A_NAME.search(found[0])
    boundary = marked or text[found.end() - 1] == " "
    return found.end() if sure or (boundary and _SEAT.search(text)) else 0


def _parted(text: str) -> tuple[str, dict[str, int]]:
    """The heading, and the numbers that stand after slashes; a seat without a slash before it counts too."""
    heading, *others = (part.strip(_EDGES) for part in re.split(r"[/\\|]", text))
    if _SEAT.fullmatch(heading):
        others, heading = [heading, *others], ""
    stated: list[tuple[str, str]] = []
    if not any(_SEAT.fullmatch(part) for part in others) and (inline := _SEAT_AFTER.search(heading)):
        stated.append(("seat", inline[1]))
        others.insert(0, heading[inline.end() :].strip(" ,;:.-()"))
        heading = heading[: inline.start()].strip(" ,;:.-(")
    for part in chain.from_iterable(map(_seat_and_rest, others)):
        if turn := _TURN_OF.fullmatch(part):
            stated.append(("turn_of", turn[1]))
        elif seat := _SEAT.fullmatch(part):
            stated.append(("seat", seat[1]))
        else:
            stated += ((name.lower(), number) for name, number in _COUNT.findall(part))
    first = {name: _NUMBERS.get(said.lower()) or int(said) for name, said in reversed(stated)}
    return heading, {name: first[name] for name in ("seat", "round", "cycle", "turn_of") if name in first}


def _seat_and_rest(part: str) -> tuple[str, ...]:
    """`Player 2 - Round 3` and `Player 2 (fwd)` as two parts; anything else as it is."""
    seat = _SEAT.match(part)
    if not seat or part[seat.end() :].lstrip()[:1] not in tuple("(-,;"):
        return (part,)
    return seat[0], part[seat.end() :].strip(_EDGES)


# What may be asked in a subject alone, and by what other names.
_ONE_NAME = (
    "status record receipt withdraw resign format join press preview digest renew list event listing rating"
)
_COMMAND_NAMES: Mapping[str, tuple[str, ...]] = dict.fromkeys(_ONE_NAME.split(), ()) | {
    "help": ("?", "hilfe", "aide", "ayuda"),
    "games": ("game list",),
    "rules": ("rule", "how to play"),
    "syntax": ("notation",),
    "options": (),
    "pieces": ("catalogue", "catalog"),
    "board": ("position",),
    "discard": ("discard draft", "discard my draft"),
    "vacation": ("holiday", "holidays", "absence", "absent", "away", "i am away", "i'm away", "on holiday"),
    "substitute": ("stand-in", "deputy"),
    "timezone": ("time zone", "zone"),
    "observe": ("watch",),
    "stop": ("unsubscribe",),
    "address": ("add address",),
    "propose": ("proposal",),
    "ratings": (),
    "rematch": ("return match", "again"),
}
_SMALL = frozenset(
    ("from", "to", "until", "till", "the", "of", "on", "for", "and", "a")
)  # words round a date
_ALONE = frozenset(("?", "hilfe", "aide", "ayuda", "games", "game list", "list"))  # no words may follow

COMMANDS: Mapping[str, str] = {
    name: command for command, others in _COMMAND_NAMES.items() for name in (command, *others)
}
"""Every name of a command, and which it is."""
_LONGEST_FIRST = sorted(COMMANDS, key=len, reverse=True)


def _read_command(text: str) -> tuple[str | None, str]:
    """The command a subject begins with and the words after it. Without a colon only a few words may follow, so that a
    sentence that happens to begin with one is no command."""
    lowered = text.lower()
    for name in _LONGEST_FIRST:
        if not lowered.startswith(name):
            continue
        rest = text[len(name) :]
        if rest and (rest[0].isalnum() or rest[0] in "_-'"):
            continue
        marked = rest.lstrip().startswith((":", "/", ",", "-", "="))
        argument = rest.strip(" :/,-=.!")
        if not argument or (name not in _ALONE and (marked or _few(argument, COMMANDS[name]))):
            return COMMANDS[name], argument
    return None, ""


def _few(argument: str, command: str) -> bool:
    words = argument.lower().split()
    if command == "event":  # a line as the command line has it
        return words[0] in ("new", "enter", "start", "show", "leave", "replace")
    if command != "vacation":
        return len(words) <= 6
    return len([word for word in words if word not in _SMALL]) <= 8  # two dates, with weekdays and years


def _squashed(text: str) -> str:
    return "".join(sign for sign in tidy(text).casefold() if sign.isalnum())


def match_heading(heading: str, headings: Mapping[str, str]) -> str | None:
    """The demand kind of a heading, whatever its case, blanks and punctuation; None if there is no such heading."""
    wanted = _squashed(heading)
    return next((kind for name, kind in headings.items() if wanted and _squashed(name) == wanted), None)
