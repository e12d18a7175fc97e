"""The pytest items of the plugin: one test for each check of each bot."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest

from harness.check.model import REFUSING, Check
from harness.cli.exits import UsageError
from harness.cli.options import effort_of, limit_of, run_settings_of
from harness.cli.paths import load_known_failures
from harness.gtp import Limits
from harness.pytest_plugin.bot_run import BotRun
from harness.report.text.counts import note_text
from harness.suite.registry import CHECKS


class CheckFailedError(Exception):
    """A check failed, was left undecided, or could not be made. The text is all that its test prints."""


class UnusableBotError(Exception):
    """The bot cannot be run. This is never a known failure of a check."""


def collected(session: pytest.Session, shared: Path | None) -> tuple[list[BotRun], list[pytest.Item]]:
    """Make a run for each bot, and its tests. `shared`: see `BotRun`. Raises pytest.UsageError."""
    option = session.config.getoption
    runs: list[BotRun] = []
    items: list[pytest.Item] = []
    try:
        known_file = option("conform_known_failures")
        known = load_known_failures(Path(known_file)) if known_file is not None else None
        effort = effort_of(option("conform_budget"))
        limits = Limits(limit_of(option("conform_startup")), limit_of(option("conform_timeout")))
    except UsageError as error:
        raise pytest.UsageError(f"conform: {error}") from None
    if known and len(option("conform_bot")) > 1:
        raise pytest.UsageError("conform: a list of known failures is about one bot: give one --conform-bot")
    strict, seed, playouts = (option(f"conform_{name}") for name in ("strict", "seed", "playouts"))
    for number, command in enumerate(option("conform_bot"), 1):
        try:
            settings = run_settings_of(
                command, CHECKS, playouts, effort, limits, seed, None,
                profile=option("conform_profile"), rules=option("conform_rules"),
            )  # fmt: skip
        except UsageError as error:
            raise pytest.UsageError(f"conform: {error}") from None
        run = BotRun(settings, number, shared, strict=strict, known=known, options=_shell_options(option))
        name = "conform" if number == 1 else f"conform-{number}"
        bot = BotNode.from_parent(session, name=name, nodeid=name)
        runs.append(run)
        items += [CheckItem.of(bot, check, run, known=check.id in (known or ())) for check in CHECKS]
    return runs, items


def _shell_options(option: Callable[[str], Any]) -> str:
    """Return the options of `conform check` that the results depend on, for a shell, from those of pytest."""
    given = {name: option(f"conform_{name}") for name in ("playouts", "profile", "rules", "seed")}
    if given["seed"] == 1:
        given["seed"] = None
    named = {f"--{name}": str(value) for name, value in given.items() if value is not None}
    return shlex.join(word for pair in named.items() for word in pair)


class BotNode(pytest.Collector):
    """The parent of the tests of one bot."""

    def collect(self) -> Iterable[pytest.Item]:
        """Return nothing: `collected` makes the tests, and the plugin adds them to the session."""
        return []


class CheckItem(pytest.Item):
    """The test of one check of one bot. The first test of a bot runs the checks of all its chosen tests."""

    def __init__(self, *, check: Check, run: BotRun, **rest: Any) -> None:
        super().__init__(**rest)
        self._check = check
        self._run = run
        self.conform_seconds = 0.0  # the time of the check alone

    @classmethod
    def of(cls, bot: BotNode, check: Check, run: BotRun, *, known: bool) -> CheckItem:
        """Make a test with markers for its level and, if `known`, a strict xfail. The clause is a keyword."""
        name = str(check.id)  # the id may be an enum, which pytest-xdist cannot send
        item: CheckItem = cls.from_parent(bot, name=name, check=check, run=run)
        item.add_marker("conform")
        item.add_marker(f"conform_{check.level}")
        item.extra_keyword_matches.add(check.clause)
        if known:
            reason = "in the list of known failures"
            item.add_marker(pytest.mark.xfail(strict=True, raises=CheckFailedError, reason=reason))
        if item.config.pluginmanager.hasplugin("timeout"):
            item.add_marker(pytest.mark.timeout(0))  # conform bounds the time itself
        return item

    def runtest(self) -> None:
        """Pass, fail or skip as the check ended. If the bot is unusable, only its first test fails."""
        tests = (item for item in self.session.items if isinstance(item, CheckItem))
        wanted = [test._check.id for test in tests if test._run is self._run]
        ended = self._run.run_check(self._check.id, wanted)
        self.conform_seconds = ended.seconds
        level = self._check.level
        if ended.outcome == "pass":
            return
        if ended.outcome == "unusable":
            if self._check.id == wanted[0]:
                raise UnusableBotError(ended.text)
            pytest.skip("the bot cannot be run")
        if ended.outcome in REFUSING and not self._refuses:
            pytest.skip(f"{note_text(level, 1)}: {self._check.title}")
        if ended.outcome == "inconclusive" and self._refuses and self.config.getoption("conform_decided"):
            raise CheckFailedError(f"undecided: {ended.text}")
        if ended.outcome in (*REFUSING, "error"):
            raise CheckFailedError(ended.text)
        pytest.skip(f"{ended.outcome}: {ended.text}")

    @property
    def _refuses(self) -> bool:
        """True if a failure of the check refuses the bot."""
        strict = self.config.getoption("conform_strict")
        return self._check.level == "must" or (strict and self._check.level == "should")

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], *args: Any, **named: Any) -> Any:
        """The report on the check, without a traceback."""
        if isinstance(excinfo.value, CheckFailedError | UnusableBotError):
            return str(excinfo.value)
        return super().repr_failure(excinfo, *args, **named)

    def reportinfo(self) -> tuple[Path, None, str]:
        """The place of the test in the sources. It has no file, so pytest gets the root folder; no line."""
        return self.config.rootpath, None, self.nodeid
