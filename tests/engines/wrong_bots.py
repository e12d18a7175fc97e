"""Faulty bots: plain_bot.py with one rule replaced. `wrong_bots.py NAME [options of plain_bot]`.

They were written without a look at refbot's fault registry, so the harness has not been fitted to them. Each
says which clause it breaks and what it does, and replaces as little as it can; where a compiled function is
replaced, everything that calls it is compiled anew. `wrong_bots.py --list` prints them all.
"""

from __future__ import annotations

import math
import sys
import zlib
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
right_undo = plain_bot.Game.undo
right_think = plain_bot.Bot.think
right_choose = plain_bot.Bot.choose
right_run_playouts = plain_bot.Bot.run_playouts
right_area_difference = plain_bot.area_difference


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


@wrong("playouts-vary", "ref-nodes", "Each search has another number of playouts.", "Bot.run_playouts")
def run_some_playouts(bot: plain_bot.Bot, colour: int, ko_row: int, ko_col: int) -> None:
    wanted = bot.playouts
    bot.playouts = wanted + bot.dice.randrange(wanted)
    right_run_playouts(bot, colour, ko_row, ko_col)
    bot.playouts = wanted


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


# --- what a stranger might write: found out by the harness alone, test_wrong_bots.py ---------------


@wrong("no-self-atari", "uniform", "A playout makes no chain with a single liberty.", "may_draw")
@njit
def breathing_points(board, row, col, colour, ko_row, ko_col):
    if board[row, col] != EMPTY or (row == ko_row and col == ko_col):
        return False
    if right_is_eye(board, row, col, colour) or plain_bot.is_suicide(board, row, col, colour):
        return False
    beside_empty, alone = 0, True
    for down, right in SIDES:
        beside_empty += board[row + down, col + right] == EMPTY
        alone = alone and board[row + down, col + right] != colour
    return beside_empty > 1 or not alone


@wrong(
    "takes-when-it-can",
    "uniform",
    "One playout move in ten is looked for among the points beside an enemy stone in atari.",
    "pick_move",
)
@njit
def pick_taking(board, colour, ko_row, ko_col):
    size = board.shape[0] - 2
    wants_to_take = plain_bot.random_below(10) == 0
    points, taking = 0, 0
    drawn_row, drawn_col, taking_row, taking_col = 0, 0, 0, 0
    for row in range(1, size + 1):
        for col in range(1, size + 1):
            if not plain_bot.may_draw(board, row, col, colour, ko_row, ko_col):
                continue
            points += 1
            if plain_bot.random_below(points) == 0:
                drawn_row, drawn_col = row, col
            takes = False
            if wants_to_take:
                board[row, col] = colour
                for down, right in SIDES:
                    r, c = row + down, col + right
                    if board[r, c] == 3 - colour and not plain_bot.has_liberty(board, r, c):
                        takes = True
                board[row, col] = EMPTY
            if takes:
                taking += 1
                if plain_bot.random_below(taking) == 0:
                    taking_row, taking_col = row, col
    return (taking_row, taking_col) if taking else (drawn_row, drawn_col)


@wrong(
    "late-scan",
    "uniform",
    "From the 60th stone on, a point is drawn on the board and the next legal one taken.",
    "pick_move",
)
@njit
def pick_scanning_late(board, colour, ko_row, ko_col):
    size = board.shape[0] - 2
    stones, points, drawn_row, drawn_col = 0, 0, 0, 0
    first = plain_bot.random_below(size * size)
    best = size * size
    for row in range(1, size + 1):
        for col in range(1, size + 1):
            stones += board[row, col] != EMPTY
    for row in range(1, size + 1):
        for col in range(1, size + 1):
            if not plain_bot.may_draw(board, row, col, colour, ko_row, ko_col):
                continue
            points += 1
            distance = ((row - 1) * size + col - 1 - first) % (size * size)
            if (stones < 60 and plain_bot.random_below(points) == 0) or (stones >= 60 and distance < best):
                best, drawn_row, drawn_col = distance, row, col
    return drawn_row, drawn_col


