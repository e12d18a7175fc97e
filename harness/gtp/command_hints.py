"""Reasons why an engine did not start, and hints what to do about them.

The causes are in the command (a misspelt program, typographic signs, a path that needs quotes), in the
program (no #! line, another machine), or in the environment (a missing variable). `launch` puts the reasons
and hints into its errors. A hint is empty if there is nothing to say.
"""

from __future__ import annotations

import difflib
import errno
import os
import re
import shlex
import stat
from collections.abc import Iterable
from io import BufferedReader
from itertools import combinations
from pathlib import Path

from refbot.errors import os_reason

LOOK_ALIKES = {
    "–": ("an en dash", "-"),
    "—": ("an em dash", "--"),
    "−": ("a minus sign", "-"),
    "“": ("a typographic quote", '"'),
    "”": ("a typographic quote", '"'),
    "„": ("a typographic quote", '"'),
    "‘": ("a typographic quote", "'"),
    "’": ("a typographic quote", "'"),
    "\u00a0": ("a no-break space", " "),
}
"""For each sign that word processors put into a copied command: its name, and the sign that was meant."""

INTERPRETERS = {
    ".py": "python3",
    ".jar": "java -jar",
    ".js": "node",
    ".mjs": "node",
    ".lua": "lua",
    ".pl": "perl",
    ".rb": "ruby",
    ".sh": "sh",
    ".tcl": "tclsh",
}
"""The interpreter of a script without #! line, by the ending of its name."""

SOURCES = frozenset({".c", ".cc", ".cpp", ".cxx", ".go", ".rs", ".java", ".swift", ".zig"})
"""Endings of names of sources that are compiled before they run."""

MOST_WORDS = 16
"""Number of first words of a command among which `torn_path_hint` looks for a path with blanks.

Chosen: it then looks at 120 paths at most.
"""

ELF = b"\x7fELF"
"""The first bytes of a binary of Linux."""

_SHELL_WORDS = {"|", "||", "&", "&&", ";", ">", ">>", "<", "2>", "2>&1"}
"""Words that only a shell understands."""

_VARIABLES = (
    (r"error while loading shared libraries|cannot open shared object file", "LD_LIBRARY_PATH"),
    (r"Library not loaded:", "DYLD_LIBRARY_PATH"),
    (r"ModuleNotFoundError|No module named|ImportError:", "PYTHONPATH"),
    (r"ClassNotFoundException|NoClassDefFoundError|Could not find or load main class", "CLASSPATH"),
    (r"KeyError: '([A-Z]+_[A-Z0-9_]+)'", r"\1"),  # with an underscore: 'PASS' and 'A1' are moves
    (r"(?i:environment variable)\W+\$?([A-Z][A-Z0-9_]+)", r"\1"),
    (r"\b([A-Z][A-Z0-9]*_[A-Z0-9_]+)\b.{0,20}\b(?:not set|unset)\b", r"\1"),
)
"""For each error text of a program: the environment variable that the program lacks (\\1: from the text)."""


def look_alike_hint(command: str) -> str:
    """Return a hint that names a typographic sign in the command, and the sign that was meant; else empty."""
    for word in command.split(" "):
        for sign, (name, meant) in LOOK_ALIKES.items():
            if sign in word:
                return f"{word!r} has {name} ({sign}) where a command line has {meant!r}"
    return ""


def missing_variable(wrote: str) -> str:
    """Return the environment variable that a program lacks, by its words on stderr; empty if none."""
    for words, name in _VARIABLES:
        if found := re.search(words, wrote):
            return found.expand(name)
    return ""


def open_program(path: Path) -> BufferedReader:
    """Open the file of a program. Raises OSError, also if a bot has put a pipe in place of the file."""
    file = os.fdopen(os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC), "rb")
    if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
        file.close()
        raise OSError(errno.EINVAL, "it is no file", str(path))
    return file


def missing_program_reason(command: str, words: list[str], cwd: Path, path: str) -> tuple[str, str]:
    """Return (reason, hint) for a program that does not exist.

    words   the words of `command`; the first one names the program
    cwd     the working folder of the engine
    path    the PATH of the engine
    """
    hint = (
        torn_path_hint(words, cwd)
        or look_alike_hint(command)
        or _shell_hint(words)
        or _similar_program_hint(words[0], cwd, path)
    )
    return f"no such program: {words[0]!r}", hint


