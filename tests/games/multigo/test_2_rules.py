"""What the rules page says of play, from the opening (2.2) to the count (2.6), as stories: a board, options, mails that
count, and what is to be seen between them; with the golden cases of 2.8, as they are drawn there."""

import itertools
import re
from typing import Any

import pytest

from referee.core import seam
from referee.core.answers import Body, Party
from referee.core.chance import Chance
from referee.core.seam import Standing
from referee.core.value import Complaint, demands
from referee.games.multigo.game import GAME
from referee.games.multigo.notation import Count
from referee.games.multigo.prisoners import by_order, only_choice, own_too_soon, shares_of
from referee.games.multigo.state import Declaration, counts
from referee.games.multigo.turns import mutual
from tests.games.multigo.table import PC1, T2, Table, story

KO3 = """
3 . B W .
2 B . B W
1 . B W .
  A B C D
"""
TAKEN = KO3.replace("2 B . B W", "2 B W . W")
EYE = """
3 . W . .
2 W B W .
1 . B W .
  A B C D
"""
KO4 = """
4 . . . . . .
3 . B W . . .
2 B . B W . .
1 . B W . . .
  A B C D E F
"""
SMALL = "2 . .\n1 . .\n  A B"
BETWEEN = """
3 . B . .
2 B W . .
1 . R . .
  A B C D
"""
PAIR = """
3 . B B .
2 B W W .
1 . B R .
  A B C D
"""
DYING = """
3 . B . .
2 B W . .
1 B R . .
  A B C D
"""
TWO_CORNERS = """
3 . B . . . . R .
2 B W . . . R U .
1 . R . . . . B .
  A B C D E F G H
"""
OWN = "1 . B W . R W .\n  A B C D E F G"
NOTHING_ELSE = "2 . B U B . .\n1 B W . R W .\n  A B C D E F"
FOUR = """
4 . U . . .
3 U W U . .
2 U W B . .
1 . . G B .
  A B C D E
"""
# Black 5, White 0, Red 0; 5 points between Black and White, 10 between White and Red, 9 at the right.
WALLS = """
5 . B . W . . R . .
4 . B . W . . R . B
3 . B . W . . R . .
2 . B . W . . R . .
1 . B . W . . R . .
  A B C D E F G H J
"""
LONE = """
3 . B . .
2 . W R .
1 . W . .
  A B C D
"""
EVEN = """
3 . B W . . R U .
2 . B W . . R U .
1 . B W . . R U .
  A B C D E F G H
"""
TWELVE = "4 " + " ".join("W" * 12) + "".join(f"\n{n} " + " ".join("." * 12) for n in (3, 2, 1))
T1 = """
5 . . . . .
4 . . B . .
3 . B W . .
2 . . B . .
1 . . . . .
  A B C D E
"""
T3A = """
4 . . R R . .
3 . R W W . .
2 . . R R . .
  A B C D E F
"""
T3B = """
4 . . B U . .
3 . B W W . .
2 . . U B . .
  A B C D E F
"""
P1 = """
7 . . W . . . . B .
6 . W B . . . B W .
5 . . W . . . . B .
4 . . . . . . . . .
3 . . . R . . . . .
2 . . R W . . . . .
1 . . . R . . . . .
  A B C D E F G H J
"""
P2 = """
4 . B W . .
3 B W . W .
2 . B W . .
1 . . . . .
  A B C D E
"""
S1 = """
5 B B . . W . . . W . R . . R R U . . U U . B
4 . B . . W . . . W . R . . . R U . . . U U B
3 . B . . W . . . W . R . . . R U . . U U U B
2 . B . . W . . . W . R . . . R U . . U U . B
1 B B . . W . . . W . R . . R R U . . U U . B
  A B C D E F G H J K L M N O P Q R S T U V W
"""
NO, SITUATION = {"compensation": "none"}, {"superko": "situational", "compensation": "none"}
ROUNDS, COOP = {"order": "parallel"}, {"coop": "on", "compensation": "none"}
TOGETHER, DONE, SHARED = {**ROUNDS, "coop": "on"}, {**NO, "dead": "none"}, {**COOP, "dead": "none"}
RUNS, OLD_FIRST = {**COOP, "choice_blocks": "false"}, {**TOGETHER, "removal": "old_first"}
GOLDEN = {"coop": "on", "hands": "1:5W5R 3:3B1W"}
ALL, TWO = [(1, "Move"), (2, "Move"), (3, "Move")], [(1, "Move"), (2, "Move")]
DIED = [".B..", "B.B.", "B.U."]
FULL, VOID = ("B A2", "W A1"), ("B B2", "W B1")
TO_RED = (
    "B Pass",
    "W Pass",
    "R E3",
)  # in T2 Red captures two white stones and a blue one; Black captures too
ALONE, LEFT = [f"{seat} Ally: none" for seat in (1, 2, 3, 4)], ("W Pass", "R Pass", "U Pass")
DEAD = [f"{seat} Dead: none" for seat in (1, 2, 3, 4)]
STORIES: dict[str, tuple[Any, ...]] = {
    "2.2 parallel play knows no compensation": (
        3, "", ROUNDS, *(f"{seat}{row}" for row in (1, 3, 5) for seat in ("B A", "W C", "R E")),
        {"stones": [3, 3, 3]},
    ),
    # Black has passed by force
    "2.2 a forced pass does not count towards the end": (
        3, "", {}, "B A1", "W B1", "R C1", "B A3", "W Pass", "R Pass", {"phase": "play", "owed": [(2, "Move")]},
        "W Pass", "R Pass", {"phase": "play"}, "B Pass", {"phase": "dead"},
    ),
    "2.2 the second stone of a double move sees what the first captured": (
        5, "3 B W . . .\n2 . B . . .\n1 . . . . .\n  A B C D E", {},
        "B Pass", "W Pass", "R Pass", "U Pass", "G C3 B3", {"row 3": "B G G . ."},
    ),
    "2.2 one point alone is one stone and a pass": (
        5, "", {}, "B A1", "W B1", "R C1", "U D1", "G E1", {"owed": [(1, "Move")], "stones": [1, 1, 1, 1, 1]},
    ),
    "2.2 without compensation nobody passes and nobody plays twice": (
        5, "", NO, "B A1", "W B1", "R C1", "U D1", {"5 Move: E1 E2": ["too_many_points"]}, "G E1",
        *(f"{seat}{row}" for row in (4, 7) for seat in ("B A", "W B", "R C", "U D", "G E")),
        {"round": 4, "passes": 0},
    ),
    # B1 is the last liberty of White and of Red: neither is saved by the other's removal
    "2.3 dead chains of two colours that touch are removed at once": (
        3, "3 B B B\n2 W R B\n1 W . B\n  A B C", NO, "B B1",
        {"board": ["BBB", "..B", ".BB"], "prisoners": {"black": {"white": 2, "red": 1}}},
    ),
    "2.3 suicide is forbidden": (2, EYE, {}, {"1 Move: A1": ["suicide"]}),
    "2.3 and allowed by option": (
        2, EYE, {"suicide": "allowed"}, "B A1",
        {"board": [".W..", "W.W.", "..W."], "prisoners": {"white": {"black": 3}}},
    ),
    "2.3 a capture comes before suicide": (
        2, "2 B W .\n1 . W B\n  A B C", {}, "B Pass", "W A1", {"board": [".W.", "WWB"]},
    ),
    "2.3 a position may not come again": (
        2, KO3, {}, "B Pass", "W B2", {"row 2": "B W . W", "1 Move: C2": ["superko"]},
        "B A1", "W D1", {"1 Move: C2": []},
    ),
    "2.3 without superko the ko is taken back at once": (
        2, KO3, {"superko": "off"}, "B Pass", "W B2", "B C2", {"row 2": "B . B W"},
    ),
    # the first position had Black to move; White brings it back at once, with Red to move
    "2.3 a position is one whoever is to move": (3, TAKEN, NO, "B C2", {"2 Move: B2": ["superko"]}),
    "2.3 a situation is the position with the seat to move": (3, TAKEN, SITUATION, "B C2", {"2 Move: B2": []}),
    "2.3 a situation may not come again": (
        3, TAKEN, SITUATION, "B C2", "W B2", "R Pass", {"1 Move: C2": ["superko"]},
    ),
    "2.3 passing is always legal": (2, KO3, {}, "B Pass", "W B2", "B Pass", "W Pass", {"phase": "dead"}),
    "2.3 passing is always legal by situations": (
        2, KO3, {"superko": "situational"}, "B Pass", "W B2", "B Pass", "W Pass", {"phase": "dead"},
    ),
    "2.3 turns go round and skip those who resigned": (
        4, "", NO, "B A1", "R Resign", {"owed": [(2, "Move")]}, "W B1", {"owed": [(4, "Move")]},
        "U D1", {"round": 2, "owed": [(1, "Move")]}, "B Resign", {"owed": [(2, "Move")]},
    ),
    "2.4 all active seats owe a sealed replaceable answer": (
        3, "", ROUNDS, {"open": ("Round 1", True, "last"), "owed": ALL},
    ),
    "2.4 an occupied point is refused on receipt": (
        2, KO4, ROUNDS, {"1 Move: C2": ["occupied"], "1 Seal: B2": []},
    ),
    "2.4 three at one point and a fourth alone": (
        4, "", ROUNDS, "B D4", "W D4", "R D4", "U E5", {"collided": ["D4"], "placed": [(4, "E5")]},
    ),
    "2.4 self-capture is legal": (
        2, "2 W W .\n1 . W .\n  A B C", ROUNDS, "B A1", "W C2",
        {"row 1": ". W .", "prisoners": {"white": {"black": 1}}},
    ),
    "2.4 a void round restores the board and nobody captures": (
        2, SMALL, ROUNDS, *FULL, *VOID, {"board": ["B.", "W."], "prisoners": {}, "owed": TWO, "voids": 1},
    ),
    "2.4 three void rounds in a row end the play": (
        2, SMALL, ROUNDS, *FULL, *VOID, *VOID, {"phase": "play"}, *VOID, {"phase": "dead", "ended": ["void"]},
    ),
    "2.4 a round that counts ends a run of void ones": (
        2, SMALL, ROUNDS, *FULL, *VOID, *VOID, "B Pass", "W B1", "B Pass", "W Pass", {"voids": 0},
    ),
    "2.4 a repetition may be allowed": (
        2, SMALL, {**ROUNDS, "superko_parallel": "allow"}, *FULL, *VOID, {"phase": "play", "board": ["..", ".."]},
    ),
    "2.4 a repetition may end the play": (
        2, SMALL, {**ROUNDS, "superko_parallel": "end"}, *FULL, *VOID, {"phase": "dead", "board": ["B.", "W."]},
    ),
    "2.4 passes and collisions alone repeat nothing": (
        3, "", ROUNDS, "B D4", "W D4", "R Pass", {"voids": 0, "round": 2},
    ),
    "2.6 collided placements are not passes for the end": (
        3, "", ROUNDS, "B D4", "W D4", "R Pass", {"phase": "play"}, "over", {"phase": "dead"},
    ),
    "2.6 one pass sent among lapses ends the play": (3, "", ROUNDS, "B Pass", "lapse", {"phase": "dead"}),
    "2.7 without fallbacks one point is all": (3, "", ROUNDS, {"1 Seal: E4, B3": ["too_many_points"]}),
    # E4 collides; then White's and Red's B3 collide; Red's C3 stands, White has run out; Black has his B4
    "2.7 fallbacks are tried level by level": (
        3, "", {**ROUNDS, "fallbacks": "2"}, "B E4, B4", "W E4, B3", "R E4, B3, C3",
        {"placed": [(1, "B4"), (3, "C3")], "collided": ["E4", "B3"]},
    ),
    "2.7 a fallback on a point taken at an earlier level fails": (
        3, "", {**ROUNDS, "fallbacks": "1"}, "B E4, C3", "W E4, D5", "R C3",
        {"row 3": ". . R . . . . . .", "row 5": ". . . W . . . . ."},
    ),
    "2.5 two captors without cooperation eliminate the chain": (
        3, BETWEEN, NO, "B C2", {"prisoners": {}, "eliminated": {"white": 1}, "why": ["several"]},
    ),
    "2.5 of a chain that several take nothing is held": (
        3, PAIR, NO, "B D2", {"prisoners": {}, "eliminated": {"white": 2}},
    ),
    "2.5 the unit may be the stone": (
        3, PAIR, {**NO, "noncoop_unit": "stone"}, "B D2",
        {"prisoners": {"black": {"white": 1}}, "eliminated": {"white": 1}},
    ),
    # Red's stone beside the dying white one dies at the same instant
    "2.5 a captor must survive": (
        4, DYING, {**ROUNDS, "captor_includes_dead": "false"}, "B C2", "W Pass", "R Pass", "U C1",
        {"board": DIED, "prisoners": {"black": {"white": 1}}, "eliminated": {"red": 1}},
    ),
    "2.5 or not by option": (
        4, DYING, {**ROUNDS, "captor_includes_dead": "true"}, "B C2", "W Pass", "R Pass", "U C1",
        {"board": DIED, "prisoners": {}, "eliminated": {"white": 1, "red": 1}},
    ),
    "2.5 tactical off takes prisoners as without cooperation": (
        3, BETWEEN, {**COOP, "tactical": "off"}, "B C2", {"eliminated": {"white": 1}},
    ),
    "2.5 with cooperation the mover takes the remainder": (
        3, BETWEEN, COOP, "B C2", {"prisoners": {"black": {"white": 1}}},
    ),
    "2.5 captures far apart are events of their own": (
        4, TWO_CORNERS, TOGETHER, "B C2", "R H2", "W Pass", "U Pass",
        {"captures": 2, "prisoners": {"black": {"white": 1}, "red": {"blue": 1}}},
    ),
    "2.5 all captures of a round may be one event": (
        4, TWO_CORNERS, {**TOGETHER, "event_scope": "round"}, "B C2", "R H2", "W Pass", "U Pass",
        {"captures": 1, "owed": [(3, "Take")]}, "R Take: 1 white",
        {"prisoners": {"red": {"white": 1}, "black": {"blue": 1}}},
    ),
    "2.5 the mover chooses first and the last share is automatic": (
        4, T2, COOP, *TO_RED, {"open": ("Round 1 / Prisoners 1 / Player 3", False, "first"), "hours": 48},
        "R Take: 1 white, 1 blue", {"takes": [(3, "mail"), (1, "only")]},
    ),
    "2.5 a choice is checked against what is there": (
        4, T2, COOP, *TO_RED,
        {
            "3 Take: 1 white": ["take_total"],
            "3 Take: 3 white": ["take_not_there", "take_total"],
            "3 Take: 2 blue": ["take_not_there"],
            "3 Take: 1 white, 1 black": ["take_not_there"],
            "3 Take: white": ["no_counts"],
            "3 Take: 2 mauve": ["no_colour", "take_total"],
        },
    ),
    "2.5 nobody chooses out of turn": (
        4, T2, COOP, *TO_RED, {"1 Take: 1 white": ["nothing_to_take"], "4 Move: A1": ["not_now"]},
    ),
    "2.5 the default is the most numerous colour first": (
        4, T2, COOP, *TO_RED, "lapse",
        {
            "prisoners": {"red": {"white": 2}, "black": {"blue": 1}},
            "takes": [(3, "deadline"), (1, "only")],
        },
    ),
    "2.5 a standing order is applied at once": (
        4, T2, COOP, "R Prefer: blue", *TO_RED,
        {
            "prisoners": {"red": {"blue": 1, "white": 1}, "black": {"white": 1}},
            "takes": [(3, "prefer"), (1, "only")],
        },
    ),
    "2.5 a standing order sent while the choice waits decides it": (
        4, T2, COOP, *TO_RED, "R Prefer: white, blue",
        {"prisoners": {"red": {"white": 2}, "black": {"blue": 1}}},
    ),
    "2.5 prefer may stand beside a move, also sealed": (
        4, PC1, TOGETHER, {"2 Prefer: red\nSeal: F2": []}, "B E4", "R Pass", "U Pass",
        {
            "takes": [(2, "prefer"), (1, "only")],
            "prisoners": {"white": {"red": 2}, "black": {"blue": 2}}, "eliminated": {"blue": 1},
        },
    ),
    "2.5 after the mover the most recent turn chooses": (
        5, FOUR, {**COOP, "choice_order": "recency"}, "B Pass", "W Pass", "R B1",
        {"shares": [(3, 1), (1, 1), (4, 1)], "owed": [(3, "Take")]},
    ),
    "2.5 or the highest seat": (
        5, FOUR, {**COOP, "choice_order": "seat"}, "B Pass", "W Pass", "R B1",
        {"shares": [(4, 1), (3, 1), (1, 1)], "owed": [(4, "Take")]},
    ),
    "2.5 the next turn may run while a choice waits": (
        4, T2, RUNS, *TO_RED, {"owed": [(3, "Take"), (4, "Move")]}, "U A1",
        {"owed": [(3, "Take"), (1, "Move")]}, "R Take: 1 white, 1 blue", {"owed": [(1, "Move")]},
    ),
    "2.5 the count waits for every choice": (
        4, T2, {**RUNS, "dead": "none"}, *TO_RED, "U Pass", "B Pass", "W Pass", "R Pass",
        {"owed": [(3, "Take")]}, "lapse", {"phase": "ally"},
    ),
    "2.5 own stones left to a captor are eliminated": (
        3, OWN, {**COOP, "own_prisoners": "eliminate"}, "B D1", {"owed": [(1, "Take")]}, "B Take: 1 red",
        {"prisoners": {"black": {"red": 1}}, "eliminated": {"white": 1}},
    ),
    "2.5 or counted": (
        3, OWN, {**COOP, "own_prisoners": "count"}, "B D1", {"owed": [(1, "Take")]}, "B Take: 1 red",
        {"prisoners": {"black": {"red": 1}, "white": {"white": 1}}, "eliminated": {}},
    ),
    "2.5 who chooses first never gets the own colour while others are left": (
        3, OWN, OLD_FIRST, "B D1", "W Pass", "R Pass",
        {"prisoners": {"white": {"red": 1}, "black": {"white": 1}}},
    ),
    "2.5 own stones may be taken only when nothing else is left": (
        4, NOTHING_ELSE, OLD_FIRST, "B C1", *LEFT,
        {"2 Take: 1 white": ["take_own"], "faults 2 Mine:\nTake: 1 white": [("take_own", 2)]},
        "W Take: 1 blue", {"prisoners": {"white": {"blue": 1}, "black": {"white": 1, "red": 1}}},
    ),
    "crossman nobody owns prisoners and nobody is asked": (
        4, T2, {**COOP, "prisoners": "crossman"}, *TO_RED,
        {"prisoners": {}, "eliminated": {"white": 2, "blue": 1}, "owed": [(4, "Move")]},
    ),
    "2.5 prefer has no use where nobody chooses": (3, "", {}, {"1 Prefer: white": ["no_choices"]}),
    "crossman prefer has no use": (
        3, "", {"coop": "on", "prisoners": "crossman"}, {"1 Prefer: white": ["no_choices"]},
    ),
    "2.6 play ends after all active seats pass in succession": (
        3, "", NO, "B Pass", "W Pass", "R C3", "B Pass", "W Pass", {"phase": "play"}, "R Pass",
        {"phase": "dead"},
    ),
    "2.6 a deadline's pass counts": (3, "", NO, "lapse", "lapse", "R Pass", {"phase": "dead"}),
    "2.6 a resignation leaves passes standing": (
        3, "", NO, "B Pass", "W Pass", "R Resign", {"phase": "dead"},
    ),
    "2.6 lists are open and replaceable until the last": (
        3, WALLS, NO, "over", {"open": ("Dead stones 1", False, "last")}, "B Dead: D1",
        {"owed": [(2, "Dead"), (3, "Dead")], "listed": [("D1",)]},
        "B Dead: J4", "W Dead: J4", "R Dead: J4", {"row 4": ". B . W . . R . ."},
    ),
    "2.6 any stone of a chain names the chain": (
        3, WALLS, NO, "over", "B Dead: D1, J4", "W Dead: J4 D5", "R Dead: J4 and D3",
        {"row 5": ". B . . . . R . ."},
    ),
    # the lone stone at J4 touches nobody: nobody's; White's wall touches nobody either
    "2.6 agreed chains are prisoners without a mover": (
        3, WALLS, NO, "over", "B Dead: J4", "W Dead: J4", "R Dead: J4",
        {"eliminated": {"black": 1}, "scores": [5, 0, 10]},
    ),
    "2.6 dead stones are shared": (
        3, LONE, COOP, "over", "B Dead: B1", "W Dead: B1", "R Dead: B1",
        {"prisoners": {"black": {"white": 1}, "red": {"white": 1}}},
    ),
    "2.6 with sharing the remainder of dead stones is eliminated": (
        3, LONE.replace("1 . W . .", "1 W W . ."), COOP, "over", "B Dead: B1", "W Dead: B1", "R Dead: B1",
        {"eliminated": {"white": 1}},
    ),
    "2.6 a first disagreement resumes play after the last passer": (
        3, WALLS, NO, "B H3", "W Pass", "R Pass", "B Pass", "B Dead: none", "W Dead: B1", "R Dead: none",
        {"owed": [(2, "Move")], "phase": "play"},
    ),
    "2.6 after the second disagreement everything is alive": (
        3, WALLS, NO, "over", "B Dead: none", "W Dead: B1", "R Dead: none",
        "over", "B Dead: none", "W Dead: B1", "R Dead: none", {"phase": "over", "scores": [5, 0, 0]},
    ),
    "2.6 a missing list names none": (3, WALLS, NO, "over", "B Dead: none", "lapse", {"phase": "over"}),
    "2.6 dead none counts at once": (3, WALLS, DONE, "over", {"phase": "over"}),
    "2.6 a list must name stones": (
        3, WALLS, NO, "over",
        {
            "1 Dead: A1, D1, Z9": ["no_such_point"], "1 Dead: A1, D1": ["no_stone"],
            "1 Move: A1": ["not_now"],
        },
    ),
    "2.6 area counts stones and territory": (
        3, WALLS, {**DONE, "scoring": "area"}, "over", {"scores": [11, 5, 5]},
    ),
    # 5 between Black and White give 2 each, 10 between White and Red 5 each, 9 between Black and Red 4 each
    "2.6 shared territory is split where the option says so": (
        3, WALLS, {**DONE, "shared_territory": "split"}, "over", {"scores": [11, 7, 9]},
    ),
    "2.6 without alliances cooperation splits territory": (
        3, WALLS, {**SHARED, "strategic": "off"}, "over", {"scores": [11, 7, 9]},
    ),
    "2.6 with them it waits for them": (3, WALLS, SHARED, "over", {"phase": "ally", "scores": [5, 0, 0]}),
    "2.6 an alliance has a divided region whole": (
        3, WALLS, {**SHARED, "shared_territory": "split"}, "over",
        "B Ally: White", "W Ally: Black", "R Ally: none", {"alliances": [((1, 2), 5 + 5 + 5 + 4)]},
    ),
    "2.6 declarations are sealed and a missing one is none": (
        3, WALLS, SHARED, "over", {"open": ("Alliances 1", True, "last")}, "B Ally: Red", "lapse",
        {"phase": "over", "won.blocs": ((1,),)},
    ),
    "2.6 each round of declarations replaces the earlier ones": (
        3, WALLS, {**SHARED, "ally_rounds": "2"}, "over", "B Ally: White", "W Ally: Black", "R Ally: none",
        {"open": ("Alliances 2", True, "last")}, "B Ally: none", "W Ally: Red", "R Ally: White",
        {"phase": "over", "alliances": [((2, 3), 10)]},
    ),
    "2.6 declarations are checked": (
        3, WALLS, SHARED, "over",
        {
            "1 Ally: Black": ["ally_self"], "1 Ally: White, Red": ["ally_too_many"],
            "1 Ally: Mauve": ["no_colour"], "1 Ally:": ["nothing_said"], "1 Ally: Player 2": [],
        },
    ),
    "2.6 prisoners of each other do not count in an alliance": (
        3, TWELVE, {**SHARED, "hands": "1:15R 3:21B"}, "over", {"scored.total": 72},
        "B Ally: Red", "W Ally: none", "R Ally: Black", {"won.blocs": ((2,),)},
    ),
    # 3 + 3 points of territory against 6 neutral ones between them
    "2.6 the point of a tie is split between blocs and then inside each": (
        4, EVEN, {**SHARED, "alliance_threshold": "1/12"}, "over",
        "B Ally: Blue", "W Ally: Red", "R Ally: White", "U Ally: Black",
        {"outcome.winners": (1, 2, 3, 4), "points": {1: "1/4", 2: "1/4", 3: "1/4", 4: "1/4"}},
    ),
    "2.6 or between players": (
        4, EVEN, {**SHARED, "hands": "1:3W 4:3R"}, "over", *ALONE,
        {"points": {1: "1/2", 2: "0", 3: "0", 4: "1/2"}},
    ),
    # Red's 20 prisoners exceed the bound, and beat the alliance of Black and White, which qualifies too
    "2.6 where an alliance qualifies a single player needs the bound too": (
        3, WALLS, {**SHARED, "alliance_threshold": "1/12", "hands": "3:20B"}, "over",
        "B Ally: White", "W Ally: Black", "R Ally: none", {"won.blocs": ((3,),)},
    ),
    "g24 the stones of who resigned stay, and they cannot win": (
        3, WALLS, DONE, "B Resign", "W Pass", "R Pass",
        {"row 5": ". B . W . . R . .", "outcome.winners": (2, 3)},
    ),
    "g24 the stones of who resigned may be removed": (
        3, WALLS, {**NO, "resigned": "remove"}, "B Resign",
        {"row 5": ". . . W . . R . .", "eliminated": {"black": 6}},
    ),
    "g24 the last one left wins": (
        3, "", {}, "W Resign", "B Resign", {"outcome.winners": (3,), "points": {1: "0", 2: "0", 3: "1"}, "due": ()},
    ),
    "g24 a resigned seat cannot be an ally": (
        4, "", SHARED, "U Resign", "over",
        {"1 Ally: Blue": ["ally_resigned"], "4 Ally: Black": ["has_resigned"]},
    ),
    "t1 of one stone and two captors the mover takes it": (
        4, T1, COOP, "B Pass", "W Pass", "R D3",
        {"prisoners": {"red": {"white": 1}}, "row 3": ". B . R ."},
    ),
    "t1 whoever it is": (
        4, T1, COOP, "B Pass", "W Pass", "R Pass", "U D3",
        {"prisoners": {"blue": {"white": 1}}, "row 3": ". B . U ."},
    ),
    "t2 Blue at E3 captures two white, one each": (
        4, T2, COOP, "B Pass", "W Pass", "R Pass", "U E3",
        {"prisoners": {"red": {"white": 1}, "blue": {"white": 1}}},
    ),
    "t2 Red at E3 captures over the whole move and chooses first": (
        4, T2, COOP, *TO_RED, {"owed": [(3, "Take")], "row 3": ". R . . R . B ."}, "R Take: 1 white, 1 blue",
        {"prisoners": {"red": {"white": 1, "blue": 1}, "black": {"white": 1}}, "owed": [(4, "Move")]},
    ),
    "t2 Red may leave the blue stone to Black": (
        4, T2, COOP, *TO_RED, "R Take: 2 white", {"prisoners": {"red": {"white": 2}, "black": {"blue": 1}}},
    ),
    "t2 Black at E3 takes two and Red one": (
        4, T2, COOP, "B E3", {"owed": [(1, "Take")]}, "B Take: 1 blue, 1 white",
        {"prisoners": {"black": {"white": 1, "blue": 1}, "red": {"white": 1}}},
    ),
    **{
        f"t3{board} {mover} {'without' if given is NO else 'with'} cooperation": (
            4, T3A if board == "a" else T3B, given, *[f"{one} Pass" for one in "BWRU".partition(mover)[0]],
            f"{mover} E3", {"prisoners": held, "eliminated": {} if held else {"white": 2}},
        )
        for board, mover, given, held in [
            ("a", "B", COOP, {"black": {"white": 1}, "red": {"white": 1}}),
            ("a", "U", COOP, {"blue": {"white": 1}, "red": {"white": 1}}),
            ("a", "R", COOP, {"red": {"white": 2}}),
            ("b", "B", COOP, {"black": {"white": 1}, "blue": {"white": 1}}),
            ("b", "U", COOP, {"black": {"white": 1}, "blue": {"white": 1}}),
            ("b", "R", COOP, {"red": {"white": 2}}),
            ("a", "R", NO, {"red": {"white": 2}}),
            ("a", "B", NO, {}), ("a", "U", NO, {}), ("b", "B", NO, {}), ("b", "R", NO, {}), ("b", "U", NO, {}),
        ]
    },
    "p1 each chain goes to its single captor": (
        3, P1, ROUNDS, "W D6", "B J6", "R E2",
        {
            "prisoners": {"white": {"black": 1}, "black": {"white": 1}, "red": {"white": 1}},
            "row 6": ". W . W . . B . B", "row 2": ". . R . R . . . .",
        },
    ),
    "p1 without Red two chains are captured": (
        3, P1, ROUNDS, "W D6", "B J6", "R Pass",
        {"prisoners": {"white": {"black": 1}, "black": {"white": 1}}},
    ),
    "p2 a capture in a ko shape dies with its prey": (
        2, P2, {**ROUNDS, "removal": "simultaneous"}, "B C3", "W Pass", {"row 3": "B . . W ."},
    ),
    "p2 unless old stones go first": (
        2, P2, {**ROUNDS, "removal": "old_first"}, "B C3", "W Pass", {"row 3": "B . B W ."},
    ),
    "p3 two at one point have both passed, and nobody is told before the reveal": (
        4, T1, ROUNDS, "B A1", "W A5", "R E5", {"row 5": ". . . . .", "row 1": ". . . . ."}, "U E5",
        {"row 5": "W . . . .", "row 1": "B . . . ."},
    ),
    "p4 without superko the board ends empty": (
        2, SMALL, {**ROUNDS, "superko": "off"}, *FULL, *VOID, {"board": ["..", ".."]},
    ),
    "pc1 five stones, two captors, one eliminated, White chooses first": (
        4, PC1, TOGETHER, "B E4", "W F2", "R Pass", "U Pass", {"owed": [(2, "Take")]}, "W Take: 1 blue, 1 red",
        {"owed": [(1, "Take")]}, "B Take: 2 blue",
        {
            "prisoners": {"white": {"blue": 1, "red": 1}, "black": {"blue": 2}}, "eliminated": {"red": 1},
            "owed": [*ALL, (4, "Move")],
        },
    ),
    "s1 the count, and without an alliance Red wins with 17": (
        4, S1, GOLDEN, "over", *DEAD,
        {
            "each territory": [3, 15, 13, 11], "each prisoners": [10, 0, 4, 0], "each score": [13, 15, 17, 11],
            "scored.total": 74, "neutral": 18,
        },
        *ALONE, {"won.blocs": ((3,),), "won.scores": (17,)},
    ),
    "s1 Black and White qualify with 33 and share the point": (
        4, S1, GOLDEN, "over", *DEAD, "B Ally: White", "W Ally: Black", "R Ally: none", "U Ally: none",
        {"won.scores": (33,), "won.points": {1: "1/2", 2: "1/2", 3: "0", 4: "0"}},
    ),
    "s1 Red and Blue have 28 and do not qualify": (
        4, S1, GOLDEN, "over", *DEAD, "B Ally: none", "W Ally: none", "R Ally: Blue", "U Ally: Red",
        {"alliances": [((3, 4), 28)], "qualifies": [False], "won.blocs": ((3,),)},
    ),
    "s1 under Crossman Blue wins": (
        4, S1, {**GOLDEN, "prisoners": "crossman"}, "over", *DEAD, {"each score": [0, 9, 8, 11]}, *ALONE,
        {"won.blocs": ((4,),)},
    ),
    "s1 under area prisoners do not count": (
        4, S1, {**GOLDEN, "scoring": "area"}, "over", *DEAD,
        {"each score": [15, 25, 25, 27], "scored.total": 110},
    ),
    "lines a stone that cannot be placed": (
        3, "", NO, "B D4",
        {
            "faults 2 Hello\nMove: D4\nComment: so far": [("occupied", 2)],
            "faults 2 Move: A1 B1\nComment: two": [("too_many_points", 1)],
        },
    ),
    "lines a stone that brings a position back": (
        3, "4 . B W .\n3 B W . W\n2 . B W .\n1 . . . .\n  A B C D", NO, "B C3",
        {"faults 2 Hello!\n\nMove: b3": [("superko", 3)]},
    ),
    "lines a suicide": (
        2, "3 . . W\n2 . W .\n1 . . W\n  A B C", NO, {"faults 1 Comment: in\nMove: C2": [("suicide", 2)]},
    ),
    "lines a sealed stone": (
        3, "3 . . .\n2 . B .\n1 . . .\n  A B C", {**ROUNDS, "fallbacks": "2"},
        {
            "faults 2 Comment: all of it\nSeal: B2, A1, A1": [("same_point_twice", 2), ("occupied", 2)],
        },
    ),
    "lines a double opening move": (
        5, "", {}, "B A1", "W B1", "R C1", "U D1",
        {
            "faults 5 Good luck!\nMove: E1 E1": [("same_point_twice", 2)],
            "faults 5 Good luck!\nMove: E1 D1": [("occupied", 2)],
        },
    ),
    "lines a preference without use": (
        3, "", NO, "B D4",
        {
            "faults 2 Move: E5\nPrefer: black": [("no_choices", 2)],
            "faults 2 Prefer: black\nMove: E5\nPrefer: red": [("no_choices", 3)],
            "faults 2 Hello\nPrefer: red": [("no_choices", 2)],
            "faults 3 Move: E5\nPrefer: red": [("no_choices", 2), ("not_your_turn", None)],
        },
    ),
    "lines a choice of prisoners": (
        4, T2, COOP, *TO_RED,
        {
            "faults 3 Mine:\nTake: 2 blue": [("take_not_there", 2)],
            "faults 3 Mine:\nTake: 1 blue": [("take_total", 2)],
        },
    ),
    "lines a list of dead stones": (
        3, "", NO, "B D4", "W Pass", "R Pass", "B Pass",
        {"faults 1 I think so\nDead: D4, E5, F6": [("no_stone", 2), ("no_stone", 2)]},
    ),
    "lines an alliance": (
        3, "", SHARED, "B D4", "W Pass", "R Pass", "B Pass",
        {
            "faults 1 Comment: me\nAlly: Black": [("ally_self", 2)],
            "faults 1 Comment: us\nAlly: Red, White": [("ally_too_many", 2)],
        },
        "R Resign", {"faults 1 Ally: Red": [("ally_resigned", 1)]},
    ),
    "lines what comes at the wrong time has none": (
        3, "", NO, "B D4",
        {
            "faults 1 Move: E5": [("not_your_turn", None)], "faults 2 Dead: none": [("not_now", None)],
            "faults 2 Press: hello": [("no_press", None)], "faults 2 Take: 1 white": [("nothing_to_take", None)],
        },
    ),
}  # fmt: skip


