"""Commands about rules, komi and the size of the board."""

from __future__ import annotations

from refbot.gtp.extensions.table import Table

COMMANDS = Table()
