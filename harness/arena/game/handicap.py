"""Puts handicap stones on an engine's board, so that the engine knows them as a handicap where it can."""

from __future__ import annotations

from collections.abc import Sequence

from harness.arena.config.handicap import handicap_points
from harness.arena.config.opening import Opening
from harness.arena.game.player import Ask, EngineFailureError, Player, quoted_answer, require_success
from harness.gtp import Colour, VertexError, format_vertex, parse_vertex


def set_handicap(player: Player, opening: Opening, colour: Colour, size: int, ask: Ask) -> Opening:
    """Set the handicap of an opening. Return the opening with the stones where they stand.

    Raises EngineFailureError if the engine refuses what it must obey, or chooses points that are no handicap.
    """
    if opening.free and colour == "b" and player.knows("place_free_handicap"):
        return opening.with_handicap(_chosen(ask, len(opening.handicap), size))
    stones = opening.handicap
    if set(stones) == set(_fixed_points(len(stones), size)) and player.knows("fixed_handicap"):
        exchange = ask(f"fixed_handicap {len(stones)}")
        if exchange.ok and set(_points(exchange.text, size)) == set(stones):
            return opening
        require_success("clear_board", ask("clear_board"))  # it failed, or has other points: place each stone
    for command in handicap_lines(player, stones):
        require_success(command, ask(command))
    return opening


def handicap_lines(player: Player, stones: Sequence[str]) -> list[str]:
    """The commands that place handicap stones on points that others chose."""
    if player.knows("set_free_handicap"):
        return [f"set_free_handicap {' '.join(stones)}"]
    return [f"play b {vertex}" for vertex in stones]


def _chosen(ask: Ask, most: int, size: int) -> list[str]:
    """The points that the engine chooses for its stones. It may place fewer, but at least 2."""
    command = f"place_free_handicap {most}"
    exchange = ask(command)
    require_success(command, exchange)
    found = _points(exchange.text, size)
    if not 2 <= len(found) <= most:
        raise EngineFailureError(
            "protocol", f"{command}: expected 2 to {most} different points{quoted_answer(exchange)}"
        )
    return found


def _points(text: str, size: int) -> list[str]:
    """The points of an answer, written as in GTP; empty if it has anything else, or a point twice."""
    try:
        points = [parse_vertex(word, size) for word in text.split()]
    except VertexError:
        return []
    if None in points or len(set(points)) != len(points):
        return []
    return [format_vertex(point) for point in points]


def _fixed_points(stones: int, size: int) -> tuple[str, ...]:
    """The fixed points of a handicap; empty if the board has none for it."""
    try:
        return handicap_points(stones, size)
    except ValueError:
        return ()
