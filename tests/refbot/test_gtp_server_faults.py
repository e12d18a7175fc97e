"""Each fault of the wire, shown by a dialogue in which the right and the faulty engine differ.

The table has the output of both, derived from the draft and from the text of the fault. A fault of the
registry without an entry here fails the test.
"""

from __future__ import annotations

import os
import re

import pytest

from refbot.deviations.faults import FAULTS
from refbot.gtp import commands, loop
from refbot.rules.position import NO_POINT, WHITE, Position
from tests.refbot import analysis_dialogues, handicap_dialogues, test_gtp_analysis, tool_dialogues
from tests.refbot import test_gtp_server_position_faults as of_positions
from tests.refbot.gtp_dialogue import answers, new_server, talk, through_pipes

OK = "= \n\n"
WIRE = [fault.name for fault in FAULTS.values() if fault.where in ("wire", "command")]

# Black A1 B1 A2 on 2x2: B2 is Black's eye, so Black must pass; White's only move is B2, capturing all.
CORNER = "boardsize 2\nplay b A1\nplay b B1\nplay b A2\n"
CORNER_OK = OK * 4
# The same for the other colour: Black's only move is B2; with komi 100 its playouts are all lost.
NOT_FILLED = ("A10", "K1", "K2")
FILLED = (f"{column}{row}" for column in "ABCDEFGHJK" for row in range(1, 11))
TAKES_K1 = "".join(
    ["boardsize 10\n", *(f"play b {point}\n" for point in FILLED if point not in NOT_FILLED), "play w K2\n"]
)
LOST = "komi 100\nboardsize 2\nplay w A1\nplay w B1\nplay w A2\ngenmove b\n"

NAMED_THEN_UNKNOWN = "=1 refbot\n\n?2 unknown command\n\n"
NAMES = commands.names()


def _listed(names: list[str]) -> str:
    return "= " + "\n".join(names) + "\n\n"


# name: what is sent, what a right engine writes, what the faulty one writes
KO_TAKEN = "play w B2\nplay w C1\nplay b A2\nplay b A3\nplay b B1\nplay w A1\n"

