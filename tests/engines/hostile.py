"""One small GTP engine that misbehaves on demand: `hostile.py MODE [--at K] [--seconds S] [--size N] …`.

Without a mode it is right, as far as one can be without knowing Go (it always passes). A mode strikes at
command K, the first by default, and at every later one; those marked (start) strike before the first command
is read.
Each mode is one function below, with what it does as its first line: `hostile.py --list`.
"""

import argparse
import os
import resource
import signal
import sys
import time
from collections.abc import Callable, Iterator

COMMANDS = {
    "protocol_version": "2",
    "name": "hostile",
    "version": "1",
    "quit": "",
    "boardsize": "",
    "clear_board": "",
    "komi": "",
    "play": "",
    "genmove": "pass",
}
LISTS = ("known_command", "list_commands")

Mode = Callable[[argparse.Namespace, bytes, bytes], bytes]  # (options, id, right answer) -> what is answered
MODES: dict[str, Mode] = {}
AT_START: set[str] = set()


def mode(function: Mode) -> Mode:
    MODES[function.__name__.replace("_", "-")] = function
    return function


def at_start(function: Mode) -> Mode:
    AT_START.add(function.__name__.replace("_", "-"))
    return mode(function)


def write(data: bytes) -> None:
    while data:
        data = data[os.write(1, data) :]


def for_ever() -> None:
    while True:
        time.sleep(1000)


# --- right --------------------------------------------------------------------------------------------------


@mode
def right(options: argparse.Namespace, own_id: bytes, answer: bytes) -> bytes:
    """Everything as it should be."""
    return answer


# --- silence ------------------------------------------------------------------------------------------------


@mode
def silent(options: argparse.Namespace, own_id: bytes, answer: bytes) -> bytes:
    """Reads on and answers nothing."""
    return b""


@mode
def hang(options: argparse.Namespace, own_id: bytes, answer: bytes) -> bytes:
    """Stops for ever: neither reads nor answers, ends only by a signal."""
    for_ever()
    return b""


@mode
def half(options: argparse.Namespace, own_id: bytes, answer: bytes) -> bytes:
    """Half an answer, then silence."""
    return b"= pa"


@mode
def slow(options: argparse.Namespace, own_id: bytes, answer: bytes) -> bytes:
    """A byte every --seconds, endlessly without a line feed."""
    write(b"=")
    while True:
        time.sleep(options.seconds)
        write(b"x")


@mode
def late(options: argparse.Namespace, own_id: bytes, answer: bytes) -> bytes:
    """The right answer, --seconds too late, to command --at only."""
    if options.number == options.at:
        time.sleep(options.seconds)
    return answer


@mode
def buffered(options: argparse.Namespace, own_id: bytes, answer: bytes) -> bytes:
    """Right, but never flushed: comes out on a terminal, line by line, or at the end of input."""
    sys.stdout.write(answer.decode())
    return b""


@at_start
def deaf(options: argparse.Namespace, own_id: bytes, answer: bytes) -> bytes:
    """(start) Never reads its input."""
    for_ever()
    return b""


@at_start
def close_stdout(options: argparse.Namespace, own_id: bytes, answer: bytes) -> bytes:
    """(start) Closes its output and lives on, reading."""
    os.close(1)
    while os.read(0, 4096):
        pass
    for_ever()
    return b""


@at_start
def close_stdin(options: argparse.Namespace, own_id: bytes, answer: bytes) -> bytes:
    """(start) Closes its input and lives on."""
    os.close(0)
    for_ever()
    return b""


@at_start
def whole_input(options: argparse.Namespace, own_id: bytes, answer: bytes) -> bytes:
    """(start) Reads its input to the end before it answers the first command."""
    options.lines = iter(sys.stdin.buffer.readlines())
    return b""


@at_start
def swallow(options: argparse.Namespace, own_id: bytes, answer: bytes) -> bytes:
    """(start) Answers the first line of each read and drops the lines that came with it."""

    def first_lines() -> Iterator[bytes]:
        while data := os.read(0, 1 << 16):
            yield data.split(b"\n")[0]

    options.lines = first_lines()
    return b""


@at_start
def unbuffered(options: argparse.Namespace, own_id: bytes, answer: bytes) -> bytes:
    """(start) Right, but leaves every line in the pipe until it has answered the line before."""

    def one_at_a_time() -> Iterator[bytes]:
        line = b""
        while byte := os.read(0, 1):
            line += byte
            if byte == b"\n":
                yield line
                line = b""

    options.lines = one_at_a_time()
    return b""


