"""Damaged databases: each is reported or harmless, never read wrong; the sound games are saved."""

import random
import shutil
import sqlite3
from collections import Counter
from contextlib import closing
from pathlib import Path

import pytest

from harness.arena.folder.salvage import salvage_run
from harness.arena.store.checksums import seal
from harness.arena.store.errors import StoreError
from harness.arena.store.store import DATABASE, Store
from tests.command_line import conform_forked
from tests.fuzz.cases import seeds
from tests.harness.arena.match_helpers import MakeConfig
from tests.harness.arena.stored_runs import GAMES, Content, config, content, stored_run, write_config
from tests.parameters import thorough_but
from tests.thorough import Mutant

SECTOR = 512
MANY = 120


@pytest.fixture
def run(tmp_path: Path, make_config: MakeConfig) -> Path:
    return stored_run(tmp_path / "run", config(make_config))


OF_GAMES = ("engines", "games", "results", "searches", "failures")
"""What a match with nothing left to play leaves as it was: it notes its start and its config."""


def damaged(data: bytes, kind: str, seed: int) -> bytes:
    rng = random.Random(f"{kind}/{seed}")
    changed = bytearray(data)
    if kind == "flip":
        bit = rng.randrange(len(data) * 8)
        changed[bit // 8] ^= 1 << bit % 8
    elif kind == "cut":
        del changed[rng.randrange(len(data)) :]
    else:
        sector = rng.randrange(len(data) // SECTOR) * SECTOR
        changed[sector : sector + SECTOR] = bytes(SECTOR)
    return bytes(changed)


def holds(run: Path, before: Content, kind: str, seed: int) -> str:
    """Damage the run, and check what must hold of every reader. Returns how it ended."""
    data = (run / DATABASE).read_bytes()
    (run / DATABASE).write_bytes(damaged(data, kind, seed))
    try:
        assert content(run) == before
        return "harmless"
    except StoreError:
        pass
    with pytest.raises(StoreError):  # also for a match that would continue it
        Store.open(run).close()
    try:
        found = salvage_run(run)
    except StoreError:
        return "lost"
    if found is None:
        return "reported"
    saved, beside = found
    assert beside.read_bytes() == damaged(data, kind, seed)
    after = content(run)
    for name in ("games", "searches", "failures", "results"):
        assert isinstance(after[name], list)
        assert all(row in before[name] for row in after[name]), name  # type: ignore[attr-defined,operator]
    assert saved.kept == len(after["games"])  # type: ignore[arg-type]
    return "saved" if saved.kept else "lost"


def test_a_folder_without_a_run_is_left_as_it_was(tmp_path: Path) -> None:
    for folder in (tmp_path, tmp_path / "missing"):
        with pytest.raises(StoreError, match="no run is stored there"):
            salvage_run(folder)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("kind", ["flip", "cut", "zero"])
def test_damage_is_reported_or_harmless_and_sound_games_are_saved(
    tmp_path: Path, make_config: MakeConfig, kind: str
) -> None:
    """The run has so many games that most of the file is games: without its schema nothing can be read."""
    whole = stored_run(tmp_path / "whole", config(make_config, MANY), MANY)
    run, before = tmp_path / "run", content(whole)
    shutil.copytree(whole, run)
    outcomes: dict[str, int] = {}
    for seed in seeds(20):
        shutil.rmtree(run)
        shutil.copytree(whole, run)
        outcome = holds(run, before, kind, seed)
        outcomes[outcome] = outcomes.get(outcome, 0) + 1
    if kind != "cut":  # most of a small file that is cut anywhere is gone
        assert outcomes.get("saved", 0) > outcomes.get("lost", 0), outcomes


def test_a_damaged_run_does_not_keep_back_the_files_of_others(run: Path, tmp_path: Path) -> None:
    runs = [tmp_path / name for name in ("first", "damaged", "last")]
    for copy in runs:
        shutil.copytree(run, copy)
    (runs[1] / DATABASE).write_bytes(b"not a database" * 100)
    code, text = conform_forked("report", *runs, "--format", "csv", "-q")
    assert code == 2
    assert [text.count(f"{copy}:") for copy in runs] == [1, 1, 1]
    assert f"conform: {runs[1] / DATABASE}: is not a database" in text
    assert [(copy / "games.csv").exists() for copy in runs] == [True, False, True]
    assert (runs[2] / "games.csv").read_bytes() == (runs[0] / "games.csv").read_bytes()
    code, text = conform_forked("report", *runs, "--out", tmp_path / "out")
    assert (code, "--out takes the files of one RUN" in text) == (2, True)


@pytest.mark.parametrize("seed", seeds(4))
def test_commands_report_damage_in_words_and_go_on_after_a_salvage(run: Path, seed: int) -> None:
    data = bytearray((run / DATABASE).read_bytes())
    place = data.index(b"p001-g00007\x07ab") + seed  # the row itself, not an index
    data[place] ^= 1
    (run / DATABASE).write_bytes(data)
    for words in (("report", run), ("report", run / DATABASE, "-q")):
        code, text = conform_forked(*words)
        assert (code, "damaged" in text, "--salvage" in text) == (2, True, True), text
    code, text = conform_forked("report", run, "--salvage", "-q")
    assert code == 1, text  # one bot has failed games
    assert f"{GAMES - 1} games are sound and were kept; 1 is lost (p001-g00007)" in text
    assert (run / "run.db.damaged").read_bytes() == data
    code, text = conform_forked("report", run, "--salvage", "-q")
    assert (code, "the run is sound" in text) == (1, True)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("kind", "first"), [*(("flip", first) for first in range(0, 1_000, 200)), ("cut", 0), ("zero", 0)]
)
def test_hundreds_of_damages_are_never_reported_or_continued_wrongly(
    run: Path, tmp_path: Path, kind: str, first: int
) -> None:
    """As above, and by commands: a report and a match end as before, or say that the file is damaged."""
    whole, before = run.with_name("whole"), content(run)
    shutil.copytree(run, whole)
    write_config(tmp_path / "match.toml")
    commands = (
        ("report", run, "-q", "--format", "csv"),
        ("match", tmp_path / "match.toml", "--out", run, "-q"),
    )
    usual = [conform_forked(*words)[0] for words in commands]
    assert usual == [1, 1]  # one bot has failed games
    outcomes: Counter[str] = Counter()
    for seed in range(first, first + 200):
        shutil.rmtree(run)
        shutil.copytree(whole, run)
        (run / DATABASE).write_bytes(damaged((run / DATABASE).read_bytes(), kind, seed))
        for words, code in zip(commands, usual, strict=True):
            found, text = conform_forked(*words)
            assert found in (code, 2), (seed, words[0], text)
            assert "Traceback" not in text, (seed, words[0], text)
            if found == code:
                after = content(run)
                assert all(after[name] == before[name] for name in OF_GAMES), (seed, words[0])
            outcomes[f"{words[0]} {'refused' if found == 2 else 'as before'}"] += 1
        shutil.rmtree(run)
        shutil.copytree(whole, run)
        outcomes[holds(run, before, kind, seed)] += 1
    print(kind, dict(outcomes))  # noqa: T201  # shown by -s


def test_a_match_on_a_damaged_folder_changes_nothing(run: Path, tmp_path: Path) -> None:
    write_config(tmp_path / "match.toml")
    data = bytearray((run / DATABASE).read_bytes())
    data[data.index(b"p001-g00007\x07ab")] ^= 1
    (run / DATABASE).write_bytes(data)
    code, text = conform_forked("match", tmp_path / "match.toml", "--out", run)
    assert (code, "damaged" in text, "--salvage" in text) == (2, True, True), text
    assert (run / DATABASE).read_bytes() == data


@pytest.mark.parametrize(
    "name",
    thorough_but(
        ("../outside", "x" * 300),
        ["/tmp/outside", "../outside", "..", "a/b", "", "x" * 300, "a\n"],
        Mutant(
            "harness/arena/store/checksums.py",
            "if not is_game_id(game_id):",
            "if False:",
            "tests/harness/arena/test_match_damage.py::test_an_id_that_leads_out_of_the_folder_is_damage"
            "[../outside]",
        ),
    ),
)
def test_an_id_that_leads_out_of_the_folder_is_damage(run: Path, name: str) -> None:
    with closing(sqlite3.connect(run / DATABASE)) as db, db:  # a stranger can make checksums too
        (key,) = db.execute("SELECT id FROM game WHERE game_id = 'p001-g00003'").fetchone()
        db.execute("DELETE FROM checksum WHERE id = 'p001-g00003'")
        db.execute("UPDATE game SET game_id = ? WHERE id = ?", (name, key))
        seal(db, "game", key)
    code, text = conform_forked("report", run, "-q")
    assert (code, "an id that conform does not give" in text) == (2, True), text
    assert conform_forked("report", run, "--salvage", "-q")[0] == 1
    assert len(content(run)["games"]) == GAMES - 1  # type: ignore[arg-type]


def test_a_salvage_with_a_wrong_format_changes_nothing(run: Path) -> None:
    damaged = (run / DATABASE).read_bytes()[:-4096]
    (run / DATABASE).write_bytes(damaged)
    code, text = conform_forked("report", run, "--salvage", "--format", "nope")
    assert (code, "unknown format 'nope'" in text) == (2, True), text
    assert (run / DATABASE).read_bytes() == damaged


@pytest.mark.parametrize("name", ["run.db", "run.db-wal", "run.lock", "sgf", "failures"])
def test_a_link_in_the_folder_of_a_run_is_not_followed(run: Path, tmp_path: Path, name: str) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    for path in ("run.db-wal", "run.lock"):
        (outside / path).write_text("mine")
    shutil.copy(run / DATABASE, outside)
    before = {path.name: path.read_bytes() for path in outside.iterdir()}
    (run / name).unlink(missing_ok=True)
    (run / name).symlink_to(outside / name if name.startswith("run") else outside)
    code, _ = conform_forked("report", run, "--format", "sgf", "--salvage")
    assert code == 2
    assert {path.name: path.read_bytes() for path in outside.iterdir()} == before
