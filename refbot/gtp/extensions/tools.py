"""Commands about tools: cputime, and what Gomill and GoGui ask for."""

from __future__ import annotations

from refbot.gtp.extensions.table import Table

COMMANDS = Table()
