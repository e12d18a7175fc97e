"""How often an audit refuses a right bot, and after how many games it calls one equal: `make audit-right`.

Real matches of refbot, refbot under another name and the plain bot of tests/engines, and simulated ones of
two right bots (`simulated_match`), of two games a pair on small boards, half of them with 100 and half with
1,000 playouts a search. A match whose audit calls any bot different in anything is a refusal; the level of
each match is its `alpha`. Then longer simulated matches: after each game, is every bot shown to be equal?
"""

from __future__ import annotations

import argparse
import random
import shlex
import tempfile
from collections import defaultdict
from pathlib import Path
from statistics import median
from typing import Any

from harness.arena.config.reader import check_config
from harness.arena.config.tables import MatchConfig
from harness.arena.judge.empty_board import PLAYOUT_MARGIN
from harness.arena.judge.playouts import (
    LENGTH_FLOOR,
    SCORE_FLOOR,
    SCORE_MARGIN,
    SCORE_TOLERANCE,
    estimates,
    phase_of,
)
from harness.arena.store.store import Store
from harness.arena.verdicts import MatchVerdicts
from harness.stats import PooledMean
from tests.harness.arena.audit.simulated_match import simulated
from tests.harness.arena.match_helpers import play_run
from tests.interpreter import PYTHON

PLAYOUTS = (100, 1000)
PLAIN_BOT = Path(__file__).parents[3] / "engines" / "plain_bot.py"
REFBOT = f"{PYTHON} -m refbot.cli gtp --playouts {{playouts}}"
COMMANDS = {
    "refbot": REFBOT,
    "refbot-again": REFBOT,
    "plain": f"{PYTHON} {shlex.quote(str(PLAIN_BOT))} --playouts {{playouts}}",
}
BETA = 0.05


def config_of(size: int, games: int, playouts: int, seed: int, bots: list[str]) -> MatchConfig:
    """A match between these bots that is audited as a whole."""
    run = {
        "size": size,
        "komi": 6.0 + seed % 2 / 2,  # with and without draws
        "games": games,
        "openings": {"kind": "random", "moves": 2},
        "seed": seed,
        "workers": 1,
        "audit": "all",
        "timeout": 600.0,
    }
    engines = [
        {"name": bot, "command": f"{COMMANDS[bot]} --seed {seed + number}", "playouts": playouts}
        | {"startup": 600.0}
        for number, bot in enumerate(bots)
    ]
    return check_config({"run": run, "engine": engines, "report": {"formats": []}}, "audit-right")


def real_match(config: MatchConfig, folder: Path) -> MatchVerdicts:
    """The verdicts on a match of processes."""
    return play_run(config, folder, workers=True).verdicts


def refused(verdicts: MatchVerdicts) -> list[str]:
    """What the audit calls different: bot, phase and statistic."""
    return [
        f"{row.bot}, {row.phase}: {statistic}"
        for row in verdicts.playouts
        for statistic, verdict in row.verdicts.items()
        if verdict == "different"
    ]


def games_until_equal(folder: Path, config: MatchConfig, bot: str) -> dict[str, int | None]:
    """By phase: the games of a stored match after which lengths and scores of a bot are equal; None: never.

    Equal positions do not share their references here, which makes hardly any difference.
    """
    playouts = config.engines[bot].playouts
    assert playouts is not None
    phases = ("all", "opening", "middle", "end")
    lengths = {phase: PooledMean(floor=LENGTH_FLOOR) for phase in phases}
    scores = {phase: PooledMean(floor=SCORE_FLOOR, tolerance=SCORE_TOLERANCE) for phase in phases}
    found: dict[str, int | None] = dict.fromkeys(phases)
    with Store.open(folder, read_only=True) as store:
        order = {game.game_id: number for number, game in enumerate(store.games(), 1)}
        searches = defaultdict(list)
        for search in store.audit.searches():
            if search.bot == bot:
                searches[order[search.game_id]].append(search)
    for number in sorted(searches):
        for search in searches[number]:
            length, result = estimates(search.sums)
            assert search.nodes is not None
            assert search.score is not None
            for phase in ("all", phase_of(search.move, config.run.size)):
                lengths[phase].add([(search.nodes / playouts, playouts)], length)
                scores[phase].add([(search.score, playouts)], result)
        for phase in phases:
            both = (
                lengths[phase].evidence(margin_share=PLAYOUT_MARGIN),
                scores[phase].evidence(margin=SCORE_MARGIN),
            )
            if found[phase] is None and all(one is not None and one.equivalence_p <= BETA for one in both):
                found[phase] = number
    return found


def count_refusals(real: int, simulations: int, seed: int) -> None:
    """Play and audit the matches; print every refusal and the sums."""
    wrong = 0
    for number in range(real + simulations):
        playouts = PLAYOUTS[number % 2]
        bots = list(COMMANDS) if number < real else ["refbot", "refbot-again"]
        size = random.Random(f"{seed}/{number}").choice((5, 6, 7))
        config = config_of(size, 2, playouts, seed + 10 * number, bots)
        with tempfile.TemporaryDirectory() as folder:
            if number < real:
                verdicts = real_match(config, Path(folder))
            else:
                verdicts = simulated(config, Path(folder), {}, seed + number)
        different = refused(verdicts)
        wrong += bool(different)
        searches = sum(row.searches for row in verdicts.playouts if row.phase == "all")
        how = "real" if number < real else "simulated"
        if different or number % 10 == 9:
            _say(f"{number + 1}: {how}, {size}x{size}, {playouts} playouts, {searches} searches: {different}")
    _say(f"{real} real and {simulations} simulated matches, {wrong} with a right bot refused")


def count_games(size: int, matches: int, seed: int, games: dict[int, int]) -> None:
    """Print the games until right bots are equal, by playouts and phase; `games` of a match by playouts."""
    for playouts, most in games.items():
        rows: list[dict[str, int | None]] = []
        for number in range(matches):
            config = config_of(size, most, playouts, seed + number, ["refbot", "refbot-again"])
            with tempfile.TemporaryDirectory() as folder:
                simulated(config, Path(folder), {}, seed + number)
                rows += [games_until_equal(Path(folder), config, bot) for bot in config.engines]
        for phase in rows[0]:
            column: list[Any] = [row[phase] for row in rows]
            known = [value for value in column if value is not None]
            middle = f"{median(value or most + 1 for value in column):g}" if known else f"over {most}"
            _say(
                f"{size}x{size}, {playouts} playouts, {phase}: equal after {middle} games (median), "
                f"{len(known)} of {len(column)} bots within {most} games, at most {max(known, default=0)}"
            )


def _say(text: str) -> None:
    print(text, flush=True)  # noqa: T201


def main() -> None:
    """Print the refusals, then the games until "equal"."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--real", type=int, default=40, help="matches of processes")
    parser.add_argument("--simulated", type=int, default=160, help="matches in this process")
    parser.add_argument("--long", type=int, default=5, help="matches on 9x9 that count games until equal")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    count_refusals(options.real, options.simulated, options.seed)
    if options.long:
        count_games(9, options.long, options.seed, {100: 40, 1000: 8})


if __name__ == "__main__":
    main()
