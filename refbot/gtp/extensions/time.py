"""Commands about time: the settings of KGS."""

from __future__ import annotations

from refbot.gtp.extensions.table import Table

COMMANDS = Table()
