"""Rules out a fault if `refbot` with the fault answers the lines of a dialogue differently from the bot.

Three signs contradict a fault of the protocol or of the game: another answer, a number that no playout from
the fault's own position can give, and, for a failure, the answers of a right bot. `effects` asks for them. A
transcript is a text of `dialogue_text`, and `replay` says what a bot with the fault answers to its lines.
"""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import pairwise

from harness.check.model import Confirmation, Result
from harness.diagnosis.deviations import PRINTING
from harness.diagnosis.replay import (
    MOST_LINES,
    NEVER_CHOSEN,
    REMEMBERED,
    Answer,
    Start,
    exchanges,
    replay,
)
from harness.go import BoardError, Position
from harness.gtp import command_name
from harness.oracle import StateLimitError, enumerate_playouts
from refbot.deviations.faults import FAULTS
from refbot.rules.position import BLACK, WHITE

COMPARED = frozenset({b"clear_board", b"play"})
"""Commands that succeed or fail (= or ?) by the lines before them alone, in all right bots."""

SETTING = frozenset({b"boardsize", b"komi"})
"""Commands that a right bot may refuse, such as an unusual board size: its state is then not known."""

ASKING = frozenset({b"protocol_version", b"name", b"version", b"known_command", b"list_commands"})
"""Commands that do not depend on the game and do not change it."""

WRITTEN = frozenset({b"protocol_version", b"known_command", b"genmove", b"ref-nodes", b"ref-score"})
"""Commands whose text has one form in all right bots: the same words, but for letters and numbers."""

SHOWING = frozenset({b"get_komi", b"query_boardsize", b"final_score", b"list_stones"})
"""Commands whose text may have several forms: only the very text of the right bot contradicts a fault."""

OF_DIALOGUES = frozenset({"wire", "game", "state", "command"})
"""Parts of a bot (see `Fault.where`) whose faults may change the answers of a replay; "report" may change
numbers. All other faults leave them right."""

COUNTING = frozenset({"ref-score", "area-scoring"})
"""Clauses whose faults make ref-score another number than the mean result of right playouts."""

NOT_REPLAYED = frozenset(
    [
        "unflushed",
        "rest-of-input-lost",
        "line-by-read",
        "line-of-80-bytes",
        "refusal-drops-input",
        "quit-hangs",
        "genmove-resigns",
        "second-search-crashes",
        "clock-halves-playouts",
        "playouts-follow-turn",
        "playouts-black-at-start",
        "area-game-captures",
        "nodes-of-the-game",
        "records-of-the-game",
        "genmove-columns-past-j",
    ]
)
"""Faults of OF_DIALOGUES that a replay does not show: they act in reading, in writing, or in the search."""

ANSWERS_OTHERS = "genmove-columns-past-j"
"""The fault whose answers name other points than those that were played: its board is not known."""

EARLIER = b"77 name\n"
"""A line for a second replay, before the transcript: with some faults, earlier lines change later ids."""

MOST_STATES = 1_000
"""Most states of an enumeration of the playouts from one position. Chosen: a tenth of a second."""

DIGITS, LETTERS = re.compile(rb"[0-9]+"), re.compile(rb"[A-Za-z]+")


def is_contradicted(fault: str, transcript: str) -> bool:
    """Return True if a bot with the fault would have answered a line of the transcript differently.

    Lines count as long as the answers are predictable. A bot may accept illegal moves by play: if the fault
    and a right bot refuse a line, and the bot accepts it, only faults of the wire are contradicted.
    """
    if fault == "refusal-drops-input" and _answers_behind_a_refusal(transcript):
        return True
    return fault in FAULTS and fault != ANSWERS_OTHERS and _differs(_replayed_as(fault), transcript)


def _answers_behind_a_refusal(transcript: str) -> bool:
    """Return True if a line was answered that had been sent in one piece with a refused line before it."""
    several = (seen.raw.split(b"\n\n") for sent, seen in exchanges(transcript) if sent.count(b"\n") > 1)
    return any(one[:1] == b"?" and later for answers in several for one, later in pairwise(answers))


def foretells_no_failure(fault: str, failure: Result) -> bool:
    """Return True if a bot with the fault would answer all lines of a failure as a right bot does.

    False if the failure was not seen in a new process by its own lines, because earlier lines could leave
    another state, and for faults that a replay does not show.
    """
    known = FAULTS.get(fault)
    if known is None or known.where not in OF_DIALOGUES or fault in NOT_REPLAYED:
        return False
    return failure.confirmation is Confirmation.CONFIRMED and _is_right(fault, failure.transcript)


def _replayed_as(fault: str) -> str:
    """Return the fault; or "" (the right bot) for a fault of playouts or choices, which answers like it."""
    return fault if FAULTS[fault].where in OF_DIALOGUES | {"report"} else ""


@lru_cache(REMEMBERED)
def _is_right(fault: str, transcript: str) -> bool:
    """Return True if the replays with the fault and without it are equal, up to the end of the transcript."""
    lines, own, right = exchanges(transcript), replay(fault, transcript), replay("", transcript)
    if not own or own != right or len(lines) == MOST_LINES:  # what follows the most lines is not replayed
        return False
    # A replay that ends early must end at the line where the bot is wrong.
    return len(own) == len(lines) or own[-1].sign != lines[len(own) - 1][1].sign


