"""Faulty bots: plain_bot.py with one rule replaced. `wrong_bots.py NAME [options of plain_bot]`.

They were written without a look at refbot's fault registry, so the harness has not been fitted to them. Each
says which clause it breaks and what it does, and replaces as little as it can; where a compiled function is
replaced, everything that calls it is compiled anew. `wrong_bots.py --list` prints them all.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import pairwise

import numba
import numpy as np
import plain_bot
from numba import njit
from plain_bot import BLACK, DIAGONALS, EDGE, EMPTY, SIDES, WHITE

right_is_eye = plain_bot.is_eye
right_playout = plain_bot.playout
right_result = plain_bot.result
right_clear_board = plain_bot.Bot.do_clear_board
right_read_komi = plain_bot.read_komi
right_play_pass = plain_bot.Game.play_pass


@dataclass(frozen=True)
class Fault:
    """One wrong bot: `replaced` maps names in plain_bot (dotted for a method) to what takes their place."""

    name: str
    clause: str
    sentence: str
    replaced: dict[str, object] = field(default_factory=dict)

    @property
    def compiled(self) -> bool:
        return any(isinstance(part, numba.core.dispatcher.Dispatcher) for part in self.replaced.values())


FAULTS: dict[str, Fault] = {}


def wrong(name: str, clause: str, sentence: str, replaces: str) -> Callable[[object], object]:
    """Register what is decorated as the part of fault `name` that takes the place of `replaces`."""

    def register(part: object) -> object:
        fault = FAULTS.setdefault(name, Fault(name, clause, sentence))
        fault.replaced[replaces] = part
        return part

    return register


# --- uniform, eye: which point a playout draws -----------------------------------------------------


@wrong("eye-second-line", "eye", "The second line is taken for an edge: no enemy diagonal there.", "is_eye")
@njit
def strict_second_line(board, row, col, colour):
    for down, right in SIDES:
        if board[row + down, col + right] not in (colour, EDGE):
            return False
    size = board.shape[0] - 2
    enemies = 0
    for down, right in DIAGONALS:
        enemies += board[row + down, col + right] == 3 - colour
    near_edge = min(row, col) <= 2 or max(row, col) >= size - 1
    return enemies == 0 if near_edge else enemies <= 1


@wrong(
    "respects-enemy-eyes", "uniform", "A playout also leaves the opponent's one-point eyes alone.", "may_draw"
)
@njit
def outside_all_eyes(board, row, col, colour, ko_row, ko_col):
    if board[row, col] != EMPTY or (row == ko_row and col == ko_col):
        return False
    if right_is_eye(board, row, col, colour) or right_is_eye(board, row, col, 3 - colour):
        return False
    return not plain_bot.is_suicide(board, row, col, colour)


@wrong("crowded-points", "uniform", "A point has weight 1 + 0.2 for each stone beside it.", "pick_move")
@njit
def pick_crowded(board, colour, ko_row, ko_col):
    size = board.shape[0] - 2
    best_key, best_row, best_col = -1.0, 0, 0
    for row in range(1, size + 1):
        for col in range(1, size + 1):
            if plain_bot.may_draw(board, row, col, colour, ko_row, ko_col):
                weight = 1.0
                for down, right in SIDES:
                    if board[row + down, col + right] in (BLACK, WHITE):
                        weight += 0.2
                key = np.random.random() ** (1.0 / weight)  # the largest key: a draw by weight
                if key > best_key:
                    best_key, best_row, best_col = key, row, col
    return best_row, best_col


@wrong(
    "row-first", "uniform", "A row that has a legal point is drawn first, then a point in it.", "pick_move"
)
@njit
def pick_row_first(board, colour, ko_row, ko_col):
    size = board.shape[0] - 2
    rows_seen, drawn_row, drawn_col = 0, 0, 0
    for row in range(1, size + 1):
        points_seen, col_here = 0, 0
        for col in range(1, size + 1):
            if plain_bot.may_draw(board, row, col, colour, ko_row, ko_col):
                points_seen += 1
                if plain_bot.random_below(points_seen) == 0:
                    col_here = col
        if points_seen:
            rows_seen += 1
            if plain_bot.random_below(rows_seen) == 0:
                drawn_row, drawn_col = row, col_here
    return drawn_row, drawn_col


@wrong(
    "one-shuffle",
    "uniform",
    "The points are shuffled once a playout and walked round in that order.",
    "playout",
)
@njit
def playout_of_one_shuffle(board, first_at, to_move, ko_row, ko_col, game_moves):
    size = board.shape[0] - 2
    order = np.random.permutation(size * size)
    colour, place_in_order = to_move, 0
    length, passes = 0, 0
    while True:
        length += 1
        passes += 1
        for _ in range(size * size):
            row, col = order[place_in_order] // size + 1, order[place_in_order] % size + 1
            place_in_order = (place_in_order + 1) % (size * size)
            if plain_bot.may_draw(board, row, col, colour, ko_row, ko_col):
                passes = 0
                ko_row, ko_col = plain_bot.place(board, row, col, colour)
                plain_bot.note_move(first_at, row, col, colour)
                break
        if passes:
            ko_row, ko_col = 0, 0
        if passes == 2 or game_moves + length >= 3 * size * size:
            return length
        colour = 3 - colour


@wrong("suicide-passes", "forced-pass", "A draw that turns out to be suicide becomes a pass.", "pick_move")
@njit
def pick_once(board, colour, ko_row, ko_col):
    size = board.shape[0] - 2
    points, drawn_row, drawn_col = 0, 0, 0
    for row in range(1, size + 1):
        for col in range(1, size + 1):
            banned = row == ko_row and col == ko_col
            if board[row, col] == EMPTY and not banned and not plain_bot.is_eye(board, row, col, colour):
                points += 1
                if plain_bot.random_below(points) == 0:
                    drawn_row, drawn_col = row, col
    if points == 0 or plain_bot.is_suicide(board, drawn_row, drawn_col, colour):
        return 0, 0
    return drawn_row, drawn_col


@wrong(
    "fifteen-bit-seeds",
    "fresh-randomness",
    "Each playout seeds the generator with 15 bits of the last, so a search soon repeats its own playouts.",
    "playout",
)
@njit
def playout_of_small_seed(board, first_at, to_move, ko_row, ko_col, game_moves):
    np.random.seed(np.random.randint(0, 32768))
    return right_playout(board, first_at, to_move, ko_row, ko_col, game_moves)


# --- ko, captures, suicide -------------------------------------------------------------------------


@wrong("ko-any-single", "simple-ko", "Whatever captures one stone makes a ko, a large chain too.", "place")
@njit
def place_with_wide_ko(board, row, col, colour):
    board[row, col] = colour
    captured, taken_row, taken_col = 0, 0, 0
    for down, right in SIDES:
        r, c = row + down, col + right
        if board[r, c] == 3 - colour and not plain_bot.has_liberty(board, r, c):
            captured += plain_bot.remove_chain(board, r, c)
            taken_row, taken_col = r, c
    if captured == 1:
        return taken_row, taken_col
    return 0, 0


@wrong(
    "ko-survives-pass",
    "simple-ko",
    "In a playout a pass leaves the ban, now against both sides.",
    "ko_after_pass",
)
@njit
def keep_ko(ko_row, ko_col):
    return ko_row, ko_col


@wrong(
    "first-victim-only", "complete-games", "A move takes only the first of the chains it captures.", "place"
)
@njit
def place_taking_one_chain(board, row, col, colour):
    board[row, col] = colour
    captured, taken_row, taken_col, alone = 0, 0, 0, True
    for down, right in SIDES:
        r, c = row + down, col + right
        if board[r, c] == colour:
            alone = False
        elif captured == 0 and board[r, c] == 3 - colour and not plain_bot.has_liberty(board, r, c):
            captured = plain_bot.remove_chain(board, r, c)
            taken_row, taken_col = r, c
    if alone and captured == 1:
        return taken_row, taken_col
    return 0, 0


@wrong(
    "own-stones-first",
    "no-suicide",
    "Suicide is tested before captures: no move may rely on them.",
    "is_suicide",
)
@njit
def is_suicide_before_captures(board, row, col, colour):
    board[row, col] = colour
    breathes = plain_bot.has_liberty(board, row, col)
    board[row, col] = EMPTY
    return not breathes


@wrong("stale-ko", "simple-ko", "A search starts with the ko ban that the search before it had.", "Bot.think")
def think_with_stale_ko(bot: plain_bot.Bot, colour: int) -> None:
    bot.visits[:] = 0
    bot.wins[:] = 0
    bot.run_playouts(colour, *getattr(bot, "last_ban", (0, 0)))
    bot.last_ban = bot.game.ban_for(colour)


# --- end of a playout, score, counters -------------------------------------------------------------


@wrong(
    "passes-add-up",
    "two-passes",
    "Two passes end a playout even if moves lie between them.",
    "passes_after_move",
)
@njit
def keep_passes(passes):
    return passes


@wrong("cap-without-passes", "move-cap", "The game's passes are not counted towards the cap.", "Game.moves")
@property
def moves_without_passes(game: plain_bot.Game) -> int:
    boards = game.boards_seen
    return sum(before != after for before, after in pairwise(boards))


@wrong(
    "eyes-only-score",
    "area-scoring",
    "Only one-point territory counts, larger regions do not.",
    "area_difference",
)
@njit
def area_of_single_points(board):
    size = board.shape[0] - 2
    difference = 0
    for row in range(1, size + 1):
        for col in range(1, size + 1):
            black = white = empty = 0
            for down, right in SIDES:
                black += board[row + down, col + right] == BLACK
                white += board[row + down, col + right] == WHITE
                empty += board[row + down, col + right] == EMPTY
            here = board[row, col]
            if here == BLACK or (here == EMPTY and white + empty == 0):
                difference += 1
            elif here == WHITE or (here == EMPTY and black + empty == 0):
                difference -= 1
    return difference


@wrong("komi-for-black", "komi", "Komi is forgotten when White is to move at the root.", "result")
@njit
def result_without_whites_komi(board, komi, colour):
    return right_result(board, 0.0 if colour == WHITE else komi, colour)


@wrong("whole-komi", "komi", "Komi is read as a whole number, its fraction dropped.", "read_komi")
def read_whole_komi(text: str) -> float:
    return float(int(right_read_komi(text)))


@wrong("capped-uncounted", "ref-nodes", "Playouts that the cap ends add nothing to ref-nodes.", "playout")
@njit
def playout_counted_if_passed_out(board, first_at, to_move, ko_row, ko_col, game_moves):
    length = right_playout(board, first_at, to_move, ko_row, ko_col, game_moves)
    size = board.shape[0] - 2
    return 0 if game_moves + length >= 3 * size * size else length


@wrong("black-begins", "complete-games", "Every playout starts with Black, whoever is to move.", "playout")
@njit
def playout_by_black(board, first_at, to_move, ko_row, ko_col, game_moves):
    return right_playout(board, first_at, BLACK, ko_row, ko_col, game_moves)


# --- records and choice of the move ----------------------------------------------------------------


@wrong(
    "amaf-opening-only",
    "amaf",
    "Only the first ten points played on in a playout are recorded.",
    "note_move",
)
@njit
def note_early_move(first_at, row, col, colour):
    if first_at[row, col] == EMPTY and np.count_nonzero(first_at) < 10:
        first_at[row, col] = colour


@wrong(
    "amaf-captures-erase",
    "amaf",
    "A captured point is fresh again: who plays there next is the first.",
    "playout",
)
@njit
def playout_forgetting_captures(board, first_at, to_move, ko_row, ko_col, game_moves):
    size = board.shape[0] - 2
    colour = to_move
    length, passes = 0, 0
    while True:
        row, col = plain_bot.pick_move(board, colour, ko_row, ko_col)
        length += 1
        passes += 1
        if row == 0:
            ko_row, ko_col = 0, 0
        else:
            passes = 0
            plain_bot.note_move(first_at, row, col, colour)
            ko_row, ko_col = plain_bot.place(board, row, col, colour)
            for r in range(1, size + 1):
                for c in range(1, size + 1):
                    if board[r, c] == EMPTY:
                        first_at[r, c] = EMPTY
        if passes == 2 or game_moves + length >= 3 * size * size:
            return length
        colour = 3 - colour


@wrong(
    "amaf-draw-loses", "amaf", "A drawn playout is a loss in the records, and ½ in ref-score only.", "credit"
)
@njit
def credit_without_draws(first_at, to_move, won, visits, wins):
    for row in range(1, first_at.shape[0] - 1):
        for col in range(1, first_at.shape[1] - 1):
            if first_at[row, col] == to_move:
                visits[row, col] += 1
                wins[row, col] += won == 1.0


@wrong("amaf-remembers", "amaf", "The records of earlier searches of the same game are kept.", "Bot.think")
def think_on_old_records(bot: plain_bot.Bot, colour: int) -> None:
    bot.run_playouts(colour, *bot.game.ban_for(colour))


@wrong(
    "superko-after-choice",
    "no-early-pass",
    "The best point is looked for before superko is, and a repetition becomes a pass.",
    "Game.candidates",
)
def candidates_with_repetitions(game: plain_bot.Game, colour: int) -> list[tuple[int, int]]:
    return [
        (row, col)
        for row in range(1, game.size + 1)
        for col in range(1, game.size + 1)
        if game.board[row, col] == EMPTY
        and not plain_bot.is_eye(game.board, row, col, colour)
        and not plain_bot.is_suicide(game.board, row, col, colour)
    ]


@wrong("superko-after-choice", "", "", "Bot.do_genmove")
def genmove_passing_repetitions(bot: plain_bot.Bot, colour_text: str) -> str:
    colour = plain_bot.read_colour(colour_text)
    bot.think(colour)
    candidates = bot.game.candidates(colour)
    if candidates:
        row, col = bot.choose(candidates)
        if bot.game.play(row, col, colour):
            return f"{plain_bot.LETTERS[col - 1]}{row}"
    bot.game.play_pass()
    return "pass"


# --- the game around the search --------------------------------------------------------------------


@wrong(
    "same-dice-each-game",
    "fresh-randomness",
    "clear_board seeds the generators as at the start.",
    "Bot.do_clear_board",
)
def clear_board_and_dice(bot: plain_bot.Bot) -> str:
    bot.dice.seed(bot.seed)
    plain_bot.seed_dice(bot.seed)
    return right_clear_board(bot)


@wrong("undo-keeps-superko", "gtp", "undo takes back the stones, not the superko history.", "Game.undo")
def undo_stones_only(game: plain_bot.Game) -> bool:
    if len(game.past) == 1:
        return False
    game.past.pop()
    return True


@wrong("pass-clears-superko", "superko", "A pass forgets every earlier position.", "Game.play_pass")
def play_pass_forgetting(game: plain_bot.Game) -> None:
    game.boards_seen.clear()
    right_play_pass(game)


# --- starting up -----------------------------------------------------------------------------------


def install(fault: Fault) -> None:
    """Put the wrong parts into plain_bot. Nothing of it may have been compiled before."""
    for dotted, part in fault.replaced.items():
        *owner, name = dotted.split(".")
        setattr(getattr(plain_bot, owner[0]) if owner else plain_bot, name, part)


def main() -> None:
    if sys.argv[1:] == ["--list"]:
        for fault in FAULTS.values():
            print(f"{fault.name:22}{fault.clause:18}{fault.sentence}")
        return
    parser = plain_bot.option_parser()
    parser.description = "A plain bot with one fault, on GTP."
    parser.add_argument("fault", choices=FAULTS, metavar="NAME")
    options = parser.parse_args()
    fault = FAULTS[options.fault]
    install(fault)
    if fault.compiled:
        plain_bot.keep_compiled(fault.name, [plain_bot.__file__, __file__])
    else:
        plain_bot.keep_compiled("right", [plain_bot.__file__])
    plain_bot.run(options)


if __name__ == "__main__":
    main()
