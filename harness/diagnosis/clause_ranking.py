"""Ranking of the clauses of the specification by the probability that the bot gets them wrong.

It works for unknown faults too. The weight of a clause is a product of three factors: a coefficient (how much
of all failures the clause's own checks account for, as in spectrum-based fault localisation), its reach (the
chance of the observed pattern of deviations, see `clause_parts`), and marks (special signs, each a factor).
All formulas: docs/statistics.md, "Clauses".
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace

from harness.check.clauses import CLAUSES, Part
from harness.check.model import Check
from harness.check.procedures.late_probes import FOUR, ONE
from harness.check.procedures.probe import empty_board
from harness.diagnosis.clause_parts import REACH, Pattern
from harness.diagnosis.deviations import Channel, Deviations
from harness.diagnosis.pointing import is_dialogue, is_direct, is_random, most_basic, on_9x9, shows_playouts
from harness.diagnosis.spectrum import Spectrum
from harness.suite.families.larger_boards import SIZES, id_on_board

FEW = 0.02
"""A channel (length, result or move) deviates by chance at up to this fraction of its probes.
All limits here were chosen by hand. docs/statistics.md, "Clauses", measures how often the ranking finds the
clause of an unknown fault with them."""

MANY = 0.45
"""If lengths deviate at more than this fraction of the probes, they deviate nearly everywhere."""

SMOOTHING = 0.02
"""Added to each coefficient: a clause without a failing check of its own is unlikely, not impossible."""

CHOICES = "ref.choice."
"""First part of the ids of checks of the choice among several candidates."""

OFTEN_UNSEEN = "ref.choice.single-move"
"""The check of the choice in which a few hundred playouts leave candidates without visits."""

INDIRECT = 0.1
"""Weight of indirect checks (see `is_direct`), relative to direct ones."""

SIMPLEST = frozenset(
    {ONE.id, FOUR.id, *(id_on_board(probe.id, size) for probe in (ONE, FOUR) for size in SIZES)}
)
"""Positions in which neutral points are filled and nothing else happens, on all sizes."""

EMPTY_BOARDS = frozenset({empty_board(7.5).id, *(id_on_board("empty", size) for size in SIZES)})

ALL_CHOICES, NEARLY_ALL = 4, 0.9
"""If this many checks of the rate fail, and this fraction of those of the rate and the records together, the
rate is likely wrong, not the records."""

LEAST_ALIKE, MOSTLY = 3, 0.8
"""Fewest probes that show a common sign, and their least fraction of the probes that could show it."""

SPREAD = 1.4
"""If searches vary by this factor more than a right bot's at most probes, playouts are counted repeatedly."""

LEAST_DIRECTED = 5
"""Fewest wrong lengths from which their directions (longer or shorter) are used."""

ONE_WAY = 0.8
"""If at least this fraction of the wrong lengths is wrong in one direction, the fault has that direction."""

EARLY = 0.3
"""If playouts are shorter at this fraction of the probes and longer at none, they end too early."""

RARELY = 0.5
"""Largest mean number of additional moves that only some playouts have. Chosen: half a move."""

AS_PASSES = 2.0
"""Most moves by which a wrong pass makes playouts longer: the pass, and the one that answers it."""

MOST_BROKEN = 3
"""Most clauses whose checks of playouts a wrong rule of moves fails while all lengths are shorter by the same
number. Chosen: an early end fails the checks of most."""

NEARLY = 0.1
"""Largest distance, in moves, at which a mean length counts as a whole number."""

FACTOR = 4.0
"""Factor of one mark on the weight of a clause."""


def rank_clauses(spectrum: Spectrum) -> Sequence[tuple[str, float]]:
    """Return all clauses with their probabilities, the most probable first."""
    telling = [check for check in spectrum.failing if not _shows_no_repetition(check, spectrum.deviations)]
    spectrum = replace(spectrum, failing=telling or spectrum.failing)
    pattern = pattern_of(spectrum.deviations)
    own = _coefficients(spectrum)
    marks = _marks(spectrum, pattern)
    weights = {
        clause: (own[clause] + SMOOTHING) * _reach(clause, spectrum, pattern) * FACTOR ** marks[clause]
        for clause in CLAUSES
    }
    total = sum(weights.values())
    return sorted(((clause, weight / total) for clause, weight in weights.items()), key=lambda item: -item[1])


