"""The program that sets up a sandbox and starts an engine in it. It imports the standard library only.

Usage: `python -I -S sandbox_init.py OPTIONS PROGRAM WORD…`; `sandboxed` in `sandbox.py` makes the OPTIONS.

It moves into new namespaces of Linux (user, mounts, processes, network, IPC, host name), makes all files
read-only except those in the engine's own folder, hides /tmp, /run and most of /dev, gives up all
capabilities, sets limits, and starts the engine. A second process is process 1 of the sandbox (`be_init`):
when it dies, the kernel kills everything in the sandbox. This program ends as the engine ends.

Exit code 125: the sandbox could not be set up; a line on stderr says why.
"""

from __future__ import annotations

import ctypes
import errno
import json
import os
import resource
import signal
import struct
import sys

NO_SANDBOX = 125  # exit code
HIDDEN = ("/tmp", "/var/tmp", "/run", "/var/run", "/dev")
DEVICES = ("null", "zero", "full", "random", "urandom")

NEW_SPACES = 0x10000000 | 0x00020000 | 0x20000000 | 0x40000000 | 0x08000000 | 0x04000000
"""CLONE_NEWUSER, NEWNS, NEWPID, NEWNET, NEWIPC, NEWUTS. These and the next numbers are the kernel's."""
MS_RDONLY, MS_NOSUID, MS_NODEV, MS_BIND, MS_REC, MS_PRIVATE = 1, 2, 4, 4096, 16384, 1 << 18
AT_FDCWD, AT_RECURSIVE = -100, 0x8000
SYS_MOUNT_SETATTR, SYS_CAPSET = 442, {"x86_64": 126, "aarch64": 91}
ATTR_RDONLY, ATTR_NOSUID = 1, 2
PR_SET_PDEATHSIG, PR_CAPBSET_DROP, PR_SET_SECUREBITS, PR_SET_NO_NEW_PRIVS = 1, 24, 28, 38
NOROOT_LOCKED = 0b11
LAST_CAPABILITY = 63
PR_SET_SECCOMP, SECCOMP_MODE_FILTER = 22, 2
BPF_LOAD, BPF_EQUAL, BPF_AT_LEAST, BPF_RETURN = 0x20, 0x15, 0x35, 0x06
SECCOMP_ALLOW, SECCOMP_FAIL = 0x7FFF0000, 0x00050000 | errno.EPERM  # what a filter returns; see seccomp(2)
SYSCALL_NUMBER, SYSCALL_MACHINE, SYSCALL_FIRST_ARGUMENT = 0, 4, 16
"""Byte offsets of these fields in struct seccomp_data."""
MACHINE = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
SYS_SOCKET, SYS_IO_URING_SETUP, X32_CALLS = {"x86_64": 41, "aarch64": 198}, 425, 0x40000000
AF_UNIX = 1
CAPABILITY_VERSION = 0x20080522

libc = ctypes.CDLL(None, use_errno=True)


def call(what: str, *arguments: object) -> None:
    """Call a function of libc that returns 0. Raises OSError."""
    if getattr(libc, what)(*arguments) != 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{what}: {os.strerror(number)}")


def mount(source: str, target: str, kind: str | None, flags: int, data: str = "") -> None:
    """Put a file system or a folder at `target`. Raises OSError."""
    words = (text.encode() if text is not None else None for text in (source, target, kind))
    call("mount", *words, ctypes.c_ulong(flags), data.encode())


def set_attributes(target: str, wanted: int, cleared: int, *, recursive: bool) -> None:
    """Set and clear attributes of a mount, and of those below it; see mount_setattr(2). Raises OSError."""
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
    """The folders under HIDDEN that the engine needs: its own, the current one, those of files in `words`."""
    wanted = [os.getcwd(), *([folder] if folder else [])]
    for word in words:
        path = os.path.abspath(word)
        if os.path.exists(path):
            wanted.append(path if os.path.isdir(path) else os.path.dirname(path))
    below = tuple(f"{root}/" for root in HIDDEN)
    return sorted({path for path in map(os.path.realpath, wanted) if path.startswith(below)})


def build_files(folder: str | None, words: list[str], disk_mb: int) -> None:
    """Make all files read-only, put empty folders over HIDDEN, and make the engine's folder writable."""
    paths = visible_paths(folder, words)
    here = os.getcwd()
    # Mounts will hide these folders and devices. A descriptor, as /proc/self/fd/N, still names each of them.
    kept = {path: os.open(path, os.O_PATH | os.O_DIRECTORY) for path in paths}
    devices = {name: os.open(f"/dev/{name}", os.O_PATH) for name in DEVICES}
    mount("none", "/", None, MS_REC | MS_PRIVATE)
    set_attributes("/", ATTR_RDONLY | ATTR_NOSUID, 0, recursive=True)
    for root in HIDDEN:
        if os.path.isdir(root) and not os.path.islink(root):
            flags = MS_NOSUID | (0 if root == "/dev" else MS_NODEV)
            size = disk_mb if root in ("/tmp", "/dev") else 1
            mount("tmpfs", root, "tmpfs", flags, f"mode=1777,size={size}m")
    for name, descriptor in devices.items():
        open(f"/dev/{name}", "w").close()
        mount(f"/proc/self/fd/{descriptor}", f"/dev/{name}", None, MS_BIND)
    os.mkdir("/dev/shm", 0o1777)
    os.symlink("/proc/self/fd", "/dev/fd")
    for path, descriptor in kept.items():
        os.makedirs(path, exist_ok=True)
        mount(f"/proc/self/fd/{descriptor}", path, None, MS_BIND | MS_REC)
        set_attributes(path, ATTR_RDONLY | ATTR_NOSUID, 0, recursive=True)
    if folder:
        mount(folder, folder, None, MS_BIND | MS_REC)
        set_attributes(folder, 0, ATTR_RDONLY, recursive=False)
    os.chdir(here)
    for descriptor in (*kept.values(), *devices.values()):
        os.close(descriptor)


