"""Which programs a config starts, and which files of openings it reads, that another one does not name."""

from __future__ import annotations

from typing import Any

import pytest

from harness.arena.config.reach import first_beyond
from harness.arena.config.reader import check_config
from harness.arena.config.tables import MatchConfig

OPENINGS = {"kind": "sgf", "files": ["/nowhere/*.sgf"]}


def config(openings: object = None, **second: Any) -> MatchConfig:
    """A config of two engines; `second` are keys of the second one."""
    engines = [{"name": "a", "command": "one"}, {"name": "b", "command": "two", **second}]
    run = {"games": 2} | ({"openings": openings} if openings else {})
    return check_config({"run": run, "engine": engines}, "test")


@pytest.mark.parametrize(
    "keys",
    [
        {"command": "three"},
        {"args": ["-c", "three"]},
        {"env": {"LD_PRELOAD": "/tmp/other.so"}},
        {"inherit_env": ["HOME"]},
        {"cwd": "/"},
        {"sandbox": True},
        {"gtp": ["savesgf /tmp/mark"]},
        {"gtp_game": ["savesgf /tmp/mark"]},
    ],
    ids=lambda keys: next(iter(keys)),
)
def test_another_start_is_beyond(keys: dict[str, Any]) -> None:
    assert first_beyond(config(**keys), config()).startswith("no [[engine]] is started as its engine 'b' is")
    assert first_beyond(config(**keys), config(**keys)) == ""


def test_files_of_openings_that_are_not_named_are_beyond() -> None:
    assert first_beyond(config(OPENINGS), config()).startswith("no openings come from '/nowhere/*.sgf'")
    assert first_beyond(config(OPENINGS), config(OPENINGS)) == ""


def test_names_do_not_matter_and_an_engine_that_is_dropped_starts_nothing() -> None:
    assert first_beyond(config(name="c"), config()) == ""
    assert first_beyond(config(command="three", dropped=True), config()) == ""
