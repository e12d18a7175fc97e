"""The tables in which a module collects its commands."""

from __future__ import annotations

from collections.abc import Callable

from refbot.gtp.session import Session
from refbot.gtp.syntax import Arguments

Run = Callable[[Session, Arguments], str]


class Table(dict[str, Run]):
    """Commands by name. `@table.command("name")` enters a function."""

    def command(self, name: str) -> Callable[[Run], Run]:
        """Return a decorator that enters a function into the table, as the command with this name."""

        def enter(run: Run) -> Run:
            self[name] = run
            return run

        return enter
