"""Tests of the kill matrix: what counts as caught, and how it is shown."""

from __future__ import annotations

import io
from dataclasses import replace
from pathlib import Path

import pytest
from rich.console import Console

from harness.check.model import Level
from harness.diagnosis.cause import Cause, CauseKind
from harness.diagnosis.fault_ranking import Suspicion
from harness.report.text.matrix import Matrix, Setting, as_markdown, show_matrix, summary
from harness.selftest.at_margin import PassRate
from harness.selftest.kill_matrix import (
    Case,
    Failing,
    Kill,
    all_faults,
    cases_of,
    idle_checks,
    one_fault_per_clause,
    read_rows,
    row_text,
)
from harness.selftest.simulation import RefusalRate
from harness.suite.registry import CHECKS
from refbot.deviations.faults import FAULTS

SETTING = Setting(200, 1000, "quick", 7)
EDGE = Failing("ref.eye.edge", "eye", Level.MUST)
LENGTH = Failing("ref.empty.length", "uniform", Level.MUST)
RIGHT = Kill("", "", "conforms", (), (), 5.0)
CAUGHT = Kill(
    "eye-edge-as-centre",
    "eye",
    "deviates",
    (LENGTH, EDGE),
    (Suspicion("eye-edge-as-centre", "eye", 0.97),),
    5.0,
    causes=(
        Cause(
            CauseKind.FAULT,
            "eye-edge-as-centre",
            "eye",
            0.97,
            "ref.eye.edge",
            ("ref.eye.edge", "ref.empty.length"),
        ),
    ),
    clause_if_unknown="uniform",
)
MISSED = Kill("amaf-skip-last", "amaf", "conforms", (), (), 5.0)
ASTRAY = Kill(
    "eye-filled",
    "eye",
    "deviates",
    (LENGTH,),
    (Suspicion("cap-none", "move-cap", 0.9),),
    5.0,
    causes=(Cause(CauseKind.FAULT, "cap-none", "move-cap", 0.9, "ref.empty.length", ("ref.empty.length",)),),
    clause_if_unknown="eye",
)
CASE = Failing("gtp.admin.name-case", "gtp", Level.MUST)
WIRE = Kill(
    "name-case-ignored",
    "gtp",
    "deviates",
    (CASE,),
    (),
    1.0,
    causes=(Cause(CauseKind.CLAUSE, "gtp", "gtp", 0.8, CASE.check, (CASE.check,)),),
    clause_if_unknown="gtp",
)


def shown(matrix: Matrix) -> str:
    out = io.StringIO()
    show_matrix(Console(file=out, width=160), matrix, quiet=False, verbose=False)
    return out.getvalue()


@pytest.mark.parametrize(
    ("kill", "right", "diagnosed"),
    [(CAUGHT, True, True), (MISSED, False, False), (ASTRAY, False, False), (RIGHT, True, False)],
)
def test_caught_is_a_failing_check_of_the_clause(kill: Kill, right: bool, diagnosed: bool) -> None:
    assert (kill.right, kill.names_clause) == (right, diagnosed)


def test_a_right_bot_that_fails_something_spoils_the_matrix() -> None:
    wronged = Kill("", "", "conforms", (Failing("gtp.frame.eof", "gtp", Level.SHOULD),), (), 5.0)
    assert Matrix([RIGHT, CAUGHT], [], None, True, SETTING).passed
    assert not Matrix([wronged, CAUGHT], [], None, True, SETTING).passed
    assert not Matrix([RIGHT, CAUGHT, MISSED], [], None, True, SETTING).passed


def test_checks_of_the_right_clause_come_first() -> None:
    text = shown(Matrix([RIGHT, CAUGHT, MISSED, ASTRAY], [], None, False, SETTING))
    assert "ref.eye.edge and 1 more" in text
    assert "(ref.empty.length)" in text
    assert "not caught by a check of their clause: amaf-skip-last, eye-filled" in text


def test_rates_with_their_bounds() -> None:
    matrix = Matrix([RIGHT, CAUGHT, MISSED], ["game.whole"], RefusalRate(1000, 0, ()), True, SETTING)
    lines = summary(matrix)
    # Clopper & Pearson: 1 of 2 allows 1 − √0.975 to √0.975, 0 of 1000 at most 1 − 0.025^0.001
    assert "faults refused: 1 of 2 (50.0%, 1.3% to 98.7%)" in lines
    assert "1 check caught nothing: game.whole" in lines
    assert any("0 of 1000 simulated checks, 0.00% to 0.37%" in line for line in lines)


def test_bots_at_a_margin_are_counted_together_and_the_worst_margin_is_named() -> None:
    rates = [PassRate("ref.end.03", "length", 100, 3, 97), PassRate("ref.end.03", "result", 100, 0, 100)]
    (line,) = [line for line in summary(Matrix([], [], None, True, SETTING, rates)) if "margin" in line]
    assert line.startswith("bots off by a whole margin that passed: 3 of 200 (1.5%, ")
    assert line.endswith("most at ref.end.03, length: 3 of 100; promised at most 5%")


def test_the_checks_that_refuse_right_bots_are_named() -> None:
    lines = summary(Matrix([RIGHT], [], RefusalRate(1000, 1, ("ref.explore",)), True, SETTING))
    assert "right bots were refused by: ref.explore" in lines


