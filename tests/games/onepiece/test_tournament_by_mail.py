"""A four-player tournament through the outer contract alone, to its winner: every settlement of 4.3 and 4.4."""

import json
import re
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from referee.games.onepiece import checker
from referee.games.onepiece.board import Colour, Grid, Ply, other, ply_of, winner_of
from referee.games.onepiece.solver import solved
from tests.games.onepiece.plainly import line_to
from tests.games.onepiece.table import E3, E6, EXACT4, K2
from tests.world import Sent, World, kinds

PEOPLE = [f"{name} <{name.lower()}@example.org>" for name in ("Ann", "Ben", "Cleo", "Dan")]
ADDRESSES = [f"{name}@example.org" for name in ("ann", "ben", "cleo", "dan")]
# With 1000 nodes a true claim of exactly 4 after EXACT4 and false ones of 2 are decided, one of 8 after E6 is not.
NODES = "1000"


def exchanged(text: str) -> str:
    """A line of play with the colours exchanged."""
    return re.sub(r"R(..)B(..)", r"R\2B\1", text)


class Tournament:
    """Players 1 and 3 are red. Every letter that a step sends is kept in `letters`."""

    def __init__(self, folder: Path, **options: str) -> None:
        self.folder = folder
        self.world = World(folder)
        options = {"colours": "red", "edge": "south", "solver_nodes": NODES, **options}
        self.match = self.world.open("onepiece", PEOPLE, now="2026-03-01T12:00:00Z", **options)
        self.clock = datetime(2026, 3, 1, 12, tzinfo=UTC)
        self.letters: list[Sent] = []
        self.step()
        self.begin()

    def begin(self) -> None:
        """A new game; whoever owes its first ply is its starter."""
        self.starter = self.facts["due"][0]["seat"]
        self.grid = Grid(8, 8, (), 20)
        self.plies = 0
        self.played: list[Ply] = []
        self.before = self.points

    @property
    def facts(self) -> dict:
        return self.world.show(self.match)

    @property
    def points(self) -> list[int]:
        return self.facts["position"]["points"]

    @property
    def gained(self) -> dict[int, int]:
        """What this game has paid so far, by seat."""
        pairs = zip(self.points, self.before, strict=True)
        return {seat: now - before for seat, (now, before) in enumerate(pairs, 1) if now != before}

    def seat(self, ply: int) -> int:
        return (self.starter + ply - 2) % 4 + 1

    @property
    def side(self) -> Colour:
        """The colour that moves next."""
        return "red" if self.seat(self.plies + 1) % 2 else "blue"

    def due(self) -> list[tuple[int, str]]:
        return [(d["seat"], d["demand"]) for d in self.facts["due"]]

    # --- mails -------------------------------------------------------------------------------------------------

    def send(self, seat: int, body: str, heading: str = "Move") -> None:
        self.clock += timedelta(minutes=1)
        at = self.clock.isoformat()
        self.world.mail(PEOPLE[seat - 1], f"1P42: {heading} / Player {seat}", body, at)

    def step(self, accepted: int = 0, **later: float) -> dict:
        """One pass: so many mails count, and none is refused."""
        self.clock += timedelta(**later)
        counts = self.world.step(self.clock.isoformat())
        self.letters = self.world.new_letters()
        said = [x.text for x in self.letters if x.kind == "refusal"]
        assert (counts["accepted"], counts["read"]) == (accepted, accepted), (counts, said)
        return counts

    def play(self, plies: list[Ply] | str, **claims: int) -> None:
        """All plies in one pass, by whoever is to move; `claim=4` goes with the last of them."""
        line = [ply_of(text) for text in plies.split()] if isinstance(plies, str) else plies
        for number, ply in enumerate(line, 1):
            self.plies += 1
            body = f"Move: {ply}"
            if number == len(line) and "claim" in claims:
                body += f"\nClaim: {claims['claim']}"
            self.send(self.seat(self.plies), body)
            self.grid = self.grid.after(ply)
            self.played.append(ply)
        self.step(accepted=len(line))

    def line(self, text: str, first: Colour) -> str:
        """A line of the rules page that begins with that colour, for the colour that begins here."""
        return text if self.side == first else exchanged(text)

    def quiet(self, length: int, wins: Colour | None = None, seed: int = 1) -> list[Ply]:
        return line_to(self.grid, self.side, length, wins, seed)

    def public(self) -> str:
        """The public letters' words, which everybody got, some among those of a letter of their own."""
        told = sorted((x for x in self.letters if x.position), key=lambda x: (x.position or 0, x.kind))
        texts = list(dict.fromkeys(x.text for x in told if x.kind in ("announcement", "lapsed", "ended")))
        for address in ADDRESSES:
            mine = "".join(x.text for x in told if x.to == address)
            for text in texts:
                assert re.split(r"(?m)^(?:Next come)", text)[0].strip() in mine
        return " ".join(" ".join(texts).split())


