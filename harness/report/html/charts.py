"""Charts as SVG: an interval beside its margin, and lines or dots over a pair of axes."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from harness.arena.verdicts import PairParity
from harness.report.numbers import amount
from harness.report.status.run import PairRow
from harness.report.svg import element, picture
from harness.report.visible import one_line

WIDTH, HEIGHT = 460.0, 210.0
LEFT, RIGHT, TOP, BOTTOM = 62.0, 12.0, 10.0, 34.0
HALF_CHARACTER = 4.5
"""At most half the width of a digit, on a phone; it keeps the labels of the x axis within the picture."""
ROOM = 0.06
"""Part of the range of the values that the y axis has beyond them. Chosen: no line touches the frame."""
FLAT = 1e-9
"""Values with a smaller relative difference are drawn as equal. Chosen: above the errors of rounding."""
CLIP = 4.0
"""Range of an interval picture, in margins to either side of 0. Values beyond are drawn at the edge."""

DASHES = ("", "6 3", "2 3", "9 3 2 3", "1 5", "12 4")
"""Dash patterns of the lines, for readers who do not see the colours."""

Pairs = Sequence[tuple[float, float]]


@dataclass(frozen=True)
class Line:
    """A line of a chart."""

    name: str
    points: Pairs  # (x, y)
    band: Pairs = ()  # (low, high) for each point: the shaded band around the line
    dots: bool = False  # draw a dot at each point
    joined: bool = True  # draw a line through the points


def interval_picture(
    deviation: float, low: float, high: float, margin: float, state: str, title: str
) -> Markup:
    """A dot for a deviation, a bar for its interval, a shaded margin. `state`: "pass", "fail" or "open"."""
    width, height = 240.0, 22.0
    middle = height / 2

    def x(value: float) -> float:
        """The x coordinate of a value; values beyond CLIP margins are at the edge."""
        beyond = math.copysign(CLIP, value) if value else 0.0
        scaled = value / margin if margin else beyond
        return width / 2 + max(-CLIP, min(CLIP, scaled)) / CLIP * (width / 2 - 8)

    parts = [
        element("rect", x=x(-margin), y=2, width=x(margin) - x(-margin), height=height - 4, class_="within"),
        element("line", x1=width / 2, x2=width / 2, y1=2, y2=height - 2, class_="zero"),
        element("line", x1=x(low), x2=x(high), y1=middle, y2=middle, class_=f"interval {state}"),
    ]
    beyond = CLIP * margin
    if deviation > beyond:
        parts.append(element("path", d=f"M{width - 13:g} 4l10 7l-10 7z", class_=f"dot {state}"))
    elif deviation < -beyond:
        parts.append(element("path", d="M13 4l-10 7l10 7z", class_=f"dot {state}"))
    else:
        parts.append(element("circle", cx=x(deviation), cy=middle, r=4, class_=f"dot {state}"))
    return picture(width, height, title, *parts, class_="interval-picture")


def line_chart(
    lines: Sequence[Line],
    title: str,
    across: str,
    up: str,
    *,
    levels: Sequence[tuple[float, str]] = (),
    within: tuple[float, float] | None = None,
    y_range: tuple[float, float] | None = None,
    percent: bool = False,
    marks: Sequence[float] = (),
    x_labels: Sequence[tuple[float, str]] = (),
) -> Markup:
    """Lines over one pair of axes; empty without points. x is a count (games, playouts, runs).

    A y axis that does not have 0 is marked as cut.

    across, up   labels of the x axis and of the y axis
    levels       (y, name) of horizontal lines
    within       a shaded range of y
    y_range      the range of the y axis; None: that of the points, from 0 on where that costs little height
    percent      the ticks of the y axis are percentages
    marks        x of vertical lines
    x_labels     (x, text) below the x axis instead of numbers
    """
    xs = [x for line in lines for x, _ in line.points]
    if not xs:
        return Markup("")
    ys = [y for line in lines for _, y in line.points] + [level for level, _ in levels] + list(within or ())
    ys += [y for line in lines for pair in line.band for y in pair]
    x_low, x_high = min(xs), max(xs)
    if x_low == x_high:
        x_low, x_high = x_low - 0.5, x_high + 0.5
    y_low, y_high = y_range or _span(min(ys), max(ys))

    def place(x: float, y: float) -> tuple[float, float]:
        """The SVG coordinates of a point; a point outside the y range is drawn at its edge."""
        inside = max(y_low, min(y_high, y))
        return (
            LEFT + (x - x_low) / (x_high - x_low) * (WIDTH - LEFT - RIGHT),
            TOP + (y_high - inside) / (y_high - y_low) * (HEIGHT - TOP - BOTTOM),
        )

    parts: list[Markup] = []
    if within is not None:
        (left, top), (right, bottom) = place(x_low, within[1]), place(x_high, within[0])
        parts.append(
            element("rect", x=left, y=top, width=right - left, height=max(1.0, bottom - top), class_="within")
        )
    for tick in ticks(y_low, y_high):
        _, y = place(x_low, tick)
        label = f"{100 * tick:g} %" if percent else f"{tick:,.10g}"
        parts.append(element("line", x1=LEFT, x2=WIDTH - RIGHT, y1=y, y2=y, class_="rule"))
        parts.append(element("text", label, x=LEFT - 5, y=y + 3.5, class_="tick end"))
    for tick, label in x_labels or [(tick, f"{tick:,.10g}") for tick in ticks(x_low, x_high, least=1.0)]:
        half = HALF_CHARACTER * len(label)
        x = min(place(tick, y_low)[0], WIDTH - half)
        x = max(x, LEFT + half - 3.0) if x_labels else x  # not below the labels of the y axis
        parts.append(element("text", label, x=x, y=HEIGHT - BOTTOM + 13, class_="tick middle"))
    heights = [(place(x_low, level)[1], name) for level, name in levels]
    parts += [element("line", x1=LEFT, x2=WIDTH - RIGHT, y1=y, y2=y, class_="level") for y, _ in heights]
    for mark in marks:
        x, _ = place(mark, y_low)
        parts.append(element("line", x1=x, x2=x, y1=TOP, y2=HEIGHT - BOTTOM, class_="change"))
    for number, line in enumerate(lines):
        parts += _drawn(number, line, place)
    for y, name in heights:  # drawn over the lines
        parts.append(element("text", name, x=WIDTH - RIGHT - 2, y=y - 4, class_="tick end level-name"))
    if y_low > 0.0 or y_high < 0.0:
        foot = HEIGHT - BOTTOM
        strokes = f"M{LEFT - 4:g} {foot - 2:g}l8 -4M{LEFT - 4:g} {foot - 6:g}l8 -4"
        parts.append(element("path", d=strokes, class_="cut"))
        title, up = f"{title}; the y axis does not begin at 0", f"{up} (axis cut)"
    parts.append(element("text", across, x=(LEFT + WIDTH - RIGHT) / 2, y=HEIGHT - 5, class_="axis middle"))
    centre = (TOP + HEIGHT - BOTTOM) / 2
    parts.append(
        element("text", up, transform=f"rotate(-90 13 {centre:g})", x=13, y=centre, class_="axis middle")
    )
    return picture(WIDTH, HEIGHT, title, *parts, class_="chart")


def score_chart(
    pair: PairParity | PairRow, points: Pairs, band: Pairs, y_range: tuple[float, float]
) -> Markup:
    """The score of a pair's first bot over the number of games, with its bounds and the margin around ½."""
    names = f"{one_line(pair.bot_a, 60)} against {one_line(pair.bot_b, 60)}"
    games = amount(pair.games, "game")
    return line_chart(
        [Line("score", points, band=band)],
        f"Score of {names} over {games}: {pair.low:.3f} to {pair.high:.3f}, {pair.verdict}",
        "games",
        "score of the first bot",
        within=(0.5 - pair.margin, 0.5 + pair.margin),
        levels=[(0.5, "")],
        y_range=y_range,
        percent=True,
    )


