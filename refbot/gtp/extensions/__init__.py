"""The common extensions of GTP, which `refbot gtp --extensions` speaks.

Each module has the commands of one subject in its `COMMANDS`. A command is a function of the session and the
arguments that returns the text of its answer, and raises GtpError for a refusal.
"""

from refbot.gtp.extensions import analysis, kgs, position, records, rules, time, tools
from refbot.gtp.extensions.table import Run

COMMANDS: dict[str, Run] = {
    name: run
    for module in (position, time, records, rules, kgs, tools, analysis)
    for name, run in module.COMMANDS.items()
}
"""Every command of the extensions, by name."""
