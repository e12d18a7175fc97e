"""`ref.parity`: a match of the bot against the reference bot at as many playouts, as long as time allows.

Everything else looks at single searches; this is the proof that takes games. It is played last, by the
match machinery, and only where the budget leaves room for it.
"""

from __future__ import annotations

import shlex
import sys
import tempfile
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from harness.checks.model import Check, Judgement, Level, Outcome
from harness.gtp import Launch, Limits

if TYPE_CHECKING:
    from harness.match import GameRecord, MatchConfig, Parity, Progress, Stop

# harness.match is imported where it is needed: most checks play no match.

MARGIN = 0.05
"""A score within ½ ± this is parity. With a bot at ½ it takes about 900 games to show."""
LEAST_SECONDS = 300.0
"""A budget below this has no room for a match."""
SHARE = 0.4
"""Of the budget, kept for the match when there is one to be played."""
GRACE = 30.0
"""Seconds after the end of the budget in which the games in flight may end."""
MOST_GAMES = 100_000
OPENING_MOVES = 4

BOT, REFERENCE = "bot", "reference"


@dataclass(frozen=True)
class Contest:
    """A match against the reference bot with as many playouts, pairs of games with colours exchanged.

    reference   its command line; {playouts} and {size} are filled in
    """

    margin: float = MARGIN
    size: int = 9
    reference: str = shlex.join([sys.executable, "-m", "refbot.cli", "gtp"]) + " --playouts {playouts}"

    @property
    def needs_size(self) -> int:
        """The board that is played on."""
        return self.size

    def observe(self, match: Match) -> Contested:
        """Play until there is a verdict or the time is up. Raises MatchProblem where the bot is gone."""
        from harness.match import Runner, Stop, judge, open_run

        config = self._config(match)
        stop = Stop()
        with (
            tempfile.TemporaryDirectory(prefix="conform-parity-") as folder,
            open_run(config, Path(folder)) as store,
        ):
            Runner(config, store, _Clock(match.deadline, stop), stop).run()
            found = judge(store, config)
            ((failed, detail),) = store.rows(
                "SELECT count(*), max(reason || ': ' || detail) FROM game WHERE "
                "CASE offender WHEN 'b' THEN black WHEN 'w' THEN white END = ?",
                (BOT,),
            )
        return Contested(found.parity[0], found.games, failed, detail or "", found.failures[REFERENCE])

    def judge(self, contested: Contested, alpha: float) -> Judgement:
        """Judge what `observe` returned; `alpha` is the level at which its verdict was reached."""
        from harness.match import DIFFERENT, EQUAL, games_still_needed

        parity = contested.parity
        expected = f"a score within {50 - 100 * self.margin:g} … {50 + 100 * self.margin:g} %"
        observed = (
            f"{100 * parity.score_a:.1f} % of {parity.games} games, "
            f"{100 * parity.low:.1f} … {100 * parity.high:.1f} % with 95 % confidence"
        )
        numbers = {
            "games": float(parity.games),
            "score": parity.score_a,
            "low": parity.low,
            "high": parity.high,
            "games_needed": parity.games_needed,
        }
        if sum(contested.reference_failures.values()):
            why = f"the reference bot failed: {observed}"
            return Judgement(Outcome.ERROR, expected, why, numbers=numbers)
        if contested.failed:
            why = f"it failed in {contested.failed} of {contested.games} games, once by {contested.detail}"
            return Judgement(Outcome.FAIL, "games played to their end", why, numbers=numbers)
        if parity.verdict == DIFFERENT:
            return Judgement(Outcome.FAIL, expected, observed, numbers=numbers, p_value=alpha)
        if parity.verdict == EQUAL:
            return Judgement(Outcome.PASS, expected, observed, numbers=numbers, p_value=1.0)
        hint = f"{games_still_needed(parity.games_needed)} would decide: a larger --budget, or conform match"
        return Judgement(Outcome.INCONCLUSIVE, expected, observed, hint, numbers, p_value=1.0)

    def _config(self, match: Match) -> MatchConfig:
        from harness.match import check_config

        bot = match.launch
        return check_config(
            {
                "run": {
                    "size": self.size,
                    "games": MOST_GAMES,
                    "openings": {"kind": "random", "moves": OPENING_MOVES},
                    "seed": match.seed,
                    "format": "pair",
                    "workers": match.workers,
                    "timeout": match.limits.answer,
                    "ask_ref": False,  # that is what the other checks are for
                    "stop": "decided",
                    "margin": self.margin,
                    "alpha": match.alpha,
                },
                "engine": [
                    {
                        "name": BOT,
                        "command": bot.command,
                        "env": dict(bot.env),
                        "cwd": str(bot.cwd) if bot.cwd else None,
                        "memory_mb": bot.memory_mb,
                        "startup": match.limits.startup,
                    },
                    {"name": REFERENCE, "command": self.reference, "playouts": match.playouts},
                ],
            },
            "ref.parity",
        )


@dataclass(frozen=True)
class Match:
    """What a contest needs to know. `deadline` by the monotonic clock; `alpha` for calling it different."""

    launch: Launch
    limits: Limits
    playouts: int
    deadline: float
    alpha: float
    seed: int = 1
    workers: int | None = None  # one a core


@dataclass(frozen=True)
class Contested:
    """What came out of a match: the bot's parity with the reference, and who failed."""

    parity: Parity
    games: int
    failed: int  # games that the bot did not play to their end
    detail: str  # of one of them
    reference_failures: Mapping[str, int]


class _Clock:
    """Ends a match when the time is up: first with the games in flight, then at once."""

    def __init__(self, deadline: float, stop: Stop) -> None:
        self._deadline = deadline
        self._stop = stop

    def stored(self, record: GameRecord) -> None:
        """A game has been stored."""

    def told(self, sentence: str) -> None:
        """What is told here is in the record too."""

    def tick(self, progress: Progress) -> None:
        """Look at the clock."""
        late = time.monotonic() - self._deadline
        while self._stop.asked < (late >= 0) + (late >= GRACE):
            self._stop.ask()


CHECKS = (
    Check(
        id="ref.parity",
        clause="parity",
        level=Level.MUST,
        title="In a match at as many playouts, the bot scores as the reference bot does.",
        procedure=Contest(),
        hint="it is weaker or stronger than the reference with as many playouts: see the other ref.*",
        kills=("best-lowest", "amaf-opponent"),
        may_stay_open=True,
    ),
)
