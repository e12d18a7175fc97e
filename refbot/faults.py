"""The deliberate faults of the reference bot: one registry.

A new fault is one entry here and one branch where the rule lives. Faults of the playouts (`playout`
and `amaf`) have a bit in a mask that the kernels take; the kernels for a right bot are compiled with
the mask 0, so that faults cost them nothing. This module is light: it imports no numba.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable

from refbot.fault import Fault
from refbot.wire_faults import WIRE_FAULTS


class UnknownFaultError(ValueError):
    """A fault that the registry does not have."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.nearest = next(iter(difflib.get_close_matches(name, FAULTS, n=1, cutoff=0.0)), None)
        super().__init__(f"unknown fault {name!r}; did you mean {self.nearest!r}?")


def _uniform(name: str, misconception: str, imitates: str) -> Fault:
    return Fault(f"uniform-{name}", "uniform", misconception, imitates, "playout")


def _playout(name: str, clause: str, misconception: str, imitates: str) -> Fault:
    return Fault(name, clause, misconception, imitates, "playout")


_PLAYOUT_FAULTS = (
    # uniform
    _uniform("scan-board", "a random point, then the next legal one in board order", "the usual short cut"),
    _uniform("scan-list", "a random place in the list of empty points, then the next legal one", "libEGO"),
    _uniform("retry-scan", "three random tries, then the first legal point of the list", "bounded retries"),
    _uniform(
        "near-last", "every other move is looked for beside the last one first", "a heavy playout left on"
    ),
    _uniform("no-corner", "the point A1 is never played", "an index that starts at 1"),
    _uniform("no-last-column", "the last column is never played", "a loop that ends one too early"),
    _uniform("modulo", "a random byte modulo the number of points", "rand() % n"),
    _uniform(
        "shuffled-once", "one random order a playout; each move is its first legal point", "a shuffle reused"
    ),
    # simple-ko
    _playout("ko-none", "simple-ko", "no ko rule in playouts", "'the move cap ends it anyway'"),
    _playout("ko-kept", "simple-ko", "a pass does not lift the ban", "ko reset only by a placed stone"),
    _playout(
        "ko-any-single", "simple-ko", "any capture of one stone bans the point", "snapback taken for ko"
    ),
    _playout(
        "ko-root-ignored",
        "simple-ko",
        "a ban of the real game is forgotten at the root",
        "board copy without ko",
    ),
    # forced-pass
    _playout(
        "pass-at-random",
        "forced-pass",
        "passes once in 64 moves though it could play",
        "pass among the moves",
    ),
    _playout(
        "pass-when-few", "forced-pass", "passes when at most N points are empty", "an early end to save time"
    ),
    _playout(
        "pass-after-tries",
        "forced-pass",
        "passes when a hundred random tries have found no legal point",
        "bounded retries, and nothing after them",
    ),
    # two-passes
    _playout("one-pass-ends", "two-passes", "a playout ends after one pass", "while (move != pass)"),
    _playout("three-passes-end", "two-passes", "a playout ends after three passes", "counter off by one"),
    _playout(
        "game-pass-counts",
        "two-passes",
        "a pass of the game is the first of the two",
        "counter kept by the board",
    ),
    # move-cap
    _playout("cap-none", "move-cap", "no move cap", "the cap left out"),
    _playout("cap-two", "move-cap", "the cap is 2 N N", "a smaller constant"),
    _playout("cap-off-by-one", "move-cap", "one more move than the cap", "> for >="),
    _playout(
        "cap-no-first-move",
        "move-cap",
        "no move at all when the cap is reached",
        "tested before the first move",
    ),
    # eye
    _playout(
        "eye-edge-as-centre",
        "eye",
        "one enemy diagonal is allowed on the edge too",
        "one rule for all points",
    ),
    _playout("eye-corner-as-centre", "eye", "one enemy diagonal is allowed in a corner", "corners forgotten"),
    _playout(
        "eye-centre-strict", "eye", "no enemy diagonal is allowed in the centre", "the edge rule everywhere"
    ),
    _playout("eye-centre-two", "eye", "two enemy diagonals are allowed in the centre", "<= 2 for < 2"),
    _playout("eye-no-diagonals", "eye", "four friendly neighbours are enough", "diagonals forgotten"),
    _playout("eye-empty-hostile", "eye", "empty diagonals count as enemies", "!= own for == enemy"),
    _playout(
        "eye-off-board-hostile",
        "eye",
        "each diagonal off the board counts as an enemy",
        "a border of enemy stones",
    ),
    _playout(
        "eye-either-colour", "eye", "the opponent's eyes are left empty too", "'nobody plays into an eye'"
    ),
    _playout("eye-filled", "eye", "own eyes are filled", "the rule left out"),
    # area-scoring
    _playout("area-stones-only", "area-scoring", "only stones are counted", "'every empty point is an eye'"),
    _playout(
        "area-territory-only", "area-scoring", "only surrounded points are counted", "territory scoring"
    ),
    _playout(
        "area-captures", "area-scoring", "captured stones are counted besides", "a mixture of both scorings"
    ),
    _playout(
        "area-first-neighbour",
        "area-scoring",
        "an empty point is its first neighbour's",
        "a loop that stops early",
    ),
    # komi
    _playout("komi-ignored", "komi", "komi counts for nothing", "komi stored, never used"),
    _playout("komi-to-black", "komi", "Black gets the komi", "wrong sign"),
    _playout("komi-truncated", "komi", "komi is cut to an integer", "int komi = atoi(…)"),
    _playout("draw-to-white", "komi", "a draw is a win of White", "score > 0 ? 1 : 0"),
    _playout("draw-to-black", "komi", "a draw is a win of Black", "score >= 0 ? 1 : 0"),
    _playout("draw-lost", "komi", "a draw is a loss of the side to move", "only wins are counted"),
    # no-suicide
    _playout("suicide-playout", "no-suicide", "suicide is allowed in playouts", "the test left out"),
    _playout(
        "suicide-playout-multi", "no-suicide", "suicide of two or more stones is allowed", "New Zealand rules"
    ),
    # ref-nodes, where only the playout knows
    _playout("nodes-no-passes", "ref-nodes", "passes are not counted", "only stones are moves"),
    _playout(
        "nodes-one-pass", "ref-nodes", "the second closing pass is not counted", "break before the count"
    ),
    _playout(
        "nodes-own-moves", "ref-nodes", "only moves of the side to move are counted", "counter in one branch"
    ),
)