@wrong(
    "ko-any-capture", "simple-ko", "Any capture by a lone stone bans the point that was taken last.", "place"
)
@njit
def place_with_ko_after_all(board, row, col, colour):
    board[row, col] = colour
    taken_row, taken_col, alone = 0, 0, True
    for down, right in SIDES:
        r, c = row + down, col + right
        if board[r, c] == colour:
            alone = False
        elif board[r, c] == 3 - colour and not plain_bot.has_liberty(board, r, c):
            plain_bot.remove_chain(board, r, c)
            taken_row, taken_col = r, c
    return (taken_row, taken_col) if alone else (0, 0)


@wrong(
    "dead-stones-removed",
    "area-scoring",
    "Stones in atari are taken off before the count.",
    "area_difference",
)
@njit
def area_without_dead_stones(board):
    size = board.shape[0] - 2
    rest = board.copy()
    for row in range(1, size + 1):
        for col in range(1, size + 1):
            if board[row, col] == EMPTY:
                for colour in (BLACK, WHITE):
                    rest[row, col] = EDGE
                    for down, right in SIDES:
                        r, c = row + down, col + right
                        if rest[r, c] == colour and not plain_bot.has_liberty(rest, r, c):
                            plain_bot.remove_chain(rest, r, c)
                    rest[row, col] = EMPTY
    return right_area_difference(rest)


@wrong("komi-unsigned", "komi", "The sign of komi is dropped.", "read_komi")
def read_unsigned_komi(text: str) -> float:
    return abs(right_read_komi(text))


@wrong("komi-of-first-search", "komi", "In force is the komi of the first search of a game.", "Bot.think")
def think_under_old_komi(bot: plain_bot.Bot, colour: int) -> None:
    if getattr(bot, "komi_of", None) is not bot.game:
        bot.komi_of, bot.komi_then = bot.game, bot.komi
    komi, bot.komi = bot.komi, bot.komi_then
    right_think(bot, colour)
    bot.komi = komi


@wrong("undo-loses-ko", "simple-ko", "undo gives the stones back, and no ko ban.", "Game.undo")
def undo_without_ban(game: plain_bot.Game) -> bool:
    if not right_undo(game):
        return False
    game.past[-1] = plain_bot.Position(game.board, (0, 0, EMPTY))
    return True


@wrong("one-playout-less", "ref-nodes", "The last playout of a search is forgotten.", "Bot.run_playouts")
def run_one_playout_less(bot: plain_bot.Bot, colour: int, ko_row: int, ko_col: int) -> None:
    bot.playouts -= 1
    right_run_playouts(bot, colour, ko_row, ko_col)
    bot.playouts += 1
    bot.score *= (bot.playouts - 1) / bot.playouts


@wrong("root-counted", "ref-nodes", "The root is counted as a node, once a search.", "Bot.run_playouts")
def run_counting_the_root(bot: plain_bot.Bot, colour: int, ko_row: int, ko_col: int) -> None:
    right_run_playouts(bot, colour, ko_row, ko_col)
    bot.nodes += 1


@wrong("amaf-early-double", "amaf", "The first twenty points of a playout count double.", "note_move")
@njit
def note_move_and_when(first_at, row, col, colour):
    if first_at[row, col] == EMPTY:
        first_at[row, col] = colour + 4 * (np.count_nonzero(first_at) < 20)


@wrong("amaf-early-double", "", "", "credit")
@njit
def credit_early_double(first_at, to_move, won, visits, wins):
    for row in range(1, first_at.shape[0] - 1):
        for col in range(1, first_at.shape[1] - 1):
            if first_at[row, col] % 4 == to_move:
                weight = 2 if first_at[row, col] > 4 else 1
                visits[row, col] += weight
                wins[row, col] += weight * won


