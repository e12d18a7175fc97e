"""The layers of docs/architecture.md: a module imports from lower layers only, for type checkers too."""

from __future__ import annotations

import ast
import re
import shutil
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]

HARNESS: Sequence[frozenset[str]] = [
    frozenset({"gtp", "go", "stats", "files"}),
    frozenset({"oracle", "tasks"}),
    frozenset({"match"}),
    frozenset({"audit"}),
    frozenset({"checks", "seeds"}),
    frozenset({"runs", "report"}),
    frozenset({"scheduler", "serve"}),
    frozenset({"cli"}),
    frozenset({"pytest_plugin"}),
]
"""The packages of harness from the bottom up. Those of one layer do not import each other."""

CHECKS: Sequence[frozenset[str]] = [
    frozenset({"errors"}),
    frozenset({"bot", "positions"}),
    frozenset({"model"}),
    frozenset({"clauses", "stored_data"}),
    frozenset({"procedures"}),
    frozenset({"judges"}),
    frozenset({"execution"}),
    frozenset({"explore"}),
    frozenset({"families"}),
    frozenset({"registry", "verdict"}),
    frozenset({"known_failures", "vectors", "comparison", "diagnosis", "remote"}),
    frozenset({"selftest"}),
]
"""The packages and modules of harness.checks from the bottom up."""

PROGRAMS = "tools"
"""A package of programs: it may import anything of harness, and nothing imports it."""


def name_of(path: Path, root: Path) -> str:
    """The dotted name of a module or package."""
    parts = path.relative_to(root).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def modules(root: Path) -> dict[str, Path]:
    """Every module of the two top-level packages, by its dotted name."""
    found = (path for top in ("harness", "refbot") for path in sorted((root / top).rglob("*.py")))
    return {name_of(path, root): path for path in found}


def imports(name: str, path: Path, known: Mapping[str, Path]) -> Iterator[str]:
    """The modules that a module imports, wherever in it: at the top, in a function, for a type checker."""
    package = name if path.name == "__init__.py" else name.rpartition(".")[0]
    for node in _import_statements(path.read_text("utf-8")):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        else:
            above = package.split(".")[: len(package.split(".")) - node.level + 1] if node.level else []
            source = ".".join([*above, *([node.module] if node.module else [])])
            for alias in node.names:
                whole = f"{source}.{alias.name}"
                yield whole if whole in known else source


@cache
def _import_statements(text: str) -> list[ast.Import | ast.ImportFrom]:
    return [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Import | ast.ImportFrom)]


def violation(importing: str, imported: str) -> str:
    """The rule that an import breaks; empty if it breaks none."""
    mine, other = importing.split("."), imported.split(".")
    if mine[0] == "refbot":
        return "refbot never imports harness" if other[0] == "harness" else ""
    if other[0] != "harness" or len(other) == 1 or len(mine) == 1:
        return ""  # the version stands in harness itself
    if mine[1] in (PROGRAMS, "__main__"):
        return ""
    if other[1] == PROGRAMS:
        return "nothing imports harness.tools"
    if mine[1] != other[1]:
        return _between(HARNESS, mine[1], other[1])
    if mine[1] == "checks" and len(mine) > 2 and len(other) > 2:
        if mine[2] != other[2]:
            return _between(CHECKS, mine[2], other[2])
        if mine[2] == "families" and len(other) > 3 and len(mine) > 3 and mine[3] != other[3]:
            return "no family imports another"
    return ""


def numbered(layers: Sequence[frozenset[str]]) -> dict[str, int]:
    """The number of the layer of each package or module."""
    return {name: number for number, layer in enumerate(layers) for name in layer}


def _between(layers: Sequence[frozenset[str]], mine: str, other: str) -> str:
    numbers = numbered(layers)
    unknown = {mine, other} - numbers.keys()
    if unknown:
        return f"{', '.join(sorted(unknown))} has no layer"
    if numbers[other] > numbers[mine]:
        return "an import upwards"
    return "an import sideways" if numbers[other] == numbers[mine] else ""


