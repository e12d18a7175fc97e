"""Fills in the template of a page, with style and scripts inside, and its content security policy (CSP).

The policy allows only the style and the scripts of the page itself, by their hashes. A page loads nothing;
only a live page may connect to its server. So a text that got into the page as markup by a bug could not run.
"""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from harness import __version__
from harness.report.numbers import amount, points_text
from harness.report.visible import clock_text, elided, lines, one_line, time_text

STYLE = "page.css"

RUN_SCRIPTS = ("board.js", "viewer.js")
"""The scripts of the page of a run."""


def render(template: str, *scripts: str, live: bool = False, **values: object) -> str:
    """The text of a page. Values are escaped unless they are `Markup`.

    scripts   names of files in `assets`, beside `page.js`
    live      the page may connect to the server that it came from; other pages connect to nothing
    """
    return (
        _environment()
        .get_template(template)
        .render(
            style=Markup(_asset(STYLE)),
            code=Markup(_code(scripts)),
            policy=policy(*scripts, live=live),
            version=__version__,
            **values,
        )
    )


def parts(template: str) -> Any:
    """The macros of a template, as functions that return Markup."""
    return _environment().get_template(template).module


def embedded(data: object) -> Markup:
    """Data as JSON for a script element. Characters that could end the element are escaped."""
    text = json.dumps(data, separators=(",", ":"), ensure_ascii=True, allow_nan=False)
    return Markup(text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026"))


@cache
def policy(*scripts: str, live: bool = False) -> str:
    """The content security policy of a page; the parameters are those of `render`."""
    connect = "connect-src 'self'; " if live else ""
    return (
        f"default-src 'none'; {connect}img-src data:; style-src '{_hash(_asset(STYLE))}'; "
        f"script-src '{_hash(_code(scripts))}'; base-uri 'none'; form-action 'none'"
    )


def _code(scripts: Sequence[str]) -> str:
    return "\n".join(_asset(name) for name in ("page.js", *scripts))


def _hash(text: str) -> str:
    digest = hashlib.sha256(text.encode("utf-8")).digest()
    return f"sha256-{base64.b64encode(digest).decode('ascii')}"


@cache
def _asset(name: str) -> str:
    return files("harness.report.html").joinpath(f"assets/{name}").read_text("utf-8")


@cache
def _environment() -> Environment:
    """The templates, and the filters that they use."""
    environment = Environment(
        loader=PackageLoader("harness.report.html"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {
        "amount": amount,
        "points": points_text,
        "clock": clock_text,
        "elided": elided,
        "line": one_line,
        "lines": lines,
        "time": time_text,
    }
    return environment
