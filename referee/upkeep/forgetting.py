"""What is kept of a person (addresses and names, the matches he has or had to do with, his words
in them), put into one file for him: `person.json`, his mails, the letters to him; and forgotten.

Of what a sealed round hides until its reveal nothing is in the file but sender, match and reason
of a mail: it leaves the referee, and may be asked for by whoever writes in his name. Of whoever is
forgotten mails and letters are deleted, and the text of what else tells of him; name, addresses and
words are taken out of the ledgers. The games stay, and their chains stand where they stood: these
cover a digest of each name and text (`match/chain`).
"""

import html
import json
import re
import shutil
import zipfile
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Any, cast

import sqlalchemy as sa

from referee.base.errors import CannotDo
from referee.base.private import private_file
from referee.club.events import CODEC, AddressChanged, OfAddress, guests_in
from referee.core.codec import JsonDict
from referee.core.orders.keyed import keyed
from referee.core.texts.addresses import address_key
from referee.core.texts.naming import FORMER
from referee.core.value import Value
from referee.letters.letter import Letter, LetterPage, Recipient, decoded, lost, outgoing
from referee.match import events as ev
from referee.match.chain import forgotten, in_place
from referee.match.events import Entrant, Entry
from referee.match.match import UNOPENED, Match, applied, fold
from referee.offices.register import People, moment
from referee.service.wiring import Referee
from referee.store.club import club_ledger, club_wishes, invitations, never_again, people
from referee.store.matches import ledger
from referee.store.post import digest_of, inbox, outbox, sheets
from referee.store.sql import Unit
from referee.upkeep.checking import write_anew


class Identity(Value):
    """`addresses` are as addresses are compared; `matches` are those in which he sits, sat, or looks on."""

    addresses: frozenset[str]
    names: frozenset[str]
    matches: tuple[str, ...]

    def has(self, entrant: Entrant) -> bool:
        return bool(self.addresses & _keys(entrant.addresses))

    def seats(self, match: Match) -> tuple[int, ...]:
        return tuple(n for n in match.numbers if self.has(match.entrant(n)))


def _keys(addresses: Iterable[str]) -> set[str]:
    """As addresses are compared."""
    return set(map(address_key, addresses))


def identity(referee: Referee, unit: Unit, address: str) -> Identity:
    """The addresses that have proved to be one person's, those of a seat with one of them, and what
    they say of him. Raises CannotDo where the referee knows nothing of him."""
    addresses = set(People(unit).proved_by(address))
    matches = [referee.parts.matches.outline(unit, name) for name in unit.names()]
    people = [person for match in matches for person in _people(match)]
    club = unit.column(sa.select(club_ledger.c.body))
    for event in (CODEC.decode(json.loads(body)) for body in club):
        people += [Entrant(guest.name, (guest.address,), guest.zone) for guest in guests_in(event)]
        people += [Entrant("", (event.old, event.new))] if isinstance(event, AddressChanged) else []
    for person in people * 2:  # an address may lead to a seat with a further one
        if addresses & _keys(person.addresses):
            addresses |= _keys(person.addresses)
    seats = {(m.name, n) for m in matches for n in m.numbers if addresses & _keys(m.entrant(n).addresses)}
    wrote_for = sa.select(inbox.c.sender, inbox.c.match, inbox.c.seat).where(inbox.c.verdict == "accepted")
    for sender, name, seat in unit.connection.execute(wrote_for.distinct()).all():
        # from elsewhere, confirmed
        if (name, seat) in seats and not (unit.seats_of(sender) or unit.left_by(sender)):
            addresses.add(sender)
    others = {p.name.casefold() for p in people if not addresses & _keys(p.addresses)}
    mails = unit.column(sa.select(inbox.c.raw).where(inbox.c.sender.in_(addresses), inbox.c.raw != b""))
    called = {referee.reader.read(bytes(raw)).sender_name for raw in mails}  # a word alone may be any word
    known = {name for name in called if name.casefold() not in others and len(name.split()) > 1}
    names = frozenset(known | {p.name for p in people if p.name and addresses & _keys(p.addresses)})
    watchers = {m.name: [*m.observers, *(a for one in _people(m) for a in one.addresses)] for m in matches}
    own = tuple(name for name, of in watchers.items() if addresses & _keys(of))
    letters = sa.exists().where(outbox.c.recipient.in_(addresses))
    kept = unit.value(sa.select(sa.exists().where(inbox.c.sender.in_(addresses)) | letters))
    if not (own or names or kept or any(a in body for body in club for a in addresses)):
        raise CannotDo(f"Nothing is kept of {address}.")
    return Identity(frozenset(addresses), names, own)


