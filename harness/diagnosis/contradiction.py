"""Rules out a fault if `refbot` with the fault answers the lines of a dialogue differently from the bot.

A transcript is a text of `dialogue_text`: the lines of a dialogue with the answers of the bot under test. A
replay of it (`replay`) shows what a bot with a fault would have answered to these lines. Two tests use it:

is_contradicted        the bot gave an answer that the fault does not give, or a ref-score that no playout
                       from the position can give
foretells_no_failure   with the fault, a bot answers all lines as a right bot does, so it causes no failure
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from harness.check.model import Confirmation, Result
from harness.diagnosis.deviations import PRINTING
from harness.diagnosis.possible_results import possible_results
from harness.diagnosis.replay import (
    MOST_LINES,
    NEVER_CHOSEN,
    REMEMBERED,
    Answer,
    Start,
    exchanges,
    replay,
)
from harness.gtp import command_name
from refbot.deviations.faults import FAULTS

COMPARED = frozenset({b"clear_board", b"play"})
"""Commands that succeed or fail (= or ?) by the lines before them alone, in all right bots."""

SETTING = frozenset({b"boardsize", b"komi"})
"""Commands that a right bot may refuse, such as an unusual board size: its state is then not known."""

ASKING = frozenset({b"protocol_version", b"name", b"version", b"known_command", b"list_commands"})
"""Commands that do not depend on the game and do not change it."""

WRITTEN = frozenset({b"protocol_version", b"known_command", b"genmove", b"ref-nodes", b"ref-score"})
"""Commands whose text has one form (`_form`) in all right bots: two differ in words and numbers only."""

KEEPS_SEARCH = frozenset({b"protocol_version", b"known_command", b"ref-nodes", b"ref-score"})
"""Commands after which a ref-score is about the same search as before."""

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

UNKNOWN_BOARD = "genmove-columns-past-j"
"""The fault whose answers name other points than those that were played: its board is not known."""

LOSES_LATER_LINES = "refusal-drops-input"
"""The fault that loses the lines that were sent in one piece with a refused line, behind it."""

EARLIER = b"77 name\n"
"""A line for a second replay, before the transcript: with some faults, earlier lines change later ids."""

DIGITS, LETTERS = re.compile(rb"[0-9]+"), re.compile(rb"[A-Za-z]+")


@dataclass(frozen=True)
class _Line:
    """A line of a transcript that a bot answered while its state was known.

    place      number of the line, from 0
    name       the command
    seen       the answer of the bot under test
    foretold   the answer of a bot with the fault
    right      the answer of a right bot; None if its replay ended before
    start      the start of the search that a ref-score reports; None for another command, or if unknown
    """

    place: int
    name: bytes
    seen: Answer
    foretold: Answer
    right: Answer | None
    start: Start | None


def is_contradicted(fault: str, transcript: str) -> bool:
    """Return True if a bot with the fault would have answered a line of the transcript differently.

    Lines count as long as the answers are predictable. A bot may accept illegal moves by play: if the fault
    and a right bot refuse a line, and the bot accepts it, only faults of the wire are contradicted. False for
    an unknown fault, and for UNKNOWN_BOARD.
    """
    if fault not in FAULTS or fault == UNKNOWN_BOARD:
        return False
    if fault == LOSES_LATER_LINES and _answers_behind_a_refusal(transcript):
        return True
    return _has_contradiction(_replayed_as(fault), transcript)


def foretells_no_failure(fault: str, failure: Result) -> bool:
    """Return True if a bot with the fault would answer all lines of a failure as a right bot does.

    False if the failure was not seen in a new process by its own lines, because earlier lines could leave
    another state, and for faults that a replay does not show.
    """
    known = FAULTS.get(fault)
    if known is None or known.where not in OF_DIALOGUES or fault in NOT_REPLAYED:
        return False
    if failure.confirmation is not Confirmation.CONFIRMED:
        return False
    return _answers_as_a_right_bot(fault, failure.transcript)


def _answers_behind_a_refusal(transcript: str) -> bool:
    """Return True if a line was answered that had been sent in one piece with a refused line before it."""
    several = (seen.raw.split(b"\n\n") for sent, seen in exchanges(transcript) if sent.count(b"\n") > 1)
    return any(one[:1] == b"?" and later for answers in several for one, later in pairwise(answers))


def _replayed_as(fault: str) -> str:
    """Return the fault; or "" (the right bot) for a fault of playouts or choices, which answers like it."""
    return fault if FAULTS[fault].where in OF_DIALOGUES | {"report"} else ""


@lru_cache(REMEMBERED)
def _answers_as_a_right_bot(fault: str, transcript: str) -> bool:
    """Return True if the replays with the fault and without it are equal, up to the end of the transcript."""
    lines, own, right = exchanges(transcript), replay(fault, transcript), replay("", transcript)
    if not own or own != right or len(lines) == MOST_LINES:  # what follows the most lines is not replayed
        return False
    # A replay that ends early must end at the line where the bot is wrong.
    return len(own) == len(lines) or own[-1].sign != lines[len(own) - 1][1].sign


@lru_cache(REMEMBERED)
def _has_contradiction(fault: str, transcript: str) -> bool:
    """Return True if an answer contradicts the fault ("": the right bot) while the bot's state is known."""
    return any(
        _is_contradiction(fault, line) or _has_other_id(fault, transcript, line)
        for line in _comparable_lines(fault, transcript)
    )


