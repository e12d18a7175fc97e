"""`gtp.setup.*`, `game.komi.*` and `game.score.undone`: boardsize, clear_board and komi, and their effects.

`harness.suite.families` explains the notation of the dialogues.
"""

from __future__ import annotations

from harness.check.model import Ability, Requirements
from harness.check.procedures.board_conversations import SearchAfterUndo
from harness.check.procedures.dialogue import Dialogue, dialogue
from harness.check.procedures.late_probes import STONES
from harness.check.procedures.script import NEW, Step, steps
from harness.gtp import COLUMNS, format_vertex
from harness.suite.statement import must, relying_on, should

ZERO, ONE = "= #0", "= #1"
"""Expected answers of ref-score: the number 0 or 1, however it is written."""

GAMES = 12
"""Further games in which clear_board must empty the board; chosen: an engine that ignores every tenth
clear_board is found."""

TO_WHITE, TO_BLACK = "400", "-200"
"""Komi values that decide every game for White, or for Black. Chosen: kept in a byte of points or of half
points, or in 16 bits of hundredths, one of them changes its sign."""


def _far_corners(size: int, _turn: int) -> list[Step]:
    """`play` accepts the three corners other than A1."""
    far = format_vertex((size - 1, size - 1))
    return steps(NEW + f"play b {far} -> =\nplay w A{size} -> =\nplay b {far[0]}1 -> =", size)


def _past_the_edges(size: int, _turn: int) -> list[Step]:
    """`play` refuses the row above the top and the column right of the last."""
    past = COLUMNS[min(size, len(COLUMNS) - 1)]
    return steps(NEW + f"play b A{size + 1} -> ?\nplay b {past}1 -> ?\nplay b C3 -> =", size)


def _games_of_new_boards() -> str:
    """Return the lines of GAMES games. In each, White plays C4, the point of a stone of the game before.

    Black plays another point in each game, so all boards are different: an engine whose superko remembers
    earlier games does not refuse C4.
    """
    points = [f"{column}{row}" for row in (5, 6, 7) for column in "CDEF"][:GAMES]
    return "".join(f"\nclear_board -> =\nplay b {point}\nplay w C4 -> =" for point in points)


