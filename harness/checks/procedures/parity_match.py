"""A match of the bot against the reference bot with the same number of playouts, as long as time allows."""

from __future__ import annotations

import shlex
import sys
import tempfile
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from harness.checks.bot.session import Session
from harness.checks.model import Judgement, Outcome, Phase
from harness.gtp import Launch, Limits

if TYPE_CHECKING:
    from harness.match import GameRecord, MatchConfig, Parity, Progress, Stop

# harness.match is imported where it is needed: most checks play no match.

MARGIN = 0.05
"""A score within ½ ± this is parity. With a bot at ½ it takes about 900 games to show."""
GRACE = 30.0
"""Seconds after the end of the budget in which the games in flight may end."""
MOST_GAMES = 100_000
OPENING_MOVES = 4

BOT, REFERENCE = "bot", "reference"


@dataclass(frozen=True)
class ParityMatch:
    """A match against the reference bot with as many playouts, pairs of games with colours exchanged.

    reference   its command line; {playouts} and {size} are filled in
    """

    margin: float = MARGIN
    size: int = 9
    reference: str = shlex.join([sys.executable, "-m", "refbot.cli", "gtp"]) + " --playouts {playouts}"

    phase = Phase.MATCH
    search_plan = None

    def describe(self) -> list[str]:
        """The first line of the documentation."""
        return (type(self).__doc__ or "").splitlines()[:1]

    def observe(self, session: Session) -> ParityRecord:
        """Play until there is a verdict or the time is up."""
        from harness.match import Runner, Stop, judge, open_run

        assert session.playouts is not None, "a match is played only with a known number of playouts"
        launch, limits = session.bot.launch, session.bot.limits
        match = Match(launch, limits, session.playouts, session.deadline, session.alpha, session.seed)
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
        return ParityRecord(
            found.parity[0], found.games, failed, detail or "", found.failures[REFERENCE], session.alpha
        )

    def judge(self, observation: ParityRecord) -> Judgement:
        """Judge the score, unless a bot failed."""
        from harness.match import DIFFERENT, EQUAL, games_still_needed

        parity = observation.parity
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
        if sum(observation.reference_failures.values()):
            why = f"the reference bot failed: {observed}"
            return Judgement(Outcome.ERROR, expected, why, numbers=numbers)
        if observation.failed:
            of_games = f"{observation.failed} of {observation.games} games"
            why = f"it failed in {of_games}, once by {observation.detail}"
            return Judgement(Outcome.FAIL, "games played to their end", why, numbers=numbers)
        if parity.verdict == DIFFERENT:
            return Judgement(Outcome.FAIL, expected, observed, numbers=numbers, p_value=observation.alpha)
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
class ParityRecord:
    """What came out of a match: the bot's parity with the reference, and who failed."""

    parity: Parity
    games: int
    failed: int  # games that the bot did not play to their end
    detail: str  # of one of them
    reference_failures: Mapping[str, int]
    alpha: float  # level at which the verdict was reached


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
