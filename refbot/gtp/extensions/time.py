"""Commands about time: the settings of KGS."""

from __future__ import annotations

from refbot.gtp import clocks
from refbot.gtp.extensions.table import Table
from refbot.gtp.session import Session
from refbot.gtp.syntax import Arguments

COMMANDS = Table()


@COMMANDS.command("kgs-time_settings")
def _kgs_time_settings(session: Session, arguments: Arguments) -> str:
    clocks.set_kgs_time(session, arguments)
    return ""
