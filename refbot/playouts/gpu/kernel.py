# mypy: allow-untyped-defs, allow-untyped-calls, no-check-untyped-defs
"""The GPU kernel: each thread plays one game after another; a warp plays games of one position at a time.

A warp is a group of 32 threads that run in step; a thread is a lane of its warp. The games of a position are
cut into chunks. A warp fetches a chunk, plays all of its games, adds their sums to those of the position, and
fetches the next chunk, until none is left. `batch` calls the kernel. `step` makes a move; it explains the
boards of a game (`mine`, `theirs`, `unproved`, `banned`, `kept`, `touched`, `first`) and what *held* means.
"""

from __future__ import annotations

from enum import IntEnum
from functools import cache
from typing import Any

import numpy as np

from refbot.compile.devices import is_simulated
from refbot.playouts.gpu.boards import board_functions
from refbot.playouts.gpu.layout import WORD_BITS, Layout
from refbot.playouts.gpu.philox import random_words
from refbot.playouts.gpu.step import PASSED, WAITS, Kept, move_function
from refbot.playouts.gpu.target import Target, make_target

U = np.uint32
HALF_WINS_BITS = 16  # an AMAF counter has its half-wins in these low bits, its visits above them
GAMES_A_CHUNK = (1 << HALF_WINS_BITS - 1) - 1  # the most without overflow of a counter or a thread's sum


class Sum(IntEnum):
    """The sums over the games of a position; results are half-points of Black."""

    MOVES, MOVES_SQUARED, LONGEST, RESULTS, RESULTS_SQUARED, MOVES_RESULTS, LEADS = range(7)


class Root(IntEnum):
    """The boards of a position that a game starts from."""

    MINE, THEIRS, BANNED = range(3)


@cache
def kernel_of(size: int, *, amaf: bool, records: bool) -> Any:
    """Return the kernel for a board size, on the machine that numba compiles for. See `kernel`."""
    layout = Layout.of(size)
    machine = make_target(layout.shape.height, simulated=is_simulated())
    return kernel(layout, machine, amaf=amaf, records=records)


