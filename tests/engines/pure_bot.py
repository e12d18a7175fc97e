"""A second right bot, in pure Python: sets of points, nothing compiled, nothing shared with plain_bot.py.

The third witness: about 700 playouts a second on 9x9. A set of points is an integer with a bit for each of
them, and a point is a set of one. Every row has one bit more, which is never set, so that a shift moves no
point from one edge to the other. A position is a pair of sets, Black's stones and White's; a playout draws
from the empty points until one is allowed, which is a uniform draw among those that are. It knows
`ref-playouts`, but neither `ref-stats` nor `ref-amaf`, and it always searches, also when it has to pass.
"""

from __future__ import annotations

import argparse
import math
import random
import sys
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

Points = int
Point = Points  # one of them
COLUMNS = "ABCDEFGHJKLMNOPQRSTUVWXYZ"


class Wrong(Exception):  # noqa: N818 - the answer to a command, not a bug
    """A command that cannot be obeyed; its text is the answer."""


@cache
def all_points(size: int) -> Points:
    return sum(point_at(x, y, size) for x in range(size) for y in range(size))


def point_at(x: int, y: int, size: int) -> Point:
    """The point in a column and a row, both from 0."""
    return 1 << (y * (size + 1) + x)


def vertex_of(point: Point, size: int) -> str:
    row, column = divmod(point.bit_length() - 1, size + 1)
    return f"{COLUMNS[column]}{row + 1}"


def each(points: Points) -> Iterator[Point]:
    while points:
        point = points & -points
        yield point
        points ^= point


def beside(points: Points, size: int) -> Points:
    """The points next to any of these along the lines, some of these with them."""
    row = size + 1
    return (points << 1 | points >> 1 | points << row | points >> row) & all_points(size)


@cache
def across(point: Point, size: int) -> Points:
    """The points next to a point along the diagonals."""
    row = size + 1
    up, down = point << row, point >> row
    return (up << 1 | up >> 1 | down << 1 | down >> 1) & all_points(size)


def connected(start: Points, within: Points, size: int) -> Points:
    """The points of `within` that can be reached from `start` inside it."""
    reached, grown = 0, start
    while grown != reached:
        reached, grown = grown, (grown | beside(grown, size)) & within
    return reached


def without_liberty(start: Points, stones: Points, empty: Points, size: int) -> Points:
    """The chain of `stones` at `start` if no point of `empty` is beside it, else none."""
    reached, grown = 0, start
    while grown != reached:
        around = beside(grown, size)
        if around & empty:
            return 0
        reached, grown = grown, (grown | around) & stones
    return reached


@dataclass(frozen=True)
class Board:
    """Stones of both colours, and the point where the next player may not retake."""

    size: int
    black: Points = 0
    white: Points = 0
    ko: tuple[Point, str] | None = None

    @property
    def empty(self) -> Points:
        return all_points(self.size) & ~(self.black | self.white)

    def sides(self, colour: str) -> tuple[Points, Points]:
        return (self.black, self.white) if colour == "b" else (self.white, self.black)

    def after(self, point: Point, colour: str) -> Board | None:
        """The board after a stone on an empty point; None if that is suicide. Ko is not looked at."""
        mine, theirs = self.sides(colour)
        mine |= point
        empty = self.empty & ~point
        around = beside(point, self.size)
        dead = 0
        for enemy in each(around & theirs):
            if not enemy & dead:
                dead |= without_liberty(enemy, theirs, empty, self.size)
        theirs &= ~dead
        if not around & (empty | dead) and without_liberty(point, mine, empty | dead, self.size):
            return None
        alone = not around & mine
        ko = (dead, other(colour)) if alone and dead.bit_count() == 1 else None
        black, white = (mine, theirs) if colour == "b" else (theirs, mine)
        return Board(self.size, black, white, ko)

    def after_pass(self) -> Board:
        return Board(self.size, self.black, self.white)

    def is_eye(self, point: Point, colour: str) -> bool:
        mine, theirs = self.sides(colour)
        if beside(point, self.size) & ~mine:
            return False
        corners = across(point, self.size)
        allowed = 1 if corners.bit_count() == 4 else 0
        return (theirs & corners).bit_count() <= allowed

    def lead(self) -> int:
        """Black's area less White's."""
        total, unseen = self.black.bit_count() - self.white.bit_count(), self.empty
        while unseen:
            region = connected(unseen & -unseen, self.empty, self.size)
            unseen &= ~region
            shore = beside(region, self.size)
            sees_black, sees_white = bool(shore & self.black), bool(shore & self.white)
            total += region.bit_count() * (sees_black - sees_white)
        return total


