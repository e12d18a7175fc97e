"""The match config: the tables and keys of the TOML file, with their defaults. `reader` reads it."""

from __future__ import annotations

import os
import re
import shlex
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal
from urllib.parse import quote, urlsplit

from pydantic import (
    AfterValidator,
    Field,
    PlainValidator,
)

from harness.arena.config.base import ConfigTable, Seconds
from harness.arena.config.clock import ByoyomiKey, Increment, MainTime
from harness.arena.config.engine_keys import Commands, GameCommands, Genmove, Inherited, Words
from harness.arena.config.judging import STOP, Level, Margin, ParityQuestion, Question, Stop
from harness.arena.config.opening_tables import NoOpenings, Openings
from harness.arena.config.pair_tables import MOST_GAMES, Komi, PairingKeys, PairTable, Size
from harness.arena.config.record_tables import RecordKeys
from harness.arena.config.scoring import Forfeits, GameRules, Referee, RulesTable, Scorer
from harness.gtp import MAX_PLAYOUTS, Launch
from harness.gtp.launch import MAX_LIMIT

MAX_NAME = 60
"""Most characters of the name of a run or of an engine. Chosen: it fits into tables."""
MAX_SEED = 2**63 - 1
PUNCTUATION = "!#$%&'()*+,-./:;=?@[]_~"
"""Characters of an address that the advice to encode it leaves as they are."""
LOOPBACK = re.compile(r"127(\.\d{1,3}){3}", re.ASCII)
_ADDRESS = re.compile(r"\s*[a-z][a-z0-9+.-]*://", re.ASCII | re.I)
MOST_ENGINES, MOST_PAIRS = 1_000, 500_000
"""Most engines of a match, and most tables [[pair]]. Chosen: the list of all pairs needs some 100 MB."""
PLAYOUTS_WORD = "{playouts}"
"""Stands for the number of playouts in an engine's command."""


# Functions that check a value: each returns it, or raises ValueError.


def _check_printable(name: str) -> str:
    if not name.isprintable() or name != name.strip():
        raise ValueError("must be printable, without spaces at either end")
    return name


def _check_folder_name(name: str) -> str:
    if not name or name.startswith(".") or any(char in name for char in "/\\\0") or not name.isprintable():
        raise ValueError(
            "must be usable as the name of a folder: printable, not empty, without / and \\, no . in front"
        )
    return name


MOST_AUDITED = 1_000_000_000
"""Largest number of searches in `audit`. Chosen: no run has more."""


def _check_amount(given: Any) -> Any:
    number = isinstance(given, int) and not isinstance(given, bool) and 1 <= given <= MOST_AUDITED
    if not number and given not in ("auto", "all", "off"):
        raise ValueError('must be "auto", "all", "off" or a number of searches from 1 to 1,000,000,000')
    return given


Amount = Annotated[Literal["auto", "all", "off"] | int, PlainValidator(_check_amount)]
"""The number of searches that are audited; "auto": as many as fit into a tenth of the time of the games."""


class RunTable(RecordKeys, PairingKeys):
    """`[run]`: the games, and how they are judged. Times in seconds, or as durations such as "2m"."""

    name: Annotated[str, AfterValidator(_check_folder_name)] = Field(
        default="match", max_length=MAX_NAME, description="Name of the run, and of its folder."
    )
    size: Size = Field(default=9, description="Board size.")
    komi: Komi = Field(default=7.5, description="Komi.")
    games: int = Field(
        default=100,
        ge=0,
        le=MOST_GAMES,
        description="Number of games of each pair; even, as each opening is played with both colours. "
        "0: no end, the run plays until it is stopped.",
    )
    rules: GameRules = RulesTable()
    scorer: Scorer = None
    referee: Referee = None
    forfeits: Forfeits = "void"
    openings: Openings = Field(default=NoOpenings(), description="How a game begins: see below.")
    seed: int = Field(default=1, ge=-MAX_SEED, le=MAX_SEED, description="Seed of the openings.")
    format: Literal["round-robin", "gauntlet", "pair"] = Field(
        default="round-robin",
        description="Who plays whom: everybody each other, the first engine all others, or two engines.",
    )

    # Not strict: TOML has lists, and no tuples.
    skip: tuple[Annotated[tuple[str, str], Field(strict=False)], ...] = Field(
        default=(), description='Pairs of engines that play no games, or no further ones: `[["a", "b"]]`.'
    )
    workers: int | None = Field(
        default=None, ge=1, le=1024, description="Number of games at once; default: one per core."
    )
    affinity: Literal["auto", True, False] = Field(
        default="auto", description="Whether each worker, with its engines, is pinned to one core."
    )
    timeout: Seconds = Field(
        default=60.0, description="Time limit of an answer; with a clock, after the clock has run out."
    )
    main_time: MainTime = None
    increment: Increment = None
    byoyomi: ByoyomiKey = None
    restart: Literal["game", "on-error", "never"] = Field(
        default="on-error", description="When an engine is started again."
    )
    bench_after: int = Field(
        default=5,
        ge=1,
        le=1_000_000,
        description="An engine that fails this many games in a row is left out until the next start.",
    )
    ask_ref: bool = Field(
        default=True,
        description="Whether `ref-nodes` and `ref-score` are asked for after each `genmove`.",
    )

    audit: Amount = Field(
        default="auto",
        description="How many searches are compared with `refbot`'s playouts after the games: "
        '`"auto"` (as many as fit into a tenth of the time of the games), `"all"`, `"off"` or a number.',
    )

    margin: Margin = Field(default=0.03, description="A score within ½ ± `margin` counts as equal.")
    alpha: Level = Field(default=0.001, description="Probability that any equal pair is called different.")
    beta: Level = Field(default=0.05, description="Probability that an unequal pair is called equal.")
    stop: Stop = Field(default="never", description=STOP)

    @property
    def move_cap(self) -> int:
        """A game ends after this number of moves, passes and opening included."""
        return 3 * self.size * self.size


