"""A plain bot that follows the specification: the harness's right answer that is not refbot.

One file, and nothing of either package in it. The board is a square array with a border, every capture is a
flood fill, every playout move lists the empty points and draws from them with the Mersenne Twister. Obvious
rather than fast: the loops are compiled, nothing else is done for speed.

Where the specification leaves a choice, this bot takes the less usual one: it knows none of the optional
private commands, plays on 2x2 to 13x13 only, words its errors in its own way, puts a blank after a bare `=`,
and without a candidate passes at once, `ref-nodes` being 0 then (it searches with `--search-when-passing`).

Rows and columns are counted from 1 here, row 1 being GTP's row 1; (0, 0) lies on the border and means "none".
"""

from __future__ import annotations

import argparse
import hashlib
import random
import re
import secrets
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import numba
import numpy as np
from numba import njit

EMPTY, BLACK, WHITE, EDGE, VISITED = 0, 1, 2, 3, 4
LETTERS = "ABCDEFGHJKLMNOPQRSTUVWXYZ"
SMALLEST, LARGEST = 2, 13
SIDES = ((1, 0), (-1, 0), (0, 1), (0, -1))
DIAGONALS = ((1, 1), (1, -1), (-1, 1), (-1, -1))


# --- the rules: compiled, and each small enough that wrong_bots.py can replace it -----------------


def new_board(size: int) -> np.ndarray:
    """An empty board in its border."""
    board = np.full((size + 2, size + 2), EDGE, np.int8)
    board[1 : size + 1, 1 : size + 1] = EMPTY
    return board


@njit
def has_liberty(board, row, col):
    """Whether the chain at a stone touches an empty point: a flood fill that stops at the first one."""
    colour = board[row, col]
    chain = np.empty((board.size, 2), np.int8)
    chain[0, 0], chain[0, 1] = row, col
    board[row, col] = VISITED
    found, looked_at, free = 1, 0, False
    while looked_at < found and not free:
        for down, right in SIDES:
            r, c = chain[looked_at, 0] + down, chain[looked_at, 1] + right
            if board[r, c] == EMPTY:
                free = True
            elif board[r, c] == colour:
                board[r, c] = VISITED
                chain[found, 0], chain[found, 1] = r, c
                found += 1
        looked_at += 1
    for i in range(found):
        board[chain[i, 0], chain[i, 1]] = colour
    return free


@njit
def remove_chain(board, row, col):
    """Take a chain off the board; how many stones it had."""
    colour = board[row, col]
    chain = np.empty((board.size, 2), np.int8)
    chain[0, 0], chain[0, 1] = row, col
    board[row, col] = EMPTY
    found, looked_at = 1, 0
    while looked_at < found:
        for down, right in SIDES:
            r, c = chain[looked_at, 0] + down, chain[looked_at, 1] + right
            if board[r, c] == colour:
                board[r, c] = EMPTY
                chain[found, 0], chain[found, 1] = r, c
                found += 1
        looked_at += 1
    return found


@njit
def is_suicide(board, row, col, colour):
    """Whether a stone on this empty point would leave its own chain without a liberty and capture nothing."""
    for down, right in SIDES:
        if board[row + down, col + right] == EMPTY:
            return False
    board[row, col] = colour
    breathes = has_liberty(board, row, col)
    for down, right in SIDES:
        r, c = row + down, col + right
        if board[r, c] == 3 - colour and not has_liberty(board, r, c):
            breathes = True
    board[row, col] = EMPTY
    return not breathes


@njit
def is_eye(board, row, col, colour):
    """Whether an empty point is a one-point eye of this colour."""
    for down, right in SIDES:
        neighbour = board[row + down, col + right]
        if neighbour not in (colour, EDGE):
            return False
    enemies, at_edge = 0, False
    for down, right in DIAGONALS:
        corner = board[row + down, col + right]
        if corner == EDGE:
            at_edge = True
        elif corner == 3 - colour:
            enemies += 1
    return enemies == 0 if at_edge else enemies <= 1


