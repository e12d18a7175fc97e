"""Ranking of the clauses of the specification by the probability that the bot gets them wrong.

It works for unknown faults too. The weight of a clause is a product of three factors: a coefficient (how much
of all failures the clause's own checks account for, as in spectrum-based fault localisation), its reach (the
likelihood of the observed pattern of deviations, see `clause_parts`), and FACTOR for each mark (special
signs, see `clause_marks`). All formulas: docs/statistics.md, "Clauses".
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace

from harness.check.clauses import CLAUSES, Part
from harness.check.model import Check
from harness.diagnosis.clause_marks import marks_of
from harness.diagnosis.clause_parts import REACH, Pattern, pattern_of
from harness.diagnosis.deviations import Deviations
from harness.diagnosis.pointing import is_dialogue, is_direct, is_random, most_basic, shows_playouts
from harness.diagnosis.spectrum import Spectrum

# These values were chosen by hand. docs/statistics.md, "Clauses", measures how often the ranking finds the
# clause of an unknown fault with them.

SMOOTHING = 0.02
"""Added to each coefficient: a clause without a failing check of its own is unlikely, not impossible."""

INDIRECT = 0.1
"""Weight of the failures that are not the most basic ones, with the indirect checks that passed, relative to
the most basic failures."""

FACTOR = 4.0
"""Factor of one mark on the weight of a clause; a mark against the clause divides by it."""


def rank_clauses(spectrum: Spectrum) -> Sequence[tuple[str, float]]:
    """Return all clauses with their probabilities (their sum is 1), the most probable first."""
    informative = [c for c in spectrum.failing if not _shows_no_repetition(c, spectrum.deviations)]
    spectrum = replace(spectrum, failing=informative or spectrum.failing)
    pattern = pattern_of(spectrum.deviations)
    own = _coefficients(spectrum)
    marks = marks_of(spectrum, pattern)
    weights = {
        clause: (own[clause] + SMOOTHING) * _reach(clause, spectrum, pattern) * FACTOR ** marks[clause]
        for clause in CLAUSES
    }
    total = sum(weights.values())
    return sorted(((clause, weight / total) for clause, weight in weights.items()), key=lambda item: -item[1])


def _shows_no_repetition(check: Check, seen: Deviations) -> bool:
    """Return True for a check of fresh random numbers at a position whose playouts follow other rules.

    The check judges by how much searches differ. Playouts of other rules vary by another amount, so its
    failure does not show repeated random numbers.
    """
    plan = check.procedure.search_plan
    return check.clause == "fresh-randomness" and plan is not None and plan.probe.id in seen.foreign


def _reach(clause: str, spectrum: Spectrum, pattern: Pattern) -> float:
    """Return the relative likelihood of the pattern if the clause is wrong.

    A rule of the game that a search shows to be wrong may be wrong in playouts too: the greater of the two
    likelihoods counts.
    """
    part = CLAUSES[clause].part
    shown = any(check.clause == clause and shows_playouts(check) for check in spectrum.failing)
    parts = {part, Part.PLAYOUT} if part is Part.GAME and shown else {part}
    return max(REACH[one][pattern] for one in parts)


def _coefficients(spectrum: Spectrum) -> dict[str, float]:
    """Return the coefficient of each clause, from the most basic failures and, with less weight, the others.

    Direct checks that pass count beside the most basic failures (`most_basic`), indirect ones beside the
    others, random ones nowhere. Dialogues and searches are rated apart, because a bot may have a rule right
    in the game and wrong in playouts. Each kind counts by its share of the most basic failures. If there are
    dialogues among these, the coefficient of `gtp` is just its share of them.
    """
    failing, passing = (
        [check for check in checks if not is_random(check)] for checks in (spectrum.failing, spectrum.passing)
    )
    pointing = most_basic(failing)
    talking = [check for check in pointing if is_dialogue(check)]
    searching = [check for check in pointing if not is_dialogue(check)]
    rest = [check for check in failing if check not in pointing]
    others = _coefficients_of(rest, [check for check in passing if not is_direct(check)])
    direct = [check for check in passing if is_direct(check)]
    dialogues = _coefficients_of(talking, filter(is_dialogue, direct))
    searches = _coefficients_of(searching, (check for check in direct if not is_dialogue(check)))
    share = len(talking) / max(1, len(talking) + len(searching))
    found = {
        clause: INDIRECT * others[clause] + share * dialogues[clause] + (1.0 - share) * searches[clause]
        for clause in CLAUSES
    }
    if talking:
        found["gtp"] = sum(check.clause == "gtp" for check in talking) / len(talking)
    return found


def _coefficients_of(failing: Collection[Check], passing: Iterable[Check]) -> dict[str, float]:
    """Return the coefficient of each clause, from these checks alone."""
    failures, passes = (Counter(check.clause for check in checks) for checks in (failing, passing))
    return {clause: coefficient(failures[clause], passes[clause], max(1, len(failing))) for clause in CLAUSES}


def coefficient(failing: int, passing: int, all_failing: int) -> float:
    """Return the posterior mean chance of a check of a clause to fail, times the clause's share of failures.

    `failing` and `passing` are numbers of checks of the clause, `all_failing` of all clauses. The prior
    chance is uniform (Laplace's rule of succession). If 3 of 4 checks fail, among 6 failures, it is
    4/6 · 3/6; without a failing check, 0.
    """
    return failing / all_failing * (failing + 1.0) / (failing + passing + 2.0) if failing else 0.0
