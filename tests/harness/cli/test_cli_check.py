"""The contract of the command line, kept by running it: exit codes, clear lines, JSON, colours, signals."""

from __future__ import annotations

import json
import os
import re
import shlex
import signal
import subprocess
import sys
from pathlib import Path

import psutil
import pytest

from tests.command_line import CONFORM, ENGINES, bot, conform

QUICK = ("--only", "ref.nodes.three", "--only", "gtp.admin.name")
RIGHT = bot("pure_bot.py", "--playouts", 55)
"""A bot that conforms, and starts in a tenth of the time of refbot: it has no compiled code."""
WRONG = bot("wrong_pure.py", "nodes-one-pass", "--playouts", 55)
"""That bot with a fault."""


# --- exit codes --------------------------------------------------------------------------------------------


def test_0_for_a_bot_that_conforms() -> None:
    done = conform("check", RIGHT, *QUICK)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith(f"conforms  {RIGHT}")
    assert "55 playouts a search (asked)" in done.stdout


def test_1_for_a_bot_that_deviates_with_all_that_helps() -> None:
    done = conform("check", WRONG, "--only", "ref.nodes.three")
    assert done.returncode == 1
    for part in (
        "Start here, not met: ",
        "FAIL  ref.nodes.three",
        "MUST   clause ref-nodes",
        "expected   3.000 moves a playout, exactly",
        "observed   2.000 moves a playout",
        "change     one neutral point is filled",
        f"deviates  {WRONG}",
    ):
        assert part in done.stdout
    (again,) = re.findall(r"again      (conform check .*)", done.stdout)
    assert shlex.split(again) == ["conform", "check", WRONG, "--only", "ref.nodes.three"]


def test_3_for_a_bot_that_is_undecided() -> None:
    """Searches of a single playout: tens of thousands would be needed, each with a set-up of its own."""
    words = ("--only", "ref.empty.score", "--budget", "1", "--playouts", "1")
    one = bot("pure_bot.py", "--playouts", 1, "--seed", 1)
    done = conform("check", one, *words)
    assert done.returncode == 3
    assert "open  ref.empty.score" in done.stdout
    (advice,) = re.findall(r"would decide:\n +(conform check .*)", done.stdout)
    assert shlex.split(advice)[:6] == ["conform", "check", one, "--playouts", "1", "--budget"]


@pytest.mark.parametrize(
    ("command", "line"),
    [
        ("/bin/cat", "it only echoes what it is sent: not a GTP engine"),
        ("true", "it ended with exit code 0 without an answer"),
        ("./no-such-bot", "no such program"),
        ("/tmp", "'/tmp' is a directory"),
    ],
)
def test_4_for_what_is_no_bot(command: str, line: str) -> None:
    done = conform("check", command)
    assert done.returncode == 4
    assert done.stdout.startswith(f"unusable  {command}")
    assert line in done.stdout
    assert "Traceback" not in done.stdout + done.stderr


@pytest.mark.parametrize(
    ("words", "lines"),
    [
        (("check", "x", "--bugdet", "quick"), ("No such option", "--budget")),
        (("check", "x", "--budget", "qick"), ("unknown budget 'qick'", "quick, standard, thorough")),
        (("check", "x", "--budget", "-3"), ("a duration is a positive number of seconds", "not '-3'")),
        (("check", "x", "--budget", "nan"), ("unknown budget 'nan'",)),
        (("check", "x", "--budget", "inf"), ("unknown budget 'inf'",)),
        (("check", "x", "--only", "ref.eye.center"), ("did you mean 'ref.eye.centre'?",)),
        (("check", "x", "--skip", "zzzz"), ("no check matches 'zzzz'",)),
        (("check", "x", "--skip", "*"), ("--skip leaves no check to run",)),
        (("check", "x", "--playouts", "0"), ("--playouts",)),
        (("check", "x", "--playouts", "many"), ("--playouts",)),
        (("check", "x", "--timeout", "0"), ("--timeout",)),
        (("check", "x", "--env", "LIBRARY"), ("--env expects NAME=VALUE, not 'LIBRARY'",)),
        (("explore", "x", "--env", "=1"), ("--env expects NAME=VALUE, not '=1'",)),
        (("compare", "x", "y", "--env", ""), ("--env expects NAME=VALUE, not ''",)),
        (("check",), ("BOT",)),
        (("chek", "x"), ("chek",)),
        (("explain", "gtp.frame.id-ecko"), ("did you mean 'gtp.frame.id-echo'?",)),
        (("explain", "loadsgf-broken-crashs"), ("did you mean 'loadsgf-broken-crashes'?",)),
        (("checks", "nonesuch*"), ("no check matches",)),
    ],
    ids=lambda value: (
        " ".join(value)
        if value and value[0] in ("check", "chek", "explain", "checks", "explore", "compare")
        else ""
    ),
)
def test_2_and_one_line_for_a_mistake_of_the_user(words: tuple[str, ...], lines: tuple[str, ...]) -> None:
    done = conform(*words)
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.startswith("conform: ")
    assert done.stderr.count("\n") == 1
    assert all(line in done.stderr for line in lines)


