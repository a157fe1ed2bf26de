"""Who sits where: the roster, the draw, who comes and who goes; their addresses and zones, and who
looks on. Substitutes play on where a seat falls vacant, and stand in while its player is away."""

from collections.abc import Iterable, Sequence
from typing import Any

from referee.core.chance import Chance, mixed
from referee.core.codec import JsonObject
from referee.core.texts.addresses import address_key
from referee.core.value import without_addresses
from referee.match import commands as do
from referee.match import events as ev
from referee.match.ledger import LedgerWriter
from referee.match.match import Match, held_by, readdressed, substitute_of
from referee.match.names import name_fault
from referee.match.timing import game_setup

_TWICE = "that address has a place there already (Player {}), and nobody holds two seats of a match"


def entered(history: Iterable[ev.Entry]) -> tuple[dict[int, ev.Entrant], tuple[tuple[int, ev.Entrant], ...]]:
    """Who sits where, and who sat there before, each as the ledger first entered them: addresses
    that came later are no part of it. Before the draw the roster's order numbers the seats."""
    roster: list[ev.Entrant] = []
    seating: tuple[int, ...] = ()
    former: list[tuple[int, ev.Entrant]] = []
    for event in (entry.event for entry in history):
        if isinstance(event, ev.MatchOpened):
            roster = list(event.roster)
        elif isinstance(event, ev.EntrantJoined):
            roster.append(event.entrant)
        elif isinstance(event, ev.EntrantLeft):
            del roster[event.seat - 1]
        elif isinstance(event, ev.MatchBegun):
            seating = event.seating
        elif isinstance(event, ev.EntrantReplaced | ev.StoodIn | ev.CameBack):
            place = seating.index(event.seat) if seating else event.seat - 1
            former.append((event.seat, roster[place]))
            roster[place] = event.entrant
    numbers = seating or range(1, len(roster) + 1)
    return dict(sorted(zip(numbers, roster, strict=True))), tuple(former)


def begin_when_full(ledger: LedgerWriter, data: Any, seed: str) -> None:
    """The draw and the game's opening, once nobody is missing (600)."""
    match = ledger.match
    if len(match.roster) < match.seats:
        return
    used = mixed(seed, match.beacon) if match.beacon else seed
    chance = Chance(used)
    opening = ledger.game.opening(game_setup(match.options, data, match.seats), chance)
    ledger.write(ev.MatchBegun(opening.seating, seed, chance.transcript))
    if match.version > 1:
        _renew_all(ledger)
    ledger.happen(opening.events)
    ledger.settle()


def begin(ledger: LedgerWriter, opening: ev.MatchOpened, seed: str, happened: Sequence[JsonObject]) -> None:
    """A match is opened, and begins where all seats are filled; one that goes on from another's
    position with the seats as they are entered, what happened until then, and what is owed now."""
    ledger.write(opening)
    if opening.continues is None:
        return begin_when_full(ledger, opening.data, seed)
    ledger.write(ev.MatchBegun(tuple(range(1, opening.seats + 1)), seed, ()))
    for event in happened:
        ledger.write(ev.Happened(event))
    return ledger.settle()


def _renew_all(ledger: LedgerWriter) -> None:
    """Letters sent before the draw knew places on the roster only. The draw, and whoever leaves,
    gives those numbers to others, for whom the old reply addresses must not speak."""
    for seat in range(1, ledger.match.seats + 1):
        ledger.write(ev.ReplyAddressRenewed(seat))


def join(ledger: LedgerWriter, command: do.Join) -> str:
    """Somebody without a seat takes a vacant one; the last one to be taken begins a match that is filling."""
    vacant = ledger.match.vacant
    if any(held_by(ledger.match, address) for address in command.entrant.addresses):
        return "you have a seat in that match already"
    if any(substitute_of(ledger.match, address) for address in command.entrant.addresses):
        return "you are named as a substitute in that match"
    if unfit := unfit_name(command.entrant, called_others(ledger.match)):
        return unfit
    if vacant and ledger.match.inner is None:
        return _entered(ledger, command.entrant)
    if not vacant or command.seat not in (None, *vacant):
        return "that seat is not vacant" if vacant else "no seat of that match is vacant"
    return taken_over(ledger, command.seat or vacant[0], command.entrant, "")


def called_others(match: Match, *seats: int) -> list[str]:
    """The names of those who play, but for whoever has one of the seats, or a vacant one."""
    left = {*seats, *match.vacant}
    return [match.entrant(number).name for number in match.numbers if number not in left]


def unfit_name(entrant: ev.Entrant, others: Iterable[str]) -> str:
    """Why somebody can't play under their name."""
    why = name_fault(entrant.name, others)
    return f'the name "{without_addresses(entrant.name)}" can\'t be taken: {why}' if why else ""


