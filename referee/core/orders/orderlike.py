"""Which lines look like orders (contract, 'Mail in'): one rule for all games; a game gives only its words.

A line that looks like an order is a complaint wherever it stands, never courtesy. It does if it begins with a key,
misspelt too, or names a square, a sum, a count or an action together with a piece or a player. What is ambiguous
counts as an order: a complaint costs a mail, an order passed over costs a turn.

The work is linear in the length of the line: each word is looked up, none is compared with all words of the game.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Final, Literal

Role = Literal[
    "square", "count", "sum", "piece", "player", "action", "gesture", "value", "whole", "small", "stop", ""
]


NEVER: Final = r"(?!)"  # a pattern that nothing is like


@dataclass(frozen=True, eq=False)  # told apart as things, not by their words: they are keys of a cache
class Terms:
    """The words of a game's orders, in small letters without spaces ("totalcost", "killertomato").

    `keys` stand before a colon; `whole` is an order by itself ("resign"); `actions` are what is done to pieces or
    players ("captures"); `gestures` are everyday words that are orders only beside a square, a count, a piece or a
    value ("go", "win"); `values` answer some key ("draw", "south"); `marks` are signs that name a piece only where a
    square follows ("P"). `square` matches a whole word, `sum_sign` the sign of a currency or the like, `notation`
    what nothing but an order is written like, wherever it stands in a line in small letters.
    """

    keys: frozenset[str]
    whole: frozenset[str] = frozenset()
    actions: frozenset[str] = frozenset()
    gestures: frozenset[str] = frozenset()
    pieces: frozenset[str] = frozenset()
    players: frozenset[str] = frozenset()
    values: frozenset[str] = frozenset()
    marks: frozenset[str] = frozenset()
    square: re.Pattern[str] = re.compile(NEVER)
    notation: re.Pattern[str] = re.compile(NEVER)
    sum_sign: re.Pattern[str] = re.compile(NEVER)

    @cached_property
    def near_keys(self) -> _Near:
        return _Near(self.keys | self.whole, 4)

    @cached_property
    def near_words(self) -> _Near:
        return _Near(self.actions | self.pieces, 6)

    @cached_property
    def near_whole(self) -> _Near:
        return _Near(self.whole | _WHOLE, 4)

    def role(self, word: str) -> Role:
        """What a word in small letters is by itself."""
        for role, known in self._roles:
            if word in known:
                return role
        meant = self.near_words.meant(word)
        if meant is not None:
            return "piece" if meant in self.pieces else "action"
        return "whole" if self.near_whole.meant(word) is not None else ""

    @cached_property
    def _roles(self) -> tuple[tuple[Role, frozenset[str]], ...]:
        return (
            ("piece", self.pieces),
            ("player", self.players),
            ("action", self.actions),
            ("whole", self.whole | _WHOLE),
            ("value", self.values),
            ("gesture", self.gestures | (self.keys - _EVERYDAY) | _GESTURES),
        )


def words(text: str) -> frozenset[str]:
    """A set of words, written as one text."""
    return frozenset(text.split())


class _Near:
    """Words as they come out by a slip of the fingers: a letter too many, too few, another, or two exchanged; two
    such slips in long words. Two words are near where they are the same once a letter (or two) is left out."""

    def __init__(self, known: Iterable[str], shortest: int) -> None:
        self._shortest = shortest
        self._meant: dict[str, str] = {}
        self._lengths = {len(word) for word in known}
        for word in sorted(known):
            if shortest <= len(word) <= _LONGEST_WORD:
                for part in _without(word, _slips(word)):
                    self._meant.setdefault(part, word)

    def meant(self, word: str) -> str | None:
        """The word that was meant; None where there is none, or where the word is an everyday one."""
        if not self._shortest - 1 <= len(word) <= _LONGEST_WORD or word in _EVERYDAY:
            return None
        slips = _slips(word)
        if self._lengths.isdisjoint(range(len(word) - slips, len(word) + slips + 1)):
            return None
        for part in _without(word, slips):
            meant = self._meant.get(part)
            if meant is not None and abs(len(meant) - len(word)) <= slips and meant[0] in word[:2]:
                return meant
        return None


_LONGEST_WORD: Final = 16


def _slips(word: str) -> int:
    return 2 if len(word) > 8 else 1


def _without(word: str, letters: int) -> Iterator[str]:
    """The word, and the word without each of its letters; without each two of them."""
    yield word
    for i in range(len(word)):
        shorter = word[:i] + word[i + 1 :]
        yield shorter
        if letters > 1:
            yield from (shorter[:j] + shorter[j + 1 :] for j in range(i, len(shorter)))


# --- words that no game needs to tell ---------------------------------------------------------------------------

_GESTURES: Final = words(
    "accept accepts becomes choose chooses chose gain gained gains go goes offer offered offers pick picks "
    "play played plays put puts receive received receives return returned returns win wins "
)
_WHOLE: Final = words(
    "resign resigning surrender concede forfeit withdraw undo giveup givingup takeback preview dryrun"
)
_SMALL: Final = words(
    "a again also an and are as at back be bring but by call can could do does finally first for from game get gg go "
    "going have he her here hereby herewith his i i'd i'll i'm in instead into is it its just last let let's lets "
    "like make match may maybe me might mine must my next no not now of off ok okay on one only onto or our "
    "out perhaps please plus rather rest right round seat second see send set shall she should side so that "
    "the then there these think third this those time to too try turn up us use via want wants we well will with "
    "would yes you your "
)
# Everyday words that are one slip away from some game's: nobody who wrote them meant the other.
_EVERYDAY: Final = _SMALL | words(
    "accepted agree agrees all alley allow also always "
    "archive archives bad base beach bear beard bending best bet bets better bird "
    "blender blew bread bus buy buying buys by call came cannot canyon care career case casino cause caused "
    "chain charge cheer cheers claiming clan clear close closing coal coals coat code coffee cold color come "
    "comes commit common cool core cost costs could course cover cure cycle daily date dates dawn day days "
    "dead deaf deal dealt dear death debt deed deer despite detail dinner discover draft drag dread dress "
    "drew drop each ear early earn ease east easter easy eat ed edged else end even ever fair fall faster "
    "fear feel fending few fill fine fire fold food form forth four free fresh from fun game gave gender "
    "gesture gift girl give glad goat gold good great had hair half hall hand happy hard have head health "
    "hear heart heat hello help here hill hills hold hole holes home hope hotel hour house how idea ill join "
    "joke joy just keep key kind kinds know lace lake land lane large late later lead leave lender less life "
    "light line list lists live load loan local lone long look lose loss lost love loved lovely loves luck "
    "mail make makes male many mark master mat mate mayor mean means meet mood moon more most mouse moving "
    "much mud must name near neat need neutral never news nice night none nose note noted notes now number "
    "nutrition offers often old once open other others over own pace page paid pain pale pane park part parts "
    "party past path pause paw peace peaceful phase phone pick pile pity placing plan plane planes planet "
    "plans plant plate player players playing please pleased pleasure plenty point points pole pool poor "
    "position post precise prefers prepare prepared presence present pressed price prize proof provider race "
    "rain read real really reason receipt red regard regards register relieve rely render rest retire return "
    "returning returns review ride road role roll room rose round row rule run sad safe said sale same sand "
    "sat save say scold sea seal season seat seats see send sender sent set settle shed shop show side sign "
    "since site size sky sleep slow small snack snow soap sold some son song soon sorry soul sound south "
    "speak spend spender spring staff stage stake start state stay steal step sting store storm story street "
    "stuff such sum summer sun sunny sure swim table taking tale talk talked tall tame tape task tea tell ten "
    "tender text than that their them theme then there they thin thing things think this tie till time times "
    "tired today together tomatoes tone took tool total touch tour toward town trade train travel treat tree "
    "trip true try turns under unit until upset value visit wait wake walk wall warm was water wave way wear "
    "weather week weird well were west what wheat when where while who whole why wife will wind wine winner "
    "winning winter wish with wood word words work world worth would year yes young zone "
)
_PRAISED: Final = re.compile(
    r"\b(?:good|nice|great|fine|clever|brilliant|beautiful|lovely|strong|bold|bad|fantastic|superb|excellent|amazing|"
    r"cool|cunning|surprising|interesting|impressive|your|that|this|last|the|what an?|his|her|their|our|which)\s+"
    r"(?:last\s+|first\s+|next\s+|latest\s+)?"
    r"(?:moves?|turns?|plays?|captures?|claims?|purchases?|offers?|setups?|goals?|place|army|list)\b"
    r"|\b(?:well|nicely)\s+(?:played|moved|done|placed)\b"
    r"|\b(?:tak(?:e|es|en|ing)|took)\s+(?:[a-z']+\s+){0,2}?(?:care|time|easy|long|longer|while|breaks?|holidays?|"
    r"vacation|bus|train|plane|part|days?|weeks?|hours?|minutes?|seriously|notes?|place|off|after)\b"
    r"|\bmov(?:e|ed|es|ing)\s+(?:house|home|flat|on|in|out|offices?)\b"
    r"|\b(?:in|first of all in)\s+(?:the\s+first\s+|any\s+)?place\b|\bplace of work\b|\bput up with\b"
    r"|\bof course\b|\bon (?:the )?holidays?\b"
)
_ELSEWHERE: Final = re.compile(  # numbers that count nothing in a game, addresses
    r"\S{1,64}@\S{1,99}|\b(?:https?://|www\.)\S+|\b\d{4}-\d{1,2}-\d{1,2}\b|\b\d{1,2}[./]\d{1,2}[./](?:\d{2,4})?"
    r"|\b\d{1,2}(?:st|nd|rd|th)?\.?\s+(?:of\s+)?(?P<m>jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\b"
    r"|\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?\s+\d{1,2}(?:st|nd|rd|th)?\b(?:,?\s+\d{4}\b)?"
    r"|\b\d{1,2}[:.]\d{2}(?:\s*(?:h\b|am\b|pm\b|uhr\b|o'clock))?|\b\d{1,2}\s*(?:am|pm|o'clock|h)\b"
    r"|\b(?:at|around|about|until|till|since|before|after)\s+\d{1,2}\b(?!\s*[a-z$-])"
    r"|(?<![\w-])\d{1,3}\s*[-:]\s*\d{1,3}(?![\w-])|(?<!\d)\d{1,6}(?:[.,]\d{1,3})? ?(?:°\s*[cf]?|%)"
    r"|\b(?:round|cycle|game|match|page|chapter|level|part|version|room|season|episode|week|day|line|rule)s?"
    r"\s+\d[\w.]*|\b(?:19|20)\d\d\b|\bthank(?:s| you)[ !.]*$|\+?\d[\d ()/-]{5,}\d"
)
_LEADING: Final = re.compile(
    r"^(?:(?:and|also|then|but|so|plus|next|first|now|please|ok|i|we|my|our|the|an?)\b[ ,]*)+"
)
_SENTENCES: Final = re.compile(r"(?<=[.!?;])\s+")
_TOKEN: Final = re.compile(r"[\x1e\x1f]|[^\W_]+(?:'[^\W\d_]+)?|[-=~]{0,3}>|[^\w\s]")
_SIGNS: Final = str.maketrans(
    dict.fromkeys("‐‑‒–—―−", "-") | dict.fromkeys("’‘`´", "'") | dict.fromkeys("→⇒➔", ">") | {"×": "x"}
)
_PLAYER_SIGN, _SUM_SIGN = (
    "\x1e",
    "\x1f",
)  # stand for "player 3" and for a currency while a line is taken apart
_PLAYER: Final = re.compile(
    r"\b(?:players?|pl\.|seat)\s?(?:no\.?\s|nr\.?\s|number\s|#\s?)?(?:[1-9]|one|two|three|four)\b|\bp[1-8]\b(?!\s?[->])"
)
_COUNT: Final = re.compile(r"\+?\d{1,3}x?|x\d{1,3}")
_NUMBER_WORDS: Final = words("two three four five six seven eight nine ten")
_BEFORE_SQUARE: Final = words(
    "on at to toward towards from onto into via x - > -> => : = takes point position square"
)
_LONGEST_LINE: Final = 4000  # letters looked at; no line of an order is nearly so long


@dataclass(frozen=True, slots=True)
class _Token:
    text: str
    role: Role


@lru_cache(
    maxsize=2048
)  # a mail's lines are looked at when it is routed, when its demand is found, and when it is read
def looks_like_order(text: str, terms: Terms, names: tuple[str, ...] = ()) -> bool:
    """Whether the line is too much like an order to be courtesy. `names` are persons', which name no piece."""
    return any(_ordering(sentence, terms) for sentence in _SENTENCES.split(_plain(text, names)))