DIALOGUES: dict[str, tuple[str, str, str]] = {
    "id-dropped": ("1 name\n2 foo\n", NAMED_THEN_UNKNOWN, "= refbot\n\n? unknown command\n\n"),
    "id-dropped-on-failure": (
        "1 name\n2 foo\n", NAMED_THEN_UNKNOWN, "=1 refbot\n\n? unknown command\n\n"
    ),
    "id-zero-dropped": ("0 name\n1 name\n", "=0 refbot\n\n=1 refbot\n\n", "= refbot\n\n=1 refbot\n\n"),
    "id-after-blank": ("12 name\nname\n", "=12 refbot\n\n= refbot\n\n", "= 12 refbot\n\n= refbot\n\n"),
    "id-stale": ("1 name\n2 name\n", "=1 refbot\n\n=2 refbot\n\n", "= refbot\n\n=1 refbot\n\n"),
    "id-kept": ("3 name\nname\n", "=3 refbot\n\n= refbot\n\n", "=3 refbot\n\n=3 refbot\n\n"),
    "id-sixteen-bits": ("65537 name\n", "=65537 refbot\n\n", "=1 refbot\n\n"),
    "blank-after-sign-missing": ("name\n", "= refbot\n\n", "=refbot\n\n"),
    "prefix-known": ("known_command nam\n", "= false\n\n", "= true\n\n"),
    "known-case-ignored": ("known_command NAME\n", "= false\n\n", "= true\n\n"),
    "boardsize-needs-empty-board": (
        "boardsize 5\nplay b A1\nboardsize 5\n", OK * 3, OK * 2 + "? board not empty\n\n"
    ),
    "clear-keeps-stones": ("play b A1\nclear_board\nplay w A1\n", OK * 3, OK * 2 + "? illegal move\n\n"),
    "size-one-game-late": (
        "boardsize 5\nclear_board\nplay b F1\nclear_board\nplay b F1\n",
        OK * 2 + "? illegal move\n\n" + OK + "? illegal move\n\n",
        OK * 4 + "? illegal move\n\n",
    ),
    "unread-size-succeeds": ("boardsize abc\n", "? expected an integer\n\n", OK),
    "komi-range": ("komi 7\nkomi -1\n", OK * 2, OK + "? komi out of range\n\n"),
    "komi-nan": ("komi nan\nkomi inf\n", "? expected a number\n\n" * 2, OK + "? expected a number\n\n"),
    "play-refused": ("play b A1\nplay b pass\n", OK * 2, "? illegal move\n\n" * 2),
    "stones-all-black": (
        "play b A1\nplay w B1\nfinal_status_list alive\n",
        OK * 2 + "= A1\nB1\n\n",
        OK * 2 + "= A1 B1\n\n",
    ),
    "illegal-move-crashes": ("play b A1\nplay w A1\n", OK + "? illegal move\n\n", OK + "<crash>"),
    "off-board-plays": ("boardsize 5\nplay b F1\nundo\n", OK + "? illegal move\n\n? cannot undo\n\n",
        OK * 2 + "? cannot undo\n\n"),
    "letter-i-as-j": ("play b I9\nplay w J9\n", "? invalid vertex\n\n" + OK, OK + "? illegal move\n\n"),
    "history-of-500": ("play b pass\n" * 501, OK * 501, OK * 500 + "<crash>"),
    "genmove-answers-play": (
        CORNER + "genmove w\n", CORNER_OK + "= B2\n\n", CORNER_OK + "= w B2\n\n"
    ),
    "genmove-one-letter-only": (
        CORNER + "genmove white\n", CORNER_OK + "= B2\n\n", CORNER_OK + "? invalid color\n\n"
    ),
    "genmove-out-of-turn-fails": (
        CORNER + "genmove b\n", CORNER_OK + "= pass\n\n", CORNER_OK + "? not your turn\n\n"
    ),
    "second-search-crashes": (
        CORNER + "genmove w\nundo\ngenmove w\n",
        CORNER_OK + "= B2\n\n" + OK + "= B2\n\n",
        CORNER_OK + "= B2\n\n" + OK + "<crash>",
    ),
    "undo-again-does-nothing": (
        "play b A1\nplay w B1\nundo\nundo\nplay w A1\n", OK * 5, OK * 4 + "? illegal move\n\n"
    ),
    "undo-of-pass-fails": (
        "play b A1\nplay w pass\nundo\n", OK * 3, OK * 2 + "? cannot undo\n\n"
    ),
    "undo-skips-passes": (
        "play b A1\nplay w pass\nundo\nplay w A1\n", OK * 3 + "? illegal move\n\n", OK * 4
    ),
    "refused-genmove-passes": (
        CORNER + "genmove x\nundo\nplay b A2\n",
        CORNER_OK + "? invalid color\n\n" + OK * 2,
        CORNER_OK + "? invalid color\n\n" + OK + "? illegal move\n\n",
    ),
    "refused-komi-is-zero": (
        "komi 3.5\nkomi abc\nfinal_score\n",
        OK + "? expected a number\n\n= W+3.5\n\n",
        OK + "? expected a number\n\n= 0\n\n",
    ),
    "refused-size-clears-board": (
        "play b A1\nboardsize 99\nplay w A1\n",
        OK + "? unacceptable size\n\n? illegal move\n\n",
        OK + "? unacceptable size\n\n" + OK,
    ),
    "unknown-command-clears": (
        "play b A1\nfoo\nplay w A1\n",
        OK + "? unknown command\n\n? illegal move\n\n",
        OK + "? unknown command\n\n" + OK,
    ),
    "refusal-forgets-search": (
        CORNER + "genmove w\nfoo\nref-score\n",
        CORNER_OK + "= B2\n\n? unknown command\n\n= 1.000000000\n\n",
        CORNER_OK + "= B2\n\n? unknown command\n\n? no search yet\n\n",
    ),
    "refused-genmove-forgets-search": (
        CORNER + "genmove w\ngenmove x\nref-score\n",
        CORNER_OK + "= B2\n\n? invalid color\n\n= 1.000000000\n\n",
        CORNER_OK + "= B2\n\n? invalid color\n\n= 0.000000000\n\n",
    ),
    "one-line-feed": ("name\n", "= refbot\n\n", "= refbot\n"),
    "blank-line-inside": (
        "play b A1\nplay w C3\nfinal_status_list alive\n",
        OK * 2 + "= A1\nC3\n\n",
        OK * 2 + "= A1\n\nC3\n\n",
    ),
    "extra-line-feed": ("name\n", "= refbot\n\n", "= refbot\n\n\n"),
    "log-on-stdout": (CORNER + "genmove w\n", CORNER_OK + "= B2\n\n", CORNER_OK + "search done\n= B2\n\n"),
    "blank-line-answered": ("\nname\n", "= refbot\n\n", "= \n\n= refbot\n\n"),
    "blank-line-crashes": ("\nname\n", "= refbot\n\n", "<crash>"),
    "comment-at-start-only": ("# x\nname# x\n", "= refbot\n\n", "? unknown command\n\n"),
    "line-of-80-bytes": (
        "#" + "x" * 79 + "name\n",
        "",
        "= refbot\n\n",
    ),
    "comment-never": ("# x\nname\n", "= refbot\n\n", "? unknown command\n\n= refbot\n\n"),
    "control-kept": ("na\x07me\nname\r\n", "= refbot\n\n= refbot\n\n", "? unknown command\n\n= refbot\n\n"),
    "crlf-breaks": ("name\r\nna\x07me\n", "= refbot\n\n= refbot\n\n", "? unknown command\n\n= refbot\n\n"),
    "prefix-matched": ("playfoo b A1\n", "? unknown command\n\n", OK),
    "name-case-ignored": ("PLAY b A1\n", "? unknown command\n\n", OK),
    "missing-argument-crashes": ("play b\n", "? missing argument\n\n", "<crash>"),
    "numbers-by-atoi": (
        "komi abc\nboardsize 9x\nboardsize abc\n",
        "? expected a number\n\n? expected an integer\n\n? expected an integer\n\n",
        OK + OK + "? unacceptable size\n\n",
    ),
    "missing-argument-succeeds": ("komi\n", "? missing argument\n\n", OK),
    "tab-dropped": ("known_command\tname\n", "= true\n\n", "? unknown command\n\n"),
    "unknown-unanswered": ("foo\nname\n", "? unknown command\n\n= refbot\n\n", "= refbot\n\n"),
    "unknown-succeeds": ("foo\n", "? unknown command\n\n", OK),
    "known-command-digits": (
        "known_command name\nknown_command foo\n", "= true\n\n= false\n\n", "= 1\n\n= 0\n\n"
    ),
    "known-command-fails": (
        "known_command name\nknown_command foo\n", "= true\n\n= false\n\n", "= true\n\n? false\n\n"
    ),
    "known-command-crashes": (
        "known_command name\nknown_command\n", "= true\n\n= false\n\n", "= true\n\n<crash>"
    ),
    "name-two-lines": ("name\n", "= refbot\n\n", "= refbot\nby its authors\n\n"),
    "list-on-one-line": ("list_commands\n", _listed(NAMES), "= " + " ".join(NAMES) + "\n\n"),
    "list-names-unknown": (
        "list_commands\nresign\n",
        _listed(NAMES) + "? unknown command\n\n",
        _listed([*NAMES, "resign"]) + "? unknown command\n\n",
    ),
    "list-omits-required": (
        "list_commands\nkomi 1\n",
        _listed(NAMES) + OK,
        _listed([name for name in NAMES if name != "komi"]) + OK,
    ),
    "komi-missing": (
        "known_command komi\nkomi 1\n", "= true\n\n" + OK, "= false\n\n? unknown command\n\n"
    ),
    "undo-listed-only": (
        "known_command undo\nplay b A1\nundo\n",
        "= true\n\n" + OK * 2,
        "= true\n\n" + OK + "? not implemented\n\n",
    ),
    "time-settings-crashes": ("time_settings 0 5 1\nname\n", OK + "= refbot\n\n", "<crash>"),
    "protocol-version-1": ("protocol_version\n", "= 2\n\n", "= 1\n\n"),
    "quit-unanswered": ("quit\n", OK, ""),
    "quit-hangs": ("quit\n", OK, OK + "<hang>"),
    "komi-clears-board": (
        "play b A1\nkomi 5\nplay b A1\n", OK + OK + "? illegal move\n\n", OK + OK + OK
    ),
    "clear-resets-komi": (
        "komi 5.5\nkomi 0.5\nclear_board\nfinal_score\n", OK * 3 + "= W+0.5\n\n", OK * 3 + "= W+5.5\n\n"
    ),
    "clear-twice-crashes": ("clear_board\nclear_board\n", OK * 2, OK + "<crash>"),
    "size-in-a-byte": ("boardsize 265\nplay b J9\n", "? unacceptable size\n\n" + OK, OK * 2),
    "boardsize-any": (
        "boardsize 1\nboardsize 26\nplay b J9\n",
        "? unacceptable size\n\n? unacceptable size\n\n" + OK,
        OK * 3,
    ),
    "boardsize-refusal-fatal": (
        "boardsize 1\nname\n", "? unacceptable size\n\n= refbot\n\n", "? unacceptable size\n\n"
    ),
    "pass-refused": ("play b pass\nplay b PASS\n", OK * 2, "? illegal move\n\n" * 2),
    "pass-lower-case-only": ("play b pass\nplay b PASS\n", OK * 2, OK + "? illegal move\n\n"),
    "letter-i-used": ("play b J9\nplay b I9\n", OK + "? invalid vertex\n\n", "? illegal move\n\n" + OK),
    "genmove-columns-past-j": (TAKES_K1 + "genmove b\n", OK * 99 + "= K1\n\n", OK * 99 + "= J1\n\n"),
    "columns-past-t-wrong": (
        "boardsize 25\nplay b U1\nplay w T1\n", OK * 3, OK + "? invalid vertex\n\n" + OK
    ),
    "off-board-crashes": (
        "boardsize 5\nplay b T19\nname\n", OK + "? illegal move\n\n= refbot\n\n", OK + "<crash>"
    ),
    "colour-by-letter": ("play blue D4\nplay w D4\n", "? invalid color\n\n" + OK, OK + "? illegal move\n\n"),
    "colour-any-word": ("play x D4\nplay w D4\n", "? invalid color\n\n" + OK, OK + "? illegal move\n\n"),
    "vertex-upper-case-only": ("play b d4\nplay w D5\n", OK * 2, "? invalid vertex\n\n" + OK),
    "colour-one-letter-only": ("play white D4\nplay w D5\n", OK * 2, "? invalid color\n\n" + OK),
    "play-ignores-colour": (
        "play b A1\nplay b B1\nfinal_status_list alive\n",
        OK * 2 + "= A1 B1\n\n",
        OK * 2 + "= A1\nB1\n\n",
    ),
    "alternation-enforced": ("play b A1\nplay b A2\n", OK * 2, OK + "? illegal move\n\n"),
    "play-never-refuses": ("play b A1\nplay w A1\n", OK + "? illegal move\n\n", OK * 2),
    "illegal-move-passes": (
        "play b A1\nplay w A1\nundo\nundo\n",
        OK + "? illegal move\n\n" + OK + "? cannot undo\n\n",
        OK + "? illegal move\n\n" + OK + OK,
    ),
    "resign-in-history": (
        "play b resign\nundo\n", "? invalid vertex\n\n? cannot undo\n\n", OK * 2
    ),
    "genmove-ends-with-game": (
        CORNER + "play b pass\nplay w pass\ngenmove w\n",
        CORNER_OK + OK * 2 + "= B2\n\n",
        CORNER_OK + OK * 2 + "? game is over\n\n",
    ),
    "genmove-passes-when-over": (
        CORNER + "play b pass\nplay w pass\ngenmove w\n",
        CORNER_OK + OK * 2 + "= B2\n\n",
        CORNER_OK + OK * 2 + "= pass\n\n",
    ),
    "genmove-not-played": (
        CORNER + "genmove w\nplay w B2\n",
        CORNER_OK + "= B2\n\n? illegal move\n\n",
        CORNER_OK + "= B2\n\n" + OK,
    ),
    "genmove-resigns": (LOST, OK * 5 + "= B2\n\n", OK * 5 + "= resign\n\n"),
    "genmove-ignores-colour": (
        CORNER + "genmove b\n", CORNER_OK + "= pass\n\n", CORNER_OK + "= B2\n\n"
    ),
    "undo-keeps-captures": (
        CORNER + "play w B2\nundo\nplay w A1\n",
        CORNER_OK + OK * 2 + "? illegal move\n\n",
        CORNER_OK + OK * 2 + OK,
    ),
    "undo-takes-two": (
        "play b A1\nplay w A2\nundo\nplay b A1\n", OK * 3 + "? illegal move\n\n", OK * 4
    ),
    "refused-undo-loses-move": (
        "undo\nplay b A1\nundo\n",
        "? cannot undo\n\n" + OK * 2,
        "? cannot undo\n\n" + OK + "? cannot undo\n\n",
    ),
    "refused-ko-takes-stone": (
        KO_TAKEN + "play b B1\nplay b A1\n",
        OK * 6 + "? illegal move\n\n? illegal move\n\n",
        OK * 6 + "? illegal move\n\n" + OK,
    ),
    "final-score-stored": (
        "komi 3.5\nfinal_score\nkomi 5.5\nfinal_score\n",
        OK + "= W+3.5\n\n" + OK + "= W+5.5\n\n",
        OK + "= W+3.5\n\n" + OK + "= W+3.5\n\n",
    ),
    "clear-keeps-undo": (
        "play b A1\nclear_board\nundo\nplay w A1\n",
        OK * 2 + "? cannot undo\n\n" + OK,
        OK * 3 + "? illegal move\n\n",
    ),
    "final-score-leaves-passes": (
        "komi 3.5\nfinal_score\nundo\n", OK + "= W+3.5\n\n? cannot undo\n\n", OK + "= W+3.5\n\n" + OK
    ),
    "undo-at-start-succeeds": ("undo\n", "? cannot undo\n\n", OK),
    "final-score-bare": ("komi 3.5\nfinal_score\n", OK + "= W+3.5\n\n", OK + "= -3.5\n\n"),
    "final-score-sign": ("komi 3.5\nfinal_score\n", OK + "= W+3.5\n\n", OK + "= B+3.5\n\n"),
    "final-score-without-komi": ("play b A1\nfinal_score\n", OK + "= B+73.5\n\n", OK + "= B+81\n\n"),
}  # fmt: skip


