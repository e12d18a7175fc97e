"""`ref.13x13.*`, `ref.19x19.*`: playouts on larger boards, for `conform check --size`.

The positions near the end of a game are those of 9x9 checks, with rows and columns inserted where all points
are settled, so playouts stay as they are (see `stretch`). The empty boards have their own tables of
expected values. `registry` calls `checks`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from harness.check.judges.moments import judge_moments
from harness.check.judges.move_cap import judge_cap, judge_cut_alike, judge_single_moves
from harness.check.judges.moves import judge_symmetry
from harness.check.judges.repeats import judge_fresh, judge_spread_of_nodes
from harness.check.model import NODES_AND_SCORE, Check
from harness.check.positions import DAME, draw_halves, empty, halves_komi
from harness.check.procedures.late_probes import passed_on
from harness.check.procedures.probe import Probe
from harness.check.procedures.search import SearchProcedure
from harness.go import Colour, Point, Position, all_points
from harness.gtp import format_vertex, parse_vertex
from harness.suite.statement import must

SIZES = (13, 19)
BASE = 9
"""Board size of the checks that are stretched."""
BLACK_COLUMNS = 5
"""Columns of Black on the settled 9x9 board: A to E. The others are White's."""
INSERTED_AFTER_ROW, INSERTED_AFTER_BLACK, INSERTED_AFTER_WHITE = 6, 1, 7
"""Index on 9x9, from 0, of what new rows and columns follow: row 7, Black's column B, White's column H."""

STRETCHED = (
    "ref.nodes.three",
    "ref.nodes.six",
    "ref.score.eyes",
    "ref.score.komi-below",
    "ref.score.komi-above",
    "ref.score.draw",
    "ref.score.draw-white",
    "ref.score.view-won",
    "ref.score.view-lost",
    "ref.score.view-black",
    "ref.score.mean",
    "ref.eye.centre",
    "ref.eye.centre-two",
    "ref.eye.opponent",
    "ref.eye.empty-diagonals",
    "ref.eye.edge",
    "ref.suicide.two",
    "ref.ko.two",
    "ref.ko.root",
    "ref.ko.after-passes",
    "ref.choice.ties-won",
    "ref.choice.ties-lost",
)
"""Checks of 9x9 whose positions can be stretched to a larger board, and their copies `…-white`."""


def id_on_board(name: str, size: int) -> str:
    """Return the id of a probe on a larger board, such as `dame-1-13`; `name`: the id of its 9x9 probe."""
    return f"{name}-{size}"


def stretch(probe: Probe, size: int) -> Probe:
    """Return the 9x9 position, stretched to a larger board. Komi grows by what Black gains more than White.

    For example, the neutral point E9 at komi 7.5 becomes G13 at komi 11.5 on 13x13.
    """
    drawn = Position(size)
    added = {point: _owner(point, size) for point in _inserted(size)}
    stones = added | {_image(point, size): colour for point, colour in probe.stones.stones().items()}
    drawn.set_up(
        [point for point, colour in stones.items() if colour == "b"],
        [point for point, colour in stones.items() if colour == "w"],
    )
    tail = tuple((colour, _image_of_vertex(vertex, size)) for colour, vertex in probe.tail)
    gain = sum(1 if colour == "b" else -1 for colour in added.values())
    return replace(
        probe,
        id=id_on_board(probe.id, size),
        board=drawn.draw(),
        komi=probe.komi + gain,
        tail=tail,
    )


def _image(point: Point, size: int) -> Point:
    """The image of a point of the 9x9 board on a larger board; points are (row, column), counted from 0."""
    row, column = point
    black, white = _inserted_columns(size)
    row += (size - BASE) * (row > INSERTED_AFTER_ROW)
    column += black * (column > INSERTED_AFTER_BLACK) + white * (column > INSERTED_AFTER_WHITE)
    return row, column


def _inserted_columns(size: int) -> tuple[int, int]:
    """The numbers of columns that Black and White gain."""
    black = (size + 1) // 2 - BLACK_COLUMNS
    return black, size - BASE - black


def _inserted(size: int) -> Iterator[Point]:
    """The points of the inserted rows and columns."""
    images = {_image(point, size) for point in all_points(BASE)}
    return (point for point in all_points(size) if point not in images)


def _owner(point: Point, size: int) -> Colour:
    """The colour whose half of the settled larger board has this point."""
    return "b" if point[1] < BLACK_COLUMNS + _inserted_columns(size)[0] else "w"


def _image_of_vertex(vertex: str, size: int) -> str:
    """The image of a vertex or a pass of 9x9: G13 for E9 on 13x13."""
    point = parse_vertex(vertex, BASE)
    return "pass" if point is None else format_vertex(_image(point, size))


