"""`ref.end.NN` and `ref.choice.NN`: probes that `harness.tools.find_probes` found by search.

They are positions near the end of a game, with eyes, captures and kos in many shapes. Each shows many faults,
also some that no other check is about. The expected values are enumerated.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache, partial
from typing import Any

from harness.check.judges.moments import judge_moments
from harness.check.judges.moves import judge_moves
from harness.check.model import NODES_AND_SCORE, PLAYOUT_COUNT, Check
from harness.check.procedures.late_probes import passed_on
from harness.check.procedures.probe import Probe, StoredExpectation
from harness.check.procedures.search import SearchProcedure
from harness.check.stored_data import data_of
from harness.gtp import parse_vertex
from harness.oracle import AmafValue
from harness.oracle.expected import Expected
from harness.suite.statement import must


@cache
def load_probes() -> tuple[dict[str, Any], ...]:
    """The entries of `data/battery.json`, one a probe."""
    return tuple(data_of("battery")["probes"])


def probe(entry: dict[str, Any]) -> Probe:
    """The probe of an entry, with the stored answers of a conforming bot."""
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
        known=StoredExpectation(Expected(**entry["expected"]), amaf),
    )


def _check(entry: dict[str, Any]) -> Check:
    kind, number = entry["id"].split("-")
    if kind == "moments":
        make = partial(
            must, f"ref.end.{number}",
            "Near the end of a game, playouts have the exact lengths and results that the rules give.",
            SearchProcedure(probe(entry), judge_moments(), least=4, most=120, least_quick=2),
            requires=NODES_AND_SCORE,
            hint="compare your playouts with the expected ones, move by move: "
            f"conform explain ref.end.{number} --board",
        )  # fmt: skip
    else:
        make = partial(
            must, f"ref.choice.{number}",
            "The bot chooses the candidate with the highest all-moves-as-first rate.",
            SearchProcedure(probe(entry), judge_moves(), least=8, most=8, least_quick=4),
            requires=PLAYOUT_COUNT,
            hint="compute wins / visits; a point counts for the side to move if that side played there first",
        )  # fmt: skip
    return make(clause=entry["clause"], kills=" ".join(entry["separates"]))


LATE = 2 * 9 * 9 + 20
"""Moves of the game before LATE_CHOICE; chosen: far from the move cap, and from other checks of choices."""


def _late_choice(entry: dict[str, Any]) -> Check:
    """A choice that all records and rules decide, late in a long game: passes follow the stones."""
    drawn = probe(entry)
    return must(
        "ref.choice.late-game",
        "The bot chooses by the same rule in every move of a game, however many moves were made.",
        SearchProcedure(replace(passed_on(drawn, LATE), id="late-game"), judge_moves(), least=8, most=8,
                        least_quick=4),
        requires=PLAYOUT_COUNT,
        clause=entry["clause"],
        hint="choose by wins / visits from the first move of a game to the last",
        kills="best-visits-late", tolerates="cap-from-root implied-pass-counted",
    )  # fmt: skip


CHECKS = (
    *(_check(entry) for entry in load_probes()),
    *(_late_choice(entry) for entry in load_probes() if entry["id"] == "choices-01"),
)