def _reach(clause: str, spectrum: Spectrum, pattern: Pattern) -> float:
    """Return the chance of a pattern if the clause is wrong. A rule of the game may be one of playouts."""
    part = CLAUSES[clause].part
    shown = any(check.clause == clause and shows_playouts(check) for check in spectrum.failing)
    parts = {part, Part.PLAYOUT} if part is Part.GAME and shown else {part}
    return max(REACH[one][pattern] for one in parts)


def pattern_of(seen: Deviations) -> Pattern:
    """Return the pattern of the channels that deviate at more probes than by chance."""
    lengths, results, moves = (
        len(seen.of(channel)) > max(1.0, FEW * seen.number_compared(channel)) for channel in Channel
    )
    if lengths and (results or moves):
        return Pattern.LENGTHS_AND_RESULTS
    if lengths:
        many = bool(seen.unsteady) or (
            len(seen.of(Channel.LENGTH)) > MANY * seen.number_compared(Channel.LENGTH)
        )
        return Pattern.MANY_LENGTHS if many else Pattern.FEW_LENGTHS
    if results:
        return Pattern.RESULTS_AND_MOVES if len(seen.of(Channel.MOVE)) > 1 else Pattern.RESULTS
    return Pattern.MOVES if moves else Pattern.NOTHING


def _coefficients(spectrum: Spectrum) -> dict[str, float]:
    """Return the coefficient of each clause, from direct checks and, with less weight, from the others.

    Dialogues and searches are rated apart, because a bot may have a rule right in the game and wrong in
    playouts. Each kind counts by its share of the failures.
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
    """Return the posterior mean chance of a check of a clause to fail, times the share of failures it covers.

    `failing` and `passing` are the checks of the clause. The prior chance is uniform (Laplace's rule of
    succession).
    """
    return failing / all_failing * (failing + 1.0) / (failing + passing + 2.0) if failing else 0.0


def _marks(spectrum: Spectrum, pattern: Pattern) -> Counter[str]:
    """Return the number of marks of each clause: signs for it, less signs against it."""
    marks: Counter[str] = Counter()
    seen = spectrum.deviations
    found = {check.clause for check in spectrum.failing}
    marks.subtract(dict.fromkeys(CLAUSES.keys() - found, 2))  # no check of the clause has failed
    own = Counter(check.clause for check in spectrum.failing if not is_random(check))
    pointing = most_basic(spectrum.failing)
    of_gtp = sum(check.clause == "gtp" for check in pointing or spectrum.failing)
    if of_gtp > 1:  # a fault of the protocol makes checks of other clauses fail too
        marks["gtp"] += 2
    elif of_gtp and pattern is Pattern.NOTHING:
        marks["gtp"] += 1
    if own["fresh-randomness"] and pattern is Pattern.MOVES:
        marks["ties"] -= 2  # repeated random numbers choose the same move among ties
    if own["fresh-randomness"] > 1 and pattern is not Pattern.MANY_LENGTHS:  # repetition leaves means right
        marks["fresh-randomness"] += 2
    if own["fresh-randomness"] and spectrum.spread >= SPREAD:
        marks["fresh-randomness"] += 2
    _mark_choice(marks, spectrum)
    _mark_results(marks, spectrum, pattern)
    if pattern is Pattern.LENGTHS_AND_RESULTS or pattern is Pattern.FEW_LENGTHS:
        _mark_playouts(marks, spectrum)
    at_the_cap = any(check.clause == "move-cap" and is_direct(check) for check in spectrum.failing)
    if seen.wrapped and seen.wrapped >= seen.of(Channel.LENGTH):
        marks["ref-nodes"] += 8  # nothing else counts all moves but a multiple of 65,536
    wrong = seen.of(Channel.LENGTH)
    if len(wrong) > 1 and wrong <= seen.resumed & seen.longer and pattern is Pattern.FEW_LENGTHS:
        marks["ref-nodes"] += 6  # the earlier searches of the game are counted too
    if seen.unsteady:
        marks["ref-nodes"] += 2  # the number is not of the playouts of the search alone
    elif pattern is Pattern.MANY_LENGTHS and not seen.shorter and not at_the_cap:
        marks["two-passes"] += 3  # a missed end does not show near the cap, where a wrong count does
    if seen.passed:
        marks["no-early-pass"] += 2
    if seen.resigned:
        marks["complete-games"] += 2
    if seen.impossible:
        marks["ref-nodes"] += 3
    return marks


def _mark_choice(marks: Counter[str], spectrum: Spectrum) -> None:
    """Mark the wrong step of the choice.

    A wrong rate spoils every choice, wrong records only some, and a candidate without visits is rare. Wrong
    records still prefer some moves.
    """
    failing, passing = (
        Counter(check.clause for check in checks if is_direct(check) and on_9x9(check.id).startswith(CHOICES))
        for checks in (spectrum.failing, spectrum.passing)
    )
    failed, passed = (counted["best-rate"] + counted["amaf"] for counted in (failing, passing))
    if failing["best-rate"] >= ALL_CHOICES and failed >= NEARLY_ALL * (failed + passed):
        marks["best-rate"] += 1
    seen = spectrum.deviations
    if len(seen.scattered) >= max(LEAST_ALIKE, MOSTLY * len(seen.scattered | seen.uneven)):
        marks["best-rate"] += 2  # the rate is not used at all
    rarely = [c.clause for c in spectrum.failing if is_direct(c) and on_9x9(c.id) != OFTEN_UNSEEN]
    if failing["unseen"] and ("amaf" in rarely or "best-rate" in rarely):
        marks["unseen"] -= 2  # the other choices have no candidate without visits


def _mark_results(marks: Counter[str], spectrum: Spectrum, pattern: Pattern) -> None:
    """Mark what makes results wrong: where they are wrong, whose they are, and whether another komi fits."""
    seen = spectrum.deviations
    wrong = seen.of(Channel.RESULT)
    if len(seen.mirrored) >= max(LEAST_ALIKE, MOSTLY * len(wrong)):
        marks["ref-score"] += 2  # of the other side
    if len(wrong) > 1 and wrong <= seen.capped:
        # Results deviate only where the cap ends playouts; a wrong count of the area shows elsewhere.
        marks["move-cap"] += 6
    if spectrum.fit is not None and pattern in (Pattern.RESULTS, Pattern.RESULTS_AND_MOVES):
        talked = {c.clause for c in spectrum.failing if is_dialogue(c) and not c.needs.commands}
        if not (spectrum.fit.drawn or spectrum.fit.shifted):
            # No komi fits all games: it changes from game to game, or the area is wrong.
            marks["komi"] += 1 if "komi" in talked and "area-scoring" not in talked else -1
        elif pattern is Pattern.RESULTS_AND_MOVES or not spectrum.fit.drawn:
            marks["komi"] += 1  # chosen moves deviate too, or another komi fits and draws alone do not


def _mark_direction(marks: Counter[str], spectrum: Spectrum) -> None:
    """Mark the wrong rule of playouts by the direction of the wrong lengths.

    A missing ko ban makes playouts longer, a needless one makes them shorter; a wrong eye does both. Moves
    that are not equally likely mostly make playouts shorter.
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