def give_up_rights() -> None:
    """Give up all capabilities, so that none can be gained again, and forbid Unix sockets."""
    call("prctl", PR_SET_SECUREBITS, NOROOT_LOCKED, 0, 0, 0)
    for number in range(LAST_CAPABILITY + 1):
        libc.prctl(PR_CAPBSET_DROP, number, 0, 0, 0)  # the kernel may know fewer
    header = struct.pack("Ii", CAPABILITY_VERSION, 0)
    call("syscall", SYS_CAPSET[os.uname().machine], header, bytes(24))
    call("prctl", PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
    forbid_unix_sockets()


def forbid_unix_sockets() -> None:
    """Let the kernel refuse new Unix sockets, which could reach a program that listens in a visible folder.

    Pairs of sockets stay allowed. The filter also closes three ways around it: programs for another machine
    (32 bits), the second set of call numbers of x86-64 (x32), and io_uring, which needs no call for a socket.
    """
    machine = os.uname().machine
    program = (
        (BPF_LOAD, 0, 0, SYSCALL_MACHINE),
        (BPF_EQUAL, 0, 7, MACHINE[machine]),  # steps to skip if equal, and if not
        (BPF_LOAD, 0, 0, SYSCALL_NUMBER),
        (BPF_AT_LEAST, 5, 0, X32_CALLS),
        (BPF_EQUAL, 4, 0, SYS_IO_URING_SETUP),
        (BPF_EQUAL, 0, 2, SYS_SOCKET[machine]),
        (BPF_LOAD, 0, 0, SYSCALL_FIRST_ARGUMENT),
        (BPF_EQUAL, 1, 0, AF_UNIX),
        (BPF_RETURN, 0, 0, SECCOMP_ALLOW),
        (BPF_RETURN, 0, 0, SECCOMP_FAIL),
    )
    code = ctypes.create_string_buffer(b"".join(struct.pack("HBBI", *step) for step in program))
    header = ctypes.create_string_buffer(struct.pack("H6xQ", len(program), ctypes.addressof(code)))
    call("prctl", PR_SET_SECCOMP, SECCOMP_MODE_FILTER, header, 0, 0)


def set_limits(limits: dict[str, int]) -> None:
    """Set the limits of each process of the engine, and the number of its processes."""
    for what, value in (
        (resource.RLIMIT_AS, limits["memory_mb"] << 20),
        (resource.RLIMIT_NPROC, limits["processes"]),
        (resource.RLIMIT_FSIZE, limits["disk_mb"] << 20),
        (resource.RLIMIT_CORE, 0),
        *([(resource.RLIMIT_CPU, limits["cpu_seconds"])] if limits.get("cpu_seconds") else []),
    ):
        resource.setrlimit(what, (value, value))


def be_init(limits: dict[str, int], program: str, words: list[str], report: int) -> int:
    """Be process 1: start the engine, collect orphans, write how the engine ended into the pipe `report`."""
    call("prctl", PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    mount("proc", "/proc", "proc", MS_NOSUID | MS_NODEV)
    with open("/proc/sys/user/max_user_namespaces", "w") as file:
        file.write("0")  # the engine can make no namespaces, which would give it capabilities
    give_up_rights()
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


def main() -> int:
    """Set up the sandbox, wait for the engine, and end as it ended."""
    options = json.loads(sys.argv[1])
    program, words = sys.argv[2], sys.argv[3:]
    folder, limits = options["folder"], options["limits"]
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)  # if it is ignored, the kernel drops exit codes
    for one in (signal.SIGTERM, signal.SIGINT):
        signal.signal(one, signal.SIG_IGN)  # the engine gets these, too, and decides
    try:
        enter_namespaces()
        build_files(folder, [program, *words], limits["disk_mb"])
        own_end, init_end = os.pipe()
        init = os.fork()
        if init == 0:
            os.close(own_end)
            try:
                os._exit(be_init(limits, program, words, init_end))
            except OSError as error:
                sys.stderr.write(f"sandbox: {error}\n")
                sys.stderr.flush()
                os._exit(NO_SANDBOX)
    except OSError as error:
        sys.stderr.write(f"sandbox: {error}\n")
        return NO_SANDBOX
    os.close(init_end)
    for number in (0, 1, 2):
        os.close(number)
    data = os.read(own_end, 4)
    _, ended = os.waitpid(init, 0)
    if not data:
        return NO_SANDBOX if os.waitstatus_to_exitcode(ended) == NO_SANDBOX else 128 + int(signal.SIGKILL)
    code = os.waitstatus_to_exitcode(struct.unpack("i", data)[0])
    if code < 0:  # a signal ended the engine: end by the same signal
        if -code != signal.SIGKILL:
            signal.signal(-code, signal.SIG_DFL)
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        os.kill(os.getpid(), -code)
    return code


if __name__ == "__main__":
    os._exit(main())
