"""What several tests of matches need by name."""

import shlex
import sys
from collections.abc import Callable
from pathlib import Path

from harness.match import GameRecord, MatchConfig, Progress

ENGINES = Path(__file__).parents[2] / "engines"
SIZE = 5  # the smallest board there is: short games

Command = Callable[..., str]
MakeConfig = Callable[..., MatchConfig]


def engine_command(program: str, *arguments: object, **options: object) -> str:
    """The command line of one of the tests' engines."""
    words = [sys.executable, "-S", "-E", str(ENGINES / program), *map(str, arguments)]
    for name, value in options.items():
        words += [f"--{name}", str(value)]
    return shlex.join(words)


class Quiet:
    """An observer that keeps what it is told."""

    def __init__(self) -> None:
        self.records: list[GameRecord] = []
        self.sentences: list[str] = []

    def stored(self, record: GameRecord) -> None:
        self.records.append(record)

    def tick(self, progress: Progress) -> None:
        pass

    def told(self, sentence: str) -> None:
        self.sentences.append(sentence)