def claimed(game: Tournament, text: str, first: Colour, n: int) -> int:
    """A line of the rules page with a claim beside its last ply; the claimer's seat."""
    game.play(game.line(text, first), claim=n)
    claimer = game.seat(game.plies)
    assert game.facts["position"]["claim"] == {"seat": claimer, "ply": game.plies, "n": n}
    return claimer


def partner(seat: int) -> int:
    return (seat + 1) % 4 + 1


FIVE = " ".join(E6.split()[:5])


def undecided(game: Tournament) -> int:
    """A claim of 8 that 1000 nodes do not decide; a win with its last ply was missed. The claimer's seat."""
    claimer = claimed(game, FIVE, "blue", 8)
    mine = other(game.side)
    line = game.quiet(8, mine, seed=4)
    game.play(line[:7])
    miss = next(p for p in game.grid.plies() if winner_of(game.grid, p) is None)
    game.last = line[7]
    game.play([miss])
    assert game.due() == [(claimer, "Evidence")]
    assert "can't tell whether the claim was right" in game.public()
    return claimer


@pytest.mark.soak  # each settlement at the seam is in `test_4_tournament` and `test_44_judging`
def test_43_a_tournament_with_every_settlement_comes_to_its_winner(tmp_path: Path) -> None:
    game = Tournament(tmp_path)

    # a game without any claim: one point to the player who won
    game.play(game.line(E6, "blue"))
    assert game.gained == {game.seat(7): 1}
    assert "1 point" in game.public()
    game.begin()

    # won at x+n: n to the claimer, n/2 to his partner, nothing to others
    claimer = claimed(game, K2, "red", 2)
    assert "claims 2: " in game.public()
    game.play(game.line("Ra2Ba3 Rf3Bf4", "blue"))
    assert game.gained == {claimer: 2, partner(claimer): 1}
    game.begin()

    # won earlier, at x+2: as a claim of 2
    claimer = claimed(game, FIVE, "blue", 6)
    game.play(game.quiet(2, other(game.side)))
    assert game.gained == {claimer: 2, partner(claimer): 1}
    game.begin()

    # not won, upheld, and the claimer let the win go himself: nobody gains
    claimer = claimed(game, EXACT4, "red", 4)
    game.play(game.quiet(4))
    assert game.gained == {}
    game.begin()

    # not won, upheld, and the partner let it go: n+1 to the claimer alone, with the line that proves it
    claimer = claimed(game, EXACT4, "red", 4)
    game.play(_partner_misses(game))
    assert game.gained == {claimer: 5}
    told = game.public()
    assert "upheld" in told
    assert "The line of the verdict, moves 10 to 13" in told
    game.begin()

    # not won, a bluff: the claimer pays n
    claimer = claimed(game, "Rd1Be1", "red", 2)
    game.play(game.quiet(2))
    assert game.gained == {claimer: -2}
    assert "was a bluff" in game.public()
    game.begin()

    # the other colour wins earlier: the claim is judged, the silent winner gets a point
    claimer = claimed(game, E3, "blue", 4)
    winner = game.seat(8)
    game.play(game.line("Rd4Bc4", "red"))
    assert game.gained == {claimer: -4, winner: 1}
    game.begin()

    # a win handed over: the point goes to the winning colour's player next to move
    hand_over = game.quiet(9, other(game.side), seed=5)
    game.play(hand_over)
    assert game.gained == {game.seat(10): 1}
    game.begin()

    # a draw pays nobody; the seat after the last starter begins
    starter = game.starter
    game.send(starter, "Offer: draw", "Offer")
    for seat in (s for s in (1, 2, 3, 4) if s != starter):
        game.send(seat, "Accept: draw", "Accept")
    game.step(accepted=4)
    assert game.gained == {}
    game.begin()
    assert game.starter == starter % 4 + 1

    # undecided, and no evidence within its deadline of 72 hours: not upheld
    claimer = undecided(game)
    opened = game.clock
    assert game.facts["due"][0]["due_at"] == (opened + timedelta(hours=72)).isoformat().replace("+00:00", "Z")
    assert game.step(hours=71)["lapsed"] == 0
    assert game.step(hours=1, seconds=1)["lapsed"] == 1
    assert game.gained == {claimer: -8}
    game.begin()

    # undecided, and the demonstration shows nothing: either opponent replies, then the referee for both
    claimer = undecided(game)
    _demonstrates_in_vain(game, claimer)
    assert game.gained == {claimer: -8}
    game.begin()

    # undecided, and given up
    claimer = undecided(game)
    game.send(claimer, "Give up", "Give up")
    game.step(accepted=1)
    assert game.gained == {claimer: -8}
    game.begin()

    # undecided, and shown to be right by changing a ply of his own: upheld, and nobody gains
    claimer = undecided(game)
    game.send(claimer, f"Demonstrate: 13\nMove: {game.last}", "Demonstrate")
    game.step(accepted=1)
    assert game.gained == {}
    assert "The demonstration succeeds" in game.public()

    # then true claims, until somebody has 10 points and is ahead of everybody
    while game.facts["status"] == "open":
        game.begin()
        claimed(game, EXACT4, "red", 4)
        game.play(_partner_misses(game))
    outcome, points = game.facts["outcome"], game.points
    assert outcome["winners"] == [points.index(max(points)) + 1]
    assert max(points) >= 10
    assert sorted(points)[-2] < max(points)
    assert outcome["points"] == {str(seat): p for seat, p in enumerate(points, 1)}
    assert kinds(game.letters)["ended"] == ADDRESSES
    assert game.facts["due"] == []
    _record_holds(game)


