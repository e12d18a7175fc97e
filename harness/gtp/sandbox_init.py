"""The program that sets up a sandbox and starts an engine in it. It imports the standard library only.

Usage: `python -I -S sandbox_init.py OPTIONS PROGRAM WORD…`; `sandbox.sandbox_command` makes the OPTIONS.

It moves into new namespaces of Linux (user, mounts, processes, network, IPC, host name), makes all files
read-only except those in the engine's own folder, hides /tmp, /run and most of /dev, gives up all
capabilities, lets the kernel filter system calls, sets limits, and starts the engine. A second process is
process 1 of the sandbox (`be_init`): when it dies, the kernel kills everything in the sandbox. This program
ends as the engine ends.

Exit code 125: the sandbox could not be set up; a line on stderr says why.
"""

from __future__ import annotations

import ctypes
import json
import os
import resource
import select
import signal
import struct
import sys
import zlib
from binascii import a2b_base64

NO_SANDBOX = 125  # exit code
TEMPORARY = ("/tmp", "/var/tmp", "/run", "/var/run", "/dev/shm")
HIDDEN = (*TEMPORARY, "/dev")
MASKED = ("/sys/kernel/debug", "/sys/kernel/tracing", "/sys/firmware")
MOST_LINKS = 40  # on the way to a file, as in the kernel
TEMPORARY_FILES = 16384  # number of all temporary files; chosen, as the next line: more than engines need
OPEN_FILES, PENDING_SIGNALS, LOCKED_MEMORY = 1024, 4096, 1 << 20
MOST_OOM_SCORE = 1000  # the kernel's
DEVICES = ("null", "zero", "full", "random", "urandom")

NEW_SPACES = 0x10000000 | 0x00020000 | 0x20000000 | 0x40000000 | 0x08000000 | 0x04000000
"""CLONE_NEWUSER, CLONE_NEWNS, …PID, …NET, …IPC, …UTS. All numbers from here on are the kernel's.

Their names are those in the kernel's headers, in part shortened; the manual pages of `mount`,
`mount_setattr`, `prctl`, `capset`, `seccomp` and `landlock` explain them.
"""
MS_RDONLY, MS_NOSUID, MS_NODEV, MS_BIND, MS_REC, MS_PRIVATE = 1, 2, 4, 4096, 16384, 1 << 18
AT_FDCWD, AT_RECURSIVE = -100, 0x8000
SYS_MOUNT_SETATTR, SYS_CAPSET = 442, {"x86_64": 126, "aarch64": 91}
ATTR_RDONLY, ATTR_NOSUID, ATTR_NODEV = 1, 2, 4
LOCKED_UP = ATTR_RDONLY | ATTR_NOSUID | ATTR_NODEV  # a mount is read-only, without set-user-id and devices
PR_SET_PDEATHSIG, PR_SET_DUMPABLE, PR_CAPBSET_DROP, PR_SET_SECUREBITS, PR_SET_NO_NEW_PRIVS = 1, 4, 24, 28, 38
NOROOT_LOCKED = 0b11
LAST_CAPABILITY = 63
PR_SET_SECCOMP, SECCOMP_MODE_FILTER = 22, 2
SYS_LANDLOCK_CREATE_RULESET, SYS_LANDLOCK_ADD_RULE, SYS_LANDLOCK_RESTRICT_SELF = 444, 445, 446
LANDLOCK_VERSION, LANDLOCK_MOVES, LANDLOCK_BENEATH = 1, 2, 1
"""The flag that asks for the version; the version that can allow moves; the kind of a folder's rule."""
WRITE_FILE, REFER = 1 << 1, 1 << 13
CAPABILITY_VERSION = 0x20080522

libc = ctypes.CDLL(None, use_errno=True)


def call(what: str, *arguments: object) -> None:
    """Call a function of libc that returns 0 if it succeeds. Raises OSError if it returns something else."""
    if getattr(libc, what)(*arguments) != 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{what}: {os.strerror(number)}")


def mount(source: str, target: str, kind: str | None, flags: int, data: str = "") -> None:
    """Put a file system, or the folder `source`, at `target` (see mount in man 2). Raises OSError."""
    words = (text.encode() if text is not None else None for text in (source, target, kind))
    call("mount", *words, ctypes.c_ulong(flags), data.encode())