def other(colour: str) -> str:
    return "w" if colour == "b" else "b"


@dataclass(frozen=True)
class Playout:
    """What one random game leaves: its length, Black's area lead, and who was first on each point."""

    length: int
    lead: int
    first: dict[Point, str]


def random_move(board: Board, colour: str, dice: random.Random) -> tuple[Point, Board] | None:
    """A point that a playout may play, uniformly, with the board after it; None when there is none."""
    points = list(each(board.empty))
    while points:
        drawn = int(dice.random() * len(points))
        point, points[drawn] = points[drawn], points[-1]
        points.pop()
        if (point, colour) != board.ko and not board.is_eye(point, colour):
            after = board.after(point, colour)
            if after:
                return point, after
    return None


PASSES_AT_END = 2  # of a playout
ANSWERS_WITH_ID = True
"""`wrong_pure.py` changes these."""


def play_out(board: Board, colour: str, game_moves: int, dice: random.Random) -> Playout:
    length = passes = 0
    first: dict[Point, str] = {}
    while passes < PASSES_AT_END and (length == 0 or game_moves + length < 3 * board.size**2):
        move = random_move(board, colour, dice)
        if move:
            passes = 0
            point, board = move
            first.setdefault(point, colour)
        else:
            passes += 1
            board = board.after_pass()
        length += 1
        colour = other(colour)
    return Playout(length, board.lead(), first)


