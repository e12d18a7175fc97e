"""Sessions with optional commands: the model keeps to the clauses, and faults of commands are found."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import pairwise

import pytest

from harness.check.bot.introduction import introduction_of
from harness.check.play_rules import FREE_RULES
from harness.check.stored_records import folder
from harness.explore.abilities import Abilities, Feature, find_abilities
from harness.explore.command_model import RULES, CommandModel
from harness.explore.command_sessions import command_session
from harness.explore.coverage import Coverage
from harness.explore.dialogue_case import DialogueCase
from harness.explore.dialogues import DialogueExplorer, FoundDialogue
from harness.explore.readings import (
    expect_board,
    expect_record,
    expect_some_points,
    expect_words,
    read_analyze_commands,
)
from harness.explore.walk import walk
from harness.explore.wanted import Kind, read_line
from harness.go import Position
from harness.gtp import ENDLESS_COMMANDS, Exchange
from harness.gtp.commands import COMMANDS
from harness.selftest.hosted_bot import HostedBot
from tests.harness.explore.exploring import answered, first_found
from tests.parameters import slow_but

ALL = Abilities((5, 7, 8, 9, 13), frozenset({*RULES, "undo"}), rules=FREE_RULES)
NEW = ("boardsize 9", "clear_board")
HANDICAP = (*NEW, "fixed_handicap 2")
RECORD = "loadsgf {records}/game-9.sgf"
PLAYOUTS = 20


def model_after(*lines: str) -> CommandModel:
    """A model after lines that a right bot obeyed, or refused where it must."""
    model = CommandModel(ALL)
    for line in lines:
        command = read_line(line)
        assert command is not None
        wanted = model.wanted(command)
        if wanted is not None and wanted.kind is Kind.REFUSAL:
            model.apply_refusal(command)
        else:
            model.apply_success(command)
    return model


def wants(*lines: str) -> Kind | None:
    """The kind of the answer to the last line; None if it is open."""
    command = read_line(lines[-1])
    assert command is not None
    return model_after(*lines[:-1]).wanted_kind(command)


@pytest.mark.parametrize(
    ("lines", "kind"),
    [
        # handicaps: what the draft's table has, and what every engine must refuse
        ((*NEW, "fixed_handicap 5"), Kind.STONES),
        ((*NEW, "fixed_handicap 10"), Kind.REFUSAL),
        ((*NEW, "fixed_handicap -1"), Kind.REFUSAL),
        ((*NEW, "fixed_handicap abc"), Kind.REFUSAL),
        ((*NEW, "fixed_handicap"), Kind.REFUSAL),
        ((*NEW, "fixed_handicap 1"), None),  # a SHOULD
        (("boardsize 8", "clear_board", "fixed_handicap 5"), None),  # a SHOULD
        (("boardsize 7", "clear_board", "fixed_handicap 2"), None),
        ((*NEW, "play b E5", "fixed_handicap 2"), Kind.REFUSAL),
        ((*NEW, "play b E5", "undo", "fixed_handicap 2"), Kind.STONES),
        ((*NEW, "play b pass", "fixed_handicap 2"), None),  # the board is empty, and the game has begun
        ((*HANDICAP, "fixed_handicap 2"), Kind.REFUSAL),
        ((*HANDICAP, "undo"), None),  # a SHOULD
        ((*HANDICAP, "play w E5", "undo"), Kind.SUCCESS),
        ((*HANDICAP, "play w C3"), Kind.REFUSAL),
        ((*HANDICAP, "clear_board", "play w C3"), Kind.SUCCESS),
        ((*NEW, "place_free_handicap 4"), Kind.STONES),
        ((*NEW, "place_free_handicap 90"), None),
        ((*NEW, "set_free_handicap C3 E5"), Kind.SUCCESS),
        ((*NEW, "set_free_handicap C3"), None),  # a SHOULD
        ((*NEW, "set_free_handicap C3 E5 C3"), Kind.REFUSAL),
        ((*NEW, "set_free_handicap C3 E5 C3", "play w C3"), None),  # that it is empty is a SHOULD
        ((*NEW, "set_free_handicap C3 E5 C3", "clear_board", "play w C3"), Kind.SUCCESS),
        # clocks
        ((*NEW, "time_settings 300 60 25"), Kind.SUCCESS),
        ((*NEW, "play b E5", "time_settings 300 60 25"), None),  # Fuego refuses it in a game
        ((*NEW, "time_settings 300 60"), Kind.REFUSAL),
        ((*NEW, "time_settings 300 abc 25"), Kind.REFUSAL),
        ((*NEW, "time_left b 50 20"), None),  # without overtime
        ((*NEW, "time_settings 300 60 25", "time_left b 50 20"), Kind.SUCCESS),
        ((*NEW, "time_settings 300 60 25", "time_left b 0 0"), Kind.ANSWER),
        ((*NEW, "time_left q 200 0"), Kind.REFUSAL),
        ((*NEW, "kgs-time_settings byoyomi 300 30 5"), None),  # a SHOULD
        ((*NEW, "kgs-time_settings canadian 300"), Kind.REFUSAL),
        # records
        (("loadsgf",), Kind.REFUSAL),
        (("loadsgf {records}/no-such-file.sgf",), Kind.REFUSAL),
        ((RECORD,), Kind.EITHER),
        ((*NEW, RECORD, "play w C3"), Kind.REFUSAL),
        ((*NEW, RECORD, "last_move"), None),  # it may be set up as stones
        ((*NEW, RECORD, "undo"), Kind.EITHER),
        ((*NEW, RECORD, "get_komi"), Kind.READ),
        ((*NEW, "loadsgf {records}/text.sgf"), Kind.ANSWER),
        ((*NEW, "loadsgf {records}/text.sgf", "play b E5"), None),
        ((*NEW, "printsgf"), Kind.READ),
        ((*HANDICAP, "printsgf"), Kind.READ),
        ((*NEW, RECORD, "printsgf"), None),  # a SHOULD
        # questions
        ((*NEW, "list_stones x"), Kind.REFUSAL),
        ((*NEW, "is_legal b E5"), Kind.READ),
        ((*NEW, "play w A2", "play w B1", "is_legal b A1"), None),  # a suicide
        ((*NEW, "last_move"), None),
        ((*NEW, "komi 5.5", "final_score"), Kind.READ),
        (("boardsize 13", "clear_board", "komi 5.5", "final_score"), None),  # some engines play it out
        ((*NEW, "kata-set-rules {rules}"), None),  # nothing was shown
        ((*NEW, "kata-set-rules chinese"), None),
        # searches
        ((*NEW, "reg_genmove b"), Kind.SHOWN_MOVE),
        ((*NEW, "reg_genmove x"), Kind.REFUSAL),
        ((*NEW, "gomill-genmove_ex x"), Kind.ANSWER),
        ((*NEW, "lz-analyze b 5"), Kind.ANALYSIS),
        ((*NEW, "lz-analyze x 5"), None),  # a SHOULD
        ((*NEW, "lz-genmove_analyze x 5"), Kind.REFUSAL),
        # servers and tools
        ((*NEW, "kgs-rules japanese"), None),  # it would change how the bot plays
        ((*NEW, "kgs-game_over", "play b E5"), None),
        ((*NEW, "kgs-game_over", *NEW, "play b E5"), Kind.SUCCESS),
        ((*NEW, "gogui-play_sequence b C3 w C3"), Kind.REFUSAL),
        ((*NEW, "gogui-play_sequence b C3 w D4", "play b D4"), Kind.REFUSAL),
    ],
)
def test_required_answers(lines: tuple[str, ...], kind: Kind | None) -> None:
    assert wants(*lines) is kind


def test_a_move_need_not_be_explained_after_the_game() -> None:
    model = model_after(*NEW)
    command, explain, end = map(read_line, ("genmove b", "gomill-explain_last_move", "kgs-game_over"))
    assert command is not None
    assert explain is not None
    assert end is not None
    model.apply_move(command, "E5")
    assert model.wanted_kind(explain) is Kind.SUCCESS
    model.apply_success(end)
    assert model.wanted_kind(explain) is Kind.ANSWER


def test_the_model_knows_only_commands_of_the_table() -> None:
    assert COMMANDS.keys() >= RULES.keys()


def found_in(*switches: str, sessions: int) -> tuple[FoundDialogue | None, Coverage]:
    """The first deviation in sessions with optional commands alone."""
    with HostedBot(*switches, playouts=PLAYOUTS) as bot:
        abilities = find_abilities(bot, introduction_of(bot), PLAYOUTS, rules=FREE_RULES)
        explorer = DialogueExplorer([bot], abilities, PLAYOUTS, 1, attempts=60)
        found, coverage, _ = first_found(explorer.explore(range(1, 2 * sessions, 2), math.inf))
        return found, coverage


def test_a_right_bot_with_all_commands_is_not_accused() -> None:
    found, coverage = found_in("extensions", sessions=12)
    assert found is None, found.judgement
    assert coverage.commands.keys() >= {"fixed_handicap", "lz-analyze", "gogui-play_sequence", "komi"}


HABITS = (
    *("handicap-fewer", "handicap-of-one", "handicap-on-any-board", "handicap-half-set", "handicap-undone"),
    *("final-score-refused", "final-status-refused", "seki-unknown", "status-on-one-line"),
    *("loadsgf-refuses-files", "loadsgf-any-text", "loadsgf-answers-colour", "printsgf-position"),
    *("ends-with-game", "cleanup-resigns", "cpu-time-unknown", "chat-refused", "kgs-rules-ignored"),
    *("analysis-line-a-move", "analysis-ends-by-itself", "analysis-without-colour", "undo-once"),
    *("showboard-on-stderr", "superko-by-play-accepted", "kgs-time-any-system", "hurried"),
)


@pytest.mark.parametrize("habit", slow_but(("handicap-half-set", "ends-with-game"), HABITS))
def test_habits_are_not_accused(habit: str) -> None:
    found, _ = found_in("extensions", habit, sessions=10)
    assert found is None, found.judgement


FAULTS = {
    "handicap-on-stones": "gtp-handicap",
    "clear-keeps-handicap": "gtp-handicap",
    "time-settings-of-two": "gtp-time",
    "showboard-undoes": "gtp-position",
    "loadsgf-refusal-clears": "gtp-records",
    "printsgf-drops-passes": "gtp-records",
    "analysis-plays": "gtp-analysis",
    "analysis-next-glued": "gtp-analysis",
    "sequence-left-half": "gtp-position",
    "game-over-closes": "gtp-kgs",
    "last-move-skips-passes": "gtp-position",
}
QUICK = ("handicap-on-stones", "analysis-next-glued", "loadsgf-refusal-clears")


@pytest.mark.parametrize(("fault", "clause"), slow_but(QUICK, FAULTS.items()))
def test_faults_of_commands_are_found_and_reduced(fault: str, clause: str) -> None:
    found, _ = found_in("extensions", fault, sessions=250)
    assert found is not None
    assert found.judgement.clause == clause
    assert len(found.case.lines) <= 12
    with HostedBot("extensions", playouts=PLAYOUTS, seed=7) as bot:
        bot.queues = False
        abilities = replace(
            find_abilities(bot, introduction_of(bot), PLAYOUTS, rules=FREE_RULES), sizes=ALL.sizes
        )
        assert found.case.hold(bot, abilities, PLAYOUTS).deviation is None


def answers(texts: dict[str, str]) -> list[str]:
    """Hold a session with a scripted bot; return what it was sent."""
    sent: list[str] = []

    def ask(line: bytes) -> Exchange:
        sent.append(line.decode("ascii").strip())
        return answered(line, texts.get(sent[-1], "="))

    lines = (*NEW, RECORD, "kata-get-rules", "kata-set-rules {rules}")
    assert walk(lines, ALL, None, ask).deviation is None
    return sent


def test_a_record_is_sent_by_its_path_and_the_rules_as_they_were_shown() -> None:
    sent = answers({"kata-get-rules": '= {"ko":"SIMPLE"}'})
    assert sent[2:] == [f"loadsgf {folder()}/game-9.sgf", "kata-get-rules", 'kata-set-rules {"ko":"SIMPLE"}']


def test_the_numbers_of_a_search_are_judged_before_a_command_that_forgets_it() -> None:
    lines = (*NEW, "genmove b", "ref-nodes", "kgs-game_over", "name")
    with HostedBot("extensions", playouts=PLAYOUTS) as bot:
        abilities = find_abilities(bot, introduction_of(bot), PLAYOUTS, rules=FREE_RULES)
        held = walk(lines, abilities, PLAYOUTS, bot.ask, ask_many=bot.ask_many)
    assert held.deviation is None
    assert held.lines == lines


def test_a_saved_session_knows_the_commands_and_sizes_of_its_lines() -> None:
    case = DialogueCase((RECORD, "list_stones b", "no_such_command"))
    assert case.abilities.sizes == (9,)
    assert case.abilities.commands == {"loadsgf", "list_stones"}


def is_endless(line: str) -> bool:
    """Whether the answer to a line goes on until the next one."""
    command = read_line(line)
    return command is not None and command.name.encode("ascii") in ENDLESS_COMMANDS


def test_a_line_around_an_analysis_is_plain() -> None:
    """A blank line before the next command would end the analysis in some engines."""
    for number in range(60):
        lines = command_session(3, number, ALL)
        for line, following in pairwise(lines):
            if is_endless(line):
                assert "\n" not in line + following
                assert Feature.COMMENTS in ALL.features
                assert "#" not in line + following
        assert not is_endless(lines[-1])


@pytest.mark.parametrize("avoided", [(), (Feature.ADMINISTRATION,)])
def test_an_analysis_at_the_end_of_a_session_is_ended(avoided: tuple[Feature, ...]) -> None:
    """Also for a bot whose answers to questions are wrong, so that sessions avoid them."""
    lines = (*NEW, "lz-analyze b 5")
    held = walk(lines, ALL.without(avoided), None, lambda line: answered(line, "= 2"))
    assert held.deviation is None
    assert held.lines == (*lines, "protocol_version")


def test_readings_take_any_order_and_case_and_nothing_twice() -> None:
    read = expect_some_points([(2, 2), (4, 4)], 9, 1, 2)
    assert read("e5 C3") == ""
    assert read("C3 C3")
    assert read("C4")
    assert read("C3\nE5\n") == ""
    assert read("") == "expected 1 to 2 points"
    assert expect_some_points([(2, 2)], 9, 1)("") == "expected at least 1 points"
    assert expect_words("black C3")("BLACK  c3\n") == ""
    assert expect_words("")("black C3") == "expected no text"


def test_a_printed_record_may_hold_the_moves_or_the_stones() -> None:
    position = Position(9)
    position.play("b", (0, 0))
    position.play("w", None)
    read = expect_record(position, 6.5, by_moves=True)
    assert read("(;SZ[9]KM[6.5];B[ai];W[])") == ""
    assert read("(;SZ[9]AB[ai])") == ""
    assert read("(;SZ[9]KM[5.5];B[ai];W[])")
    assert read("(;SZ[9]KM[6.5];B[ai])")
    assert read("(;SZ[9];B[aa];W[])")
    assert read("no record")
    passed = Position(9)
    passed.play("b", None)
    assert expect_record(passed, 6.5, by_moves=True)("(;SZ[9]PL[W])") == ""  # GNU Go, of an empty board


def test_a_line_for_a_menu_may_have_more_fields() -> None:
    """Pachi adds a help text."""
    assert read_analyze_commands("gfx/Best moves/gogui-best_moves/Show best moves\n\ngfx/A/b %c") == ""
    assert read_analyze_commands("gfx/gogui-best_moves")
    assert read_analyze_commands("gfx/Best moves/ ")


def test_rows_are_read_from_the_top_whatever_stands_between_the_signs() -> None:
    position = Position(2)
    position.play("b", (0, 0))
    assert expect_board(position)(". .\nX .") == ""
    assert expect_board(position)("X .\n. .")


def test_the_row_that_names_the_columns_is_no_row_of_the_board() -> None:
    """A board of 14 or more has a column O, the sign of a white stone too."""
    position = Position(14)
    position.play("b", (0, 0))
    rows = [". " * 14] * 13 + ["X " + ". " * 13]
    numbered = [f"{14 - number:2} {row}" for number, row in enumerate(rows)]
    names = "   A B C D E F G H J K L M N O"
    reading = expect_board(position)
    assert reading("\n".join([names, *numbered, names.lower()])) == ""
    assert reading("\n".join([names, *reversed(numbered)]))
