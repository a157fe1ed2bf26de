"""Buying an army: the catalogue of pieces and the Initial Purchase (604, 900)."""
