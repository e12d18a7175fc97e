"""`gtp.record.*`: loadsgf, printsgf and savesgf read and write records of games.

The records to load are files of this package, which `harness.check.stored_records` describes. A dialogue
names them by words such as `{game}` (see `loading` and `loading_sizes`). Moves that the engine must accept or
refuse show the position. If an engine refuses the first record that a check must load, the check is skipped,
since the engine may run where it cannot read the files of this machine; `gtp.record.readable` reports that.
"""

from __future__ import annotations

from functools import partial

from harness.check.model import Ability
from harness.check.procedures.script import NEW
from harness.check.stored_records import BROKEN, GAME, NOT_THERE, NOWHERE, SETUP
from harness.commands.loaded_komi import LoadedKomi
from harness.commands.record_dialogues import loading, loading_sizes
from harness.commands.written_records import Aspect, Printed, Reprinted, Saved
from harness.suite import statement
from harness.suite.statement import having, relying_on

must = partial(statement.must, clause="gtp-records")
should = partial(statement.should, clause="gtp-records")
info = partial(statement.info, clause="gtp-records")

LOADSGF = having("loadsgf")
LOADED = relying_on(Ability.LOADS_RECORDS, Ability.CAPTURES).with_those_of(LOADSGF)
MISSING = relying_on(Ability.REFUSES_MISSING_ARGUMENTS).with_those_of(LOADSGF)
READABLE = relying_on(Ability.PRINTS_RECORDS)
ROUND_TRIP = relying_on(Ability.LOADS_RECORDS, Ability.PRINTS_RECORDS)
KO_MOVES = "".join(f"play {move}\n" for move in (
    "b D5", "w D4", "b E4", "w D6", "b E6", "w C5", "b F5", "w E5",
))  # fmt: skip
"""The game of the record `ko`: White's E5 takes Black's D5, and Black may not take it back at once."""