@pytest.mark.parametrize("told", STORIES.values(), ids=STORIES)
def test_2(told: tuple[Any, ...]) -> None:
    story(*told)


@pytest.mark.parametrize(
    ("players", "after"),
    [
        (3, [[1, 1, 1], [2, 2, 2], [2, 3, 3]]),
        (4, [[1, 1, 1, 1], [2, 2, 2, 2], [2, 2, 3, 3]]),
        (5, [[1, 1, 1, 1, 2], [2, 2, 2, 2, 3], [3, 3, 3, 3, 4]]),
        (6, [[1, 1, 1, 1, 2, 2], [2, 2, 2, 2, 3, 3], [3, 3, 3, 3, 4, 4]]),
        (7, [[1, 1, 1, 1, 2, 2, 2], [2, 2, 2, 2, 3, 3, 3], [3, 3, 3, 3, 4, 4, 4]]),
        (8, [[1, 1, 1, 1, 2, 2, 2, 2], [2, 2, 2, 2, 3, 3, 3, 3], [3, 3, 3, 3, 4, 4, 4, 4]]),
    ],
)
def test_2_2_stones_after_the_first_three_rounds(players: int, after: list[list[int]]) -> None:
    """Every seat that is asked places a stone of its own column in the round's row; two, where it may."""
    table = Table(players, board="9x9")
    for number, (expected, row) in enumerate(zip(after, (1, 4, 7), strict=True), 1):
        while table.state.round == number:
            seat = table.state.turn
            column = "ABCDEFGHJ"[seat - 1]
            second = f" {column}{row + 1}" if number == 1 and after[0][seat - 1] == 2 else ""
            table.play(f"{seat} {column}{row}{second}")
        assert table.stones == expected