CHECKS = (
    must("gtp.setup.size-accepted", "boardsize succeeds for a size that the bot plays on.",
         dialogue("boardsize {size} -> ="),
         hint="accept boardsize at any time, also with stones on the board",
         kills="boardsize-needs-empty-board"),
    must("gtp.setup.clear-board", "clear_board takes every stone away each time, also twice in a row.",
         dialogue("boardsize {size}\nclear_board -> =\nplay b C3\nplay w D4\nclear_board -> =\n"
                  "play b D4 -> =\nplay w C3 -> =\nclear_board -> =\nclear_board -> =\nplay b C4 -> ="
                  + _games_of_new_boards(),
                  not_relied_on=(Ability.PLAYS, Ability.FORGETS_GAMES)), requires=Requirements(isolated=True),
         hint="empty the board and forget the game", kills="clear-twice-crashes clear-keeps-stones"),
    must("gtp.setup.boardsize", "After boardsize N, play accepts the far corners of N x N.",
         Dialogue(_far_corners, all_sizes=True, unlike_after=(b"clear_board\n", "size-one-game-late")),
         hint="boardsize and the clear_board after it change the size at once; a row may have two digits",
         kills="size-one-game-late"),
    must("gtp.setup.boardsize-edge", "After boardsize N, play refuses points outside N x N.",
         Dialogue(_past_the_edges, all_sizes=True),
         hint="columns A to T leave out I; rows count from the bottom", kills="off-board-plays"),
    must("gtp.setup.unacceptable-size",
         "A size that cannot be played is refused, and the engine keeps running.",
         dialogue("boardsize 1000 -> ?", "{known} -> *", "boardsize 0 -> ?", "boardsize -1 -> ?",
                  "{known} -> *"),
         hint="refuse with: unacceptable size", kills="boardsize-any boardsize-refusal-fatal",
         tolerates="errors-empty errors-explained errors-upper-case"),
    must("gtp.setup.size-wrapped",
         "A size beyond what a small integer holds is refused, and the engine keeps running.",
         dialogue("boardsize 265 -> ?", "boardsize 65545 -> ?", "{known} -> *", "boardsize 2147483647 -> ?",
                  "{known} -> *"),
         hint="compare the whole number with the largest size: in a byte, 265 is 9", kills="size-in-a-byte",
         tolerates="errors-empty errors-explained errors-upper-case"),
    should("gtp.setup.size-beyond",
           "A size beyond the integers of GTP is refused, and the engine keeps running.",
           dialogue("boardsize 4294967305 -> ?", "{known} -> *", "boardsize 18446744073709551625 -> ?",
                    "boardsize 99999999999999999999 -> ?", "{known} -> *"),
           hint="refuse a number that does not fit; the draft's integers end at 2147483647"),
    should("gtp.setup.unacceptable-size-text", "The refusal of a size reads exactly: unacceptable size.",
           dialogue("boardsize 1000 -> ? unacceptable size"),
           hint="answer exactly: ? unacceptable size"),
    must("gtp.setup.boardsize-abc", "boardsize refuses a word, such as abc, and the engine keeps running.",
         dialogue("boardsize abc -> ?", "{known} -> *"),
         hint="refuse text that is not a number with: syntax error", kills="unread-size-succeeds",
         tolerates="number-with-rest"),
    should("gtp.setup.boardsize-word", "boardsize refuses a word that only begins like a number, such as 9x.",
           dialogue("boardsize {size}x -> ?"),
           hint="read the whole word"),
    must("gtp.setup.komi", "komi accepts whole numbers, halves and zero.",
         dialogue("komi 6.5 -> =", "komi 0 -> =", "komi 7 -> =", "komi 7.5 -> ="),
         hint="read komi as a floating-point number", kills="komi-missing"),
    must("gtp.setup.komi-range", "komi accepts negative and large numbers, such as -3.5 and 100.5.",
         dialogue("komi -3.5 -> =", "komi 100.5 -> =", "komi 7.5 -> ="),
         hint="accept any number: a handicap game may have any komi", kills="komi-range"),
    must("gtp.setup.komi-syntax", "komi refuses a word, such as abc, and the engine keeps running.",
         dialogue("komi abc -> ?", "{known} -> *"),
         hint="refuse text that is not a number with: syntax error", kills="numbers-by-atoi",
         tolerates="number-with-rest komi-infinite"),
    must("gtp.setup.komi-nan", "komi refuses nan.",
         dialogue("komi nan -> ?", "komi 7.5 -> ="),
         hint="refuse nan: each comparison with it is false, so that one side always wins",
         kills="komi-nan", tolerates="komi-infinite"),
    should("gtp.setup.komi-infinite", "komi refuses inf and 1e999.",
           dialogue("komi inf -> ?", "komi 1e999 -> ?", "komi 7.5 -> ="),
           hint="accept finite numbers only"),
    should("gtp.setup.komi-comma", "komi refuses a decimal comma, as in 7,5.",
           dialogue("komi 7,5 -> ?", "komi 7.5 -> ="),
           hint="read the whole word, with a point whatever the locale"),
    must("gtp.setup.komi-keeps-board", "komi leaves the board as it is.",
         dialogue(NEW + "play b C3\nkomi 5.5\nplay w C3 -> ?\nplay w D4\nkomi 7.5\nplay b D4 -> ?"),
         hint="let komi set a number, and leave the board alone", kills="komi-clears-board"),
    must("game.komi.in-force", "A search uses the komi that was set before it.",
         dialogue(f"{NEW}komi {TO_WHITE}\n{STONES}genmove b\nref-score -> {ZERO}\n"
                  f"clear_board\nkomi {TO_BLACK}\n{STONES}genmove b\nref-score -> {ONE}\nkomi 7.5"),
         clause="komi", hint="read komi when a search starts, with its sign",
         kills="komi-first-only komi-ignored komi-to-black komi-one-game-late"),
    must("game.komi.in-game", "Komi stays as it was set during a game.",
         dialogue(*(f"{NEW}komi {komi}\n{STONES}genmove b\ngenmove w\ngenmove b\nref-score -> {score}\n"
                    for komi, score in ((0.75, ONE), (1.25, ZERO))), "komi 7.5"),
         requires=relying_on(Ability.KOMI_IN_FORCE),
         clause="komi", hint="keep komi exactly as the komi command sets it; no search or move changes it",
         kills="komi-drifts", tolerates="score-in-3-decimals score-with-exponent"),
    must(Ability.SCORES_AFTER_UNDO, "A stone that undo took back does not score in the next search.",
         SearchAfterUndo(),
         requires=relying_on(Ability.KOMI_IN_FORCE),
         clause="area-scoring",
         hint="let undo restore all that is kept beside the board: counts of stones, points and liberties",
         kills="undo-keeps-score", tolerates="score-in-3-decimals score-with-exponent"),
    must("gtp.setup.clear-keeps-komi", "clear_board keeps komi.",
         dialogue(f"{NEW}komi {TO_WHITE}\nclear_board\n{STONES}genmove b\nref-score -> {ZERO}\n"
                  f"komi {TO_BLACK}\nclear_board\n{STONES}genmove b\nref-score -> {ONE}\nkomi 7.5"),
         requires=relying_on(Ability.KOMI_IN_FORCE),
         clause="komi", hint="clear_board clears the board; komi stays until the next komi",
         kills="clear-resets-komi"),
    should("gtp.setup.no-text", "boardsize, clear_board, komi and play answer without any text.",
           dialogue("boardsize {size} -> = ''\nclear_board -> = ''\nkomi 7.5 -> = ''\nplay b C3 -> = ''"),
           hint="answer = and nothing else"),
)  # fmt: skip
