"""`gtp.play.*`, `gtp.reg.*`, `gtp.score.*`: play, genmove and undo, reg_genmove, the form of final_score.

`harness.suite.families` explains the notation of the dialogues. A dialogue uses little of the bot besides its
subject: colours take turns where the subject allows it, and the board is seen only through `play`, which is
refused on an occupied point. After a refusal, a valid line shows that the refused line did nothing.
"""

from __future__ import annotations

from harness.check.model import Ability, Requirements
from harness.check.positions import DAME, WINNING
from harness.check.procedures.board_conversations import ColumnsPastT, GenmovePlays, UndoTwice
from harness.check.procedures.dialogue import Dialogue, dialogue
from harness.check.procedures.late_probes import STONES
from harness.check.procedures.probe import Probe
from harness.check.procedures.script import NEW, VERTEX, Step, steps
from harness.check.procedures.whole_game import FINAL_SCORE, FinalScore
from harness.commands.kept_boards import (
    RegGenmoveAnswers,
    RegGenmoveKeepsBoard,
    ResignsWithoutMove,
    UndoneKo,
)
from harness.suite.statement import having, must, relying_on, should

LOST = Probe("lost", DAME[1], "b", WINNING)
"""Black loses every playout, and has one candidate: E9."""

LONG_GAME = 700
"""Passes of a long game; chosen: more moves than any real game has."""


