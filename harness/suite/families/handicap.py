"""`gtp.handicap.*`: fixed_handicap, place_free_handicap and set_free_handicap.

`harness.suite.families` explains the notation. `play` shows a stone: it refuses the point of the stone. The
draft names the reasons of a refusal and not its words, so no check reads the words.

The functions `…_steps` write the steps of a dialogue for a board size. `_turn` is the symmetry of the board
that `Dialogue` passes; no dialogue here is turned.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from harness.check.model import Ability
from harness.check.procedures.dialogue import Dialogue, dialogue
from harness.check.procedures.script import NEW, Step, steps
from harness.commands.handicap_conversations import OtherSizes, PlacedFreely
from harness.go import FEWEST_HANDICAP, MOST_HANDICAP, handicap_points, most_handicap
from harness.gtp import format_vertex
from harness.suite import statement
from harness.suite.statement import relying_on

must = partial(statement.must, clause="gtp-handicap")
should = partial(statement.should, clause="gtp-handicap")

SMALL = (8, 7, 5)
"""Boards with few fixed points: 8x8 and 7x7 have points for four stones, 5x5 for none."""

BESIDE = ((1, 0), (-1, 0), (0, 1), (0, -1))
"""From a point to its four neighbours: (rows, columns)."""


def _vertices(stones: int, size: int) -> list[str]:
    """The vertices of a fixed handicap, such as C3 and G7, in the order of the draft's table."""
    return [format_vertex(point) for point in handicap_points(stones, size)]


def _placing(stones: int, size: int) -> str:
    """The line that places a handicap, and its points as the answer: `fixed_handicap 2 -> & C3 G7`."""
    return f"fixed_handicap {stones} -> & {' '.join(_vertices(stones, size))}"


def _smallest_steps(size: int, _turn: int) -> list[Step]:
    """The smallest handicap: two opposite corners."""
    return steps(NEW + _placing(FEWEST_HANDICAP, size), size)


def _larger_steps(size: int, _turn: int) -> list[Step]:
    """Every larger handicap that has fixed points on this board, each in a new game."""
    numbers = range(FEWEST_HANDICAP + 1, most_handicap(size) + 1)
    games = "\n".join(f"clear_board\n{_placing(stones, size)}" for stones in numbers)
    return steps(f"boardsize {{size}}\n{games}", size)


def _corner_steps(size: int) -> list[Step]:
    """Two corners and four corners, on an empty board that has fixed points for four stones."""
    return steps(f"{_placing(2, size)}\nclear_board\n{_placing(4, size)}", size)


def _stones_steps(size: int, _turn: int) -> list[Step]:
    """White may play on none of the nine points, and on another point; Black may play then."""
    refused = "".join(f"play w {vertex} -> ?\n" for vertex in _vertices(MOST_HANDICAP, size))
    return steps(f"{NEW}fixed_handicap {MOST_HANDICAP}\n{refused}play w A1 -> =\nplay b B2 -> =", size)


def _capture_steps(size: int, _turn: int) -> list[Step]:
    """White captures both stones of the smallest handicap, and then plays on their points."""
    points = handicap_points(FEWEST_HANDICAP, size)
    around = [(row + up, column + right) for row, column in points for up, right in BESIDE]
    capturing = "".join(f"play w {format_vertex(point)}\n" for point in around)
    freed = "".join(f"play w {format_vertex(point)} -> =\n" for point in points)
    return steps(f"{NEW}fixed_handicap {FEWEST_HANDICAP}\n{capturing}{freed}", size)


def _new_game_steps(size: int, _turn: int) -> list[Step]:
    """After clear_board both points are free, and a handicap may be placed again.

    The check is there to catch two faults; `unlike` of a step names the one that answers this step right.
    """
    first, second = _vertices(FEWEST_HANDICAP, size)
    free = steps(
        f"{NEW}fixed_handicap {FEWEST_HANDICAP}\nclear_board -> =\nplay b {first} -> =\nplay w {second} -> =",
        size,
    )
    again = 2 * steps(f"clear_board\nfixed_handicap {FEWEST_HANDICAP} -> =", size)
    return [
        *(replace(step, unlike=("handicap-once",)) for step in free),
        *(replace(step, unlike=("clear-keeps-handicap",)) for step in again),
    ]


def _too_many_steps(size: int) -> list[Step]:
    """The smallest handicap without fixed points on this board is refused: five stones on 8x8, two on 5x5."""
    return steps(f"fixed_handicap {max(most_handicap(size) + 1, FEWEST_HANDICAP)} -> ?", size)


def _undo_steps(size: int, _turn: int) -> list[Step]:
    """After a handicap, undo is refused and both stones stay."""
    first, second = _vertices(FEWEST_HANDICAP, size)
    return steps(f"{NEW}fixed_handicap 2\nundo -> ?\nplay w {first} -> ?\nplay w {second} -> ?", size)


