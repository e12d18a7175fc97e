"""The system calls that a program in the sandbox may make, as data for `sandbox_filter.py`.

The list names what is allowed. Every other call, also one that a later kernel adds, fails with ENOSYS,
"Function not implemented". Programs know this error from older kernels, and then use another call. A few
calls are allowed with some values of an argument only (CONDITIONS).

Not in the list, among others: sockets that lead outside (`bind`, `connect`, `listen`, `accept`), passing
descriptors (`sendmsg`), other processes (`ptrace`, `process_vm_writev`, `pidfd_getfd`, `kcmp`), memory
that no limit counts (`memfd_create`, `shmget`, `msgget`, `mq_open`, `userfaultfd`, `vmsplice`), keyrings,
namespaces and mounts, files by handle, io_uring and `io_setup`, `bpf`, `perf_event_open`, watches
(`inotify_init1`, `fanotify_init`: they have a limit for each user), the page cache of others (`fadvise64`,
`readahead`), flushing all disks (`sync`, `syncfs`), clocks, quotas, swap, modules, `reboot`, `kexec_load`.
"""

from __future__ import annotations

import errno
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

Machine = Literal["x86_64", "aarch64"]

ALLOWED = {
    "read, write and wait on open files; each is checked when it is opened": """
        read 0 63, write 1 64, readv 19 65, writev 20 66, pread64 17 67, pwrite64 18 68, preadv 295 69,
        pwritev 296 70, preadv2 327 286, pwritev2 328 287, lseek 8 62, close 3 57, close_range 436 436,
        dup 32 23, dup2 33 -, dup3 292 24, pipe 22 -, pipe2 293 59, fcntl 72 25, ioctl 16 29, fsync 74 82,
        fdatasync 75 83, ftruncate 77 46, fallocate 285 47, sendfile 40 71, copy_file_range 326 285,
        splice 275 76, select 23 -, pselect6 270 72, poll 7 -, ppoll 271 73, epoll_create 213 -,
        epoll_create1 291 20, epoll_ctl 233 21, epoll_wait 232 -, epoll_pwait 281 22, epoll_pwait2 441 441,
        eventfd 284 -, eventfd2 290 19, timerfd_create 283 85, timerfd_settime 286 86,
        timerfd_gettime 287 87, signalfd 282 -, signalfd4 289 74
    """,
    "files by their names; the mounts and the mode bits decide": """
        open 2 -, openat 257 56, creat 85 -, stat 4 -, fstat 5 80, lstat 6 -, newfstatat 262 79,
        statx 332 291, statfs 137 43, fstatfs 138 44, access 21 -, faccessat 269 48, faccessat2 439 439,
        readlink 89 -, readlinkat 267 78, getdents 78 -, getdents64 217 61, getcwd 79 17, chdir 80 49,
        fchdir 81 50, mkdir 83 -, mkdirat 258 34, rmdir 84 -, rename 82 -, renameat 264 38,
        renameat2 316 276, unlink 87 -, unlinkat 263 35, link 86 -, linkat 265 37, symlink 88 -,
        symlinkat 266 36, mknod 133 -, mknodat 259 33, truncate 76 45, chmod 90 -, fchmod 91 52,
        fchmodat 268 53, fchmodat2 452 452, chown 92 -, lchown 94 -, fchown 93 55, fchownat 260 54,
        utime 132 -, utimes 235 -, futimesat 261 -, utimensat 280 88, umask 95 166, getxattr 191 8,
        lgetxattr 192 9, fgetxattr 193 10, listxattr 194 11, llistxattr 195 12, flistxattr 196 13,
        setxattr 188 5, lsetxattr 189 6, fsetxattr 190 7, removexattr 197 14, lremovexattr 198 15,
        fremovexattr 199 16
    """,
    "memory of its own, which RLIMIT_AS counts": """
        mmap 9 222, munmap 11 215, mprotect 10 226, mremap 25 216, brk 12 214, madvise 28 233,
        msync 26 227, mincore 27 232, mlock 149 228, mlock2 325 284, munlock 150 229, mlockall 151 230,
        munlockall 152 231, pkey_mprotect 329 288, pkey_alloc 330 289, pkey_free 331 290,
        map_shadow_stack 453 453, mseal 462 462, membarrier 324 283, get_mempolicy 239 236,
        set_mempolicy 238 237, mbind 237 235, set_mempolicy_home_node 450 450
    """,
    "processes and threads; it sees its own only, and their number has a limit": """
        clone 56 220, clone3 435 435, fork 57 -, vfork 58 -, execve 59 221, execveat 322 281, exit 60 93,
        exit_group 231 94, wait4 61 260, waitid 247 95, set_tid_address 218 96, set_robust_list 273 99,
        get_robust_list 274 100, rseq 334 293, arch_prctl 158 -, prctl 157 167, futex 202 98,
        futex_waitv 449 449, futex_wake 454 454, futex_wait 455 455, futex_requeue 456 456, getpid 39 172,
        getppid 110 173, gettid 186 178, getpgid 121 155, getpgrp 111 -, setpgid 109 154, getsid 124 156,
        setsid 112 157, pidfd_open 434 434, getuid 102 174, geteuid 107 175, getgid 104 176,
        getegid 108 177, getresuid 118 148, getresgid 120 150, getgroups 115 158, capget 125 90,
        setrlimit 160 164, getrlimit 97 163, prlimit64 302 261, getrusage 98 165, times 100 153
    """,
    "signals, to its own processes only": """
        kill 62 129, tkill 200 130, tgkill 234 131, pidfd_send_signal 424 424, rt_sigaction 13 134,
        rt_sigprocmask 14 135, rt_sigreturn 15 139, rt_sigsuspend 130 133, rt_sigpending 127 136,
        rt_sigtimedwait 128 137, rt_sigqueueinfo 129 138, rt_tgsigqueueinfo 297 240, sigaltstack 131 132,
        pause 34 -, restart_syscall 219 128
    """,
    "processor time; a higher priority needs a right that it lacks": """
        sched_yield 24 124, sched_getaffinity 204 123, sched_setaffinity 203 122, sched_getparam 143 121,
        sched_setparam 142 118, sched_getscheduler 145 120, sched_setscheduler 144 119,
        sched_get_priority_max 146 125, sched_get_priority_min 147 126, sched_rr_get_interval 148 127,
        sched_getattr 315 275, sched_setattr 314 274, getpriority 140 141, setpriority 141 140,
        getcpu 309 168
    """,
    "clocks and timers; none can be set for others": """
        time 201 -, gettimeofday 96 169, clock_gettime 228 113, clock_getres 229 114,
        clock_nanosleep 230 115, nanosleep 35 101, timer_create 222 107, timer_settime 223 110,
        timer_gettime 224 108, timer_getoverrun 225 109, timer_delete 226 111, getitimer 36 102,
        setitimer 38 103, alarm 37 -
    """,
    "facts about the machine, and random numbers": """
        uname 63 160, sysinfo 99 179, getrandom 318 278
    """,
    "pairs of sockets, which runtimes use in place of pipes": """
        socketpair 53 199, sendto 44 206, recvfrom 45 207, recvmsg 47 212, recvmmsg 299 243,
        shutdown 48 210, getsockname 51 204, getpeername 52 205, getsockopt 55 209
    """,
}
"""Calls by the reason why each may be made: name, number on x86-64, number on ARM64 (`-`: none)."""