def _comparable_lines(fault: str, transcript: str) -> Iterator[_Line]:
    """Yield the lines of a transcript that were answered while the state of the bot was known.

    It is known after the first boardsize, until a setting is refused that the fault accepts, or the other way
    round. Lines of ASKING before that boardsize are yielded, too; any other line before it ends the lines.
    """
    own, right = replay(fault, transcript), replay("", transcript)
    is_set_up = False
    start: Start | None = None
    for place, ((sent, seen), foretold) in enumerate(zip(exchanges(transcript), own, strict=False)):
        name = command_name(sent)
        is_set_up = is_set_up or name == b"boardsize"
        if not is_set_up and name not in ASKING:
            return
        if name in SETTING and foretold.sign != seen.sign:
            return
        start = foretold.start or (start if name in KEEPS_SEARCH else None)
        by_right = right[place] if place < len(right) else None
        yield _Line(place, name, seen, foretold, by_right, start if name == b"ref-score" else None)


def _is_contradiction(fault: str, line: _Line) -> bool:
    """Return True if the answer to a line contradicts the fault by its sign, its text or its number."""
    if line.foretold.sign == NEVER_CHOSEN:  # a bot with the fault never chooses the move that the bot chose
        return bool(fault)  # "" stands for faults of the choice too, which choose in other ways
    if line.right is not None and _is_other_answer(fault, line.name, line.seen, line.foretold, line.right):
        return True
    # "" stands for faults of the playouts too, whose mean may be any number.
    has_right_mean = bool(fault) and FAULTS[fault].clause not in COUNTING
    return has_right_mean and line.start is not None and not _is_possible_score(line.start, line.seen)


def _has_other_id(fault: str, transcript: str, line: _Line) -> bool:
    """Return True if the answer to a line has an id that the fault cannot give, whatever lines came before.

    If the fault's id depends on earlier lines, any number may be the id of such a line.
    """
    seen, foretold = line.seen, line.foretold
    if not seen.sign or foretold.sign != seen.sign or foretold.id == seen.id:
        return False
    later = replay(fault, transcript, EARLIER)
    is_number = (seen.id or b"0").isdigit()
    return len(later) > line.place and (later[line.place].id == foretold.id or not is_number)


def _is_other_answer(fault: str, name: bytes, seen: Answer, foretold: Answer, right: Answer) -> bool:
    """Return True if an answer contradicts a fault by its sign or its text; arguments as in `_Line`."""
    if right.sign == seen.sign != foretold.sign:
        return True
    if name in COMPARED and foretold.sign != seen.sign:
        both_refuse = right.sign == foretold.sign == b"?"
        if not both_refuse or (fault and FAULTS[fault].where == "wire"):
            return True
    return name in WRITTEN | SHOWING and _is_written_otherwise(name, seen, foretold, right)


def _is_written_otherwise(name: bytes, seen: Answer, foretold: Answer, right: Answer) -> bool:
    """Return True if the bot's text contradicts a fault that writes another text than a right bot.

    The right bot's text contradicts it; for a command of WRITTEN, so does any text of another form.
    """
    if foretold.text == right.text or not seen.sign == foretold.sign == right.sign:
        return False
    return seen.text == right.text or (name in WRITTEN and _form(seen.text) != _form(foretold.text))


def _form(text: bytes) -> bytes:
    """Return a text with 0 in place of each number and a in place of each word, such as `a0` for `E5`."""
    return LETTERS.sub(b"a", DIGITS.sub(b"0", text))


def _is_possible_score(start: Start, seen: Answer) -> bool:
    """Return False if the bot's ref-score is below the lowest or above the highest result from this start.

    True if it is no number, or if these results are not known.
    """
    try:
        score = float(seen.text)
    except ValueError:
        return True
    bounds = possible_results(start)
    return bounds is None or math.isnan(score) or bounds[0] - PRINTING <= score <= bounds[1] + PRINTING