def near_cap(size: int, left: int) -> Probe:
    """The probe of four neutral points, with `left` moves left up to the move cap: passes fill the game."""
    probe = stretch(Probe("late", DAME[4], "b", 5.5), size)
    return replace(passed_on(probe, 3 * size * size - left), id=f"late-{size}-{left}")


def checks(size: int, base: Sequence[Check]) -> tuple[Check, ...]:
    """The checks of playouts on a larger board, `ref.13x13.*` or `ref.19x19.*`.

    `base` are the checks of 9x9: those in STRETCHED are stretched, those of the empty board lend their hints.
    Raises ValueError for a size that is not in SIZES.
    """
    if size not in SIZES:
        raise ValueError(f"no checks on {size}x{size}: one of {', '.join(map(str, SIZES))}")
    return (
        *_stretched_checks(size, base),
        *_capping(size),
        *_halves(size),
        *_empty_board(size, base),
    )


def _stretched_checks(size: int, base: Iterable[Check]) -> Iterator[Check]:
    """The checks in STRETCHED, with the position of each on the larger board."""
    for check in base:
        procedure = check.procedure
        if isinstance(procedure, SearchProcedure) and check.id.removesuffix("-white") in STRETCHED:
            larger = replace(procedure, probe=stretch(procedure.probe, size))
            yield replace(check, id=check.id.replace("ref.", f"ref.{size}x{size}.", 1), procedure=larger)


def _capping(size: int) -> Iterator[Check]:
    """The checks of the move cap: one three moves before it, and one at it."""
    for left, name in ((3, "three"), (0, "none")):
        yield must(
            f"ref.{size}x{size}.cap.{name}",
            f"A playout that starts {left} moves before the cap has length {max(left, 1)}.",
            SearchProcedure(near_cap(size, left), judge_cap(either=True), least=1, most=1),
            requires=NODES_AND_SCORE,
            clause="move-cap",
            kills="cap-in-a-byte cap-of-nine" if left else "",  # at the cap they make one move, too
            hint=_cap_hint(size),
        )


def _cap_hint(size: int) -> str:
    """The hint of a check of the move cap."""
    return (
        f"stop at {3 * size * size} moves on {size}x{size}, but not before the first; "
        "a byte is too small for this number"
    )


def _halves(size: int) -> Iterator[Check]:
    """The check of the first move of a playout, drawn from two halves of the board (see `draw_halves`).

    At the move cap, the first move is the only one of a playout, so its result shows the half.
    """
    drawn = Probe(id_on_board("halves", size), draw_halves(size), "b", halves_komi(size), turns=False)
    yield must(
        f"ref.{size}x{size}.uniform.halves",
        f"On {size}x{size}, a playout draws its first move with equal probability from all legal points.",
        SearchProcedure(passed_on(drawn, 3 * size * size), judge_single_moves(margin=0.05), least=4, most=80),
        requires=NODES_AND_SCORE,
        clause="uniform",
        hint="draw from all empty points: give lists and random numbers room for every point of the board",
        kills="uniform-first-hundred",
    )


def _empty_board(size: int, base: Iterable[Check]) -> Iterator[Check]:
    """The checks of playouts from the empty board."""
    name = f"{size}x{size}"
    hints = {check.id: check.hint for check in base}
    table = f"{name} empty, komi 7.5"
    probe = Probe(id_on_board("empty", size), empty(size), komi=7.5, table=table, turns=False)
    # The margins are about those of the empty 9x9 board.
    length, score = judge_moments(0.02, results=False), judge_moments(result_margin=0.02, lengths=False)
    for kind, clause, title, judge, least, most in (
        ("length", "uniform",
         f"From the empty {name} board, playouts have the mean length of uniform playouts.",
         length, 10, 2000),
        ("score", "uniform", f"From the empty {name} board, Black wins the share of uniform playouts.",
         score, 10, 2000),
        ("spread", "fresh-randomness",
         "Repeated searches differ from each other as much as independent playouts do.",
         judge_spread_of_nodes, 20, 20),
        ("fresh", "fresh-randomness", "Two searches of one position draw different random numbers.",
         judge_fresh, 20, 20),
        ("symmetry", "uniform", "Points that are images of each other are chosen equally often.",
         judge_symmetry, 20, 20),
        ("cap", "move-cap", f"From the empty {name} board, no move cap ends all playouts alike.",
         judge_cut_alike, 10, 10),
    ):  # fmt: skip
        yield must(
            f"ref.{name}.empty.{kind}",
            title,
            SearchProcedure(probe, judge, least=least, most=most),
            requires=NODES_AND_SCORE,
            clause=clause,
            hint=hints.get(f"ref.empty.{kind}", _cap_hint(size)),  # 9x9 has no check `ref.empty.cap`
        )
