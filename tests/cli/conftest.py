"""Fixtures of the command line's tests: those of the desk."""

from tests.offices.conftest import one_secret

__all__ = ["one_secret"]
