"""How a user meets the command line: its help, its version, completion, and `python -m`."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
import typer
from typer.testing import CliRunner

from harness import __version__
from harness.check.clauses import CLAUSES
from harness.cli.app import COMMANDS, ONLY_PRINT, app
from harness.cli.examples import EXAMPLES
from harness.cli.options import BOT, FILES, OUTPUT, TIME
from harness.cli.options import CHECKS as CHECKS_TITLE
from harness.suite.registry import CHECKS
from harness.tools.manual import commands_of
from tests.command_line import bot, conform
from tests.parameters import slow_but

BIN = Path(sys.executable).parent
ROOT = Path(__file__).parents[3]
WAYS = {
    "conform": ["conform", "harness"],
    "refbot": ["refbot", "refbot"],
}
SHELLS = ("bash", "zsh", "fish")


def run(command: list[str], **env: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, capture_output=True, text=True, env=os.environ | env, check=False)


def ways(name: str) -> list[list[str]]:
    program, package = WAYS[name]
    return [[str(BIN / program)], [sys.executable, "-m", package]]


def completions(shell: str, words: str) -> str:
    """The completions that a shell gets for the last word of a line."""
    env = {
        "bash": {"COMP_WORDS": words, "COMP_CWORD": str(words.count(" "))},
        "zsh": {"_TYPER_COMPLETE_ARGS": words},
        "fish": {"_TYPER_COMPLETE_ARGS": words, "_TYPER_COMPLETE_FISH_ACTION": "get-args"},
    }[shell]
    done = run([str(BIN / "conform")], _CONFORM_COMPLETE=f"complete_{shell}", **env)
    assert done.stderr == ""
    return done.stdout


@pytest.mark.parametrize("name", WAYS)
def test_without_arguments_it_prints_its_help_and_succeeds(name: str) -> None:
    program, module = ways(name)
    printed = [run(command) for command in (program, module, [*program, "-h"])]
    assert len({done.stdout for done in printed}) == 1
    assert printed[0].stdout.startswith(f"Usage: {name} ")
    assert [done.returncode for done in printed] == [0, 0, 0]


@pytest.mark.parametrize("name", WAYS)
def test_version(name: str) -> None:
    for way in ways(name):
        done = run([*way, "--version"])
        assert (done.returncode, done.stdout, done.stderr) == (0, f"{name} {__version__}\n", "")


def test_on_windows_one_sentence_says_what_to_do() -> None:
    code = "import os, harness.cli.app; from harness.cli import main; os.name = 'nt'; main()"
    done = run([sys.executable, "-c", code, "--version"])
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("conform: Windows is not supported")
    assert "Subsystem for Linux" in done.stderr


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_a_short_and_a_long_help(command: str) -> None:
    short, long = (CliRunner().invoke(app, [command, word], prog_name="conform") for word in ("-h", "--help"))
    assert (short.exit_code, short.stdout) == (0, long.stdout)
    assert short.stdout.startswith(f"Usage: conform {command} ")


def test_every_command_has_a_sentence_that_fits_its_line() -> None:
    lines = conform("--help", env={"COLUMNS": "80"}).stdout.partition("Commands:\n")[2].splitlines()
    assert [line.split()[0] for line in lines] == list(COMMANDS)
    assert all(line.endswith(".") and not line.endswith("...") for line in lines)


@pytest.mark.parametrize("program", WAYS)
def test_help_fits_80_columns_and_names_the_values_of_options(program: str) -> None:
    commands: typer.Typer = import_module(f"{WAYS[program][1]}.cli.app").app
    group: Any = typer.main.get_command(commands)
    for name in group.commands:
        text = CliRunner().invoke(commands, [name, "-h"], prog_name=program, env={"COLUMNS": "80"}).stdout
        assert max(map(len, text.splitlines())) <= 80, name
        assert not re.search(r"<[a-z]+( range)?>|\[x?[<>\d]", text), name


def test_the_help_of_check_has_groups_and_examples() -> None:
    text = CliRunner().invoke(app, ["check", "-h"], prog_name="conform").stdout
    titles = re.findall(r"^(\w.*):$", text, re.MULTILINE)
    groups = [BOT, CHECKS_TITLE, TIME, FILES, OUTPUT]
    assert titles == ["Arguments", *groups, "Options", "Examples"]


@pytest.mark.parametrize("name", COMMANDS)
def test_the_examples_of_a_command_can_be_typed(name: str) -> None:
    group: Any = typer.main.get_command(app)
    shown = CliRunner().invoke(app, [name, "-h"], prog_name="conform").stdout
    assert EXAMPLES[name]
    for purpose, line in EXAMPLES[name]:
        assert f"  # {purpose}\n  {line}\n" in shown
        program, command, *words = shlex.split(re.split(r" [|>] ", line)[0])
        assert program == "conform"
        group.commands[command].make_context(command, words)  # raises for an unknown option


@pytest.mark.parametrize("shell", slow_but(("bash",), SHELLS))
def test_a_shell_completes_commands_options_clauses_and_checks(shell: str) -> None:
    offered = completions(shell, "conform che")
    assert "check" in offered
    assert "checks" in offered
    assert "compare" not in offered
    assert "--budget" in completions(shell, "conform check --bu")
    clause = next(iter(CLAUSES))
    assert clause in completions(shell, f"conform explain {clause[:-1]}")
    check = next(check.id for check in CHECKS if check.clause == "eye")
    assert check in completions(shell, f"conform check bot --only {check[:-1]}")


@pytest.mark.parametrize("shell", slow_but(("bash",), SHELLS))
@pytest.mark.parametrize("name", WAYS)
def test_a_script_for_completion_names_its_program(name: str, shell: str) -> None:
    done = run([str(BIN / name)], **{f"_{name.upper()}_COMPLETE": f"source_{shell}"})
    assert done.returncode == 0
    assert f"_{name.upper()}_COMPLETE=complete_{shell}" in done.stdout


def test_help_imports_nothing_that_takes_long() -> None:
    program = (
        "import sys; sys.argv = ['conform', '--help']\n"
        "from harness.cli import main\n"
        "try: main()\n"
        "except SystemExit: pass\n"
        "heavy = {'numpy', 'numba', 'scipy', 'pandas', 'rich', 'pydantic', 'jinja2'}\n"
        "print(sorted(heavy & sys.modules.keys()), file=sys.stderr)"
    )
    assert run([sys.executable, "-c", program]).stderr == "[]\n"


@pytest.mark.parametrize("command", ["status", "report", "match"])
def test_a_command_without_checks_loads_none(tmp_path: Path, command: str) -> None:
    """The registry of checks takes longer to load than anything else that these commands need."""
    program = (
        f"import sys; sys.argv = ['conform', {command!r}, {str(tmp_path / 'nothing')!r}]\n"
        "from harness.cli import main\n"
        "try: main()\n"
        "except SystemExit: pass\n"
        "import harness.cli.match_progress\n"
        "print('harness.suite.registry' in sys.modules)"
    )
    assert run([sys.executable, "-c", program]).stdout.splitlines()[-1] == "False"


def test_a_clause_stands_for_its_checks() -> None:
    listed = conform("checks", "eye").stdout
    assert {line.split()[0] for line in listed.splitlines()} == {c.id for c in CHECKS if c.clause == "eye"}
    explained = conform("explain", "eye")
    assert explained.returncode == 0
    assert all(line.split()[0] in explained.stdout for line in listed.splitlines())


def test_time_limits_are_durations() -> None:
    done = conform(
        *["check", "/bin/cat", "--startup", "1m", "--timeout", "10s"],
    )
    assert done.returncode == 4
    for option in ("--startup", "--timeout"):
        refused = conform("check", "/bin/cat", option, "2 weeks")
        assert refused.returncode == 2
        assert f"'{option}'" in refused.stderr
        assert "2m or 1h" in refused.stderr
        assert "not '2 weeks'" in refused.stderr


def test_the_specification_is_printed_as_a_whole_or_clause_by_clause() -> None:
    whole = conform("spec").stdout
    assert "conform spec gtp" in whole
    protocol = conform("spec", "gtp").stdout
    assert protocol == conform("docs", "gtp").stdout
    for clause in CLAUSES.keys() - {"gtp"}:
        section = conform("spec", clause).stdout
        assert section.startswith(f"### {clause}\n")
        assert section.count("\n##") == 0
        assert (section in whole) != (section in protocol)
    unknown = conform("spec", "eyes")
    assert (unknown.returncode, unknown.stdout) == (2, "")
    assert "did you mean 'eye'?" in unknown.stderr


def test_the_protocol_is_printed_command_by_command() -> None:
    protocol = conform("spec", "gtp").stdout
    for name, usage in (("time_left", "time_left color time stones"), ("lz-analyze", "lz-analyze [color]")):
        text = conform("spec", "gtp", name).stdout
        assert f"`{usage}" in text
        assert all(line in protocol for line in text.splitlines())
        assert conform("spec", name).stdout == text
    assert conform("spec", "komi").stdout != conform("spec", "gtp", "komi").stdout
    for arguments in (("spec", "gtp", "time_lef"), ("spec", "time_lef")):
        unknown = conform(*arguments)
        assert (unknown.returncode, unknown.stdout) == (2, "")
        assert "did you mean 'time_left'?" in unknown.stderr
    for arguments in (("eye", "play"), ("play", "gtp")):
        misplaced = conform("spec", *arguments)
        assert misplaced.returncode == 2
        assert "conform spec gtp play" in misplaced.stderr


def test_pages_of_the_documentation_are_listed_and_printed() -> None:
    listed = conform("docs").stdout.splitlines()
    names = [line.split()[0] for line in listed]
    assert names == sorted(["readme", *(page.stem for page in (ROOT / "docs").glob("*.md"))])
    titles = [line.partition("  ")[2] for line in listed]
    assert len(set(titles)) == len(titles)
    for name in ("readme", "tutorial"):
        text = conform("docs", name).stdout
        assert text.partition("\n")[0].endswith(titles[names.index(name)].strip())
        for spelt in (f"{name}.md", f"docs/{name}.md", f"{name.upper()}.md"):
            assert conform("docs", spelt).stdout == text
    unknown = conform("docs", "tutrial")
    assert (unknown.returncode, unknown.stdout) == (2, "")
    assert "did you mean 'tutorial'?" in unknown.stderr


def test_help_may_be_asked_for_in_a_word() -> None:
    for words in ([], ["check"]):
        asked = conform("help", *words)
        assert asked.returncode == 0
        assert asked.stdout == conform(*words, "-h").stdout


@pytest.mark.parametrize(
    ("words", "where"), [(["chekc"], "conform --help"), (["check"], "conform check --help")]
)
def test_a_wrong_command_line_says_where_help_is(words: list[str], where: str) -> None:
    done = conform(*words)
    assert done.returncode == 2
    assert done.stderr.endswith(f"({where})\n")


VERDICT = sorted({*COMMANDS} - ONLY_PRINT - {"init", "serve"})
"""Commands that end with a verdict."""


def test_a_command_with_a_verdict_takes_the_options_that_the_others_have() -> None:
    taken = {
        command.name.removeprefix("conform "): {parameter.written for parameter in command.parameters}
        for command in commands_of("conform")
    }
    for name in VERDICT:
        assert {"-q, --quiet", "--no-color"} <= taken[name], name
    for name in ("check", "docs"):
        assert conform(name, "--version").stdout == f"conform {__version__}\n", name


@pytest.mark.parametrize(
    "words",
    [
        ["explore", "refbot gtp --playouts 10 --seed 1", "--sessions", "1", "--jobs", "1", "--for", "60"],
        ["verify", "run"],
        ["seeds", "dailey-2008", "--playouts", "100"],
    ],
    ids=lambda words: words[0],
)
def test_quiet_is_the_verdict_alone(words: list[str], tmp_path: Path) -> None:
    if words[0] == "verify":
        engines = [word for name in "ab" for word in ("--engine", f"{name}={bot('instant.py')}")]
        played = conform("match", *engines, "--size", 5, "--games", 2, "--out", "run", cwd=tmp_path)
        assert played.returncode == 3  # two games decide nothing
    done = conform(*words, "-q", cwd=tmp_path)
    assert len(done.stdout.strip().splitlines()) == 1, done.stdout + done.stderr
