"""Each harmless habit, shown by a dialogue in which the plain engine and the one with the habit differ.

The table has the output of both, derived from the draft and from the text of the habit. A habit of the
registry without an entry or a test here fails the test.
"""

from __future__ import annotations

import json
import re
import signal
import time

import pytest

from refbot.deviations.faults import FAULTS
from refbot.deviations.habits import HABITS, UnknownHabitError, checked_habits
from refbot.gtp import commands, extensions, loop
from tests.refbot import analysis_dialogues, handicap_dialogues, tool_dialogues
from tests.refbot import test_gtp_server_position_faults as of_positions
from tests.refbot.gtp_dialogue import answers, new_server, talk, through_pipes
from tests.refbot.gtp_process import LIMIT, ask, exchanged, start

OK = "= \n\n"
LONG = "name " + "x" * 250 + " name\n"  # the first 255 bytes are a command, and so is the rest
ILLEGAL = "play b A1\nplay w A1\n"
# On 3x3 Black has two eyes and White nothing: nobody has a candidate, and each of ten playouts is two passes.
NO_CANDIDATE = "boardsize 3\n" + "".join(
    f"play b {vertex}\n" for vertex in ("A2", "A3", "B1", "B2", "B3", "C1", "C2")
)
# White takes the stone on B1 in a ko; passes come between before Black takes back.
KO = "play w B2\nplay w C1\nplay b A2\nplay b A3\nplay b B1\nplay w A1\nplay w pass\n"

# name: what is sent, what the plain engine writes, what the engine with the habit writes
DIALOGUES: dict[str, tuple[str, str, str]] = {
    "leading-blank-unanswered": (" name\n", "= refbot\n\n", ""),
    "blanks-kept-apart": ("known_command  name\n", "= true\n\n", "= false\n\n"),
    "id-glued": ("5name\n", "? unknown command\n\n", "=5 refbot\n\n"),
    "id-alone-unanswered": ("5\nname\n", "?5 missing command\n\n= refbot\n\n", "= refbot\n\n"),
    "id-clamped": ("2147483648 name\n", "? unknown command\n\n", "=2147483647 refbot\n\n"),
    "id-of-any-length": ("2147483648 name\n", "? unknown command\n\n", "=2147483648 refbot\n\n"),
    "extra-argument-refused": ("name x\n", "= refbot\n\n", "? too many arguments\n\n"),
    "long-line-split": (LONG, "= refbot\n\n", "= refbot\n\n= refbot\n\n"),
    "long-line-refused": ("7 " + LONG, "=7 refbot\n\n", "?7 line too long\n\n"),
    "end-of-input-ignored": ("name\n", "= refbot\n\n", "= refbot\n\n<hang>"),
    "last-line-lost": ("name\nname", "= refbot\n\n= refbot\n\n", "= refbot\n\n"),
    "crlf-answers": (
        "1 name\n2 nonsense\n",
        "=1 refbot\n\n?2 unknown command\n\n",
        "=1 refbot\r\n\r\n?2 unknown command\r\n\r\n",
    ),
    "trailing-blanks": (
        "play b A1\nfinal_status_list alive\n", OK + "= A1\n\n", "=   \n\n= A1  \n\n"
    ),
    "several-blanks-before-text": ("1 name\n2 komi 1\n", "=1 refbot\n\n=2 \n\n", "=1   refbot\n\n=2 \n\n"),
    "no-blank-before-nothing": ("1 name\n2 komi 1\n", "=1 refbot\n\n=2 \n\n", "=1 refbot\n\n=2\n\n"),
    "play-answers-text": ("play b A1\n", OK, "= true\n\n"),
    "setup-answers-text": (
        "boardsize 9\nclear_board\nkomi 1\n", OK * 3, f"= {commands.SETUP_TEXT}\n\n" * 3
    ),
    "quit-answers-text": ("quit\n", OK, "= bye\n\n"),
    "errors-empty": (ILLEGAL, OK + "? illegal move\n\n", OK + "? \n\n"),
    "errors-explained": (
        ILLEGAL, OK + "? illegal move\n\n", OK + "? illegal move: not by the rules of this engine\n\n"
    ),
    "errors-upper-case": (ILLEGAL, OK + "? illegal move\n\n", OK + "? ILLEGAL MOVE\n\n"),
    "errors-of-several-lines": (
        "9 nonsense\n",
        "?9 unknown command\n\n",
        "?9 unknown command\nin a command of yours\nthat this engine did not obey\n\n",
    ),
    "vertex-with-rest": (
        "play b A1x\nfinal_status_list alive\n", "? invalid vertex\n\n= \n\n", OK + "= A1\n\n"
    ),
    "playouts-fixed": (
        "ref-playouts 5\nref-playouts\n", OK + "= 5\n\n", "? the number of playouts is fixed\n\n= 10\n\n"
    ),
    "vertex-lower-case": ("play b A1\nfinal_status_list alive\n", OK + "= A1\n\n", OK + "= a1\n\n"),
    "pass-upper-case": (NO_CANDIDATE + "genmove b\n", OK * 8 + "= pass\n\n", OK * 8 + "= PASS\n\n"),
    "undo-missing": ("play b A1\nundo\n", OK * 2, OK + "? unknown command\n\n"),
    "undo-once": (
        "play b A1\nplay w B1\nundo\nundo\nplay w C1\nundo\n",
        OK * 6,
        OK * 3 + "? cannot undo\n\n" + OK * 2,
    ),
    "optional-commands-missing": (
        "known_command undo\nknown_command ref-nodes\n", "= true\n\n= true\n\n", "= false\n\n= true\n\n"
    ),
    "private-commands-missing": (
        "ref-playouts\nknown_command undo\n", "= 10\n\n= true\n\n", "? unknown command\n\n= true\n\n"
    ),
    "extra-commands": (
        "known_command refbot-extra_7\nrefbot-extra_7\n",
        "= false\n\n? unknown command\n\n",
        "= true\n\n= \n\n",
    ),
    "known-command-needs-argument": ("known_command\n", "= false\n\n", "? missing argument\n\n"),
    "final-score-refused": ("komi 3.5\nfinal_score\n", OK + "= W+3.5\n\n", OK + "? cannot score\n\n"),
    "name-with-signs": ("1 name\n", "=1 refbot\n\n", f"=1 {commands.NAME_WITH_SIGNS}\n\n"),
    "size-9-only": ("boardsize 9\nboardsize 5\n", OK * 2, OK + "? unacceptable size\n\n"),
    "boardsize-keeps-position": (
        "boardsize 9\nplay b A1\nboardsize 9\nplay w A1\nclear_board\nplay w A1\n",
        OK * 6,
        OK * 3 + "? illegal move\n\n" + OK * 2,
    ),
    "superko-by-play-accepted": (
        KO + "play b pass\nplay b B1\n", OK * 8 + "? illegal move\n\n", OK * 9
    ),
    "number-with-rest": (
        "komi 7,5\nfinal_score\nboardsize 9x\n",
        "? expected a number\n\n= W+7.5\n\n? expected an integer\n\n",
        OK + "= W+7\n\n" + OK,
    ),
    "komi-infinite": ("komi inf\nfinal_score\n", "? expected a number\n\n= W+7.5\n\n", OK + "= W+inf\n\n"),
    "komi-plain": ("komi 1e1\nkomi 7.\nkomi -7.50\n", OK * 3, "? expected a number\n\n" * 2 + OK),
    "zero-before-search": (
        "ref-nodes\nref-score\n", "? no search yet\n\n" * 2, "= 0\n\n= 0.000000000\n\n"
    ),
    "pass-without-search": (
        NO_CANDIDATE + "genmove b\nref-nodes\n", OK * 8 + "= pass\n\n= 20\n\n", OK * 8 + "= pass\n\n= 0\n\n"
    ),
}  # fmt: skip