CHECKS = (
    must("gtp.record.load", "loadsgf sets up the position at the end of a record.",
         loading(NEW + "loadsgf {game} -> =\nplay w C3 -> ?\nplay b G2 -> ?\nplay w E4 -> ?\n"
                 "play b B1 -> =\nplay w J9 -> =\nplay b A1 -> =\nplay w H3 -> =\nplay b E5 -> ="),
         requires=relying_on(Ability.CAPTURES).with_those_of(LOADSGF),
         hint="play every move of the record from an empty board; SGF counts rows from the top",
         kills="loadsgf-crashes loadsgf-upside-down",
         tolerates="loadsgf-answers-colour loadsgf-refuses-files"),
    info("gtp.record.readable", "loadsgf reads a record that conform has on this machine.",
         loading(NEW + "loadsgf {game} -> =", may_refuse=False), requires=LOADSGF, kills="loadsgf-crashes"),
    must("gtp.record.setup", "loadsgf sets up the stones that a record places before its first move.",
         loading(NEW + "loadsgf {setup} -> =\n"
                 "play w C3 -> ?\nplay w G7 -> ?\nplay b E5 -> ?\nplay b F3 -> ?"),
         requires=LOADED,
         hint="read AB and AW before the first move", kills="loadsgf-ignores-setup",
         tolerates="loadsgf-answers-colour loadsgf-refuses-files"),
    must("gtp.record.before-move", "loadsgf with the number of a move stops before this move.",
         loading(NEW + "loadsgf {game} 11 -> =\nplay b C8 -> ?\nplay w F5 -> ?\nplay b E4 -> =\n"
                 "play w J9 -> =\nplay b E5 -> ="),
         requires=LOADED,
         hint="make the moves before the given one: loadsgf FILE 1 makes none", kills="loadsgf-one-move-more",
         tolerates="loadsgf-answers-colour loadsgf-refuses-files"),
    must("gtp.record.beyond", "loadsgf with a number beyond the last move goes to the end of the record.",
         loading(NEW + "loadsgf {game} -> =\nloadsgf {game} 99 -> =\nplay b H7 -> ?\nplay w E4 -> ?\n"
                 "play b E5 -> ="),
         requires=LOADED,
         hint="stop at the end of the record, and succeed", kills="loadsgf-beyond-refused",
         tolerates="loadsgf-answers-colour loadsgf-refuses-files"),
    must("gtp.record.replaces", "loadsgf takes away the stones that were on the board.",
         loading(NEW + "play b J5\nplay w A7\nloadsgf {game} -> =\nplay b A7 -> =\nplay w J5 -> ="),
         requires=LOADED,
         hint="empty the board before the moves of the record", kills="loadsgf-keeps-board",
         tolerates="loadsgf-answers-colour loadsgf-refuses-files"),
    must("gtp.record.ko", "After loadsgf of a game whose last move takes a ko, play refuses to take it back.",
         loading(NEW + KO_MOVES + "play b D5 -> ?\nplay b J9 -> =\n"
                 "loadsgf {ko} -> =\nplay b D5 -> ?\nplay b J9 -> =", compares=True),
         requires=LOADED,
         hint="make the moves of a record by the function that play uses, which notes the ko",
         kills="loadsgf-forgets-ko",
         tolerates="loadsgf-answers-colour loadsgf-refuses-files superko-by-play-accepted"),
    must("gtp.record.size", "loadsgf sets the size of the board.",
         loading_sizes("boardsize {large}\nclear_board\nloadsgf {small-game} -> =\nplay b {corner} -> ?\n"
                       "boardsize {small}\nclear_board\nloadsgf {large-game} -> =\nplay b {corner} -> ="),
         requires=relying_on(Ability.CHANGES_SIZE, Ability.ENDS_THE_BOARD).with_those_of(LOADED),
         hint="read SZ, and set the size before the first stone", kills="loadsgf-keeps-size",
         tolerates="loadsgf-answers-colour loadsgf-refuses-files size-9-only"),
    must("gtp.record.komi", "loadsgf sets the komi of the record.",
         LoadedKomi(), requires=relying_on(Ability.LOADS_RECORDS, Ability.SETS_KOMI),
         hint="set the komi to that of KM", kills="loadsgf-keeps-komi", tolerates="loadsgf-refuses-files"),
    must("gtp.record.missing", "loadsgf refuses a file that does not exist.",
         loading(NEW + f"loadsgf {NOT_THERE} -> ?\n{{known}} -> = {{answer}}"), requires=LOADSGF,
         hint="test whether the file was opened: ? cannot load file", kills="loadsgf-missing-succeeds"),
    must("gtp.record.no-name", "loadsgf without the name of a file is refused.",
         loading(NEW + "loadsgf -> ?\n{known} -> = {answer}"), requires=MISSING,
         hint="look at the number of arguments before you use them", kills="loadsgf-no-name-crashes"),
    must("gtp.record.refused", "A loadsgf that is refused leaves the game as it is.",
         loading(NEW + f"play b C3\nplay w E5\nloadsgf {NOT_THERE} -> *\n"
                 "play w C3 -> ?\nplay b E5 -> ?\nplay b D4 -> ="),
         requires=LOADSGF,
         hint="read the whole file before you change the board", kills="loadsgf-refusal-clears"),
    must("gtp.record.broken", "The engine keeps running after loadsgf of a file that is no whole record.",
         loading("".join(f"loadsgf {path} -> *\n{{known}} -> = {{answer}}\n"
                         for path in (*BROKEN, "{records}/."))),
         requires=LOADSGF,
         hint="refuse a file that cannot be read to its end: ? cannot load file",
         kills="loadsgf-broken-crashes", tolerates="loadsgf-any-text"),
    should("gtp.record.broken-refused", "loadsgf refuses a text that is no record.",
           loading(NEW + "loadsgf {records}/text.sgf -> ?\n{known} -> = {answer}"), requires=LOADSGF,
           hint="refuse a file in which no game begins: ? cannot load file", kills="loadsgf-broken-crashes"),
    must("gtp.record.print-whole", "printsgf prints the whole record in one answer, without an empty line.",
         Printed(Aspect.WHOLE), shares=Ability.PRINTS_RECORDS,
         hint="an empty line ends an answer: print none inside the record", kills="printsgf-empty-line"),
    must(Ability.PRINTS_RECORDS, "printsgf prints a record that leads to the position on the board.",
         Printed(Aspect.POSITION),
         hint="write SZ and every move or stone; SGF counts rows from the top",
         kills="printsgf-upside-down", tolerates="printsgf-position"),
    must("gtp.record.print-komi", "A komi that printsgf prints is the komi in force.",
         Printed(Aspect.KOMI), shares=Ability.PRINTS_RECORDS, requires=READABLE,
         hint="write the komi that was set last as KM", kills="printsgf-komi-fixed",
         tolerates="printsgf-position"),
    must("gtp.record.print-moves", "Moves that printsgf prints are the moves that were played.",
         Printed(Aspect.MOVES), shares=Ability.PRINTS_RECORDS, requires=READABLE,
         hint="write every move with its colour, also a pass: ;W[]", kills="printsgf-drops-passes",
         tolerates="printsgf-position"),
    must("gtp.record.print-undone", "printsgf prints no move that undo has taken back.",
         Printed(Aspect.POSITION, undone=1), requires=READABLE,
         hint="write the moves of the game as it stands", kills="printsgf-keeps-undone",
         tolerates="printsgf-position"),
    must("gtp.record.print-handicap", "printsgf prints handicap stones.",
         Printed(Aspect.POSITION, handicap=2), requires=READABLE,
         hint="write handicap stones as AB before the first move", kills="printsgf-forgets-setup",
         tolerates="printsgf-position"),
    should("gtp.record.again", "printsgf after loadsgf prints a record that leads to the same position.",
           Reprinted(SETUP, Aspect.POSITION), requires=ROUND_TRIP,
           hint="write the stones that loadsgf set up as AB and AW",
           kills="printsgf-forgets-setup", tolerates="printsgf-position"),
    should("gtp.record.again-moves", "printsgf after loadsgf prints the moves of the record.",
           Reprinted(GAME, Aspect.MOVES), requires=ROUND_TRIP,
           hint="write the moves that loadsgf made, with their colours, also passes",
           kills="printsgf-drops-passes", tolerates="printsgf-position"),
    must("gtp.record.save", "savesgf writes a record that leads to the position on the board.",
         Saved(),
         hint="write the record and close the file before you answer", kills="savesgf-empty",
         tolerates="printsgf-position"),
    must("gtp.record.save-nowhere", "The engine keeps running after savesgf to a folder that does not exist.",
         loading(NEW + f"savesgf {NOWHERE} -> *\n{{known}} -> = {{answer}}"),
         requires=having("savesgf"),
         hint="test whether the file was opened, and refuse", kills="savesgf-unwritable-crashes"),
    should("gtp.record.save-refused", "savesgf refuses a file in a folder that does not exist.",
           loading(NEW + f"savesgf {NOWHERE} -> ?\n{{known}} -> = {{answer}}"),
           requires=having("savesgf"),
           hint="test whether the file was opened, and refuse", kills="savesgf-unwritable-crashes"),
)  # fmt: skip