def _amaf(name: str, misconception: str, imitates: str) -> Fault:
    return Fault(f"amaf-{name}", "amaf", misconception, imitates, "amaf")


_AMAF_FAULTS = (
    _amaf("both-colours", "first plays of either colour are counted", "the colour test left out"),
    _amaf("every-play", "each play of the side to move counts, also a second one", "no test for the first"),
    _amaf("other-first", "an earlier play of the other side does not disqualify", "own plays marked only"),
    _amaf("first-move-only", "only the first move of a playout counts", "plain Monte-Carlo"),
    _amaf("first-half", "only the first half of a playout counts", "a cut meant to reduce noise"),
    _amaf("opponent", "the opponent's first plays are counted", "colour swapped before the count"),
    _amaf("wins-of-black", "the wins are Black's, whoever is to move", "the view of the score forgotten"),
    _amaf("skip-last", "the last placed stone is not counted", "loop off by one"),
    _amaf("skip-first", "the first move of a playout is not counted", "loop off by one"),
)


def _selection(name: str, clause: str, misconception: str, imitates: str) -> Fault:
    return Fault(name, clause, misconception, imitates, "selection")


_SEARCH_FAULTS = (
    _selection("best-visits", "best-rate", "the most visited point is played", "the habit of tree search"),
    _selection(
        "best-wins", "best-rate", "the point with the most wins is played", "not divided by the visits"
    ),
    _selection(
        "best-smoothed", "best-rate", "(wins + 1) / (visits + 2) decides", "a prior against small numbers"
    ),
    _selection("best-lowest", "best-rate", "the lowest rate is played", "wrong point of view"),
    _selection("best-lower-bound", "best-rate", "the lower confidence bound decides", "a Wilson interval"),
    _selection("best-in-percent", "best-rate", "rates are cut to whole percent", "a rate kept in an integer"),
    _selection(
        "best-within-hundredth", "best-rate", "rates within 0.01 are equal", "a tolerance against rounding"
    ),
    _selection(
        "best-ten-visits", "best-rate", "fewer than ten visits do not count", "a threshold against chance"
    ),
    _selection("best-random", "best-rate", "any candidate is played", "the statistics are never read"),
    _selection("ties-first", "ties", "the first of equal candidates is played", "> in a loop"),
    _selection("ties-last", "ties", "the last of equal candidates is played", ">= in a loop"),
    _selection(
        "pass-at-zero", "no-early-pass", "passes when every rate is 0", "best = pass, rate 0 at the start"
    ),
    _selection(
        "pass-when-losing", "no-early-pass", "passes when the best rate is below 0.1", "resigning by a pass"
    ),
    _selection("pass-after-pass", "no-early-pass", "answers a pass with a pass", "to end the game politely"),
    _selection(
        "unseen-as-won", "unseen", "a candidate without visits has the rate 1", "optimism for the unknown"
    ),
    _selection(
        "unseen-as-even", "unseen", "a candidate without visits has the rate ½", "a prior instead of a count"
    ),
    _selection("unseen-passes", "unseen", "passes when no candidate has visits", "no best move found"),
    Fault(
        "seed-fixed", "fresh-randomness", "each search starts with the same seed", "srand in genmove", "state"
    ),
    Fault("seed-seldom", "fresh-randomness", "the seed changes every fourth search", "srand(time)", "state"),
    Fault(
        "playouts-twofold",
        "fresh-randomness",
        "half of the playouts, each counted twice",
        "two threads that share a seed",
        "state",
    ),
    Fault(
        "playouts-tenfold",
        "fresh-randomness",
        "a tenth of the playouts, each counted ten times",
        "ten threads that share a seed",
        "state",
    ),
)

