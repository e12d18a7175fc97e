"""The history over runs names the statistic of an audit that became different."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from harness.match import Stop, check_config
from harness.report.match_run import RUN_FILES
from harness.runs import Watcher, audit_run, play_run
from harness.scheduler.change import find_change
from harness.scheduler.run_summary import RunSummary, summarise_run
from tests.harness.audit.test_audit_run import config_of


def summary_of(folder: Path, *, faulty: bool) -> RunSummary:
    """A run of two bots with an audit; `faulty`: the second has been exchanged for one with a fault."""
    config = config_of(games=4)
    data = config.model_dump(mode="json")
    data["engine"] = [data["engine"][0], {**data["engine"][2 if faulty else 1], "name": "two"}]
    play_run(check_config(data, "test"), folder, Watcher(lambda _: None), Stop(), RUN_FILES)
    audit_run(folder, "all", RUN_FILES, stop=Stop(), workers=1)
    summary = summarise_run(folder, "2026-01-01T00:00:00+00:00")
    assert summary is not None
    return replace(summary, name=folder.name)


@pytest.mark.slow
def test_a_bot_that_was_exchanged_is_named_with_the_statistic(tmp_path: Path) -> None:
    before = summary_of(tmp_path / "before", faulty=False)
    after = summary_of(tmp_path / "after", faulty=True)
    assert before.bots["two"].audit_verdicts["lengths"] != "different"
    changes = find_change("two", after, before).sentences
    assert any(s.startswith("audit of lengths: ") and s.endswith(" → different") for s in changes)
    assert not any("audit" in sentence for sentence in find_change("one", after, before).sentences)
