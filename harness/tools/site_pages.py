"""What `make site` writes beside the pages of `docs`: the page of commands, and links out of `docs`.

A hook of mkdocs, see https://www.mkdocs.org/user-guide/configuration/#hooks.
"""

from __future__ import annotations

import re
from typing import Any

from harness.tools.manual import page

COMMANDS = "commands.md"
OUTSIDE = re.compile(r"\[([^\]]+)\]\(\.\./([^)#]+)[^)]*\)")
"""A link to a file of the checkout that is no page of the site."""


def on_files(files: Any, config: Any) -> Any:
    """Add the page of commands."""
    from mkdocs.structure.files import File

    files.append(File.generated(config, COMMANDS, content=page()))
    return files


def on_page_markdown(markdown: str, **_: Any) -> str:
    """Replace a link to a file of the checkout by the name of the file: the site has no such page."""
    return OUTSIDE.sub(r"\1 (`\2`)", markdown)
