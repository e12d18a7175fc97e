"""Tests of the diagnosis: on findings drawn from the recorded signatures."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest

from harness.checks.diagnosis.diagnose import MOST_NAMED, UNKNOWN, diagnose
from harness.checks.diagnosis.evidence import gather
from harness.checks.diagnosis.signatures import signatures
from harness.checks.execution.findings import Findings
from harness.checks.model import Judgement, Level, Outcome, Result
from harness.checks.registry import CHECKS
from tests.harness.checks.diagnosis.imagined import imagined

FAILED = next(check for check in CHECKS if check.level is Level.MUST)


def refused(findings: Findings) -> Findings:
    """The same findings of a bot that deviates: the diagnosis only looks at such."""
    outcome = Result(replace(FAILED, id="imagined.failure"), Judgement(Outcome.FAIL))
    return replace(findings, results=(*findings.results, outcome))


def visible(fault: str) -> bool:
    return bool(fault) and signatures()[fault].shows


@pytest.mark.parametrize(
    "fault",
    ["eye-edge-as-centre", "uniform-scan-board", "nodes-one-pass", "komi-truncated", "one-pass-ends"],
)
@pytest.mark.parametrize("playouts", [200, 1000, 5000])
def test_a_plain_fault_is_named_first_whatever_the_number_of_playouts(fault: str, playouts: int) -> None:
    first = diagnose(refused(imagined(fault, np.random.default_rng(1), playouts)))[0]
    assert (first.fault, first.clause) == (fault, signatures()[fault].clause)
    assert first.probability > 0.9


@pytest.mark.parametrize("fault", ["uniform-scan-board", "best-lowest", "seed-fixed", "seed-seldom"])
def test_a_bot_that_never_repeats_a_search_is_not_taken_for_one_that_does(fault: str) -> None:
    """However well few independent searches would explain that its means are off."""
    found = imagined(fault, np.random.default_rng(6))
    repeating = {"seed-fixed", "seed-seldom"}
    left = repeating & gather(found, signatures()).faults.keys()
    assert left == (repeating if fault in repeating else set())


def test_a_bot_that_conforms_has_nothing_to_explain() -> None:
    assert diagnose(imagined("", np.random.default_rng(2))) == ()


def test_a_bot_that_could_not_be_run_is_not_diagnosed() -> None:
    assert diagnose(Findings("none", unusable="it printed nothing")) == ()


def test_one_strange_failure_is_no_known_fault() -> None:
    """A fault that hardly shows may come to mind too, where chance leans its way: here `uniform-modulo`."""
    named = [diagnose(refused(imagined("", np.random.default_rng(seed)))) for seed in range(4, 10)]
    unknown = [item for items in named for item in items if item.fault == UNKNOWN]
    assert len(unknown) >= 4
    assert not any(item.known or item.clause for item in unknown)
    assert {item.fault for items in named for item in items} <= {UNKNOWN, "uniform-modulo"}


def test_at_most_three_most_probable_first() -> None:
    for fault in filter(visible, list(signatures())[::12]):
        named = diagnose(refused(imagined(fault, np.random.default_rng(4))))
        assert len(named) <= MOST_NAMED
        shares = [item.probability for item in named]
        assert shares == sorted(shares, reverse=True)
        assert sum(shares) <= 1.0 + 1e-9


def test_without_private_commands_moves_and_dialogues_are_left() -> None:
    found = imagined("best-visits", np.random.default_rng(5))
    silent = tuple(
        replace(one, searches=tuple(replace(search, nodes=None, score=None) for search in one.searches))
        for one in found.series
    )
    named = diagnose(refused(replace(found, series=silent)))
    assert "best-rate" in {item.clause for item in named}


def test_every_outcome_of_checks_unknown_to_the_record_is_survived() -> None:
    results = tuple(Result(check, Judgement(Outcome.CRASH)) for check in CHECKS)
    assert all(0.0 <= item.probability <= 1.0 for item in diagnose(Findings("dead", results=results)))


def test_the_compiler_is_not_loaded() -> None:
    code = "import sys, harness.checks.diagnosis.diagnose as d; d.signatures(); print('numba' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"


@pytest.mark.slow
def test_what_is_said_with_nine_tenths_is_right_nine_times_in_ten() -> None:
    # Truths are drawn from the faults that anything shows; what is said must come true as often as said.
    # That a bot has none of them is not among the truths, so where that is said first, nothing is counted.
    rng = np.random.default_rng(6)
    names = [fault for fault in signatures() if visible(fault)]
    stated, true = [], []
    for fault in rng.choice(names, 300):
        named = diagnose(refused(imagined(str(fault), rng)))
        if named and named[0].known:
            stated.append(named[0].probability)
            true.append(named[0].fault == fault)
    sure = np.array(stated) >= 0.9
    # 6 standard errors of a share of 0.9 among so many: a chance of about 1e-9
    allowed = 6 * (0.9 * 0.1 / sure.sum()) ** 0.5
    assert np.mean(np.array(true)[sure]) > 0.9 - allowed
    assert abs(np.mean(stated) - np.mean(true)) < 6 * 0.5 / len(stated) ** 0.5
    assert len(stated) > 250
