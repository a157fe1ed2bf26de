"""Files and folders for their owner alone, whatever the umask: what others write to the referee in confidence."""

import os
import stat
from collections.abc import Iterable, Iterator
from pathlib import Path

FILE, FOLDER = 0o600, 0o700
_OTHERS = 0o077
_MOST = 5  # of a kind that are named one by one


def private_folder(path: Path) -> None:
    """Make the folder, and those above it that are missing. What is there stays as it is."""
    if path.is_dir():
        return
    private_folder(path.parent)
    try:
        path.mkdir(mode=FOLDER)
    except FileExistsError:
        return  # another process was first
    path.chmod(FOLDER)  # a umask may take more away than it should


def private_file(path: Path) -> None:
    """Make the file, empty, where it is missing: whoever opens it by name then keeps its mode."""
    try:
        os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, FILE))
    except FileExistsError:
        return


def write_private(path: Path, text: str) -> None:
    """A file of text, for its owner alone from the first byte on."""
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, FILE), "w", encoding="utf-8") as file:
        file.write(text)


def exposed(files: Iterable[Path], folders: Iterable[Path]) -> Iterator[str]:
    """What others can get at, in plain words with the remedy. Of a folder that is closed to them, nothing in it is."""
    yield from map(_fault, filter(_open_to_others, files))
    for folder in filter(_open_to_others, folders):
        open_ones = [folder, *_within(folder)]
        yield from map(_fault, open_ones[:_MOST])
        if (more := len(open_ones) - _MOST) > 0:
            yield f"{folder} holds {more} more such. `chmod -R go= {folder}` closes it."


def _within(folder: Path) -> Iterator[Path]:
    for place, names, files in os.walk(folder):
        yield from (path for name in (*names, *files) if _open_to_others(path := Path(place) / name))


def _open_to_others(path: Path) -> bool:
    try:
        return bool(stat.S_IMODE(path.stat().st_mode) & _OTHERS)
    except OSError:
        return False  # it is not there, or vanished


def _fault(path: Path) -> str:
    mode = stat.S_IMODE(path.stat().st_mode)
    return f"{path} is open to others on this machine (mode {mode:04o}). `chmod go= {path}` closes it."
