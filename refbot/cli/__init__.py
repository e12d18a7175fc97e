"""The entry point of `refbot`. `refbot gtp` with usual options does not load typer, which is slow."""

from __future__ import annotations

import gc
import sys


def main() -> None:
    """Runs the command that the arguments of the process name."""
    gc.set_threshold(20_000)  # what is loaded stays; by default a tenth of a start looks for garbage in it
    if sys.argv[1:2] == ["gtp"]:
        from refbot.gtp.start import serve, usual_settings

        settings = usual_settings(sys.argv[2:])
        if settings is not None:
            serve(settings)
    from refbot.cli.app import app

    app(prog_name="refbot")
