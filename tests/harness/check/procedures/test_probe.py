"""Every probe: the position it leads to, what it expects there, what it allows, turned and swapped.

Three witnesses: the enumerator (which the checks use), a walk of plain Python over naive playouts, and the
referee's candidates.
"""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from harness.check.judges.moves import choosable
from harness.check.model import Check, Outcome
from harness.check.procedures.late_probes import CAP
from harness.check.procedures.probe import Probe
from harness.check.procedures.search import SearchProcedure, SearchRecord, Series
from harness.go import Colour, Point, Position, all_points, opponent, symmetries
from harness.gtp import format_vertex, parse_vertex
from harness.oracle import AmafValue
from harness.oracle.expected import Expected
from harness.suite.registry import CHECKS
from tests.harness.check.referee_engine import RefereeEngine

PLAYOUTS = 1000
PROBING = [(check, check.procedure) for check in CHECKS if isinstance(check.procedure, SearchProcedure)]
PROBES = list({procedure.probe.id: procedure.probe for _, procedure in PROBING}.values())
TURNS = {probe.id: (1, 3, 6)[number % 3] for number, probe in enumerate(PROBES)}
"""By probe: a rotation or a reflection. They make up all symmetries, which tests of harness.go try."""
SAMPLED = {probe.id for probe in PROBES if probe.known and probe.known.expected.source != "enumerated"}
ENUMERATED = [probe for probe in PROBES if not probe.table and probe.id not in SAMPLED]
# The probes of `ref.end.*` are stored with their moments alone: nobody asks what is chosen there.
CHOSEN_FROM = [probe for probe in ENUMERATED if probe.known is None or probe.known.amaf]
MANY_PLAYOUTS = {"late-stones": pytest.mark.slow}
"""Positions with many playouts: it takes seconds to enumerate them under all eight symmetries."""

every_probe = pytest.mark.parametrize("probe", PROBES, ids=[probe.id for probe in PROBES])
every_choice, every_enumerated = (
    pytest.mark.parametrize(
        "probe", [pytest.param(probe, id=probe.id, marks=MANY_PLAYOUTS.get(probe.id, ())) for probe in probes]
    )
    for probes in (CHOSEN_FROM, ENUMERATED)
)


def test_one_id_is_one_probe() -> None:
    """Checks share the searches of a probe by its id."""
    assert len({(p.probe.id, p.probe) for _, p in PROBING}) == len(PROBES)


# --- the way to the position -------------------------------------------------------------------------------


@every_probe
def test_its_lines_lead_to_the_position(probe: Probe) -> None:
    """Every move on the way is legal, and what stands in the end is the drawn board with its last moves."""
    turn = TURNS[probe.id]
    turned, engine = probe.turned(turn), RefereeEngine()
    assert all(engine.ask(line).ok for line in turned.setup())
    image = symmetries(probe.size)[turn]
    wanted = {image(point): colour for point, colour in probe.position.stones().items()}
    assert engine.position.stones() == wanted == turned.position.stones()
    assert engine.position.size == probe.size


def test_nothing_is_captured_before_the_drawn_board_stands() -> None:
    for probe in PROBES:
        position, moves = Position(probe.size), probe.moves[: len(probe.moves) - len(probe.tail)]
        stones = 0
        for colour, vertex in moves:
            position.play(colour, parse_vertex(vertex, probe.size))
            stones += vertex != "pass"
            assert len(position.stones()) == stones, probe.id
        assert position.stones() == probe.stones.stones(), probe.id


def test_colours_take_turns_from_black_on() -> None:
    """A bot that looks at whose turn it is, and not at the colour of the command, is then led right."""
    for probe in PROBES:
        if probe.id == "ko-taker-again":
            continue  # the subject: a colour that plays twice
        played = [colour for colour, _ in probe.moves]
        assert played == ["bw"[number % 2] for number in range(len(played))], probe.id


