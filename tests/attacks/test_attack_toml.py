"""A TOML file that takes memory, time or the screen: keys of many parts, many mistakes, long values.

Before: a key of 50,000 parts (100 kB) filled 3 GB; 100,000 unknown keys printed 34 MB. After: a key has at
most 64 parts, and of the mistakes the first are printed, each shortened.
"""

from pathlib import Path

import pytest

from harness.files.toml_tables import MOST_MISTAKES, MOST_PARTS, TomlError, parse_toml
from tests.command_line import conform_forked

MANY = 50_000
LONG_KEYS = {
    "bare": ".".join("a" * MANY) + " = 1",
    "quoted": ".".join(['"a.b\\""'] * MANY) + " = 1",
    "literal": " . ".join(["'a'"] * MANY) + " = 1",
    "header": "[" + ".".join("a" * MANY) + "]",
    "inline": "x = {" + ".".join("a" * MANY) + " = 1}",
    "after a string": 'x = "\\""\n' + ".".join("a" * MANY) + " = 1",
}


@pytest.mark.parametrize("text", LONG_KEYS.values(), ids=LONG_KEYS)
def test_a_key_of_many_parts_is_refused_before_it_is_read(text: str) -> None:
    with pytest.raises(TomlError, match=f"more than {MOST_PARTS} parts"):
        parse_toml(text, "test")


@pytest.mark.parametrize(
    "text",
    [
        ".".join("a" * MOST_PARTS) + " = 1",
        f'command = "{"a " * MANY}"',
        "files = [" + '"games/x.sgf", ' * MANY + "]",
        f'x = "{"." * MANY}"',
        "# " + "word. " * 3 + "\nx = 1",
    ],
)
def test_other_texts_with_dots_are_read(text: str) -> None:
    assert parse_toml(text, "test")


def test_no_message_about_a_config_fills_the_screen(tmp_path: Path) -> None:
    keys = "\n".join(f"unknown{number} = 1" for number in range(10 * MOST_MISTAKES))
    engines = "[[engine]]\nname = 'a'\ncommand = 'a'\n" * 2
    for name, text in {
        "keys": f"[run]\n{keys}\n",
        "value": f"[run]\nsize = '{'x' * 100_000}'\n",
        "key": f"[run]\n{'k' * 100_000} = 1\n",
        "name": f"[run]\nreferee = '{'x' * 100_000}'\nscorer = 'referee'\n",
        "openings": f"[run]\nopenings = {{ kind = 'sgf', files = ['{'x' * 100_000}'] }}\n",
    }.items():
        file = tmp_path / f"{name}.toml"
        file.write_text(text + engines.replace("'a'", "'b'", 1))
        code, shown = conform_forked("match", file, "--out", tmp_path / "run", "-q")
        assert code == 2, shown
        assert len(shown) < 20_000
        assert len(shown.splitlines()) <= MOST_MISTAKES + 1
