"""Analyses of the reference bot: their arguments, their forms, and how they go on until the next line."""

from __future__ import annotations

import json
import re
import subprocess
from itertools import pairwise

import pytest

from refbot.deviations.faults import Faults
from refbot.deviations.habits import Habits
from refbot.gtp import Server
from tests.refbot.analysis_dialogues import CORNER, LINE
from tests.refbot.gtp_dialogue import answers, new_server
from tests.refbot.gtp_process import exchanged, start


def begun(*switches: str, command: str = "lz-analyze w 50", setup: str = "") -> tuple[Server, bytes]:
    """A server with an analysis that goes on, and the beginning of its answer."""
    server = new_server("extensions", *switches)
    for line in setup.splitlines():
        server.answer(line.encode("ascii"))
    return server, server.answer(command.encode("ascii"))


def more(server: Server) -> bytes:
    server.think()
    return server.report()


def visits(line: bytes) -> dict[str, int]:
    """The visits of each move of a report."""
    words = line.decode("ascii").split()
    moves = [words[place + 1] for place, word in enumerate(words) if word == "move"]
    counts = [int(words[place + 1]) for place, word in enumerate(words) if word == "visits"]
    return dict(zip(moves, counts, strict=True))


def test_visits_grow_from_line_to_line() -> None:
    server, first = begun()
    sign, line = first.split(b"\n", 1)
    assert sign == b"="
    reports = [visits(line), *(visits(more(server)) for _ in range(3))]
    assert len(reports[0]) == 81
    for earlier, later in pairwise(reports):
        assert all(later[move] >= count for move, count in earlier.items())
        assert sum(later.values()) > sum(earlier.values())
    assert server.answer(b"7 name\n") == b"\n=7 refbot\n\n"
    assert more(server) == b""


def test_an_analysis_leaves_no_trace() -> None:
    plain = answers("genmove b\nref-nodes\nshowboard\n")
    server = new_server("extensions")
    for line in ("genmove b", "lz-analyze w", "kata-search_analyze w"):
        server.answer(line.encode("ascii"))
    assert server.answer(b"ref-nodes\n").decode().strip() == plain[1]
    assert server.answer(b"showboard\n").decode().strip() == plain[2].strip()


@pytest.mark.parametrize(
    ("words", "seconds"),
    [
        ("b 20", 0.2),
        ("20", 0.2),
        ("w interval 5", 0.05),
        ("", 1.0),
        ("b 0", 0.01),
        ("interval 30 ownership true minmoves 3 maxmoves 2 rootInfo false", 0.3),
        ("b 7 avoid b A1,B2 9 allow w C3 2", 0.07),
    ],
)
@pytest.mark.parametrize("command", ["lz-analyze", "kata-analyze", "analyze", "cgos-analyze"])
def test_arguments(command: str, words: str, seconds: float) -> None:
    server, first = begun(command=f"{command} {words}")
    assert first.startswith(b"=\n")
    assert server.interval == pytest.approx(seconds)


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        ("x 20", "color"),
        ("b abc", ""),
        ("b -5", "centiseconds"),
        ("b 20 colour", "expected one of the keys allow, avoid, interval"),
        ("b 20 maxmoves", "maxmoves needs a value"),
        ("b 20 avoid b A1", "avoid needs a colour, points and a number of moves"),
        ("b 20 ownership 3", "expected true or false"),
    ],
)
def test_wrong_arguments_are_refused(words: str, reason: str) -> None:
    server, first = begun(command=f"lz-analyze {words}")
    assert first.startswith(b"? ")
    assert reason in first.decode("ascii")
    assert server.interval is None


def test_moves_are_chosen_by_avoid_allow_and_maxmoves() -> None:
    assert len(visits(begun(command="lz-analyze maxmoves 3")[1])) == 3
    assert set(visits(begun(command="lz-analyze b allow b A1,B2,C3 1 avoid b B2 1")[1])) == {"A1", "C3"}
    assert len(visits(begun(command="lz-analyze b avoid w A1 5")[1])) == 81


def test_ownership_is_that_of_the_board() -> None:
    setup = "boardsize 2\nplay b A1\nplay w B2\n"
    _, line = begun(command="kata-analyze w ownership true", setup=setup)
    assert line.decode().split("ownership ")[1].split() == ["0", "1", "-1", "0"]


def test_the_analysis_of_cgos_is_json() -> None:
    _, first = begun(command="cgos-analyze w", setup=CORNER)
    found = json.loads(first.splitlines()[1])
    assert found["visits"] == 10
    assert [move["move"] for move in found["moves"]] == ["B2"]


def test_faults_of_later_lines() -> None:
    server, first = begun(Faults.ANALYSIS_AFTER_ITS_END.name, setup=CORNER)
    assert (first, more(server)) == (b"=\n", b"")
    assert server.answer(b"name\n").count(LINE[:10].encode()) == 2
    server, first = begun(Faults.ANALYSIS_VISITS_FALL.name, setup=CORNER)
    assert visits(first)["B2"] > visits(more(server))["B2"]


def test_habits_of_the_lines() -> None:
    one, first = begun(Habits.ANALYSIS_PRINTED_ONCE.name, setup=CORNER)
    assert (first, more(one)) == (f"=\n{LINE}".encode(), b"")
    ended, first = begun(Habits.ANALYSIS_ENDS_BY_ITSELF.name, setup=CORNER)
    assert (first, ended.answer(b"name\n")) == (f"=\n{LINE}\n".encode(), b"= refbot\n\n")
    _, apart = begun(Habits.ANALYSIS_LINE_A_MOVE.name)
    assert apart.count(b"\n") == 82
    blank, _ = begun(Habits.ANALYSIS_BLANK_IGNORED.name, setup=CORNER)
    assert blank.answer(b"\n") == b""
    assert more(blank) != b""
    assert begun(setup=CORNER)[0].answer(b"\n") == b"\n"


# The process


def lines_of(process: subprocess.Popen[bytes], count: int) -> list[bytes]:
    assert process.stdout is not None
    return [process.stdout.readline() for _ in range(count)]


def test_a_process_prints_until_a_line_arrives() -> None:
    with start("--extensions", "--playouts", "10") as process:
        assert process.stdin is not None
        process.stdin.write(b"7 lz-analyze b 1 maxmoves 2\n")
        process.stdin.flush()
        assert lines_of(process, 1) == [b"=7\n"]
        assert all(line.startswith(b"info move ") for line in lines_of(process, 5))
        process.stdin.write(b"8 name\nquit\n")
        process.stdin.flush()
        rest = process.stdout.read() if process.stdout else b""
    assert re.fullmatch(rb"(info [^\n]*\n)*\n=8 refbot\n\n= \n\n", rest)


def test_the_end_of_the_input_ends_an_analysis() -> None:
    out, _, code = exchanged(CORNER.encode() + b"lz-analyze w\n", "--extensions", "--playouts", "10")
    assert out.endswith(b"pv B2\n\n")
    assert code == 0
