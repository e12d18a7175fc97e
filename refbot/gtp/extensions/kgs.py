"""Commands about KGS: the end of a game."""

from __future__ import annotations

from refbot.gtp.extensions.table import Table

COMMANDS = Table()
