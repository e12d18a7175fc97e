"""The clauses of the specification, as data: checks, faults, reports and docs refer to them.

Most are from the description of a reference bot that Don Dailey posted to the computer-go list in October
2008, with the list's corrections. The clauses `gtp` and `gtp-…` are from GTP and its extensions. docs/spec.md
and docs/gtp.md have the same sentences with examples. Names are fixed: file formats use them.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Literal

from harness.check.model import Level


class Part(Enum):
    """The part of a bot that a clause is about. Faults of one part look alike from outside."""

    WIRE = "wire"
    GAME = "game"
    NODES = "nodes"
    SCORE = "score"
    SCORING = "scoring"
    PLAYOUT = "playout"
    RULE = "rule"  # of playouts and of the game
    CHOICE = "choice"
    RANDOM = "random"
    MATCH = "match"
    COMMAND = "command"  # an optional command; nothing else depends on it


@dataclass(frozen=True)
class Clause:
    """One requirement of the specification."""

    name: str
    part: Part
    requirement: str  # one sentence
    reading: str  # our reading where the source leaves something open; may be empty
    source: str  # the text that it is from, such as "rule 5" of the 2008 post
    level: Level = Level.MUST
    shown_by: Literal["check", "match"] = "check"  # parity takes games, not searches

    @property
    def page(self) -> str:
        """The page of the documentation that has the section of this clause, without `.md`."""
        return "gtp" if self.part is Part.COMMAND else "spec"

    @property
    def explained_by(self) -> str:
        """The command that explains the clause."""
        return f"conform spec {self.name}"


_CLAUSES = (
    Clause(
        "complete-games",
        Part.GAME,
        "The bot plays whole games by GTP, with either colour, from any position that a controller sets up.",
        "A game ends with two passes. The bot does not resign, and it moves for the colour that genmove "
        "names.",
        "rule 1",
    ),
    Clause(
        "uniform",
        Part.PLAYOUT,
        "Each move of a playout is drawn with equal probability from the empty points that are not a "
        "one-point eye of the mover, not forbidden by simple ko and not suicide.",
        "A random start followed by a scan to the next legal point is not uniform: a point behind illegal "
        "points is drawn more often.",
        "rules 2 and 10",
    ),
    Clause(
        "simple-ko",
        Part.RULE,
        "In a playout, a single stone that has just captured a single stone may not be taken back at once.",
        "The ban lasts for one move, and a pass is a move. A ban that is in force in the game also holds "
        "for the first move of each playout. There is no superko in a playout.",
        "rule 2",
    ),
    Clause(
        "forced-pass",
        Part.PLAYOUT,
        "In a playout, a side passes if there is no point that it may play, and only then.",
        "",
        "rule 2",
    ),
    Clause(
        "two-passes",
        Part.PLAYOUT,
        "A playout ends after two passes in a row.",
        "A pass of the real game just before the search does not count as the first of the two.",
        "rule 3",
    ),
    Clause(
        "move-cap",
        Part.PLAYOUT,
        "A playout on an N×N board also ends when 3·N·N moves have been made, but it has at least one move.",
        "The moves are counted from the start of the real game, passes included; otherwise the exception "
        "for the first move would have no meaning. This reading is a SHOULD: a bot that counts from the "
        "start of the playout is reported and not refused. A bot that follows neither reading fails.",
        "rule 3",
        Level.SHOULD,
    ),
    Clause(
        "eye",
        Part.PLAYOUT,
        "A one-point eye of a colour is an empty point whose neighbours are all of that colour and whose "
        "diagonals hold at most one enemy stone, or none if the point is on the edge.",
        "Only neighbours and diagonals on the board count. An empty diagonal is not an enemy stone. A "
        "corner is on the edge.",
        "rule 4",
    ),
    Clause(
        "area-scoring",
        Part.SCORING,
        "A playout is scored by area at its end: the stones of each colour, and the empty regions that "
        "reach one colour alone.",
        "The post says Chinese scoring. An empty region that reaches both colours counts for neither colour.",
        "rule 5",
    ),
    Clause(
        "komi",
        Part.SCORING,
        "White gets the komi that was last set by GTP, and a draw counts as half a win.",
        "The half follows from the figure that was published for komi 7.0: 433,379.5 wins in a million "
        "playouts.",
        "rule 5",
    ),
    Clause(
        "amaf",
        Part.CHOICE,
        "In each playout, a point counts for the side to move in the game if that side was the first of "
        "the two sides to play there, and the result of the playout is added to the record of that point.",
        "A point where the opponent played first does not count in that playout, also if the side to move "
        "plays there later.",
        "rule 6",
    ),
    Clause(
        "best-rate",
        Part.CHOICE,
        "The bot plays the candidate with the highest ratio of wins to visits.",
        "A candidate is a point that is legal in the game (no suicide, no positional superko) and is not "
        "a one-point eye of the mover.",
        "rule 7",
    ),
    Clause(
        "ties",
        Part.CHOICE,
        "If several candidates have the best ratio, the bot plays one of them at random.",
        "",
        "rule 7",
    ),
    Clause(
        "no-early-pass",
        Part.CHOICE,
        "The bot passes only when there is no candidate.",
        "The bot also plays on when it is losing, after a pass of the opponent, and when every candidate "
        "does harm.",
        "rule 8",
    ),
    Clause(
        "fresh-randomness",
        Part.RANDOM,
        "Each search draws new random numbers.",
        "The generator is free. Two searches of one position differ, unless all playouts there are alike, "
        "and their results spread as those of independent playouts do.",
        "rule 9",
    ),
    Clause(
        "parity",
        Part.MATCH,
        "In long matches against other conforming bots with the same number of playouts, the bot scores "
        "about 50 %.",
        "About means: within a margin that is stated and proved, see docs/statistics.md.",
        "rule 9",
        shown_by="match",
    ),
    Clause(
        "no-suicide",
        Part.RULE,
        "No move takes the last liberty of the mover's own chain, in playouts and in the game.",
        "Captures come first: a move that captures is not suicide. The rule covers chains of several "
        "stones too.",
        "rule 10",
    ),
    Clause(
        "superko",
        Part.GAME,
        "In the game, the bot plays no move that repeats an earlier position of the whole board.",
        "Positional superko: the side to move does not matter. A controller may still send such a move; "
        "that the bot refuses it is a SHOULD.",
        "rule 11, where the list changed superko to positional superko",
    ),
    Clause(
        "unseen",
        Part.CHOICE,
        "A candidate that was counted in no playout is left out of the choice.",
        "If no candidate was counted at all, the bot plays one of them and does not pass.",
        "rule 12, with rule 8",
    ),
    Clause(
        "ref-nodes",
        Part.NODES,
        "ref-nodes answers the number of moves made in all playouts of the last genmove.",
        "Passes are moves, and the two passes that end a playout count too.",
        "the author's two private commands",
    ),
    Clause(
        "ref-score",
        Part.SCORE,
        "ref-score answers the mean result of the playouts of the last genmove, from 0 to 1, from the "
        "view of the side to move.",
        "A draw is ½. The first post took Black's view; its author corrected that to the side to move.",
        "the author's two private commands, and his correction",
    ),
    Clause(
        "gtp",
        Part.WIRE,
        "The bot speaks version 2 of the Go Text Protocol, as its second draft describes it.",
        "Where the draft leaves something open, a check is a SHOULD or an INFO.",
        "the protocol's draft of October 2002",
    ),
    Clause(
        "gtp-position",
        Part.COMMAND,
        "showboard, list_stones and similar commands show the position, in an answer without an "
        "empty line, and change nothing.",
        "The form of a board is free. That the same moves give the same text, and that a refused "
        "move leaves it as it is, is a SHOULD.",
        "the protocol's draft of October 2002, and commands of GNU Go",
    ),
    Clause(
        "gtp-handicap",
        Part.COMMAND,
        "Handicap commands place black stones on an empty board, on the points that the engine "
        "answers or was given.",
        "fixed_handicap places the stones of the draft's table; the other two take any distinct "
        "points. A wrong number, a repeated point and a board with stones are refused. That a "
        "refused list places no stone, and that undo takes back no handicap, is a SHOULD.",
        "the protocol's draft of October 2002",
    ),
    Clause(
        "gtp-time",
        Part.COMMAND,
        "Commands about time accept the settings of the draft, refuse anything else, and an "
        "engine moves before its time is up.",
        "A clock with ample time need not change anything. That a short clock shortens a search is a "
        "SHOULD: the draft obliges no engine to keep its time.",
        "the protocol's draft of October 2002, and the extension of KGS",
    ),
    Clause(
        "gtp-score",
        Part.COMMAND,
        "final_score and final_status_list judge the position on the board: a result, or whole "
        "chains of stones, with one status for each stone.",
        "An engine may refuse to judge a position that is not settled, and may count dead stones "
        "by its own judgement. alive, dead and seki name each stone once and no empty point.",
        "the protocol's draft of October 2002",
    ),
    Clause(
        "gtp-records",
        Part.COMMAND,
        "loadsgf sets up the position of a record, and printsgf and savesgf write a record of the"
        " game that was played.",
        "Size, komi and position come from the record; a number of a move stops before this move. "
        "A missing file is refused, and the game stays as it is. A printed record may hold the "
        "moves, or only the stones.",
        "the protocol's draft of October 2002, and commands of GNU Go",
    ),
    Clause(
        "gtp-rules",
        Part.COMMAND,
        "Commands that set or show rules, komi and the size of the board agree with each other.",
        "What one command sets, another shows. A refused setting leaves the rules as they are.",
        "commands of GNU Go, KataGo and GoGui",
    ),
    Clause(
        "gtp-kgs",
        Part.COMMAND,
        "The commands of KGS end a game: kgs-genmove_cleanup captures dead stones before it "
        "passes, and another game can follow kgs-game_over.",
        "An engine may resign instead of a cleanup, refuse rules and chat, and leave after its "
        "answer to kgs-game_over.",
        "the extension of KGS",
    ),
    Clause(
        "gtp-tools",
        Part.COMMAND,
        "Commands for tools answer in the form that the tools read: numbers that are finite, and "
        "lists that name commands which exist.",
        "",
        "commands of GNU Go, Gomill and GoGui",
    ),
    Clause(
        "gtp-analysis",
        Part.COMMAND,
        "An analysis command answers with lines of analysis until the next line arrives, which "
        "ends the answer and is answered after it.",
        "The first line has the sign and the id. Each further line is a record of vertices that "
        "are legal and visits that do not fall. The board stays as it was.",
        "commands of Leela Zero, KataGo and CGOS",
    ),
)

CLAUSES: dict[str, Clause] = {clause.name: clause for clause in _CLAUSES}
"""By name, in the order in which reports list them."""
