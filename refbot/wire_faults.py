"""Faults of the GTP layer: clause `gtp`, and what a colour or a setting means on the wire."""

from __future__ import annotations

from refbot.fault import Fault


def _wire(name: str, misconception: str, imitates: str, clause: str = "gtp") -> Fault:
    return Fault(name, clause, misconception, imitates, "wire")


_ANSWERS = (
    _wire(
        "id-dropped", "answers carry no id", "libego reads the id and never echoes it; pyDLGO and TamaGo once"
    ),
    _wire(
        "id-dropped-on-failure", "failures carry no id", "Ray, whose error paths print a plain question mark"
    ),
    _wire("id-zero-dropped", "an id of 0 is taken for none", "the gtp package of PyPI: `if id:`"),
    _wire("id-after-blank", "a blank stands between the sign and the id", "minigo: print('=', id, text)"),
    _wire(
        "id-stale", "an answer carries the id of the command before", "an id stored after the answer is sent"
    ),
    _wire("one-line-feed", "an answer ends with one line feed", "KataGo's answers to an id alone"),
    _wire("blank-line-inside", "an answer of several lines has an empty one", "Leela Zero's printsgf"),
    _wire("extra-line-feed", "an answer ends with three line feeds", "minizero's list_commands, michi-c2"),
    _wire("log-on-stdout", "the log of a search goes to stdout", "matilda; wrappers around Zen"),
    _wire(
        "unflushed",
        "answers wait in a buffer unless stdout is a terminal",
        "the gtp package of PyPI, issue 10",
    ),
)

_LINES = (
    _wire(
        "blank-line-answered", "an empty line gets an answer", "minigo's C++ engine, pony-mcts, iomrascalai"
    ),
    _wire(
        "blank-line-crashes", "an empty line ends the process", "michi, Orego, Ray: the first word of nothing"
    ),
    _wire("comment-at-start-only", "# opens a comment only as first byte of a line", "Leela Zero, Gongo"),
    _wire("comment-never", "# means nothing", "minizero, pony-mcts"),
    _wire(
        "control-kept",
        "control characters are part of a word",
        "minigo: a regex in a raw string never matches",
    ),
    _wire(
        "crlf-breaks", "a CR at the end of a line is part of the last word", "a split at LF, read on Windows"
    ),
    _wire("prefix-matched", "playfoo is play", 'Leela Zero: command.find("play") == 0'),
    _wire("name-case-ignored", "PLAY is play", "Leela and oakfoam, which put lines into lower case"),
    _wire(
        "missing-argument-crashes", "a missing argument ends the process", "minigo, michi, Leela Zero once"
    ),
    _wire(
        "numbers-by-atoi", "abc is the number 0 and 9x is 9", "Ray and others that read with atoi and atof"
    ),
    _wire(
        "missing-argument-succeeds",
        "a missing argument is no failure",
        "Sabaki's engine; matilda",
    ),
    _wire("tab-dropped", "a tab is dropped, not turned into a blank", "gogui-dummy: playbA1"),
)

_ADMINISTRATION = (
    _wire("unknown-unanswered", "an unknown command gets no answer", "iomrascalai, issue 35"),
    _wire("unknown-succeeds", "an unknown command gets an empty success", "TamaGo: `= ? unknown command`"),
    _wire("known-command-digits", "known_command answers 1 and 0", "Orego"),
    _wire("known-command-fails", "known_command fails for an unknown name", "Ray: `? false`"),
    _wire(
        "known-command-crashes",
        "known_command without a name ends the process",
        "the first of no words, looked at in a command that cannot fail",
    ),
    _wire(
        "name-two-lines",
        "name answers with a line about the author too",
        "a banner, shown wherever a name is asked for",
    ),
    _wire("list-on-one-line", "list_commands has one line, joined by blanks", "pony-mcts, hayago"),
    _wire("list-names-unknown", "list_commands names a command that does not run", "minigo's `_` for `-`"),
    _wire("list-omits-required", "list_commands leaves out komi", "tables of commands kept by hand, twice"),
    _wire("komi-missing", "there is no komi command", "gogui-dummy, michi-c, pony-mcts"),
    _wire("undo-listed-only", "undo is listed, and fails always", "minigo: NotImplementedError"),
    _wire("time-settings-crashes", "time_settings ends the process", "Pachi, an assertion: gtp2ogs issue 37"),
    _wire("protocol-version-1", "protocol_version answers 1", "engines written for version 1"),
    _wire("quit-unanswered", "the process ends without an answer to quit", "exit() inside the command"),
    _wire(
        "quit-hangs",
        "quit is answered, the process lives on",
        "minigo's C++ engine: a thread is never joined",
    ),
)