@lru_cache(REMEMBERED)
def _differs(fault: str, transcript: str) -> bool:
    """Return True if an answer contradicts the fault ("": the right bot) while the bot's state is known."""
    own, right = replay(fault, transcript), replay("", transcript)
    has_right_mean = bool(fault) and FAULTS[fault].clause not in COUNTING
    set_up = False  # True after the first boardsize: the board is known
    start: Start | None = None
    for place, ((sent, seen), foretold) in enumerate(zip(exchanges(transcript), own, strict=False)):
        name = command_name(sent)
        set_up = set_up or name == b"boardsize"
        if foretold.sign == NEVER_CHOSEN:
            return bool(fault)
        if (name not in ASKING and not set_up) or (name in SETTING and foretold.sign != seen.sign):
            return False  # from here on, the state of the bot is not known
        wanted = right[place] if place < len(right) else None
        start = foretold.start or (start if name in WRITTEN else None)
        mean_of = start if name == b"ref-score" and has_right_mean else None
        if (
            _has_other_id(fault, transcript, place)
            or (wanted is not None and _is_other_answer(fault, name, seen, foretold, wanted))
            or (mean_of is not None and not _is_possible_score(mean_of, seen))
        ):
            return True
    return False


def _has_other_id(fault: str, transcript: str, place: int) -> bool:
    """Return True if the answer to a line has an id that the fault cannot give, whatever lines came before.

    If the fault's id depends on earlier lines, any number may be the id of such a line.
    """
    seen, foretold = exchanges(transcript)[place][1], replay(fault, transcript)[place]
    if not seen.sign or foretold.sign != seen.sign or foretold.id == seen.id:
        return False
    other = replay(fault, transcript, EARLIER)
    is_number = (seen.id or b"0").isdigit()
    return len(other) > place and (other[place].id == foretold.id or not is_number)


def _is_other_answer(fault: str, name: bytes, seen: Answer, foretold: Answer, wanted: Answer) -> bool:
    """Return True if an answer contradicts a fault by its sign or its text.

    foretold   the answer of a bot with the fault
    wanted     the answer of a right bot
    """
    of_wire = bool(fault) and FAULTS[fault].where == "wire"
    lenient = wanted.sign == foretold.sign == b"?" and not of_wire
    return (
        (name in COMPARED and foretold.sign != seen.sign and not lenient)
        or wanted.sign == seen.sign != foretold.sign
        or (name in WRITTEN | SHOWING and _is_written_otherwise(name, seen, foretold, wanted))
    )


def _is_written_otherwise(name: bytes, seen: Answer, foretold: Answer, wanted: Answer) -> bool:
    """Return True if the fault writes another text than a right bot, and the bot does not write it.

    Instead, it writes the right bot's text, or, for a command of WRITTEN, any text not of the fault's form.
    """
    if foretold.text == wanted.text or not seen.sign == foretold.sign == wanted.sign:
        return False
    return seen.text == wanted.text or (name in WRITTEN and _form(seen.text) != _form(foretold.text))


def _form(text: bytes) -> bytes:
    """Return a text with 0 in place of each number and a in place of each word, such as `a0` for `E5`."""
    return LETTERS.sub(b"a", DIGITS.sub(b"0", text))


def _is_possible_score(start: Start, seen: Answer) -> bool:
    """Return False if the bot's ref-score is not between the lowest and highest result from this start."""
    try:
        score = float(seen.text)
    except ValueError:
        return True
    bounds = _bounds(start)
    return bounds is None or bounds[0] - PRINTING <= score <= bounds[1] + PRINTING


@lru_cache(1_024)
def _bounds(start: Start) -> tuple[float, float] | None:
    """Return the lowest and the highest result of a right playout, from 0 (lost) to 1; None if unknown.

    Results are for the side to move. Unknown are those with too many states to enumerate, and those of a
    board where a chain has no liberty, as a fault of captures leaves it.
    """
    points = {
        colour: [_point(p, start.size) for p, c in enumerate(start.stones) if c == colour]
        for colour in (BLACK, WHITE)
    }
    position = Position(start.size)
    try:
        position.set_up(points[BLACK], points[WHITE])
        spread = enumerate_playouts(
            position,
            "b" if start.to_move == BLACK else "w",
            ko=_point(start.ko, start.size) if start.ko >= 0 else None,
            moves_made=start.moves_made,
            max_states=MOST_STATES,
        )
    except (StateLimitError, BoardError):
        return None
    sign = 1.0 if start.to_move == BLACK else -1.0
    leads = [sign * (margin - start.komi) for margin in spread.margins]
    results = [1.0 if lead > 0 else 0.0 if lead < 0 else 0.5 for lead in leads]
    return min(results), max(results)


def _point(number: int, size: int) -> tuple[int, int]:
    """Return the point (row, column) of `harness.go` for a number of a point of `refbot`."""
    return divmod(number, size)
