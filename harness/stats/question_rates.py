"""Error rates and games of `judge_sprt` and `judge_stronger`, by simulated matches.

`python -m harness.stats.question_rates` prints the tables of docs/statistics.md, "SPRT" and "Stronger". Each
match is judged after every pair of games and ends with its first verdict, as a match with `stop = "decided"`.
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from harness.stats.elo import SCORES, elo_difference, score_of_elo
from harness.stats.evidence import Floats
from harness.stats.parity import bets_on_more
from harness.stats.special import root
from harness.stats.sprt import Expectation, Hypotheses, expect, llr

MATCHES = 2_000
SEED = 1
MOST_PAIRS = 20_000
"""Pairs after which a simulated SPRT is given up; chosen: no match of the tables gets that far."""
STRONGER_PAIRS = 5_000
"""Pairs after which a simulated match of "stronger" ends undecided."""
ALPHA = 0.05
"""Probability of a wrong verdict, of "stronger" or "weaker", about equal bots."""
WIDEST = 4_000.0
"""`pair_shares` searches strengths within ± WIDEST Elo. Chosen: far beyond those of the tables."""
PUBLISHED = (
    ((365, 16618, 36229, 16974, 390), "normalized", 0.0, 2.0, 2.25),
    ((127, 4883, 10712, 5150, 104), "normalized", -1.75, 0.25, 3.01),
    ((0, 0, 0, 0, 5550), "normalized", 0.0, 5.0, 111.82),
    ((223, 9863, 21279, 10037, 246), "logistic", 0.5, 2.5, -3.07),
    ((871, 26175, 55983, 26678, 821), "logistic", 0.0, 2.0, -4.98),
)
"""Log-likelihood ratios (LLR) in the tests of fastchess: (pairs with 0, ½, 1, 1½, 2 points; kind of Elo;
elo0; elo1; LLR)."""
PUBLISHED_ELO = (
    ((34, 54, 63, 64, 75), 55.58, 27.65, 1.0),
    ((332, 433, 498, 333, 334), -8.64, 10.33, 0.0505),
    ((7895, 8757, 5685, 568, 9999), -21.04, 2.95, 0.0),
)
"""Elo differences in the tests of fastchess: (pairs with 0, ½, 1, 1½, 2 points; Elo; error; LOS, the
likelihood that the bot is stronger)."""


@dataclass(frozen=True)
class Openings:
    """The games of a simulated match.

    draws   share of draws among games of equal bots from a fair opening
    bias    Elo that each opening gives to one of the colours: makes the two games of a pair unlike
    copies  share of pairs whose second game ends as the first: makes the two games of a pair alike
    """

    draws: float = 0.0
    bias: float = 0.0
    copies: float = 0.0


def pair_shares(elo: float, openings: Openings) -> Floats:
    """The probabilities of 0, ½, 1, 1½ and 2 points in a pair, for a bot that is `elo` stronger.

    Draws, bias and copies change the mean score of a given strength. So this function searches for the
    strength whose mean score is that of `elo`.
    """
    wanted = score_of_elo(elo)
    strength = root(lambda e: float(_shares(e, openings) @ SCORES) - wanted, -WIDEST, WIDEST)
    return _shares(strength, openings)


def _shares(strength: float, openings: Openings) -> Floats:
    """The probabilities of 0 to 2 points in a pair, for a bot of this strength in the model of `_game`.

    The opening favours the bot in one game and its opponent in the other.
    """
    games = [_game(strength + side * openings.bias, openings.draws) for side in (1.0, -1.0)]
    independent = np.convolve(games[0], games[1])
    alike = np.zeros(5)  # the second game ends as the first
    alike[::2] = (games[0] + games[1]) / 2.0
    shares = (1.0 - openings.copies) * independent + openings.copies * alike
    return np.asarray(shares / shares.sum(), dtype=np.float64)


def _game(strength: float, draws: float) -> Floats:
    """The probabilities of a loss, a draw and a win (the model of BayesElo)."""
    draw_elo = 400.0 * math.log10((1.0 + draws) / (1.0 - draws))
    win, loss = score_of_elo(strength - draw_elo), score_of_elo(-strength - draw_elo)
    return np.array([loss, max(0.0, 1.0 - win - loss), win])


@dataclass(frozen=True)
class SprtRates:
    """Simulated matches beside the formula: the share that passed, and the mean games until the verdict."""

    passed: float
    games: float
    formula: Expectation


def simulate_sprt(
    elo: float,
    openings: Openings,
    hypotheses: Hypotheses,
    *,
    matches: int = MATCHES,
    seed: int = SEED,
) -> SprtRates:
    """Play matches of a bot that is `elo` stronger, each until its verdict or MOST_PAIRS pairs."""
    shares = pair_shares(elo, openings)
    rng = np.random.default_rng([seed, round(1000 * abs(elo))])
    lower, upper = hypotheses.bounds
    counts = np.zeros((matches, 5))
    passed = pairs = 0
    for played in range(1, MOST_PAIRS + 1):
        points = rng.choice(5, size=len(counts), p=shares)
        counts[np.arange(len(counts)), points] += 1.0
        ratios = llr(counts, hypotheses)
        over, under = ratios >= upper, ratios <= lower
        passed += int(over.sum())
        pairs += played * int((over | under).sum())
        counts = counts[~(over | under)]
        if not len(counts):
            break
    pairs += MOST_PAIRS * len(counts)
    mean = float(shares @ SCORES)
    variance = float(shares @ (SCORES - mean) ** 2)
    return SprtRates(passed / matches, 2.0 * pairs / matches, expect(mean, variance, hypotheses))


@dataclass(frozen=True)
class StrongerRates:
    """Shares of the verdicts, and the median games of the decided matches; nan without one."""

    stronger: float
    weaker: float
    games: float


def simulate_stronger(
    elo: float, openings: Openings, *, alpha: float = ALPHA, matches: int = MATCHES, seed: int = SEED
) -> StrongerRates:
    """Play matches of a bot that is `elo` stronger, each until its verdict or STRONGER_PAIRS pairs."""
    shares = pair_shares(elo, openings)
    rng = np.random.default_rng([seed, round(1000 * abs(elo))])
    goal = math.log(2.0 / alpha)  # two bets, on the stronger and on the weaker bot, share alpha
    games, won = [], []
    for _ in range(matches):
        # The score of a pair is the mean of its two games.
        scores = SCORES[rng.choice(5, size=STRONGER_PAIRS, p=shares)]
        up, down = bets_on_more(scores, 0.5) >= goal, bets_on_more(1.0 - scores, 0.5) >= goal
        if (up | down).any():
            first = int(np.argmax(up | down))
            games.append(2 * (first + 1))
            won.append(bool(up[first]))
    return StrongerRates(
        sum(won) / matches,
        (len(won) - sum(won)) / matches,
        float(np.median(games)) if games else math.nan,
    )


FAIR = Openings()
SPRT_ROWS: Sequence[tuple[float, Openings]] = (
    *((elo, FAIR) for elo in (-20.0, 0.0, 5.0, 10.0, 15.0, 20.0, 40.0)),
    *((elo, Openings(draws=0.5)) for elo in (0.0, 10.0, 20.0)),
    *((elo, Openings(bias=200.0)) for elo in (0.0, 10.0, 20.0)),
    *((elo, Openings(draws=0.5, bias=200.0)) for elo in (0.0, 20.0)),
    *((elo, Openings(copies=0.3)) for elo in (0.0, 10.0, 20.0)),
)
"""The rows of the table: true Elo, openings."""
STRONGER_ROWS: Sequence[tuple[float, Openings]] = (
    *((elo, FAIR) for elo in (0.0, 10.0, 20.0, 50.0, 100.0, 200.0)),
    *((elo, Openings(draws=0.5)) for elo in (0.0, 20.0)),
    *((elo, Openings(bias=200.0)) for elo in (0.0, 20.0)),
    *((elo, Openings(copies=0.3)) for elo in (0.0, 20.0)),
)


def sprt_table(matches: int, seed: int, rows: Sequence[tuple[float, Openings]] = SPRT_ROWS) -> Iterator[str]:
    """Markdown: the error rates and games of an SPRT of 0 against 20 Elo, beside the formula."""
    yield "| true Elo | draws | bias | copies | passed | formula | mean games | formula |"
    yield "|---|---|---|---|---|---|---|---|"
    for elo, openings in rows:
        rates = simulate_sprt(elo, openings, Hypotheses(0.0, 20.0), matches=matches, seed=seed)
        yield (
            f"| {elo:g} {_cells(openings)} | {100 * rates.passed:.1f} % | {100 * rates.formula.passed:.1f} % "
            f"| {rates.games:,.0f} | {2 * rates.formula.pairs:,.0f} |"
        )


def stronger_table(
    matches: int, seed: int, rows: Sequence[tuple[float, Openings]] = STRONGER_ROWS
) -> Iterator[str]:
    """Markdown: the verdicts of "stronger", and the games that they take."""
    yield "| true Elo | draws | bias | copies | stronger | weaker | median games |"
    yield "|---|---|---|---|---|---|---|"
    for elo, openings in rows:
        rates = simulate_stronger(elo, openings, matches=matches, seed=seed)
        games = "-" if math.isnan(rates.games) else f"{rates.games:,.0f}"
        cells = f"{100 * rates.stronger:.1f} % | {100 * rates.weaker:.1f} % | {games}"
        yield f"| {elo:g} {_cells(openings)} | {cells} |"


def published_table() -> Iterator[str]:
    """Markdown: the figures of fastchess beside ours."""
    yield "| pairs with 0, ½, 1, 1½, 2 points | figure | fastchess | here |"
    yield "|---|---|---|---|"
    for counts, model, elo0, elo1, value in PUBLISHED:
        tested = Hypotheses(elo0, elo1, model="logistic" if model == "logistic" else "normalized")
        own = float(llr(np.array([counts], dtype=np.float64), tested)[0])
        shown = ", ".join(map(str, counts))
        yield f"| {shown} | LLR of {elo0:g} and {elo1:g} {model} Elo | {value:.2f} | {own:.2f} |"
    for counts, elo, error, los in PUBLISHED_ELO:
        found = elo_difference(counts)
        shown = ", ".join(map(str, counts))
        yield (
            f"| {shown} | Elo ± error, LOS | {elo:.2f} ± {error:.2f}, {100 * los:.2f} % "
            f"| {found.elo:.2f} ± {found.error:.2f}, {100 * found.los:.2f} % |"
        )


def _cells(openings: Openings) -> str:
    """The cells of a table about the openings."""
    return f"| {100 * openings.draws:g} % | {openings.bias:g} | {100 * openings.copies:g} %"


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--matches", type=int, default=MATCHES)
    parser.add_argument("--seed", type=int, default=SEED)
    options = parser.parse_args()
    for table in (
        published_table(),
        sprt_table(options.matches, options.seed),
        stronger_table(options.matches, options.seed),
    ):
        for line in table:
            print(line, flush=True)  # noqa: T201
        print()  # noqa: T201


if __name__ == "__main__":
    main()
