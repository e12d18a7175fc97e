"""The GTP server: turns each command line into one answer, also if the command fails."""

from __future__ import annotations

import sys
import traceback

from refbot.deviations.faults import Faults
from refbot.deviations.habits import Habits
from refbot.gtp import commands
from refbot.gtp.extensions.table import Run
from refbot.gtp.ongoing import Ongoing
from refbot.gtp.session import Session
from refbot.gtp.syntax import (
    Arguments,
    Command,
    DeliberateCrashError,
    GtpError,
    GtpSyntaxError,
    MissingArgumentError,
    clean,
    frame,
    read,
)
from refbot.gtp.wording import error_text, laid_out

LONG_LINE_BYTES = 255  # of the habits about long lines: what fgets reads into 256 bytes


class Server:
    """Answers command lines on one session. `loop` reads the lines and writes the answers.

    `loop` calls `answer` for each line. An analysis command is answered in parts: `answer` returns its sign
    and its first lines; then `loop` calls `think` and `report` in turn until the next line arrives; the
    `answer` to this line begins with the empty line that ends the analysis.
    """

    def __init__(self, session: Session) -> None:
        self.session = session
        self.switches = session.switches  # the faults and the habits in force
        self._previous_id = self._last_id = ""
        self.refused = False  # True if the last command was refused; blank lines do not count
        self._late = b""  # lines of analysis that a fault prints later

    @property
    def ended(self) -> bool:
        """True if `quit` has been answered."""
        return self.session.ended

    @property
    def interval(self) -> float | None:
        """Seconds between two lines of the analysis that goes on; None without one."""
        analysis = self.session.analysis
        return None if analysis is None else analysis.interval

    def think(self) -> None:
        """Make more playouts of the analysis that goes on."""
        if self.session.analysis is not None:
            self.session.analysis.search()

    def report(self) -> bytes:
        """One more report of the analysis that goes on, a line or more; empty if there is nothing to say."""
        analysis, switches = self.session.analysis, self.switches
        if analysis is None or Habits.ANALYSIS_PRINTED_ONCE in switches:
            return b""
        return self._now_or_later(self._lines(analysis))

    def _lines(self, analysis: Ongoing) -> bytes:
        """The lines of the playouts so far, in the layout of the answers."""
        if Habits.ANALYSIS_SILENT_WITHOUT_MOVE in self.switches and analysis.best_is_pass:
            return b""
        text = f"{analysis.lines()}\n"
        if Faults.ANALYSIS_EMPTY_LINE_BETWEEN in self.switches:
            text += "\n"
        return laid_out(text.encode("ascii"), self.session.habits)

    def _now_or_later(self, lines: bytes) -> bytes:
        """Return lines of analysis; with a fault nothing, because it keeps them until the analysis ends."""
        if Faults.ANALYSIS_AFTER_ITS_END not in self.switches:
            return lines
        self._late += lines
        return b""

    def _begin_analysis(self, analysis: Ongoing, command: Command) -> bytes:
        """Return the sign and the id, and the first report."""
        switches = self.switches
        id_text = "" if Faults.ANALYSIS_ID_DROPPED in switches else self._id(True, command)
        sign = b"" if Faults.ANALYSIS_SIGN_MISSING in switches else f"={id_text}\n".encode("ascii")
        begun = laid_out(sign, self.session.habits) + self._now_or_later(self._lines(analysis))
        return begun + self.end_analysis() if Habits.ANALYSIS_ENDS_BY_ITSELF in switches else begun

    def end_analysis(self) -> bytes:
        """End the analysis that goes on. Return its empty line; nothing if there is no analysis."""
        analysis, self.session.analysis = self.session.analysis, None
        if analysis is None:
            return b""
        end, self._late = self._late + laid_out(b"\n", self.session.habits), b""
        if Faults.ANALYSIS_NEXT_GLUED in self.switches:
            return b""
        if Faults.ANALYSIS_TWO_EMPTY_LINES in self.switches:
            end += b"\n"
        if Faults.ANALYSIS_PLAYS in self.switches:
            analysis.play_best()
        if Faults.ANALYSIS_GOES_ON in self.switches:
            self._late = self._lines(analysis)
        return end

    def answer(self, line: bytes) -> bytes:
        """The whole answer to one line, with or without its line feed; `b""` where GTP asks for none.

        The end of an analysis that goes on comes first. The answer to an analysis command is the beginning of
        its analysis (see `report`). Raises DeliberateCrashError where a fault ends the process.
        """
        self.session.memory.ended_analysis = self.session.analysis is not None
        if self.session.analysis is None:
            return self._answer(line)
        if Habits.ANALYSIS_BLANK_IGNORED in self.switches and not line.strip():
            return b""
        ended = self.end_analysis()
        if Faults.ANALYSIS_NOT_ENDED_BY_ANOTHER in self.switches and b"analyze" in line:
            ended = b""
        if Faults.ANALYSIS_ENDER_UNANSWERED in self.switches:
            return ended
        late, self._late = self._late, b""
        return ended + self._answer(line) + late

    def _answer(self, line: bytes) -> bytes:
        """Return the answer to one line, without the end of an analysis."""
        command = read(line, self.switches)
        if command is None:
            if Faults.BLANK_LINE_CRASHES in self.switches:
                raise DeliberateCrashError("blank line")
            return frame(True, "", "") if Faults.BLANK_LINE_ANSWERED in self.switches else b""
        if Habits.LEADING_BLANK_UNANSWERED in self.switches and clean(line, self.switches).startswith(b" "):
            return b""
        if Habits.LONG_LINE_REFUSED in self.switches and len(line) > LONG_LINE_BYTES:
            return self._frame(False, command, "line too long")
        run = commands.find(command.name, self.switches)
        if run is None:
            self.session.note_refusal("")
            self.refused = True
            return self._answer_unknown(command)
        success, text = self._run(run, command)
        self.refused = not success
        if not success:
            self.session.note_refusal(command.name)
        if Faults.QUIT_UNANSWERED in self.switches and self.ended:
            return b""
        analysis = self.session.analysis
        if success and analysis is not None:
            return self._begin_analysis(analysis, command)
        logs = Faults.LOG_ON_STDOUT in self.switches and command.name == "genmove"
        return (b"search done\n" if logs else b"") + self._frame(success, command, text)

    def _run(self, run: Run, command: Command) -> tuple[bool, str]:
        """Obey a command. Return (whether it succeeds, the text of its answer)."""
        try:
            if Habits.EXTRA_ARGUMENT_REFUSED in self.switches and commands.has_unwanted_arguments(command):
                raise GtpSyntaxError("too many arguments")
            return True, run(self.session, Arguments(command.arguments, self.switches))
        except MissingArgumentError as error:
            succeeds = Faults.MISSING_ARGUMENT_SUCCEEDS in self.switches
            return succeeds, "" if succeeds else error.text
        except GtpError as error:
            return False, error.text
        except DeliberateCrashError:
            raise
        except (MemoryError, OSError) as error:  # not from a file of a command, which reports it
            return False, f"the operating system refused memory, a file or a process: {_reason(error)}"
        except Exception as error:  # our own bug must not end the game of the controller
            if sys.stderr is not None:
                traceback.print_exc()
            return False, f"internal error {type(error).__name__}"

    def _answer_unknown(self, command: Command) -> bytes:
        if Faults.UNKNOWN_UNANSWERED in self.switches:
            return b""
        if Faults.UNKNOWN_SUCCEEDS in self.switches:
            return self._frame(True, command, "")
        if Habits.ID_ALONE_UNANSWERED in self.switches and not command.name:
            return b""
        return self._frame(False, command, "unknown command" if command.name else "missing command")

    def _frame(self, success: bool, command: Command, text: str) -> bytes:
        """Return a whole answer, in the form of the faults and habits."""
        habits = self.session.habits
        if habits and not success:
            text = error_text(text, habits)
        answer = frame(success, self._id(success, command), text, self.switches)
        return laid_out(answer, habits) if habits else answer

    def _id(self, success: bool, command: Command) -> str:
        """Return the id of the answer: that of the command, unless a fault changes it.

        Call this once for each answer: some faults need the id of the answer before.
        """
        if not self.switches:
            return command.id
        previous, self._previous_id = self._previous_id, command.id
        self._last_id = command.id or self._last_id
        if Faults.ID_KEPT in self.switches:
            return self._last_id
        if Faults.ID_SIXTEEN_BITS in self.switches and command.id:
            return str(int(command.id) % 2**16)
        if Faults.ID_STALE in self.switches:
            return previous
        dropped = (
            Faults.ID_DROPPED in self.switches
            or (Faults.ID_DROPPED_ON_FAILURE in self.switches and not success)
            or (Faults.ID_ZERO_DROPPED in self.switches and not command.id.strip("0"))
        )
        return "" if dropped else command.id


def _reason(error: MemoryError | OSError) -> str:
    """The reason of the operating system, or of a library that cannot be loaded, in one line of ASCII."""
    text = getattr(error, "strerror", None) or str(error) or type(error).__name__
    return ascii(text.splitlines()[0])[1:-1]