def test_clauses_named_with_the_faults_known_and_unknown() -> None:
    lines = summary(Matrix([CAUGHT, ASTRAY], [], None, True, SETTING))
    rates = [line.strip().partition(" (")[0] for line in lines]
    assert "with the right clause named first: 1 of 2" in rates
    assert "the same, with the fault and its twins unknown: 1 of 2" in rates


def test_the_headline_of_a_fault_of_the_wire_may_be_its_own_check() -> None:
    assert (WIRE.headline_is_right, WIRE.names_fault) == (True, False)
    lines = summary(Matrix([WIRE], [], None, True, SETTING))
    assert any(line.startswith("faults of the wire with the right headline: 1 of 1") for line in lines)
    assert "faults of the wire: median number of failing checks 1, of causes 1" in lines


def test_the_page_has_a_row_a_bot() -> None:
    rows = as_markdown(Matrix([RIGHT, CAUGHT], [], None, True, SETTING)).splitlines()
    named = "eye-edge-as-centre 0.97 (unknown: uniform)"
    assert f"| eye-edge-as-centre | eye | ref.eye.edge and 1 more | {named} |" in rows


def test_the_page_says_how_it_was_made() -> None:
    text = as_markdown(Matrix([RIGHT], [], None, True, SETTING))
    assert "200 checks, seed 7, budget quick, 1,000 playouts a search" in text


def test_rows_are_kept_in_a_file(tmp_path: Path) -> None:
    kept = tmp_path / "rows.jsonl"
    assert read_rows(kept) == {}
    rows = (RIGHT, CAUGHT, replace(CAUGHT, playouts=50), ASTRAY, WIRE)
    kept.write_text("".join(map(row_text, rows)) + row_text(MISSED)[:-5], "utf-8")
    assert read_rows(kept) == {row.case: row for row in rows}


def test_a_sample_has_a_fault_of_every_clause() -> None:
    for seed in (0, 7):
        names = one_fault_per_clause(seed)
        assert names[0] == ""
        assert {FAULTS[name].clause for name in names[1:]} == {fault.clause for fault in FAULTS.values()}
        assert len(names) == len({fault.clause for fault in FAULTS.values()}) + 1


def test_faults_by_name_and_clause() -> None:
    assert all_faults() == ["", *FAULTS]
    assert all_faults(["ties", "eye-f*"]) == ["", "eye-filled", "ties-first", "ties-last"]
    assert all_faults(["nothing"]) == [""]


def test_faults_of_the_wire_and_of_commands_are_checked_at_one_number_of_playouts() -> None:
    command = next(name for name, fault in FAULTS.items() if fault.where == "command")
    names = ["", "eye-filled", "id-kept", command]
    assert cases_of(names, [1000]) == [Case(name, 1000) for name in names]
    assert cases_of(names, [1000, 50])[4:] == [Case("", 50), Case("eye-filled", 50)]


def test_faults_of_commands_have_rates_and_rows_of_their_own() -> None:
    command = next(name for name, fault in FAULTS.items() if fault.where == "command")
    missed = replace(MISSED, fault=command, clause=FAULTS[command].clause)
    matrix = Matrix([RIGHT, CAUGHT, missed], [], None, True, SETTING)
    rates = [line.strip().partition(" (")[0] for line in summary(matrix)]
    assert [rate for rate in rates if rate.startswith("faults refused")] == [
        "faults refused: 1 of 1",
        "faults refused: 0 of 1",
    ]
    _, of_commands = as_markdown(matrix).split("## Faults of optional commands")
    assert command in of_commands
    assert CAUGHT.fault not in of_commands


def test_checks_that_caught_nothing() -> None:
    unused = idle_checks([CAUGHT], CHECKS)
    assert "ref.eye.edge" not in unused
    assert "ref.eye.corner" in unused


def test_numbers_of_playouts_are_compared() -> None:
    few = [replace(kill, playouts=50) for kill in (RIGHT, MISSED, ASTRAY)]
    many = [RIGHT, replace(CAUGHT, fault="amaf-skip-last"), replace(ASTRAY, clause="move-cap")]
    page = as_markdown(Matrix(few, [], None, True, SETTING, compared=[*many, *few]))
    rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in page.splitlines()]
    assert ["50", "conforms", "1 (50.0%)", "0 (0.0%)", "0 (0.0%)", "1 (50.0%)"] in rows
    assert ["1,000", "conforms", "2 (100.0%)", "2 (100.0%)", "0 (0.0%)", "0 (0.0%)"] in rows
    assert ["fault", "50", "1,000"] in rows
    assert ["amaf-skip-last", "passed", "clause"] in rows
    assert ["eye-filled", "refused", "clause"] in rows


def test_faults_that_no_search_shows_have_no_table_by_the_number_of_playouts() -> None:
    wire = Kill("id-dropped", FAULTS["id-dropped"].clause, "deviates", (), (), 5.0, playouts=100)
    compared = (*(replace(RIGHT, playouts=number) for number in (100, 1000)), wire)
    text = as_markdown(Matrix((compared[0], wire), (), None, True, SETTING, compared=compared))
    assert "By the number of playouts" not in text
