"""Writes values and keys as TOML, for the configs that conform writes."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any


def toml_value(value: Any) -> str:
    """A value as TOML: true for True, ["a", 2] for a list, { size = 9 } for a mapping."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return toml_text(value)
    if isinstance(value, Mapping):
        inner = ", ".join(f"{toml_key(key)} = {toml_value(own)}" for key, own in value.items())
        return f"{{ {inner} }}" if inner else "{}"
    if isinstance(value, Sequence):
        return f"[{', '.join(map(toml_value, value))}]"
    return repr(value)


def toml_text(text: str) -> str:
    """A text as a TOML string, in quotes: as in JSON, but TOML wants the character DEL escaped too."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def toml_key(key: str) -> str:
    """A key as TOML, in quotes if it needs them: komi, or "my bot"."""
    return key if re.fullmatch(r"[A-Za-z0-9_-]+", key) else toml_text(key)