# --- death and refusal to die -------------------------------------------------------------------------------


@at_start
def die_at_start(options: argparse.Namespace, own_id: bytes, answer: bytes) -> bytes:
    """(start) Says so on stderr and ends with --code or by --signal."""
    os.write(2, b"no network file\n")
    return die(options, own_id, answer)


@mode
def die(options: argparse.Namespace, own_id: bytes, answer: bytes) -> bytes:
    """Ends with --code or by --signal instead of an answer."""
    if options.signal:
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        os.kill(os.getpid(), options.signal)
    os._exit(options.code)


@mode
def last_words(options: argparse.Namespace, own_id: bytes, answer: bytes) -> bytes:
    """Half an answer, then ends with --code."""
    write(b"= pa")
    os._exit(options.code)


@at_start
def undead(options: argparse.Namespace, own_id: bytes, answer: bytes) -> bytes:
    """(start) Answers rightly, but neither `quit`, nor the end of input, nor SIGTERM ends it."""
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    options.immortal = True
    return b""


@at_start
def parent(options: argparse.Namespace, own_id: bytes, answer: bytes) -> bytes:
    """(start) Has --size children that ignore signals and left its session; else right."""
    for _ in range(options.size):
        if os.fork() == 0:
            os.setsid()
            signal.signal(signal.SIGTERM, signal.SIG_IGN)
            for_ever()
    return b""


@at_start
def daemons(options: argparse.Namespace, own_id: bytes, answer: bytes) -> bytes:
    """(start) Like `parent`, but by forking twice: nobody's children, and without any of its pipes."""
    for _ in range(options.size):
        child = os.fork()
        if child == 0:
            os.setsid()
            if os.fork() == 0:
                for descriptor in range(3):
                    os.close(descriptor)
                signal.signal(signal.SIGTERM, signal.SIG_IGN)
                for_ever()
            os._exit(0)
        os.waitpid(child, 0)
    return b""


@mode
def orphan(options: argparse.Namespace, own_id: bytes, answer: bytes) -> bytes:
    """Dies with --code, but leaves a child that keeps all its pipes open."""
    if os.fork() == 0:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        for_ever()
    os._exit(options.code)


# --- too much -----------------------------------------------------------------------------------------------


@mode
def flood_stderr(options: argparse.Namespace, own_id: bytes, answer: bytes) -> bytes:
    """--size bytes on stderr, and then the right answer."""
    written = 0
    while written < options.size:
        written += os.write(2, b"search: playout 1234567 of 9999999\n" * 1000)
    return answer


@mode
def endless_stderr(options: argparse.Namespace, own_id: bytes, answer: bytes) -> bytes:
    """Writes on stderr for ever."""
    while True:
        os.write(2, b"search\n" * 10000)


@mode
def endless_lines(options: argparse.Namespace, own_id: bytes, answer: bytes) -> bytes:
    """Writes lines on stdout for ever."""
    while True:
        write(b"thinking\n" * 1000)


@mode
def endless_answer(options: argparse.Namespace, own_id: bytes, answer: bytes) -> bytes:
    """An answer whose first line never ends."""
    write(b"= ")
    while True:
        write(b"x" * 10000)


@mode
def huge(options: argparse.Namespace, own_id: bytes, answer: bytes) -> bytes:
    """A right answer of --size bytes of text."""
    return b"= " + bytes(b"x" * options.size) + b"\n\n"


@mode
def memory(options: argparse.Namespace, own_id: bytes, answer: bytes) -> bytes:
    """Takes --size bytes of memory and touches them, then answers."""
    hoard = bytearray(options.size)
    hoard[::4096] = b"x" * len(hoard[::4096])
    return answer


@mode
def spin(options: argparse.Namespace, own_id: bytes, answer: bytes) -> bytes:
    """Burns processor time for ever."""
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    while True:
        pass


# --- wrong answers ------------------------------------------------------------------------------------------


@mode
def one_newline(options: argparse.Namespace, own_id: bytes, answer: bytes) -> bytes:
    """No blank line at the end."""
    return answer[:-1]


@mode
def three_newlines(options: argparse.Namespace, own_id: bytes, answer: bytes) -> bytes:
    """A blank line too many at the end."""
    return answer + b"\n"


