"""`conform init --bot BOT`: starts a bot, and writes `conform.toml` for it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import typer

from harness.cli.exits import ExitCode
from harness.cli.options import DEFAULT_PLAYOUTS, fill_in
from harness.cli.paths import PROJECT_FILE, write_to
from harness.cli.printing import say
from harness.report.visible import one_line

if TYPE_CHECKING:
    from harness.check.phases.playout_count import PlayoutCount

SLOW_SECONDS = 0.5
"""After a longer first search, a hint proposes fewer playouts. Chosen: a standard check makes about a
thousand searches; at half a second each, they fill most of its ten minutes."""

TEMPLATE = """\
# Settings of conform for this project. `conform check` uses them; its options override them.
# {who}

[check]
bot = {bot}
{playouts}
# profile = "gtp"                     # reference, gtp or playouts; else by the commands of the bot
# budget = "quick"                    # quick, standard, thorough; or standard within a time: "2m"
# jobs = 2                            # processes of the bot side by side; else one for each idle core
# only = ["gtp.*", "eye"]             # checks or clauses; conform checks lists them
# skip = []
# strict = true                       # a failed SHOULD refuses the bot too
# startup = 60                        # seconds until the first answer
# timeout = 10                        # seconds until every other answer
# env = {{NAME = "value"}}              # besides PATH, HOME and LANG
# known_failures = "known.txt"        # conform check --write-known-failures known.txt

[check.reports]
# json = "reports/check.json"
# html = "reports/check.html"
# junit = "reports/check.xml"
"""


def init_project(command: str, *, force: bool) -> ExitCode:
    """Start the bot, and write the settings of a project with it into the current folder.

    Return CONFORMS, also if the file exists and stays as it is (`force` overwrites it). Return UNUSABLE, and
    write nothing, if the bot cannot be used. Raises UsageError if the file cannot be written.
    """
    from harness.check.bot.bot import Bot
    from harness.check.bot.errors import BotError, UnusableBotError
    from harness.check.bot.introduction import introduction_of
    from harness.check.phases.playout_count import PlayoutCount, find_playouts
    from harness.files.toml_text import toml_text
    from harness.gtp import Launch, Limits

    file = Path(PROJECT_FILE)
    if file.exists() and not force:
        typer.echo(f"{file} exists and was left unchanged (--force overwrites it)")
        return ExitCode.CONFORMS
    with Bot(Launch(fill_in(command, None)[0]), Limits(startup=60.0, answer=10.0)) as bot:
        try:
            introduction = introduction_of(bot)
        except UnusableBotError as why:
            say(f"{command} cannot be used: {why.reason}\n{why.hint}".rstrip())
            typer.echo(f"{file} was not written; try again when the bot answers by hand")
            return ExitCode.UNUSABLE
        seconds = bot.times.first_search
        try:
            count = find_playouts(bot, introduction, None)
        except BotError:  # conform check reports it
            count = PlayoutCount(None, "unknown")
    named = " ".join(filter(None, (introduction.name, introduction.version)))
    name = one_line(named or "the bot has no name")
    write_to(
        file,
        TEMPLATE.format(
            who=_introduction(name, seconds), bot=toml_text(command), playouts=_playouts(command, count)
        ),
    )
    say(f"wrote {file}: {_introduction(name, seconds)}")
    if seconds > SLOW_SECONDS:
        typer.echo("its searches are slow: a check with fewer playouts takes less time (playouts = N)")
    typer.echo("next: conform check")
    return ExitCode.CONFORMS


def _introduction(name: str, seconds: float) -> str:
    """Return the name of the bot, with the duration of its first search unless it made none (0 seconds)."""
    return f"{name}, first search {seconds:.2g} s" if seconds > 0 else name


def _playouts(command: str, count: PlayoutCount) -> str:
    """Return the line of the file about the number of playouts.

    It sets the number if the command has {playouts}; else it is a comment with the bot's number, if known.
    """
    if "{playouts}" in command:
        return f"playouts = {DEFAULT_PLAYOUTS:<26} # replaces {{playouts}} in the command of the bot"
    offered = f"# playouts = {count.playouts or DEFAULT_PLAYOUTS:<24} # of each search"
    if count.playouts:
        return f"{offered}, as {count.source} now; without this line, each check finds it out"
    return f"{offered}; else asked of the bot, or inferred. A GTP engine needs none"
