"""The commands of README.md and docs, run in a folder as a reader has it.

`RUNS` has every line that is run here. `ELSEWHERE` has the others, each with the test that runs it, or the
reason why none does. A line of a page that is in neither fails `test_every_command_is_run`.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from harness import __version__
from harness.gtp.sandbox import sandbox_problem
from tests.command_line import run_line, write_script

ROOT = Path(__file__).parents[1]
BIN = Path(sys.executable).parent
OWN_FILES = ("ci.md", "tutorial.md")  # test_docs_ci.py, test_tutorial.py
PAGES = [
    page
    for page in (ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md")))
    if page.name not in OWN_FILES
]
PROGRAM = re.compile(
    r"(?:conform-env/bin/)?(?:conform|refbot|python3?|pip|pipx|uvx?|make|dask|podman|docker|git|npm|"
    r"systemctl|journalctl|loginctl) "
)
"""How a line begins that is a command and not output."""


@dataclass(frozen=True)
class Run:
    """How a line of a page is run.

    line    as the page shows it, without its comment
    shows   a part of what it prints, for re.search
    code    its exit code
    short   words added at its end, which make it short: fewer checks, games or playouts
    needs   why it cannot be run on this machine, or None
    """

    line: str
    shows: str = ""
    code: int = 0
    short: str = ""
    needs: str | None = None


FEW = "--only ref.nodes.three --only gtp.admin.name"
FEW_GAMES = "--size 5 --games 4 --workers 1"
HIDDEN = "this Python is in the folder of temporary files, of which a sandbox has its own"
NO_SANDBOX = sandbox_problem() or (HIDDEN if BIN.is_relative_to(tempfile.gettempdir()) else None)
UNDECIDED = 3
LAST_ANSWERS = r"= [DE][19]\n\n= (4[89]|5[01])\d\d\n\n= 0\.[45]\d+\n\n= \n"
RUNS = (
    Run("conform check ./mybot", "conforms  ./mybot", short=FEW),
    Run("conform check ./old ./new", "conforms  ./new", short=FEW),
    Run(
        'conform check "java -jar bot.jar --playouts {playouts}" --playouts 2000',
        r"2000 playouts a search \(given\)",
        short=FEW,
    ),
    Run(
        "conform check ./mybot --profile gtp --rules superko=positional,suicide=forbidden",
        "Checked as any GTP engine",
        short="--only gtp.admin.name",
    ),
    Run("conform init", "wrote configs/quick.toml"),
    Run("conform match configs/quick.toml", "reference - mybot", UNDECIDED, FEW_GAMES),
    Run("conform schedule configs/nightly.toml", "next", short="--list"),
    Run("conform schedule configs/nightly.toml --list", "next"),
    Run("conform schedule configs/nightly.toml --drop", "no run is unfinished"),
    Run("conform schedule configs/nightly.toml --print-systemd", r"conform-nightly\.(timer|service)"),
    Run("conform verify reports/nightly", "every move is legal"),
    Run("conform status reports --problems", "of [0-9]+ entries"),
    Run("conform report reports/nightly --salvage", "refbot - edge-eyes", code=1),
    Run("conform audit reports/nightly-20260214-0200", "Deviation from the reference", 1, "--positions 2"),
    Run("conform check ./bot --sandbox", "conforms  ./bot", 0, FEW, NO_SANDBOX),
    Run("conform match nightly.toml --sandbox", "reference - mybot", UNDECIDED, FEW_GAMES, NO_SANDBOX),
    Run("conform spec eye", "### eye"),
    Run("conform spec gtp", "# The Go Text Protocol"),
    Run("conform spec gtp time_left", "### time_left"),
    Run("conform spec gtp-time", "### gtp-time"),
    Run("conform explain ref.eye.edge --board", "likeliest first"),
    Run("conform explain ref.eye.edge --gtp | refbot gtp", LAST_ANSWERS),
    Run("refbot playouts --size 9 --show 3", r"\A(?:\w\d .*\n){3}\Z"),
    Run(
        'conform check "refbot gtp --fault eye-edge-as-centre" --only ref.eye.edge --transcript wire',
        "FAIL  ref.eye.edge",
        1,
    ),
    Run('conform check "refbot gtp --fault eye-edge-as-centre" --only ref.eye.edge', "deviates", 1),
    Run('conform check "refbot gtp" --only ref.eye.edge', "conforms"),
    Run('conform explore "refbot gtp" --for 30s', "no deviation found", short="--sessions 2 --jobs 1"),
    Run("conform vectors --json > vectors.json"),
    Run("conform vectors --schema > vectors.schema.json"),
)

PACKAGED = "test_package.py installs the wheel and runs its commands"
REPORT = "test_docs_commands.py, with its output"
WARM = "make setup, and the first steps of test_docs_ci.py"
SYSTEMD = "test_scheduler_systemd.py shows the units to systemd; tests have no session to start them in"
SEEDS = "test_seed_matches.py, with few games and playouts: as they stand they take hours"
WHEEL = "gtp_conform-1.0.0-py3-none-any.whl"
ELSEWHERE = {
    "conform schedule configs/nightly.toml --new": "test_scheduler_unfinished.py, with shorter games",
    'conform check "gnugo --mode gtp"': "tests/harness/check/test_foreign.py, where GNU Go is installed",
    "make demo": "test_targets_of_make; .ci/run makes its environment, test_docs_commands.py runs its checks",
    "make test": "test_targets_of_make; .ci/run runs these tests and the thorough ones",
    f"pip install dist/{WHEEL}": PACKAGED,
    f"uvx --from dist/{WHEEL} conform check ./mybot": "needs uv, which is no dependency",
    "refbot warm": WARM,
    'conform check "refbot gtp"': REPORT,
    'conform check "refbot gtp --fault eye-edge-as-centre" --only "ref.eye.*" --budget quick': REPORT,
    "conform check ./mybot --json report.json": "test_docs_commands.py",
    """python -c 'import json; print(json.load(open("report.json"))["bots"][0]["verdict"])'""": (
        "test_docs_commands.py"
    ),
    'conform match --engine "a=refbot gtp" --engine "b=refbot gtp" '
    "--playouts 100 --size 5 --games 20 --out reports/short": "test_docs_commands.py",
    f"pip install ./{WHEEL}": PACKAGED,
    "python3 -m venv conform-env": PACKAGED,
    f"conform-env/bin/pip install ./{WHEEL}": PACKAGED,
    "conform-env/bin/refbot warm": WARM,
    f"pip install './{WHEEL}[serve]'": "test_extras_of_the_pages",
    f"pip install './{WHEEL}[cluster]'": "test_extras_of_the_pages",
    "conform init --from league.ctl": "tests/harness/imports",
    'conform init --from-cutechess "fastchess -engine cmd=./new name=new -engine cmd=./old name=old '
    '-each tc=60+0.6 -rounds 200 -sprt elo0=0 elo1=5"': "tests/harness/imports",
    "conform seeds yamashita-2010-cutoff --size 9 --games 100": SEEDS,
    "conform seeds yamashita-2010-komi --playouts 500": SEEDS,
    "conform serve reports": "test_the_live_page_is_served",
    "dask scheduler": "test_match_cluster.py",
    "dask worker tcp://host:8786 --nthreads 4": "test_match_cluster.py",
    "conform match configs/nightly.toml --cluster tcp://host:8786": "test_match_cluster.py",
    "systemctl --user daemon-reload": SYSTEMD,
    "systemctl --user enable --now conform-nightly.timer": SYSTEMD,
    "journalctl --user --unit conform-nightly": SYSTEMD,
    "loginctl enable-linger": SYSTEMD,
    "systemctl --user list-timers": SYSTEMD,
    "journalctl --user --unit conform-nightly --since yesterday": SYSTEMD,
    "conform report reports/nightly/2* --format csv --quiet": "test_match_damage.py, with other runs",
}


def shown(page: Path) -> Iterator[str]:
    """The commands in the code of a page in one line each, without comments, prompts and `.venv/bin/`."""
    text = re.sub(r"\\\n\s*", "", page.read_text("utf-8")).replace(".venv/bin/", "")
    blocks = re.findall(r"^ *```(?:sh|console)?\n(.*?)^ *```", text, re.M | re.S)
    blocks += re.findall(r"^(?: {4,}[^\n]*\n)+", re.sub(r"^```.*?^```", "", text, flags=re.M | re.S), re.M)
    for line in "".join(blocks).splitlines():
        command = re.sub(r"\s+# .*", "", line.strip().removeprefix("$ "))
        if PROGRAM.match(command + " "):
            yield command


def test_every_command_is_run() -> None:
    known = {run.line for run in RUNS} | set(ELSEWHERE)
    lines = {line: page.name for page in PAGES for line in shown(page)}
    assert {line: page for line, page in lines.items() if line not in known} == {}
    assert known - set(lines) == set(), "these are on no page any more"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with bots, a Java that starts one, configs, and two stored runs."""
    folder = tmp_path / "my bots"
    folder.mkdir()
    pure = shlex.join([sys.executable, str(ROOT / "tests" / "engines" / "pure_bot.py")])
    for name in ("mybot", "bot", "old", "new"):
        write_script(folder / name, f'exec {pure} "$@"')
    (folder / "bin").mkdir()
    java = '[ "$1 $2 $3" = "-jar bot.jar --playouts" ] && exec refbot gtp --playouts "$4"'
    write_script(folder / "bin" / "java", java)
    shutil.copytree(ROOT / "configs", folder / "configs")
    # A busy machine may need longer than ten seconds to load the kernels of a first search.
    patient = (ROOT / "configs" / "quick.toml").read_text("utf-8").replace("timeout = 10", "timeout = 300")
    for config in (folder / "configs" / "quick.toml", folder / "nightly.toml"):
        config.write_text(patient, encoding="utf-8")
    for run in ("nightly", "nightly-20260214-0200"):
        (folder / "reports" / run).mkdir(parents=True)
        shutil.copy(ROOT / "reports" / "sample" / "run.db", folder / "reports" / run)
    return folder


