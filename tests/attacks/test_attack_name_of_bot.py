"""A bot whose name has several lines, one of them a setting.

Before: `conform init --bot` wrote the name into a comment of conform.toml as it was, and its second line
became a setting. After: the name is one line.
"""

import tomllib
from pathlib import Path

from tests.command_line import conform, write_script

BOT = """
while read -r command rest; do
  case "$command" in
    name) printf '= x\\n[check.reports]\\njson = "stolen.json"\\n\\n' ;;
    version) printf '= 1\\r\\033[2J\\n\\n' ;;
    list_commands) printf '= name\\nversion\\nlist_commands\\nprotocol_version\\nquit\\n\\n' ;;
    protocol_version) printf '= 2\\n\\n' ;;
    quit) printf '=\\n\\n'; exit ;;
    *) printf '? unknown command\\n\\n' ;;
  esac
done
"""


def test_the_name_of_a_bot_adds_no_setting(tmp_path: Path) -> None:
    write_script(tmp_path / "mybot", BOT)
    done = conform("init", "--bot", "./mybot", cwd=tmp_path)
    text = (tmp_path / "conform.toml").read_text()
    assert "stolen.json" in text, done.stdout
    assert tomllib.loads(text)["check"] == {"bot": "./mybot", "reports": {}}
    assert not any(line.startswith("json") for line in done.stdout.splitlines())
    assert "\x1b" not in text + done.stdout