def test_the_side_to_move_has_the_turn_unless_that_is_the_subject() -> None:
    out_of_turn = {probe.id for probe in PROBES if probe.moves and probe.moves[-1][0] == probe.to_move}
    assert out_of_turn == {"out-of-turn", "ko-own", "state-out-of-turn"}


@every_probe
def test_an_answer_is_turned_back(probe: Probe) -> None:
    turn = TURNS[probe.id]
    image = symmetries(probe.size)[turn]
    for point in all_points(probe.size):
        assert probe.turned_back(format_vertex(image(point)), turn) == format_vertex(point)
    assert [probe.turned_back(word, turn) for word in ("PASS", "RESIGN")] == ["PASS", "RESIGN"]


# --- what is expected --------------------------------------------------------------------------------------


def swapped(probe: Probe) -> Probe:
    """The position with the colours exchanged; komi changes sides too."""
    board = probe.board.translate(str.maketrans("XO", "OX"))
    tail: tuple[tuple[Colour, str], ...] = tuple((opponent(c), vertex) for c, vertex in probe.tail)
    return Probe(f"{probe.id}-swapped", board, opponent(probe.to_move), -probe.komi, tail)


def assert_same(one: Expected, other: Expected) -> None:
    """Equal up to the order of floating-point sums, and to what the enumerator leaves out of endless kos."""
    numbers = (
        "mean_length",
        "sd_length",
        "mean_result",
        "sd_result",
        "skew_length",
        "excess_kurtosis_length",
    )
    for name in numbers:
        assert getattr(one, name) == pytest.approx(getattr(other, name), abs=1e-6), name
    assert one.shortest == other.shortest  # the longest: how far a ko that goes round was followed
    assert (one.certain_length, one.certain_result) == (other.certain_length, other.certain_result)


@every_enumerated
def test_a_turn_changes_nothing_that_is_expected(probe: Probe) -> None:
    turn = TURNS[probe.id]
    assert_same(probe.turned(turn).expected, probe.expected)


@every_enumerated
def test_exchanged_colours_change_nothing_that_is_expected(probe: Probe) -> None:
    """Where the cap is far: it takes the other number of moves, odd or even, to give White the turn."""
    if len(probe.moves) + probe.expected.longest < CAP:
        assert_same(swapped(probe).expected, probe.expected)


def amaf_back(probe: Probe, turn: int) -> dict[Point, AmafValue]:
    """The AMAF values of the turned probe, at the points of the probe itself."""
    image = symmetries(probe.size)[turn]
    values = probe.turned(turn).amaf
    return {point: values[image(point)] for point in all_points(probe.size) if image(point) in values}


@every_choice
def test_a_turn_changes_no_amaf_value(probe: Probe) -> None:
    turn = TURNS[probe.id]
    mine, theirs = probe.amaf, amaf_back(probe, turn)
    assert mine.keys() == theirs.keys()
    for point in mine:
        assert float(mine[point].visits) == pytest.approx(float(theirs[point].visits), abs=1e-9)
        assert float(mine[point].wins) == pytest.approx(float(theirs[point].wins), abs=1e-9)


def test_an_expected_value_does_not_depend_on_komi_where_only_lengths_are_judged() -> None:
    """Lengths know nothing of komi; results do: White's result falls as Black's rises."""
    for probe in ENUMERATED[::4]:
        low, high = (Probe("k", probe.board, probe.to_move, komi, probe.tail) for komi in (-81.5, 81.5))
        assert low.expected.mean_length == pytest.approx(high.expected.mean_length)
        assert {low.expected.mean_result, high.expected.mean_result} == {0.0, 1.0}


STORED = [probe for probe in PROBES if probe.known is not None and probe.id not in SAMPLED]


@pytest.mark.parametrize("probe", STORED, ids=[probe.id for probe in STORED])
def test_what_was_stored_is_what_is_enumerated(probe: Probe) -> None:
    """The data file can be made again: its numbers are the enumerator's."""
    anew = replace(probe, known=None)
    assert_same(probe.expected, anew.expected)
    if probe in CHOSEN_FROM:
        assert probe.amaf.keys() == anew.amaf.keys()
    for point, value in probe.amaf.items():
        assert float(value.visits) == pytest.approx(float(anew.amaf[point].visits), abs=1e-9)
        assert float(value.wins) == pytest.approx(float(anew.amaf[point].wins), abs=1e-9)


