"""A Go engine that plays nothing and does one odd thing on the wire, for tests of what is said of it.

odd_wire.py word-as-id          the first word of an unknown command stands where its id would
odd_wire.py refusal-no-blank    no blank after the sign of a refusal
odd_wire.py refusal-as-success  a refusal in words, with the sign of a success
odd_wire.py silent NAME...      no answer to these commands
odd_wire.py unknown-silent NAME...   no answer to a command that does not exist, or to these
odd_wire.py unknown-one-line    one line feed after the refusal of a command that does not exist
odd_wire.py unknown-signless    a refusal without a sign
odd_wire.py id-as-float         the id of a command with .0
odd_wire.py next-line           a text begins on the line below its sign
odd_wire.py text-twice          a text is written twice
odd_wire.py moves-600           the 601st move of a game ends the process
"""

import math
import sys

COLUMNS = "ABCDEFGHJKLMNOPQRSTUVWXYZ"
KNOWN = (
    *("protocol_version", "name", "version", "known_command", "list_commands", "quit"),
    *("boardsize", "clear_board", "komi", "play", "genmove"),
)
COLOURS = ("b", "w", "black", "white")


class RefusalError(Exception):
    pass


class Game:
    def __init__(self) -> None:
        self.size, self.moves = 9, 0
        self.stones: set[str] = set()

    def boardsize(self, size: str) -> str:
        if not (size.isdigit() and 2 <= int(size) <= 25):
            raise RefusalError("unacceptable size")
        self.size = int(size)
        return self.clear_board()

    def clear_board(self, *_: str) -> str:
        self.stones, self.moves = set(), 0
        return ""

    def komi(self, komi: str) -> str:
        try:
            finite = math.isfinite(float(komi))
        except ValueError:
            finite = False
        if not finite:
            raise RefusalError("invalid komi")
        return ""

    def play(self, colour: str, vertex: str) -> str:
        if colour.lower() not in COLOURS:
            raise RefusalError("invalid colour")
        if vertex.upper() != "PASS":
            column, row = vertex[:1].upper(), vertex[1:]
            if column not in COLUMNS[: self.size] or not (row.isdigit() and 1 <= int(row) <= self.size):
                raise RefusalError("illegal move")
            if vertex.upper() in self.stones:
                raise RefusalError("illegal move")
            self.stones.add(vertex.upper())
        self.moves += 1
        return ""

    def genmove(self, colour: str) -> str:
        if colour.lower() not in COLOURS:
            raise RefusalError("invalid colour")
        self.moves += 1
        return "pass"


def answer(game: Game, name: str, arguments: list[str]) -> str:
    texts = {
        "protocol_version": "2",
        "name": "odd",
        "version": "1",
        "quit": "",
        "list_commands": "\n".join(KNOWN),
    }
    if name == "known_command":
        return "true" if arguments[:1] and arguments[0] in KNOWN else "false"
    if name in texts:
        return texts[name]
    try:
        return str(getattr(game, name)(*arguments))
    except TypeError:
        raise RefusalError("missing argument") from None


def main() -> None:
    odd, silent = sys.argv[1], sys.argv[2:]
    game = Game()
    for line in sys.stdin:
        kept = "".join(char for char in line if char in "\t\n" or " " <= char != "\x7f").partition("#")[0]
        words = kept.split()
        own = words.pop(0) if words and words[0].isdigit() and int(words[0]) < 2**31 else ""
        if not words:
            continue
        name, unknown, sign, text = words[0], words[0] not in KNOWN, "=", ""
        if name in silent or (odd == "unknown-silent" and unknown):
            continue
        try:
            if unknown:
                raise RefusalError("unknown command")
            text = answer(game, name, words[1:])
        except RefusalError as refusal:
            sign, text = "?", str(refusal)
        if odd == "moves-600" and game.moves > 600:
            sys.exit(1)
        blank, end = " ", "\n\n"
        if sign == "?":
            sign = "=" if odd == "refusal-as-success" else sign
            blank = "" if odd == "refusal-no-blank" else blank
            own = name if odd == "word-as-id" and unknown and not own else own
            end = "\n" if odd == "unknown-one-line" and unknown else end
            sign, own = ("", "") if odd == "unknown-signless" and unknown else (sign, own)
        own += ".0" if odd == "id-as-float" and own else ""
        blank = "\n" if odd == "next-line" and text else blank
        text += f"\n{text}" if odd == "text-twice" and text else ""
        sys.stdout.write(f"{sign}{own}{blank}{text}{end}")
        sys.stdout.flush()
        if name == "quit":
            return


main()
