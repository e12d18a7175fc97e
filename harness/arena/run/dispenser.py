"""Chooses the next game of a match: the first in schedule order that is not played and may be given out."""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Sequence

from harness.arena.pairings import Pairing
from harness.arena.records import Game


class Dispenser:
    """Gives out every game once, those with the lowest number in their pair first.

    A pair is closed when it is decided or one of its engines is benched: its games are no longer given out.
    """

    def __init__(self, pairs: Sequence[Pairing], played: Iterable[tuple[int, int]]) -> None:
        """`played`: (pair, number) of the games that are stored already."""
        self._pairs = {pair.number: pair for pair in pairs}
        self._played = {pair.number: bytearray(pair.games + 1) for pair in pairs}
        for pair, number in played:
            if pair in self._pairs and number <= self._pairs[pair].games:
                self._played[pair][number] = 1
        # Heaps of (number, pair): the next game of each pair, and the games that were given back.
        self._next = [(self._first_open(pair.number, 1), pair.number) for pair in pairs]
        heapq.heapify(self._next)
        self._returned: list[tuple[int, int]] = []
        self._closed: set[int] = set()

    def next(self) -> Game | None:
        """The next game; None if no game is left."""
        heap = self._returned or self._next
        while heap:
            number, pair = heapq.heappop(heap)
            games = self._pairs[pair].games
            if heap is self._next and number <= games and pair not in self._closed:
                heapq.heappush(heap, (self._first_open(pair, number + 1), pair))
            # `next_pair` may have given out a game that is still in the heap.
            given = heap is self._next and number <= games and self._played[pair][number]
            if number <= games and pair not in self._closed and not given:
                return self._pairs[pair].game(number)
            heap = self._returned or self._next
        return None

    def next_pair(self) -> tuple[Game, ...]:
        """The next game and, if it is left too, the game after it: the same opening with colours exchanged.

        Fixed colours give two openings, which may be played together as well.
        """
        game = self.next()
        if game is None:
            return ()
        after = game.number + 1
        played = self._played[game.pair]
        if game.number % 2 == 0 or after > self._pairs[game.pair].games or played[after]:
            return (game,)
        played[after] = 1  # so that `next` skips it
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
        ahead = sum(self._played[pair][number:].count(0) for number, pair in open_pairs)
        return ahead + sum(pair not in self._closed for _, pair in self._returned)

    def _first_open(self, pair: int, number: int) -> int:
        """The number of the first game from `number` on that is not played; games + 1 if there is none."""
        found = self._played[pair].find(0, number)
        return found if found >= 0 else self._pairs[pair].games + 1