def test_unflushed() -> None:
    data = b"name\n" * 1000
    assert through_pipes(data) == [b"= refbot\n\n"] * 1000
    writes = through_pipes(data, "unflushed")
    assert b"".join(writes) == b"= refbot\n\n" * 1000
    assert all(len(answer) >= loop.UNFLUSHED_BYTES for answer in writes[:-1])


def test_rest_of_input_lost() -> None:
    assert through_pipes(b"name\nfoo\nname\n", "rest-of-input-lost") == [b"= refbot\n\n"]


def test_line_by_read() -> None:
    reading, writing = os.pipe()
    lines = loop.HastyInput(reading)
    os.write(writing, b"name\nver")
    assert [lines.readline(), lines.readline()] == [b"name\n", b"ver"]
    os.write(writing, b"sion\n")
    assert lines.readline() == b"sion\n"
    os.close(writing)
    assert lines.readline() == b""
    os.close(reading)


def test_refusal_drops_input() -> None:
    unknown = b"? unknown command\n\n"
    assert through_pipes(b"name\nfoo\nname\n") == [b"= refbot\n\n", unknown, b"= refbot\n\n"]
    assert through_pipes(b"name\nfoo\nname\n", "refusal-drops-input") == [b"= refbot\n\n", unknown]


KO_OF_ONE_STONE = "".join(f"play {move}\n" for move in ("b B2", "w A2", "b C1", "w B1", "b A1"))
"""Black has taken a stone with A1: in a playout of White, B1 is forbidden at first."""


