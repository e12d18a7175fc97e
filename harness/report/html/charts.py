"""Charts as SVG: an interval beside its margin, and lines or dots over a pair of axes."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup

from harness.arena.verdicts import PairParity
from harness.report.numbers import amount
from harness.report.status.run import PairRow
from harness.report.svg import element, picture
from harness.report.visible import one_line

WIDTH, HEIGHT = 460.0, 210.0
"""Size of a line chart, in SVG units."""
LEFT, RIGHT, TOP, BOTTOM = 62.0, 12.0, 10.0, 34.0
"""Widths of the borders around the area of the lines, for labels."""
HALF_CHARACTER = 4.5
"""Half the width of a digit on a phone, where it is widest; keeps the labels of the x axis in the picture."""
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
    """A dot for a deviation, a bar for its interval, a shaded margin; an arrow for a dot beyond CLIP.

    state   the CSS class: "pass", "fail" or "open"
    """
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


@dataclass(frozen=True)
class _Axes:
    """The ranges of both axes of a chart, which turn values into SVG coordinates."""

    x_low: float
    x_high: float
    y_low: float
    y_high: float

    @property
    def is_cut(self) -> bool:
        """True if 0 lies outside the range of the y axis."""
        return self.y_low > 0.0 or self.y_high < 0.0

    def x(self, value: float) -> float:
        """The SVG coordinate of a value on the x axis."""
        return LEFT + (value - self.x_low) / (self.x_high - self.x_low) * (WIDTH - LEFT - RIGHT)

    def y(self, value: float) -> float:
        """The SVG coordinate of a value on the y axis; a value outside the range is drawn at its edge."""
        inside = max(self.y_low, min(self.y_high, value))
        return TOP + (self.y_high - inside) / (self.y_high - self.y_low) * (HEIGHT - TOP - BOTTOM)

    def place(self, points: Pairs) -> Pairs:
        """The SVG coordinates of points (x, y)."""
        return [(self.x(x), self.y(y)) for x, y in points]


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
    y_range      the range of the y axis; None: all lines, bands, levels and `within` fit, and 0 if it is near
    percent      the ticks of the y axis are percentages
    marks        x of vertical lines
    x_labels     (x, text) below the x axis instead of numbers
    """
    if not any(line.points for line in lines):
        return Markup("")
    axes = _axes_for(lines, [level for level, _ in levels] + list(within or ()), y_range)
    if axes.is_cut:
        title, up = f"{title}; the y axis does not begin at 0", f"{up} (axis cut)"
    parts: list[Markup] = []
    if within is not None:
        top, bottom = axes.y(within[1]), axes.y(within[0])
        width, height = WIDTH - LEFT - RIGHT, max(1.0, bottom - top)
        parts.append(element("rect", x=LEFT, y=top, width=width, height=height, class_="within"))
    parts += _scale(axes, x_labels, percent=percent)
    parts += [_horizontal(axes.y(level), "level") for level, _ in levels]
    for mark in marks:
        x = axes.x(mark)
        parts.append(element("line", x1=x, x2=x, y1=TOP, y2=HEIGHT - BOTTOM, class_="change"))
    for number, line in enumerate(lines):
        parts += _line_elements(number, line, axes)
    for level, name in levels:  # drawn over the lines
        place = {"x": WIDTH - RIGHT - 2, "y": axes.y(level) - 4}
        parts.append(element("text", name, **place, class_="tick end level-name"))
    parts += _axis_labels(across, up, cut=axes.is_cut)
    return picture(WIDTH, HEIGHT, title, *parts, class_="chart")


def _axes_for(lines: Sequence[Line], others: Sequence[float], y_range: tuple[float, float] | None) -> _Axes:
    """The axes that hold all points and bands, and the values `others` of y; `y_range` replaces that of y."""
    xs = [x for line in lines for x, _ in line.points]
    ys = [y for line in lines for _, y in line.points] + list(others)
    ys += [y for line in lines for pair in line.band for y in pair]
    x_low, x_high = min(xs), max(xs)
    if x_low == x_high:
        x_low, x_high = x_low - 0.5, x_high + 0.5
    return _Axes(x_low, x_high, *(y_range or _span(min(ys), max(ys))))


def _horizontal(y: float, class_: str) -> Markup:
    """A horizontal line through the whole chart."""
    return element("line", x1=LEFT, x2=WIDTH - RIGHT, y1=y, y2=y, class_=class_)


