"""`Profile`: the kind of bot that a bot is checked as, and the checks that belong to it."""

from __future__ import annotations

from enum import StrEnum

from harness.check.bot.introduction import Introduction
from harness.check.clauses import CLAUSES, Part
from harness.check.model import COMMAND_ABILITIES, Check, Phase
from harness.check.play_rules import FREE_RULES, REFERENCE_RULES, PlayRules

CHOICE_PARTS = frozenset({Part.CHOICE, Part.MATCH})
"""The parts of the specification that do not bind a bot with its own choice of moves."""


class Profile(StrEnum):
    """A kind of bot, and the checks that belong to it.

    reference   a bot of the reference specification: everything
    gtp         any engine: the protocol, the rules that it plays by, the commands that it lists
    playouts    a bot with the private commands that chooses its moves in its own way: gtp, and its playouts
    """

    REFERENCE = "reference"
    GTP = "gtp"
    PLAYOUTS = "playouts"

    def includes(self, check: Check) -> bool:
        """Return True if a check belongs to the profile."""
        if self is Profile.REFERENCE:
            return True
        is_of_playouts = check.id.startswith("ref.")
        if self is Profile.GTP:
            return not (is_of_playouts or check.needs.commands)
        explores = check.procedure.phase is Phase.EXPLORATION  # it judges the choice of moves too
        return not (is_of_playouts and (explores or CLAUSES[check.clause].part in CHOICE_PARTS))

    @property
    def rules(self) -> PlayRules:
        """The rules of play that are assumed until the bot has been asked for its own."""
        return REFERENCE_RULES if self is Profile.REFERENCE else FREE_RULES

    @property
    def description(self) -> str:
        """The kind of bot in a phrase, for a report."""
        return {
            Profile.REFERENCE: "a bot of the reference specification",
            Profile.GTP: "any GTP engine",
            Profile.PLAYOUTS: "a bot with its own choice of moves: GTP, and its playouts",
        }[self]


def profile_for(introduction: Introduction) -> Profile:
    """Return the profile of a bot if the user names none: REFERENCE with a private command, else GTP.

    REFERENCE also if the answers of the bot cannot be read: its commands are then unknown.
    """
    knows = any(introduction.has(command) for command in COMMAND_ABILITIES)
    return Profile.REFERENCE if knows or not introduction.answers_readable else Profile.GTP
