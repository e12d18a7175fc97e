"""Control files that use every setting of the ringmaster mean the same games as the configs made from them.

The slow twin runs a control file as Python, with calls that only keep what they get, and writes down the
games by the words of the ringmaster's manual.
"""

from __future__ import annotations

import shlex
from collections import Counter
from itertools import combinations
from typing import Any, NamedTuple

import pytest

from harness.arena.config.pairs import pairs_of
from harness.arena.config.reader import parse_config
from harness.arena.config.tables import EngineTable, MatchConfig
from harness.imports.ringmaster import import_control_file

EVERYTHING = """
competition_type = "playoff"
description = "First line.\\nSecond line."
record_games = False
stderr_to_log = False
board_size = 13
komi = 5.5
alternating = True
handicap = 3
handicap_style = "free"
move_limit = 400
scorer = "internal"
internal_scorer_handicap_compensation = "short"
number_of_games = 40

def bot(level, name="bot"):
    "A bot."
    return Player(
        ["~/bin/bot", "--level", str(level), "two words", "--name=%s" % name],
        cwd="~/work",
        environ={"THREADS": "1", "LEVEL": str(level)},
        startup_gtp_commands=["time_settings 0 5 1", ("noise", "0.5"), ["seed", level]],
        gtp_aliases={"genmove": "slow_genmove"},
        is_reliable_scorer=False,
        allow_claim=True,
        discard_stderr=True,
        sgf_player_name_from_gtp=False,
    )

players = {f"bot-{level}": bot(level, name=f"b{level}") for level in range(1, 4)}
players["plain"] = Player("gnugo --mode=gtp --level 1")
players["named"] = Player(command="gnugo --mode gtp 'a b'")
players["unused"] = Player("unused")

matchups = [Matchup(f"bot-{level}", "plain") for level in range(1, 4)]
matchups.append(Matchup("named", "plain", id="one", name="One", board_size=9, komi=0.5, alternating=False,
                        handicap=2, handicap_style="fixed", number_of_games=7,
                        internal_scorer_handicap_compensation="full"))
matchups += [
    Matchup("plain", "bot-1", handicap=None, number_of_games=40),
    Matchup("plain", "bot-2", internal_scorer_handicap_compensation="no", move_limit=100),
    Matchup("plain", "bot-3", number_of_games=0),
]
"""
DEFAULTS = """
competition_type = "playoff"
players = {"a": Player("a"), "b": Player("b -x"), "c": Player(["c"])}
board_size = 19
komi = 7.5
matchups = [Matchup("b", "a"), Matchup("a", "c", alternating=True), Matchup("c", "b", number_of_games=5)]
"""
ENDLESS = """
competition_type = "playoff"
players = {"a": Player("a"), "b": Player("b")}
board_size, komi = 9, 7
number_of_games = None
alternating = True
matchups = [Matchup("a", "b"), Matchup("b", "a", komi=6.5)]
"""
ONE_GAME = """
competition_type = "playoff"
players = {"a": Player("a"), "b": Player("b")}
board_size = 9
komi = 7
matchups = [Matchup("a", "b", number_of_games=1), Matchup("b", "a", number_of_games=1)]
"""
LEAGUE = """
competition_type = "allplayall"
description = "A league."
players = {}
for number in range(4):
    players["p%d" % number] = Player("engine --seed {}".format(number), environ={"N": str(number)})
board_size = 13
komi = 6.5
move_limit = 300
scorer = "internal"
rounds = 20
competitors = ["p0", Competitor("p2"), Competitor(player="p3")]
"""
ENDLESS_LEAGUE = """
competition_type = "allplayall"
players = {"a": Player("a"), "b": Player("b"), "c": Player("c")}
board_size = 9
komi = 7.5
competitors = ["c", "a", "b"]
"""
FILES = {
    "everything": EVERYTHING,
    "defaults": DEFAULTS,
    "endless": ENDLESS,
    "one game": ONE_GAME,
    "league": LEAGUE,
    "endless league": ENDLESS_LEAGUE,
}


class Called(NamedTuple):
    """A call in a control file."""

    given: tuple[Any, ...]
    named: dict[str, Any]


class Match(NamedTuple):
    """What a pairing of the ringmaster plays. `games` None: no end. `bonus`: by our own count alone."""

    black: str
    white: str
    games: int | None
    alternating: bool
    size: int
    komi: float
    handicap: int
    style: str
    bonus: str


class Program(NamedTuple):
    """A player: how it is started, and what it gets first."""

    words: list[str]
    cwd: str | None
    environ: dict[str, str]
    commands: list[str]


