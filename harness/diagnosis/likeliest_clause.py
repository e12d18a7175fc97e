"""Finds the clause that a bot most probably gets wrong, by the known faults and the ranking of the clauses.

A clause gets the probabilities of its known faults. The rest, that of "something else", is shared by all
clauses as `clause_ranking` ranks them.
"""

from __future__ import annotations

from collections import defaultdict

from harness.check.clauses import CLAUSES
from harness.diagnosis.clause_parts import ALSO_FAILING
from harness.diagnosis.fault_ranking import LEAST_NAMED, Fit, Suspicion
from harness.diagnosis.named_fault import leaves_as_many
from harness.diagnosis.pointing import is_direct
from harness.diagnosis.unexplained import Unexplained

# These limits were chosen by hand. How often the diagnosis is right with them: docs/statistics.md, "Clauses".

AS_LIKELY = 0.99
"""Clauses with at least this fraction of the probability of the likeliest one count as equally probable. The
probability of a set of two faults counts for both of them: two faults at work together are nearly equal."""

LIKE_RELATED, LIKE_UNFIT = 0.5, 0.2
"""The fraction of a fault's probability that counts for its clause: LIKE_RELATED if the fault fits nearly,
LIKE_UNFIT if it fits badly or leaves as many failures as it explains (`leaves_as_many`)."""


def likeliest_clause(rest: Unexplained) -> tuple[str, float]:
    """Return the most probable clause and its probability, such as ("eye", 0.93).

    Only these clauses count: those of a basic failure, of a nearly certain fault, of a probable fault that
    explains a basic failure, and those of `_spoiling_all`. Among equally probable ones, the ranking of the
    clauses decides.
    """
    shares: defaultdict[str, float] = defaultdict(float)
    unknown = 0.0
    for item in rest.suspicions:
        share = item.probability * _share_of_clause(rest, item) * bool(item.clause)
        unknown += item.probability - share
        if item.clause:
            shares[item.clause] += share
    for clause, probability in rest.ranking.items():
        shares[clause] += unknown * probability
    own = _spoiling_all(rest) | {result.clause for result in rest.basic}
    own.update(
        item.clause
        for item in rest.suspicions
        if item.clause and item.fit is not Fit.BADLY and item.probability >= LEAST_NAMED
        if item.fault in rest.sure or any(rest.explains(item.fault, result) for result in rest.basic)
    )
    possible = {clause: share for clause, share in shares.items() if clause in own}
    # Two faults of an explanation are equally probable: the one whose signs are clearer comes first.
    likeliest = [c for c, share in possible.items() if share >= AS_LIKELY * max(possible.values())]
    return max(((c, shares[c]) for c in likeliest), key=lambda item: (rest.ranking[item[0]], item[1]))


def _share_of_clause(rest: Unexplained, item: Suspicion) -> float:
    """Return the fraction of the probability of a fault that counts for its clause."""
    if item.fit is not Fit.WELL:
        return LIKE_RELATED if item.fit is Fit.NEARLY else LIKE_UNFIT
    if not item.known or item.probability < LEAST_NAMED:
        return 1.0
    explained = [r for r in rest.failing if rest.explains(item.fault, r)]
    return LIKE_UNFIT if leaves_as_many(rest, item, explained) else 1.0


def _spoiling_all(rest: Unexplained) -> set[str]:
    """Return the clauses that may explain all failures without a failing check of their own.

    Such a clause spoils the parts of all basic failures of direct checks (`ALSO_FAILING`), and an indirect
    check failed too. Empty if no indirect check failed; all clauses if only indirect ones did.
    """
    pointing = [CLAUSES[r.clause].part for r in rest.basic if is_direct(r.check)]
    if len(pointing) == len(rest.basic):
        return set()
    return {name for name in CLAUSES if ALSO_FAILING.get(CLAUSES[name].part, set()).issuperset(pointing)}
