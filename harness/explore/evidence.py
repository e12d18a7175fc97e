"""Evidence from searches in many positions: bets against a right bot, and their average.

A bet stands for one wrong behaviour. After every search it is multiplied by the likelihood ratio of the
answer: its probability for this behaviour, divided by its probability for a right bot. The product is an
e-process: with a right bot it ever exceeds 1/α with a probability of at most α, however often it is looked at
(Ville 1939). All bets start with a part of one unit of capital. Half of it is split over the positions, to
find a fault that shows in one position. The other half follows each bet through all positions, to find one
that shows a little in each of them.

An example: a right bot answers ref-nodes 400 with probability 0.04, and a bot that counts each playout twice
with 0.08. A bet stakes half of its capital, so this answer multiplies the bet "playouts times 2" by
0.5 + 0.5 * 0.08 / 0.04 = 1.5.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from harness.explore.laws import TILTS, LengthLaw, NumberLaw, ResultLaw

Floats = npt.NDArray[np.float64]
Ratios = Mapping[str, float]
"""Log likelihood ratio of one answer, by the name of the bet. Bets that it does not concern are left out."""

TIMID = 0.5
"""Fraction of its capital that a bet does not stake on an answer; bets on a wrong mean stake everything.
Chosen: a lost bet keeps half of it."""

MULTIPLES = (2, 10)
"""Numbers of times that known faults count each playout: their searches vary too much."""

LONGEST_SUM = 2_000_000
"""Most values of a sum whose distribution is computed. Chosen: 16 MB and a second of time."""

LEAST_PROBABILITY = 1e-12
"""Smaller probabilities are raised to this. Chosen: above the rounding error of a Fourier transform."""

CACHED = 8
"""Number of cached distributions of sums. Chosen: the searches of a position need up to three."""


MORE_MOVES, MORE_WINS = (
    tuple(f"{number} {sign}{tilt:g} sd" for tilt in TILTS for sign in ("+", "-"))
    for number in ("length", "result")
)
"""Names of the bets of `tilted_log_es` (a shifted mean), in its order."""

COUNTED = {f"playouts times {multiple}": multiple for multiple in MULTIPLES}
REPEATS = "searches repeat"
MOST_VISITS, MOST_WINS, SMOOTHED, LOWEST = "most visits", "most wins", "smoothed rate", "lowest rate"
UNSEEN_WON, UNSEEN_EVEN = "unseen as won", "unseen as even"
RATES = (MOST_VISITS, MOST_WINS, SMOOTHED, LOWEST, UNSEEN_WON, UNSEEN_EVEN)
"""Wrong ways to choose a move from right AMAF records."""

OWN_FIRST, TAKEN_ANEW = "the first of its own plays", "plays on points that were taken count anew"
RECORDS = (OWN_FIRST, TAKEN_ANEW)
"""Wrong ways to keep AMAF records."""

ANY, FIRST, LAST = ORDERS = ("any candidate", "first", "last")
"""Wrong ways to choose that do not compare records."""

AGAIN = "the same again"
RULES = (*RATES, *ORDERS, *RECORDS, AGAIN)
"""All wrong ways to choose a move."""

BETS = (*MORE_MOVES, *MORE_WINS, *COUNTED, REPEATS, *RULES)
"""All bets. Each starts with the same capital, even a bet that is never made."""

INDICES = {name: index for index, name in enumerate(BETS)}
"""By bet: its index in BETS, and in the arrays of capital."""

FIRST_POSITIONS = 64
"""Initial size of a ledger, in positions. Chosen: a quick check searches fewer."""


def length_ratios(law: LengthLaw, nodes: int, playouts: int) -> dict[str, float]:
    """Return log likelihood ratios of a ref-nodes that the law makes possible, by the name of the bet.

    The bets are on a wrong mean length, and on playouts counted several times.
    """
    ratios = _tilted_ratios(MORE_MOVES, law, nodes, playouts)
    index, probability = _index_and_probability(law, nodes, playouts)
    if probability is None:
        return ratios
    for name, multiple in COUNTED.items():
        fewer = sum_distribution(law, playouts // multiple)
        if playouts % multiple or fewer is None:
            continue
        each, rest = divmod(index, multiple)
        likely = float(fewer[each]) if not rest else 0.0
        ratios[name] = math.log(TIMID + (1.0 - TIMID) * likely / probability)
    return ratios


def result_ratios(law: ResultLaw, score: float, playouts: int) -> dict[str, float]:
    """Return log likelihood ratios of a reported score, by the name of each bet on a wrong mean result."""
    return _tilted_ratios(MORE_WINS, law, score, playouts)


def repeat_ratio(law: LengthLaw, nodes: int, playouts: int, share: float) -> dict[str, float]:
    """Return the log likelihood ratio of the bet REPEATS: the search repeats a random earlier one.

    share   fraction of the earlier searches of the position that gave the same numbers
    """
    _, probability = _index_and_probability(law, nodes, playouts)
    return {} if probability is None else {REPEATS: math.log(TIMID + (1.0 - TIMID) * share / probability)}


def _tilted_ratios(names: Sequence[str], law: NumberLaw, reported: float, playouts: int) -> dict[str, float]:
    return dict(zip(names, map(float, law.log_es(reported, playouts)), strict=True))


def _index_and_probability(law: LengthLaw, nodes: int, playouts: int) -> tuple[int, float | None]:
    """Return the index of a total in `sum_distribution`, and its probability.

    The probability is None if no bets are made: the distribution is too large, or all playouts are alike.
    """
    right = sum_distribution(law, playouts)
    index = (nodes - law.outcomes[0][0] * playouts) // law.step
    if right is None or len(law.outcomes) < 2:
        return index, None
    return index, max(float(right[index]), LEAST_PROBABILITY)


@lru_cache(CACHED)
def sum_distribution(law: LengthLaw, playouts: int) -> Floats | None:
    """Return the probability of each total length of the playouts, in steps of `law.step`, least first.

    None for more than LONGEST_SUM values, or without playouts.
    """
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
    """The bets in one position, or in all of them.

    `capital` is the log of each bet's capital, in the order of `BETS`.
    """

    def __init__(self, number: int = 0) -> None:
        self.number = number  # index of the position in its ledger
        self.capital: Floats = np.zeros(len(BETS))
        self._made = np.zeros(len(BETS), dtype=np.bool_)

    def add(self, ratios: Ratios) -> None:
        """Multiply the bets by the ratios of one more answer, given as logarithms."""
        indices = [INDICES[name] for name in ratios]
        values = np.array(list(ratios.values()), dtype=np.float64)
        self.capital[indices] += values
        self._made[indices] |= values != 0.0

    @property
    def log_e(self) -> float:
        """Log of the average of the bets: 0 before the first answer."""
        return float(np.logaddexp.reduce(self.capital)) - math.log(len(BETS))

    @property
    def best(self) -> str:
        """Name of the bet with most capital among those that were made; the first bet if none was made."""
        return BETS[int(np.where(self._made, self.capital, -math.inf).argmax())]

    def was_made(self, bet: str) -> bool:
        """Return True if a bet was ever made: some ratio differed from 1."""
        return bool(self._made[INDICES[bet]])


class Ledger:
    """The evidence of all positions together."""

    def __init__(self) -> None:
        self.everywhere = Account()
        self._opened = 0
        # Log of the capital of each position, with its weight. One array, so that a search takes the same
        # time in Python for any number of positions; it doubles when it is full.
        self._shares: Floats = np.empty(FIRST_POSITIONS)
        self._peak = 0.0  # largest log_e so far

    def open_account(self) -> Account:
        """Open the account of the next position."""
        account = Account(self._opened)
        self._opened += 1
        if self._opened > len(self._shares):
            self._shares = np.concatenate((self._shares, np.empty_like(self._shares)))
        self._update_share(account)
        return account

    def add(self, account: Account, ratios: Ratios) -> None:
        """Add one more answer in the position of an account; `ratios` are its log likelihood ratios."""
        account.add(ratios)
        self.everywhere.add(ratios)
        self._update_share(account)
        self._peak = max(self._peak, self.log_e)

    def _update_share(self, account: Account) -> None:
        number = account.number
        self._shares[number] = account.log_e - math.log((number + 1) * (number + 2))

    @property
    def log_e(self) -> float:
        """Log of the whole capital, which starts at 1.

        One half is split over the positions: position i = 1, 2, … gets 1/(i(i+1)) of it. The other half is
        the account `everywhere`.
        """
        opened = np.logaddexp.reduce(self._shares[: self._opened])
        kept = -math.log(self._opened + 1)  # capital reserved for later positions
        each = np.logaddexp(opened, kept)
        return float(np.logaddexp(each, self.everywhere.log_e) - math.log(2.0))

    @property
    def p_value(self) -> float:
        """A p-value that is valid after every search: 1 over the largest capital so far."""
        return min(1.0, math.exp(-self._peak))
