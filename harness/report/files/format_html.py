"""The format `html`: the page of a run, `report.html`."""

from harness.report.html.run_page import write_page as write

__all__ = ["write"]