@njit
def place(board, row, col, colour):
    """Put a stone, take what it captures; the point where the enemy may not retake, (0, 0) if none."""
    board[row, col] = colour
    captured, taken_row, taken_col, alone = 0, 0, 0, True
    for down, right in SIDES:
        r, c = row + down, col + right
        if board[r, c] == colour:
            alone = False
        elif board[r, c] == 3 - colour and not has_liberty(board, r, c):
            captured += remove_chain(board, r, c)
            taken_row, taken_col = r, c
    if alone and captured == 1:
        return taken_row, taken_col
    return 0, 0


@njit
def area_difference(board):
    """Black's stones and territory less White's."""
    size = board.shape[0] - 2
    rest = board.copy()
    region = np.empty((board.size, 2), np.int8)
    difference = 0
    for row in range(1, size + 1):
        for col in range(1, size + 1):
            if board[row, col] == BLACK:
                difference += 1
            elif board[row, col] == WHITE:
                difference -= 1
            elif rest[row, col] == EMPTY:
                region[0, 0], region[0, 1] = row, col
                rest[row, col] = VISITED
                points, looked_at, sees_black, sees_white = 1, 0, False, False
                while looked_at < points:
                    for down, right in SIDES:
                        r, c = region[looked_at, 0] + down, region[looked_at, 1] + right
                        if rest[r, c] == EMPTY:
                            rest[r, c] = VISITED
                            region[points, 0], region[points, 1] = r, c
                            points += 1
                        elif rest[r, c] == BLACK:
                            sees_black = True
                        elif rest[r, c] == WHITE:
                            sees_white = True
                    looked_at += 1
                if sees_black and not sees_white:
                    difference += points
                elif sees_white and not sees_black:
                    difference -= points
    return difference


# --- one playout, one search ----------------------------------------------------------------------


@njit
def seed_dice(seed):
    np.random.seed(seed)


@njit
def random_below(n):
    return np.random.randint(0, n)


@njit
def may_draw(board, row, col, colour, ko_row, ko_col):
    """Whether a playout may play here."""
    if board[row, col] != EMPTY or (row == ko_row and col == ko_col):
        return False
    return not is_eye(board, row, col, colour) and not is_suicide(board, row, col, colour)


@njit
def pick_move(board, colour, ko_row, ko_col):
    """One of the points allowed in a playout, all equally likely; (0, 0), a pass, if there is none.

    Empty points are drawn until one is allowed: it is as if it had been drawn among the allowed ones.
    """
    size = board.shape[0] - 2
    points = np.empty((size * size, 2), np.int8)
    n = 0
    for row in range(1, size + 1):
        for col in range(1, size + 1):
            if board[row, col] == EMPTY:
                points[n, 0], points[n, 1] = row, col
                n += 1
    while n > 0:
        drawn = random_below(n)
        row, col = int(points[drawn, 0]), int(points[drawn, 1])
        if may_draw(board, row, col, colour, ko_row, ko_col):
            return row, col
        n -= 1
        points[drawn, 0], points[drawn, 1] = points[n, 0], points[n, 1]
    return 0, 0


@njit
def note_move(first_at, row, col, colour):
    """Remember who was the first to play on a point in this playout."""
    if first_at[row, col] == EMPTY:
        first_at[row, col] = colour


@njit
def ko_after_pass(ko_row, ko_col):
    """The ban that is left when a side has passed: none."""
    return 0, 0


@njit
def passes_after_move(passes):
    """How many passes in a row there are when a stone has been played: none."""
    return 0


@njit
def playout(board, first_at, to_move, ko_row, ko_col, game_moves):
    """Play one random game to its end on `board`; its number of moves, passes included."""
    size = board.shape[0] - 2
    cap = 3 * size * size
    colour = to_move
    length, passes = 0, 0
    while True:
        row, col = pick_move(board, colour, ko_row, ko_col)
        length += 1
        if row == 0:
            passes += 1
            ko_row, ko_col = ko_after_pass(ko_row, ko_col)
        else:
            passes = passes_after_move(passes)
            ko_row, ko_col = place(board, row, col, colour)
            note_move(first_at, row, col, colour)
        if passes == 2 or game_moves + length >= cap:
            return length
        colour = 3 - colour