class EngineTable(ConfigTable):
    """One `[[engine]]`."""

    name: Annotated[str, AfterValidator(_check_printable)] = Field(
        min_length=1, max_length=MAX_NAME, description="Name in every table and file."
    )
    command: str = Field(
        min_length=1,
        description="Command line; no shell reads it. `{playouts}` stands for the number of playouts.",
    )
    args: Words = ()
    dropped: bool = Field(
        default=False, description="Whether it plays no further games. Its stored games still count."
    )
    playouts: int | None = Field(
        default=None, ge=1, le=MAX_PLAYOUTS, description="Number of playouts per search."
    )
    env: dict[str, str] = Field(
        default={}, description="Environment: the engine gets `PATH`, `HOME`, `LANG` and these."
    )
    cwd: str | None = Field(
        default=None,
        description="Working directory, here or else beside the config file; default: that of `conform`.",
    )
    inherit_env: Inherited = False
    startup: Seconds = Field(default=30.0, description="Time limit of the first answer.")
    timeout: Seconds | None = Field(default=None, description="In place of `timeout` of `[run]`.")
    main_time: MainTime = None
    increment: Increment = None
    byoyomi: ByoyomiKey = None
    quit: Seconds = Field(default=2.0, description="Time in which it ends after `quit`.")
    gtp: Commands = ()
    gtp_game: GameCommands = ()
    genmove: Genmove = "genmove"
    memory_mb: int | None = Field(
        default=None, ge=1, le=MAX_LIMIT, description="Memory limit of each of its processes."
    )
    sandbox: bool = Field(
        default=False, description="Whether it runs without a network, with read-only files but for `cwd`."
    )

    @property
    def takes_playouts(self) -> bool:
        """True if the command line has a place for the number of playouts."""
        return any(PLAYOUTS_WORD in text for text in (self.command, *self.args))

    @property
    def playouts_command(self) -> str | None:
        """The command that sets the number of playouts; None if the command line or nothing sets it."""
        by_command = self.playouts is not None and not self.takes_playouts
        return f"ref-playouts {self.playouts}" if by_command else None

    def launch(self) -> Launch:
        """The start of the engine, with `{playouts}` replaced."""
        command, *args = (
            text.replace(PLAYOUTS_WORD, str(self.playouts)) for text in (self.command, *self.args)
        )
        line = " ".join([command, *map(shlex.quote, args)])
        cwd = Path(os.path.expanduser(self.cwd)) if self.cwd is not None else None
        return Launch(
            line,
            cwd=cwd,
            env=self.env,
            inherit_env=self.inherit_env,
            memory_mb=self.memory_mb,
            sandbox=self.sandbox,
        )


def _check_webhook(text: str) -> str:
    """Check the address of a webhook on this machine."""
    if not text.isascii() or not text.isprintable() or " " in text:
        encoded = quote(text, safe=PUNCTUATION)
        raise ValueError(f"must be written in ASCII, without spaces: {encoded}")
    try:
        address = urlsplit(text)
        host, port = address.hostname or "", address.port
    except ValueError:
        raise ValueError("is not an address such as http://127.0.0.1:8000/hook") from None
    if address.scheme != "http" or not (host in ("localhost", "::1") or LOOPBACK.fullmatch(host)):
        raise ValueError(
            "must be http to this machine, such as http://127.0.0.1:8000/hook; a command, such as a script "
            "with curl, reaches other machines"
        )
    if port == 0:
        raise ValueError("has port 0, on which nothing listens; give the port of the webhook")
    return text