def position(sent: str, *faults: str) -> Position:
    """The start of White's playouts after a dialogue."""
    server = new_server(*faults)
    for line in sent.splitlines():
        server.answer(line.encode("ascii"))
    return server.session.game.position(WHITE)


def test_refused_move_lifts_ko() -> None:
    sent = KO_OF_ONE_STONE + "play w A1\n"
    assert position(sent).ko == 1
    assert position(sent, "refused-move-lifts-ko").ko == NO_POINT


def test_komi_lifts_ko() -> None:
    sent = KO_OF_ONE_STONE + "komi 6.5\n"
    assert position(sent).ko == 1
    assert position(sent, "komi-lifts-ko").ko == NO_POINT


def test_refused_move_counts() -> None:
    sent = KO_OF_ONE_STONE + "play w A1\n"
    assert position(sent).moves_made == 5
    assert position(sent, "refused-move-counts").moves_made == 6


def test_refused_undo_uncounts() -> None:
    assert position("undo\n" + KO_OF_ONE_STONE).moves_made == 5
    assert position("undo\n" + KO_OF_ONE_STONE, "refused-undo-uncounts").moves_made == 4


DIALOGUES |= handicap_dialogues.FAULTS
DIALOGUES |= tool_dialogues.FAULTS
DIALOGUES |= analysis_dialogues.FAULTS


