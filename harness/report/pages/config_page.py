"""Writes `docs/config.md` from the models of the match config: each key, its values, default and meaning.

python -m harness.report.pages.config_page > docs/config.md
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping
from typing import Any

from pydantic import BaseModel

from harness.arena.config.clock import Byoyomi
from harness.arena.config.judging import QUESTIONS
from harness.arena.config.opening_tables import RandomOpenings, SgfOpenings
from harness.arena.config.pair_tables import PairTable
from harness.arena.config.scoring import PRESETS, SCORERS, RulesTable
from harness.arena.config.tables import EngineTable, ReportTable, RunTable, ScheduleTable

HEAD = """# Config of a match

<!-- Written by `make docs` from the models of the config; do not edit. -->

The TOML file that `conform match` and `conform schedule` read, key by key. A time is a number of seconds, or
a duration such as `"90"`, `"2m"`, `"1h"`. A key or a value that is not allowed ends the command with a line
that says what is. [operations.md](operations.md) explains how matches run; `configs/` has examples.
"""

TABLES: Mapping[str, type[BaseModel]] = {
    "[run]": RunTable,
    "[[engine]]": EngineTable,
    "[[pair]]": PairTable,
    "[schedule]": ScheduleTable,
    "[report]": ReportTable,
}
OPENINGS: Mapping[str, type[BaseModel]] = {"random": RandomOpenings, "sgf": SgfOpenings}
TYPES = {"integer": "a whole number", "number": "a number", "string": "a text", "boolean": "true or false"}
MOST_SHOWN = 10**9
"""Largest bound of a number that is shown. Chosen: larger ones are those of 64 bits, which nobody reaches."""
HOOK = "a command line, or a webhook of this machine"
DESCRIBED = {
    "openings": '`"none"`, `"random"`, or a table',
    "rules": "a name, or a table",
    "referee": "a name",
    "timeout": "a time",
    "main_time": "a time",
    "increment": "a time",
    "byoyomi": "a table",
    "time": "a time",
    "quit": "a time",
    "inherit_env": "true, false or a list of texts",
    "args": "a list of texts",
    "skip": "a list of pairs of names",
    "gtp": "a list of texts",
    "gtp_game": "a list of texts",
    "startup": "a time",
    "audit": '`"auto"`, `"all"`, `"off"` or a whole number',
    "files": "a list of texts",
    "env": "a table of texts",
    "on_change": HOOK,
    "on_failure": HOOK,
    "on_missed": HOOK,
}
"""By key whose schema does not describe its values well: their description."""


def page() -> str:
    """The whole page, in Markdown."""
    sections: list[str] = []
    for name, table in TABLES.items():
        sections += [f"## `{name}`", "", *_table(table)]
    byoyomi = ["## `byoyomi`", "", "Of `[run]` and `[[engine]]`: a table with `stones` or `periods`.", ""]
    byoyomi += _table(Byoyomi)
    sections += [*byoyomi, *_rules(), *_scorers(), *_openings(), *_questions()]
    return "\n".join([HEAD, *sections])


def _rules() -> Iterator[str]:
    """The section about `rules`, with the named rule sets."""
    yield from (
        "## `rules`",
        "",
        "Of `[run]`: one of these names, or a table such as",
        '`{ ko = "simple", suicide = true }`.',
        "",
    )
    yield from ("| name | ko | suicide | counting |", "|---|---|---|---|")
    for name, rules in PRESETS.items():
        suicide = "two or more stones" if rules.suicide else "illegal"
        yield f"| `{name}` | {rules.ko} | {suicide} | {rules.counting} |"
    yield from ("", *_table(RulesTable))


def _scorers() -> Iterator[str]:
    """The section about `scorer`."""
    yield from (
        "## `scorer`",
        "",
        "Of `[run]`: who scores a game.",
        "",
        "| scorer | the result is |",
        "|---|---|",
    )
    for scorer, meaning in SCORERS.items():
        yield f"| `{scorer}` | {meaning} |"
    yield ""


def _openings() -> Iterator[str]:
    """The section about `openings`."""
    yield from (
        "## `openings`",
        "",
        'Of `[run]`: `"none"` is the empty board; `"random"`, or a table `{ kind = "random", … }`; or a',
        'table `{ kind = "sgf", … }`. Each opening is played twice, with colours exchanged.',
        "",
    )
    yield from _kinds(OPENINGS)


def _questions() -> Iterator[str]:
    """The section about `[judge]`."""
    yield from (
        "## `[judge]`",
        "",
        "The question that the match answers about each pair of engines. The first engine of a pair is the",
        'one that comes first in the config. `judge = "stronger"` before the first table is short for one',
        "with this `kind` alone. [statistics.md](statistics.md) has the formulas and the error rates.",
        "",
    )
    yield from _kinds(QUESTIONS, default="parity")


def _kinds(tables: Mapping[str, type[BaseModel]], default: str = "") -> Iterator[str]:
    """The keys of the tables that a `kind` chooses among. `default`: the kind without this key, if any."""
    for kind, table in tables.items():
        shown = " (the default)" if kind == default else ""
        yield from (f'With `kind = "{kind}"`{shown}:', "", *_table(table))


def _table(table: type[BaseModel]) -> Iterator[str]:
    """The keys of a table of the config as Markdown: key, values, default, meaning."""
    yield from ("| key | value | default | meaning |", "|---|---|---|---|")
    schemas = table.model_json_schema()["properties"]
    for key, field in table.model_fields.items():
        if key == "kind":
            continue
        value = DESCRIBED.get(key) or _value(schemas[key])
        default = "needed" if field.is_required() else _default(field.default)
        yield f"| `{key}` | {value} | {default} | {field.description} |"
    yield ""


def _value(schema: Mapping[str, Any]) -> str:
    """Describe the values that a schema allows; of several types, those of the first."""
    if "anyOf" in schema:
        return _value(schema["anyOf"][0])
    if "enum" in schema:
        return " or ".join(f"`{json.dumps(value)}`" for value in schema["enum"])
    if schema["type"] == "array":
        return f"a list of {_value(schema['items'])}"
    return TYPES[schema["type"]] + _range(schema)


def _range(schema: Mapping[str, Any]) -> str:
    """The range of a number, such as `, 2 to 25`; empty without an inclusive lowest value that is shown."""
    lowest, highest, below = map(schema.get, ("minimum", "maximum", "exclusiveMaximum"))
    if lowest is None or lowest < -MOST_SHOWN:
        return ""
    if below is not None:
        return f", {lowest:g} to below {below:g}"
    if highest is None or highest > MOST_SHOWN:
        return f", at least {lowest:,}"
    return f", {lowest:,} to {highest:,}"


def _default(default: Any) -> str:
    """A default value as written in TOML; empty if an absent key means no value."""
    if default is None or default == {}:
        return ""
    if isinstance(default, float):
        return f"`{default:g}`"
    if isinstance(default, RulesTable):
        return f"`{json.dumps(default.name)}`"
    shown = getattr(default, "kind", list(default) if isinstance(default, tuple) else default)
    return f"`{json.dumps(shown)}`"


if __name__ == "__main__":
    sys.stdout.write(page())
