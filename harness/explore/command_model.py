"""`CommandModel`: a model of a right bot with its optional commands, by the clauses of docs/gtp.md."""

from __future__ import annotations

from harness.explore import asking_commands, placing_commands
from harness.explore.command_state import CommandState
from harness.explore.wanted import Wanted

RULES = {**placing_commands.RULES, **asking_commands.RULES}
"""By optional command, the rule for its answer."""


class CommandModel(CommandState):
    """The state of a right bot after some lines, and its required answer to the next line."""

    def _wanted(self, name: str, arguments: tuple[str, ...]) -> Wanted | None:
        """Return the required answer by `GameModel` if the bot has its feature, else the answer by RULES."""
        wanted = super()._wanted(name, arguments)
        rule = RULES.get(name) if name in self.abilities.commands else None
        if rule is None or (wanted is not None and wanted.feature in self.abilities.features):
            return wanted
        return rule(self, arguments)
