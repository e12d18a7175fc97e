import os
import random
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from harness.arena.config.openings import play_out
from harness.arena.config.reader import check_config
from harness.arena.config.tables import MatchConfig
from harness.go import Position, all_points
from harness.gtp import format_vertex
from tests.harness.arena.match_helpers import PATIENCE, SIZE, Command, MakeConfig, Quiet, engine_command


@pytest.fixture(autouse=True)
def nothing_left() -> Iterator[None]:
    """Every test here ends with the processes that it began with; one more may be multiprocessing's own."""
    before = processes_below()
    yield
    left = [process for process in processes_below() if process not in before]
    # What a killed process leaves to us ends by its guard, within seconds.
    _, left = psutil.wait_procs([process for process in left if not _is_tracker(process)], timeout=PATIENCE)
    assert left == []


def processes_below() -> list[psutil.Process]:
    """The processes that this one has started, and theirs. Where there is none, no other process is read."""
    try:
        os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)
    except ChildProcessError:
        return []
    return psutil.Process().children(recursive=True)


def _is_tracker(process: psutil.Process) -> bool:
    try:
        return "resource_tracker" in " ".join(process.cmdline())
    except psutil.Error:
        return False


@pytest.fixture(scope="session")
def book(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A random legal game for each first move."""
    lines = []
    for number, point in enumerate(all_points(SIZE)):
        position = Position(SIZE)
        position.play("b", point)
        play_out(position, random.Random(number))
        lines.append(" ".join(format_vertex(move.point) for move in position.moves))
    path = tmp_path_factory.mktemp("book") / "book.txt"
    path.write_text("\n".join(lines))
    return path


@pytest.fixture
def player(book: Path) -> Command:
    """`player(fail="exit", move=4)`: the command of an engine that plays from the book and fails so."""

    def command(**options: object) -> str:
        return engine_command("book_player.py", book, **options)

    return command


@pytest.fixture
def hostile() -> Command:
    """`hostile("die", code=3)`: the command of the hostile engine in that mode."""

    def command(mode: str = "right", **options: object) -> str:
        return engine_command("hostile.py", mode, **options)

    return command


@pytest.fixture
def make_config(player: Command) -> MakeConfig:
    """`make_config(a=command, b=command, games=4)`: engines by name; everything else is for [run].

    `judge` is the table [judge].
    """

    def config(engines: dict[str, str] | None = None, judge: object = None, **run: object) -> MatchConfig:
        commands = engines or {"a": player(), "b": player(first=7)}
        tables = [{"name": name, "command": command} for name, command in commands.items()]
        defaults = {"size": SIZE, "games": 4, "workers": 1, "timeout": 60}
        question = {} if judge is None else {"judge": judge}
        return check_config({"run": {**defaults, **run}, **question, "engine": tables}, "test")

    return config


@pytest.fixture
def quiet() -> Quiet:
    return Quiet()
