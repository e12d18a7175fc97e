"""`gtp.setup.*` and `gtp.play.*`: the board as the standard commands lead it."""

from __future__ import annotations

from functools import partial

from harness.checks.model import Check, Level, Requirements
from harness.checks.procedures.board_conversations import ColumnsPastT, GenmovePlays
from harness.checks.procedures.dialogue import Dialogue, Step, dialogue, steps
from harness.checks.procedures.whole_game import FINAL_SCORE, FinalScore
from harness.gtp import format_vertex

must = partial(Check, clause="gtp", level=Level.MUST)
should = partial(Check, clause="gtp", level=Level.SHOULD)

VERTEX = "= ~(?i)(pass|resign|[a-hj-z]([1-9]|1[0-9]|2[0-5]))"
ZERO = r"= ~0?(0|\.0+|0\.0*)(e[+-]?\d+)?"
ONE = r"= ~1(\.0*)?(e[+-]?0+)?"
NEW = "boardsize {size}\nclear_board\n"


def _corners(size: int, _turn: int) -> list[Step]:
    """The far corner is on the board, and one step past either edge is not."""
    far, past = format_vertex((size - 1, size - 1)), "ABCDEFGHJKLMNOPQRSTUVWXYZ"[min(size, 24)]
    script = f"play b {far}\nplay w A{size + 1} -> ?\nplay w {past}1 -> ?\nplay w {far} -> ?\nplay w A{size}"
    return steps(NEW + script, size)


SETUP = (
    must(
        id="gtp.setup.boardsize-abc",
        title="A size that is not a number is refused, and the engine lives on.",
        procedure=dialogue("boardsize abc -> ?", "boardsize -> ?", NEW + "play b C3"),
        hint="a size that cannot be read is a syntax error, not 0",
        kills=("missing-argument-succeeds",),
    ),
    must(
        id="gtp.setup.unacceptable-size",
        title="A size that cannot be played is refused.",
        procedure=dialogue("boardsize 1000 -> ?", "boardsize 0 -> ?", "boardsize -1 -> ?", NEW + "play b C3"),
        hint="refuse with: unacceptable size",
        kills=("boardsize-any",),
    ),
    must(
        id="gtp.setup.unacceptable-size-text",
        title="The refusal of a size reads exactly: unacceptable size.",
        procedure=dialogue("boardsize 1000 -> ? unacceptable size", NEW),
        kills=("size-refusal-worded",),
    ),
    must(
        id="gtp.setup.refusal-survives",
        title="The engine lives on after it refused a size, and plays.",
        procedure=dialogue(
            "boardsize 1000 -> ?", "name", NEW + "play b C3\nplay w C3 -> ?\ngenmove w -> " + VERTEX
        ),
        hint="a refusal is an answer, not an end",
        kills=("boardsize-refusal-fatal",),
    ),
    must(
        id="gtp.setup.boardsize",
        title="The board has the size that was set.",
        procedure=Dialogue(_corners),
        hint="columns A to T leave out I; rows count from the bottom",
    ),
    must(
        id="gtp.setup.clear-board",
        title="clear_board takes every stone away, also twice in a row.",
        procedure=dialogue(
            NEW + "play b C3\nplay w D4\nclear_board\nplay w C3\nplay b D4\n"
            "clear_board\nclear_board\nplay b C3\nplay w C3 -> ?"
        ),
        hint="empty the board and forget the game",
        kills=("clear-twice-crashes",),
    ),
    must(
        id="gtp.setup.komi",
        title="Any number is a komi: whole, half, zero, negative, large.",
        procedure=dialogue("komi 6.5", "komi 0", "komi 7", "komi -3.5", "komi 100.5", "komi 7.5"),
        hint="read komi as a floating-point number",
    ),
    must(
        id="gtp.setup.komi-syntax",
        title="A komi that is not a number is refused.",
        procedure=dialogue("komi abc -> ?", "komi -> ?", "komi 7.5"),
        hint="a text that is not a number is a syntax error",
        kills=("numbers-by-atoi", "missing-argument-succeeds"),
    ),
    should(
        id="gtp.setup.boardsize-word",
        title="A size that only begins like a number is refused.",
        procedure=dialogue("boardsize {size}x -> ?", NEW + "play b C3"),
        hint="read the whole word",
        kills=("numbers-by-atoi",),
    ),
    should(
        id="gtp.setup.komi-comma",
        title="A komi with a decimal comma is refused.",
        procedure=dialogue("komi 7,5 -> ?", "komi 7.5"),
        hint="read the whole word, with a point whatever the locale",
        kills=("numbers-by-atoi",),
    ),
    must(
        id="gtp.setup.komi-keeps-board",
        title="komi leaves the board as it is.",
        procedure=dialogue(NEW + "play b C3\nkomi 5.5\nplay w C3 -> ?\nplay w D4\nkomi 7.5\nplay b D4 -> ?"),
        hint="komi sets a number and nothing else",
        kills=("komi-clears-board",),
    ),
    must(
        id="gtp.setup.clear-keeps-komi",
        title="clear_board keeps komi.",
        procedure=dialogue(
            f"{NEW}komi 400\nclear_board\ngenmove b\nref-score -> {ZERO}\nkomi -400\nclear_board\ngenmove b\n"
            f"ref-score -> {ONE}\nkomi 7.5",
        ),
        requires=Requirements(optional_commands=("ref-score",)),
        hint="clear_board clears the board; komi stays until the next komi",
        kills=("clear-resets-komi",),
    ),
    should(
        id="gtp.setup.no-text",
        title="boardsize, clear_board, komi and play have nothing to say.",
        procedure=dialogue(
            "boardsize {size} -> = ''\nclear_board -> = ''\nkomi 7.5 -> = ''\nplay b C3 -> = ''"
        ),
        hint="answer = and nothing else",
    ),
)

