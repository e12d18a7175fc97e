"""`ref.nodes.readable` and `ref.score.readable`: the two private commands answer numbers that can be read.

What cannot be read is said once, here; the checks that would have to read it are then left out.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from harness.checks.bot import Bot, Facts
from harness.checks.converse import seen
from harness.checks.model import Check, Judgement, Level
from harness.checks.probe import UnreadableAnswer, read_nodes, read_score
from harness.checks.special import Record, failed, passed
from harness.gtp import Exchange


@dataclass(frozen=True)
class Readable:
    """What `command` answers after a search, read by `read`; `hint` looks at a text that cannot be read."""

    command: str
    read: Callable[[Exchange], float]
    hint: Callable[[str], str]

    must_have = ("ref-nodes", "ref-score")

    def observe(self, bot: Bot, facts: Facts) -> Record:
        """The answer after the first search of a game."""
        bot.tell([f"boardsize {facts.size}\n".encode("ascii"), b"clear_board\n", b"komi 7.5\n"])
        bot.say(b"genmove b\n")
        return (bot.say(f"{self.command}\n".encode("ascii")),)

    def judge(self, record: Record) -> Judgement:
        """It must be a number of the right kind."""
        try:
            self.read(record[0])
        except UnreadableAnswer as unreadable:
            expected, observed = (f"{self.command} → {text}" for text in (unreadable.wanted, seen(record[0])))
            return failed(expected, observed, self.hint(record[0].text.strip()))
        return passed(f"{self.command} → a number", f"{self.command} → {record[0].text.strip()}")


def _about_nodes(text: str) -> str:
    if any(mark in text for mark in ",._'"):
        return "a count is a whole number: digits alone, no decimals and no separators"
    return "answer the number of moves in all playouts of the last search, in digits, and nothing else"


def _about_score(text: str) -> str:
    if "," in text:
        return "write a decimal point, whatever the locale is"
    try:
        above_one = float(text.rstrip("%")) > 1.0
    except ValueError:
        return "answer one number, and nothing else"
    if above_one:
        return "answer a share from 0 to 1: no percentage, and no sum of wins"
    return "answer a number from 0 to 1, the mean result for the side to move"


def _check(name: str, clause: str, title: str, procedure: Readable, kills: tuple[str, ...]) -> Check:
    return Check(f"ref.{name}.readable", clause, Level.MUST, title, procedure, kills=kills)


READABLE = {
    "ref-nodes": _check(
        "nodes",
        "ref-nodes",
        "ref-nodes answers a whole number.",
        Readable("ref-nodes", read_nodes, _about_nodes),
        ("nodes-decimals",),
    ),
    "ref-score": _check(
        "score",
        "ref-score",
        "ref-score answers a number from 0 to 1.",
        Readable("ref-score", read_score, _about_score),
        ("refscore-comma", "refscore-percent"),
    ),
}
"""By the command that they are about."""

CHECKS = tuple(READABLE.values())