def _long_game(size: int, _turn: int) -> list[Step]:
    """Return the steps of a long game: two stones, LONG_GAME passes, and two stones again."""
    passes = "play b pass -> =\nplay w pass -> =\n" * (LONG_GAME // 2)
    return steps(f"{NEW}play b C3\nplay w D4\n{passes}play b E5 -> =\nplay w F6 -> =", size)


CHECKS = (
    must("gtp.play.legal", "play accepts every legal move.",
         dialogue(NEW + "play b C3 -> =\nplay w D4 -> =\nplay b E5 -> =\nplay w F6 -> ="),
         hint="a move is legal on any empty point where it has or makes a liberty and repeats no board",
         kills="play-refused"),
    must("gtp.play.either-colour", "Either colour may move at any time.",
         dialogue(NEW + "play w C3 -> =\nplay w D4 -> =\nplay b E5 -> =\nplay b F6 -> =\nplay w G7 -> =",
                  not_relied_on=(Ability.PLACES_BOTH_COLOURS,)),
         hint="take the colour from the command, do not enforce alternation", kills="alternation-enforced"),
    must("gtp.play.pass", "play accepts pass, also twice in a row.",
         dialogue(NEW + "play b C3\nplay w pass -> =\nplay b pass -> =\nplay w D4 -> ="),
         hint="accept pass as a vertex; two passes do not close the game", kills="pass-refused"),
    must("gtp.play.pass-case", "play accepts pass in any case, such as PASS and Pass.",
         dialogue(NEW + "play b PASS -> =\nplay w Pass -> ="),
         hint="accept pass without regard to case", kills="pass-lower-case-only"),
    must("gtp.play.colour", "play places a stone of the named colour, no matter whose turn it is.",
         dialogue(NEW + "play w A1\nplay w B1\nplay b A2\nplay b B2\nplay b C1 -> =\nplay b A1 -> =\n"
                  "clear_board\nplay b A1\nplay b B1\nplay w A2\nplay w B2\nplay w C1 -> =\nplay w A1 -> ="),
         hint="take the colour from the command, not from whose turn it is", kills="play-ignores-colour"),
    must("gtp.play.colour-names",
         "play accepts the colours b, black, w and white, in capitals or small letters.",
         dialogue(NEW + "play black C3 -> =\nplay WHITE D4 -> =\nplay B E5 -> =\nplay White F6 -> ="),
         hint="read b, black, w and white, and compare them without regard to case",
         kills="colour-one-letter-only"),
    must("gtp.play.colour-bad", "play refuses a word that is not a colour.",
         dialogue(NEW + "play x G7 -> ?\nplay b G7 -> ="),
         hint="refuse any word but b, black, w and white", kills="colour-any-word"),
    # Not for every engine: many read the first letter alone.
    must("ref.play.colour-word", "play refuses a word that only begins as a colour does.",
         dialogue(NEW + "play blue G7 -> ?\nplay whitish G7 -> ?\nplay b G7 -> ="),
         hint="compare the whole word with b, black, w and white",
         kills="colour-by-letter colour-any-word"),
    must("gtp.play.vertex-case", "play accepts vertices in capitals or small letters.",
         dialogue(NEW + "play b E5\nplay w A1\nplay b a2 -> =\nplay w E7\nplay b b1 -> =\nplay w E3\n"
                  "play b A1 -> ="),
         hint="compare vertices without regard to case", kills="vertex-upper-case-only"),
    must("gtp.play.occupied", "A move on an occupied point is refused, and the engine keeps running.",
         dialogue(NEW + "play b C3\nplay w C3 -> ?\n{known} -> *\nplay w D4\nplay b C3 -> ?\n{known} -> *"),
         hint="look before placing the stone; refuse with: illegal move",
         kills="play-never-refuses illegal-move-crashes",
         tolerates="errors-empty errors-explained errors-upper-case"),
    must("gtp.play.off-board",
         "play refuses points off the board and words that are not a vertex; the engine keeps running.",
         dialogue(NEW + "play b Z99 -> ?\nplay b A0 -> ?\nplay b 5 -> ?\nplay b C -> ?\nplay b 3C -> ?\n"
                  "play b C3 -> ="),
         hint="check column and row before using them as an index", kills="off-board-crashes"),
    must("gtp.play.refusal-changes-nothing",
         "A refused move is not in the history: undo takes back the move before it.",
         dialogue(NEW + "play b C3\nplay w C3 -> ?\nundo -> =\nplay w C3 -> ="),
         hint="judge a move before you change the board or the history", kills="illegal-move-passes"),
    should("gtp.play.illegal-text", "The refusal of a move reads exactly: illegal move.",
           dialogue(NEW + "play b C3\nplay w C3 -> ? illegal move"),
           hint="answer exactly: ? illegal move"),
    must("gtp.play.letter-i", "The column after H is J: there is no column I.",
         dialogue(NEW + "play b H5 -> =\nplay w J5 -> ="),
         hint="skip the letter I in reading and in writing", kills="letter-i-used"),
    must("gtp.play.letter-i-refused", "A vertex with the letter I is refused.",
         dialogue(NEW + "play b I5 -> ?\nplay b C3 -> ="),
         requires=relying_on(Ability.NAMES_COLUMNS),
         hint="there is no column I: do not take it for J", kills="letter-i-as-j"),
    should("gtp.play.vertex-rest", "play refuses a vertex with further characters, such as C3x.",
           dialogue(NEW + "play b C3x -> ?\nplay b D44 -> ?\nplay b C3 -> ="),
           hint="read the whole word as a vertex, not only its beginning",
           tolerates="vertex-with-rest"),
    must("gtp.play.columns-past-t", "On boards larger than 19, the columns after T are U, V, W, X, Y, Z.",
         ColumnsPastT(),
         hint="count the letters A to Z without I; or refuse such sizes", kills="columns-past-t-wrong"),
    must("gtp.play.resign", "play refuses resign, which is not a vertex.",
         dialogue(NEW + "play b resign -> ?\nplay b C3 -> ="),
         hint="refuse it: resign is an answer of genmove, not a move to play",
         kills="resign-in-history"),
    must("gtp.play.missing-argument", "The engine refuses a command without its argument, and keeps running.",
         dialogue(NEW + "play -> ?\n{known} -> *\nplay b -> ?\nkomi -> ?\nboardsize -> ?\n{known} -> *"),
         hint="count the arguments before using them",
         kills="missing-argument-crashes missing-argument-succeeds"),
    must("gtp.play.long-game", f"A game may have {LONG_GAME} moves.",
         Dialogue(_long_game),
         hint="keep the moves of a game in a list that grows, not in an array of fixed size",
         kills="history-of-500"),
    must("gtp.play.genmove", "genmove answers a vertex, or pass, or resign.",
         dialogue(NEW + f"genmove b -> {VERTEX}", not_relied_on=(Ability.SEARCHES_AGAIN,)),
         requires=Requirements(isolated=True),
         hint="answer the vertex alone; no column is named I", kills="genmove-answers-play"),
    must("gtp.play.genmove-again", "genmove answers again and again in one process.",
         dialogue(f"{NEW}{STONES}genmove b\ngenmove w -> {VERTEX}\n"
                  f"clear_board\n{STONES}genmove b -> {VERTEX}"),
         hint="allocate the memory of a search when it starts, and free it when it ends",
         kills="second-search-crashes"),
    must("gtp.play.genmove-either-colour", "genmove answers for either colour at any time.",
         dialogue(NEW + STONES + f"genmove w -> {VERTEX}\ngenmove w -> {VERTEX}\ngenmove b -> {VERTEX}"),
         hint="take the colour from the command", kills="genmove-out-of-turn-fails"),
    must("gtp.play.genmove-colour-names",
         "genmove accepts the colours b, black, w and white, in capitals or small letters.",
         dialogue(NEW + STONES + f"genmove black -> {VERTEX}\ngenmove WHITE -> {VERTEX}\n"
                  f"genmove B -> {VERTEX}"),
         hint="read the colour of genmove as that of play", kills="genmove-one-letter-only"),
    must("gtp.play.genmove-bad-colour", "genmove refuses a word that is not a colour.",
         dialogue(NEW + "genmove x -> ?\n{known} -> *"),
         hint="refuse any word but b, black, w and white", kills="colour-any-word"),
    must("gtp.play.genmove-plays", "genmove makes the move that it answers on the board of the engine.",
         GenmovePlays(),
         hint="put the very move that you answer on the board", kills="genmove-not-played"),
    must("gtp.play.genmove-never-fails", "genmove answers a move or a pass also after two passes.",
         dialogue(NEW + STONES + f"play b pass\nplay w pass\ngenmove b -> {VERTEX}\ngenmove w -> {VERTEX}"),
         hint="the controller decides when a game is over", kills="genmove-ends-with-game"),
    must("gtp.play.undo", "undo takes back exactly one move: the last.",
         dialogue(NEW + "play b C3\nplay w D4\nundo -> =\nplay w C3 -> ?\nplay w E5\nplay b D4 -> ="),
         hint="undo takes back one move, of whichever colour", kills="undo-takes-two"),
    should("gtp.play.undo-again", "undo can be repeated: each undo takes back one move more.",
           dialogue(NEW + "play b C3\nplay w D4\nundo\nundo -> ="),
           hint="keep what undo needs for every move of the game, not for the last one alone",
           tolerates="undo-once"),
    must("gtp.play.undo-both", "A second undo in a row takes back one move more, or is refused.",
         UndoTwice(),
         hint="take the last move off the history at each undo; refuse where that is not possible",
         kills="undo-again-does-nothing", tolerates="undo-once"),
    must("gtp.play.undo-captures", "undo brings captured stones back.",
         dialogue(NEW + "play b E5\nplay w A1\nplay b A2\nplay w E7\nplay b B1\nundo\nplay b A1 -> ?"),
         hint="store captured stones and the ko with each move, and restore them",
         kills="undo-keeps-captures"),
    must("gtp.play.undo-captures-all", "undo brings back every stone of every chain that the move captured.",
         dialogue(NEW + "play b A2\nplay w A1\nplay b C2\nplay w C1\nplay b D2\nplay w D1\nplay b E1\n"
                  "play w E7\nplay b B1\nundo\nplay b A1 -> ?\nplay b C1 -> ?\nplay b D1 -> ?"),
         hint="store all captured stones with each move, and restore them", kills="undo-keeps-captures"),
    must(Ability.UNDOES_PASSES, "undo takes back a pass as one move, and no stone with it.",
         dialogue(NEW + "play b C3\nplay w pass\nundo -> =\nplay w C3 -> ?\nplay w E5 -> ="),
         hint="keep passes in the history of the game, like stones",
         kills="undo-skips-passes undo-of-pass-fails"),
    must("gtp.play.undo-genmove", "undo takes back a move of genmove and a pass like any other move.",
         dialogue(NEW + STONES + "play b E5\ngenmove w\nundo -> =\nplay w pass\nundo -> =\nplay w E4 -> ="),
         hint="a generated move and a pass are moves of the game like any other"),
    must("gtp.play.undo-empty",
         "undo is refused where there is no move to take back, and the engine keeps running.",
         dialogue(NEW + "undo -> ?\n{known} -> *\nplay b C3\nundo\nundo -> ?\nplay b E5 -> ="),
         hint="refuse with: cannot undo", kills="undo-at-start-succeeds",
         tolerates="errors-empty errors-explained errors-upper-case"),
    should("gtp.play.undo-text", "The refusal of undo reads exactly: cannot undo.",
           dialogue(NEW + "undo -> ? cannot undo"),
           hint="answer exactly: ? cannot undo"),
    must("gtp.play.undo-ko", "undo restores the ban of a ko.",
         UndoneKo(),
         hint="store the ko with each move, and restore it", kills="undo-lifts-ko",
         tolerates="superko-by-play-accepted"),
    must("gtp.play.resign-unchanged", "genmove that answers resign makes no move.",
         ResignsWithoutMove(LOST, "E9"), requires=Requirements(board_size=9),
         hint="decide whether to resign before the move is made", kills="resignation-played"),

    must("gtp.reg.move", "reg_genmove answers a legal vertex, or pass, or resign.",
         RegGenmoveAnswers(), requires=having("reg_genmove"),
         hint="answer the move that genmove would answer", kills="reg-genmove-answers-last"),
    must("gtp.reg.unchanged", "reg_genmove makes no move: board and history stay as they are.",
         RegGenmoveKeepsBoard(), requires=having("reg_genmove"),
         shares="gtp.reg.move",
         hint="search, and leave out the part of genmove that makes the move",
         kills="reg-genmove-plays reg-genmove-counts"),
    must("gtp.reg.argument",
         "reg_genmove refuses a word that is not a colour and a missing colour; the engine keeps running.",
         dialogue(NEW + "reg_genmove x -> ?\n{known} -> *\nreg_genmove -> ?\n{known} -> *"),
         requires=relying_on(Ability.REFUSES_COLOURS),
         hint="read the colour of reg_genmove as that of genmove", kills="reg-genmove-any-colour"),

    must("gtp.score.form", "final_score names the winner and by how much: B+3.5, W+10, or 0.",
         FinalScore(((0.5, "B+8.5"),), form_only=True), requires=FINAL_SCORE,
         hint="B+ or W+ and the difference, or 0; the larger the komi, the better for White",
         kills="final-score-sign final-score-bare"),
)  # fmt: skip
