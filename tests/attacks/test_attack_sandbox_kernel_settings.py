"""Settings of the kernel as files: root may write to /proc/sys without any capability.

Before: `/proc/sys/kernel/core_pattern` could be written by root in the sandbox; it names a program that the
kernel starts as root outside. After: /proc is read-only, as /sys is. No attack here writes: it opens only.
"""

import os
from pathlib import Path

from tests.sandboxed import every_user, needs_sandbox, succeeds, successes

pytestmark = needs_sandbox

SETTINGS = (
    "/proc/sys/kernel/core_pattern",
    "/proc/sys/kernel/modprobe",
    "/proc/sys/vm/drop_caches",
    "/proc/sys/net/core/somaxconn",
    "/proc/sysrq-trigger",
    "/proc/irq/default_smp_affinity",
    "/proc/pressure/cpu",
    "/proc/self/oom_score_adj",
    "/proc/self/uid_map",
    "/proc/1/mem",
    "/sys/kernel/mm/transparent_hugepage/enabled",
    "/sys/power/state",
    "/sys/fs/cgroup/cgroup.procs",
    "/sys/fs/cgroup/unified/cgroup.procs",
    "/sys/fs/cgroup/memory/cgroup.procs",
    "/sys/kernel/uevent_helper",
)


@every_user
def test_a_bot_opens_no_setting_for_writing(user: str) -> None:
    ways = {path: f"os.close(os.open({path!r}, os.O_WRONLY))" for path in SETTINGS if Path(path).exists()}
    assert successes(ways, user=user) == set()
    if user == "root":
        assert SETTINGS[0] in successes(ways, user=user, sandbox=False)


@every_user
def test_a_bot_sees_no_tables_of_the_firmware_and_no_traces(user: str) -> None:
    for path in filter(os.path.isdir, ("/sys/kernel/debug", "/sys/kernel/tracing", "/sys/firmware")):
        assert not succeeds("if not os.listdir(target): raise OSError('empty')", path, user=user)