def _ordering(sentence: str, terms: Terms) -> bool:
    said = _ELSEWHERE.sub(" , ", _PRAISED.sub(" , ", sentence))
    if _begins_with_key(sentence, terms) or terms.notation.search(said):
        return True
    tokens = _tokens(said, terms)
    enough = _names_enough({token.role for token in tokens}) or _several_players(tokens)
    return enough or _squares(tokens) or _whole_order(tokens)


def _plain(text: str, names: Sequence[str]) -> str:
    """The line in small letters and plain signs, without bullets and persons."""
    plain = " ".join(unicodedata.normalize("NFKC", text[:_LONGEST_LINE]).translate(_SIGNS).casefold().split())
    for name in names:
        plain = re.sub(rf"(?<!\w){re.escape(name.casefold())}(?!\w)", " , ", plain) if name else plain
    return re.sub(r"^[\s*•·>_~|-]+|^\d{1,2}[.)]\s+(?=\D)", "", plain)


def _tokens(plain: str, terms: Terms) -> list[_Token]:
    """The words and signs of a sentence, each with what it is in this game."""
    signed = terms.sum_sign.sub(f" {_SUM_SIGN} ", _PLAYER.sub(f" {_PLAYER_SIGN} ", plain))
    found = ["", *_TOKEN.findall(signed), ""]
    return [
        _Token(word, _role(word, before, after, terms))
        for before, word, after in zip(found, found[1:], found[2:], strict=False)
    ]


