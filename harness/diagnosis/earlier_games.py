"""Finds out if a bot keeps something from earlier games: a search fails only after other games.

Each search begins with boardsize and clear_board. If it is right in a new process and wrong after other
games, no rule of playouts is the cause, but something that clear_board should have forgotten.
"""

from __future__ import annotations

from collections.abc import Sequence

from harness.check.model import Confirmation, Result
from harness.diagnosis.deviations import Channel, Deviations
from harness.diagnosis.effects import explains
from harness.diagnosis.pointing import is_dialogue, is_random
from harness.diagnosis.signatures import Signature
from refbot.deviations.faults import FAULTS

AFTER_ANOTHER_GAME = "after-another-game"
"""The path (see `SETUP_PATHS`) of the positions that are set up after a game and a clear_board."""

MOVE_CAP = "move-cap"
"""The clause of a bot that counts the moves of earlier games too: its playouts end too early at the cap."""


def needs_earlier_lines(result: Result) -> bool:
    """Return True if a failure came back in each new process after earlier lines, but not without them."""
    seen, tried = result.sightings
    return result.confirmation is Confirmation.WITH_HISTORY and seen == tried


def needs_earlier_games(result: Result) -> bool:
    """Return True if a failure is of a search with an exact judge (no p-value), and needs earlier lines."""
    is_exact_search = not is_dialogue(result.check) and result.judgement.p_value is None
    return is_exact_search and needs_earlier_lines(result)


def is_spoiled(result: Result) -> bool:
    """Return True if a failure may follow from what a bot keeps between games.

    Such are all failures of searches and of random checks, and those of dialogues that need earlier lines.
    """
    return not is_dialogue(result.check) or is_random(result.check) or needs_earlier_lines(result)


def shows_in_a_first_game(signature: Signature, failing: Sequence[Result]) -> bool:
    """Return True if a fault of the search explains one of the failures that needed earlier games.

    Then the fault is not the cause of them: it shows in a new process too. False for faults that depend on
    earlier searches, or repeat their random numbers.
    """
    fault = FAULTS[signature.fault]
    if not fault.in_search or fault.counts_earlier_searches or fault.searches_per_seed != 1:
        return False
    return any(needs_earlier_games(result) and explains(signature, result.check) for result in failing)


def kept_between_games(failing: Sequence[Result], deviations: Deviations) -> Result | None:
    """Return the failure that shows best what a bot keeps from game to game; None if none shows that.

    failing      failures of the bot that may show it; only searches count
    deviations   of the bot's searches
    The failure is of a check on the path AFTER_ANOTHER_GAME. If playouts are too short at some probe and too
    long at none, one of the clause MOVE_CAP is preferred, else one of another clause. None if results and
    moves are right (a wrong ref-nodes may be a sum over searches), if a search failed in a new process too,
    or if no search needs earlier games.
    """
    if not deviations.of(Channel.RESULT) and not deviations.of(Channel.MOVE):
        return None
    searches = [r for r in failing if not is_dialogue(r.check)]
    alone = any(r.confirmation is Confirmation.CONFIRMED for r in searches)
    if alone or not any(map(needs_earlier_games, searches)):
        return None
    after = [
        r
        for r in searches
        if (plan := r.check.procedure.search_plan) and plan.probe.setup_path == AFTER_ANOTHER_GAME
    ]
    ended_early = bool(deviations.shorter) and not deviations.longer
    return min(after, key=lambda r: (r.clause == MOVE_CAP) != ended_early, default=None)
