"""The texts and the layout of answers, which faults and habits change; and the drawing of the board."""

from __future__ import annotations

from collections.abc import Sequence
from collections.abc import Set as AbstractSet

from refbot.deviations.faults import Faults
from refbot.deviations.habit import Habit
from refbot.deviations.habits import Habits
from refbot.deviations.switches import Switch
from refbot.gtp.syntax import COLUMNS
from refbot.rules.board import chains_of, each, grid

LONG_ERROR_CHARACTERS = 2000  # of the habit errors-long

_SCORE_FORMATS: dict[Switch, str] = {
    Habits.SCORE_IN_17_DIGITS: ".17g",
    Habits.SCORE_IN_3_DECIMALS: ".3f",
    Habits.SCORE_WITH_EXPONENT: ".16e",
}
_SCORE_FORMAT = ".9f"
_SIGNS = ".XO"  # EMPTY, BLACK, WHITE


def score_text(score: float, switches: AbstractSet[Switch]) -> str:
    """Return a score from 0 to 1 as ref-score answers it."""
    form = next((form for habit, form in _SCORE_FORMATS.items() if habit in switches), _SCORE_FORMAT)
    text = format(score, ".2f" if Faults.REFSCORE_TWO_DECIMALS in switches else form)
    if Habits.SCORE_WITHOUT_LEADING_ZERO in switches:
        text = text.removeprefix("0") if text.startswith("0.") else text
    return text


def error_text(text: str, habits: AbstractSet[Habit]) -> str:
    """Return the text of a failure, which follows the question mark, as the habits change it."""
    if Habits.ERRORS_EMPTY in habits:
        return ""
    if Habits.ERRORS_EXPLAINED in habits:
        text = f"{text}: not by the rules of this engine"
    if Habits.ERRORS_UPPER_CASE in habits:
        text = text.upper()
    if Habits.ERRORS_LONG in habits:
        text = f"{text}, and this is why: ".ljust(LONG_ERROR_CHARACTERS, "x")
    if Habits.ERRORS_OF_SEVERAL_LINES in habits:
        text = f"{text}\nin a command of yours\nthat this engine did not obey"
    return text


def laid_out(answer: bytes, habits: AbstractSet[Habit]) -> bytes:
    """Return a whole answer, from `=` or `?` to the last line feed, as the habits change it."""
    lines = answer.split(b"\n")
    sign, blank, text = lines[0].partition(b" ")
    if Habits.SEVERAL_BLANKS_BEFORE_TEXT in habits and text:
        blank = b"   "
    if Habits.NO_BLANK_BEFORE_NOTHING in habits and not text:
        blank = b""
    lines[0] = sign + blank + text
    if Habits.TRAILING_BLANKS in habits:
        lines = [line + b"  " if line else line for line in lines]
    return (b"\r\n" if Habits.CRLF_ANSWERS in habits else b"\n").join(lines)


def draw(stones: Sequence[int], size: int) -> str:
    """Return the board as lines of text, highest row first, with the names of columns and rows on all sides.

    X is Black, O is White, a dot is empty. Row 4 of an empty 5x5 is ` 4 . . . . . 4`.
    """
    header = "   " + " ".join(COLUMNS[:size])
    rows = [
        f"{row + 1:2d} {' '.join(_SIGNS[stone] for stone in stones[row * size : (row + 1) * size])} {row + 1}"
        for row in reversed(range(size))
    ]
    return "\n".join([header, *rows, header])


def chains(stones: Sequence[int], size: int) -> list[list[int]]:
    """Return the chains of the board, each a sorted list of points, in the order of their first points."""
    both = (sum(1 << point for point, stone in enumerate(stones) if stone == colour) for colour in (1, 2))
    return sorted(list(each(chain)) for colour in both for chain in chains_of(grid(size), colour))
