"""The page of a schedule: a change is named with its run and version, and no text of a bot acts."""

import csv
import io
import random
import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

from harness.arena.folder.history import COLUMNS, FILE, read_history
from harness.report.html.history_page import history_page

HOSTILE = "<script>alert(1)</script>\x1b[2J\u202e"


def table(bots: dict[str, list[dict[str, object]]]) -> str:
    """A history.csv: for each bot its runs."""
    text = io.StringIO(newline="")
    writer = csv.DictWriter(text, COLUMNS, restval="", lineterminator="\n")
    writer.writeheader()
    for bot, made in bots.items():
        for number, run in enumerate(made):
            time = f"2026-11-{number + 1:02d}T02:30:00+00:00"
            writer.writerow({"time": time, "run": f"run{number:02d}", "bot": bot, "version": "v1", **run})
    return text.getvalue()


def page_of(folder: Path, bots: dict[str, list[dict[str, object]]], name: str = "nightly") -> str:
    """The page of these bots, by way of the file."""
    (folder / FILE).write_text(table(bots))
    history = read_history(folder)
    return history_page(name, history.rows, history.changes, history.problems, history.steps)


def runs(change_at: int | None, length: int = 16, seed: int = 1) -> list[dict[str, object]]:
    """Runs of a bot that becomes stronger, longer in its playouts and slower with version v2."""
    rng = random.Random(seed)
    made: list[dict[str, object]] = []
    for number in range(length):
        new = change_at is not None and number >= change_at
        points = sum(rng.random() < (0.7 if new else 0.5) for _ in range(300))
        mean = rng.gauss(112.0 if new else 111.0, 0.05)
        made.append(
            {
                "version": "v2" if new else "v1",
                "games": 300,
                "points": points,
                "score": points / 300,
                "nodes_per_playout": mean,
                "reference": 111.0,
                "low": mean - 111.0 - 0.2,
                "high": mean - 111.0 + 0.2,
                "seconds_per_move": rng.gauss(0.15 if new else 0.1, 0.002),
                "parity": "two: equal; three: different; michi-with-large-patterns: undecided",
                "audit": "lengths equal, scores equal, moves undecided" if number else "",
                "changed": "version v1 → v2; nodes per playout 111 → 112" if number == change_at else "",
            }
        )
    return made


def test_each_figure_that_changed_is_named_with_its_run_and_both_versions(tmp_path: Path) -> None:
    page = page_of(tmp_path, {"one": runs(9), "two": runs(None, seed=2)})
    changes = page[page.index("<h2>Changes") : page.index("</table>")]
    assert "3 changes" in page
    assert changes.count("v1 → v2") == 3
    for what in ("score", "nodes per playout", "seconds per move"):
        assert f"<td>{what}</td>" in changes
    assert "two" not in changes
    assert page.count('class="change"') == 3


def test_a_bot_that_failed_in_the_last_run_is_named_and_its_failures_are_counted(tmp_path: Path) -> None:
    made = runs(None)
    page = page_of(tmp_path, {"one": [*made[:-1], {**made[-1], "failures": 3, "audit": "moves: equal"}]})
    assert "one failed in the last run" in page
    assert "no change" not in page
    assert '<td class="number">3</td>' in page
    assert "moves: equal" in page
    before = page_of(tmp_path, {"one": [{**made[0], "failures": 3}, *made[1:]]})
    assert "no change" in before


def test_an_unchanged_history_says_so(tmp_path: Path) -> None:
    page = page_of(tmp_path, {"one": runs(None)})
    assert "no change" in page
    assert "<h2>Changes" not in page
    assert page.count("<figure>") == 3
    assert page.count("</span> different") == page.count("</span> equal") == 16


def test_a_change_without_a_new_version_says_that_too(tmp_path: Path) -> None:
    changed = [{**run, "version": "v1"} for run in runs(9)]
    assert "v1, as before" in page_of(tmp_path, {"one": changed})


def test_no_chart_shows_fewer_than_no_moves_or_no_seconds(tmp_path: Path) -> None:
    """A wide interval around a small mean, and the numbers of a damaged file."""
    few: dict[str, object] = {
        "nodes_per_playout": 1.5,
        "reference": 1.0,
        "low": -2.0,
        "high": 3.0,
        "seconds_per_move": 0.5,
    }
    damaged: dict[str, object] = {"nodes_per_playout": -2.0, "reference": 1.0, "seconds_per_move": -1.0}
    page = page_of(tmp_path, {"one": [few, few, damaged, few]})
    assert page.count("over 3 runs, the oldest first</title>") == 2
    labels = re.findall(r'class="tick end"[^>]*>([^<]+)<', page)
    assert labels
    assert all(float(label) >= 0.0 for label in labels)


