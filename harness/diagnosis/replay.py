"""Replays of a dialogue by `refbot` with one fault, with the moves that the bot under test chose.

`replay` takes a transcript, and returns what a bot with the fault would have answered to each line. No
playouts are made: each genmove takes the move of the bot under test. So a replay shows how a fault of the
protocol or of the game would have answered, and from which position each search would have started.
`contradiction` compares these answers with the bot's.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from harness.check.bot.transcript import exchanges_in
from harness.gtp import command_name
from refbot.deviations.faults import checked
from refbot.deviations.habits import Habits
from refbot.gtp import Server, Session, Settings
from refbot.gtp.commands import names
from refbot.gtp.placing import COLOURS
from refbot.gtp.syntax import DeliberateCrashError, GtpError, parse_vertex

LONGEST_LINE = 70
"""Longest line, in bytes, that is replayed. Chosen: some faults cut longer ones before `Server` gets them."""

MOST_LINES = 800
"""Most lines of a dialogue that are replayed. Chosen: more than the longest game of a check on 9x9."""

REMEMBERED = 8_192
"""Number of cached replays, and of comparisons of them. Chosen: more than the diagnoses of one run need."""

FOLLOWED = frozenset(
    [
        "boardsize",
        "clear_board",
        "komi",
        "play",
        "undo",
        "genmove",
        "ref-nodes",
        "ref-score",
        "protocol_version",
        "name",
        "version",
        "known_command",
        "list_commands",
        "time_settings",
        "time_left",
        "fixed_handicap",
        "set_free_handicap",
        "showboard",
        "list_stones",
        "get_komi",
        "query_boardsize",
        "final_score",
        "final_status_list",
    ]
)
"""Commands after which the state of a bot is known, if it answers with the expected sign."""

NOT_ASKED = {"loadsgf", "savesgf"} | (set(names(frozenset({Habits.EXTENSIONS}))) - set(names()) - FOLLOWED)
"""Commands before which a replay ends, by name: those that read or write a file, and the extensions that are
not in FOLLOWED, some of which search in their own way."""

WITHOUT_EFFECT = {"time_settings", "time_left"}
"""Commands that change no later answer: the replay continues if the bot answers them with another sign."""

USUAL_NODES = 22_000
"""Number of playout moves of a search, in place of a number that the bot did not report. Chosen: it has as
many digits as usual."""

NEVER_CHOSEN = b"!"
"""Sign of a foretold answer to genmove: a bot with the fault never chooses the move of the bot under test."""

HEAD = re.compile(rb"\s*([=?])(\S*)")
"""The sign and the id at the beginning of an answer."""


class Start(NamedTuple):
    """The start of a search: all that the playouts of a right bot and its choice depend on.

    stones       the stone of each point, in the numbering of `refbot.rules.position` (EMPTY, BLACK or WHITE)
    to_move      BLACK or WHITE
    ko           the point that is banned; below 0 for none
    candidates   the bytes of the array of the candidates' points
    """

    size: int
    stones: tuple[int, ...]
    to_move: int
    ko: int
    moves_made: int
    komi: float
    candidates: bytes


class Answer(NamedTuple):
    """One answer, of the bot under test or foretold.

    sign    b"=" or b"?", b"" for a crash or no answer, NEVER_CHOSEN (only if foretold)
    id      all that follows the sign without a blank
    text    the rest, without blanks at its ends
    start   the start of the search, foretold for a command that searches; else None
    raw     every byte of the answer
    """

    sign: bytes
    id: bytes = b""
    text: bytes = b""
    start: Start | None = None
    raw: bytes = b""


class _Chosen(NamedTuple):
    """The fields of a search result that a session reads; `move` is a point, or None for a pass."""

    move: int | None
    nodes: int
    score: float


class _UnpredictableError(DeliberateCrashError):
    """The bot under test answered genmove without a readable move: its board is not known from there on.

    A DeliberateCrashError is the one error of a command that `Server` does not answer, but raises.
    """


class _NeverChosenError(DeliberateCrashError):
    """The move of the bot under test is no candidate in the replay, or a pass although there is one."""


class _Replay(Session):
    """A session of `refbot` whose searches choose the moves of the bot under test, without any playout."""

    def __init__(self, fault: str) -> None:
        faults, habits = checked({fault} if fault else ()), frozenset({Habits.EXTENSIONS})
        super().__init__(Settings(playouts=1, seed=1, faults=faults, habits=habits))
        self.answered = b""  # the bot's answer to the present line
        self.reported: _Chosen | None = None  # the numbers that the bot will report about the present search
        self.start: Start | None = None

    def search(self, colour: str) -> _Chosen:  # type: ignore[override]
        """Return the move of the bot under test in place of a search, and note the start of the search.

        Raises _NeverChosenError, or the error of `_answered_move`.
        """
        mover = COLOURS[colour]
        point = self._answered_move()
        at, candidates = self.game.position(mover), self.game.candidates(mover)
        is_possible = point in candidates if point is not None else not len(candidates)
        if not is_possible:
            raise _NeverChosenError("no candidate")
        self.start = Start(
            self.size,
            tuple(self.game.stones),
            mover,
            at.ko,
            at.moves_made,
            self.game.komi,
            candidates.tobytes(),
        )
        reported = self.reported or _Chosen(None, USUAL_NODES, 0.5)
        self._last_search = _Chosen(point, reported.nodes, reported.score)  # type: ignore[assignment]
        self._reports_nothing = False
        return self._last_search  # type: ignore[return-value]

    def _answered_move(self) -> int | None:
        """Return the point of the only vertex in the bot's answer; None for a pass.

        Raises _UnpredictableError without exactly one vertex.
        """
        text = answer_of(self.answered).text.decode("ascii", "replace")
        found = []
        for word in text.split():
            try:
                found.append(parse_vertex(word, self.size, self.switches))
            except GtpError:
                continue
        if len(found) != 1:
            raise _UnpredictableError("no vertex")
        return found[0]


def answer_of(received: bytes) -> Answer:
    """Read an answer, such as b"=7 E5" with two line feeds: sign b"=", id b"7", text b"E5"."""
    head = HEAD.match(received)
    if head is None:
        return Answer(b"", text=received, raw=received)
    return Answer(head[1], head[2], received[head.end() :].strip(), raw=received)


@lru_cache(REMEMBERED)
def exchanges(transcript: str) -> tuple[tuple[bytes, Answer], ...]:
    """Return the first MOST_LINES lines of a transcript (text of `dialogue_text`), each with its answer."""
    return tuple((sent, answer_of(received)) for sent, received in exchanges_in(transcript)[:MOST_LINES])


@lru_cache(REMEMBERED)
def replay(fault: str, transcript: str, before: bytes = b"") -> tuple[Answer, ...]:
    """Return the answers of `refbot` with a fault to the lines of a transcript, from the first on.

    fault    name of a fault of the answers, not of playouts or choices; "" for the right bot
    before   a line that the process got earlier
    There is one answer for each line, but fewer answers than lines if the replay ends early: before a line of
    NOT_ASKED or a long one, after an answer with another sign than the bot's (so the last one may differ in
    this), and where the state of the bot is no longer known.
    """
    session = _Replay(fault)
    server = Server(session)
    if before:
        _ask(server, before)
    found: list[Answer] = []
    lines = exchanges(transcript)
    for place, (sent, seen) in enumerate(lines):
        if len(sent) > LONGEST_LINE or command_name(sent).decode() in NOT_ASKED:
            break
        session.answered, session.start = seen.raw, None
        session.reported = _reported(lines[place + 1 : place + 3])
        try:
            answer = _ask(server, sent)
        except _UnpredictableError:
            if seen.sign == b"?":
                found.append(Answer(b"="))  # the bot refused genmove; the fault would have searched
            break
        except _NeverChosenError:
            found.append(Answer(NEVER_CHOSEN))
            break
        found.append(answer._replace(start=session.start))
        name = command_name(sent).decode()
        if answer.sign != seen.sign and name not in WITHOUT_EFFECT:
            break
        if seen.sign == b"=" and name not in FOLLOWED:
            break
    return tuple(found)


def _reported(following: Sequence[tuple[bytes, Answer]]) -> _Chosen:
    """Return the bot's ref-nodes and ref-score from the lines that follow a search, or usual numbers."""
    nodes, score = USUAL_NODES, 0.5
    for sent, answer in following:
        name = command_name(sent)
        try:
            if name == b"ref-nodes":
                nodes = int(float(answer.text))
            elif name == b"ref-score":
                score = float(answer.text)
        except (ValueError, OverflowError):  # no number, or an infinite one
            continue
    return _Chosen(None, nodes, score)


def _ask(server: Server, line: bytes) -> Answer:
    """Return the answer of `refbot` to a line, which may have several commands; empty if it crashes.

    Raises _UnpredictableError and _NeverChosenError.
    """
    try:
        return answer_of(b"".join(server.answer(part) for part in line.splitlines(keepends=True)))
    except (_UnpredictableError, _NeverChosenError):
        raise
    except DeliberateCrashError:
        return Answer(b"")
