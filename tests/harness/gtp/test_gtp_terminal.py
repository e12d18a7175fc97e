import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from harness.gtp import EngineStartError, Launch, Limits, answers_on_terminal, answers_on_terminal_only

pytestmark = pytest.mark.timeout(120)


@pytest.fixture(autouse=True)
def terminal() -> None:
    try:
        for descriptor in os.openpty():
            os.close(descriptor)
    except OSError:
        pytest.skip("no pseudo-terminals here")


def test_a_missing_flush_is_diagnosed(hostile: Callable[..., Launch], patient: Limits) -> None:
    launch = hostile("buffered")
    assert answers_on_terminal(launch, patient)
    assert answers_on_terminal_only(launch, replace(patient, startup=2.0))


def test_a_right_engine_answers_on_both(hostile: Callable[..., Launch], patient: Limits) -> None:
    assert answers_on_terminal(hostile(), patient)
    assert not answers_on_terminal_only(hostile(), patient)


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