def test_2_4_check_never_sees_another_seats_sealed_answer() -> None:
    table = Table(2, board="9x9", order="parallel")
    before = table.state
    table.play("B D4")
    assert table.state == before
    assert table.codes(2, "Seal: D4") == []
    assert table.board == ["." * 9] * 9


def test_2_6_a_round_of_lapses_alone_adjourns_the_game() -> None:
    table = Table(3, board="9x9", order="parallel").lapse()
    (due,) = table.due
    assert (table.state.phase, due.window) == ("play", None)
    table.play("B Pass", "W Pass", "R Pass")
    assert table.state.phase == "dead"


def test_2_4_a_resigned_seat_is_asked_no_more() -> None:
    table = story(3, "", ROUNDS, "R Resign", {"owed": TWO}, "B D4", "W E5", {"round": 2})
    assert GAME.open_to(table.state, 3) == ()


@pytest.mark.parametrize(
    ("last", "rule", "shares", "eliminated"),
    [
        ({1, 2}, "at_least_one", [2, 2, 1], 0),
        ({1, 2}, "more_than_one", [1, 1, 1], 2),
        ({1}, "at_least_one", [3, 1, 1], 0),
        (set(), "at_least_one", [1, 1, 1], 2),
    ],
)
def test_pc4_five_stones_among_three_captors(
    last: set[int], rule: str, shares: list[int], eliminated: int
) -> None:
    law = Table(4, board="9x9", order="parallel", coop="on", rest_rule=rule).state.law
    found, spare = shares_of(law, 5, {1, 2, 3}, last)
    assert ([found[seat] for seat in (1, 2, 3)], spare) == (shares, eliminated)


