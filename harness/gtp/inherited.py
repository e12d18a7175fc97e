"""State that a process inherits from its parent and that may keep it from driving engines."""

from __future__ import annotations

import signal
import threading


def keep_exit_codes() -> None:
    """Have the system keep the exit codes of children, if the parent of this process let it ignore SIGCHLD.

    Engines inherit that, too: one that starts programs of its own would not learn how they end. Only the main
    thread can change it; in other threads this does nothing, and exit codes are lost (`Exit.lost`).
    """
    if threading.current_thread() is not threading.main_thread():
        return
    if signal.getsignal(signal.SIGCHLD) is signal.SIG_IGN:
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