def seconds(*switches: str) -> list[str]:
    """The answers of cputime, cputime and gomill-cpu_time."""
    return answers("cputime\ncputime\ngomill-cpu_time\n", "extensions", *switches)


def test_seconds() -> None:
    once, again, gomill = (float(answer.removeprefix("= ")) for answer in seconds())
    assert 0.0 < once <= again <= gomill
    once, again, _ = (float(answer.removeprefix("= ")) for answer in seconds("cpu-time-falls"))
    assert once > again
    assert all(re.fullmatch(r"= [0-9.]+ s", answer) for answer in seconds("cpu-time-with-unit"))
    assert seconds("gomill-cpu-time-nan")[2] == "= nan"


def test_descriptions_and_lists() -> None:
    assert talk("gomill-describe_engine\n", "extensions").count(b"\n\n") == 1
    assert talk("gomill-describe_engine\n", "description-blank-line").count(b"\n\n") == 2
    (right,) = answers("gogui-analyze_commands\n", "extensions")
    (more,) = answers("gogui-analyze_commands\n", "analyzes-unknown")
    (fewer,) = answers("gogui-analyze_commands\n", "analyzes-without-label")
    assert {line.count("/") for line in right.splitlines()} == {2}
    assert {line.count("/") for line in fewer.splitlines()} == {1}
    assert answers(f"known_command {more.split('/')[-1]}\n", "extensions") == ["= false"]


