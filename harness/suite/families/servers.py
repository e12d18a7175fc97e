"""`gtp.kgs.*`: the commands of the Go server KGS: rules, the end of a game, and chat."""

from __future__ import annotations

from functools import partial

from harness.check.procedures.dialogue import dialogue
from harness.check.procedures.script import chased
from harness.commands.end_of_game import (
    ANSWERED,
    CleanupAnswers,
    CleanupCaptures,
    CleanupPlays,
    GameOver,
    ServerRules,
    UnknownServerRules,
)
from harness.suite import statement
from harness.suite.statement import having

must = partial(statement.must, clause="gtp-kgs")
should = partial(statement.should, clause="gtp-kgs")

CLEANUP = having("kgs-genmove_cleanup")
GAME_OVER = having("kgs-game_over")
RULES = having("kgs-rules")
CHAT = having("kgs-chat")
SERVER_RULES, CAPTURES, ENDS = "gtp.kgs.rules", "gtp.kgs.cleanup-captures", "gtp.kgs.game-over"

CHECKS = (
    must(SERVER_RULES, "kgs-rules is answered for each set of rules of KGS, and for an unknown one.",
         ServerRules(),
         requires=RULES,
         hint="look the name up, and refuse it if it is not there", kills="kgs-rules-crashes",
         tolerates="kgs-rules-ignored"),
    should("gtp.kgs.rules-unknown", "kgs-rules refuses a name that it does not know.",
           UnknownServerRules(), requires=RULES, shares=SERVER_RULES,
           hint="refuse a name that is not one of chinese, japanese, aga and new_zealand"),
    must("gtp.kgs.chat", "kgs-chat is answered, and the engine keeps running.",
         dialogue(chased("kgs-chat game someone Hello, how are you?", "*"),
                  chased("kgs-chat private someone help", "*"), "{known} -> *"),
         requires=CHAT,
         hint="answer the text to say, or refuse; the message is the rest of the line",
         kills="private-chat-crashes", tolerates="chat-refused"),
    must(ANSWERED, "kgs-genmove_cleanup answers a vertex, or pass, or resign.",
         CleanupAnswers(), requires=CLEANUP,
         hint="answer as genmove does: the vertex alone", kills="cleanup-answers-play"),
    must(CAPTURES, "kgs-genmove_cleanup does not pass while a dead enemy stone stands.",
         CleanupCaptures(), requires=CLEANUP, shares=ANSWERED,
         hint="capture every dead stone before the first pass, also if the game is won",
         kills="cleanup-passes", tolerates="cleanup-resigns"),
    must("gtp.kgs.cleanup-plays", "kgs-genmove_cleanup makes the move that it answers.",
         CleanupPlays(), requires=CLEANUP, shares=CAPTURES,
         hint="put the generated move on the board before answering", kills="cleanup-not-played",
         tolerates="cleanup-resigns"),
    must(ENDS, "kgs-game_over is answered, and the next game can be played.",
         GameOver(may_end=True), requires=GAME_OVER,
         hint="answer, keep running, and accept moves again once a new game begins",
         kills="game-over-crashes game-over-closes", tolerates="ends-with-game"),
    should("gtp.kgs.game-over-stays", "The engine stays for the next game after kgs-game_over.",
           GameOver(), requires=GAME_OVER, shares=ENDS,
           hint="end at quit, or at the end of the input: the controller may begin another game"),
)  # fmt: skip
