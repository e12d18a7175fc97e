"""Bots with a fault are named by it, from the positions of their match; right bots are not."""

from __future__ import annotations

import json
import shutil
import sqlite3
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from harness.arena.audit import Audit, Diagnoser
from harness.arena.audit.diagnosis import Rounds
from harness.arena.config.reader import check_config
from harness.arena.config.tables import MatchConfig
from harness.arena.folder.folder import open_run
from harness.arena.judge.judge import judge
from harness.arena.judge.playouts import differing_statistics, judge_playouts
from harness.arena.run.stop import Stop
from harness.arena.store.diagnosis import StoredDiagnosis
from harness.arena.store.errors import DamagedStoreError
from harness.arena.store.store import DATABASE, Store
from harness.arena.verdicts import MatchVerdicts, Suspect
from harness.report.files.csv_columns import DIAGNOSIS
from harness.report.files.match_run import write_run
from harness.report.text.suspect_text import suspect_sentences
from refbot.deviations.faults import FAULTS
from tests.harness.arena.audit.simulated_match import play_games

FAULTY = {"counts": "nodes-no-passes", "chooses": "best-visits"}
"""A fault of the reports and one of the choice, by the name of the bot."""


ROUNDS = Rounds((6, 12), (6, 12))
"""Positions that are enough for the faults of these bots."""


def config() -> MatchConfig:
    engines = [{"name": bot, "command": "true", "playouts": 200} for bot in ("right", *FAULTY)]
    run = {"size": 5, "komi": 6.0, "games": 6, "openings": {"kind": "random", "moves": 2}}
    return check_config({"run": run, "engine": engines}, "test")


def diagnose(
    folder: Path,
    differing: Mapping[str, Sequence[str]] | None = None,
    on_step: Callable[[tuple[int, int]], object] = lambda _: None,
    **options: Any,
) -> bool:
    """Diagnose the bots that the stored audit finds different, or these. False if it was stopped.

    `on_step` is called after each position.
    """
    with Store.open(folder) as store:
        found = differing_statistics(judge_playouts(store, config())[0]) if differing is None else differing
        diagnoser = Diagnoser(store, **{"stop": Stop(), "workers": 2, "rounds": ROUNDS, **options})
        for step in diagnoser.steps(found):
            on_step(step)
        return diagnoser.complete


