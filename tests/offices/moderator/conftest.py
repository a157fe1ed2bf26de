"""A match of two, and a moderator who writes orders."""

from pathlib import Path

import pytest

from tests.offices.moderator.test_orders_by_mail import Desk


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path)
