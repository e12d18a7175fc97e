"""Ranking of the clauses that a bot may get wrong; it needs no known fault.

Spectrum-based fault localisation: the components are the clauses, the tests are the checks, and a coefficient
says how well the failures of a clause's own checks account for all failures. A second factor is the reach of
a clause: a wrong `ref-nodes` never changes a result, a wrong eye changes lengths. All formulas:
docs/statistics.md, "Clauses".
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field

from harness.check.clauses import CLAUSES
from harness.check.model import Check, Phase
from harness.check.procedures.late_probes import FOUR, ONE
from harness.check.procedures.probe import empty_board
from harness.diagnosis.clause_parts import REACH, Pattern
from harness.diagnosis.deviations import Channel, Deviations
from harness.diagnosis.komi_fit import KomiFit

FEW = 0.02
"""Fraction of the probes up to which deviations of a channel are taken for chance or for details. This and
the other limits here were chosen by hand. How often the ranking finds the clause of an unknown fault with
them is measured in docs/statistics.md, "Clauses"."""

MANY = 0.45
"""Fraction of the probes from which lengths deviate nearly everywhere."""

SMOOTHING = 0.02
"""Added to each coefficient: a clause without a failing check of its own is unlikely, not impossible."""

OF_ALL_CLAUSES = ("ref.end.", "ref.midgame.", "ref.empty.", "ref.cap.small-board", "ref.choice.midgame")
"""Checks whose positions depend on most clauses: they say that something is wrong, not what."""

CHOICES = "ref.choice."
"""Checks of what is chosen among several candidates."""

INDIRECT = 0.1
"""Weight of those checks beside the direct ones."""

SIMPLEST = (ONE.id, FOUR.id)
"""Positions in which neutral points are filled and nothing else happens."""

EMPTY_BOARD = empty_board(7.5).id
ALL_CHOICES = 4
"""Number of wrong choices, none of them right, that show a wrong rate rather than wrong records."""

LEAST_DIRECTED = 5
"""Number of wrong lengths from which their directions say anything."""

ONE_WAY = 0.8
"""Fraction of the wrong lengths that are wrong in one direction, from which a fault has that direction."""

EARLY = 0.3
"""Fraction of the probes from which playouts that are shorter, and nowhere longer, end before their time."""

NEARLY = 0.1
"""Moves by which a mean length may miss a whole number."""

FACTOR = 4.0
"""Factor by which one of the special marks makes a clause likelier than another."""


@dataclass(frozen=True)
class Spectrum:
    """All that the ranking looks at: decided checks, deviations of searches, the fit of the results."""

    failing: Collection[Check]
    passing: Collection[Check]
    deviations: Deviations = field(default_factory=Deviations)
    certain: frozenset[str] = frozenset()  # probes whose playouts all have the same length
    fit: KomiFit | None = None


def rank_clauses(spectrum: Spectrum) -> Sequence[tuple[str, float]]:
    """Return all clauses with their probabilities, the most probable first."""
    pattern = pattern_of(spectrum.deviations)
    own = _coefficients(spectrum)
    marks = _marks(spectrum, pattern)
    weights = {
        clause: (own[clause] + SMOOTHING) * REACH[CLAUSES[clause].part][pattern] * FACTOR ** marks[clause]
        for clause in CLAUSES
    }
    total = sum(weights.values())
    return sorted(((clause, weight / total) for clause, weight in weights.items()), key=lambda item: -item[1])


def pattern_of(seen: Deviations) -> Pattern:
    """Return which channels deviate more than by chance."""
    lengths, results, moves = (
        len(seen.of(channel)) > max(1.0, FEW * seen.number_compared(channel)) for channel in Channel
    )
    if lengths and (results or moves):
        return Pattern.LENGTHS_AND_RESULTS
    if lengths:
        many = len(seen.of(Channel.LENGTH)) > MANY * seen.number_compared(Channel.LENGTH)
        return Pattern.MANY_LENGTHS if many else Pattern.FEW_LENGTHS
    if results:
        return Pattern.RESULTS_AND_MOVES if len(seen.of(Channel.MOVE)) > 1 else Pattern.RESULTS
    return Pattern.MOVES if moves else Pattern.NOTHING


def is_direct(check: Check) -> bool:
    """Return whether a check is about its clause alone, as far as a check can be."""
    if is_random(check):
        return False
    return check.identifies or not check.id.startswith(OF_ALL_CLAUSES)


def is_random(check: Check) -> bool:
    """Return whether a check meets random failures of any kind: one of them names no fault."""
    return check.procedure.phase is Phase.EXPLORATION


def _coefficients(spectrum: Spectrum) -> dict[str, float]:
    """Return the coefficient of each clause, by its direct checks and, with less weight, by the others.

    A rule may be right in the game and wrong in playouts, or the other way round, so dialogues compete with
    dialogues alone and searches with searches; each kind counts by its share of the failures.
    """
    direct = [check for check in spectrum.failing if is_direct(check)]
    talking = [check for check in direct if _is_dialogue(check)]
    others, dialogues, searches = (
        _coefficients_of(spectrum, counts)
        for counts in (
            lambda check: not is_direct(check),
            lambda check: is_direct(check) and _is_dialogue(check),
            lambda check: is_direct(check) and not _is_dialogue(check),
        )
    )
    share = len(talking) / max(1, len(direct))
    found = {
        clause: INDIRECT * others[clause] + share * dialogues[clause] + (1.0 - share) * searches[clause]
        for clause in CLAUSES
    }
    found["gtp"] = sum(check.clause == "gtp" for check in talking) / max(1, len(talking))
    return found


def _is_dialogue(check: Check) -> bool:
    return check.procedure.search_plan is None


def _coefficients_of(spectrum: Spectrum, counts: Callable[[Check], bool]) -> dict[str, float]:
    """Return the coefficient of each clause, by the checks that count."""
    failing = Counter(check.clause for check in spectrum.failing if not is_random(check) and counts(check))
    passing = Counter(check.clause for check in spectrum.passing if not is_random(check) and counts(check))
    every = max(1, failing.total())
    return {clause: coefficient(failing[clause], passing[clause], every) for clause in CLAUSES}


def coefficient(failing: int, passing: int, all_failing: int) -> float:
    """Return the posterior mean chance of a check of a clause to fail, times the share of failures it covers.

    `failing` and `passing` are the checks of the clause. The prior chance is uniform (Laplace's rule of
    succession).
    """
    return failing / all_failing * (failing + 1.0) / (failing + passing + 2.0) if failing else 0.0


def _marks(spectrum: Spectrum, pattern: Pattern) -> Counter[str]:
    """Special marks: how many speak for each clause (or against it, where negative)."""
    marks: Counter[str] = Counter()
    seen = spectrum.deviations
    found = {check.clause for check in spectrum.failing}
    marks.subtract(dict.fromkeys(CLAUSES.keys() - found, 2))
    own = Counter(check.clause for check in spectrum.failing if not is_random(check))
    if own["gtp"] > 1:  # what is wrong on the wire spoils whatever is asked by the wire
        marks["gtp"] += 2
    elif own["gtp"] and pattern is Pattern.NOTHING:
        marks["gtp"] += 1
    if own["fresh-randomness"] > 1 and pattern is not Pattern.MANY_LENGTHS:  # repeating moves no mean
        marks["fresh-randomness"] += 2
    _mark_choice(marks, spectrum)
    if pattern is Pattern.LENGTHS_AND_RESULTS or pattern is Pattern.FEW_LENGTHS:
        _mark_playouts(marks, spectrum)
    at_the_cap = any(check.clause == "move-cap" and is_direct(check) for check in spectrum.failing)
    if pattern is Pattern.MANY_LENGTHS and not seen.shorter and not at_the_cap:
        marks["two-passes"] += 3  # the cap ends a playout that goes on; a wrong count is wrong there too
    if seen.passed:
        marks["no-early-pass"] += 2
    if seen.resigned:
        marks["complete-games"] += 2
    if seen.impossible:
        marks["ref-nodes"] += 3
    if len(seen.of(Channel.RESULT)) > 1 and seen.of(Channel.RESULT) <= seen.capped:
        marks["move-cap"] += 6  # what is counted wrongly is wrong elsewhere as well
    if spectrum.fit is not None and pattern in (Pattern.RESULTS, Pattern.RESULTS_AND_MOVES):
        if not (spectrum.fit.drawn or spectrum.fit.shifted):
            marks["komi"] -= 1
        elif pattern is Pattern.RESULTS_AND_MOVES or not spectrum.fit.drawn:
            marks["komi"] += 1  # results that are drawn, and count in the choice as well
    return marks


def _mark_choice(marks: Counter[str], spectrum: Spectrum) -> None:
    """Which step of the choice: wrong rates spoil every choice, wrong records those that depend on them."""
    failing, passing = (
        Counter(check.clause for check in checks if is_direct(check) and check.id.startswith(CHOICES))
        for checks in (spectrum.failing, spectrum.passing)
    )
    if failing["best-rate"] >= ALL_CHOICES and not passing["best-rate"]:
        marks["best-rate"] += 1
    if failing["unseen"] and (failing["amaf"] or failing["best-rate"]):
        marks["unseen"] -= 2  # a candidate without visits is no part of the other choices


def _mark_direction(marks: Counter[str], spectrum: Spectrum) -> None:
    """Which rule of a playout, by whether moves are added, taken away, or both.

    A ban that comes too seldom makes playouts longer, one that comes too often makes them shorter; an eye
    that is read wrongly does both. Other chances of the same moves mostly make playouts shorter.
    """
    seen = spectrum.deviations
    wrong = len(seen.longer) + len(seen.shorter)
    if wrong > MANY * seen.number_compared(Channel.LENGTH) or wrong < LEAST_DIRECTED:
        return
    if max(len(seen.longer), len(seen.shorter)) < ONE_WAY * wrong:
        marks["simple-ko"] -= 1
    elif sum(check.clause == "simple-ko" and is_direct(check) for check in spectrum.failing) > 1:
        marks["simple-ko"] += 1
    if len(seen.longer) >= ONE_WAY * wrong:
        marks["uniform"] -= 2


def _one_short(seen: Deviations) -> bool:
    """Return whether a playout that fills neutral points lacks one move, a pass, at any number of points."""
    gaps = [seen.gaps[probe] for probe in SIMPLEST if probe in seen.gaps]
    return all(-1.0 - NEARLY < gap < -1.0 + NEARLY for gap in gaps)


def _mark_playouts(marks: Counter[str], spectrum: Spectrum) -> None:
    """Which rule of a playout, by its simplest positions, and by those with playouts of one length."""
    seen = spectrum.deviations
    if set(SIMPLEST) & seen.turned:  # a neutral point is filled on one side of the board and not on another
        marks["uniform"] += 2
        return
    if len(seen.of(Channel.LENGTH) & spectrum.certain) + len(seen.frozen) > 1:
        marks["uniform"] -= 2  # other chances of moves leave the possible lengths as they are
    else:
        marks["uniform"] += 2
    _mark_direction(marks, spectrum)
    longer, shorter = (bool(probes & set(SIMPLEST)) for probes in (seen.longer, seen.shorter))
    if shorter:
        marks.update(("two-passes", "forced-pass", "two-passes" if _one_short(seen) else "forced-pass"))
    if longer:
        marks.update(("eye", "no-suicide"))
    if shorter or longer:
        marks.subtract(("simple-ko", "move-cap", "uniform"))
    if longer and EMPTY_BOARD in seen.shorter:  # passes too many: they take moves, and two of them end a game
        marks["forced-pass"] += 2
    elif not seen.longer and len(seen.shorter) > EARLY * seen.number_compared(Channel.LENGTH):
        marks.update(("two-passes", "forced-pass"))