FLOORS = """
(1,2) 1/0 · (2,2) 1/1 · (2,3) 2/0/0 · (3,2) 2/1 · (3,4) 3/0/0/0 · (5,2) 3/2 · (5,3) 3/1/1 · (7,4) 4/1/1/1 · (8,3) 4/2/2
"""


@pytest.mark.parametrize("row", FLOORS.strip().split(" · "))
def test_2_8_the_floor_table_for_the_mover(row: str) -> None:
    stones, captors, *shares = (int(number) for number in re.findall(r"\d+", row))
    law = Table(4, board="9x9", coop="on").state.law
    found, spare = shares_of(law, stones, set(range(1, captors + 1)), {1})
    assert ([found[seat] for seat in range(1, captors + 1)], spare) == (shares, 0)


def all_choices(pool: tuple[int, ...], seat: int, share: int) -> tuple[tuple[Count, ...], ...]:
    """Every legal choice (small numbers only)."""
    others = sum(number for colour, number in enumerate(pool, 1) if colour != seat)
    own = max(0, share - others)
    ways: list[tuple[int, ...]] = [()]
    for colour, number in enumerate(pool, 1):
        most = range(own, own + 1) if colour == seat else range(number + 1)
        ways = [(*way, n) for way in ways for n in most if sum(way) + n <= share]
    return tuple(counts(way) for way in ways if sum(way) == share)


