"""Which games a match consists of: every game has its id before it is played.

Ids depend on nothing but the order of the engines and the number of the game: what is appended to a config
appends to the schedule and leaves the rest as it was.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from harness.match.records import Game


@dataclass(frozen=True)
class Pairing:
    """Two engines that meet; `first` stands before `second` in the list of engines."""

    number: int  # from 1
    first: str
    second: str

    def game(self, number: int) -> Game:
        """Game `number`, from 1; games 2k − 1 and 2k share an opening, `first` being Black in the former."""
        odd = number % 2 == 1
        return Game(
            id=f"p{self.number:03d}-g{number:05d}",
            pair=self.number,
            number=number,
            black=self.first if odd else self.second,
            white=self.second if odd else self.first,
            opening=(number - 1) // 2,
        )


def pairings(engines: Sequence[str], form: str) -> list[Pairing]:
    """Who meets whom: everybody everybody, or ("gauntlet") the first engine everybody else.

    Pair numbers go by the later engine, so that a new engine at the end changes none.
    """
    return [
        Pairing(later * (later - 1) // 2 + earlier + 1, engines[earlier], engines[later])
        for later in range(1, len(engines))
        for earlier in range(later if form != "gauntlet" else 1)
    ]


def schedule(pairs: Sequence[Pairing], games: int) -> Iterator[Game]:
    """Every game, interleaved: no pair is ever more than one game ahead of another."""
    return (pairing.game(number) for number in range(1, games + 1) for pairing in pairs)
