"""Engines that nobody here wrote, as docs/engines.md starts them.

`CONFORM_FOREIGN` names the folder that `make foreign` fills. Whatever is not installed is skipped.
"""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

SCRIPTS = Path(__file__).parent / "engines"
FOREIGN = Path(os.environ.get("CONFORM_FOREIGN", "no-such-folder")).absolute()
SABAKI = FOREIGN / "npm" / "node_modules" / "@sabaki" / "gtp"
_GAMES = f"{os.environ.get('PATH', '')}:/usr/games"


class Foreign(NamedTuple):
    """An engine: what it is called, what shows that it is installed, and its command in a working folder."""

    name: str
    sign: Path
    command: Callable[[Path], str]


def _gnugo(_: Path) -> str:
    return f"{GNUGO.sign} --mode gtp --level 0 --chinese-rules --positional-superko"


def _leelaz(folder: Path) -> str:
    weights = folder / "weights.txt"
    subprocess.run([sys.executable, str(SCRIPTS / "leela_weights.py"), str(weights)], check=True)
    return f"{LEELAZ.sign} --gtp --cpu-only --noponder -q -w {weights} -v 5 -t 1 -r 0"


def _pygtp(_: Path) -> str:
    words = ["env", f"PYTHONPATH={FOREIGN}/pygtp", sys.executable, str(SCRIPTS / "pygtp_engine.py")]
    return shlex.join(words)


GNUGO = Foreign("gnugo", Path(shutil.which("gnugo", path=_GAMES) or "no-gnugo"), _gnugo)
LEELAZ = Foreign("leela-zero", Path(shutil.which("leelaz", path=_GAMES) or "no-leelaz"), _leelaz)
SABAKI_ENGINE = Foreign(
    "npm's @sabaki/gtp", SABAKI, lambda _: f"node {SABAKI}/tests/engines/testEngine.cli.js"
)
PYGTP = Foreign("PyPI's pygtp", FOREIGN / "pygtp", _pygtp)
PYPI_GTP = FOREIGN / "gtp"
"""A client, no engine."""

ENGINES = (GNUGO, LEELAZ, SABAKI_ENGINE, PYGTP)


def needs(path: Path, name: str) -> pytest.MarkDecorator:
    """Skips a test where this is not installed."""
    return pytest.mark.skipif(not path.exists(), reason=f"{name} is not installed, see docs/engines.md")


def needs_engine(engine: Foreign) -> pytest.MarkDecorator:
    """Skips a test where the engine is not installed."""
    return needs(engine.sign, engine.name)
