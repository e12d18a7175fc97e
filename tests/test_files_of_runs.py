"""Only `harness.files` opens, makes, moves and removes the files of runs; one module opens databases."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGES = ("arena", "report", "schedule", "serve", "cli")
"""The packages that come to the folders of runs."""

INSTEAD = {
    "open": "harness.files.open_file", "touch": "harness.files.open_file",
    "read_text": "harness.files.read_file", "read_bytes": "harness.files.read_file",
    "write_text": "harness.files.replaced", "write_bytes": "harness.files.replaced",
    "mkdir": "harness.files.make_folder", "makedirs": "harness.files.make_folder",
    "rename": "harness.files.move", "renames": "harness.files.move",
    "replace": "harness.files.replaced, or harness.files.move",
    "symlink_to": "harness.files.replace_link", "symlink": "harness.files.replace_link",
    "hardlink_to": "harness.files.replaced", "link": "harness.files.replaced",
    "unlink": "harness.files.remove_file", "remove": "harness.files.remove_file",
    "rmdir": "harness.files.remove_folder", "removedirs": "harness.files.remove_folder",
    "truncate": "harness.files.open_file", "chmod": "harness.files.open_file, and os.fchmod",
    "connect": "harness.arena.store.opening.open_database",
}  # fmt: skip
"""By name of a method of a path, or of a function of `os`: the function that a module calls instead."""
MODULES = {"shutil": "harness.files.remove_folder or replaced", "tempfile": "harness.files.replaced"}
"""Modules of which every function that touches files is refused."""
HARMLESS = {"shutil.which", "shutil.get_terminal_size", "shutil.copyfileobj"}  # the last: between open files
OF_OTHERS = {"Store.open", "cls.open"}
"""Calls of these names that are no calls to a path."""
ON_VALUES = {"remove", "link", "connect", "truncate"}
"""Names that only count as functions of their modules: lists and sockets have them too."""

ALLOWED = {
    ("arena/store/opening.py", "sqlite3.connect"): "the one place",
    ("arena/config/examples.py", "read_text"): "a file of the package",
    ("arena/run/head_to_head.py", "tempfile.TemporaryDirectory"): "a private folder of this process",
    ("arena/folder/salvage.py", "tempfile.TemporaryDirectory"): "a new folder of mode 700 with a random name",
    ("arena/store/opening.py", "tempfile.TemporaryDirectory"): "a private folder outside the run",
    ("report/pages/documents.py", "file.read_text"): "a file of the package",
    ("report/pages/documents.py", "read_text"): "a file of the package",
    ("report/records/check.py", "read_text"): "a file of the package",
    ("report/files/vectors.py", "read_text"): "a file of the package",
    ("report/records/events.py", "read_text"): "a file of the package",
    ("report/html/page.py", "read_text"): "a file of the package",
    ("cli/streams.py", "os.open"): "the null device",
    ("cli/streams.py", "open"): "a descriptor that is open already",
    ("cli/paths.py", "path.write_text"): "a device or a pipe that the user names",
    ("cli/event_file.py", "open"): "a file that the user names",
    ("cli/paths.py", "path.open"): "a file that the user names",
    ("cli/paths.py", "path.mkdir"): "a folder that the user names",
}
"""By module and call, why the call may stay."""


def calls(text: str) -> Iterator[tuple[int, str, str]]:
    """(line, call, what to use instead) of every call that may open, make, move or remove a file."""
    for node in ast.walk(ast.parse(text)):
        if not isinstance(node, ast.Call):
            continue
        match node.func:
            case ast.Name("open"):
                yield node.lineno, "open", INSTEAD["open"]
            case ast.Attribute(ast.Name(module), name) if module in MODULES:
                if f"{module}.{name}" not in HARMLESS:
                    yield node.lineno, f"{module}.{name}", MODULES[module]
            case ast.Attribute(value, name) if name in INSTEAD:
                call = f"{value.id}.{name}" if isinstance(value, ast.Name) else name
                of_module = call.startswith(("os.", "sqlite3."))
                one_argument = len(node.args) == 1 and not node.keywords
                if call in OF_OTHERS or (name in ON_VALUES and not of_module):
                    continue
                if name == "replace" and not (of_module or one_argument):  # of a text, of a dataclass
                    continue
                yield node.lineno, call, INSTEAD[name]


def imports(text: str) -> Iterator[tuple[int, str]]:
    """(line, name) of everything that is imported by name from a module that touches files."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.ImportFrom) and node.module in ("os", "shutil", "tempfile", "sqlite3", "io"):
            yield from ((node.lineno, f"{node.module}.{alias.name}") for alias in node.names)


def sources() -> Iterator[tuple[str, str]]:
    """(path below harness, text) of every module that comes to the folders of runs."""
    for package in PACKAGES:
        for path in sorted((ROOT / "harness" / package).rglob("*.py")):
            yield str(path.relative_to(ROOT / "harness")), path.read_text("utf-8")


def test_every_file_of_a_run_is_reached_by_the_module_that_guards_it() -> None:
    wrong = [
        f"harness/{name}:{line}: {call} is not guarded against the links and FIFOs in a stranger's folder; "
        f"use {instead}. If the file is never in the folder of a run, say so in ALLOWED of this test"
        for name, text in sources()
        for line, call, instead in calls(text)
        if (name, call) not in ALLOWED
    ]
    assert not wrong, "\n".join(wrong)


def test_functions_that_touch_files_are_called_by_the_names_that_this_test_finds() -> None:
    wrong = [
        f"harness/{name}:{line}: write {imported.partition('.')[0]}.… instead of importing {imported}"
        for name, text in sources()
        for line, imported in imports(text)
        if imported.rpartition(".")[2] not in {"PathLike", "StringIO", "BytesIO", "TextIOWrapper"}
    ]
    assert not wrong, "\n".join(wrong)


def test_every_exception_is_needed() -> None:
    found = {(name, call) for name, text in sources() for _, call, _ in calls(text)}
    assert set(ALLOWED) <= found


def test_only_one_module_of_the_harness_opens_databases() -> None:
    found = {
        str(path.relative_to(ROOT))
        for path in (ROOT / "harness").rglob("*.py")
        if any(call in ("sqlite3.connect", "sqlite3.Connection") for _, call, _ in calls(path.read_text()))
    }
    assert found == {"harness/arena/store/opening.py"}


@pytest.mark.parametrize(
    "line",
    [
        "open(path)", "path.open()", "(folder / name).write_text(text)", "path.read_bytes()", "os.open(p, 0)",
        "shutil.copy2(a, b)", "os.replace(a, b)", "a.replace(b)", "a.rename(b)", "path.mkdir(parents=True)",
        "path.unlink()", "os.remove(path)", "tempfile.mkstemp()", "sqlite3.connect(path)", "a.symlink_to(b)",
        "path.touch()", "os.truncate(path, 0)",
    ],
)  # fmt: skip
def test_the_search_finds(line: str) -> None:
    assert len(list(calls(line))) == 1


@pytest.mark.parametrize(
    "line",
    ["text.replace('a', 'b')", "replace(run, tries=1)", "run.replace(tries=1)", "Store.open(folder)",
     "shutil.which('x')", "names.remove(x)", "db.execute(sql)", "os.getpid()"],
)  # fmt: skip
def test_the_search_leaves_out(line: str) -> None:
    assert list(calls(line)) == []
