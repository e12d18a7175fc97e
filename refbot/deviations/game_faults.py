"""Faults of the rules of the real game, and of what a bot keeps from command to command.

An entry is the clause that the fault breaks, then the fields `misconception` and `imitates` of `Fault`. The
clause may be in the maker: `_captures` makes faults of one clause.
"""

from __future__ import annotations

from functools import partial

from refbot.deviations.fault import Fault

_game = partial(Fault, where="game")
_captures = partial(_game, "complete-games")
_state = partial(Fault, where="state")
_kept_boards = partial(_state, "superko")
_kept_count = partial(_state, "move-cap")
_kept_komi = partial(_state, "komi")
_superko = partial(_game, "superko")


class GameFaults:
    """Faults of the rules of the real game, and of what is kept from command to command."""

    # no-suicide
    SUICIDE_GAME = _game("no-suicide", "suicide is allowed in the game", "the test left out")
    SUICIDE_GAME_MULTI = _game("no-suicide", "two or more stones may die", "New Zealand rules")
    # superko
    SUPERKO_NONE = _superko("no ko rule in the game", "the rule left out")
    SUPERKO_SIMPLE = _superko("simple ko only", "the playout's rule in the game")
    SUPERKO_SITUATIONAL = _superko("repetition counts for the same mover only", "AGA rules")
    SUPERKO_CAPTURES_ONLY = _superko(
        "only a move that captures is compared with earlier positions", "'a ko is a capture'"
    )
    SUPERKO_RECENT = _superko(
        "only the last few positions are compared, such as eight", "a short ring buffer"
    )
    # simple-ko
    SNAPBACK_AS_KO = _game(
        "simple-ko",
        "in the game, a stone that took one stone may not be retaken, even if that takes several",
        "goban (Rust), OnlineGo, Lizzie",
    )
    # complete-games
    CAPTURE_AT_MOST_32 = _captures(
        "in the game, many stones are not taken off the board, such as more than 32",
        "a flood fill with a stack of fixed size",
    )
    PLAYOUTS_FOLLOW_TURN = _state(
        "complete-games",
        "playouts begin with the side whose turn it is, whatever colour genmove names",
        "a playout that takes its first mover from the last move of the board",
    )
    PLAYOUTS_BLACK_AT_START = _state(
        "complete-games",
        "before the first move of a game, playouts begin with Black, whatever colour genmove names",
        "a side to move that only moves change",
    )
    CLEAR_KEEPS_PASSES = _state(
        "no-early-pass",
        "after two passes and clear_board, genmove passes as if the game were over",
        "a number of passes that only a placed stone sets to 0",
    )
    CAPTURE_NEVER = _captures("captured stones stay on the board", "captures left out")
    CAPTURE_ONE_STONE = _captures(
        "only one stone of a captured chain is removed", "a chain taken for its last stone"
    )
    CAPTURE_ONE_CHAIN = _captures(
        "only one of several captured chains is removed", "a loop that ends at the first"
    )
    CAPTURE_THREE_CHAINS = _captures("of four captured chains one is not removed", "a list with three places")
    # no-suicide
    SUICIDE_BEFORE_CAPTURE = _game(
        "no-suicide", "a move without a liberty is suicide, whatever it takes", "liberties counted too early"
    )
    # simple-ko
    KO_KEPT_BY_TAKER = _state(
        "simple-ko",
        "the ban of a ko stays in force while the side that took it plays again",
        "a ban that only a move of the other side lifts",
    )
    KO_OWN_FORGOTTEN = _state(
        "simple-ko", "a ko that genmove takes is not banned in playouts", "the ko is noted by play alone"
    )
    KO_FOR_EVER = _game("simple-ko", "the ban of a ko lasts to the end of the game", "a ban never lifted")
    CLEAR_KEEPS_KO = _game(
        "simple-ko", "clear_board right after a ko keeps its ban", "a ko point that only a move lifts"
    )
    # best-rate
    CANDIDATES_LEAVE_ENEMY_EYES = _game(
        "best-rate", "in the game, a one-point eye of the enemy is no candidate", "'nobody plays into an eye'"
    )
    # superko
    SUPERKO_LAST_FORTY = _superko("only the last positions are compared, such as forty", "a ring buffer")
    SUPERKO_LAST_CAP = _superko(
        "only the last 3 N N positions are compared", "a ring buffer as long as the longest playout"
    )
    SUPERKO_FIRST_CAP = _superko(
        "only the first 3 N N positions are kept", "an array as long as the longest playout"
    )
    KOMI_FORGETS_BOARDS = _kept_boards("komi forgets the boards of the game", "komi begins a game")
    # move-cap
    CAP_PASSES_UNCOUNTED = _kept_count(
        "passes of the game do not count towards the cap", "a count of the stones that were played"
    )
    CLEAR_KEEPS_COUNT = _kept_count(
        "clear_board keeps the number of moves", "a counter that boardsize alone sets to 0"
    )
    COUNT_NEVER_RESET = _kept_count(
        "a new game does not set the number of moves to 0, whichever command begins it",
        "one counter for the whole process",
    )
    CAP_OWN_MOVES_UNCOUNTED = _kept_count(
        "moves of its own genmove do not count towards the cap", "counted by play alone"
    )
    # superko
    SUPERKO_SURVIVES_CLEAR = _kept_boards("clear_board keeps the history", "one global table")
    SUPERKO_LOST_WITH_PASS = _kept_boards(
        "undo of a pass forgets the position before it too", "a pass that stored no position"
    )
    SUPERKO_SURVIVES_UNDO = _kept_boards("undo keeps the position taken back", "a set, never cut")
    SUPERKO_OWN_MOVES_FORGOTTEN = _kept_boards(
        "boards that genmove led to are not remembered", "recorded by play alone"
    )
    # ref-nodes
    NODES_OF_THE_GAME = _state(
        "ref-nodes", "ref-nodes: summed over all searches of a game", "set to 0 by clear_board alone"
    )
    PLAY_FORGETS_SEARCH = _state(
        "ref-nodes",
        "ref-nodes and ref-score are lost at the next play",
        "statistics kept in a tree that every move replaces",
    )
    CLOCK_HALVES_PLAYOUTS = _state(
        "ref-nodes",
        "with a main time set, a search makes half of its playouts",
        "engines that share out the time they are given",
    )
    # komi
    KOMI_ONE_GAME_LATE = _kept_komi("komi is in force from the next clear_board on", "read at clear_board")
    KOMI_UNDONE = _kept_komi(
        "undo brings back the komi of the move before", "a stack of whole games, komi included"
    )
    KOMI_TO_HALVES = _kept_komi("komi is rounded to half points", "komi kept as a number of half points")
    KOMI_RESET_BY_SIZE = _kept_komi(
        "a new board size brings back the komi of the start", "a new board object with its own komi"
    )
    KOMI_SCALED_BY_SIZE = _kept_komi(
        "a new board size changes komi in proportion to its points", "komi kept as a share of the board"
    )
    KOMI_DRIFTS = _kept_komi(
        "each genmove adds to komi, such as half a point",
        "dynamic komi that starts from the komi of the search before",
    )
    KOMI_FIRST_ONLY = _kept_komi("only the first komi of a process is used", "set at start of game")
    # amaf
    RECORDS_OF_THE_GAME = _state(
        "amaf", "only clear_board and boardsize empty the records", "records that belong to the board"
    )
    # area-scoring
    UNDO_KEEPS_SCORE = _state(
        "area-scoring",
        "stones that undo took back still count in playouts",
        "a number of stones beside the board",
    )
    AREA_GAME_CAPTURES = _state(
        "area-scoring", "stones captured in the game count in playouts", "a board that keeps prisoners"
    )
