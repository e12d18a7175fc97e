"""The filter of system calls, run as the kernel runs it, for both machines."""

import errno
import re
import struct
from pathlib import Path

import pytest

from harness.gtp.sandbox_calls import ALLOWED, CONDITIONS, REFUSED, Machine, allowed, listed
from harness.gtp.sandbox_filter import ALLOW, FAIL, MACHINES, call_filter

HEADERS: dict[Machine, Path] = {
    "x86_64": Path("/usr/include/x86_64-linux-gnu/asm/unistd_64.h"),
    "aarch64": Path("/usr/include/asm-generic/unistd.h"),
}
both = pytest.mark.parametrize("machine", MACHINES)


def answer(machine: Machine, number: int, *arguments: int, program_of: int | None = None) -> int:
    """What the filter returns for a call, step by step as in the kernel's documentation of BPF."""
    steps = list(struct.iter_unpack("HBBI", call_filter(machine)))
    data = struct.pack(
        "iIQ6Q", number, program_of or MACHINES[machine], 0, *arguments, *[0] * (6 - len(arguments))
    )
    value, at = 0, 0
    while True:
        what, if_true, if_false, operand = steps[at]
        at += 1
        if what == 0x06:
            return int(operand)
        if what == 0x20:
            (value,) = struct.unpack_from("I", data, operand)
        else:
            holds = {0x15: value == operand, 0x35: value >= operand, 0x45: bool(value & operand)}[what]
            at += if_true if holds else if_false


@both
def test_every_listed_call_is_allowed_and_no_other(machine: Machine) -> None:
    conditional = {condition.call for condition in CONDITIONS}
    names = allowed(machine)
    free = {number for name, number in names.items() if name not in conditional}
    known = set(listed(machine).values())
    for number in (*range(-1, 1000), 0x40000000, 0x40000027, 1 << 30, (1 << 31) - 1):
        if number in free:
            assert answer(machine, number) == ALLOW
        elif number not in known:
            assert answer(machine, number) == FAIL | errno.ENOSYS


@both
def test_a_call_of_another_machine_is_refused(machine: Machine) -> None:
    i386, arm, x86_64, aarch64 = 0x40000003, 0x40000028, 0xC000003E, 0xC00000B7
    for other in {i386, arm, x86_64, aarch64} - {MACHINES[machine]}:
        for number in allowed(machine).values():
            assert answer(machine, number, program_of=other) == FAIL | errno.ENOSYS


@pytest.mark.parametrize(
    ("name", "arguments", "error"),
    [
        ("socketpair", (1, 1), None),
        ("socketpair", (1, 0x80005), None),
        ("socketpair", (1, 2), errno.EPROTONOSUPPORT),
        ("socketpair", (2, 1), errno.EAFNOSUPPORT),
        ("fcntl", (0, 3), None),
        ("fcntl", (0, 6), 0),
        ("fcntl", (0, 38), 0),
        ("fcntl", (0, 1024), errno.EINVAL),
        ("fcntl", (0, (1 << 32) | 1024), errno.EINVAL),
        ("ioctl", (0, 0x5401), None),
        ("ioctl", (0, 0x5412), errno.ENOTTY),
        ("prctl", (15,), None),
        ("prctl", (62,), errno.EINVAL),
        ("prlimit64", (0, 7), None),
        ("prlimit64", (0, 4), errno.EPERM),
        ("prlimit64", (1, 7), errno.EPERM),
        ("openat", (0, 0, 0o100, 0o755), None),
        ("openat", (0, 0, 0, 0o6777), None),
        ("openat", (0, 0, 0o100, 0o4755), errno.EPERM),
        ("openat", (0, 0, 0o20200001, 0o2755), errno.EPERM),
        ("fchmodat", (0, 0, 0o755), None),
        ("fchmodat", (0, 0, 0o2755), errno.EPERM),
        ("mmap", (0, 0, 3, 0x22), None),
        ("mmap", (0, 0, 3, 0x40022), errno.ENOMEM),
        ("flock", (0, 2), 0),
        ("socket", (1, 1), errno.EAFNOSUPPORT),
    ],
)
@both
def test_an_argument_decides(
    machine: Machine, name: str, arguments: tuple[int, ...], error: int | None
) -> None:
    assert answer(machine, listed(machine)[name], *arguments) == (ALLOW if error is None else FAIL | error)


@both
def test_the_numbers_are_those_of_the_kernel(machine: Machine) -> None:
    header = HEADERS[machine]
    if not header.is_file():
        pytest.skip(f"{header} is not installed")
    text = header.read_text()
    known = {name: int(number) for name, number in re.findall(r"#define __NR(?:3264)?_(\w+) (\d+)", text)}
    known["newfstatat"] = known.pop("fstatat", known.get("newfstatat", -1))
    for name, number in listed(machine).items():
        assert known.get(name, number) == number, name  # the header may be older than the list


def test_each_call_is_listed_once_and_each_condition_names_one() -> None:
    names = [entry.split()[0] for text in (*ALLOWED.values(), REFUSED) for entry in text.split(",")]
    assert len(names) == len(set(names))
    assert {condition.call for condition in CONDITIONS} <= set(names)
