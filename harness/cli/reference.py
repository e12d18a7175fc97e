"""Commands that print or write parts of conform itself: checks, explain, vectors, spec, docs, init.

Each function with a public name is the command of this name; typer reads its parameters.
"""

from __future__ import annotations

import difflib
import shlex
from collections.abc import Collection, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from harness.cli.exits import ExitCode, UsageError, usage_errors_of_checks
from harness.cli.options import NoColor, Patterns, console_for, names_of_checks
from harness.cli.printing import say
from harness.files import os_reason, replaced

if TYPE_CHECKING:
    from harness.check.model import Check

PROTOCOL = "gtp"
"""The clause whose text is a whole page."""

EXAMPLE = "quick.toml"
"""The example config that `init` recommends for a first match."""


def checks(patterns: Patterns = None) -> int:
    """List the checks: id, level, clause, what is required."""
    for check in _select_checks(patterns):
        typer.echo(f"{check.id:<34} {check.level.upper():<7} {check.clause:<18} {check.title}")
    return ExitCode.CONFORMS


def _complete_explained(incomplete: str) -> list[str]:
    from refbot.deviations.faults import FAULTS

    return [*names_of_checks(incomplete), *(name for name in FAULTS if name.startswith(incomplete))]


def explain(
    check_id: Annotated[
        str,
        typer.Argument(
            metavar="ID",
            help="A check, a glob, a clause, or a known fault.",
            autocompletion=_complete_explained,
        ),
    ],
    board: Annotated[
        bool, typer.Option("--board", help="Also list the expected playouts, move by move.")
    ] = False,
    gtp: Annotated[
        bool, typer.Option("--gtp", help="Print only the lines that the check sends: pipe them into a bot.")
    ] = False,
    seed: Annotated[
        int, typer.Option(help="Seed of the check: it selects how dialogues are turned or mirrored.")
    ] = 1,
) -> int:
    """Explain checks, a clause, or a known fault."""
    from harness.check.clauses import CLAUSES
    from harness.report.text.explain import clause_explanation, explanation, fault_explanation
    from refbot.deviations.faults import FAULTS

    chosen = _find_checks(check_id)
    if gtp:
        typer.echo(_gtp_lines(chosen, seed), nl=False)
    elif check_id in FAULTS and not board:
        typer.echo(fault_explanation(FAULTS[check_id], chosen))
    elif check_id in CLAUSES and not board:
        typer.echo(clause_explanation(CLAUSES[check_id], chosen))
    else:
        typer.echo("\n\n".join(explanation(check, playouts=board) for check in chosen))
    return ExitCode.CONFORMS


def vectors(
    patterns: Patterns = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the vectors as JSON.")] = False,
    show_schema: Annotated[bool, typer.Option("--schema", help="Print the JSON schema of --json.")] = False,
) -> int:
    """Print positions with exact values, for unit tests.

    Each has the game, the moves that are allowed, lengths and results of playouts with their probabilities,
    and the values of the records (AMAF). Without --json, each position is one line.
    """
    from harness.report.files import vectors as report
    from harness.suite.vectors import move_vectors, search_vectors

    if show_schema:
        typer.echo(report.schema_text(), nl=False)
        return ExitCode.CONFORMS
    chosen = _select_checks(patterns)
    moves, searches = list(move_vectors(chosen)), list(search_vectors(chosen))
    if not moves and not searches:
        raise UsageError(
            "none of these checks has a position with exact values; conform vectors prints those that have"
        )
    if as_json:
        typer.echo(report.as_json(moves, searches), nl=False)
    else:
        for line in report.summary(moves, searches):
            typer.echo(line)
    return ExitCode.CONFORMS


def _complete_clause(incomplete: str) -> list[str]:
    from harness.check.clauses import CLAUSES
    from harness.gtp.commands import COMMANDS

    return [name for name in dict.fromkeys([*CLAUSES, *COMMANDS]) if name.startswith(incomplete)]


def _complete_command(incomplete: str) -> list[str]:
    from harness.gtp.commands import COMMANDS

    return [name for name in COMMANDS if name.startswith(incomplete)]


def spec(
    clause: Annotated[
        str | None,
        typer.Argument(
            metavar="CLAUSE",
            help="A clause, gtp (the protocol and its extensions), or a command of GTP.",
            autocompletion=_complete_clause,
        ),
    ] = None,
    command: Annotated[
        str | None,
        typer.Argument(
            metavar="COMMAND",
            help="After gtp: only this command, where a clause has the same name (komi).",
            autocompletion=_complete_command,
        ),
    ] = None,
) -> int:
    """Print the specification, a clause, or a command of GTP.

    conform spec gtp prints the whole protocol with its common extensions.
    """
    from harness.check.clauses import CLAUSES
    from harness.report.pages.documents import protocol, section, specification
    from harness.report.pages.printed import printed

    page = PROTOCOL
    if clause is None:
        page, text = "spec", specification()
    elif command is not None:
        if clause != PROTOCOL:
            wanted = clause if command == PROTOCOL else command
            raise UsageError(f"a command belongs to the protocol: conform spec {PROTOCOL} {wanted}")
        text = _about_command(command, clauses=())
    elif clause == PROTOCOL:
        text = protocol()
    elif clause in CLAUSES:
        page, text = CLAUSES[clause].page, section(clause)
    else:
        text = _about_command(clause, clauses=CLAUSES)
    typer.echo(printed(text, page), nl=False)
    return ExitCode.CONFORMS


