"""A Ctrl-C is held back, not lost, and not handed on to what is started meanwhile."""

import os
import signal
import subprocess
import sys
import threading

import pytest

from harness.gtp.interrupts import interrupt_held

SAYS_WHETHER_IGNORED = "import signal; print(signal.getsignal(signal.SIGINT) is signal.SIG_IGN)"


def test_it_takes_effect_at_the_end() -> None:
    usual = signal.getsignal(signal.SIGINT)
    done = []

    def interrupted_at_once() -> None:
        with interrupt_held():
            os.kill(os.getpid(), signal.SIGINT)
            done.append("what must be whole")

    with pytest.raises(KeyboardInterrupt):
        interrupted_at_once()
    assert done
    assert signal.getsignal(signal.SIGINT) is usual


def test_also_when_what_it_held_back_failed() -> None:
    def failing() -> None:
        with interrupt_held():
            os.kill(os.getpid(), signal.SIGINT)
            raise ValueError("both are reported")

    with pytest.raises(KeyboardInterrupt) as caught:
        failing()
    assert isinstance(caught.value.__context__, ValueError)


def test_a_process_started_meanwhile_hears_ctrl_c() -> None:
    with interrupt_held():
        said = subprocess.run(
            [sys.executable, "-c", SAYS_WHETHER_IGNORED], stdout=subprocess.PIPE, check=True
        )
    assert said.stdout.strip() == b"False"


def test_other_threads_are_left_alone() -> None:
    seen = []

    def work() -> None:
        with interrupt_held():
            seen.append(signal.getsignal(signal.SIGINT))

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert seen == [signal.getsignal(signal.SIGINT)]


def test_a_process_started_while_ctrl_c_is_deferred_blocks_it() -> None:
    """Also the first one of an interpreter, which starts the resource tracker of multiprocessing."""
    script = """
import signal
from multiprocessing import resource_tracker
from harness.gtp.interrupts import deferred_interrupt
with deferred_interrupt():
    resource_tracker.ensure_running()
    print(signal.SIGINT in signal.pthread_sigmask(signal.SIG_BLOCK, ()))
print(signal.SIGINT in signal.pthread_sigmask(signal.SIG_BLOCK, ()))
"""
    said = subprocess.run([sys.executable, "-c", script], stdout=subprocess.PIPE, check=True)
    assert said.stdout.split() == [b"True", b"False"]


def test_an_interrupt_that_another_thread_gets_is_deferred_too() -> None:
    script = """
import signal, threading
from harness.gtp.interrupts import deferred_interrupt
over = threading.Event()
thread = threading.Thread(target=over.wait)  # its mask lets SIGINT through
thread.start()
try:
    with deferred_interrupt():
        signal.pthread_kill(thread.ident, signal.SIGINT)
        for _ in range(10**6):
            pass  # Python calls the handler of a signal between two steps of the main thread
        print("whole")
except KeyboardInterrupt:
    print("interrupted")
over.set()
"""
    said = subprocess.run([sys.executable, "-c", script], stdout=subprocess.PIPE, check=True)
    assert said.stdout.split() == [b"whole", b"interrupted"]