# --- what is allowed ---------------------------------------------------------------------------------------


def allowed(procedure: SearchProcedure) -> set[str]:
    """The moves that the judge lets pass, found by asking it about each of them."""
    probe = procedure.probe
    vertices = [format_vertex(point) for point in all_points(probe.size)] + ["PASS", "RESIGN"]
    return {
        vertex
        for vertex in vertices
        if procedure.judge(Series(probe, PLAYOUTS, (SearchRecord(vertex, None, None, 0.0),))).outcome
        is not Outcome.FAIL
    }


def is_fixed(check: Check) -> bool:
    """Whether the allowed moves are known beforehand; else they depend on the number of playouts."""
    return not check.id.removeprefix("ref.choice.").isdecimal()


OF_SINGLE_MOVES = ("ref.choice.single-move", "ref.choice.rare", "ref.choice.unseen-few")
"""Their playouts end at the cap, after one move, which the enumerator of whole playouts does not see."""

OF_SHARES = ("ref.choice.close-", "ref.choice.captures-", "ref.choice.opening")
"""Every candidate may be chosen there, not each as often: see test_choice_enumerated, test_choice_opening."""

PASSING = "game.pass.rate"
"""Its subject is the pass alone: it allows every candidate, also one that only few playouts make the best."""

CHOOSING = [
    pytest.param(check, procedure, id=check.id)
    for check, procedure in PROBING
    if check.id.startswith(("game.", "ref.choice."))
    and is_fixed(check)
    and procedure.probe.id not in SAMPLED
    and check.id not in (*OF_SINGLE_MOVES, PASSING)
    and not check.id.startswith(OF_SHARES)
]


def could_choose(probe: Probe) -> set[str]:
    """The moves of a conforming bot: a candidate of the best expected rate, any where all are equal.

    Written for probes whose candidates are all alike or of which one wins every playout: rates are not close.
    """
    candidates = probe.position.candidates(probe.to_move)
    if not candidates:
        return {"PASS"}
    seen = {point: probe.amaf[point] for point in candidates if float(probe.amaf[point].visits) > 0}
    if not seen:
        return {format_vertex(point) for point in candidates}  # clause `unseen`
    best = max(float(value.rate) for value in seen.values())
    return {format_vertex(p) for p, value in seen.items() if float(value.rate) >= best - 1e-9}


@pytest.mark.parametrize(("check", "procedure"), CHOOSING)
def test_what_a_check_allows_is_what_the_referee_and_the_enumerator_say(
    check: Check, procedure: SearchProcedure
) -> None:
    assert allowed(procedure) == could_choose(procedure.probe)


def test_where_a_pass_would_win_more_every_candidate_is_allowed() -> None:
    procedure = next(procedure for check, procedure in PROBING if check.id == PASSING)
    probe = procedure.probe
    candidates = probe.position.candidates(probe.to_move)
    assert allowed(procedure) == {format_vertex(point) for point in candidates}
    best = max(float(probe.amaf[point].rate) for point in candidates)
    assert best < probe.expected.mean_result - 0.05  # five standard errors of 1,000 playouts


@every_choice
def test_what_can_be_chosen_does_not_depend_on_the_turn(probe: Probe) -> None:
    """With any number of playouts; and the best candidate is always among it."""
    turn = TURNS[probe.id]
    for playouts in (1, 100, 10_000):
        turned = choosable(probe.turned(turn), playouts)
        assert {probe.turned_back(move, turn) for move in turned} == set(choosable(probe, playouts))
    assert could_choose(probe) <= set(choosable(probe, 1)) | {"PASS"}
    assert set(choosable(probe, 10_000)) <= set(choosable(probe, 100)) <= set(choosable(probe, 1))


