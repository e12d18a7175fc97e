"""Matches between engines: pairings, one refereed game, the runner, the store, the judge."""

from harness.match.cluster import ClusterRunner, cluster_for
from harness.match.config import (
    PLAYOUTS_WORD,
    Amount,
    EngineTable,
    MatchConfig,
    ReportTable,
    RunTable,
    ScheduleTable,
)
from harness.match.config_reader import ConfigError, Mistake, check_config, load_config, parse_config
from harness.match.coordinator import Observer, Progress, Stop
from harness.match.cron import Cron, parse_cron
from harness.match.errors import DamagedStoreError, FileError, MatchError, PlayError, StoreError
from harness.match.examples import example_names, example_text
from harness.match.head_to_head import EngineFailures, HeadToHead, HeadToHeadPlan, play_head_to_head
from harness.match.judge import judge
from harness.match.live_judge import LiveJudge, NewGames
from harness.match.moment import RunMoment, RunState, TrailPoint, Trails
from harness.match.opening import OpeningError
from harness.match.pairings import Pairing, pairings
from harness.match.playable import check_playable
from harness.match.records import FAILURES, Ending, Game, GameRecord, GameSummary, Played, Search, Setup
from harness.match.runner import Runner, wanted_workers
from harness.match.snapshot import STONES, Snapshot
from harness.match.store import DATABASE, Store
from harness.match.store_rows import (
    FirstSearch,
    GameResult,
    StoredEngine,
    StoredEvent,
    StoredFailure,
    StoredGame,
    StoredSearch,
)
from harness.match.store_salvage import Salvage, salvage
from harness.match.verdicts import (
    DIFFERENT,
    EQUAL,
    UNDECIDED,
    Deviation,
    MatchVerdicts,
    PairParity,
    PlayoutStatistics,
    Standing,
    games_still_needed,
)
from harness.match.verification import VerifiedGame, verify_game, verify_games

__all__ = [
    "DATABASE",
    "DIFFERENT",
    "EQUAL",
    "FAILURES",
    "PLAYOUTS_WORD",
    "STONES",
    "UNDECIDED",
    "Amount",
    "ClusterRunner",
    "ConfigError",
    "Cron",
    "DamagedStoreError",
    "Deviation",
    "Ending",
    "EngineFailures",
    "EngineTable",
    "FileError",
    "FirstSearch",
    "Game",
    "GameRecord",
    "GameResult",
    "GameSummary",
    "HeadToHead",
    "HeadToHeadPlan",
    "LiveJudge",
    "MatchConfig",
    "MatchError",
    "MatchVerdicts",
    "Mistake",
    "NewGames",
    "Observer",
    "OpeningError",
    "PairParity",
    "Pairing",
    "PlayError",
    "Played",
    "PlayoutStatistics",
    "Progress",
    "ReportTable",
    "RunMoment",
    "RunState",
    "RunTable",
    "Runner",
    "Salvage",
    "ScheduleTable",
    "Search",
    "Setup",
    "Snapshot",
    "Standing",
    "Stop",
    "Store",
    "StoreError",
    "StoredEngine",
    "StoredEvent",
    "StoredFailure",
    "StoredGame",
    "StoredSearch",
    "TrailPoint",
    "Trails",
    "VerifiedGame",
    "check_config",
    "check_playable",
    "cluster_for",
    "example_names",
    "example_text",
    "games_still_needed",
    "judge",
    "load_config",
    "pairings",
    "parse_config",
    "parse_cron",
    "play_head_to_head",
    "salvage",
    "verify_game",
    "verify_games",
    "wanted_workers",
]
