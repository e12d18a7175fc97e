"""The first answer of a bot: sends protocol_version, waits, and finds out why no answer comes.

A bot may be slow to start, may never answer this command, may answer only on a terminal, or may be no GTP
engine. The wait goes on in stages until an answer comes; stages 3 and 4 need a process that printed nothing:

1. ECHO_WAIT seconds: a program that only prints its input again has done so by then.
2. LOOK_AFTER seconds more, for a bot that starts slowly.
3. The commands of PROBES: the bot may answer one of them, though it never answers protocol_version.
4. A second process of the bot, on a terminal and with closed input: it may answer there.
5. The rest of the time limit of a start, `Limits.startup`; less if the second process answered (PATIENCE).
"""

from __future__ import annotations

import math
import time
from dataclasses import replace

from harness.check.bot.bot import Bot
from harness.check.bot.chaser import CHASE_WAIT
from harness.check.bot.errors import UnusableBotError
from harness.gtp import REQUIRED_COMMANDS, Exchange, command_name, last_lines, printable, torn_path
from harness.gtp.command_hints import look_alike_hint, missing_variable

FIRST_COMMAND = b"protocol_version\n"

ECHO_WAIT = 1.0
"""Seconds to wait before a program counts as one that only echoes its input; chosen: no echo takes longer."""

ECHO_PATIENCE = 0.8 * ECHO_WAIT
"""Time limit in seconds for the second line feed of the first answer.

Must be shorter than the wait for an echo.
"""

LOOK_AFTER = 8.0
"""Seconds of stage 2; chosen. The first process continues to start after them."""

SECOND_WAIT = 10.0
"""Seconds to wait for the second process on a terminal, and as many with closed input; chosen."""

PATIENCE = 10.0
"""Wait for an answer through a pipe this many times as long as for the one elsewhere; chosen."""

PROBES = (b"list_commands\n", b"boardsize 9\n")
"""Commands to try if the bot does not answer the first command."""

MOST_SHOWN = 60
"""Bytes of the output that an error quotes. Chosen: they fit on its line."""

SIGNLESS = (b"1", b"2")
"""Answers to protocol_version without the sign `=`. After one of them no other answer is awaited."""


def await_first_answer(bot: Bot, look_after: float, second_wait: float) -> tuple[Exchange, str]:
    """Return the first answer and an empty text; or a timeout, and a phrase for where else the bot answers.

    The phrase is "on a terminal" or "when its input is closed". `look_after` and `second_wait` are in seconds
    (see LOOK_AFTER and SECOND_WAIT). Raises UnusableBotError if the bot answers nowhere.
    """
    return _FirstWait(bot, look_after, second_wait).result()


