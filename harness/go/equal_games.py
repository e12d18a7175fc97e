"""Recognises games that are equal up to a rotation or reflection of the board."""

from __future__ import annotations

from functools import cache

from harness.go.geometry import MAX_SIZE, all_points, symmetries
from harness.go.position import vertex_of


def canonical_moves(moves: str, size: int) -> str:
    """Return one text for all rotations and reflections of a game: the one that comes first in sorted order.

    `moves` is the text of a game, such as "bC1 wpass". On 9x9 this one gives "bA3 wpass": C1 has the images
    A3, A7, C1, C9, G1, G9, J3 and J7. Two games have equal results if and only if a rotation or reflection of
    the board leads from one to the other. A text with a point off the board, or for a size that no board has,
    is returned as it is.
    """
    if not 1 <= size <= MAX_SIZE:
        return moves
    tokens = moves.split()
    left = _images(size)  # the symmetries whose texts are the first in sorted order, up to the present move
    try:
        # Most games leave one symmetry after a few moves; only this one is applied to the later moves.
        for token in tokens:
            if len(left) == 1:
                break
            least = min(images[token] for images in left)
            left = [images for images in left if images[token] == least]
        return " ".join(map(left[0].__getitem__, tokens))
    except KeyError:
        return moves


@cache
def _images(size: int) -> list[dict[str, str]]:
    """Return for each symmetry of the board the image of each move: "bC1" has "bA3" in one of them."""
    tables = []
    for symmetry in symmetries(size):
        table = {f"{colour}pass": f"{colour}pass" for colour in "bw"}
        for point in all_points(size):
            vertex, image = vertex_of(point), vertex_of(symmetry(point))
            table |= {f"{colour}{vertex}": f"{colour}{image}" for colour in "bw"}
        tables.append(table)
    return tables
