"""Seeds: from the operating system, from a clock that counts seconds, and fixed."""

from __future__ import annotations

import pytest

from harness.check.bot.introduction import introduction_of
from harness.check.bot.session import Session
from harness.check.model import Outcome
from harness.check.phases.playout_count import find_playouts
from harness.check.procedures.twin_processes import NoClockSeed, NoFixedSeed, TwinRecord
from harness.selftest.hosted_bot import HostedBot

ONE, OTHER, THIRD = ((("C3", nodes, 0.4),) for nodes in (100, 101, 102))
FAILS = {
    "each its own": (TwinRecord(ONE, OTHER, THIRD), ()),
    "from a clock": (TwinRecord(ONE, ONE, OTHER), ("clock",)),
    "fixed": (TwinRecord(ONE, ONE, ONE), ("fixed",)),
    "nothing observed": (TwinRecord((), (), ()), ()),
    "the later one failed": (TwinRecord(ONE, ONE, ()), ()),
    "by chance with the later one": (TwinRecord(ONE, OTHER, ONE), ()),
}


@pytest.mark.parametrize("case", FAILS)
def test_which_check_reports_which_seed(case: str) -> None:
    record, expected = FAILS[case]
    judged = {"clock": NoClockSeed().judge(record), "fixed": NoFixedSeed().judge(record)}
    assert tuple(name for name, one in judged.items() if one.outcome is Outcome.FAIL) == expected


@pytest.mark.parametrize(
    "record",
    [
        TwinRecord((), (), ()),
        TwinRecord(ONE, ONE, ()),
        TwinRecord(ONE, (), THIRD),
        TwinRecord((), ONE, THIRD),
    ],
)
def test_searches_that_failed_prove_nothing(record: TwinRecord) -> None:
    assert {check.judge(record).outcome for check in (NoClockSeed(), NoFixedSeed())} == {Outcome.SKIP}


def test_a_fixed_seed_says_nothing_about_the_clock() -> None:
    assert NoClockSeed().judge(TwinRecord(ONE, ONE, ONE)).outcome is Outcome.SKIP


def test_twins_of_the_reference_bot_differ() -> None:
    with HostedBot() as bot:
        introduction = introduction_of(bot)
        count = find_playouts(bot, introduction, None)
        record = NoFixedSeed().observe(Session(bot=bot, introduction=introduction, playouts=count.playouts))
    assert record.first
    assert not record.first_two_agree