@dataclass(frozen=True)
class Condition:
    """The values of one argument of a call with which the call is allowed.

    `Condition("socketpair", 0, errno.EAFNOSUPPORT, only=(AF_UNIX,))`: with another first argument than
    AF_UNIX, socketpair fails with EAFNOSUPPORT. Only the low 32 bits of an argument are compared. Conditions
    of one call stand together and are tried in order: the first that is not met decides the error.

    call        name of the call
    argument    index of the argument, from 0
    error       the error of a call that is not allowed; GRANTED: it does nothing and returns 0
    only        the allowed values; None: all values except those of `never` and `no_bits`
    never       values that are not allowed
    no_bits     bits that must not be set
    when        (argument, bits): `no_bits` applies only if that argument has one of these bits
    """

    call: str
    argument: int
    error: int
    only: Sequence[int] | None = None
    never: Sequence[int] = ()
    no_bits: int = 0
    when: tuple[int, int] | None = None


GRANTED = 0
"""In place of an error: the call seems to succeed."""
AF_UNIX = 1
STREAM_PAIRS = tuple(kind | flags for kind in (1, 5) for flags in (0, 0x80000, 0x800, 0x80800))
"""SOCK_STREAM and SOCK_SEQPACKET, each with SOCK_CLOEXEC and SOCK_NONBLOCK or without."""
SET_ID_BITS = 0o6000
"""S_ISUID and S_ISGID."""
CREATES = (0o100, 0o20000000)
"""O_CREAT, and the bit of O_TMPFILE that O_DIRECTORY is not."""
LOCKS = (6, 7, 37, 38)
"""F_SETLK, F_SETLKW, F_OFD_SETLK, F_OFD_SETLKW."""
FCNTL = (
    *(0, 1030, 1027),  # F_DUPFD, F_DUPFD_CLOEXEC, F_DUPFD_QUERY
    *(1, 2, 3, 4, 5, 36),  # F_GETFD, F_SETFD, F_GETFL, F_SETFL, F_GETLK, F_OFD_GETLK
    *(8, 9, 10, 11, 15, 16),  # the owner of signals, and which signal: F_SETOWN to F_GETOWN_EX
    *(1031, 1032, 1033, 1034),  # F_SETPIPE_SZ, F_GETPIPE_SZ, F_ADD_SEALS, F_GET_SEALS
)
IOCTL = (
    *(0x5401, 0x802C542A, 0x5413, 0x540F),  # whether it is a terminal: TCGETS, TCGETS2, TIOCGWINSZ, TIOCGPGRP
    *(0x541B, 0x5421, 0x5450, 0x5451),  # FIONREAD, FIONBIO, FIONCLEX, FIOCLEX
)
PRCTL = (
    *(1, 2, 3, 4, 15, 16),  # signal at the parent's death, dumpable, name
    *(21, 23, 27, 29, 30, 38, 39),  # read seccomp, capabilities, secure bits; timer slack; no new privileges
    *(36, 37, 40, 41, 42, 47),  # orphans, address of the thread id, huge pages, ambient capabilities
    *(50, 51, 52, 54, 55, 56, 60, 61, 63, 64),  # ARM64: vectors, pointer authentication, tagged addresses
    *(0x53564D41, 0x59616D61),  # name of a mapping, tracer
)
RLIMIT_CORE = 4

