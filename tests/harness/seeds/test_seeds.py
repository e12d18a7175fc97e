"""The published experiments: when two figures agree, that every table is whole, and one run of each."""

from __future__ import annotations

import math

import pytest

from harness.cli.exits import UsageError
from harness.cli.seeds import seeds
from harness.seeds import EXPERIMENTS, MATCH_TABLES, Row, UnknownTableError, chosen, run
from harness.seeds.experiments import published

LINES = {  # of each table, as printed by its author
    "dailey-2008": 6, "vandeveerdonk": 10, "hillis-antigo": 2, "hendley-2007": 1,
    "yamashita-2010-cutoff": 19, "yamashita-2010-komi": 17,
}  # fmt: skip


def row(published_: float, measured: float, **more: float) -> Row:
    return Row("t", "c", "q", published_, measured, 0.3, published_error=0.4, **more)  # type: ignore[arg-type]


def test_figures_agree_within_their_common_error() -> None:
    # The errors 0.3 and 0.4 make 0.5 together; 3.5 of these are 1.75.
    assert row(10.0, 11.74).agrees
    assert row(10.0, 11.76).agrees is False
    assert row(10.0, 12.74, rounding=1.0).agrees
    assert row(10.0, 100.0, comparable=False).agrees is None


@pytest.mark.parametrize(("table", "lines"), LINES.items())
def test_every_table_is_there_and_whole(table: str, lines: int) -> None:
    assert len(published(table)) == lines
    assert set(LINES) == {*EXPERIMENTS, *MATCH_TABLES}


def test_an_unknown_table_gets_the_nearest_name() -> None:
    with pytest.raises(UnknownTableError, match="'dailey-2008'"):
        chosen(["daily-2008"])
    with pytest.raises(UsageError, match="dailey-2008"):
        seeds(["daily-2008"])


def test_the_command_names_the_table_that_it_plays(capsys: pytest.CaptureFixture[str]) -> None:
    seeds(["dailey-2008"], playouts=2)
    assert capsys.readouterr().err.startswith("dailey-2008: playing, table 1 of 1\n")


def test_dailey_again() -> None:
    """Eleven rows, each with a chance below 0.0005 to miss; these are seeded."""
    rows = list(run("dailey-2008", 20_000, 1))
    assert len(rows) == 11
    assert all(found.agrees for found in rows)
    assert all(found.error == pytest.approx(0.5 / math.sqrt(20_000)) for found in rows if found.measured < 1)


@pytest.mark.slow
def test_van_de_veerdonk_again() -> None:
    """The rows that docs/seeds.md explains, and no others, may disagree."""
    wrong = {
        (found.case, found.quantity) for found in run("vandeveerdonk", 10_000, 1) if found.agrees is False
    }
    assert wrong <= {
        ("capture", "moves per playout"), ("escape", "random: considered"),
        ("waterfall", "capture: considered"),
    }  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("table", ["hillis-antigo", "hendley-2007"])
def test_short_cuts_again(table: str) -> None:
    rows = list(run(table, 3_000, 1))
    assert all(found.agrees is not False for found in rows)


def test_matches_are_played_only_if_they_are_named() -> None:
    assert set(chosen([])) == set(EXPERIMENTS)
    assert chosen(["yamashita-2010-komi"]) == ["yamashita-2010-komi"]
    with pytest.raises(UsageError, match="--size 9 or 19"):
        seeds(["yamashita-2010-komi"], size=13)
