"""Marks: special signs in the failing checks and in the searches that one clause is wrong, or is not.

`clause_ranking` calls `marks_of`, and multiplies the weight of a clause by a factor for each of its marks.
All signs, with their numbers of marks: docs/statistics.md, "Clauses". The terms of this module:

    direct check   a check whose failure points to its clause; most clauses can fail the others
    probe          a position that is searched, by its id
    deviations     what is wrong in the searches: sets of probes such as `longer`, where playouts are too long
    gap            the mean length of the playouts at a probe, less the expected one
    certain        the probes where all playouts must have one length
    pattern        which of lengths, results and chosen moves deviate
    spectrum       all of this about a bot: its failing and passing checks, and its deviations
"""

from __future__ import annotations

from collections import Counter

from harness.check.clauses import CLAUSES, Part
from harness.check.procedures.late_probes import FOUR, ONE
from harness.check.procedures.probe import empty_board
from harness.diagnosis.clause_parts import MANY, Pattern
from harness.diagnosis.deviations import Channel, Deviations
from harness.diagnosis.pointing import is_dialogue, is_direct, is_random, most_basic, on_9x9
from harness.diagnosis.spectrum import Spectrum
from harness.suite.families.larger_boards import SIZES, id_on_board

# All limits and numbers of marks were chosen by hand. docs/statistics.md, "Clauses", measures how often the
# ranking finds the clause of an unknown fault with them.

CHOICES = "ref.choice."
"""First part of the ids of checks of the choice among several candidates."""

OFTEN_UNSEEN = "ref.choice.single-move"
"""The check of the choice in which a few hundred playouts leave candidates without visits."""

SIMPLEST = frozenset(
    {ONE.id, FOUR.id, *(id_on_board(probe.id, size) for probe in (ONE, FOUR) for size in SIZES)}
)
"""Probes whose playouts fill one or four neutral points, then pass twice: all have exactly 3 or 6 moves."""

EMPTY_BOARDS = frozenset({empty_board(7.5).id, *(id_on_board("empty", size) for size in SIZES)})
"""Probes of the empty board, one for each size."""

ALL_CHOICES, NEARLY_ALL = 4, 0.9
"""If at least this number of checks of best-rate fail, and this fraction of those of best-rate and amaf
together, best-rate is likely the wrong one: it spoils every choice, wrong records (amaf) only some."""

LEAST_ALIKE, MOSTLY = 3, 0.8
"""Fewest probes that show a common sign, and their least fraction of the probes that could show it."""

SPREAD = 1.4
"""If searches vary by this factor more than a right bot's at most probes, playouts are counted repeatedly."""

LEAST_DIRECTED = 5
"""Fewest wrong lengths from which their directions (longer or shorter) are used."""

ONE_WAY = 0.8
"""If at least this fraction of the wrong lengths is wrong in one direction, the fault has that direction."""

EARLY = 0.3
"""If playouts are shorter at more than this fraction of the probes and longer at none, they end too early."""

RARELY = 0.5
"""If a mean length is wrong by less than this number of moves, only some playouts have another length."""

AS_PASSES = 2.0
"""Most moves by which a wrong pass makes a playout longer: the pass, and the pass that answers it. As many
moves are missing after a pass that comes too early."""

MOST_BROKEN = 3
"""Most clauses whose checks of playouts a wrong rule of moves fails while all lengths are shorter by the same
number. An early end fails the checks of more clauses."""

NEARLY = 0.1
"""Largest distance, in moves, at which a mean length counts as a whole number."""


def marks_of(spectrum: Spectrum, pattern: Pattern) -> Counter[str]:
    """Return the number of marks of each clause: signs that it is wrong, less signs that it is right.

    For example {"komi": 1, "eye": -2}. A clause without an entry has no marks.
    """
    marks: Counter[str] = Counter()
    found = {check.clause for check in spectrum.failing}
    marks.subtract(dict.fromkeys(CLAUSES.keys() - found, 2))  # no check of the clause has failed
    _mark_protocol(marks, spectrum, pattern)
    _mark_randomness(marks, spectrum, pattern)
    _mark_choice(marks, spectrum)
    _mark_results(marks, spectrum, pattern)
    if pattern is Pattern.LENGTHS_AND_RESULTS or pattern is Pattern.FEW_LENGTHS:
        _mark_playouts(marks, spectrum)
    _mark_counts(marks, spectrum, pattern)
    if spectrum.deviations.passed:
        marks["no-early-pass"] += 2
    if spectrum.deviations.resigned:
        marks["complete-games"] += 2
    return marks


def _mark_protocol(marks: Counter[str], spectrum: Spectrum, pattern: Pattern) -> None:
    """Mark the clause gtp: a fault of the protocol makes checks of other clauses fail too."""
    pointing = most_basic(spectrum.failing) or spectrum.failing  # if any, those that no other may spoil
    of_gtp = sum(check.clause == "gtp" for check in pointing)
    if of_gtp > 1:
        marks["gtp"] += 2
    elif of_gtp and pattern is Pattern.NOTHING:
        marks["gtp"] += 1


