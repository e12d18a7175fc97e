"""Whole runs over bots on a machine that counts as idle."""

from harness.check.bot.bot import Bot
from harness.check.bot.load import Processor
from harness.check.phases.findings import Findings
from harness.check.phases.run import check_bot, findings_of
from harness.check.phases.settings import RunSettings


class Idle(Processor):
    """A machine on which silence counts, whatever else runs beside these tests."""

    def machine_is_busy(self) -> bool:
        return False


def findings_about(settings: RunSettings) -> Findings:
    with Bot(settings.launch, settings.limits, Idle()) as bot:
        return findings_of(check_bot(bot, settings))