DIALOGUES |= handicap_dialogues.HABITS
DIALOGUES |= tool_dialogues.HABITS
DIALOGUES |= analysis_dialogues.HABITS


@pytest.mark.parametrize("name", DIALOGUES)
def test_dialogue(name: str) -> None:
    sent, plain, habitual = DIALOGUES[name]
    assert plain != habitual
    extended = ["extensions"] if HABITS[name].extension else []
    assert talk(sent, *extended).decode() == plain
    assert talk(sent, name).decode() == habitual


LISTED = commands.names()


def test_undo_unlisted() -> None:
    sent = "list_commands\nknown_command undo\n"
    assert answers(sent)[0].removeprefix("= ").split() == LISTED
    listed, known = answers(sent, "undo-unlisted")
    assert listed.removeprefix("= ").split() == [name for name in LISTED if name != "undo"]
    assert known == "= true"


def test_extensions() -> None:
    (listed,) = answers("list_commands\n", "extensions")
    assert listed.removeprefix("= ").split() == [*LISTED, *extensions.COMMANDS]


def test_processor_time() -> None:
    sent = "cputime\ngomill-cpu_time\n"
    assert all("." in answer for answer in answers(sent, "extensions"))
    assert all(re.fullmatch("= [0-9]+", answer) for answer in answers(sent, "cpu-time-whole"))
    assert answers(sent, "cpu-time-unknown")[1] == "? the processor time is not known"


def test_list_reversed() -> None:
    assert answers("list_commands\n", "list-reversed") == ["= " + "\n".join(reversed(LISTED))]


