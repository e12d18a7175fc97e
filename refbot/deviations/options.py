"""The policies and options of playouts beyond the specification: names, values and feature bits.

A policy is how a playout chooses its moves. The conforming bot has the policy "random" and `Options()`, with
everything off. A feature bit says what a kernel is compiled for.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from refbot.errors import RefbotError

ESCAPE, CAPTURE = 1, 2
POLICIES = {"random": 0, "escape": ESCAPE, "capture": CAPTURE, "waterfall": ESCAPE | CAPTURE}
"""The feature bits of each policy: the moves that it looks for, ESCAPE first, before it draws one at random.

ESCAPE saves a chain that the last move put in atari; CAPTURE is a capture anywhere on the board. Source: René
van de Veerdonk, computer-go list. A new policy is one function of `refbot.playouts.scalar.policies`, one line
in `select` there, and one entry here.
"""

MERCY, EARLY_SCORE, CHECK_EARLY_SCORE, CUTOFF = 4, 8, 16, 32
LOGGED, TIMED = 64, 128
"""Further feature bits: first those of `Options`; LOGGED: with a log of the moves; TIMED: board functions are
timed."""


class UnknownPolicyError(RefbotError, ValueError):
    """A policy that does not exist."""

    def __init__(self, policy: str) -> None:
        self.policy = policy
        super().__init__(f"unknown policy {policy!r}: expected one of {', '.join(POLICIES)}")


class UnacceptableOptionError(RefbotError, ValueError):
    """An option of the playouts with a value outside its range."""

    def __init__(self, option: str, value: object, wanted: str) -> None:
        self.option, self.value = option, value
        super().__init__(f"{option} must be {wanted}, not {value}")


@dataclass(frozen=True)
class Options:
    """Options of the playouts; None and False are off. Raises UnacceptableOptionError.

    `mercy`: a playout ends when one side leads by more than this number of stones, and that side wins
    (Hillis).
    `early_score`: at the end of a playout, the difference in stones less komi decides if it exceeds this
    number of points (Hendley, without the captures). With `check_early_score` the area is counted as well,
    and the number of wrong results is reported; alone it does nothing.
    `cutoff`: a playout ends after this number of its own moves; chains in atari then count as dead
    (Yamashita).
    `cap_from_root`: the cap of 3 N N moves counts only the playout's own moves, not those of the game. The
    specification allows both readings.
    """

    mercy: int | None = None
    early_score: float | None = None
    check_early_score: bool = False
    cutoff: int | None = None
    cap_from_root: bool = False

    def __post_init__(self) -> None:
        if self.mercy is not None and self.mercy < 0:
            raise UnacceptableOptionError("mercy", self.mercy, "0 stones or more")
        if self.early_score is not None and not (math.isfinite(self.early_score) and self.early_score >= 0):
            raise UnacceptableOptionError(
                "early_score", self.early_score, "a finite number of points, 0 or more"
            )
        if self.cutoff is not None and self.cutoff < 1:
            raise UnacceptableOptionError("cutoff", self.cutoff, "1 move or more")

    @property
    def features(self) -> int:
        """The feature bits of the options, such as MERCY | CUTOFF. The option `cap_from_root` has none."""
        bits = MERCY if self.mercy is not None else 0
        if self.early_score is not None:
            bits |= EARLY_SCORE | (CHECK_EARLY_SCORE if self.check_early_score else 0)
        return bits | (CUTOFF if self.cutoff is not None else 0)


NO_OPTIONS = Options()


def check_policy(policy: str) -> None:
    """Raise UnknownPolicyError if no policy has this name."""
    if policy not in POLICIES:
        raise UnknownPolicyError(policy)


def features_of(policy: str, options: Options) -> int:
    """Return the feature bits of a policy and options; 0 for uniform playouts. Raises UnknownPolicyError."""
    check_policy(policy)
    return POLICIES[policy] | options.features
