"""Memory that the limit of a process does not count: anonymous and temporary files, shared memory.

Before: `memfd_create` and System V shared memory were without a limit, /dev/shm had 256 MiB beside those of
/tmp, and any number of empty files fitted into both. After: all temporary files together have one limit of
size and one of number; the others are refused.
"""

from harness.gtp.sandbox import DISK_MIB
from harness.gtp.sandbox_init import OPEN_FILES, TEMPORARY_FILES
from tests.sandboxed import every_user, needs_sandbox, succeeds, successes

pytestmark = needs_sandbox

ONE_LIMIT = """
room = os.statvfs("/tmp")
if (room.f_blocks * room.f_frsize, room.f_files) != tuple(target): raise OSError(room)
for folder in ("/dev/shm", "/var/tmp", "/run"):
    if os.stat(folder).st_dev != os.stat("/tmp").st_dev: raise OSError(folder)
    os.close(os.open(f"{folder}/file", os.O_CREAT))
"""
WAYS = {
    "memfd_create": 'os.memfd_create("x")',
    "memfd_secret": "call(447, 0)",
    "System V shared memory": "call((29, 194), 0, 1 << 20, 0o1600)",
    "System V messages": "call((68, 186), 0, 0o1600)",
    "System V semaphores": "call((64, 190), 0, 250, 0o1600)",
    "POSIX messages": "call((240, 180), b'x', 0o102, 0o600, 0)",
    "userfaultfd": "call((323, 282), 1)",
    "huge pages": "mmap.mmap(-1, 2 << 20, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | 0x40000)",
    "more open files": f"resource.setrlimit(resource.RLIMIT_NOFILE, ({OPEN_FILES + 1}, {OPEN_FILES + 1}))",
    "more memory": "resource.setrlimit(resource.RLIMIT_AS, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))",
    "locked memory": "call((149, 228), id(bytearray(2 << 20)), 2 << 20)",
}


@every_user
def test_a_bot_takes_no_memory_beyond_its_limit(user: str) -> None:
    assert successes(WAYS, user=user) == set()
    assert {"memfd_create", "System V shared memory"} <= successes(WAYS, user=user, sandbox=False)


@every_user
def test_all_temporary_files_share_one_limit_of_size_and_one_of_number(user: str) -> None:
    assert succeeds(ONE_LIMIT, (DISK_MIB << 20, TEMPORARY_FILES), user=user)


@every_user
def test_nothing_can_be_written_beside_the_devices(user: str) -> None:
    assert not succeeds('open("/dev/large", "w").close()', user=user)
    assert succeeds('open("/dev/null", "w").write("x")', user=user)
    assert succeeds('open(f"/dev/fd/{os.pipe()[1]}", "w").write("x")', user=user)