def _people(match: Match) -> list[Entrant]:
    return [*match.roster, *(former.entrant for former in match.former), *match.substitutes.values()]


def followed(referee: Referee, match: Match, history: list[Entry]) -> Iterator[tuple[Entry, Match]]:
    """Every entry with the match before it (of the first: after it)."""
    game = referee.games[match.game]
    then = applied(game, UNOPENED, history[0], tuple)
    yield history[0], then
    for entry in history[1:]:
        yield entry, then
        then = applied(game, then, entry, lambda: history)


def his_words(entry: Entry, then: Match, who: Identity) -> bool:
    """Whether the stimulus that begins with the entry is his doing."""
    match entry.event:
        case ev.Answered(demand=demand) | ev.DraftKept(demand=demand):
            return demand.seat in who.seats(then)
        case ev.PressSent(seat=seat) | ev.PressKept(seat=seat) | ev.SaidToOne(seat=seat):
            return seat in who.seats(then)
    return False


def exported(referee: Referee, address: str, file: Path) -> dict[str, Any]:
    """Write the file, for its owner alone; what stands in its `person.json`. Raises CannotDo."""
    with referee.store.transaction() as unit:
        who = identity(referee, unit, address)
        matches = [referee.parts.matches.outline(unit, name) for name in who.matches]
        persons = map(unit.person, sorted(who.addresses))
        private_file(file)
        with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as into:
            facts = {
                "addresses": sorted(who.addresses),
                "names": sorted(who.names),
                "settings": [{**p._asdict(), "failing": moment(p.failing)} for p in persons],
                "matches": [_match(referee, unit, match, who) for match in matches],
                "club": list(_club(unit, who)),
                "mails": list(_mails(referee, unit, who, into)),
                "letters": list(_letters(referee, unit, who, matches, into)),
            }
            into.writestr("person.json", json.dumps(facts, ensure_ascii=False, indent=1))
    return facts


def _club(unit: Unit, who: Identity) -> Iterator[dict[str, Any]]:
    """Where he was named, asked or entered, and what he said to it; of others nothing."""
    rows = sa.select(club_ledger).order_by(club_ledger.c.gathering, club_ledger.c.version)
    for row in unit.connection.execute(rows):
        event = CODEC.decode(json.loads(row.body))
        named = _keys(guest.address for guest in guests_in(event))
        named |= {event.address} if isinstance(event, OfAddress) else set()
        named |= _keys((event.old, event.new)) if isinstance(event, AddressChanged) else set()
        if who.addresses & named:
            yield {"gathering": row.gathering, "at": moment(row.at), "is": row.kind}


def _match(referee: Referee, unit: Unit, match: Match, who: Identity) -> dict[str, Any]:
    """The seats he has or had, and what he did and said there, but for what is still sealed."""
    sealed, deeds = {r.label for r in match.rounds if r.sealed}, []
    for entry, then in followed(referee, match, unit.history(match.name)):
        event = entry.event
        if isinstance(event, ev.Answered) and event.sealed and event.label in sealed:
            continue
        if isinstance(event, ev.Answered | ev.Words) and his_words(entry, then, who):
            at, what = moment(entry.at), entry.body["is"]
            deeds.append({"position": entry.position, "at": at, "is": what, "text": event.text})
    former = [{"seat": f.seat, "until": moment(f.until)} for f in match.former if who.has(f.entrant)]
    seats = [
        {"seat": n, "name": there.name, "zone": there.zone, "language": match.languages.get(n, "")}
        for n in who.seats(match)
        for there in (match.entrant(n),)
    ]
    return {"match": match.name, "seats": seats, "former": former, "said": deeds}