@njit
def result(board, komi, colour):
    """1 if this colour has won the finished game, 0 if it has lost, 1/2 for a draw."""
    lead = area_difference(board) - komi
    if lead == 0:
        return 0.5
    return 1.0 if (lead > 0) == (colour == BLACK) else 0.0


@njit
def credit(first_at, to_move, won, visits, wins):
    """Enter a playout in the records of the points where the side to move was first of either side."""
    for row in range(1, first_at.shape[0] - 1):
        for col in range(1, first_at.shape[1] - 1):
            if first_at[row, col] == to_move:
                visits[row, col] += 1
                wins[row, col] += won


@njit
def search(board, to_move, ko_row, ko_col, game_moves, komi, playouts, visits, wins):
    """Run the playouts, add to `visits` and `wins`; the number of all their moves, the sum of results."""
    nodes, score = 0, 0.0
    for _ in range(playouts):
        trial = board.copy()
        first_at = np.zeros_like(board)
        nodes += playout(trial, first_at, to_move, ko_row, ko_col, game_moves)
        won = result(trial, komi, to_move)
        score += won
        credit(first_at, to_move, won, visits, wins)
    return nodes, score


# --- the game -------------------------------------------------------------------------------------


class Position(NamedTuple):
    """What a move changes. The ban: no stone of this colour on this point at the next move."""

    board: np.ndarray
    ban: tuple[int, int, int]


class Game:
    """The positions of the game, the present one last."""

    def __init__(self, size: int) -> None:
        self.size = size
        self.past = [Position(new_board(size), (0, 0, EMPTY))]
        self.boards_seen = [self.past[0].board.tobytes()]

    @property
    def board(self) -> np.ndarray:
        return self.past[-1].board

    @property
    def moves(self) -> int:
        """How many moves the game has, passes included."""
        return len(self.past) - 1

    def ban_for(self, colour: int) -> tuple[int, int]:
        row, col, banned = self.past[-1].ban
        return (row, col) if banned == colour else (0, 0)

    def after(self, row: int, col: int, colour: int) -> Position | None:
        """The position after a move; none if the move is not legal."""
        if self.board[row, col] != EMPTY or is_suicide(self.board, row, col, colour):
            return None
        board = self.board.copy()
        ban = place(board, row, col, colour)
        return None if self.repeats(board) else Position(board, (*ban, 3 - colour))

    def repeats(self, board: np.ndarray) -> bool:
        """Positional superko: whether the game has had this board before, whoever was to move."""
        return board.tobytes() in self.boards_seen

    def add(self, position: Position) -> None:
        self.past.append(position)
        self.boards_seen.append(position.board.tobytes())

    def play(self, row: int, col: int, colour: int) -> bool:
        """Make a move if it is legal; whether it was."""
        position = self.after(row, col, colour)
        if position is None:
            return False
        self.add(position)
        return True

    def play_pass(self) -> None:
        self.add(Position(self.board, (0, 0, EMPTY)))

    def undo(self) -> bool:
        if len(self.past) == 1:
            return False
        self.past.pop()
        self.boards_seen.pop()
        return True

    def candidates(self, colour: int) -> list[tuple[int, int]]:
        """What the bot may choose from: legal, and no one-point eye of its own."""
        lines = range(1, self.size + 1)
        return [
            (row, col)
            for row in lines
            for col in lines
            if self.after(row, col, colour) and not is_eye(self.board, row, col, colour)
        ]


# --- the engine -----------------------------------------------------------------------------------


class RefusalError(Exception):
    """A command that fails, with the text of the failure."""


