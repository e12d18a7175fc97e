"""Checks of searches with time settings: their number of playouts, and their duration."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from harness.check.bot.bot import Bot
from harness.check.bot.session import Session
from harness.check.bot.wording import exchange_text, sent_text
from harness.check.model import Judgement, Outcome, Requirements, failed, passed
from harness.check.procedures.conversation import Conversation, as_lines, new_game, read_nodes
from harness.check.procedures.late_probes import short_search
from harness.check.procedures.reliance import SentLine, requirements
from harness.gtp import Exchange

SIZE = 9
MOVES = 11
"""Moves of every right playout of `short_search(SIZE)`."""

NO_LIMIT = b"time_settings 0 1 0\n"
"""Byo-yomi time for no stones means no time limit, by the draft of GTP 2."""


@dataclass(frozen=True)
class Clock:
    """Time settings: arguments of time_settings (`300 60 25`), and of time_left after the colour (`60 25`).

    A bot without time_left gets only time_settings.
    """

    settings: str
    left: str


@dataclass(frozen=True)
class TimedSearch:
    """A search with time settings.

    answers   to the time commands, up to the first refusal
    nodes     the answer to ref-nodes; None after a refusal
    """

    answers: tuple[Exchange, ...]
    nodes: Exchange | None


@dataclass(frozen=True)
class TimedRecord:
    """The answer to ref-nodes after a search without time settings, and a search for each clock."""

    usual: Exchange
    timed: tuple[TimedSearch, ...]


@dataclass(frozen=True)
class PlayoutsByTheClock(Conversation):
    """Searches of a position with playouts of equal length: with several time settings and with none."""

    clocks: tuple[Clock, ...]

    @property
    def requires(self) -> Requirements:
        """Requirements of two searches, one after the other. The time commands are those of the check."""
        return requirements(map(SentLine, short_search(SIZE) * 2), SIZE)

    def observe(self, session: Session) -> TimedRecord:
        """Search without time settings, then with each clock; remove the time limit."""
        bot = session.bot
        bot.set_up(short_search(SIZE))
        usual = bot.ask(b"ref-nodes\n")
        has_time_left = session.has("time_left")
        timed = tuple(_search(bot, clock, has_time_left=has_time_left) for clock in self.clocks)
        bot.ask(NO_LIMIT)
        return TimedRecord(usual, timed)

    def judge(self, observation: TimedRecord) -> Judgement:
        """All searches must have the same `ref-nodes`, hence the same number of playouts.

        Skipped if the bot refuses a time command, or if `ref-nodes` is no multiple of MOVES: playouts then
        differ in length. Raises UnreadableAnswerError.
        """
        usual = read_nodes(observation.usual)
        expected = f"ref-nodes → {usual}, as without a clock: every playout lasts eleven moves here"
        for search in observation.timed:
            if search.nodes is None:
                return Judgement(Outcome.SKIP, observed=exchange_text(search.answers[-1]))
            nodes = read_nodes(search.nodes)
            if usual % MOVES or nodes % MOVES:  # such playouts differ without a clock, too
                return Judgement(Outcome.SKIP, observed="the bot's playouts differ in length here")
            if nodes != usual:
                sent = " and ".join(sent_text(exchange.sent) for exchange in search.answers)
                return failed(expected, f"after {sent}: ref-nodes → {nodes}")
        return passed(expected)


def _search(bot: Bot, clock: Clock, *, has_time_left: bool) -> TimedSearch:
    """Search with time settings. A refusal ends it.

    The order is that of real controllers: boardsize, clear_board, komi, time_settings, the stones, time_left
    (if the bot has it), genmove.
    """
    boardsize, clear_board, komi, *stones, genmove = short_search(SIZE)
    parts: list[tuple[Sequence[bytes], str]] = [
        ((boardsize, clear_board, komi), f"time_settings {clock.settings}\n")
    ]
    parts += [(stones, f"time_left b {clock.left}\n")] if has_time_left else []
    answers: list[Exchange] = []
    for before, command in parts:
        bot.set_up(before)
        answers.append(bot.ask(command.encode("ascii")))
        if not answers[-1].ok:
            return TimedSearch(tuple(answers), None)
    bot.set_up([genmove] if has_time_left else [*stones, genmove])
    return TimedSearch(tuple(answers), bot.ask(b"ref-nodes\n"))


PERIOD = 1
"""Seconds that a clock gives for each move; chosen: the shortest that GTP can express."""

LATE = 5.0
"""A move is late after more than this many seconds. Chosen: five periods, for engines that look at the clock
seldom."""


@dataclass(frozen=True)
class MoveRecord:
    """The answer to genmove under a clock; `busy`: it was late, and then other processes used the machine."""

    move: Exchange
    busy: bool = False


@dataclass(frozen=True)
class MoveInTime(Conversation):
    """`gtp.clock.in-time`: genmove with a clock of one second per move answers within five."""

    requires = requirements(
        map(SentLine, (*new_game(9), *as_lines(f"time_settings 0 {PERIOD} 1", "genmove b")))
    )

    def observe(self, session: Session) -> MoveRecord:
        """Set the clock, generate a move, remove the limit."""
        bot = session.bot
        bot.set_up((*new_game(session.introduction.size), *as_lines(f"time_settings 0 {PERIOD} 1")))
        if session.has("time_left"):
            bot.ask(f"time_left b {PERIOD} 1\n".encode("ascii"))
        move = bot.ask(b"genmove b\n")
        late = move.seconds > LATE
        bot.ask(NO_LIMIT)
        return MoveRecord(move, busy=late and bot.processor.machine_is_busy())

    def judge(self, observation: MoveRecord) -> Judgement:
        """Any answer to genmove must come within LATE seconds. Skipped if it is late on a busy machine."""
        seconds = observation.move.seconds
        expected = f"a move within {PERIOD} s, and certainly within {LATE:g} s"
        if seconds <= LATE:
            return passed(expected)
        if observation.busy:
            return Judgement(
                Outcome.SKIP, observed="the answer was late, but other processes used the machine"
            )
        return failed(expected, f"genmove b → an answer after {seconds:.1f} s")
