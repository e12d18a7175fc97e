"""Lines of a session that a right bot refuses."""

from __future__ import annotations

from collections.abc import Sequence

from harness.explore.script import Script
from harness.go import Colour, all_points
from harness.gtp import format_vertex

BAD_KOMIS = ["abc", "none", "x", "nan"]
BAD_SIZES = ["0", "1000", "abc", "x"]
BAD_COLOURS = ["x", "grey"]
UNKNOWN = ["no_such_command", "playx", "PLAY", "Genmove", "xgenmove"]
INCOMPLETE = ("play", "play b", "play w", "komi", "boardsize")
COLOURS: tuple[Colour, Colour] = ("b", "w")


def say_refused_set_up(script: Script) -> None:
    """Write a set-up with an argument that no bot accepts."""
    bad = (*(f"boardsize {size}" for size in BAD_SIZES), *(f"komi {komi}" for komi in BAD_KOMIS))
    script.say(script.dice.pick(bad))


def say_refused_point(script: Script) -> None:
    """Write a move on a stone, if there is one."""
    stones = list(script.position.stones())
    if stones:
        script.say(f"play {script.dice.pick('bw')} {format_vertex(script.dice.pick(stones))}")


def say_refused_suicide(script: Script) -> None:
    """Write a suicide, if one is possible."""
    _refused_for(script, ("suicide",))


def say_refused_repetition(script: Script) -> None:
    """Write a move that repeats a board, if one is possible."""
    _refused_for(script, ("ko", "superko"))


def _refused_for(script: Script, reasons: Sequence[str]) -> None:
    position = script.position
    moves = [
        (colour, point)
        for point in all_points(position.size)
        if position.at(point) is None
        for colour in COLOURS
        if position.legality(colour, point) in reasons
    ]
    if moves:
        colour, point = script.dice.pick(moves)
        script.say(f"play {colour} {format_vertex(point)}")


def say_refused_words(script: Script) -> None:
    """Write a line that is wrong whatever the board is."""
    dice, size = script.dice, script.size
    vertices = (
        f"A{size + 1}",
        f"{format_vertex((0, size))}" if size < 25 else "A0",
        "A0",
        f"I{1 + dice.below(size)}",
        "D",
        "4",
        "resign",
    )
    lines = (
        f"play {script.position.to_move} {dice.pick(vertices)}",
        f"play {dice.pick(BAD_COLOURS)} {format_vertex(dice.pick(all_points(size)))}",
        f"genmove {dice.pick(BAD_COLOURS)}",
        dice.pick(INCOMPLETE),
        f"{dice.pick(UNKNOWN)} b {format_vertex(dice.pick(all_points(size)))}",
    )
    script.say(dice.pick(lines))
