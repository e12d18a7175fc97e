"""Writes `history.csv` of a config and its page: one row per bot and run, removed runs included."""

from __future__ import annotations

import csv
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict
from operator import attrgetter
from pathlib import Path

from harness.arena.folder.errors import USER_ERRORS, describe_error
from harness.arena.folder.history import COLUMNS, FILE, FORMULA, HistoryRow, read_history, text_cell
from harness.arena.folder.scheduled_run import ScheduledRun
from harness.arena.verdicts import MatchVerdicts
from harness.files import move, replaced
from harness.report.html.history_page import FILE as PAGE
from harness.report.html.history_page import history_page
from harness.report.numbers import amount
from harness.schedule.change import BotChange, find_change
from harness.schedule.run_summary import BotSummary, RunSummary, summarise_run

MOST_POINTS = 1e9
"""Multiples of ½ below this are points and written with all digits. Chosen: no match has more points."""

Notify = Callable[[str], object]


def add_to_history(
    folder: Path,
    run: ScheduledRun,
    finished: Iterable[ScheduledRun],
    notify: Notify,
    verdicts: MatchVerdicts | None = None,
) -> None:
    """Replace the rows of a run in the history. The run is compared with the readable run before it.

    finished   the finished runs of the config; the run itself may be one of them
    notify     gets a sentence for each damaged file
    verdicts   the verdicts on the run, if it was judged before

    Raises StoreError and OSError.
    """
    others = (other for other in finished if other.name != run.name)
    in_order = sorted([run, *others], key=attrgetter("order"))  # a newer run may have ended before
    rows = _by_run(_load_rows(folder, notify))
    rows.pop(run.name, None)
    summary = summarise_run(run.folder, run.began, verdicts)
    if summary is not None:
        rows[run.name] = _rows(summary, _summary_before(run, in_order, notify))
    _write(folder / FILE, rows, in_order)


def complete_history(
    folder: Path, runs: Iterable[ScheduledRun], finished: Iterable[ScheduledRun], notify: Notify
) -> None:
    """Add the rows of those of `runs` that the history lacks: it was deleted, or is younger than they are.

    finished   the finished runs of the config; `runs` are some of them
    notify     gets a sentence for each damaged file

    Raises OSError.
    """
    rows = _by_run(_load_rows(folder, notify))
    in_order = sorted(finished, key=attrgetter("order"))
    added = {
        run.name: _rows(summary, _summary_before(run, in_order, notify))
        for run in runs
        if run.name not in rows and (summary := _read_summary(run, notify)) is not None
    }
    if added:
        _write(folder / FILE, {**added, **rows}, in_order)


def rebuild_history(
    folder: Path,
    finished: Iterable[ScheduledRun],
    notify: Notify,
    progress: Callable[[int], object] | None = None,
) -> int:
    """Compute the rows of the stored runs again. Returns the number of runs that could be read.

    The rows of removed and of damaged runs stay as they are. So do those of the oldest readable run,
    because they compare it with a run that was removed.

    finished   the finished runs of the config
    notify     gets a sentence for each damaged file
    progress   is called before each run with the number of runs done

    Raises OSError.
    """
    in_order = sorted(finished, key=attrgetter("order"))
    rows = _by_run(_load_rows(folder, notify))
    before: RunSummary | None = None
    readable = 0
    for done, run in enumerate(in_order):
        if progress is not None:
            progress(done)
        summary = _read_summary(run, notify)
        if summary is None:
            continue
        readable += 1
        if before is not None or run.name not in rows:
            rows[run.name] = _rows(summary, before)
        before = summary
    _write(folder / FILE, rows, in_order)
    return readable


def _by_run(rows: Iterable[HistoryRow]) -> dict[str, list[HistoryRow]]:
    """The rows of each run, by its name."""
    found: dict[str, list[HistoryRow]] = {}
    for row in rows:
        found.setdefault(row.run, []).append(row)
    return found


def _read_summary(run: ScheduledRun, notify: Notify) -> RunSummary | None:
    """Read the summary of a run; None if it has no games, or is damaged."""
    try:
        return summarise_run(run.folder, run.began)
    except USER_ERRORS as error:
        notify(f"run {run.name} cannot be read, and its rows in the history stay: {describe_error(error)}")
        return None