class _FirstWait:
    """The wait for the first answer of one bot.

    heard      all output of the process so far
    exchange   the last wait: its output, and how it ended
    probed     the commands of PROBES that were sent so far
    """

    def __init__(self, bot: Bot, look_after: float, second_wait: float) -> None:
        self._bot = bot
        self._limits = bot.limits
        self._look_after = look_after
        self._second_wait = second_wait
        self._began = time.monotonic()
        self._engine = bot.running_engine()
        self.exchange = self._ask()
        self.heard = self.exchange.raw
        self.probed: list[bytes] = []
        self._elsewhere = ""  # where a second process answered, as a phrase; empty for nowhere
        self._looking = 0.0  # seconds until the second process answered or was given up

    def result(self) -> tuple[Exchange, str]:
        """Wait in stages, see the docstring of the module; return as `await_first_answer` does."""
        if self._may_come():
            self._receive(self._look_after)
        if self._may_come() and not self.heard:
            answer = self._try_probes()
            if answer is not None:
                return answer, ""
        if self._may_come():
            self._wait_on()
        # The last exchange counts only the last wait. The clock does not run for a bot in this process: its
        # exchange names the seconds that it would take.
        exchange = self.exchange._replace(
            sent=FIRST_COMMAND, seconds=max(self.exchange.seconds, self._seconds())
        )
        if exchange.ending == "answer":
            self._skip_answers()  # a slow bot answers these commands, too
        if exchange.is_answered:
            return exchange, ""
        self._bot.fresh()
        if exchange.ending == "timeout" and not self.heard:
            if not self._elsewhere and self._looking < self._second_wait:
                self._look_elsewhere()  # perhaps the bot cannot run twice: the first process has ended
            if self._elsewhere:
                return exchange, self._elsewhere
        raise self._unusable(exchange)

    def _wait_on(self) -> None:
        """Look for answers elsewhere if nothing was heard; then wait on for the first process."""
        if not self.heard:
            self._look_elsewhere()
        patience = max(self._look_after, PATIENCE * self._looking) if self._elsewhere else math.inf
        self._receive(patience)

    def _ask(self) -> Exchange:
        """Send the first command and wait briefly. If the answer has begun by then, ask a new process."""
        limits = self._limits
        exchange = self._engine.ask(
            FIRST_COMMAND,
            timeout=min(ECHO_WAIT, limits.startup),
            blank_line=min(ECHO_PATIENCE, limits.blank_line),
        )
        if exchange.ending == "timeout" and exchange.raw.startswith((b"=", b"?")):  # cut short by ECHO_WAIT
            self._bot.fresh()
            self._engine = self._bot.running_engine()
            exchange = self._engine.ask(FIRST_COMMAND, timeout=limits.startup, blank_line=limits.blank_line)
        self._bot.processes.sent.append(FIRST_COMMAND)
        return exchange

    def _seconds(self) -> float:
        """Return the seconds since the start of the wait."""
        return time.monotonic() - self._began

    def _may_come(self) -> bool:
        """Return whether an answer may still come: the process runs, and has not answered in its own way."""
        return self.exchange.ending == "timeout" and self.heard.strip() not in (
            FIRST_COMMAND.strip(),
            *SIGNLESS,
        )

    def _receive(self, patience: float) -> None:
        """Wait for an answer, for `patience` seconds and within the time limit of a start."""
        left = self._limits.startup - self._seconds()
        timeout = max(0.0, min(patience, left))
        self.exchange = self._engine.receive(timeout, blank_line=self._limits.blank_line)
        self.heard += self.exchange.raw

    def _try_probes(self) -> Exchange | None:
        """Send the commands of PROBES; return the first answer with the command that it answers, if any."""
        for probe in PROBES:
            self._engine.send(probe)
            self.probed.append(probe)
            self._bot.processes.sent.append(probe)
            self._receive(CHASE_WAIT)
            if self.exchange.ending == "answer":
                return self._attribute_answer(self.exchange)
        return None

    def _attribute_answer(self, exchange: Exchange) -> Exchange:
        """Return the first answer after a probe as the answer to its command.

        If it is not the answer to the last probe, the bot is slow: it answers FIRST_COMMAND first, and the
        probes in order. Otherwise it never answers the commands before the last: these become `mute`.
        """
        *earlier, probe = self.probed
        if not _is_answer_to(probe, exchange):
            self._skip_answers()
            return exchange._replace(sent=FIRST_COMMAND, seconds=self._seconds())
        chaser = self._bot.chaser
        chaser.mute |= {command_name(line) for line in (FIRST_COMMAND, *earlier)}
        chaser.line, chaser.text = probe, exchange.text.strip()
        return exchange._replace(sent=probe)

    def _skip_answers(self) -> None:
        """Receive the answers to the probes that were sent while the bot started."""
        for _ in self.probed:
            self._bot.running_engine().receive(self._bot.limits.answer)

    def _look_elsewhere(self) -> None:
        """Start a second process of the bot; record where it answers, and the seconds of the attempt."""
        brief = replace(self._limits, startup=min(self._second_wait, self._limits.startup))
        began = time.monotonic()
        self._elsewhere = self._bot.find_answers_elsewhere(brief)
        self._looking = time.monotonic() - began

    def _unusable(self, exchange: Exchange) -> UnusableBotError:
        """Return the error of a program that is no GTP engine, with hints from its output."""
        wrote = last_lines(self._engine.stderr_tail, most=4)  # an error of syntax begins with its place
        hints = [f"it wrote: {wrote}"] if wrote else []
        if exchange.ending == "eof":
            launch = self._bot.launch
            hints += [torn_path(launch), look_alike_hint(launch.command), _hint_at_variable(wrote)]
        return UnusableBotError(self._reason(exchange), "; ".join(filter(None, hints)))

    def _reason(self, exchange: Exchange) -> str:
        """Return why the program is no GTP engine, in words that follow the name of the program."""
        shown = printable(self.heard[:MOST_SHOWN])
        if self.heard.strip() == FIRST_COMMAND.strip():
            return "it only echoes what it is sent: not a GTP engine"
        if self.heard.strip() in SIGNLESS:
            return f"it answered protocol_version with “{shown}”, without the = of a GTP answer"
        if exchange.ending == "oversize":
            return f"it prints without end (“{shown}” …) and answers nothing: not a GTP engine"
        if exchange.ending == "eof":
            how = str(exchange.exit) if exchange.exit else "closed its output"
            return f"it {how} without an answer" + (f", after printing “{shown}”" if self.heard else "")
        if self.heard:
            return f"it printed “{shown}”, which is no GTP answer"
        startup = self._limits.startup
        return f"it printed nothing within {startup:g} s; --startup gives a slow start more time"


def _is_answer_to(probe: bytes, exchange: Exchange) -> bool:
    """Return whether an exchange answers a command of PROBES, and not protocol_version."""
    if command_name(probe) == b"list_commands":
        return len(set(REQUIRED_COMMANDS).intersection(exchange.text.split())) > 1
    return exchange.ok and not exchange.text.strip()


def _hint_at_variable(wrote: str) -> str:
    """Return a hint at the variable of the environment that an error on stderr misses; empty without one."""
    name = missing_variable(wrote)
    only = "a bot gets only PATH, HOME and LANG of this shell"
    return f'{only}: --env {name}="${name}" passes {name} on' if name else ""