_REPORT_FAULTS = (
    Fault("nodes-average", "ref-nodes", "moves a playout, rounded", "a mean for a total", "report"),
    Fault("nodes-cumulative", "ref-nodes", "summed over all searches", "never set to 0", "report"),
    Fault("nodes-stale", "ref-nodes", "those of the search before", "reported before the update", "report"),
    Fault("nodes-playouts", "ref-nodes", "the number of playouts", "a playout taken for a node", "report"),
    Fault("refscore-black", "ref-score", "Black's view", "the specification as first posted", "report"),
    Fault("refscore-white", "ref-score", "White's view", "a sign error", "report"),
    Fault(
        "refscore-inverted", "ref-score", "the opponent's view", "colour swapped before the report", "report"
    ),
    Fault(
        "refscore-best-move", "ref-score", "the rate of the move played", "the score of tree search", "report"
    ),
    Fault("refscore-draws-zero", "ref-score", "draws count nothing", "wins / playouts", "report"),
    Fault("refscore-percent", "ref-score", "0 to 100", "written for people", "report"),
    Fault(
        "refscore-comma", "ref-score", "written with a decimal comma", "the locale of the author", "report"
    ),
    Fault("nodes-decimals", "ref-nodes", "written with decimals", "a float printed as it is", "report"),
)

_GAME_FAULTS = (
    Fault("suicide-game", "no-suicide", "suicide is allowed in the game", "the test left out", "game"),
    Fault("suicide-game-multi", "no-suicide", "two or more stones may die", "New Zealand rules", "game"),
    Fault("superko-none", "superko", "no ko rule in the game", "the rule left out", "game"),
    Fault("superko-simple", "superko", "simple ko only", "the playout's rule in the game", "game"),
    Fault("superko-situational", "superko", "repetition counts for the same mover only", "AGA rules", "game"),
    Fault(
        "superko-recent",
        "superko",
        "only the last eight positions are compared",
        "a short ring buffer",
        "game",
    ),
    Fault(
        "snapback-as-ko",
        "simple-ko",
        "in the game, one stone that took one stone may not be retaken, whatever that takes",
        "goban (Rust), OnlineGo, Lizzie",
        "game",
    ),
    Fault(
        "capture-at-most-32",
        "complete-games",
        "in the game, more than 32 stones are not taken off the board",
        "a flood fill with a stack of fixed size",
        "game",
    ),
    Fault(
        "komi-forgets-boards", "superko", "komi forgets the boards of the game", "komi begins a game", "state"
    ),
    Fault(
        "cap-own-moves-uncounted",
        "move-cap",
        "moves of its own genmove do not count towards the cap",
        "counted by play alone",
        "state",
    ),
    Fault("superko-survives-clear", "superko", "clear_board keeps the history", "one global table", "state"),
    Fault(
        "superko-survives-undo", "superko", "undo keeps the position taken back", "a set, never cut", "state"
    ),
    Fault(
        "komi-first-only", "komi", "only the first komi of a process is used", "set at start of game", "state"
    ),
)


def _registry(*groups: tuple[Fault, ...]) -> dict[str, Fault]:
    faults = {fault.name: fault for group in groups for fault in group}
    if len(faults) != sum(len(group) for group in groups):
        raise AssertionError("two faults share a name")
    return faults


FAULTS: dict[str, Fault] = _registry(
    _PLAYOUT_FAULTS, _AMAF_FAULTS, _SEARCH_FAULTS, _REPORT_FAULTS, _GAME_FAULTS, WIRE_FAULTS
)

_BITS = {fault.name: 1 << place for place, fault in enumerate(_PLAYOUT_FAULTS + _AMAF_FAULTS)}


def bit(*names: str) -> int:
    """The bits of faults that the kernels know: the constants that their branches test."""
    return sum(_BITS[name] for name in names)


def checked(names: Iterable[str]) -> frozenset[str]:
    """The names as a set. Raises UnknownFaultError for the first that the registry does not have."""
    for name in (wanted := list(names)):
        if name not in FAULTS:
            raise UnknownFaultError(name)
    return frozenset(wanted)


def mask(names: Iterable[str]) -> int:
    """The kernels' mask of those faults that have a bit; the others are dealt with elsewhere."""
    return sum(_BITS.get(name, 0) for name in checked(names))
