"""The random sessions of an exploration: those of every bot, and those with its optional commands."""

from __future__ import annotations

from harness.explore.abilities import Abilities, Feature
from harness.explore.command_sessions import command_session, has_commands
from harness.explore.dialogue_machine import dialogue_session

EVERY, EVERY_WITH_NODES = 2, 4
"""One session in this many has optional commands; chosen: the others find more faults of a reference bot."""


def session(seed: int, number: int, abilities: Abilities) -> tuple[str, ...]:
    """Return the lines of one session; they are the same for the same arguments."""
    judges_choice = Feature.NODES in abilities.features and abilities.rules.passing == "reference"
    every = EVERY_WITH_NODES if judges_choice else EVERY
    if has_commands(abilities) and number % every == every - 1:
        return command_session(seed, number, abilities)
    return dialogue_session(seed, number, abilities)
