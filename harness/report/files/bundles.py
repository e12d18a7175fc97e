"""The bundle of a failed game: a folder with transcripts, stderr, the game, and a command to reproduce it."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from harness.arena.config.tables import MatchConfig
from harness.arena.judge.failure_hint import hint_of
from harness.arena.store.rows import StoredFailure
from harness.arena.store.store import Store
from harness.files import is_file, replaced
from harness.gtp import printable_lines
from harness.report.files.format_sgf import Records
from harness.report.visible import safe


def write_bundles(failures: Iterable[StoredFailure], store: Store, config: MatchConfig, folder: Path) -> None:
    """Write the bundle of each failure into `folder`/failures, unless it exists. Raises OSError."""
    records: Records | None = None  # a live update has mostly no failures, and then reads nothing
    for failure in failures:
        records = records or Records(store, config)
        bundle = folder / records.paths.failure_folder(failure.game_id)
        if is_file(bundle / "failure.txt"):
            continue
        for name, text in (
            ("transcript.txt", failure.transcript),
            ("opponent.txt", failure.other_transcript),
            ("stderr.txt", printable_lines(failure.stderr)),
            ("game.sgf", records.text(store.game(failure.game_id))),
            ("failure.txt", _summary(failure, hint_of(failure, config))),  # last: the bundle is then whole
        ):
            with replaced(bundle / name, within=folder) as file:
                file.write(text)


def _summary(failure: StoredFailure, hint: str) -> str:
    """The text of `failure.txt`: a label and a fact on each line."""
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
