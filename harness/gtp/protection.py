"""What keeps the processes of engines together and ends them, in a line for commands that start engines."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from harness.gtp.launch import Launch

BY_NAMESPACE = "a process namespace each, which the kernel ends as a whole (--sandbox)"
BY_PARENTS = "process group, session, a mark in the environment, and parents; orphans come to the harness"
BY_MARK = "process group, session and a mark in the environment; this system gives no orphans to the harness"


def protection(launches: Sequence[Launch]) -> str:
    """By what the processes of these engines are found when they are to end."""
    outside = BY_PARENTS if sys.platform == "linux" else BY_MARK
    boxed = sum(launch.sandbox for launch in launches)
    if not boxed:
        how = outside
    elif boxed == len(launches):
        how = BY_NAMESPACE
    else:
        how = f"{BY_NAMESPACE} for {boxed} of {len(launches)} engines; for the others {outside}"
    return f"processes of engines are found by: {how}"
