"""Fourplay Chess: four players, four quadrants, bought armies and a Neutron that belongs to nobody."""

TITLES = ("Fourplay", "Fourplay Chess")  # as in subjects; the first is shown
