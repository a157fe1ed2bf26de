"""The files that come with the program - templates and configuration - and those a moderator puts beside his own.

In an installed package they lie in `_shipped`; in a checkout at the top. A folder `templates` or `config` beside
`referee.toml` comes first, file by file; a game from another distribution has such folders in its own package.
"""

import hashlib
import os
import zlib
from collections.abc import Mapping
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Any

from referee.base import brought
from referee.base.errors import RefereeError
from referee.core.options import OptionSpec, declared
from referee.core.texts.bounded import BadData, read_toml

_PACKAGE = Path(__file__).parents[1]
LARGEST_TABLE = 1_000_000  # bytes of a file of configuration, data or positions
LARGEST_RECORD = 20_000_000  # bytes


class BadFile(RefereeError, ValueError):
    """A file of templates or configuration can't be used."""


def text_of(path: Path, most: int = LARGEST_TABLE) -> str:
    """The text of a file that somebody gives, packed by gzip or not. Raises OSError, and BadFile
    where it is too large or no text."""
    with path.open("rb") as file:
        raw = file.read(most + 1)
    if raw.startswith(b"\x1f\x8b"):
        try:
            raw = zlib.decompressobj(wbits=31).decompress(raw, most + 1)
        except zlib.error as error:
            raise BadFile(f"{path}: it can't be unpacked: {error}") from None
    if len(raw) > most:
        raise BadFile(f"{path}: it is larger than {most // 1_000_000} MB")
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError as error:
        raise BadFile(f"{path}: it is no text in UTF-8: {error}") from None


def folders(what: str, beside: Path | None = None) -> list[Path]:
    """Where files of a kind ("templates", "config") are looked for, the moderator's own first."""
    own = [beside / what] if beside is not None else []
    packed = _PACKAGE / "_shipped" / what
    ours = packed if packed.is_dir() else _PACKAGE.parent / what
    theirs = [Path(folder) / what for folder in brought.folders()]
    return [folder for folder in (*own, ours, *theirs) if folder.is_dir()]


def read(what: str, name: str, beside: Path | None = None) -> str:
    """The text of a shipped file. Raises FileNotFoundError."""
    for folder in folders(what, beside):
        if (path := folder / name).is_file():
            return text_of(path)
    raise FileNotFoundError(f"{what}/{name}")


_LARGEST_SOURCE = 10_000_000  # bytes, far more than any has


@cache
def program() -> str:
    """The digest of all of the program, the same on every machine, which tells it from any other
    version of it: for what is kept beside the truth because making it anew costs more."""
    whole = hashlib.blake2b(digest_size=8)
    walks = (os.walk(place) for place in (str(_PACKAGE), *brought.folders()))
    for folder, inner, names in chain.from_iterable(walks):
        inner.sort()
        for name in sorted(names):
            if name.endswith(".py"):
                file = os.open(f"{folder}/{name}", os.O_RDONLY)
                whole.update(b"%s\0%s\0" % (os.fsencode(name), os.read(file, _LARGEST_SOURCE)))
                os.close(file)
    return whole.hexdigest()


OPTIONS = "options"  # the file of a game's folder that declares them; all others are its data


def game_options(slug: str, beside: Path | None = None, zone: str = "UTC") -> tuple[OptionSpec, ...]:
    """The options of a match of the game: those it declares, in `config/SLUG/options.toml`, and
    those of every match, in `config/match.toml`, for which its table `[match]` may name other
    defaults; `zone` is the referee's. Raises BadFile."""
    own, own_defaults = _declared(f"{slug}/{OPTIONS}.toml", beside)
    every, _ = _declared("match.toml", beside, {"zone": zone, **own_defaults})
    return (*own, *every)


def _declared(
    name: str, beside: Path | None, defaults: Mapping[str, Any] | None = None
) -> tuple[tuple[OptionSpec, ...], Mapping[str, Any]]:
    """The options of a file, and the defaults it has for those of another. Raises BadFile."""
    try:
        table = read_toml(read("config", name, beside))
        return declared(table.get("options", {}), defaults), table.get("match", {})
    except BadData as error:
        raise BadFile(f"config/{name}: {error}") from None
    except (KeyError, AttributeError, TypeError) as error:
        raise BadFile(f"config/{name}: an option needs kind, default and help: {error}") from None


def game_data(slug: str, beside: Path | None = None) -> Mapping[str, Any]:
    """A game's data files by name: `config/fourplay/pieces.toml` is "pieces". Raises BadFile."""
    found: dict[str, Any] = {}
    for folder in reversed(folders("config", beside)):
        for path in sorted((folder / slug).glob("*.toml")):
            try:
                if path.stem != OPTIONS:
                    found[path.stem] = read_toml(text_of(path))
            except BadData as error:
                raise BadFile(f"{path}: {error}") from None
    return found
