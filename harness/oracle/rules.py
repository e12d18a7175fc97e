"""The rules of one playout move, implemented independently of the referee and of the bot.

A board is a row of bytes (0 empty, 1 black, 2 white), lowest row first; a point is an index into it.
"""

from __future__ import annotations

from typing import NamedTuple

from harness.go import diagonals, neighbours

EMPTY, BLACK, WHITE = 0, 1, 2
NO_KO = -1

Board = bytes
_ChainOf = dict[int, tuple[list[int], set[int]]]  # for each stone: its chain and the chain's liberties


class Step(NamedTuple):
    """One playout move and the board after it."""

    point: int
    board: Board
    ko: int  # the point where the opponent may not retake at once, or NO_KO


class PlayoutRules:
    """Clauses `uniform`, `simple-ko`, `eye`, `no-suicide` and `area-scoring` on a board of one size."""

    def __init__(self, size: int) -> None:
        self.size = size
        self._neighbours = neighbours(size)
        self._diagonals = diagonals(size)
        self._steps: dict[tuple[Board, int], tuple[Step, ...]] = {}

    @property
    def boards(self) -> int:
        """Number of boards, with the side to move, whose moves are remembered."""
        return len(self._steps)

    def steps(self, board: Board, mover: int, ko: int) -> tuple[Step, ...]:
        """The moves that a playout draws from, all equally likely; without any the mover must pass."""
        known = self._steps.get((board, mover))
        if known is None:
            known = self._steps[board, mover] = self._find_steps(board, mover)
        return known if ko == NO_KO else tuple(step for step in known if step.point != ko)

    def margin(self, board: Board) -> int:
        """Black's stones and own regions less White's."""
        score = board.count(BLACK) - board.count(WHITE)
        for region, reached in self._groups(board, EMPTY):
            contents = {board[point] for point in reached}
            if contents == {BLACK}:
                score += len(region)
            elif contents == {WHITE}:
                score -= len(region)
        return score

    def _find_steps(self, board: Board, mover: int) -> tuple[Step, ...]:
        enemy = BLACK + WHITE - mover
        own_chain: _ChainOf = {}
        enemy_chain: _ChainOf = {}
        for chain_of, colour in ((own_chain, mover), (enemy_chain, enemy)):
            for chain, around in self._groups(board, colour):
                liberties = {point for point in around if board[point] == EMPTY}
                chain_of.update(dict.fromkeys(chain, (chain, liberties)))

        steps = []
        for point, content in enumerate(board):
            if content != EMPTY or self._is_eye(board, mover, point):
                continue
            beside = self._neighbours[point]
            taken = {
                stone
                for enemy_stone in beside
                if enemy_stone in enemy_chain and enemy_chain[enemy_stone][1] == {point}
                for stone in enemy_chain[enemy_stone][0]
            }
            breathes = any(
                board[other] == EMPTY or (other in own_chain and len(own_chain[other][1]) > 1)
                for other in beside
            )
            if not taken and not breathes:
                continue  # suicide
            after = bytearray(board)
            after[point] = mover
            for stone in taken:
                after[stone] = EMPTY
            # A single stone that captured a single stone and has no other liberty could be retaken at once.
            lone = all(after[other] == enemy or other in taken for other in beside)
            ko = taken.pop() if len(taken) == 1 and lone else NO_KO
            steps.append(Step(point, bytes(after), ko))
        return tuple(steps)

    def _is_eye(self, board: Board, colour: int, point: int) -> bool:
        if any(board[beside] != colour for beside in self._neighbours[point]):
            return False
        corners = self._diagonals[point]
        enemies = sum(1 for corner in corners if board[corner] == BLACK + WHITE - colour)
        return enemies == 0 or (enemies == 1 and len(corners) == 4)

    def _groups(self, board: Board, content: int) -> list[tuple[list[int], set[int]]]:
        """The connected groups of points with one content, each with the points around it."""
        groups = []
        seen: set[int] = set()
        for start, found in enumerate(board):
            if found != content or start in seen:
                continue
            seen.add(start)
            group, around = [start], set()
            for point in group:  # grows while it is walked
                for beside in self._neighbours[point]:
                    if board[beside] != content:
                        around.add(beside)
                    elif beside not in seen:
                        seen.add(beside)
                        group.append(beside)
            groups.append((group, around))
        return groups
