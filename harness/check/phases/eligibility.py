"""Eligibility: one function decides if a check runs on a bot, and gives the reason if not."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from enum import Enum

from harness.check.bot.profile import Profile
from harness.check.model import COMMAND_ABILITIES, Ability, Check, Phase
from harness.check.phases.playout_count import PlayoutCount

READABILITY = frozenset({"gtp.frame.two-newlines", "gtp.frame.flush"})
"""The checks that explain why no answer of a bot can be read."""


class Decision(Enum):
    """The decision about a check: to run it or not."""

    RUN = "run"
    BLOCKED = "blocked"  # another check reports why
    SKIPPED = "skipped"  # the bot need not offer what the check needs
    UNDECIDED = "undecided"  # something is unknown that the user can supply


@dataclass(frozen=True)
class Eligibility:
    """The decision about a check, with its reason and the checks that block it."""

    decision: Decision
    reason: str = ""
    blocked_by: tuple[str, ...] = ()
    hint: str = ""


RUN = Eligibility(Decision.RUN)


@dataclass(frozen=True)
class RunState:
    """A run's knowledge of a bot before a check.

    plays_match whether the run has a match at its end
    missing     ids of the checks that failed or were blocked so far
    given_up    why the run stopped trying; empty while it goes on
    deviates    whether a MUST has failed
    """

    profile: Profile
    count: PlayoutCount
    plays_match: bool
    missing: Collection[str] = ()
    given_up: str = ""
    deviates: bool = False

    def unreadable_commands(self) -> frozenset[str]:
        """The private commands that the bot has and whose answers cannot be read."""
        return frozenset(
            command
            for command, ability in COMMAND_ABILITIES.items()
            if self.profile.has(command) and ability in self.missing
        )


def eligibility(check: Check, state: RunState) -> Eligibility:
    """Decide whether a check runs, is blocked or is skipped, and why."""
    if not state.profile.answers_readable and check.id not in READABILITY:
        return Eligibility(Decision.BLOCKED, "no answer of the bot can be read", tuple(sorted(READABILITY)))
    if state.given_up:
        return Eligibility(Decision.SKIPPED, state.given_up)
    return _of_match(check, state) or _of_bot(check, state) or _of_count(check, state) or RUN


def _of_match(check: Check, state: RunState) -> Eligibility | None:
    if check.procedure.phase is not Phase.MATCH:
        return None
    if not state.plays_match:
        return Eligibility(Decision.SKIPPED, "only a thorough run plays a match: --budget thorough")
    if state.deviates:
        return Eligibility(Decision.SKIPPED, "the bot deviates already: a match would add nothing")
    if state.count.playouts is None:
        return Eligibility(Decision.SKIPPED, _unknown_count(state.count))
    return None


def _of_bot(check: Check, state: RunState) -> Eligibility | None:
    """Return the reason if the bot lacks a board size, an optional command or an ability; else None."""
    needs, profile = check.needs, state.profile
    if needs.board_size not in (None, profile.size):
        return Eligibility(
            Decision.SKIPPED, f"the bot does not play on {needs.board_size}x{needs.board_size}"
        )
    optional = [name for name in needs.optional_commands if not profile.has(name)]
    if optional:
        return Eligibility(Decision.SKIPPED, f"the bot has no {optional[0]}, and need not have it")
    missing = sorted(name for name in check.relies_on if name in state.missing)
    lacking = [name for name in needs.commands if not profile.has(name)]
    missing = missing or [str(COMMAND_ABILITIES[name]) for name in lacking]
    if missing:
        return Eligibility(Decision.BLOCKED, f"it relies on {', '.join(missing)}", tuple(missing))
    return None


def _of_count(check: Check, state: RunState) -> Eligibility | None:
    if not check.needs.playout_count or state.count.playouts is not None:
        return None
    blocker = state.count.reported_by
    if Ability.COUNTS_MOVES in state.missing or not state.profile.has("ref-nodes"):
        blocker = Ability.COUNTS_MOVES
    if blocker:
        return Eligibility(Decision.BLOCKED, _unknown_count(state.count), (str(blocker),))
    return Eligibility(
        Decision.UNDECIDED, _unknown_count(state.count), hint="give the number with --playouts N"
    )


def _unknown_count(count: PlayoutCount) -> str:
    return f"the number of playouts is not known: {count.reason}"
