"""An edited config may ask another question when results are known: every report names the change."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from harness.arena.folder.folder import open_run
from harness.arena.folder.play import MatchSettings, follow, run_match
from harness.arena.judge.judge import judge
from harness.arena.run.events import Event, MatchEnded, NoticeGiven
from harness.arena.run.stop import Stop
from harness.arena.store.rows import question_changes
from harness.arena.store.store import Store
from harness.report.files.format_json import as_data
from harness.report.files.run_folder import RunFolder
from harness.report.html.live_page import run_sections
from harness.report.html.run_page import run_page
from harness.report.status.phase import COMPLETE
from harness.report.status.run import RunStatus, parse_run_status
from harness.report.status.stored import stored_status
from harness.report.text.question_text import question_sentences
from harness.report.text.status_text import run_tables
from tests.harness.arena.match_helpers import MakeConfig, without_workers
from tests.harness.arena.test_match_question import SPRT, config_of, judged, printed

CHANGE = "after 4 games: elo1: 100 became 40"
OTHER = {**SPRT, "elo1": 40}


def start(folder: Path, make_config: MakeConfig, judge: Any, games: int) -> tuple[MatchEnded, list[str]]:
    """Play up to `games` games of a run; its end, and the notices about its question."""
    events: list[Event] = []
    settings = MatchSettings(make_config(games=40, judge=judge, audit="off"), folder, Stop(games))
    with without_workers():
        ended = follow(run_match(settings), RunFolder(pause=0.0).handle, events.append)
    return ended, [e.text for e in events if isinstance(e, NoticeGiven) and e.kind == "question"]


def shown(folder: Path) -> dict[str, str]:
    """The texts that a reader of a stored run sees, by place."""
    with Store.open(folder, read_only=True) as store:
        config, status = store.config(), stored_status(store)
        assert config is not None
        assert status is not None
        verdicts = judge(store, config)
        places = {"terminal": printed(verdicts), "page": run_page(store, verdicts)}
        places["data"] = str(as_data(store, verdicts)["question_changes"])
    return {**places, **of_status("stored status", status)}


def of_status(name: str, status: RunStatus) -> dict[str, str]:
    sections = run_sections(status, COMPLETE, "", "")
    return {name: "\n".join(run_tables(status, None)), f"{name}, page": str(sections["parity"])}


def test_a_changed_question_is_named_at_the_start_at_the_end_and_in_every_report(
    tmp_path: Path, make_config: MakeConfig
) -> None:
    _, notices = start(tmp_path, make_config, SPRT, 4)
    assert notices == []
    ended, notices = start(tmp_path, make_config, OTHER, 2)
    assert [CHANGE in notice for notice in notices] == [True]
    live = of_status("status", parse_run_status((tmp_path / "status.json").read_bytes()))
    places = {**shown(tmp_path), **live, "end of the match": printed(ended.verdicts)}
    assert [place for place, text in places.items() if CHANGE not in text] == []
    warned = [place for place, text in places.items() if "rror probabilities hold for the question" in text]
    assert warned == [place for place in places if place != "data"]
    _, notices = start(tmp_path, make_config, OTHER, 2)
    assert notices == []  # nothing changed in this start
    assert CHANGE in shown(tmp_path)["terminal"]


def changes(folder: Path, before: dict[str, Any], now: dict[str, Any], wins: str = "10") -> tuple[str, ...]:
    """The changes that are recorded when a config takes the place of another after these games."""
    store, _ = judged(folder, config_of(before.pop("judge", "parity"), **before), wins)
    store.close()
    with open_run(config_of(now.pop("judge", "parity"), **now), folder) as again:
        return question_changes(again.events())


@pytest.mark.parametrize(
    ("before", "now", "words"),
    [
        ({"judge": SPRT}, {"judge": {**SPRT, "elo0": -5}}, "elo0: 0 became -5"),
        ({"judge": SPRT}, {"judge": {**SPRT, "beta": 0.1}}, "beta: 0.05 became 0.1"),
        ({"judge": SPRT}, {"judge": {**SPRT, "model": "normalized"}}, "model: logistic became normalized"),
        ({"judge": "stronger"}, {"judge": {"kind": "stronger", "alpha": 0.2}}, "alpha: 0.05 became 0.2"),
        ({}, {"margin": 0.1}, "margin: 0.03 became 0.1"),
        ({}, {"judge": {"kind": "parity", "margin": 0.1}}, "margin: 0.03 became 0.1"),
        ({}, {"alpha": 0.01}, "alpha: 0.001 became 0.01"),
        ({"judge": SPRT}, {"judge": SPRT, "alpha": 0.01}, "alpha: 0.001 became 0.01"),
        ({}, {"beta": 0.1}, "beta: 0.05 became 0.1"),
        ({"judge": SPRT}, {"judge": SPRT, "beta": 0.1}, "beta: 0.05 became 0.1"),
        ({}, {"forfeits": "loss"}, "forfeits: void became loss"),
        (
            {"judge": "stronger"},
            {"judge": SPRT},
            "stronger (alpha 0.05) became sprt (elo0 0, elo1 100, alpha 0.05, beta 0.05, model logistic)",
        ),
    ],
)
def test_everything_that_decides_verdicts_belongs_to_the_question(
    tmp_path: Path, before: dict[str, Any], now: dict[str, Any], words: str
) -> None:
    assert changes(tmp_path, before, now) == (f"after 2 games: {words}",)


@pytest.mark.parametrize(
    ("before", "now", "wins"),
    [
        ({"judge": SPRT}, {"judge": {**SPRT, "stop": "never"}}, "10"),  # verdicts hold at any time
        ({"judge": SPRT}, {"judge": SPRT, "workers": 2, "timeout": 7}, "10"),
        ({}, {"judge": {"kind": "parity", "margin": 0.03}}, "10"),  # the same margin at another place
        ({"judge": SPRT}, {"judge": OTHER}, ""),  # no result was known
    ],
)
def test_other_changes_are_no_change_of_the_question(
    tmp_path: Path, before: dict[str, Any], now: dict[str, Any], wins: str
) -> None:
    assert changes(tmp_path, before, now, wins) == ()


def test_a_store_with_countless_changes_fills_no_page() -> None:
    sentences = list(
        question_sentences([f"after {games} games: elo1: 1 became 2" for games in range(100_000)])
    )
    assert len(sentences) < 20
    assert any("100,000 times" in sentence for sentence in sentences)
    assert max(map(len, question_sentences(["x" * 1_000_000]))) < 1_000
