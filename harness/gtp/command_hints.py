"""Hints at a start that failed: what the command, or the last words of the program, show to be wrong."""

from __future__ import annotations

import re

LOOK_ALIKES = {
    "–": ("an en dash", "-"),
    "—": ("an em dash", "--"),
    "−": ("a minus sign", "-"),
    "“": ("a typographic quote", '"'),
    "”": ("a typographic quote", '"'),
    "„": ("a typographic quote", '"'),
    "‘": ("a typographic quote", "'"),
    "’": ("a typographic quote", "'"),
    "\u00a0": ("a no-break space", " "),
}
"""Signs that word processors and web pages put in the place of the signs of a command line."""

_VARIABLES = (
    (r"error while loading shared libraries|cannot open shared object file", "LD_LIBRARY_PATH"),
    (r"Library not loaded:", "DYLD_LIBRARY_PATH"),
    (r"ModuleNotFoundError|No module named|ImportError:", "PYTHONPATH"),
    (r"ClassNotFoundException|NoClassDefFoundError|Could not find or load main class", "CLASSPATH"),
    (r"KeyError: '([A-Z]+_[A-Z0-9_]+)'", r"\1"),  # with an underscore: 'PASS' and 'A1' are moves
    (r"(?i:environment variable)\W+\$?([A-Z][A-Z0-9_]+)", r"\1"),
    (r"\b([A-Z][A-Z0-9]*_[A-Z0-9_]+)\b.{0,20}\b(?:not set|unset)\b", r"\1"),
)
"""Words of programs that miss a variable of the environment, and the name of the variable."""


def look_alike_hint(command: str) -> str:
    """A hint at a sign in the command that only looks like one of a command line; empty if there is none."""
    for word in command.split(" "):
        for sign, (name, meant) in LOOK_ALIKES.items():
            if sign in word:
                return f"{word!r} has {name} ({sign}) where a command line has {meant!r}"
    return ""


def missing_variable(wrote: str) -> str:
    """The variable of the environment whose lack would explain what a program wrote; empty if none would."""
    for words, name in _VARIABLES:
        if found := re.search(words, wrote):
            return found.expand(name)
    return ""
