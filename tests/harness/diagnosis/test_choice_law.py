"""The moves that a right bot and known faults are expected to choose, at any number of playouts."""

from __future__ import annotations

import pytest

from harness.diagnosis.cause import CauseKind
from harness.diagnosis.choice_law import GRID, OF_MOVES, at_playouts
from harness.diagnosis.diagnose import diagnose
from harness.diagnosis.search_statistics import moves_differ, summed
from harness.diagnosis.signatures import Signature, signatures
from harness.selftest.direct_search import search_all
from harness.selftest.faulty import RIGHT, check_fault
from harness.suite.registry import select
from tests.harness.diagnosis.imagined import probes
from tests.parameters import slow_but, thorough_but
from tests.thorough import Mutant

FAULTY = "amaf-both-colours"
SEARCHES = 40
SHORT = 12.0  # moves of a playout, so that many searches are quick


@pytest.fixture(scope="module")
def known() -> dict[str, Signature]:
    return {name: signatures()[name] for name in (RIGHT, FAULTY)}


@pytest.mark.parametrize("fault", [RIGHT, FAULTY])
@pytest.mark.parametrize(
    "playouts",
    [  # between two recorded numbers, each
        *thorough_but(
            (70,),
            (70, 300),
            Mutant(
                "harness/diagnosis/choice_law.py",
                "for move in {**ends[0], **ends[1]}",
                "for move in list(ends[0])[:1]",
                "tests/harness/diagnosis/test_choice_law.py"
                "::test_between_two_records_the_moves_are_those_of_real_searches[70-amaf-both-colours]",
            ),
        ),
        pytest.param(700, marks=pytest.mark.slow),
    ],
)
def test_between_two_records_the_moves_are_those_of_real_searches(
    known: dict[str, Signature], playouts: int, fault: str
) -> None:
    law = at_playouts(known, playouts)
    chosen = [
        probe
        for name, (probe, _) in probes().items()
        if law[FAULTY].probes.get(name)
        and law[FAULTY].probes[name].moves
        and probe.expected.mean_length < SHORT
    ]
    assert len(chosen) > 10
    for series in search_all(chosen, fault, SEARCHES, playouts, seed=3):
        own = law[fault].probes[series.probe.id].moves
        assert not moves_differ(own, summed(series).moves), series.probe.id


def test_recorded_outcomes_of_choices_hold_at_their_number_of_playouts_only() -> None:
    late = "best-visits-late"
    known = {name: signatures()[name] for name in (RIGHT, late)}
    (usual,) = {one.playouts for one in known[RIGHT].probes.values()}
    assert OF_MOVES & known[late].outcomes.keys()
    assert OF_MOVES & at_playouts(known, usual)[late].outcomes.keys()
    for playouts in (50, 400, 20_000):
        assert not OF_MOVES & at_playouts(known, playouts)[late].outcomes.keys()


def test_moves_of_a_right_bot_are_left_out_of_a_fault(known: dict[str, Signature]) -> None:
    for playouts in GRID:
        law = at_playouts(known, playouts)
        for name, own in law[FAULTY].probes.items():
            assert not own.moves or moves_differ(own.moves, law[RIGHT].probes[name].moves)


def test_moves_between_two_records_are_kept_if_one_of_them_differs() -> None:
    """With 1,000 playouts hardly a candidate has ten visits or less; with 400 nearly all have."""
    fault, name = "best-ten-visits", "one-draw-in-many"
    law = at_playouts({one: signatures()[one] for one in (RIGHT, fault)}, 700)
    (series,) = search_all([probes()[name][0]], fault, SEARCHES, 700, seed=3)
    right, own, seen = (
        moves["B9"] / sum(moves.values())
        for moves in (law[RIGHT].probes[name].moves, law[fault].probes[name].moves, summed(series).moves)
    )
    assert abs(own - seen) < 0.25 < right - seen


def test_means_are_those_of_the_record_at_every_number(known: dict[str, Signature]) -> None:
    for playouts in (50, 700, 20_000):
        law = at_playouts(known, playouts)[RIGHT]
        assert {n: one.mean for n, one in law.probes.items()} == {
            n: one.mean for n, one in known[RIGHT].probes.items()
        }


@pytest.mark.parametrize("playouts", slow_but((200,), [50, 100, 200, 400, 700, 3000]))
def test_the_commonest_fault_is_named_at_every_number_of_playouts(playouts: int) -> None:
    checks = select(("ref.choice.*", "ref.nodes.*", "ref.score.*"))
    first, *_ = diagnose(check_fault(FAULTY, 1, checks=checks, playouts=playouts, hosted=True)).causes
    assert (first.kind, first.name) == (CauseKind.FAULT, FAULTY)


def test_a_record_of_few_searches_leaves_open_what_a_fault_chooses_with_many_playouts() -> None:
    """Eight searches may look right by chance where the fault changes the choice with 1,000 playouts."""
    fault = "amaf-skip-first"
    known = {name: signatures()[name] for name in (RIGHT, fault)}
    usual = {name for name, own in known[fault].probes.items() if own.moves}
    law = at_playouts(known, 20_000)[fault]
    recorded = {name for name, own in law.probes.items() if own.moves}
    assert law.uncertain
    assert law.uncertain.keys() == usual - recorded
    assert all(sum(moves.values()) < 8 for moves in law.uncertain.values())
    for playouts in (50, 400, 1000):
        assert not at_playouts(known, playouts)[fault].uncertain


def test_a_fault_of_the_choice_is_named_at_many_playouts() -> None:
    fault = "best-random"
    checks = select(("ref.choice.captures-*", "ref.choice.01"))
    found = check_fault(fault, 1, playouts=20_000, hosted=True, checks=checks)
    (cause,) = diagnose(found).causes
    assert (cause.kind, cause.name, len(cause.explains)) == (CauseKind.FAULT, fault, len(checks))
