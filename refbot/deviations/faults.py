"""The registry of the deliberate faults of the reference bot, by the part of the bot that they change.

`KO_NONE = _ko("no ko rule in playouts", "'the move cap ends it anyway'")` is the fault "ko-none". A function
such as `_ko` makes a fault with the fields that some faults share, here the clause "simple-ko".

A new fault is one entry, here or in the modules of other parts (such as `game_faults`), and one branch where
the rule is implemented: `if Faults.KO_NONE in faults`. The arguments of an entry are the misconception, which
says what a bot with the fault does, and what the fault imitates; see `Fault`. Faults of the playouts have a
bit in a mask that the kernels take. Kernels without faults are compiled with the mask 0, so that faults cost
them nothing. This module does not import numba.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial, reduce
from operator import or_

from refbot.deviations.command_faults import CommandFaults
from refbot.deviations.fault import Fault
from refbot.deviations.game_command_faults import GameCommandFaults
from refbot.deviations.game_faults import GameFaults
from refbot.deviations.record_faults import RecordFaults
from refbot.deviations.switches import UnknownSwitchError, look_up, members
from refbot.deviations.wire_faults import WireFaults

_playout = partial(Fault, where="playout")
_amaf = partial(Fault, "amaf", where="amaf")
_selection = partial(Fault, where="selection")
_randomness = partial(Fault, "fresh-randomness", where="randomness")
_report = partial(Fault, where="report")
_game = partial(Fault, where="game")
_state = partial(Fault, where="state")
_uniform = partial(_playout, "uniform")
_ko = partial(_playout, "simple-ko")
_pass = partial(_playout, "forced-pass")
_passes = partial(_playout, "two-passes")
_cap = partial(_playout, "move-cap")
_limit = partial(_cap, in_kernel=False)
_eye = partial(_playout, "eye")
_area = partial(_playout, "area-scoring")
_komi = partial(_playout, "komi")
_suicide = partial(_playout, "no-suicide")
_nodes = partial(_playout, "ref-nodes")
_best = partial(_selection, "best-rate")
_ties = partial(_selection, "ties")
_early = partial(_selection, "no-early-pass")
_unseen = partial(_selection, "unseen")
# The misconception of the next two is what ref-nodes or ref-score answers.
_reported = partial(_report, "ref-nodes")
_score = partial(_report, "ref-score")


class PlayoutFaults:
    """Faults of a playout, from its first move to its score."""

    # uniform
    UNIFORM_SCAN_BOARD = _uniform(
        "a random point, then the next legal one in board order", "the usual short cut"
    )
    UNIFORM_SCAN_LIST = _uniform(
        "a random place in the list of empty points, then the next legal one", "libEGO"
    )
    UNIFORM_RETRY_SCAN = _uniform(
        "a few random tries, such as three, then the first legal point of the list", "bounded retries"
    )
    UNIFORM_NEAR_LAST = _uniform(
        "every other move is looked for beside the last one first", "a heavy playout left on"
    )
    UNIFORM_NO_CORNER = _uniform("the point A1 is never played", "an index that starts at 1")
    UNIFORM_NO_LAST_COLUMN = _uniform("the last column is never played", "a loop that ends one too early")
    UNIFORM_MODULO = _uniform("a random byte modulo the number of points", "rand() % n")
    UNIFORM_SHUFFLED_ONCE = _uniform(
        "one random order a playout; each move is its first legal point", "a shuffle reused"
    )
    UNIFORM_NEVER_LAST = _uniform(
        "the last empty point of a list is never drawn unless it is alone", "rand() % (n - 1)"
    )
    UNIFORM_REFUSED_DROPPED = _uniform(
        "a point that was drawn and could not be played is not drawn again in the playout",
        "a list that only shrinks",
    )
    UNIFORM_CAPTURED_DROPPED = _uniform(
        "points of captured stones are not drawn again in the playout", "a list that captures do not add to"
    )
    UNIFORM_FIRST_HUNDRED = _uniform(
        "only the first points of the board are played, such as a hundred", "an array made for 9x9", board=13
    )
    # simple-ko
    KO_NONE = _ko("no ko rule in playouts", "'the move cap ends it anyway'")
    KO_KEPT = _ko("a pass does not lift the ban", "ko reset only by a placed stone")
    KO_ANY_SINGLE = _ko("any capture of one stone bans the point", "snapback taken for ko")
    KO_ROOT_IGNORED = _ko("a ban of the real game is forgotten at the root", "board copy without ko")
    # forced-pass
    PASS_AT_RANDOM = _pass(
        "passes now and then though it could play, such as once in 64 moves", "pass among the moves"
    )
    PASS_WHEN_FEW = _pass("passes when at most N points are empty", "an early end to save time")
    PASS_AFTER_TRIES = _pass(
        "passes when some random tries, such as a hundred, have found no legal point",
        "bounded retries, and nothing after them",
    )
    # two-passes
    ONE_PASS_ENDS = _passes("a playout ends after one pass", "while (move != pass)")
    THREE_PASSES_END = _passes("a playout ends after three passes", "counter off by one")
    PASSES_IN_ALL = _passes(
        "a stone between two passes does not set their number back", "a counter set at the start alone"
    )
    GAME_PASS_COUNTS = _passes("a pass of the game is the first of the two", "counter kept by the board")
    # move-cap
    CAP_NONE = _limit("no move cap", "the cap left out")
    CAP_TWO = _limit("the cap is too small, such as 2 N N", "a smaller constant")
    CAP_OFF_BY_ONE = _limit("one more move than the cap", "> for >=")
    CAP_NOT_AT_ROOT = _limit("no move cap once the game itself has reached it", "== for >=")
    CAP_NO_FIRST_MOVE = _limit("no move at all when the cap is reached", "tested before the first move")
    CAP_IS_DRAW = _cap("a playout that the cap ends is a draw", "no result, so nobody won")
    CAP_IN_A_BYTE = _limit("the cap is 3 N N modulo 256", "a number of moves kept in a byte", board=13)
    CAP_OF_NINE = _limit("the cap is 243 on every size", "a constant made for 9x9", board=13)
    CAP_PLAYOUT_PASSES_UNCOUNTED = _cap(
        "passes of a playout do not count towards the cap", "a count of the stones that a playout placed"
    )
    # eye
    EYE_EDGE_AS_CENTRE = _eye("one enemy diagonal is allowed on the edge too", "one rule for all points")
    EYE_CORNER_AS_CENTRE = _eye("one enemy diagonal is allowed in a corner", "corners forgotten")
    EYE_CENTRE_STRICT = _eye("no enemy diagonal is allowed in the centre", "the edge rule everywhere")
    EYE_CENTRE_TWO = _eye("two enemy diagonals are allowed in the centre", "<= 2 for < 2")
    EYE_NO_DIAGONALS = _eye("four friendly neighbours are enough", "diagonals forgotten")
    EYE_EMPTY_HOSTILE = _eye("empty diagonals count as enemies", "!= own for == enemy")
    EYE_OFF_BOARD_HOSTILE = _eye("each diagonal off the board counts as an enemy", "a border of enemy stones")
    EYE_EITHER_COLOUR = _eye("the opponent's eyes are left empty too", "'nobody plays into an eye'")
    EYE_FILLED = _eye("own eyes are filled", "the rule left out")
    # area-scoring
    AREA_STONES_ONLY = _area("only stones are counted", "'every empty point is an eye'")
    AREA_TERRITORY_ONLY = _area("only surrounded points are counted", "territory scoring")
    AREA_CAPTURES = _area("captured stones are counted besides", "a mixture of both scorings")
    AREA_FIRST_NEIGHBOUR = _area("an empty point is its first neighbour's", "a loop that stops early")
    AREA_SINGLE_POINTS = _area(
        "an empty point counts only between stones of one colour", "'at the end all eyes are single'"
    )
    # komi
    KOMI_IGNORED = _komi("komi counts for nothing", "komi stored, never used")
    KOMI_TO_BLACK = _komi("Black gets the komi", "wrong sign")
    KOMI_TRUNCATED = _komi("komi is cut to an integer", "int komi = atoi(…)")
    DRAW_TO_WHITE = _komi("a draw is a win of White", "score > 0 ? 1 : 0")
    DRAW_TO_BLACK = _komi("a draw is a win of Black", "score >= 0 ? 1 : 0")
    DRAW_LOST = _komi("a draw is a loss of the side to move", "only wins are counted")
    # no-suicide
    SUICIDE_PLAYOUT = _suicide("suicide is allowed in playouts", "the test left out")
    SUICIDE_PLAYOUT_MULTI = _suicide("suicide of two or more stones is allowed", "New Zealand rules")
    SUICIDE_PLAYOUT_BEFORE_CAPTURE = _suicide(
        "in playouts, a move without a liberty is suicide, whatever it takes",
        "liberties counted before the captured stones are gone",
    )
    # ref-nodes
    NODES_NO_PASSES = _nodes("passes are not counted", "only stones are moves")
    NODES_ONE_PASS = _nodes("the second closing pass is not counted", "break before the count")
    NODES_OWN_MOVES = _nodes("only moves of the side to move are counted", "counter in one branch")


class AmafFaults:
    """Faults of the all-moves-as-first records."""

    # amaf
    AMAF_BOTH_COLOURS = _amaf("first plays of either colour are counted", "the colour test left out")
    AMAF_EVERY_PLAY = _amaf(
        "each play of the side to move counts, also a second one", "no test for the first"
    )
    AMAF_OTHER_FIRST = _amaf("an earlier play of the other side does not disqualify", "own plays marked only")
    AMAF_FIRST_MOVE_ONLY = _amaf("only the first move of a playout counts", "plain Monte-Carlo")
    AMAF_FIRST_HALF = _amaf(
        "only the first part of a playout counts, such as half", "a cut meant to reduce noise"
    )
    AMAF_OPPONENT = _amaf("the opponent's first plays are counted", "colour swapped before the count")
    AMAF_WINS_OF_BLACK = _amaf(
        "the wins are Black's, also when White is to move", "the view of the score forgotten"
    )
    AMAF_DRAWS_LOST = _amaf("a draw counts as a loss in the records", "wins++ if the lead is above 0")
    AMAF_DRAWS_WON = _amaf("a draw counts as a win in the records", "wins++ if the lead is not below 0")
    AMAF_SKIP_LAST = _amaf("the last placed stone is not counted", "loop off by one")
    AMAF_SKIP_FIRST = _amaf("the first move of a playout is not counted", "loop off by one")


class SearchFaults:
    """Faults of the choice of a move, of its random numbers and of what is reported."""

    # best-rate
    BEST_VISITS = _best("the most visited point is played", "the habit of tree search")
    BEST_WINS = _best("the point with the most wins is played", "not divided by the visits")
    BEST_SMOOTHED = _best(
        "a prior is added to the rate, such as (wins + 1) / (visits + 2)", "a prior against small numbers"
    )
    BEST_LOWEST = _best("the lowest rate is played", "wrong point of view")
    BEST_LOWER_BOUND = _best("the lower confidence bound decides", "a Wilson interval")
    BEST_IN_PERCENT = _best("rates are cut to whole percent", "a rate kept in an integer")
    BEST_WITHIN_HUNDREDTH = _best(
        "nearly equal rates count as equal, such as within 0.01", "a tolerance against rounding"
    )
    BEST_TEN_VISITS = _best("few visits do not count, such as fewer than ten", "a threshold against chance")
    BEST_RANDOM = _best("any candidate is played", "the statistics are never read")
    BEST_VISITS_LATE = _best(
        "late in the game, such as from move 2 N N on, the most visited point is played",
        "another mode for the endgame",
    )
    # ties
    TIES_FIRST = _ties("the first of equal candidates is played", "> in a loop")
    TIES_LAST = _ties("the last of equal candidates is played", ">= in a loop")
    # no-early-pass
    PASS_AT_ZERO = _early("passes when every rate is 0", "best = pass, rate 0 at the start")
    PASS_WHEN_LOSING = _early("passes when the best rate is low, such as below 0.1", "resigning by a pass")
    PASS_AFTER_PASS = _early("answers a pass with a pass", "to end the game politely")
    PASS_BY_RATE = _early(
        "passes when no candidate has a better rate than the playouts with a pass of its own",
        "pass as one more entry of the table of moves",
    )
    # unseen
    UNSEEN_AS_WON = _unseen("a candidate without visits has the rate 1", "optimism for the unknown")
    UNSEEN_AS_EVEN = _unseen("a candidate without visits has the rate ½", "a prior instead of a count")
    UNSEEN_PASSES = _unseen("passes when no candidate has visits", "no best move found")
    # fresh-randomness
    SEED_FIXED = _randomness(
        "all searches of a position start with the same seed", "srand in genmove", searches_per_seed=None
    )
    SEED_SELDOM = _randomness("the seed changes every fourth search", "srand(time)", searches_per_seed=4)
    PLAYOUTS_TWOFOLD = _randomness(
        "fewer playouts, each counted several times, such as twice",
        "two threads that share a seed",
        playout_counted=2,
    )
    PLAYOUTS_TENFOLD = _randomness(
        "fewer playouts, each counted several times, such as ten times",
        "ten threads that share a seed",
        playout_counted=10,
    )
    # ref-nodes
    NODES_AVERAGE = _reported("moves a playout, rounded", "a mean for a total", nodes_per_search=True)
    NODES_CUMULATIVE = _reported("summed over all searches", "never set to 0", counts_earlier_searches=True)
    NODES_STALE = _reported(
        "those of the search before", "reported before the update", counts_earlier_searches=True
    )
    NODES_PLAYOUTS = _reported("the number of playouts", "a playout taken for a node")
    # ref-score
    REFSCORE_BLACK = _score("Black's view", "the specification as first posted")
    REFSCORE_WHITE = _score("White's view", "a sign error")
    REFSCORE_INVERTED = _score("the opponent's view", "colour swapped before the report")
    REFSCORE_BEST_MOVE = _score("the rate of the move played", "the score of tree search")
    REFSCORE_DRAWS_ZERO = _score("draws count nothing", "wins / playouts")
    REFSCORE_WITHOUT_DRAWS = _score("drawn playouts are left out of the mean", "wins / (wins + losses)")
    REFSCORE_PERCENT = _score("0 to 100", "written for people", readable=False)
    REFSCORE_COMMA = _score("written with a decimal comma", "the locale of the author", readable=False)
    REFSCORE_TWO_DECIMALS = _score("written with two decimals", "a percentage in mind")
    # ref-nodes
    NODES_DECIMALS = _reported("written with decimals", "a float printed as it is", readable=False)
    PASS_KEEPS_REPORT = _reported(
        "kept by a pass without a search", "a pass that returns before the sums are set to 0"
    )
    NODES_EXPONENT = _reported("with an exponent from a million on", "a float printed by %g")


class Faults(
    PlayoutFaults,
    AmafFaults,
    SearchFaults,
    GameFaults,
    WireFaults,
    GameCommandFaults,
    CommandFaults,
    RecordFaults,
):
    """Every fault."""


FAULTS: dict[str, Fault] = members(Fault, *Faults.__bases__)
"""Every fault by its name."""

_MASKED = members(Fault, PlayoutFaults, AmafFaults).values()
_BIT_NUMBERS = {fault: number for number, fault in enumerate(fault for fault in _MASKED if fault.in_kernel)}
# All faults that only change what a kernel is given share the last bit, which no branch tests: it has the
# effect that the kernel for faults plays.
_BITS = {fault: 1 << _BIT_NUMBERS.get(fault, len(_BIT_NUMBERS)) for fault in _MASKED}


class UnknownFaultError(UnknownSwitchError):
    """A fault that the registry does not have."""

    def __init__(self, name: str) -> None:
        super().__init__("fault", name, FAULTS)


def checked(names: Iterable[str | Fault]) -> frozenset[Fault]:
    """Return the faults of these names; a fault stays as it is. Raises UnknownFaultError."""
    return look_up(names, FAULTS, UnknownFaultError)


def mask(faults: Iterable[Fault]) -> int:
    """The kernels' mask of the faults that have a bit; faults of other parts of the bot have none."""
    return reduce(or_, (_BITS.get(fault, 0) for fault in faults), 0)


def kernel_bits() -> dict[str, int]:
    """The bit of each fault of the playouts, by the name of the fault; see `_BITS` about the last bit."""
    return {fault.name: bit for fault, bit in _BITS.items()}
