"""Fourplay Chess: four players, four quadrants, bought armies and nobody's Neutron."""

TITLES = ("Fourplay", "Fourplay Chess")  # as in subjects; the first is shown
