"""Reads TOML for tables of pydantic. A `TomlError` shows the first mistakes, with their lines if known."""

from __future__ import annotations

import difflib
import json
import re
import tomllib
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from harness.files.named import read_named
from refbot.errors import os_reason

KeyPath = tuple[str | int, ...]
"""The path to a value of a config, such as ("engine", 0, "name")."""
MAX_BYTES = 1 << 20
"""Most bytes of a config file. Chosen: real configs have some kilobytes."""
MOST_PARTS = 64
"""Most parts of a dotted key. Chosen: real keys have three; `tomllib` needs memory for the square of them."""
_LONG_KEY = re.compile(  # MOST_PARTS times: a bare or quoted part and a dot
    rf"""(?<![\w-])(?:(?:[\w-]++|"(?:[^"\\\n]|\\.)*+"|'[^'\n]*+')[ \t]*+\.[ \t]*+){{{MOST_PARTS}}}"""
)
MOST_MISTAKES = 20
"""Most mistakes that are shown. Chosen: a screen; a mended file shows the others."""
MOST_FOUND = 1_000
"""Most mistakes that get a text and a line. Chosen: many more than are shown; each takes a millisecond."""
LONGEST_MISTAKE = 1_000
"""Characters of a mistake that are shown. Chosen: more than the longest list of known keys has."""
NEAR = 0.65
"""Least similarity (by difflib) of a suggested name. Chosen: with less, `scorer` would suggest `workers`."""
_TOML_WORDS = {
    "model_type": "should be a table",
    "model_attributes_type": "should be a table",
    "dict_type": "should be a table",
    "tuple_type": "should be an array",
}
"""By pydantic's type of a mistake, the words for somebody who writes TOML."""


@dataclass(frozen=True)
class Mistake:
    """One mistake: its line in the file (None: no single line), its table and key, and what is wrong."""

    line: int | None
    where: str
    what: str

    def __str__(self) -> str:
        text = f"{self.where}: {self.what}" if self.where else self.what
        half = LONGEST_MISTAKE // 2
        return text if len(text) <= LONGEST_MISTAKE else f"{text[:half]} … {text[-half:]}"


BEYOND_PYTHON = Mistake(None, "", "has a number of thousands of digits, or hundreds of nested tables")
"""For values that Python refuses to read or to write."""


class TomlError(Exception):
    """A file cannot be used. The text has a line for each of the first MOST_MISTAKES mistakes.

    It begins with the name of the file, and the line number in it if the mistake has one.
    """

    def __init__(self, source: str, mistakes: Sequence[Mistake]) -> None:
        super().__init__(source, mistakes)
        self.source = source
        self.mistakes = tuple(mistakes)

    def __str__(self) -> str:
        lines = [
            f"{self.source}:{mistake.line}: {mistake}" if mistake.line else f"{self.source}: {mistake}"
            for mistake in self.mistakes[:MOST_MISTAKES]
        ]
        if len(self.mistakes) > MOST_MISTAKES:
            lines.append(f"{self.source}: has more mistakes than these {MOST_MISTAKES}")
        return "\n".join(lines)


def read_toml(path: Path) -> str:
    """Read the text of a file. Raises TomlError."""
    try:
        return read_named(path, MAX_BYTES).decode("utf-8")
    except OSError as error:
        raise TomlError(str(path), [Mistake(None, "", f"cannot be read: {os_reason(error)}")]) from None
    except UnicodeDecodeError:
        raise TomlError(str(path), [Mistake(None, "", "is not a text file in UTF-8")]) from None


def parse_toml(text: str, source: str) -> dict[str, Any]:
    """Parse TOML into a dictionary of tables and keys. Raises TomlError; `source` names the file in it."""
    if long := _LONG_KEY.search(text):
        line = text.count("\n", 0, long.start()) + 1
        raise TomlError(source, [Mistake(line, "", f"has a key of more than {MOST_PARTS} parts")])
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        place = re.search(r"at line (\d+)", str(error))
        what = re.sub(r" \(at .*\)", "", str(error))
        mistake = Mistake(int(place[1]) if place else None, "", f"is not TOML: {what[0].lower()}{what[1:]}")
        raise TomlError(source, [mistake]) from None
    except (ValueError, RecursionError):
        raise TomlError(source, [BEYOND_PYTHON]) from None


def as_json(data: Mapping[str, Any], source: str) -> bytes:
    """Return the data as JSON, since pydantic accepts arrays, which TOML has, for tuples from JSON only.

    Raises TomlError.
    """
    try:
        return json.dumps(data, default=str, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        raise TomlError(source, [Mistake(None, "", "has text that is not UTF-8")]) from None
    except (ValueError, RecursionError):
        raise TomlError(source, [BEYOND_PYTHON]) from None


def in_words(entry: Any) -> str:
    """Describe a mistake that pydantic has found, other than an unknown or a missing key, in plain words."""
    kind, given = entry["type"], entry.get("input")
    message = str(entry["msg"]).removeprefix("Value error, ").removeprefix("Input ")
    message = _TOML_WORDS.get(kind, message)
    message = message.replace("True or False", "true or false")  # as TOML writes them
    if kind == "too_long" and isinstance(given, list):
        return f"are {len(given)}; at most {entry['ctx']['max_length']} are allowed"
    shown = "" if isinstance(given, (dict, list)) else f", not {_shown(given)}"
    near = ""
    if kind == "literal_error":
        near = _similar(str(given), re.findall(r"'([^']*)'", message), "; did you mean")
    return message + shown + near


def _shown(given: object) -> str:
    """A value as TOML writes it."""
    return str(given).lower() if isinstance(given, bool) else repr(given)


def nearest(word: str, known: Collection[str]) -> str:
    """Return a hint about an unknown word: ": did you mean 'komi'?", or " (known: size, komi)".

    It has the most similar of the known names, or all of them if none is similar.
    """
    return _similar(word, known, ": did you mean") or f" (known: {', '.join(known)})"


def _similar(word: str, known: Collection[str], intro: str) -> str:
    """Return a hint with the most similar of the known names; empty if none is similar."""
    near = difflib.get_close_matches(word.lower(), known, n=1, cutoff=NEAR)
    return f"{intro} {near[0]!r}?" if near else ""


class Lines:
    """The line numbers of the tables and keys in a TOML text. Keys of inline tables are not found.

    `arrays`: names of the arrays of tables, such as "engine" for [[engine]]. The path to the key `name` in
    the second [[engine]] is ("engine", 1, "name").
    """

    def __init__(self, text: str, *arrays: str) -> None:
        self._of: dict[KeyPath, int] = {}
        table: KeyPath = ()
        counts: Counter[str | int] = Counter()
        for number, line in enumerate(text.split("\n"), 1):  # `splitlines` knows ends that TOML has not
            if header := re.match(r"\s*\[\[?\s*([\w.-]+)\s*\]", line):
                names: list[str | int] = list(header[1].split("."))
                is_array = names[0] in arrays
                counts[names[0]] += is_array and len(names) == 1
                if is_array:
                    names.insert(1, counts[names[0]] - 1)
                table = tuple(names)
                self._of.setdefault(table, number)
            elif key := re.match(r"\s*\"?([\w-]+)\"?\s*[=.]", line):
                self._of.setdefault((*table, key[1]), number)

    def find(self, path: KeyPath) -> int | None:
        """Return the line of the value at `path`, or of the table that should have it; None without one."""
        while path:
            if path in self._of:
                return self._of[path]
            path = path[:-1]
        return None
