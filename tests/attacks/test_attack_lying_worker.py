"""A worker of a cluster is broken, or lies about its games.

Before: a result of another type ended the match with a traceback, and one with odd values was stored and made
the whole run unreadable. After: the match ends with one line, and every game that ended before is kept.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest
from distributed import Client

from harness.arena.folder.folder import open_run
from harness.arena.records import Game
from harness.arena.run.cluster import Cluster, ClusterRunner
from harness.arena.run.cluster_worker import EnginesPlugin, play_games
from harness.arena.run.engine_pool import FinishedGame
from harness.arena.store.game_rows import GameRows
from harness.tasks import LOCAL, ClusterError, connected, plugin_installed
from tests.harness.arena.match_helpers import Command, MakeConfig, Quiet, followed, query, stored

pytestmark = [
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
    pytest.mark.usefixtures("sockets_of_dask"),
]

Result = list[tuple[FinishedGame, GameRows]]


class OddError(Exception):
    """An exception that cannot be made from its arguments."""

    def __init__(self, one: object, two: object) -> None:
        super().__init__()
        self.held = lambda: (one, two)


def _with_rows(played: Result, change: Callable[[GameRows], GameRows]) -> Result:
    return [(finished, change(rows)) for finished, rows in played]


def _with_value(rows: GameRows, place: int, value: object) -> GameRows:
    game = list(rows.values["game"])
    game[place] = value
    return rows._replace(values={**rows.values, "game": tuple(game)})


def _raise(error: Exception) -> Result:
    raise error


LIES: dict[str, Callable[[Result], object]] = {
    "nothing": lambda played: None,
    "no games": lambda played: [],
    "the second game alone": lambda played: played[1:],
    "a game twice": lambda played: played[:1] * 2,
    "another id": lambda played: _with_rows(played, lambda rows: rows._replace(game_id="p001-g99999")),
    "another id in the row": lambda played: _with_rows(
        played, lambda rows: _with_value(rows, 0, "p001-g99999")
    ),
    "another result": lambda played: _with_rows(
        played, lambda rows: _with_value(rows, rows.values["game"].index("score"), "draw")
    ),
    "a value of no type": lambda played: _with_rows(played, lambda rows: _with_value(rows, 1, {})),
    "another table": lambda played: _with_rows(
        played, lambda rows: rows._replace(values={**rows.values, "sqlite_master": (1,)})
    ),
    "no game": lambda played: [(None, rows) for _, rows in played],
    "an odd engine": lambda played: [
        (replace(finished, introductions=(replace(one, playouts=-1),)), rows)
        for finished, rows in played
        for one in finished.introductions[:1]
    ],
    "an odd exception": lambda played: _raise(OddError(1, 2)),
    "a huge object": lambda played: [b"\0" * 50_000_000],
}


def lie(run: str, games: Sequence[Game], name: str) -> object:
    """The task of a worker that plays its first pair of games, and then lies."""
    played = play_games(run, games)
    return LIES[name](played) if games[0].id != "p001-g00001" else played


QUICK = ("nothing", "another result", "an odd engine")


@pytest.fixture(scope="module")
def client() -> Iterator[Client]:
    """A client of a local cluster of one worker."""
    with connected(LOCAL, 1) as client:
        yield client


@pytest.mark.parametrize(
    "name", [name if name in QUICK else pytest.param(name, marks=pytest.mark.slow) for name in LIES]
)
def test_a_lie_ends_the_match_and_costs_no_game(
    client: Client,
    make_config: MakeConfig,
    player: Command,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    name: str,
) -> None:
    config = make_config({"a": player(), "b": player(first=7)}, games=8, workers=1)
    folder = tmp_path / "run"
    monkeypatch.setattr("harness.arena.run.cluster_worker.play_games", partial(lie, name=name))
    with (
        plugin_installed(client, LOCAL, EnginesPlugin(tmp_path.name, config, local=True)),
        open_run(config, folder) as store,
        pytest.raises(ClusterError) as error,
    ):
        followed(ClusterRunner(Cluster(client, LOCAL, tmp_path.name), config, store), Quiet())
    assert len(str(error.value).splitlines()) == 1
    assert re.search("sent a wrong answer for the games|cannot take part", str(error.value))
    assert query(folder, "PRAGMA integrity_check") == [("ok",)]
    assert [row[0] for row in stored(folder)][:2] == ["p001-g00001", "p001-g00002"]
