"""The vectors of `conform vectors` against tests/engines/pure_bot.py, which shares no code with it."""

from __future__ import annotations

import json
import random
from collections import defaultdict
from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any

import jsonschema
import pytest

from harness.report.files.vectors import schema
from tests.command_line import Done, conform
from tests.engines.pure_bot import Board, Engine, Point, Wrong, each, other, vertex_of

SAMPLE = 60
"""Playouts at a position whose values are sampled."""
FAR = 6.0
"""Standard errors that no sampled mean is off."""

First = frozenset[tuple[Point, str]]
Node = tuple[Board, str, int, First]  # board, who moves, passes in a row, who played first on each point


def run(*words: str) -> Done:
    return conform("vectors", *words)


@cache
def vectors() -> dict[str, Any]:
    """The output of the command, read back as a stranger would."""
    done = run("--json")
    assert (done.returncode, done.stderr) == (0, "")
    loaded: dict[str, Any] = json.loads(done.stdout)
    return loaded


def game(size: int, komi: float, moves: list[list[str]]) -> Engine:
    """The bot after these moves; it refuses what its own rules do not allow."""
    engine = Engine(size, komi, 1, random.Random(1))
    for colour, vertex in moves:
        engine.play(colour, vertex.upper())
    return engine


def names(points: Iterable[Point], size: int) -> set[str]:
    return {vertex_of(point, size) for point in points}


@cache
def moves_of(board: Board, colour: str) -> tuple[tuple[Point, Board], ...]:
    """The moves that a playout may draw, by the rules of the bot."""
    allowed = (p for p in each(board.empty) if (p, colour) != board.ko and not board.is_eye(p, colour))
    return tuple((point, after) for point in allowed if (after := board.after(point, colour)))


def successors(node: Node) -> Iterator[Node]:
    board, colour, passes, first = node
    for point, after in moves_of(board, colour):
        met = any(point == seen for seen, _ in first)
        yield after, other(colour), 0, first if met else first | {(point, colour)}
    if not moves_of(board, colour):
        yield board.after_pass(), other(colour), passes + 1, first


def endings(engine: Engine, colour: str) -> Iterator[tuple[float, int, float, First]]:
    """Each way in which a playout can end: probability, length, result of `colour`, who was first where."""
    cap = max(1, 3 * engine.board.size**2 - (len(engine.game) - 1))
    nodes: dict[Node, float] = {(engine.board, colour, 0, frozenset()): 1.0}
    length = 0
    while nodes:
        length += 1
        following: defaultdict[Node, float] = defaultdict(float)
        for node, probability in nodes.items():
            ways = list(successors(node))
            for way in ways:
                following[way] += probability / len(ways)
        nodes = {}
        for (board, mover, passes, first), probability in following.items():
            if passes == 2 or length == cap:
                lead = (board.lead() - engine.komi) * (1 if colour == "b" else -1)
                yield probability, length, 0.5 if lead == 0 else float(lead > 0), first
            else:
                nodes[board, mover, passes, first] = probability


def searches(*, exact: bool) -> list[dict[str, Any]]:
    """The vectors of positions whose playouts were enumerated, or else sampled."""
    return [v for v in vectors()["searches"] if (v["playouts"]["outcomes"] is not None) is exact]


@pytest.mark.slow
def test_the_output_has_the_form_of_its_schema() -> None:
    printed = json.loads(run("--schema").stdout)
    assert printed == schema()
    jsonschema.Draft202012Validator.check_schema(printed)
    jsonschema.validate(vectors(), printed)
    broken = vectors() | {"searches": [vectors()["searches"][0] | {"to_move": "black"}]}
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(broken, printed)


def test_the_bot_allows_the_moves_that_are_legal_and_no_others(subtests: pytest.Subtests) -> None:
    for vector in vectors()["moves"]:
        with subtests.test(check=vector["check"], moves=len(vector["moves"]), vertex=vector["vertex"]):
            allows_it_if_legal(vector)


def allows_it_if_legal(vector: dict[str, Any]) -> None:
    engine = game(vector["size"], 7.5, vector["moves"])
    try:
        engine.play(vector["color"], vector["vertex"])
        legal = True
    except Wrong:
        legal = False
    assert legal is vector["legal"], vector["requirement"]


