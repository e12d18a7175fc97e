"""Commands about game records: printsgf and savesgf."""

from __future__ import annotations

from refbot.gtp.extensions.table import Table

COMMANDS = Table()
