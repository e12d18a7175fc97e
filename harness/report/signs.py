"""The sign and the style of each verdict on a bot. The sign is for those who see no colours."""

VERDICT_SIGNS = {
    "conforms": ("✓", "pass"),
    "deviates": ("✗", "fail"),
    "inconclusive": ("?", "open"),
    "unusable": ("!", "fail"),
}
