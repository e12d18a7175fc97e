"""The life of an engine process: start, sending ahead, and every way to its end."""

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import psutil
import pytest

from harness.gtp import Engine, Exit, Launch, Limits
from harness.gtp.launch import MAX_LIMIT

pytestmark = pytest.mark.timeout(120)

Hostile = Callable[..., Launch]


def tagged(tag: str) -> list[psutil.Process]:
    """The living processes with `tag` on their command line, wherever they hang in the tree."""
    found = []
    for process in psutil.process_iter():
        try:
            if tag in process.cmdline() and process.status() != psutil.STATUS_ZOMBIE:
                found.append(process)
        except psutil.Error:
            continue
    return found


@pytest.fixture
def tag(request: pytest.FixtureRequest) -> str:
    return f"{request.node.name}-{os.getpid()}"


def test_a_whole_session(hostile: Hostile, patient: Limits) -> None:
    with Engine(hostile(), patient) as engine:
        assert engine.alive
        assert engine.exit is None
        assert engine.ask("boardsize 9").ok
        assert engine.ask(b"genmove b\n").text == "pass"
    assert not engine.alive
    assert engine.exit == Exit(0, None, False)
    talk = [(event.kind, event.data) for event in engine.transcript]
    assert talk[:4] == [
        ("sent", b"boardsize 9\n"),
        ("received", b"= \n\n"),
        ("sent", b"genmove b\n"),
        ("received", b"= pass\n\n"),
    ]
    assert talk[4:] == [("sent", b"quit\n"), ("received", b"= \n\n"), ("exit", b"ended with exit code 0")]
    assert [event.at for event in engine.transcript] == sorted(event.at for event in engine.transcript)


def test_commands_sent_ahead_are_answered_in_order(hostile: Hostile, patient: Limits) -> None:
    with Engine(hostile(), patient) as engine:
        assert engine.send(b"1 name\n\n# nothing\n2 genmove b\n3 bogus\n") == 0
        exchanges = [engine.receive() for _ in range(3)]
    assert [exchange.raw for exchange in exchanges] == [
        b"=1 hostile\n\n",
        b"=2 pass\n\n",
        b"?3 unknown command\n\n",
    ]
    assert [exchange.sent for exchange in exchanges] == [b"", b"", b""]


def test_sending_ahead_more_than_both_pipes_hold(hostile: Hostile, patient: Limits) -> None:
    commands = 40_000  # 280 kB out and 480 kB back: each side must read while it writes
    with Engine(hostile(), patient) as engine:
        assert engine.send(b"1 name\n" * commands) == 0
        assert all(engine.receive().text == "hostile" for _ in range(commands))


def test_every_received_byte_belongs_to_one_exchange(hostile: Hostile, patient: Limits) -> None:
    with Engine(hostile("chatty"), patient) as engine:
        engine.send(b"name\ngenmove b\n")
        owned = engine.receive().raw + engine.receive().raw + engine.ask("x").raw + engine.receive(0.0).raw
        received = b"".join(event.data for event in engine.transcript if event.kind == "received")
    assert owned == received


def test_receive_returns_answers_to_no_command(hostile: Hostile, patient: Limits) -> None:
    with Engine(hostile("twice", at=2), patient) as engine:
        assert engine.ask("name").ok
        assert engine.receive(0.0).raw == b""
        assert engine.ask("genmove b").ok
        assert engine.receive().raw == b"= pass\n\n"
        engine.end_input()
        last = engine.receive()
        assert (last.ending, last.raw) == ("eof", b"")


def test_the_first_answer_has_the_start_up_limit(hostile: Hostile) -> None:
    limits = Limits(startup=60, answer=0.0)
    with Engine(hostile(), limits) as engine:
        assert engine.ask("name").ok
        assert engine.ask("name").ending in ("timeout", "answer")


def test_transcripts_begin_anew(hostile: Hostile, patient: Limits) -> None:
    with Engine(hostile(), patient) as engine:
        assert engine.ask("name").ok
        engine.forget_transcript()
        assert list(engine.transcript) == []
        assert engine.ask("komi 7.5").ok
        assert engine.transcript[0].data == b"komi 7.5\n"


def test_what_a_caller_may_not_do(hostile: Hostile, patient: Limits) -> None:
    engine = Engine(hostile(), patient)
    assert not engine.alive
    assert engine.exit is None
    with pytest.raises(RuntimeError, match="not been started"):
        engine.ask("name")
    with engine, pytest.raises(RuntimeError, match="once"):
        engine.start()


def test_closing_twice_and_talking_to_a_closed_engine(hostile: Hostile, patient: Limits) -> None:
    engine = Engine(hostile(), patient).start()
    end = engine.close()
    assert end == Exit(0, None, False)
    assert engine.close() == end
    assert engine.kill() == end
    exchange = engine.ask("name")
    assert (exchange.ending, exchange.exit) == ("eof", end)
    assert engine.receive().ending == "eof"
    assert engine.send(b"x") == 1


def test_an_exception_kills_without_waiting_for_a_polite_end(hostile: Hostile, patient: Limits) -> None:
    engine = Engine(hostile("undead"), patient)
    with pytest.raises(KeyboardInterrupt), engine:
        raise KeyboardInterrupt
    assert engine.exit == Exit(None, signal.SIGKILL, True)
    assert str(engine.exit) == "ended by SIGKILL, sent by the harness"


