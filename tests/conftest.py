"""Fixtures every folder of tests may use."""

import gc

import hypothesis
import pytest
from hypothesis import HealthCheck

pytest_plugins = ["tests.servers.fixtures"]

# The same examples on every machine, however slow it is.
hypothesis.settings.register_profile(
    "here",
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
hypothesis.settings.load_profile("here")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--rewrite-goldens", action="store_true", help="write tests/games/*/letters anew instead of comparing"
    )


def pytest_collection_finish() -> None:
    """What is loaded by now stays to the end: no collection of garbage looks through it again."""
    gc.collect()
    gc.freeze()