@pytest.mark.parametrize("length", [0, 1, 2])
def test_few_runs_and_empty_cells_give_a_page(tmp_path: Path, length: int) -> None:
    empty: list[dict[str, object]] = [{"version": ""} for _ in range(length)]
    assert "no change" in page_of(tmp_path, {"one": runs(None, length), "two": empty})


class Tags(HTMLParser):
    """Every tag of a page."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)


def test_no_text_of_a_bot_acts(tmp_path: Path) -> None:
    texts = {"version": HOSTILE, "changed": HOSTILE, "parity": f"{HOSTILE}: equal"}
    page = page_of(tmp_path, {HOSTILE: [{**run, **texts} for run in runs(9)], "=1+1": runs(None)}, HOSTILE)
    plain = page_of(tmp_path, {"one": runs(9), "two": runs(None)})
    assert Tags(page).tags.count("script") == Tags(plain).tags.count("script")
    assert "\x1b" not in page
    assert "\u202e" not in page


@pytest.mark.parametrize(
    "figures",
    [
        {"points": "1e400", "games": 3},
        {"points": 9, "games": 3},
        {"low": 5, "high": 5},
        {"low": "-inf", "high": "inf"},
        {"nodes_per_playout": "inf"},
        {"seconds_per_move": -1},
        {"games": 0},
    ],
)
def test_figures_without_sense_give_a_page(tmp_path: Path, figures: dict[str, object]) -> None:
    assert "16 runs" in page_of(tmp_path, {"one": [{**run, **figures} for run in runs(None)]})


def test_a_damaged_line_is_named_on_the_page(tmp_path: Path) -> None:
    (tmp_path / FILE).write_text(table({"one": runs(None)}) + "half a line,\n")
    history = read_history(tmp_path)
    page = history_page("nightly", history.rows, history.changes, history.problems)
    assert "is damaged" in page
    assert "16 runs" in page


def fallen(games: int) -> list[dict[str, object]]:
    """Runs with a score of 94 %, and a last one with 69 %."""
    shares = [0.94, 0.94, 0.94, 0.94, 0.69]
    return [{"games": games, "points": round(share * games)} for share in shares]


def test_a_step_that_may_be_chance_has_its_reason_beside_no_change(tmp_path: Path) -> None:
    page = page_of(tmp_path, {"one": fallen(16)})
    assert "no change" in page
    (sentence,) = re.findall(r"<p>.*?may be chance.*?</p>", page)
    assert "93.8 % → 68.8 %" in sentence
    assert "run04" in sentence
    assert "16 games a run" in sentence
    assert "p ≤ 0.0033" in sentence


def test_a_step_that_is_a_change_or_small_needs_no_reason(tmp_path: Path) -> None:
    proved = page_of(tmp_path, {"one": fallen(1600)})
    assert "1 change" in proved
    assert "may be chance" not in proved
    assert "may be chance" not in page_of(tmp_path, {"one": runs(None)})


def charts(page: str) -> list[str]:
    """The charts of a page."""
    found: list[str] = re.findall(r'<svg[^>]*class="chart".*?</svg>', page, re.DOTALL)
    return found


@pytest.mark.parametrize("length", [1, 2, 5, 16])
def test_the_axis_of_the_runs_has_dates(tmp_path: Path, length: int) -> None:
    for chart in charts(page_of(tmp_path, {"one": runs(None, length)})):
        dates = re.findall(r'class="tick middle">([^<]+)<', chart)
        assert 1 <= len(dates) <= 4
        assert dates[0] == f"2026-11-{length:02d}"  # the newest run has its date
        assert all(re.fullmatch(r"2026-11-\d\d", date) for date in dates)


def test_runs_of_one_day_have_the_time_of_the_day(tmp_path: Path) -> None:
    times = ["2026-11-22T01:00:00+00:00", "2026-11-22T14:30:00+00:00"]
    page = page_of(
        tmp_path, {"one": [{**run, "time": time} for run, time in zip(runs(None, 2), times, strict=True)]}
    )
    assert ">11-22 01:00<" in page
    assert ">11-22 14:30<" in page


def test_scores_and_times_are_drawn_from_zero_and_lengths_on_a_cut_axis(tmp_path: Path) -> None:
    score, lengths, seconds = charts(page_of(tmp_path, {"one": runs(None)}))
    for chart in (score, seconds):
        assert re.search(r'class="tick end">0(?: %)?<', chart)
        assert "axis cut" not in chart
    assert ">100 %<" in score
    assert "axis cut" in lengths
