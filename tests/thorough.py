"""Thorough tests: a second line of defence, which `.ci/run` runs and `make test` does not.

A test may be thorough if it costs more than a second of an idle core, and if a quick test fails too wherever
it does. The latter is shown by mutants, which stand beside the test: `python -m tests.thorough` makes each of
them in a copy of this tree, where the thorough test and the quick one must fail. With files of tests as
arguments, it tries the mutants of these files alone.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

ROOT = Path(__file__).parents[1]
MUTATED = "CONFORM_MUTATED"
"""A variable of the environment that is set where a mutant was made."""
PARTS = ("harness", "refbot", "tests", "docs", "configs", "pyproject.toml")


@dataclass(frozen=True)
class Mutant:
    """Wrong code in place of right code, which its file has once; `quick` is a test that fails by it."""

    file: str
    right: str
    wrong: str
    quick: str

    def can_be_made(self) -> bool:
        """Return whether the right code is where the mutant looks for it."""
        return (ROOT / self.file).read_text("utf-8").count(self.right) == 1


def thorough(*mutants: Mutant) -> pytest.MarkDecorator:
    """Mark a test as thorough; the mutants show which quick tests fail where it does."""
    return pytest.mark.thorough(*mutants)


class _Collected:
    """A plugin of pytest that keeps the thorough tests by their mutants."""

    def __init__(self) -> None:
        self.tests: dict[Mutant, list[str]] = {}

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        for item in session.items:
            mark = item.get_closest_marker("thorough")
            for mutant in mark.args if mark is not None else ():
                self.tests.setdefault(mutant, []).append(item.nodeid)


def thorough_tests(files: Sequence[str]) -> dict[Mutant, list[str]]:
    """Collect the ids of the thorough tests of some files, by their mutants."""
    found = _Collected()
    words = ["--collect-only", "-qq", "-n", "0", "-m", "thorough and not slow", *files]
    with redirect_stdout(sys.stderr):
        pytest.main(words, plugins=[found])
    return found.tests


def fails(test: str, folder: Path) -> bool:
    """Return whether a test, or one of a file, fails in a copy of this tree."""
    words = [sys.executable, "-m", "pytest", "-x", "-n", "0", "-p", "no:cacheprovider", test]
    env = {**os.environ, "PYTHONPATH": str(folder), MUTATED: "1"}  # for the processes that the test starts
    done = subprocess.run(words, cwd=folder, env=env, capture_output=True, check=False)
    return done.returncode == pytest.ExitCode.TESTS_FAILED


def survivors(folder: Path, files: Sequence[str]) -> Iterator[str]:
    """Make each mutant in a copy of this tree; yield a line for each test that does not fail there.

    Of the cases of one function, the first one is tried.
    """
    for part in PARTS:
        copy: Callable[..., object] = shutil.copytree if (ROOT / part).is_dir() else shutil.copy
        copy(ROOT / part, folder / part)
    for mutant, tests in thorough_tests(files).items():
        file = folder / mutant.file
        text = file.read_text("utf-8")
        file.write_text(text.replace(mutant.right, mutant.wrong), "utf-8")
        first = {test.partition("[")[0]: test for test in reversed(tests)}
        for name in (*first.values(), mutant.quick):
            if not fails(name, folder):
                yield f"{name} does not fail with {mutant.wrong!r} in {mutant.file}"
        file.write_text(text, "utf-8")


if __name__ == "__main__":
    with TemporaryDirectory() as place:
        sys.exit("\n".join(survivors(Path(place), sys.argv[1:] or [str(ROOT / "tests")])) or None)
