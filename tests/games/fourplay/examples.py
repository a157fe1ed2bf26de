"""The examples of the rules page, parts 1 to 3: what a player of Fourplay sends before play."""

DECLARATION = "I am ready for battle. Let the Games begin!"
LIST = """\
Purchases:
10 Pawn, 8 F$ each, value 1 each
4 Jester, 8 F$ each, value 1 each
4 Cannon, 22 F$ each, value 3 each
4 Snake, 29 F$ each, value 4 each
2 Archer, 71 F$ each, value 10 each
1 Crazyhorse, 85 F$ each, value 12 each

Total cost: 543 F$
Total value: 74
Mascot: Archer
"""
OWNED = """\
Pieces owned:
10 Pawn
4 Jester
4 Cannon
4 Snake
2 Archer
1 Crazyhorse
"""
