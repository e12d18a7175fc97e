"""Eligibility of a check: `find_obstacle` returns the reason why it cannot run on a bot, if there is one."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from harness.check.bot.introduction import Introduction
from harness.check.model import COMMAND_ABILITIES, Ability, Check, Outcome, Phase, Requirements
from harness.check.phases.playout_count import PlayoutCount
from harness.check.play_rules import REFERENCE_RULES, PlayRules

READABILITY = frozenset({"gtp.frame.two-newlines", "gtp.frame.flush"})
"""The checks that explain why no answer of a bot can be read."""


@dataclass(frozen=True)
class Obstacle:
    """The reason why a check does not run, and the checks that block it.

    outcome   BLOCKED if another check reports the reason; INCONCLUSIVE if the user can supply what is
              unknown; SKIP for any other reason, such as an optional command that the bot lacks, and for a
              match without a known number of playouts
    """

    outcome: Outcome
    reason: str
    blocked_by: tuple[str, ...] = ()
    hint: str = ""


@dataclass(frozen=True)
class RunState:
    """A run's knowledge of a bot before a check.

    count         the number of playouts per search, as far as it is known
    plays_match   the run has a match at its end
    missing       ids of the checks that block those that rely on them (see `Results.missing`)
    given_up      why the run gave up; empty while it continues
    deviates      a MUST has failed
    rules         the rules that the bot plays by
    """

    introduction: Introduction
    count: PlayoutCount
    plays_match: bool
    missing: Collection[str] = ()
    given_up: str = ""
    deviates: bool = False
    rules: PlayRules = REFERENCE_RULES

    def unreadable_commands(self) -> frozenset[str]:
        """Return the private commands of the bot whose check is in `missing`."""
        return frozenset(
            command
            for command, ability in COMMAND_ABILITIES.items()
            if self.introduction.has(command) and ability in self.missing
        )


def find_obstacle(check: Check, state: RunState) -> Obstacle | None:
    """Return the reason why a check cannot run; None for a check that runs."""
    if not state.introduction.answers_readable and check.id not in READABILITY:
        return Obstacle(Outcome.BLOCKED, "no answer of the bot can be read", tuple(sorted(READABILITY)))
    if state.given_up:
        return Obstacle(Outcome.SKIP, state.given_up)
    return _match_obstacle(check, state) or _bot_obstacle(check, state) or _count_obstacle(check, state)


def _match_obstacle(check: Check, state: RunState) -> Obstacle | None:
    """Return the reason why a match is not played; None for another check, and for a match to play."""
    if check.procedure.phase is not Phase.MATCH:
        return None
    if not state.plays_match:
        return Obstacle(Outcome.SKIP, "only a thorough run plays a match: --budget thorough")
    if state.deviates:
        return Obstacle(Outcome.SKIP, "the bot deviates already: a match would add nothing")
    if state.count.playouts is None:
        return Obstacle(Outcome.SKIP, _unknown_count(state.count))
    return None


def _bot_obstacle(check: Check, state: RunState) -> Obstacle | None:
    """Return the reason if the bot lacks a board size, a rule, a command or an ability."""
    needs, introduction = check.needs, state.introduction
    if needs.board_size not in (None, introduction.size):
        return Obstacle(Outcome.SKIP, f"the bot does not play on {needs.board_size}x{needs.board_size}")
    other_rule = state.rules.unmet(needs.rules)
    if other_rule:
        return Obstacle(Outcome.SKIP, f"the bot plays by other rules: {other_rule}")
    unlisted = unlisted_commands(needs, introduction.commands)
    if unlisted:
        several = len(unlisted) > 1
        none = f"none of {', '.join(unlisted)}" if several else f"no {unlisted[0]}"
        return Obstacle(Outcome.SKIP, f"the bot has {none}, and need not have {'one' if several else 'it'}")
    missing = sorted(name for name in check.relies_on if name in state.missing)
    lacking = [name for name in needs.commands if not introduction.has(name)]
    missing = missing or [str(COMMAND_ABILITIES[name]) for name in lacking]
    if missing:
        return Obstacle(Outcome.BLOCKED, f"it relies on {', '.join(missing)}", tuple(missing))
    return None


def unlisted_commands(needs: Requirements, commands: Collection[str]) -> tuple[str, ...]:
    """Return missing optional commands because of which a check is skipped; empty if it runs.

    commands   the commands that the bot has

    The first missing command of `optional_commands`, or `one_of_commands` if all of these are missing.
    """
    lacking = tuple(name for name in needs.optional_commands if name not in commands)
    has_one = any(name in commands for name in needs.one_of_commands)
    return lacking[:1] or (() if has_one else needs.one_of_commands)


def _count_obstacle(check: Check, state: RunState) -> Obstacle | None:
    """Return the reason if the check needs the number of playouts and the number is not known."""
    if not check.needs.playout_count or state.count.playouts is not None:
        return None
    blocker = state.count.reported_by
    if Ability.COUNTS_MOVES in state.missing or not state.introduction.has("ref-nodes"):
        blocker = Ability.COUNTS_MOVES
    if blocker:
        return Obstacle(Outcome.BLOCKED, _unknown_count(state.count), (str(blocker),))
    return Obstacle(
        Outcome.INCONCLUSIVE, _unknown_count(state.count), hint="give the number with --playouts N"
    )


def _unknown_count(count: PlayoutCount) -> str:
    return f"the number of playouts is not known: {count.reason}"
