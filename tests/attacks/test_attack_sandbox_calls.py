"""Calls of the kernel that no Go program needs: each is answered as by a kernel that does not have it.

Before: the filter refused four calls, and the others were left to the kernel. After: the filter allows a
list, so a call of a kernel to come is refused, too.
"""

import pytest

from harness.gtp.sandbox_calls import allowed
from tests.sandboxed import every_user, needs_sandbox, successes

pytestmark = needs_sandbox

CALLS = {
    # other namespaces and mounts
    "unshare": (272, 97), "setns": (308, 268), "mount": (165, 40), "umount2": (166, 39),
    "pivot_root": (155, 41), "chroot": (161, 51), "open_tree": (428, 428), "move_mount": (429, 429),
    "fsopen": (430, 430), "fsconfig": (431, 431), "fsmount": (432, 432), "fspick": (433, 433),
    "mount_setattr": (442, 442), "statmount": (457, 457), "listmount": (458, 458),
    # files without their folders
    "name_to_handle_at": (303, 264), "open_by_handle_at": (304, 265), "openat2": (437, 437),
    # tracing, programs in the kernel, rings
    "ptrace": (101, 117), "bpf": (321, 280), "perf_event_open": (298, 241), "userfaultfd": (323, 282),
    "io_uring_setup": (425, 425), "io_uring_enter": (426, 426), "io_uring_register": (427, 427),
    "io_setup": (206, 0), "seccomp": (317, 277), "landlock_create_ruleset": (444, 444),
    "lsm_get_self_attr": (459, 459),
    # what all users share: watches, page cache, disks, placement
    "inotify_init1": (294, 26), "fanotify_init": (300, 262), "fadvise64": (221, 223),
    "readahead": (187, 213), "sync": (162, 81), "syncfs": (306, 267), "sync_file_range": (277, 84),
    "ioprio_set": (251, 30), "migrate_pages": (256, 238), "move_pages": (279, 239),
    "process_madvise": (440, 440), "vmsplice": (278, 75), "remap_file_pages": (216, 234),
    "lookup_dcookie": (212, 18), "syslog": (103, 116),
    # the machine
    "swapon": (167, 224), "swapoff": (168, 225), "reboot": (169, 142), "kexec_load": (246, 104),
    "kexec_file_load": (320, 294), "init_module": (175, 105), "finit_module": (313, 273),
    "delete_module": (176, 106), "settimeofday": (164, 170), "clock_settime": (227, 112),
    "adjtimex": (159, 171), "clock_adjtime": (305, 266), "quotactl": (179, 60), "quotactl_fd": (443, 443),
    "acct": (163, 89), "sethostname": (170, 161), "setdomainname": (171, 162), "vhangup": (153, 58),
    "personality": (135, 92), "nfsservctl": (180, 42),
    # rights
    "setuid": (105, 146), "setgid": (106, 144), "setgroups": (116, 159), "setresuid": (117, 147),
    "capset": (126, 91),
    # a number that no kernel has yet
    "a call to come": (900, 900),
}  # fmt: skip
X86_ONLY = {
    "iopl": 172, "ioperm": 173, "modify_ldt": 154, "uselib": 134, "ustat": 136, "sysfs": 139,
    "inotify_init": 253, "x32 getpid": 0x40000027, "x32 socket": 0x40000029, "number below zero": -1,
}  # fmt: skip

ATTEMPT = """
libc.syscall(*map(ctypes.c_long, ({}, -1, -1, -1, -1, -1, -1)))
if ctypes.get_errno() == 38: raise OSError()
"""
BITS_32 = r"""
page = mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
page.write(b"\x53\xb8\x14\x00\x00\x00\xcd\x80\x5b\xc3")  # getpid by int 0x80
function = ctypes.CFUNCTYPE(ctypes.c_int)(ctypes.addressof(ctypes.c_char.from_buffer(page)))
if function() < 0: raise OSError()
"""


@every_user
def test_each_of_these_calls_is_refused(user: str) -> None:
    ways = {
        name: ATTEMPT.format(f"{numbers}[os.uname().machine == 'aarch64']") for name, numbers in CALLS.items()
    }
    only = "if os.uname().machine != 'x86_64': raise OSError()\n"
    ways |= {name: only + ATTEMPT.format(number) for name, number in X86_ONLY.items()}
    ways["call of a program of 32 bits"] = only + BITS_32
    assert successes(ways, user=user) == set()


def test_none_of_them_is_in_the_list() -> None:
    names = allowed("x86_64") | allowed("aarch64")
    assert names.keys().isdisjoint([*CALLS, *X86_ONLY])


@pytest.mark.parametrize("option", ["PR_SCHED_CORE", "PR_SET_SECCOMP", "PR_SET_MM", "PR_MCE_KILL"])
@every_user
def test_settings_of_a_process_that_concern_others_are_refused(user: str, option: str) -> None:
    number = {"PR_SCHED_CORE": 62, "PR_SET_SECCOMP": 22, "PR_SET_MM": 35, "PR_MCE_KILL": 33}[option]
    assert successes({option: f"call((157, 167), {number}, 1, 0, 0, 0)"}, user=user) == set()
