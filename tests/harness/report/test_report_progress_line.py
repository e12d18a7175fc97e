"""The line that says how far a check is."""

from __future__ import annotations

import io
import os
import signal

from rich.console import Console

from harness.check.phases.progress import Progress
from harness.report.text.progress_line import ProgressLine


def no_terminal() -> Console:
    return Console(file=io.StringIO(), force_terminal=False, width=80)


def test_usr1_prints_the_latest_line_at_once() -> None:
    console = no_terminal()
    with ProgressLine(console, "./mybot [/x]") as line:
        line.show("searching, 40 of 100 checks decided")
        os.kill(os.getpid(), signal.SIGUSR1)
    assert isinstance(console.file, io.StringIO)
    assert console.file.getvalue() == "./mybot [/x]: searching, 40 of 100 checks decided\n"


def test_the_first_suspicion_is_printed_at_once() -> None:
    console = no_terminal()
    with ProgressLine(console, "./mybot") as line:
        line.progress(Progress("gtp.admin.name", 0, 0, 100, 0))
        line.progress(Progress("gtp.frame.quit failed and is repeated", 0, 9, 100, 0, suspicion=True))
        line.progress(Progress("gtp.frame.eof failed and is repeated", 0, 10, 100, 0, suspicion=True))
    assert isinstance(console.file, io.StringIO)
    assert console.file.getvalue() == "./mybot: gtp.frame.quit failed and is repeated\n"


def test_usr1_has_its_former_meaning_afterwards() -> None:
    before = signal.getsignal(signal.SIGUSR1)
    with ProgressLine(no_terminal(), "./mybot"):
        assert signal.getsignal(signal.SIGUSR1) != before
    assert signal.getsignal(signal.SIGUSR1) == before
