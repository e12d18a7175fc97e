"""Audits of a real match between refbot, refbot again and refbot with a fault."""

from __future__ import annotations

import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import pandas as pd
import pytest

from harness.arena.audit import Audit, AuditOutcome, Diagnoser
from harness.arena.audit.diagnosis import Rounds
from harness.arena.audit.reference import CHOICES
from harness.arena.config.reader import check_config
from harness.arena.config.tables import Amount, MatchConfig
from harness.arena.folder.audit import audit_run
from harness.arena.folder.folder import open_run
from harness.arena.judge.judge import judge
from harness.arena.judge.playouts import differing_statistics, judge_playouts, phase_of
from harness.arena.records import GameRecord, Introduction, Search
from harness.arena.run.stop import Stop
from harness.arena.store.store import Store
from harness.arena.verdicts import MatchVerdicts
from harness.report.files.csv_columns import AUDIT, SEARCHES, VERDICTS
from harness.report.files.match_run import write_run
from refbot.compile.devices import why_no_gpu
from refbot.playouts import PlayoutStats, Position
from tests.command_line import conform_forked
from tests.harness.arena.audit.simulated_match import play_games
from tests.harness.arena.match_helpers import play_run
from tests.refbot import gpu_on_cpu

PLAYOUTS_A_SEARCH = 100
PURE = shlex.quote(str(Path(__file__).parents[3] / "engines" / "pure_bot.py"))
PROGRAM = [sys.executable, "-c", "from harness.cli import main; main()"]


def config_of(**run: Any) -> MatchConfig:
    refbot = f"{shlex.quote(sys.executable)} -m refbot.cli gtp --playouts {{playouts}} --size 5"
    commands = {
        "one": f"{refbot} --seed 1",
        "two": f"{refbot} --seed 2",
        "faulty": f"{refbot} --seed 3 --fault nodes-one-pass",
    }
    settings = {"startup": 600.0, "playouts": PLAYOUTS_A_SEARCH}
    engines = [{"name": name, "command": command, **settings} for name, command in commands.items()]
    table = {"size": 5, "komi": 6.0, "games": 2, "workers": 1, "timeout": 600, "audit": "off", **run}
    return check_config({"run": table, "engine": engines, "report": {"formats": ["csv"]}}, "test")


class Collector:
    """Stands in for a store; keeps the records that are stored."""

    def __init__(self, engines: Sequence[str]) -> None:
        self.records: list[GameRecord] = []
        self.engine_names = lambda: list(engines)
        self.introduce = lambda _: None
        self.add = self.records.append


