"""Generator of random positions near the end of a game, whose playouts can be enumerated.

Each position has a kind, which says which rule it tests: a ko, the move cap, passes, ties, captures. To
enumerate a position is to compute the laws of its playouts: the exact distributions of their length and
result, by each reading of the specification (`harness.explore.laws`). `cap_of_game` is True for a bot that is
known to count the moves of the game towards the move cap.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum

from harness.check.positions import empty
from harness.check.procedures.probe import Probe
from harness.explore.abilities import Abilities, Feature
from harness.explore.dice import Dice
from harness.explore.laws import (
    PlayoutLaw,
    SearchKey,
    laws_at,
    margins_at,
    may_be_enumerable,
    search_key,
)
from harness.explore.moves import has_candidate, some_candidate
from harness.go import Colour, GoError, Point, Position, all_points, neighbours, opponent
from harness.gtp import format_vertex

SIZE_WEIGHTS = {2: 1.0, 3: 3.0, 4: 3.0, 5: 4.0, 6: 2.0, 7: 3.0, 9: 5.0, 13: 0.3}
"""Relative weight of each board size. Chosen: small boards are fast, and bots are made for 9x9."""

OTHER_SIZE = 0.1
"""Relative weight of every other size."""

LATEST, EARLIEST = 1, 10
"""Fewest and most moves before the end of a game. Chosen: most such positions can be enumerated."""

GREAT = 400.0
"""A komi so large that every playout has the same result: all candidates then tie."""

GAMES_TRIED = 3
"""Most random games that are searched for one position. Chosen: a fourth game rarely has one either."""

MOST_PASSES = 300
"""Most passes that are added to a game. Chosen: a little more than the cap of 9x9 (243 moves)."""

SMALL = 3
"""Largest board for positions of the kind CAPTURES."""

FEW_STONES = 8
"""Number of moves before the passes of a position of the kind UNSEEN. Chosen: the results differ."""

VISITS = 6.0
"""Most playouts per point of the board for UNSEEN. Chosen: one candidate in 400 has no visit (e^-6)."""

AGAIN = 0.3
"""Probability that the side that took a ko moves once more. Chosen: most positions keep the ban."""

KO_TRIES = 25
"""Number of random points at which a ko is tried. Chosen: a few milliseconds."""


class Kind(StrEnum):
    """Kind of a position: the rule that it tests."""

    LATE = "late"
    KO = "ko"
    CAP = "cap in reach"
    PASSES = "many passes"
    AFTER_PASS = "after a pass"
    TIES = "all equal"
    CAPTURES = "captures"  # early on the smallest boards: playouts capture, and play a point again
    UNSEEN = "many candidates"  # and short playouts: some candidates are never tried


KINDS = {
    Kind.LATE: 6.0,
    Kind.KO: 3.0,
    Kind.CAP: 2.0,
    Kind.PASSES: 1.0,
    Kind.AFTER_PASS: 1.5,
    Kind.TIES: 1.5,
    Kind.CAPTURES: 3.0,
    Kind.UNSEEN: 0.5,
}
"""Weight of each kind in the draw of a position. Chosen: kinds that show more faults come more often."""


@dataclass(frozen=True)
class DrawnPosition:
    """A position to search, with its kind."""

    kind: Kind
    probe: Probe


def draw_position(seed: int, number: int, abilities: Abilities, playouts: int) -> DrawnPosition | None:
    """Return the position with this number; None if none was found. Equal arguments give equal positions.

    A kind that no board size of the bot allows is replaced by LATE.
    """
    dice = Dice("position", seed, number)
    kind = dice.weighted(KINDS)
    sizes = _sizes_for(kind, abilities, playouts)
    if not sizes:
        kind, sizes = Kind.LATE, abilities.sizes
    weights = {size: SIZE_WEIGHTS.get(size, OTHER_SIZE) for size in sizes}
    tried = (_draw_probe(kind, dice.weighted(weights), dice, abilities) for _ in range(GAMES_TRIED))
    probe = next((one for one in tried if one is not None), None)
    if probe is None:
        return None
    key = search_key(probe.position, probe.to_move, cap_of_game=abilities.cap_of_game)
    if kind is Kind.TIES:
        komi = GREAT * (1.0 if dice.chance(0.5) else -1.0)
    elif kind is Kind.UNSEEN:
        komi = _komi_for_best(key)
    else:
        komi = _komi(key, dice)
    return DrawnPosition(kind, replace(probe, id=f"explore-{seed}-{number}", komi=komi))


def _draw_probe(kind: Kind, size: int, dice: Dice, abilities: Abilities) -> Probe | None:
    """Draw a game and return a position of this kind from it, komi not yet set; None if it has none."""
    if kind is Kind.UNSEEN:
        return _many_candidates(size, dice)
    again = Feature.SAME_COLOUR in abilities.features
    if kind is Kind.KO:
        return _planted_ko(_play_game(size, dice), dice, abilities.cap_of_game, again=again)
    return _position_of_game(_play_game(size, dice), kind, dice, abilities.cap_of_game, again=again)


def _sizes_for(kind: Kind, abilities: Abilities, playouts: int) -> tuple[int, ...]:
    """Return the board sizes on which a kind of position can be made.

    For UNSEEN this is only the smallest board with enough points that `playouts` leave some without a visit,
    and no board if the bot does not count the moves of the game towards the cap.
    """
    if kind is Kind.CAPTURES:
        return tuple(size for size in abilities.sizes if size <= SMALL)
    if kind is Kind.UNSEEN:
        enough = [size for size in abilities.sizes if size * size * VISITS >= playouts]
        return tuple(enough[:1]) if abilities.cap_of_game else ()
    return abilities.sizes


def laws_of_probe(probe: Probe, *, cap_of_game: bool) -> tuple[PlayoutLaw, ...] | None:
    """Return the laws of the playouts at a probe; None if it cannot be enumerated."""
    return laws_at(search_key(probe.position, probe.to_move, cap_of_game=cap_of_game), probe.komi)


def _moves_before_end(dice: Dice) -> int:
    """Draw how many moves before the end of a game a position lies: LATEST to EARLIEST."""
    return LATEST + dice.below(EARLIEST - LATEST + 1)


def _play_game(size: int, dice: Dice) -> Position:
    """Play a game of random candidates (legal moves that fill no own eye), to its end or 2·N·N moves."""
    game = Position(size)
    while len(game.moves) < 2 * size * size:
        if game.has_ended:
            break
        game.play(game.to_move, some_candidate(game, game.to_move, dice))
    return game


def _planted_ko(game: Position, dice: Dice, cap_of_game: bool, *, again: bool) -> Probe | None:
    """Return a late position of a game with a ko added at a random point, just taken; None if there is none.

    Few games have a ko left when playouts can be enumerated. With `again`, the side that took the ko
    sometimes moves once more, which lifts the ban.
    """
    late = _late_boards(game)
    for _ in range(KO_TRIES):
        board = late[-min(_moves_before_end(dice), len(late))]
        taker: Colour = "b" if dice.chance(0.5) else "w"
        probe = _take_added_ko(board, game.size, taker, dice, cap_of_game, again)
        if probe is not None:
            return probe
    return None


def _take_added_ko(
    board: Mapping[Point, Colour], size: int, taker: Colour, dice: Dice, cap_of_game: bool, again: bool
) -> Probe | None:
    """Add a ko to a board, and let `taker` take it. Return the position with the other side to move.

    None if the stones or moves are illegal, no ban arises, the other side has no candidate, or the position
    cannot be enumerated. With `again`, the taker sometimes moves once more; None if it could only pass, or if
    that move is on the ko point.
    """
    taken = opponent(taker)
    stones, stone, ko = _with_ko_shape(board, size, taker, dice)
    position = _after_move(stones, size, taker, stone)
    if position is None or position.ko_ban(taken) != ko or not has_candidate(position, taken):
        return None
    moves = [(taker, stone)]
    if again and dice.chance(AGAIN):
        point = some_candidate(position, taker, dice)
        if point is None or point == ko:
            return None
        position.play(taker, point)
        moves.append((taker, point))
    if laws_at(search_key(position, taken, cap_of_game=cap_of_game), None) is None:
        return None
    tail = tuple((colour, format_vertex(point)) for colour, point in moves)
    return Probe("", _set_up(stones, size).draw(), taken, 0.0, tail, turns=False)


def _with_ko_shape(
    board: Mapping[Point, Colour], size: int, taker: Colour, dice: Dice
) -> tuple[dict[Point, Colour], Point, Point]:
    """Add a ko to a board at a random place.

    Return the stones, the empty point where `taker` will play, and the point of the stone that this captures.
    That stone has the taker's stones around it, and the empty point those of the other side.
    """
    near, points = neighbours(size), all_points(size)
    stone = dice.below(len(points))
    ko = dice.pick(near[stone])
    stones = dict(board)
    stones |= dict.fromkeys((points[index] for index in near[stone]), opponent(taker))
    stones |= dict.fromkeys((points[index] for index in near[ko]), taker)
    stones[points[ko]] = opponent(taker)
    stones.pop(points[stone], None)
    return stones, points[stone], points[ko]


def _late_boards(game: Position) -> list[dict[Point, Colour]]:
    """Return the stones before each of the last EARLIEST moves of a game, in the order of the moves."""
    replayed, boards = Position(game.size), []
    for move in game.moves:
        boards.append(replayed.stones())
        replayed.play(move.colour, move.point)
    return boards[-EARLIEST:]


def _after_move(stones: Mapping[Point, Colour], size: int, taker: Colour, point: Point) -> Position | None:
    """Return the position after `taker` plays at `point`; None if the stones or the move are illegal."""
    try:
        position = _set_up(stones, size)
        position.play(taker, point)
    except GoError:
        return None
    return position


def _set_up(stones: Mapping[Point, Colour], size: int) -> Position:
    position = Position(size)
    position.set_up(*([p for p, colour in stones.items() if colour == wanted] for wanted in ("b", "w")))
    return position


def _position_of_game(
    game: Position, kind: Kind, dice: Dice, cap_of_game: bool, *, again: bool
) -> Probe | None:
    """Return the first position, from a random move on, that fits the kind and can be enumerated, or None.

    again   the side that moved last may be to move
    """
    without_passes = len(game.moves) - 2  # the moves of a game that two passes ended
    fewest = without_passes - _moves_before_end(dice)  # moves before the position
    if kind is Kind.AFTER_PASS and dice.chance(0.5):
        fewest = without_passes
    elif kind is Kind.CAPTURES:
        fewest = dice.below(max(1, without_passes))
    elif kind is Kind.CAP and cap_of_game:
        fewest = dice.below(len(game.moves))
    variant = dice.below(1000)
    out_of_turn = again and variant % 10 == 0
    reached = Position(game.size)
    for number, move in enumerate([*game.moves, None]):
        probe = None if number < fewest else _with_passes(reached, kind, variant, out_of_turn, cap_of_game)
        if probe is not None or move is None:
            return probe
        reached.play(move.colour, move.point)
    return None


def _probe_after(game: Position, to_move: Colour) -> Probe:
    """Return the final position of a game, as moves from the empty board, komi not yet set."""
    tail = tuple((move.colour, format_vertex(move.point)) for move in game.moves)
    return Probe("", empty(game.size), to_move, 0.0, tail, turns=False)


def _with_passes(
    reached: Position, kind: Kind, variant: int, out_of_turn: bool, cap_of_game: bool
) -> Probe | None:
    """Return the reached position after the passes of its kind.

    None if it cannot be enumerated, or if the side to move has no candidate and the kind is not AFTER_PASS.

    variant       random number from which `_passes` takes the number of passes
    out_of_turn   the side that moved last is to move
    """
    passes = _passes(reached, kind, variant)
    left = 3 * reached.size**2 - len(reached.moves) - passes
    if not may_be_enumerable(reached.size, reached.fingerprint, left):
        return None
    changed = reached.copy()
    for _ in range(passes):
        changed.play(changed.to_move, None)
    to_move = opponent(changed.to_move) if out_of_turn else changed.to_move
    if kind is not Kind.AFTER_PASS and not has_candidate(changed, to_move):
        return None
    if laws_at(search_key(changed, to_move, cap_of_game=cap_of_game), None) is None:
        return None
    return _probe_after(changed, to_move)


def _passes(reached: Position, kind: Kind, variant: int) -> int:
    """Return the number of passes to add to a position of this kind; `variant` is a random number."""
    left = 3 * reached.size**2 - len(reached.moves)
    if kind is Kind.CAP:
        passes = left - variant % 8  # 0 to 7 moves before the cap
    elif kind is Kind.PASSES:
        passes = variant % max(1, left)
    else:
        passes = 1 if kind is Kind.AFTER_PASS else 0
    return max(0, min(passes, MOST_PASSES))


def _many_candidates(size: int, dice: Dice) -> Probe:
    """Return a position with few stones, one move before the cap: each playout is a single move."""
    game = Position(size)
    for _ in range(FEW_STONES):
        game.play(game.to_move, some_candidate(game, game.to_move, dice))
    while len(game.moves) < 3 * size * size - 1:
        game.play(game.to_move, None)
    return _probe_after(game, game.to_move)


def _komi_for_best(key: SearchKey) -> float:
    """Return a komi with which only the playouts with the best margin win for the side to move.

    Return 0 if all playouts have the same margin, or cannot be enumerated.
    """
    best = sorted(margins_at(key), reverse=key.to_move == "b")[:2]
    return sum(best) / 2.0 if len(best) == 2 else 0.0


def _komi(key: SearchKey, dice: Dice) -> float:
    """Draw a komi near a possible margin of the playouts. Whole numbers can make draws."""
    margins = margins_at(key)
    near = dice.pick(margins) if margins else 0
    return float(near + dice.pick((-1.0, -0.5, 0.0, 0.0, 0.5, 0.5, 1.0)))