CONDITIONS = (
    # Sockets: a pair of datagram sockets could send to any socket whose name it sees.
    Condition("socketpair", 0, errno.EAFNOSUPPORT, only=(AF_UNIX,)),
    Condition("socketpair", 1, errno.EPROTONOSUPPORT, only=STREAM_PAIRS),
    Condition("socket", 0, errno.EAFNOSUPPORT, only=()),
    # Locks on files that others use. They seem to be granted: after an error, SQLite would give up, and Java
    # would print a line where answers are expected. Leases are refused.
    Condition("flock", 1, GRANTED, only=()),
    Condition("fcntl", 1, GRANTED, never=LOCKS),
    Condition("fcntl", 1, errno.EINVAL, only=FCNTL),
    # Requests to devices and file systems.
    Condition("ioctl", 1, errno.ENOTTY, only=IOCTL),
    # Settings of a process; those left out would slow others down (PR_SCHED_CORE) or need a right.
    Condition("prctl", 0, errno.EINVAL, only=PRCTL),
    # Huge pages are taken from a store that all programs share.
    Condition("mmap", 3, errno.ENOMEM, no_bits=0x40000),
    # RLIMIT_CORE stays 1: the one value with which a crash starts no program of the machine.
    Condition("setrlimit", 0, errno.EPERM, never=(RLIMIT_CORE,)),
    Condition("prlimit64", 1, errno.EPERM, never=(RLIMIT_CORE,)),
    Condition("prlimit64", 0, errno.EPERM, only=(0,)),  # its own limits only
    # These calls may not make a set-user-id program. You own the files that the bot makes, so any user who
    # starts such a program would get your rights.
    *(Condition(call, 1, errno.EPERM, no_bits=SET_ID_BITS) for call in ("chmod", "fchmod", "creat", "mknod")),
    *(Condition(call, 2, errno.EPERM, no_bits=SET_ID_BITS) for call in ("fchmodat", "fchmodat2", "mknodat")),
    Condition("open", 2, errno.EPERM, no_bits=SET_ID_BITS, when=(1, sum(CREATES))),
    Condition("openat", 3, errno.EPERM, no_bits=SET_ID_BITS, when=(2, sum(CREATES))),
)
REFUSED = "socket 41 198, flock 73 32"
"""Calls that are never made: a condition gives the error of each, or for flock the apparent success."""


def _numbers(machine: Machine, text: str) -> Iterator[tuple[str, int]]:
    """Yield (name, number on `machine`) of the calls in a text like "read 0 63, dup2 33 -" (see ALLOWED)."""
    for entry in text.split(","):
        name, x86_64, aarch64 = entry.split()
        number = x86_64 if machine == "x86_64" else aarch64
        if number != "-":
            yield name, int(number)


def allowed(machine: Machine) -> dict[str, int]:
    """Return the numbers of all calls in ALLOWED that `machine` has, by name."""
    return {name: number for text in ALLOWED.values() for name, number in _numbers(machine, text)}


def listed(machine: Machine) -> dict[str, int]:
    """Return the numbers of all calls in ALLOWED and REFUSED that `machine` has, by name."""
    return allowed(machine) | dict(_numbers(machine, REFUSED))
