"""Fixtures every folder of tests may use."""

import gc

import pytest

pytest_plugins = ["tests.servers.fixtures"]


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--rewrite-goldens", action="store_true", help="write tests/games/*/letters anew instead of comparing"
    )


def pytest_collection_finish() -> None:
    """What is loaded by now stays to the end: no collection of garbage looks through it again."""
    gc.collect()
    gc.freeze()
