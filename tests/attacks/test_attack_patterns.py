"""Patterns of a stranger: names of files in a config, and names of checks in a list or an option.

Before: `**/**/**` and a hundred thousand brackets took minutes or longer, two thousand `*/` ended with exit
code 70, and a list of known failures with long or many lines was read for minutes. After: one line at once.
"""

import glob
import os
from collections.abc import Callable
from itertools import product
from pathlib import Path

import pytest

from harness.files.patterns import FileSearch, PatternError
from tests.command_line import Done, conform

ENGINES = '[[engine]]\nname = "a"\ncommand = "cat"\n[[engine]]\nname = "b"\ncommand = "cat"\n'
PARTS = ("**", "*", "a", "[ab]", "?.sgf", ".*", "*.sgf")


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with folders, files, hidden ones and a link that leads back; the current one."""
    for name in ("a/b/c.sgf", "a/a/a/d.sgf", "b/e.sgf", "f.sgf", ".hidden/g.sgf", "a/.h.sgf"):
        path = tmp_path / "tree" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    monkeypatch.chdir(tmp_path / "tree")
    return tmp_path / "tree"


def test_a_search_finds_what_glob_finds_and_each_path_once(tree: Path) -> None:
    for length in (1, 2, 3):
        for parts in product(PARTS, repeat=length):
            for pattern in ("/".join(parts), str(tree.joinpath(*parts))):
                expected = {os.path.normpath(path) for path in glob.glob(pattern, recursive=True) if path}
                found = [os.path.normpath(path) for path in FileSearch().matches(pattern) if path]
                assert sorted(found) == sorted(expected), pattern


def test_a_link_that_leads_back_is_followed_once(tree: Path) -> None:
    for name in ("one", "two"):
        (tree / "a" / name).symlink_to(tree)
    (tree / "a" / "itself").symlink_to("itself")
    found = list(FileSearch(most=10_000).matches("**/*.sgf"))
    assert "a/b/c.sgf" in found
    assert len(found) < 100


def test_all_patterns_of_a_search_share_its_limit(tree: Path) -> None:
    search = FileSearch(most=15)
    assert list(search.matches("*/*.sgf")) == ["b/e.sgf"]
    with pytest.raises(PatternError, match="more than 15 files and folders"):
        list(search.matches("**"))


def assert_one_short_line(ended: Done) -> None:
    """A command that has ended refused its input with exit code 2 and one line."""
    assert (ended.returncode, ended.stderr.count("\n")) == (2, 1), ended.stderr
    assert len(ended.stderr) < 1_000


FILES = {
    "any folders": ["**/**/**/**/**/**/**/**/**/**/x.sgf"],
    "many folders": ["*/" * 2_000 + "x.sgf"],
    "brackets": ["[" * 500_000],
    "stars": ["*a" * 1_000 + "b"],
    "many": ["**/x.sgf"] * 300,
    "nothing": ["a\\u0000*"],
}


@pytest.mark.parametrize("files", FILES.values(), ids=FILES)
def test_odd_patterns_of_openings_are_one_line(tree: Path, files: list[str]) -> None:
    for number in range(40):
        (tree / "a" / "b" / ("a" * 100 + str(number))).mkdir()
    names = ", ".join(f'"{name}"' for name in files)
    config = tree / "match.toml"
    config.write_text(f'[run]\ngames = 2\n[run.openings]\nkind = "sgf"\nfiles = [{names}]\n{ENGINES}')
    assert_one_short_line(conform("match", config, "--out", tree / "run"))
    assert not (tree / "run").exists()


LISTS: dict[str, Callable[[], str]] = {
    "brackets": lambda: "[" * 2_000_000,
    "stars": lambda: "*a" * 1_000_000,
    "different names": lambda: "".join(f"gtp.setup.{'*' * n}\n" for n in range(1, 3_000)),
    "unknown names": lambda: "".join(f"nothing-{n}\n" for n in range(100_000)),
}


@pytest.mark.parametrize("text", LISTS.values(), ids=LISTS)
def test_an_odd_list_of_known_failures_is_one_line(tmp_path: Path, text: Callable[[], str]) -> None:
    known = tmp_path / "known.txt"
    known.write_text(text())
    assert_one_short_line(conform("check", "cat", "--known-failures", known))


def test_a_list_may_repeat_a_name(tmp_path: Path) -> None:
    known = tmp_path / "known.txt"
    known.write_text("gtp.setup.komi\n" * 100_000)
    ended = conform("check", "true", "--known-failures", known, "--only", "gtp.setup.komi")
    assert (ended.returncode, ended.stderr) == (4, ""), ended.stderr


@pytest.mark.parametrize("option", ["--only", "--skip"])
def test_an_odd_option_is_one_line(option: str) -> None:
    assert_one_short_line(conform("check", "cat", option, "[" * 100_000))
