"""Holds one session with a bot: sends its lines, lets `SessionJudge` judge the answers, records both.

`walk` is called for each session of an exploration, and for each attempt to repeat or reduce a deviation. An
example (line, answer of the bot, required answer):

    boardsize 9     =       required: =
    clear_board     =       required: =
    genmove b       = E5    required: a move that a right bot may choose; the model makes the move, too
    play w E5       =       required: ?. A deviation: a stone is there. The session ends
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from harness.check.bot.errors import BotInterruptedError
from harness.explore.abilities import Abilities
from harness.explore.number_laws import SUSPICIOUS
from harness.explore.session_judge import Deviation, Ended, SessionJudge
from harness.gtp import Exchange, command_name

UNHURRIED = frozenset({b"final_score", b"final_status_list"})
"""Commands that may take any time: some engines play the game out for their answer."""

Ask = Callable[[bytes], Exchange]
"""Sends a line and returns its answer: `Bot.ask`. Raises BotInterruptedError."""

AskMany = Callable[[Sequence[bytes]], tuple[Exchange, ...]]
"""Sends several lines in one write and returns their answers: `Bot.ask_many`."""


@dataclass(frozen=True)
class Walk:
    """Record of a session: the lines that were sent, the answers, and the first deviation.

    sent       the lines as bytes, the names of game records replaced by their paths
    exchanges  one for each line; if the bot failed, one for all lines of the last write
    evidence   log of the e-value against the bot, by the index of the ref-nodes or ref-score line
    searches   number of genmoves
    judged     number of judged answers, by kind of the required answer
    refusals   number of lines that a right bot refuses, by the feature of GTP that they try (`Feature`)
    """

    lines: tuple[str, ...]
    sent: tuple[bytes, ...]
    exchanges: tuple[Exchange, ...]
    deviation: Deviation | None
    evidence: Mapping[int, float] = field(default_factory=dict)
    searches: int = 0
    judged: Counter[str] = field(default_factory=Counter)
    refusals: Counter[str] = field(default_factory=Counter)


def walk(
    lines: Sequence[str],
    abilities: Abilities,
    playouts: int | None,
    ask: Ask,
    suspicious: float = SUSPICIOUS,
    ask_many: AskMany | None = None,
    ended: Ended = lambda: None,
) -> Walk:
    """Send the lines up to the first deviation, and return the record. Lines with an open answer are skipped.

    The session also ends, without a deviation, if an UNHURRIED command gets no answer within its time limit;
    its line is not in the record.

    playouts     per search; None if not known, so that no ref-nodes and ref-score are judged
    suspicious   log of the e-value from which a number of a search is a deviation; less is only recorded
    ask_many     send lines with predicted answers in one write. This saves time, but a deviation may then
                 name a wrong clause, and lines after it were sent too: repeat such a session without it
    ended        returns the whole answer of an analysis, after the line that ended it; None if unknown
    """
    session = SessionJudge(abilities, playouts, suspicious)
    waiting = deque(lines)
    deviation = None
    while deviation is None and (group := session.next_group(waiting, together=ask_many is not None)):
        try:
            if ask_many is None or len(group) == 1:
                answers: tuple[Exchange, ...] = (ask(group[0].sent),)
            else:
                answers = ask_many([one.sent for one in group])
        except BotInterruptedError as interruption:
            exchange = interruption.exchange
            if not (exchange.ending == "timeout" and command_name(exchange.sent) in UNHURRIED):
                deviation = session.judge_failure(group, exchange)
            break
        for step, answer in zip(group, answers, strict=True):
            deviation = session.judge(step, answer, ended)
            if deviation is not None:
                break
    counts = (session.searches, session.judged, session.refusals)
    lines = tuple(step.line for step in session.steps)
    sent = tuple(step.sent for step in session.steps)
    return Walk(lines, sent, tuple(session.exchanges), deviation, session.evidence, *counts)
