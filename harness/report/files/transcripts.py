"""The wire log of every check as a file: exact bytes, escaped and timed."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from harness.check.phases.findings import Findings
from harness.files import replaced
from harness.gtp import printable_text
from harness.report.text.by_hand import script_name, script_of
from harness.report.visible import safe

HEAD = (
    "seconds to the answer; > sent, < received, # how it ended; other bytes than printable ASCII are escaped"
)


def write_transcripts(folder: Path, findings: Sequence[Findings]) -> None:
    """One file a check, `folder/CHECK.txt`; with several bots in `folder/bot-1` and so on. Raises OSError.

    Each failure has a shell script beside it that shows it again, `folder/CHECK.sh`.
    """
    for number, found in enumerate(findings, 1):
        place = folder / f"bot-{number}" if len(findings) > 1 else folder
        for result in found.results:
            head = f"# {result.check.id}: {result.outcome}\n# {printable_text(found.command)}\n# {HEAD}\n"
            with replaced(place / f"{result.check.id}.txt", within=folder) as file:
                file.write(head + safe(result.transcript, kept="\n\t") + "\n")
            script = script_of(result)
            if script is not None:
                with replaced(place / script_name(result), within=folder) as file:
                    file.write(safe(script, kept="\n\t"))