def _mails(referee: Referee, unit: Unit, who: Identity, into: zipfile.ZipFile) -> Iterator[dict[str, Any]]:
    rows = sa.select(inbox.c.id).where(inbox.c.sender.in_(who.addresses))
    for number in unit.column(rows.order_by(inbox.c.arrived, inbox.c.id)):
        kept = unit.mail(number)
        assert kept is not None
        told = {"from": kept.sender, "match": kept.match, "why": kept.verdict}
        if referee.parts.queue.sealed(unit, kept):
            yield {**told, "sealed": True}
            continue
        into.writestr(f"mails/{number}.eml", kept.raw)
        yield {**told, "why": kept.reason, "arrived": moment(kept.arrived), "file": f"mails/{number}.eml"}


def _letters(
    referee: Referee, unit: Unit, who: Identity, matches: list[Match], into: zipfile.ZipFile
) -> Iterator[dict[str, Any]]:
    """Of a match with a sealed round those written since it opened wait for its reveal; those that
    show a draft are for nobody but their reader."""
    begun_of = {m.name: [r.begun for r in m.rounds if r.sealed] for m in matches}
    since = {name: min(moments) for name, moments in begun_of.items() if moments}
    rows = sa.select(outbox.c.message_id).where(outbox.c.recipient.in_(who.addresses)).order_by(outbox.c.id)
    for index, named in enumerate(unit.column(rows), 1):
        row = unit.letter(named)
        assert row is not None
        told = {"kind": row.kind, "match": row.match, "at": moment(row.at)}
        begun = since.get(row.match or "") if row.match else min(since.values(), default=None)
        if decoded(row).reply.draft or (begun is not None and row.at >= begun):
            yield {**told, "sealed": True}
            continue
        into.writestr(f"letters/{index}.eml", referee.parts.envelope(decoded(row)))
        yield {**told, "file": f"letters/{index}.eml"}


_WHY = "This player has asked to be forgotten."
_LOST = "What this letter said is deleted: it told of somebody who has asked to be forgotten."
_BLANK: dict[str, Any] = {
    "raw": b"",
    "reason": "",
    **dict.fromkeys(("sender", "message_id", "words", "resend", "signature")),
}


class Traces(Value):
    """By what a text tells of somebody: his names and addresses, however they are broken into lines, quoted or put into
    HTML, and what he said, without blanks and marks of quotes. Of his words the shortest tell of nobody."""

    who: Identity
    named: re.Pattern[str]
    words: frozenset[str]

    def in_text(self, text: str) -> bool:
        plain = html.unescape(text).casefold()
        if self.named.search(plain) is not None:
            return True
        run = _squeezed(plain)
        return any(word in run for word in self.words)

    def in_json(self, text: str) -> bool:
        said = dict[str, str]()
        _mapped(json.loads(text), lambda words: said.setdefault(words, words))
        return self.in_text("\n".join(said))


def _squeezed(text: str) -> str:
    return re.sub(r"[\s>|]+", "", text).casefold()


def _prose(text: str) -> Iterator[str]:
    """The lines in which somebody says something, without what stands before a colon."""
    for line in text.splitlines():
        _, value = keyed(line)
        words = line if value is None else value
        if len(words) >= 8 and (value is None or len(words.split()) > 3):
            yield words


@dataclass(slots=True)
class Found:
    """What was found of him, and is gone."""

    who: Identity
    mails: int = 0
    letters: int = 0