def _drawn(number: int, line: Line, place: Callable[[float, float], tuple[float, float]]) -> list[Markup]:
    colour = f"c{number % len(DASHES)}"
    points = [place(x, y) for x, y in line.points]
    parts: list[Markup] = []
    if line.band:
        lower = [place(x, low) for (x, _), (low, _) in zip(line.points, line.band, strict=True)]
        upper = [place(x, high) for (x, _), (_, high) in zip(line.points, line.band, strict=True)]
        parts.append(element("polygon", points=_listed([*lower, *reversed(upper)]), class_=f"band {colour}"))
        if len(points) == 1:  # a band without width
            parts.append(element("polyline", points=_listed([*lower, *upper]), **line_style(number)))
    if line.joined:
        parts.append(element("polyline", points=_listed(points), **line_style(number)))
    if line.dots:
        parts += [element("circle", cx=x, cy=y, r=2.6, class_=f"point {colour}") for x, y in points]
    return parts


def line_style(number: int) -> dict[str, object]:
    """The colour and the dashes of the line with this number in its chart, as SVG attributes.

    The lines of one colour have different dashes.
    """
    again, colour = divmod(number, len(DASHES))
    return {"class_": f"line c{colour}", "stroke_dasharray": DASHES[(colour + again) % len(DASHES)] or None}


def _listed(points: Pairs) -> str:
    return " ".join(f"{x:.1f},{y:.1f}" for x, y in points)


def range_from_zero(highest: float) -> tuple[float, float]:
    """The range of an axis for values from 0 to `highest`, with room above them: never empty."""
    return 0.0, (1.0 + ROOM) * highest or 1.0


def _span(low: float, high: float) -> tuple[float, float]:
    """The range of an axis for values from `low` to `high`, with room at both ends: never empty.

    The range begins at 0 if the values then still have half of its height.
    """
    if 0.0 <= low <= high / 2.0:
        return range_from_zero(high)
    if high - low <= FLAT * max(abs(low), abs(high)):
        extra = abs(low) * 0.05 or 0.5
        return low - extra, high + extra
    return low - ROOM * (high - low), high + ROOM * (high - low)


def ticks(low: float, high: float, about: int = 5, least: float = 0.0) -> list[float]:
    """About `about` round numbers from `low` to `high`, at least `least` apart."""
    raw = max(least, (high - low) / about)
    power = 10.0 ** math.floor(math.log10(raw))
    step = next(factor * power for factor in (1, 2, 5, 10) if factor * power >= raw * 0.999)
    first = math.ceil(low / step - 1e-9)
    return [number * step for number in range(first, math.floor(high / step + 1e-9) + 1)]