def _shows_no_repetition(check: Check, seen: Deviations) -> bool:
    """Return whether a spread of searches says nothing: playouts by other rules vary by another amount."""
    plan = check.procedure.search_plan
    return check.clause == "fresh-randomness" and plan is not None and plan.probe.id in seen.foreign


def _are_off_by(move: float, seen: Deviations) -> bool:
    """Return whether all playouts have one move (a pass) more, or less, at the probes of SIMPLEST."""
    return _gaps_lie_between(move - NEARLY, move + NEARLY, seen)


def _are_rarely_longer(seen: Deviations) -> bool:
    """Return whether few playouts are longer where every one has the same number of moves."""
    return _gaps_lie_between(0.0, RARELY, seen)


def _gaps_lie_between(low: float, high: float, seen: Deviations) -> bool:
    """Return whether lengths deviate at probes of SIMPLEST, all by a number of moves in this interval."""
    gaps = [seen.gaps[probe] for probe in SIMPLEST if probe in seen.gaps]
    return bool(gaps) and all(low < gap < high for gap in gaps)


def _gaps_of_fixed_lengths(spectrum: Spectrum) -> list[float]:
    """Return by how many moves lengths deviate where all playouts must have one length."""
    return [gap for probe, gap in spectrum.deviations.gaps.items() if probe in spectrum.certain]


