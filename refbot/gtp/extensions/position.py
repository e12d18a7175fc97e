"""Commands about the position: list_stones, query_boardsize and others."""

from __future__ import annotations

from refbot.gtp.extensions.table import Table

COMMANDS = Table()
