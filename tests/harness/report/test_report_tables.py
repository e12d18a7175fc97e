"""Tables fit their console, and nothing is cut in the middle."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from rich.console import Console

from harness.arena.judge.judge import judge
from harness.arena.store.store import Store
from harness.arena.verdicts import ALL_PHASES, DIFFERENT, MatchVerdicts, PlayoutStatistics
from harness.report.numbers import game_time
from harness.report.tables import Column, FittingTable, in_rows, number_column
from harness.report.terminal import recorded
from harness.report.text.console import show_report
from harness.report.text.match_console import show_playouts, show_verdicts
from harness.report.text.seeds_table import show_figures, show_win_rates
from harness.seeds import Row
from tests.command_line import conform
from tests.harness.report.html.page_helpers import found, report_of

SAMPLE = Path(__file__).parents[3] / "reports" / "sample"
WIDTHS = [60, 80, 120]
ROWS = [
    Row("a-table", "9x9", "playouts per second", 12345.0, 987654.0, 0.0, comparable=False),
    Row(
        "a-table",
        "escape",
        "random: candidates considered",
        0.471,
        0.469,
        0.005,
        interval=(0.4, 0.5),
        published_interval=(0.41, 0.52),
    ),
]


@pytest.fixture(scope="module")
def verdicts(tmp_path_factory: pytest.TempPathFactory) -> MatchVerdicts:
    """The verdicts of the sample run."""
    folder = tmp_path_factory.mktemp("sample")
    shutil.copy(SAMPLE / "run.db", folder)
    with Store.open(folder, read_only=True) as store:
        config = store.config()
        assert config is not None
        return judge(store, config)


def assert_fits(text: str, width: int) -> None:
    lines = text.splitlines()
    assert max(map(len, lines)) <= width
    assert [line for line in lines if line != line.rstrip()] == []


def whole(text: str) -> str:
    """The text without the places where a column continues on the next line."""
    return "".join(text.split())


@pytest.mark.parametrize(("low", "said"), [(-0.2, "different: spread 1.8"), (0.1, "different")])
def test_a_difference_of_the_spread_alone_is_named(low: float, said: str, verdicts: MatchVerdicts) -> None:
    row = PlayoutStatistics(
        "a", 400, 400_000, 81.2, 81.1, 0.1, low, 0.4, DIFFERENT, phase=ALL_PHASES, spread=1.8
    )
    text = recorded(120, lambda console: show_playouts(console, replace(verdicts, playouts=(row,))))
    (line,) = [line for line in text.splitlines() if "…+0.400" in line]
    assert line.rpartition("…+0.400")[2].split("  ")[0].strip() == said


@pytest.mark.parametrize("width", WIDTHS)
def test_a_match(width: int, verdicts: MatchVerdicts) -> None:
    text = recorded(width, lambda console: show_verdicts(console, verdicts))
    assert_fits(text, width)
    for row in verdicts.standings:
        assert f"{row.elo_low:+.0f}…{row.elo_high:+.0f}" in text
    for pair in verdicts.parity:
        assert f"{100 * pair.score_a:.1f} %" in text
    if width >= 80:
        assert "mean time of a game" in text
        assert all(game_time(met.seconds_per_game) in text for met in verdicts.crosstable.values())
    if width >= 120:
        assert "left out" not in text
        assert all(row.bot in text for row in verdicts.standings)


@pytest.mark.parametrize("width", WIDTHS)
def test_published_figures(width: int) -> None:
    for show in (show_figures, show_win_rates):
        text = recorded(width, lambda console, show=show: show(console, ROWS))  # type: ignore[misc]
        assert_fits(text, width)
        assert "0.471" in text
    assert "0.4690 ± 0.0050   yes" in recorded(width, lambda console: show_figures(console, ROWS))


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("bots", [2, 7])
def test_several_bots_end_with_their_verdicts(width: int, bots: int) -> None:
    report = report_of(*[found("eye-edge-as-centre"), found("")] * bots)

    def show(console: Console) -> None:
        show_report(console, report, quiet=False, everything=False)

    text = recorded(width, show)
    rows = [line.split() for line in text.splitlines()]
    verdicts = [word for row in rows if row[:1] == ["verdict"] for word in row[1:]]
    assert verdicts == [str(verdict) for verdict in report.verdicts]
    tables = [row[1:] for row in rows if row[:1] == ["check"]]
    assert [" ".join(row) for row in tables] == [
        " ".join(f"bot {place + 1}" for place in places) for places in in_rows(2 * bots, width - 20, 15)
    ]
    table = text[text.index("check   ") :].splitlines()
    assert max(map(len, table[: len(table) - 2 * bots])) <= width


def test_what_matters_least_is_left_out_first_and_named() -> None:
    table = FittingTable(
        "title", Column("first", folded=True), number_column("second", 1), number_column("third", 2)
    )
    table.add_row("one", "2" * 10, "3" * 10)
    shown = {width: recorded(width, lambda console: console.print(table)) for width in (40, 25, 12)}
    assert [name for name in ("second", "third") if f"{name}\n" in shown[40]] == ["third"]
    assert whole("left out for lack of room: third") in whole(shown[25])
    assert "2" * 10 in shown[25]
    assert "2" * 10 not in shown[12]


def test_a_column_stands_under_another_before_any_is_left_out() -> None:
    table = FittingTable(
        "",
        Column("name"),
        number_column("upper", 1),
        number_column("lower", under="upper"),
        number_column("x"),
    )
    table.add_row("one", "1" * 8, "2" * 8, "3")
    shown = {width: recorded(width, lambda console: console.print(table)) for width in (40, 25, 12)}
    for width in (40, 25):
        assert all(word in shown[width] for word in ("upper", "lower", "1" * 8, "2" * 8, "3"))
        assert_fits(shown[width], width)
    wide, narrow = ([line.split() for line in shown[width].splitlines()] for width in (40, 25))
    assert ["one", "1" * 8, "2" * 8, "3"] in wide
    place = narrow.index(["one", "1" * 8, "3"])
    assert narrow[place + 1] == ["2" * 8]
    assert whole("left out for lack of room: upper, lower") in whole(shown[12])


def test_a_long_name_is_folded_and_whole() -> None:
    name = "x" * 70
    table = FittingTable("", Column("bot", folded=True), number_column("games"))
    table.add_row(name, "12")
    text = recorded(60, lambda console: console.print(table))
    assert_fits(text, 60)
    assert text.count("x") == 70


def test_lines_in_a_pipe_end_without_blanks(tmp_path: Path) -> None:
    shutil.copy(SAMPLE / "run.db", tmp_path)
    lines = conform("report", str(tmp_path), "--format", "csv", env={"COLUMNS": "60"}).stdout.splitlines()
    assert lines
    assert [line for line in lines if line != line.rstrip()] == []
