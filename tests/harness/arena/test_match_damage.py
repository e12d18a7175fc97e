"""Damaged databases: each is reported or harmless, never read wrong; the sound games are saved."""

import io
import os
import random
import shutil
import sqlite3
import traceback
from collections import Counter
from contextlib import closing, redirect_stderr, redirect_stdout
from pathlib import Path

import pytest

from harness.arena.config.tables import MatchConfig
from harness.arena.folder.salvage import salvage_run
from harness.arena.pairings import Pairing
from harness.arena.records import Ending, Failure, Game, GameRecord, Introduction, Played, Search, Setup
from harness.arena.store.checksums import seal
from harness.arena.store.errors import StoreError
from harness.arena.store.store import DATABASE, Store
from harness.cli import main
from harness.gtp import Colour, other
from tests.fuzz.cases import seeds
from tests.harness.arena.match_helpers import MakeConfig
from tests.harness.arena.test_match_store import record

SECTOR = 512
GAMES, MANY = 24, 120
Content = dict[str, object]
COLOURS: tuple[Colour, Colour] = ("b", "w")


@pytest.fixture
def run(tmp_path: Path, make_config: MakeConfig) -> Path:
    return stored_run(tmp_path / "run", config(make_config))


def stored_run(folder: Path, config: MatchConfig, games: int = GAMES) -> Path:
    """A complete run: won, lost and drawn games, and failures."""
    with Store.create(folder) as store:
        store.set_config(config, "now")
        store.note("start", f"{games} games to play", "now")
        for name in ("a", "b"):
            store.introduce(Introduction(name, f"{name}-bot", "1.0", 100))
        for number in range(1, games + 1):
            store.add(a_game(Pairing(1, "a", "b").game(number)))
        store.note("complete", "", "now")
    return folder


OF_GAMES = ("engines", "games", "results", "searches", "failures")
"""What a match with nothing left to play leaves as it was: it notes its start and its config."""


def config(make_config: MakeConfig, games: int = GAMES) -> MatchConfig:
    return make_config({"a": "true", "b": "true"}, games=games, workers=1)


def write_config(path: Path) -> None:
    """The config of the run as a file."""
    engines = "".join(f'[[engine]]\nname = "{name}"\ncommand = "true"\n' for name in ("a", "b"))
    run = f"size = 5\ngames = {GAMES}\nworkers = 1\ntimeout = 60\n"
    path.write_text(f'[run]\n{run}audit = "off"\n{engines}')  # the moves of the games are not legal


def a_game(game: Game) -> GameRecord:
    """Any moves, numbers and results, the same for equal numbers of the game; each eighth game has failed."""
    rng = random.Random(game.number)
    moves = [Played(COLOURS[turn % 2], f"{rng.choice('ABCDE')}{rng.randint(1, 5)}") for turn in range(12)]
    searches = [
        Search(number, move.colour, move.vertex, rng.randrange(10**6), rng.random(), rng.random())
        for number, move in enumerate(moves, 1)
    ]
    values: dict[str, object] = {"board": (5, 7.5), "moves": tuple(moves), "searches": tuple(searches)}
    if game.number % 3 == 0:
        values |= {"opening_moves": 4, "setup": Setup(3, 2)}
    if game.number % 8 == 0:
        failure = Failure("a", "./a", "ended", "printf", "said" * 50, "heard" * 50, b"\xff" * 50)
        loser: Colour = "b" if game.black == "a" else "w"
        winner = other(loser)
        ending = Ending("crash", f"{winner.upper()}+F", winner, loser, "gone")
        return record(game, **values, ending=ending, failure=failure)
    endings = (Ending("score", "B+2.5", "b"), Ending("resign", "W+R", "w"), Ending("score", "0", None))
    return record(game, **values, ending=rng.choice(endings))


