"""The entry point of the command `refbot`. An engine with usual options needs no typer, which takes long."""

from __future__ import annotations

import sys


def main() -> None:
    """Runs the command that the arguments of the process name."""
    if sys.argv[1:2] == ["gtp"]:
        from refbot.gtp.start import serve, usual_settings

        settings = usual_settings(sys.argv[2:])
        if settings is not None:
            serve(settings)
    from refbot.cli.app import app

    app(prog_name="refbot")
