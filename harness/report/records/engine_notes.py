"""The notes on an engine that people write: how to get it, and what they confirmed by hand."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
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


def read_notes(text: str) -> EngineNotes:
    """Read the TOML of an engine; "findings" may be left out.

    Raises ValueError for text that is not TOML, and for a key or a value that is missing or wrong.
    """
    data = tomllib.loads(text)
    try:
        findings = tuple(map(_finding, data.pop("findings", [])))
        return EngineNotes(**{key: _text(value).strip() for key, value in data.items()}, findings=findings)
    except TypeError as error:
        raise ValueError(f"a key is missing, unknown or wrong ({error})") from None


def _finding(entry: Mapping[str, Any]) -> Finding:
    """Read one finding. Raises ValueError, or TypeError for a value of another type."""
    if set(entry) != {"checks", "engine", "judged"}:
        raise ValueError(f"a finding has checks, engine and judged: {entry}")
    if not isinstance(entry["checks"], list):
        raise ValueError(f"the checks of a finding are a list of ids: {entry}")
    if entry["judged"] not in JUDGEMENTS:
        raise ValueError(f"{entry['judged']!r} is no judgement: it is one of {', '.join(JUDGEMENTS)}")
    return Finding(tuple(map(_text, entry["checks"])), _text(entry["engine"]), entry["judged"])


def _text(value: object) -> str:
    """Return a value that is text. Raises TypeError for any other value."""
    if not isinstance(value, str):
        raise TypeError(f"{value!r} is not text")
    return value
