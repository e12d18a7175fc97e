"""Puts the packages of a checkout into one package for the wheel, with a name that no other project uses.

A checkout has the packages `harness` and `refbot`. Many projects have a package `harness` of their own, and
could then not use the pytest plugin. In the wheel both are inside PACKAGE, as `gtp_conform.harness` and
`gtp_conform.refbot`. An editable install has PACKAGE too: its modules lead to the checkout. So the commands
and the plugin start in the same way.
"""

from __future__ import annotations

import re
import shutil
from pathlib import Path

PACKAGE = "gtp_conform"
INNER = ("harness", "refbot")
LEFT_OUT = shutil.ignore_patterns("__pycache__", "tools")
"""Leaves out folders of these names. The programs of `harness/tools` work in a checkout only."""

ENTRIES = {
    "__init__.py": '''\
"""conform: the conformance test harness for Monte-Carlo Go bots, and its reference bot."""
''',
    "commands.py": '''\
"""The commands `conform` and `refbot`."""


def conform() -> None:
    """Run the command `conform`."""
    from harness.cli import main

    main()


def refbot() -> None:
    """Run the command `refbot`."""
    from refbot.cli import main

    main()
''',
    "__main__.py": '''\
"""`python -m gtp_conform` is the command `conform`."""

from harness.cli import main

main()
''',
    "pytest_plugin.py": '''\
"""The pytest plugin."""

import sys

from harness import pytest_plugin

sys.modules[__name__] = pytest_plugin  # one module, whichever name it is imported by
''',
    "py.typed": "",
}
"""By file name: the text of each module of PACKAGE itself, as an editable install has it."""

_IMPORT = re.compile(rf"^([ \t]*)(from|import) (?=(?:{'|'.join(INNER)})\b)", re.MULTILINE)
_QUOTED = re.compile(rf"([\"'])(?=(?:{'|'.join(INNER)})(?:\.[a-z_]+)+\1)")


def rename_packages(source: str) -> str:
    """Rename the packages in the text of a module: in imports, and in texts such as "refbot.cli".

    An example: `from harness.cli import main` becomes `from gtp_conform.harness.cli import main`. A dotted
    `import harness.cli` cannot be renamed: no module may have one.
    """
    renamed = _IMPORT.sub(lambda found: f"{found[1]}{_beginning(found[2])}", source)
    return _QUOTED.sub(rf"\1{PACKAGE}.", renamed)


def _beginning(word: str) -> str:
    """Return the new beginning of an import: `import harness` still has to bind the name harness."""
    return f"from {PACKAGE} import " if word == "import" else f"from {PACKAGE}."


def pack(root: Path, folder: Path) -> Path:
    """Write PACKAGE into `folder` as the wheel has it, from the checkout `root`; return its own folder.

    Raises FileExistsError if `folder` has PACKAGE already.
    """
    package = write_entries(folder)
    for name in INNER:
        shutil.copytree(root / name, package / name, ignore=LEFT_OUT)
    for module in package.rglob("*.py"):
        module.write_text(rename_packages(module.read_text(encoding="utf-8")), encoding="utf-8")
    return package


def write_entries(folder: Path) -> Path:
    """Write PACKAGE into `folder` as an editable install has it; return its own folder.

    Raises FileExistsError if `folder` has PACKAGE already.
    """
    package = folder / PACKAGE
    package.mkdir()
    for name, text in ENTRIES.items():
        (package / name).write_text(text, encoding="utf-8")
    return package