def _undo_move_steps(size: int, _turn: int) -> list[Step]:
    """Undo takes back White's first move after a handicap, and no stone of the handicap."""
    first, second = _vertices(FEWEST_HANDICAP, size)
    return steps(
        f"{NEW}fixed_handicap 2\nplay w E4\nundo -> =\nplay w {first} -> ?\nplay w {second} -> ?\n"
        "play w E4 -> =",
        size,
    )


FIXED = (
    must(Ability.FORGETS_HANDICAPS, "clear_board removes a handicap, and a new one may be placed.",
         Dialogue(_new_game_steps, not_relied_on=frozenset({Ability.PLACES_FIXED_HANDICAPS})),
         hint="forget the stones of a handicap, and that there was one, with the board",
         kills="handicap-once clear-keeps-handicap"),
    must(Ability.PLACES_FIXED_HANDICAPS,
         "fixed_handicap 2 answers the corner points at the lower left and at the upper right.",
         Dialogue(_smallest_steps, all_sizes=True),
         hint="answer the points, on the fourth line from 13x13 on and on the third below",
         kills="fixed-handicap-unanswered"),
    must("gtp.handicap.fixed-table",
         "fixed_handicap answers the points of the draft's table for three to nine stones.",
         Dialogue(_larger_steps, all_sizes=True),
         hint="the third stone is at the upper left; with five and seven stones one is in the centre",
         kills="fixed-handicap-in-one-order"),
    must(Ability.HOLDS_HANDICAPS,
         "fixed_handicap places a stone on each point that it answers, and either side may move then.",
         Dialogue(_stones_steps), requires=relying_on(Ability.REFUSES_MOVES),
         hint="put the stones on the board before you answer", kills="fixed-handicap-not-placed"),
    must("gtp.handicap.fixed-black", "The stones of a handicap are black: White may capture each.",
         Dialogue(_capture_steps), requires=relying_on(Ability.HOLDS_HANDICAPS, Ability.CAPTURES),
         hint="place every stone of a handicap for Black, whoever is to move", kills="handicap-alternates"),
    must("gtp.handicap.fixed-number",
         "fixed_handicap refuses a number below zero or above nine, and the engine keeps running.",
         dialogue(NEW + "fixed_handicap 10 -> ?\n{known} -> *\nfixed_handicap 1000 -> ?\n{known} -> *\n"
                  "fixed_handicap -1 -> ?\n{known} -> *"),
         hint="compare the number with the table before you place a stone",
         kills="fixed-handicap-cut fixed-handicap-above-nine-crashes"),
    should("gtp.handicap.fixed-few", "fixed_handicap refuses a handicap of no stone or one.",
           dialogue(NEW + "fixed_handicap 1 -> ?\nfixed_handicap 0 -> ?"),
           hint="a handicap has two stones or more", tolerates="handicap-of-one"),
    must("gtp.handicap.fixed-argument",
         "fixed_handicap refuses a word and a missing number, and the engine keeps running.",
         dialogue(NEW + "fixed_handicap abc -> ?\n{known} -> *\nfixed_handicap -> ?\n{known} -> *"),
         requires=relying_on(Ability.REFUSES_KOMI),
         hint="count the arguments, and test that the number could be read",
         kills="handicap-word-is-two handicap-argument-crashes"),
    must("gtp.handicap.fixed-twice", "fixed_handicap is refused on a board with stones.",
         dialogue(NEW + "play b E5\nfixed_handicap 2 -> ?\nclear_board\nfixed_handicap 2\n"
                  "fixed_handicap 2 -> ?\nfixed_handicap 3 -> ?"),
         requires=relying_on(Ability.HOLDS_HANDICAPS),
         hint="look whether the board is empty; a handicap is placed once", kills="handicap-on-stones"),
    should("gtp.handicap.fixed-small",
           "fixed_handicap is refused where the draft's table has no points, such as five stones on 8x8.",
           OtherSizes(SMALL, _too_many_steps),
           hint="refuse more than four stones on 7x7 and on even boards from 8x8, and every handicap "
                "below 7x7",
           tolerates="handicap-on-any-board"),
    must("gtp.handicap.fixed-sizes", "fixed_handicap answers the corner points of the draft on 8x8, too.",
         OtherSizes(SMALL[:1], _corner_steps),
         hint="on boards below 13x13 the points are on the third line",
         kills="fixed-handicap-second-line"),
    should("gtp.handicap.undo", "undo takes back no handicap.",
           Dialogue(_undo_steps), requires=relying_on(Ability.HOLDS_HANDICAPS, Ability.REFUSES_UNDO),
           hint="the stones of a handicap are not moves: refuse with: cannot undo",
           tolerates="handicap-undone"),
    must("gtp.handicap.undo-move", "undo takes back the first move after a handicap and leaves the handicap.",
         Dialogue(_undo_move_steps), requires=relying_on(Ability.HOLDS_HANDICAPS),
         hint="undo the last move; the stones of a handicap stand before the first",
         kills="handicap-move-not-undone"),
)  # fmt: skip

