"""`gtp.frame.*`: how lines and answers look on the wire (GTP 2 draft 2, sections 2.1 to 2.7).

What the draft leaves open (blanks, an id alone, end of input) is SHOULD or INFO, never MUST: what such a
check expects is what most controllers take for granted.
"""

from __future__ import annotations

from functools import partial

from harness.checks.model import Check, Level
from harness.checks.procedures.dialogue import chased, dialogue, raw
from harness.checks.procedures.first_answer import FlushedOutput, StartupTime, TwoNewlines
from harness.checks.procedures.noise import NoNoise
from harness.checks.procedures.process_end import EndOfInput, LastLine, Quit

must = partial(Check, clause="gtp", level=Level.MUST)
should = partial(Check, clause="gtp", level=Level.SHOULD)
info = partial(Check, clause="gtp", level=Level.INFO)

LONG_LINE = b"name " + b"x" * 2000

CHECKS = (
    must(
        id="gtp.frame.two-newlines",
        title="An answer ends with an empty line, that is with two newlines.",
        procedure=TwoNewlines(),
        hint="print two newlines after each answer, also after a refusal",
        kills=("one-line-feed",),
    ),
    must(
        id="gtp.frame.flush",
        title="An answer is sent at once, also when the output is a pipe.",
        procedure=FlushedOutput(),
        hint="flush the standard output after each answer",
        kills=("unflushed",),
    ),
    must(  # early, since others lean on it
        id="gtp.admin.unknown-command",
        title="An unknown command is refused, and the engine lives on.",
        procedure=dialogue(chased("no_such_command", "?"), chased("no-such-command b C3", "?")),
        hint="answer ? and a short text",
        kills=("unknown-unanswered", "unknown-succeeds"),
    ),
    should(
        id="gtp.frame.startup-time",
        title="The first answer comes within ten seconds.",
        procedure=StartupTime(),
        hint="answer first, and load or tune when a move is wanted",
    ),
    must(
        id="gtp.frame.no-noise",
        title="Nothing but answers appears on the standard output.",
        procedure=NoNoise(),
        hint="write log lines to the standard error",
        kills=("log-on-stdout", "extra-line-feed", "blank-line-inside"),
    ),
    must(
        id="gtp.frame.id-echo",
        title="The id of a command comes back right after the sign of its answer.",
        procedure=dialogue("42 name -> =42", "7 protocol_version -> =7 2", "name -> ="),
        hint="print the id directly after the sign, without a blank: =42 text",
        kills=("id-dropped", "id-after-blank"),
    ),
    must(
        id="gtp.frame.id-zero",
        title="0 is an id like any other.",
        procedure=dialogue("0 name -> =0", chased("0 no_such_command", "?0")),
        hint="ask whether there was an id, not whether it differs from 0",
        kills=("id-zero-dropped",),
    ),
    must(
        id="gtp.frame.id-large",
        title="Ids up to 2147483647 are echoed.",
        procedure=dialogue("2147483647 name -> =2147483647"),
        hint="an id is an integer from 0 to 2^31 - 1",
    ),
    must(
        id="gtp.frame.id-echo-error",
        title="The id comes back with a refusal too.",
        procedure=dialogue(chased("43 no_such_command", "?43"), chased("44 no-such-command b C3", "?44")),
        hint="print the id after ? as after =",
        kills=("id-dropped-on-failure",),
    ),
    must(
        id="gtp.frame.id-fresh",
        title="An answer carries the id of its own command, and none if the command had none.",
        procedure=dialogue("8 name -> =8", "name -> =", "9 name -> =9", chased("no_such_command", "?")),
        hint="forget the id once its command is answered",
        kills=("id-stale",),
    ),
    must(
        id="gtp.frame.every-command-answered",
        title="Each command is answered once, in order, also when several are sent at once.",
        procedure=dialogue(
            raw(
                b"11 name\n12 no_such_command\n13 version\n14 protocol_version\n15 known_command name\n",
                "=11",
                "?12",
                "=13",
                "=14 2",
                "=15 true",
            )
        ),
        hint="read and answer one line after the other",
    ),
    must(
        id="gtp.frame.blank-line",
        title="An empty or blank line gets no answer.",
        procedure=dialogue(raw(b"\n21 name\n", "=21"), raw(b"  \n\t\n\n22 name\n", "=22")),
        hint="read on when nothing is left of a line",
        kills=("blank-line-answered", "blank-line-crashes"),
    ),
    must(
        id="gtp.frame.comment-line",
        title="A line that is only a comment gets no answer.",
        procedure=dialogue(raw(b"# a comment\n23 name\n", "=23"), raw(b"   # indented\n24 name\n", "=24")),
        hint="drop everything from # on before looking at a line",
        kills=("comment-never",),
    ),
    must(
        id="gtp.frame.comment-tail",
        title="A comment after a command is dropped.",
        procedure=dialogue(
            raw(b"25 name # who are you?\n", "=25"), raw(b"26 known_command name#\n", "=26 true")
        ),
        hint="drop everything from # on, wherever it stands",
        kills=("comment-at-start-only",),
    ),
    must(
        id="gtp.frame.crlf",
        title="Lines that end with CR LF work.",
        procedure=dialogue(
            raw(b"27 protocol_version\r\n", "=27 2"), raw(b"\r\n28 known_command name\r\n", "=28 true")
        ),
        hint="drop CR from each line",
        kills=("crlf-breaks",),
    ),
    must(
        id="gtp.frame.tab",
        title="A tab counts as a blank.",
        procedure=dialogue(raw(b"29\tknown_command\tname\n", "=29 true")),
        hint="turn HT into a blank before splitting a line",
        kills=("tab-dropped",),
    ),
    must(
        id="gtp.frame.control-dropped",
        title="Control characters other than HT and LF are dropped.",
        procedure=dialogue(
            raw(b"30 na\x07me\n", "=30"),
            raw(b"\x01\x1f31 protocol_ver\x7fsion\n", "=31 2"),
            raw(b"\x02\n32 name\n", "=32"),
        ),
        hint="remove the bytes 0 to 31 and 127, but for HT and LF, before reading a line",
        kills=("control-kept",),
    ),
    must(
        id="gtp.frame.quit",
        title="quit is answered, and then the engine ends.",
        procedure=Quit(),
        hint="answer quit in full, flush, then end the process",
        kills=("quit-unanswered", "quit-hangs"),
    ),
    should(
        id="gtp.frame.eof",
        title="The engine ends by itself when its input ends.",
        procedure=EndOfInput(),
        hint="leave the command loop at the end of the input",
    ),
    should(
        id="gtp.frame.eof-last-line",
        title="A last line without a newline is obeyed.",
        procedure=LastLine(),
        hint="treat the end of the input as the end of a line",
    ),
    should(
        id="gtp.frame.leading-space",
        title="Blanks before a command do not matter.",
        procedure=dialogue("name -> =", raw(b"  33 name\n", "=33"), raw(b" name\n", "="), final=True),
        hint="strip the line before reading it",
    ),
    should(
        id="gtp.frame.multi-space",
        title="Several blanks count as one.",
        procedure=dialogue(raw(b"34  known_command   name  \n", "=34 true"), final=True),
        hint="split at runs of blanks",
    ),
    should(
        id="gtp.frame.id-alone",
        title="A line with only an id gets one answer, with the id.",
        procedure=dialogue(raw(b"36\n37 name\n", "?36", "=37"), final=True),
        hint="an id without a command is an unknown command",
    ),
    info(
        id="gtp.frame.id-beyond",
        title="A number above 2147483647 is no id.",
        procedure=dialogue(raw(b"2147483648 name\n38 name\n", "?", "=38"), final=True),
        hint="refuse the line like one with an unknown command",
    ),
    info(
        id="gtp.frame.id-glued",
        title="An id ends at a blank: 5name is one word.",
        procedure=dialogue(raw(b"5name\n39 name\n", "?", "=39"), final=True),
        hint="split the line into words first, then see whether the first is a number",
    ),
    info(
        id="gtp.frame.extra-argument",
        title="More arguments than a command needs do no harm.",
        procedure=dialogue(raw(b"40 name extra\n41 name\n", "=40", "=41"), final=True),
        hint="ignore what is left of the line",
    ),
    info(
        id="gtp.frame.long-line",
        title="A line of 2,000 bytes gets one answer.",
        procedure=dialogue(raw(LONG_LINE + b"\n35 name\n", "*", "=35"), final=True),
        hint="read a line of any length",
    ),
)
