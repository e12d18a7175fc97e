"""`Imported`: the settings of another match program as a match config, and what could not be kept."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from harness.arena.config.tables import MAX_NAME
from harness.files.toml_text import toml_value


class ImportSettingsError(ValueError):
    """Settings that cannot be read. The text says where and why, for a user."""


@dataclass
class Imported:
    """The tables of a match config, in the order of the file, and notes.

    source        where the settings come from: the name of a file, or "a command line of cutechess-cli"
    description   of the match, in the words of its author
    notes         sentences about settings that are not kept, or kept in another way
    """

    source: str
    description: str = ""
    run: dict[str, Any] = field(default_factory=dict)
    judge: dict[str, Any] = field(default_factory=dict)
    engines: list[dict[str, Any]] = field(default_factory=list)
    pairs: list[dict[str, Any]] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def note(self, sentence: str) -> None:
        """Add a note, unless it is there."""
        if sentence not in self.notes:
            self.notes.append(sentence)

    def as_toml(self) -> str:
        """Return the text of the match config: source, description and notes as comments, then the tables."""
        return "\n".join(self._lines())

    def _lines(self) -> Iterator[str]:
        """Yield the lines of the config: comments, then the tables."""
        yield f"# Written by conform init from {one_line(self.source)}."
        if self.description:
            yield "#"
            yield from (f"# {one_line(line)}".rstrip() for line in self.description.strip().splitlines())
        if self.notes:
            yield "#"
            yield "# Not kept, or kept in another way:"
            yield from (f"# - {one_line(note)}" for note in self.notes)
        for name, table in (("[run]", self.run), ("[judge]", self.judge)):
            if table:
                yield from _table(name, table)
        for name, tables in (("[[engine]]", self.engines), ("[[pair]]", self.pairs)):
            for table in tables:
                yield from _table(name, table)
        yield ""


def _table(name: str, table: Mapping[str, Any]) -> Iterator[str]:
    yield ""
    yield name
    for key, value in table.items():
        yield f"{key} = {toml_value(value)}"


def one_line(text: str) -> str:
    """Return a text for a comment: on one line, without control characters."""
    return " ".join("".join(char if char.isprintable() else " " for char in text).split())


def run_name(stem: str) -> str:
    """Return a name for a run, from the name of a file: at most MAX_NAME characters, without slashes.

    `match` if nothing is left of it.
    """
    name = "".join(char if char.isprintable() and char not in "/\\" else "-" for char in stem)
    return name.strip(". ")[:MAX_NAME] or "match"


def engine_name(text: str, taken: Collection[str]) -> str:
    """Return a name for an engine that is not `taken`: `text` on one line and cut, if needed with a number.

    For example `text-2` if `text` is taken. `engine` stands for an empty text.
    """
    name = one_line(text)[: MAX_NAME - 4].strip() or "engine"
    number, free = 2, name
    while free in taken:
        free, number = f"{name}-{number}", number + 1
    return free
