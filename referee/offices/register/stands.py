"""The register: how every match stands in public, read from its row as its last change left it. Only where that was
written by another version of the program is the match itself asked, and what it says is kept."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import TYPE_CHECKING

from referee.core.value import Value

if TYPE_CHECKING:
    from referee.offices.register.facts import Facts
    from referee.store.matches import KeptFacts
    from referee.store.sql import Store


class Register(Value):
    """Read by whoever asks."""

    store: Store
    program: Callable[[], str]  # tells this version of the program from all others
    # asked of the match itself; of one that can't be folded the outline where that will do (True), else CannotDo
    stand: Callable[[str, bool], Facts]

    def all(self) -> list[Facts]:
        """Every match, by their opening, its board beside the contract's facts; of one that can't
        be folded the outline."""
        with self.store.transaction() as unit:
            rows = unit.kept_facts()
        return [self._kept(row) or self.stand(row.name, True) for row in rows]

    def of(self, name: str) -> Facts:
        """The same of one match. Raises CannotDo where there is none, or it can't be folded."""
        with self.store.transaction() as unit:
            rows = unit.kept_facts(name)
        return next(filter(None, map(self._kept, rows)), None) or self.stand(name, False)

    def _kept(self, row: KeptFacts) -> Facts | None:
        """The facts in a row, if they are of its state and this program's."""
        made = json.loads(row.facts or "{}")
        return made["facts"] if made.get("by") == [self.program(), row.stamp, row.version] else None
