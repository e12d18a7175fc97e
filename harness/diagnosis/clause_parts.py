"""Patterns of deviations: which channels of a bot's searches (lengths, results, moves) deviate.

REACH says how likely each pattern is if a part of the bot has a fault. The parts, such as `Part.PLAYOUT`, are
groups of clauses. `clause_ranking` uses REACH.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum

from harness.check.clauses import Part
from harness.diagnosis.deviations import Channel, Deviations

FEW = 0.02
"""A channel deviates by chance at up to this fraction of its probes, or at one. Chosen by hand, as REACH."""

MANY = 0.45
"""If lengths deviate at more than this fraction of the probes, they deviate nearly everywhere. Chosen by
hand, as REACH."""


class Pattern(Enum):
    """The channels that deviate at more probes than by chance: moves, results, lengths of playouts.

    FEW_LENGTHS: lengths deviate at up to MANY of the probes. MANY_LENGTHS: at more, or ref-nodes is unsteady
    somewhere (see `Deviations`). LENGTHS_AND_RESULTS: lengths, and also results or moves.
    """

    NOTHING = "nothing"
    MOVES = "moves"
    RESULTS = "results alone"
    RESULTS_AND_MOVES = "results and moves"
    FEW_LENGTHS = "few lengths, no result"
    MANY_LENGTHS = "many lengths, no result"
    LENGTHS_AND_RESULTS = "lengths and results"


LEAST = 0.001
"""Relative likelihood of a pattern that a fault of a part cannot cause. Chosen: small, but above 0."""

REACH: Mapping[Part, Mapping[Pattern, float]] = {
    part: dict(zip(Pattern, likelihoods, strict=True))
    for part, likelihoods in {
        # in the order of Pattern: nothing, moves, results alone, results and moves, few lengths, many
        # lengths, lengths and results
        Part.WIRE: (0.6, 0.05, 0.03, 0.03, 0.05, 0.05, 0.14),
        Part.GAME: (0.6, 0.35, 0.01, 0.01, 0.01, 0.01, 0.01),
        Part.NODES: (0.2, LEAST, LEAST, LEAST, 0.08, 0.7, LEAST),
        Part.SCORE: (0.2, LEAST, 0.6, 0.2, LEAST, LEAST, LEAST),
        Part.SCORING: (0.2, LEAST, 0.2, 0.6, LEAST, LEAST, LEAST),
        Part.PLAYOUT: (0.2, 0.08, 0.01, 0.01, 0.6, 0.03, 0.6),
        Part.RULE: (0.3, 0.3, 0.01, 0.01, 0.5, 0.03, 0.5),
        Part.CHOICE: (0.25, 0.7, LEAST, LEAST, LEAST, LEAST, LEAST),
        Part.RANDOM: (0.2,) * len(Pattern),
        Part.MATCH: (1.0, *(LEAST,) * (len(Pattern) - 1)),
        Part.COMMAND: (1.0, *(LEAST,) * (len(Pattern) - 1)),
    }.items()
}
"""Relative likelihood of each pattern if the part has a fault that its checks see: a row need not sum to 1,
because the ranking compares the parts under one pattern, that is one column. Chosen by hand, from what each
part can change. docs/statistics.md, "Clauses", measures how well the ranking works with these values."""

ALSO_FAILING = {
    Part.PLAYOUT: {Part.CHOICE},
    Part.RULE: {Part.CHOICE},
    Part.SCORE: {Part.SCORING},
    Part.SCORING: {Part.CHOICE},
}
"""From a part with a fault (key) to the parts whose checks fail too, although these parts are right (value).

Example: a bot with wrong playouts also fails checks of the choice of a move, because it chooses by the
results of its playouts. A bot with a wrong choice fails no check of playouts, so `CHOICE` is no key.
"""


def pattern_of(seen: Deviations) -> Pattern:
    """Return the pattern of the deviations. Beside results, moves count from two probes on, without FEW."""
    lengths, results, moves = (
        len(seen.of(channel)) > max(1.0, FEW * seen.number_compared(channel)) for channel in Channel
    )
    if lengths and (results or moves):
        return Pattern.LENGTHS_AND_RESULTS
    if lengths:
        many = len(seen.of(Channel.LENGTH)) > MANY * seen.number_compared(Channel.LENGTH)
        return Pattern.MANY_LENGTHS if many or seen.unsteady else Pattern.FEW_LENGTHS
    if results:
        return Pattern.RESULTS_AND_MOVES if len(seen.of(Channel.MOVE)) > 1 else Pattern.RESULTS
    return Pattern.MOVES if moves else Pattern.NOTHING
