"""Verdicts on claims, written down so that anybody can check them (4.4)."""
