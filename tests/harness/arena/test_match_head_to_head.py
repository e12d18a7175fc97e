"""A match against a reference: its result, also where an engine cannot be started or the workers die."""

import math
import tempfile
import time
from pathlib import Path

import pytest

from harness.arena.config.tables import MatchConfig
from harness.arena.errors import MatchError
from harness.arena.run.head_to_head import EngineFailures, HeadToHead, HeadToHeadPlan, play_head_to_head
from harness.arena.run.runner import Runner
from harness.arena.verdicts import DIFFERENT, EQUAL, UNDECIDED
from harness.gtp import Launch, Limits
from tests.harness.arena.match_helpers import SIZE, Command, wait_for_no_engines, without_workers
from tests.interpreter import PYTHON
from tests.parameters import slow_but

FIRST_GENMOVE = 11
"""The number of the command: name, version, list_commands, boardsize, clear_board, komi, 4 moves, genmove."""
FAILED_GAMES = range(5, 8)
"""After 5 failed games in a row an engine plays no more; a worker may have been given two games ahead."""


def played(bot: str, reference: str, **changes: object) -> HeadToHead:
    """The result of a match whose games are played in this process."""
    with without_workers():
        return played_by_workers(bot, reference, **changes)


def played_by_workers(bot: str, reference: str, **changes: object) -> HeadToHead:
    plan = {
        "bot": Launch(bot),
        "limits": Limits(startup=60.0, answer=60.0),
        "reference": reference,
        "playouts": 10,
        "deadline": math.inf,
        "margin": 0.4,
        "alpha": 0.001,
        "size": SIZE,
        "workers": 1,
    }
    return play_head_to_head(HeadToHeadPlan(**{**plan, **changes}))  # type: ignore[arg-type]


@pytest.fixture
def short_lived(tmp_path: Path, hostile: Command) -> Command:
    """`short_lived(dies_at=7)`: an engine that dies at that command and cannot be started again."""

    def command(*, dies_at: int) -> str:
        program = tmp_path / "short-lived"
        program.write_text(f'#!/bin/sh\nrm -- "$0"\nexec {hostile("die", at=dies_at, tag=tmp_path)}\n')
        program.chmod(0o755)
        return str(program)

    return command


def test_two_engines_that_always_pass_are_equal(hostile: Command) -> None:
    # White wins every game after the passes, so that two games with colours exchanged are even.
    result = played_by_workers(hostile(), hostile())
    assert result.parity is not None
    assert (result.parity.bot_a, result.parity.verdict) == ("bot", EQUAL)
    assert (result.bot_failures, result.reference_failures) == (EngineFailures(), EngineFailures())
    assert (result.problem, result.alpha) == ("", 0.001)
    assert result.games >= result.parity.games > 0


def test_the_bot_of_the_match_has_the_sandbox_and_the_variables_of_the_plan(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    configs: list[MatchConfig] = []

    def refuse(config: MatchConfig, *_: object) -> Runner:
        configs.append(config)
        raise MatchError("not played")

    monkeypatch.setattr("harness.arena.run.head_to_head.Runner", refuse)
    bot = Launch("x", sandbox=True, inherit_env=("LICENCE",), memory_mb=9, env={"A": "b"}, cwd=Path("/tmp"))
    plan = HeadToHeadPlan(bot, Limits(), "y", playouts=10, deadline=math.inf, margin=0.4, alpha=0.001)
    assert play_head_to_head(plan).problem == "not played"
    assert configs[0].engines["bot"].launch() == bot
    assert not configs[0].engines["reference"].sandbox


def test_after_the_deadline_only_the_games_in_flight_are_played(hostile: Command) -> None:
    result = played(hostile(), hostile(), deadline=time.monotonic() - 1.0)
    assert result.parity is not None
    assert (result.parity.verdict, result.problem) == (UNDECIDED, "")
    assert result.games <= 2


@pytest.mark.parametrize("failing", ["bot", "reference"])
def test_an_engine_without_a_program_has_failed_its_games(hostile: Command, failing: str) -> None:
    bot, reference = ("./nothing", hostile()) if failing == "bot" else (hostile(), "./nothing")
    result = played(bot, reference)
    blamed, other = result.bot_failures, result.reference_failures
    if failing == "reference":
        blamed, other = other, blamed
    assert result.games == blamed.games
    assert blamed.games in FAILED_GAMES
    assert blamed.detail.startswith("crash: cannot start './nothing'")
    assert (other, result.problem) == (EngineFailures(), "")
    assert result.parity is not None
    assert result.parity.verdict == UNDECIDED


DEATHS = [*range(1, FIRST_GENMOVE + 1), FIRST_GENMOVE + 2, FIRST_GENMOVE + 30]


@pytest.mark.parametrize("dies_at", slow_but((1, FIRST_GENMOVE, DEATHS[-1]), DEATHS))
def test_a_bot_that_dies_and_cannot_be_started_again_is_a_result(
    hostile: Command, short_lived: Command, tmp_path: Path, dies_at: int
) -> None:
    result = played(short_lived(dies_at=dies_at), hostile())
    assert result.bot_failures.games in FAILED_GAMES
    assert result.bot_failures.detail.startswith("crash: ")
    assert "cannot start" not in result.bot_failures.detail  # the first failure is its death
    # Its first game is over with its first genmove, because both sides pass.
    assert (result.games > result.bot_failures.games) == (dies_at > FIRST_GENMOVE)
    assert (result.reference_failures, result.problem) == (EngineFailures(), "")
    wait_for_no_engines(tmp_path)


@pytest.mark.parametrize("dies_at", slow_but((1, DEATHS[-1]), (1, 4, FIRST_GENMOVE, DEATHS[-1])))
def test_a_reference_that_dies_and_cannot_be_started_again_is_a_result(
    hostile: Command, short_lived: Command, dies_at: int
) -> None:
    result = played(hostile(), short_lived(dies_at=dies_at))
    assert result.reference_failures.games in FAILED_GAMES
    assert result.reference_failures.detail.startswith("crash: ")
    assert (result.bot_failures, result.problem) == (EngineFailures(), "")


KILLER = """
import psutil
for parent in psutil.Process().parents():
    if "spawn_main" in " ".join(parent.cmdline()):
        parent.kill()
        break
"""


def test_killed_workers_end_the_match_with_a_problem(hostile: Command, tmp_path: Path) -> None:
    program = tmp_path / "killer.py"
    program.write_text(KILLER)
    result = played_by_workers(f"{PYTHON} {program}", hostile(tag=tmp_path))
    assert "3 workers died over game p001-g00001" in result.problem
    assert result.parity is not None
    assert (result.parity.verdict, result.games) == (UNDECIDED, 0)
    wait_for_no_engines(tmp_path)


def test_a_match_without_a_place_for_its_store_is_a_problem(
    hostile: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "nowhere"))
    result = played(hostile(), hostile())
    assert (result.parity, result.games) == (None, 0)
    assert "nowhere" in result.problem


LOSER = """
import sys
for line in sys.stdin:
    word = line.split()[0]
    answers = {"genmove": "resign", "list_commands": "genmove", "name": "loser", "version": "1"}
    print("=", answers.get(word, ""), end="\\n\\n", flush=True)
"""


def test_a_bot_that_always_loses_is_different(hostile: Command, tmp_path: Path) -> None:
    program = tmp_path / "loser.py"
    program.write_text(LOSER)
    result = played(f"{PYTHON} {program}", hostile(), margin=0.1)
    assert result.parity is not None
    assert (result.parity.verdict, result.parity.score_a) == (DIFFERENT, 0.0)