class Engine:
    """The game, the last search, and one method a command."""

    think = 0.0  # seconds that every search sleeps
    largest = 19  # board

    def __init__(self, size: int, komi: float, playouts: int, dice: random.Random) -> None:
        self.komi, self.playouts, self.dice = komi, playouts, dice
        self.nodes, self.wins = 0, 0.0
        self.game = [Board(size)]

    @property
    def board(self) -> Board:
        return self.game[-1]

    def legal(self, point: Point, colour: str) -> Board | None:
        """The board after a move that the game allows: no suicide, no earlier position again."""
        after = self.board.after(point, colour) if point & self.board.empty else None
        if after and any((after.black, after.white) == (past.black, past.white) for past in self.game):
            return None
        return after

    def search(self, colour: str) -> dict[Point, float]:
        """Run the playouts; the win rate of each point that was seen."""
        time.sleep(self.think)
        visits: Counter[Point] = Counter()
        wins: Counter[Point] = Counter()
        self.nodes, self.wins = 0, 0.0
        for _ in range(self.playouts):
            playout = play_out(self.board, colour, len(self.game) - 1, self.dice)
            lead = (playout.lead - self.komi) * (1 if colour == "b" else -1)
            won = 0.5 if lead == 0 else float(lead > 0)
            self.nodes += playout.length
            self.wins += won
            for point, first in playout.first.items():
                if first == colour:
                    visits[point] += 1
                    wins[point] += won
        return {point: wins[point] / visits[point] for point in visits}

    def genmove(self, colour: str) -> str:
        empty = self.board.empty
        candidates = [p for p in each(empty) if not self.board.is_eye(p, colour) and self.legal(p, colour)]
        rates = self.search(colour)
        if not candidates:
            self.game.append(self.board.after_pass())
            return "pass"
        best = max((rates[p] for p in candidates if p in rates), default=None)
        point = self.dice.choice([p for p in candidates if best is None or rates.get(p) == best])
        self.game.append(self.legal(point, colour))
        return vertex_of(point, self.board.size)

    def play(self, colour: str, vertex: str) -> str:
        if vertex == "PASS":
            self.game.append(self.board.after_pass())
            return ""
        if vertex[0] not in COLUMNS or not vertex[1:].isdecimal():
            raise Wrong("syntax error")
        column, row, size = COLUMNS.index(vertex[0]), int(vertex[1:]) - 1, self.board.size
        on_board = column < size and 0 <= row < size
        after = self.legal(point_at(column, row, size), colour) if on_board else None
        if not after:
            raise Wrong("illegal move")
        self.game.append(after)
        return ""

    def obey(self, name: str, words: list[str]) -> str:
        """Run one command and return its answer. IndexError and ValueError mean bad arguments."""
        if name == "protocol_version":
            return "2"
        if name == "name":
            return "Pure Bot"
        if name == "version":
            return "1"
        if name == "list_commands":
            return "\n".join(NAMES)
        if name == "known_command":
            return str(words[0] in NAMES).lower()
        if name == "boardsize":
            if not 1 < int(words[0]) <= self.largest:
                raise Wrong("unacceptable size")
            self.game = [Board(int(words[0]))]
        elif name == "clear_board":
            self.game = [Board(self.board.size)]
        elif name == "komi":
            komi = float(words[0])
            if not math.isfinite(komi):
                raise Wrong("komi is not a number")
            self.komi = komi
        elif name == "play":
            return self.play(colour_of(words[0]), words[1].upper())
        elif name == "genmove":
            return self.genmove(colour_of(words[0]))
        elif name == "undo":
            if len(self.game) == 1:
                raise Wrong("cannot undo")
            self.game.pop()
        elif name == "ref-nodes":
            return str(self.nodes)
        elif name == "ref-score":
            return str(self.wins / self.playouts)
        elif name == "ref-playouts":
            if words and int(words[0]) < 1:
                raise Wrong("at least one playout is needed")
            self.playouts = int(words[0]) if words else self.playouts
            return "" if words else str(self.playouts)
        elif name != "quit":
            raise Wrong("unknown command")
        return ""


NAMES = (
    *("protocol_version", "name", "version", "known_command", "list_commands", "quit", "boardsize"),
    *("clear_board", "komi", "play", "genmove", "undo", "ref-nodes", "ref-score", "ref-playouts"),
)


def colour_of(word: str) -> str:
    if word.lower() not in ("b", "black", "w", "white"):
        raise Wrong("syntax error")
    return word[0].lower()


def main() -> None:
    parser = argparse.ArgumentParser(description="A pure Python bot that follows the specification, on GTP.")
    parser.add_argument("--playouts", type=int, default=100)
    parser.add_argument("--seed", type=int)
    parser.add_argument("--size", type=int, default=9)
    parser.add_argument("--komi", type=float, default=7.5)
    parser.add_argument("--largest", type=int, default=19, help="the largest board that it plays on")
    parser.add_argument("--think", type=float, default=0.0, help="seconds that every search sleeps")
    options = parser.parse_args()
    engine = Engine(options.size, options.komi, options.playouts, random.Random(options.seed))
    engine.think, engine.largest = options.think, options.largest
    sys.stdin.reconfigure(encoding="latin-1")
    name = ""
    while name != "quit" and (line := sys.stdin.readline()):
        text = "".join(c for c in line.partition("#")[0].replace("\t", " ") if c.isprintable())
        words = text.split()
        if not words:
            continue
        number = words.pop(0) if words[0].isdecimal() else ""
        number = number if ANSWERS_WITH_ID else ""
        name = words.pop(0) if words else ""
        try:
            print(f"={number} {engine.obey(name, words)}".rstrip(" "), end="\n\n", flush=True)
        except Wrong as wrong:
            print(f"?{number} {wrong}", end="\n\n", flush=True)
        except (IndexError, ValueError):
            print(f"?{number} syntax error", end="\n\n", flush=True)


if __name__ == "__main__":
    main()
