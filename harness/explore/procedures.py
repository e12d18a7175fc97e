"""The procedures of `gtp.explore` and `ref.explore`: some sessions and positions in every run of checks."""

from __future__ import annotations

from dataclasses import dataclass, replace

from harness.check.bot.session import Session
from harness.check.model import Ability, Judgement, Outcome, Phase, Requirements, passed
from harness.explore.abilities import find_abilities
from harness.explore.coverage import Coverage
from harness.explore.dialogues import DialogueExplorer, FoundDialogue
from harness.explore.position_case import judgement_of
from harness.explore.position_search import FoundPosition, PositionExplorer

NEEDED = frozenset(
    {
        Ability.WELL_FORMED_ANSWERS,
        Ability.ACCEPTS_ITS_SIZE,
        Ability.CHANGES_SIZE,
        Ability.CLEARS_THE_BOARD,
        Ability.PLAYS,
        Ability.PLACES_BOTH_COLOURS,
        Ability.GENERATES_MOVES,
    }
)
"""The abilities that every session needs. Sessions avoid everything else that a bot lacks."""

GTP = "gtp"
"""A clause so wide that a failed check of it does not make a deviation from it known."""


@dataclass(frozen=True)
class DialogueRecord:
    """Record of the sessions: their coverage and the first deviation."""

    coverage: Coverage
    found: FoundDialogue | None


@dataclass(frozen=True)
class ExploreDialogues:
    """Generated sessions, each judged by a model of a right bot."""

    phase = Phase.EXPLORATION
    requires = Requirements(abilities=NEEDED)
    search_plan = None

    def describe(self) -> list[str]:
        """Describe a session."""
        return [
            "random sessions: set-ups in any order, moves, passes, captures, kos, refused commands of every",
            "kind, undo, comments, ids; then searches where the playouts are known exactly. Some sessions",
            "use the optional commands that the bot lists: handicaps, clocks, records, questions, analyses.",
            "The answers are compared with those of a model. The first deviation is reduced to the shortest",
            "session.",
        ]

    def observe(self, session: Session) -> DialogueRecord:
        """Hold the sessions up to the first deviation from a clause that has no failed check yet."""
        for bot in session.instances:
            bot.fresh()
        abilities = find_abilities(
            session.bot, session.introduction, session.playouts, session.missing, session.rules
        )
        explorer = DialogueExplorer(session.instances, abilities, session.playouts, session.seed)
        known = session.failed_clauses - {GTP}
        numbers = range(session.effort.explored)
        coverage, found = Coverage(), None
        for step in explorer.explore(numbers, session.deadline, known=known, hasty=session.hasty):
            coverage.add(step.coverage)
            found = step.found  # only the last step may have one
        if found is not None and found.judgement.clause in known:  # the reduced session breaks another clause
            found = None
        return DialogueRecord(coverage, found)

    def judge(self, observation: DialogueRecord) -> Judgement:
        """Fail with the reduced session, if there is one."""
        coverage, found = observation.coverage, observation.found
        commands = coverage.commands.total()
        numbers = {
            "sessions": float(coverage.sessions),
            "searches": float(coverage.searches),
            "commands": float(commands),
        }
        judgement = (
            found.judgement
            if found is not None
            else passed(f"{coverage.sessions} sessions, {commands} answers of a right bot")
        )
        return replace(
            judgement,
            numbers={**numbers, **judgement.numbers},
            reduced=None if found is None else found.case,
            coverage=coverage.by_subject(),
        )


@dataclass(frozen=True)
class PositionsRecord:
    """Record of the positions.

    coverage   counts of what was searched
    p_value    p-value of all evidence together, valid after every search
    found      the first deviation
    """

    coverage: Coverage
    p_value: float
    found: FoundPosition | None


@dataclass(frozen=True)
class ExplorePositions:
    """Searches in generated positions near the end of a game, judged by exact laws."""

    phase = Phase.EXPLORATION
    requires = Requirements(abilities=NEEDED, playout_count=True)
    search_plan = None

    def describe(self) -> list[str]:
        """Describe a position."""
        return [
            "random positions near the end of a game, on several sizes, with kos, passes, the move cap in",
            "reach and komi near the result. The playouts and the choice of a move are enumerated. A search",
            "that no right bot makes is proof; elsewhere the evidence of all positions is put together.",
        ]

    def observe(self, session: Session) -> PositionsRecord:
        """Search the positions up to the first deviation from a clause that has no failed check yet."""
        assert session.playouts is not None, "the check asks for it"
        abilities = find_abilities(
            session.bot, session.introduction, session.playouts, session.missing, session.rules
        )
        explorer = PositionExplorer(
            session.instances, abilities, session.playouts, session.seed, session.alpha
        )
        known, numbers = session.failed_clauses, range(session.effort.explored)
        coverage, found = Coverage(), None
        for step in explorer.explore(numbers, session.deadline, known=known, hasty=session.hasty):
            coverage.add(step.coverage)
            found = step.found  # only the last step may have one
        return PositionsRecord(coverage, explorer.p_value, found)

    def judge(self, observation: PositionsRecord) -> Judgement:
        """Fail with the reduced position, if there is one."""
        coverage, found = observation.coverage, observation.found
        positions = coverage.positions.total()
        numbers = {
            "positions": float(positions),
            "searches": float(coverage.searches),
            "p_value": observation.p_value,
        }
        if found is None:
            text = f"{coverage.searches} searches of a right bot in {positions} positions"
            judgement = replace(passed(text), p_value=observation.p_value)
        else:
            judgement = replace(judgement_of_found(found, positions), outcome=Outcome.FAIL)
        return replace(
            judgement,
            numbers={**numbers, **judgement.numbers},
            coverage=coverage.by_subject(),
        )


def judgement_of_found(found: FoundPosition, positions: int) -> Judgement:
    """Return the judgement (a failure) for a deviation that exploration found.

    If one position shows it, the judgement has that position in its reduced form, to repeat the failure. If
    only all `positions` positions together show it, the judgement has the joint evidence and no position.
    """
    if found.case is None:
        return judgement_of(found.record, f"in {positions} positions")
    return replace(found.case.judge(found.record), reduced=found.case)