def content(folder: Path) -> Content:
    """Everything that readers get from a store. Raises StoreError."""
    with Store.open(folder, read_only=True) as store:
        return {
            "config": store.config(),
            "engines": store.engines(),
            "games": list(store.games()),
            "results": list(store.results()),
            "searches": list(store.searches()),
            "failures": list(store.failures()),
            "events": store.events(),
        }


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


def conform(*words: object) -> tuple[int, str]:
    """The exit code and the output of a command, in a process that is forked from this one."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:  # pragma: no cover
        code = 99
        try:
            os.close(reader)
            out = io.StringIO()
            os.dup2(writer, 1)
            os.dup2(writer, 2)
            with redirect_stdout(out), redirect_stderr(out), pytest.MonkeyPatch.context() as patch:
                patch.setattr("sys.argv", ["conform", *map(str, words)])
                try:
                    main()
                except SystemExit as end:
                    code = int(end.code or 0)
                except BaseException:
                    traceback.print_exc()
            os.write(writer, out.getvalue().encode("utf-8", "replace")[:60_000])
        finally:
            os._exit(code)
    os.close(writer)
    with os.fdopen(reader, "rb") as file:
        text = file.read().decode("utf-8", "replace")
    _, status = os.waitpid(child, 0)
    return os.waitstatus_to_exitcode(status), text


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


@pytest.mark.parametrize("seed", seeds(4))
def test_commands_report_damage_in_words_and_go_on_after_a_salvage(run: Path, seed: int) -> None:
    data = bytearray((run / DATABASE).read_bytes())
    place = data.index(b"p001-g00007\x07ab") + seed  # the row itself, not an index
    data[place] ^= 1
    (run / DATABASE).write_bytes(data)
    for words in (("report", run), ("report", run / DATABASE, "-q")):
        code, text = conform(*words)
        assert (code, "damaged" in text, "--salvage" in text) == (2, True, True), text
    code, text = conform("report", run, "--salvage", "-q")
    assert code == 1, text  # one bot has failed games
    assert f"{GAMES - 1} games are sound and were kept; 1 are lost (p001-g00007)" in text
    assert (run / "run.db.damaged").read_bytes() == data
    code, text = conform("report", run, "--salvage", "-q")
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
    usual = [conform(*words)[0] for words in commands]
    assert usual == [1, 1]  # one bot has failed games
    outcomes: Counter[str] = Counter()
    for seed in range(first, first + 200):
        shutil.rmtree(run)
        shutil.copytree(whole, run)
        (run / DATABASE).write_bytes(damaged((run / DATABASE).read_bytes(), kind, seed))
        for words, code in zip(commands, usual, strict=True):
            found, text = conform(*words)
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
    code, text = conform("match", tmp_path / "match.toml", "--out", run)
    assert (code, "damaged" in text, "--salvage" in text) == (2, True, True), text
    assert (run / DATABASE).read_bytes() == data


@pytest.mark.parametrize("name", ["/tmp/outside", "../outside", "..", "a/b", "", "x" * 300, "a\n"])
def test_an_id_that_leads_out_of_the_folder_is_damage(run: Path, name: str) -> None:
    with closing(sqlite3.connect(run / DATABASE)) as db, db:  # a stranger can make checksums too
        (key,) = db.execute("SELECT id FROM game WHERE game_id = 'p001-g00003'").fetchone()
        db.execute("DELETE FROM checksum WHERE id = 'p001-g00003'")
        db.execute("UPDATE game SET game_id = ? WHERE id = ?", (name, key))
        seal(db, "game", key)
    code, text = conform("report", run, "-q")
    assert (code, "an id that conform does not give" in text) == (2, True), text
    assert conform("report", run, "--salvage", "-q")[0] == 1
    assert len(content(run)["games"]) == GAMES - 1  # type: ignore[arg-type]


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
    code, _ = conform("report", run, "--format", "sgf", "--salvage")
    assert code == 2
    assert {path.name: path.read_bytes() for path in outside.iterdir()} == before
