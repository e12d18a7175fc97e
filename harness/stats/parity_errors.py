"""Error rates of `judge_parity`, by simulated matches: `python -m harness.stats.parity_errors`.

Prints the tables of docs/statistics.md, "Parity". Each match is judged after every pair of games and ends
with its first verdict, like a match with `stop = "decided"`; in the table of `--gross`, with "different".
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass

import numpy as np

from harness.stats.evidence import crossing
from harness.stats.parity import (
    ALPHA,
    BETA,
    DIFFERENT,
    EQUAL,
    EQUAL_SHARES,
    MARGIN,
    MIXED,
    Stakes,
    different_log_e,
    equal_log_e,
    first_verdict,
)

MATCHES = 2_000
PAIRS = 4_000  # of games, after which a match ends undecided
SEED = 1
SHIFTS = (-2, -1, 0, 1, 2)  # of the score from ½, in margins
GROSS_SCORES = (0.6, 0.65, 0.7, 0.8, 0.9, 0.95, 1.0)  # mean scores per game in the table of `--gross`
GROSS_PAIRS = 2_000  # at most, in a match of that table
BLACK = 0.1  # Black's score above ½, in games between equal bots


@dataclass(frozen=True)
class ErrorRates:
    """Shares of the verdicts in simulated matches of a bot with a mean score of `score` per game.

    `games` is the median number of games until a verdict, over the matches with one; nan if there are none.
    """

    score: float
    matches: int
    equal: float
    different: float
    games: float

    @property
    def undecided(self) -> float:
        """The share of matches without a verdict."""
        return 1.0 - self.equal - self.different


def simulate(
    shift: float,
    *,
    margin: float = MARGIN,
    alpha: float = ALPHA,
    beta: float = BETA,
    matches: int = MATCHES,
    pairs: int = PAIRS,
    seed: int = SEED,
    stakes: Stakes = MIXED,
) -> ErrorRates:
    """Judge matches of a bot with a mean score of ½ + `shift` · `margin`, without draws, Black favoured.

    `stakes` are those of the bets on a difference. Equal seeds give the same matches, whatever the stakes.
    """
    score = 0.5 + shift * margin
    rng = np.random.default_rng([seed, round(1e6 * score)])
    as_black = rng.random((matches, pairs)) < score + BLACK
    as_white = rng.random((matches, pairs)) < score - BLACK
    means = (as_black.astype(np.float64) + as_white) / 2.0
    ended = [
        first_verdict(*equal_log_e(x, margin), different_log_e(x, margin, stakes), alpha, beta) for x in means
    ]
    verdicts = [verdict for verdict, _ in ended]
    games = [2 * after for _, after in ended if after is not None]
    return ErrorRates(
        score,
        matches,
        verdicts.count(EQUAL) / matches,
        verdicts.count(DIFFERENT) / matches,
        float(np.median(games)) if games else float("nan"),
    )


def table(margins: tuple[float, ...], **settings: int) -> str:
    """Markdown table: for each margin and score, the `ErrorRates` with EQUAL_SHARES and with MIXED stakes.

    `settings`: the arguments matches, pairs and seed of `simulate`.
    """
    lines = [
        "| δ | true p | equal shares: equal, different, undecided, games | with large stakes: the same |",
        "|---|---|---|---|",
    ]
    for margin in margins:
        for shift in SHIFTS:
            both = [
                simulate(shift, margin=margin, stakes=stakes, **settings) for stakes in (EQUAL_SHARES, MIXED)
            ]
            cells = " | ".join(map(_cell, both))
            lines.append(f"| {margin:g} | {both[0].score:.2f} | {cells} |")
    return "\n".join(lines)


def _cell(rates: ErrorRates) -> str:
    """A cell of the table: the shares of the verdicts, and the median number of games."""
    games = "-" if np.isnan(rates.games) else f"{rates.games:,.0f}"
    shares = (rates.equal, rates.different, rates.undecided)
    return ", ".join([*(f"{100 * share:.2f} %" for share in shares), games])


def games_to_difference(
    score: float, stakes: Stakes, *, margin: float = MARGIN, alpha: float = ALPHA, matches: int = MATCHES
) -> tuple[float, float]:
    """Return (mean, median) games until "different", for a bot with this mean score and no draws.

    A match that is still undecided after GROSS_PAIRS pairs counts with the games of these pairs.
    """
    rng = np.random.default_rng([SEED, round(1e6 * score)])
    black = min(BLACK, 1.0 - score)
    games = []
    for _ in range(matches):
        wins = rng.random((2, GROSS_PAIRS)) < np.array([[score + black], [score - black]])
        after = crossing(different_log_e(wins.mean(axis=0), margin, stakes), alpha)
        games.append(2 * (GROSS_PAIRS if after is None else after))
    return float(np.mean(games)), float(np.median(games))


def gross_table(margin: float, matches: int = MATCHES) -> str:
    """Markdown table: the games until "different" for each gross score, with EQUAL_SHARES and with MIXED."""
    lines = ["| true p | equal shares: mean, median | with large stakes: mean, median |", "|---|---|---|"]
    for score in GROSS_SCORES:
        cells = [
            games_to_difference(score, stakes, margin=margin, matches=matches)
            for stakes in (EQUAL_SHARES, MIXED)
        ]
        lines.append(f"| {score:.2f} | {' | '.join(f'{mean:.0f}, {middle:.0f}' for mean, middle in cells)} |")
    return "\n".join(lines)


def main() -> None:
    """Print the table of the error rates, or with `--gross` that of the gross differences.

    With `--gross`, `--pairs` and `--seed` have no effect.
    """
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--matches", type=int, default=MATCHES)
    parser.add_argument("--pairs", type=int, default=PAIRS, help="of games, at most, in a match")
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--gross", action="store_true", help="only the table of gross differences")
    options = parser.parse_args()
    if options.gross:
        print(gross_table(MARGIN, options.matches))  # noqa: T201
        return
    print(table((MARGIN, 0.05), matches=options.matches, pairs=options.pairs, seed=options.seed))  # noqa: T201


if __name__ == "__main__":
    main()
