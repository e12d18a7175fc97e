"""Closed standard streams, SIGTERM, and text from outside in messages: what every command does with them."""

import fcntl
import json
import os
import shlex
import signal
import subprocess
import sys
import termios
import time
from pathlib import Path

import pytest

from tests.command_line import conform
from tests.parameters import slow_but

ROOT = Path(__file__).parents[3]
CONFORM = [sys.executable, "-c", "from harness.cli import main; main()"]
FULL_PIPE = 1 << 15  # bytes; the output is larger than any pipe
SILENT = shlex.join([sys.executable, "-S", "-c", "import time; time.sleep(1000)"])


def shell(line: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run a shell line in which "$@" is conform with the arguments."""
    command = ["sh", "-c", line, "sh", *CONFORM, *arguments]
    return subprocess.run(command, capture_output=True, text=True, cwd=ROOT)


@pytest.mark.parametrize("closed", slow_but((">&-",), [">&-", ">&- 2>&-", "<&- >&- 2>&-"]))
def test_a_closed_output_is_no_verdict(closed: str) -> None:
    done = shell(f'"$@" {closed}', "checks")
    assert done.returncode == 2
    assert done.stderr == (
        ""
        if "2>" in closed
        else "conform: the output is closed: send it to a terminal, a file or /dev/null\n"
    )


@pytest.mark.parametrize("closed", slow_but(("<&- 2>&-",), ["2>&-", "<&-", "<&- 2>&-"]))
def test_a_command_runs_without_input_or_error_output(closed: str) -> None:
    done = shell(f'"$@" {closed}', "checks")
    assert done.returncode == 0
    assert done.stdout == conform("checks").stdout


def test_a_new_process_has_the_streams_that_were_closed() -> None:
    child = "import os; [os.fstat(number) for number in range(3)]"
    parent = (
        "import subprocess, sys; from harness.cli.streams import open_standard_streams; "
        "open_standard_streams(); "
        f"sys.exit(subprocess.run([sys.executable, '-S', '-c', {child!r}]).returncode)"
    )
    command = ["sh", "-c", '"$@" <&- 2>&-', "sh", sys.executable, "-c", parent]
    assert subprocess.run(command, cwd=ROOT).returncode == 0


def test_what_an_engine_logs_lands_in_no_file_of_the_harness(tmp_path: Path) -> None:
    """With stderr closed, the next file that is opened would be the new stderr."""
    script = (
        "import sys; [(print('L' + 'OG', file=sys.stderr), print('=\\n', flush=True)) for line in sys.stdin]"
    )
    bot = shlex.join([sys.executable, "-S", "-c", script])
    report = tmp_path / "report.json"
    shell(
        '"$@" 2>&-', "check", bot, "--only", "gtp.frame.two-newlines", "--json", str(report), "--budget", "20"
    )
    assert "LOG" not in report.read_text()
    assert report.read_text().startswith("{")


def test_an_output_that_does_not_block_waits_for_its_reader(tmp_path: Path) -> None:
    """A parent may share a pipe that is set not to block, and read it slowly."""
    reading, writing = os.pipe()
    os.set_blocking(writing, False)
    with open(reading, "rb") as pipe, (tmp_path / "stderr").open("w+") as errors:
        process = subprocess.Popen([*CONFORM, "vectors", "--json"], stdout=writing, stderr=errors, cwd=ROOT)
        os.close(writing)
        while int.from_bytes(fcntl.ioctl(pipe, termios.FIONREAD, bytes(4)), sys.byteorder) < FULL_PIPE:
            assert process.poll() is None
            time.sleep(0.01)
        output = pipe.read()
    assert process.wait() == 0, (tmp_path / "stderr").read_text()
    assert output.decode("utf-8") == conform("vectors", "--json").stdout


def test_the_reader_of_the_output_may_leave() -> None:
    done = shell('("$@"; echo $? >&2) | head -n 1', "checks")
    assert len(done.stdout.splitlines()) == 1
    assert "Traceback" not in done.stderr
    assert done.stderr.split()[-1] in ("0", "130")


def test_sigterm_ends_a_check_with_what_it_has() -> None:
    """The bot is silent for ever; the report comes nevertheless."""
    command = [*CONFORM, "check", SILENT, "--startup", "1000", "--no-color"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=ROOT, env=os.environ) as process:
        while not any("sleep(1000)" in line for line in children_of(process.pid)):
            pass
        process.send_signal(signal.SIGTERM)
        assert process.stdout is not None
        process.stdout.read()
        assert process.wait() == 130
    assert not any("sleep(1000)" in line for line in children_of(process.pid))


def children_of(pid: int) -> list[str]:
    import psutil

    try:
        return [" ".join(child.cmdline()) for child in psutil.Process(pid).children(recursive=True)]
    except psutil.Error:
        return []


def test_names_of_keys_and_files_are_no_commands_to_the_terminal(tmp_path: Path) -> None:
    config = tmp_path / "evil\x1b[31m.toml"
    config.write_text('[run]\n"\\u001b[2Jkey" = 1\n')
    done = shell('"$@"', "match", str(config))
    assert done.returncode == 2
    assert "\x1b" not in done.stderr
    assert "\\x1b[2Jkey" in done.stderr
    assert "evil\\x1b[31m.toml" in done.stderr


INSTANT = shlex.join([sys.executable, "-S", "-E", str(ROOT / "tests/engines/instant.py")])
SCHEDULED = f"""
[run]
size = 5
games = 4
workers = 1
[[engine]]
name = "a"
command = {json.dumps(INSTANT)}
[[engine]]
name = "b"
command = {json.dumps(INSTANT)}
[schedule]
cron = "@hourly"
"""


@pytest.mark.parametrize("limit", slow_but((12,), [12, 16, 20, 60]))
def test_a_lack_of_descriptors_is_no_verdict_and_no_bug(tmp_path: Path, limit: int) -> None:
    config = tmp_path / "config.toml"
    config.write_text(SCHEDULED)
    done = shell(f'ulimit -n {limit}; "$@"', "match", str(config), "--out", str(tmp_path / "run"))
    if done.returncode == 2:
        assert "this machine has no more file descriptors" in done.stderr
    else:
        assert done.returncode == 3  # four games decide nothing; and no engine has failed
    assert done.returncode == (2 if limit == 12 else 3 if limit == 60 else done.returncode)


@pytest.mark.slow  # as test_the_reader_of_the_output_may_leave, for the longest of these commands
def test_the_reader_of_a_schedule_may_leave(tmp_path: Path) -> None:
    config = tmp_path / "config.toml"
    config.write_text(SCHEDULED)
    done = shell('("$@"; echo $? >&2) | true', "schedule", "--list", *[str(config)])
    assert "Broken pipe" not in done.stderr
    assert done.stderr.split()[-1] in ("0", "130")
