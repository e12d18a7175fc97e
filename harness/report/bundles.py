"""A folder for each failed game: what was said, stderr, the game so far, how to see it again by hand."""

from __future__ import annotations

from pathlib import Path

from harness.gtp import printable_lines
from harness.match import Store
from harness.report.match_files import FAILURES_FOLDER, replaced
from harness.report.sgf_files import game_text

_QUERY = """
    SELECT game_id, failure.offender, reason, detail, command, exit, reproduce, transcript, other_transcript,
        stderr
    FROM failure JOIN game ON game.id = failure.game ORDER BY number, pair"""


def write_bundles(store: Store, folder: Path) -> int:
    """The bundles that are not there yet; how many were written. Raises OSError."""
    written = 0
    for game_id, offender, reason, detail, command, ended, again, said, other, stderr in store.each(_QUERY):
        bundle = folder / FAILURES_FOLDER / game_id
        if (bundle / "failure.txt").exists():
            continue
        summary = (
            f"game      {game_id}\nbot       {printable_lines(offender.encode())}\nreason    {reason}\n"
            f"what      {detail}\nprocess   {ended}\ncommand   {command}\nby hand   {again}\n"
        )
        for name, text in (
            ("transcript.txt", said),
            ("opponent.txt", other),
            ("stderr.txt", printable_lines(stderr)),
            ("game.sgf", game_text(store, game_id)),
            ("failure.txt", summary),  # last: its presence says that the bundle is whole
        ):
            with replaced(bundle / name) as file:
                file.write(text)
        written += 1
    return written
