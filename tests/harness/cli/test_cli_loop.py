"""The loop of a bot's author: --lf, -x, --watch, --diff."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from rich.console import Console

from harness.check.phases.settings import RunSettings
from harness.cli.check_job import run_on_changes
from harness.cli.exits import ExitCode
from harness.cli.last_run import LastRun, Unpassed
from harness.gtp import Launch
from tests.command_line import Done, bot, conform, write_script

CHOSEN = ("--only", "gtp.admin.*", "--no-config")
FAULT = "known-command-digits"


@pytest.fixture
def cache(tmp_path: Path) -> dict[str, str]:
    return {"XDG_CACHE_HOME": str(tmp_path / "cache")}


@pytest.fixture
def mybot(tmp_path: Path) -> Path:
    """A script that starts the bot: `mend` and `spoil` change it."""
    script = tmp_path / "mybot"
    spoil(script)
    return script


def spoil(script: Path) -> None:
    write_script(script, f"exec {bot('wrong_pure.py', FAULT)}")


def mend(script: Path) -> None:
    write_script(script, f"exec {bot('pure_bot.py')}")


def ids(done: Done) -> list[str]:
    return [check["id"] for check in json.loads(done.stdout)["bots"][0]["checks"]]


def test_lf_checks_what_failed_last_time_and_then_the_rest(mybot: Path, cache: dict[str, str]) -> None:
    words = ("check", mybot, *CHOSEN)
    first = conform(*words, "--json", "-", env=cache)
    assert first.returncode == 1
    failed = [c["id"] for c in json.loads(first.stdout)["bots"][0]["checks"] if c["outcome"] == "fail"]
    again = conform(*words, "--lf", "--json", "-", env=cache)
    assert (again.returncode, ids(again)) == (1, failed)
    whole = conform("check", mybot, "--no-config", "--lf", "--only", *failed, env=cache)
    assert whole.returncode == 1
    assert "all checks run" in whole.stdout
    assert "nothing failed" not in whole.stdout
    mend(mybot)
    mended = conform(*words, "--lf", env=cache)
    assert mended.returncode == 0
    assert f"{len(failed)} of {len(ids(first))} checks, which failed" in mended.stdout
    assert "they pass now\nall checks run" in mended.stdout
    assert f"  {len(ids(first))} checks: " in mended.stdout
    clean = conform(*words, "--lf", env=cache)
    assert "nothing failed or was undecided last time: all checks run" in clean.stdout


def test_lf_says_of_no_known_failure_that_it_passes(
    mybot: Path, tmp_path: Path, cache: dict[str, str]
) -> None:
    words = ("check", mybot, "--only", "gtp.admin.known-command", "--only", "gtp.admin.name")
    known = tmp_path / "known.txt"
    assert conform(*words, "--write-known-failures", known, env=cache).returncode == 1
    done = conform(*words, "--known-failures", known, "--lf", env=cache)
    assert done.returncode == 0
    assert "they are as the list of known failures says\nall checks run" in done.stdout
    assert "they pass now" not in done.stdout


def test_lf_checks_failures_before_what_was_undecided(
    mybot: Path, tmp_path: Path, cache: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    mend(mybot)
    with monkeypatch.context() as patched:
        patched.setenv("XDG_CACHE_HOME", cache["XDG_CACHE_HOME"])
        unpassed = Unpassed(frozenset({"gtp.admin.name"}), frozenset({"gtp.admin.known-command"}))
        LastRun(str(mybot), tmp_path).write(unpassed)
    done = conform("check", mybot, *CHOSEN, "--lf", env=cache, cwd=tmp_path)
    assert done.returncode == 0
    steps = ["which failed last time", "which were undecided last time", "all checks run"]
    assert [step for step in steps if step in done.stdout] == steps
    assert done.stdout.index(steps[0]) < done.stdout.index(steps[1]) < done.stdout.index(steps[2])


def test_a_check_of_other_ids_forgets_nothing(mybot: Path, cache: dict[str, str]) -> None:
    conform("check", mybot, *CHOSEN, env=cache)
    conform("check", mybot, "--no-config", "--only", "gtp.frame.id-large", env=cache)
    again = conform("check", mybot, *CHOSEN, "--lf", "--json", "-", env=cache)
    assert again.returncode == 1
    assert len(ids(again)) < 5


def test_a_damaged_or_locked_cache_is_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    last = LastRun("./mybot", tmp_path)
    kept = Unpassed(frozenset({"a", "b"}), frozenset({"c"}))
    last.write(kept)
    assert last.read() == kept
    assert LastRun("./mybot", tmp_path / "elsewhere").read() == Unpassed()
    for folder in (tmp_path / "conform", tmp_path / "conform" / "last"):
        assert folder.stat().st_mode & 0o777 == 0o700
    (file,) = (tmp_path / "conform" / "last").iterdir()
    for text in ("", "[", "[]", '{"format": "conform-last/2"}', '{"failed": ["a"]}'):
        file.write_text(text)
        assert last.read() == Unpassed()
    (tmp_path / "conform" / "last").rename(tmp_path / "moved")
    (tmp_path / "conform" / "last").write_text("a file, no folder")
    last.write(kept)
    assert last.read() == Unpassed()


def test_x_stops_at_the_first_cause(mybot: Path) -> None:
    done = conform("check", mybot, "--no-config", "-x", "--only", "gtp.admin.*", "--only", "eye")
    assert done.returncode == 1
    assert "stopped at the first cause (-x)" in done.stdout
    assert "  0 searches, " in done.stdout


def test_diff_names_what_is_new_and_what_is_mended(mybot: Path, tmp_path: Path) -> None:
    wrong, right = tmp_path / "wrong.json", tmp_path / "right.json"
    words = ("check", mybot, *CHOSEN)
    conform(*words, "--json", wrong)
    same = conform(*words, "--diff", wrong)
    assert "failing as before: " in same.stdout
    mend(mybot)
    mended = conform(*words, "--diff", wrong, "--json", right)
    assert mended.returncode == 0
    assert "mended:" in mended.stdout
    assert "new failures" not in mended.stdout
    assert "no failure that counts, then or now" in conform(*words, "--diff", right).stdout
    spoil(mybot)
    assert "new failures:" in conform(*words, "--diff", right).stdout
    verdict, changed = conform(*words, "--diff", right, "--quiet").stdout.splitlines()
    assert verdict.startswith("deviates ")
    assert "new failures 1" in changed


def test_diff_of_another_file_is_refused_before_the_check(tmp_path: Path) -> None:
    (tmp_path / "other.json").write_text("{}")
    for name, words in {"other.json": "another format", "missing.json": "cannot read"}.items():
        done = conform("check", "no such bot", "--diff", tmp_path / name)
        assert (done.returncode, words in done.stderr) == (2, True)


def test_watch_runs_again_for_each_change_and_ends_with_the_last_code(mybot: Path) -> None:
    codes = iter([ExitCode.DEVIATES, ExitCode.CONFORMS])

    def run() -> ExitCode:
        code = next(codes, None)
        if code is None:
            raise KeyboardInterrupt
        if code is ExitCode.DEVIATES:
            changes.append(mend)
        else:
            changes.append(spoil)
        return code

    class Changing(Console):
        """Changes the program when the loop says that it waits."""

        def print(self, *objects: object, **_: object) -> None:
            if "waiting" in str(objects[0]):
                changes.pop()(mybot)

    changes: list[Callable[[Path], None]] = []
    console = Changing()
    assert run_on_changes(run, [RunSettings(Launch(str(mybot)), ())], console) == ExitCode.CONFORMS


@pytest.mark.parametrize("option", ["-x", "--lf", "--watch"])
def test_a_cluster_cannot_do_it(option: str) -> None:
    done = conform("check", "bot", option, "--cluster", "local")
    assert (done.returncode, f"{option} works on this machine alone" in done.stderr) == (2, True)


def test_concise_is_one_line_for_each_failure(mybot: Path) -> None:
    done = conform("check", mybot, *CHOSEN, "--format", "concise")
    first, *failures = done.stdout.splitlines()
    assert done.returncode == 1
    assert first.startswith(f"{mybot}: deviates: {FAULT}")
    assert [line.split(": ")[:3] for line in failures] == [
        [str(mybot), "gtp.admin.known-command", "MUST fail"]
    ]
    mend(mybot)
    assert conform("check", mybot, *CHOSEN, "--format", "concise").stdout == f"{mybot}: conforms\n"
    other = conform("check", mybot, "--format", "brief")
    assert (other.returncode, "full or concise" in other.stderr) == (2, True)