def environment(folder: Path) -> dict[str, str]:
    path = os.pathsep.join([str(folder / "bin"), str(BIN), os.environ["PATH"]])
    return {"PATH": path, "COLUMNS": "120"}


SLOW = ("conform audit", "conform explore", "conform verify", "conform report", "conform vectors --json")
"""test_tutorial.py calls the last one; whole tests of the others are in their packages."""
TWICE = (
    'conform check "refbot gtp --fault eye-edge-as-centre" --only ref.eye.edge',
    "conform check ./old ./new",
)
"""Lines that differ from another one of RUNS by an option or a second bot."""


@pytest.mark.parametrize(
    "run",
    [
        pytest.param(
            run,
            id=run.line,
            marks=[pytest.mark.slow] if run.line.startswith(SLOW) or run.line in TWICE else [],
        )
        for run in RUNS
    ],
)
def test_the_command_does_what_the_page_says(run: Run, folder: Path) -> None:
    if run.needs:
        pytest.skip(run.needs)
    if run.line.endswith("conform init"):
        shutil.rmtree(folder / "configs")
    done = run_line(f"{run.line} {run.short}", cwd=folder, env=environment(folder))
    assert done.returncode == run.code, done.stdout + done.stderr
    assert re.search(run.shows, done.stdout), done.stdout + done.stderr
    for name in re.findall(r"> (\S+)", run.line):
        assert (folder / name).stat().st_size > 0
    if "--transcript" in run.line:
        assert list((folder / "wire").iterdir())


