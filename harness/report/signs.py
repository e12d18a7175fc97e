"""A sign and a style for each verdict. The sign stands beside the colour, for those who see no colours."""

VERDICT_SIGNS = {
    "conforms": ("✓", "pass"),
    "deviates": ("✗", "fail"),
    "inconclusive": ("?", "open"),
    "unusable": ("!", "fail"),
}
"""By verdict on a bot."""

PARITY_SIGNS = {"equal": ("✓", "pass"), "different": ("✗", "fail"), "undecided": ("?", "open")}
"""By verdict on a pair or on playout lengths."""

KIND_SIGNS = {"pass": "✓", "fail": "✗", "open": "?", "skip": "–"}
"""By style of an outcome."""
