"""Elo ratings of several bots from their games: the Bradley-Terry model with an advantage for Black.

A weak prior keeps every rating finite, also of a bot that won all its games, none, or never played. Formulas:
docs/statistics.md, "Ratings".
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from harness.stats import special
from harness.stats.evidence import Floats, StatsError, check_level

ELO = 400.0 / math.log(10.0)  # Elo points of one unit of log odds
# Standard deviations (Elo) of a bot's rating and of Black's advantage before any game. Chosen: a few dozen
# games outweigh them.
PRIOR_ELO = 500.0
PRIOR_BLACK_ELO = 200.0
# Newton's method ends after STEPS steps, or with a step below SETTLED log odds; chosen: ten steps usually do.
STEPS = 200
SETTLED = 1e-10


@dataclass(frozen=True)
class Meeting:
    """Games of one bot as Black against another as White, of which Black won `black_points`; a draw is ½."""

    black: str
    white: str
    games: int
    black_points: float


@dataclass(frozen=True)
class Rating:
    """One bot's Elo, relative to the mean of all bots, with its confidence interval.

    `games` and `points` are those against other bots.
    """

    name: str
    elo: float
    low: float
    high: float
    games: int
    points: float


@dataclass(frozen=True)
class Ratings:
    """All bots, best first; Black's advantage in Elo; covariance of the ratings (Elo², in the same order)."""

    bots: tuple[Rating, ...]
    black_elo: float
    black_low: float
    black_high: float
    covariance: tuple[tuple[float, ...], ...]
    confidence: float

    def difference(self, first: str, second: str) -> tuple[float, float]:
        """Return (Elo of `first` over `second`, its standard error). Raises KeyError for unknown names."""
        index = {bot.name: i for i, bot in enumerate(self.bots)}
        i, j = index[first], index[second]
        c = self.covariance
        return self.bots[i].elo - self.bots[j].elo, math.sqrt(max(0.0, c[i][i] + c[j][j] - 2.0 * c[i][j]))


def rate(meetings: Iterable[Meeting], *, names: Sequence[str] = (), confidence: float = 0.95) -> Ratings:
    """Rate all bots of `meetings`, and those of `names` that have not played.

    Raises StatsError if points are negative or more than the games, or for a confidence out of range.
    """
    check_level(confidence, "confidence")
    played = list(meetings)
    for m in played:
        if not (m.games >= 0 and 0.0 <= m.black_points <= m.games):
            raise StatsError(f"{m.black} - {m.white}: {m.black_points} points of {m.games} games")
    bots = list(dict.fromkeys([*names, *(n for m in played for n in (m.black, m.white))]))
    design, games, points = _design(played, bots)
    precision = np.full(len(bots) + 1, (ELO / PRIOR_ELO) ** 2)
    precision[-1] = (ELO / PRIOR_BLACK_ELO) ** 2
    log_odds, hessian = _fit(design, games, points, precision)
    covariance = np.asarray(np.linalg.inv(hessian) * ELO**2, dtype=np.float64)
    return _report(bots, log_odds * ELO, covariance, played, confidence)


def _design(played: list[Meeting], bots: list[str]) -> tuple[Floats, Floats, Floats]:
    """Return the design matrix, the games and Black's points, a row for each meeting.

    A row of the matrix has +1 for Black, −1 for White, and 1 in the last column, for Black's advantage. With
    the bots a, b and c, the meeting of a (Black) with c is [1, 0, −1, 1].
    """
    index = {name: i for i, name in enumerate(bots)}
    design = np.zeros((len(played), len(bots) + 1))
    for row, m in enumerate(played):
        design[row, index[m.black]] += 1.0
        design[row, index[m.white]] -= 1.0  # a bot against itself shows Black's advantage only
        design[row, -1] = 1.0
    return design, np.array([float(m.games) for m in played]), np.array([m.black_points for m in played])


def _fit(design: Floats, games: Floats, points: Floats, precision: Floats) -> tuple[Floats, Floats]:
    """Return the most probable log odds (one per column), and the Hessian of the loss there.

    `precision`: 1 / variance of each in the prior. By Newton's method; a step is halved until the loss falls.
    """

    def loss(theta: Floats) -> float:
        odds = design @ theta
        likelihood = points * special.log_expit(odds) + (games - points) * special.log_expit(-odds)
        return float(0.5 * (precision * theta**2).sum() - likelihood.sum())

    theta = np.zeros(precision.size)
    hessian = np.diag(precision)
    for _ in range(STEPS):
        chance = special.expit(design @ theta)
        gradient = precision * theta - design.T @ (points - games * chance)
        hessian = np.diag(precision) + (design.T * (games * chance * (1.0 - chance))) @ design
        step = np.linalg.solve(hessian, gradient)
        if float(np.abs(step).max()) < SETTLED:
            break
        size, here = 1.0, loss(theta)
        while loss(theta - size * step) > here and size > SETTLED:
            size /= 2.0
        theta = theta - size * step
    return theta, hessian


def _report(
    bots: list[str], elo: Floats, covariance: Floats, played: list[Meeting], confidence: float
) -> Ratings:
    """Rank the bots, with Elo relative to their mean. The last entry of `elo` is Black's advantage."""
    count = len(bots)
    centre = np.eye(count) - 1.0 / max(count, 1)
    ratings = centre @ elo[:count]
    centred = centre @ covariance[:count, :count] @ centre.T
    order = sorted(range(count), key=lambda i: (-ratings[i], bots[i]))
    z = float(special.ndtri(0.5 + confidence / 2.0))
    radius = z * np.sqrt(np.maximum(np.diag(centred), 0.0))
    rows = []
    for i in order:
        games, points = _games_and_points(bots[i], played)
        value, half = float(ratings[i]), float(radius[i])
        rows.append(Rating(bots[i], value, value - half, value + half, games, points))
    black, half = float(elo[-1]), z * math.sqrt(float(covariance[-1, -1]))
    ordered: npt.NDArray[np.float64] = centred[np.ix_(order, order)]
    table = tuple(tuple(float(v) for v in row) for row in ordered)
    return Ratings(tuple(rows), black, black - half, black + half, table, confidence)


def _games_and_points(name: str, played: list[Meeting]) -> tuple[int, float]:
    """Count games and points of one bot against other bots."""
    games, points = 0, 0.0
    for m in played:
        if m.black == m.white:
            continue
        if name == m.black:
            games, points = games + m.games, points + m.black_points
        elif name == m.white:
            games, points = games + m.games, points + m.games - m.black_points
    return games, points
