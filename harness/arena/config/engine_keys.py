"""Keys of `[[engine]]` about its command line, its environment, and commands that are sent to it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BeforeValidator, Field

from harness.gtp import Colour

COLOR_NAMES: Mapping[Colour, str] = {"b": "black", "w": "white"}
"""The names of the colours for an engine: in `gtp_game`, and in its environment."""
GAME_WORDS = ("size", "komi", "color", "game", "opponent")
"""Words that stand in braces for a fact of the game in `gtp_game`."""
_BRACES = re.compile(r"\{([a-z_]+)\}")
_VARIABLE = re.compile(r"[A-Za-z_]\w*", re.ASCII)


# Functions that check a value: each returns it, or raises ValueError.


def _check_command(line: str) -> str:
    if not line.isprintable() or not line.partition("#")[0].strip():
        raise ValueError("must be one GTP command, such as time_settings 0 5 1")
    return line


def _check_game_command(line: str) -> str:
    unknown = [word for word in _BRACES.findall(line) if word not in GAME_WORDS]
    if unknown:
        known = ", ".join(f"{{{word}}}" for word in GAME_WORDS)
        raise ValueError(f"has {{{unknown[0]}}}; known are {known}")
    return _check_command(line)


def _check_word(word: str) -> str:
    if "\0" in word:
        raise ValueError("must not contain a NUL character")
    return word


def _check_inherited(given: Any) -> Any:
    if isinstance(given, bool):
        return given
    names = given if isinstance(given, (list, tuple)) else [None]
    if not all(isinstance(name, str) and _VARIABLE.fullmatch(name) for name in names):
        raise ValueError("must be true, false or a list of names of environment variables")
    return tuple(names)


Words = Annotated[
    tuple[Annotated[str, AfterValidator(_check_word)], ...],
    Field(description="Further words of the command line, one each; nothing splits or unquotes them."),
]
Commands = Annotated[
    tuple[Annotated[str, AfterValidator(_check_command)], ...],
    Field(description="GTP commands that are sent after each start of the engine."),
]
GameCommands = Annotated[
    tuple[Annotated[str, AfterValidator(_check_game_command)], ...],
    Field(
        description="GTP commands that are sent before each game, on the empty board. "
        + ", ".join(f"`{{{word}}}`" for word in GAME_WORDS)
        + " stand for facts of the game."
    ),
]
Inherited = Annotated[
    bool | tuple[str, ...],
    BeforeValidator(_check_inherited),
    Field(
        description="Variables of `conform` that the engine also gets: a list of names, or `true` for all."
    ),
]


Genmove = Annotated[
    Literal[
        "genmove", "lz-genmove_analyze", "kata-genmove_analyze", "genmove_analyze", "cgos-genmove_analyze"
    ],
    Field(
        description="Command that asks for a move. The variants with an analysis name the move in their last "
        "line, `play VERTEX`; the other lines are left out of the game."
    ),
]
ANALYSIS_INTERVAL = 1000
"""Centiseconds between two lines of a genmove with analysis. Chosen: long searches print few lines."""


def genmove_command(name: str, colour: str) -> str:
    """The command line that asks for a move. `name`: the key `genmove` of the engine."""
    has_interval = name.endswith("_analyze") and not name.startswith("cgos-")  # CGOS names none
    return f"{name} {colour} {ANALYSIS_INTERVAL}" if has_interval else f"{name} {colour}"


def move_in(name: str, text: str) -> str:
    """The move in the answer `text` to a `genmove_command`; the whole text if it has no move in its place.

    The answer to a genmove with analysis ends with a line such as "play E5".
    """
    last = text.strip().rpartition("\n")[2].split()
    return last[1] if name.endswith("_analyze") and len(last) == 2 and last[0] == "play" else text


def game_commands(
    lines: Iterable[str], board: tuple[int, float], colour: Colour, game: str, opponent: str
) -> list[str]:
    """The commands of `gtp_game` with the facts of a game in place of their words in braces (GAME_WORDS).

    "set_opponent {opponent}" becomes "set_opponent b" in a game against the engine b.

    board    (size, komi)
    colour   colour of the engine that gets the commands
    game     id of the game
    """
    size, komi = board
    color = COLOR_NAMES[colour]
    facts = {"size": str(size), "komi": f"{komi:g}", "color": color, "game": game, "opponent": opponent}
    return [_BRACES.sub(lambda found: facts[found[1]], line) for line in lines]