def _role(word: str, before: str, after: str, terms: Terms) -> Role:
    if word == _PLAYER_SIGN:
        return "player"
    if word == _SUM_SIGN:
        return "sum" if _COUNT.fullmatch(before) or _COUNT.fullmatch(after) else "action"
    if terms.square.fullmatch(word):
        return "square"
    if _COUNT.fullmatch(word) or (
        word in _NUMBER_WORDS and (terms.role(after) == "piece" or terms.role(before) == "action")
    ):
        return "count" if _counts(after, terms) else ""
    if word in terms.marks:
        return "piece" if terms.square.fullmatch(after) else ""
    if not word[0].isalnum():
        return "stop" if word in ",;.!?()" else ""
    if word + after in terms.pieces:
        return "piece"
    if word + after in terms.whole or word + after in _WHOLE:
        return "whole"
    if before and (before + word in terms.whole or before + word in _WHOLE):
        return "small"  # the second half of such a word ("give up")
    if word + after in terms.keys:
        return "gesture"
    if word in _NUMBER_WORDS:
        return "value" if word in terms.values and _counts(after, terms) else ""
    return terms.role(word.removesuffix("'s")) or ("small" if word in _SMALL else "")


def _counts(after: str, terms: Terms) -> bool:
    """Whether a number counts something of the game: what follows is of the game too, or nothing follows."""
    return (
        not after[:1].isalpha() or after in _SMALL or bool(terms.square.fullmatch(after) or terms.role(after))
    )


