"""A machine that lacks memory or files: the command fails in one line, and the engine goes on."""

import errno
import os

import pytest

from refbot.gtp.session import Session
from tests.refbot.gtp_dialogue import answers


@pytest.mark.parametrize(
    "lack",
    [
        MemoryError(),
        OSError(errno.EMFILE, os.strerror(errno.EMFILE)),
        OSError("the library cannot be mapped\nin two lines"),
    ],
)
def test_a_shortage_is_one_line_and_no_bug(
    lack: Exception, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def without_memory(_: Session) -> None:
        raise lack

    monkeypatch.setattr(Session, "undo", without_memory)
    failed, name = answers("5 undo\n6 name\n")
    assert failed.startswith("?5 the operating system refused memory, a file or a process: ")
    assert name == "=6 refbot"
    assert capsys.readouterr().err == ""