def is_webhook(hook: str) -> bool:
    """Return True if a hook is an address. A command may have one among its arguments."""
    return _ADDRESS.match(hook) is not None


def _check_hook(text: str) -> str:
    """Check a command line, or the address of a webhook on this machine."""
    if "\0" in text:
        raise ValueError("must not contain a NUL character: no program and no webhook can be given one")
    if is_webhook(text):
        return _check_webhook(text)
    try:
        words = shlex.split(text)
    except ValueError as error:
        raise ValueError(f"is not a command line: {str(error).lower()}") from None
    if not words:
        raise ValueError("must be a command line, or a webhook such as http://127.0.0.1:8000/hook")
    return text


Hook = Annotated[str, AfterValidator(_check_hook)]


class ScheduleTable(ConfigTable):
    """`[schedule]`: when `conform schedule` starts a run, and what it starts when something has happened."""

    cron: str = Field(
        description="Minute, hour, day of the month, month and day of the week; or `@daily` and the like."
    )
    timezone: str = Field(default="UTC", description="Time zone, such as `Europe/Berlin`.")
    misfire: Literal["run", "skip"] = Field(
        default="run", description="What follows missed times: one run that makes up for them, or none."
    )
    on_change: Hook | None = Field(default=None, description="Hook: a bot has changed.")
    on_failure: Hook | None = Field(
        default=None, description="Hook: a run could not be played, or a bot has failed."
    )
    on_missed: Hook | None = Field(default=None, description="Hook: times have passed without a run.")


REPORT_FORMATS = tuple(
    sorted(
        path.stem.removeprefix("format_").replace("_", "-")
        for path in (Path(__file__).parents[2] / "report" / "files").glob("format_*.py")
    )
)
"""The formats of the files of a run: each is a module of `harness.report.files`, which is not imported."""
if TYPE_CHECKING:
    ReportFormat = str  # mypy knows no Literal of computed values
else:
    ReportFormat = Literal[REPORT_FORMATS]


class ReportTable(ConfigTable):
    """`[report]`: the formats of the files, and how many scheduled runs are kept (default: all)."""

    formats: tuple[ReportFormat, ...] = Field(
        default=("csv", "sgf", "html"),
        max_length=len(REPORT_FORMATS),
        description="The formats that are written after a run.",
    )
    sgf: Literal["files", "collection"] = Field(
        default="files",
        description='How the format `sgf` writes game records: a file for each, or one `"collection"`.',
    )
    keep: int | None = Field(
        default=None,
        ge=1,
        le=1_000_000,
        description="Number of finished scheduled runs that are kept; default: all.",
    )


def pair_of(game_id: str) -> int:
    """The number of a game's pair, from the id of the game: "p012-g00003" is a game of pair 12."""
    return int(game_id[1:].partition("-")[0])


class MatchConfig(ConfigTable):
    """A whole config."""

    run: RunTable = RunTable()
    judge: Question = ParityQuestion()
    engine: tuple[EngineTable, ...] = Field(min_length=2, max_length=MOST_ENGINES)
    pair: tuple[PairTable, ...] = Field(default=(), max_length=MOST_PAIRS)
    schedule: ScheduleTable | None = None
    report: ReportTable = ReportTable()

    @property
    def stop(self) -> Stop:
        """When a pair ends before its last game: "never", or "decided" once it has a verdict."""
        return self.judge.stop or self.run.stop

    @property
    def engines(self) -> dict[str, EngineTable]:
        """The engines by name, in order, the referee included."""
        return {engine.name: engine for engine in self.engine}

    @property
    def players(self) -> tuple[EngineTable, ...]:
        """The engines that play, in order: neither the referee nor a dropped one."""
        return tuple(
            engine for engine in self.engine if engine.name != self.run.referee and not engine.dropped
        )

    @property
    def runs(self) -> tuple[RunTable, ...]:
        """The tables of all pairs (see `run_of`); one table without `[[pair]]`."""
        return self._runs_of_pairs or (self.run,)

    def run_of(self, pair: int) -> RunTable:
        """The table `[run]` for the games of this pair, numbered from 1: with the keys of its `[[pair]]`.

        A number without a table `[[pair]]` has the table `[run]` itself.
        """
        return self._runs_of_pairs[pair - 1] if 0 < pair <= len(self.pair) else self.run

    def size_of(self, game_id: str) -> int:
        """The board size of a game, from its id."""
        return self.run_of(pair_of(game_id)).size if self.pair else self.run.size

    @cached_property
    def _runs_of_pairs(self) -> tuple[RunTable, ...]:
        return tuple(self.run.model_copy(update=table.replacements()) for table in self.pair)
