"""What the house comes to beside what it may come to (`budget.toml`): lines by room, and what lines can be hidden in.
`python -m tests.lint.budget` prints what is over, a line each; `--write` lowers the ceilings to what was reached."""

from __future__ import annotations

import ast
import gc
import re
import sys
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
BUDGET = Path(__file__).with_suffix(".toml")
LONG = 100  # signs
_NOT_COUNTED = {"numerals", "letters", "wishes"}  # sections of a language's file
_FORM = re.compile(r"[^\W\d_]{2,}")
_ESCAPE = re.compile(r"\\[a-zA-Z]")
_PATTERNS = ("compile", "match", "fullmatch", "search", "finditer", "findall", "sub")
_COMPARING = frozenset((*_PATTERNS, "split", "words", "startswith", "endswith", "removeprefix"))
_HAS_DOCSTRING = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)


@dataclass(frozen=True)
class Module:
    """What is counted of a file of Python."""

    path: str  # from the root
    lines: int
    blank: int  # and comments
    docstring: int
    long: int
    lambdas: tuple[str, ...]  # names that a lambda is bound to
    matched: int  # forms, as if it read mails

    @classmethod
    def of(cls, path: str, text: str) -> Module:
        tree, lines = ast.parse(text), text.splitlines()
        docstrings = [*_docstrings(tree)]
        within = {number for first, last in docstrings for number in range(first, last + 1)}
        blank = sum(
            1
            for number, line in enumerate(lines, 1)
            if number not in within and (not line.strip() or line.lstrip().startswith("#"))
        )
        return cls(
            path=path,
            lines=len(lines),
            blank=blank,
            docstring=len(within),
            long=sum(1 for line in lines if len(line) > LONG),
            lambdas=tuple(_lambdas(tree)),
            matched=sum(len(_FORM.findall(_ESCAPE.sub(" ", found))) for found in _matched(tree)),
        )

    @property
    def room(self) -> str:
        """Empty for what lies beside the rooms."""
        return self.path.split("/")[1] if self.path.count("/") > 1 else ""

    @property
    def code(self) -> int:
        return self.lines - self.blank - self.docstring


def _docstrings(tree: ast.Module) -> Iterator[tuple[int, int]]:
    """The first and the last line of each."""
    for node in _statements(tree):
        if isinstance(node, _HAS_DOCSTRING) and ast.get_docstring(node, clean=False) is not None:
            yield node.body[0].lineno, node.body[0].end_lineno or node.body[0].lineno


def _statements(tree: ast.AST) -> Iterator[ast.AST]:
    """A module and all statements in it, without a look into expressions."""
    yield tree
    for part in ("body", "orelse", "finalbody", "handlers", "cases"):
        for inner in getattr(tree, part, ()):
            yield from _statements(inner)


def _bound(node: ast.AST) -> tuple[list[ast.expr], ast.expr] | None:
    """The names of an assignment and its value."""
    if isinstance(node, ast.Assign):
        return node.targets, node.value
    if isinstance(node, ast.AnnAssign) and node.value is not None:
        return [node.target], node.value
    return None


def _lambdas(tree: ast.Module) -> Iterator[str]:
    """The default of a field has no name of its own."""
    fields = {
        id(field) for node in _statements(tree) if isinstance(node, ast.ClassDef) for field in node.body
    }
    for node in _statements(tree):
        bound = _bound(node)
        if bound is None or not isinstance(bound[1], ast.Lambda):
            continue
        if not (isinstance(node, ast.AnnAssign) and id(node) in fields):
            yield from (name.id for name in bound[0] if isinstance(name, ast.Name))


def _matched(tree: ast.Module) -> Iterator[str]:
    """The strings of constants of the module and its classes; in functions those of a pattern, of a text that is split,
    and of what something is compared with."""
    heads = chain(tree.body, *(node.body for node in tree.body if isinstance(node, ast.ClassDef)))
    constants = [bound[1] for bound in map(_bound, heads) if bound is not None]
    seen: dict[int, str] = {}
    for value in constants:
        seen |= _strings(value)
    for node in ast.walk(tree):
        if isinstance(node, ast.Compare | ast.MatchValue) or (
            isinstance(node, ast.Call)
            and (getattr(node.func, "attr", "") or getattr(node.func, "id", "")) in _COMPARING
        ):
            seen |= _strings(node)
    yield from seen.values()


def _strings(tree: ast.AST) -> dict[int, str]:
    return {
        id(node): node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }


def entries(told: Any) -> list[str]:
    """The forms that a file of words holds."""
    if isinstance(told, str):
        return [told]
    inner = told.values() if isinstance(told, Mapping) else told if isinstance(told, list) else ()
    return [*chain.from_iterable(map(entries, inner))]