def set_attributes(target: str, wanted: int, cleared: int, *, recursive: bool) -> None:
    """Set and clear attributes of a mount, `recursive`: also of those below it. Raises OSError."""
    attributes = struct.pack("QQQQ", wanted, cleared, 0, 0)
    flags = AT_RECURSIVE if recursive else 0
    call("syscall", SYS_MOUNT_SETATTR, AT_FDCWD, target.encode(), flags, attributes, len(attributes))


def enter_namespaces() -> None:
    """Move into new namespaces. The user and the group keep their numbers."""
    uid, gid = os.getuid(), os.getgid()
    call("unshare", NEW_SPACES)
    for name, text in (("setgroups", "deny"), ("uid_map", f"{uid} {uid} 1"), ("gid_map", f"{gid} {gid} 1")):
        with open(f"/proc/self/{name}", "w") as file:
            file.write(text)


def visible_paths(folder: str | None, words: list[str]) -> list[str]:
    """The folders under HIDDEN that the engine needs: its own, the current one, those of files in `words`.

    The engine may have put a link into its own folder. A path that leads through this folder adds nothing.
    """
    wanted = [os.getcwd(), *([folder] if folder else [])]
    for word in words:
        path = os.path.abspath(word)
        if os.path.exists(path) and not (folder and leads_through(path, folder)):
            wanted.append(path if os.path.isdir(path) else os.path.dirname(path))
    below = tuple(f"{root}/" for root in HIDDEN)
    return sorted({path for path in map(os.path.realpath, wanted) if path.startswith(below)})


def leads_through(path: str, folder: str) -> bool:
    """Return whether the way to `path`, links followed, leads through `folder` or a folder below it.

    The place where it ends does not count. A way with MOST_LINKS links may lead there: True.
    """
    own, place, links = os.path.realpath(folder), "/", 0
    steps = path.split("/")[::-1]  # reversed: `pop` takes the next one
    while steps and links < MOST_LINKS:
        if place == own or place.startswith(f"{own}/"):
            return True
        target = os.path.join(place, steps.pop())
        if os.path.islink(target):
            link, links = os.readlink(target), links + 1
            steps += link.split("/")[::-1]
            place = "/" if os.path.isabs(link) else place
        else:
            place = os.path.normpath(target)  # no link is left in it, so `..` means what it says
    return bool(steps)


def build_files(folder: str | None, words: list[str], hidden: list[str], disk_mb: int) -> None:
    """Make all files read-only, put empty folders over HIDDEN and `hidden`, open the engine's folder."""
    paths = visible_paths(folder, words)
    here = os.getcwd()
    # Mounts will hide these folders and devices. A descriptor, as /proc/self/fd/N, still names each of them.
    kept = {path: os.open(path, os.O_PATH | os.O_DIRECTORY) for path in paths}
    devices = {name: os.open(f"/dev/{name}", os.O_PATH) for name in DEVICES}
    mount("none", "/", None, MS_REC | MS_PRIVATE)
    set_attributes("/", LOCKED_UP, 0, recursive=True)
    put_temporary_folders(devices, disk_mb)
    for path in filter(os.path.isdir, MASKED):
        hide(path)
    for path, descriptor in kept.items():
        os.makedirs(path, exist_ok=True)
        mount(f"/proc/self/fd/{descriptor}", path, None, MS_BIND | MS_REC)
        set_attributes(path, LOCKED_UP, 0, recursive=True)
    if folder:
        mount(folder, folder, None, MS_BIND | MS_REC)
        set_attributes(folder, 0, ATTR_RDONLY, recursive=False)
    for path in filter(os.path.isdir, hidden):
        hide(path)
    os.chdir(here)
    for descriptor in (*kept.values(), *devices.values()):
        os.close(descriptor)


def put_temporary_folders(devices: dict[str, int], disk_mb: int) -> None:
    """Put an empty /dev with a few devices in place, and TEMPORARY folders, which share one file system."""
    mount("tmpfs", "/dev", "tmpfs", MS_NOSUID | MS_NODEV, "mode=755,size=1m")
    for name, descriptor in devices.items():
        open(f"/dev/{name}", "w").close()
        mount(f"/proc/self/fd/{descriptor}", f"/dev/{name}", None, MS_BIND)
        set_attributes(f"/dev/{name}", 0, ATTR_NODEV, recursive=False)
    os.mkdir("/dev/shm")
    for name, target in (("fd", ""), ("stdin", "/0"), ("stdout", "/1"), ("stderr", "/2")):
        os.symlink(f"/proc/self/fd{target}", f"/dev/{name}")
    mount("tmpfs", "/tmp", "tmpfs", MS_NOSUID | MS_NODEV, f"size={disk_mb}m,nr_inodes={TEMPORARY_FILES}")
    for number, path in enumerate(TEMPORARY[::-1]):  # /tmp comes last: it hides the others below it
        if os.path.isdir(path) and not os.path.islink(path):
            own = f"/tmp/{number}"
            os.mkdir(own)
            os.chmod(own, 0o1777)
            mount(own, path, None, MS_BIND)
    set_attributes("/dev", ATTR_RDONLY, 0, recursive=False)