class Bot:
    """One engine: the GTP commands are the methods named `do_…`, a dash in a name being an underscore."""

    def __init__(self, size: int, komi: float, playouts: int, seed: int, search_when_passing: bool) -> None:
        self.komi = komi
        self.playouts = playouts
        self.seed = seed
        self.search_when_passing = search_when_passing
        self.nodes, self.score = 0, 0.0
        self.dice = random.Random(seed)
        self.dice_seeded = False  # that takes numba half a second, and many a process never searches
        self.start(size)

    def start(self, size: int) -> None:
        """A new game."""
        self.game = Game(size)
        self.visits = np.zeros((size + 2, size + 2), np.int64)
        self.wins = np.zeros((size + 2, size + 2))

    def think(self, colour: int) -> None:
        """One search: fills visits, wins, nodes and score."""
        self.visits[:] = 0
        self.wins[:] = 0
        self.run_playouts(colour, *self.game.ban_for(colour))

    def run_playouts(self, colour: int, ko_row: int, ko_col: int) -> None:
        """Add the playouts of one search, from the present position, to visits and wins."""
        board, moves = self.game.board, self.game.moves
        self.nodes, score = search(
            board, colour, ko_row, ko_col, moves, self.komi, self.playouts, self.visits, self.wins
        )
        self.score = score / self.playouts

    def choose(self, candidates: list[tuple[int, int]]) -> tuple[int, int]:
        """The candidate with the highest rate, at random among equals; among all if none was ever seen."""
        rates = {point: self.wins[point] / self.visits[point] for point in candidates if self.visits[point]}
        if not rates:
            return self.dice.choice(candidates)
        best = max(rates.values())
        return self.dice.choice([point for point, rate in rates.items() if rate == best])

    # required commands

    def do_protocol_version(self) -> str:
        return "2"

    def do_name(self) -> str:
        return "Plain Bot"

    def do_version(self) -> str:
        return "1"

    def do_list_commands(self) -> str:
        return "\n".join(commands())

    def do_known_command(self, name: str) -> str:
        return "true" if name in commands() else "false"

    def do_quit(self) -> str:
        return ""

    def do_boardsize(self, text: str) -> str:
        size = read_integer(text)
        if not SMALLEST <= size <= LARGEST:
            raise RefusalError("unacceptable size")
        self.start(size)
        return ""

    def do_clear_board(self) -> str:
        self.start(self.game.size)
        return ""

    def do_komi(self, text: str) -> str:
        self.komi = read_komi(text)
        return ""

    def do_play(self, colour_text: str, vertex_text: str) -> str:
        colour = read_colour(colour_text)
        if vertex_text.lower() == "pass":
            self.game.play_pass()
            return ""
        row, col = read_vertex(vertex_text)
        if max(row, col) > self.game.size or not self.game.play(row, col, colour):
            raise RefusalError("illegal move")
        return ""

    def do_genmove(self, colour_text: str) -> str:
        colour = read_colour(colour_text)
        if not self.dice_seeded:
            seed_dice(self.seed)
            self.dice_seeded = True
        candidates = self.game.candidates(colour)
        self.nodes, self.score = 0, 0.0
        if candidates or self.search_when_passing:
            self.think(colour)
        if not candidates:
            self.game.play_pass()
            return "pass"
        row, col = self.choose(candidates)
        self.game.play(row, col, colour)
        return f"{LETTERS[col - 1]}{row}"

    # commands beyond the required ones

    def do_undo(self) -> str:
        if not self.game.undo():
            raise RefusalError("cannot undo")
        return ""

    def do_final_score(self) -> str:
        lead = float(area_difference(self.game.board)) - self.komi
        return f"{'B' if lead > 0 else 'W'}+{abs(lead):g}" if lead else "0"

    def do_ref_nodes(self) -> str:
        return str(self.nodes)

    def do_ref_score(self) -> str:
        return f"{self.score:.6f}"


def commands() -> dict[str, Callable[..., str]]:
    """The GTP commands by name."""
    return {gtp_name(name): method for name, method in vars(Bot).items() if name.startswith("do_")}


