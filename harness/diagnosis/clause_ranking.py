"""Which clause does a bot get wrong? A ranking that needs no known fault.

Spectrum-based fault localisation: the components are the clauses, the tests are the checks, and the
coefficient of Ochiai says how well the failures of a clause's own checks account for all failures. A second
factor is the reach of a clause: a wrong `ref-nodes` never changes a result, a wrong eye changes lengths. All
formulas: docs/statistics.md, "Clauses".
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum

from harness.check.clauses import CLAUSES
from harness.check.model import Check, Phase
from harness.check.procedures.late_probes import FOUR, ONE
from harness.check.procedures.probe import empty_board
from harness.diagnosis.deviations import Channel, Deviations
from harness.diagnosis.komi_fit import KomiFit

Coefficient = Callable[[float, float, float, float], float]


def ochiai(failing: float, passing: float, all_failing: float, all_passing: float) -> float:
    """Ochiai's coefficient of one component: its failing and passing tests, and those of all components."""
    return failing / math.sqrt(all_failing * (failing + passing)) if failing else 0.0


def tarantula(failing: float, passing: float, all_failing: float, all_passing: float) -> float:
    """The suspiciousness of Tarantula, with the same arguments."""
    if not failing:
        return 0.0
    share = failing / all_failing
    return share / (share + (passing / all_passing if all_passing else 0.0))


def bayes(failing: float, passing: float, all_failing: float, all_passing: float) -> float:
    """The posterior mean chance of a test of the component to fail, times the share of failures it covers.

    The prior chance is uniform (Laplace's rule of succession).
    """
    return failing / all_failing * (failing + 1.0) / (failing + passing + 2.0) if failing else 0.0


class Part(Enum):
    """The part of a bot that a clause is about; it decides what a fault can reach."""

    WIRE = "wire"
    GAME = "game"
    NODES = "nodes"
    SCORE = "score"
    SCORING = "scoring"
    PLAYOUT = "playout"
    RULE = "rule"  # of playouts and of the game
    CHOICE = "choice"
    RANDOM = "random"
    MATCH = "match"


PARTS: Mapping[str, Part] = {
    "gtp": Part.WIRE,
    "complete-games": Part.GAME,
    "superko": Part.GAME,
    "ref-nodes": Part.NODES,
    "ref-score": Part.SCORE,
    "komi": Part.SCORING,
    "area-scoring": Part.SCORING,
    "uniform": Part.PLAYOUT,
    "simple-ko": Part.RULE,
    "forced-pass": Part.PLAYOUT,
    "two-passes": Part.PLAYOUT,
    "move-cap": Part.PLAYOUT,
    "eye": Part.PLAYOUT,
    "no-suicide": Part.RULE,
    "amaf": Part.CHOICE,
    "best-rate": Part.CHOICE,
    "ties": Part.CHOICE,
    "unseen": Part.CHOICE,
    "no-early-pass": Part.CHOICE,
    "fresh-randomness": Part.RANDOM,
    "parity": Part.MATCH,
}


class Pattern(Enum):
    """Which channels deviate."""

    NOTHING = "nothing"
    MOVES = "moves"
    RESULTS = "results alone"
    RESULTS_AND_MOVES = "results and moves"
    FEW_LENGTHS = "few lengths, no result"
    MANY_LENGTHS = "many lengths, no result"
    LENGTHS_AND_RESULTS = "lengths and results"


_P = Pattern
REACH: Mapping[Part, Mapping[Pattern, float]] = {
    Part.WIRE: {
        _P.NOTHING: 0.6,
        _P.MOVES: 0.05,
        _P.RESULTS: 0.03,
        _P.RESULTS_AND_MOVES: 0.03,
        _P.FEW_LENGTHS: 0.05,
        _P.MANY_LENGTHS: 0.05,
        _P.LENGTHS_AND_RESULTS: 0.14,
    },
    Part.GAME: {_P.NOTHING: 0.6, _P.MOVES: 0.38},
    Part.NODES: {_P.NOTHING: 0.2, _P.FEW_LENGTHS: 0.08, _P.MANY_LENGTHS: 0.7},
    Part.SCORE: {_P.NOTHING: 0.2, _P.RESULTS: 0.6, _P.RESULTS_AND_MOVES: 0.2},
    Part.SCORING: {_P.NOTHING: 0.2, _P.RESULTS: 0.2, _P.RESULTS_AND_MOVES: 0.6},
    Part.PLAYOUT: {
        _P.NOTHING: 0.2,
        _P.MOVES: 0.08,
        _P.RESULTS: 0.01,
        _P.RESULTS_AND_MOVES: 0.01,
        _P.FEW_LENGTHS: 0.6,
        _P.MANY_LENGTHS: 0.03,
        _P.LENGTHS_AND_RESULTS: 0.6,
    },
    Part.RULE: {
        _P.NOTHING: 0.3,
        _P.MOVES: 0.3,
        _P.RESULTS: 0.01,
        _P.RESULTS_AND_MOVES: 0.01,
        _P.FEW_LENGTHS: 0.5,
        _P.MANY_LENGTHS: 0.03,
        _P.LENGTHS_AND_RESULTS: 0.5,
    },
    Part.CHOICE: {_P.NOTHING: 0.25, _P.MOVES: 0.7},
    Part.RANDOM: dict.fromkeys(Pattern, 0.2),
    Part.MATCH: {_P.NOTHING: 1.0},
}
"""Chance of each pattern where the part has a fault that its checks see; 0.001 for the others."""

