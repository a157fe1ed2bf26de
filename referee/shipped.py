"""The files that come with the program - templates and configuration - and those a moderator puts beside his own.

In an installed package they lie in `_shipped`; in a checkout at the top. A folder `templates` or `config` beside
`referee.toml` comes first, file by file.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from referee.core.options import OptionSpec, declared

_PACKAGE = Path(__file__).parent


class BadFile(ValueError):
    """A file of templates or configuration can't be used."""


def folders(what: str, beside: Path | None = None) -> list[Path]:
    """Where files of a kind ("templates", "config") are looked for, the moderator's own first."""
    own = [beside / what] if beside is not None else []
    packed = _PACKAGE / "_shipped" / what
    return [
        folder for folder in (*own, packed if packed.is_dir() else _PACKAGE.parent / what) if folder.is_dir()
    ]


def read(what: str, name: str, beside: Path | None = None) -> str:
    """The text of a shipped file. Raises FileNotFoundError."""
    for folder in folders(what, beside):
        if (path := folder / name).is_file():
            return path.read_text(encoding="utf-8")
    raise FileNotFoundError(f"{what}/{name}")


def game_options(slug: str, beside: Path | None = None) -> tuple[OptionSpec, ...]:
    """The options a game declares. Raises BadFile."""
    try:
        return declared(tomllib.loads(read("config", f"{slug}.toml", beside)).get("options", {}))
    except tomllib.TOMLDecodeError as error:
        raise BadFile(f"config/{slug}.toml: it is not TOML: {error}") from None
    except (KeyError, AttributeError, TypeError) as error:
        raise BadFile(f"config/{slug}.toml: an option needs kind, default and help: {error}") from None


def game_data(slug: str, beside: Path | None = None) -> Mapping[str, Any]:
    """A game's data files by name: `config/fourplay_pieces.toml` is "pieces". Raises BadFile."""
    found: dict[str, Any] = {}
    for folder in reversed(folders("config", beside)):
        for path in sorted(folder.glob(f"{slug}_*.toml")):
            try:
                found[path.stem.removeprefix(f"{slug}_")] = tomllib.loads(path.read_text(encoding="utf-8"))
            except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
                raise BadFile(f"{path}: it is not TOML: {error}") from None
    return found