@pytest.fixture(scope="module")
def audited(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A simulated match with an audit and its diagnosis."""
    folder = tmp_path_factory.mktemp("audited") / "run"
    with open_run(config(), folder) as store:
        play_games(store, config(), {bot: [fault] for bot, fault in FAULTY.items()}, seed=1)
        assert Audit(store, 100, stop=Stop(), workers=2).run().complete
    assert diagnose(folder)
    return folder


@pytest.fixture
def run(audited: Path, tmp_path: Path) -> Path:
    """A copy of that run."""
    return shutil.copytree(audited, tmp_path / "run")


def stored(folder: Path) -> list[StoredDiagnosis]:
    with Store.open(folder, read_only=True) as store:
        return store.diagnoses.all()


def verdicts_of(folder: Path) -> MatchVerdicts:
    with Store.open(folder, read_only=True) as store:
        return judge(store, config())


def test_each_faulty_bot_is_named_by_its_fault_and_the_right_bot_is_not(audited: Path) -> None:
    named = {found.bot: found.suspects[0] for found in stored(audited)}
    assert {bot: suspect.fault for bot, suspect in named.items()} == FAULTY
    assert all(suspect.probability > 0.9 for suspect in named.values())
    assert all(found.finished and found.positions == 12 for found in stored(audited))


def test_the_reports_name_the_fault(audited: Path, tmp_path: Path) -> None:
    verdicts = verdicts_of(audited)
    with Store.open(audited, read_only=True) as store:
        write_run(store, verdicts, tmp_path / "out", ["csv", "json", "html"])
    table = pd.read_csv(tmp_path / "out" / "diagnosis.csv")
    assert tuple(table.columns) == DIAGNOSIS.header
    first = table.drop_duplicates("bot").set_index("bot")
    assert first["fault"].to_dict() == FAULTY
    assert first["clause"].to_dict() == {bot: FAULTS[fault].clause for bot, fault in FAULTY.items()}
    assert first["differs"].to_dict() == {"counts": "lengths", "chooses": "moves"}
    report = json.loads((tmp_path / "out" / "report.json").read_text())
    suspects = {entry["bot"]: entry["suspects"][0]["fault"] for entry in report["diagnoses"]}
    assert suspects == FAULTY
    page = (tmp_path / "out" / "report.html").read_text()
    assert "looks like nodes-no-passes (passes are not counted); probability" in page


def test_a_second_diagnosis_searches_nothing(run: Path) -> None:
    before, searched = stored(run), list[tuple[int, int]]()
    assert diagnose(run, on_step=searched.append)
    assert searched == []
    assert stored(run) == before


def test_a_stopped_diagnosis_stores_nothing_and_repeats_to_the_same_end(run: Path) -> None:
    before = stored(run)
    with Store.open(run) as store:
        store.diagnoses.remove("counts")
    stop = Stop()
    assert not diagnose(run, stop=stop, on_step=lambda _: stop.ask())
    assert stored(run) == [found for found in before if found.bot != "counts"]
    assert diagnose(run)
    assert stored(run) == before


def test_without_time_no_diagnosis_is_stored_and_one_without_a_limit_follows(run: Path) -> None:
    before, differing = stored(run), {"counts": ["lengths"], "chooses": ["moves"]}
    with Store.open(run) as store:
        for found in before:
            store.diagnoses.put(found._replace(suspects=(), finished=False))
    assert diagnose(run, differing, seconds=0.0)
    assert [found.suspects for found in stored(run)] == [(), ()]  # nothing could be added
    assert diagnose(run, {"counts": ["lengths"]})
    assert stored(run) == [found for found in before if found.bot == "counts"]


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE audit_suspect SET fault = 'eye-filled' WHERE bot = 'counts'",
        "UPDATE audit_diagnosis SET searches = searches + 1 WHERE bot = 'counts'",
        "DELETE FROM audit_suspect WHERE bot = 'counts'",
        "DELETE FROM audit_diagnosis WHERE bot = 'counts'",
    ],
)
def test_a_changed_row_is_noticed(run: Path, change: str) -> None:
    with closing(sqlite3.connect(run / DATABASE)) as db:
        db.execute(change)
        db.commit()
    with pytest.raises(DamagedStoreError, match="audit_diagnosis"):
        Store.open(run, read_only=True)


def test_a_run_of_an_earlier_version_has_no_suspects(run: Path) -> None:
    with closing(sqlite3.connect(run / DATABASE)) as db:
        db.executescript(
            "DROP TABLE audit_suspect; DROP TABLE audit_diagnosis;"
            "DELETE FROM checksum WHERE part = 'audit_diagnosis'"
        )
    verdicts = verdicts_of(run)
    assert verdicts.suspects == ()
    assert any(row.differs for row in verdicts.playouts)
    Store.open(run).close()  # and gets the tables when it is continued
    assert stored(run) == []


def test_sentences_name_fault_meaning_probability_and_clause() -> None:
    suspects = [
        Suspect("one", "eye-filled", 0.9712),
        Suspect("two", "something else", 0.8),
        Suspect("two", "ties-first", 0.15),
        Suspect("three", "fault-of-a-later-version", 1.0),
    ]
    assert dict(suspect_sentences(suspects)) == {
        "one": "looks like eye-filled (own eyes are filled); probability 0.971; see clause eye",
        "two": "looks like no known fault; probability 0.800; or like ties-first "
        "(the first of equal candidates is played), probability 0.150",
        "three": "looks like fault-of-a-later-version; probability over 0.999",
    }
