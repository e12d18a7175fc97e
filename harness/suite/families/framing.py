"""`gtp.frame.*`: how lines and answers look on the wire (GTP 2 draft 2, sections 2.1 to 2.7).

What the draft leaves open (blanks, an id alone, end of input) is SHOULD or INFO, never MUST: what such a
check expects is what most controllers take for granted.
"""

from __future__ import annotations

from functools import partial

from harness.check.model import Check, Level, Requirements
from harness.check.procedures.dialogue import chased, dialogue, raw
from harness.check.procedures.process_end import EndOfInput, LastLine, Quit
from harness.check.procedures.wire import (
    AnswerForm,
    FlushedOutput,
    LineInPieces,
    NoNoise,
    StartupTime,
    TwoNewlines,
)

must = partial(Check, clause="gtp", level=Level.MUST)
should = partial(Check, clause="gtp", level=Level.SHOULD)
info = partial(Check, clause="gtp", level=Level.INFO)

LONG_COMMENT = b"# " + b"name " * 40
"""A line that is longer than a line of text on a screen, and shorter than any engine's limit."""

LONG_LINE = b"name " + b"x" * 2000
"""A line longer than the buffers of some engines."""

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
        title="The engine sends each answer at once, also when its output is a pipe.",
        procedure=FlushedOutput(),
        hint="flush the standard output after each answer",
        kills=("unflushed",),
    ),
    should(
        id="gtp.frame.startup-time",
        title="The first answer comes within ten seconds.",
        procedure=StartupTime(),
        hint="answer first, and load or tune when a move is wanted",
    ),
    must(
        id="gtp.frame.form",
        title="An answer is = or ?, the id if there was one, a blank, and the text.",
        procedure=AnswerForm(),
        hint="print the sign, the id, one blank, then the text: = text",
        kills=("blank-after-sign-missing",),
    ),
    must(
        id="gtp.frame.several-lines",
        title="Each of several commands that arrive together is answered, in order.",
        procedure=dialogue(
            raw(b"{known}\nclear_board\n{known}\nclear_board\n", "= {answer}", "*", "= {answer}", "*")
        ),
        hint="read up to one newline at a time, and keep the rest of what was read for the next command",
        kills=("rest-of-input-lost",),
    ),
    must(
        id="gtp.frame.line-in-pieces",
        title="A line that arrives in two pieces is one command.",
        procedure=LineInPieces(),
        hint="collect what is read until a newline has come; what one read returns may be half a line",
        kills=("line-by-read",),
        tolerates=("byte-by-byte",),
    ),
    must(
        id="gtp.admin.unknown-command",
        title="An unknown command is refused, and the engine keeps running.",
        procedure=dialogue(
            chased("no_such_command", "?"), chased("no-such-command b C3", "?"), "{known} -> *"
        ),
        hint="answer ? and a short text to a command that the table of commands does not have",
        kills=("unknown-unanswered", "unknown-succeeds"),
    ),
    must(
        id="gtp.frame.no-noise",
        title="Nothing but answers appears on the standard output.",
        procedure=NoNoise(),
        requires=Requirements(isolated=True),
        hint="write log lines to the standard error",
        kills=("log-on-stdout", "extra-line-feed", "blank-line-inside"),
    ),
    must(
        id="gtp.frame.id-echo",
        title="The id of a command stands right after the sign of its answer.",
        procedure=dialogue("42 {known} -> *42", "7 list_commands -> *7"),
        hint="a number before the command is its id: print it right after the sign, without a blank (=42)",
        kills=("id-dropped", "id-after-blank", "id-stale"),
    ),
    must(
        id="gtp.frame.id-echo-error",
        title="A refusal carries the id of its command.",
        procedure=dialogue(chased("43 no_such_command", "?43"), chased("44 no-such-command b C3", "?44")),
        hint="print the id after ? as after =",
        kills=("id-dropped-on-failure",),
    ),
    must(
        id="gtp.frame.id-zero",
        title="The id 0 is echoed like any other.",
        procedure=dialogue("0 {known} -> *0", "0 list_commands -> *0"),
        hint="ask whether there was an id, not whether it differs from 0",
        kills=("id-zero-dropped",),
    ),
    must(
        id="gtp.frame.id-large",
        title="The largest id, 2147483647, is echoed.",
        procedure=dialogue("2147483647 {known} -> *2147483647"),
        hint="an id is an integer from 0 to 2^31 - 1: keep it as text, or in 32 bits",
        kills=("id-sixteen-bits",),
    ),
    must(
        id="gtp.frame.id-fresh",
        title="An answer carries the id of its own command, and no id if the command had none.",
        procedure=dialogue("8 {known} -> =8", "{known} -> =", "9 {known} -> =9", "{known} -> ="),
        hint="forget the id once its command is answered",
        kills=("id-kept",),
    ),
    must(
        id="gtp.frame.every-command-answered",
        title="After a refused command, the engine answers the other commands that arrived with it.",
        procedure=dialogue(
            raw(
                b"{known}\nno_such_command\n{known}\nno_such_command\n{known}\n",
                "= {answer}",
                "?",
                "= {answer}",
                "?",
                "= {answer}",
            )
        ),
        hint="read and answer one line after the other, whatever came of the last one",
        kills=("refusal-drops-input",),
    ),
    must(
        id="gtp.frame.blank-line",
        title="An empty or blank line gets no answer.",
        procedure=dialogue(raw(b"\n{known}\n", "= {answer}"), raw(b"  \n\t\n\n{known}\n", "= {answer}")),
        hint="read on when nothing is left of a line",
        kills=("blank-line-answered", "blank-line-crashes"),
    ),
    must(
        id="gtp.frame.comment-line",
        title="A line with nothing but a comment gets no answer.",
        procedure=dialogue(raw(b"# a comment\n{known}\n", "= {answer}")),
        hint="drop everything from # on before looking at a line",
        kills=("comment-never",),
    ),
    must(
        id="gtp.frame.comment-long",
        title="A comment of 200 bytes is one comment.",
        procedure=dialogue(raw(LONG_COMMENT + b"\n{known}\n", "= {answer}")),
        hint="a line ends at its line feed: read on when a buffer is full",
        kills=("line-of-80-bytes",),
    ),
    must(
        id="gtp.frame.comment-tail",
        title="A comment after a command is dropped.",
        procedure=dialogue(
            raw(b"{known} # which one?\n", "= {answer}"),
            raw(b"{known}#\n", "= {answer}"),
            raw(b"   # indented\n{known}\n", "= {answer}"),
        ),
        hint="drop everything from # on, wherever it stands",
        kills=("comment-at-start-only",),
    ),
    must(
        id="gtp.frame.crlf",
        title="A line may end with CR LF.",
        procedure=dialogue(raw(b"{known}\r\n", "= {answer}"), raw(b"clear_board\r\n", "=")),
        hint="drop CR from each line",
        kills=("crlf-breaks",),
    ),
    must(
        id="gtp.frame.tab",
        title="A tab counts as a blank.",
        procedure=dialogue("boardsize {size}\nclear_board", raw(b"play\tb\tC3\n", "=")),
        hint="turn HT into a blank before splitting a line",
        kills=("tab-dropped",),
    ),
    must(
        id="gtp.frame.control-dropped",
        title="Control characters other than HT and LF are dropped.",
        procedure=dialogue(raw(b"clear_\x07board\n", "="), raw(b"\x01\x1fclear_board\x7f\n", "=")),
        hint="remove the bytes 0 to 31 and 127, but for HT and LF, before reading a line",
        kills=("control-kept",),
    ),
    should(
        id="gtp.frame.leading-space",
        title="Blanks before a command are ignored.",
        procedure=dialogue(chased("  {known}", "= {answer}"), final=True),
        hint="strip the line before reading it",
    ),
    should(
        id="gtp.frame.multi-space",
        title="Several blanks count as one.",
        procedure=dialogue(
            "boardsize {size}\nclear_board", raw(b"play   b    C3  \n", "="), "{known} -> *", final=True
        ),
        hint="split at runs of blanks",
    ),
    should(
        id="gtp.frame.id-alone",
        title="A line with only an id is refused, with that id.",
        procedure=dialogue(chased("36", "?36"), final=True),
        hint="an id without a command is an unknown command",
    ),
    info(
        id="gtp.frame.id-beyond",
        title="A number above 2147483647 is not read as an id.",
        procedure=dialogue(chased("2147483648 {known}", "?"), final=True),
        hint="refuse the line like one with an unknown command",
    ),
    info(
        id="gtp.frame.id-glued",
        title="An id ends at a blank: 5name is not the id 5 and the command name.",
        procedure=dialogue(chased("5{known}", "?"), final=True),
        hint="split the line into words first, then see whether the first is a number",
    ),
    info(
        id="gtp.frame.extra-argument",
        title="A command succeeds with more arguments than it needs.",
        procedure=dialogue(chased("clear_board extra", "="), final=True),
        hint="ignore what is left of the line",
    ),
    info(
        id="gtp.frame.long-line",
        title="A line of 2,000 bytes gets one answer.",
        procedure=dialogue(raw(LONG_LINE + b"\n{known}\n", "*", "= {answer}"), final=True),
        hint="read a line of any length",
    ),
    should(
        id="gtp.frame.eof",
        title="The engine ends by itself when its input ends.",
        procedure=EndOfInput(),
        hint="leave the command loop at the end of the input",
    ),
    info(
        id="gtp.frame.eof-last-line",
        title="A last command without a newline is executed.",
        procedure=LastLine(),
        hint="treat the end of the input as the end of a line",
    ),
    must(
        id="gtp.frame.quit",
        title="quit is answered, and then the engine ends.",
        procedure=Quit(),
        hint="answer quit in full, flush, then end the process",
        kills=("quit-unanswered", "quit-hangs"),
    ),
)
