"""GTP: its syntax, one engine process, and the transcript. Its only Go is vertices and colours."""

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
from harness.gtp.inherited import keep_exit_codes
from harness.gtp.last_lines import error_line, last_lines
from harness.gtp.launch import SHORTAGES, Launch, environment, torn_path
from harness.gtp.limits import SEARCH_COMMANDS, Limits, TimeLimit
from harness.gtp.numbers import MAX_COUNT, MAX_PLAYOUTS, parse_count, parse_decimal
from harness.gtp.orphans import claim_orphans, kill_all_below, kill_orphans, orphans_of_children
from harness.gtp.protection import protection
from harness.gtp.silence import answers_on_terminal, answers_when_input_closes
from harness.gtp.syntax import (
    MAX_ID,
    REQUIRED_COMMANDS,
    Answer,
    AnswerFault,
    Malformed,
    command_line,
    command_name,
    command_words,
    parse_answer,
    printable,
    printable_lines,
    printable_text,
)
from harness.gtp.transcript import Event, render_transcript
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

__all__ = [
    "COLUMNS",
    "MAX_COUNT",
    "MAX_ID",
    "MAX_PLAYOUTS",
    "MAX_SIZE",
    "REQUIRED_COMMANDS",
    "SEARCH_COMMANDS",
    "SHORTAGES",
    "Answer",
    "AnswerFault",
    "Colour",
    "ColourError",
    "CommandError",
    "Ending",
    "Engine",
    "EngineStartError",
    "Event",
    "Exchange",
    "Exit",
    "GtpError",
    "Launch",
    "Limits",
    "Malformed",
    "Point",
    "ShortageError",
    "TimeLimit",
    "VertexError",
    "answers_on_terminal",
    "answers_when_input_closes",
    "claim_orphans",
    "command_line",
    "command_name",
    "command_words",
    "environment",
    "error_line",
    "format_vertex",
    "keep_exit_codes",
    "kill_all_below",
    "kill_orphans",
    "last_lines",
    "orphans_of_children",
    "other",
    "parse_answer",
    "parse_colour",
    "parse_count",
    "parse_decimal",
    "parse_vertex",
    "printable",
    "printable_lines",
    "printable_text",
    "protection",
    "render_transcript",
    "torn_path",
]