def gtp_name(method_name: str) -> str:
    """Only the private commands have a dash in GTP; the standard ones keep the underscore."""
    name = method_name.removeprefix("do_")
    return name.replace("_", "-") if name.startswith("ref_") else name


def read_integer(text: str) -> int:
    if not re.fullmatch(r"-?[0-9]{1,9}", text):
        raise RefusalError(f"a whole number was wanted, not {text}")
    return int(text)


def read_komi(text: str) -> float:
    if not re.fullmatch(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]{1,2})?", text):
        raise RefusalError(f"a number was wanted, not {text}")
    return float(text)


def read_colour(text: str) -> int:
    colour = {"b": BLACK, "black": BLACK, "w": WHITE, "white": WHITE}.get(text.lower())
    if colour is None:
        raise RefusalError(f"a colour was wanted, not {text}")
    return colour


def read_vertex(text: str) -> tuple[int, int]:
    found = re.fullmatch(r"([A-HJ-Z])([1-9]|1[0-9]|2[0-5])", text.upper())
    if not found:
        raise RefusalError(f"a vertex was wanted, not {text}")
    return int(found[2]), LETTERS.index(found[1]) + 1


def answer(bot: Bot, words: list[str]) -> tuple[bool, str]:
    """Obey one command; whether it succeeded, and its answer."""
    if not words:
        return False, "an id, but no command"
    method = commands().get(words[0])
    if method is None:
        return False, f"no such command: {words[0]}"
    wanted = method.__code__.co_argcount - 1
    if len(words) - 1 < wanted:
        return False, f"{words[0]} wants {wanted} arguments"
    try:
        return True, method(bot, *words[1 : 1 + wanted])
    except RefusalError as refusal:
        return False, str(refusal)


def serve(bot: Bot) -> None:
    """Answer commands from stdin on stdout until `quit` or the end of the input."""
    for raw in sys.stdin.buffer:
        line = raw.decode("latin-1").split("#")[0].replace("\t", " ")
        words = "".join(sign for sign in line if " " <= sign <= "~").split()
        if not words:
            continue
        number = words.pop(0) if re.fullmatch("[0-9]+", words[0]) else ""
        succeeded, text = answer(bot, words)
        sys.stdout.write(f"{'=' if succeeded else '?'}{number} {text}\n\n")
        sys.stdout.flush()
        if words and words[0] == "quit":
            return


# --- starting up ----------------------------------------------------------------------------------


def keep_compiled(variant: str, sources: list[str]) -> None:
    """Keep what numba compiles, in a folder for this variant of this source: callees may be replaced."""
    digest = hashlib.sha256(b"".join(Path(source).read_bytes() for source in sources)).hexdigest()[:16]
    try:
        folder = Path.home() / ".cache" / "plain-bot" / f"{variant}-{digest}"
        folder.mkdir(parents=True, exist_ok=True)
    except (OSError, RuntimeError):  # no home, or none that can be written to
        folder = Path(tempfile.mkdtemp(prefix="plain-bot-"))
    numba.config.CACHE_DIR = str(folder)
    for name in ("is_suicide", "is_eye", "place", "area_difference", "seed_dice", "search"):
        globals()[name].enable_caching()


def option_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description="A plain bot that follows the specification, on GTP.")
    parser.add_argument("--playouts", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=None, help="0 to 2^32-1; without it, a new one each time")
    parser.add_argument("--size", type=int, default=9, choices=range(SMALLEST, LARGEST + 1))
    parser.add_argument("--komi", type=float, default=7.5)
    parser.add_argument("--search-when-passing", action="store_true", help="search even without a candidate")
    return parser


def run(options: argparse.Namespace) -> None:
    seed = secrets.randbits(32) if options.seed is None else options.seed
    serve(Bot(options.size, options.komi, options.playouts, seed, options.search_when_passing))


def main() -> None:
    options = option_parser().parse_args()
    keep_compiled("right", [__file__])
    run(options)


if __name__ == "__main__":
    main()
