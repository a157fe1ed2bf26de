"""Fixtures of the tests of a mail's way: those of the desk."""

from tests.offices.conftest import one_secret, stage

__all__ = ["one_secret", "stage"]
