"""The report of a check reduced to its outcomes, so that docs/engines.md can be made without the engines.

The outcomes are lists of ids by clause, level and outcome, such as
`"superko": {"must": {"pass": ["game.superko.play"], "fail": ["game.superko.genmove"]}}`. No text of the
engine is kept but its name and version.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from harness.report.errors import ReportFileError
from harness.report.records.stored_check import KINDS, CheckedOnce

FORMAT = "conform-engine/1"
"""The format of a record."""
EXPECTED = f"a record that harness.report.files.engines_page wrote ({FORMAT})"
KEPT = ("name", "version", "verdict", "profile", "started", "tool", "budget", "cause")
"""The fields of `CheckedOnce` that a record keeps as they are."""


def as_recorded(checked: CheckedOnce) -> str:
    """Return the record of a check: JSON text."""
    outcomes: dict[str, dict[str, dict[str, list[str]]]] = {}
    for check in checked.checks:
        levels = outcomes.setdefault(check["clause"], {})
        levels.setdefault(check["level"], {}).setdefault(check["outcome"], []).append(check["id"])
    head = [f' "{key}": {json.dumps(value)},\n' for key, value in _head(checked).items()]
    body = ",\n".join(f'  "{clause}": {json.dumps(levels)}' for clause, levels in outcomes.items())
    return "{\n" + "".join(head) + f' "outcomes": {{\n{body}\n }}\n}}\n'


def _head(checked: CheckedOnce) -> dict[str, str]:
    return {"format": FORMAT} | {key: getattr(checked, key) for key in KEPT}


def read_recorded(text: str, source: str) -> CheckedOnce:
    """Read a record. Raises ReportFileError, which names `source`.

    The record has no command and no diagnosis: both are empty.
    """
    try:
        data = json.loads(text)
        if data["format"] != FORMAT:
            raise ReportFileError(source, "it has another format", EXPECTED)
        return CheckedOnce(
            **{key: str(data[key]) for key in KEPT},
            command="",
            checks=_checks(data["outcomes"]),
            diagnosis=(),
        )
    except (KeyError, TypeError, AttributeError, ValueError, RecursionError) as error:
        raise ReportFileError(source, f"a part is missing or wrong ({error})", EXPECTED) from None


def _checks(outcomes: Mapping[str, Mapping[str, Mapping[str, Any]]]) -> tuple[Mapping[str, str], ...]:
    """The checks of a record: id, clause, level and outcome. Raises KeyError for an unknown outcome."""
    found = [
        {"id": str(name), "clause": clause, "level": level, "outcome": outcome}
        for clause, levels in outcomes.items()
        for level, by_outcome in levels.items()
        for outcome, names in by_outcome.items()
        for name in names
    ]
    for check in found:
        KINDS[check["outcome"]]  # raises KeyError for an unknown outcome
    return tuple(found)
