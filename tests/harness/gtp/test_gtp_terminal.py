import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from harness.gtp import EngineStartError, Launch, Limits, answers_on_terminal

pytestmark = pytest.mark.timeout(120)


@pytest.fixture(autouse=True)
def terminal() -> None:
    try:
        for descriptor in os.openpty():
            os.close(descriptor)
    except OSError:
        pytest.skip("no pseudo-terminals here")


@pytest.mark.parametrize("mode", ["right", "buffered"])
def test_with_and_without_a_flush(hostile: Callable[..., Launch], patient: Limits, mode: str) -> None:
    assert answers_on_terminal(hostile(mode), patient)


@pytest.mark.parametrize("mode", ["silent", "undead", "die"])
def test_the_silent_and_the_dead(hostile: Callable[..., Launch], patient: Limits, mode: str) -> None:
    answers = mode == "undead"  # it does answer; only it does not end
    assert answers_on_terminal(hostile(mode), replace(patient, startup=60 if answers else 0.3)) == answers


def test_children_end_with_it(hostile: Callable[..., Launch], patient: Limits) -> None:
    assert answers_on_terminal(hostile("daemons"), patient)


def test_what_cannot_be_started() -> None:
    with pytest.raises(EngineStartError):
        answers_on_terminal(Launch("./nowhere"))


def test_what_the_system_refuses(tmp_path: Path) -> None:
    script = tmp_path / "bot"
    script.write_text("no shebang\n")
    script.chmod(0o755)
    with pytest.raises(EngineStartError, match="#!"):
        answers_on_terminal(Launch(str(script)))