SHOWN_BY_A_TEST = {
    "analysis-after-its-end": test_gtp_analysis.test_faults_of_later_lines,
    "analysis-visits-fall": test_gtp_analysis.test_faults_of_later_lines,
    "cpu-time-falls": test_seconds,
    "cpu-time-with-unit": test_seconds,
    "gomill-cpu-time-nan": test_seconds,
    "description-blank-line": test_descriptions_and_lists,
    "analyzes-unknown": test_descriptions_and_lists,
    "analyzes-without-label": test_descriptions_and_lists,
    "unflushed": test_unflushed,
    "rest-of-input-lost": test_rest_of_input_lost,
    "refusal-drops-input": test_refusal_drops_input,
    "line-by-read": test_line_by_read,
    "refused-move-lifts-ko": test_refused_move_lifts_ko,
    "komi-lifts-ko": test_komi_lifts_ko,
    "refused-move-counts": test_refused_move_counts,
    "refused-undo-uncounts": test_refused_undo_uncounts,
}


def test_every_wire_fault_is_shown() -> None:
    shown = [*DIALOGUES, *SHOWN_BY_A_TEST, *of_positions.SHOWN]
    assert sorted(shown) == sorted(WIRE), "show the fault: add what is sent and answered to DIALOGUES"


@pytest.mark.parametrize("name", DIALOGUES)
def test_dialogue(name: str) -> None:
    sent, right, faulty = DIALOGUES[name]
    assert right != faulty
    plain = ["extensions"] if FAULTS[name].extension else []
    assert talk(sent, *plain).decode() == right
    assert talk(sent, name).decode() == faulty


def test_list_omits_required_without_a_komi_command() -> None:
    names = [name for name in NAMES if name != "komi"]
    assert talk("list_commands\n", "komi-missing", "list-omits-required").decode() == _listed(names)