def _mark_randomness(marks: Counter[str], spectrum: Spectrum, pattern: Pattern) -> None:
    """Mark fresh-randomness by its failing checks, and by the spread of the searches."""
    repeated = sum(c.clause == "fresh-randomness" and not is_random(c) for c in spectrum.failing)
    if repeated and pattern is Pattern.MOVES:
        marks["ties"] -= 2  # repeated random numbers choose the same move among ties
    if repeated > 1 and pattern is not Pattern.MANY_LENGTHS:  # repetition leaves means right
        marks["fresh-randomness"] += 2
    if repeated and spectrum.spread >= SPREAD:
        marks["fresh-randomness"] += 2


def _mark_choice(marks: Counter[str], spectrum: Spectrum) -> None:
    """Mark the wrong step of the choice: best-rate (the rate of each candidate), amaf (records) or unseen."""
    failing, passing = (
        Counter(check.clause for check in checks if is_direct(check) and on_9x9(check.id).startswith(CHOICES))
        for checks in (spectrum.failing, spectrum.passing)
    )
    failed, passed = (counted["best-rate"] + counted["amaf"] for counted in (failing, passing))
    if failing["best-rate"] >= ALL_CHOICES and failed >= NEARLY_ALL * (failed + passed):
        marks["best-rate"] += 1
    seen = spectrum.deviations  # wrong moves may come from equal chances (`scattered`), or not (`uneven`)
    if len(seen.scattered) >= max(LEAST_ALIKE, MOSTLY * len(seen.scattered | seen.uneven)):
        marks["best-rate"] += 2  # the rate is not used at all; wrong records still prefer some moves
    rarely = [c.clause for c in spectrum.failing if is_direct(c) and on_9x9(c.id) != OFTEN_UNSEEN]
    if failing["unseen"] and ("amaf" in rarely or "best-rate" in rarely):
        marks["unseen"] -= 2  # the other choices rarely have a candidate without visits


def _mark_results(marks: Counter[str], spectrum: Spectrum, pattern: Pattern) -> None:
    """Mark what makes results wrong: where they are wrong, whose they are, and whether another komi fits."""
    seen = spectrum.deviations
    wrong = seen.of(Channel.RESULT)
    if len(seen.mirrored) >= max(LEAST_ALIKE, MOSTLY * len(wrong)):
        marks["ref-score"] += 2  # the wrong results are those of the other side
    if len(wrong) > 1 and wrong <= seen.capped:
        # Results deviate only where the cap ends playouts; a wrong count of the area shows elsewhere.
        marks["move-cap"] += 6
    if spectrum.fit is not None and pattern in (Pattern.RESULTS, Pattern.RESULTS_AND_MOVES):
        in_dialogues = {c.clause for c in spectrum.failing if is_dialogue(c) and not c.needs.commands}
        if not (spectrum.fit.drawn or spectrum.fit.shifted):
            # No komi fits all games: it changes from game to game, or the area is wrong.
            marks["komi"] += 1 if "komi" in in_dialogues and "area-scoring" not in in_dialogues else -1
        elif pattern is Pattern.RESULTS_AND_MOVES or not spectrum.fit.drawn:
            marks["komi"] += 1  # chosen moves deviate too, or another komi fits and draws alone do not


def _mark_counts(marks: Counter[str], spectrum: Spectrum, pattern: Pattern) -> None:
    """Mark ref-nodes if it looks like another number than that of the playouts' moves.

    Mark two-passes instead if playouts look too long because they miss their ends.
    """
    seen = spectrum.deviations
    wrong = seen.of(Channel.LENGTH)
    if seen.wrapped and seen.wrapped >= wrong:
        marks["ref-nodes"] += 8  # a wrong rule of playouts would not lose a multiple of 65,536 moves
    if len(wrong) > 1 and wrong <= seen.resumed & seen.longer and pattern is Pattern.FEW_LENGTHS:
        marks["ref-nodes"] += 6  # the earlier searches of the game are counted too
    at_the_cap = any(check.clause == "move-cap" and is_direct(check) for check in spectrum.failing)
    if seen.unsteady:
        marks["ref-nodes"] += 2  # the number is not of the playouts of the search alone
    elif pattern is Pattern.MANY_LENGTHS and not seen.shorter and not at_the_cap:
        marks["two-passes"] += 3  # a missed end does not show near the cap, where a wrong count does
    if seen.impossible:
        marks["ref-nodes"] += 3  # the number is below one move a playout


def _mark_playouts(marks: Counter[str], spectrum: Spectrum) -> None:
    """Mark the wrong rule of playouts."""
    seen = spectrum.deviations
    # Some neutral points are not filled, by where they are on the board: a move is missing, none is added.
    if SIMPLEST & (seen.turned - seen.longer):
        marks["uniform"] += 2
        return
    _mark_draw(marks, spectrum)
    _mark_direction(marks, spectrum)
    _mark_simplest(marks, seen)
    _mark_passes(marks, spectrum)