def test_version_empty() -> None:
    assert answers("version\n") != ["= "]
    assert answers("version\n", "version-empty") == ["= "]


def test_errors_long() -> None:
    (plain,), (long,) = answers("1 nonsense\n"), answers("1 nonsense\n", "errors-long")
    assert long.startswith(plain)
    assert len(long) > 2000


def test_a_refused_sequence_is_taken_back_whole_by_an_engine_that_undoes_once() -> None:
    sent = "play b A1\ngogui-play_sequence w B1 b C1 w C1\nplay w C1\nundo\nplay b C1\n"
    refused = ["= ", "? illegal move", "= ", "= ", "= "]
    assert answers(sent, "extensions") == refused
    assert answers(sent, "extensions", "undo-once") == refused
    at_once = "play b A1\ngogui-play_sequence w B1 b C1 w C1\nundo\n"
    assert answers(at_once, "extensions", "undo-once") == ["= ", "? illegal move", "= "]


SEARCH = "boardsize 5\ngenmove b\nref-score\n"


def score_of(*names: str) -> str:
    return answers(SEARCH, *names)[-1].removeprefix("= ")


@pytest.mark.parametrize(
    ("name", "form"),
    [
        ("score-in-17-digits", r"0\.[0-9]{1,17}"),
        ("score-in-3-decimals", r"0\.[0-9]{3}"),
        ("score-with-exponent", r"[1-9]\.[0-9]{16}e-01"),
        ("score-without-leading-zero", r"\.[0-9]{9}"),
    ],
)
def test_forms_of_the_score(name: str, form: str) -> None:
    plain, habitual = score_of(), score_of(name)
    assert re.fullmatch(r"0\.[0-9]{9}", plain)
    assert re.fullmatch(form, habitual)
    assert float(habitual) == pytest.approx(float(plain), abs=1e-3)


def nodes_near_the_cap(*names: str) -> int:
    """The moves of ten playouts on 3x3: 24 of 27 moves were made, Black has moved twice in a row."""
    passes = "play b pass\nplay w pass\n" * 11
    sent = f"boardsize 3\n{passes}play b A1\nplay b B2\ngenmove w\nref-nodes\n"
    return int(answers(sent, *names)[-1].removeprefix("= "))


def test_readings_of_the_cap() -> None:
    assert nodes_near_the_cap() == 10 * 3
    assert nodes_near_the_cap("implied-pass-counted") == 10 * 2
    assert nodes_near_the_cap("cap-from-root") > 10 * 3


# The process


def test_slow_start(monkeypatch: pytest.MonkeyPatch) -> None:
    slept: list[float] = []
    monkeypatch.setattr(time, "sleep", slept.append)
    through_pipes(b"name\n")
    assert slept == []
    through_pipes(b"name\n", "slow-start")
    assert slept == [loop.SLOW_START_SECONDS]


def test_slow_answers_and_end(monkeypatch: pytest.MonkeyPatch) -> None:
    slept: list[float] = []
    monkeypatch.setattr(time, "sleep", slept.append)
    through_pipes(b"name\nquit\n", "slow-answers", "slow-end")
    assert slept == [loop.SLOW_ANSWER_SECONDS] * 2 + [loop.SLOW_END_SECONDS]


def test_byte_by_byte() -> None:
    assert through_pipes(b"1 name\n", "byte-by-byte") == [bytes([byte]) for byte in b"=1 refbot\n\n"]


def playouts_after(*lines: str, switch: str = "", fault: str = "") -> list[int]:
    """The playouts of a search after each line."""
    talked = answers(
        "".join(f"{line}\ngenmove b\nref-stats\n" for line in lines), *filter(None, [switch, fault])
    )
    return [json.loads(text.removeprefix("= "))["playouts"] for text in talked[2::3]]


def test_time_does_not_change_the_playouts() -> None:
    lines = ("time_settings 600 0 0", "time_left b 9 0", "time_left b -1 0", "time_settings 0 1 0")
    assert playouts_after(*lines) == [10] * 4
    assert playouts_after(*lines, switch="clock-halves-playouts") == [5, 5, 5, 10]


def test_hurried() -> None:
    lines = (
        "time_settings 600 0 0",
        "time_left b 9 0",
        "time_left b 10 0",
        "time_left b 0 0",
        "time_settings 9 0 0",
    )
    assert playouts_after(*lines, switch="hurried") == [10, 1, 10, 1, 10]


def test_a_word_that_is_read_as_no_time_left_hurries() -> None:
    lines = ("time_left b soon 0", "time_left b 600 many")
    assert playouts_after(*lines, switch="hurried", fault="time-left-word-is-zero") == [1, 10]


