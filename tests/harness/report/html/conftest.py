"""What the tests of pages share."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.conftest import once_for_all_workers
from tests.harness.report.html.all_pages import write_pages


@pytest.fixture(scope="session")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with one page of every kind, to be read only."""
    return once_for_all_workers(tmp_path_factory, "pages", write_pages)
