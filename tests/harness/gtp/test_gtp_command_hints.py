"""Hints at a failed start, from messages of real runtimes."""

import pytest

from harness.gtp.command_hints import look_alike_hint, missing_variable


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
