"""Buttons and bridges (Adam Obren): four in a line for two players, and a puzzle for one."""

TITLES = ("Buttons", "Buttons and bridges")  # as in subjects; the first is shown
