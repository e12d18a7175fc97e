"""Writes the GTP logs of the games of a run, for a run whose config has `logs = "all"`."""

from __future__ import annotations

from pathlib import Path

from harness.arena.config.tables import MatchConfig
from harness.arena.store.store import Store
from harness.files import is_file, replaced
from harness.report.records.run_paths import RunPaths
from harness.report.visible import safe


def write_logs(store: Store, config: MatchConfig, folder: Path) -> None:
    """Write the logs of each game into a file in `folder`/logs, unless it exists. Raises OSError."""
    paths = RunPaths.of(config, store.engine_names())
    for game_id, black, white in store.recorded.logs():
        path = folder / paths.log_file(game_id)
        if is_file(path):
            continue
        game = store.game(game_id)
        with replaced(path, within=folder) as file:
            for colour, name, log in (("Black", game.black, black), ("White", game.white, white)):
                file.write(f"# {colour}: {safe(name)}\n{safe(log, kept=chr(10) + chr(9))}\n")
