"""Counts the cases of all fuzz tests, also of those that other processes run, and prints the sum."""

from collections.abc import Callable

import pytest

from tests.fuzz.cases import Cases, seeds

PROPERTY = "fuzz cases"


@pytest.fixture
def cases(record_property: Callable[[str, object], None]) -> Cases:
    """The seeds of a test, which are counted."""

    def counted(few: int) -> range:
        chosen = seeds(few)
        record_property(PROPERTY, len(chosen))
        return chosen

    return counted


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    passed = terminalreporter.getreports("passed")
    counts = [int(str(value)) for one in passed for name, value in one.user_properties if name == PROPERTY]
    if counts and passed[0].when:
        terminalreporter.write_line(f"fuzz: {sum(counts):,} cases in {len(counts)} tests passed")
