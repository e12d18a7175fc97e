"""How well the numbers of a search fit the laws of its playouts, and which clause wrong numbers point to."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import replace

from harness.explore.game_model import LastSearch
from harness.explore.laws import PlayoutLaw, SearchKey, laws_at
from harness.stats.evidence import mix

SUSPICIOUS = math.log(1e3)
"""Log of the evidence in one search from which a session is repeated."""

USUAL_KOMIS = (0.0, 5.5, 6.5, 7.5)
"""What a bot plays with that does not listen to komi."""


def laws_of(last: LastSearch, nodes: int | None, playouts: int | None) -> tuple[PlayoutLaw, ...]:
    """The laws that the search may have followed; none where they are not known.

    A bot that can only pass need not search. The number of moves shows which reading a bot follows.
    """
    if playouts is None or not (last.has_candidates or nodes):
        return ()
    laws = laws_at(last.key, last.komi) or ()
    if nodes is None:
        return laws
    return tuple(law for law in laws if nodes_log_e(law, nodes, playouts) < SUSPICIOUS) or laws


def clause_of_nodes(last: LastSearch, laws: Sequence[PlayoutLaw], nodes: int, playouts: int) -> str:
    """The clause that a wrong number of moves points to."""
    shortest = min(law.lengths[0][0] for law in laws)
    longest = max(law.lengths[-1][0] for law in laws)
    if not (shortest - 2) * playouts <= nodes <= (longest + 2) * playouts:
        return "ref-nodes"
    for made in _counts_of_wrong_caps(last.key, longest):
        other = laws_at(replace(last.key, made=(made,)), None) or ()
        if any(nodes_log_e(law, nodes, playouts) < SUSPICIOUS for law in other):
            return "move-cap"
    return "uniform"


def clause_of_score(last: LastSearch, score: float, playouts: int, earlier_komis: Iterable[float]) -> str:
    """The clause that a wrong result points to: that of an error which would make it right."""
    assert last.komi is not None, "else nothing is judged"

    def fits(key: SearchKey, komi: float, value: float = score) -> bool:
        laws = laws_at(key, komi) or ()
        return any(score_log_e(law, value, playouts) < SUSPICIOUS for law in laws)

    if fits(last.key, last.komi, 1.0 - score):
        return "ref-score"
    if any(fits(last.key, komi) for komi in {*earlier_komis, *USUAL_KOMIS, -last.komi}):
        return "komi"
    longest = max(law.lengths[-1][0] for law in laws_of(last, None, playouts))
    counts = _counts_of_wrong_caps(last.key, longest)
    if any(fits(replace(last.key, made=(made,)), last.komi) for made in counts):
        return "move-cap"
    return "ref-score"


def _counts_of_wrong_caps(key: SearchKey, longest: int) -> Iterable[int]:
    """Numbers of moves made that wrong reckonings of the cap amount to.

    Such a cap is another multiple of N², or none. Where right playouts reach the cap, a move too many may be
    counted, or only some of the game. Any number would fit some of the errors of another rule.
    """
    area = key.size**2
    cap = 3 * area
    counts = {cap - multiple * area + made for multiple in (1, 2) for made in key.made}
    if any(longest == cap - made for made in key.made):
        counts |= {cap - 4 * area, cap - 100 * area, *range(-2, max(key.made) + 3)}
    return sorted(counts)


def nodes_log_e(law: PlayoutLaw, nodes: int, playouts: int) -> float:
    """Return the log of the evidence that a number of moves does not follow a law; infinite for a proof."""
    if not law.possible_nodes(nodes, playouts):
        return math.inf
    return float(mix(law.length_log_es(nodes, playouts)))


def score_log_e(law: PlayoutLaw, score: float, playouts: int) -> float:
    """Return the log of the evidence that a mean result does not follow a law; infinite for a proof."""
    if not law.possible_score(score):
        return math.inf
    return float(mix(law.result_log_es(score, playouts)))


def length_text(law: PlayoutLaw) -> str:
    """Return the lengths of playouts, for a report."""
    if len(law.lengths) == 1:
        return f"{law.lengths[0][0]} moves a playout, exactly"
    shortest, longest = law.lengths[0][0], law.lengths[-1][0]
    return f"{law.mean_length:.3f} moves a playout on average ({shortest} to {longest})"


def result_text(law: PlayoutLaw) -> str:
    """Return the results of playouts, for a report."""
    exactly = ", exactly" if law.results and len(law.results) == 1 else " on average"
    return f"{law.mean_result:.4f}{exactly}"