def _differ_rarely(spectrum: Spectrum) -> bool:
    """Return whether few playouts differ, wherever one length is wrong that all playouts must have.

    A wrong pass comes by chance; a wrong rule of moves always holds.
    """
    gaps = _gaps_of_fixed_lengths(spectrum)
    return len(gaps) >= LEAST_ALIKE and all(abs(gap) < RARELY for gap in gaps)


def _end_early(spectrum: Spectrum) -> bool:
    """Return whether playouts lack the same number of moves wherever a fixed length is wrong.

    A wrong rule of moves makes some of them longer, or fails the checks of few rules.
    """
    gaps = _gaps_of_fixed_lengths(spectrum)
    shown = {check.clause for check in spectrum.failing if is_direct(check) and not is_dialogue(check)}
    alike = len(gaps) >= LEAST_ALIKE and max(gaps) - min(gaps) < NEARLY and max(gaps) < 0.0
    return alike and not spectrum.deviations.longer and len(shown) > MOST_BROKEN


def _are_off_by_two(spectrum: Spectrum) -> bool:
    """Return whether two moves are missing or more: a pass too early, and the one that answers it."""
    return max(_gaps_of_fixed_lengths(spectrum), default=0.0) <= -AS_PASSES + NEARLY


def _are_longer_than_passes(spectrum: Spectrum) -> bool:
    """Return whether playouts at a probe of the checks of forced passes are longer than passes make them."""
    plans = [c.procedure.search_plan for c in spectrum.failing if c.clause == "forced-pass" and is_direct(c)]
    gaps = [spectrum.deviations.gaps.get(plan.probe.id, 0.0) for plan in plans if plan is not None]
    return any(gap > AS_PASSES for gap in gaps)


def _point_elsewhere(spectrum: Spectrum) -> bool:
    """Return whether several searches point to one clause alone, or dialogues to a rule alone.

    Wrong probabilities of moves fail many searches, and no dialogue.
    """
    pointing = [check for check in spectrum.failing if is_direct(check)]
    searched = [check.clause for check in pointing if not is_dialogue(check)]
    if len(searched) > 1 and len(set(searched)) == 1:
        return searched[0] != "uniform"
    drawn = any(check.clause == "uniform" for check in pointing)
    return not drawn and any(CLAUSES[c.clause].part is Part.RULE for c in pointing if is_dialogue(c))


def _mark_playouts(marks: Counter[str], spectrum: Spectrum) -> None:
    """Mark the wrong rule of playouts by the simplest positions, and by those with playouts of one length."""
    seen = spectrum.deviations
    # Some neutral points are not filled, by where they are on the board: a move is missing, none is added.
    if SIMPLEST & seen.turned - seen.longer:
        marks["uniform"] += 2
        return
    wrong = len(seen.of(Channel.LENGTH) & spectrum.certain)
    if wrong + len(seen.frozen) > 1:
        marks["uniform"] -= 2  # wrong probabilities of moves leave a certain length right
    elif not wrong and not _point_elsewhere(spectrum):
        marks["uniform"] += 2
    _mark_direction(marks, spectrum)
    longer, shorter = (bool(probes & SIMPLEST) for probes in (seen.longer, seen.shorter))
    if shorter:
        marks.update(
            ("two-passes", "forced-pass", "two-passes" if _are_off_by(-1.0, seen) else "forced-pass")
        )
    if longer and _are_off_by(1.0, seen):
        marks["two-passes"] += 3  # one pass more ends the playout
    elif longer and _are_rarely_longer(seen):
        marks["forced-pass"] += 3  # a pass comes by chance, a wrong rule of moves always holds
    elif longer:
        marks.update(("eye", "no-suicide"))
    if shorter or longer:
        marks.subtract(("simple-ko", "move-cap", "uniform"))
    if _differ_rarely(spectrum):
        marks["forced-pass"] += 2
    if _are_longer_than_passes(spectrum):
        marks["forced-pass"] -= 2
    if longer and EMPTY_BOARDS & seen.shorter:  # too many passes: they add moves, and two of them end a game
        marks["forced-pass"] += 2
    elif _end_early(spectrum):
        marks.update(("two-passes", "forced-pass") * 2)
        marks["forced-pass"] += _are_off_by_two(spectrum)
        marks.subtract(("simple-ko", "eye"))
    elif not seen.longer and len(seen.shorter) > EARLY * seen.number_compared(Channel.LENGTH):
        marks.update(("two-passes", "forced-pass"))
