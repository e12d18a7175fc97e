"""Laws (exact distributions) of the numbers of a search, and the clause that a wrong number points to."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import replace

from harness.explore.game_model import LastSearch
from harness.explore.laws import PlayoutLaw, SearchKey, laws_at

SUSPICIOUS = math.log(1e3)
"""Log of the e-value of a search from which a law does not fit it, and its session is repeated. Chosen: a
right bot reaches it in at most one search of a thousand; a repetition costs time and decides nothing."""

USUAL_KOMIS = (0.0, 5.5, 6.5, 7.5)
"""Likely komi of a bot that ignores the komi command. Chosen: the values of common rule sets."""


def laws_of_search(last: LastSearch, nodes: float | None, playouts: int | None) -> tuple[PlayoutLaw, ...]:
    """Return the laws that the search may have followed, one for each reading of the specification.

    nodes      ref-nodes of the search, None if not known: readings that do not fit it are left out. If none
               fits, all are kept, so that the number is judged, and found wrong
    playouts   number of playouts of the search, None if not known

    Empty if the laws or the number of playouts are unknown, and if the bot passed and `nodes` is 0 or None:
    a bot that can only pass need not search.
    """
    if playouts is None or not (last.moved or nodes):
        return ()
    laws = laws_at(last.key, last.komi) or ()
    if nodes is None:
        return laws
    return tuple(law for law in laws if law.length.log_e(nodes, playouts) < SUSPICIOUS) or laws


def clause_of_nodes(last: LastSearch, laws: Sequence[PlayoutLaw], nodes: float, playouts: int) -> str:
    """Return the clause that a wrong ref-nodes points to.

    It is "ref-nodes" for a mean length more than 2 moves outside the possible ones, "move-cap" if a wrong
    cap explains it, else "uniform". `laws`: those of the search, at least one.
    """
    shortest = min(law.length.least for law in laws)
    longest = max(law.length.most for law in laws)
    if not (shortest - 2) * playouts <= nodes <= (longest + 2) * playouts:
        return "ref-nodes"
    for made in _counts_of_wrong_caps(last.key, longest):
        other = laws_at(replace(last.key, made=(made,)), None) or ()
        if any(law.length.log_e(nodes, playouts) < SUSPICIOUS for law in other):
            return "move-cap"
    return "uniform"


def clause_of_score(
    last: LastSearch,
    laws: Sequence[PlayoutLaw],
    score: float,
    playouts: int,
    earlier_komis: Iterable[float],
) -> str:
    """Return the clause of the first known error that would explain the wrong score; else "ref-score".

    last            the search; its komi is known
    laws            those of the search, at least one
    earlier_komis   komi that the session set before: the bot may use one of them still
    """
    assert last.komi is not None, "without komi, no score is judged"

    def fits(key: SearchKey, komi: float, value: float = score) -> bool:
        results = (law.result for law in laws_at(key, komi) or ())
        return any(law is not None and law.log_e(value, playouts) < SUSPICIOUS for law in results)

    if fits(last.key, last.komi, 1.0 - score):
        return "ref-score"
    if any(fits(last.key, komi) for komi in {*earlier_komis, *USUAL_KOMIS, -last.komi}):
        return "komi"
    longest = max(law.length.most for law in laws)
    counts = _counts_of_wrong_caps(last.key, longest)
    if any(fits(replace(last.key, made=(made,)), last.komi) for made in counts):
        return "move-cap"
    return "ref-score"


def _counts_of_wrong_caps(key: SearchKey, longest: float) -> Iterable[int]:
    """Return values of `made` (moves that count towards the cap) that stand for known errors of the cap.

    A playout may have cap - made moves, where the cap is 3·N·N. So a wrong cap has the effect of another
    `made`: on 9x9 after 10 moves, a cap of 2·81 in place of 3·81 is as if 91 moves were made. The values
    stand for caps of N·N and 2·N·N. If right playouts reach the cap, there are also values for a larger cap,
    for no cap, and for a bot that miscounts the moves of the game. Elsewhere these are left out: an error in
    another rule could fit one of them by chance.
    """
    area = key.size**2
    cap = 3 * area
    counts = {cap - multiple * area + made for multiple in (1, 2) for made in key.made}
    if any(longest == cap - made for made in key.made):
        counts |= {cap - 4 * area, cap - 100 * area, *range(-2, max(key.made) + 3)}
    return sorted(counts)
