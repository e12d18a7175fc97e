"""The bundle of a failed game: a folder with transcripts, stderr, the game, and a command to reproduce it."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from harness.arena.judge.failure_hint import hint_of
from harness.arena.store.rows import StoredFailure
from harness.arena.store.store import Store
from harness.files import is_file, replaced
from harness.gtp import printable_lines
from harness.report.files.format_sgf import Records
from harness.report.records.run_paths import RunPaths
from harness.report.visible import safe


def write_bundles(failures: Iterable[StoredFailure], store: Store, folder: Path) -> None:
    """Write the bundle of each failure into `folder`/failures, unless it exists. Raises OSError."""
    config = store.config()
    paths = RunPaths() if config is None else RunPaths.of(config, store.engine_names())
    records: Records | None = None
    for failure in failures:
        bundle = folder / paths.failure_folder(failure.game_id)
        if is_file(bundle / "failure.txt"):
            continue
        records = records or Records(store)
        for name, text in (
            ("transcript.txt", failure.transcript),
            ("opponent.txt", failure.other_transcript),
            ("stderr.txt", printable_lines(failure.stderr)),
            ("game.sgf", records.text(store.game(failure.game_id))),
            (
                "failure.txt",
                _summary(failure, hint_of(failure, config) if config is not None else ""),
            ),  # last: a bundle with this file is whole
        ):
            with replaced(bundle / name, within=folder) as file:
                file.write(text)


def _summary(failure: StoredFailure, hint: str) -> str:
    lines = (
        ("game", failure.game_id),
        ("bot", failure.offender),
        ("reason", failure.reason),
        ("what", failure.detail),
        ("hint", hint),
        ("process", failure.exit),
        ("command", failure.command),
        ("by hand", failure.reproduce),
    )
    return "".join(f"{label:<10}{safe(text, kept='')}\n" for label, text in lines if text or label != "hint")
