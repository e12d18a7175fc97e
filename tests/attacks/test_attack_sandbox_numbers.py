"""As many processes, files and priorities as the machine has: other programs of the user would lack them.

Before: root had no limit of processes, and the limits of open files, signals and priorities were those of the
user. After: the sandbox has limits of its own. They hold for root where Linux is 6.14 or later.
"""

import os

import pytest

from harness.gtp.sandbox import MOST_PID, OWN_PID_MAX, PROCESSES, kernel_release
from tests.sandboxed import every_user, needs_sandbox, succeeds, successes

pytestmark = needs_sandbox

BOMB = """
for number in range(target):
    if os.fork() == 0:
        time.sleep(600)
"""
WAYS = {
    "real time": "os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1))",
    "deadlines": 'call((314, 274), 0, struct.pack("IIQiIQQQ", 48, 6, 0, 0, 0, 10**6, 10**7, 10**7), 0)',
    "priority": "os.setpriority(os.PRIO_PROCESS, 0, -1)",
    "limit of priority": "resource.setrlimit(resource.RLIMIT_NICE, (40, 40))",
    "limit of real time": "resource.setrlimit(resource.RLIMIT_RTPRIO, (99, 99))",
    "limit of signals": "resource.setrlimit(resource.RLIMIT_SIGPENDING, (10**6, 10**6))",
    "limit of processes": "resource.setrlimit(resource.RLIMIT_NPROC, (10**6, 10**6))",
    "limit of cores": "resource.setrlimit(resource.RLIMIT_CORE, (0, 0))",
    "limit of its group": "for pid in range(3, 40): call((302, 261), pid, 4, bytes(16), None)",
    "many signals": """
signal.pthread_sigmask(signal.SIG_BLOCK, {40})
signal_info = struct.pack("iiiiii", 40, 0, -1, 0, 0, 0) + bytes(104)
for number in range(5000): call((129, 138), os.getpid(), 40, signal_info)
""",
}


@every_user
def test_a_bot_starts_no_more_processes_than_it_may(user: str) -> None:
    if user == "root" and kernel_release() < OWN_PID_MAX:
        pytest.skip("before Linux 6.14, root has no limit of processes")
    assert succeeds(BOMB, PROCESSES // 2, user=user)
    assert not succeeds(BOMB, MOST_PID, user=user)


@every_user
def test_a_bot_raises_no_limit_and_no_priority(user: str) -> None:
    assert successes(WAYS, user=user) == set()


@every_user
def test_a_bot_lowers_no_priority_of_the_user(user: str) -> None:
    before = os.getpriority(os.PRIO_PROCESS, 0)
    lower = {
        "user": "os.setpriority(os.PRIO_USER, 0, 19)",
        "parent": "os.setpriority(os.PRIO_PROCESS, os.getppid(), 19)",
        "group": "os.setpriority(os.PRIO_PGRP, 0, 19)",
    }
    successes(lower, user=user)
    assert os.getpriority(os.PRIO_PROCESS, 0) == before


@every_user
def test_a_crash_starts_no_program_of_the_machine(user: str) -> None:
    """The kernel starts the program of `core_pattern`, as root, unless the limit is 1."""
    read = """
line = next(line for line in open("/proc/self/limits") if "core" in line)
if line.split()[4] != "1": raise OSError()
"""
    assert succeeds(read, user=user)


@every_user
def test_the_kernel_ends_the_bot_first_where_memory_runs_out(user: str) -> None:
    read = 'if open("/proc/self/oom_score_adj").read() != "1000\\n": raise OSError()'
    assert succeeds(read, user=user)