FREE = (
    must("gtp.handicap.place",
         "place_free_handicap answers distinct points, and each of them then holds a stone.",
         PlacedFreely(),
         hint="answer exactly the points where you put stones; they may be fewer than asked for",
         kills="place-handicap-repeats place-handicap-not-placed", tolerates="handicap-fewer"),
    must("gtp.handicap.place-argument",
         "place_free_handicap refuses a number below zero, a word and a missing number, and the engine keeps "
         "running.",
         dialogue(NEW + "place_free_handicap abc -> ?\n{known} -> *\nplace_free_handicap -> ?\n{known} -> *\n"
                  "place_free_handicap -1 -> ?\n{known} -> *"),
         requires=relying_on(Ability.REFUSES_KOMI),
         hint="count the arguments, test that the number could be read, and refuse a number below zero",
         kills="place-handicap-cut"),
    should("gtp.handicap.place-few", "place_free_handicap refuses a handicap of no stone or one.",
           dialogue(NEW + "place_free_handicap 0 -> ?\nplace_free_handicap 1 -> ?"),
           hint="a handicap has two stones or more", tolerates="handicap-of-one"),
    must("gtp.handicap.place-twice", "place_free_handicap is refused on a board with stones.",
         dialogue(NEW + "play b E5\nplace_free_handicap 2 -> ?"),
         hint="look whether the board is empty; a handicap is placed once", kills="handicap-on-stones"),
    must(Ability.SETS_HANDICAPS,
         "set_free_handicap places a stone on each of the given points and nowhere else.",
         dialogue(NEW + "set_free_handicap C3 G7 E5 -> =\nplay w C3 -> ?\nplay w G7 -> ?\nplay w E5 -> ?\n"
                  "play w G3 -> =\nclear_board\nset_free_handicap C3 E5 -> =\nplay w C3 -> ?\n"
                  "play w G7 -> ="),
         requires=relying_on(Ability.REFUSES_MOVES),
         hint="put a black stone on each given point; the number of points is free",
         kills="set-handicap-of-two"),
    must("gtp.handicap.set-repeated", "set_free_handicap refuses a list that names a point twice.",
         dialogue(NEW + "set_free_handicap C3 G7 C3 -> ?\n{known} -> *"),
         hint="refuse a list with a repeated vertex", kills="set-handicap-repeats"),
    must(Ability.REFUSES_HANDICAPS, "set_free_handicap refuses a list that has pass in it.",
         dialogue(NEW + "set_free_handicap C3 G7 pass -> ?\n{known} -> *"),
         hint="a stone stands on a point: refuse a list with pass", kills="set-handicap-skips-pass"),
    must("gtp.handicap.set-vertex",
         "set_free_handicap refuses points off the board and words that are no vertex.",
         dialogue(NEW + "set_free_handicap C3 Z99 -> ?\n{known} -> *\nclear_board\n"
                  "set_free_handicap abc -> ?\n{known} -> *\nclear_board\n"
                  "set_free_handicap C3 5 -> ?\n{known} -> *"),
         requires=relying_on(Ability.REFUSES_VERTICES),
         hint="read every vertex before you place the first stone", kills="set-handicap-any-vertex"),
    should("gtp.handicap.set-few", "set_free_handicap refuses an empty list and a single point.",
           dialogue(NEW + "set_free_handicap -> ?\n{known} -> *\nclear_board\nset_free_handicap C3 -> ?"),
           hint="a handicap has two stones or more", tolerates="handicap-of-one"),
    should("gtp.handicap.set-kept", "A list that set_free_handicap refuses places no stone.",
           dialogue(NEW + "set_free_handicap C3 G7 pass -> ?\nplay w C3 -> =\nplay w G7 -> ="),
           requires=relying_on(Ability.REFUSES_HANDICAPS),
           hint="read the whole list before you place the first stone", tolerates="handicap-half-set"),
    must("gtp.handicap.set-twice", "set_free_handicap is refused on a board with stones.",
         dialogue(NEW + "play w E5\nset_free_handicap C3 G7 -> ?\nclear_board\nset_free_handicap C3 G7\n"
                  "set_free_handicap C7 G3 -> ?"),
         hint="look whether the board is empty; a handicap is placed once", kills="set-handicap-on-stones"),
)  # fmt: skip

CHECKS = (*FIXED, *FREE)
