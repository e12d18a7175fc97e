"""Relative paths in a config file mean what a user expects, wherever the command is started."""

import os
from pathlib import Path

import pytest

from harness.arena.config.opening_files import read_openings
from harness.arena.config.opening_tables import SgfOpenings
from harness.arena.config.reader import load_config
from harness.arena.config.tables import MatchConfig

CONFIG = """
[run]
openings = {kind = "sgf", files = ["book/*.sgf", "missing/*.sgf"]}
[[engine]]
name = "a"
command = "x"
cwd = "engines"
[[engine]]
name = "b"
command = "y"
cwd = "~/engines"
"""


@pytest.fixture
def conf(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A config with its engines and its book beside it. The command starts elsewhere."""
    conf, here = tmp_path / "conf", tmp_path / "here"
    for folder in (conf / "engines", conf / "book", here, tmp_path / "engines"):
        folder.mkdir(parents=True)
    (conf / "book" / "1.sgf").write_text("(;SZ[5];B[cc])")
    (conf / "m.toml").write_text(CONFIG)
    monkeypatch.chdir(here)
    monkeypatch.setenv("HOME", str(tmp_path))
    return conf


def files(config: MatchConfig) -> tuple[str, ...]:
    assert isinstance(config.run.openings, SgfOpenings)
    return config.run.openings.files


def test_what_is_not_here_is_found_beside_the_config(conf: Path) -> None:
    config = load_config(conf / "m.toml")
    assert config.engines["a"].launch().cwd == conf / "engines"
    assert files(config) == (str(conf / "book" / "*.sgf"), "missing/*.sgf")
    assert load_config(Path(os.path.relpath(conf / "m.toml"))) == config


def test_a_folder_with_brackets_in_its_name_is_no_pattern(conf: Path) -> None:
    conf = conf.rename(conf.with_name("conf [v1]"))
    (conf / "single.toml").write_text(CONFIG.replace("book/*.sgf", "book/1.sgf"))
    for config in (load_config(conf / "m.toml"), load_config(conf / "single.toml")):
        assert config.engines["a"].launch().cwd == conf / "engines"
        assert isinstance(config.run.openings, SgfOpenings)
        openings = config.run.openings.model_copy(update={"files": files(config)[:1]})
        run = config.run.model_copy(update={"size": 5, "openings": openings})
        assert len(read_openings(run, openings)[0]) == 1


def test_a_tilde_is_the_home_of_the_user(conf: Path) -> None:
    assert load_config(conf / "m.toml").engines["b"].launch().cwd == conf.parent / "engines"


def test_what_is_here_stays_as_it_is_written(conf: Path) -> None:
    Path("engines").mkdir()
    Path("book").mkdir()
    Path("book/2.sgf").write_text("(;SZ[5];B[aa])")
    config = load_config(conf / "m.toml")
    assert config.engines["a"].cwd == "engines"
    assert files(config)[0] == "book/*.sgf"
