"""The verdict of a check as a badge: an SVG file, and JSON for badge services such as shields.io."""

from __future__ import annotations

import json

from harness.report.svg import element

LABEL = "reference bot"
COLOURS = {
    "conforms": ("#19692f", "green"),
    "deviates": ("#a8201a", "red"),
    "inconclusive": ("#7a5200", "yellow"),
    "unusable": ("#555d69", "lightgrey"),
}
"""By verdict: the colour in the SVG, and the name of the colour in the JSON."""

CHARACTER = 6.6
"""Width of a character in SVG units at font size 11. The text is stretched to this width in any font. Chosen:
about that of Verdana."""
PADDING, HEIGHT = 6.0, 20
"""Units to each side of a text, and height of the badge. Chosen: those of other badge services."""


def badge_svg(verdict: str) -> str:
    """The badge as an SVG file. Raises KeyError for a word that is no verdict."""
    colour = COLOURS[verdict][0]
    left, right = (2 * PADDING + CHARACTER * len(text) for text in (LABEL, verdict))
    parts = [
        element("title", f"{LABEL}: {verdict}"),
        element("rect", width=left + right, height=HEIGHT, rx=3, fill="#444"),
        element("rect", x=left, width=right, height=HEIGHT, rx=3, fill=colour),
    ]
    for text, start in ((LABEL, 0.0), (verdict, left)):
        parts.append(
            element(
                "text",
                text,
                x=start + PADDING,
                y=14,
                fill="#fff",
                font_family="Verdana, DejaVu Sans, sans-serif",
                font_size=11,
                textLength=CHARACTER * len(text),
            )
        )
    return str(
        element(
            "svg",
            *parts,
            xmlns="http://www.w3.org/2000/svg",
            width=left + right,
            height=HEIGHT,
            role="img",
            aria_label=f"{LABEL}: {verdict}",
        )
    )


def badge_json(verdict: str) -> str:
    """The badge in the endpoint format of shields.io. Raises KeyError for a word that is no verdict."""
    data = {"schemaVersion": 1, "label": LABEL, "message": verdict, "color": COLOURS[verdict][1]}
    return json.dumps(data) + "\n"
