"""The parts of numba that `refbot.compile` relies on, though numba does not promise to keep them."""

from __future__ import annotations

import inspect
import subprocess
import sys
import tomllib
from pathlib import Path

import numba
import pytest
from numba.core import caching, dispatcher, runtime

ROOT = Path(__file__).parents[2]
CHANGED = (
    "numba {version} has no {name} as refbot.compile uses it: adapt refbot/compile, "
    "or lower the upper bound of numba in pyproject.toml"
)

MEMBERS = [
    (dispatcher, "Dispatcher", ("compile",)),
    (caching, "FunctionCache", ("load_overload", "save_overload", "_load_overload", "_impl_class")),
    (caching, "IndexDataCacheFile", ("_load_index", "_save_index", "_load_data", "_save_data", "_data_path")),
    (caching, "IndexDataCacheFile", ("_dump", "_open_for_write")),
    (caching, "CompileResultCacheImpl", ("_locator_classes",)),
    (caching, "InTreeCacheLocator", ("ensure_cache_path", "get_cache_path", "get_source_stamp")),
    (caching, "InTreeCacheLocator", ("get_suitable_cache_subpath", "from_function")),
]


@pytest.mark.parametrize(("module", "name", "members"), MEMBERS)
def test_numba_has_the_members_that_we_override(module: object, name: str, members: tuple[str, ...]) -> None:
    found = getattr(module, name, None)
    missing = [f"{name}.{member}" for member in members if not hasattr(found, member)]
    assert not missing, CHANGED.format(version=numba.__version__, name=", ".join(missing))


def test_a_cache_names_its_path_and_its_files() -> None:
    """`FunctionCache.__init__` sets what `KernelCache` replaces; the path of its locator has `_py_file`."""
    sources = (caching._Cache, caching.Cache, caching.InTreeCacheLocator)
    source = "".join(map(inspect.getsource, sources))
    names = ("_impl", "_cache_path", "_cache_file", "_py_func", "_py_file")
    missing = [name for name in names if f"self.{name} =" not in source]
    assert not missing, CHANGED.format(version=numba.__version__, name=f"attributes {missing} of its cache")


def test_the_runtime_is_where_we_look() -> None:
    assert hasattr(runtime.nrt, "rtsys"), CHANGED.format(version=numba.__version__, name="runtime rtsys")


def test_numba_has_an_upper_bound() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    (wanted,) = [one for one in project["dependencies"] if one.startswith("numba")]
    assert "<" in wanted


def test_an_engine_that_searches_does_not_load_coverage() -> None:
    code = "import sys, refbot.playouts; from refbot.playouts import lanes; print('coverage' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"
