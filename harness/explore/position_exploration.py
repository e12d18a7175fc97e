"""The procedure of `ref.explore`: searches in a number of generated positions in every run of checks."""

from __future__ import annotations

from dataclasses import dataclass, replace

from harness.check.bot.session import Session
from harness.check.model import Judgement, Outcome, Phase, Requirements, passed
from harness.explore.abilities import find_abilities
from harness.explore.coverage import Coverage
from harness.explore.dialogue_exploration import NEEDED
from harness.explore.position_case import judgement_of
from harness.explore.position_search import FoundPosition, PositionExplorer


@dataclass(frozen=True)
class PositionsRecord:
    """Record of the positions.

    coverage   what was searched
    p_value    of all evidence together, valid at any time
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
        """Search the positions, up to the first deviation from a clause that no failed check reports."""
        assert session.playouts is not None, "the check asks for it"
        abilities = find_abilities(session.bot, session.profile, session.playouts, session.failed)
        coverage = Coverage()
        explorer = PositionExplorer(
            session.instances, abilities, session.playouts, session.seed, coverage, session.alpha
        )
        found = explorer.find(
            range(session.effort.explored),
            session.deadline,
            known=session.failed_clauses,
            hasty=session.hasty,
        )
        return PositionsRecord(coverage, explorer.p_value, found)

    def judge(self, observation: PositionsRecord) -> Judgement:
        """Fail with the reduced position, if there is one."""
        coverage = observation.coverage
        positions = coverage.positions.total()
        numbers = {
            "positions": float(positions),
            "searches": float(coverage.searches),
            "p_value": observation.p_value,
        }
        found, covered = observation.found, coverage.by_subject()
        if found is None:
            text = f"{coverage.searches} searches of a right bot in {positions} positions"
            return replace(passed(text), numbers=numbers, p_value=observation.p_value, coverage=covered)
        if found.case is None:
            judgement = judgement_of(found.record, f"in {positions} positions")
        else:
            judgement = found.case.judge(found.record)
        return replace(
            judgement,
            outcome=Outcome.FAIL,
            numbers={**numbers, **judgement.numbers},
            reduced=found.case,
            coverage=covered,
        )