def test_the_game_leads_to_the_position(subtests: pytest.Subtests) -> None:
    for vector in vectors()["searches"]:
        with subtests.test(check=vector["check"]):
            leads_to_the_position(vector)


def leads_to_the_position(vector: dict[str, Any]) -> None:
    engine = game(vector["size"], vector["komi"], vector["moves"])
    board, colour = engine.board, vector["to_move"]
    for stones, drawn in ((board.black, "black"), (board.white, "white")):
        assert names(each(stones), board.size) == set(vector[drawn])
    assert names((point for point, _ in moves_of(board, colour)), board.size) == set(vector["first_moves"])
    candidates = [p for p in each(board.empty) if not board.is_eye(p, colour) and engine.legal(p, colour)]
    assert names(candidates, board.size) == set(vector["candidates"])
    if vector["ko"]:
        assert board.ko is not None
        assert (vertex_of(board.ko[0], board.size), board.ko[1]) == (vector["ko"], colour)


def test_playouts_and_records_are_those_of_the_bot(subtests: pytest.Subtests) -> None:
    for vector in searches(exact=True):
        with subtests.test(check=vector["check"]):
            has_playouts_and_records_of_the_bot(vector)


def has_playouts_and_records_of_the_bot(vector: dict[str, Any]) -> None:
    engine = game(vector["size"], vector["komi"], vector["moves"])
    colour = vector["to_move"]
    outcomes: defaultdict[tuple[int, float], float] = defaultdict(float)
    visits: defaultdict[str, float] = defaultdict(float)
    wins: defaultdict[str, float] = defaultdict(float)
    for probability, length, result, first in endings(engine, colour):
        outcomes[length, result] += probability
        for point, mover in first:
            if mover == colour:
                visits[vertex_of(point, engine.board.size)] += probability
                wins[vertex_of(point, engine.board.size)] += probability * result

    playouts = vector["playouts"]
    given = {(o["length"], o["result"]): o["probability"] for o in playouts["outcomes"]}
    assert outcomes == pytest.approx(given)
    means = [sum(p * outcome[part] for outcome, p in given.items()) for part in (0, 1)]
    assert means == pytest.approx([playouts["mean_length"], playouts["mean_result"]])

    amaf = vector["amaf"]
    counted = set(visits) & set(vector["candidates"])
    assert set(amaf) == counted
    assert {p: v["visits"] for p, v in amaf.items()} == pytest.approx({p: visits[p] for p in counted})
    assert {p: v["wins"] for p, v in amaf.items()} == pytest.approx({p: wins[p] for p in counted})
    rates = {point: wins[point] / visits[point] for point in counted}
    assert set(vector["best"]) == {p for p in rates if rates[p] > max(rates.values()) - 1e-9}


@pytest.mark.slow
def test_sampled_means_are_near_those_of_the_bot(subtests: pytest.Subtests) -> None:
    for vector in searches(exact=False):
        with subtests.test(check=vector["check"]):
            has_means_near_those_of_the_bot(vector)


def has_means_near_those_of_the_bot(vector: dict[str, Any]) -> None:
    engine = game(vector["size"], vector["komi"], vector["moves"])
    engine.playouts = SAMPLE
    engine.search(vector["to_move"])
    playouts = vector["playouts"]
    for mean, of in ((engine.nodes / SAMPLE, "length"), (engine.wins / SAMPLE, "result")):
        assert abs(mean - playouts[f"mean_{of}"]) < FAR * playouts[f"sd_{of}"] / SAMPLE**0.5


def test_some_checks_alone() -> None:
    printed = json.loads(run("eye", "--json").stdout)
    assert printed["moves"] == []
    assert {vector["clause"] for vector in printed["searches"]} == {"eye"}
    lines = run("eye").stdout.splitlines()
    assert [line.split()[0] for line in lines] == [vector["check"] for vector in printed["searches"]]


def test_one_move_is_in_the_singular() -> None:
    assert "is legal after 1 move\n" in run("game.superko.forgets").stdout


def test_checks_without_a_position_are_refused() -> None:
    done = run("gtp.frame.*", "--json")
    assert (done.returncode, done.stdout) == (2, "")
    assert "has a position with exact values" in done.stderr
