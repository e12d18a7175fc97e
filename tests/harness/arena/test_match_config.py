from pathlib import Path

import pytest

from harness.arena.config.examples import example_names, example_text
from harness.arena.config.opening_tables import RandomOpenings, SgfOpenings
from harness.arena.config.reader import ConfigError, load_config, parse_config
from harness.arena.config.tables import MatchConfig

TWO = '[[engine]]\nname = "a"\ncommand = "x"\n[[engine]]\nname = "b"\ncommand = "y"\n'

TEN_MISTAKES = """\
[run]
gmaes = 10
size = 26
komi = "7.5"
games = 101
stop = "desided"
openings = { kind = "random", mvoes = 3 }

[[engine]]
name = "a"
comand = "refbot gtp"
[[engine]]
name = "b"
command = "refbot gtp --playouts {playouts}"
memory_mb = 0

[schedule]
cron = "* * * * *"
timezone = "Erope/Berlin"
"""


def mistakes(text: str) -> list[tuple[int | None, str, str]]:
    with pytest.raises(ConfigError) as caught:
        parse_config(text, "test.toml")
    return [(mistake.line, mistake.where, mistake.what) for mistake in caught.value.mistakes]


def test_a_time_is_a_number_of_seconds_or_a_duration() -> None:
    config = parse_config(f'[run]\ntimeout = "2m"\nmain_time = "1.5h"\n{TWO}startup = 45\n', "test.toml")
    assert (config.run.timeout, config.run.main_time) == (120.0, 5400.0)
    assert [engine.startup for engine in config.engine] == [30.0, 45.0]
    assert parse_config(f"[run]\ntimeout = 120\n{TWO}", "test.toml").run.timeout == config.run.timeout
    refused = "should be a positive number of seconds, or a duration such as \"2m\", not '2 weeks'"
    assert mistakes(f'[run]\ntimeout = "2 weeks"\n{TWO}') == [(2, "[run] timeout", refused)]


def test_a_limit_that_the_kernel_cannot_count_is_a_mistake() -> None:
    (mistake,) = mistakes(f"{TWO}memory_mb = 9999999999999999999999\n")
    assert mistake[2].startswith("should be less than or equal to 1099511627776")


def test_ten_mistakes_are_reported_at_once_each_with_its_place() -> None:
    assert mistakes(TEN_MISTAKES) == [
        (2, "[run] gmaes", "unknown key: did you mean 'games'?"),
        (3, "[run] size", "should be less than or equal to 25, not 26"),
        (4, "[run] komi", "should be a valid number, not '7.5'"),
        (5, "[run] games", "must be even, not 101: each opening is played twice, colours exchanged"),
        (6, "[run] stop", "should be 'never' or 'decided', not 'desided'; did you mean 'decided'?"),
        (7, "[run] openings.mvoes", "unknown key: did you mean 'moves'?"),
        (9, "[[engine]] 1 command", "is missing"),
        (11, "[[engine]] 1 comand", "unknown key: did you mean 'command'?"),
        (14, "[[engine]] 2 command", "has {playouts}, but the engine has no playouts"),
        (15, "[[engine]] 2 memory_mb", "should be greater than or equal to 1, not 0"),
        (19, "[schedule] timezone", "no such time zone: 'Erope/Berlin', expected one such as Europe/Berlin"),
    ]


def test_the_text_of_the_error_names_file_and_line_of_each() -> None:
    with pytest.raises(ConfigError) as caught:
        parse_config(TEN_MISTAKES, "my.toml")
    lines = str(caught.value).splitlines()
    assert len(lines) == 11
    assert lines[0] == "my.toml:2: [run] gmaes: unknown key: did you mean 'games'?"


def test_an_engine_without_a_name_is_no_referee() -> None:
    assert mistakes(TWO.replace('name = "b"\n', "")) == [(4, "[[engine]] 2 name", "is missing")]


def test_a_referee_that_is_no_text_is_one_mistake() -> None:
    assert [where for _, where, _ in mistakes("[run]\nreferee = 5\n" + TWO)] == ["[run] referee"]


