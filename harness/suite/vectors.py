"""Test vectors: the positions of the checks with everything that a conforming bot computes there.

`conform vectors` exports them. The author of a bot puts them into unit tests of the board, the playouts and
the search, in any language and without the harness.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from harness.check.model import Check
from harness.check.procedures.dialogue import Dialogue
from harness.check.procedures.probe import Probe
from harness.go import Colour, Point
from harness.gtp import parse_colour
from harness.oracle import AmafValue, PlayoutDistribution, enumerate_playouts
from harness.oracle.amaf import expected_amaf
from harness.oracle.expected import Expected
from harness.oracle.graph import PlayoutGraph, root_state

SIZE = 9
"""Board size of the games in move vectors."""

LONGEST = 20.0
"""Mean number of moves of a playout up to which positions are exported; chosen: these can be enumerated."""

MAX_STATES = 30_000
"""Most states of an enumeration; chosen: every exported position stays below it."""

TIE = 1e-12
"""Rates that differ by less are equal: the difference is a rounding error of floating point."""

GameMoves = tuple[tuple[Colour, str], ...]


@dataclass(frozen=True)
class MoveVector:
    """A move of a game on 9x9, and whether the rules allow it."""

    check: Check
    moves: GameMoves  # the game before the move
    colour: Colour
    vertex: str
    legal: bool


@dataclass(frozen=True)
class SearchVector:
    """A position, and the results of conforming playouts from it. Points are (row, column); A1 is (0, 0)."""

    check: Check
    probe: Probe
    first_moves: tuple[Point, ...]  # a playout draws its first move from these; if empty, it passes
    candidates: tuple[Point, ...]  # moves that genmove may answer; if empty, it passes
    expected: Expected
    outcomes: PlayoutDistribution | None  # None where `expected` comes from sampled playouts
    amaf: Mapping[Point, AmafValue] | None  # of candidates that playouts visit; None where `outcomes` is
    best: tuple[Point, ...]  # those with the highest exact rate in `amaf`; empty without any


def move_vectors(checks: Iterable[Check]) -> Iterator[MoveVector]:
    """Yield the moves whose legality these checks test in dialogues, each with the game before it, on 9x9."""
    for check in checks:
        if isinstance(check.procedure, Dialogue) and check.procedure.about_rules:
            yield from _moves_of(check, check.procedure)


def search_vectors(checks: Iterable[Check]) -> Iterator[SearchVector]:
    """Yield the positions in which these checks make a bot search, each once, with the first of its checks.

    Left out are positions that a detour leads to (a `setup_path`), and those whose playouts are too long to
    be enumerated (LONGEST), unless a `table` has their expected values.
    """
    seen: set[Probe] = set()
    for check in checks:
        plan = check.procedure.search_plan
        if plan is None or plan.probe in seen or plan.probe.setup_path:
            continue
        seen.add(plan.probe)
        if plan.probe.table or plan.probe.expected.mean_length <= LONGEST:
            yield _search_vector(check, plan.probe)


def _moves_of(check: Check, dialogue: Dialogue) -> Iterator[MoveVector]:
    """Follow the lines of a dialogue on 9x9, up to a genmove. Yield each `play` that the check is about."""
    moves: list[tuple[Colour, str]] = []
    for step in dialogue.write(SIZE, 0):
        name, *words = step.send.decode("ascii").split()
        legal = step.expect[0].sign == "="
        if name in ("boardsize", "clear_board"):
            moves.clear()
        elif name == "undo":
            moves.pop()
        elif name == "genmove":
            return  # the rest of the game depends on the answer
        elif name == "play":
            colour, vertex = parse_colour(words[0]), words[1]
            if step.subject:
                yield MoveVector(check, tuple(moves), colour, vertex, legal)
            if legal:
                moves.append((colour, vertex))


def _search_vector(check: Check, probe: Probe) -> SearchVector:
    """Return the vector of a probe: enumerated, or with a `table` the stored moments alone."""
    position, colour = probe.position, probe.to_move
    root = root_state(position, colour, position.ko_ban(colour), previous_pass_counts=False)
    graph = PlayoutGraph(position.size, MAX_STATES)
    first = (successor.point for successor in graph.moves(root))
    first_moves = tuple(divmod(point, position.size) for point in first if point is not None)
    candidates = tuple(position.candidates(colour))
    if probe.table:
        return SearchVector(check, probe, first_moves, candidates, probe.expected, None, None, ())
    outcomes = enumerate_playouts(position, colour, max_states=MAX_STATES).at_komi(probe.komi)
    amaf = probe.amaf or expected_amaf(position, colour, probe.komi)  # a stored probe may have no values
    best = _best(amaf)
    return SearchVector(check, probe, first_moves, candidates, probe.expected, outcomes, amaf, best)


def _best(amaf: Mapping[Point, AmafValue]) -> tuple[Point, ...]:
    """Return the points with the highest rate: several on a tie, none if `amaf` is empty."""
    if not amaf:
        return ()
    highest = max(float(value.rate) for value in amaf.values())
    return tuple(point for point, value in amaf.items() if float(value.rate) > highest - TIE)
