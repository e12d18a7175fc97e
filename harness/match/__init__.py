"""Matches between engines: schedule, one refereed game, the runner, the store, the judges. Floor 2."""

from harness.match.cluster import ClusterRunner, cluster_for
from harness.match.config import (
    PLAYOUTS_WORD,
    EngineTable,
    MatchConfig,
    ReportTable,
    RunTable,
    ScheduleTable,
)
from harness.match.coordinator import Observer, Progress, Stop
from harness.match.cron import Cron, parse_cron
from harness.match.examples import example_names, example_text
from harness.match.judge import (
    DIFFERENT,
    EQUAL,
    UNDECIDED,
    Judgement,
    Parity,
    PlayoutStatistics,
    Standing,
    games_still_needed,
    judge,
)
from harness.match.mistakes import ConfigError, Mistake, check_config, load_config, parse_config
from harness.match.records import FAILURES, Ending, Game, GameRecord, Played, Search
from harness.match.runner import Runner, wanted_workers
from harness.match.schedule import Pairing, pairings, schedule
from harness.match.setup import (
    FolderInUse,
    MatchProblem,
    check_playable,
    locked,
    now,
    open_run,
    unfinished_run,
)
from harness.match.store import DATABASE, FileError, Store, StoreError

__all__ = [
    "DATABASE",
    "DIFFERENT",
    "EQUAL",
    "FAILURES",
    "PLAYOUTS_WORD",
    "UNDECIDED",
    "ClusterRunner",
    "ConfigError",
    "Cron",
    "Ending",
    "EngineTable",
    "FileError",
    "FolderInUse",
    "Game",
    "GameRecord",
    "Judgement",
    "MatchConfig",
    "MatchProblem",
    "Mistake",
    "Observer",
    "Pairing",
    "Parity",
    "Played",
    "PlayoutStatistics",
    "Progress",
    "ReportTable",
    "RunTable",
    "Runner",
    "ScheduleTable",
    "Search",
    "Standing",
    "Stop",
    "Store",
    "StoreError",
    "check_config",
    "check_playable",
    "cluster_for",
    "example_names",
    "example_text",
    "games_still_needed",
    "judge",
    "load_config",
    "locked",
    "now",
    "open_run",
    "pairings",
    "parse_config",
    "parse_cron",
    "schedule",
    "unfinished_run",
    "wanted_workers",
]
