"""The sample run in reports/ says what its games say."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from harness.arena.config.reader import load_config
from harness.arena.judge.judge import judge
from harness.arena.store.store import Store
from harness.go import read_sgf
from harness.report.files.match_run import write_run
from harness.stats import holm, judge_parity

SAMPLE = Path(__file__).parents[1] / "reports" / "sample"
CONFIG = load_config(SAMPLE / "sample.toml")


def rows_of(table: pd.DataFrame) -> Iterable[Any]:
    """The rows with a field for each column, which no type can say."""
    return table.itertuples()


def pair_scores(games: pd.DataFrame, first: str) -> list[float]:
    """Scores of the first bot over two games each with colours exchanged, those that both were played."""
    won = (games.sort_values("game")["winner"] == first).astype(float).to_numpy()
    whole = won[: won.size // 2 * 2]
    return list(whole.reshape(-1, 2).sum(axis=1))


def test_the_verdicts_follow_from_the_games() -> None:
    games, parity = pd.read_csv(SAMPLE / "games.csv"), pd.read_csv(SAMPLE / "parity.csv")
    run = CONFIG.run
    share = run.alpha / len(parity)
    evidence = {}
    for row in rows_of(parity):
        scores = pair_scores(games[games["pair"] == f"{row.bot_a} - {row.bot_b}"], row.bot_a)
        evidence[row.Index] = judge_parity(scores, margin=run.margin, alpha=share, beta=run.beta)
        assert row.games == 2 * len(scores)
        assert row.score_a == pytest.approx(sum(scores) / row.games, abs=1e-6)
        assert (row.low, row.high) == pytest.approx(
            (evidence[row.Index].low, evidence[row.Index].high), abs=1e-5
        )
    refused = holm({str(k): e.different_p for k, e in evidence.items()}, run.alpha).refused
    for row in rows_of(parity):
        assert row.verdict == ("different" if str(row.Index) in refused else evidence[row.Index].verdict)


def test_it_decides() -> None:
    """A fault of the search shows in the score and in the moves, a fault of the playouts in their length."""
    parity = pd.read_csv(SAMPLE / "parity.csv").set_index(["bot_a", "bot_b"])["verdict"]
    assert parity["refbot", "refbot-again"] == "equal"
    assert parity["refbot", "both-colours-counted"] == "different"
    assert "undecided" not in set(parity)
    playouts = {(row.bot, row.phase): row for row in rows_of(pd.read_csv(SAMPLE / "playouts.csv"))}
    for bot in ("refbot", "refbot-again"):
        for phase in ("all", "opening", "middle", "end"):
            row = playouts[bot, phase]
            assert (row.verdict, row.score_verdict) == ("equal", "equal"), (bot, phase)
            assert row.choice_verdict == "undecided"  # moves can be refused, never shown to be equal
    assert playouts["edge-eyes", "all"].verdict == "different"
    counted = playouts["both-colours-counted", "all"]
    assert (counted.verdict, counted.choice_verdict) == ("equal", "different")


def test_the_wrong_bots_are_diagnosed() -> None:
    first = pd.read_csv(SAMPLE / "diagnosis.csv").groupby("bot").first()
    named = {"edge-eyes": "eye-edge-as-centre", "both-colours-counted": "amaf-both-colours"}
    assert first["fault"].to_dict() == named
    assert (first["probability"] > 0.9).all()


def test_nothing_in_it_depends_on_a_machine() -> None:
    for path in SAMPLE.rglob("*.*"):
        data = path.read_bytes()
        assert not any(word in data for word in (b"/home", b"/root", b"/tmp", b"/work", b"/usr"))
    assert {engine.command.split()[0] for engine in CONFIG.engine} == {".venv/bin/refbot"}


def test_each_pair_has_a_game_to_look_at() -> None:
    games = pd.read_csv(SAMPLE / "games.csv").set_index("sgf")
    shown = sorted(SAMPLE.rglob("*.sgf"))
    assert {games.loc[str(path.relative_to(SAMPLE)), "pair"] for path in shown} == set(games["pair"])
    for path in shown:
        assert len(read_sgf(path.read_bytes()).moves) == games.loc[str(path.relative_to(SAMPLE)), "moves"]


def test_the_stored_sample_makes_the_files_that_lie_beside_it(tmp_path: Path) -> None:
    """A run that an earlier version played can be read."""
    with Store.open(SAMPLE, read_only=True) as store:
        config = store.config()
        assert config is not None
        write_run(store, judge(store, config), tmp_path, config.report.formats)
    version = re.compile(rb"AP\[[^]]*\]|Written by conform [\d.]+")
    kept_files = [*SAMPLE.glob("*.csv"), *SAMPLE.rglob("*.sgf"), SAMPLE / "report.html"]
    for kept in kept_files:
        again = tmp_path / kept.relative_to(SAMPLE)
        assert version.sub(b"", again.read_bytes()) == version.sub(b"", kept.read_bytes()), kept
    assert len([*(tmp_path / "sgf").rglob("*.sgf")]) == len(pd.read_csv(SAMPLE / "games.csv"))
