"""Finds duplicates, which repeat an earlier game: a sign of bots whose random numbers are always the same.

A repeated game shows nothing new, so it does not count for the verdict on a pair. But short games repeat by
chance: a bot that always resigns at its first move plays equal games. To leave these out would bias the
verdict by how games end, so only a long game can be a duplicate.
"""

from __future__ import annotations

from harness.arena.store.rows import GameResult

LEAST_MOVES = 20
"""Least number of moves of a duplicate, opening excluded.

With a larger number, more repeated games of bots with a fixed seed are counted; with a smaller one, games of
right bots are left out because they are alike by chance. Set by the worst case, strong bots on 5x5:
in 400 games of refbot with 1,000 playouts per search, 282 of 79,800 pairs of games agreed, up to rotation and
reflection, in the first 10 moves, 93 in the first 15, 5 in the first 20, none in the first 26. All games had
at least 25 moves, and no two whole games were alike.
"""
LEAST_SIZE = 5
"""Least size of the board of a duplicate. On smaller boards right bots repeat long games by chance."""


class Duplicates:
    """Finds duplicates among games that come in the order of the schedule.

    A duplicate has the pair, colours and moves of an earlier game, up to a rotation or reflection of the
    board. A game with the same moves and exchanged colours is no duplicate.
    """

    def __init__(self) -> None:
        self.found: dict[str, str] = {}  # game: the earlier game
        # By pair, black engine, and moves up to rotation and reflection: the first game.
        self._first: dict[tuple[int, str, bytes], str] = {}

    def add(self, result: GameResult) -> bool:
        """Add the next game. Return True if it is a duplicate; a void or short game never is."""
        if result.void or result.own_moves < LEAST_MOVES or result.size < LEAST_SIZE:
            return False
        earlier = self._first.setdefault((result.pair, result.black, result.shape), result.game_id)
        if earlier == result.game_id:
            return False
        self.found[result.game_id] = earlier
        return True