_SETUP = (
    _wire("komi-clears-board", "komi sets up a new game", "Orego, which rebuilds its player"),
    _wire(
        "clear-resets-komi", "clear_board sets komi back to its first value", "Fuego in Little Go, issue 324"
    ),
    _wire("clear-twice-crashes", "a second clear_board in a row ends the process", "michi-c2, issue 12"),
    _wire("boardsize-any", "every boardsize succeeds; a bad one changes nothing", "Ray"),
    _wire(
        "size-refusal-worded", "the refusal of a size says more than it may", "KataGo: … (Board::MAX_LEN …)"
    ),
    _wire("boardsize-refusal-fatal", "a bad boardsize is refused, then the process ends", "Pachi"),
)

_PLAY = (
    _wire("pass-refused", "pass is no legal move", "iomrascalai, issue 20; the gtp package of PyPI 0.2"),
    _wire("pass-lower-case-only", "PASS is no legal move", "minigo, issue 667"),
    _wire("letter-i-used", "the ninth column is I", "BUGOUT, issue 227"),
    _wire("columns-past-t-wrong", "the column after T is Y", "the gtp package of PyPI: …STYVWYZ"),
    _wire("off-board-crashes", "a vertex off the board ends the process", "michi-c, issue 9"),
    _wire("vertex-upper-case-only", "d4 is no vertex", "a table of names in capitals"),
    _wire("colour-one-letter-only", "black and white are no colours", "a switch over the first letters only"),
    _wire("colour-any-word", "every colour but w… is Black", "Ray"),
    _wire("play-ignores-colour", "play places a stone of whose turn it seems to be", "minigo, michi"),
    _wire(
        "alternation-enforced",
        "two moves of one colour in a row are refused",
        "minizero; colour taken for turn",
    ),
    _wire("play-never-refuses", "an illegal move gets a success and is not made", "Ray"),
    _wire(
        "illegal-move-passes", "a refused move counts as a pass", "turn and history advanced before the test"
    ),
    _wire("illegal-text-capital", "the refusal reads `Illegal move`", "Orego"),
    _wire("resign-in-history", "play accepts resign as a move that undo takes back", "Leela Zero, Leela"),
    _wire("genmove-ends-with-game", "genmove fails after two passes", "KataGo, issue 51"),
    _wire(
        "genmove-not-played", "genmove answers a move and does not make it", "a search on a copy of the board"
    ),
    _wire(
        "genmove-resigns",
        "genmove resigns when the score is below a tenth",
        "a habit of strong engines",
        "complete-games",
    ),
    _wire(
        "genmove-ignores-colour",
        "genmove always moves for the side whose turn it seems to be",
        "engines that keep the side to move in the board and never read the argument",
        "complete-games",
    ),
    _wire(
        "undo-keeps-captures",
        "undo takes the stone, captured ones stay away",
        "boards without a record of captures",
    ),
    _wire("undo-takes-two", "undo takes back a move of each side", "undo meant for a person at the board"),
    _wire(
        "undo-at-start-succeeds",
        "undo with nothing to take back gets a success",
        "a stack emptied in silence",
    ),
    _wire("undo-refusal-worded", "the refusal reads `no moves to undo`", "Pachi"),
)

_SCORE = (
    _wire("final-score-sign", "final_score names the loser", "a score seen from White"),
    _wire("final-score-bare", "final_score is a number without a winner", "minizero"),
    _wire("final-score-without-komi", "final_score leaves out komi", "the score of the stones alone", "komi"),
)

WIRE_FAULTS: tuple[Fault, ...] = _ANSWERS + _LINES + _ADMINISTRATION + _SETUP + _PLAY + _SCORE
