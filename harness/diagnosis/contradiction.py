"""Rules out a fault if `refbot` with the fault answers the lines of a dialogue differently from the bot.

Three signs contradict a fault of the protocol or of the game: another answer, a number that no playout from
the fault's own position can give, and, for a failure, the answers of a right bot.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
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
"""Commands whose answer is a success or a failure (= or ?) by the lines before it alone."""

SETTING = frozenset({b"boardsize", b"komi"})
"""Commands that a bot may refuse as it likes."""

ASKING = frozenset({b"protocol_version", b"name", b"version", b"known_command", b"list_commands"})
"""Commands that change nothing."""

WRITTEN = frozenset({b"protocol_version", b"known_command", b"genmove", b"ref-nodes", b"ref-score"})
"""Commands whose text is of one form in all right bots."""

SHOWING = frozenset({b"get_komi", b"query_boardsize", b"final_score", b"list_stones"})
"""Commands whose text may be of several forms: only the text of a right bot contradicts a fault."""

OF_DIALOGUES = frozenset({"wire", "game", "state", "command"})
"""Parts whose faults may change the answers to COMPARED. All other faults leave them right."""

COUNTING = frozenset({"ref-score", "area-scoring"})
"""Clauses whose faults make ref-score another number than the mean of right playouts."""

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
"""Faults of these parts that act where a replay does not go: in reading, in writing, and in the search."""

ANSWERS_OTHERS = "genmove-columns-past-j"
"""The fault whose answers name other points than those that were played: its board is not known."""

EARLIER = b"77 name\n"
"""A line before those of a failure. The past of the process is not known."""

MOST_STATES = 1_000
"""Most states of an enumeration of the playouts from one position. Chosen: a tenth of a second."""

DIGITS, LETTERS = re.compile(rb"[0-9]+"), re.compile(rb"[A-Za-z]+")


def is_contradicted(fault: str, transcript: str) -> bool:
    """Return whether a bot with the fault would answer a line differently from this bot.

    transcript   text of `dialogue_text`, replayed as long as the answers are predictable
    A refusal that is foretold by the rules and not by the fault contradicts only faults of the protocol: a
    bot may accept illegal moves by play.
    """
    if fault == "refusal-drops-input" and _answers_behind_a_refusal(transcript):
        return True
    return fault in FAULTS and fault != ANSWERS_OTHERS and _differs(_replayed_as(fault), transcript)


def _answers_behind_a_refusal(transcript: str) -> bool:
    """Return whether a command was answered that had come in one piece with a refused one before it."""
    several = (seen.raw.split(b"\n\n") for sent, seen in exchanges(transcript) if sent.count(b"\n") > 1)
    return any(one[:1] == b"?" and later for answers in several for one, later in pairwise(answers))


def foretells_no_failure(fault: str, failure: Result) -> bool:
    """Return whether a bot with the fault would answer all lines of a failure as a right bot does.

    The failure must have been seen in a new process, by its own lines: earlier lines could leave another
    state.
    """
    known = FAULTS.get(fault)
    if known is None or known.where not in OF_DIALOGUES or fault in NOT_REPLAYED:
        return False
    return failure.confirmation is Confirmation.CONFIRMED and _is_right(fault, failure.transcript)


def _replayed_as(fault: str) -> str:
    """Return the fault, or "" (the right bot) for a fault of playouts or of choices alone."""
    return fault if FAULTS[fault].where in OF_DIALOGUES | {"report"} else ""


@lru_cache(REMEMBERED)
def _is_right(fault: str, transcript: str) -> bool:
    lines, own, right = exchanges(transcript), replay(fault, transcript), replay("", transcript)
    if not own or own != right or len(lines) == MOST_LINES:  # what follows the most lines is not replayed
        return False
    # A replay that ends early must end at the line where the bot is wrong.
    return len(own) == len(lines) or own[-1].sign != lines[len(own) - 1][1].sign


@lru_cache(REMEMBERED)
def _differs(fault: str, transcript: str) -> bool:
    return any(_differences(fault, transcript))


def _differences(fault: str, transcript: str) -> Iterator[bool]:
    """Yield for each line whether its answer contradicts the fault, as long as the bot's state is known."""
    of_wire = bool(fault) and FAULTS[fault].where == "wire"
    reports_otherwise = bool(fault) and FAULTS[fault].clause in COUNTING  # no mean of right playouts
    own, right = replay(fault, transcript), replay("", transcript)
    set_up = False  # True after the first boardsize: the board is known
    start: Start | None = None
    for place, ((sent, seen), foretold) in enumerate(zip(exchanges(transcript), own, strict=False)):
        wanted = right[place] if place < len(right) else None
        name = command_name(sent)
        set_up = set_up or name == b"boardsize"
        if foretold.sign == NEVER_CHOSEN:
            yield bool(fault)
            return
        if name not in ASKING and not set_up:
            return
        if name in SETTING and foretold.sign != seen.sign:
            return
        if seen.sign and foretold.sign == seen.sign and foretold.id != seen.id:
            other = replay(fault, transcript, EARLIER)
            # An id of an earlier line is a number, too.
            is_number = (seen.id or b"0").isdigit()
            yield len(other) > place and (other[place].id == foretold.id or not is_number)
        if wanted is not None:
            lenient = wanted.sign == foretold.sign == b"?" and not of_wire
            yield name in COMPARED and foretold.sign != seen.sign and not lenient
            yield wanted.sign == seen.sign != foretold.sign
            yield name in WRITTEN | SHOWING and _is_written_otherwise(name, seen, foretold, wanted)
        start = foretold.start or (start if name in WRITTEN else None)
        if name == b"ref-score" and start is not None and fault and not reports_otherwise:
            yield not _is_possible_score(start, seen)


def _is_written_otherwise(name: bytes, seen: Answer, foretold: Answer, wanted: Answer) -> bool:
    """Return True if the fault writes another text than a right bot, and the bot does not write it so."""
    if foretold.text == wanted.text or not seen.sign == foretold.sign == wanted.sign:
        return False
    return seen.text == wanted.text or (name in WRITTEN and _form(seen.text) != _form(foretold.text))


def _form(text: bytes) -> bytes:
    """Return a text with one digit for each number, and one letter for each word."""
    return LETTERS.sub(b"a", DIGITS.sub(b"0", text))


def _is_possible_score(start: Start, seen: Answer) -> bool:
    """Return False if no mean of right playouts from a start is the score that the bot reported."""
    try:
        score = float(seen.text)
    except ValueError:
        return True
    bounds = _bounds(start)
    return bounds is None or bounds[0] - PRINTING <= score <= bounds[1] + PRINTING


@lru_cache(1_024)
def _bounds(start: Start) -> tuple[float, float] | None:
    """Return the lowest and the highest result of a playout; None if unknown.

    Unknown if there are too many playouts, or if a chain has no liberty, as a fault of captures leaves it.
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
    return divmod(number, size)