def test_2_for_a_report_that_cannot_be_written(tmp_path: Path) -> None:
    done = conform("check", RIGHT, *QUICK, "--json", str(tmp_path / "no" / "report.json"))
    assert done.returncode == 2
    assert "cannot write" in done.stderr
    assert "no such file or directory" in done.stderr
    assert "Traceback" not in done.stderr


def test_130_and_nothing_left_when_interrupted() -> None:
    """Ctrl-C goes to the whole process group; the engines have sessions of their own and are ended by us."""
    tag = f"interrupted-{os.getpid()}"
    command = bot("hostile.py", "silent", "--tag", tag, "--at", 40)
    running = subprocess.Popen(
        [CONFORM, "check", command, "--timeout", "250", "-v"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    try:
        assert running.stdout is not None
        assert running.stdout.readline().startswith(b"programs that an engine starts end with it")
        first = running.stdout.readline()  # a check has ended: the engine runs
        os.killpg(running.pid, signal.SIGINT)
        rest, _ = running.communicate()
    finally:
        running.kill()
    assert running.returncode == 130
    assert first.startswith(b"PASS")  # what is finished is kept, and reported
    assert b"interrupted" in rest or b"checks:" in rest
    assert tagged(tag, running.pid) == []


def test_a_line_says_so_when_it_is_interrupted_before_the_first_answer() -> None:
    running = subprocess.Popen(
        [CONFORM, "check", bot("hostile.py", "silent"), "--startup", "250", "-v"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    try:
        assert running.stdout is not None
        assert running.stdout.readline()  # the bot is started next
        os.killpg(running.pid, signal.SIGINT)
        _, said = running.communicate()
    finally:
        running.kill()
    assert (running.returncode, said) == (130, b"conform: interrupted\n")


def tagged(tag: str, controller: int) -> list[psutil.Process]:
    """Engines of the run: processes with the tag in their command line, but for the controller."""
    return [
        process
        for process in psutil.process_iter(["cmdline"])
        if tag in (process.info["cmdline"] or []) and process.pid != controller
    ]


# --- what is printed ---------------------------------------------------------------------------------------


def test_no_escape_sequence_without_a_terminal_or_with_no_color() -> None:
    for env in ({}, {"NO_COLOR": "1", "FORCE_COLOR": "1"}):
        assert "\x1b[3" not in conform("check", "./no-such-bot", env=env).stdout  # no colour; bold is none


def test_quiet_is_the_verdict_alone() -> None:
    done = conform("check", WRONG, "--only", "ref.nodes.three", "-q")
    assert done.stdout.splitlines() == [f"deviates  {WRONG}  (Pure Bot 1)"]


def test_verbose_has_a_line_for_each_check() -> None:
    done = conform("check", "refbot gtp", "--only", "gtp.frame.id-*", "-v")
    listed = [line.split()[1] for line in done.stdout.splitlines() if line.startswith("PASS")]
    shown = [line.split()[0] for line in conform("checks", "gtp.frame.id-*").stdout.splitlines()]
    assert listed == shown != []


def test_hostile_bytes_never_reach_the_terminal_or_the_json_raw() -> None:
    """A name and answers with NUL, bell, ANSI colours, a window title, a right-to-left override."""
    done = conform("check", bot("hostile.py", "control"), "--only", "gtp.admin.*", "-v", "--json", "-")
    assert done.returncode in (1, 4)
    for text in (done.stdout, done.stderr):
        assert all(char.isprintable() or char == "\n" for char in text)


def test_a_should_counts_with_strict_alone() -> None:
    words = ("check", "refbot gtp --habit setup-answers-text", "--only", "gtp.setup.no-text")
    assert conform(*words).returncode == 0
    assert conform(*words, "--strict").returncode == 1


def test_several_bots_have_a_column_each_and_the_gravest_verdict_counts() -> None:
    dropped = bot("wrong_pure.py", "id-dropped")
    done = conform("check", RIGHT, dropped, "true", "--only", "gtp.frame.id-echo")
    assert done.returncode == 1
    assert [line.split()[0] for line in done.stdout.splitlines() if f"{RIGHT}  (" in line] == ["conforms"]
    assert "bot 3: true" in done.stdout
    assert "gtp.frame.id-echo" in done.stdout
    assert conform("check", RIGHT, "true", "--only", "gtp.admin.name", "-q").returncode == 4


@pytest.mark.parametrize(
    ("command", "words", "playouts", "source"),
    [
        (bot("pure_bot.py", "--playouts", "{playouts}"), ("--playouts", "77"), 77, "given"),
        ("refbot gtp --playouts {playouts}", (), 1000, "given"),
        (RIGHT, (), 55, "asked"),
    ],
)
def test_the_number_of_playouts(command: str, words: tuple[str, ...], playouts: int, source: str) -> None:
    done = conform("check", command, *words, "--only", "ref.nodes.three", "--json", "-")
    (entry,) = json.loads(done.stdout)["bots"]
    assert (entry["playouts"], entry["playouts_source"], entry["verdict"]) == (playouts, source, "conforms")


# --- JSON --------------------------------------------------------------------------------------------------

REPORT = {"format", "tool", "seed", "started", "seconds", "budget", "bots"}
BOT = {
    "command", "name", "version", "playouts", "playouts_source", "profile", "rules", "verdict", "checks",
    "diagnosis", "causes",
    "interrupted", "compared",
}  # fmt: skip
CHECK = {
    "id", "clause", "level", "outcome", "title", "expected", "observed", "hint", "reproduce", "numbers",
    "seconds", "blocked_by", "confirmation",
}  # fmt: skip


def test_the_json_has_the_keys_of_its_format(tmp_path: Path) -> None:
    path = tmp_path / "report.json"
    words = ("refbot gtp", "true", "--only", "ref.nodes.*", "--only", "gtp.admin.name", "--seed", "7")
    done = conform("check", *words, "--json", str(path))
    assert done.stdout.startswith("conforms")  # the table is still printed
    report = json.loads(path.read_text("utf-8"))
    assert set(report) == REPORT
    assert (report["format"], report["seed"], report["budget"]) == ("conform-check/1", 7, "standard")
    assert set(report["tool"]) == {"version", "spec", "checks"}
    right, none = report["bots"]
    assert set(right) == BOT
    assert set(none) - BOT <= {"reason"}
    assert (right["name"], right["verdict"], right["diagnosis"]) == ("refbot", "conforms", [])
    assert (none["verdict"], none["checks"]) == ("unusable", [])
    assert [check["id"] for check in right["checks"]] == [
        "gtp.admin.name",
        "ref.nodes.readable",
        "ref.nodes.pass",
        "ref.nodes.clock-ample",
        "ref.nodes.clock-short",
        "ref.nodes.kept",
        "ref.nodes.million",
        "ref.nodes.three",
        "ref.nodes.six",
    ]
    for check in right["checks"]:
        assert set(check) == CHECK
        assert check["level"] in ("must", "should", "info")
        assert check["outcome"] == "pass"
        assert all(isinstance(value, float | int) for value in check["numbers"].values())


def test_json_to_stdout_is_json_alone() -> None:
    done = conform("check", RIGHT, *QUICK, "--json", "-")
    assert json.loads(done.stdout)["format"] == "conform-check/1"
    assert done.stderr.startswith("conforms")


# --- the other commands ------------------------------------------------------------------------------------


def test_every_check_can_be_explained() -> None:
    done = conform("explain", "*")
    listed = [line.split()[0] for line in conform("checks").stdout.splitlines()]
    assert (done.returncode, done.stderr) == (0, "")
    heads = [line.split()[0] for line in done.stdout.splitlines() if line and not line.startswith(" ")]
    assert [head for head in heads if head in set(listed)] == listed


def test_a_fault_that_the_report_names_can_be_explained() -> None:
    done = conform("explain", "loadsgf-broken-crashes")
    assert (done.returncode, done.stderr) == (0, "")
    assert "gtp.record.broken " in done.stdout
    assert "refbot gtp --fault loadsgf-broken-crashes" in done.stdout


def test_a_closed_pipe_is_no_error() -> None:
    done = subprocess.run(
        ["sh", "-c", f"{shlex.quote(CONFORM)} checks | head -n 1"],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.stderr == ""
    assert done.stdout.startswith("gtp.frame.")


# --- engines that others wrote -----------------------------------------------------------------------------

GNUGO = Path("/usr/games/gnugo")


@pytest.mark.slow
@pytest.mark.skipif(not GNUGO.exists(), reason="gnugo is not installed")
def test_gnugo_gets_a_true_report() -> None:
    """It is no reference bot: the report says so, and its process is gone in the end."""
    command = f"{GNUGO} --mode gtp --level 0 --chinese-rules --positional-superko"
    done = conform("check", command, "--budget", "quick", "--json", "-")
    assert done.returncode == 1
    assert "Traceback" not in done.stderr
    (entry,) = json.loads(done.stdout)["bots"]
    assert (entry["name"], entry["verdict"]) == ("GNU Go", "deviates")
    by_id = {check["id"]: check["outcome"] for check in entry["checks"]}
    assert entry["profile"] == "gtp"  # it has no ref-nodes
    assert entry["rules"]["superko"] == "positional"
    assert not [check for check in by_id if check.startswith("ref.")]
    assert {by_id[i] for i in by_id if i.startswith(("game.capture", "game.suicide.s"))} == {"pass"}
    below = psutil.Process().children(recursive=True)
    assert not [process for process in below if process.name() == Path(GNUGO).name]


def test_an_argument_taken_for_a_bot_gets_a_hint_to_quote() -> None:
    done = conform("check", "no-such-bot", "no-such-program")
    assert done.returncode == 4
    assert "quote the whole command: conform check 'no-such-bot no-such-program'" in done.stdout
    assert "quote" not in conform("check", "./no-such-bot", "true").stdout


def test_the_hint_to_quote_comes_before_anything_else(tmp_path: Path) -> None:
    (tmp_path / "bot.py").touch()
    done = conform("check", "no-such-bot", "bot.py", cwd=tmp_path)
    assert done.stdout.startswith("If 'bot.py' is an argument of the bot, quote the whole command")


def test_the_line_that_checks_again_has_the_limits_and_the_sandbox() -> None:
    options = ("--startup", "2m", "--timeout", "7.5", "--sandbox")
    done = conform("check", WRONG, "--only", "ref.nodes.three", *options)
    if done.returncode == 4:
        pytest.skip("no sandbox on this machine")
    assert "--startup 120 --timeout 7.5 --sandbox --only ref.nodes.three" in done.stdout


def test_an_option_of_the_bot_gets_a_hint_to_quote() -> None:
    done = conform("check", "mybot", "--gtp")
    assert done.returncode == 2
    assert "an option of the bot belongs to its command line" in done.stderr
    assert "belongs" not in conform("seeds", "--gtp").stderr


NEEDS_VARIABLE = (
    "import os, sys; print(os.environ['BOT_BOOK'], file=sys.stderr); "
    f"os.execv(sys.executable, [sys.executable, '{ENGINES}/pure_bot.py'])"
)


def test_a_variable_of_env_reaches_the_bot_and_every_line_that_starts_it_again(tmp_path: Path) -> None:
    program = tmp_path / "needs.py"
    program.write_text(NEEDS_VARIABLE)
    command = shlex.join([sys.executable, str(program)])
    without = conform("check", command, "--only", "gtp.admin.name", env={"BOT_BOOK": "x"})
    assert without.returncode == 4
    assert "--env BOT_BOOK=" in without.stdout  # the hint, which the next line obeys
    done = conform("check", command, "--only", "gtp.admin.name", "--env", "BOT_BOOK=a b=c")
    assert done.returncode == 0, done.stdout
    for words in (("explore",), ("compare", "true")):
        writes = shlex.join(["sh", "-c", f'echo "$BOT_BOOK" > {shlex.quote(str(tmp_path))}/{words[0]}'])
        assert conform(*words, writes, "--env", "BOT_BOOK=a b").returncode == 4
        assert (tmp_path / words[0]).read_text() == "a b\n"

    failing = program.with_name("failing.py")
    failing.write_text(NEEDS_VARIABLE.replace("pure_bot.py'", "wrong_pure.py', 'nodes-one-pass'"))
    command = shlex.join([sys.executable, str(failing)])
    out = tmp_path / "logs"
    selected = ("--only", "ref.nodes.three", "--transcript", str(out))
    done = conform("check", command, *selected, "--env", "BOT_BOOK=a b")
    assert done.returncode == 1
    assert "--env 'BOT_BOOK=a b'" in done.stdout  # of the line that checks again
    script = subprocess.run(["sh", str(next(out.glob("*.sh")))], capture_output=True, text=True, check=False)
    assert script.stderr.startswith("a b\n")  # the variable is in the script, too


def test_the_death_of_a_bot_is_reported_with_its_own_words() -> None:
    done = conform("check", bot("broken_search.py"), "--only", "gtp.play.genmove", "--playouts", "30")
    assert done.returncode == 1
    assert "Start here, crash: genmove b → it ended with exit code 1" in done.stdout
    assert "ZeroDivisionError" in done.stdout


def test_a_death_before_the_playouts_are_known_is_reported_too() -> None:
    done = conform("check", bot("broken_search.py"), "--only", "game.pass.false-eye")
    assert done.returncode == 1
    assert "Start here, crash: genmove w → it ended with exit code 1" in done.stdout
    done = conform("check", bot("broken_search.py"), "--only", "ref.eye.edge")
    assert done.returncode == 3
    assert "ZeroDivisionError" in done.stdout
    assert "--only gtp.play.genmove" in done.stdout
    assert "--playouts N" not in done.stdout