def test_2_5_a_choice_is_automatic_exactly_when_one_possibility_is_left() -> None:
    for pool in itertools.product(range(4), repeat=3):
        for share in range(1, sum(pool) + 1):
            for seat in (1, 2, 3):
                ways = all_choices(pool, seat, share)
                assert only_choice(pool, seat, share) == (len(ways) == 1)
                assert by_order(pool, seat, share, ()) in ways
                assert all(not own_too_soon(pool, seat, way, share) for way in ways)


@pytest.mark.parametrize(
    ("named", "alliances"),
    [
        ({1: (2,), 2: (1,)}, ((1, 2),)),
        ({1: (2,), 2: (3,), 3: (2,)}, ((2, 3),)),
        ({1: (2, 3), 2: (1,), 3: (1, 2)}, ()),
        ({1: (2, 3), 2: (1, 3), 3: (1, 2)}, ((1, 2, 3),)),
        ({1: (2,), 2: (1,), 3: (4,), 4: (3,)}, ((1, 2), (3, 4))),
        ({1: (2,)}, ()),
    ],
)
def test_2_6_an_alliance_exists_when_all_named_exactly_the_same_set(
    named: dict[int, tuple[int, ...]], alliances: tuple[tuple[int, ...], ...]
) -> None:
    assert mutual(tuple(Declaration(seat, partners) for seat, partners in named.items())) == alliances