LEAST_REACH = 0.001
FEW = 0.02
"""Fraction of the probes up to which deviations of a channel are taken for chance or for details."""

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
"""How much likelier one clause becomes than another by one of the special marks."""


@dataclass(frozen=True)
class Spectrum:
    """All that the ranking looks at: decided checks, deviations of searches, the fit of the results."""

    failing: Collection[Check]
    passing: Collection[Check]
    deviations: Deviations = field(default_factory=Deviations)
    certain: frozenset[str] = frozenset()  # probes whose playouts all have the same length
    fit: KomiFit | None = None


def rank_clauses(spectrum: Spectrum, coefficient: Coefficient = bayes) -> Sequence[tuple[str, float]]:
    """All clauses with their probabilities, the most probable first."""
    pattern = pattern_of(spectrum.deviations)
    own = _coefficients(spectrum, coefficient)
    marks = _marks(spectrum, pattern)
    weights = {
        clause: (own[clause] + SMOOTHING)
        * REACH[PARTS[clause]].get(pattern, LEAST_REACH)
        * FACTOR ** marks[clause]
        for clause in CLAUSES
    }
    total = sum(weights.values())
    return sorted(((clause, weight / total) for clause, weight in weights.items()), key=lambda item: -item[1])


def pattern_of(seen: Deviations) -> Pattern:
    """Which channels deviate more than by chance."""
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


def _coefficients(spectrum: Spectrum, coefficient: Coefficient) -> dict[str, float]:
    """Return the coefficient of each clause, by its direct checks and, with less weight, by the others.

    A rule may be right in the game and wrong in playouts, or the other way round, so dialogues compete with
    dialogues alone and searches with searches; each kind counts by its share of the failures.
    """
    direct = [check for check in spectrum.failing if is_direct(check)]
    talking = [check for check in direct if _is_dialogue(check)]
    others, dialogues, searches = (
        _coefficients_of(spectrum, counts, coefficient)
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


def _coefficients_of(
    spectrum: Spectrum, counts: Callable[[Check], bool], coefficient: Coefficient
) -> dict[str, float]:
    """Return the coefficient of each clause, by the checks that count."""
    failing = [check for check in spectrum.failing if not is_random(check) and counts(check)]
    passing = [check for check in spectrum.passing if not is_random(check) and counts(check)]
    own_failing = Counter(check.clause for check in failing)
    own_passing = Counter(check.clause for check in passing)
    all_failing, all_passing = max(1, len(failing)), len(passing)
    return {
        clause: coefficient(own_failing[clause], own_passing[clause], all_failing, all_passing)
        for clause in CLAUSES
    }


def _marks(spectrum: Spectrum, pattern: Pattern) -> Counter[str]:
    """Special marks: how many speak for each clause (or against it, where negative)."""
    marks: Counter[str] = Counter()
    seen = spectrum.deviations
    found = Counter(check.clause for check in spectrum.failing)
    for clause in CLAUSES:
        if not found[clause]:
            marks[clause] -= 2
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
        for clause in ("two-passes", "forced-pass"):
            marks[clause] += 1
        marks["two-passes" if _one_short(seen) else "forced-pass"] += 1
    if longer:
        for clause in ("eye", "no-suicide"):
            marks[clause] += 1
    if shorter or longer:
        for clause in ("simple-ko", "move-cap", "uniform"):
            marks[clause] -= 1
    if longer and EMPTY_BOARD in seen.shorter:  # passes too many: they take moves, and two of them end a game
        marks["forced-pass"] += 2
    elif not seen.longer and len(seen.shorter) > EARLY * seen.number_compared(Channel.LENGTH):
        for clause in ("two-passes", "forced-pass"):
            marks[clause] += 1
