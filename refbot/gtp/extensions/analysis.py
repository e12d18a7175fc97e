"""Commands about analysis: streams of lz-analyze and its kin."""

from __future__ import annotations

from refbot.gtp.extensions.table import Table

COMMANDS = Table()
