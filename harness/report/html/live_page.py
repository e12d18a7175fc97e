"""The live pages: runs and checks while they change. A page is made of sections, sent when they change."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from markupsafe import Markup

from harness.arena.verdicts import games_still_needed
from harness.check.clauses import CLAUSES
from harness.gtp import VertexError, parse_vertex
from harness.report.html.charts import Line, interval_picture, line_chart
from harness.report.html.page import parts, render
from harness.report.html.signs import VERDICTS
from harness.report.html.site import SIGNS
from harness.report.html.visible import one_line
from harness.report.numbers import amount
from harness.report.records.stored_check import KINDS, CheckedOnce
from harness.report.signs import VERDICT_SIGNS
from harness.report.status.check import CheckStatus
from harness.report.status.phase import Phase
from harness.report.status.run import BoardRow, PairRow, RunStatus
from harness.report.text.progress_line import duration_text
from harness.report.text.status_text import progress_sentence

Sections = dict[str, str]
"""HTML by the id of the element that shows it."""

SCRIPTS = ("board.js", "live.js")
MOST_CHARTS = 6
MOST_PAIRS = 100
"""Pairs in the table, different and undecided pairs first; the page of the run has all."""
MOST_BOARDS = 24


@dataclass(frozen=True)
class Entry:
    """A row of the overview."""

    key: str
    address: str
    title: str
    name: str
    phase: Phase
    done: int
    total: int
    progress: str
    result: str
    at: str


def live_page(
    title: str,
    sections: Sections,
    *,
    up: str = "",
    links: Sequence[tuple[str, str]] = (),
    boards: bool = False,
) -> str:
    """A page that shows these sections and follows their changes. `up`: the address of the overview."""
    marked = {name: Markup(html) for name, html in sections.items()}  # escaped when they were made
    return render(
        "live_base.html", *SCRIPTS, live=True, title=title, sections=marked, up=up, links=links, boards=boards
    )


def report_page(reports: Sequence[CheckedOnce], title: str) -> str:
    """The page of a report that `check --json` wrote."""
    return render(
        "live_report.html",
        reports=reports,
        title=title,
        signs=SIGNS,
        kinds=KINDS,
        verdicts=VERDICT_SIGNS,
        requirements=CLAUSES,
    )


def overview_sections(entries: Sequence[Entry], left_out: int, folder: str) -> Sections:
    """The sections of the overview."""
    running = sum(entry.phase.running for entry in entries)
    words = f"{running} running" if running else "nothing is running"
    made = _parts()
    return {
        "head": made.overview_head(folder, words),
        "problem": made.problem(""),
        "overview": made.overview(entries, left_out, folder),
    }


def run_sections(status: RunStatus, phase: Phase, path: str, problem: str) -> Sections:
    """The sections of a run."""
    made = _parts()
    pairs = _first_pairs(status.pairs)
    return {
        "head": made.head(status.name, path, phase),
        "problem": made.problem(problem),
        "progress": made.progress(status, progress_sentence(status, phase)),
        "standings": made.standings_section(
            status,
            {bot.bot: sum(bot.failures.values()) for bot in status.bots},
            {bot.bot: bot.reported for bot in status.bots},
            {bot.bot: bot.command for bot in status.bots},
        ),
        "parity": made.parity_section(
            status,
            pairs,
            VERDICTS,
            _needed,
            [_interval(pair) for pair in pairs],
            [(pair, _chart(pair)) for pair in pairs if len(pair.trail) > 1][:MOST_CHARTS],
        ),
        "playouts": made.playouts_section(status, VERDICTS),
        "games": made.games_section(status),
        "events": made.events_section(status),
    }


def check_sections(status: CheckStatus, phase: Phase, path: str, title: str) -> Sections:
    """The sections of a check that runs. `title`: the file of its report."""
    made = _parts()
    sentences = []
    for bot in status.bots:
        words = [bot.doing]
        words += [f"{bot.decided} of {amount(bot.total, 'check')} decided"] if bot.total else []
        words += [amount(bot.searches, "search")] if bot.searches else []
        words += [f"about {duration_text(bot.seconds_left)} left"] if bot.seconds_left is not None else []
        sentences.append(", ".join(words))
    return {
        "head": made.head(f"Check {title}", path, phase),
        "problem": made.problem(""),
        "check": made.check_section(status, sentences),
    }


def ended_sections(verdicts: Sequence[str], phase: Phase, path: str, title: str, address: str) -> Sections:
    """The sections of a check that has ended while somebody watched. `address`: that of its report."""
    made = _parts()
    return {
        "head": made.head(f"Check {title}", path, phase),
        "problem": made.problem(""),
        "check": made.ended_section(verdicts, address),
    }


def problem_sections(title: str, phase: Phase, path: str, problem: str) -> Sections:
    """The sections of a place that cannot be read."""
    made = _parts()
    return {"head": made.head(title, path, phase), "problem": made.problem(problem)}


def problem_section(problem: str) -> Sections:
    """The section of a page that says what is wrong with it."""
    return {"problem": _parts().problem(problem)}


def boards_data(boards: Sequence[BoardRow]) -> list[Mapping[str, Any]]:
    """The boards in play as `live.js` draws them."""
    return [
        {
            "worker": board.worker,
            "size": board.size,
            "stones": board.stones,
            "last": _point(board),
            "caption": f"{one_line(board.black, 40)} (Black) – {one_line(board.white, 40)} (White), "
            f"move {board.move}, {one_line(board.game_id, 40)}",
        }
        for board in boards[:MOST_BOARDS]
    ]


def _point(board: BoardRow) -> int | None:
    try:
        point = parse_vertex(board.last[1:], board.size)
    except VertexError:
        return None
    return None if point is None else point[0] * board.size + point[1]


def _first_pairs(pairs: Sequence[PairRow]) -> list[PairRow]:
    order = {"different": 0, "undecided": 1, "equal": 2}
    return sorted(pairs, key=lambda pair: order[pair.verdict])[:MOST_PAIRS]


def _interval(pair: PairRow) -> Markup:
    style = VERDICTS[pair.verdict][1]
    words = f"between {100 * pair.low:.1f} and {100 * pair.high:.1f} %, margin {100 * pair.margin:g} %"
    return interval_picture(pair.score_a - 0.5, pair.low - 0.5, pair.high - 0.5, pair.margin, style, words)


def _chart(pair: PairRow) -> Markup:
    reach = min(0.5, max(0.1, 2.0 * pair.proved_margin, 2.0 * pair.margin))
    names = f"{one_line(pair.bot_a, 40)} against {one_line(pair.bot_b, 40)}"
    return line_chart(
        [
            Line(
                "score",
                [(float(games), score) for games, score, _, _ in pair.trail],
                band=[(low, high) for _, _, low, high in pair.trail],
            )
        ],
        f"Score of {names} over {amount(pair.games, 'game')}: "
        f"{pair.low:.3f} to {pair.high:.3f}, {pair.verdict}",
        "games",
        "score of the first bot",
        within=(0.5 - pair.margin, 0.5 + pair.margin),
        levels=[(0.5, "")],
        y_range=(0.5 - reach, 0.5 + reach),
        percent=True,
    )


def _needed(games: float | None) -> str:
    return games_still_needed(math.inf if games is None else games)


@cache
def _parts() -> Any:
    return parts("live_parts.html")