def no_seat(match: Match, seat: int) -> str:
    """What is wrong with a number that is no seat's."""
    known = ", ".join(map(str, match.numbers))
    return "" if seat in match.numbers else f"there is no seat {seat}; there are {known}"


def _unfit(match: Match, entrant: ev.Entrant, others: Iterable[str], *own: int) -> str:
    """Why somebody can't have a seat, or be the substitute there, beside what they have but for their `own`."""
    held = (place for address in entrant.addresses for place in _places(match, address))
    if taken := {*held} - {*own}:
        return _TWICE.format(min(taken))
    return unfit_name(entrant, others)


def step_back(ledger: LedgerWriter, command: ev.EntrantLeft) -> str:
    """Somebody leaves the roster before the match begins."""
    if ledger.match.status != "filling":
        return "the match has begun"
    ledger.write(command)
    _renew_all(ledger)
    return ""


def replace(ledger: LedgerWriter, command: ev.EntrantReplaced) -> str:
    """The moderator gives a seat to another person, who has none there."""
    match = ledger.match
    vacant = match.inner is None and command.seat in match.vacant
    unknown = "" if vacant else no_seat(match, command.seat)
    if why := unknown or _unfit(match, command.entrant, called_others(match, command.seat), command.seat):
        return why
    if vacant:
        return _entered(ledger, command.entrant)
    return taken_over(ledger, command.seat, command.entrant, command.why)


def vacate(ledger: LedgerWriter, command: ev.SeatVacated) -> str:
    """Nobody has the seat any more. Until somebody takes it, what was answered counts and deadlines run on."""
    match = ledger.match
    nobodys = "nobody has that seat" if command.seat in match.vacated else no_seat(match, command.seat)
    if why := "the match is over" if match.status == "ended" else nobodys:
        return why
    if match.inner is None:
        return step_back(ledger, ev.EntrantLeft(command.seat))
    ledger.write(command)
    return ""


def _entered(ledger: LedgerWriter, entrant: ev.Entrant) -> str:
    """One more on the roster of a match that is filling."""
    ledger.write(ev.EntrantJoined(entrant))
    first = ledger.history()[0].event
    assert isinstance(first, ev.MatchOpened)
    begin_when_full(ledger, dict(first.data), first.seed or ledger.keys.seed(ledger.match.name))
    return ""


def taken_over(ledger: LedgerWriter, seat: int, entrant: ev.Entrant, why: str) -> str:
    """Another person takes the seat; what a left seat held up goes on (104). Answers that are still
    sealed were the first person's own: they are void, and the seat owes again."""
    for r in ledger.match.rounds if ledger.match.status != "ended" else ():
        for answer in r.answered if r.sealed else ():
            if answer.demand.seat == seat:
                ledger.write(ev.AnswerWithdrawn(r.label, answer.demand))
    ledger.write(ev.EntrantReplaced(seat, entrant, why))
    if ledger.match.inner is not None and ledger.match.status != "ended":
        ledger.happen(ledger.game.filled(ledger.match.inner, seat))
        ledger.settle()
    return ""


def unfit_address(match: Match, command: ev.SeatsReaddressed) -> str | None:
    """Nobody has two seats of a match that goes on by it, nor one and a substitute's place."""
    own, others = (_places(match, each) for each in (command.old, command.new))
    if match.status != "ended" and own and others - own:
        return _TWICE.format(min(others - own))
    return "" if readdressed(match, command) != match else None


def _places(match: Match, address: str) -> set[int]:
    """The seats that are the address's own, are kept for it while it is away, or whose substitute it is."""
    kept = (seat for seat, there in match.stand_ins.items() if there.player.has(address))
    return {*held_by(match, address), *substitute_of(match, address), *kept}


def watching(match: Match, address: str) -> list[str]:
    """The address as it stands among the observers, if it does."""
    return [each for each in match.observers if address_key(each) == address_key(address)]


def observe(ledger: LedgerWriter, command: ev.ObserverRemoved) -> str:
    for address in watching(ledger.match, command.address)[:1]:
        ledger.write(ev.ObserverRemoved(address))
    return ""


# --- substitutes ----------------------------------------------------------------------------------


def unfit_substitute(match: Match, named: ev.SubstituteNamed) -> str:
    """Why somebody can't be named; the newest counts, is told to all by name, and his addresses to nobody."""
    if match.inner is None or match.status == "ended":
        return "the match is over" if match.status == "ended" else "the match has not begun"
    others = [person.name for seat, person in match.substitutes.items() if seat != named.seat]
    return no_seat(match, named.seat) or _unfit(match, named.entrant, [*called_others(match), *others])


def step_in(ledger: LedgerWriter) -> None:
    """Every vacant seat that has a substitute is his from now on."""
    match = ledger.match
    if match.inner is None or match.status == "ended":
        return
    for seat in match.vacant:
        person = ledger.match.substitutes.get(seat)
        if person is not None:
            taken_over(ledger, seat, person, "")