def _partner_misses(game: Tournament) -> list[Ply]:
    """Four quiet plies after a claim of 4, of which the second, the partner's, lets the win go."""
    claiming = other(game.side)
    for seed in range(1, 200):
        line = game.quiet(4, seed=seed)
        grid = game.grid.after(line[0]).after(line[1])
        if solved(grid, claiming, 2, True, int(NODES)).verdict == "refuted":
            return line
    raise AssertionError("no such line was found")


def _demonstrates_in_vain(game: Tournament, claimer: int) -> None:
    """From ply 9 on: a reply by mail, one by the deadline, and nothing is won with ply 13."""
    grid = Grid(8, 8, (), 20)
    for ply in game.played[:8]:
        grid = grid.after(ply)

    def quiet(grid: Grid, skip: str = "") -> Ply:
        return next(p for p in grid.plies() if winner_of(grid, p) is None and str(p) != skip)

    first = quiet(grid, str(game.played[8]))
    game.send(claimer, f"Demonstrate: 9\nMove: {first}", "Demonstrate")
    game.step(accepted=1)
    grid = grid.after(first)
    opponents = [s for s in (1, 2, 3, 4) if s % 2 != claimer % 2]
    assert game.due() == [(seat, "Reply") for seat in opponents]
    assert kinds(game.letters)["due"] == [ADDRESSES[s - 1] for s in opponents]
    reply = quiet(grid)
    game.send(opponents[1], f"Move: {reply}")
    game.step(accepted=1)
    grid = grid.after(reply)
    assert game.due() == [(claimer, "Demonstrate")]
    second = quiet(grid)
    game.send(claimer, f"Move: {second}")
    game.step(accepted=1)
    grid = grid.after(second)
    assert game.step(hours=48, seconds=1)["lapsed"] == 1  # nobody replies: the referee does
    assert game.due() == [(claimer, "Demonstrate")]
    game.send(claimer, f"Move: {_last_quiet(game, grid)}")
    game.step(accepted=1)


def _last_quiet(game: Tournament, grid: Grid) -> Ply:
    """A ply that wins nothing after whatever the referee replied."""
    record = json.loads(game.world.run("record", game.match).out)
    texts = [event["move"] for event in _happenings(record, "PieceShown")]
    grid = grid.after(ply_of(texts[-1]))
    return next(p for p in grid.plies() if winner_of(grid, p) is None)


def _happenings(record: dict, kind: str) -> list[dict]:
    return [e["event"] for e in record["entries"] if e["is"] == "Happened" and e["event"]["is"] == kind]


def _record_holds(game: Tournament) -> None:
    """The record is verified, its proofs too; a changed proof is found."""
    path = game.folder / "record.json"
    text = game.world.run("record", game.match).out
    path.write_text(text)
    game.world.do("verify", str(path))
    record = json.loads(text)
    settled = [(e["result"], e["claim"]["n"]) for e in _happenings(record, "ClaimSettled")]
    assert {("won", 2), ("won", 6), ("upheld", 4), ("bluff", 2), ("bluff", 8)} <= set(settled)
    assert {("own slip", 4), ("own slip", 8)} <= set(settled)
    verdicts = _happenings(record, "VerdictGiven")
    assert {v["verdict"] for v in verdicts} == {"proved", "refuted", "unknown"}
    for verdict in verdicts:
        assert bool(verdict["proofs"]) is (verdict["verdict"] != "unknown")
        assert [checker.faults(proof) for proof in verdict["proofs"]] == [()] * len(verdict["proofs"])
    ends = {e["reason"] for e in _happenings(record, "DemonstrationEnded")}
    assert ends == {"won", "not won", "out of time", "given up"}
    told = (e["event"] for e in record["entries"] if e.get("event", {}).get("is") == "VerdictGiven")
    next(v for v in told if v.get("proofs"))["proofs"][0]["last"] = [[]]
    path.write_text(json.dumps(record))
    assert game.world.run("verify", str(path)).status == 1
    assert "== " in game.world.run("record", game.match, "--format", "text").out
