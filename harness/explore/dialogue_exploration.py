"""The procedure of `gtp.explore`: a number of generated sessions in every run of checks."""

from __future__ import annotations

from dataclasses import dataclass, replace

from harness.check.bot.session import Session
from harness.check.model import Ability, Judgement, Phase, Requirements, passed
from harness.explore.abilities import find_abilities
from harness.explore.coverage import Coverage
from harness.explore.dialogues import DialogueExplorer, FoundDialogue

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
"""What every session relies on. What else a bot lacks is left out of the sessions."""

GTP = "gtp"
"""The clause that is too wide to say that a deviation from it is known."""


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
            "kind, undo, comments, ids; then searches where the playouts are known exactly. The answers are",
            "compared with those of a model. The first deviation is reduced to the shortest session.",
        ]

    def observe(self, session: Session) -> DialogueRecord:
        """Hold the sessions, up to the first deviation that comes back in new processes.

        A deviation from a clause that a failed check reports already is no news.
        """
        for bot in session.instances:
            bot.fresh()
        abilities = find_abilities(session.bot, session.profile, session.playouts, session.failed)
        coverage = Coverage()
        explorer = DialogueExplorer(session.instances, abilities, session.playouts, session.seed, coverage)
        known = session.failed_clauses - {GTP}
        found = explorer.find(
            range(session.effort.explored), session.deadline, known=known, hasty=session.hasty
        )
        if found is not None and found.judgement.clause in known:
            found = None
        return DialogueRecord(coverage, found)

    def judge(self, observation: DialogueRecord) -> Judgement:
        """Fail with the reduced session, if there is one."""
        coverage = observation.coverage
        commands = coverage.commands.total()
        numbers = {
            "sessions": float(coverage.sessions),
            "searches": float(coverage.searches),
            "commands": float(commands),
        }
        covered = coverage.by_subject()
        if observation.found is None:
            text = f"{coverage.sessions} sessions, {commands} answers of a right bot"
            return replace(passed(text), numbers=numbers, coverage=covered)
        case = observation.found.case
        judgement = observation.found.judgement
        return replace(judgement, numbers={**numbers, **judgement.numbers}, reduced=case, coverage=covered)
