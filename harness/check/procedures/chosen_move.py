"""Violations of the rules or of the specification by a generated move, as the referee finds them."""

from __future__ import annotations

from enum import StrEnum

from harness.check.play_rules import FORBIDS_CYCLES, FORBIDS_KO, REFERENCE_RULES, PlayRules
from harness.go import Colour, Position
from harness.gtp import parse_vertex


class Violation(StrEnum):
    """Kind of a violation. The value is the id of the check that reports it."""

    PASS = "game.pass.candidate"
    FALSE_EYE = "game.pass.false-eye"
    RESIGN = "game.resign.genmove"
    OCCUPIED = "game.occupied.genmove"
    SUICIDE = "game.suicide.genmove"
    KO = "game.ko.genmove"
    SUPERKO = "game.superko.after-passes"
    EYE = "game.eye.genmove"


WITHOUT_A_STONE = {"PASS": Violation.PASS, "RESIGN": Violation.RESIGN}
"""By answer to genmove that places no stone: the violation where the rules demand a stone."""

KOS = (Violation.KO, Violation.SUPERKO)
"""Violations of a bot that forgets earlier boards."""

RULE_OF_VIOLATION: dict[str, tuple[str, ...]] = {
    Violation.PASS: ("passing=reference",),
    Violation.FALSE_EYE: ("passing=reference",),
    Violation.EYE: ("passing=reference",),
    Violation.RESIGN: ("resignation=never",),
    Violation.SUICIDE: ("suicide=forbidden",),
    Violation.KO: (FORBIDS_KO,),
    Violation.SUPERKO: (FORBIDS_CYCLES,),
}
"""By violation: needs (see `PlayRules.meets`). It is none for a bot whose rules do not meet them all. A
violation that is not listed is one for every bot."""

WORDS = {
    Violation.PASS: "a pass, where a candidate is left",
    Violation.FALSE_EYE: "a pass, where a false eye is left",
    Violation.RESIGN: "a resignation",
    Violation.OCCUPIED: "on a stone, or off the board",
    Violation.SUICIDE: "suicide",
    Violation.KO: "the ko taken back at once",
    Violation.SUPERKO: "an earlier board brought back",
    Violation.EYE: "a one-point eye of its own filled",
}
ONLY_PASS = "a resignation, where only a pass is left"
"""The words for a resignation of a side that has no candidate."""

_REASONS = {
    "off-board": Violation.OCCUPIED,
    "occupied": Violation.OCCUPIED,
    "suicide": Violation.SUICIDE,
    "ko": Violation.KO,
    "superko": Violation.SUPERKO,
}


def _pass_violation(position: Position, colour: Colour) -> Violation | None:
    """Return the violation by a pass; None if no candidate is left.

    If all candidates are false eyes, the bot took them for eyes.
    """
    candidates = position.candidates(colour)
    if not candidates:
        return None
    false_eyes = all(position.is_surrounded(colour, point) for point in candidates)
    return Violation.FALSE_EYE if false_eyes else Violation.PASS


def violation(
    position: Position, colour: Colour, move: str, rules: PlayRules = REFERENCE_RULES
) -> Violation | None:
    """Return the violation by a move; None for a move that the rules allow.

    move   as `read_move` returns it: a vertex, PASS or RESIGN. Raises VertexError for a point off the board
    """
    found = _violation(position, colour, move)
    return None if found is None or rules.unmet(RULE_OF_VIOLATION.get(found, ())) else found


def _violation(position: Position, colour: Colour, move: str) -> Violation | None:
    """Return the violation by the rules of the reference bot."""
    if move == "RESIGN":
        return Violation.RESIGN
    point = parse_vertex(move, position.size)
    if point is None:
        return _pass_violation(position, colour)
    reason = position.legality(colour, point)
    if reason is not None:
        return _REASONS[reason]
    return Violation.EYE if position.is_eye(colour, point) else None


def in_words(found: Violation, position: Position, colour: Colour) -> str:
    """Describe the violation by a move in a position."""
    gives_up = found is Violation.RESIGN and not position.candidates(colour)
    return ONLY_PASS if gives_up else WORDS[found]
