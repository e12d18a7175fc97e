"""One move in every lane at once: the body of the lane kernel, as bit logic on rows.

Everything here runs while a kernel is compiled and emits straight-line vector code (see `simd`). `Rows` is
a board: one vector a row, a game a lane. Only bits below `size` may be set in a board; the helpers that look
at neighbours leave rubbish above, which disappears when their result is masked by a board.
"""

from __future__ import annotations

from functools import reduce
from operator import or_
from typing import Any

from refbot.playouts.lane_layout import Board, Field, Games
from refbot.playouts.lane_random import pick_below, random_halves
from refbot.playouts.simd import Vec, repeat_while

Rows = list[Vec]


def beside(rows: Rows) -> Rows:
    """The points with a neighbour in `rows` (a point is not its own neighbour)."""
    return [either(sideways(row), vertical) for row, vertical in zip(rows, above_or_below(rows), strict=True)]


def sideways(row: Vec) -> Vec:
    """The points left and right of the points of a row."""
    return (row << 1) | (row >> 1)


def above_or_below(rows: Rows) -> list[Vec]:
    """For each row, the points with a point of `rows` above or below."""
    last = len(rows) - 1
    return [
        rows[1] if r == 0 else rows[last - 1] if r == last else rows[r - 1] | rows[r + 1]
        for r in range(last + 1)
    ]


def either(first: Vec, second: Vec) -> Vec:
    """The union of two rows."""
    return first | second


def gather(rows: Rows) -> Vec:
    """The union of all rows: not zero in the lanes where some row is not."""
    return reduce(or_, rows)


def false_eyes(theirs: Rows, full_row: int) -> Rows:
    """The points with two enemy diagonals, or one if they are on the edge.

    The board is framed with enemy stones so that an edge or corner point sees exactly one of them: then the
    rule is "two" everywhere. On the sides every other pair of rows has one; above and below all points but
    perhaps the corners see one.
    """
    last = len(theirs) - 1
    ends = full_row & ~(full_row >> 1) | 1
    framed = [(r >> 1) & 1 for r in range(last + 1)]
    some, both = [], []
    for r, row in enumerate(theirs):
        left, right, frame = row << 1, row >> 1, row.constant(ends if framed[r] else 0)
        some.append(left | right | frame)
        both.append((left & right) | ((left | right) & frame))
    nothing = theirs[0].constant(0)

    def outer(beside_corner: int) -> Vec:
        return nothing.constant(full_row & ~ends if framed[beside_corner] else full_row)

    some = [outer(1), *some, outer(last - 1)]
    both = [nothing, *both, nothing]
    return [both[r] | both[r + 2] | (some[r] & some[r + 2]) for r in range(last + 1)]


def candidates(mine: Rows, theirs: Rows, unproved: Rows, banned: Rows, full_row: int) -> Rows:
    """The points to draw from: empty, no eye, not banned, and not proved to be suicide."""
    false_eye = false_eyes(theirs, full_row)
    by_mine, by_theirs, by_unproved = beside(mine), beside(theirs), beside(unproved)
    empty = [~(m | t) & full_row for m, t in zip(mine, theirs, strict=True)]
    by_empty = beside(empty)
    result = []
    for r, free in enumerate(empty):
        eye = ~(by_empty[r] | by_theirs[r] | false_eye[r])
        suicide = ~(by_empty[r] | by_mine[r] | by_unproved[r])
        result.append(free & ~eye & ~suicide & ~banned[r])
    return result


def draw(points: Rows, high: Vec, low: Vec) -> tuple[Vec, list[Vec]]:
    """One of `points` at random: its bit in its row, and for each row the mask of the lanes that it is in.

    In a lane without points the bit is zero.
    """
    counts = [row.popcount() for row in points]
    total = reduce(lambda a, b: a + b, counts)
    wanted = pick_below(total, high, low)
    nothing = total.constant(0)
    rest, row, reached_before, chosen = wanted, nothing, nothing, []
    passed = nothing
    for points_here, count in zip(points, counts, strict=True):
        rest = rest - count
        reached = rest.negative()
        here = reached & ~reached_before
        row = row | (points_here & here)
        passed = passed + (count & ~reached)
        chosen.append(here)
        reached_before = reached
    return nth_bit(row, wanted - passed, len(points)), chosen