def _mark_draw(marks: Counter[str], spectrum: Spectrum) -> None:
    """Mark uniform by the lengths that a wrong draw of moves cannot make wrong."""
    wrong = spectrum.deviations.of(Channel.LENGTH) & spectrum.certain
    if len(wrong | spectrum.deviations.frozen) > 1:  # frozen: wrong, and the same in each search
        marks["uniform"] -= 2  # wrong probabilities of moves leave a certain length right, others vary
    elif not wrong and not _points_elsewhere(spectrum):
        marks["uniform"] += 2


def _mark_passes(marks: Counter[str], spectrum: Spectrum) -> None:
    """Mark forced-pass and two-passes by the number of moves that playouts have too many, or lack."""
    seen = spectrum.deviations
    gaps = [gap for probe, gap in seen.gaps.items() if probe in spectrum.certain]
    if len(gaps) >= LEAST_ALIKE and all(abs(gap) < RARELY for gap in gaps):
        marks["forced-pass"] += 2  # a wrong pass comes by chance, a wrong rule of moves always holds
    if _is_longer_than_by_passes(spectrum):
        marks["forced-pass"] -= 2
    if SIMPLEST & seen.longer and EMPTY_BOARDS & seen.shorter:
        marks["forced-pass"] += 2  # too many passes: they add moves, and two of them end a game
    elif _ends_early(spectrum, gaps):
        marks.update(("two-passes", "forced-pass") * 2)
        marks["forced-pass"] += max(gaps) <= -AS_PASSES + NEARLY  # a pass too early, and the one that answers
        marks.subtract(("simple-ko", "eye"))
    elif not seen.longer and len(seen.shorter) > EARLY * seen.number_compared(Channel.LENGTH):
        marks.update(("two-passes", "forced-pass"))


def _mark_direction(marks: Counter[str], spectrum: Spectrum) -> None:
    """Mark simple-ko and uniform by the direction of the wrong lengths.

    A missing ko ban makes playouts longer, a needless one makes them shorter; a wrong eye does both. Moves
    that are not equally likely mostly make playouts shorter. If few lengths are wrong, or nearly all, their
    direction shows no cause.
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


def _mark_simplest(marks: Counter[str], seen: Deviations) -> None:
    """Mark the rules that can change the length of playouts where only neutral points are filled."""
    longer, shorter = (bool(probes & SIMPLEST) for probes in (seen.longer, seen.shorter))
    gaps = [seen.gaps[probe] for probe in SIMPLEST if probe in seen.gaps]

    def all_between(low: float, high: float) -> bool:
        return bool(gaps) and all(low < gap < high for gap in gaps)

    if shorter:
        # One move less, whatever the number of points, is a pass.
        one_less = all_between(-1.0 - NEARLY, -1.0 + NEARLY)
        marks.update(("two-passes", "forced-pass", "two-passes" if one_less else "forced-pass"))
    if longer and all_between(1.0 - NEARLY, 1.0 + NEARLY):
        marks["two-passes"] += 3  # one pass more ends the playout
    elif longer and all_between(0.0, RARELY):
        marks["forced-pass"] += 3  # a pass comes by chance, a wrong rule of moves always holds
    elif longer:
        marks.update(("eye", "no-suicide"))
    if shorter or longer:
        marks.subtract(("simple-ko", "move-cap", "uniform"))


def _points_elsewhere(spectrum: Spectrum) -> bool:
    """Return True if the failing checks point to another clause than `uniform`, the wrong draw of moves.

    A wrong draw fails searches of several clauses, and no dialogue. So several failing searches decide if all
    are about one clause: it is another one, or not. Otherwise a failing dialogue about a rule of playouts
    points elsewhere, if no failing check is about `uniform`.
    """
    pointing = [check for check in spectrum.failing if is_direct(check)]
    searched = [check.clause for check in pointing if not is_dialogue(check)]
    if len(searched) > 1 and len(set(searched)) == 1:
        return searched[0] != "uniform"
    drawn = any(check.clause == "uniform" for check in pointing)
    return not drawn and any(CLAUSES[c.clause].part is Part.RULE for c in pointing if is_dialogue(c))


def _is_longer_than_by_passes(spectrum: Spectrum) -> bool:
    """Return True if a failing check of forced passes has longer playouts than one wrong pass makes them."""
    plans = [c.procedure.search_plan for c in spectrum.failing if c.clause == "forced-pass" and is_direct(c)]
    gaps = [spectrum.deviations.gaps.get(plan.probe.id, 0.0) for plan in plans if plan is not None]
    return any(gap > AS_PASSES for gap in gaps)


def _ends_early(spectrum: Spectrum, gaps: list[float]) -> bool:
    """Return True if playouts lack the same number of moves wherever a certain length is wrong.

    gaps   at the positions where all playouts must have one length and have another: the difference in moves
    A wrong rule of moves makes some playouts longer, or fails the searches of few clauses.
    """
    shown = {check.clause for check in spectrum.failing if is_direct(check) and not is_dialogue(check)}
    alike = len(gaps) >= LEAST_ALIKE and max(gaps) - min(gaps) < NEARLY and max(gaps) < 0.0
    return alike and not spectrum.deviations.longer and len(shown) > MOST_BROKEN
