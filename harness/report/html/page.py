"""A page in one file: a template filled in, style and scripts inside, and a policy that allows nothing else.

The content security policy names the hashes of the page's own style and scripts. Text that should slip
through as markup cannot run, and nothing is ever loaded.
"""

from __future__ import annotations

import base64
import hashlib
import json
from functools import cache
from importlib.resources import files

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from harness import __version__
from harness.report.html.visible import lines, one_line

STYLE = "page.css"


def render(template: str, *scripts: str, **values: object) -> str:
    """The text of a page. `scripts` are names of files in `assets`; every value is escaped unless Markup."""
    style = _asset(STYLE)
    code = "\n".join(_asset(name) for name in ("page.js", *scripts))
    return (
        _environment()
        .get_template(template)
        .render(
            style=Markup(style),
            code=Markup(code),
            policy=_policy(style, code),
            version=__version__,
            **values,
        )
    )


def embedded(data: object) -> Markup:
    """Data as JSON for a script element: nothing in it ends the element."""
    text = json.dumps(data, separators=(",", ":"), ensure_ascii=True, allow_nan=False)
    return Markup(text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026"))


def _policy(style: str, code: str) -> str:
    return (
        f"default-src 'none'; img-src data:; style-src '{_hash(style)}'; script-src '{_hash(code)}'; "
        "base-uri 'none'; form-action 'none'"
    )


def _hash(text: str) -> str:
    digest = hashlib.sha256(text.encode("utf-8")).digest()
    return f"sha256-{base64.b64encode(digest).decode('ascii')}"


@cache
def _asset(name: str) -> str:
    return files("harness.report.html").joinpath(f"assets/{name}").read_text("utf-8")


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("harness.report.html"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {"line": one_line, "lines": lines}
    return environment