def nth_bit(row: Vec, n: Vec, size: int) -> Vec:
    """The lowest bit of `row` after its `n` lowest ones; there are more ones than n, or none at all."""
    half = size
    if size > 9:
        half = (size + 1) // 2
        lower = row & ((1 << half) - 1)
        count = lower.popcount()
        in_lower = (n - count).negative()
        row = row & (in_lower ^ ~((1 << half) - 1))
        n = n - (count & ~in_lower)
    for k in range(half - 1):
        row = row & (row + (row.constant(k) - n).negative())  # clears the lowest bit while k < n
    return row & -row


def fill_paths(stones: Vec, size: int) -> list[tuple[int, Vec]]:
    """For some distances, the points from which so many stones follow; they add up to a whole row."""
    paths, reach, distance, path = [(1, stones)], 1, 1, stones
    while reach < size - 1:
        if size - 1 - reach == 1:
            paths.append((1, stones))
            break
        path = path & (path >> distance)
        distance *= 2
        paths.append((distance, path))
        reach += distance
    return paths


def fill_row(reached: Vec, stones: Vec, paths: list[tuple[int, Vec]]) -> Vec:
    """`reached` spread along the runs of `stones` that it touches.

    Upwards by the carry of an addition, which turns the rest of a run to zeros; downwards by doubling steps.
    """
    reached = stones & (reached | ~(stones + reached))
    for distance, path in paths:
        reached = reached | ((reached >> distance) & path)
    return reached


class Flood:
    """Chains of one side, to be reached from liberties; floods over the same stones share the paths."""

    def __init__(self, stones: Rows, *seeds: Rows) -> None:
        self.stones = stones
        self.seeds = list(seeds)
        self._paths = [fill_paths(row, len(stones)) for row in stones]

    def spread(self, row: int, reached: Vec, neighbour: Vec | None) -> Vec:
        """A row of one flood after its neighbouring row has been reached."""
        stones = self.stones[row]
        start = reached if neighbour is None else reached | (neighbour & stones)
        return fill_row(start, stones, self._paths[row])

    def open_ends(self, reached: Rows) -> Vec:
        """Not zero in the lanes where another sweep would reach more."""
        return gather([reached[r - 1] & row & ~reached[r] for r, row in enumerate(self.stones) if r])


def sweep(floods: list[tuple[Flood, Rows]]) -> list[Rows]:
    """Every flood spread once down and once up the board.

    The floods advance together, row by row: each is one long chain of dependent operations.
    """
    size = len(floods[0][1])
    reached = [list(rows) for _, rows in floods]
    for row in range(size):
        for k, (flood, _) in enumerate(floods):
            reached[k][row] = flood.spread(row, reached[k][row], reached[k][row - 1] if row else None)
    for row in range(size - 2, -1, -1):
        for k, (flood, _) in enumerate(floods):
            reached[k][row] = flood.spread(row, reached[k][row], reached[k][row + 1])
    return reached


class Placed:
    """The point drawn in every lane, and what is beside it."""

    def __init__(self, bit: Vec, chosen: list[Vec]) -> None:
        self.bit = bit
        self.rows = [bit & here for here in chosen]
        wings = sideways(bit)
        vertical = above_or_below(self.rows)
        self.beside = [(wings & here) | near for here, near in zip(chosen, vertical, strict=True)]