def forget(referee: Referee, address: str, now: datetime, *, carry_out: bool = True) -> Found:
    """Give up his places, delete what he said and was sent, take him out of the ledgers, and make his seats vacant: so
    no letter about it names him. All of it, or nothing: without `carry_out` it is only found out. Raises CannotDo,
    also where mails of others that wait speak of him: once he is forgotten nobody could say of whom they speak."""
    if address_key(address) in map(address_key, referee.offices.at_desk):
        raise CannotDo("That is the moderator's address: hand the office over first.")
    matches = referee.parts.matches
    with referee.store.exclusive(), referee.store.transaction() as unit:
        unit.now, found = now, Found(who := identity(referee, unit, address))
        traces = _traces(referee, unit, who)
        seats = {name: who.seats(matches.outline(unit, name)) for name in who.matches}
        _leave_the_club(referee, unit, who)
        _delete_mails(referee, unit, found, traces)
        for name in (*who.matches, *_elsewhere(referee, unit, traces)):
            _rewrite(referee, unit, name, traces)
        matches.forget()
        for name, held in seats.items():
            for seat in sorted(held, reverse=True):  # while it waits for players those behind one move up
                match = matches.outline(unit, name)
                if match.status != "ended" and seat in match.numbers and not match.entrant(seat).addresses:
                    referee.parts.acts.command(unit, name, ev.SeatVacated(seat, _WHY), _WHY)
        _rewrite_club(referee, unit, traces)
        _delete_letters(referee, unit, found, traces)
        unit.change(sa.delete(people).where(people.c.address.in_(who.addresses)))
        unit.change(sa.update(people).where(people.c.owner.in_(who.addresses)).values(owner=None))
        if not carry_out:
            unit.connection.rollback()
    matches.forget()
    if carry_out and (site := referee.site) is not None and site.is_dir():
        shutil.rmtree(site / "index", ignore_errors=True)  # so that every page is made anew
        referee.publish(site)
    return found


def _leave_the_club(referee: Referee, unit: Unit, who: Identity) -> None:
    """No place of an event or proposal is theirs any more; no letters about a match go to him."""
    events, proposals = referee.parts.tournaments, referee.parts.proposals
    for address in sorted(who.addresses):
        for event in [e for e in events.all(unit) if e.player(address)]:
            events.leave(unit, event, address)
        for proposal in [p for p in proposals.forming(unit) if p.plays(address) or address in p.kept]:
            proposals.give_up(unit, proposal, address)
    for match in [referee.parts.matches.outline(unit, name) for name in who.matches]:
        left = [ev.ObserverRemoved(each) for each in match.observers if address_key(each) in who.addresses]
        deputies = match.substitutes.items() if match.status != "ended" else ()
        for command in (*left, *(ev.SubstituteDropped(seat) for seat, one in deputies if who.has(one))):
            referee.parts.acts.command(unit, match.name, command, _WHY)


# --- what tells of him ------------------------------------------------------------------------------------------------


def _traces(referee: Referee, unit: Unit, who: Identity) -> Traces:
    """He is found by what he said in ledgers and in mails, whatever became of these; what others
    answer with too is nobody's."""
    said, common = list[str](), list[str]()
    for name in who.matches:
        history = unit.history(name)
        match = fold(referee.games.__getitem__, history)
        own = {e.cause for e, then in followed(referee, match, history) if his_words(e, then, who)}
        for entry in history:
            if entry.cause in own:
                texts = [str(_at(entry.body, place)) for place in entry.body.get("salts", {})]
                if isinstance(entry.event, ev.Answered):  # orders are nobody's words
                    texts = [line for text in texts for line in text.splitlines() if len(line.split()) > 3]
                said += texts
                if isinstance(entry.event, ev.Words) and not entry.public:
                    said.append(entry.event.text)
            elif isinstance(entry.event, ev.Answered):
                common += _prose(entry.event.text)
    mine = sa.select(inbox.c.raw, inbox.c.cut).where(inbox.c.sender.in_(who.addresses), inbox.c.raw != b"")
    for raw, cut in unit.connection.execute(mine):
        said += [x.text for x in referee.reader.read(bytes(raw), cut=cut).own if len(x.text.split()) > 3]
    # a line may end between two words, and behind a hyphen
    escaped = (re.escape(" ".join(name.casefold().split())) for name in who.names)
    names = (name.replace(r"\ ", r"[\s>|]+").replace(r"\-", r"-[\s>|]*") for name in escaped)
    forms = [*(rf"(?<!\w){name}(?!\w)" for name in names if name), *map(re.escape, sorted(who.addresses))]
    words = {_squeezed(part) for text in said for part in _prose(text)} - set(map(_squeezed, common))
    return Traces(who, re.compile("|".join(forms)), frozenset(words))


# --- ledgers ----------------------------------------------------------------------------------------------------------


