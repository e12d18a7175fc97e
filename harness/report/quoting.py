"""The command of a bot, quoted as one argument of a command that a reader copies into a shell."""

from __future__ import annotations

import shlex

_INSIDE_DOUBLE_QUOTES = frozenset('"$`\\!')
"""Characters that a shell does not take literally inside double quotes."""


def shell_argument(command: str) -> str:
    """Return a command line as one argument for a shell: as it is, or in quotes, double ones if possible."""
    quoted = shlex.quote(command)
    if not command or quoted == command or _INSIDE_DOUBLE_QUOTES.intersection(command):
        return quoted
    return f'"{command}"'
