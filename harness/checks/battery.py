"""`ref.end.*` and `ref.choice.*`: probes that were found by search, see `find_probes`.

They are there for what nobody thought of: positions near the end of a game with eyes, captures and kos in
many shapes, each of which tells many wrong bots from right ones. What is expected there is enumerated.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from harness.checks.judges import judge_moments, judge_moves
from harness.checks.model import Check, Level
from harness.checks.probe import Known, Probe, Probing
from harness.checks.stored import data_of
from harness.gtp import parse_vertex
from harness.oracle import AmafValue
from harness.oracle.expected import Expected

TITLES = {
    "moments": "Near the end of a game, playouts last and end as they must.",
    "choices": "The move with the highest all-moves-as-first rate is chosen.",
}


@cache
def stored() -> tuple[dict[str, Any], ...]:
    """The entries of the data file."""
    return tuple(data_of("battery")["probes"])


def probe(entry: dict[str, Any]) -> Probe:
    """The probe of an entry, with what is expected there."""
    size = len(entry["board"])
    amaf = {
        point: AmafValue(*values)
        for vertex, values in entry["amaf"].items()
        if (point := parse_vertex(vertex, size)) is not None
    }
    return Probe(
        entry["id"],
        "\n".join(entry["board"]),
        entry["to_move"],
        entry["komi"],
        tuple((colour, vertex) for colour, vertex in entry["tail"]),
        known=Known(Expected(**entry["expected"]), amaf),
    )


def _check(entry: dict[str, Any]) -> Check:
    kind, number = entry["id"].split("-")
    moments = kind == "moments"
    return Check(
        id=f"ref.{'end' if moments else 'choice'}.{number}",
        clause=entry["clause"],
        level=Level.MUST,
        title=TITLES[kind],
        procedure=Probing(probe(entry), judge_moments(), least=4, most=40, hasty=2)
        if moments
        else Probing(probe(entry), judge_moves(), least=8, most=8, hasty=4, needs=()),
        kills=tuple(entry["separates"]),
    )


CHECKS = tuple(_check(entry) for entry in stored())
