"""Each kind of setting of a match means the same on a cluster as on one machine."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Iterator
from concurrent.futures import Future
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from distributed import Client

from harness.arena.config.reader import check_config
from harness.arena.config.tables import MatchConfig
from harness.arena.folder.folder import open_run
from harness.arena.judge.judge import judge
from harness.arena.pairings import Pairing
from harness.arena.records import GameSummary
from harness.arena.run.cluster import Cluster, ClusterRunner
from harness.arena.run.cluster_worker import EnginesPlugin, play_games
from harness.arena.run.engine_pool import FinishedGame
from harness.arena.run.events import NoticeGiven
from harness.arena.store.game_rows import GameRows
from harness.arena.store.store import Store
from harness.tasks import LOCAL, connected, plugin_installed
from tests.harness.arena.match_helpers import SIZE, Quiet, engine_command, followed, play_here, query
from tests.harness.arena.stored_runs import a_game
from tests.harness.arena.test_match_engine_keys import TELL
from tests.parameters import thorough_but
from tests.thorough import Mutant

# Sockets and files of dask's own are left to the garbage collector, which complains at any later moment.
pytestmark = [
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
    pytest.mark.usefixtures("sockets_of_dask"),
]

RECORD = "(;SZ[5]KM[0.5]AB[aa][ee]AW[ae]PL[W];W[bb];B[cc])(;SZ[5];B[aa];W[bb];B[cc])"
FREE = ("place_free_handicap=B2 D3 C4", "set_free_handicap=")
SGF = {"kind": "sgf", "files": ["games.sgf"], "komi": "file"}
SCORED = "C1,A5,C2,E1,C3,pass,C4,pass,C5,pass,pass"

PASSING: tuple[str, ...] = ("scripted.py", "LOG")
SETTINGS: dict[str, tuple[dict[str, Any], tuple[str, ...]]] = {
    "fixed handicap": ({"size": 9, "handicap": 3, "handicap_bonus": "N"}, PASSING),
    "free handicap": ({"size": 9, "handicap": 3, "handicap_style": "free"}, (*PASSING, *FREE)),
    "openings of records": ({"openings": SGF}, PASSING),
    "random openings": ({"openings": {"kind": "random", "moves": 4}}, PASSING),
    "Canadian byo-yomi": ({"byoyomi": {"time": 600, "stones": 2}}, PASSING),
    "Japanese byo-yomi": ({"main_time": 1e-6, "byoyomi": {"time": 600, "periods": 3}}, PASSING),
    "a loss on time": ({"main_time": 1e-6}, PASSING),
    "scorer": ({"scorer": "players", "rules": "simple-ko"}, ("scoring_player.py", SCORED, "--score=B+22.5")),
}
PAIRS: list[dict[str, Any]] = [
    {"black": "a", "white": "b"},
    {"black": "b", "white": "a", "size": 9, "handicap": 2, "colours": "fixed", "games": 3},
]

GAMES = """
    SELECT game_id, black, white, size, komi, opening, opening_moves, moves, result, reason,
        game_setup.stones, game_setup.handicap, handicap_bonus, black_clock, white_clock,
        scored_by, black_says,
        (SELECT group_concat(counted) FROM search_clock WHERE search_clock.game = game.id)
    FROM game LEFT JOIN game_setup ON game_setup.game = game.id
        LEFT JOIN game_handicap ON game_handicap.game = game.id
        LEFT JOIN game_clock ON game_clock.game = game.id
        LEFT JOIN game_score ON game_score.game = game.id
    ORDER BY game_id"""


@pytest.fixture(scope="module")
def client() -> Iterator[Client]:
    """A client of a local cluster of two workers."""
    with connected(LOCAL, 2) as client:
        yield client


def play_there(client: Client, config: MatchConfig, folder: Path) -> bool:
    """Play a match on the cluster; False if it was stopped."""
    plugin = EnginesPlugin(folder.name, config, local=True)
    with plugin_installed(client, LOCAL, plugin), open_run(config, folder) as store:
        return followed(ClusterRunner(Cluster(client, LOCAL, folder.name), config, store), Quiet())


def config_of(folder: Path, words: tuple[str, ...], more: dict[str, Any], **run: Any) -> MatchConfig:
    engines = [
        {"name": name, "command": engine_command(*(str(folder / name) if w == "LOG" else w for w in words))}
        for name in "ab"
    ]
    keys = {"size": SIZE, "games": 4, "workers": 2, "timeout": 60, "audit": "off", **run}
    return check_config({"run": keys, "engine": engines, **more}, "test")


@pytest.mark.parametrize("name", [*SETTINGS, "pairs"])
def test_a_setting_means_the_same_on_a_cluster(client: Client, tmp_path: Path, name: str) -> None:
    (tmp_path / "games.sgf").write_text(RECORD)
    run, words = SETTINGS.get(name, ({}, PASSING))
    if run.get("openings") == SGF:
        run = {"openings": {**SGF, "files": [str(tmp_path / "games.sgf")]}}
    config = config_of(tmp_path, words, {"pair": PAIRS} if name == "pairs" else {}, **run)
    assert play_here(config, tmp_path / "here", Quiet())
    assert play_there(client, config, tmp_path / "there")
    here, there = (query(tmp_path / folder, GAMES) for folder in ("here", "there"))
    assert there == here
    assert len(here) == (7 if name == "pairs" else 4)
    with Store.open(tmp_path / "there", read_only=True) as store:
        assert judge(store, config).failures == {"a": {}, "b": {}}


def test_the_workers_of_a_local_cluster_have_different_slots(client: Client, tmp_path: Path) -> None:
    """An engine may take a port of its own by its slot."""
    (tmp_path / "tell.py").write_text(TELL)
    words = [str(tmp_path / "tell.py"), str(tmp_path / "log")]
    engines = [{"name": name, "command": shlex.quote(sys.executable), "args": words} for name in "ab"]
    config = check_config({"run": {"size": SIZE, "workers": 2}, "engine": engines}, "test")
    game = Pairing(1, "a", "b").game(1)
    plugin = EnginesPlugin("slots", config, local=True)
    with plugin_installed(client, LOCAL, plugin):
        for worker in client.scheduler_info()["workers"]:
            client.submit(play_games, "slots", [game], workers=[worker], pure=False).result(60)
    starts = [line.split("|") for line in (tmp_path / "log").read_text().splitlines()]
    slots = [slot for game_id, slot, *_ in starts if game_id != "-"]  # without a trial start before the games
    assert sorted(slots) == ["1", "1", "2", "2"]


class LosesOne:
    """Workers of which one was lost."""

    def look(self) -> tuple[list[str], bool]:
        return ["tls://127.0.0.1:1"], False


def test_a_lost_worker_is_reported(client: Client, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    config = config_of(tmp_path, PASSING, {})
    with open_run(config, tmp_path / "run") as store:
        runner = ClusterRunner(Cluster(client, LOCAL, "run"), config, store)
        monkeypatch.setattr(runner, "_workers", LosesOne())
        runner._check_workers()
        (notice,) = [event for event in runner.coordinator.take_events() if isinstance(event, NoticeGiven)]
    assert notice.text == "the worker tls://127.0.0.1:1 was lost; its games are played again"


def test_a_game_that_is_stored_already_is_not_played_again(client: Client, tmp_path: Path) -> None:
    config = config_of(tmp_path, PASSING, {})
    with open_run(config, tmp_path / "run") as store:
        runner = ClusterRunner(Cluster(client, LOCAL, "run"), config, store)
        games = runner.coordinator.next_pair()
        left = runner.coordinator.left
        records = [a_game(game) for game in games]
        store.add(records[0])
        answer: Future[object] = Future()
        answer.set_result([(FinishedGame(GameSummary.of(one), (), 1.0), GameRows.of(one)) for one in records])
        runner._receive(SimpleNamespace(status="finished"), answer, games)
        assert [game.game_id for game in store.games()] == [game.id for game in games]
        assert runner.coordinator.left == left


QUESTIONS = [
    ({"kind": "sprt", "elo0": 0, "elo1": 100}, "passed"),
    ({"kind": "stronger"}, "stronger"),
    ({"kind": "parity", "stop": "decided"}, "different"),
]


@pytest.mark.parametrize(
    ("question", "verdict"),
    thorough_but(
        [QUESTIONS[0][0]],
        QUESTIONS,
        Mutant(
            "harness/arena/run/cluster.py",
            "if returned != [(game, game.id)",
            "if returned == [(game, game.id)",
            "tests/harness/arena/test_match_cluster_settings.py::"
            "test_a_match_on_a_cluster_ends_when_its_question_is_answered[question0-passed]",
        ),
    ),
)
def test_a_match_on_a_cluster_ends_when_its_question_is_answered(
    client: Client, tmp_path: Path, question: dict[str, Any], verdict: str
) -> None:
    """The second engine resigns at once. Of a hundred thousand games few are played."""
    engines = [
        {"name": "a", "command": engine_command("complaining.py", tag="a")},
        {"name": "b", "command": engine_command("complaining.py", at="genmove", way="resign", nth=0)},
    ]
    run = {"size": SIZE, "games": 100_000, "audit": "off"}
    config = check_config({"run": run, "judge": question, "engine": engines}, "test")
    assert play_there(client, config, tmp_path / "run")
    with Store.open(tmp_path / "run", read_only=True) as store:
        (row,) = judge(store, config).parity
    assert row.verdict == verdict
    assert 8 <= row.games < 50_000