PLAY = (
    must(
        id="gtp.play.either-colour",
        title="Either colour may move at any time.",
        procedure=dialogue(NEW + "play w C3\nplay w D4\nplay b E5\nplay b F6\nplay w G7"),
        hint="take the colour from the command, do not enforce alternation",
        kills=("alternation-enforced",),
    ),
    must(
        id="gtp.play.colour",
        title="A stone has the colour of the command: two of one colour take one of the other.",
        procedure=dialogue(
            NEW + "play w A1\nplay b A2\nplay b B1\nplay b A1\nclear_board\n"
            "play b A1\nplay w A2\nplay w B1\nplay w A1"
        ),
        hint="take the colour from the command, not from whose turn it is",
        kills=("play-ignores-colour",),
    ),
    must(
        id="gtp.play.colour-names",
        title="A colour is b, black, w or white, in any case.",
        procedure=dialogue(
            NEW + "play black C3\nplay WHITE D4\nplay B E5\nplay White F6\nplay x G7 -> ?\nplay w G7"
        ),
        hint="compare colours without regard to case; refuse any other word",
        kills=("colour-one-letter-only", "colour-any-word"),
    ),
    must(
        id="gtp.play.vertex-case",
        title="A vertex may be written in either case.",
        procedure=dialogue(NEW + "play b c3\nplay w C3 -> ?\nplay w D4\nplay b d4 -> ?"),
        hint="compare vertices without regard to case",
        kills=("vertex-upper-case-only",),
    ),
    must(
        id="gtp.play.pass",
        title="pass is a move, in any case, also twice in a row.",
        procedure=dialogue(NEW + "play b pass\nplay w PASS\nplay b Pass\nplay w C3\nplay b C3 -> ?"),
        hint="accept pass without regard to case; two passes do not close the game",
        kills=("pass-refused", "pass-lower-case-only"),
    ),
    must(
        id="gtp.play.occupied",
        title="A move on a stone is refused and changes nothing.",
        procedure=dialogue(
            NEW + "play b A2\nplay w A2 -> ?\nplay w B1\nplay b B1 -> ?\nplay b B1 -> ?\nclear_board\n"
            "play b A2\nplay b B1\nplay w B1 -> ?\nplay b A1"
        ),
        hint="look before placing the stone",
        kills=("play-never-refuses",),
    ),
    must(
        id="gtp.play.off-board",
        title="A vertex that is none or off the board is refused, and the engine lives on.",
        procedure=dialogue(
            NEW + "play b Z99 -> ?\nplay b A0 -> ?\nplay b 5 -> ?\nplay b C -> ?\nplay b 3C -> ?\n"
            "play w C3\nplay b C3 -> ?"
        ),
        hint="check column and row before using them as an index",
        kills=("off-board-crashes",),
    ),
    must(
        id="gtp.play.refusal-changes-nothing",
        title="A refused move leaves nothing to undo.",
        procedure=dialogue(
            NEW + "play b C3\nplay w C3 -> ?\nundo\nplay w C3\nundo\nundo -> ?",
        ),
        requires=Requirements(optional_commands=("undo",)),
        hint="judge a move before anything is changed or noted",
        kills=("illegal-move-passes",),
    ),
    must(
        id="gtp.play.illegal-text",
        title="The refusal of a move reads exactly: illegal move.",
        procedure=dialogue(NEW + "play b C3\nplay w C3 -> ? illegal move"),
        kills=("illegal-text-capital",),
    ),
    must(
        id="gtp.play.letter-i",
        title="There is no column I; J follows H.",
        procedure=dialogue(NEW + "play b I5 -> ?\nplay b H5\nplay b J5\nplay w J5 -> ?\nplay w H5 -> ?"),
        hint="skip the letter I in reading and in writing",
        kills=("letter-i-used",),
    ),
    must(
        id="gtp.play.columns-past-t",
        title="On boards larger than 19 the columns go on U, V, W, X, Y, Z.",
        procedure=ColumnsPastT(),
        hint="count the letters A to Z without I; or refuse such sizes",
        kills=("columns-past-t-wrong",),
    ),
    must(
        id="gtp.play.resign",
        title="resign is no vertex: play refuses it.",
        procedure=dialogue(NEW + "play b resign -> ?\nplay w C3\nplay b C3 -> ?"),
        hint="resign is something that genmove may answer, not a move of the game",
        kills=("resign-in-history",),
    ),
    must(
        id="gtp.play.missing-argument",
        title="A missing argument is refused, and the engine lives on.",
        procedure=dialogue(
            NEW + "play -> ?\nplay b -> ?\nkomi -> ?\ngenmove -> ?\nplay b C3\nplay w C3 -> ?"
        ),
        hint="count the arguments before using them",
        kills=("missing-argument-crashes", "missing-argument-succeeds"),
    ),
    must(
        id="gtp.play.genmove-bad-colour",
        title="genmove refuses a colour that is none.",
        procedure=dialogue(NEW + "genmove x -> ?\nname"),
        hint="refuse any word but b, black, w and white",
        kills=("colour-any-word",),
    ),
    must(
        id="gtp.play.genmove-plays",
        title="genmove answers a vertex and plays the move.",
        procedure=GenmovePlays(),
        hint="put the generated move on the board before answering",
        kills=("genmove-not-played",),
    ),
    must(
        id="gtp.play.genmove-either-colour",
        title="genmove answers for either colour at any time.",
        procedure=dialogue(
            NEW + f"genmove w -> {VERTEX}\ngenmove white -> {VERTEX}\n"
            f"genmove b -> {VERTEX}\ngenmove B -> {VERTEX}"
        ),
        hint="take the colour from the command",
    ),
    must(
        id="gtp.play.genmove-never-fails",
        title="genmove answers also after two passes.",
        procedure=dialogue(
            NEW + f"play b C3\nplay w pass\nplay b pass\ngenmove w -> {VERTEX}\ngenmove b -> {VERTEX}"
        ),
        hint="the controller decides when a game is over",
        kills=("genmove-ends-with-game",),
    ),
    must(
        id="gtp.play.undo",
        title="undo takes the last move back, with what it captured.",
        procedure=dialogue(
            NEW + "play b C3\nundo\nplay w C3\nplay b D4\nundo\nplay b C3 -> ?\nplay b D4\nclear_board\n"
            "play w A1\nplay b A2\nplay b B1\nundo\nplay w B1\nclear_board\n"
            "play w A1\nplay b A2\nplay b B1\nundo\nplay b A1 -> ?\nplay b B1\nplay b A1",
        ),
        requires=Requirements(optional_commands=("undo",)),
        hint="keep what is needed to restore captured stones and the ko",
        kills=("undo-keeps-captures", "undo-takes-two"),
    ),
    must(
        id="gtp.play.undo-genmove",
        title="undo takes a generated move back, and a pass.",
        procedure=dialogue(
            NEW + "play b C3\ngenmove w\nundo\nplay b pass\nundo\nundo\nplay w C3",
        ),
        requires=Requirements(optional_commands=("undo",)),
        hint="a generated move and a pass are moves of the game like any other",
    ),
    must(
        id="gtp.play.undo-empty",
        title="undo is refused where there is no move.",
        procedure=dialogue(NEW + "undo -> ?\nplay b C3\nundo\nundo -> ?\nplay w C3"),
        requires=Requirements(optional_commands=("undo",)),
        hint="refuse with: cannot undo",
        kills=("undo-at-start-succeeds",),
    ),
    must(
        id="gtp.play.undo-text",
        title="The refusal of undo reads exactly: cannot undo.",
        procedure=dialogue(NEW + "undo -> ? cannot undo"),
        requires=Requirements(optional_commands=("undo",)),
        kills=("undo-refusal-worded",),
    ),
)

SCORE = (
    must(
        id="gtp.score.form",
        title="final_score names the winner and by how much: B+3.5, W+10, or 0.",
        procedure=FinalScore(((-100.0, "B+109"), (100.0, "W+91")), winner_only=True),
        requires=FINAL_SCORE,
        hint="B+ or W+ and a number; komi is White's",
        kills=("final-score-sign", "final-score-bare"),
    ),
)

CHECKS = SETUP + PLAY + SCORE
