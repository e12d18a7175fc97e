"""Diagnoses of engines that are silent on pipes."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from harness.gtp import (
    Engine,
    EngineStartError,
    Launch,
    Limits,
    answers_on_terminal,
    answers_when_input_closes,
)

ROOT = Path(__file__).parents[3]

pytestmark = pytest.mark.timeout(120)


Hostile = Callable[..., Launch]


@pytest.fixture
def terminal() -> None:
    try:
        for descriptor in os.openpty():
            os.close(descriptor)
    except OSError:
        pytest.skip("no pseudo-terminals here")


@pytest.mark.usefixtures("terminal")
@pytest.mark.parametrize("mode", ["right", "buffered"])
def test_with_and_without_a_flush(hostile: Hostile, patient: Limits, mode: str) -> None:
    assert answers_on_terminal(hostile(mode), patient)


@pytest.mark.usefixtures("terminal")
@pytest.mark.parametrize("mode", ["silent", "undead", "die"])
def test_the_silent_and_the_dead(hostile: Hostile, patient: Limits, mode: str) -> None:
    answers = mode == "undead"  # it does answer; only it does not end
    assert answers_on_terminal(hostile(mode), replace(patient, startup=60 if answers else 0.3)) == answers


@pytest.mark.usefixtures("terminal")
def test_children_end_with_it(hostile: Hostile, patient: Limits) -> None:
    assert answers_on_terminal(hostile("daemons"), patient)


@pytest.mark.usefixtures("terminal")
def test_what_cannot_be_started() -> None:
    with pytest.raises(EngineStartError):
        answers_on_terminal(Launch("./nowhere"))


@pytest.mark.usefixtures("terminal")
@pytest.mark.parametrize(
    ("name", "arguments"),
    [("a bot", ""), ("it's", ""), ('the "best"', ""), ("back\\slash", ""), ("it's 1", " one")],
)
def test_a_path_with_blanks_and_quotes(tmp_path: Path, patient: Limits, name: str, arguments: str) -> None:
    script = tmp_path / name
    script.write_text('#!/bin/sh\nread line\nprintf "= %s\\n\\n" "$line"\n')
    script.chmod(0o755)
    assert answers_on_terminal(Launch(f"{shlex.quote(str(script))}{arguments}"), patient)


@pytest.mark.usefixtures("terminal")
def test_what_the_system_refuses(tmp_path: Path) -> None:
    script = tmp_path / "bot"
    script.write_text("no shebang\n")
    script.chmod(0o755)
    with pytest.raises(EngineStartError, match="#!"):
        answers_on_terminal(Launch(str(script)))


def test_where_there_are_no_terminals() -> None:
    """A container or a chroot may have no /dev/pts."""
    alone = ["unshare", "--map-root-user", "--mount"]
    if shutil.which("unshare") is None or subprocess.run([*alone, "true"], capture_output=True).returncode:
        pytest.skip("no user namespaces here")
    hidden = [*alone, "sh", "-c", 'mount -t tmpfs none /dev/pts && exec "$@"', "sh"]
    code = "from harness.gtp import *; print(answers_on_terminal(Launch('cat')))"
    done = subprocess.run([*hidden, sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT)
    assert (done.stdout, done.stderr) == ("False\n", "")


@pytest.mark.parametrize("mode", ["buffered", "whole-input"])
def test_answers_that_come_when_the_input_closes(hostile: Hostile, patient: Limits, mode: str) -> None:
    with Engine(hostile(mode), replace(patient, startup=0.2, quit=0.1)) as engine:
        assert engine.ask("name").ending == "timeout"
    assert answers_when_input_closes(hostile(mode), patient)


def test_a_program_that_others_wrote_does_so_too(patient: Limits) -> None:
    """Programs that use the C library's buffers, as awk does, write to a pipe only when they end."""
    launch = Launch("""awk '{ printf "= %s\\n\\n", $1 }'""")
    with Engine(launch, replace(patient, startup=0.2, quit=0.1)) as engine:
        assert engine.ask("name").ending == "timeout"
    assert answers_when_input_closes(launch, patient)


@pytest.mark.parametrize("mode", ["right", "one-newline", "undead"])
def test_an_answer_on_pipes_comes_here_too(hostile: Hostile, brief: Limits, mode: str) -> None:
    assert answers_when_input_closes(hostile(mode), brief) == (mode != "one-newline")


@pytest.mark.parametrize("mode", ["silent", "die", "die-at-start", "close-stdout"])
def test_no_answer_even_then(hostile: Hostile, brief: Limits, mode: str) -> None:
    assert not answers_when_input_closes(hostile(mode), replace(brief, reap=0.1))


@pytest.mark.parametrize("mode", ["hang", "deaf"])
def test_an_engine_that_hangs_is_ended_by_the_limit(hostile: Hostile, brief: Limits, mode: str) -> None:
    assert not answers_when_input_closes(hostile(mode), replace(brief, startup=0.2))


def test_a_program_that_cannot_be_started() -> None:
    with pytest.raises(EngineStartError):
        answers_when_input_closes(Launch("./nowhere"))