@pytest.mark.parametrize(
    ("text", "where", "what"),
    [
        ("[run]\ngames = 2\n", "[[engine]]", "is missing"),
        (TWO[: TWO.index("[[engine]]", 5)], "[[engine]]", "at least two engines are needed, not 1"),
        (TWO + "[reprot]\n", "[reprot]", "unknown key: did you mean 'report'?"),
        (TWO + "setup = ['komi 5']\n", "[[engine]] 2 setup", "are gtp"),
        (TWO + "[zzz]\n", "[zzz]", "unknown key (known: run, judge, engine, pair, schedule, report)"),
        ("none = 1\n" + TWO, "[none]", "unknown key (known: run, judge, engine, pair, schedule, report)"),
        ("[run]\nsgf = 1\n" + TWO, "[run] sgf", "unknown key (known: "),
        (
            '[run]\nopenings = { kind = "random", sgf = 1 }\n' + TWO,
            "[run] openings.sgf",
            "unknown key (known: kind, moves)",
        ),
        (TWO + "env = { none = 2 }\n", "[[engine]] 2 env.none", "should be a valid string, not 2"),
        ("run = 3\n" + TWO, "[run]", "should be a table, not 3"),
        (
            TWO.replace('"b"', '"a"'),
            "[[engine]] 1 name",
            "'a' is the name of several engines; names must differ",
        ),
        (TWO.replace('"b"', '"\\u001b[2J"'), "[[engine]] 2 name", "must be printable, without spaces"),
        (TWO + '[run]\nname = "../up"\n', "[run] name", "must be usable as the name of a folder"),
        (TWO + "[run]\nkomi = nan\n", "[run] komi", "finite"),
        (TWO + "[run]\ngames = true\n", "[run] games", "should be a valid integer, not true"),
        (TWO + '[run]\naffinity = "on"\n', "[run] affinity", "should be 'auto', true or false, not 'on'"),
        (TWO + '[run]\nopenings = "sgf"\n', "[run] openings.files", "is missing"),
        (TWO + '[run]\nopenings = "book"\n', "[run] openings", 'must be "none", "random" or a table'),
        (TWO + "[report]\nformats = ['cvs']\n", "[report] formats.0", "did you mean 'csv'?"),
        (
            TWO + '[[engine]]\nname = "c"\ncommand = "z"\n[run]\nformat = "pair"\n',
            "[run] format",
            "a pair has two engines, not 3",
        ),
    ],
)
def test_a_mistake_is_reported_with_its_place(text: str, where: str, what: str) -> None:
    found = mistakes(text)
    assert any(place == where and what in words for _, place, words in found), found


def test_what_is_no_toml_is_reported_with_its_line() -> None:
    assert mistakes("[run]\n\ngames = \n") == [(3, "", "is not TOML: invalid value")]


def test_a_file_that_is_not_there_or_not_text(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="cannot be read: no such file"):
        load_config(tmp_path / "none.toml")
    (tmp_path / "binary.toml").write_bytes(b"\xff\xfe")
    with pytest.raises(ConfigError, match="not a text file"):
        load_config(tmp_path / "binary.toml")


def test_openings_may_be_a_word_or_a_table() -> None:
    assert parse_config(TWO + '[run]\nopenings = "random"', "").run.openings == RandomOpenings()
    six = parse_config(TWO + '[run]\nopenings = { kind = "random", moves = 6 }', "").run.openings
    assert six == RandomOpenings(moves=6)
    sgf = parse_config(TWO + '[run]\nopenings = { kind = "sgf", files = ["a.sgf"] }', "").run.openings
    assert sgf == SgfOpenings(files=("a.sgf",))


def test_a_config_survives_being_stored() -> None:
    config = parse_config(TWO + '[run]\nopenings = { kind = "random", moves = 6 }\nkomi = 7\n', "")
    assert MatchConfig.model_validate_json(config.model_dump_json()) == config


def test_playouts_stand_in_for_their_word() -> None:
    text = TWO.replace('"x"', '"bot --n {playouts}"\nplayouts = 30')
    assert parse_config(text, "").engine[0].launch().command == "bot --n 30"


@pytest.mark.parametrize("name", example_names())
def test_the_configs_that_come_with_the_package_are_right(name: str) -> None:
    assert parse_config(example_text(name), name).run.name == Path(name).stem


@pytest.mark.parametrize(
    ("table", "wanted"),
    [
        ("elo0 = 10\nelo1 = 5", (2, "[judge] elo1", None)),
        ("elo2 = 5", (2, "[judge] elo2", "unknown key: did you mean 'elo")),
        ("margin = 0.1", (2, "[judge] margin", None)),
        ("alpha = 0.6", (2, "[judge] alpha", None)),
    ],
)
def test_mistakes_in_the_question_are_reported(table: str, wanted: tuple[int, str, str | None]) -> None:
    ((_, where, what),) = mistakes(f'[judge]\n{table}\nkind = "sprt"\n{TWO}')
    assert where == wanted[1]
    assert what.startswith(wanted[2] or "")


def test_an_unknown_kind_of_question_is_refused_with_the_known_ones() -> None:
    ((_, where, what),) = mistakes(f'[judge]\nkind = "elo"\n{TWO}')
    assert where.startswith("[judge]")
    assert '"parity", "sprt" or "stronger"' in what


def test_keys_of_parity_are_refused_beside_another_question() -> None:
    found = mistakes(f'[run]\nstop = "never"\nmargin = 0.1\n[judge]\nkind = "stronger"\n{TWO}')
    assert [where for _, where, _ in found] == ["[run] stop", "[run] margin"]


def test_a_question_ends_its_pairs_when_it_is_decided_by_default() -> None:
    for text, stop in (
        ("", "never"),
        ('[run]\nstop = "decided"\n', "decided"),
        ('[judge]\nstop = "decided"\n', "decided"),
        ('[judge]\nkind = "sprt"\n', "decided"),
        ('[judge]\nkind = "sprt"\nstop = "never"\n', "never"),
        ('judge = "stronger"\n', "decided"),
    ):
        assert parse_config(text + TWO, "test.toml").stop == stop