def hide(path: str) -> None:
    """Put an empty folder over a folder."""
    mount("tmpfs", path, "tmpfs", MS_RDONLY | MS_NOSUID | MS_NODEV, "mode=755,size=4k")


def give_up_rights(writable: list[str], calls: bytes) -> None:
    """Give up all capabilities, so that none can be gained again, and let the kernel filter system calls.

    writable   the folders where the engine may open files for writing
    calls      the filter: a seccomp program, in instructions of 8 bytes
    """
    call("prctl", PR_SET_SECUREBITS, NOROOT_LOCKED, 0, 0, 0)
    for number in range(LAST_CAPABILITY + 1):
        libc.prctl(PR_CAPBSET_DROP, number, 0, 0, 0)  # the kernel may know fewer
    header = struct.pack("Ii", CAPABILITY_VERSION, 0)
    call("syscall", SYS_CAPSET[os.uname().machine], header, bytes(24))  # all zero: no capability in any set
    call("prctl", PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
    call("prctl", PR_SET_DUMPABLE, 0, 0, 0, 0)  # the engine may not look into process 1; exec undoes it
    write_only_in(writable)
    code = ctypes.create_string_buffer(calls)
    program = ctypes.create_string_buffer(struct.pack("H6xQ", len(calls) // 8, ctypes.addressof(code)))
    call("prctl", PR_SET_SECCOMP, SECCOMP_MODE_FILTER, program, 0, 0)


def landlock_version() -> int:
    """The version of Landlock in this kernel; -1 without it."""
    return int(libc.syscall(SYS_LANDLOCK_CREATE_RULESET, None, ctypes.c_size_t(0), LANDLOCK_VERSION))


def write_only_in(folders: list[str]) -> None:
    """Let the kernel refuse to open any file for writing, except in `folders`.

    Mounts are not enough: a program can write into a FIFO although it is on a read-only mount. This function
    does nothing if the kernel has no Landlock, or its first version, which forbids each move of a file to
    another folder.
    """
    if landlock_version() < LANDLOCK_MOVES:
        return
    handled = struct.pack("Q", WRITE_FILE | REFER)
    rules = libc.syscall(SYS_LANDLOCK_CREATE_RULESET, handled, ctypes.c_size_t(len(handled)), 0)
    if rules < 0:
        raise OSError(ctypes.get_errno(), "landlock_create_ruleset")
    for folder in folders:
        place = os.open(folder, os.O_PATH)
        rule = struct.pack("=Qi", WRITE_FILE | REFER, place)
        call("syscall", SYS_LANDLOCK_ADD_RULE, rules, LANDLOCK_BENEATH, rule, 0)
        os.close(place)
    call("syscall", SYS_LANDLOCK_RESTRICT_SELF, rules, 0)
    os.close(rules)


def set_limits(limits: dict[str, int]) -> None:
    """Set the limits of each process of the engine, and the number of its processes."""
    for what, wanted in (
        (resource.RLIMIT_AS, limits["memory_mb"] << 20),
        (resource.RLIMIT_NPROC, limits["processes"]),
        (resource.RLIMIT_FSIZE, limits["disk_mb"] << 20),
        (resource.RLIMIT_NOFILE, OPEN_FILES),
        (resource.RLIMIT_SIGPENDING, PENDING_SIGNALS),
        (resource.RLIMIT_MEMLOCK, LOCKED_MEMORY),
        (resource.RLIMIT_RTPRIO, 0),
        (resource.RLIMIT_NICE, 0),
        *([(resource.RLIMIT_CPU, limits["cpu_seconds"])] if limits.get("cpu_seconds") else []),
    ):
        set_limit(what, wanted)


def set_limit(what: int, wanted: int) -> None:
    """Set one limit of `resource` for good: to `wanted`, or to the hard limit in force if that is lower."""
    _, most = resource.getrlimit(what)
    value = wanted if most == resource.RLIM_INFINITY else min(wanted, most)
    resource.setrlimit(what, (value, value))


def limit_the_sandbox(most_pid: int | None) -> None:
    """Limit what all processes of the sandbox have together, by settings of the kernel for its namespaces.

    `most_pid`: the largest process id; None if the kernel has no such setting for one namespace.
    """
    settings = {"user/max_user_namespaces": 0}  # the engine could get capabilities in one of its own
    if most_pid is not None:
        settings["kernel/pid_max"] = most_pid
    for name, value in settings.items():
        with open(f"/proc/sys/{name}", "w") as file:
            file.write(str(value))


def is_alone(report: int) -> bool:
    """Return whether nothing holds the other end of the pipe `report`: its reader has ended."""
    poll = select.poll()
    poll.register(report, 0)
    return bool(poll.poll(0))


def be_init(options: dict, program: str, words: list[str], report: int) -> int:  # type: ignore[type-arg]
    """Be process 1: start the engine, collect orphans, and wait for the engine.

    Writes how the engine ended into the pipe `report`: its wait status, a C int. Returns an exit code.
    Raises OSError, also in the process that should become the engine.
    """
    limits, folder = options["limits"], options["folder"]
    call("prctl", PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    if is_alone(report):  # the program outside was killed before the line above
        return NO_SANDBOX
    mount("proc", "/proc", "proc", MS_NOSUID | MS_NODEV)
    limit_the_sandbox(options["most_pid"])
    set_attributes("/proc", LOCKED_UP, 0, recursive=False)  # root needs no capability to write to /proc/sys
    writable = [path for path in (*HIDDEN, folder) if path and os.path.isdir(path)]
    give_up_rights(writable, zlib.decompress(a2b_base64(options["calls"])))
    engine = os.fork()
    if engine == 0:
        os.close(report)
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        set_limits(limits)
        os.execv(program, words)
    for number in (0, 1, 2):  # only the engine holds its pipes, so its exit ends the output
        os.close(number)
    while True:
        pid, status = os.wait()
        if pid == engine:
            os.write(report, struct.pack("i", status))
            return 0


def start_init(options: dict, program: str, words: list[str]) -> tuple[int, int]:  # type: ignore[type-arg]
    """Start process 1 of the sandbox; return its id and the pipe into which it reports (see `be_init`)."""
    own_end, init_end = os.pipe()
    init = os.fork()
    if init == 0:
        os.close(own_end)
        try:
            os._exit(be_init(options, program, words, init_end))
        except OSError as error:
            sys.stderr.write(f"sandbox: {error}\n")
            sys.stderr.flush()
            os._exit(NO_SANDBOX)
    os.close(init_end)
    return init, own_end


def main() -> int:
    """Set up the sandbox, wait for the engine, and end as it ended."""
    options = json.loads(sys.argv[1])
    program, words = sys.argv[2], sys.argv[3:]
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)  # if it is ignored, the kernel drops exit codes
    for one in (signal.SIGTERM, signal.SIGINT):
        signal.signal(one, signal.SIG_IGN)  # the engine gets these, too, and decides
    set_limit(resource.RLIMIT_CORE, 1)  # with 0, the kernel may start a program of the machine for each crash
    try:
        enter_namespaces()
        with open("/proc/self/oom_score_adj", "w") as file:
            file.write(str(MOST_OOM_SCORE))  # where memory runs out, the kernel ends the engine first
        build_files(options["folder"], [program, *words], options["hidden"], options["limits"]["disk_mb"])
        init, report = start_init(options, program, words)
    except OSError as error:
        sys.stderr.write(f"sandbox: {error}\n")
        return NO_SANDBOX
    for number in (0, 1, 2):  # as in `be_init`
        os.close(number)
    status = os.read(report, 4)
    _, ended = os.waitpid(init, 0)
    if not status:  # process 1 ended before the engine
        return NO_SANDBOX if os.waitstatus_to_exitcode(ended) == NO_SANDBOX else 128 + int(signal.SIGKILL)
    code = os.waitstatus_to_exitcode(struct.unpack("i", status)[0])
    if code < 0:  # a signal ended the engine: end by the same signal
        if -code != signal.SIGKILL:  # whose effect no program can set
            signal.signal(-code, signal.SIG_DFL)
        os.kill(os.getpid(), -code)
    return code


if __name__ == "__main__":
    os._exit(main())