def _names_enough(found: set[Role]) -> bool:
    """A square, a sum, a count or an action together with a piece or a player; an action with what it is about."""
    datum = found & {"square", "count"}
    return (
        "sum" in found
        or bool((datum or "action" in found) and found & {"piece", "player"})
        or bool("action" in found and (datum or "value" in found))
        or bool("gesture" in found and (datum or found & {"piece", "value"}))
        or {"whole", "piece"} <= found
    )


def _several_players(tokens: Sequence[_Token]) -> bool:
    """Players called by words ("white first, then blue") in a row, with nothing but small words beside them."""
    named = {token.text for token in tokens if token.role == "player"} - {_PLAYER_SIGN}
    return len(named) > 1 and {t.role for t in tokens if t.text[:1].isalnum()} <= {"player", "small"}


def _squares(tokens: Sequence[_Token]) -> bool:
    """A square that is gone to, or squares with nothing but small words beside them."""
    beyond = [*tokens[1:], _Token("", "stop")]
    gone_to = any(
        token.role == "square" and before.text in _BEFORE_SQUARE and (after.role or not after.text.isalpha())
        for before, token, after in zip(tokens, beyond, beyond[1:], strict=False)
    )
    return gone_to or _alone(tokens, "square", "count", "value", "piece", "player")


