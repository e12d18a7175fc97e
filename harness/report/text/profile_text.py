"""The profile of a bot and the rules by which it was checked, in a line of a report."""

from __future__ import annotations

from dataclasses import asdict

from harness.check.phases.findings import Findings
from harness.check.profile import Profile


def profile_text(findings: Findings) -> str:
    """Return the profile, why it was chosen, and the rules of the checks; empty for a reference bot.

    They need not be the bot's: a rule that its answers do not show is that of the profile.
    """
    if findings.profile is Profile.REFERENCE or findings.unusable:
        return ""
    rules = ", ".join(f"{name} {value}" for name, value in asdict(findings.rules).items())
    reason = ""
    if not findings.profile_named:
        reason = (
            ": it has no ref-nodes and no ref-score. To check it against the whole specification "
            "(conform docs spec), add --profile reference"
        )
    return f"Checked as {findings.profile.description}{reason}. Checked by these rules: {rules}."