BONUSES = {"full": "N", "short": "N-1", "no": "none"}
UNLESS_GIVEN: dict[str, Any] = {
    "alternating": False,
    "handicap": None,
    "handicap_style": "fixed",
    "scorer": "players",
    "internal_scorer_handicap_compensation": "full",
    "number_of_games": None,
}


def run_file(text: str) -> dict[str, Any]:
    def kept(*given: Any, **named: Any) -> Called:
        return Called(given, named)

    names: dict[str, Any] = {"Player": kept, "Matchup": kept, "Competitor": kept}
    exec(text, names)
    return {**UNLESS_GIVEN, **names}


def twin_match(settings: dict[str, Any], black: str, white: str) -> Match:
    alternating = settings["alternating"]
    games, handicap = settings["number_of_games"], settings["handicap"] or 0
    if games is not None and alternating:
        games += games % 2  # as the note says
    counted = handicap and settings["scorer"] == "internal"
    return Match(
        black,
        white,
        games,
        alternating,
        settings["board_size"],
        float(settings["komi"]),
        handicap,
        settings["handicap_style"] if handicap else "fixed",
        BONUSES[settings["internal_scorer_handicap_compensation"]] if counted else "none",
    )


def twin(text: str) -> tuple[Counter[Match], dict[str, Program], str]:
    """The pairings, the players and the scorer of a control file."""
    settings = run_file(text)
    if settings["competition_type"] == "playoff":
        calls = [call for call in settings["matchups"] if call.named.get("number_of_games") != 0]
        matches = [twin_match({**settings, **call.named}, *call.given) for call in calls]
    else:
        own = {**settings, "number_of_games": settings.get("rounds"), "alternating": True}
        names = [
            each if isinstance(each, str) else [*each.given, *each.named.values()][0]
            for each in settings["competitors"]
        ]
        matches = [twin_match(own, *pair) for pair in combinations(names, 2)]
    used = {name for match in matches for name in match[:2]}
    return (
        Counter(matches),
        {name: twin_program(settings["players"][name]) for name in used},
        settings["scorer"],
    )


def twin_program(call: Called) -> Program:
    named = call.named
    command = call.given[0] if call.given else named["command"]
    return Program(
        shlex.split(command) if isinstance(command, str) else list(command),
        named.get("cwd"),
        named.get("environ", {}),
        [
            line if isinstance(line, str) else " ".join(map(str, line))
            for line in named.get("startup_gtp_commands", ())
        ],
    )


def matches_of(config: MatchConfig) -> Counter[Match]:
    """The pairs of a config."""
    found: Counter[Match] = Counter()
    for pair in pairs_of(config, [engine.name for engine in config.engine]):
        run = config.run_of(pair.number)
        games = run.games or None
        found[
            Match(
                pair.first,
                pair.second,
                games,
                not pair.fixed,
                run.size,
                run.komi,
                run.handicap,
                run.handicap_style,
                run.handicap_bonus,
            )
        ] += 1
    return found


def program_of(engine: EngineTable) -> Program:
    cwd = None if engine.cwd is None else str(engine.cwd)
    return Program(shlex.split(engine.launch().command), cwd, dict(engine.env), list(engine.gtp))


@pytest.mark.parametrize("name", FILES)
def test_a_config_means_what_its_control_file_means(name: str) -> None:
    matches, programs, scorer = twin(FILES[name])
    made = import_control_file(FILES[name], "league.ctl")
    config = parse_config(made.as_toml(), "league.toml")
    assert matches_of(config) == matches
    assert {engine.name: program_of(engine) for engine in config.engine} == programs
    assert config.run.scorer == ("area" if scorer == "internal" else "players")
    assert config.run.restart == "game"
    assert all(engine.inherit_env is True for engine in config.engine)
    assert all(limit >= 3600 for engine in config.engine for limit in (engine.startup, config.run.timeout))


def test_every_setting_that_is_not_kept_is_noted_and_the_description_is() -> None:
    made = import_control_file(EVERYTHING, "league.ctl")
    notes = "\n".join(made.notes)
    for setting in (
        "gtp_aliases", "is_reliable_scorer", "allow_claim", "discard_stderr", "move_limit", "unused",
        "id", "name",
    ):  # fmt: skip
        assert setting in notes
    assert "sgf_player_name_from_gtp" not in notes  # False is what we do
    assert "\n# First line.\n# Second line.\n" in made.as_toml()


def test_a_match_without_a_number_of_games_has_no_end() -> None:
    for text in (ENDLESS, ENDLESS_LEAGUE):
        made = import_control_file(text, "league.ctl")
        assert parse_config(made.as_toml(), "league.toml").run.games == 0
        assert any("has no end" in note for note in made.notes)
