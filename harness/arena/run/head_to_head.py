"""Plays a match of a bot against a reference until it is decided or its time is up. No file is kept.

A check of a bot's strength uses it; `conform match` does not.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from harness.arena.config.reader import check_config
from harness.arena.config.tables import MatchConfig
from harness.arena.errors import MatchError
from harness.arena.judge.judge import judge
from harness.arena.run.runner import Runner
from harness.arena.run.stop import Stop
from harness.arena.store.store import Store
from harness.arena.verdicts import PairParity, PlayoutStatistics, Suspect
from harness.files import timestamp
from harness.gtp import Launch, Limits

BOT, REFERENCE = "bot", "reference"
GRACE = 30.0
"""Seconds after the deadline in which the games in flight may end. Chosen: most games take less."""
MAX_GAMES = 100_000
"""Most games. Chosen: more than any deadline allows, so that the deadline or a verdict ends the match."""
OPENING_MOVES = 4
"""Random moves of each opening. Chosen: on 9x9, few games repeat, and few openings decide the game."""


@dataclass(frozen=True)
class HeadToHeadPlan:
    """Plan of a head-to-head match. Games come in pairs with colours exchanged, from random openings.

    reference   command line of the reference; {playouts} is replaced by `playouts`
    deadline    of the monotonic clock; at the deadline no further game starts
    margin      a score within 0.5 ± margin is equal
    alpha       probability of calling an equal bot different
    workers     games at once; None: one per core
    audit       called with the store after the last game to audit its searches; must limit its own time. Half
                of alpha is then for the playouts
    """

    bot: Launch
    limits: Limits
    reference: str
    playouts: int
    deadline: float
    margin: float
    alpha: float
    size: int = 9
    seed: int = 1
    workers: int | None = None
    audit: Callable[[Store], object] | None = None


@dataclass(frozen=True)
class EngineFailures:
    """The number of games in which an engine failed, and a sentence about the first failure."""

    games: int = 0
    detail: str = ""


@dataclass(frozen=True)
class HeadToHead:
    """The result of a match. In `parity`, `bot_a` is the bot and `bot_b` the reference.

    `problem` is empty, or says why the match ended before it was decided and before its deadline: for
    example, the operating system killed the workers. The other fields then hold what was played until then.
    """

    parity: PairParity | None  # None if the store could not be created
    alpha: float  # of the plan
    games: int = 0
    playouts: tuple[PlayoutStatistics, ...] = ()  # of the bot
    suspects: tuple[Suspect, ...] = ()  # faults that explain its playouts, if they differ
    bot_failures: EngineFailures = EngineFailures()
    reference_failures: EngineFailures = EngineFailures()
    problem: str = ""


def play_head_to_head(plan: HeadToHeadPlan) -> HeadToHead:
    """Play the match and judge it.

    An engine that cannot be started, at the start or in the middle of the match, has failed that game; after
    several such games in a row the match ends. A MatchError or an OSError is not raised but returned as
    `problem`.
    """
    try:
        with tempfile.TemporaryDirectory(prefix="conform-match-") as folder:
            return _play(plan, Path(folder))
    except (MatchError, OSError) as error:
        return HeadToHead(None, plan.alpha, problem=str(error))


def _play(plan: HeadToHeadPlan, folder: Path) -> HeadToHead:
    config = _config(plan)
    stop = Stop()
    problem = ""
    with Store.create(folder) as store:
        store.set_config(config, timestamp())
        try:
            with closing(Runner(config, store, stop).play()) as events:
                for _ in events:  # at least two events come in every second
                    late = time.monotonic() - plan.deadline
                    if late >= 0 and stop.asked < 1:
                        stop.ask()
                    if late >= GRACE and stop.asked < 2:
                        stop.ask()  # drops the games in flight
        except (MatchError, OSError) as error:
            problem = str(error)
        if plan.audit is not None:
            plan.audit(store)
        verdicts = judge(store, config)
        failures = {name: _failures(store, name) for name in (BOT, REFERENCE)}
    return HeadToHead(
        parity=verdicts.parity[0],
        alpha=plan.alpha,
        games=verdicts.games,
        playouts=tuple(row for row in verdicts.playouts if row.bot == BOT),
        suspects=tuple(suspect for suspect in verdicts.suspects if suspect.bot == BOT),
        bot_failures=failures[BOT],
        reference_failures=failures[REFERENCE],
        problem=problem,
    )


def _failures(store: Store, name: str) -> EngineFailures:
    details = [
        f"{failure.reason}: {failure.detail}" for failure in store.failures() if failure.offender == name
    ]
    return EngineFailures(len(details), details[0] if details else "")


def _config(plan: HeadToHeadPlan) -> MatchConfig:
    """The match config of a plan."""
    audited = plan.audit is not None
    run = {
        "size": plan.size,
        "games": MAX_GAMES,
        "openings": {"kind": "random", "moves": OPENING_MOVES},
        "seed": plan.seed,
        "format": "pair",
        "workers": plan.workers,
        "timeout": plan.limits.answer,
        "ask_ref": audited,
        "stop": "decided",
        "margin": plan.margin,
        "alpha": plan.alpha / 2.0 if audited else plan.alpha,
    }
    bot = {
        "name": BOT,
        "playouts": plan.playouts,
        "command": plan.bot.command,
        "env": dict(plan.bot.env),
        "cwd": str(plan.bot.cwd) if plan.bot.cwd else None,
        "inherit_env": plan.bot.inherit_env,
        "memory_mb": plan.bot.memory_mb,
        "sandbox": plan.bot.sandbox,
        "startup": plan.limits.startup,
    }
    reference = {"name": REFERENCE, "command": plan.reference, "playouts": plan.playouts}
    return check_config({"run": run, "engine": [bot, reference]}, "the match against the reference")
