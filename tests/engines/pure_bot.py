"""A second right bot, in pure Python: sets of points, nothing compiled, nothing shared with plain_bot.py.

The third witness, for small boards: 90 playouts a second on 9x9, 1,500 on 4x4. A position is a pair of
frozen sets, Black's stones and White's; a playout draws from the shuffled empty points until one is allowed,
which is a uniform draw among those that are. It knows `ref-playouts`, but neither `ref-stats` nor `ref-amaf`,
and it always searches, also when it has to pass.
"""

from __future__ import annotations

import argparse
import math
import random
import sys
from collections import Counter
from dataclasses import dataclass
from functools import cache

Point = tuple[int, int]  # column and row, from 0
Stones = frozenset[Point]
COLUMNS = "ABCDEFGHJKLMNOPQRSTUVWXYZ"


class Wrong(Exception):  # noqa: N818 - the answer to a command, not a bug
    """A command that cannot be obeyed; its text is the answer."""


@cache
def beside(point: Point, size: int) -> tuple[Point, ...]:
    x, y = point
    return tuple(p for p in ((x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1)) if set(p) <= set(range(size)))


@cache
def across(point: Point, size: int) -> tuple[Point, ...]:
    x, y = point
    corners = ((x - 1, y - 1), (x + 1, y - 1), (x - 1, y + 1), (x + 1, y + 1))
    return tuple(p for p in corners if set(p) <= set(range(size)))


@cache
def all_points(size: int) -> Stones:
    return frozenset((x, y) for x in range(size) for y in range(size))


def connected(start: Point, within: Stones, size: int) -> Stones:
    """The points of `within` that can be reached from `start` inside it."""
    reached, frontier = {start}, [start]
    while frontier:
        news = {p for p in beside(frontier.pop(), size) if p in within} - reached
        reached |= news
        frontier += news
    return frozenset(reached)


def liberties(chain: Stones, taken: Stones, size: int) -> Stones:
    return frozenset(p for stone in chain for p in beside(stone, size)) - taken


@dataclass(frozen=True)
class Board:
    """Stones of both colours, and the point where the next player may not retake."""

    size: int
    black: Stones = frozenset()
    white: Stones = frozenset()
    ko: tuple[Point, str] | None = None

    @property
    def empty(self) -> Stones:
        return all_points(self.size) - self.black - self.white

    def sides(self, colour: str) -> tuple[Stones, Stones]:
        return (self.black, self.white) if colour == "b" else (self.white, self.black)

    def after(self, point: Point, colour: str) -> Board | None:
        """The board after a stone on an empty point; None if that is suicide. Ko is not looked at."""
        mine, theirs = self.sides(colour)
        mine |= {point}
        dead: set[Point] = set()
        for enemy in set(beside(point, self.size)) & theirs:
            chain = connected(enemy, theirs, self.size)
            if not liberties(chain, mine | theirs, self.size):
                dead |= chain
        theirs -= dead
        own = connected(point, mine, self.size)
        if not liberties(own, mine | theirs, self.size):
            return None
        ko = (next(iter(dead)), other(colour)) if len(dead) == len(own) == 1 else None
        black, white = (mine, theirs) if colour == "b" else (theirs, mine)
        return Board(self.size, black, white, ko)

    def after_pass(self) -> Board:
        return Board(self.size, self.black, self.white)

    def is_eye(self, point: Point, colour: str) -> bool:
        mine, theirs = self.sides(colour)
        corners = across(point, self.size)
        allowed = 1 if len(corners) == 4 else 0
        return mine >= set(beside(point, self.size)) and len(theirs & set(corners)) <= allowed

    def lead(self) -> int:
        """Black's area less White's."""
        total, unseen = len(self.black) - len(self.white), set(self.empty)
        while unseen:
            region = connected(unseen.pop(), self.empty, self.size)
            unseen -= region
            shore = {p for point in region for p in beside(point, self.size)}
            sees_black, sees_white = bool(shore & self.black), bool(shore & self.white)
            total += len(region) * (sees_black - sees_white)
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
    points = sorted(board.empty)
    dice.shuffle(points)
    for point in points:
        if (point, colour) != board.ko and not board.is_eye(point, colour):
            after = board.after(point, colour)
            if after:
                return point, after
    return None


def play_out(board: Board, colour: str, game_moves: int, dice: random.Random) -> Playout:
    length = passes = 0
    first: dict[Point, str] = {}
    while passes < 2 and (length == 0 or game_moves + length < 3 * board.size**2):
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

    def __init__(self, size: int, komi: float, playouts: int, dice: random.Random) -> None:
        self.komi, self.playouts, self.dice = komi, playouts, dice
        self.nodes, self.wins = 0, 0.0
        self.game = [Board(size)]

    @property
    def board(self) -> Board:
        return self.game[-1]

    def legal(self, point: Point, colour: str) -> Board | None:
        """The board after a move that the game allows: no suicide, no earlier position again."""
        after = self.board.after(point, colour) if point in self.board.empty else None
        if after and any((after.black, after.white) == (past.black, past.white) for past in self.game):
            return None
        return after

    def search(self, colour: str) -> dict[Point, float]:
        """Run the playouts; the win rate of each point that was seen."""
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
        empty = sorted(self.board.empty)
        candidates = [p for p in empty if not self.board.is_eye(p, colour) and self.legal(p, colour)]
        rates = self.search(colour)
        if not candidates:
            self.game.append(self.board.after_pass())
            return "pass"
        best = max((rates[p] for p in candidates if p in rates), default=None)
        point = self.dice.choice([p for p in candidates if best is None or rates.get(p) == best])
        self.game.append(self.legal(point, colour))
        return f"{COLUMNS[point[0]]}{point[1] + 1}"

    def play(self, colour: str, vertex: str) -> str:
        if vertex == "PASS":
            self.game.append(self.board.after_pass())
            return ""
        if vertex[0] not in COLUMNS or not vertex[1:].isdecimal():
            raise Wrong("syntax error")
        after = self.legal((COLUMNS.index(vertex[0]), int(vertex[1:]) - 1), colour)
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
            if not 1 < int(words[0]) < 20:
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
    options = parser.parse_args()
    engine = Engine(options.size, options.komi, options.playouts, random.Random(options.seed))
    sys.stdin.reconfigure(encoding="latin-1")
    name = ""
    while name != "quit" and (line := sys.stdin.readline()):
        text = "".join(c for c in line.partition("#")[0].replace("\t", " ") if c.isprintable())
        words = text.split()
        if not words:
            continue
        number = words.pop(0) if words[0].isdecimal() else ""
        name = words.pop(0) if words else ""
        try:
            print(f"={number} {engine.obey(name, words)}".rstrip(" "), end="\n\n", flush=True)
        except Wrong as wrong:
            print(f"?{number} {wrong}", end="\n\n", flush=True)
        except (IndexError, ValueError):
            print(f"?{number} syntax error", end="\n\n", flush=True)


if __name__ == "__main__":
    main()
