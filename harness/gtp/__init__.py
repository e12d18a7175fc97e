"""The wire: GTP syntax, one engine process, its transcript. Floor 0; knows no Go beyond vertex and colour."""

from harness.gtp.engine import Engine
from harness.gtp.exchange import Ending, Exchange, Exit
from harness.gtp.launch import EngineStartError, Launch, environment
from harness.gtp.limits import Limits
from harness.gtp.syntax import (
    MAX_ID,
    Answer,
    Fault,
    Malformed,
    command_line,
    parse_answer,
    printable,
    printable_lines,
)
from harness.gtp.terminal import answers_on_terminal
from harness.gtp.transcript import Event, render_transcript
from harness.gtp.vertex import (
    COLUMNS,
    MAX_SIZE,
    Colour,
    ColourError,
    Point,
    VertexError,
    format_vertex,
    other,
    parse_colour,
    parse_vertex,
)

__all__ = [
    "COLUMNS",
    "MAX_ID",
    "MAX_SIZE",
    "Answer",
    "Colour",
    "ColourError",
    "Ending",
    "Engine",
    "EngineStartError",
    "Event",
    "Exchange",
    "Exit",
    "Fault",
    "Launch",
    "Limits",
    "Malformed",
    "Point",
    "VertexError",
    "answers_on_terminal",
    "command_line",
    "environment",
    "format_vertex",
    "other",
    "parse_answer",
    "parse_colour",
    "parse_vertex",
    "printable",
    "printable_lines",
    "render_transcript",
]
