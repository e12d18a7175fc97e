"""`gtp.rules.*`: commands that set or show rules, komi and board size, and those of a GoGui referee.

`harness.suite.families` explains the notation of the dialogues.
"""

from __future__ import annotations

from functools import partial

from harness.check.model import Ability
from harness.check.procedures.dialogue import Dialogue, dialogue
from harness.check.procedures.expectation import expectation
from harness.check.procedures.script import NEW, Step, steps
from harness.commands.board_sizes import EveryBoardSize, RectangularBoard
from harness.commands.rule_settings import (
    NamedRules,
    OwnRulesAccepted,
    RefusedRules,
    RulesKeepBoard,
    ShownRules,
    SingleRules,
)
from harness.commands.shown_rules import RefereeBoard, RefereeMoves
from harness.suite import statement
from harness.suite.statement import having, relying_on

must = partial(statement.must, clause="gtp-rules")
should = partial(statement.should, clause="gtp-rules")


def must_refuse(command: str) -> Step:
    """Make a set-up step: the bot must refuse `command`. If it does not, another check reports it."""
    return Step(command.encode("ascii") + b"\n", (expectation("?"),), subject=False)


def _size_shown(command: str) -> Dialogue:
    """Make the dialogue: after boardsize, `command` shows the size, also after a size that is refused.

    Answers such as `9`, `9 9` and `9x9 board` show the size 9.
    """

    def write(size: int, _turn: int) -> list[Step]:
        shown = f"{command} -> = ~{size}([^0-9]+{size})?( [a-z]+)?"
        return [
            *steps(f"{NEW}{shown}", size),
            must_refuse("boardsize 1000"),
            *steps(shown, size),
        ]

    return Dialogue(write, all_sizes=True)


OWN_RULES = having("kata-get-rules", "kata-set-rules")

CHECKS = (
    must("gtp.rules.get-komi", "get_komi shows the komi that was set.",
         dialogue("komi 6.5\nget_komi -> = #6.5\nkomi 0\nget_komi -> = #0\nkomi 7.5\nget_komi -> = #7.5"),
         requires=having("get_komi"),
         hint="answer the number that komi stored, as it is: 6.5, not 6", kills="get-komi-whole"),
    must("gtp.rules.komi-kept", "get_komi shows the same komi after boardsize, clear_board and a move.",
         dialogue("komi 5\nkomi 7\nboardsize {size}\nget_komi -> = #7\nclear_board\nget_komi -> = #7\n"
                  "play b C3\nget_komi -> = #7\nkomi 7.5"),
         requires=having("get_komi"),
         hint="boardsize and clear_board change the board and its history; komi stays",
         kills="cleared-komi-shown"),
    must("gtp.rules.komi-refused", "After a refused komi, get_komi shows the komi that was set before.",
         dialogue("komi 7", must_refuse("komi abc"), "get_komi -> = #7\nkomi 7.5"),
         requires=having("get_komi"),
         hint="read the number first, and set it only once it is read", kills="refused-komi-shown"),
    must("gtp.rules.query-boardsize", "query_boardsize shows the size that was accepted last.",
         _size_shown("query_boardsize"), requires=having("query_boardsize"),
         hint="answer the size of the board; a size that is refused leaves it as it is",
         kills="shown-size-largest refused-size-shown"),
    must("gtp.rules.every-size", "Each size that boardsize accepts is the size of the board.",
         EveryBoardSize(), requires=relying_on(Ability.ENDS_THE_BOARD),
         hint="accept only sizes that the board really gets; a refused size leaves the board as it is",
         kills="small-sizes-padded"),
    must("gtp.rules.rectangle", "rectangular_boardsize makes a board of this width and height, or fails.",
         RectangularBoard(), requires=having("rectangular_boardsize"),
         hint="the first number counts columns, the second one rows; refuse a board that cannot be played",
         kills="rectangle-squared"),
    must("gtp.rules.shown", "kata-get-rules answers with a JSON dictionary.",
         ShownRules(), requires=having("kata-get-rules"),
         hint='answer a dictionary of one line, such as {"ko":"SIMPLE","scoring":"AREA"}',
         kills="shown-rules-named"),
    must("gtp.rules.own", "kata-set-rules accepts what kata-get-rules shows.",
         OwnRulesAccepted(), requires=OWN_RULES,
         hint="read the dictionary that kata-get-rules writes", kills="shown-rules-refused"),
    must("gtp.rules.named", "Rules that kata-set-rules accepts are shown by kata-get-rules.",
         NamedRules(), requires=OWN_RULES,
         hint="refuse rules that the engine cannot play; set all fields of those that it can",
         kills="set-rules-ignored"),
    must("gtp.rules.refused", "Rules that kata-set-rules refuses leave the rules as they are.",
         RefusedRules(), requires=OWN_RULES,
         hint="read all rules before any of them is set", kills="refused-rules-shown"),
    should("gtp.rules.unknown", "kata-set-rules refuses a name that it does not know.",
           dialogue("kata-set-rules no-such-rules -> ?", "{known} -> *"), requires=having("kata-set-rules"),
           hint="refuse a name that stands for no rules", kills="set-rules-ignored"),
    must("gtp.rules.single", "kata-set-rule sets one rule, which kata-get-rules shows, or is refused.",
         SingleRules(), requires=having("kata-get-rules", "kata-set-rule"),
         hint="set the named field alone; refuse a value that the engine cannot play",
         kills="set-rule-ignored"),
    must("gtp.rules.board-kept", "kata-set-rules leaves the stones on the board.",
         RulesKeepBoard(),
         requires=having("kata-set-rules"),
         hint="let kata-set-rules change the rules, and leave the position alone",
         kills="set-rules-clears-board"),
    must("gtp.rules.referee-size", "gogui-rules_board_size shows the size that was accepted last.",
         _size_shown("gogui-rules_board_size"), requires=having("gogui-rules_board_size"),
         hint="answer the size of the board; a size that is refused leaves it as it is",
         kills="shown-size-largest"),
    must("gtp.rules.referee-turn", "gogui-rules_side_to_move names the colour that did not move last.",
         dialogue(f"{NEW}gogui-rules_side_to_move -> = ~(?i)b(lack)?\nplay b C3\n"
                  "gogui-rules_side_to_move -> = ~(?i)w(hite)?\nplay w D4\n"
                  "gogui-rules_side_to_move -> = ~(?i)b(lack)?"),
         requires=having("gogui-rules_side_to_move"),
         hint="answer black or white, after each move the other colour", kills="side-to-move-black"),
    must("gtp.rules.referee-board", "gogui-rules_board draws the position with X, O and dots.",
         RefereeBoard("gogui-rules_board"), requires=having("gogui-rules_board"),
         hint="print a row a line, the top row first: X is Black, O is White, a dot is an empty point",
         kills="board-upside-down"),
    must("gtp.rules.referee-moves", "gogui-rules_legal_moves lists the points where a move is legal.",
         RefereeMoves("gogui-rules_legal_moves"), requires=having("gogui-rules_legal_moves"),
         hint="list each empty point where the side to move may play", kills="legal-moves-occupied"),
)  # fmt: skip
