"""Chooses the next game of a match: a game that was given back, otherwise the first one in schedule order."""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Sequence

from harness.arena.pairings import Pairing
from harness.arena.records import Game


class Dispenser:
    """Gives out every game once that is not stored: those with the lowest number in their pair first.

    Games that were given back come before all others. The games of a closed pair are no longer given out: it
    was dropped or decided, or one of its engines is benched.
    """

    def __init__(self, pairs: Sequence[Pairing], played: Iterable[tuple[int, int]]) -> None:
        """`played`: (pair, number) of the games that are stored already."""
        self._pairs = {pair.number: pair for pair in pairs}
        # By pair, a byte for each number of a game: 1 if the game is stored or was given out.
        self._taken = {pair.number: bytearray(pair.games + 1) for pair in pairs}
        for pair, number in played:
            if pair in self._pairs and number <= self._pairs[pair].games:
                self._taken[pair][number] = 1
        # Heaps of (number, pair): the next game of each pair (`_next`), and the games that were given back.
        self._next = [(self._first_open(pair.number, 1), pair.number) for pair in pairs]
        heapq.heapify(self._next)
        self._returned: list[tuple[int, int]] = []
        self._closed: set[int] = set()

    def next_game(self) -> Game | None:
        """Give out the next game; None if no game is left."""
        while self._returned:
            number, pair = heapq.heappop(self._returned)
            if pair not in self._closed:
                return self._pairs[pair].game(number)
        while self._next:
            number, pair = heapq.heappop(self._next)
            if number > self._pairs[pair].games or pair in self._closed:
                continue
            heapq.heappush(self._next, (self._first_open(pair, number + 1), pair))
            if not self._taken[pair][number]:
                self._taken[pair][number] = 1
                return self._pairs[pair].game(number)
        return None

    def next_pair(self, most: int = 2) -> tuple[Game, ...]:
        """Give out the next game and its partner, with the same opening and exchanged colours.

        The partner of game 1 is game 2, that of game 3 is game 4, and so on. With fixed colours, its opening
        is another one. A next game with an even number comes alone, and so does one whose partner is stored
        or was given out before, even if it was given back. Empty if no game is left.

        most   number of games that may be given out; with 1, the next game comes alone
        """
        game = self.next_game()
        if game is None:
            return ()
        after = game.number + 1
        taken = self._taken[game.pair]
        if most < 2 or game.number % 2 == 0 or after > self._pairs[game.pair].games or taken[after]:
            return (game,)
        taken[after] = 1
        return (game, self._pairs[game.pair].game(after))

    def give_back(self, game: Game) -> None:
        """Take back a game that was given out and not played."""
        heapq.heappush(self._returned, (game.number, game.pair))

    def close(self, pair: int) -> None:
        """Give out no more games of a pair."""
        self._closed.add(pair)

    def bench(self, engine: str) -> None:
        """Give out no more games of an engine."""
        for pair in self._pairs.values():
            if engine in (pair.first, pair.second):
                self.close(pair.number)

    def left(self) -> int:
        """Number of games that can still be given out."""
        open_pairs = [(number, pair) for number, pair in self._next if pair not in self._closed]
        ahead = sum(self._taken[pair][number:].count(0) for number, pair in open_pairs)
        return ahead + sum(pair not in self._closed for _, pair in self._returned)

    def _first_open(self, pair: int, number: int) -> int:
        """The number of the first game from `number` on that is not taken; games + 1 if there is none."""
        found = self._taken[pair].find(0, number)
        return found if found >= 0 else self._pairs[pair].games + 1
