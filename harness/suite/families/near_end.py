"""`ref.end.NN`, `ref.choice.NN` and `ref.choice.late-game`: positions that `harness.tools.find_probes` found.

They are near the end of a game, with eyes, captures and kos in many shapes. Most of them show several faults,
also some that no other check is about. The expected values are enumerated. A position is an entry of
`data/battery.json`, with an id such as `moments-04` (its playouts are judged: `ref.end.04`) or `choices-02`
(its chosen moves are judged: `ref.choice.02`).
"""

from __future__ import annotations

from dataclasses import replace

from harness.check.judges.enumerated_choice import (
    Entry,
    choice_procedure,
    choices,
    entries,
    probe_of,
)
from harness.check.judges.moments import judge_moments
from harness.check.model import NODES_AND_SCORE, PLAYOUT_COUNT, Check
from harness.check.procedures.late_probes import passed_on
from harness.check.procedures.search import SearchProcedure
from harness.suite.statement import must

SEARCHES, HASTY = 8, 4
"""Searches for a choice, and those under a quick budget; chosen: one impossible move is proof."""


def _check(entry: Entry) -> Check:
    """State the check of an entry: of playouts if its id is `moments-NN`, of chosen moves if `choices-NN`."""
    kind, number = entry["id"].split("-")
    clause, kills = entry["clause"], " ".join(entry["separates"])
    if kind == "moments":
        return must(
            f"ref.end.{number}",
            "Near the end of a game, playouts have the exact lengths and results that the rules give.",
            SearchProcedure(probe_of(entry), judge_moments(), least=4, most=120, least_quick=2),
            requires=NODES_AND_SCORE,
            clause=clause,
            hint="compare your playouts with the expected ones, move by move: "
            f"conform explain ref.end.{number} --board",
            kills=kills,
        )
    return must(
        f"ref.choice.{number}",
        "The bot chooses the candidate with the highest all-moves-as-first rate.",
        choice_procedure(choices("battery")[entry["id"]], SEARCHES, HASTY, exact=True),
        requires=PLAYOUT_COUNT,
        clause=clause,
        hint="compute wins / visits; a point counts for the side to move if that side played there first",
        kills=kills,
    )


LATE = 2 * 9 * 9 + 20
"""Least number of moves of the game in the late position. Chosen: above 2 N N, where the fault
`best-visits-late` begins, and far from the move cap."""


def _late_check() -> Check:
    """A choice of the battery late in a long game: passes follow the stones."""
    entry = next(entry for entry in entries("battery") if entry["id"] == "choices-01")
    choice = choices("battery")[entry["id"]]
    late = replace(choice, probe=replace(passed_on(choice.probe, LATE), id="late-game"))
    return must(
        "ref.choice.late-game",
        "The bot chooses by the same rule in every move of a game, however many moves were made.",
        choice_procedure(late, SEARCHES, HASTY, exact=True, rules={"best-visits-late": "best-visits"}),
        requires=PLAYOUT_COUNT,
        clause=entry["clause"],
        hint="choose by wins / visits from the first move of a game to the last",
        kills="best-visits-late",
        tolerates="cap-from-root implied-pass-counted",
    )


CHECKS = (*map(_check, entries("battery")), _late_check())