@wrong(
    "amaf-both-sides",
    "amaf",
    "A point that the opponent was first to play on counts too, with the opposite result.",
    "credit",
)
@njit
def credit_both_sides(first_at, to_move, won, visits, wins):
    for row in range(1, first_at.shape[0] - 1):
        for col in range(1, first_at.shape[1] - 1):
            if first_at[row, col] != EMPTY:
                visits[row, col] += 1
                wins[row, col] += won if first_at[row, col] == to_move else 1.0 - won


@wrong("best-upper-bound", "best-rate", "The highest upper confidence bound is played.", "Bot.choose")
def choose_by_upper_bound(bot: plain_bot.Bot, candidates: list[tuple[int, int]]) -> tuple[int, int]:
    seen = [point for point in candidates if bot.visits[point]] or candidates
    everything = max(2, sum(int(bot.visits[point]) for point in candidates))

    def bound(point: tuple[int, int]) -> float:
        visits = max(1, int(bot.visits[point]))
        return bot.wins[point] / visits + math.sqrt(0.5 * math.log(everything) / visits)

    best = max(map(bound, seen))
    return bot.dice.choice([point for point in seen if bound(point) == best])


@wrong(
    "best-of-the-tried",
    "best-rate",
    "Candidates with less than half the visits of the most visited one are left out.",
    "Bot.choose",
)
def choose_among_the_tried(bot: plain_bot.Bot, candidates: list[tuple[int, int]]) -> tuple[int, int]:
    most = max(int(bot.visits[point]) for point in candidates)
    return right_choose(bot, [point for point in candidates if 2 * bot.visits[point] >= most])


@wrong(
    "dice-from-board",
    "fresh-randomness",
    "A search seeds the generators with the stones on the board.",
    "Bot.think",
)
def think_seeded_by_the_board(bot: plain_bot.Bot, colour: int) -> None:
    seed = zlib.crc32(bot.game.board.tobytes())
    bot.dice.seed(seed)
    plain_bot.seed_dice(seed)
    right_think(bot, colour)


@wrong(
    "first-moves-in-turn",
    "uniform",
    "The first moves of the playouts of a search are the legal points in turn, not drawn.",
    "playout",
)
@njit
def playout_of_next_first_move(board, first_at, to_move, ko_row, ko_col, game_moves):
    size = board.shape[0] - 2
    points = np.empty((size * size, 2), np.int8)
    n = 0
    for row in range(1, size + 1):
        for col in range(1, size + 1):
            if plain_bot.may_draw(board, row, col, to_move, ko_row, ko_col):
                points[n, 0], points[n, 1] = row, col
                n += 1
    if n == 0 or game_moves + 1 >= 3 * size * size + 1:
        return right_playout(board, first_at, to_move, ko_row, ko_col, game_moves)
    turn = first_at[0, 0]  # a point of the border, where nobody plays
    row, col = points[turn % n, 0], points[turn % n, 1]
    ko_row, ko_col = plain_bot.place(board, row, col, to_move)
    plain_bot.note_move(first_at, row, col, to_move)
    if game_moves + 1 >= 3 * size * size:
        return 1
    return 1 + right_playout(board, first_at, 3 - to_move, ko_row, ko_col, game_moves + 1)


@wrong("first-moves-in-turn", "", "", "search")
@njit
def search_in_turn(board, to_move, ko_row, ko_col, game_moves, komi, playouts, visits, wins):
    nodes, score = 0, 0.0
    for number in range(playouts):
        trial = board.copy()
        first_at = np.zeros_like(board)
        first_at[0, 0] = number % 100
        nodes += plain_bot.playout(trial, first_at, to_move, ko_row, ko_col, game_moves)
        won = plain_bot.result(trial, komi, to_move)
        score += won
        plain_bot.credit(first_at, to_move, won, visits, wins)
    return nodes, score


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
