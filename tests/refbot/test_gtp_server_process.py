"""The engine as a process: start, pipes, end of input, interrupts."""

from __future__ import annotations

import os
import signal
import subprocess
import sys

import pytest

from refbot.gtp import loop
from tests.refbot.gtp_dialogue import through_pipes
from tests.refbot.gtp_process import ENGINE, LIMIT, ask, environment, exchanged, start, without_notices


def test_commands_sent_ahead_are_answered_in_order() -> None:
    sent = b"".join(b"%d known_command genmove\r\n" % number for number in range(3000))
    out, err, code = exchanged(sent + b"quit\nname\n")
    assert out == b"".join(b"=%d true\n\n" % number for number in range(3000)) + b"= \n\n"
    assert (err, code) == (b"", 0)


@pytest.mark.parametrize(
    ("sent", "out"),
    [
        (b"", b""),
        (b"\n\n", b""),
        (b"1 name", b"=1 refbot\n\n"),
        (b"1 name\n2", b"=1 refbot\n\n?2 missing command\n\n"),
    ],
)
def test_end_of_input(sent: bytes, out: bytes) -> None:
    assert exchanged(sent) == (out, b"", 0)


def test_each_answer_comes_before_the_next_question() -> None:
    with start("--playouts", "10", "--size", "2") as process:
        assert ask(process, b"1 name") == b"=1 refbot\n\n"
        for stone in (b"A1", b"B1", b"A2"):
            assert ask(process, b"play b " + stone) == b"= \n\n"
        assert ask(process, b"2 genmove w") == b"=2 B2\n\n"
        assert ask(process, b"ref-playouts") == b"= 10\n\n"
        assert ask(process, b"3 quit") == b"=3 \n\n"
        assert process.wait(LIMIT) == 0


def test_a_long_line_is_one_command() -> None:
    out, _, code = exchanged(b"1 name " + b"x" * 1_000_000 + b"\n2 name\n")
    assert (out, code) == (b"=1 refbot\n\n=2 refbot\n\n", 0)


def test_a_reader_that_has_gone_ends_the_engine_quietly() -> None:
    process = start()
    assert process.stdin is not None
    assert process.stdout is not None
    assert process.stderr is not None
    with process:
        process.stdout.close()
        process.stdin.write(b"name\n")
        process.stdin.flush()
        assert process.wait(LIMIT) == 0
        assert without_notices(process.stderr.read()) == b""


@pytest.mark.parametrize("redirection", ["<&-", ">&-", ">/dev/full"])
def test_a_missing_or_full_descriptor_is_reported_in_one_line(redirection: str) -> None:
    command = f'echo name | {{ "$@" {redirection}; }}'
    done = subprocess.run(
        ["sh", "-c", command, "sh", *ENGINE], env=environment(), capture_output=True, timeout=LIMIT
    )
    assert done.returncode == 1
    assert done.stdout == b""
    err = without_notices(done.stderr)
    assert err.startswith(b"refbot: ")
    assert err.count(b"\n") == 1


def test_nothing_needs_stderr() -> None:
    done = subprocess.run(
        ["sh", "-c", '"$@" 2>&-', "sh", *ENGINE, "--playouts", "1"],
        input=b"name\nplay b A1\nfoo\n",
        env=environment(),
        capture_output=True,
        timeout=LIMIT,
    )
    assert done.stdout == b"= refbot\n\n= \n\n? unknown command\n\n"
    assert done.returncode == 0


def test_an_interrupt_ends_the_engine_quietly() -> None:
    with start() as process:
        assert ask(process, b"name") == b"= refbot\n\n"
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=LIMIT)
        assert (out, without_notices(err), process.returncode) == (b"", b"", -signal.SIGINT)


def test_a_fault_that_crashes_shows_on_stderr_and_in_the_exit_code() -> None:
    out, err, code = exchanged(
        b"1 name\n\n2 name\n", "--fault", "blank-line-crashes", "--fault", "id-dropped"
    )
    assert out == b"= refbot\n\n"
    assert b"DeliberateCrashError" in err
    assert code == 1


def test_a_seed_repeats_the_game_and_without_one_searches_differ() -> None:
    moves = b"genmove b\nref-nodes\n" * 4
    assert exchanged(moves, "--seed", "5") == exchanged(moves, "--seed", "5")
    # The sum of 1,000 lengths of sd 16 has sd 506: two are equal in a case of 1,500, four pairs in 2e-13.
    assert exchanged(moves)[0] != exchanged(moves)[0]


def test_first_questions_are_answered_without_loading_the_compiler() -> None:
    program = (
        "import sys; from refbot.gtp import Server, Session, Settings\n"
        "server = Server(Session(Settings()))\n"
        "for line in (b'name', b'version', b'list_commands', b'boardsize 9', b'clear_board', b'komi 6.5'):\n"
        "    assert server.answer(line).startswith(b'=')\n"
        "assert not {'numba', 'numpy', 'sgfmill'} & set(sys.modules)\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True, timeout=LIMIT)


def test_answers_to_a_set_up_that_arrived_together_are_passed_on_together() -> None:
    data = b"boardsize 9\nclear_board\nkomi 0\nplay b A1\n1 play w A1\nplay w B1\nplay b pass\nundo\nplay b"
    assert through_pipes(data) == [
        b"= \n\n= \n\n= \n\n= \n\n",
        b"?1 illegal move\n\n= \n\n= \n\n",
        b"= \n\n",
        b"? missing argument\n\n",
    ]


def test_the_answer_to_a_play_does_not_wait_for_a_search() -> None:
    writes = through_pipes(b"play b A1\nplay w B1\ngenmove b\n")
    assert writes[0] == b"= \n\n= \n\n"
    assert len(writes) == 2


def test_a_line_may_arrive_in_pieces_and_be_long() -> None:
    source, feed = os.pipe()
    lines = loop.WholeLines(source)
    os.write(feed, b"name\nver")
    assert (lines.readline(), lines.ahead) == (b"name\n", b"")
    os.write(feed, b"sion\nqu")
    assert lines.readline() == b"version\n"
    os.write(feed, b"it\n\n" + b"x" * 30_000)
    assert (lines.readline(), lines.ahead, lines.readline()) == (b"quit\n", b"\n", b"\n")
    os.write(feed, b"x" * 30_000)
    os.close(feed)
    assert (lines.readline(), lines.readline()) == (b"x" * 60_000, b"")
    os.close(source)