@mode
def crlf(options: argparse.Namespace, own_id: bytes, answer: bytes) -> bytes:
    """Lines end with CR LF."""
    return answer.replace(b"\n", b"\r\n")


@mode
def no_sign(options: argparse.Namespace, own_id: bytes, answer: bytes) -> bytes:
    """The text alone."""
    return answer.lstrip(b"=?0123456789 ")


@mode
def no_space(options: argparse.Namespace, own_id: bytes, answer: bytes) -> bytes:
    """No blank between sign and text."""
    return answer.replace(b" ", b"", 1)


@mode
def no_id(options: argparse.Namespace, own_id: bytes, answer: bytes) -> bytes:
    """The id is left out."""
    return answer.replace(own_id, b"", 1)


@mode
def spaced_id(options: argparse.Namespace, own_id: bytes, answer: bytes) -> bytes:
    """A blank between the sign and the id."""
    return answer[:1] + b" " + answer[1:]


@mode
def wrong_id(options: argparse.Namespace, own_id: bytes, answer: bytes) -> bytes:
    """The id plus one."""
    return answer.replace(own_id, str(int(own_id or b"0") + 1).encode(), 1)


@mode
def twice(options: argparse.Namespace, own_id: bytes, answer: bytes) -> bytes:
    """Every answer two times."""
    return answer + answer


@mode
def chatty(options: argparse.Namespace, own_id: bytes, answer: bytes) -> bytes:
    """Log lines on stdout before the answer, with a blank line and a rule of = in them."""
    return b"thinking\n\n===== result =====\n" + answer


@at_start
def byte_order_mark(options: argparse.Namespace, own_id: bytes, answer: bytes) -> bytes:
    """(start) A UTF-8 byte order mark before anything else."""
    write(b"\xef\xbb\xbf")
    return b""


@mode
def control(options: argparse.Namespace, own_id: bytes, answer: bytes) -> bytes:
    """NUL, bell, an ANSI colour, a window title, a right-to-left override and bytes that are not UTF-8."""
    return b"= a\x00b\x07\x1b[31mred\x1b]0;title\x07\xe2\x80\xae\xff\xfe\n\n"


# --- the engine ---------------------------------------------------------------------------------------------


def right_answer(words: list[str], own_id: str) -> bytes:
    name, args = words[0], words[1:]
    known = sorted([*COMMANDS, *LISTS])
    if name == "known_command":
        text = "true" if args and args[0] in known else "false"
    elif name == "list_commands":
        text = "\n".join(known)
    elif name in COMMANDS:
        text = COMMANDS[name]
    else:
        return f"?{own_id} unknown command\n\n".encode()
    return f"={own_id} {text}\n\n".encode()


def serve(options: argparse.Namespace) -> None:
    misbehave = right if options.mode in AT_START else MODES[options.mode]
    for line in options.lines or iter(sys.stdin.buffer.readline, b""):
        before = line.decode("utf-8", "replace").partition("#")[0]
        text = "".join(c for c in before if c == "\t" or " " <= c != "\x7f")
        words = text.split()
        own_id = words.pop(0) if words and words[0].isdigit() else ""
        if not words:
            continue
        options.number += 1
        answer = right_answer(words, own_id)
        write(misbehave(options, own_id.encode(), answer) if options.number >= options.at else answer)
        if words[0] == "quit" and not options.immortal:
            return
    if options.immortal:
        for_ever()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("mode", nargs="?", default="right", choices=sorted(MODES))
    parser.add_argument("--list", action="store_true", help="the modes and what they do")
    parser.add_argument("--at", type=int, default=1, help="the command at which the mode strikes first")
    parser.add_argument("--seconds", type=float, default=1.0)
    parser.add_argument("--size", type=int, default=2)
    parser.add_argument("--code", type=int, default=3)
    parser.add_argument("--signal", type=int, default=0)
    parser.add_argument(
        "--tag", help="ignored: lets a test find this process and its children by command line"
    )
    parser.set_defaults(number=0, immortal=False, lines=None)
    options = parser.parse_args()
    if options.list:
        for name, function in MODES.items():
            print(f"{name:16} {(function.__doc__ or '').splitlines()[0]}")
        return
    if options.mode in AT_START:
        MODES[options.mode](options, b"", b"")
    serve(options)


if __name__ == "__main__":
    main()
