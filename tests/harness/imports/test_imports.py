"""Configs from the settings of other match programs: their meaning is kept, and nothing is executed."""

from __future__ import annotations

import shlex
import tomllib
from pathlib import Path
from typing import Any

import pytest

from harness.arena.config.reader import parse_config
from harness.files.toml_text import toml_value
from harness.imports import chess_command, ringmaster
from harness.imports.chess_command import import_chess_command
from harness.imports.control_file import read_control_file
from harness.imports.imported import Imported, ImportSettingsError
from harness.imports.ringmaster import import_control_file
from tests.command_line import conform

PLAYOFF = '''
competition_type = "playoff"  # a comment
description = """Two
lines."""

def gnu(level, *, _unused=None):
    "GNU Go."
    return Player("gnugo --mode=gtp --level=%d" % level)

def engine(name, level=3):
    """An engine."""
    return Player(["./engine", "--level", str(level), f"--name={name}"], cwd="~/work",
                  environ={"THREADS": "1"},
                  startup_gtp_commands=[("clock", "0"), "noise {level}".format(level=level)])

LEVELS = [1, 2]
players = {f"gnu-{level}": Player("gnugo --mode=gtp --level=%d" % level) for level in LEVELS}
players["mine"] = engine("mine", level=LEVELS[-1] + 1)
players["spare"] = Player("spare")
for name in ("x", "y"):
    players[name] = Player("./" + name, is_reliable_scorer=False)

board_size = 13
komi = 7
alternating = True
scorer = "internal"
number_of_games = 100
matchups = [Matchup("mine", "gnu-%d" % level) for level in LEVELS]
matchups.append(Matchup("x", "y", board_size=9, komi=0.5, alternating=False, number_of_games=7,
                        handicap=3, handicap_style="free"))
matchups += [Matchup("gnu-1", "gnu-2", number_of_games=0)]
'''


def tables(made: Imported) -> dict[str, Any]:
    """The config as TOML reads it."""
    return tomllib.loads(made.as_toml())


def test_a_playoff_keeps_its_meaning() -> None:
    text = PLAYOFF.replace(", *, _unused=None", "")
    made = import_control_file(text, "my playoff.ctl")
    config = tables(made)
    assert config["run"]["name"] == "my playoff"
    shared = {key: config["run"][key] for key in ("size", "komi", "games", "colours", "scorer", "restart")}
    assert shared == {
        "size": 13, "komi": 7.0, "games": 100, "colours": "alternate", "scorer": "area", "restart": "game",
    }  # fmt: skip
    engines = {engine["name"]: engine for engine in config["engine"]}
    assert list(engines) == ["gnu-1", "gnu-2", "mine", "x", "y"]  # without the spare one
    assert engines["gnu-2"]["command"] == "gnugo --mode=gtp --level=2"
    mine = engines["mine"]
    assert (mine["command"], mine["args"]) == ("./engine", ["--level", "3", "--name=mine"])
    assert (mine["cwd"], mine["env"], mine["inherit_env"]) == ("~/work", {"THREADS": "1"}, True)
    assert mine["gtp"] == ["clock 0", "noise 3"]
    assert config["pair"] == [
        {"black": "mine", "white": "gnu-1"},
        {"black": "mine", "white": "gnu-2"},
        {
            "black": "x", "white": "y", "size": 9, "komi": 0.5, "colours": "fixed", "games": 7,
            "handicap": 3, "handicap_style": "free", "handicap_bonus": "N",
        },
    ]  # fmt: skip
    notes = "\n".join(made.notes)
    for kept_in_no_key in ("spare", "is_reliable_scorer of x", "matchups of 0 games"):
        assert kept_in_no_key in notes
        assert kept_in_no_key in made.as_toml()


def test_an_all_play_all_is_a_round_robin() -> None:
    made = import_control_file(
        """competition_type = 'allplayall'
players = {'a': Player('a -x'), 'b': Player('b'), 'c': Player('c'), 'd': Player('d')}
board_size = 9
komi = 6.5
rounds = 5
competitors = ['a', Competitor('c'), 'b']
""",
        "all.ctl",
    )
    config = parse_config(made.as_toml(), "all.toml")
    assert [engine.name for engine in config.engine] == ["a", "c", "b"]
    assert (config.run.format, config.run.games, config.run.komi) == ("round-robin", 6, 6.5)
    assert config.run.scorer == "players"
    assert any("5 games became 6" in note for note in made.notes)
    assert "players that take no part are left out: d" in made.notes