def _about_command(name: str, clauses: Collection[str]) -> str:
    """Return the text of docs/gtp.md about a command. Raises UsageError, which suggests the nearest name.

    clauses   names that the user may have meant too
    """
    from harness.gtp.commands import COMMANDS
    from harness.report.pages.command_text import command_text

    if text := command_text(name):
        return text
    others = [*clauses, *COMMANDS]
    hint = _did_you_mean(name, others) or "conform spec gtp lists the commands"
    if clauses:
        raise UsageError(f"no clause and no command of GTP is called {name!r}; {hint}")
    raise UsageError(f"no command of GTP is called {name!r}; {hint}")


def _complete_page(incomplete: str) -> list[str]:
    from harness.report.pages.documents import pages

    return [name for name in pages() if name.startswith(incomplete)]


def docs(
    page: Annotated[
        str | None,
        typer.Argument(
            metavar="PAGE", help="The page to print: readme, tutorial, ci, …", autocompletion=_complete_page
        ),
    ] = None,
    no_color: NoColor = False,
) -> int:
    """List the pages of the documentation, or print one of them.

    If the output is not a terminal, the page is printed as Markdown.
    """
    from harness.report.pages.documents import page as text_of
    from harness.report.pages.documents import pages
    from harness.report.pages.printed import printed

    titles = pages()
    if page is None:
        width = max(map(len, titles))
        for name, title in titles.items():
            typer.echo(f"{name:{width}}  {title}")
        return ExitCode.CONFORMS
    name = page.removeprefix("docs/").removesuffix(".md").lower()
    if name not in titles:
        hint = _did_you_mean(name, titles) or "conform docs lists them"
        raise UsageError(f"no page is called {page!r}: {hint}")
    console, text = console_for(no_color=no_color), printed(text_of(name), name)
    if console.is_terminal:
        from rich.markdown import Markdown

        console.print(Markdown(text, hyperlinks=False))
    else:
        typer.echo(text, nl=False)
    return ExitCode.CONFORMS


def init(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="Folder to write into.")] = Path("configs"),
    force: Annotated[bool, typer.Option("--force", help="Overwrite existing files.")] = False,
    bot: Annotated[
        str | None,
        typer.Option(metavar="BOT", help="Write conform.toml here, for this bot: its settings for check."),
    ] = None,
    control_file: Annotated[
        Path | None,
        typer.Option("--from", metavar="FILE", help="Write the config of a gomill control file (*.ctl)."),
    ] = None,
    command_line: Annotated[
        str | None,
        typer.Option(
            "--from-cutechess", metavar="LINE", help="Write the config of a cutechess-cli or fastchess line."
        ),
    ] = None,
) -> int:
    """Write commented configs, or the settings of a project.

    Configs: quick, nightly and gauntlet, and in the folder seeds the matches of the published experiments.
    With --from or --from-cutechess: the match of another program as a config; nothing of it is executed.
    With --bot: the bot is asked who it is, and conform.toml makes it the bot of `conform check`.
    """
    from harness.arena.config.examples import example_names, example_text
    from harness.cli.import_match import import_command, import_control
    from harness.cli.init_project import init_project

    if control_file is not None and command_line is not None:
        raise UsageError("--from and --from-cutechess are two sources: give one of them")
    if control_file is not None:
        return import_control(control_file, folder, force=force)
    if command_line is not None:
        return import_command(command_line, folder, force=force)
    if bot is not None:
        return init_project(bot, force=force)

    written = False
    for name in example_names():
        target = folder / name
        if target.exists() and not force:
            say(f"{target} exists and was left unchanged (--force overwrites it)")
            continue
        try:
            with replaced(target) as file:
                file.write(example_text(name))
        except OSError as error:
            raise UsageError(f"cannot write {target}: {os_reason(error)}") from None
        written = True
        say(f"wrote {target}")
    if written:
        play = f"conform match {shlex.quote(str(folder / EXAMPLE))}"
        say(f"next: put the command of your bot into {folder / EXAMPLE}, then run: {play}")
    return ExitCode.CONFORMS


def _find_checks(name: str) -> Sequence[Check]:
    """Return the checks that a name means: a check, a glob, a clause, or a fault. Raises UsageError.

    A fault means the checks that catch it. For example "superko", "game.superko.*" or "ko-none".
    """
    from harness.check.clauses import CLAUSES
    from harness.diagnosis.effects import checks_that_catch
    from harness.suite.registry import UnknownCheckError, find, select
    from refbot.deviations.faults import FAULTS

    if name in FAULTS:
        return checks_that_catch(name)
    with usage_errors_of_checks():
        try:
            return select((name,)) if name in CLAUSES else find(name)
        except UnknownCheckError:
            if hint := _did_you_mean(name, FAULTS, cutoff=0.8):
                raise UsageError(f"no check and no fault is called {name!r}: {hint}") from None
            raise


def _select_checks(patterns: Sequence[str] | None) -> Sequence[Check]:
    """The checks that match a pattern, or all checks without patterns. Raises UsageError."""
    from harness.suite.registry import select

    with usage_errors_of_checks():
        return select(patterns or ())


def _did_you_mean(name: str, names: Iterable[str], cutoff: float = 0.6) -> str:
    """A hint with the most similar of `names`; empty if none has a similarity of at least `cutoff`."""
    near = difflib.get_close_matches(name, names, n=1, cutoff=cutoff)
    return f"did you mean {near[0]!r}?" if near else ""


def _gtp_lines(chosen: Sequence[Check], seed: int) -> bytes:
    """The GTP lines that one check sends, then `quit`. Raises UsageError."""
    from harness.report.text.by_hand import QUIT, lines_of

    if len(chosen) != 1:
        raise UsageError(f"--gtp prints the lines of one check, but {len(chosen)} match: give a whole id")
    lines = lines_of(chosen[0], seed)
    if lines is None:
        raise UsageError(
            f"the lines of {chosen[0].id} depend on the answers of the bot: "
            "conform check --transcript DIR writes them"
        )
    return b"".join((*lines, QUIT))
