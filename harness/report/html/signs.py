"""Signs that several pages share. A sign stands beside each colour, for readers who see no colours."""

VERDICTS = {"equal": ("✓", "pass"), "different": ("✗", "fail"), "undecided": ("?", "open")}
"""Of each verdict on a pair or on playout lengths: its sign and its style."""

RUN_SCRIPTS = ("board.js", "viewer.js")
"""The scripts of the page of a run."""
