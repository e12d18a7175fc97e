"""The notes on an engine that people write: how to get it, and what they confirmed by hand."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any

JUDGEMENTS = {
    "a deviation": "the engine does not do what the draft says",
    "open": "the draft leaves it open, or few controllers would notice",
    "harmless": "the engine takes more than it must",
    "right for its rules": "the rules of the engine allow it",
}
"""By judgement on a finding: its meaning."""


@dataclass(frozen=True)
class Finding:
    """A finding that was confirmed by hand."""

    checks: tuple[str, ...]  # ids of the checks that show it
    engine: str  # a sentence: what the engine does
    judged: str  # a key of JUDGEMENTS


@dataclass(frozen=True)
class EngineNotes:
    """The notes on an engine, or on a client.

    version    the version that the engine reports; empty if it says no more than the commit in `source`
    language   the language in which it is written
    source     where it comes from, and how it was built; Markdown
    command    the command of the check, as the shell takes it; empty for a client
    text       further remarks; Markdown
    """

    name: str
    version: str
    language: str
    source: str
    command: str
    text: str
    findings: tuple[Finding, ...]


TEXTS = tuple(field.name for field in fields(EngineNotes) if field.name != "findings")
"""The keys of the TOML of an engine whose values are text; all are needed."""


def read_notes(text: str) -> EngineNotes:
    """Read the TOML of an engine; "findings" may be left out.

    Raises ValueError for text that is not TOML, and for a key or a value that is missing or wrong.
    """
    data = tomllib.loads(text)
    entries = data.pop("findings", [])
    if not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries):
        raise ValueError("findings are tables [[findings]]")
    _check_keys(data, TEXTS, "the notes")
    texts = {key: _text(key, value).strip() for key, value in data.items()}
    return EngineNotes(**texts, findings=tuple(map(_finding, entries)))


def _finding(entry: Mapping[str, Any]) -> Finding:
    """Read one finding. Raises ValueError."""
    _check_keys(entry, [field.name for field in fields(Finding)], "a finding")
    checks, judged = entry["checks"], _text("judged", entry["judged"])
    if not isinstance(checks, list):
        raise ValueError(f"checks is {checks!r}: expected a list of ids")
    if judged not in JUDGEMENTS:
        raise ValueError(f"judged is {judged!r}: expected one of {', '.join(JUDGEMENTS)}")
    return Finding(
        tuple(_text("checks", check) for check in checks), _text("engine", entry["engine"]), judged
    )


def _check_keys(table: Mapping[str, object], needed: Sequence[str], what: str) -> None:
    """Raise ValueError unless the table has exactly these keys. `what`: the table, in words."""
    missing = [key for key in needed if key not in table]
    unknown = [key for key in table if key not in needed]
    if missing or unknown:
        listed = f"missing: {', '.join(missing) or 'none'}; unknown: {', '.join(unknown) or 'none'}"
        raise ValueError(f"{what} must have the keys {', '.join(needed)} ({listed})")


def _text(key: str, value: object) -> str:
    """Return a value that is text. Raises ValueError for any other value."""
    if not isinstance(value, str):
        raise ValueError(f"{key} has {value!r}: expected text")
    return value