def violations(root: Path) -> list[str]:
    """A line for each import that breaks a rule."""
    known = modules(root)
    return [
        f"{name} imports {imported}: {broken}"
        for name, path in known.items()
        for imported in imports(name, path, known)
        if (broken := violation(name, imported))
    ]


def circle(root: Path) -> list[str]:
    """Modules that import each other in a circle; empty if there is none."""
    known = modules(root)
    graph = {name: {i for i in imports(name, path, known) if i in known} for name, path in known.items()}
    for name, imported in graph.items():  # a package that gathers the names of its modules is no circle
        imported.discard(name)
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        return list(error.args[1])
    return []


def test_every_import_goes_down() -> None:
    assert violations(ROOT) == []


def test_no_modules_import_each_other() -> None:
    assert circle(ROOT) == []


def test_every_package_has_its_layer() -> None:
    packages = {path.parent.name for path in (ROOT / "harness").glob("*/__init__.py")} - {PROGRAMS}
    assert packages <= set().union(*HARNESS)
    inside = {path.stem for path in (ROOT / "harness" / "checks").glob("*.py")} - {"__init__"}
    inside |= {path.parent.name for path in (ROOT / "harness" / "checks").glob("*/__init__.py")}
    assert inside == set().union(*CHECKS)


def test_the_page_shows_these_layers() -> None:
    page = (ROOT / "docs" / "architecture.md").read_text("utf-8")
    rows = re.findall(r"^\| (\d+) \| `(harness/)?(\w+)` \|", page, re.M)
    assert {name: int(number) for number, top, name in rows if top} == numbered(HARNESS)
    assert {name: int(number) for number, top, name in rows if not top} == numbered(CHECKS)


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the sources, to break."""
    root = tmp_path_factory.mktemp("copy")
    for top in ("harness", "refbot"):
        shutil.copytree(
            ROOT / top, root / top, ignore=lambda _, names: [n for n in names if n == "__pycache__"]
        )
    return root


@pytest.mark.parametrize(
    ("module", "line", "broken"),
    [
        ("harness/arena/game/game.py", "from harness.cli import app", "an import upwards"),
        ("harness/gtp/engine.py", "import harness.check.model", "an import upwards"),
        ("harness/go/position.py", "from harness.gtp import Vertex", "an import sideways"),
        ("harness/report/records/check.py", "from harness import runs", "an import sideways"),
        (
            "harness/oracle/expected.py",
            "if TYPE_CHECKING:\n    from harness.match import GameRecord",
            "an import upwards",
        ),
        (
            "harness/arena/folder/folder.py",
            "def late() -> None:\n    from harness.schedule import loop",
            "an import upwards",
        ),
        ("harness/check/model.py", "from .execution import runner", "an import upwards"),
        ("harness/check/judges/moves.py", "from harness.suite.families import choice", "an import upwards"),
        (
            "harness/suite/families/board.py",
            "from harness.suite.families import admin",
            "no family imports",
        ),
        ("harness/suite/families/board.py", "from . import admin", "no family imports"),
        ("harness/check/verdict.py", "from harness.checks import registry", "an import sideways"),
        ("harness/cli/app.py", "from harness.tools import find_probes", "nothing imports harness.tools"),
        ("refbot/cli.py", "from harness.gtp import Engine", "refbot never imports harness"),
    ],
)
def test_an_import_that_breaks_a_rule_is_found(copy: Path, module: str, line: str, broken: str) -> None:
    path = copy / module
    before = path.read_text("utf-8") if path.exists() else ""
    path.write_text(f"{before}\n{line}\n", "utf-8")
    try:
        (found,) = violations(copy)
    finally:
        path.write_text(before, "utf-8")
    assert found.startswith(f"{module.removesuffix('.py').replace('/', '.')} imports harness")
    assert broken in found


def test_a_circle_is_found(copy: Path) -> None:
    path = copy / "harness" / "gtp" / "errors.py"
    before = path.read_text("utf-8")
    path.write_text(f"{before}\nfrom harness.gtp.engine import Engine\n", "utf-8")
    found = circle(copy)
    path.write_text(before, "utf-8")
    assert {"harness.gtp.errors", "harness.gtp.engine"} <= set(found)
