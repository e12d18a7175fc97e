"""Derives the pairs of engines of a match, and their games with their ids.

An id depends only on the order of the engines (or of the `[[pair]]` tables) and on the number of the game.
Engines, pairs and games that are added at the end therefore change no existing id.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from harness.arena.records import Game


@dataclass(frozen=True)
class Pairing:
    """Two engines that play each other, in the order of the run, or of `black` and `white` of a `[[pair]]`.

    games     number of games; 0 until `pairs_of` sets it
    fixed     `first` always has Black; otherwise colours are exchanged after each game
    dropped   the pair plays no further games; the stored ones count
    """

    number: int  # from 1
    first: str
    second: str
    games: int = 0
    fixed: bool = False
    dropped: bool = False

    def game(self, number: int) -> Game:
        """Return game `number`, from 1. `first` has Black in odd games; if `fixed`, in all.

        Games 2k - 1 and 2k share an opening, unless `fixed`.
        """
        first_has_black = self.fixed or number % 2 == 1
        return Game(
            id=f"p{self.number:03d}-g{number:05d}",
            pair=self.number,
            number=number,
            black=self.first if first_has_black else self.second,
            white=self.second if first_has_black else self.first,
            opening=number - 1 if self.fixed else (number - 1) // 2,
        )


def pairings(engines: Sequence[str], form: str, seeds: int = 1) -> list[Pairing]:
    """Return every two engines as a pair; in a gauntlet, each of the first `seeds` with each of the others.

    form   the `format` of the run: only "gauntlet" differs

    Pairs are numbered by the later engine, so that a new engine at the end changes no number: a - b is pair
    1, a - c 2, b - c 3, a - d 4, b - d 5, c - d 6. A gauntlet of one seed has the pairs 1, 2 and 4 of these.
    """
    return [
        Pairing(later * (later - 1) // 2 + earlier + 1, engines[earlier], engines[later])
        for later in range(seeds if form == "gauntlet" else 1, len(engines))
        for earlier in range(seeds if form == "gauntlet" else later)
    ]
