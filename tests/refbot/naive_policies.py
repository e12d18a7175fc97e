"""Simple, slow implementations of the policies and options, on the playouts of `naive`."""

from __future__ import annotations

from tests.refbot.naive import Board, Playout, Point, after, area, group, neighbours, points


def liberties(board: Board, size: int, point: Point) -> set[Point]:
    return {beside for beside in group(board, size, point)[1] if beside not in board}


def in_atari(board: Board, size: int, colour: int) -> list[Point]:
    """The stones of a colour whose chain has one liberty."""
    return [p for p, c in board.items() if c == colour and len(liberties(board, size, p)) == 1]


def ends_atari(board: Board, size: int, colour: int, point: Point) -> bool:
    """Return whether a stone there has two liberties: those of the chains it joins, and free points near it.

    Of the stones that it captures, only those beside it count, not those beside the chains it joins.
    """
    result = after(board, size, colour, point)
    if result is None:
        return False
    beside = neighbours(size, point)
    found = {q for q in beside if q not in result[0]}
    for q in beside:
        if board.get(q) == colour:
            found |= liberties(board, size, q) - {point}
    return len(found) >= 2


def escapes(playout: Playout, last: Point | None) -> tuple[set[Point], set[Point]]:
    """(Captures that save a chain put in atari by the last move, extensions that do)."""
    board, size, colour = playout.board, playout.size, playout.colour
    beside = set(neighbours(size, last)) if last is not None else set()
    saved = [stone for stone in in_atari(board, size, colour) if stone in beside]
    taken: set[Point] = set()
    for stone in saved:
        for enemy in group(board, size, stone)[1]:
            if board.get(enemy) == 3 - colour and len(found := liberties(board, size, enemy)) == 1:
                taken |= found
    extended = {min(liberties(board, size, stone)) for stone in saved}
    return taken - {playout.ko}, {p for p in extended if ends_atari(board, size, colour, p)}


def captures(playout: Playout) -> set[Point]:
    board, size = playout.board, playout.size
    found = [liberties(board, size, stone) for stone in in_atari(board, size, 3 - playout.colour)]
    return set().union(*found) - {playout.ko}


def worthwhile(playout: Playout) -> set[Point]:
    """Captures that take stones which the enemy could have saved."""
    enemy = 3 - playout.colour
    return {p for p in captures(playout) if ends_atari(playout.board, playout.size, enemy, p)}


def area_cut_short(board: Board, size: int) -> int:
    dead = {stone for colour in (1, 2) for stone in in_atari(board, size, colour)}
    owned = {p: 3 - c if p in dead else c for p, c in board.items()}
    for p in points(size):
        if p not in board:
            around = {owned.get(q) if q in board else None for q in neighbours(size, p)}
            if len(around) == 1 and None not in around:
                owned[p] = around.pop()  # type: ignore[assignment]
    return sum(1 if c == 1 else -1 for c in owned.values())


def lead_in_stones(board: Board) -> int:
    return sum(1 if c == 1 else -1 for c in board.values())


__all__ = ["area", "area_cut_short", "captures", "ends_atari", "escapes", "lead_in_stones", "worthwhile"]
