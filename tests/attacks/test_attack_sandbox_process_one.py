"""Process 1 of the sandbox, which belongs to `conform`: it ends with the harness, and the sandbox with it.

Before: a bot could change it by ptrace, so that it forgets the end of the harness, and the sandbox outlives
it. After: nothing in the sandbox looks into another process by ptrace or by its memory.
"""

from tests.sandboxed import every_user, needs_sandbox, successes

pytestmark = needs_sandbox

WAYS = {
    "ptrace": "call((101, 117), 16, 1, 0, 0)",  # PTRACE_ATTACH
    "ptrace by seizing": "call((101, 117), 0x4206, 1, 0, 0)",
    "process_vm_writev": "call((311, 271), 1, b'', 0, b'', 0, 0)",
    "process_vm_readv": "call((310, 270), 1, b'', 0, b'', 0, 0)",
    "its memory": 'os.open("/proc/1/mem", os.O_RDWR)',
    "its memory for reading": 'os.open("/proc/1/mem", os.O_RDONLY)',
    "its descriptors": 'for number in os.listdir("/proc/1/fd"): os.readlink(f"/proc/1/fd/{number}")',
    "pidfd_getfd": "call(438, os.pidfd_open(1), 0, 0)",
    "kcmp": "call((312, 272), 1, os.getpid(), 0, 0, 0)",
    "its advice": "call(440, os.pidfd_open(1), b'', 0, 21, 0)",
    "limits": "resource.prlimit(1, resource.RLIMIT_NOFILE, (0, 0))",
    "its namespaces": 'os.open("/proc/1/ns/mnt", os.O_RDONLY)',
    "stop": """
os.kill(1, signal.SIGSTOP)
os.kill(1, signal.SIGKILL)
if open("/proc/1/stat").read().rsplit(")", 1)[1].split()[0] != "T": raise OSError("it runs")
""",
}


@every_user
def test_a_bot_does_nothing_to_process_one(user: str) -> None:
    assert successes(WAYS, user=user) == set()