def _summary_before(run: ScheduledRun, in_order: Sequence[ScheduledRun], notify: Notify) -> RunSummary | None:
    """The summary of the newest readable run before this one; None if there is none."""
    earlier = reversed(in_order[: in_order.index(run)])
    return next(filter(None, (_read_summary(other, notify) for other in earlier)), None)


def _rows(now: RunSummary, before: RunSummary | None) -> list[HistoryRow]:
    """The rows of the bots of a run, with their changes since the run `before`."""
    return [
        _row(now, bot, find_change(name, now, before) if before else BotChange(()))
        for name, bot in now.bots.items()
    ]


STANDING = (
    "bot",
    "games",
    "points",
    "score",
    "elo_low",
    "elo_high",
    "voids",
    "crashes",
    "timeouts",
    "illegal",
)
"""Columns that are fields of a bot's `Standing`."""
NODES = ("nodes_per_playout", "reference", "deviation", "low", "high")
"""Columns that are fields of a bot's `PlayoutStatistics` on the empty board."""


def _row(run: RunSummary, bot: BotSummary, changed: BotChange) -> HistoryRow:
    """The row of a bot in a run."""
    nodes, audit = bot.nodes, bot.audit
    copied = {name: getattr(bot.standing, name) for name in STANDING}
    copied |= {name: getattr(nodes, name) for name in NODES if nodes}
    return HistoryRow(
        time=run.began,
        run=run.name,
        version=bot.version or "",
        elo=round(bot.standing.elo, 6),
        playouts=nodes.verdict if nodes else "",
        parity="; ".join(f"{name}: {verdict}" for name, verdict in bot.opponents.items()),
        seconds_per_move=bot.seconds_per_move,
        failures=bot.failures,
        nodes_shift=changed.nodes_shift,
        nodes_shift_p=changed.nodes_shift_p,
        changed="; ".join(changed.sentences),
        size=run.config.run.size,
        komi=run.config.run.komi,
        audited=audit.searches if audit else None,
        length_deviation=audit.deviation if audit else None,
        score_deviation=audit.score_deviation if audit else None,
        audit="; ".join(f"{name}: {verdict}" for name, verdict in bot.audit_verdicts.items()),
        **copied,
    )


def _cell(value: object) -> str:
    """A value as text. Text that a spreadsheet would run as a formula gets a leading '."""
    if value is None:
        return ""
    if isinstance(value, float):
        exact = (2.0 * value).is_integer() and abs(value) < MOST_POINTS  # points are multiples of ½
        return f"{value:.17g}" if exact else f"{value:.6g}"
    if isinstance(value, str):
        text = text_cell(value)
        return f"'{text}" if text.startswith(FORMULA) else text
    return str(value)


def _load_rows(folder: Path, notify: Notify) -> Sequence[HistoryRow]:
    """Read the rows that can be read. A damaged file is moved to `history.damaged-N.csv`."""
    history = read_history(folder)
    if history.problems:
        number = 1
        while os.path.lexists(aside := folder / f"history.damaged-{number}.csv"):
            number += 1
        move(folder / FILE, aside)
        first, others = history.problems[0], len(history.problems) - 1
        more = f", and {amount(others, 'more line')}" if others else ""
        notify(f"{first}{more}; the file is kept as {aside.name}, and all other rows are written again")
    return history.rows


def _write(path: Path, rows: Mapping[str, Iterable[HistoryRow]], stored: Iterable[ScheduledRun]) -> None:
    """Write the rows, those of removed runs first, then in the order of the stored runs; and the page."""
    names = dict.fromkeys(run.name for run in stored)
    removed = [name for name in rows if name not in names]
    in_order = [row for name in (*removed, *names) for row in rows.get(name, ())]
    with replaced(path) as file:
        table = csv.writer(file, lineterminator="\n")
        table.writerow(COLUMNS)
        table.writerows([_cell(value) for value in asdict(row).values()] for row in in_order)
    history = read_history(path.parent)
    with replaced(path.with_name(PAGE)) as file:
        name = path.parent.absolute().name
        file.write(history_page(name, history.rows, history.changes, history.problems, history.steps))
