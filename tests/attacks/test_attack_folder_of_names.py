"""Files in the current folder that have the names of modules: `numpy.py`, `refbot.py`.

Before: the reference bot of the parity match and of the selftest was started by `python -m`, which looks into
the current folder first, and outside the sandbox. After: no command imports a file of the current folder.
"""

import shlex
import subprocess
import sys
from pathlib import Path

from harness.check.procedures.parity_match import ParityMatch
from harness.selftest.faulty import command


def test_the_reference_bot_imports_nothing_from_the_current_folder(tmp_path: Path) -> None:
    for name in ("numpy", "numba", "refbot", "json", "typer"):
        (tmp_path / f"{name}.py").write_text("raise SystemExit('read from the current folder')\n")
    for line in (command("", 1, 10), ParityMatch().reference.replace("{playouts}", "10")):
        words = shlex.split(line)
        assert words[0] == sys.executable
        done = subprocess.run(
            words,
            input="name\nquit\n",
            capture_output=True,
            text=True,
            cwd=tmp_path,
            timeout=300,
            check=False,
        )
        assert (done.returncode, done.stdout.splitlines()[0]) == (0, "= refbot"), done.stderr
