"""Relative paths in a config file: those that do not exist here are looked for beside the file."""

from __future__ import annotations

import glob
import os
from pathlib import Path

from harness.arena.config.tables import MatchConfig, SgfOpenings


def with_paths_beside(config: MatchConfig, file: Path) -> MatchConfig:
    """The config with each `cwd` and file of openings that is found beside `file` only."""
    folder = Path(os.path.abspath(file)).parent
    engines = tuple(
        engine if engine.cwd is None else engine.model_copy(update={"cwd": _found(engine.cwd, folder)})
        for engine in config.engine
    )
    run = config.run
    if isinstance(run.openings, SgfOpenings):
        files = tuple(_found(pattern, folder) for pattern in run.openings.files)
        run = run.model_copy(update={"openings": run.openings.model_copy(update={"files": files})})
    if (engines, run) == (config.engine, config.run):
        return config
    return config.model_copy(update={"engine": engines, "run": run})


def _found(pattern: str, folder: Path) -> str:
    """A path or wildcard as it is, or that of `folder` if only there something matches."""
    beside = folder / os.path.expanduser(pattern)
    try:
        here = glob.glob(os.path.expanduser(pattern), recursive=True)
        return pattern if here or not glob.glob(str(beside), recursive=True) else str(beside)
    except (OSError, ValueError):  # a NUL, or too long: opening it reports that
        return pattern
