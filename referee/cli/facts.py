"""What `list`, `show`, `desk` and `mail` print."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import typer

from referee.cli.app import at_desk, referee_of, shown, verb

if TYPE_CHECKING:
    from referee.offices.register import Facts


def _list(context: typer.Context, json: bool) -> None:
    with referee_of(context) as referee:
        rows = referee.stands()
        with referee.store.transaction() as unit:
            forming = unit.gatherings("proposal", ["forming"])
    lines = [line for row in rows for line in _listed(row)]
    lines += (f"{each.name}: {each.game}, being formed" for each in forming)
    shown(rows, lines or ["There are no matches yet; `referee open` opens one."], json=json)


def _listed(row: Facts) -> Iterator[str]:
    yield f"{row['match']}: {row['game']}, {row['phase']}, {row['status']}"
    if row["vacant"]:
        yield f"  vacant: {_vacant(row)}"
    for due in row["due"]:
        yield f"  due: {owing(row, due)}"


def _show(context: typer.Context, match: str, moderator: bool, json: bool, **said: int | None) -> None:
    seat = said["as"]
    with referee_of(context) as referee:
        if seat is None and not moderator:
            (facts,) = referee.stands(match)
        else:
            facts = referee.moderator.shown(match, seat, moderator=moderator)
        if moderator:
            with referee.store.transaction() as unit:
                facts["held"] = referee.parts.queue.aside(unit, match)
    shown(facts, _match(facts), json=json)


def _match(facts: Facts) -> Iterator[str]:
    yield f"{facts['match']} ({facts['game']}): {facts['phase']}, {facts['status']}"
    for person in facts["seats"]:
        left = " (vacant)" if person["number"] in facts["vacant"] else ""
        yield f"  Player {person['number']}: {person['name'] or 'nobody'}{left}"
    if facts["vacant"]:
        yield f'  vacant: {_vacant(facts)}; whoever wants a seat sends the subject "join {facts["match"]}"'
    for due in facts["due"]:
        yield f"  due: {owing(facts, due)}"
    for answer in facts.get("answered", ()):
        yield f"  answered: {answer['demand']} of Player {answer['seat']}"
    for item in facts.get("held", ()):
        yield f"  held: {_plain(_about('held', item))}: {item['command']}"
    for known in facts.get("addresses", ()):
        yield f"  Player {known['seat']} writes from {', '.join(known['addresses']) or 'nowhere'}"
    for failing in facts.get("failing", ()):
        since = in_minutes(failing["since"])
        why = f": {failing['why']}" if failing["why"] else ""
        yield f"  letters to Player {failing['seat']} ({failing['address']}) fail since {since}{why}"
    if facts["outcome"]:
        yield f"  outcome: {facts['outcome']['reason']}"
    if facts["board"]:
        yield "\n" + facts["board"]


def _vacant(facts: Facts) -> str:
    """The vacant seats in words; before the draw a seat has no number."""
    count = len(facts["vacant"])
    if facts["status"] == "filling":
        return f"{count} seat{'' if count == 1 else 's'}"
    return ", ".join(f"Player {number}" for number in facts["vacant"])


def owing(facts: Facts, due: Facts) -> str:
    """What is owed, by whom, until when, in words."""
    name = next((person["name"] for person in facts["seats"] if person["number"] == due["seat"]), "")
    who = f"{name} (Player {due['seat']})" if name else f"Player {due['seat']}"
    until = f"until {in_minutes(due['due_at'])}" if due["due_at"] else "no deadline"
    return f"{due['demand']} by {who}, {until}"


def in_minutes(moment: str) -> str:
    """A moment as people read it: ISO 8601 in UTC, to the minute."""
    return f"{moment[:16]}Z"


def _desk(context: typer.Context, json: bool, now: str | None) -> None:
    with at_desk(context, now) as (referee, at), referee.store.transaction() as unit:
        facts = referee.parts.queue.all_that_waits(unit, at)
    shown(facts, _waiting(facts), json=json)


def _waiting(facts: Facts) -> Iterator[str]:
    for part in _DESK:
        for item in facts[part]:
            yield f"{_CALLED.get(part, part)}: {_plain(_about(part, item))}"
            for way in filter(None, (item.get("command"), item.get("or"))):
                yield f"    {_plain(way)}"
    if not any(facts[part] for part in _DESK if part != "next"):
        yield "Nothing waits for you."
    last = facts["last_pass"]
    yield f"The last pass was at {in_minutes(last)}." if last else "There was no pass yet."


_DESK = ("held", "shunted", "questions", "failing", "vacant", "late", "stalled", "trouble", "next")
_CALLED = {
    "questions": "question",
    "failing": "letters fail",
    "next": "next deadline",
}  # all others as they are


def _about(part: str, item: Facts) -> str:
    """An item of the desk in a line."""
    match part:
        case "held" | "shunted" | "questions":
            told = [item.get(fact) for fact in ("from", "match", "subject", "why", "words")]
            return f"mail {item['id']}" + "".join(f"; {text}" for text in told if text)
        case "failing":
            seats = ", ".join(f"{at['match']} / Player {at['seat']}" for at in item["seats"])
            return f"{item['address']} ({seats}) since {in_minutes(item['since'])} {item['why']}"
        case "vacant":
            return f"{item['match']}: " + (f"Player {item['seat']}" if item["seat"] else "a seat")
        case "late" | "next":
            return f"{item['match']}: {item['demand']} of Player {item['seat']}, due {in_minutes(item['due_at'])}"
        case "stalled":
            return f"{item['match']}: {item['why']}"
    return str(item["what"])


def _plain(text: str) -> str:
    """What others wrote, without what a terminal would obey."""
    return "".join(char if char.isprintable() else " " for char in text)


def _mail(context: typer.Context, which: int, json: bool) -> None:
    with referee_of(context) as referee, referee.store.transaction() as unit:
        queue = referee.parts.queue
        facts = queue.mail(unit, int(queue.meant(unit, str(which))))
    names = ("id", "from", "arrived", "match", "verdict", "why", "subject")
    lines = [f"{name}: {_plain(str(facts[name]))}" for name in names if facts.get(name) is not None]
    if facts["sealed"]:
        lines += [
            "What it says is not shown: it may hold a sealed answer, or is about a match in which you sit."
        ]
    else:
        lines += ["\n" + "\n".join(map(_plain, facts["text"].splitlines()))]
    shown(facts, lines, json=json)


verb("list", _list)
verb("show", _show)
verb("desk", _desk)
verb("mail", _mail)
