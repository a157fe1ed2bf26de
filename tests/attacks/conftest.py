"""What the stories of attacks share: a match of two, and the clock."""

import pytest

from tests.world import Table

SERVER = "mx.referee.localhost"


@pytest.fixture
def wary(table: Table) -> Table:
    """The same, where the mail server must vouch for every sender."""
    table.world.configure('# trusted_authserv = ["mx.example.org"]', f'trusted_authserv = ["{SERVER}"]')
    table.world.configure('need = "address"', 'need = "vouched"')
    return table
