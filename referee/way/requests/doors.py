"""What is open to somebody who plays nowhere here, by what their mail wishes: seats, proposals,
events, matches to watch, and where nobody waits for them a proposal of their own. Each has a number,
by which a reply takes it; nothing is registered before, and where the moderator is to decide, not
before that either."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Literal, NamedTuple

from referee.club.events import Guest
from referee.core.game import AnyGame
from referee.core.texts.addresses import address_key
from referee.language import seeking
from referee.language.seeking import Sought
from referee.language.sentences import MOST_LINES, words_of
from referee.language.words import known_anywhere, plain
from referee.letters.letter import Letter, Offered
from referee.letters.replies import counted_about
from referee.store.inbox import NEWCOMER, KeptMail
from referee.way.case import Case, Settled

MOST = 5  # that a letter shows
_DOUBTS = frozenset(("not", "later", "no"))
_SHOWN = 300  # signs of a mail
_WATCHED = 3  # of them to be watched
LOOKED_AT = 20  # matches
_AS = re.compile(r"\b[aA][sS]\s+([^\Wa-z\d_][^,.;!?]*)")  # a name begins with a capital
_ALONE = re.compile(r"(?<![\w.:/-])(\d{1,2})(?![\w:/-])")


class Door(NamedTuple):
    """What a reply may take: `people` are those whom one meets there."""

    what: Literal["seat", "proposal", "event", "watch", "own"]
    game: AnyGame
    offer: Offered
    people: Sequence[object] = ()

    @property
    def name(self) -> str:
        return self.offer.form.partition("\n")[0]


def sought(case: Case) -> Sought:
    """What the mail wishes; orders to a game that is played, as far as their writer knows, wish for none."""
    mail = case.mail
    texts = (mail.subject, *(line.text for line in mail.own[:MOST_LINES]))
    orders = mail.tag.kind is not None or (mail.tag.game and mail.tag.brackets)
    return seeking.sought(texts, {} if orders else case.room.games)


# --- what is open ---------------------------------------------------------------------------------------------------


def doors(case: Case, want: Sought) -> tuple[Door, ...]:
    """Those that fit best, the first first; none where nobody begins by mail."""
    if case.room.settings.club.strangers == "off" or "quit" in want.topics:
        return ()
    seats, games = [*_open(case)], case.room.games
    watched = [*_watched(case, want)] if "watch" in want.topics else []
    free = {door.game.slug for door in seats if door.what != "event"}
    wished = [slug for slug in want.games if slug not in free] or ([] if seats else [*games])
    own = [*_own(case, wished)] if want.begins or not (seats or watched) else []
    mine = "event" in want.topics
    found = sorted((*own, *seats), key=lambda d: (
        d.name.lower() not in want.names, mine and d.what != "event", d.game.slug not in want.games,
    ))  # fmt: skip
    return (*watched[:_WATCHED], *found)[:MOST]


def _open(case: Case) -> Iterator[Door]:
    """What anybody may take."""
    unit, games, address = case.unit, case.room.games, case.mail.whose
    for match in (case.room.matches.outline(unit, name) for name, _ in unit.vacant()):
        if match.known:
            yield Door("seat", games[match.game], Offered("join", match.name), match.playing)
    for one in case.room.proposals.forming(unit):
        if one.free > 0 and not one.plays(address):
            yield Door("proposal", games[one.made.game], Offered("join", one.name), one.players)
    for t in case.room.tournaments.taking_entries(unit):
        if not t.player(address):
            yield Door("event", games[t.made.game], Offered("join", t.name), (t.made,))


def _watched(case: Case, want: Sought) -> Iterator[Door]:
    found = (case.room.matches.outline(case.unit, name) for name in case.unit.running(LOOKED_AT))
    known = [m for m in found if m.known and case.mail.whose not in map(address_key, m.observers)]
    for match in [m for m in known if m.game in want.games] or known:
        yield Door("watch", case.room.games[match.game], Offered("observe", match.name), match.playing)


def _own(case: Case, games: Iterable[str]) -> Iterator[Door]:
    """The wish for a match by its usual options with whoever comes, if the address may have one."""
    proposals, allowed = case.room.proposals, case.room.settings.club.games
    if proposals.room_left(case.unit, case.mail.whose):
        for game in (case.room.games[slug] for slug in games if not allowed or slug in allowed):
            many = [n for n in sorted(game.seats(case.room.speaker.setup(game).options)) if n > 1]
            if many:
                yield Door("own", game, Offered("propose", f"{game.slug}\nOpen: {many[0] - 1}"))


# --- what a reply takes ---------------------------------------------------------------------------------------------


def chosen(case: Case) -> Offered | None:
    """What a reply to the letter that shows them takes: by number, by name, or Yes to the first."""
    mail, offers = case.mail, case.meant.offers
    said = " ".join(line.text for line in mail.own)
    words = {plain(word) for word in re.findall(r"[\w-]+", said)}
    numbers = {int(number) for number in _ALONE.findall(said)}
    taken = [offer for at, offer in enumerate(offers, 1) if at in numbers]
    taken = taken or [o for o in offers if o.form.partition("\n")[0].lower() in words]
    if not (taken or numbers) and (mail.agrees == "words" or mail.consent == "yes" or _says_yes(said)):
        taken = list(offers[:1])
    if len(taken) != 1 or mail.consent == "no":
        return None
    (offer,), called = taken, _AS.search(said)
    name, _, more = offer.form.partition("\n")
    stated = f" as {' '.join(called[1].split())}" if called else ""
    return Offered(offer.heading, f"{name}{stated}\n{more}")


def _says_yes(said: str) -> bool:
    """Whether it begins with a Yes, and casts no doubt on it."""
    classes = [known_anywhere().get(word, frozenset()) for word in words_of(said)]
    doubted = any(_DOUBTS & names for names in classes)
    return bool(classes) and not classes[0].isdisjoint({"yes", "ok"}) and not doubted


def let_in(case: Case, *mails: KeptMail | None) -> bool:
    """Whether its sender may begin: who is known here, or let in by one of these mails."""
    free = case.room.settings.club.strangers == "join"
    free = free or any(mail is not None and mail.released for mail in mails)
    return free or case.room.proposals.members.known(case.unit, case.mail.whose)


def ask_desk(case: Case, about: str, *letters: Letter) -> Settled:
    """Held until a moderator has decided whether somebody new may begin; each is told once."""
    kept, said = case.kept, " ".join(line.text for line in case.mail.own)[:_SHOWN]
    told = {"reason": about, "headed": case.mail.subject, "words": said}
    alarm = case.alarm("newcomer", f"Somebody new would play: {about}", str(kept.id), mail=kept, **told)
    return case.settled("held", f"{NEWCOMER}: {about}", *letters, counted_about(alarm, (), ""), seat=0)


def guest(case: Case, name: str) -> Guest:
    """Who writes, as they are known here; else under the name that their mail gives."""
    address = case.answering.address
    return case.room.proposals.members.of(case.unit, address, case.answering.name) or Guest(name, address)
