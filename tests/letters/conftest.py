"""`--rewrite-goldens` writes the golden letters anew instead of comparing with them (tests/conftest.py declares it)."""

import pytest


@pytest.fixture
def rewriting(request: pytest.FixtureRequest) -> bool:
    return bool(request.config.getoption("--rewrite-goldens"))
