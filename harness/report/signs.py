"""The sign and the CSS class of each verdict. The sign is for readers who do not see the colours."""

VERDICT_SIGNS = {
    "conforms": ("✓", "pass"),
    "deviates": ("✗", "fail"),
    "inconclusive": ("?", "open"),
    "unusable": ("!", "fail"),
}
"""By verdict on a bot: sign, CSS class."""

PARITY_SIGNS = {
    **dict.fromkeys(("equal", "passed", "stronger"), ("✓", "pass")),
    **dict.fromkeys(("different", "failed", "weaker"), ("✗", "fail")),
    "undecided": ("?", "open"),
}
"""By verdict on a pair of bots, or on the playouts of a bot: sign, CSS class."""

KIND_SIGNS = {"pass": "✓", "fail": "✗", "note": "i", "open": "?", "skip": "–"}
"""By kind of an outcome (also its CSS class): sign."""
