"""Derives the pairs of engines of a match, and their games with their ids.

An id depends only on the order of the engines and on the number of the game. Engines and games that are added
to a config therefore change no existing id.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from harness.arena.records import Game


@dataclass(frozen=True)
class Pairing:
    """Two engines that play each other; `first` comes before `second` in the config."""

    number: int  # from 1
    first: str
    second: str

    def game(self, number: int) -> Game:
        """Game `number`, from 1. Games 2k - 1 and 2k share an opening; `first` is Black in game 2k - 1."""
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
    """The pairs of a match: every two engines, or ("gauntlet") the first engine with each other engine.

    Pairs are numbered by the later engine, so that a new engine at the end changes no number.
    """
    return [
        Pairing(later * (later - 1) // 2 + earlier + 1, engines[earlier], engines[later])
        for later in range(1, len(engines))
        for earlier in range(later if form != "gauntlet" else 1)
    ]
