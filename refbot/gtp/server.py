"""Lines in, answers out: one answer a command, in order, whatever happens inside the command."""

from __future__ import annotations

import sys
import traceback
from collections.abc import Set as AbstractSet

from refbot.gtp import commands
from refbot.gtp.session import DeliberateCrash, DeliberateSuccess, Session
from refbot.gtp.syntax import Command, GtpError, GtpSyntaxError, clean, frame, is_blank, parse


class Server:
    """Answers command lines on one session. Reads and writes nothing itself but tracebacks on stderr."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self._previous_id = ""

    @property
    def faults(self) -> AbstractSet[str]:
        """Names of the faults and the quirks in force."""
        return self.session.switches

    @property
    def ended(self) -> bool:
        """Whether `quit` has been answered."""
        return self.session.ended

    def answer(self, line: bytes) -> bytes:
        """The whole answer to one line, with or without its line feed; `b""` where GTP wants none."""
        cleaned = clean(line, self.faults)
        if is_blank(cleaned):
            return self._answer_blank()
        if "leading-blank-unanswered" in self.faults and cleaned.startswith(b" "):
            return b""
        command = parse(cleaned, self.faults)
        run = commands.find(command.name, self.faults)
        if run is None:
            return self._answer_unknown(command)
        success, text = self._run(run, command)
        if "quit-unanswered" in self.faults and self.ended:
            return b""
        return self._log(command) + self._frame(success, command, text)

    def _run(self, run: commands.Run, command: Command) -> tuple[bool, str]:
        try:
            if "extra-argument-refused" in self.faults and commands.has_too_many(command):
                raise GtpSyntaxError("too many arguments")
            return True, run(self.session, commands.Arguments(command.arguments, self.faults))
        except GtpError as error:
            return False, error.text
        except DeliberateCrash:
            raise
        except DeliberateSuccess:
            return True, ""
        except Exception as error:  # a bug of ours; the game of whoever is connected goes on
            if sys.stderr is not None:
                traceback.print_exc()
            return False, f"internal error {type(error).__name__}"

    def _answer_unknown(self, command: Command) -> bytes:
        if "unknown-unanswered" in self.faults:
            return b""
        if "unknown-succeeds" in self.faults:
            return self._frame(True, command, "")
        if "id-alone-unanswered" in self.faults and not command.name:
            return b""
        return self._frame(False, command, "unknown command" if command.name else "missing command")

    def _answer_blank(self) -> bytes:
        if "blank-line-crashes" in self.faults:
            raise DeliberateCrash("blank line")
        if "blank-line-answered" in self.faults:
            return frame(True, "", "")
        return b""

    def _frame(self, success: bool, command: Command, text: str) -> bytes:
        return frame(success, self._id(success, command), text, self.faults)

    def _id(self, success: bool, command: Command) -> str:
        previous, self._previous_id = self._previous_id, command.id
        if "id-stale" in self.faults:
            return previous
        if "id-dropped" in self.faults:
            return ""
        if "id-dropped-on-failure" in self.faults and not success:
            return ""
        if "id-zero-dropped" in self.faults and command.id.strip("0") == "":
            return ""
        return command.id

    def _log(self, command: Command) -> bytes:
        if "log-on-stdout" in self.faults and command.name == "genmove":
            return b"search done\n"
        return b""
