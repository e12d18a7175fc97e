"""Hints at a failed start, from messages of real runtimes."""

import errno
from pathlib import Path

import pytest

from harness.gtp.command_hints import look_alike_hint, missing_variable, refused_program_reason


@pytest.mark.parametrize(
    ("wrote", "name"),
    [
        (
            "./bot: error while loading shared libraries: libx.so.1: cannot open shared object file",
            "LD_LIBRARY_PATH",
        ),
        ("ModuleNotFoundError: No module named 'go'", "PYTHONPATH"),
        ("Error: Could not find or load main class Bot", "CLASSPATH"),
        ("KeyError: 'GNUGO_HOME'", "GNUGO_HOME"),
        ("please set the environment variable BOOK_DIR", "BOOK_DIR"),
        ("MY_NET is not set", "MY_NET"),
        ("KeyError: 'a1'", ""),
        ("KeyError: 'A1'", ""),
        ("KeyError: 'PASS'", ""),
        ("UnboundLocalError: local variable 'BOARD' referenced before assignment", ""),
        ("ReferenceError: BOARD_SIZE is not defined", ""),
        ("Segmentation fault", ""),
        ("CUDA error: out of memory", ""),
        ("", ""),
    ],
)
def test_a_message_names_the_variable_that_is_missing(wrote: str, name: str) -> None:
    assert missing_variable(wrote) == name


@pytest.mark.parametrize(
    ("command", "word"),
    [("./bot –playouts 5", "–playouts"), ("./bot --name “x”", "“x”"), ("./bot —gtp", "—gtp")],
)
def test_a_sign_that_looks_like_another_is_named_with_its_word(command: str, word: str) -> None:
    assert word in look_alike_hint(command)


def test_an_ordinary_command_has_no_such_sign() -> None:
    assert look_alike_hint("./bot --playouts 5 -x 'a b' \"c\" ~/é/bot") == ""


def test_a_binary_whose_dynamic_linker_is_missing_is_not_said_to_be_missing(tmp_path: Path) -> None:
    """The system then gives the error of a missing file: for a bot built with musl where glibc is, say."""
    program = tmp_path / "bot"
    program.write_bytes(b"\x7fELF")
    reason, hint = refused_program_reason(OSError(errno.ENOENT, "No such file or directory"), program)
    assert "dynamic linker does not exist" in reason
    assert hint
