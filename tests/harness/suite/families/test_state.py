"""Setup paths: each leads to the position of its probe, and expected values do not depend on the path."""

from __future__ import annotations

from dataclasses import replace

import pytest

from harness.check.model import REFUSING, Check, Outcome
from harness.check.phases.run import check_bot, findings_of
from harness.check.phases.settings import RunSettings
from harness.check.procedures.probe import SETUP_PATHS
from harness.check.procedures.search import SearchProcedure
from harness.selftest.hosted_bot import HostedBot
from harness.suite.families import state
from harness.suite.registry import select
from tests.harness.check.referee_engine import RefereeEngine

STATES = {check.id: check.procedure for check in state.CHECKS if isinstance(check.procedure, SearchProcedure)}


@pytest.mark.parametrize("name", STATES)
def test_the_detour_leads_to_the_position(name: str) -> None:
    probe = STATES[name].probe
    for turn in range(8):
        turned, engine = probe.turned(turn), RefereeEngine()
        for line in turned.setup():
            assert engine.ask(line).ok, line
        straight = replace(turned, setup_path="").position
        assert engine.position.stones() == straight.stones()
        assert engine.position.ko_ban(probe.to_move) == straight.ko_ban(probe.to_move)
        assert len(engine.position.moves) == len(straight.moves)


def test_the_right_komi_is_the_last_one() -> None:
    for name, procedure in STATES.items():
        set_to = [line for line in procedure.probe.setup() if line.startswith(b"komi")]
        assert set_to[-1] == f"komi {procedure.probe.komi:g}\n".encode(), name


def test_every_setup_path_is_used() -> None:
    assert {procedure.probe.setup_path for procedure in STATES.values()} == set(SETUP_PATHS)


def failing(checks: tuple[Check, ...], *faults: str) -> set[str]:
    with HostedBot(*faults) as bot:
        findings = findings_of(check_bot(bot, RunSettings(bot.launch, checks, 100)))
    assert all(r.outcome in (*REFUSING, Outcome.PASS) for r in findings.results)
    return {result.check.id for result in findings.results if result.outcome in REFUSING}


def test_a_right_bot_passes_them() -> None:
    assert failing(state.CHECKS) == set()


@pytest.mark.parametrize(
    ("fault", "check"),
    [
        ("komi-first-only", "ref.state.komi-last"),
        ("komi-first-only", "ref.state.komi-searched"),
        ("clear-resets-komi", "ref.state.komi-before-board"),
        ("undo-takes-two", "ref.state.ko-undone"),
        ("nodes-cumulative", "ref.state.nodes-searched"),
        ("nodes-of-the-game", "ref.state.nodes-searched"),
        ("superko-survives-undo", "ref.state.fresh-records"),
        ("cap-own-moves-uncounted", "ref.state.cap-own-moves"),
        ("komi-forgets-boards", "ref.state.superko-komi"),
        ("komi-undone", "ref.state.komi-undo"),
        ("komi-reset-by-size", "ref.state.komi-new-size"),
        ("komi-scaled-by-size", "ref.state.komi-new-size"),
        ("clear-keeps-count", "ref.state.cap-another-game"),
        ("count-never-reset", "ref.state.cap-another-game"),
        ("records-of-the-game", "ref.state.fresh-records"),
        ("playouts-follow-turn", "ref.state.out-of-turn"),
    ],
)
def test_stale_state_is_seen(fault: str, check: str) -> None:
    """By one check alone, whatever other checks did to the process before."""
    assert failing(select([check]), fault) == {check}
