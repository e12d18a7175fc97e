"""Hooks of mkdocs for `make site`: they add pages and a script, correct links, and make pages accessible.

See https://www.mkdocs.org/user-guide/configuration/#hooks.
"""

from __future__ import annotations

import posixpath
import re
from pathlib import Path, PurePosixPath
from typing import Any

from harness.report.pages.documents import README, page
from harness.tools.manual import page as commands

SEARCH = "javascripts/iframe-worker.js"
"""A script of the site. If it has no file of this name, the plugin `offline` names one of another server."""
UNNAMED = 'role="dialog"'
"""The search of the theme, as its pages have it: a dialog without a name."""
BLOCK = re.compile("(<pre[^>]*>(?:<span></span>)?<code)")
"""The beginning of a block of code, which scrolls sideways."""
LINK = re.compile(r"\[([^\]]+)\]\((?!https?:|#)([^)#]+)(#[^)]*)?\)")


def on_files(files: Any, config: Any) -> Any:
    """Add the page of commands, the README and the script of the search, which `docs` does not have."""
    from mkdocs.structure.files import File

    files.append(File.generated(config, "commands.md", content=commands()))
    files.append(File.generated(config, f"{README}.md", content=page(README)))
    files.append(
        File.generated(config, SEARCH, abs_src_path=str(Path(__file__).with_name("frame_worker.js")))
    )
    return files


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """Change links between the README and `docs` to links between pages of the site.

    No page is in a subfolder of `docs`. The site has no page for any other file of the repository: a link to
    it becomes the text of the link and the path. An example, on the page of the README:
    `[Check](docs/check.md#run)` becomes `[Check](check.md#run)`.
    """
    if page.file.src_uri == "kill-matrix.md":
        page.meta["search"] = {"boost": 0.2}  # it has the names of all checks; others explain them
    folder = PurePosixPath("" if page.file.src_uri == f"{README}.md" else "docs")

    def on_site(link: re.Match[str]) -> str:
        text, target, anchor = link.groups(default="")
        path = PurePosixPath(posixpath.normpath(folder / target))  # without `..`
        if path == PurePosixPath("README.md"):
            return f"[{text}]({README}.md{anchor})"
        if path.is_relative_to("docs"):
            return f"[{text}]({path.relative_to('docs')}{anchor})"
        return f"{text} (`{path}`)"

    return LINK.sub(on_site, markdown)


def on_post_page(output: str, **_: Any) -> str:
    """Give the search a name, and let the keyboard scroll each block of code, for readers without a mouse."""
    named = output.replace(UNNAMED, f'{UNNAMED} aria-label="Search"', 1)
    return BLOCK.sub(r'\1 tabindex="0"', named)
