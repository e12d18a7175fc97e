"""What the tests of pages share."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.harness.report.html.all_pages import write_pages


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with one page of every kind."""
    folder = tmp_path_factory.mktemp("pages")
    write_pages(folder)
    return folder