def enclosed_classes(enclosed: Rows, empty: Rows, high: Vec, low: Vec) -> tuple[Rows, Rows]:
    """The empty points less one half of the enclosed ones, and less the other half: halves at random.

    Two points are in different halves with chance one half, anew in every step and lane.
    """
    first, second = [], []
    bits = high.lanes.bits
    for r, (inside, free) in enumerate(zip(enclosed, empty, strict=True)):
        pattern = high ^ (low << (bits - 1 - r % 16)).negative()
        first.append(free & ~(inside & pattern))
        second.append(free & ~(inside & ~pattern))
    return first, second


def step(games: Games) -> Any:
    """Plays one move, or rejects a suicide, in every lane; returns the set of lanes whose game has ended."""
    size, full_row = games.layout.size, games.layout.full_row
    mine, theirs = games.board(Board.MINE), games.board(Board.THEIRS)
    unproved, banned = games.board(Board.UNPROVED), games.board(Board.BANNED)

    high, low = random_halves(games)
    placed = Placed(*draw(candidates(mine, theirs, unproved, banned, full_row), high, low))
    grown = [m | p for m, p in zip(mine, placed.rows, strict=True)]
    empty = [~(g | t) & full_row for g, t in zip(grown, theirs, strict=True)]
    by_empty, by_theirs = beside(empty), beside(theirs)
    enclosed = [e & ~(n | t) for e, n, t in zip(empty, by_empty, by_theirs, strict=True)]
    first, second = enclosed_classes(enclosed, empty, high, low)

    def seeds(stones: Rows, near: Rows) -> Rows:
        return [s & n for s, n in zip(stones, near, strict=True)]

    own = Flood(grown, seeds(grown, beside(first)), seeds(grown, beside(second)))
    other = Flood(theirs, seeds(theirs, by_empty))
    floods = [own, own, other]

    def judge(state: Rows) -> tuple[Vec, Vec]:
        """Masks: lanes with an adjacent chain not reached; lanes where the placed stone is reached."""
        by_first, by_second, alive = state[:size], state[size : 2 * size], state[2 * size :]
        dying = gather([near & t & ~a for near, t, a in zip(placed.beside, theirs, alive, strict=True)])
        safe = gather([p & (f | s) for p, f, s in zip(placed.rows, by_first, by_second, strict=True)])
        return dying.nonzero(), safe.nonzero()

    def unfinished(state: Rows) -> Any:
        dying, safe = judge(state)
        own_open = own.open_ends(state[:size]) | own.open_ends(state[size : 2 * size])
        other_open = other.open_ends(state[2 * size :])
        return ((dying & other_open) | (own_open & placed.bit.nonzero() & ~safe & ~dying)).any()

    def again(state: Rows) -> Rows:
        parts = [state[k * size : (k + 1) * size] for k in range(3)]
        return [row for rows in sweep(list(zip(floods, parts, strict=True))) for row in rows]

    start = [row for rows in (*own.seeds, *other.seeds) for row in rows]
    state = repeat_while(again(start), unfinished, again)
    by_first, by_second, alive = state[:size], state[size : 2 * size], state[2 * size :]
    dying, safe = judge(state)

    passes = ~placed.bit.nonzero()
    rejected = ~(passes | dying | safe)
    captured = [t & ~a & dying for t, a in zip(theirs, alive, strict=True)]
    alone = ~gather([near & m for near, m in zip(placed.beside, mine, strict=True)]).nonzero()
    ko = single(captured) & alone & ~safe

    games.set_board(
        Board.MINE, swapped(rejected, mine, [t & ~c for t, c in zip(theirs, captured, strict=True)])
    )
    games.set_board(Board.THEIRS, swapped(rejected, theirs, grown))
    doubtful = [g & ~(f & s) for g, f, s in zip(grown, by_first, by_second, strict=True)]
    games.set_board(Board.UNPROVED, swapped(rejected, unproved, doubtful))
    tried = [b | p for b, p in zip(banned, placed.rows, strict=True)]
    games.set_board(Board.BANNED, swapped(rejected, tried, [c & ko for c in captured]))
    if games.layout.amaf:
        touch(games, placed, rejected)
    return end_of_move(games, passes, rejected)


