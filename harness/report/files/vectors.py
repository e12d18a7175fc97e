"""The output of `conform vectors`, as JSON or lines: positions and moves with a conforming bot's values."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from importlib.resources import files
from typing import Any

from harness import __version__
from harness.go import Point
from harness.gtp import format_vertex
from harness.oracle import AmafValue, PlayoutDistribution
from harness.report.numbers import amount
from harness.suite.vectors import SIZE, MoveVector, SearchVector

FORMAT = "conform-vectors/1"


def as_json(moves: Iterable[MoveVector], searches: Iterable[SearchVector]) -> str:
    """All vectors as one JSON document, with a vector on each line."""
    head = {"format": FORMAT, "tool": {"version": __version__}}
    parts = {
        "moves": [move_data(vector) for vector in moves],
        "searches": [search_data(vector) for vector in searches],
    }
    lists = (
        f'"{name}":[\n' + ",\n".join(json.dumps(entry) for entry in entries) + "\n]"
        for name, entries in parts.items()
    )
    return json.dumps(head)[:-1] + ",\n" + ",\n".join(lists) + "}\n"


def schema() -> dict[str, Any]:
    """The JSON schema (2020-12) of `conform vectors --json`."""
    loaded: dict[str, Any] = json.loads(schema_text())
    return loaded


def schema_text() -> str:
    """The JSON schema as it is shipped."""
    return files("harness.report").joinpath("data/conform-vectors-1.schema.json").read_text("utf-8")


def move_data(vector: MoveVector) -> dict[str, Any]:
    """The vector of a legal or illegal move as plain data."""
    return {
        "check": vector.check.id,
        "clause": vector.check.clause,
        "requirement": vector.check.title,
        "size": SIZE,
        "moves": [list(move) for move in vector.moves],
        "color": vector.colour,
        "vertex": vector.vertex,
        "legal": vector.legal,
    }


def search_data(vector: SearchVector) -> dict[str, Any]:
    """The vector of a searched position as plain data. The schema explains the values that may be None."""
    probe, position = vector.probe, vector.probe.position
    stones = position.stones()
    ko = position.ko_ban(probe.to_move)
    return {
        "check": vector.check.id,
        "clause": vector.check.clause,
        "requirement": vector.check.title,
        "size": probe.size,
        "komi": probe.komi,
        "moves": [list(move) for move in probe.moves],
        "black": _vertices(point for point, colour in stones.items() if colour == "b"),
        "white": _vertices(point for point, colour in stones.items() if colour == "w"),
        "to_move": probe.to_move,
        "ko": None if ko is None else format_vertex(ko),
        "first_moves": _vertices(vector.first_moves),
        "candidates": _vertices(vector.candidates),
        "playouts": _playouts(vector),
        "amaf": None if vector.amaf is None else {format_vertex(p): _amaf(v) for p, v in vector.amaf.items()},
        "best": _vertices(vector.best),
    }


def _vertices(points: Iterable[Point]) -> list[str]:
    return [format_vertex(point) for point in points]


def _playouts(vector: SearchVector) -> dict[str, Any]:
    """Mean and standard deviation of length and result; all outcomes, None if the means were sampled."""
    moments = vector.expected
    return {
        "mean_length": moments.mean_length,
        "sd_length": moments.sd_length,
        "mean_result": moments.mean_result,
        "sd_result": moments.sd_result,
        "standard_error_length": moments.se_length,
        "standard_error_result": moments.se_result,
        "outcomes": None if vector.outcomes is None else _outcomes(vector.outcomes),
    }


def _outcomes(distribution: PlayoutDistribution) -> list[dict[str, float]]:
    """Each (length, result) of a playout with its probability."""
    return [
        {"length": length, "result": float(result), "probability": float(probability)}
        for (length, result), probability in distribution.probabilities.items()
    ]


def _amaf(value: AmafValue) -> dict[str, float]:
    return {"visits": float(value.visits), "wins": float(value.wins), "rate": float(value.rate)}


def summary(moves: Iterable[MoveVector], searches: Iterable[SearchVector]) -> Iterator[str]:
    """A line for each vector: its check, its clause, and the expected values."""
    for move in moves:
        verdict = "legal" if move.legal else "illegal"
        answer = f"{move.colour} {move.vertex} is {verdict} after {amount(len(move.moves), 'move')}"
        yield f"{move.check.id:<30} {move.check.clause:<16} {answer}"
    for search in searches:
        moments = search.expected
        answer = f"{moments.mean_length:.4f} moves a playout, score {moments.mean_result:.4f}"
        yield f"{search.check.id:<30} {search.check.clause:<16} {answer}"
