"""`gtp.clock.*`: time_settings, time_left and kgs-time_settings.

`gtp.admin.time-settings` shows that time_settings succeeds. Each dialogue sets a clock at the start of a
game, since some engines refuse to change the clock later. At its end the dialogue removes the time limit.
A check that sends words in place of numbers relies on REFUSES_KOMI: the check of this ability reports an
engine that reads any word as a number.
"""

from __future__ import annotations

from functools import partial

from harness.check.model import Ability
from harness.check.procedures.dialogue import dialogue
from harness.check.procedures.script import NEW
from harness.check.procedures.time_commands import MoveInTime
from harness.suite import statement
from harness.suite.statement import relying_on

must = partial(statement.must, clause="gtp-time")
should = partial(statement.should, clause="gtp-time")

CLOCK = NEW + "time_settings 300 60 25\n"
"""Lines that begin a game with overtime: some engines accept stones in time_left only with overtime."""

NO_LIMIT = "\ntime_settings 0 1 0 -> *"
"""The line that removes the time limit: a byo-yomi time for no stones."""


CHECKS = (
    must("gtp.clock.no-limit", "time_settings accepts a byo-yomi time for no stones, which means no limit.",
         dialogue(NEW + "time_settings 0 1 0 -> ="),
         hint="accept 0 stones with a byo-yomi time above 0: there is then no limit",
         kills="no-limit-refused"),
    must("gtp.clock.settings-argument",
         "time_settings refuses words and missing numbers, and the engine keeps running.",
         dialogue(NEW + "time_settings -> ?\n{known} -> *\ntime_settings 300 -> ?\n"
                  "time_settings 300 60 -> ?\ntime_settings abc 0 0 -> ?\ntime_settings 300 abc 25 -> ?\n"
                  "time_settings 300 60 abc -> ?\n"
                  "{known} -> *" + NO_LIMIT),
         requires=relying_on(Ability.SETS_CLOCKS, Ability.REFUSES_KOMI),
         hint="count the three numbers, and test that each could be read",
         kills="time-settings-of-two time-settings-argument-crashes time-settings-word-is-zero"),
    must(Ability.TAKES_TIME_LEFT, "time_left succeeds for either colour, in main time and in overtime.",
         dialogue(CLOCK + "time_left b 200 0 -> =\ntime_left w 50 20 -> =\ntime_left b 60 25 -> ="
                  + NO_LIMIT),
         hint="accept 0 stones, which means main time, and any number of seconds and stones",
         kills="time-left-divides-by-stones", tolerates="hurried"),
    must("gtp.clock.left-colour", "time_left refuses a word that is not a colour.",
         dialogue(CLOCK + "time_left q 200 0 -> ?\n{known} -> *" + NO_LIMIT),
         requires=relying_on(Ability.REFUSES_COLOURS),
         hint="refuse any word but b, black, w and white", kills="time-left-any-colour"),
    must("gtp.clock.left-argument",
         "time_left refuses words and missing numbers, and the engine keeps running.",
         dialogue(CLOCK + "time_left -> ?\n{known} -> *\ntime_left b -> ?\ntime_left b 200 -> ?\n"
                  "time_left b abc 0 -> ?\ntime_left b 200 abc -> ?\n{known} -> *" + NO_LIMIT),
         requires=relying_on(Ability.REFUSES_KOMI),
         hint="count the three arguments, and test that both numbers could be read",
         kills="time-left-without-stones time-left-word-is-zero"),
    must("gtp.clock.left-over",
         "The engine keeps running after time_left with 0 or a negative number of seconds.",
         dialogue(CLOCK + "time_left b 0 0 -> *\n{known} -> *\ntime_left w -1 0 -> *\n{known} -> *"
                  + NO_LIMIT),
         hint="controllers send 0 or less at the end of main time: treat both as no time left",
         kills="time-left-over-crashes"),
    should("gtp.clock.in-time", "genmove answers in time where each move has one second.",
           MoveInTime(),
           hint="end a search early enough for the time that time_settings and time_left give",
           tolerates="overtime"),
    must("gtp.clock.kgs", "kgs-time_settings accepts the time systems none, absolute and canadian.",
         dialogue(NEW + "kgs-time_settings absolute 300 -> =\nclear_board\n"
                  "kgs-time_settings canadian 300 60 25 -> =\nclear_board\nkgs-time_settings none -> ="),
         hint="accept none, absolute with the main time, and canadian with main time, period and stones",
         kills="kgs-time-none-refused", tolerates="kgs-byoyomi-refused"),
    should("gtp.clock.kgs-byoyomi", "kgs-time_settings accepts the time system byoyomi.",
           dialogue(NEW + "kgs-time_settings byoyomi 300 30 5 -> =\nclear_board\n"
                    "kgs-time_settings none -> *"),
           hint="accept byoyomi with main time, period and number of periods",
           tolerates="kgs-byoyomi-refused"),
    must("gtp.clock.kgs-argument",
         "kgs-time_settings refuses words and missing numbers, and the engine keeps running.",
         dialogue(NEW + "kgs-time_settings -> ?\n{known} -> *\nkgs-time_settings absolute -> ?\n"
                  "kgs-time_settings canadian 300 -> ?\nkgs-time_settings absolute abc -> ?\n{known} -> *\n"
                  "kgs-time_settings none -> *"),
         requires=relying_on(Ability.REFUSES_KOMI, Ability.REFUSES_MISSING_ARGUMENTS),
         hint="count the numbers of the time system, and test that each could be read",
         kills="kgs-time-numbers-unread"),
    should("gtp.clock.kgs-system", "kgs-time_settings refuses a time system that does not exist.",
           dialogue(NEW + "kgs-time_settings abc 300 60 25 -> ?\nkgs-time_settings none -> *"),
           hint="refuse any word but none, absolute, byoyomi and canadian", tolerates="kgs-time-any-system"),
)  # fmt: skip
