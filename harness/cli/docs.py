"""`conform docs [PAGE]`: the pages of the documentation, also where there is no checkout."""

from __future__ import annotations

import difflib
from typing import Annotated

import typer

from harness.cli.exits import ExitCode, UsageError
from harness.cli.options import NoColor, console_for


def register(app: typer.Typer) -> None:
    """Add the command to the application."""
    app.command("docs")(docs)


def _names(incomplete: str) -> list[str]:
    from harness.report.pages.documents import pages

    return [name for name in pages() if name.startswith(incomplete)]


def docs(
    page: Annotated[
        str | None,
        typer.Argument(
            metavar="PAGE", help="The page to print: readme, tutorial, ci, …", autocompletion=_names
        ),
    ] = None,
    no_color: NoColor = False,
) -> int:
    """List the pages of the documentation, or print one of them.

    Where the output is no terminal, the page is printed as Markdown.
    """
    from harness.report.pages.documents import page as text_of
    from harness.report.pages.documents import pages

    titles = pages()
    if page is None:
        width = max(map(len, titles))
        for name, title in titles.items():
            typer.echo(f"{name:{width}}  {title}")
        return ExitCode.CONFORMS
    name = page.removeprefix("docs/").removesuffix(".md").lower()
    if name not in titles:
        near = difflib.get_close_matches(name, titles, n=1)
        hint = f"did you mean {near[0]!r}?" if near else "conform docs lists them"
        raise UsageError(f"no page is called {page!r}: {hint}")
    console = console_for(no_color=no_color)
    if console.is_terminal:
        from rich.markdown import Markdown

        console.print(Markdown(text_of(name), hyperlinks=False))
    else:
        typer.echo(text_of(name), nl=False)
    return ExitCode.CONFORMS