def store_simulated(
    folder: Path,
    config: MatchConfig,
    faults: Mapping[str, Collection[str]],
    change: Callable[[GameRecord, Search], Search] = lambda _, search: search,
) -> None:
    """Store a simulated match whose searches took a millisecond each; `change`: other searches instead."""
    collector = Collector(list(config.engines))
    play_games(cast("Store", collector), config, faults, seed=1)
    with open_run(config, folder) as store:
        for engine in config.engines.values():
            store.introduce(Introduction(engine.name, "refbot", "simulated", engine.playouts))
        for record in collector.records:
            searches = [change(record, search)._replace(seconds=0.001) for search in record.searches]
            store.add(replace(record, searches=searches))


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A simulated run that was not audited."""
    folder = tmp_path_factory.mktemp("audit") / "run"
    store_simulated(folder, config_of(), {"faulty": ["nodes-one-pass"]})
    return folder


@pytest.fixture(scope="module")
def whole(played: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """That run with an audit of all searches, a diagnosis, and its files."""
    folder = shutil.copytree(played, tmp_path_factory.mktemp("whole") / "run")
    assert audit(folder, "all").complete
    with Store.open(folder) as store:
        differing = differing_statistics(judge_playouts(store, config_of())[0])
        assert Diagnoser(store, stop=Stop(), rounds=Rounds((8,), (8,))).run(differing)
        write_run(store, judge(store, config_of()), folder, ["csv"])
    return folder


@pytest.fixture
def run(played: Path, tmp_path: Path) -> Path:
    """A copy of the run that was not audited."""
    return shutil.copytree(played, tmp_path / "run")


def content(folder: Path) -> list[tuple[Any, ...]]:
    """Everything that an audit has stored."""
    with Store.open(folder, read_only=True) as store:
        rows = sorted((row.game_id, row.move, *row[3:]) for row in store.audit.searches())
        return [*rows, *store.audit.choices()]


def verdicts_of(folder: Path) -> MatchVerdicts:
    with Store.open(folder, read_only=True) as store:
        return judge(store, config_of())


def searches_of(folder: Path) -> int:
    with Store.open(folder, read_only=True) as store:
        return sum(1 for _ in store.searches())


def audit(
    folder: Path,
    amount: Amount,
    on_step: Callable[[tuple[int, int]], object] = lambda _: None,
    **options: Any,
) -> AuditOutcome:
    """Audit without the diagnosis that follows. `on_step` is called after each game."""
    with Store.open(folder) as store:
        found = Audit(store, amount, **{"stop": Stop(), "workers": 1, **options})
        for step in found.steps():
            on_step(step)
        return found.outcome


def test_a_stored_run_without_an_audit_has_no_row_of_one(played: Path) -> None:
    assert content(played) == []
    assert verdicts_of(played).deviations == ()
    assert {row.phase for row in verdicts_of(played).playouts} <= {"empty board"}


def test_the_faulty_bot_is_found_and_the_right_bots_are_not(whole: Path) -> None:
    verdicts = verdicts_of(whole)
    rows = {(row.bot, row.phase): row for row in verdicts.playouts}
    assert {phase for _, phase in rows} - {"empty board"} == {"all", "opening", "middle", "end"}
    assert rows["faulty", "all"].verdict == "different"
    assert rows["faulty", "all"].low < -1.0 < rows["faulty", "all"].high  # one move is not counted
    assert not any(row.differs for row in verdicts.playouts if row.bot != "faulty")
    assert not verdicts.sound
    assert rows["faulty", "all"].score_verdict != "different"
    assert all(rows[bot, "all"].choices > 0 for bot in ("one", "two", "faulty"))
    for bot in ("one", "two", "faulty"):
        together = rows[bot, "all"]
        phases = [rows[bot, phase] for phase in ("opening", "middle", "end") if (bot, phase) in rows]
        assert together.searches == sum(row.searches for row in phases)
        assert together.playouts == PLAYOUTS_A_SEARCH * together.searches


def test_a_bot_that_can_only_pass_need_not_search(tmp_path: Path) -> None:
    """Two right bots; one of them reports nothing, as 0 nodes and a score of 0, where it passes."""
    engines = [{"name": name, "command": "true", "playouts": 100} for name in ("passes", "searches")]
    config = check_config({"run": {"size": 5, "komi": 6.0, "games": 2}, "engine": engines}, "test")

    def change(record: GameRecord, search: Search) -> Search:
        silent = search.vertex == "pass" and record.game.engine(search.colour) == "passes"
        return search._replace(nodes=0, score=0.0) if silent else search

    store_simulated(tmp_path / "run", config, {}, change)
    with Store.open(tmp_path / "run") as store:
        assert Audit(store, "all", stop=Stop()).run().complete
        passes = [search for search in store.searches() if search.vertex == "pass"]
        audited = {(search.game_id, search.move) for search in store.audit.searches()}
        assert {search.nodes == 0 for search in passes} == {True, False}
        for search in passes:
            assert ((search.game_id, search.move) in audited) == (search.nodes != 0)
        assert not any(row.differs for row in judge(store, config).playouts)


def test_every_search_has_a_reference_and_equal_positions_share_one(whole: Path) -> None:
    with Store.open(whole, read_only=True) as store:
        searches = list(store.audit.searches())
        assert len(searches) == store.audit.count() == searches_of(whole)
        first = [search for search in searches if search.move == 1]
        games = sum(1 for _ in store.games())
        shared = [sums for search, sums in store.audit.searches_in_order() if search.move == 1]
    assert len(first) == games
    assert len({search.key for search in first}) == 1
    assert {search.sums.playouts for search in first} == {1000}
    assert {sums.playouts for sums in shared if sums is not None} == {1000 * games}


def test_an_audit_that_was_stopped_continues_to_the_same_end(run: Path, tmp_path: Path) -> None:
    at_once = shutil.copytree(run, tmp_path / "at once")
    assert audit(at_once, 40).complete
    stop = Stop()
    first = audit(run, 40, stop=stop, on_step=lambda _: stop.ask())
    assert not first.complete
    assert 0 < first.audited < 40
    second = audit(run, 40, workers=2)
    assert second.complete
    assert second.total == 40
    assert content(run) == content(at_once)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::ResourceWarning")  # dask leaves sockets to the garbage collector
@pytest.mark.usefixtures("sockets_of_dask")
def test_a_cluster_computes_the_same(run: Path, tmp_path: Path) -> None:
    here = shutil.copytree(run, tmp_path / "here")
    audit(here, 40)
    assert audit_run(run, 40, write_run, stop=Stop(), workers=2, cluster="local").searches == 40
    assert content(run) == content(here)


def test_a_number_of_searches_is_audited_and_a_second_audit_adds_none(run: Path) -> None:
    audit(run, 30)
    before = content(run)
    with Store.open(run, read_only=True) as store:
        assert store.audit.count() == 30
        games = {search.game_id for search in store.audit.searches()}
        assert len(games) == sum(1 for _ in store.games())
    audit(run, 30)
    assert content(run) == before


def test_an_automatic_audit_of_a_short_match_does_not_begin(run: Path) -> None:
    audit_run(run, "auto", write_run, stop=Stop(), workers=1)
    assert content(run) == []


def test_the_match_itself_ends_with_its_audit(tmp_path: Path) -> None:
    pure = f"{shlex.quote(sys.executable)} {PURE} --size 5 --playouts 5 --seed"
    engines = [{"name": n, "command": f"{pure} {k}", "playouts": 5} for k, n in enumerate(("one", "two"))]
    table = {"size": 5, "komi": 6.0, "games": 2, "workers": 1, "timeout": 600, "audit": 12}
    config = check_config({"run": table, "engine": engines, "report": {"formats": ["csv"]}}, "test")
    outcome = play_run(config, tmp_path / "run")
    assert outcome.complete
    assert sum(row.searches for row in outcome.verdicts.playouts if row.phase == "all") == 12


def test_the_tables_have_their_columns(whole: Path) -> None:
    playouts, searches, audit = (
        pd.read_csv(whole / f"{name}.csv") for name in ("playouts", "searches", "audit")
    )
    assert tuple(playouts.columns) == VERDICTS[-1].header
    assert tuple(searches.columns) == SEARCHES.header
    assert tuple(audit.columns) == AUDIT.header
    before_audits = "bot searches playouts nodes_per_playout reference deviation low high verdict"
    assert list(playouts.columns[:9]) == before_audits.split()
    assert searches["reference_length"].notna().all()
    assert set(audit.groupby("bot").size()) == {10}
    faulty = audit[audit["bot"] == "faulty"]
    assert (faulty["standard_errors"].abs() >= audit["standard_errors"].abs().median()).mean() > 0.5
    for row in audit.itertuples():
        search = searches[(searches["game_id"] == row.game_id) & (searches["move"] == row.move)].iloc[0]
        column, share = ("nodes", PLAYOUTS_A_SEARCH) if row.statistic == "length" else ("score", 1)
        assert search[column] / share == pytest.approx(row.observed)
        assert search[f"reference_{row.statistic}"] == pytest.approx(row.expected)
        assert row.phase == phase_of(int(str(row.move)), 5)


def test_the_line_of_a_deviation_repeats_it(whole: Path) -> None:
    table = pd.read_csv(whole / "audit.csv")
    row: Any = table[(table["bot"] == "faulty") & (table["statistic"] == "length")].iloc[0]
    shown = subprocess.run(row["reproduce"], shell=True, capture_output=True, text=True, check=True)
    answers = [line[2:] for line in shown.stdout.splitlines() if line.startswith("= ")]
    *_, vertex, nodes, score, _ = answers if answers[-1] == "" else [*answers, ""]
    assert vertex
    assert 0.0 <= float(score) <= 1.0
    sure = 0.5 * PLAYOUTS_A_SEARCH  # half a move a playout: the fault does not count one
    assert int(nodes) < PLAYOUTS_A_SEARCH * row["expected"] + sure


def test_the_files_of_an_audited_run_are_written_again_by_report(whole: Path, tmp_path: Path) -> None:
    with Store.open(whole, read_only=True) as store:
        write_run(store, judge(store, config_of()), tmp_path / "again", ["csv"])
    for name in ("playouts.csv", "audit.csv", "searches.csv"):
        assert (tmp_path / "again" / name).read_text() == (whole / name).read_text()


def test_the_command_prints_the_verdicts_and_ends_with_1(whole: Path) -> None:
    code, text = conform_forked("audit", whole, "--positions", 100)  # at least as many are audited already
    assert code == 1, text
    assert "faulty differs from the reference in its lengths of playouts" in text.replace("\n", " ")
    assert "one differs" not in text


def test_the_command_says_what_it_cannot_do(played: Path, tmp_path: Path) -> None:
    for words, what in (
        ([tmp_path / "nothing"], "no run is stored there"),
        ([played, "--cluster", "nonsense"], "no dask scheduler answers"),
        ([played, "--positions", "some"], "expects a number above 0, all or auto, not 'some'"),
        ([played, "--device", "tpu"], "device 'tpu': expected one of cpu, gpu, auto"),
        ([played, "--device", "auto", "--cluster", "local"], "with --cluster, other machines play"),
    ):
        code, text = conform_forked("audit", *words)
        assert (code, what in text) == (2, True), text


def test_an_audit_on_a_gpu_that_is_missing_ends_with_one_line(run: Path) -> None:
    if not why_no_gpu():
        pytest.skip("there is a GPU")
    code, text = conform_forked("audit", run, "--device", "gpu")
    assert (code, why_no_gpu() in text, text.count("\n")) == (2, True, 1), text
    assert content(run) == []


@pytest.mark.slow
def test_an_audit_with_the_kernels_of_a_gpu_finds_the_faulty_bot_only(run: Path) -> None:
    """Their source is compiled for the CPU. Every search of a game has its playouts in one call."""
    lots: list[int] = []

    def play(
        positions: Sequence[Position], n: int, komi: float, *, seed: int, amaf: bool
    ) -> list[PlayoutStats]:
        lots.append(len(positions))
        return [gpu_on_cpu.run(each, n, komi, seed + k, amaf=amaf) for k, each in enumerate(positions)]

    assert audit(run, 45, play_game=play).complete
    rows = {row.bot: row for row in verdicts_of(run).playouts if row.phase == "all"}
    assert {bot for bot, row in rows.items() if row.differs} == {"faulty"}
    assert rows["faulty"].low < -1.0 < rows["faulty"].high
    with Store.open(run, read_only=True) as store:
        assert sum(lots) == 45 + CHOICES * sum(1 for _ in store.audit.choices())
    assert len(lots) < 45
