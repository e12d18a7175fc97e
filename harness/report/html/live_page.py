"""The live pages of `conform serve`: runs and checks while they change.

A page has sections, which are HTML fragments. The server sends a section to the browser when it changes.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from markupsafe import Markup

from harness.arena.verdicts import games_still_needed
from harness.check.clauses import CLAUSES
from harness.gtp import VertexError, parse_vertex
from harness.report.html.charts import interval_picture, score_chart
from harness.report.html.page import parts, render
from harness.report.records.stored_check import KINDS, CheckedOnce
from harness.report.signs import KIND_SIGNS, PARITY_SIGNS, VERDICT_SIGNS
from harness.report.status.check import CheckStatus
from harness.report.status.phase import Phase
from harness.report.status.run import BoardRow, PairRow, RunStatus
from harness.report.text.pairs_table import PAIR_TEXTS, rank_of_verdict
from harness.report.text.question_text import question_sentences
from harness.report.text.status_text import bot_progress, progress_sentence
from harness.report.visible import one_line

Sections = dict[str, str]
"""By id of an element of the page: its HTML."""

SCRIPTS = ("board.js", "live.js")
"""The scripts of a live page."""
MOST_CHARTS = 6
"""Pairs with a chart. Chosen: all charts are sent again when one of their pairs changes."""

MOST_PAIRS = 100
"""Pairs in the table, in the order of `rank_of_verdict`; the full page of the run has all. Chosen: the table
is sent again after each judging."""

MOST_BOARDS = 24
"""Boards in play that are drawn. Chosen: four rows of a wide screen."""


def live_page(
    title: str,
    sections: Sections,
    *,
    up: str = "",
    links: Sequence[tuple[str, str]] = (),
    boards: bool = False,
) -> str:
    """A page that shows these sections and follows their changes.

    up       the address of the overview; empty on the overview
    links    pairs (address, text) at the head of the page
    boards   the page has a place for boards in play
    """
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
        signs=KIND_SIGNS,
        kinds=KINDS,
        verdicts=VERDICT_SIGNS,
        requirements=CLAUSES,
    )


def overview_sections(readings: Sequence[object], running: int, left_out: int, folder: str) -> Sections:
    """The sections of the overview.

    readings   `harness.serve.reading.Reading` objects, for the template
    running    number of runs and checks that are running
    left_out   number of older entries that are not shown
    """
    words = f"{running} running" if running else "nothing is running"
    return {
        "head": _parts().overview_head(folder, words),
        **problem_section(""),
        "overview": _parts().overview(readings, left_out, folder),
    }


def run_sections(status: RunStatus, phase: Phase, path: str, problem: str) -> Sections:
    """Return the sections of the live page of a run.

    path      of the folder of the run, as the head shows it
    problem   a problem with a file of the run, as text; may be empty
    """
    made = _parts()
    pairs = sorted(status.pairs, key=lambda pair: rank_of_verdict(pair.verdict))[:MOST_PAIRS]
    moving = [pair for pair in pairs if len(pair.trail) > 1]
    have_margins = all(pair.margin for pair in pairs)  # only the question about parity has one
    return {
        **place_sections(status.name, phase, path, problem),
        "progress": made.progress(status, progress_sentence(status, phase)),
        "standings": made.standings_section(
            status,
            {bot.bot: sum(bot.failures.values()) for bot in status.bots},
            {bot.bot: bot.reported for bot in status.bots},
            {bot.bot: bot.command for bot in status.bots},
        ),
        "parity": made.parity_section(
            status,
            changed=list(question_sentences(status.question_changes)),
            rows=pairs,
            signs=PARITY_SIGNS,
            needed=lambda games: games_still_needed(math.inf if games is None else games),
            pictures=[_interval(pair) for pair in pairs] if have_margins else None,
            charts=[(pair, _chart(pair)) for pair in moving[:MOST_CHARTS]],
            texts=PAIR_TEXTS,
        ),
        "playouts": made.playouts_section(status, PARITY_SIGNS),
        "games": made.games_section(status),
        "events": made.events_section(status),
    }


def check_sections(status: CheckStatus, phase: Phase, path: str, title: str) -> Sections:
    """Return the sections of the live page of a check.

    path    of the status file, as the head shows it
    title   the file of its report
    """
    sentences = [bot_progress(bot, searches=True) for bot in status.bots]
    return {
        **place_sections(f"Check {title}", phase, path),
        "check": _parts().check_section(status, sentences),
    }


def ended_sections(verdicts: Sequence[str], phase: Phase, path: str, title: str, address: str) -> Sections:
    """The sections of a check that ended while its page was open.

    verdicts   a sentence for each bot, with its verdict
    title      the file of its report, whose page has the `address`
    """
    return {
        **place_sections(f"Check {title}", phase, path),
        "check": _parts().ended_section(verdicts, address),
    }


def place_sections(title: str, phase: Phase, path: str, problem: str = "") -> Sections:
    """The sections that all pages of runs and checks have: the head, and the problem (may be empty)."""
    return {"head": _parts().head(title, path, phase), **problem_section(problem)}


def problem_section(problem: str) -> Sections:
    """The section with a problem, such as a damaged file; empty for an empty text."""
    return {"problem": _parts().problem(problem)}


def boards_data(boards: Sequence[BoardRow]) -> list[Mapping[str, Any]]:
    """At most MOST_BOARDS boards in play, as data for `live.js`."""
    return [
        {
            "worker": board.worker,
            "size": board.size,
            "stones": board.stones,
            "last": _point(board),
            "caption": _caption(board),
        }
        for board in boards[:MOST_BOARDS]
    ]


def _caption(board: BoardRow) -> str:
    """The line below a board: the players, the move, the game and the clocks."""
    players = f"{one_line(board.black, 40)} (Black) – {one_line(board.white, 40)} (White)"
    clocks = f", {one_line(board.clocks, 80)}" if board.clocks else ""
    return f"{players}, move {board.move}, {one_line(board.game_id, 40)}{clocks}"


def _point(board: BoardRow) -> int | None:
    """The point of the last move, numbered from A1 row by row; None for a pass or no move."""
    try:
        point = parse_vertex(board.last[1:], board.size)  # without the letter of the colour
    except VertexError:
        return None
    return None if point is None else point[0] * board.size + point[1]


def _interval(pair: PairRow) -> Markup:
    """The picture of the bounds of a pair's score, drawn around ½."""
    style = PARITY_SIGNS[pair.verdict][1]
    words = f"between {100 * pair.low:.1f} and {100 * pair.high:.1f} %, margin {100 * pair.margin:g} %"
    return interval_picture(pair.score_a - 0.5, pair.low - 0.5, pair.high - 0.5, pair.margin, style, words)


def _chart(pair: PairRow) -> Markup:
    """The chart of a pair's score over its games. It shows ½ ± twice the wider margin, at least ± 0.1."""
    reach = min(0.5, max(0.1, 2.0 * pair.proved_margin, 2.0 * pair.margin))
    return score_chart(
        pair,
        [(float(games), score) for games, score, _, _ in pair.trail],
        [(low, high) for _, _, low, high in pair.trail],
        (0.5 - reach, 0.5 + reach),
    )


@cache
def _parts() -> Any:
    """The macros of the template of the sections."""
    return parts("live_parts.html")
