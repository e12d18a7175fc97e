"""The recipe of a conda package, made from pyproject.toml.

`make release` writes it beside the source archive, and `rattler-build build --no-include-recipe --recipe
dist/recipe.yaml` builds the package from that archive. Without --no-include-recipe the package also has the
folder of the recipe inside: the wheel, the archive and all else. The dependencies have the same names on
conda-forge. Extras are no part of a conda package: its users install what they want.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterable
from pathlib import Path

ROOT = Path(__file__).parents[2]

RECIPE = """\
schema_version: 1

package:
  name: {name}
  version: {version}

source:
  path: {archive}
  sha256: "{digest}"

build:
  number: 0
  noarch: python
  script: ${{{{ PYTHON }}}} -m pip install . -vv --no-deps --no-build-isolation
  python:
    entry_points:
{entry_points}

requirements:
  host:
    - python {python}
    - pip
{host}
  run:
    - __linux
    - python {python}
{run}

tests:
  - python:
      imports:
        - gtp_conform
      pip_check: true
  - script:
      - conform --version
      - refbot --version

about:
  summary: {summary}
  license: {licence}
  license_file: LICENSE
"""


def write_recipe(archive: Path, version: str, digest: str) -> None:
    """Write recipe.yaml beside the source archive, whose SHA-256 is `digest`."""
    with (ROOT / "pyproject.toml").open("rb") as file:
        settings = tomllib.load(file)
    project = settings["project"]
    text = RECIPE.format(
        name=project["name"],
        version=json.dumps(version),  # a string of JSON is one of YAML
        archive=archive.name,
        digest=digest,
        entry_points=_entries(f"{name} = {value}" for name, value in project["scripts"].items()),
        python=project["requires-python"],
        host=_entries(map(_for_conda, settings["build-system"]["requires"])),
        run=_entries(map(_for_conda, project["dependencies"])),
        summary=json.dumps(project["description"]),
        licence=project["license"],
    )
    archive.with_name("recipe.yaml").write_text(text, encoding="utf-8")


def _entries(items: Iterable[str]) -> str:
    """Return the items of a YAML list, a line each."""
    return "\n".join(f"    - {item}" for item in items)


def _for_conda(requirement: str) -> str:
    """Return a requirement as conda writes it: `numba >=0.61,<0.70` for `numba>=0.61,<0.70`.

    It must begin with a lower limit, or have no version.
    """
    return requirement.replace(">=", " >=", 1)