@dataclass(frozen=True)
class House:
    """What is there, counted. `root` holds the rooms in `referee`, and `templates` and `config`."""

    root: Path
    budget: Mapping[str, Any]
    modules: tuple[Module, ...]

    @classmethod
    def of(cls, root: Path, budget: Mapping[str, Any]) -> House:
        paths = sorted((root / "referee").rglob("*.py"))
        found = (Module.of(str(path.relative_to(root)), path.read_text(encoding="utf-8")) for path in paths)
        return cls(root, budget, tuple(found))

    def rooms(self) -> dict[str, int]:
        names = sorted({module.room for module in self.modules} - {""})
        return {name: sum(x.lines for x in self.modules if x.room == name) for name in names}

    def whole(self) -> dict[str, int]:
        """The ceilings that are of all rooms together."""
        reading = set(self._found(self.budget["words"]["modules"]))
        words = sum(
            len(entries(tomllib.loads(path.read_text(encoding="utf-8"))))
            for path in map(self.root.joinpath, self._found(self.budget["words"]["files"]))
        )
        return {
            "lines": sum(x.lines for x in self.modules),
            "code": sum(x.code for x in self.modules),
            "matched": words + sum(x.matched for x in self.modules if x.path in reading),
            "data": self._lines("referee"),
        }

    def _found(self, patterns: list[str]) -> Iterator[str]:
        for pattern in patterns:
            yield from (str(path.relative_to(self.root)) for path in sorted(self.root.glob(pattern)))

    def _lines(self, folder: str) -> int:
        """Of the files in a folder that are not Python."""
        files = (path for path in (self.root / folder).rglob("*") if path.is_file())
        others = (path for path in files if path.suffix != ".py" and "__pycache__" not in path.parts)
        return sum(path.read_bytes().count(b"\n") for path in others)

    # --- what is over --------------------------------------------------------------------------------------------

    def faults(self) -> Iterator[str]:
        """What is over, a line each."""
        plan, ceilings, law = self.budget["plan"], self.budget["rooms"], self.budget["law"]
        for room, lines in self.rooms().items():
            ceiling = ceilings.get(room, plan.get(room))
            if ceiling is None:
                yield f"referee/{room}: no room of the plan"
            elif lines > ceiling:
                yield f"referee/{room}: {lines} lines of Python, {ceiling} at most"
        for name, found in self.whole().items():
            if found > self.budget["whole"][name]:
                yield f"all rooms: {found} {_WHOLE[name]}, {self.budget['whole'][name]} at most"
        shipped = self._lines("templates") + self._lines("config")
        if shipped > law["shipped"]:
            yield f"templates and config: {shipped} lines, {law['shipped']} at most"
        lines = sum(x.lines for x in self.modules)
        if 100 * sum(x.docstring for x in self.modules) < law["docstrings"] * lines:
            yield f"docstrings: less than {law['docstrings']} of a hundred lines"
        if 100 * sum(x.long for x in self.modules) > law["long"] * lines:
            yield f"long lines: more than {law['long']} of a hundred have over {LONG} signs"
        for module in self.modules:
            yield from (f"{module.path}: a lambda has the name {name}: def" for name in module.lambdas)
        yield from self._word_files(law)

    def _word_files(self, law: Mapping[str, int]) -> Iterator[str]:
        languages = sorted((self.root / "referee/language/words").glob("*.toml"))
        games = sorted((self.root / "templates").glob("*/words.*.toml"))
        for path in languages + games:
            told, name = tomllib.loads(path.read_text(encoding="utf-8")), path.relative_to(self.root)
            yield from (f"{name}: {form!r} is more than a word" for form in entries(told) if " " in form)
            most = law["language_forms" if path in languages else "game_forms"]
            counted = told if path in games else {key: told[key] for key in told.keys() - _NOT_COUNTED}
            if (found := len(entries(counted))) > most:
                yield f"{name}: {found} forms, {most} at most"
        if (size := sum(map(_size, languages))) > law["language_bytes"]:
            yield f"referee/language/words: {size} bytes, {law['language_bytes']} at most"


def _size(language: Path) -> int:
    """The bytes of a language's file, but for the words of wishes, which order nothing."""
    return len(language.read_bytes().partition(b"[wishes]")[0])


_WHOLE = {
    "lines": "lines of Python",
    "code": "lines of code",
    "matched": "forms matched against mails",
    "data": "lines that are not Python",
}


def lowered(text: str, house: House) -> str:
    """The budget with lower ceilings: those of all rooms together, and, where these hold, what each room came to."""
    budget, whole = house.budget, house.whole()
    for name, found in whole.items():
        text = _set(text, "whole", name, min(found, budget["whole"][name]))
    if whole["lines"] > budget["whole"]["lines"]:
        return text
    rooms = house.rooms()
    for room in budget["rooms"]:
        text = _set(text, "rooms", room, rooms.get(room, 0))
    return text


def _set(text: str, section: str, name: str, value: int) -> str:
    return re.sub(rf"(?ms)^(\[{section}\].*?^{name} = )\d+", rf"\g<1>{value}", text, count=1)


def main() -> int:
    gc.disable()
    text = BUDGET.read_text(encoding="utf-8")
    house = House.of(ROOT, tomllib.loads(text))
    if sys.argv[1:] == ["--write"]:
        text = lowered(text, house)
        BUDGET.write_text(text, encoding="utf-8")
        house = House(house.root, tomllib.loads(text), house.modules)
    faults = [*house.faults()]
    print("".join(f"{fault}\n" for fault in faults), end="")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