def test_an_all_play_all_keeps_its_handicap() -> None:
    made = import_control_file(
        "competition_type='allplayall'\nplayers={'a': Player('a'), 'b': Player('b')}\nboard_size=9\n"
        "komi=0.5\nrounds=2\nhandicap=3\nscorer='internal'\ninternal_scorer_handicap_compensation='short'\n"
        "competitors=['a', 'b']\n",
        "x.ctl",
    )
    run = parse_config(made.as_toml(), "x.toml").run
    assert (run.handicap, run.handicap_style, run.handicap_bonus) == (3, "fixed", "N-1")


def test_players_of_matchups_without_games_are_left_out() -> None:
    made = import_control_file(
        "competition_type='playoff'\nplayers={'a': Player('a'), 'b': Player('b'), 'c': Player('c')}\n"
        "board_size=9\nkomi=7.5\nmatchups=[Matchup('a', 'b', number_of_games=4),"
        " Matchup('a', 'c', number_of_games=0)]\n",
        "x.ctl",
    )
    assert [engine["name"] for engine in made.engines] == ["a", "b"]
    assert "players that take no part are left out: c" in made.notes


def test_no_number_of_games_is_no_limit() -> None:
    made = import_control_file(
        "competition_type='playoff'\nplayers={'a': Player('a'), 'b': Player('b')}\n"
        "board_size=9\nkomi=7.5\nmatchups=[Matchup('a', 'b')]\n",
        "x.ctl",
    )
    assert made.run["games"] == 0
    assert made.run["colours"] == "fixed"
    assert any("Ctrl-C" in note for note in made.notes)


@pytest.mark.parametrize(
    "line",
    [
        "import os",
        "from glob import glob",
        "x = open('{path}', 'w')",
        "x = __import__('os').system('touch {path}')",
        "x = (lambda: 1)()",
        "x = ''.__class__",
        "x = '{{0.__class__}}'.format(1)",
        "x = '{{0[0]}}'.format([1])",
        "x = [n for n in (1, 2) if n]",
        "x = exec('1')",
        "while True: pass",
        "x = 'a' * 10**9",
        "x = 'a' * 999999999",
        "x = ['a'] * 100 * 100 * 100",
        "x = f'{{1:999999999}}'",
        "x = '%999999999d' % 1",
        "x = str([1, 2])",
        "x = range(10**9)",
        "for a in range(9000):\n  for b in range(9000):\n    pass",
        "def f(): return f()\nx = f()",
        "def f():\n  y = 1\n  return y\nx = f()",
        "x = y",
        "x = 1 +",
        "x = 'a' + 1",
        "x = [1][7]",
        "class A: pass",
        "x = " + "(" * 300 + "1" + ")" * 300,
        "del x",
        "a, b = 1, 2, 3",
    ],
)  # fmt: skip
def test_what_is_no_data_is_refused_and_not_executed(line: str, tmp_path: Path) -> None:
    path = tmp_path / "made"
    with pytest.raises(ImportSettingsError) as caught:
        read_control_file("competition_type = 'playoff'\n" + line.format(path=path) + "\n")
    assert not path.exists()
    assert "line " in str(caught.value) or "nested" in str(caught.value) or "syntax" in str(caught.value)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("competition_type = 'mc_tuner'", "only playoff and allplayall"),
        ("competition_type = 'playoff'", r'matchups is missing: write .* matchups = \[Matchup\("a", "b"\)\]'),
        ("competition_type = 'playoff'\nmatchups = []", r"matchups is \[\]: write"),
        ("competition_type = 'playoff'\nmatchups = ['a']", r"matchups\[0\] is no Matchup"),
        ("competition_type = 'allplayall'\ncompetitors = ['a', 'b']", "players is missing: write"),
        ("competition_type = 'allplayall'\nplayers = {}\ncompetitors = ['a']", r"players is \{\}: write"),
        (
            "competition_type = 'allplayall'\nplayers = {'a': Player('a'), 'b': 'b'}\ncompetitors = ['a']",
            r"""players\['b'\] is no Player.*write 'b': Player\("command"\)""",
        ),
        (
            "competition_type = 'allplayall'\nplayers = {'a': Player('a')}\ncompetitors = ['a', 'b']",
            "players has no 'b', which plays in this competition",
        ),
        (
            "competition_type = 'allplayall'\nplayers = {'a': Player('a'), 'b': Player('b')}\nrounds = 0\n"
            "board_size=9\nkomi=7\ncompetitors = ['a', 'b']",
            "rounds is 0, so that there is no game",
        ),
        ("competition_type = 'playoff'\nboard_size=9\nkomi=7\nmatchups = [Matchup('a')]", "two players"),
        ("competition_type = 'playoff'\nkomi=7\nmatchups = [Matchup('a', 'b')]", "board_size is missing"),
        (
            "competition_type = 'playoff'\nboard_size='9'\nkomi=7\nmatchups = [Matchup('a', 'b')]",
            "board_size is '9': write it as a number",
        ),
        (
            "competition_type = 'playoff'\nboard_size=9\nkomi=7\nnumber_of_games=2\n"
            "players={'a': Player('a')}\nmatchups = [Matchup('a', 'b')]",
            "no 'b'",
        ),
        (
            "competition_type = 'playoff'\nboard_size=9\nkomi=7\nnumber_of_games=2\n"
            "players={'a': Player(), 'b': Player('b')}\nmatchups = [Matchup('a', 'b')]",
            "no command",
        ),
    ],
)
def test_a_control_file_without_a_match_says_what_is_missing(text: str, said: str) -> None:
    with pytest.raises(ImportSettingsError, match=said):
        import_control_file(text, "x.ctl")


