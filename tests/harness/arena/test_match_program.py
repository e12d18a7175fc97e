import shutil
from pathlib import Path
from shlex import quote

from harness.arena.game.program import program_of
from harness.arena.judge.judge import judge
from harness.arena.store.store import Store
from harness.gtp import Launch
from tests.harness.arena.match_helpers import ENGINES, MakeConfig, Quiet, play_here, query
from tests.interpreter import PYTHON


def test_the_hash_is_of_the_program_or_of_the_script_behind_an_interpreter(tmp_path: Path) -> None:
    script = tmp_path / "bot.py"
    script.write_text("print()")
    command = f"{PYTHON} -S {script} --log {tmp_path}/log"
    first = program_of(Launch(command))
    (tmp_path / "log").write_text("grows")
    assert program_of(Launch(command)) == first is not None
    script.write_text("print( )")
    second = program_of(Launch(command))
    assert second not in (first, None)
    script.write_text("print()")
    assert program_of(Launch(command)) == first
    assert program_of(Launch(f"{PYTHON} -S bot.py", cwd=tmp_path)) == first
    assert program_of(Launch(str(tmp_path / "none"))) is None


def play(run: Path, make_config: MakeConfig, script: Path, games: int, quiet: Quiet) -> None:
    engines = {
        "a": f"{PYTHON} -S -E {script}",
        "b": f"{PYTHON} -S -E {quote(str(ENGINES / 'instant.py'))}",
    }
    config = make_config(engines, games=games)
    assert play_here(config, run, quiet)


def test_games_of_an_earlier_program_are_kept_apart(
    tmp_path: Path, make_config: MakeConfig, quiet: Quiet
) -> None:
    run, script = tmp_path / "run", tmp_path / "bot.py"
    shutil.copy(ENGINES / "instant.py", script)
    play(run, make_config, script, 4, quiet)
    assert quiet.sentences == []
    script.write_text(script.read_text() + "\n# another program\n")
    play(run, make_config, script, 6, quiet)
    assert quiet.sentences == ["the program of a has changed: its earlier games are kept apart"]
    with Store.open(run) as store:
        config = store.config()
        assert config is not None
        verdicts = judge(store, config)
        assert [event.kind for event in store.events()].count("program") == 1
    assert dict(verdicts.apart) == {"a": 4}
    assert (verdicts.games, verdicts.black_games) == (6, 2)
    assert {row.games for row in verdicts.standings} == {2}
    assert query(run, "SELECT count(*) FROM game_program WHERE black != white") == [(2,)]
