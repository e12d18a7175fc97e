"""The forecast for a slow bot comes before anything else takes time; a fast bot makes no search for it."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from harness.check.effort import STANDARD
from harness.check.phases.events import CheckStarted, Event, FindingsSoFar, PhaseStarted, TimeForecast
from harness.check.phases.run import check_bot
from harness.check.phases.settings import RunSettings
from harness.gtp import Exchange, command_name
from harness.report.text.budget import budget_text, rounded_down
from harness.report.text.progress_line import forecast_text
from harness.selftest.hosted_bot import HostedBot, HostedEngine
from harness.suite.registry import select

CHECKS = select(("gtp.play.genmove", "game.komi.in-force", "ref.nodes.*", "ref.score.*"))
SLOW = 35.0


class SlowEngine(HostedEngine):
    """An engine whose searches claim to take `seconds`; the first one compiles."""

    seconds = SLOW
    compiling = 0.0

    def ask(self, line: bytes, *, timeout: float | None = None, blank_line: float | None = None) -> Exchange:
        exchange = super().ask(line, timeout=timeout, blank_line=blank_line)
        if command_name(line) != b"genmove":
            return exchange
        compiling, type(self).compiling = type(self).compiling, 0.0
        return exchange._replace(seconds=self.seconds + compiling)


def bot_with(seconds: float, compiling: float = 0.0) -> HostedBot:
    class Engine(SlowEngine):
        pass

    Engine.seconds, Engine.compiling = seconds, compiling
    bot = HostedBot(playouts=100)
    bot.engine_type = Engine  # type: ignore[misc]
    return bot


def events(seconds: float, compiling: float = 0.0, effort: float = 600.0) -> list[Event]:
    """The events until the first check begins."""
    found: list[Event] = []
    with bot_with(seconds, compiling) as bot:
        settings = RunSettings(bot.launch, CHECKS, effort=replace(STANDARD, seconds=effort))
        for event in check_bot(bot, settings):
            found.append(event)
            if isinstance(event, CheckStarted):
                return found
    return found


def forecasts(found: list[Event]) -> list[TimeForecast]:
    return [event for event in found if isinstance(event, TimeForecast)]


def test_a_slow_bot_gets_its_forecast_before_the_first_phase() -> None:
    found = events(SLOW)
    (forecast,) = forecasts(found)
    assert forecast.search_seconds == SLOW
    assert forecast.playouts == 100
    assert forecast.wanted * SLOW > forecast.seconds
    assert found.index(forecast) < next(n for n, e in enumerate(found) if isinstance(e, PhaseStarted))


@pytest.mark.parametrize(
    ("seconds", "compiling", "effort"),
    [(0.1, 0.0, 600.0), (0.1, 30.0, 600.0), (SLOW, 0.0, math.inf)],
    ids=["fast", "compiles-first", "time-enough"],
)
def test_a_bot_whose_searches_fit_gets_none(seconds: float, compiling: float, effort: float) -> None:
    assert forecasts(events(seconds, compiling, effort)) == []


def test_the_advice_fits_the_time() -> None:
    forecast = TimeForecast(35.0, 1000, 400.0, 600.0)
    text = forecast_text(forecast)
    playouts = rounded_down(1000 * 600.0 / (1.5 * 35.0 * 400.0))
    assert 35.0 * playouts / 1000 * 400.0 <= 600.0
    assert f"about {playouts} playouts" in text
    assert "17 of about 400" in text
    assert f"--budget {budget_text(14_000.0)}" in text
    assert "let the bot make" not in forecast_text(replace(forecast, playouts=None))
    assert "enough for none of about 400" in forecast_text(replace(forecast, seconds=30.0))


@pytest.mark.parametrize(
    ("playouts", "rounded"), [(0.2, 1), (9.9, 9), (28.0, 20), (355.0, 300), (1000.0, 1000)]
)
def test_a_number_of_playouts_is_rounded_down(playouts: float, rounded: int) -> None:
    assert rounded_down(playouts) == rounded


def test_the_failures_of_a_phase_are_known_when_it_ends() -> None:
    """A right bot has no such event."""
    for fault, wanted in (("", []), ("play-never-refuses", ["dialogues"])):
        with HostedBot(*filter(None, [fault])) as bot:
            settings = RunSettings(bot.launch, select(("gtp.play.*", "gtp.setup.*")))
            found, phase = [], ""
            for event in check_bot(bot, settings):
                if isinstance(event, PhaseStarted):
                    phase = event.name
                if isinstance(event, FindingsSoFar):
                    assert any(result.refuses for result in event.findings.results)
                    found.append(phase)
            assert found[:1] == wanted
