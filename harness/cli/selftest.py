"""`conform selftest`: runs the checks on bots with known faults, and estimates false alarms by simulation."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from harness.cli.exits import ExitCode, UsageError
from harness.cli.options import Cluster, NoColor, Quiet, cluster_workers, console_for, effort_of
from harness.cli.paths import append_to, check_writable, write_to

if TYPE_CHECKING:
    from rich.console import Console

    from harness.selftest.kill_matrix import Case, Kill

# Simulated checks without and with --full; chosen: seconds and minutes of work.
QUICK_REFUSALS = 100
FULL_REFUSALS = 1000


def selftest(
    full: Annotated[bool, typer.Option("--full", help="Check every fault, not one per clause.")] = False,
    only: Annotated[
        list[str] | None, typer.Option(metavar="GLOB", help="Check all faults whose name or clause matches.")
    ] = None,
    budget: Annotated[
        str | None,
        typer.Option(help="Budget of each bot, as for check (default: quick; --full, --only: standard)."),
    ] = None,
    refusals: Annotated[
        int | None,
        typer.Option(
            min=0,
            help="Simulated checks of a right bot (default: 100; with --full 1000, also of wrong bots).",
        ),
    ] = None,
    pairs: Annotated[
        int, typer.Option(min=0, metavar="N", help="Also check N bots with two faults at once, in-process.")
    ] = 0,
    write: Annotated[Path | None, typer.Option(metavar="FILE", help="Write the table as Markdown.")] = None,
    keep: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="Save each result; a run with the same options continues from there."
        ),
    ] = None,
    playouts: Annotated[
        list[int] | None,
        typer.Option(
            min=1, metavar="N", help="Playouts per search (default: 1000). Repeat it to compare numbers."
        ),
    ] = None,
    in_process: Annotated[
        bool, typer.Option("--in-process", help="Run bots without processes: three times as fast.")
    ] = False,
    jobs: Annotated[int | None, typer.Option(min=1, help="Bots at once (default: one per core).")] = None,
    cluster: Cluster = None,
    seed: Annotated[int, typer.Option(min=0, help="Seed of bots and harness.")] = 1,
    no_color: NoColor = False,
    quiet: Quiet = False,
    verbose: Annotated[
        bool, typer.Option("-v", "--verbose", help="Print every row of a full table.")
    ] = False,
) -> int:
    """Run the checks on deliberately wrong bots.

    The table shows which check catches which fault, and how often a right bot is refused. With several
    numbers of playouts, it is that of the first, and a second table compares all of them. Faults of the wire
    and of optional commands are checked at the first only; those of optional commands in the profile gtp.
    """
    from harness.report.text.matrix import Matrix, Setting, as_markdown, show_matrix
    from harness.selftest.at_margin import pass_rates
    from harness.selftest.faulty import PLAYOUTS, in_parallel
    from harness.selftest.kill_matrix import cases_of, idle_checks, kill
    from harness.selftest.pairs import diagnose_pair, draw_pairs
    from harness.selftest.simulation import refusal_rate
    from harness.suite.registry import CHECKS

    check_writable(write)
    whole = full or only is not None
    names = _faults(only, seed, whole=whole)
    console = console_for(no_color=no_color, to_stderr=False)
    budget = budget or ("standard" if whole else "quick")
    effort, at_once = effort_of(budget), jobs or os.cpu_count() or 1
    counts = list(dict.fromkeys(playouts or [PLAYOUTS]))
    job = partial(kill, seed=seed, effort=effort, brief=not whole, hosted=in_process)
    saved = (
        None if keep is None else _SavedRows(keep, _conditions(budget, seed, whole=whole, hosted=in_process))
    )
    kills = _run(console, job, cases_of(names, counts), at_once, saved, cluster)
    first = [result for result in kills if result.playouts == counts[0]]
    job_of_pair = partial(diagnose_pair, seed=seed, effort=effort, playouts=counts[0])
    if refusals is None:
        refusals = FULL_REFUSALS if full else QUICK_REFUSALS
    matrix = Matrix(
        kills=first,
        idle=idle_checks(first, CHECKS) if full and not only else [],
        pairs=tuple(in_parallel(job_of_pair, draw_pairs(seed, pairs), at_once)) if pairs else (),
        refusals=refusal_rate(CHECKS, refusals, seed) if refusals else None,
        at_margin=pass_rates(CHECKS, refusals, seed) if full and refusals else [],
        full=whole,
        setting=Setting(len(CHECKS), counts[0], budget, seed, in_process),
        compared=kills if len(counts) > 1 else (),
    )
    show_matrix(console, matrix, quiet=quiet, verbose=verbose)
    if write is not None:
        write_to(write, as_markdown(matrix))
    return ExitCode.CONFORMS if matrix.passed else ExitCode.DEVIATES


def _faults(only: list[str] | None, seed: int, *, whole: bool) -> Sequence[str]:
    """Return the names of the faults to check, and "" for the right bot. Raises UsageError if none matches.

    only    values of --only
    whole   all faults that match; else one for each clause, which the seed selects
    """
    from harness.selftest.kill_matrix import all_faults, one_fault_per_clause

    names = all_faults(only or ()) if whole else one_fault_per_clause(seed)
    if len(names) == 1:  # only the right bot, which is always among the names
        raise UsageError(
            f"no fault and no clause matches {', '.join(only or ())}; `refbot faults` lists both"
        )
    return names


def _conditions(budget: str, seed: int, *, whole: bool, hosted: bool) -> str:
    """Return what a result depends on beside fault and playouts: "all checks, budget quick, seed 1"."""
    checks = "all checks" if whole else "fewer checks"  # see `brief` of `kill`
    return f"{checks}, budget {budget}, seed {seed}{', in-process' if hosted else ''}"


class _SavedRows:
    """The file of --keep. Raises UsageError if it has a result that was made under other conditions."""

    def __init__(self, path: Path, conditions: str) -> None:
        from harness.selftest.kill_matrix import read_rows

        self.path, self.conditions = path, conditions
        self.rows = read_rows(path)
        for row in self.rows.values():
            if row.conditions != conditions:
                made = row.conditions or "an older version"
                raise UsageError(
                    f"{path} has results of {made}; this run has {conditions}. Name another file"
                )

    def add(self, kill: Kill) -> None:
        """Append a result to the file."""
        from harness.selftest.kill_matrix import row_text

        append_to(self.path, row_text(replace(kill, conditions=self.conditions)))


def _run(
    console: Console,
    job: Callable[[Case], Kill],
    cases: list[Case],
    jobs: int,
    saved: _SavedRows | None,
    cluster: str | None,
) -> list[Kill]:
    """Return the result of each case, in order. On a terminal, a bar shows the progress.

    job    checks the bot of one case
    jobs   number of bots at once
    saved  results that are reused; new ones are added to their file
    """
    from rich.progress import track

    done = {} if saved is None else saved.rows
    missing = [case for case in cases if case not in done]
    for kill in track(
        _kills(job, missing, jobs, cluster),
        "checking faulty bots",
        total=len(missing),
        console=console,
        transient=True,
        disable=not console.is_terminal,
    ):
        done[kill.case] = kill
        if saved is not None:
            saved.add(kill)
    return [done[case] for case in cases]


def _kills(job: Callable[[Case], Kill], cases: list[Case], jobs: int, cluster: str | None) -> Iterator[Kill]:
    """Yield each bot's result when it is known, from this machine or a cluster.

    Raises UsageError if the cluster cannot be used.
    """
    from harness.selftest.faulty import in_parallel

    if cluster is None or not cases:
        yield from in_parallel(job, cases, jobs)
        return
    with cluster_workers(cluster, min(jobs, len(cases))) as pool:
        for _, kill in pool.each(job, cases, partial(typer.echo, err=True)):
            yield kill
