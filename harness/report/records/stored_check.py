"""Reads stored reports of checks (format `conform-check/1`), for pages that list them.

A report may come from anybody: one with a missing key, an unknown outcome or an unknown verdict is refused.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from harness.check.clauses import CLAUSES
from harness.report.check_format import FORMAT
from harness.report.errors import ReportFileError
from harness.report.signs import VERDICT_SIGNS

KINDS = {
    "pass": "pass",
    "fail": "fail",
    "crash": "fail",
    "timeout": "fail",
    "inconclusive": "open",
    "error": "open",
    "skip": "skip",
}
"""By outcome of the format (where a blocked check is skipped): its kind, which is also a CSS class."""

CHECK_KEYS = ("id", "clause", "level", "outcome", "title", "expected", "observed")
"""The keys of a check that are read from a report."""

GRAVITY = ("fail", "open", "pass", "skip")
"""The kinds, the gravest first."""


@dataclass(frozen=True)
class CheckedOnce:
    """The result of one bot, from a stored report or from a record (see `recorded_check`)."""

    name: str
    version: str
    command: str
    verdict: str
    started: str  # ISO 8601
    budget: str  # the value of --budget
    tool: str  # version of conform
    checks: tuple[Mapping[str, Any], ...]  # with CHECK_KEYS; from a record id, clause, level and outcome only
    diagnosis: tuple[Mapping[str, Any], ...]  # the likely faults: `fault` and `probability`
    profile: str = "reference"  # the value of --profile, or the profile that was found
    cause: str = ""  # id of the check that shows the first cause; empty without one

    @property
    def failing(self) -> list[Mapping[str, Any]]:
        """The MUST checks that failed."""
        return self.failing_at("must")

    def failing_at(self, level: str) -> list[Mapping[str, Any]]:
        """Return the checks of a level that failed."""
        return [
            check for check in self.checks if check["level"] == level and KINDS[check["outcome"]] == "fail"
        ]

    @property
    def clauses(self) -> dict[str, tuple[str, Counter[str]]]:
        """By clause with MUST checks: the gravest kind among them, and the number of them of each kind."""
        counts: dict[str, Counter[str]] = {}
        for check in self.checks:
            if check["level"] == "must":
                counts.setdefault(check["clause"], Counter())[KINDS[check["outcome"]]] += 1
        names = [*(clause for clause in CLAUSES if clause in counts), *sorted(set(counts) - set(CLAUSES))]
        return {
            clause: (next(kind for kind in GRAVITY if counts[clause][kind]), counts[clause])
            for clause in names
        }


def read_report(text: str, source: str) -> list[CheckedOnce]:
    """The bots of a report, given as JSON. Raises ReportFileError, which names `source`."""
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):  # RecursionError: nested too deeply
        raise ReportFileError(source, "it is no JSON") from None
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise ReportFileError(source, "it has another format")
    try:
        return [_checked(bot, data) for bot in data["bots"]]
    except (KeyError, TypeError, AttributeError, ValueError, OverflowError) as error:
        raise ReportFileError(source, f"a part is missing or wrong ({error})") from None


def _checked(bot: Mapping[str, Any], data: Mapping[str, Any]) -> CheckedOnce:
    """Read one bot. Raises KeyError, TypeError, AttributeError, ValueError, or OverflowError for 10**400."""
    checks = tuple({key: str(check[key]) for key in CHECK_KEYS} for check in bot["checks"])
    for check in checks:
        KINDS[check["outcome"]]  # raises KeyError for an unknown outcome
    VERDICT_SIGNS[bot["verdict"]]  # raises KeyError for an unknown verdict
    return CheckedOnce(
        **{key: str(bot[key]) for key in ("name", "version", "command", "verdict")},
        **{key: str(data[key]) for key in ("started", "budget")},
        tool=str(data["tool"]["version"]),
        checks=checks,
        diagnosis=tuple(
            {"fault": str(item["fault"]), "probability": _probability(item["probability"])}
            for item in bot["diagnosis"]
        ),
        profile=str(bot.get("profile", "reference")),  # reports of older versions have none
        cause=next((str(cause["evidence"]) for cause in bot.get("causes", ())), ""),
    )


def _probability(value: Any) -> float:
    """Return a value as a probability. Raises TypeError, OverflowError, and ValueError if it is none."""
    probability = float(value)
    if not 0.0 <= probability <= 1.0:  # not a number, too
        raise ValueError(f"{value!r} is no probability")
    return probability
