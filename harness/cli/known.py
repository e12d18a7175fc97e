"""`check --known-failures`: what is known to fail, and the verdict against it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from harness.cli.exits import UsageError
from harness.cli.options import read_from

if TYPE_CHECKING:
    from rich.console import Console

    from harness.check.model import Verdict
    from harness.check.phases.findings import Findings


def known_in(path: Path | None) -> frozenset[str] | None:
    """The known failures listed in a file; None without a file. Raises UsageError."""
    from harness.suite.known_failures import read_known
    from harness.suite.registry import UnknownCheckError

    try:
        return None if path is None else read_known(read_from(path))
    except UnknownCheckError as error:
        raise UsageError(f"{path}: {error}") from None


def beyond_known(console: Console, findings: Findings, known: frozenset[str], *, strict: bool) -> Verdict:
    """The verdict against a list of known failures: any surprise refuses the bot."""
    from harness.check.model import Verdict
    from harness.check.verdict import verdict
    from harness.suite.known_failures import surprises, without_known

    found = surprises(findings.results, known, strict=strict)
    for sentence in found.sentences():
        console.print(sentence)
    if found:
        return Verdict.DEVIATES
    beyond = verdict(without_known(findings, known), strict=strict)
    if not findings.unusable:
        open_ = ", but some checks are undecided" if beyond is Verdict.INCONCLUSIVE else ""
        console.print(f"as the list of known failures says{open_}")
    return beyond