def _shell_hint(words: list[str]) -> str:
    """Return a hint for a command that only a shell understands; else empty."""
    if re.fullmatch(r"[A-Za-z_]\w*=.*", words[0], re.DOTALL):
        with_env = f"{shlex.join(['env', *words])}, or --env {shlex.quote(words[0])}"
        return f"no shell reads the command: write {with_env}"
    if _SHELL_WORDS & set(words):
        return f"no shell reads the command: write sh -c {shlex.quote(' '.join(words))}"
    return ""


def _similar_program_hint(name: str, cwd: Path, path: str) -> str:
    """Return a hint about the program that was probably meant by `name`: its name, or how to run it.

    Empty if no program has a similar name.
    """
    prefix, slash, file_name = name.rpartition("/")
    if not slash and _is_file(cwd, name):  # a name without a slash is only searched on the PATH
        script = "" if os.access(cwd / name, os.X_OK) else how_to_run(cwd / name, name)
        return script or f"did you mean ./{name}?"
    folder = Path(os.path.abspath(cwd / name)).parent
    if near := difflib.get_close_matches(file_name, _programs([folder]), n=1):
        return f"did you mean {prefix if slash else '.'}/{near[0]}?"
    on_path = _programs(map(Path, path.split(os.pathsep))) if not slash else []
    near = difflib.get_close_matches(name, on_path, n=2)
    return f"did you mean {' or '.join(near)}?" if near else ""


def torn_path_hint(words: list[str], folder: Path) -> str:
    """Return a hint to quote a path with blanks: for `./my bot.py`, if `folder` has a file "my bot.py"."""
    for first, last in combinations(range(min(len(words), MOST_WORDS)), 2):
        path = " ".join(words[first : last + 1])
        if _is_file(folder, path):
            whole = shlex.join([*words[:first], path, *words[last + 1 :]])
            return f'a path with a blank needs quotes of its own: "{whole}"'
    return ""


def how_to_run(script: Path, name: str) -> str:
    """Return a hint for one of SOURCES, and for a script (see INTERPRETERS) without `#!` line; else empty.

    `name` is the word for the file in the command.
    """
    if script.suffix in SOURCES:
        return "it is a source: compile it, and name the program"
    interpreter = INTERPRETERS.get(script.suffix)
    try:
        has_interpreter = _first_line(script).startswith(b"#!")
    except OSError:
        return ""
    return f'name its interpreter: "{interpreter} {name}"' if interpreter and not has_interpreter else ""


def _first_line(program: Path) -> bytes:
    """Return the first line of a file. Raises OSError."""
    with open_program(program) as file:
        return file.readline(256)


def _is_file(folder: Path, path: str) -> bool:
    try:
        return (folder / path).is_file()
    except OSError:  # too long for a path
        return False


def _programs(folders: Iterable[Path]) -> list[str]:
    """Return the names of the executable files of `folders`, sorted."""
    names = set()
    for folder in folders:
        try:
            for entry in os.scandir(folder):
                if entry.is_file() and entry.stat().st_mode & stat.S_IXUSR:
                    names.add(entry.name)
        except OSError:
            continue  # a folder of the PATH that is missing or unreadable
    return sorted(names)


def refused_program_reason(error: OSError, program: Path) -> tuple[str, str]:
    """Return (reason, hint) for a program that exists but that the system refuses to run, by its error."""
    try:
        first = _first_line(program)
    except OSError:  # executable but not readable
        first = b""
    if error.errno == errno.ENOENT and first.startswith(b"#!"):
        interpreter = first[2:].strip(b" \t\n").decode("utf-8", "backslashreplace")
        if interpreter.endswith("\r"):
            return "its first line ends with a carriage return", f"sed -i 's/\\r$//' {program.name}"
        return f"its interpreter {interpreter.split()[0]!r} does not exist", "correct the #! line"
    if error.errno == errno.ENOENT and first.startswith(ELF):
        return "it was built for another system: its dynamic linker does not exist", "build it on this system"
    if error.errno == errno.ENOEXEC and first.startswith(b"#!"):
        return "its #! line names no program that can run it", "correct the #! line"
    if error.errno == errno.ENOEXEC and not first.startswith(ELF):
        hint = "begin a script with a line such as #!/usr/bin/env python3, or name its interpreter"
        return "it is not a binary, and it has no #! line", hint
    if error.errno == errno.ENOEXEC:
        return "built for another machine", ""
    return os_reason(error), ""
