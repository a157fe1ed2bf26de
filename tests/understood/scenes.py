"""Scenes: matches played to a point by the contract alone, with every letter that was sent on the way. A scene is a
file of `scenes/`: the match that is opened, or the scene it goes on from, and the mails that bring it there."""

from __future__ import annotations

import json
import os
import sqlite3
import tempfile
import tomllib
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import cache
from pathlib import Path
from typing import Any

from tests.world import _FOLDERS, Sent, World

HERE = Path(__file__).parent
KEPT_BACK = HERE / "kept_back"  # mails of one day, written last and scored once
PEOPLE = {
    "ann": "Ann Archer <ann@example.org>; Europe/Berlin",
    "ben": "Ben Baker <ben@example.org>",
    "cleo": "Cleo Meyer <cleo@example.org>",
    "hugo": "Hugo Dietz <hugo@example.org>",
}
OPENED = datetime(2026, 3, 1, 12, tzinfo=UTC)
A_MAIL = timedelta(minutes=5)
# What a mail changes besides what it orders: words to the others, and what is made anew for every answer.
_BESIDE = frozenset(("comment", "text", "seal", "salts", "due_at", "seed"))
_STATED = frozenset(("player", "round", "cycle"))  # in the head of a turn: true, or it is refused
# Statements of a turn that may be left out: they are true, or it is refused, and what happens tells them.
_LEFT_OUT = frozenset(("received", "mascot_captured", "king_captured", "promoted"))
_ARMY = ({"piece", "count"}, {"piece", "square"})
_BY_THE_WAY = frozenset(
    ("Commented", "ReplyAddressRenewed", "DraftKept", "DraftDropped", "LanguageHeard", "PressKept")
)


def stamp(moment: datetime) -> str:
    return moment.strftime("%Y-%m-%dT%H:%M:%SZ")


@dataclass
class Scene:
    """A referee at a point of one match or several, and the letters that have left. `orders` are answers that are too
    long to be said in a line."""

    name: str
    world: World
    now: datetime = OPENED
    matches: list[str] = field(default_factory=list)
    letters: list[Sent] = field(default_factory=list)
    orders: dict[str, str] = field(default_factory=dict)

    def copied(self, folder: Path) -> Scene:
        return Scene(
            self.name,
            self.world.copied(folder),
            self.now,
            list(self.matches),
            list(self.letters),
            dict(self.orders),
        )

    def letter(self, asked: str, to: str, match: str | None = None) -> Sent:
        """The letter of a kind, the last one; `due/0` the first, `due/-2` the last but one; of a match only, where one
        is given. What is public may stand in a letter of the seat's own."""
        kind, _, number = asked.partition("/")
        theirs = [x for x in self.letters if x.to == to and match in (None, x.match)]
        found = [x for x in theirs if x.kind == kind or (kind == "announcement" and _public(x))] or theirs
        return found[int(number or -1)]

    def passed(self, now: datetime) -> tuple[dict[str, Any], list[Sent]]:
        """A pass, and the letters that left."""
        self.now = max(self.now, now)
        counts = self.world.step(stamp(now))
        fresh = self.world.new_letters()
        self.letters += fresh
        return counts, fresh

    def plays(self, step: dict[str, Any]) -> None:
        """One step of the way: a pass at a moment, a match opened, a seat's mail."""
        if "passes" in step:
            self.passed(datetime.fromisoformat(step["passes"]))
        elif "opens" in step:
            people = [PEOPLE[who] for who in step["seats"]]
            options = {key: _given(str(value)) for key, value in step.get("options", {}).items()}
            given = [part for key, value in options.items() for part in ("--option", f"{key}={value}")]
            seats = [part for person in people for part in ("--seat", person)]
            vacant = ["--vacant", str(step["vacant"])] if "vacant" in step else []
            now = ["--seed", str(step.get("seed", 7)), "--now", stamp(self.now)]
            ran = self.world.do("open", step["opens"], *seats, *vacant, *given, *now)
            self.matches.append(ran.out.strip())
            self.passed(self.now)
        else:
            self._mailed(step)

    def _mailed(self, step: dict[str, Any]) -> None:
        self.now += A_MAIL
        sender = f"{step['who']}@example.org"
        body = self.orders[step["says"][1:]] if step["says"].startswith("@") else step["says"]
        if "subject" in step:
            self.world.mail(sender, step["subject"].format(match=self.matches[-1]), body, stamp(self.now))
        else:
            self.world.reply(self.letter(step.get("answers", "due"), sender), body, stamp(self.now))
        counts, fresh = self.passed(self.now)
        wanted = step.get("comes_to", "accepted")
        assert counts[wanted] == 1, (step, counts, [x.text for x in fresh])

    def ledger(self) -> list[tuple[str, Any]]:
        """Everything that has been written down of all matches, without what hangs on the words alone."""
        with sqlite3.connect(self.world.folder / "referee.db") as store:
            rows = store.execute('select "match", version, body from ledger order by "match", version')
            found = [(match, _bare(json.loads(body))) for match, _, body in rows]
        store.close()
        return [(match, entry) for match, entry in found if not _BY_THE_WAY & {entry["is"], _event(entry)}]


def _given(value: str) -> str:
    """The value of an option; a file that lies beside the scenes by its whole path."""
    return str(HERE / "scenes" / value) if value.endswith(".json") else value


def _public(letter: Sent) -> bool:
    return letter.position is not None and letter.kind in ("receipt", "due")


def _event(entry: dict[str, Any]) -> str:
    return str(entry.get("event", {}).get("is", ""))


def _bare(value: Any) -> Any:
    if isinstance(value, dict):
        beside = _BESIDE | _STATED if value.get("is") == "Turn" else _BESIDE
        return {key: _bare(inner) for key, inner in value.items() if key not in beside}
    if isinstance(value, list):
        said = (one for one in value if not (isinstance(one, dict) and one.get("kind") in _LEFT_OUT))
        found = [_bare(inner) for inner in said]
        army = all(isinstance(one, dict) and set(one) in _ARMY for one in found)
        return sorted(found, key=json.dumps) if army else found  # in whatever order it is bought and placed
    return value


@dataclass
class Plays:
    """Scenes, each played once in a folder of its own, and on from a copy of the one that it goes on from."""

    folder: Path
    roots: tuple[Path, ...] = (HERE, KEPT_BACK)
    played: dict[str, Scene] = field(default_factory=dict)

    def scene(self, name: str) -> Scene:
        if name not in self.played:
            self.played[name] = self._play(name)
        return self.played[name]

    def _play(self, name: str) -> Scene:
        places = (root / "scenes" / f"{name}.toml" for root in self.roots)
        place = next((place for place in places if place.exists()), None)
        assert place is not None, f"there is no scene {name}"
        told = tomllib.loads(place.read_text(encoding="utf-8"))
        folder = self.folder / name
        if "after" in told:
            scene = self.scene(told["after"]).copied(folder)
        else:
            folder.mkdir(parents=True, exist_ok=True)
            scene = Scene(name, World(folder))
        scene.name = name
        scene.orders |= {key: text.strip() for key, text in told.get("orders", {}).items()}
        for step in told["played"]:
            scene.plays(step)
        scene.now += timedelta(minutes=10)
        return scene


def played(name: str, folder: Path) -> Scene:
    """The scene of a file in a folder of its own: played once a process, and copied for whoever goes on from it."""
    return _played(os.environ.get("REFEREE_SECRET")).scene(name).copied(folder)


@cache
def _played(secret: str | None) -> Plays:
    return Plays(Path(tempfile.mkdtemp(dir=_FOLDERS.name)))
