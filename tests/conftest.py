"""Fixtures every folder of tests may use."""

import pytest

pytest_plugins = ["tests.servers.fixtures"]


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--rewrite-goldens", action="store_true", help="write tests/games/*/letters anew instead of comparing"
    )