def test_the_live_page_is_served(folder: Path) -> None:
    command = [str(BIN / "conform"), "serve", "reports", "--port", "0"]
    with subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        address = re.search(r"http://127\.0\.0\.1:\d+/", process.stdout.readline())
        assert address is not None
        with urllib.request.urlopen(address[0]) as page:
            assert b"nightly" in page.read()
        process.send_signal(signal.SIGINT)
        assert process.wait() == 130


def test_extras_of_the_pages() -> None:
    """The wheel is called as the pages call it, and has the extras that they name."""
    import tomllib

    with (ROOT / "pyproject.toml").open("rb") as file:
        extras = tomllib.load(file)["project"]["optional-dependencies"]
    for line in ELSEWHERE:
        for wheel, extra in re.findall(r"(conform-[\w.]+-py3-none-any\.whl)(?:\[(\w+)\])?", line):
            assert wheel == f"conform-{__version__}-py3-none-any.whl"
            assert not extra or extra in extras


@pytest.mark.skipif(shutil.which("make") is None, reason="make is not installed")
def test_targets_of_make() -> None:
    pages = "\n".join(page.read_text("utf-8") for page in PAGES)
    targets = set(re.findall(r"(?:^    |`)make ([a-z-]+)", pages, re.M))
    assert {"demo", "test"} <= targets
    subprocess.run(["make", "--dry-run", *targets], cwd=ROOT, check=True, capture_output=True)
