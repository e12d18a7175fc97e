"""One page of every kind, in files."""

from __future__ import annotations

import shutil
from pathlib import Path

from harness.report.html.check_page import check_page
from harness.report.html.compare_page import compare_page
from harness.report.html.site import write_site
from harness.report.records.check import as_json
from harness.report.records.stored_check import read_report
from tests.harness.report.html.axe import ROOT
from tests.harness.report.html.page_helpers import found, report_of
from tests.harness.report.html.test_report_html_compare import comparison
from tests.harness.report.html.test_report_html_history import page_of
from tests.harness.report.html.test_report_html_history import runs as history_runs

PAGES = (
    "check.html",
    "several.html",
    "compare.html",
    "site/index.html",
    "site/engine-1.html",
    "run.html",
    "history.html",
)


def write_pages(folder: Path) -> None:
    """Write them into a folder."""
    wrong, right = found("eye-edge-as-centre"), found("")
    several = report_of(wrong, right)
    texts = {
        "check.html": check_page(report_of(wrong)),
        "several.html": check_page(several),
        "compare.html": compare_page(comparison(), 1, "2026-11-22T08:00:00+00:00"),
        "history.html": page_of(folder, {"one": history_runs(9), "two": history_runs(None)}),
    }
    for name, text in texts.items():
        (folder / name).write_text(text, encoding="utf-8")
    write_site(read_report(as_json(several), "report.json"), folder / "site")
    shutil.copy(ROOT / "reports" / "sample" / "report.html", folder / "run.html")