def kernel(layout: Layout, target: Target, *, amaf: bool, records: bool) -> Any:
    """Return the kernel for a layout and a machine: `play_games` below.

    amaf      count the first plays of each game (all moves as first)
    records   write the length and the result of each game
    """
    height = layout.shape.height
    functions = board_functions(layout, target)
    move = move_function(layout, target, functions, amaf=amaf)
    random_word = random_words(target)
    margin_of = functions.margin
    machine, popcount = target.machine, target.popcount
    lane_number, ballot, broadcast = target.lane, target.ballot, target.broadcast
    add, maximum, warp = target.add, target.maximum, target.warp
    tracked = height if amaf else 0
    counted = WORD_BITS // warp  # bits of a word that a lane counts
    entries = height * counted
    moves_, squares_, longest_, results_, results_squared_, products_, leads_ = map(int, Sum)
    mine_, theirs_, banned_ = map(int, Root)
    full, boards_kept = layout.full, len(Kept)

    @target.device
    def restart(roots, position, mine, theirs, unproved, banned, kept, touched, first):
        """Puts the root position on the boards."""
        for row in range(height):
            mine[row] = roots[position, mine_, row]
            theirs[row] = roots[position, theirs_, row]
            banned[row] = roots[position, banned_, row]
            unproved[row] = full[row]
            for board in range(1, boards_kept):  # board 0, Kept.POINT, is written before it is read
                kept[board, row] = U(0)
        for row in range(tracked):
            touched[row] = first[row] = U(0)

    @target.device
    def fetch_chunk(next_chunk, lane):
        """Fetches a chunk for the whole warp; returns its number in all lanes."""
        chunk = np.int32(0)
        if lane == 0:
            chunk = np.int32(add(next_chunk, 0, 1))
        return np.int32(broadcast(chunk, 0))

    @target.device
    def count_first_plays(count, first, lane, ended, record):
        """Adds the first plays of the games that have ended, those of the lanes `ended`, to the counters.

        All lanes add one game after the other; each adds its own bits of the words. `record` is what the game
        of this lane adds to a counter.
        """
        waiting = ended
        while waiting != 0:
            from_lane = popcount(U(U(waiting & U(-waiting)) - U(1)))
            waiting = U(waiting & U(waiting - U(1)))
            its_record = broadcast(record, from_lane)
            for row in range(tracked):
                word = U(broadcast(first[row], from_lane) >> U(lane))
                for bit in range(counted):
                    entry = row * counted + bit
                    count[entry] = U(count[entry] + (U(word >> U(bit)) & U(1)) * its_record)

    @target.device
    def add_counters(counters, position, count, lane):
        """Adds this lane's counters of first plays to those of the position."""
        for row in range(tracked):
            for bit in range(counted):
                place = row * WORD_BITS + lane + bit
                visits = U(count[row * counted + bit] >> U(HALF_WINS_BITS))
                half_wins = U(count[row * counted + bit] & U((1 << HALF_WINS_BITS) - 1))
                add(counters, (position, 0, place), np.int64(visits))
                add(counters, (position, 1, place), np.int64(half_wins))

    @target.kernel
    def play_games(
        keys, roots, limits, blacks, wins_from, draws_from, begin, games, chunk_games, chunks_a_position,
        all_games, next_chunk, sums, counters, lengths, results,
    ):  # fmt: skip
        """Plays `games` games from each position, in chunks of up to `chunk_games` games of one position.

        The games are numbered from `begin` on. Game g of position p takes the random numbers of game
        p x `all_games` + g of the seed, on whichever thread it is played. Black wins with a lead of at least
        `wins_from`, and draws with a smaller one of at least `draws_from`. `keys` come from `round_keys`;
        `roots`, `limits` and `blacks` (1 where Black moves first) from `starts_of`. `next_chunk` counts the
        fetched chunks.

        Adds to `sums` (position, Sum) and, with `amaf`, to `counters` (position, visits or half-wins, word x
        32 + bit). Writes, with `records`, to `lengths` and `results` (position x `games` + g - `begin`).
        """
        mine, theirs = machine.local.array(height, np.uint32), machine.local.array(height, np.uint32)
        unproved, banned = machine.local.array(height, np.uint32), machine.local.array(height, np.uint32)
        touched, first = machine.local.array(height, np.uint32), machine.local.array(height, np.uint32)
        kept = machine.local.array((boards_kept, height), np.uint32)
        count = machine.local.array(entries, np.uint32)
        lane = lane_number()
        chunks = chunks_a_position * roots.shape[0]
        while True:
            chunk = fetch_chunk(next_chunk, lane)
            if chunk >= chunks:
                break
            position = np.int32(chunk // chunks_a_position)
            start = np.int32((chunk - position * chunks_a_position) * chunk_games)
            end = np.int32(min(start + chunk_games, games))
            limit, black = limits[position], blacks[position]
            # Sums over the games that this lane plays of the chunk.
            moves_sum = squares = longest = results_sum = results_squared = products = U(0)
            leads = np.int32(0)
            for entry in range(tracked * counted):
                count[entry] = U(0)
            # The first games of the chunk, one for each lane; `following` is the next one to be started.
            game = np.int32(start + lane)
            following = np.int32(start + warp)
            live = game < end  # a lane without a game makes moves that do not count
            first_number = np.uint64(position) * np.uint64(all_games) + np.uint64(begin)
            number = np.uint64(first_number + np.uint64(game))
            number_low, number_high = U(number), U(number >> np.uint64(32))
            steps, moves, passed, held = U(0), np.int32(0), False, False
            restart(roots, position, mine, theirs, unproved, banned, kept, touched, first)
            while ballot(live) != 0:
                # One step of all games.
                random = random_word(keys, number_low, number_high, steps)
                outcome, held = move(
                    mine, theirs, unproved, banned, kept, touched, first, held, random, moves & 1 == 0
                )
                steps = U(steps + U(1))
                over = False
                if outcome != WAITS:
                    moves = np.int32(moves + 1)
                    over = live and ((passed and outcome == PASSED) or moves >= limit)
                    passed = outcome == PASSED
                ended = ballot(over)
                if ended == 0:
                    continue
                # Sum up the games that have ended.
                result = U(0)
                if over:
                    lead = margin_of(mine, theirs)
                    if (moves & 1) == black:  # White is to move
                        lead = np.int32(-lead)
                    result = U(U(lead >= wins_from) + U(lead >= draws_from))
                    length = U(moves)
                    moves_sum = U(moves_sum + length)
                    squares = U(squares + length * length)
                    longest = max(longest, length)
                    results_sum = U(results_sum + result)
                    results_squared = U(results_squared + result * result)
                    products = U(products + length * result)
                    leads = np.int32(leads + lead)
                    if records:
                        lengths[position * games + game] = moves
                        results[position * games + game] = result
                if amaf:
                    record = U(U(1 << HALF_WINS_BITS) + (result if black else U(2) - result))
                    count_first_plays(count, first, lane, ended, record)
                if over:
                    # The lanes whose games ended take the next games of the chunk, in the order of the lanes.
                    earlier = popcount(U(ended & U(U(U(1) << U(lane)) - U(1))))
                    game = np.int32(following + earlier)
                    live = game < end
                    number = np.uint64(first_number + np.uint64(game))
                    number_low, number_high = U(number), U(number >> np.uint64(32))
                    steps, moves, passed, held = U(0), np.int32(0), False, False
                    restart(roots, position, mine, theirs, unproved, banned, kept, touched, first)
                following = np.int32(following + popcount(ended))
            # The chunk is played: add this lane's sums to those of the position.
            add(sums, (position, moves_), np.int64(moves_sum))
            add(sums, (position, squares_), np.int64(squares))
            maximum(sums, (position, longest_), np.int64(longest))
            add(sums, (position, results_), np.int64(results_sum))
            add(sums, (position, results_squared_), np.int64(results_squared))
            add(sums, (position, products_), np.int64(products))
            add(sums, (position, leads_), np.int64(leads))
            add_counters(counters, position, count, lane)

    return play_games
