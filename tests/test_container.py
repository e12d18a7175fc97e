"""The image that `make container` built does what the head of Containerfile and docs/security.md say."""

from __future__ import annotations

import json
import os
import subprocess
import time
import uuid
from pathlib import Path

import pytest

from harness import __version__
from tests.command_line import write_script

ENGINE = os.environ.get("CONFORM_CONTAINER", "")
FEW = ("--only", "ref.nodes.three", "--only", "gtp.admin.name")
UNMASKED = (
    ("--security-opt", "systempaths=unconfined", "--security-opt", "seccomp=unconfined")
    if Path(ENGINE).name == "docker"
    else ("--security-opt", "unmask=ALL")
)

pytestmark = pytest.mark.skipif(not ENGINE, reason="make container builds the image and runs these tests")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a bot, in which the user of the image may write, whatever number he has here."""
    write_script(tmp_path / "mybot", 'exec refbot gtp "$@"')
    tmp_path.chmod(0o777)
    return tmp_path


def call(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([ENGINE, *words], capture_output=True, text=True, check=False)


def run(folder: Path, *words: str, options: tuple[str, ...] = ()) -> subprocess.CompletedProcess[str]:
    return call("run", "--rm", "--network=none", *options, "-v", f"{folder}:/work:Z", "conform", *words)


def test_the_version(folder: Path) -> None:
    assert run(folder, "--version").stdout.strip() == f"conform {__version__}"


def test_a_check_writes_its_report_into_the_mounted_folder(folder: Path) -> None:
    done = run(folder, "check", "./mybot", *FEW, "--json", "report.json")
    assert done.returncode == 0, done.stdout + done.stderr
    assert json.loads((folder / "report.json").read_text("utf-8"))["bots"][0]["verdict"] == "conforms"


def test_the_image_has_the_kernels_of_refbot(folder: Path) -> None:
    done = run(folder, "warm", options=("--entrypoint", "refbot"))
    assert done.returncode == 0, done.stderr
    assert "compiling" not in done.stderr


def test_the_sandbox_needs_what_the_page_says(folder: Path) -> None:
    words = ("check", "./mybot", "--sandbox", "--only", "gtp.admin.name")
    assert "there is no sandbox here" in run(folder, *words).stdout
    done = run(folder, *words, options=UNMASKED)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_live_page_is_served_until_the_container_is_stopped(folder: Path) -> None:
    name = f"conform-{uuid.uuid4()}"
    started = run(folder, "serve", ".", "--address", "0.0.0.0", options=("--detach", "--name", name))
    assert started.returncode == 0, started.stderr
    get = "from urllib.request import urlopen; print(urlopen('http://127.0.0.1:8008/').read().decode())"
    try:
        while (page := call("exec", name, "python", "-c", get)).returncode != 0:
            assert name in call("ps", "--format={{.Names}}").stdout, page.stderr
            time.sleep(0.5)
        assert "<title>" in page.stdout
        assert call("kill", "--signal=INT", name).returncode == 0
        call("wait", name)
        assert name not in call("ps", "--format={{.Names}}").stdout
    finally:
        call("rm", "--force", name)