def swapped(rejected: Vec, before: Rows, after: Rows) -> Rows:
    """`after` where a move was made, `before` in the lanes whose draw was rejected."""
    return [rejected.select(b, a) for b, a in zip(before, after, strict=True)]


def single(rows: Rows) -> Vec:
    """The mask of the lanes with exactly one bit in all rows."""
    once = twice = rows[0].constant(0)
    for row in rows:
        twice = twice | (once & row)
        once = once | row
    twice = twice | (once & (once + -1))
    return once.nonzero() & ~twice.nonzero()


def touch(games: Games, placed: Placed, rejected: Vec) -> None:
    """Notes the first use of each point, for AMAF."""
    turn = games.get(Field.ROOT_TURN)
    touched, first = games.board(Board.TOUCHED), games.board(Board.FIRST)
    for r, point in enumerate(placed.rows):
        fresh = point & ~touched[r] & ~rejected
        first[r] = first[r] | (fresh & turn)
        touched[r] = touched[r] | fresh
    games.set_board(Board.TOUCHED, touched)
    games.set_board(Board.FIRST, first)


def end_of_move(games: Games, passes: Vec, rejected: Vec) -> Any:
    """Counts the moves, and returns the set of lanes whose game has ended: two passes, or the cap."""
    moved = ~rejected
    moves = games.get(Field.MOVES) - moved
    passed = games.get(Field.PASSED)
    ended = ((passes & passed) | ~moves.less(games.get(Field.LIMIT))) & moved & games.get(Field.LIVE)
    games.set(Field.MOVES, moves)
    games.set(Field.PASSED, rejected.select(passed, passes))
    games.set(Field.ROOT_TURN, games.get(Field.ROOT_TURN) ^ moved)
    games.set(Field.ENDED, ended)
    return ended.lane_set()


def score(games: Games) -> None:
    """Writes the margin of every lane, from the view of the side to move, plus all points of the board.

    When both sides have passed, every empty point stands alone among stones and belongs to the one colour
    around it. At the cap larger regions can be left: such lanes are marked open, to be scored by flooding.
    """
    mine, theirs = games.board(Board.MINE), games.board(Board.THEIRS)
    empty = [~(m | t) & games.layout.full_row for m, t in zip(mine, theirs, strict=True)]
    by_mine, by_theirs, by_empty = beside(mine), beside(theirs), beside(empty)
    margin = games.constant(0)
    for r, free in enumerate(empty):
        margin = margin + (mine[r] | (free & ~by_theirs[r])).popcount()
        margin = margin - (theirs[r] | (free & ~by_mine[r])).popcount()
    games.set(Field.MARGIN, margin + games.layout.size**2)
    games.set(Field.OPEN, gather([e & near for e, near in zip(empty, by_empty, strict=True)]))


def restart(games: Games) -> None:
    """Puts the root position into the lanes that are to start the next game."""
    reset = games.get(Field.RESET)
    nothing = games.constant(0)

    def put(board: Board, rows: Rows) -> None:
        games.set_board(board, swapped(~reset, games.board(board), rows))

    put(Board.MINE, games.board(Board.ROOT_MINE))
    put(Board.THEIRS, games.board(Board.ROOT_THEIRS))
    put(Board.UNPROVED, games.board(Board.ROOT_THEIRS))
    put(Board.BANNED, games.board(Board.ROOT_BANNED))
    if games.layout.amaf:
        for board in (Board.TOUCHED, Board.FIRST):
            put(board, [nothing] * games.layout.size)
    games.set(Field.MOVES, games.get(Field.MOVES) & ~reset)
    games.set(Field.PASSED, games.get(Field.PASSED) & ~reset)
    games.set(Field.ROOT_TURN, games.get(Field.ROOT_TURN) | reset)