@pytest.mark.parametrize(("score", "qualifies"), [(30, False), (31, True)])
def test_s1_boundary_5_12_of_72(score: int, qualifies: bool) -> None:
    law = Table(3, board="9x9", coop="on").state.law
    assert (score > law.alliance_threshold * 72) is qualifies
    assert (12 * score > 5 * 72) is qualifies


MAILS = """
Move: A1
Move: A1 A1 B2 C3
Move: E5 / Prefer: red
Take: 7 white
Take: 1 black
Dead: A1, J9
Ally: Black, White, Red, Blue
If Black D4 then E4 / If White D4 then E4
Withdraw
Prefer: red
"""


@pytest.mark.parametrize("order", ["sequential", "parallel"])
@pytest.mark.parametrize("coop", ["off", "on"])
def test_whatever_a_seat_sends_its_faults_have_lines(order: str, coop: str) -> None:
    """Any answer, at any time, under words of courtesy: what is said against an answer that was asked for, and is
    there, has the line that says it."""
    table, chance = Table(4, board="9x9", order=order, coop=coop), Chance("07" * 32)
    for _ in range(60):
        for seat in table.state.active:
            for mail in MAILS.strip().splitlines():
                said = "\n".join(["Dear all,", *mail.split(" / "), "Kind regards"])
                assert not [fault for fault in faults(table, seat, said) if fault.line is None]
        for round_ in table.due:
            for demand in round_.demands:
                action = seam.suggest(GAME, table.state, demand, chance)
                table.mail(demand.seat, seam.write(GAME, table.state, demand, action))


def faults(table: Table, seat: int, mail: str) -> tuple[Complaint, ...]:
    """What the rules have against an answer that may be given now."""
    body = Body.of(mail)
    demand = Standing(GAME, table.state).aimed(seat, "Move", body)
    if demand not in (*demands(GAME.due(table.state), seat), *GAME.open_to(table.state, seat)):
        return ()
    return Standing(GAME, table.state).faults(
        demand, seam.read(GAME, table.state, demand, body, Party("Ann", seat))
    )
