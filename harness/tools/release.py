"""Writes the files of a release beside the wheel and the source archive, which are in the folder already.

    python -m harness.tools.release dist

conform.1, refbot.1   manual pages
recipe.yaml           how conda builds its package from the source archive
sbom.json             the components of requirements-run.lock, which the container has: CycloneDX 1.6
SHA256SUMS            checksums of all other files of the folder, for `sha256sum --check`
"""

from __future__ import annotations

import hashlib
import json
import re
import sys
from pathlib import Path

from harness import __version__
from harness.tools.conda import write_recipe
from harness.tools.manual import write_man

ROOT = Path(__file__).parents[2]
SUMS = "SHA256SUMS"
_PIN = re.compile(r"^([\w.-]+)==([\w.!+-]+)(?: ; ([^\\\n]+))?", re.MULTILINE)
"""A line of a lock file: name, version, and for which systems."""


def components(lock: str) -> list[dict[str, object]]:
    """Return the packages of a lock file, as CycloneDX lists components."""
    return [
        {
            "type": "library",
            "name": name,
            "version": version,
            "purl": f"pkg:pypi/{name.lower().replace('_', '-')}@{version}",
            **({"properties": [{"name": "python:marker", "value": marker.strip()}]} if marker else {}),
        }
        for name, version, marker in _PIN.findall(lock)
    ]


def bill_of_materials(lock: str, version: str) -> dict[str, object]:
    """Return the components of `gtp-conform` in this version, by a lock file, as CycloneDX 1.6 has them."""
    product = {
        "type": "application",
        "name": "gtp-conform",
        "version": version,
        "purl": f"pkg:pypi/gtp-conform@{version}",
        "licenses": [{"license": {"id": "MIT"}}],
    }
    return {
        "$schema": "http://cyclonedx.org/schema/bom-1.6.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {"component": product},
        "components": components(lock),
    }


def checksums(folder: Path) -> str:
    """Return a line as `sha256sum` writes it for each file of a folder, without SUMS and folders inside."""
    files = sorted(path for path in folder.iterdir() if path.is_file() and path.name != SUMS)
    return "".join(f"{_digest(path)}  {path.name}\n" for path in files)


def _digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def main() -> None:
    """Write the files into the folder that the first argument names."""
    folder = Path(sys.argv[1])
    lock = (ROOT / "requirements-run.lock").read_text(encoding="utf-8")
    bill = bill_of_materials(lock, __version__)
    (folder / "sbom.json").write_text(json.dumps(bill, indent=1) + "\n", encoding="utf-8")
    write_man(folder, __version__)
    for archive in folder.glob(f"*-{__version__}.tar.gz"):
        write_recipe(archive, __version__, _digest(archive))
    (folder / SUMS).write_text(checksums(folder), encoding="utf-8")


if __name__ == "__main__":
    main()
