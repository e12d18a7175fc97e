"""Spellings of a GTP line: comments, ids, tabs, letter case and others that do not change its meaning."""

from __future__ import annotations

from functools import lru_cache

from harness.explore.abilities import Feature
from harness.explore.dice import Dice
from harness.explore.wanted import REMEMBERED, read_line

ODD = 0.06
"""Probability of each unusual spelling of a line. Chosen: most lines are plain, most sessions have an odd
one."""

COLOURS = {"b": ("B", "black", "Black", "BLACK"), "w": ("W", "white", "White", "WHITE")}
"""By colour in plain spelling: its other spellings that GTP allows."""

PLAIN_COLOURS = {name.lower(): colour for colour, names in COLOURS.items() for name in (*names, colour)}
"""By any of these spellings, in small letters: the plain one."""

COMMENTS = ("# play b A1", "#", "# 7 genmove b", "#" + 15 * " play b A1")
"""Comments. A line with a command and a comment stays below 200 bytes."""

BLANKS = ("", "  ", "\t")
"""Lines without a command."""

BELL = "\x07"
"""A control character: by GTP, an engine removes it from the line."""

IDS = (0, 1, 7, 42, 2008, 2**31 - 1)
"""Ids of commands: small ones, and the largest of 31 bits."""


def spell(line: str, dice: Dice, features: frozenset[Feature]) -> str:
    """Return the line in a random spelling, which uses only these features.

    An example: `play b C3` may become `7 play BLACK c3 # play b A1`.
    """

    def odd(feature: Feature) -> bool:
        return dice.chance(ODD) and feature in features

    words = line.split(" ")
    if words[0] in ("play", "genmove") and len(words) > 1:
        if words[1] in COLOURS and odd(Feature.COLOUR_NAMES):
            words[1] = dice.pick(COLOURS[words[1]])
        if len(words) > 2 and odd(Feature.VERTEX_CASE):
            words[2] = words[2].upper() if words[2] == "pass" else words[2].lower()
    if odd(Feature.IDS):
        words.insert(0, str(dice.pick(IDS)))
    text = ("\t" if odd(Feature.TABS) else " ").join(words)
    if odd(Feature.CONTROL):
        index = dice.below(len(text) + 1)
        text = text[:index] + BELL + text[index:]
    if odd(Feature.COMMENTS):
        text += dice.pick(("", " ")) + dice.pick(COMMENTS)
    if odd(Feature.CRLF):
        text += "\r"
    if odd(Feature.COMMENTS):
        text = dice.pick(COMMENTS) + "\n" + text
    if odd(Feature.BLANK_LINES):
        text = dice.pick(BLANKS) + "\n" + text
    return text


def plain(line: str) -> str:
    """Return the command of a line in plain spelling, without id; a line without a command stays as it is."""
    command = read_line(line)
    if command is None:
        return line
    words = [command.name, *command.arguments]
    if command.name in ("play", "genmove") and len(words) > 1:
        words[1] = PLAIN_COLOURS.get(words[1].lower(), words[1])
        if len(words) > 2:
            words[2] = "pass" if words[2].lower() == "pass" else words[2].upper()
    return " ".join(words)


@lru_cache(REMEMBERED)
def odd_features(line: str) -> frozenset[Feature]:
    """Return the features that a bot needs to read this spelling: IDS and VERTEX_CASE for `7 play b c3`.

    The line has spellings of `spell` only: no control character but BELL, for example.
    """
    found = set()
    *before, last = line.split("\n")
    command = read_line(line)
    if any("#" in part for part in before) or "#" in last:
        found.add(Feature.COMMENTS)
    if any(not part.strip() for part in before):
        found.add(Feature.BLANK_LINES)
    if last.endswith("\r"):
        found.add(Feature.CRLF)
    if "\t" in last:
        found.add(Feature.TABS)
    if BELL in line:
        found.add(Feature.CONTROL)
    if command is None:
        return frozenset(found)
    if command.id is not None:
        found.add(Feature.IDS)
    if command.name in ("play", "genmove") and command.arguments:
        colour = command.arguments[0]
        if colour.lower() in PLAIN_COLOURS and colour not in COLOURS:
            found.add(Feature.COLOUR_NAMES)
        if plain(line).split(" ")[2:3] not in ([], list(command.arguments[1:2])):
            found.add(Feature.VERTEX_CASE)
    return frozenset(found)