def _scale(axes: _Axes, x_labels: Sequence[tuple[float, str]], *, percent: bool) -> list[Markup]:
    """The lines and numbers of the y axis, and the numbers (or `x_labels`) below the x axis."""
    parts: list[Markup] = []
    for tick in ticks(axes.y_low, axes.y_high):
        label = f"{100 * tick:g} %" if percent else f"{tick:,.10g}"
        parts.append(_horizontal(axes.y(tick), "rule"))
        parts.append(element("text", label, x=LEFT - 5, y=axes.y(tick) + 3.5, class_="tick end"))
    numbers = [(tick, f"{tick:,.10g}") for tick in ticks(axes.x_low, axes.x_high, least=1.0)]
    for tick, label in x_labels or numbers:
        half = HALF_CHARACTER * len(label)
        x = min(axes.x(tick), WIDTH - half)
        x = max(x, LEFT + half - 3.0) if x_labels else x  # not below the labels of the y axis
        parts.append(element("text", label, x=x, y=HEIGHT - BOTTOM + 13, class_="tick middle"))
    return parts


def _axis_labels(across: str, up: str, *, cut: bool) -> list[Markup]:
    """The labels of both axes, and two strokes through the foot of a y axis that is `cut`."""
    parts: list[Markup] = []
    if cut:
        foot = HEIGHT - BOTTOM
        strokes = f"M{LEFT - 4:g} {foot - 2:g}l8 -4M{LEFT - 4:g} {foot - 6:g}l8 -4"
        parts.append(element("path", d=strokes, class_="cut"))
    parts.append(element("text", across, x=(LEFT + WIDTH - RIGHT) / 2, y=HEIGHT - 5, class_="axis middle"))
    centre = (TOP + HEIGHT - BOTTOM) / 2
    turned = f"rotate(-90 13 {centre:g})"
    return [*parts, element("text", up, transform=turned, x=13, y=centre, class_="axis middle")]


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


def _line_elements(number: int, line: Line, axes: _Axes) -> list[Markup]:
    """The band, the line and the dots of the line with this number in its chart."""
    colour = f"c{number % len(DASHES)}"
    points = axes.place(line.points)
    parts: list[Markup] = []
    if line.band:
        lower = axes.place([(x, low) for (x, _), (low, _) in zip(line.points, line.band, strict=True)])
        upper = axes.place([(x, high) for (x, _), (_, high) in zip(line.points, line.band, strict=True)])
        outline = _as_svg_points([*lower, *reversed(upper)])
        parts.append(element("polygon", points=outline, class_=f"band {colour}"))
        if len(points) == 1:  # a band without width
            parts.append(element("polyline", points=_as_svg_points([*lower, *upper]), **line_style(number)))
    if line.joined:
        parts.append(element("polyline", points=_as_svg_points(points), **line_style(number)))
    if line.dots:
        parts += [element("circle", cx=x, cy=y, r=2.6, class_=f"point {colour}") for x, y in points]
    return parts


def line_style(number: int) -> dict[str, object]:
    """The colour and the dashes of the line with this number in its chart, as SVG attributes.

    No two of the first 36 lines have the same colour and the same dashes.
    """
    again, colour = divmod(number, len(DASHES))
    return {"class_": f"line c{colour}", "stroke_dasharray": DASHES[(colour + again) % len(DASHES)] or None}


def _as_svg_points(points: Pairs) -> str:
    """Points as SVG lists them: "62.0,10.0 74.5,12.3"."""
    return " ".join(f"{x:.1f},{y:.1f}" for x, y in points)


def range_from_zero(highest: float) -> tuple[float, float]:
    """Return (low, high) of an axis for values from 0 to `highest`, with room above them: never empty."""
    return 0.0, (1.0 + ROOM) * highest or 1.0


def _span(low: float, high: float) -> tuple[float, float]:
    """Return (low, high) of an axis for values from `low` to `high`, with room at both ends: never empty.

    The range begins at 0 if the values then still have half of its height.
    """
    if 0.0 <= low <= high / 2.0:
        return range_from_zero(high)
    if high - low <= FLAT * max(abs(low), abs(high)):
        extra = abs(low) * 0.05 or 0.5
        return low - extra, high + extra
    return low - ROOM * (high - low), high + ROOM * (high - low)


def ticks(low: float, high: float, about: int = 5, least: float = 0.0) -> list[float]:
    """About `about` round numbers from `low` to `high`, at least `least` apart: 0 to 97 gives 0, 20, … 80."""
    raw = max(least, (high - low) / about)
    power = 10.0 ** math.floor(math.log10(raw))
    # The factor 0.999 and the term 1e-9 allow for rounding errors: without them, one could double the step or
    # drop the first or the last tick.
    step = next(factor * power for factor in (1, 2, 5, 10) if factor * power >= raw * 0.999)
    first = math.ceil(low / step - 1e-9)
    return [number * step for number in range(first, math.floor(high / step + 1e-9) + 1)]