def _whole_order(tokens: Sequence[_Token]) -> bool:
    """A clause that orders by itself: "I hereby resign", "draw?", "south please"."""
    return _alone(tokens, "whole", "value") or _alone(tokens, "value")


def _alone(tokens: Sequence[_Token], *roles: Role) -> bool:
    """Whether a clause holds a token of the first role, and beside tokens of these roles only small words."""
    fitting = {*roles, "small", "gesture", "action"}
    for clause in _clauses(tokens):
        worded = {token.role for token in clause if token.text[0].isalnum()}
        if roles[0] in worded and worded <= fitting:
            return True
    return False


def _clauses(tokens: Sequence[_Token]) -> Iterator[list[_Token]]:
    clause: list[_Token] = []
    for token in tokens:
        if token.role == "stop":
            yield clause
            clause = []
        else:
            clause.append(token)
    yield clause


def _begins_with_key(plain: str, terms: Terms) -> bool:
    """A key with its colon and something behind it, misspelt too; without a colon, where what follows it fits."""
    head, colon, rest = plain.partition(":")
    parts = re.findall(r"[^\W\d_]+", head[:60])
    if colon and 1 <= len(parts) <= 4 and _key("".join(parts), terms) and any(map(str.isalnum, rest)):
        return True
    plain = _LEADING.sub("", plain)
    opening = re.match(r"([^\W\d_]+)(?:\s+([^\W\d_]+))?", plain)
    if opening is None:
        return False
    ways = ((opening[1] + (opening[2] or ""), opening.end()), (opening[1], opening.end(1)))
    return any(key not in _EVERYDAY and _key(key, terms) and _fits(plain[end:], terms) for key, end in ways)


def _key(word: str, terms: Terms) -> bool:
    return word in terms.keys or terms.near_keys.meant(word) is not None


def _fits(rest: str, terms: Terms) -> bool:
    """Whether what follows a key without a colon is what such a key is followed by."""
    tokens = [t for t in _tokens(_ELSEWHERE.sub(" , ", rest), terms) if t.role not in ("small", "stop")]
    return bool(tokens) and tokens[0].role in ("square", "count", "sum", "piece", "player", "value", "whole")
