"""`gtp.setup.*` and `game.komi.in-force`: a bot that ignores some clear_board lines, or cuts a komi."""

from __future__ import annotations

import pytest

from harness.check.model import Confirmation, Outcome
from harness.check.phases.run import check_bot, findings_of
from harness.check.phases.settings import RunSettings
from harness.selftest.hosted_bot import HostedBot, HostedEngine
from harness.suite.registry import select
from tests.hosted import hosted_by


def cutting_komi(unit: float, bits: int) -> HostedBot:
    """A bot that keeps komi in a signed integer of so many bits, in steps of `unit` points."""

    class Cutting(HostedEngine):
        def _take(self, line: bytes) -> None:
            head, name, value = line.rstrip().rpartition(b"komi ")
            if name:
                cut = (round(float(value) / unit) + (1 << bits - 1)) % (1 << bits) - (1 << bits - 1)
                line = head + name + str(cut * unit).encode("ascii") + b"\n"
            super()._take(line)

    return hosted_by(Cutting)


def hosted(every: int) -> HostedBot:
    """A bot that answers each clear_board, and ignores every so many of them."""

    class Ignoring(HostedEngine):
        cleared = 0

        def _take(self, line: bytes) -> None:
            number, _, command = line.rstrip().rpartition(b" ")
            if command == b"clear_board":
                self.cleared += 1
                if self.cleared % every == 0:
                    self.output += b"=" + number + b"\n\n"
                    return
            super()._take(line)

    return hosted_by(Ignoring)


def refusing(move: bytes) -> HostedBot:
    """A bot that never accepts one move."""

    class Refusing(HostedEngine):
        def _take(self, line: bytes) -> None:
            head, found, rest = line.rstrip().partition(move)
            if found and not rest:
                self.output += b"?" + head.rstrip() + b" illegal move\n\n"
                return
            super()._take(line)

    return hosted_by(Refusing)


@pytest.mark.parametrize("move", [b"play w E5", b"play b D6", b"play b F7"])
def test_a_bot_that_never_accepts_a_move_does_clear_its_board(move: bytes) -> None:
    with refusing(move) as bot:
        findings = findings_of(check_bot(bot, RunSettings(bot.launch, select(["gtp.setup.clear-board"]))))
    (result,) = findings.results
    assert result.outcome is Outcome.PASS or result.blocked_by == ("gtp.play.legal",)


@pytest.mark.parametrize("every", [2, 3, 4, 5, 7, 10])
def test_a_bot_that_ignores_some_clear_boards_is_refused_by_its_lines(every: int) -> None:
    with hosted(every) as bot:
        settings = RunSettings(bot.launch, select(["gtp.setup.clear-board"]))
        (result,) = findings_of(check_bot(bot, settings)).results
    assert result.outcome is Outcome.FAIL
    assert result.confirmation is Confirmation.CONFIRMED
    assert sum(b"clear_board" in line for line in result.lines) >= every


def test_a_bot_that_only_remembers_earlier_games_does_take_the_stones_away() -> None:
    with HostedBot("superko-survives-clear") as bot:
        settings = RunSettings(bot.launch, select(["gtp.setup.clear-board", "game.superko.forgets"]))
        results = {result.check.id: result for result in findings_of(check_bot(bot, settings)).results}
    assert results["gtp.setup.clear-board"].outcome is Outcome.PASS
    assert results["game.superko.forgets"].outcome is Outcome.FAIL


@pytest.mark.parametrize(
    ("unit", "bits"), [(1.0, 8), (0.5, 8), (0.01, 16)], ids=["byte", "halves", "hundredths"]
)
def test_a_bot_that_cuts_a_large_komi_searches_with_another_komi(unit: float, bits: int) -> None:
    with cutting_komi(unit, bits) as bot:
        settings = RunSettings(bot.launch, select(["game.komi.in-force"]))
        (result,) = findings_of(check_bot(bot, settings)).results
    assert result.outcome is Outcome.FAIL


@pytest.mark.parametrize("sent", [b"clear_board", b"boardsize 19"])
def test_a_size_that_never_comes_is_no_size_that_comes_late(sent: bytes) -> None:
    """clear_board sets the size back to 9, or 19 is taken for 9."""

    class Nine(HostedEngine):
        def _take(self, line: bytes) -> None:
            super()._take(b"boardsize 9\n" if line.strip() == b"boardsize 19" == sent else line)
            if line.strip() == b"clear_board" == sent:
                shown = len(self.output)
                super()._take(b"boardsize 9\n")
                del self.output[shown:]

    with hosted_by(Nine) as bot:
        checks = select(("gtp.setup.size-accepted", "gtp.setup.clear-board", "gtp.setup.boardsize"))
        found = findings_of(check_bot(bot, RunSettings(bot.launch, checks)))
    failed = next(result for result in found.results if result.check.id == "gtp.setup.boardsize")
    assert failed.outcome is Outcome.FAIL
    assert "size-one-game-late" in failed.judgement.unlike