def _elsewhere(referee: Referee, unit: Unit, traces: Traces) -> Iterator[str]:
    """Matches with which he has nothing to do, and in which somebody speaks of him; where one of
    his name plays, it is that one who is spoken of."""
    names = {name.casefold() for name in traces.who.names}
    for name in unit.names():
        bodies = unit.column(sa.select(ledger.c.body).where(ledger.c.match == name))
        if name not in traces.who.matches and any(map(traces.in_json, bodies)):
            match = referee.parts.matches.outline(unit, name)
            if names.isdisjoint(person.name.casefold() for person in match.roster):
                yield name


def _rewrite(referee: Referee, unit: Unit, name: str, traces: Traces) -> None:
    """The ledger without him; its chain must stand where it stood."""
    history = unit.history(name)
    before = fold(referee.games.__getitem__, history)
    entries = list(followed(referee, before, history))
    own = {entry.cause for entry, then in entries if his_words(entry, then, traces.who)}
    for entry, then in entries:
        body = _without(entry, then, traces, own=entry.cause in own)
        if body != entry.body:
            place = sa.and_(ledger.c.match == name, ledger.c.version == entry.version)
            unit.change(sa.update(ledger).where(place).values(body=_json(body)))
    after = fold(referee.games.__getitem__, unit.history(name))
    if after.head != before.head:
        raise CannotDo(f"{name}: the chain would not stand any more; nothing is changed.")
    write_anew(referee, unit, after)


def _without(entry: Entry, then: Match, traces: Traces, *, own: bool) -> JsonDict:
    """The entry as it is kept from now on."""
    who, body = traces.who, json.loads(json.dumps(entry.body))
    texts = {place: str(_at(body, place)) for place in body.get("salts", {})}
    if gone := [place for place, text in texts.items() if own or traces.in_text(text)]:
        body = forgotten({**body, "position": entry.position}, gone)
        del body["position"]
    for person in (*body.get("roster", ()), *filter(None, [body.get("entrant")])):
        if who.addresses & _keys(person["addresses"]):
            person.update(addresses=[], zone=None)
    written = [name for name in ("address", "old", "new") if name in body]
    theirs = body.get("seat") in who.seats(then)
    added = isinstance(entry.event, ev.AddressAdded) and theirs
    if added or who.addresses & _keys(body[name] for name in written):
        body |= dict.fromkeys(written, "")
    match entry.event:
        case ev.ZoneSet() if theirs:
            body["zone"] = "UTC"
        case ev.LanguageHeard() if theirs:
            body["language"] = ""
        case ev.DraftKept(text=text) | ev.PressKept(text=text) if own or traces.in_text(text):
            body["text"] = ""
        case ev.PressSent(text=text) | ev.SaidToOne(text=text) if not entry.public and (
            own or traces.in_text(text)
        ):
            body["text"] = in_place(entry.position)
    return cast(JsonDict, body)


def _at(value: Any, place: str) -> Any:
    for step in place.split("."):
        value = value[int(step)] if isinstance(value, list) else value[step]
    return value


def _rewrite_club(referee: Referee, unit: Unit, traces: Traces) -> None:
    """In the ledgers of the club something else stands in his place: the same wherever he played by
    his address, since that is what a player is known by there."""
    his = traces.who.addresses
    mark = f"[forgotten] {referee.parts.keys.derive('forgotten', *sorted(his))[:12]}"

    def renamed(text: str) -> str:
        told = traces.named.search(text.casefold())
        return text if told is None else mark if "@" in text else FORMER

    rows = sa.select(club_ledger.c.gathering, club_ledger.c.version, club_ledger.c.body)
    for name, version, body in unit.connection.execute(rows).all():
        if traces.in_text(body):
            place = sa.and_(club_ledger.c.gathering == name, club_ledger.c.version == version)
            fresh = _json(_mapped(json.loads(body), renamed, keys=True))
            unit.change(sa.update(club_ledger).where(place).values(body=fresh))
    own = [table.c.address for table in (invitations, club_wishes, never_again)]
    for column in (*own, never_again.c.proposer):
        unit.change(sa.delete(column.table).where(column.in_(his)))


def _mapped(value: Any, told: Callable[[str], str], *, keys: bool = False) -> Any:
    """The value with another in place of each text; `keys`: those of objects too."""
    match value:
        case str():
            return told(value)
        case list():
            return [_mapped(part, told, keys=keys) for part in value]
        case dict():
            named = ((told(name) if keys else name, part) for name, part in value.items())
            return {name: _mapped(part, told, keys=keys) for name, part in named}
    return value


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


