"""A folder for each failed game: transcripts, stderr, the game so far, a command line that reproduces it."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from harness.files import replaced
from harness.gtp import printable_lines
from harness.match import Store, StoredFailure
from harness.report.match_files import FAILURES_FOLDER
from harness.report.sgf_files import game_text
from harness.report.visible import safe


def write_bundles(store: Store, folder: Path) -> int:
    """Write the bundles that do not exist yet; return how many. Raises OSError."""
    return write_failed(store.failures(), store, folder)


def write_failed(failures: Iterable[StoredFailure], store: Store, folder: Path) -> int:
    """Write the bundles of these failures that do not exist yet; return how many. Raises OSError."""
    written = 0
    for failure in failures:
        bundle = folder / FAILURES_FOLDER / failure.game_id
        if (bundle / "failure.txt").exists():
            continue
        for name, text in (
            ("transcript.txt", failure.transcript),
            ("opponent.txt", failure.other_transcript),
            ("stderr.txt", printable_lines(failure.stderr)),
            ("game.sgf", game_text(store, failure.game_id)),
            ("failure.txt", _summary(failure)),  # last: a bundle with this file is whole
        ):
            with replaced(bundle / name, within=folder) as file:
                file.write(text)
        written += 1
    return written


def _summary(failure: StoredFailure) -> str:
    lines = (
        ("game", failure.game_id),
        ("bot", failure.offender),
        ("reason", failure.reason),
        ("what", failure.detail),
        ("process", failure.exit),
        ("command", failure.command),
        ("by hand", failure.reproduce),
    )
    return "".join(f"{label:<10}{safe(text, kept='')}\n" for label, text in lines)
