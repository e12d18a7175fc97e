"""The model of a right bot: what it wants as an answer, and what it leaves open."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from harness.check.play_rules import FREE_RULES, PlayRules
from harness.explore.abilities import SHOWN_BY, Abilities, Feature, lacking_features
from harness.explore.dialogue_machine import dialogue_session
from harness.explore.dice import Dice
from harness.explore.game_model import GameModel
from harness.explore.spelling import odd_features, plain, spell
from harness.explore.wanted import Command, Kind, read_line
from harness.suite.registry import find

ALL = Abilities((2, 3, 5, 9), frozenset({"undo", "final_score", "ref-nodes", "ref-score"}))


def wants(*lines: str, abilities: Abilities = ALL) -> Kind | None:
    """What the model wants as the answer to the last line, after the lines before have been obeyed."""
    model = GameModel(abilities)
    kind = None
    for line in lines:
        command = read_line(line)
        assert command is not None
        wanted = model.wanted(command)
        kind = None if wanted is None else wanted.kind
        if kind in (Kind.SUCCESS, Kind.TEXT, Kind.EITHER):
            model.apply_success(command)
    return kind


def obey(model: GameModel, *lines: str) -> None:
    """Let the model see that each of these lines succeeded."""
    for line in lines:
        command = read_line(line)
        assert command is not None
        model.apply_success(command)


def clause_of_refused_move(moves: Sequence[str], move: str, abilities: Abilities = ALL) -> str:
    """The clause that an engine breaks if it refuses a right move, on 3x3 after these moves."""
    model = GameModel(abilities)
    obey(model, "boardsize 3", "clear_board", *(f"play {played}" for played in moves))
    refused = Command(None, "play", tuple(move.split()))
    wanted = model.wanted(refused)
    assert wanted is not None
    assert wanted.kind is Kind.SUCCESS
    return model.clause_of_refused(refused, wanted)


EMPTY = ("boardsize 5", "clear_board")
SUICIDE = replace(ALL, rules=PlayRules(suicide="allowed", superko="simple", passing="free"))
SURROUNDED = (*EMPTY, "play w A2", "play w B1")
KO = ("b C3", "b B2", "w A2", "b A3", "w B3")
"""On 3x3, White has just taken the stone at A3 in a ko."""


def test_where_suicide_is_allowed_that_of_one_stone_is_open() -> None:
    assert wants(*SURROUNDED, "play b A1") is Kind.REFUSAL
    assert wants(*SURROUNDED, "play b A1", abilities=SUICIDE) is None
    assert wants(*SURROUNDED, "play w A1", abilities=SUICIDE) is Kind.SUCCESS


@pytest.mark.parametrize("komi", ["0.25", "-3", "400"])
def test_an_engine_may_take_whole_and_half_points_only(komi: str) -> None:
    """KataGo does. The reference bot takes every komi from -400 to 400."""
    others = ALL.without(lacking_features(lambda command: not command.startswith("ref-")))
    assert wants(f"komi {komi}") is Kind.SUCCESS
    assert wants(f"komi {komi}", abilities=others) is None
    assert wants("komi 6.5", abilities=others) is Kind.SUCCESS


def test_after_a_generated_suicide_of_one_stone_the_board_is_undefined_until_clear_board() -> None:
    model = GameModel(SUICIDE)
    obey(model, *SURROUNDED)
    model.apply_genmove("b", "A1")
    assert model.wanted(Command(None, "play", ("w", "C3"))) is None
    model.apply_success(Command(None, "clear_board", ()))
    assert model.wanted(Command(None, "play", ("w", "C3"))) is not None


@pytest.mark.parametrize(
    ("lines", "kind"),
    [
        (("boardsize 4",), None),  # a size that the bot need not have
        (("boardsize 1000",), Kind.REFUSAL),
        (("boardsize abc",), Kind.REFUSAL),
        (("boardsize 9.5",), None),  # a SHOULD
        (("clear_board",), None),  # on a board of unknown size
        (("boardsize 5", "play b A1"), None),  # the board is arbitrary until clear_board
        ((*EMPTY, "play b A1"), Kind.SUCCESS),
        ((*EMPTY, "play b A1", "play w A1"), Kind.REFUSAL),
        ((*EMPTY, "play b A6"), Kind.REFUSAL),
        ((*EMPTY, "play x A1"), Kind.REFUSAL),
        ((*EMPTY, "play w A2", "play w B1", "play b A1"), Kind.REFUSAL),
        ((*EMPTY, "play b resign"), Kind.REFUSAL),
        ((*EMPTY, "play b"), Kind.REFUSAL),
        ((*EMPTY, "genmove"), None),  # some bots move for the side whose turn it is
        ((*EMPTY, "genmove x"), Kind.REFUSAL),
        ((*EMPTY, "komi 7,5"), None),
        ((*EMPTY, "komi nan"), Kind.REFUSAL),
        ((*EMPTY, "komi inf"), None),
        (("known_command",), Kind.ANSWER),
        (("name",), Kind.LINE),
        (("list_commands",), Kind.COMMANDS),
        (("time_settings 0 30 1",), None),  # a bot may know more commands than it lists
        ((*EMPTY, "komi abc"), Kind.REFUSAL),
        ((*EMPTY, "undo"), Kind.REFUSAL),
        ((*EMPTY, "play b A1", "undo"), Kind.SUCCESS),
        ((*EMPTY, "play b A1", "play w B1", "undo", "undo"), Kind.EITHER),  # a short history is allowed
        ((*EMPTY, "ref-nodes"), None),  # before the first search
        (("no_such_command",), Kind.REFUSAL),
        (("quit",), None),
    ],
)
def test_wanted_answers(lines: tuple[str, ...], kind: Kind | None) -> None:
    assert wants(*lines) is kind


def test_a_ko_may_be_refused_only_by_bots_that_do_so() -> None:
    ko = (*EMPTY, "play b B2", "play w A3", "play b C1", "play w A2", "play b pass", "play w B1", "play b A1")
    assert wants(*ko, "play w B1") is Kind.REFUSAL
    assert wants(*ko, "play w B1", abilities=ALL.without({Feature.REPETITION})) is None


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 200), st.integers(0, 50))
def test_every_line_of_a_session_is_plain_or_says_what_is_odd(seed: int, number: int) -> None:
    for line in dialogue_session(seed, number, Abilities((2, 3), ALL.commands)):
        assert plain(line) == plain(plain(line))
        assert not odd_features(plain(line))
        assert line == plain(line) or odd_features(line)


@given(st.integers(0, 10**6), st.sampled_from(("play b C3", "genmove w", "komi 7.5", "play w pass")))
def test_odd_spelling_means_the_same(seed: int, line: str) -> None:
    written = read_line(spell(line, Dice("test", seed), frozenset(Feature)))
    assert written is not None
    assert plain(" ".join((written.name, *written.arguments))) == line


def test_nothing_odd_is_written_for_a_bot_without_the_feature() -> None:
    abilities = ALL.without(set(Feature) - {Feature.KOMI})
    lines = [line for number in range(40) for line in dialogue_session(3, number, abilities)]
    assert len(lines) > 100
    assert all(plain(line) == line for line in lines)
    assert not {"undo", "ref-nodes"} & set(lines)


def test_the_same_seed_gives_the_same_sessions() -> None:
    first = [dialogue_session(5, number, ALL) for number in range(20)]
    assert first == [dialogue_session(5, number, ALL) for number in range(20)]
    assert first != [dialogue_session(6, number, ALL) for number in range(20)]


def test_a_line_may_hold_comments_blank_lines_and_control_characters() -> None:
    assert read_line("# play b A1\n\t\n7 pl\x07ay\tb A1 # x\r") == Command(7, "play", ("b", "A1"))
    assert read_line("\xb2 name") == Command(None, "\xb2", ("name",))  # "²" is a digit, but no number
    assert read_line("# nothing") is None


def test_every_pattern_of_a_missing_feature_names_a_check() -> None:
    for feature, patterns in SHOWN_BY.items():
        for pattern in patterns:
            assert find(pattern), (feature, pattern)


def test_choices_say_nothing_about_playouts() -> None:
    by_playouts = {check.id for pattern in SHOWN_BY[Feature.NODES] for check in find(pattern)}
    others = {check.id for check in find("ref.*")} - by_playouts
    assert others == {check.id for check in (*find("ref.choice.*"), *find("ref.explore"))}


def test_a_refusal_to_fill_a_ko_that_one_has_taken_is_about_the_ko() -> None:
    """Engines that keep the banned point without its colour refuse it to both sides."""
    assert clause_of_refused_move(KO, "w A3") == "simple-ko"


def test_a_refusal_of_a_repetition_that_simple_ko_allows_is_about_the_ko() -> None:
    """After two passes the board may stand again: an engine that keeps the ban over a pass refuses it."""
    simple = replace(ALL, rules=replace(FREE_RULES, superko="simple"))
    assert clause_of_refused_move((*KO, "b pass", "w pass"), "b A3", simple) == "simple-ko"
