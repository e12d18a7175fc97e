"""The format `junit`: the verdicts on a run as JUnit XML, `junit.xml`."""

from harness.report.ci.junit import write_junit as write

__all__ = ["write"]