@pytest.mark.parametrize(("check", "procedure"), CHOOSING)
def test_a_turn_allows_the_same_moves(check: Check, procedure: SearchProcedure) -> None:
    probe = procedure.probe
    turn = TURNS[probe.id]
    turned = probe.turned(turn)
    back = {probe.turned_back(format_vertex(p), turn) for p in turned.position.candidates(probe.to_move)}
    assert back == {format_vertex(p) for p in probe.position.candidates(probe.to_move)}


# --- a third witness: naive playouts -----------------------------------------------------------------------


def naive_playout(probe: Probe, chance: random.Random) -> tuple[int, int]:
    """(moves, Black's area less White's) of one playout, made with the referee's position alone.

    There is no superko in a playout: each move is made on a fresh position that knows the ko ban only.
    The cap counts the moves of the game, but one move is tried.
    """
    position, mover, passes, moves = probe.position, probe.to_move, 0, 0
    ban = position.ko_ban(mover)
    stones = position.stones()
    cap, made = 3 * probe.size**2, len(position.moves)
    while passes < 2 and (moves == 0 or made + moves < cap):
        now = Position(probe.size)
        now.set_up((p for p, c in stones.items() if c == "b"), (p for p, c in stones.items() if c == "w"))
        points = [p for p in now.candidates(mover) if p != ban]
        point = chance.choice(points) if points else None
        now.play(mover, point)
        stones, mover = now.stones(), opponent(mover)
        ban = now.ko_ban(mover)
        passes, moves = (passes + 1 if point is None else 0), moves + 1
    return moves, area(now)


def area(position: Position) -> int:
    """Black's area less White's: stones, and empty points that touch one colour alone by empty points."""
    stones, total, done = position.stones(), 0, set[Point]()
    for start in all_points(position.size):
        if start in stones:
            total += 1 if stones[start] == "b" else -1
        elif start not in done:
            region, owners, waiting = {start}, set(), [start]
            while waiting:
                row, col = waiting.pop()
                for beside in ((row + 1, col), (row - 1, col), (row, col + 1), (row, col - 1)):
                    if not all(0 <= x < position.size for x in beside) or beside in region:
                        continue
                    if beside in stones:
                        owners.add(stones[beside])
                    else:
                        region.add(beside)
                        waiting.append(beside)
            done |= region
            total += {frozenset("b"): len(region), frozenset("w"): -len(region)}.get(frozenset(owners), 0)
    return total


@every_enumerated
def test_naive_playouts_are_as_the_enumerator_says(probe: Probe) -> None:
    """Certain values must come every time; others lie within their bounds and 7 standard errors.

    A mean of seeded playouts strays by 7 standard errors with a chance below 1e-8 (Hoeffding's bound for a
    two-valued mean of this kind is 2 exp(-2 * 49 / 4) = 5e-11, however many playouts there are).
    """
    chance, expected, times = random.Random(probe.id), probe.expected, 15
    lengths, results = [], []
    for _ in range(times):
        moves, margin = naive_playout(probe, chance)
        lead = margin - probe.komi if probe.to_move == "b" else probe.komi - margin
        assert expected.shortest <= moves <= expected.longest
        lengths.append(moves)
        results.append(0.5 if lead == 0 else float(lead > 0))
    for values, mean, sd in (
        (lengths, expected.mean_length, expected.sd_length),
        (results, expected.mean_result, expected.sd_result),
    ):
        assert abs(sum(values) / times - mean) <= 7 * sd / times**0.5 + 1e-12


def test_a_search_is_left_out_only_where_the_bot_can_do_nothing_but_pass() -> None:
    own_eye, empty = Probe("own-eye", "X X\nX .", "b", 0.5), Probe("empty", ". .\n. .", "b", 0.5)
    unsearched, searched = SearchRecord("PASS", 0, None, 0.0), SearchRecord("PASS", 100, 0.5, 0.0)
    assert Series(own_eye, 50, (unsearched, unsearched)).passed_unsearched
    assert not Series(own_eye, 50, (unsearched, searched)).passed_unsearched
    assert not Series(empty, 50, (unsearched,)).passed_unsearched
