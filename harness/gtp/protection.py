"""Protection of engine processes (kept together and ended), in a line for commands that start engines."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from harness.gtp.launch import Launch

BY_NAMESPACE = "in a namespace of the kernel (--sandbox)"
BY_PARENTS = "by process group, session, environment and parents"
BY_MARK = "by process group, session and environment"


def protection(launches: Sequence[Launch]) -> str:
    """How all processes of these engines are ended. `docs/security.md` says what each way misses."""
    outside = BY_PARENTS if sys.platform == "linux" else BY_MARK
    boxed = sum(launch.sandbox for launch in launches)
    if not boxed:
        how = outside
    elif boxed == len(launches):
        how = BY_NAMESPACE
    else:
        how = f"{BY_NAMESPACE} for {boxed} of {len(launches)} engines, those of the others {outside}"
    return f"programs that an engine starts end with it: conform finds them {how} (see conform docs security)"
