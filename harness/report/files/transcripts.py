"""The files of `--transcript`: the wire log of each check, and a shell script for each failure."""

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
    """Write the wire log of each check to `folder`/CHECK.txt. Raises OSError.

    `folder`/CHECK.sh shows a failure again. With several bots, the files are in `folder`/bot-1 and so on.
    """
    for number, found in enumerate(findings, 1):
        target = folder / f"bot-{number}" if len(findings) > 1 else folder
        for result in found.results:
            head = f"# {result.check.id}: {result.outcome}\n# {printable_text(found.command)}\n# {HEAD}\n"
            with replaced(target / f"{result.check.id}.txt", within=folder) as file:
                file.write(head + safe(result.transcript, kept="\n\t") + "\n")
            script = script_of(result)
            if script is not None:
                with replaced(target / script_name(result), within=folder) as file:
                    file.write(safe(script, kept="\n\t"))
