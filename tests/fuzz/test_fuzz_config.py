"""Any text as a match config: it is read, or refused in words; an engine of it starts, or is refused."""

import random
from collections import Counter

import pytest

from harness.arena.config.playable import check_playable
from harness.arena.config.reader import ConfigError, parse_config
from harness.arena.errors import MatchError
from tests.fuzz.cases import Cases

VALUES = (
    *(
        '"x"',
        '""',
        '"\\u0000"',
        '"\\u001b[31m"',
        '"[/x]"',
        '"{playouts}"',
        '"{x}"',
        '"../../x"',
        '"/"',
        '"."',
    ),
    *("1", "-1", "0", "2", "5", "9", "19", "1e300", "-1e300", "inf", "nan", "-inf", "9" * 22, "9" * 5_000),
    *(
        "-" + "9" * 5_000,
        "0x" + "f" * 5_000,
        "1." + "0" * 5_000,
        "9223372036854775808",
        "true",
        "[]",
        '["x"]',
    ),
    *("[[]]", "{}", '{kind = "sgf", files = ["/nonexistent/*"]}', '{kind = "sgf", files = ["["]}'),
    *('{kind = "sgf", files = ["\\u0000"]}', '{kind = "sgf", files = ["~nobody-here/x"]}', "{kind = []}"),
    *(
        '{kind = "random", moves = 60}',
        "{kind = {}}",
        '"random"',
        '"sgf"',
        "1979-05-27T07:32:00Z",
        "07:32:00",
    ),
    *('"' + "x" * 100_000 + '"', '"\\U0010FFFF"', '"never"', '"decided"', '"pair"', '"gauntlet"', '"@daily"'),
    *(
        '"* * * * *"',
        '"Europe/Berlin"',
        '"../etc/passwd"',
        '"\\"\'"',
        '"~nobody-here"',
        "[" * 3_000 + "]" * 3_000,
    ),
    "{a = " * 500 + "1" + "}" * 500,
)
KEYS = {
    "": ("run", "engine", "schedule", "report", "other", '"[9x9]"'),
    "[run]": (
        *("name", "size", "komi", "games", "openings", "seed", "format", "workers", "affinity", "timeout"),
        *("main_time", "restart", "bench_after", "ask_ref", "margin", "alpha", "beta", "stop", '""', "x.y"),
        *('"\\u0000"', '"[/x]"', '"\\u001b[2J"', "__class__", "increment", "byoyomi", "byoyomi.time", "skip"),
    ),
    "[[engine]]": (
        *("timeout", "main_time", "increment", "byoyomi", "byoyomi.stones", "quit", "dropped"),
        *("gtp", "gtp_game", "args", "inherit_env"),
        *(
            "name",
            "command",
            "playouts",
            "env",
            "cwd",
            "startup",
            "memory_mb",
            "env.X",
            'env."A=B"',
            'env.""',
        ),
        *('env."\\u0000"', '"[/x]"'),
    ),
    "[schedule]": ("cron", "timezone", "misfire"),
    "[report]": ("formats", "keep"),
}
TABLES = (
    ("", ()),
    ("[run]", ("size = 5", "games = 2")),
    ("[[engine]]", ('name = "a"', 'command = "true"')),
    ("[[engine]]", ('name = "b"', 'command = "true"')),
    ("[schedule]", ('cron = "0 0 * * *"',)),
    ("[report]", ()),
)
NOISE = '[]"=\n\x00\x1b\u2028{}.#'


def config(seed: int) -> str:
    """A right config with up to three values exchanged, and sometimes one character."""
    rng = random.Random(seed)
    edits = Counter(rng.randrange(len(TABLES)) for _ in range(rng.choice((1, 1, 2, 3))))
    lines = []
    for number, (header, body) in enumerate(TABLES):
        kept = list(body)
        for _ in range(edits[number]):
            key = rng.choice(KEYS[header])
            kept = [line for line in kept if not line.startswith(f"{key} ")]
            kept.append(f"{key} = {rng.choice(VALUES)}")
        lines += [header, *kept]
    characters = list("\n".join(lines))
    if rng.random() < 0.2:
        characters[rng.randrange(len(characters))] = rng.choice(NOISE)
    return "".join(characters)


def test_any_config_is_read_or_refused_in_words(cases: Cases) -> None:
    outcomes: Counter[str] = Counter()
    for seed in cases(300):
        try:
            read = parse_config(config(seed), "match.toml")
            if read.run.openings.kind != "random":  # drawing takes time, and no text from the config
                check_playable(read)
            outcomes["playable"] += 1
        except ConfigError as error:
            outcomes["refused" if str(error).startswith("match.toml") else "without a place"] += 1
        except MatchError:
            outcomes["not playable"] += 1
    assert outcomes.keys() == {"playable", "refused", "not playable"}


@pytest.mark.parametrize("text", ["x = " + "[" * 3_000, "x = " + "9" * 5_000, "\ud800 = 1", 'x = "\ud800"'])
def test_what_python_itself_refuses_is_refused_in_words(text: str) -> None:
    with pytest.raises(ConfigError):
        parse_config(text, "match.toml")
