"""Settings of another user in a folder above, such as /tmp, and keys of settings that break their reader.

Before: `conform check` below this folder started the program, and used the environment, that these settings
name. A key with an escape sequence ended it with a traceback that had the sequence raw. After: settings that
nobody has named are used only if they belong to the user or to root.
"""

import json
import os
from pathlib import Path

import pytest

from tests.command_line import bot, conform
from tests.other_user import NOBODY, needs_root

SETTINGS = f'[check]\nbot = {json.dumps(bot("pure_bot.py"))}\nonly = ["gtp.admin.name"]\n'


@needs_root
@pytest.mark.parametrize("name", ["conform.toml", "pyproject.toml"])
@pytest.mark.parametrize("what", ["file", "link"])
def test_settings_of_another_user_start_nothing(tmp_path: Path, name: str, what: str) -> None:
    file, inner = tmp_path / name, tmp_path / "mine"
    inner.mkdir()
    text = SETTINGS if name == "conform.toml" else SETTINGS.replace("[check]", "[tool.conform.check]")
    if what == "file":
        file.write_text(text)
    else:
        (inner / name).write_text(text)
        (inner / name).rename(inner / "moved")
        file.symlink_to(inner / "moved")
    os.chown(file, NOBODY, NOBODY, follow_symlinks=False)

    done = conform("check", "--json", "-", cwd=inner)
    assert (done.returncode, done.stdout) == (2, "")
    assert str(file) in done.stderr
    assert "belongs to another user" in done.stderr

    assert (
        conform("check", "--no-config", bot("pure_bot.py"), "--only", "gtp.admin.name", cwd=inner).returncode
        == 0
    )
    if name == "conform.toml":
        assert conform("check", "--config", file, cwd=inner).returncode == 0
    os.chown(file, 0, 0, follow_symlinks=False)
    assert conform("check", cwd=inner).returncode == 0


@pytest.mark.parametrize("key", ["\x1b[2J", "a[b", "str", "float", ""])
@pytest.mark.parametrize("table", ["", "check", "check.reports"])
def test_any_unknown_key_of_settings_is_named(tmp_path: Path, table: str, key: str) -> None:
    header = f"[{table}]\n" if table else ""
    (tmp_path / "conform.toml").write_text(f"{header}{json.dumps(key)} = 1\n")
    done = conform("check", "true", cwd=tmp_path)
    assert done.returncode == 2, done.stderr
    assert "unknown key" in done.stderr
    assert "\x1b" not in done.stderr
