"""The pytest plugin: `pytest --conform-bot ./mybot` makes one test of each check.

pytest loads this module in every project of an environment where conform is installed. Without
`--conform-bot` it only adds its options and markers, and imports nothing else of conform.
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from harness.pytest_plugin.bot_run import BotRun

LEVELS = {
    "must": "required: its failure fails the test",
    "should": "recommended: its failure skips the test, unless --conform-strict is given",
    "info": "informative: its failure skips the test",
}
"""By level of a check: what its marker means."""
OPTIONS: dict[str, dict[str, Any]] = {
    "bot": {
        "action": "append",
        "default": [],
        "metavar": "COMMAND",
        "help": "make a test of each check of this bot, a command line in one argument; may be repeated",
    },
    "budget": {"default": "standard", "metavar": "BUDGET", "help": "quick, standard, thorough; or 90, 2m"},
    "playouts": {
        "type": int,
        "metavar": "N",
        "help": "playouts per search (default: asked of the bot, or inferred)",
    },
    "startup": {
        "default": "60",
        "metavar": "TIME",
        "help": "time limit of the first answer, such as 90, 90s or 2m",
    },
    "timeout": {"default": "10", "metavar": "TIME", "help": "time limit of every other answer"},
    "known-failures": {
        "metavar": "FILE",
        "help": "checks that the bot is known to fail, as conform check --write-known-failures lists them; "
        "they are strict xfails",
    },
    "profile": {"metavar": "NAME", "help": "reference, gtp or playouts (default: by the bot's commands)"},
    "rules": {"metavar": "RULES", "help": "rules of the bot, such as superko=positional,suicide=allowed"},
    "strict": {"action": "store_true", "help": "a failed SHOULD fails its test too"},
    "decided": {
        "action": "store_true",
        "help": "a MUST that is undecided fails its test; with --conform-strict, a SHOULD too",
    },
    "seed": {"type": int, "default": 1, "metavar": "N", "help": "seed of everything random in the harness"},
}
"""The options `--conform-NAME`: for each NAME the arguments of argparse's `add_argument`."""
SHARED_FOLDER = "conform_folder"
"""The key in pytest-xdist's `workerinput` of the folder that all worker processes share."""

_runs: pytest.StashKey[Sequence[BotRun]] = pytest.StashKey()
_folder = pytest.StashKey[Path]()  # the shared folder, in the main process of pytest-xdist


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options of the plugin."""
    group = parser.getgroup("conform", "conformance checks of Go bots")
    for name, settings in OPTIONS.items():
        group.addoption(f"--conform-{name}", **settings)


def pytest_configure(config: pytest.Config) -> None:
    """Register the markers."""
    config.addinivalue_line("markers", "conform: a check of a Go bot (pytest --conform-bot COMMAND)")
    for level, meaning in LEVELS.items():
        config.addinivalue_line("markers", f"conform_{level}: a check that is {meaning}")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(
    session: pytest.Session, config: pytest.Config, items: list[pytest.Item]
) -> None:
    """Add a test for each check, before -k and -m choose among all tests."""
    if config.getoption("conform_bot"):
        from harness.pytest_plugin.items import collected

        shared = getattr(config, "workerinput", {}).get(SHARED_FOLDER)
        config.stash[_runs], checks = collected(session, None if shared is None else Path(shared))
        items += checks
        # pytest counts the tests of such a report in "collected N items".
        config.hook.pytest_collectreport(report=pytest.CollectReport("conform", "passed", None, [*checks]))


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node: Any) -> None:
    """Give each worker of pytest-xdist the folder in which the workers share one run of the checks."""
    config: pytest.Config = node.config
    if config.getoption("conform_bot"):
        if _folder not in config.stash:
            config.stash[_folder] = Path(tempfile.mkdtemp(prefix="conform-"))
        node.workerinput[SHARED_FOLDER] = str(config.stash[_folder])


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> Any:
    """Report the time of the check itself as the test's time. The first test also waits for all checks."""
    report = yield
    if call.when == "call" and hasattr(item, "conform_seconds"):
        report.duration = item.conform_seconds
    return report


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    """Print the verdict on each bot, and the first cause of its new failures."""
    if not config.getoption("conform_bot"):
        return
    from harness.pytest_plugin.bot_run import summaries

    for number, lines in enumerate(summaries(config.stash.get(_runs, ()), config.stash.get(_folder, None))):
        if not number:
            terminalreporter.section("conform")
        for line in lines:
            terminalreporter.write_line(line)


def pytest_unconfigure(config: pytest.Config) -> None:
    """Remove the folder that the workers shared."""
    if _folder in config.stash:
        shutil.rmtree(config.stash[_folder], ignore_errors=True)
