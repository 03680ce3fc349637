"""Counts of the source tree: lines and files per room, and shapes that usually mean one piece too many.

    python -m tests.house

It reads the source as text and runs nothing of it.
"""

from __future__ import annotations

import ast
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SHORT_FILE_LINES = 40


@dataclass(frozen=True)
class Module:
    """One source file: its dotted name, its text and its syntax tree."""

    name: str
    path: Path
    text: str
    tree: ast.Module

    @property
    def lines(self) -> int:
        return self.text.count("\n")

    @property
    def room(self) -> str:
        """The folder below the package; `(top)` for the package's own files."""
        parts = self.path.relative_to(ROOT).parts
        return parts[1] if len(parts) > 2 else "(top)"

    @property
    def header_lines(self) -> int:
        """Lines from the first to the last import at the top of the file, docstring included."""
        header = 0
        for node in self.tree.body:
            docstring = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
            if not (docstring or isinstance(node, ast.Import | ast.ImportFrom)):
                break
            header = node.end_lineno or header
        return header


def modules(package: str) -> list[Module]:
    """All source files of a package."""
    found = []
    for path in sorted((ROOT / package).rglob("*.py")):
        name = ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
        text = path.read_text(encoding="utf-8")
        found.append(Module(name, path, text, ast.parse(text, str(path))))
    return found


def imported(module: Module, known: set[str]) -> Iterator[str]:
    """The modules of `known` that this one imports, wherever in the file."""
    for node in ast.walk(module.tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name in known)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            whole = [f"{node.module}.{alias.name}" for alias in node.names]
            parts = [name for name in whole if name in known]
            yield from parts
            if len(parts) < len(whole) and node.module in known:
                yield node.module


def one_importer(source: list[Module]) -> list[str]:
    """Modules that exactly one other module imports; packages and entry points are left out."""
    known = {module.name for module in source}
    importers: defaultdict[str, set[str]] = defaultdict(set)
    for module in source:
        for name in imported(module, known):
            if name != module.name:
                importers[name].add(module.name)
    packages = {module.name for module in source if module.path.name == "__init__.py"}
    return sorted(name for name, by in importers.items() if len(by) == 1 and name not in packages)


def one_subclass(source: list[Module]) -> list[str]:
    """Classes of the package with exactly one direct subclass in it; protocols are left out."""
    classes = [
        (node, module)
        for module in source
        for node in ast.walk(module.tree)
        if isinstance(node, ast.ClassDef)
    ]
    bases = {node.name: [ast.unparse(base).split("[")[0] for base in node.bases] for node, _ in classes}
    places = {node.name: module.name for node, module in classes}
    children = Counter(base.rpartition(".")[2] for of_one in bases.values() for base in of_one)
    return sorted(
        f"{places[name]}.{name}"
        for name, count in children.items()
        if count == 1 and name in places and "Protocol" not in bases[name]
    )


def report(package: str = "copilot") -> Iterator[str]:
    source = modules(package)
    rooms: defaultdict[str, list[Module]] = defaultdict(list)
    for module in source:
        rooms[module.room].append(module)
    lines = sum(module.lines for module in source)
    for room, inside in sorted(rooms.items()):
        yield f"{room:16} {len(inside):4} files {sum(one.lines for one in inside):6} lines"
    yield f"{'all':16} {len(source):4} files {lines:6} lines"
    short = [module for module in source if module.lines < SHORT_FILE_LINES]
    header = sum(module.header_lines for module in source)
    yield f"files under {SHORT_FILE_LINES} lines: {len(short)}"
    yield f"module headers: {header / lines:.1%} of all lines"
    yield f"modules with one importer: {len(one_importer(source))}"
    chains = one_subclass(source)
    yield f"classes with one subclass: {len(chains)}" + "".join(f"\n    {name}" for name in chains)
    tests = modules("tests")
    yield f"tests: {len(tests)} files {sum(module.lines for module in tests)} lines"


if __name__ == "__main__":
    sys.stdout.write("\n".join(report()) + "\n")