def test_what_ignores_every_request_is_killed(hostile: Hostile, brief: Limits) -> None:
    with Engine(hostile("undead"), brief) as engine:
        assert engine.ask("quit").ok
        assert engine.alive
    assert engine.exit == Exit(None, signal.SIGKILL, True)


def test_a_stopped_engine_is_killed(hostile: Hostile, brief: Limits) -> None:
    with Engine(hostile(), brief) as engine:
        assert engine.ask("name").ok
        os.kill(engine.pid, signal.SIGSTOP)
        assert engine.ask("name").ending == "timeout"
    assert engine.exit
    assert engine.exit.forced


@pytest.mark.parametrize("mode", ["parent", "daemons"])
@pytest.mark.parametrize("how", ["close", "kill"])
def test_children_and_daemons_end_with_their_engine(
    hostile: Hostile, patient: Limits, mode: str, how: str, tag: str
) -> None:
    with Engine(hostile(mode, size=3, tag=tag), patient) as engine:
        assert engine.ask("name").ok
        assert len(tagged(tag)) == 4
        getattr(engine, how)()
    assert tagged(tag) == []


def test_a_child_of_a_dead_engine_ends_too(hostile: Hostile, patient: Limits, tag: str) -> None:
    with Engine(hostile("orphan", tag=tag), patient) as engine:
        assert engine.ask("name").ending == "eof"
    assert tagged(tag) == []


def test_one_engines_end_leaves_the_other_alone(hostile: Hostile, patient: Limits, tag: str) -> None:
    with Engine(hostile("daemons", tag=tag), patient) as stays:
        assert stays.ask("name").ok
        with Engine(hostile("daemons"), patient) as goes:
            assert goes.ask("name").ok
        assert len(tagged(tag)) == 3
        assert stays.ask("name").ok


HARNESS_THAT_DIES = """
import os, sys
from harness.gtp import Engine, Launch, Limits
engines = [Engine(Launch(command), Limits(terminate=1)).start() for command in sys.argv[1:]]
assert all(engine.ask("name").ok for engine in engines)
print("ready", flush=True)
os.kill(os.getpid(), 9)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="strays are found by /proc")
def test_nothing_outlives_a_harness_that_is_killed(hostile: Hostile, tag: str) -> None:
    commands = [hostile(mode, tag=tag).command for mode in ("right", "undead", "parent", "daemons")]
    root = Path(__file__).parents[3]
    done = subprocess.run([sys.executable, "-c", HARNESS_THAT_DIES, *commands], cwd=root, capture_output=True)
    assert (done.stdout, done.returncode) == (b"ready\n", -signal.SIGKILL)
    # Bounded by the test's own time limit.
    while alive := tagged(tag):
        psutil.wait_procs(alive, timeout=0.1)
    # Orphans come to this process, which must collect them. It may have other children, of other tests.
    psutil.wait_procs([c for c in psutil.Process().children() if c.status() == psutil.STATUS_ZOMBIE])


def test_an_engine_sees_no_more_of_the_environment_than_it_is_given(
    monkeypatch: pytest.MonkeyPatch, patient: Limits
) -> None:
    monkeypatch.setenv("PYTHONUNBUFFERED", "1")
    monkeypatch.setenv("SECRET", "1")
    with Engine(Launch("env", env={"MINE": "2"}), patient) as engine:
        seen = dict(line.split("=", 1) for line in engine.receive(60).raw.decode().splitlines())
    assert seen["MINE"] == "2"
    assert set(seen) == {"PATH", "HOME", "LANG", "MINE", "CONFORM_ENGINE"}


def test_limits_reach_the_process(patient: Limits) -> None:
    resource = pytest.importorskip("resource")
    launch = Launch("cat", memory_mb=64, cpu_seconds=5)
    with Engine(launch, replace(patient, quit=0.01)) as engine:
        assert resource.prlimit(engine.pid, resource.RLIMIT_DATA) == (64 << 20, 64 << 20)
        assert resource.prlimit(engine.pid, resource.RLIMIT_CPU) == (5, 6)


@pytest.mark.parametrize(("memory_mb", "cpu_seconds"), [(0, None), (10**22, None), (None, 10**22)])
def test_a_limit_that_the_kernel_cannot_count_is_refused(
    memory_mb: int | None, cpu_seconds: int | None
) -> None:
    with pytest.raises(ValueError, match="expected 1 to"):
        Launch("cat", memory_mb=memory_mb, cpu_seconds=cpu_seconds)


def test_the_largest_limits_can_be_set(patient: Limits) -> None:
    with Engine(
        Launch("cat", memory_mb=MAX_LIMIT, cpu_seconds=MAX_LIMIT), replace(patient, quit=0.01)
    ) as engine:
        engine.send(b"= text\n\n")
        assert engine.receive(60).text == "text"


def test_no_end_within_the_limit_is_reported_and_not_waited_for(hostile: Hostile, brief: Limits) -> None:
    killed = Exit(None, signal.SIGKILL, True)
    with Engine(hostile("undead"), replace(brief, reap=0.0)) as engine:
        assert engine.ask("name").ok
        end = engine.kill()  # with no time at all to see the effect, either may be found
        assert end in (Exit(None, None, True), killed)
        assert "SIGKILL" in str(end)
        while engine.kill() != killed:  # bounded by the test's time limit
            pass
