"""`gtp.score.*`: final_status_list, and final_score before the end of a game.

`gtp.score.form` and `game.final-score*`, about the score of a finished game, are in other families.
"""

from __future__ import annotations

from functools import partial

from harness.check.model import Ability
from harness.check.procedures.dialogue import dialogue
from harness.check.procedures.script import NEW
from harness.commands.status_lists import Aspect, StatusLists
from harness.suite import statement
from harness.suite.statement import having, relying_on

must = partial(statement.must, clause="gtp-score")
should = partial(statement.should, clause="gtp-score")
info = partial(statement.info, clause="gtp-score")

FINAL_SCORE = having("final_score")
FORM = relying_on(Ability.SCORES).with_those_of(FINAL_SCORE)
STATUS_LIST = having("final_status_list")
GAME = NEW + "play b C3\nplay w E5\nplay b D6\n"
SCORE = r"(?i)[bw]\+(\d+\.?\d*|\.\d+)|0+(\.0*)?"
"""The form of a score, such as B+3.5, W+10 and 0, also in small letters (a regular expression)."""

CHECKS = (
    must(Ability.LISTS_STATUSES, "final_status_list names stones of the board, and no stone in two lists.",
         StatusLists(Aspect.STONES),
         hint="list the points of stones, each with one status; an empty point has none",
         kills="final-status-empty-points final-status-twice",
         tolerates="status-on-one-line seki-unknown final-status-refused"),
    must("gtp.score.status-chains", "final_status_list names all stones of a chain or none.",
         StatusLists(Aspect.CHAINS), shares=Ability.LISTS_STATUSES,
         hint="list every stone of a chain, not one for the chain", kills="final-status-one-stone",
         tolerates="status-on-one-line seki-unknown final-status-refused"),
    must("gtp.score.status-alive", "final_status_list names each stone of a chain with three eyes as alive.",
         StatusLists(Aspect.ALIVE), shares=Ability.LISTS_STATUSES,
         hint="list every stone that is not captured at the end of the game as alive",
         kills="final-status-one-stone",
         tolerates="status-on-one-line seki-unknown final-status-refused"),
    must("gtp.score.status-survives",
         "The engine keeps running after final_status_list with an unknown word.",
         dialogue(GAME + "final_status_list no_such_status -> *\n{known} -> = {answer}"),
         requires=STATUS_LIST,
         hint="refuse a word that is not alive, dead or seki", kills="final-status-word-crashes"),
    should("gtp.score.status-word", "final_status_list refuses words other than alive, dead and seki.",
           dialogue(GAME + "final_status_list no_such_status -> ?\n{known} -> = {answer}"),
           requires=STATUS_LIST,
           hint="refuse a word that is not alive, dead or seki", kills="final-status-word-crashes"),
    must("gtp.score.unfinished", "final_score answers a score or a refusal while the game goes on.",
         dialogue(GAME + f"final_score -> * ~{SCORE}\n{{known}} -> = {{answer}}"), requires=FORM,
         hint="answer a score in the form B+3.5, or refuse: ? cannot score", kills="final-score-unfinished",
         tolerates="final-score-refused"),
    must("gtp.score.keeps", "final_score and final_status_list leave the game as it is.",
         dialogue(GAME + "final_score -> *\nfinal_status_list alive -> *\n"
                  "play w D6 -> ?\nplay b E5 -> ?\nplay w F6 -> =\nplay b G3 -> ="),
         requires=FINAL_SCORE,
         hint="count on a copy of the board; a game may go on after final_score",
         kills="final-score-ends-game", tolerates="final-score-refused"),
    info("gtp.score.mid-game", "final_score answers a score while the game goes on.",
         dialogue(GAME + f"final_score -> = ~{SCORE}"), requires=FORM,
         kills="final-score-unfinished"),
)  # fmt: skip