LINES_OF_MOVES = (
    b"genmove b\n",
    b"7 reg_genmove b\n",
    b"play b A1\n",
    b"known_command genmove\n",
    b"# genmove\n",
)


def test_overtime() -> None:
    server = new_server("overtime")
    late = []
    for line in (b"time_settings 0 2 1", b"time_settings 0 2 0", b"time_settings 0 30 1"):
        assert server.answer(line) == b"= \n\n"
        late.append([loop.overtime(asked, server) for asked in LINES_OF_MOVES])
    assert late == [[20.0, 20.0, 0.0, 0.0, 0.0], [0.0] * 5, [0.0] * 5]


@pytest.mark.parametrize(
    ("habit", "sent", "plain", "habitual"),
    [
        ("kgs-time-any-system", "foo 1", "? expected none, absolute, byoyomi or canadian", "= "),
        ("kgs-byoyomi-refused", "byoyomi 60 30 5", "= ", "? byoyomi is not supported"),
    ],
)
def test_habits_of_the_clock_of_kgs(habit: str, sent: str, plain: str, habitual: str) -> None:
    assert answers(f"kgs-time_settings {sent}\n", "extensions") == [plain]
    assert answers(f"kgs-time_settings {sent}\n", "extensions", habit) == [habitual]


def test_stderr_chatter() -> None:
    out, err, _ = exchanged(b"1 name\n", "--habit", "stderr-chatter")
    assert (out, err) == (b"=1 refbot\n\n", b"refbot: b'1 name\\n'\n")


def test_stderr_flood() -> None:
    out, err, _ = exchanged(b"genmove x\n", "--habit", "stderr-flood")
    assert out == b"? invalid color\n\n"
    assert len(err) > loop.FLOOD_BYTES


@pytest.mark.parametrize("last", ["", " pass"])
def test_a_handicap_on_every_point_is_refused_and_leaves_one_of_them_empty(last: str) -> None:
    sent = f"boardsize 2\nset_free_handicap A1 A2 B1 B2{last}\nlist_stones b\n"
    said = talk(sent, "handicap-half-set", "extensions").decode()
    assert said == "= \n\n? bad vertex list\n\n= A1 B1 A2\n\n"


def test_exit_code_1() -> None:
    assert exchanged(b"quit\n")[2] == 0
    assert exchanged(b"quit\n", "--habit", "exit-code-1") == (b"= \n\n", b"", 1)


def test_term_ignored() -> None:
    with start("--habit", "term-ignored") as process:
        assert ask(process, b"name") == b"= refbot\n\n"
        process.send_signal(signal.SIGTERM)
        assert ask(process, b"name") == b"= refbot\n\n"
        assert ask(process, b"quit") == b"= \n\n"
        assert process.wait(LIMIT) == 0


# The registry


def test_notes_beside_the_board_say_how_many_commands_were_refused() -> None:
    board = talk("boardsize 2\nshowboard\n").decode()
    noted = talk("boardsize 2\nundo\nshowboard\n", "showboard-with-notes").decode()
    assert board.partition("=  ")[2].rstrip() in noted
    assert "1 commands refused" in noted


SHOWN_BY_A_TEST = {
    "analysis-line-a-move", "analysis-printed-once", "analysis-ends-by-itself", "analysis-blank-ignored",
    "showboard-with-notes",
    "list-reversed", "version-empty", "errors-long", "implied-pass-counted", "cap-from-root", "slow-start",
    "slow-answers", "slow-end", "byte-by-byte", "stderr-chatter", "stderr-flood", "exit-code-1",
    "term-ignored", "hurried", "overtime", "kgs-time-any-system", "kgs-byoyomi-refused",
    "extensions", "undo-unlisted", "cpu-time-whole", "cpu-time-unknown",
    "score-in-17-digits", "score-in-3-decimals", "score-with-exponent", "score-without-leading-zero",
}  # fmt: skip


def test_every_habit_is_shown() -> None:
    shown = DIALOGUES.keys() | SHOWN_BY_A_TEST | set(of_positions.SHOWN_HABITS)
    assert shown == HABITS.keys(), "show the habit: add what is sent and answered to DIALOGUES"


def test_every_habit_says_what_it_is_and_why_it_is_open() -> None:
    for name, habit in HABITS.items():
        assert name == habit.name
        assert habit.habit
        assert habit.open_because
        assert habit.imitates


def test_nothing_is_both_a_fault_and_a_habit() -> None:
    assert not FAULTS.keys() & HABITS.keys()


def test_an_unknown_habit_is_refused_with_the_nearest_name() -> None:
    with pytest.raises(UnknownHabitError) as caught:
        checked_habits(["id-glue"])
    assert caught.value.nearest == "id-glued"
