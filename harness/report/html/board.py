"""Go boards as SVG: stones, marks on points, the last move, and a heat map of move choices."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from markupsafe import Markup

from harness.go import COLUMN_LETTERS, Colour, Point
from harness.report.svg import element, picture

CELL = 20
"""Side of a cell in SVG units; CSS sets the size of the whole board."""
MARGIN = 18  # above and to the left, for the coordinates
EDGE = 4  # below and to the right
STONE, RING, DOT = 0.46, 0.33, 0.14  # radii of a stone, of `marked` and of `last`, as fractions of a cell
SQUARE = 0.84  # side of `wanted`, as a fraction of a cell
CLASSES: Mapping[Colour, str] = {"b": "black", "w": "white"}  # CSS classes of stones
PALEST = 0.15  # opacity of the heat of a share near 0
STAR_POINTS = {9: (2, 4, 6), 13: (3, 6, 9), 19: (3, 9, 15)}
"""By board size: the rows and columns, from 0, of the star points."""
UNLABELLED = 0.005
"""A share up to this has no number on its point, because the number would be 0."""


def board_picture(
    size: int,
    stones: Mapping[Point, Colour],
    title: str,
    *,
    marked: Iterable[Point] = (),
    wanted: Iterable[Point] = (),
    last: Point | None = None,
    shares: Mapping[Point, float] | None = None,
) -> Markup:
    """The picture of a board; `title` describes it in words.

    marked   points with a ring
    wanted   points with a square
    last     the point with a dot, the last move
    shares   a number from 0 to 1 for each point, such as the share of searches that chose it; above 0, the
             point is coloured, above UNLABELLED also labelled in percent
    """
    side = MARGIN + size * CELL + EDGE
    parts = [element("rect", x=MARGIN, y=MARGIN, width=size * CELL, height=size * CELL, rx=3, class_="wood")]
    parts += _grid(size)
    parts += _coordinates(size)
    if shares:
        largest = max(shares.values())
        parts += [_heat(point, share, size, largest) for point, share in shares.items() if share]
    parts += [
        element("circle", **_centre(point, size), r=CELL * STONE, class_=CLASSES[colour])
        for point, colour in sorted(stones.items())
    ]
    if last is not None:
        parts.append(element("circle", **_centre(last, size), r=CELL * DOT, class_="last"))
    parts += [element("circle", **_centre(point, size), r=CELL * RING, class_="mark") for point in marked]
    parts += [_square(point, size, SQUARE, "wanted") for point in wanted]
    return picture(side, side, title, *parts, class_="board")


def _grid(size: int) -> list[Markup]:
    """The lines as one path, and the star points."""
    first, last = MARGIN + CELL / 2, MARGIN + CELL / 2 + (size - 1) * CELL
    strokes = [
        f"M{first:g} {first + i * CELL:g}H{last:g}M{first + i * CELL:g} {first:g}V{last:g}"
        for i in range(size)
    ]
    stars = STAR_POINTS.get(size, ())
    dots = [
        element("circle", **_centre((row, column), size), r=2, class_="star")
        for row in stars
        for column in stars
        if size > 9 or (row == 4) == (column == 4)  # 9x9 has four and the centre
    ]
    return [element("path", d="".join(strokes), class_="grid"), *dots]


def _coordinates(size: int) -> list[Markup]:
    """The letters above the board and the numbers beside it."""
    labels = []
    for i in range(size):
        across, down = MARGIN + CELL / 2 + i * CELL, MARGIN + CELL / 2 + (size - 1 - i) * CELL
        labels.append(element("text", COLUMN_LETTERS[i], x=across, y=MARGIN - 6, class_="coord"))
        labels.append(element("text", i + 1, x=MARGIN - 9, y=down + 3.5, class_="coord"))
    return labels


def _heat(point: Point, share: float, size: int, largest: float) -> Markup:
    """A coloured square, with the share in percent unless it is tiny; strongest at the `largest` share."""
    square = _square(point, size, 1, "heat", fill_opacity=round(PALEST + (1 - PALEST) * share / largest, 3))
    if share <= UNLABELLED:
        return square
    centre = _centre(point, size)
    label = element("text", f"{100 * share:.0f}", x=centre["cx"], y=centre["cy"] + 3, class_="share")
    return square + label


def _square(point: Point, size: int, side: float, class_: str, **attributes: object) -> Markup:
    """A square around a point; `side` is a fraction of a cell."""
    centre = _centre(point, size)
    x, y = centre["cx"] - CELL * side / 2, centre["cy"] - CELL * side / 2
    return element("rect", x=x, y=y, width=CELL * side, height=CELL * side, class_=class_, **attributes)


def _centre(point: Point, size: int) -> dict[str, float]:
    row, column = point
    return {"cx": MARGIN + CELL / 2 + column * CELL, "cy": MARGIN + CELL / 2 + (size - 1 - row) * CELL}
