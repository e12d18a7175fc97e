"""GTP, the protocol of Go engines: its syntax, and `Engine`, which runs an engine and records its answers.

This package knows no rules of Go, only vertices and colours.
"""

from harness.gtp.engine import Engine
from harness.gtp.errors import (
    ColourError,
    CommandError,
    EngineStartError,
    GtpError,
    ShortageError,
    VertexError,
)
from harness.gtp.exchange import Ending, Exchange, Exit
from harness.gtp.interrupts import keep_exit_codes
from harness.gtp.launch import SHORTAGES, Launch, environment, protection, torn_path
from harness.gtp.limits import GENMOVE_ANALYSES, SEARCH_COMMANDS, Limits, TimeLimit
from harness.gtp.numbers import MAX_COUNT, MAX_PLAYOUTS, parse_count, parse_decimal
from harness.gtp.orphans import claim_orphans, kill_all_below, kill_orphans, orphans_of_children
from harness.gtp.process import describe_hidden_processes
from harness.gtp.silence import answers_on_terminal, answers_when_input_closes
from harness.gtp.stream import ENDLESS_COMMANDS, Stream
from harness.gtp.syntax import (
    MAX_ID,
    REQUIRED_COMMANDS,
    Answer,
    AnswerFault,
    Malformed,
    command_line,
    command_name,
    command_words,
    cut,
    parse_answer,
    printable,
    printable_lines,
    printable_text,
)
from harness.gtp.transcript import Event, error_line, last_lines, render_transcript
from harness.gtp.vertex import (
    COLUMNS,
    MAX_SIZE,
    Colour,
    Point,
    format_vertex,
    other,
    parse_colour,
    parse_vertex,
)
