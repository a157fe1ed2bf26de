"""Games of other distributions: under the entry point `referee.games`, name the slug, value the
package, which holds the game, its `templates` and its `config`."""

import re
from collections.abc import Mapping
from functools import cache
from importlib.metadata import entry_points
from importlib.util import find_spec

from referee.base.errors import RefereeError

_SLUG = re.compile(r"[a-z][a-z0-9_]{0,30}")


class BadGame(RefereeError):
    """A distribution brings a game that can't be used."""


@cache
def packages() -> Mapping[str, str]:
    """The package of each such game, by slug. Raises BadGame."""
    found: dict[str, str] = {}
    for entry in entry_points(group="referee.games"):
        if not _SLUG.fullmatch(entry.name):
            raise BadGame(
                f"{entry.module}: {entry.name!r} is no name for a game; small letters, digits and _ are"
            )
        if found.setdefault(entry.name, entry.module) != entry.module:
            raise BadGame(f"{entry.module} and {found[entry.name]} both bring a game {entry.name!r}")
    return found


@cache
def folders() -> tuple[str, ...]:
    """Where these packages lie."""
    specs = (find_spec(package) for package in packages().values())
    return tuple(place for spec in specs if spec for place in spec.submodule_search_locations or ())
