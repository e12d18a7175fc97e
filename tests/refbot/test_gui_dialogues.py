"""What user interfaces and bridges send to an engine, and how they read its answers.

Each test sends lines as one program does, in its order, and reads the answers by the rules of that program.
docs/gtp.md, section "User interfaces and bridges", says where these facts are from.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator

import pytest

from harness.selftest.hosted_bot import HostedBot

VERTEX = r"(?:pass|[A-HJ-T]\d+)"


class Wire:
    """The lines between a program and the engine. `send` does not wait."""

    def __init__(self, bot: HostedBot) -> None:
        self._engine = bot.running_engine()

    def send(self, *lines: str, end: str = "\n") -> None:
        """Send lines."""
        for line in lines:
            self._engine.send(f"{line}{end}".encode("ascii"))

    def line(self) -> str:
        """Read one line without its end. An engine that is silent fails the test."""
        how, line = self._engine.wait_for_line(math.inf)
        assert how == "answer", how
        return line.decode("ascii").rstrip("\r\n")

    def answer(self) -> str:
        """Read one answer up to its empty line; lines before a sign are no part of it."""
        lines = [self.line()]
        while lines[-1]:
            lines.append(self.line())
        text = "\n".join(lines[:-1])
        assert text[:1] in ("=", "?"), text
        return text

    def answers(self, number: int) -> list[str]:
        """Read answers."""
        return [self.answer() for _ in range(number)]

    def analysis(self) -> str:
        """Read an analysis up to its first line of records."""
        assert re.fullmatch(r"=\d* ?", self.line())
        return self.line()


@pytest.fixture
def wire() -> Iterator[Wire]:
    """A wire to an engine that has all commands."""
    with HostedBot("extensions", playouts=20) as bot:
        yield Wire(bot)


# --- Sabaki: no ids, questions at once, an analysis ended by protocol_version ---


def sabaki_records(line: str) -> list[dict[str, str]]:
    """Read a line of analysis: the variation is the longest list of vertices at the end of a record."""
    assert line.startswith("info ")
    found = []
    for record in re.split(r"\s*info\s+", line)[1:]:
        variation = re.search(rf"{VERTEX}(\s+{VERTEX})*$", record.strip())
        assert variation is not None, record
        words = record[: variation.start()].split()
        assert words[-1] == "pv"
        found.append({**dict(zip(words[:-1:2], words[1:-1:2], strict=True)), "pv": variation[0]})
    return found


def test_sabaki(wire: Wire) -> None:
    wire.send("name", "version", "protocol_version", "list_commands")
    *first, commands = wire.answers(4)
    assert all(answer.startswith("= ") for answer in first)
    listed = commands.removeprefix("=").split()
    assert {"set_free_handicap", "rectangular_boardsize", "undo", "analyze", "genmove_analyze"} <= {*listed}

    # A game with a handicap, replayed in one go; komi comes before the board.
    wire.send("komi 0.5", "boardsize 9")
    wire.send("clear_board", "set_free_handicap C3 G7", "play W E5", "play B pass")
    assert wire.answers(6) == ["= "] * 6

    wire.send("analyze W 100")
    (record, *_) = sabaki_records(wire.analysis())
    assert float(record["winrate"]) >= 0
    assert int(record["visits"]) > 0
    wire.send("protocol_version")
    assert wire.line() == ""
    assert wire.answer() == "= 2"

    # Another node of the game: moves are taken back, and others made, without a wait.
    wire.send("undo", "undo", "play W E6", "play B E3")
    assert wire.answers(4) == ["= "] * 4

    wire.send("genmove_analyze B 100")
    lines = wire.answer().split("\n")
    (played,) = (line for line in lines if line.startswith("play "))
    assert re.fullmatch(rf"play ({VERTEX})", played)
    wire.send(f"play W {played.split()[1]}")
    assert wire.answer().startswith("?")


# --- Lizzie: an id on each line, no wait but before an analysis, no colour in it ---


def lizzie_number(line: str) -> int:
    """Read the number of a command: the first word behind the sign."""
    return int(line.split(" ", maxsplit=1)[0][1:])


def test_lizzie(wire: Wire) -> None:
    wire.send("0 name", "1 version", "2 boardsize 9", "3 komi 7.5", "4 clear_board")
    answers = wire.answers(5)
    assert [lizzie_number(answer) for answer in answers] == [0, 1, 2, 3, 4]
    assert answers[1].split(" ")[1].split(".")[1].isdigit()  # it reads the second part of a version

    for number, analysis in enumerate(("lz-analyze 10", "kata-analyze 10 ownership true"), 10):
        wire.send(f"{number} {analysis}")
        for record in wire.analysis().removeprefix("info ").split(" info "):
            pairs = dict(zip(record.split()[::2], record.split()[1::2], strict=False))
            assert {"move", "visits", "winrate", "pv"} <= pairs.keys()
        wire.send(f"{number + 10} name")  # it ends a search by name
        assert wire.line() == ""
        assert lizzie_number(wire.answer()) == number + 10

    wire.send("30 lz-analyze 10 avoid b C3,D4 30 avoid w C3,D4 30")
    assert not re.search(r"move (C3|D4) ", wire.analysis())
    wire.send("31 play B Q9")
    assert wire.line() == ""
    assert wire.answer().startswith("?31")  # off the board
    wire.send("32 play B G5", "33 undo", "34 time_settings 0 30 1")
    assert wire.answers(3) == ["=32 ", "=33 ", "=34 "]

    wire.send("35 fixed_handicap 3")
    assert len(wire.answer().split(" ")[1:]) == 3  # it puts stones on these points
    wire.send("36 lz-genmove_analyze W 10")
    *lines, played = wire.answer().split("\n")
    assert re.fullmatch(rf"play {VERTEX}", played)
    assert lizzie_number(lines[0]) == 36


# --- gtp2ogs: CR LF, colours in words, small letters, a clock before each move ---


def test_gtp2ogs(wire: Wire) -> None:
    wire.send("list_commands", end="\r\n")
    listed = wire.answer().removeprefix("=").split()
    assert {"kgs-time_settings", "time_left", "set_free_handicap", "showboard"} <= {*listed}
    start = ("boardsize 9", "clear_board", "komi 6.5")
    wire.send(*start, "set_free_handicap c3 g7", "play white e5", "play black pass", end="\r\n")
    assert wire.answers(6) == ["= "] * 6
    wire.send("showboard", end="\r\n")
    board = wire.answer()
    assert len(board.split("\n")) >= 9

    for system in ("byoyomi 600 30 5", "canadian 600 300 25"):
        clock = (f"kgs-time_settings {system}", "time_left black 587 0", "time_left white 29 4")
        wire.send(*clock, "genmove white", end="\r\n")
        *settings, move = wire.answers(4)
        assert settings == ["= "] * 3
        assert re.fullmatch(rf"= {VERTEX}", move)
    # A clock with an increment is given as overtime of one stone.
    wire.send("time_settings 570 30 1", "time_left black 0 1", "time_left white 540 0", end="\r\n")
    assert wire.answers(3) == ["= "] * 3
    wire.send("quit", end="\r\n")
    assert wire.answer() == "= "


# --- GoGui: its tools find out first what there is ---


def test_gogui(wire: Wire) -> None:
    for command in ("name", "protocol_version", "list_commands", "version", "gogui-analyze_commands"):
        wire.send(command)
        answer = wire.answer()
        assert answer.startswith("= ")
    for line in answer.removeprefix("= ").split("\n"):
        kind, label, command = line.split("/")
        assert kind
        assert label
        wire.send(f"known_command {command.split(' ')[0]}")
        assert wire.answer() == "= true"
    wire.send("gogui-interrupt")
    assert wire.answer() == "= "

    wire.send("boardsize 9", "clear_board", "komi 6.5", "time_settings 600 60 10")
    assert wire.answers(4) == ["= "] * 4
    wire.send("gogui-play_sequence b D4 w F6 b pass", "undo", "play b E5", "genmove w", "undo")
    assert all(answer.startswith("=") for answer in wire.answers(5))
    wire.send("# interrupt", "final_status_list dead", "cputime")
    dead, seconds = wire.answers(2)
    assert dead == "= "
    assert float(seconds.removeprefix("=")) >= 0

    # A position that no game leads to: it is set up, and the side to move follows.
    wire.send("clear_board", "gogui-setup b D4 w D5 b E6")
    assert wire.answers(2) == ["= "] * 2
    wire.send("play w D4")
    assert wire.answer().startswith("?")


# --- the ringmaster of Gomill: asks for each optional command, and for the end of a game ---


def test_the_ringmaster_of_gomill(wire: Wire) -> None:
    wire.send("protocol_version", "list_commands", "gomill-describe_engine")
    version, _, described = wire.answers(3)
    assert version == "= 2"
    assert described.removeprefix("= ")
    for command in ("gomill-genmove_ex", "gomill-explain_last_move", "gomill-cpu_time", "gomill-savesgf"):
        wire.send(f"known_command {command}")
        assert wire.answer() in ("= true", "= false")
    wire.send("boardsize 9", "clear_board", "komi 6.5", "fixed_handicap 2", "gomill-genmove_ex w claim")
    *_, move = wire.answers(5)
    assert re.fullmatch(rf"= ({VERTEX}|claim)", move)
    wire.send("gomill-explain_last_move", "play b E5", "final_score", "gomill-cpu_time")
    assert all(answer.startswith("=") for answer in wire.answers(4))
