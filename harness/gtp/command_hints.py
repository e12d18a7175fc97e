"""Hints for a start that failed: typographic signs in the command, or a missing environment variable."""

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
"""For each sign that word processors put into a copied command: its name, and the sign that was meant."""

_VARIABLES = (
    (r"error while loading shared libraries|cannot open shared object file", "LD_LIBRARY_PATH"),
    (r"Library not loaded:", "DYLD_LIBRARY_PATH"),
    (r"ModuleNotFoundError|No module named|ImportError:", "PYTHONPATH"),
    (r"ClassNotFoundException|NoClassDefFoundError|Could not find or load main class", "CLASSPATH"),
    (r"KeyError: '([A-Z]+_[A-Z0-9_]+)'", r"\1"),  # with an underscore: 'PASS' and 'A1' are moves
    (r"(?i:environment variable)\W+\$?([A-Z][A-Z0-9_]+)", r"\1"),
    (r"\b([A-Z][A-Z0-9]*_[A-Z0-9_]+)\b.{0,20}\b(?:not set|unset)\b", r"\1"),
)
"""For each error text of a program: the environment variable that the program lacks (\\1: from the text)."""


def look_alike_hint(command: str) -> str:
    """A hint that names a typographic sign in the command and the sign that was meant; empty without one."""
    for word in command.split(" "):
        for sign, (name, meant) in LOOK_ALIKES.items():
            if sign in word:
                return f"{word!r} has {name} ({sign}) where a command line has {meant!r}"
    return ""


def missing_variable(wrote: str) -> str:
    """The environment variable whose lack explains what a program wrote on stderr; empty if none does."""
    for words, name in _VARIABLES:
        if found := re.search(words, wrote):
            return found.expand(name)
    return ""
