"""A run that a stranger has sent, and a folder of the user that nobody may touch."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.harness.arena.conftest import book, make_config, nothing_left, player
from tests.harness.arena.match_helpers import MakeConfig
from tests.harness.arena.stored_runs import config, stored_run, write_config
from tests.sandboxed import shown_folder

__all__ = ["book", "make_config", "nothing_left", "player"]


@pytest.fixture
def run(tmp_path: Path, make_config: MakeConfig) -> Path:
    """The folder of a sound run; its config is `config.toml` beside it."""
    write_config(tmp_path / "config.toml")
    return stored_run(tmp_path / "run", config(make_config))


@pytest.fixture
def outside(tmp_path: Path) -> Path:
    """A file of the user, alone in its folder."""
    file = tmp_path / "outside" / "file"
    file.parent.mkdir()
    file.write_text("mine")
    return file


@pytest.fixture
def shown() -> Iterator[Path]:
    """A folder that a sandbox shows, and where every user may write."""
    with shown_folder() as folder:
        yield folder