def test_komi_first_only() -> None:
    sent = "komi 5.5\nkomi 0.5\nfinal_score\n"
    assert talk(sent).decode() == OK * 2 + "= W+0.5\n\n"
    assert talk(sent, "komi-first-only").decode() == OK * 2 + "= W+5.5\n\n"


def test_snapback_as_ko() -> None:
    """White's A1 takes the stone on B1 and joins four others, all of them in atari at B1."""
    white, black = ("w C1", "w C2", "w B2", "w A2"), ("b A3", "b B3", "b C3", "b D2", "b D1")
    stones = (*white, *black, "b B1", "w A1", "b B1")
    sent = "".join(f"play {stone}\n" for stone in stones)
    assert talk(sent).decode() == OK * 12
    assert talk(sent, "snapback-as-ko").decode() == OK * 11 + "? illegal move\n\n"


def test_superko_that_survives_a_clear_survives_a_boardsize_of_the_same_size() -> None:
    ko = "".join(
        f"play {move}\n" for move in ("b B1", "b A2", "b B3", "w C1", "w D2", "w C3", "w B2", "b C2")
    )
    for clearing in ("clear_board\n", "boardsize 9\n"):
        assert talk(ko + clearing + "play b B1\n").decode() == OK * 10
        assert talk(ko + clearing + "play b B1\n", "superko-survives-clear").decode() == OK * 9 + (
            "? illegal move\n\n"
        )


def test_a_count_that_is_never_reset_survives_every_new_game() -> None:
    """A playout on 2x2 may last to move 12, counted from the start of the game."""
    passes = "play b pass\nplay w pass\n" * 6
    for fault, clearing, moves in [
        ("clear-keeps-count", "clear_board\n", 1),
        ("clear-keeps-count", "boardsize 2\n", None),
        ("count-never-reset", "clear_board\n", 1),
        ("count-never-reset", "boardsize 2\n", 1),
        ("count-never-reset", "boardsize 3\nboardsize 2\n", 1),
    ]:
        said = talk(f"boardsize 2\n{passes}{clearing}genmove b\nref-nodes\n", fault).decode().split("\n\n")
        nodes = int(said[-2].strip("= "))
        playouts = 10  # those of `new_server`
        assert nodes == moves * playouts if moves else nodes > 2 * playouts, (fault, clearing)


def taken(moves: str, *faults: str) -> list[str]:
    """The answers to moves that are given as `b A1 w B1 …`."""
    words = moves.split()
    pairs = zip(words[::2], words[1::2], strict=True)
    return (
        talk("".join(f"play {colour} {vertex}\n" for colour, vertex in pairs), *faults).decode().split("\n\n")
    )


@pytest.mark.parametrize(
    ("fault", "moves"),
    [
        ("capture-never", "w A1 b A2 b B1 b A1"),
        ("capture-one-stone", "w A1 w B1 b A2 b B2 b C1 b B1"),
        ("capture-one-chain", "w A1 w C1 b A2 b C2 b D1 b B1 b A1 b C1"),
        ("suicide-before-capture", "b B2 w A2 b C1 w B1 b A1"),
        ("ko-for-ever", "b B2 w A2 b C1 w B1 b A1 w G5 b G6 w B1"),
    ],
)
def test_faults_of_captures(fault: str, moves: str) -> None:
    assert "? illegal move" not in taken(moves)
    assert "? illegal move" in taken(moves, fault)


def test_superko_last_forty() -> None:
    ko = "b B2 w A2 b C1 w B1 b A1 " + "w pass b pass " * 18 + "w pass b pass w B1"
    longer = ko.replace("w pass b pass w B1", "w pass b pass w pass b pass w pass b pass w B1")
    for moves in (ko, longer):
        assert taken(moves)[-2] == "? illegal move"
    assert taken(ko, "superko-last-forty")[-2] == "? illegal move"
    assert taken(longer, "superko-last-forty")[-2] == "= "


def test_komi_one_game_late() -> None:
    sent = "komi 3.5\nfinal_score\nclear_board\nfinal_score\n"
    assert talk(sent).decode() == OK + "= W+3.5\n\n" + OK + "= W+3.5\n\n"
    assert talk(sent, "komi-one-game-late").decode() == OK + "= W+7.5\n\n" + OK + "= W+3.5\n\n"