@pytest.mark.parametrize(
    ("player", "games", "matchup", "said"),
    [
        ("' '", "2", "'a'", "'p' has no command"),
        ("'x', environ='x'", "2", "'a'", "environ is 'x', not a dictionary"),
        ("'x', startup_gtp_commands=5", "2", "'a'", "startup_gtp_commands is 5, not a list"),
        ("'x', startup_gtp_commands=[None]", "2", "'a'", "of startup_gtp_commands is None, not a list"),
        ("'x'", "2", "'a', handicap=[2]", "handicap is \\[2\\], not a whole number"),
        ("'x'", "2", "'a', handicap=2, handicap_style=5", "handicap_style is 5, not a word"),
        ("'x'", "'ten'", "'a'", "number of games is 'ten', not a whole number"),
        ("'x'", "2", "['a']", "is \\['a'\\], not a name"),
    ],
)
def test_a_setting_of_another_type_is_named(player: str, games: str, matchup: str, said: str) -> None:
    text = (
        f"competition_type = 'playoff'\nboard_size = 9\nkomi = 7\nnumber_of_games = {games}\n"
        f"players = {{'p': Player({player}), 'a': Player('x')}}\nmatchups = [Matchup('p', {matchup})]\n"
    )
    with pytest.raises(ImportSettingsError, match=said):
        import_control_file(text, "x.ctl")


CUTECHESS = (
    "cutechess-cli -engine cmd=./new name=New arg=--level arg=5 st=2 -engine cmd=./old name=Old dir=/home "
    "-each tc=1:00+0.5 proto=uci -rounds 50 -games 2 -repeat -concurrency 4 "
    "-openings file=book.sgf order=random plies=8 -srand 7 -event Test "
    "-sprt elo0=-2 elo1=4 alpha=0.05 beta=0.1 "
    "-pgnout out.pgn -recover -resign movecount=3 score=400"
)


def test_a_control_file_with_a_null_byte_has_no_line_to_name() -> None:
    with pytest.raises(ImportSettingsError, match=r"^a control file has the syntax of Python"):
        read_control_file("players = {}\0")


def test_a_cutechess_line_keeps_its_meaning() -> None:
    made = import_chess_command(CUTECHESS)
    config = parse_config(made.as_toml().replace(', plies = 8, order = "random"', ""), "x.toml")
    assert (config.run.name, config.run.games, config.run.workers, config.run.seed) == ("Test", 100, 4, 7)
    assert tables(made)["run"]["openings"] == {
        "kind": "sgf", "files": ["book.sgf"], "plies": 8, "order": "random",
    }  # fmt: skip
    new, old = tables(made)["engine"]
    assert (new["command"], new["args"], new["byoyomi"]) == (
        "./new",
        ["--level", "5"],
        {"time": 2.0, "stones": 1},
    )
    assert "increment" not in new  # its own time in place of that of -each
    assert (old["cwd"], old["main_time"], old["increment"]) == ("/home", 60.0, 0.5)
    judge = config.judge.model_dump()
    assert {key: judge[key] for key in ("kind", "elo0", "elo1", "alpha", "beta", "model")} == {
        "kind": "sprt", "elo0": -2.0, "elo1": 4.0, "alpha": 0.05, "beta": 0.1, "model": "logistic",
    }  # fmt: skip
    notes = "\n".join(made.notes)
    for part in ("-pgnout out.pgn", "-resign movecount=3 score=400", "proto=uci"):
        assert part in notes
    assert "-recover" not in notes  # a match does that anyway