# --- mails and letters ------------------------------------------------------------------------------------------------


def _delete_mails(referee: Referee, unit: Unit, found: Found, traces: Traces) -> None:
    """His own mails, and those of others that quote him or hold his name. Raises CannotDo where one
    of these waits: its words are needed still, and would bring his back."""
    rows, waiting = sa.select(inbox.c.id, inbox.c.sender, inbox.c.verdict, inbox.c.cut), []
    for number, sender, verdict, cut in unit.connection.execute(rows).all():
        raw = bytes(unit.value(sa.select(inbox.c.raw).where(inbox.c.id == number)))
        his, waits = sender in traces.who.addresses, verdict in (None, "held", "shunted")
        read = referee.reader.read(bytes(raw), cut=cut)  # what it says, beside its bytes
        said = [read.subject, read.sender_name, *(line.text for line in (*read.own, *read.quoted))]
        if not his and not traces.in_text("\n".join([bytes(raw).decode("utf-8", "replace"), *said])):
            continue
        if waits and not his:
            waiting.append(str(number))
        gone = {**_BLANK, "verdict": "discarded" if waits else verdict} if his else {"raw": b"", "reason": ""}
        unit.change(sa.update(inbox).where(inbox.c.id == number).values(**gone))
        found.mails += 1
    if waiting:
        raise CannotDo(
            f"Mails that wait speak of him: {', '.join(waiting)}. Settle them (`referee desk` has the commands), "
            "then do it again."
        )


def _delete_letters(referee: Referee, unit: Unit, found: Found, traces: Traces) -> None:
    """Letters to him are gone. Others that tell of him lose their text: what they are and ask for stays, so that an OK
    still counts, and digests of their lines, so that who quotes one is understood. What has not left is composed anew,
    where it is of a match; else it is not needed any more."""
    to_him = outbox.c.recipient.in_(traces.who.addresses)
    found.letters = unit.change(sa.delete(outbox).where(to_him))
    pages = unit.connection.execute(sa.select(sheets.c.digest, sheets.c.content))
    telling = {digest for digest, content in pages if traces.in_json(content)}
    rows = sa.select(outbox.c.id, outbox.c.message_id, outbox.c.state, outbox.c.sheet, outbox.c.body)
    for number, named, state, sheet, body in unit.connection.execute(rows).all():
        if sheet not in telling and not traces.in_json(body):
            continue
        row = unit.letter(named)
        assert row is not None
        letter = decoded(row)
        page = lost(letter.page, referee.parts.keys, _LOST)
        left = state not in ("unsent", "gathered", "parked")
        if not left and (fresh := _afresh(referee, unit, letter)) is not None:
            page, left = fresh, True
        kept = outgoing(replace(letter, page=page))
        unit.insert_all_new(sheets, [{"digest": digest_of(kept.sheet), "content": kept.sheet}], "digest")
        silent = _mapped(json.loads(kept.body), lambda text: "" if traces.in_text(text) else text)
        values = {"sheet": digest_of(kept.sheet), "body": _json(silent)}
        values |= {} if left else {"state": "told"}
        unit.change(sa.update(outbox).where(outbox.c.id == number).values(**values))
        found.letters += 1
    unit.change(sa.delete(sheets).where(sheets.c.digest.not_in(sa.select(outbox.c.sheet))))


def _afresh(referee: Referee, unit: Unit, letter: Letter) -> LetterPage | None:
    """The page of a letter about a match as that stands now, with the form that it asked for; None of any other."""
    if letter.match is None:
        return None
    match, speaker = referee.parts.matches.load(unit, letter.match), referee.parts.speaker
    reader = Recipient(letter.head.recipient, letter.head.recipient_name, letter.seat)
    told = {"news": "", "proof": "", "entries": (), "moved": True, "form": letter.reply.form}
    context = {**speaker.context(match, reader), **told}
    owed = next(((r, d) for r, d in match.due if d.seat == letter.seat), None)
    if owed is None or not letter.reply.form:
        return speaker.page("board", context)
    return speaker.page("due", {**context, **speaker.owing(match, *owed)})
