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

LAYERS: Mapping[str, Sequence[str]] = {
    "harness": (
        "gtp go stats files",
        "oracle tasks",
        "arena",
        "check imports seeds",
        "commands explore",
        "suite",
        "diagnosis compare remote",
        "selftest",
        "report",
        "schedule serve",
        "cli",
        "pytest_plugin",
    ),
    "harness.arena": (
        "errors records",
        "pairings clock",
        "config",
        "verdicts",
        "store",
        "game judge",
        "run",
        "audit",
        "folder",
    ),
    "harness.check": (
        "effort positions search_plan shrink play_rules",
        "bot",
        "model",
        "clauses stored_data",
        "stored_records",
        "profile",
        "procedures",
        "judges",
        "phases",
        "verdict",
    ),
    "harness.suite": ("statement", "families", "registry", "known_failures untested vectors"),
    "harness.report": (
        "numbers visible quoting tables terminal svg check_format signs markdown",
        "errors pages",
        "records status",
        "text",
        "ci",
        "html",
        "files",
    ),
    "refbot": (
        "errors",
        "sgf deviations",
        "compile rules",
        "playouts",
        "search measure",
        "gtp",
        "cli",
    ),
}
"""By package its parts, from the bottom up; those of one layer do not import each other."""

ALONE = {"harness.suite.families": "no family imports another"}
"""Packages whose modules do not import each other."""

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
    if mine[0] == "refbot" and other[0] == "harness":
        return "refbot never imports harness"
    if other[:2] == ["harness", PROGRAMS] and mine[:2] != other[:2]:
        return "nothing imports harness.tools"
    shared = next((n for n, (a, b) in enumerate(zip(mine, other, strict=False)) if a != b), None)
    if not shared or mine[:2] == ["harness", PROGRAMS]:  # another package, or the one that holds the module
        return ""
    package = ".".join(mine[:shared])
    if package in ALONE:
        return ALONE[package]
    if package not in LAYERS or mine[shared] == "__main__":
        return ""
    return _between(LAYERS[package], mine[shared], other[shared])


def numbered(layers: Sequence[str]) -> dict[str, int]:
    """The number of the layer of each package or module."""
    return {name: number for number, layer in enumerate(layers) for name in layer.split()}


def _between(layers: Sequence[str], mine: str, other: str) -> str:
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


@pytest.mark.parametrize("package", LAYERS)
def test_every_part_has_its_layer(package: str) -> None:
    folder = ROOT.joinpath(*package.split("."))
    parts = {path.stem for path in folder.glob("*.py")} - {"__init__", "__main__"}
    parts |= {path.parent.name for path in folder.glob("*/__init__.py")}
    assert parts - {PROGRAMS} == set(numbered(LAYERS[package]))


MOST_LINES = 400
"""A module fits in one sitting."""


def long_modules(root: Path) -> set[str]:
    """The modules of more than `MOST_LINES` lines."""
    return {
        name for name, path in modules(root).items() if len(path.read_text("utf-8").splitlines()) > MOST_LINES
    }


def test_a_module_fits_in_one_sitting() -> None:
    """Split a longer one where it holds two ideas."""
    assert long_modules(ROOT) == set()


def lines_of(package: Path) -> int:
    return sum(len(path.read_text("utf-8").splitlines()) for path in package.rglob("*.py"))


def test_no_room_is_above_a_fifth_of_the_house() -> None:
    house = lines_of(ROOT / "harness") + lines_of(ROOT / "refbot")
    rooms = {path.parent.name: lines_of(path.parent) for path in (ROOT / "harness").glob("*/__init__.py")}
    assert {name: lines for name, lines in rooms.items() if lines > house / 5} == {}


@pytest.mark.parametrize("package", LAYERS)
def test_the_page_shows_these_layers(package: str) -> None:
    page = (ROOT / "docs" / "architecture.md").read_text("utf-8")
    section = page.partition(f"### `{package}`\n")[2].partition("\n#")[0]
    rows = re.findall(r"^\| (\d+) \| ([^|]+) \|", section, re.M)
    shown = {name: int(number) for number, names in rows for name in re.findall(r"`(\w+)`", names)}
    assert shown == numbered(LAYERS[package])


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
        ("harness/compare/run.py", "from harness import diagnosis", "an import sideways"),
        (
            "harness/oracle/expected.py",
            "if TYPE_CHECKING:\n    from harness.arena.records import GameRecord",
            "an import upwards",
        ),
        (
            "harness/arena/folder/folder.py",
            "def late() -> None:\n    from harness.schedule import job",
            "an import upwards",
        ),
        ("harness/check/model.py", "from .phases import run", "an import upwards"),
        ("harness/check/judges/moves.py", "from harness.suite.families import choice", "an import upwards"),
        (
            "harness/suite/families/board.py",
            "from harness.suite.families import admin",
            "no family imports",
        ),
        ("harness/suite/families/board.py", "from . import admin", "no family imports"),
        ("harness/suite/vectors.py", "from harness.suite import known_failures", "an import sideways"),
        ("harness/cli/app.py", "from harness.tools import find_probes", "nothing imports harness.tools"),
        ("refbot/cli/app.py", "from harness.gtp import Engine", "refbot never imports harness"),
        ("refbot/rules/board.py", "from refbot.playouts import rng", "an import upwards"),
        ("refbot/search/search.py", "import refbot.measure.bench", "an import sideways"),
        ("harness/arena/store/rows.py", "from harness.arena.run import worker", "an import upwards"),
        ("harness/report/text/console.py", "from harness.report.html import page", "an import upwards"),
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
    assert found.startswith(f"{module.removesuffix('.py').replace('/', '.')} imports ")
    assert broken in found


def test_a_long_module_is_found(copy: Path) -> None:
    path = copy / "harness" / "gtp" / "errors.py"
    before = path.read_text("utf-8")
    path.write_text(before + "\n" * MOST_LINES, "utf-8")
    found = long_modules(copy)
    path.write_text(before, "utf-8")
    assert found == {"harness.gtp.errors"}


def test_a_circle_is_found(copy: Path) -> None:
    path = copy / "harness" / "gtp" / "errors.py"
    before = path.read_text("utf-8")
    path.write_text(f"{before}\nfrom harness.gtp.engine import Engine\n", "utf-8")
    found = circle(copy)
    path.write_text(before, "utf-8")
    assert {"harness.gtp.errors", "harness.gtp.engine"} <= set(found)