def test_fastchess_plays_pairs_and_means_normalized_elo() -> None:
    made = import_chess_command(
        'fastchess -engine cmd=a name=x args="-v --size 9" nodes=100 -engine cmd=a name=x tc=inf '
        "-rounds 10 -repeat -sprt elo0=0 elo1=5"
    )
    config = parse_config(made.as_toml(), "x.toml")
    assert config.run.games == 20
    assert made.judge["model"] == "normalized"
    assert [engine.name for engine in config.engine] == ["x", "x-2"]
    assert made.engines[0]["args"] == ["-v", "--size", "9"]
    assert config.engine[0].playouts == 100


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("-engine name=a", "no cmd="),
        ("-engine conf=a", "engines.json"),
        ("-engine cmd=a -rounds many", "-rounds is 'many'"),
        ("-engine cmd=a -srand 4294967295", "not a whole number of 1 to 9 digits"),
        ("-engine cmd=a tc=fast", "tc is 'fast'"),
        ("-engine cmd=a loose", "KEY=VALUE"),
        ("fastchess stray -engine cmd=a", "before the first option"),
        ("-engine 'cmd=a", "not a command line"),
    ],
)
def test_a_line_that_cannot_be_read_says_why(line: str, said: str) -> None:
    with pytest.raises(ImportSettingsError, match=said):
        import_chess_command(line)


@pytest.mark.parametrize(
    "value",
    ["", 'quote " and \\', "tab\there", "\x7f\x01", "grün – 囲碁 🙂", True, 7, -0.5, ["a", 1], {"a b": [1]}],
)  # fmt: skip
def test_values_come_back_from_toml(value: object) -> None:
    assert tomllib.loads(f"key = {toml_value(value)}") == {"key": value}


def test_moves_in_a_time_are_canadian_byoyomi() -> None:
    made = import_chess_command("-engine cmd=a tc=40/1:30+1 -engine cmd=b -rounds 2")
    assert made.engines[0]["byoyomi"] == {"time": 90.0, "stones": 40}
    assert "increment" not in made.engines[0]
    assert any("exclude an increment" in note for note in made.notes)
    assert parse_config(made.as_toml(), "x.toml").run.games == 2


def test_the_command_writes_a_config_once(tmp_path: Path) -> None:
    line = ["init", str(tmp_path), "--from-cutechess", "-engine cmd=a name=a -engine cmd=b name=b -rounds 2"]
    first = conform(*line)
    assert first.returncode == 0, first.stderr
    assert "note: " in first.stdout
    assert parse_config((tmp_path / "match.toml").read_text(), "x").run.games == 2
    again = conform(*line)
    assert (again.returncode, "exists" in again.stderr) == (2, True)
    assert conform(*line, "--force").returncode == 0


def test_the_command_names_the_line_of_a_control_file(tmp_path: Path) -> None:
    source = tmp_path / "x.ctl"
    source.write_text("competition_type = 'playoff'\nimport os\n")
    done = conform("init", str(tmp_path), "--from", str(source))
    assert done.returncode == 2
    assert "line 2: import os" in done.stderr


def test_the_page_has_every_setting_that_an_import_knows() -> None:
    page = (Path(__file__).parents[3] / "docs" / "coming-from.md").read_text()
    known = {*ringmaster._NOT_KEPT, "competition_type", "players", "matchups", "competitors", "rounds"}
    known |= {"description", "record_games", "stderr_to_log"}
    known |= {*chess_command._NOT_KEPT, *chess_command._WITHOUT_NOTE}
    known |= {f"{name}=" for name in ("cmd", "arg", "args", "dir", "tc", "st", "nodes", "restart")}
    known |= chess_command._ENGINE_NOTES.keys()
    assert [name for name in sorted(known) if f"`{name}`" not in page and f"`{name}=`" not in page] == []


def test_a_startup_limit_holds_for_every_engine_wherever_it_stands() -> None:
    made = import_chess_command("fastchess -engine cmd=a -startup-ms 2500 -engine cmd=b")
    assert [engine["startup"] for engine in made.engines] == [2.5, 2.5]


def test_no_games_become_a_pair_of_games() -> None:
    made = import_chess_command("-engine cmd=a -engine cmd=b -games 0")
    assert parse_config(made.as_toml(), "x.toml").run.games == 2
    assert any(note.startswith("0 games became 2") for note in made.notes)


def test_an_unknown_restart_is_noted() -> None:
    made = import_chess_command("-engine cmd=a restart=never -engine cmd=b restart=on -rounds 2")
    assert made.run["restart"] == "game"
    assert "restart=never: this setting is not known" in made.notes


def test_words_of_an_engine_without_a_value_are_noted() -> None:
    made = import_chess_command(
        "cutechess-cli -engine cmd=a ponder trust -each whitepov -engine cmd=b -rounds 2"
    )
    assert [engine["command"] for engine in made.engines] == ["a", "b"]
    for word in ("ponder", "trust", "whitepov"):
        assert any(note.startswith(f"{word}: ") for note in made.notes)


def test_a_command_with_an_open_quote_is_one_word() -> None:
    made = import_chess_command('cutechess-cli -engine "cmd=./it\'s" -engine cmd=b -rounds 2')
    command = parse_config(made.as_toml(), "x.toml").engine[0].command
    assert shlex.split(command) == ["./it's"]
