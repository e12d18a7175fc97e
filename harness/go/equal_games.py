"""Games that are equal up to a rotation or reflection of the board."""

from __future__ import annotations

from functools import cache

from harness.go.geometry import MAX_SIZE, all_points, symmetries
from harness.go.position import vertex_of


def canonical_moves(moves: str, size: int) -> str:
    """The text of moves of the rotated or reflected game that comes first in the order of texts.

    Equal for two games if and only if a rotation or reflection of the board leads from one to the other.
    `moves` is such as "bE5 wpass". A text with a point off the board, or for a size that no board has, is
    returned as it is.
    """
    if not 1 <= size <= MAX_SIZE:
        return moves
    tokens = moves.split()
    live = _images(size)
    try:
        # Most games leave one symmetry after a few moves; only that one is applied to the others.
        for token in tokens:
            if len(live) == 1:
                break
            least = min(images[token] for images in live)
            live = [images for images in live if images[token] == least]
        return " ".join(map(live[0].__getitem__, tokens))
    except KeyError:
        return moves


@cache
def _images(size: int) -> list[dict[str, str]]:
    """For each symmetry of the board, the image of each move."""
    tables = []
    for symmetry in symmetries(size):
        table = {f"{colour}pass": f"{colour}pass" for colour in "bw"}
        for point in all_points(size):
            vertex, image = vertex_of(point), vertex_of(symmetry(point))
            table |= {f"{colour}{vertex}": f"{colour}{image}" for colour in "bw"}
        tables.append(table)
    return tables
