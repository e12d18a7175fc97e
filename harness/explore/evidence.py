"""Evidence from searches in many positions: bets against a right bot, and their average.

Each bet names a way of being wrong and says, after every search, how much likelier the answer is that way
than from a right bot. The ratios of one bet multiply to an e-process: it exceeds 1/α with a chance of at
most α, whenever one looks (Ville 1939). Half of the capital is split over the positions, so that a fault that
shows in one position is seen there; the other half follows each bet through all positions, so that a fault
that shows a little everywhere is seen too.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from harness.explore.laws import TILTS, LengthLaw, NumberLaw, ResultLaw

Floats = npt.NDArray[np.float64]
Ratios = Mapping[str, float]  # of each bet: the log of its likelihood ratio

TIMID = 0.5
"""Share of its capital that a bet on one certain answer keeps back. Chosen: one wrong answer costs half."""

MULTIPLES = (2, 10)
"""Times that a bot may count each playout, which makes its searches vary too much: those of known faults."""

LONGEST_SUM = 2_000_000
"""Number of values of a sum up to which its distribution is computed. Chosen: 16 MB, and a second of time."""

LEAST_PROBABILITY = 1e-12
"""Smaller probabilities are taken for rounding. Chosen: above the error of a Fourier transform of doubles."""

CACHED = 8
"""Number of distributions of sums that are kept: the searches of a position need up to three."""


MORE_MOVES, MORE_WINS = (
    tuple(f"{number} {sign}{tilt:g} sd" for tilt in TILTS for sign in ("+", "-"))
    for number in ("length", "result")
)
"""The bets of `tilted_log_es`, in its order."""

COUNTED = {f"playouts times {multiple}": multiple for multiple in MULTIPLES}
REPEATS = "searches repeat"
RATES = ("most visits", "most wins", "smoothed rate", "lowest rate", "unseen as won", "unseen as even")
"""Other ways to choose by the right records."""

RECORDS = ("the first of its own plays", "plays on points that were taken count anew")
"""Other ways to keep records."""

ORDERS = ("any candidate", "first", "last")
"""Ways to choose without records."""

AGAIN = "the same again"
RULES = (*RATES, *ORDERS, *RECORDS, AGAIN)
"""Other ways to choose a move."""

BETS = (*MORE_MOVES, *MORE_WINS, *COUNTED, REPEATS, *RULES)
"""All bets; each begins with the same capital, whether or not it is ever made."""

PLACES = {name: place for place, name in enumerate(BETS)}

FIRST_POSITIONS = 64
"""Number of positions that a ledger has room for at first. Chosen: a quick check searches fewer."""


def length_ratios(law: LengthLaw, nodes: int, playouts: int) -> dict[str, float]:
    """Return the bets on the mean of the length, and the bets that each playout is counted several times."""
    ratios = _tilted(MORE_MOVES, law, nodes, playouts)
    place, probability = _place(law, nodes, playouts)
    if probability is None:
        return ratios
    for name, multiple in COUNTED.items():
        fewer = sum_distribution(law, playouts // multiple)
        if playouts % multiple or fewer is None:
            continue
        each, rest = divmod(place, multiple)
        likely = float(fewer[each]) if not rest else 0.0
        ratios[name] = math.log(TIMID + (1.0 - TIMID) * likely / probability)
    return ratios


def result_ratios(law: ResultLaw, score: float, playouts: int) -> dict[str, float]:
    """Return the bets on the mean of the result."""
    return _tilted(MORE_WINS, law, score, playouts)


def repeat_ratio(law: LengthLaw, nodes: int, playouts: int, share: float) -> dict[str, float]:
    """Return the bet that a search repeats an earlier one of its position, each with the same chance.

    share   fraction of the earlier searches that gave the same numbers
    """
    _, probability = _place(law, nodes, playouts)
    return {} if probability is None else {REPEATS: math.log(TIMID + (1.0 - TIMID) * share / probability)}


def _tilted(names: Sequence[str], law: NumberLaw, reported: float, playouts: int) -> dict[str, float]:
    return dict(zip(names, map(float, law.log_es(reported, playouts)), strict=True))


def _place(law: LengthLaw, nodes: int, playouts: int) -> tuple[int, float | None]:
    """Return the place of a total in `sum_distribution`, and its probability; None if there are no bets."""
    right = sum_distribution(law, playouts)
    place = (nodes - law.outcomes[0][0] * playouts) // law.step
    if right is None or len(law.outcomes) < 2:
        return place, None
    return place, max(float(right[place]), LEAST_PROBABILITY)


@lru_cache(CACHED)
def sum_distribution(law: LengthLaw, playouts: int) -> Floats | None:
    """Return the probabilities of the total length of P playouts, from the least; None for too many."""
    step, shortest = law.step, law.outcomes[0][0]
    values = (law.outcomes[-1][0] - shortest) // step * playouts + 1
    if values > LONGEST_SUM or playouts < 1:
        return None
    single = np.zeros(values)
    for length, probability in law.outcomes:
        single[(length - shortest) // step] = probability
    padded = 1 << max(1, math.ceil(math.log2(values)))
    power = np.fft.irfft(np.fft.rfft(single, padded) ** playouts, padded)[:values]
    return np.clip(power, 0.0, 1.0)


class Account:
    """The bets in one position: the logs of what each has come to, in the order of `BETS`."""

    def __init__(self, number: int = 0) -> None:
        self.number = number  # of the position in its ledger
        self.capital: Floats = np.zeros(len(BETS))
        self._made = np.zeros(len(BETS), dtype=np.bool_)

    def add(self, ratios: Ratios) -> None:
        """Add one more answer."""
        places = [PLACES[name] for name in ratios]
        values = np.array(list(ratios.values()), dtype=np.float64)
        self.capital[places] += values
        self._made[places] |= values != 0.0

    @property
    def log_e(self) -> float:
        """Log of the average of the bets: 0 before the first answer."""
        return float(np.logaddexp.reduce(self.capital)) - math.log(len(BETS))

    @property
    def best(self) -> str:
        """The name of the bet that has won most, of those that were made; the first one before any was."""
        return BETS[int(np.where(self._made, self.capital, -math.inf).argmax())]

    def made(self, bet: str) -> bool:
        """Return whether anything was ever at stake in a bet."""
        return bool(self._made[PLACES[bet]])


class Ledger:
    """The evidence of all positions together."""

    def __init__(self) -> None:
        self.everywhere = Account()
        self._opened = 0
        # Of each position: the log of its share of the capital. One row, so that a search costs the same
        # in Python however many positions there are; it doubles when it is full.
        self._shares: Floats = np.empty(FIRST_POSITIONS)
        self._peak = 0.0

    def open(self) -> Account:
        """Open the account of the next position."""
        account = Account(self._opened)
        self._opened += 1
        if self._opened > len(self._shares):
            self._shares = np.concatenate((self._shares, np.empty_like(self._shares)))
        self._value(account)
        return account

    def add(self, account: Account, ratios: Ratios) -> None:
        """Add one more answer in a position."""
        account.add(ratios)
        self.everywhere.add(ratios)
        self._value(account)
        self._peak = max(self._peak, self.log_e)

    def _value(self, account: Account) -> None:
        number = account.number
        self._shares[number] = account.log_e - math.log((number + 1) * (number + 2))

    @property
    def log_e(self) -> float:
        """Log of the whole capital, which begins with 1: position i has 1/(i(i+1)) of one half of it."""
        opened = np.logaddexp.reduce(self._shares[: self._opened])
        kept = -math.log(self._opened + 1)  # for the positions to come
        each = np.logaddexp(opened, kept)
        return float(np.logaddexp(each, self.everywhere.log_e) - math.log(2.0))

    @property
    def p_value(self) -> float:
        """A p-value that may be looked at after every search."""
        return min(1.0, math.exp(-self._peak))
