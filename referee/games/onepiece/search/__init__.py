"""The solver: can a colour force a win at a ply? (4.4)"""
